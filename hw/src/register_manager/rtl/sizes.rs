//! The sizes, and the widths of the ports that depend on them.

/// A module of types for some number of warps, CTA slots and packs.
macro_rules! size {
    ($(#[$doc:meta])* $name:ident: $warps:literal, $ctas:literal, $packs:literal) => {
        $(#[$doc])*
        pub mod $name {
            use crate::owf::owf_top::SCHEDULERS;
            use crate::pins::bits_for;
            use crate::register_manager::{RegisterManagerIn, RegisterManagerOut};
            use crate::rfv::free_list::BANKS;
            use rust_hdl::prelude::Bits;

            const WARP_BITS: usize = bits_for($warps) as usize;

            /// The inputs as values.
            pub type Inputs = RegisterManagerIn<$warps, $ctas, $packs>;
            /// The outputs as values.
            pub type Outputs = RegisterManagerOut<$warps, $ctas, $packs>;
            /// A warp.
            pub type Warp = Bits<WARP_BITS>;
            /// A bit per warp.
            pub type Warps = Bits<$warps>;
            /// A warp for each scheduler.
            pub type Chosen = Bits<{ SCHEDULERS * WARP_BITS }>;
            /// A number of sections.
            pub type Sections = Bits<{ bits_for($warps + 1) as usize }>;
            /// A CTA slot.
            pub type Cta = Bits<{ bits_for($ctas) as usize }>;
            /// A bit per CTA slot.
            pub type Ctas = Bits<$ctas>;
            /// A number of warps of a CTA.
            pub type CtaWarps = Bits<{ bits_for($warps / 2 + 1) as usize }>;
            /// A pack.
            pub type Pack = Bits<{ bits_for($packs) as usize }>;
            /// A number of packs.
            pub type PackCount = Bits<{ bits_for($packs + 1) as usize }>;
            /// A number of packs of a bank.
            pub type Reserved = Bits<{ bits_for($packs / BANKS + 1) as usize }>;
        }
    };
}

size! {
    /// 16 warps, 8 CTAs, 512 packs, for tests.
    w16: 16, 8, 512
}
size! {
    /// 48 warps, 8 CTAs, 1024 packs (`gtx480`).
    w48: 48, 8, 1024
}
size! {
    /// 64 warps, 32 CTAs, 2048 packs (`v100`).
    w64: 64, 32, 2048
}
