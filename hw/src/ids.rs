//! Newtypes for everything that is numbered, so that a warp slot is never used as a register index.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($raw:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $raw);

        impl $name {
            /// The number as an array index.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

id! {
    /// Warp slot of an SM, 0 .. warps per SM.
    WarpSlot(u16)
}
id! {
    /// CTA slot of an SM, 0 .. CTAs per SM.
    CtaSlot(u16)
}
id! {
    /// Architected register index in the kernel's binary, 0 ..= 254.
    ArchReg(u8)
}
id! {
    /// Physical, warp-wide register (32 lanes x 32 bit): the unit of allocation, "pack" in RegMutex III-B2.
    Pack(u16)
}
id! {
    /// Section of the shared register pool, 0 .. warps per SM (RegMutex III-B1).
    Section(u16)
}
