//! The locks, the scheduler's choice and the throttle at the issue stage, and a mapper in each operand collector.

pub use super::adapter::Rtl;
use super::demand::Demand;
use super::mapper::Mapper;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::owf::dynamic_throttle::rtl::DynamicThrottle;
use crate::owf::pair_lock::rtl::PairLock;
use crate::owf::scratchpad_lock::rtl::ScratchpadLock;
use crate::owf::warp_priority::rtl::WarpPriority;
use rust_hdl::prelude::*;

/// Resource sharing in one SM with two schedulers. From `LOCKS` to `HALF` the parameters are those of [`PairLock`], from
/// `N` to `OW` those of [`WarpPriority`]; `PW` is log2 `PACKS`. The ports are documented at [`OwfTopIn`](super::OwfTopIn) and
/// [`OwfTopOut`](super::OwfTopOut).
#[derive(LogicBlock, Inputs, Default)]
pub struct OwfTop<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const OW: usize,
    const PACKS: usize,
    const PW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// It shares registers.
    pub share_regs: Signal<In, bool>,
    /// It shares scratchpad.
    pub share_scratchpad: Signal<In, bool>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// Private registers of a warp.
    pub base_regs: Signal<In, Bits<8>>,
    /// Shared registers of a pair.
    pub ext_regs: Signal<In, Bits<8>>,
    /// What is added for the private registers of upper warps.
    pub upper_offset: Signal<In, Bits<PW>>,
    /// First byte of scratchpad that belongs to the pair.
    pub private_bytes: Signal<In, Bits<17>>,
    /// Makes a pair.
    pub pair: Signal<In, bool>,
    /// A CTA has ended.
    pub exit: Signal<In, bool>,
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Upper CTA of a new pair.
    pub partner: Signal<In, Bits<TW>>,
    /// Slots in which a warp starts.
    pub launch: Signal<In, Bits<NW>>,
    /// Warps that can issue.
    pub ready: Signal<In, Bits<NW>>,
    /// This is SM 0.
    pub sm_zero: Signal<In, bool>,
    /// A stall cycle.
    pub stall: Signal<In, bool>,
    /// Stall cycles of SM 0.
    pub zero_stalls: Signal<In, Bits<10>>,
    /// Port that wins a tie.
    pub favor_b: Signal<In, bool>,
    /// Port a issues.
    pub a_valid: Signal<In, bool>,
    /// It ends its warp.
    pub a_exit: Signal<In, bool>,
    /// It accesses memory.
    pub a_memory: Signal<In, bool>,
    /// It accesses the scratchpad.
    pub a_scratch: Signal<In, bool>,
    /// The highest address there.
    pub a_address: Signal<In, Bits<17>>,
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
    /// It ends its warp.
    pub b_exit: Signal<In, bool>,
    /// It accesses memory.
    pub b_memory: Signal<In, bool>,
    /// It accesses the scratchpad.
    pub b_scratch: Signal<In, bool>,
    /// The highest address there.
    pub b_address: Signal<In, Bits<17>>,
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
    /// The pair is made.
    pub pair_grant: Signal<Out, bool>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// Warps in sharing mode.
    pub shared: Signal<Out, Bits<NW>>,
    /// Owner warps.
    pub owner: Signal<Out, Bits<NW>>,
    /// Schedulers with a ready warp.
    pub chosen_valid: Signal<Out, Bits<2>>,
    /// The slot that each issues.
    pub chosen: Signal<Out, Bits<OW>>,
    /// Non-owner warps may access memory.
    pub memory_allowed: Signal<Out, bool>,
    /// How often, in tenths.
    pub tenths: Signal<Out, Bits<4>>,
    /// First cycle of a period.
    pub compares: Signal<Out, bool>,
    /// Stall cycles of the period.
    pub stalls: Signal<Out, Bits<10>>,
    /// Port a goes on.
    pub a_grant: Signal<Out, bool>,
    /// Its warp or CTA holds a lock.
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
    /// Its warp or CTA holds a lock.
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
    // State: all of it is in these four.
    registers: Lazy<PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF>>,
    scratchpad: Lazy<ScratchpadLock<NW, T, IW, TW, CW, 17, HALF>>,
    choice: Lazy<WarpPriority<NW, 2, N, M, H, NODES, IW, OW>>,
    throttle: Lazy<DynamicThrottle<1000, 10>>,
    a_demand: Lazy<Demand<NW, IW>>,
    b_demand: Lazy<Demand<NW, IW>>,
    a_mapper: Lazy<Mapper<IW, PACKS, PW>>,
    b_mapper: Lazy<Mapper<IW, PACKS, PW>>,
    a_goes: Signal<Local, bool>,
    b_goes: Signal<Local, bool>,
}

/// 48 warps, 8 CTAs, 1024 packs (`gtx480`, `fermi14`): 958 flip-flops.
pub type OwfTop48x8x1024 = OwfTop<48, 8, 24, 6, 3, 5, 5, 4, 24, 23, 12, 47, 12, 1024, 10>;
/// 64 warps, 32 CTAs, 2048 packs (`v100`, whose four schedulers take turns at its two ports): 1882 flip-flops.
pub type OwfTop64x32x2048 = OwfTop<64, 32, 32, 6, 5, 6, 5, 16, 32, 31, 16, 63, 12, 2048, 11>;
/// 16 warps, 8 CTAs, 512 packs, for tests: 254 flip-flops.
pub type OwfTop16x8x512 = OwfTop<16, 8, 8, 4, 3, 4, 3, 4, 8, 7, 4, 15, 8, 512, 9>;

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const OW: usize,
    const PACKS: usize,
    const PW: usize,
> Logic for OwfTop<NW, T, LOCKS, IW, TW, CW, LW, HALF, N, M, H, NODES, OW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, registers, scratchpad, choice, throttle);
        self.throttle.clear.next = self.clear.val();
        self.throttle.sm_zero.next = self.sm_zero.val();
        self.throttle.stall.next = self.stall.val();
        self.throttle.zero_stalls.next = self.zero_stalls.val();
        self.memory_allowed.next = self.throttle.memory_allowed.val();
        self.tenths.next = self.throttle.tenths.val();
        self.compares.next = self.throttle.compares.val();
        self.stalls.next = self.throttle.stalls.val();

        // Only one of the locks has pairs, so that the other one grants everything and knows no owners.
        self.registers.clear.next = self.clear.val();
        self.registers.share.next = self.share_regs.val();
        self.scratchpad.clear.next = self.clear.val();
        self.scratchpad.share.next = self.share_scratchpad.val() & (!self.share_regs.val());
        self.registers.warps_per_cta.next = self.warps_per_cta.val();
        self.registers.pair.next = self.pair.val();
        self.registers.exit.next = self.exit.val();
        self.registers.cta.next = self.cta.val();
        self.registers.partner.next = self.partner.val();
        self.registers.favor_b.next = self.favor_b.val();
        self.scratchpad.warps_per_cta.next = self.warps_per_cta.val();
        self.scratchpad.pair.next = self.pair.val();
        self.scratchpad.exit.next = self.exit.val();
        self.scratchpad.cta.next = self.cta.val();
        self.scratchpad.partner.next = self.partner.val();
        self.scratchpad.favor_b.next = self.favor_b.val();
        self.scratchpad.private_bytes.next = self.private_bytes.val();
        self.registers.private_regs.next =
            self.a_demand.private_regs.val() | self.b_demand.private_regs.val();
        self.pair_grant.next = self.registers.pair_grant.val() | self.scratchpad.pair_grant.val();
        self.sharing.next = self.registers.sharing.val() | self.scratchpad.sharing.val();
        self.shared.next = self.registers.shared.val() | self.scratchpad.shared.val();
        self.owner.next = self.registers.owner.val() | self.scratchpad.owner.val();

        self.choice.clear.next = self.clear.val();
        self.choice.launch.next = self.launch.val();
        self.choice.ready.next = self.ready.val();
        self.choice.shared.next = self.registers.shared.val() | self.scratchpad.shared.val();
        self.choice.owner.next = self.registers.owner.val() | self.scratchpad.owner.val();
        self.chosen_valid.next = self.choice.chosen_valid.val();
        self.chosen.next = self.choice.chosen.val();

        self.a_demand.valid.next = self.a_valid.val();
        self.a_demand.ends.next = self.a_exit.val();
        self.a_demand.memory.next = self.a_memory.val();
        self.a_demand.scratch.next = self.a_scratch.val();
        self.a_demand.warp.next = self.a_warp.val();
        self.a_demand.shared.next = self.registers.shared.val() | self.scratchpad.shared.val();
        self.a_demand.owner.next = self.registers.owner.val() | self.scratchpad.owner.val();
        self.a_demand.memory_allowed.next = self.throttle.memory_allowed.val();
        self.a_demand.base_regs.next = self.base_regs.val();
        self.a_demand.x[0].next = self.a_x0.val();
        self.a_demand.named[0].next = self.a_x0_valid.val();
        self.a_demand.x[1].next = self.a_x1.val();
        self.a_demand.named[1].next = self.a_x1_valid.val();
        self.a_demand.x[2].next = self.a_x2.val();
        self.a_demand.named[2].next = self.a_x2_valid.val();
        self.a_demand.x[3].next = self.a_x3.val();
        self.a_demand.named[3].next = self.a_x3_valid.val();
        self.registers.a_valid.next = self.a_demand.asks.val();
        self.registers.a_exit.next = self.a_exit.val();
        self.registers.a_warp.next = self.a_warp.val();
        self.registers.a_reg.next = self.a_demand.register.val();
        self.scratchpad.a_valid.next = self.a_demand.accesses.val();
        self.scratchpad.a_warp.next = self.a_warp.val();
        self.scratchpad.a_address.next = self.a_address.val();
        self.a_goes.next = self.registers.a_grant.val()
            & (self.scratchpad.a_grant.val() | (!self.a_demand.accesses.val()));
        self.a_grant.next = self.a_goes.val();
        self.a_held.next = self.registers.a_held.val() | self.scratchpad.a_held.val();
        self.a_mapper.warp.next = self.a_warp.val();
        self.a_mapper.home.next = self.registers.a_home.val();
        self.a_mapper.upper.next = self.registers.a_upper.val();
        self.a_mapper.base_regs.next = self.base_regs.val();
        self.a_mapper.ext_regs.next = self.ext_regs.val();
        self.a_mapper.upper_offset.next = self.upper_offset.val();
        self.a_mapper.goes.next = self.a_goes.val() & (!self.a_exit.val());
        self.a_mapper.x[0].next = self.a_x0.val();
        self.a_mapper.named[0].next = self.a_x0_valid.val();
        self.a_y0.next = self.a_mapper.y[0].val();
        self.a_y0_valid.next = self.a_mapper.valid[0].val();
        self.a_mapper.x[1].next = self.a_x1.val();
        self.a_mapper.named[1].next = self.a_x1_valid.val();
        self.a_y1.next = self.a_mapper.y[1].val();
        self.a_y1_valid.next = self.a_mapper.valid[1].val();
        self.a_mapper.x[2].next = self.a_x2.val();
        self.a_mapper.named[2].next = self.a_x2_valid.val();
        self.a_y2.next = self.a_mapper.y[2].val();
        self.a_y2_valid.next = self.a_mapper.valid[2].val();
        self.a_mapper.x[3].next = self.a_x3.val();
        self.a_mapper.named[3].next = self.a_x3_valid.val();
        self.a_y3.next = self.a_mapper.y[3].val();
        self.a_y3_valid.next = self.a_mapper.valid[3].val();

        self.b_demand.valid.next = self.b_valid.val();
        self.b_demand.ends.next = self.b_exit.val();
        self.b_demand.memory.next = self.b_memory.val();
        self.b_demand.scratch.next = self.b_scratch.val();
        self.b_demand.warp.next = self.b_warp.val();
        self.b_demand.shared.next = self.registers.shared.val() | self.scratchpad.shared.val();
        self.b_demand.owner.next = self.registers.owner.val() | self.scratchpad.owner.val();
        self.b_demand.memory_allowed.next = self.throttle.memory_allowed.val();
        self.b_demand.base_regs.next = self.base_regs.val();
        self.b_demand.x[0].next = self.b_x0.val();
        self.b_demand.named[0].next = self.b_x0_valid.val();
        self.b_demand.x[1].next = self.b_x1.val();
        self.b_demand.named[1].next = self.b_x1_valid.val();
        self.b_demand.x[2].next = self.b_x2.val();
        self.b_demand.named[2].next = self.b_x2_valid.val();
        self.b_demand.x[3].next = self.b_x3.val();
        self.b_demand.named[3].next = self.b_x3_valid.val();
        self.registers.b_valid.next = self.b_demand.asks.val();
        self.registers.b_exit.next = self.b_exit.val();
        self.registers.b_warp.next = self.b_warp.val();
        self.registers.b_reg.next = self.b_demand.register.val();
        self.scratchpad.b_valid.next = self.b_demand.accesses.val();
        self.scratchpad.b_warp.next = self.b_warp.val();
        self.scratchpad.b_address.next = self.b_address.val();
        self.b_goes.next = self.registers.b_grant.val()
            & (self.scratchpad.b_grant.val() | (!self.b_demand.accesses.val()));
        self.b_grant.next = self.b_goes.val();
        self.b_held.next = self.registers.b_held.val() | self.scratchpad.b_held.val();
        self.b_mapper.warp.next = self.b_warp.val();
        self.b_mapper.home.next = self.registers.b_home.val();
        self.b_mapper.upper.next = self.registers.b_upper.val();
        self.b_mapper.base_regs.next = self.base_regs.val();
        self.b_mapper.ext_regs.next = self.ext_regs.val();
        self.b_mapper.upper_offset.next = self.upper_offset.val();
        self.b_mapper.goes.next = self.b_goes.val() & (!self.b_exit.val());
        self.b_mapper.x[0].next = self.b_x0.val();
        self.b_mapper.named[0].next = self.b_x0_valid.val();
        self.b_y0.next = self.b_mapper.y[0].val();
        self.b_y0_valid.next = self.b_mapper.valid[0].val();
        self.b_mapper.x[1].next = self.b_x1.val();
        self.b_mapper.named[1].next = self.b_x1_valid.val();
        self.b_y1.next = self.b_mapper.y[1].val();
        self.b_y1_valid.next = self.b_mapper.valid[1].val();
        self.b_mapper.x[2].next = self.b_x2.val();
        self.b_mapper.named[2].next = self.b_x2_valid.val();
        self.b_y2.next = self.b_mapper.y[2].val();
        self.b_y2_valid.next = self.b_mapper.valid[2].val();
        self.b_mapper.x[3].next = self.b_x3.val();
        self.b_mapper.named[3].next = self.b_x3_valid.val();
        self.b_y3.next = self.b_mapper.y[3].val();
        self.b_y3_valid.next = self.b_mapper.valid[3].val();
    }
}
