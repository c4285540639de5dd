//! The lock at the issue stage and a mapper in each operand collector (III-C); one block for each of the two locks.

pub use super::adapter::{PairBitRtl, WarpBitRtl};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::regmutex::paired_lock::pair_bit::PairedLock;
use crate::regmutex::paired_lock::warp_bit::SafePairedLock;
use crate::regmutex::paired_mapper::rtl::PairedMapper;
use rust_hdl::prelude::*;

macro_rules! top {
    ($name:ident, $lock:ident, $doc:literal) => {
        #[doc = $doc]
        ///
        /// `PAIRS` is `NW / 2`, `GROUPS` is that of the lock, `IW` is ceil(log2 `NW`), `PW` is log2 `PACKS`. The ports are
        /// documented at [`PairedTopIn`](super::PairedTopIn) and [`PairedTopOut`](super::PairedTopOut).
        #[derive(LogicBlock, Inputs, Default)]
        pub struct $name<
            const NW: usize,
            const PAIRS: usize,
            const GROUPS: usize,
            const IW: usize,
            const PACKS: usize,
            const PW: usize,
        > {
            /// Rising edge changes the state.
            pub clock: Signal<In, Clock>,
            /// Starts a kernel.
            pub clear: Signal<In, bool>,
            /// `|Bs|`.
            pub base_regs: Signal<In, Bits<8>>,
            /// `|Es|`.
            pub ext_regs: Signal<In, Bits<8>>,
            /// Port that wins a tie.
            pub favor_b: Signal<In, bool>,
            /// Port a issues.
            pub a_valid: Signal<In, bool>,
            /// It acquires or releases.
            pub a_change: Signal<In, bool>,
            /// 0 acquire, 1 release.
            pub a_release: Signal<In, bool>,
            /// Its warp.
            pub a_warp: Signal<In, Bits<IW>>,
            /// Architected register of its first source.
            pub a_x0: Signal<In, Bits<8>>,
            /// It has one.
            pub a_x0_valid: Signal<In, bool>,
            /// Architected register of its second source.
            pub a_x1: Signal<In, Bits<8>>,
            /// It has one.
            pub a_x1_valid: Signal<In, bool>,
            /// Architected register of its third source.
            pub a_x2: Signal<In, Bits<8>>,
            /// It has one.
            pub a_x2_valid: Signal<In, bool>,
            /// Architected register of its destination.
            pub a_x3: Signal<In, Bits<8>>,
            /// It has one.
            pub a_x3_valid: Signal<In, bool>,
            /// Port b issues.
            pub b_valid: Signal<In, bool>,
            /// It acquires or releases.
            pub b_change: Signal<In, bool>,
            /// 0 acquire, 1 release.
            pub b_release: Signal<In, bool>,
            /// Its warp.
            pub b_warp: Signal<In, Bits<IW>>,
            /// Architected register of its first source.
            pub b_x0: Signal<In, Bits<8>>,
            /// It has one.
            pub b_x0_valid: Signal<In, bool>,
            /// Architected register of its second source.
            pub b_x1: Signal<In, Bits<8>>,
            /// It has one.
            pub b_x1_valid: Signal<In, bool>,
            /// Architected register of its third source.
            pub b_x2: Signal<In, Bits<8>>,
            /// It has one.
            pub b_x2_valid: Signal<In, bool>,
            /// Architected register of its destination.
            pub b_x3: Signal<In, Bits<8>>,
            /// It has one.
            pub b_x3_valid: Signal<In, bool>,
            /// Port a goes on.
            pub a_grant: Signal<Out, bool>,
            /// Its warp's set is held, by that warp or by one of the pair.
            pub a_held: Signal<Out, bool>,
            /// Physical register of its first source.
            pub a_y0: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub a_y0_valid: Signal<Out, bool>,
            /// Physical register of its second source.
            pub a_y1: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub a_y1_valid: Signal<Out, bool>,
            /// Physical register of its third source.
            pub a_y2: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub a_y2_valid: Signal<Out, bool>,
            /// Physical register of its destination.
            pub a_y3: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub a_y3_valid: Signal<Out, bool>,
            /// Port b goes on.
            pub b_grant: Signal<Out, bool>,
            /// Its warp's set is held, by that warp or by one of the pair.
            pub b_held: Signal<Out, bool>,
            /// Physical register of its first source.
            pub b_y0: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub b_y0_valid: Signal<Out, bool>,
            /// Physical register of its second source.
            pub b_y1: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub b_y1_valid: Signal<Out, bool>,
            /// Physical register of its third source.
            pub b_y2: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub b_y2_valid: Signal<Out, bool>,
            /// Physical register of its destination.
            pub b_y3: Signal<Out, Bits<PW>>,
            /// It is valid.
            pub b_y3_valid: Signal<Out, bool>,
            /// Who was refused may try again.
            pub wake: Signal<Out, bool>,
            // State: all of it is the lock's.
            lock: Lazy<$lock<NW, PAIRS, GROUPS, IW>>,
            mapper_a: Lazy<PairedMapper<NW, IW, PACKS, PW>>,
            mapper_b: Lazy<PairedMapper<NW, IW, PACKS, PW>>,
            a_goes: Signal<Local, bool>,
            b_goes: Signal<Local, bool>,
            a_has: Signal<Local, bool>,
            b_has: Signal<Local, bool>,
            freed: Signal<Local, bool>,
            hidden: Signal<Local, bool>,
        }

        impl<
            const NW: usize,
            const PAIRS: usize,
            const GROUPS: usize,
            const IW: usize,
            const PACKS: usize,
            const PW: usize,
        > Logic for $name<NW, PAIRS, GROUPS, IW, PACKS, PW>
        {
            #[hdl_gen]
            #[machine_words]
            fn update(&mut self) {
                clock!(self, clock, lock);
                // Who asks for no change is granted none, so a grant says that its port asked.
                self.lock.clear.next = self.clear.val();
                self.lock.favor_b.next = self.favor_b.val();
                self.lock.a_valid.next = self.a_valid.val() & self.a_change.val();
                self.lock.a_release.next = self.a_release.val();
                self.lock.a_warp.next = self.a_warp.val();
                self.lock.b_valid.next = self.b_valid.val() & self.b_change.val();
                self.lock.b_release.next = self.b_release.val();
                self.lock.b_warp.next = self.b_warp.val();

                self.a_goes.next = (self.a_valid.val() & (!self.clear.val()))
                    & (self.lock.a_grant.val() | (!self.a_change.val()));
                self.a_grant.next = self.a_goes.val();
                self.a_held.next = self.lock.a_held.val();
                self.a_has.next =
                    self.lock.a_held.val() | (self.lock.a_grant.val() & (!self.a_release.val()));
                self.mapper_a.widx.next = self.a_warp.val();
                self.mapper_a.base_regs.next = self.base_regs.val();
                self.mapper_a.ext_regs.next = self.ext_regs.val();
                self.mapper_a.ext_held.next = self.a_has.val();
                self.mapper_a.x0.next = self.a_x0.val();
                self.mapper_a.x0_valid.next = self.a_x0_valid.val() & self.a_goes.val();
                self.mapper_a.x1.next = self.a_x1.val();
                self.mapper_a.x1_valid.next = self.a_x1_valid.val() & self.a_goes.val();
                self.mapper_a.x2.next = self.a_x2.val();
                self.mapper_a.x2_valid.next = self.a_x2_valid.val() & self.a_goes.val();
                self.mapper_a.x3.next = self.a_x3.val();
                self.mapper_a.x3_valid.next = self.a_x3_valid.val() & self.a_goes.val();
                self.a_y0.next = self.mapper_a.y0.val();
                self.a_y0_valid.next = self.mapper_a.y0_valid.val();
                self.a_y1.next = self.mapper_a.y1.val();
                self.a_y1_valid.next = self.mapper_a.y1_valid.val();
                self.a_y2.next = self.mapper_a.y2.val();
                self.a_y2_valid.next = self.mapper_a.y2_valid.val();
                self.a_y3.next = self.mapper_a.y3.val();
                self.a_y3_valid.next = self.mapper_a.y3_valid.val();

                self.b_goes.next = (self.b_valid.val() & (!self.clear.val()))
                    & (self.lock.b_grant.val() | (!self.b_change.val()));
                self.b_grant.next = self.b_goes.val();
                self.b_held.next = self.lock.b_held.val();
                self.b_has.next =
                    self.lock.b_held.val() | (self.lock.b_grant.val() & (!self.b_release.val()));
                self.mapper_b.widx.next = self.b_warp.val();
                self.mapper_b.base_regs.next = self.base_regs.val();
                self.mapper_b.ext_regs.next = self.ext_regs.val();
                self.mapper_b.ext_held.next = self.b_has.val();
                self.mapper_b.x0.next = self.b_x0.val();
                self.mapper_b.x0_valid.next = self.b_x0_valid.val() & self.b_goes.val();
                self.mapper_b.x1.next = self.b_x1.val();
                self.mapper_b.x1_valid.next = self.b_x1_valid.val() & self.b_goes.val();
                self.mapper_b.x2.next = self.b_x2.val();
                self.mapper_b.x2_valid.next = self.b_x2_valid.val() & self.b_goes.val();
                self.mapper_b.x3.next = self.b_x3.val();
                self.mapper_b.x3_valid.next = self.b_x3_valid.val() & self.b_goes.val();
                self.b_y0.next = self.mapper_b.y0.val();
                self.b_y0_valid.next = self.mapper_b.y0_valid.val();
                self.b_y1.next = self.mapper_b.y1.val();
                self.b_y1_valid.next = self.mapper_b.y1_valid.val();
                self.b_y2.next = self.mapper_b.y2.val();
                self.b_y2_valid.next = self.mapper_b.y2_valid.val();
                self.b_y3.next = self.mapper_b.y3.val();
                self.b_y3_valid.next = self.mapper_b.y3_valid.val();

                // A set is freed by the release of who holds it. A request for the warp of port a is not looked at on port b.
                self.freed.next = ((self.lock.a_grant.val() & self.a_release.val())
                    & self.lock.a_held.val())
                    | ((self.lock.b_grant.val() & self.b_release.val()) & self.lock.b_held.val());
                self.hidden.next = ((self.a_valid.val() & self.a_change.val())
                    & (self.b_valid.val() & self.b_change.val()))
                    & (self.a_warp.val() == self.b_warp.val());
                self.wake.next = self.freed.val() | (self.hidden.val() & (!self.clear.val()));
            }
        }
    };
}

top!(
    PairedTop,
    PairedLock,
    "Paired warps of one SM with two schedulers, with the paper's lock: a bit per pair."
);
top!(
    SafePairedTop,
    SafePairedLock,
    "Paired warps of one SM with two schedulers, with the safe lock: a bit per warp."
);

/// 48 warps, 1024 packs (`gtx480`): 24 flip-flops.
pub type PairedTop48x1024 = PairedTop<48, 24, 6, 6, 1024, 10>;
/// 64 warps, 2048 packs (`v100`): 32 flip-flops.
pub type PairedTop64x2048 = PairedTop<64, 32, 8, 6, 2048, 11>;
/// 16 warps, 512 packs, for tests: 8 flip-flops.
pub type PairedTop16x512 = PairedTop<16, 8, 2, 4, 512, 9>;
/// 48 warps, 1024 packs (`gtx480`): 48 flip-flops.
pub type SafePairedTop48x1024 = SafePairedTop<48, 24, 6, 6, 1024, 10>;
/// 64 warps, 2048 packs (`v100`): 64 flip-flops.
pub type SafePairedTop64x2048 = SafePairedTop<64, 32, 8, 6, 2048, 11>;
/// 16 warps, 512 packs, for tests: 16 flip-flops.
pub type SafePairedTop16x512 = SafePairedTop<16, 8, 2, 4, 512, 9>;
