//! The allocator at the issue stage and a mapper in each operand collector, as Figure 5 and Figure 6 of the paper join them.

pub use super::adapter::Rtl;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::regmutex::register_mapper::rtl::RegisterMapper;
use crate::regmutex::srp_allocator::rtl::SrpAllocator;
use rust_hdl::prelude::*;

/// RegMutex of one SM with two schedulers. `GROUPS` is `NW / 4`, `IW` is ceil(log2 `NW`), `CW` is ceil(log2 (`NW` + 1)),
/// `PW` is log2 `PACKS`. The ports are documented at [`RegmutexTopIn`](super::RegmutexTopIn) and
/// [`RegmutexTopOut`](super::RegmutexTopOut).
#[derive(LogicBlock, Inputs, Default)]
pub struct RegmutexTop<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// Sections that exist; read with `clear`.
    pub section_count: Signal<In, Bits<CW>>,
    /// `|Bs|`.
    pub base_regs: Signal<In, Bits<8>>,
    /// `|Es|`.
    pub ext_regs: Signal<In, Bits<8>>,
    /// First pack of the shared register pool.
    pub srp_offset: Signal<In, Bits<PW>>,
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
    /// Its warp holds a section.
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
    /// Its warp holds a section.
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
    // State: all of it is the allocator's.
    allocator: Lazy<SrpAllocator<NW, GROUPS, IW, CW>>,
    mapper_a: Lazy<RegisterMapper<NW, IW, PACKS, PW>>,
    mapper_b: Lazy<RegisterMapper<NW, IW, PACKS, PW>>,
    a_refused: Signal<Local, bool>,
    b_refused: Signal<Local, bool>,
    a_goes: Signal<Local, bool>,
    b_goes: Signal<Local, bool>,
    a_has: Signal<Local, bool>,
    b_has: Signal<Local, bool>,
    a_changed: Signal<Local, bool>,
    b_changed: Signal<Local, bool>,
    freed: Signal<Local, bool>,
    outbid: Signal<Local, bool>,
}

/// 48 warps, 1024 packs (`gtx480`): 384 flip-flops.
pub type RegmutexTop48x1024 = RegmutexTop<48, 12, 6, 6, 1024, 10>;
/// 64 warps, 2048 packs (`v100`): 512 flip-flops.
pub type RegmutexTop64x2048 = RegmutexTop<64, 16, 6, 7, 2048, 11>;
/// 16 warps, 512 packs, for tests.
pub type RegmutexTop16x512 = RegmutexTop<16, 4, 4, 5, 512, 9>;
/// 8 warps, 512 packs, for tests.
pub type RegmutexTop8x512 = RegmutexTop<8, 2, 3, 4, 512, 9>;

impl<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> RegmutexTop<NW, GROUPS, IW, CW, PACKS, PW>
{
    /// In its power-on state: nothing held, all `NW` sections free.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> Logic for RegmutexTop<NW, GROUPS, IW, CW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, allocator);
        // Who asks for no change is granted none, so a grant says that its port asked.
        self.allocator.clear.next = self.clear.val();
        self.allocator.section_count.next = self.section_count.val();
        self.allocator.favor_b.next = self.favor_b.val();
        self.allocator.a_valid.next = self.a_valid.val() & self.a_change.val();
        self.allocator.a_release.next = self.a_release.val();
        self.allocator.a_warp.next = self.a_warp.val();
        self.allocator.b_valid.next = self.b_valid.val() & self.b_change.val();
        self.allocator.b_release.next = self.b_release.val();
        self.allocator.b_warp.next = self.b_warp.val();

        self.a_goes.next = (self.a_valid.val() & (!self.clear.val()))
            & (self.allocator.a_grant.val() | (!self.a_change.val()));
        self.a_grant.next = self.a_goes.val();
        self.a_held.next = self.allocator.a_held.val();
        self.a_has.next =
            self.allocator.a_held.val() | (self.allocator.a_grant.val() & (!self.a_release.val()));
        self.mapper_a.widx.next = self.a_warp.val();
        self.mapper_a.base_regs.next = self.base_regs.val();
        self.mapper_a.ext_regs.next = self.ext_regs.val();
        self.mapper_a.section.next = self.allocator.a_section.val();
        self.mapper_a.section_valid.next = self.a_has.val();
        self.mapper_a.srp_offset.next = self.srp_offset.val();
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
            & (self.allocator.b_grant.val() | (!self.b_change.val()));
        self.b_grant.next = self.b_goes.val();
        self.b_held.next = self.allocator.b_held.val();
        self.b_has.next =
            self.allocator.b_held.val() | (self.allocator.b_grant.val() & (!self.b_release.val()));
        self.mapper_b.widx.next = self.b_warp.val();
        self.mapper_b.base_regs.next = self.base_regs.val();
        self.mapper_b.ext_regs.next = self.ext_regs.val();
        self.mapper_b.section.next = self.allocator.b_section.val();
        self.mapper_b.section_valid.next = self.b_has.val();
        self.mapper_b.srp_offset.next = self.srp_offset.val();
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

        self.a_changed.next =
            self.allocator.a_grant.val() & (!(self.allocator.a_held.val() ^ self.a_release.val()));
        self.b_changed.next =
            self.allocator.b_grant.val() & (!(self.allocator.b_held.val() ^ self.b_release.val()));
        self.freed.next = (self.a_changed.val() & self.a_release.val())
            | (self.b_changed.val() & self.b_release.val());
        self.a_refused.next =
            (self.a_valid.val() & self.a_change.val()) & (!self.allocator.a_grant.val());
        self.b_refused.next =
            (self.b_valid.val() & self.b_change.val()) & (!self.allocator.b_grant.val());
        self.outbid.next = (self.a_changed.val() & self.b_refused.val())
            | (self.b_changed.val() & self.a_refused.val());
        self.wake.next = self.freed.val() | self.outbid.val();
    }
}
