//! The stacks and the list of stalled warps at the issue stage, and a mapper in each operand collector.

pub use super::adapter::Rtl;
use super::demand::Demand;
use crate::cars::register_stack::Op;
use crate::cars::register_stack::rtl::RegisterStack;
use crate::cars::stack_mapper::rtl::StackMapper;
use crate::cars::stalled_warps::rtl::StalledWarps;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// CARS in one SM with two schedulers. `IW` is ceil(log2 `NW`), `PW` log2 `PACKS`, `CW` ceil(log2 (`STACK` + 1)). The ports are
/// documented at [`CarsTopIn`](super::CarsTopIn) and [`CarsTopOut`](super::CarsTopOut).
#[derive(LogicBlock, Inputs)]
pub struct CarsTop<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// Port that is served if both ask.
    pub favor_b: Signal<In, bool>,
    /// Stalls a warp.
    pub stall: Signal<In, bool>,
    /// The warp.
    pub stall_warp: Signal<In, Bits<IW>>,
    /// Registers became free.
    pub wake: Signal<In, bool>,
    /// Port a issues.
    pub a_valid: Signal<In, bool>,
    /// What it asks of the stack.
    pub a_op: Signal<In, Bits<3>>,
    /// Its warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// First pack of its base registers.
    pub a_base: Signal<In, Bits<PW>>,
    /// First pack of its stack.
    pub a_first: Signal<In, Bits<PW>>,
    /// Packs of its stack.
    pub a_capacity: Signal<In, Bits<CW>>,
    /// Registers that the callee will push.
    pub a_fru: Signal<In, Bits<CW>>,
    /// Packs saved for this request.
    pub a_evicted: Signal<In, Bits<CW>>,
    /// The caller's RFP.
    pub a_link: Signal<In, Bits<PW>>,
    /// The caller is the kernel.
    pub a_link_kernel: Signal<In, bool>,
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
    /// What it asks of the stack.
    pub b_op: Signal<In, Bits<3>>,
    /// Its warp.
    pub b_warp: Signal<In, Bits<IW>>,
    /// First pack of its base registers.
    pub b_base: Signal<In, Bits<PW>>,
    /// First pack of its stack.
    pub b_first: Signal<In, Bits<PW>>,
    /// Packs of its stack.
    pub b_capacity: Signal<In, Bits<CW>>,
    /// Registers that the callee will push.
    pub b_fru: Signal<In, Bits<CW>>,
    /// Packs saved for this request.
    pub b_evicted: Signal<In, Bits<CW>>,
    /// The caller's RFP.
    pub b_link: Signal<In, Bits<PW>>,
    /// The caller is the kernel.
    pub b_link_kernel: Signal<In, bool>,
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
    /// The warp is in the list after the edge.
    pub stall_grant: Signal<Out, bool>,
    /// A warp is woken.
    pub woken_valid: Signal<Out, bool>,
    /// The warp that is woken.
    pub woken: Signal<Out, Bits<IW>>,
    /// No warp is stalled.
    pub empty: Signal<Out, bool>,
    /// The port whose request is served.
    pub served_b: Signal<Out, bool>,
    /// It lacks room.
    pub trap: Signal<Out, bool>,
    /// The pack it is about.
    pub pack: Signal<Out, Bits<PW>>,
    /// Packs to save or to fill.
    pub count: Signal<Out, Bits<CW>>,
    /// The caller's RFP.
    pub link: Signal<Out, Bits<PW>>,
    /// The caller is the kernel.
    pub link_kernel: Signal<Out, bool>,
    /// Port a goes on.
    pub a_grant: Signal<Out, bool>,
    /// Its warp is stalled.
    pub a_stalled: Signal<Out, bool>,
    /// It has a stack.
    pub a_launched: Signal<Out, bool>,
    /// Its RFP.
    pub a_rfp: Signal<Out, Bits<PW>>,
    /// Its RSP.
    pub a_rsp: Signal<Out, Bits<PW>>,
    /// Its free packs.
    pub a_free: Signal<Out, Bits<CW>>,
    /// Pack below the frame.
    pub a_link_pack: Signal<Out, Bits<PW>>,
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
    /// Its warp is stalled.
    pub b_stalled: Signal<Out, bool>,
    /// It has a stack.
    pub b_launched: Signal<Out, bool>,
    /// Its RFP.
    pub b_rfp: Signal<Out, Bits<PW>>,
    /// Its RSP.
    pub b_rsp: Signal<Out, Bits<PW>>,
    /// Its free packs.
    pub b_free: Signal<Out, Bits<CW>>,
    /// Pack below the frame.
    pub b_link_pack: Signal<Out, Bits<PW>>,
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
    // State: all of it is in these two.
    registers: Lazy<RegisterStack<NW, IW, PW, CW>>,
    waiting: Lazy<StalledWarps<NW, IW>>,
    a_demand: Lazy<Demand>,
    b_demand: Lazy<Demand>,
    a_mapper: Lazy<StackMapper<PACKS, PW, STACK, CW>>,
    b_mapper: Lazy<StackMapper<PACKS, PW, STACK, CW>>,
    a_goes: Signal<Local, bool>,
    b_goes: Signal<Local, bool>,
    finishes: Signal<Local, bool>,
    nothing: Constant<Bits<3>>,
    finish: Constant<Bits<3>>,
}

/// 48 warps, 1024 packs, stacks of up to 63 packs (`gtx480`): 1644 flip-flops.
pub type CarsTop48x1024 = CarsTop<48, 6, 1024, 10, 63, 6>;
/// 64 warps, 2048 packs, stacks of up to 63 packs (`v100`, whose four schedulers take turns at its two ports): 2316 flip-flops.
pub type CarsTop64x2048 = CarsTop<64, 6, 2048, 11, 63, 6>;
/// 16 warps, 512 packs, stacks of up to 63 packs, for tests: 488 flip-flops.
pub type CarsTop16x512 = CarsTop<16, 4, 512, 9, 63, 6>;
/// 8 warps, 256 packs, stacks of up to 7 packs, for tests: 198 flip-flops.
pub type CarsTop8x256 = CarsTop<8, 3, 256, 8, 7, 3>;

impl<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> Default for CarsTop<NW, IW, PACKS, PW, STACK, CW>
{
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            favor_b: Signal::default(),
            stall: Signal::default(),
            stall_warp: Signal::default(),
            wake: Signal::default(),
            a_valid: Signal::default(),
            a_op: Signal::default(),
            a_warp: Signal::default(),
            a_base: Signal::default(),
            a_first: Signal::default(),
            a_capacity: Signal::default(),
            a_fru: Signal::default(),
            a_evicted: Signal::default(),
            a_link: Signal::default(),
            a_link_kernel: Signal::default(),
            a_x0: Signal::default(),
            a_x0_valid: Signal::default(),
            a_x1: Signal::default(),
            a_x1_valid: Signal::default(),
            a_x2: Signal::default(),
            a_x2_valid: Signal::default(),
            a_x3: Signal::default(),
            a_x3_valid: Signal::default(),
            b_valid: Signal::default(),
            b_op: Signal::default(),
            b_warp: Signal::default(),
            b_base: Signal::default(),
            b_first: Signal::default(),
            b_capacity: Signal::default(),
            b_fru: Signal::default(),
            b_evicted: Signal::default(),
            b_link: Signal::default(),
            b_link_kernel: Signal::default(),
            b_x0: Signal::default(),
            b_x0_valid: Signal::default(),
            b_x1: Signal::default(),
            b_x1_valid: Signal::default(),
            b_x2: Signal::default(),
            b_x2_valid: Signal::default(),
            b_x3: Signal::default(),
            b_x3_valid: Signal::default(),
            stall_grant: Signal::default(),
            woken_valid: Signal::default(),
            woken: Signal::default(),
            empty: Signal::default(),
            served_b: Signal::default(),
            trap: Signal::default(),
            pack: Signal::default(),
            count: Signal::default(),
            link: Signal::default(),
            link_kernel: Signal::default(),
            a_grant: Signal::default(),
            a_stalled: Signal::default(),
            a_launched: Signal::default(),
            a_rfp: Signal::default(),
            a_rsp: Signal::default(),
            a_free: Signal::default(),
            a_link_pack: Signal::default(),
            a_y0: Signal::default(),
            a_y0_valid: Signal::default(),
            a_y1: Signal::default(),
            a_y1_valid: Signal::default(),
            a_y2: Signal::default(),
            a_y2_valid: Signal::default(),
            a_y3: Signal::default(),
            a_y3_valid: Signal::default(),
            b_grant: Signal::default(),
            b_stalled: Signal::default(),
            b_launched: Signal::default(),
            b_rfp: Signal::default(),
            b_rsp: Signal::default(),
            b_free: Signal::default(),
            b_link_pack: Signal::default(),
            b_y0: Signal::default(),
            b_y0_valid: Signal::default(),
            b_y1: Signal::default(),
            b_y1_valid: Signal::default(),
            b_y2: Signal::default(),
            b_y2_valid: Signal::default(),
            b_y3: Signal::default(),
            b_y3_valid: Signal::default(),
            registers: Lazy::new(RegisterStack::new()),
            waiting: Lazy::new(StalledWarps::new()),
            a_demand: Lazy::default(),
            b_demand: Lazy::default(),
            a_mapper: Lazy::default(),
            b_mapper: Lazy::default(),
            a_goes: Signal::default(),
            b_goes: Signal::default(),
            finishes: Signal::default(),
            nothing: Constant::new(u64::from(Op::Nothing.code()).into()),
            finish: Constant::new(u64::from(Op::Finish.code()).into()),
        }
    }
}

impl<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> Logic for CarsTop<NW, IW, PACKS, PW, STACK, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, registers, waiting);
        self.registers.clear.next = self.clear.val();
        self.registers.favor_b.next = self.favor_b.val();
        self.waiting.clear.next = self.clear.val();
        self.waiting.stall.next = self.stall.val();
        self.waiting.stall_warp.next = self.stall_warp.val();
        self.stall_grant.next = self.waiting.stall_grant.val();
        self.woken_valid.next = self.waiting.woken_valid.val();
        self.woken.next = self.waiting.woken.val();
        self.empty.next = self.waiting.empty.val();
        self.served_b.next = self.registers.served_b.val();
        self.trap.next = self.registers.trap.val();
        self.pack.next = self.registers.pack.val();
        self.count.next = self.registers.count.val();
        self.link.next = self.registers.link.val();
        self.link_kernel.next = self.registers.link_kernel.val();

        self.waiting.a_warp.next = self.a_warp.val();
        self.a_stalled.next = self.waiting.a_stalled.val();
        self.a_demand.valid.next = self.a_valid.val();
        self.a_demand.stalled.next = self.waiting.a_stalled.val();
        self.a_demand.clear.next = self.clear.val();
        self.a_demand.op.next = self.a_op.val();
        self.registers.a_warp.next = self.a_warp.val();
        self.registers.a_first.next = self.a_first.val();
        self.registers.a_capacity.next = self.a_capacity.val();
        self.registers.a_fru.next = self.a_fru.val();
        self.registers.a_evicted.next = self.a_evicted.val();
        self.registers.a_link.next = self.a_link.val();
        self.registers.a_link_kernel.next = self.a_link_kernel.val();
        self.registers.a_op.next = self.a_demand.asked.val();
        self.a_launched.next = self.registers.a_launched.val();
        self.a_rfp.next = self.registers.a_rfp.val();
        self.a_rsp.next = self.registers.a_rsp.val();
        self.a_free.next = self.registers.a_free.val();
        self.a_goes.next = self.a_demand.ready.val()
            & ((self.a_op.val() == self.nothing.val())
                | (self.registers.grant.val() & (!self.registers.served_b.val())));
        self.a_grant.next = self.a_goes.val();
        self.a_mapper.launched.next = self.registers.a_launched.val();
        self.a_mapper.rfp.next = self.registers.a_rfp.val();
        self.a_mapper.rsp.next = self.registers.a_rsp.val();
        self.a_mapper.base.next = self.a_base.val();
        self.a_mapper.first.next = self.a_first.val();
        self.a_mapper.capacity.next = self.a_capacity.val();
        self.a_link_pack.next = self.a_mapper.link_pack.val();
        self.a_mapper.x0.next = self.a_x0.val();
        self.a_mapper.x0_valid.next = self.a_x0_valid.val() & self.a_goes.val();
        self.a_y0.next = self.a_mapper.y0.val();
        self.a_y0_valid.next = self.a_mapper.y0_valid.val();
        self.a_mapper.x1.next = self.a_x1.val();
        self.a_mapper.x1_valid.next = self.a_x1_valid.val() & self.a_goes.val();
        self.a_y1.next = self.a_mapper.y1.val();
        self.a_y1_valid.next = self.a_mapper.y1_valid.val();
        self.a_mapper.x2.next = self.a_x2.val();
        self.a_mapper.x2_valid.next = self.a_x2_valid.val() & self.a_goes.val();
        self.a_y2.next = self.a_mapper.y2.val();
        self.a_y2_valid.next = self.a_mapper.y2_valid.val();
        self.a_mapper.x3.next = self.a_x3.val();
        self.a_mapper.x3_valid.next = self.a_x3_valid.val() & self.a_goes.val();
        self.a_y3.next = self.a_mapper.y3.val();
        self.a_y3_valid.next = self.a_mapper.y3_valid.val();

        self.waiting.b_warp.next = self.b_warp.val();
        self.b_stalled.next = self.waiting.b_stalled.val();
        self.b_demand.valid.next = self.b_valid.val();
        self.b_demand.stalled.next = self.waiting.b_stalled.val();
        self.b_demand.clear.next = self.clear.val();
        self.b_demand.op.next = self.b_op.val();
        self.registers.b_warp.next = self.b_warp.val();
        self.registers.b_first.next = self.b_first.val();
        self.registers.b_capacity.next = self.b_capacity.val();
        self.registers.b_fru.next = self.b_fru.val();
        self.registers.b_evicted.next = self.b_evicted.val();
        self.registers.b_link.next = self.b_link.val();
        self.registers.b_link_kernel.next = self.b_link_kernel.val();
        self.registers.b_op.next = self.b_demand.asked.val();
        self.b_launched.next = self.registers.b_launched.val();
        self.b_rfp.next = self.registers.b_rfp.val();
        self.b_rsp.next = self.registers.b_rsp.val();
        self.b_free.next = self.registers.b_free.val();
        self.b_goes.next = self.b_demand.ready.val()
            & ((self.b_op.val() == self.nothing.val())
                | (self.registers.grant.val() & self.registers.served_b.val()));
        self.b_grant.next = self.b_goes.val();
        self.b_mapper.launched.next = self.registers.b_launched.val();
        self.b_mapper.rfp.next = self.registers.b_rfp.val();
        self.b_mapper.rsp.next = self.registers.b_rsp.val();
        self.b_mapper.base.next = self.b_base.val();
        self.b_mapper.first.next = self.b_first.val();
        self.b_mapper.capacity.next = self.b_capacity.val();
        self.b_link_pack.next = self.b_mapper.link_pack.val();
        self.b_mapper.x0.next = self.b_x0.val();
        self.b_mapper.x0_valid.next = self.b_x0_valid.val() & self.b_goes.val();
        self.b_y0.next = self.b_mapper.y0.val();
        self.b_y0_valid.next = self.b_mapper.y0_valid.val();
        self.b_mapper.x1.next = self.b_x1.val();
        self.b_mapper.x1_valid.next = self.b_x1_valid.val() & self.b_goes.val();
        self.b_y1.next = self.b_mapper.y1.val();
        self.b_y1_valid.next = self.b_mapper.y1_valid.val();
        self.b_mapper.x2.next = self.b_x2.val();
        self.b_mapper.x2_valid.next = self.b_x2_valid.val() & self.b_goes.val();
        self.b_y2.next = self.b_mapper.y2.val();
        self.b_y2_valid.next = self.b_mapper.y2_valid.val();
        self.b_mapper.x3.next = self.b_x3.val();
        self.b_mapper.x3_valid.next = self.b_x3_valid.val() & self.b_goes.val();
        self.b_y3.next = self.b_mapper.y3.val();
        self.b_y3_valid.next = self.b_mapper.y3_valid.val();

        // A warp that finishes leaves its registers to the one that has waited longest.
        self.finishes.next = (self.a_goes.val() & (self.a_op.val() == self.finish.val()))
            | (self.b_goes.val() & (self.b_op.val() == self.finish.val()));
        self.waiting.wake.next = self.wake.val() | self.finishes.val();
    }
}
