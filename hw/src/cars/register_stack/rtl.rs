//! Per warp RFP, RSP and a free count in tables, and a bit; the rest is wiring: a port is chosen, its warp's row measured,
//! its request decided, its pointers moved. Every block drives the next by plain wires.

pub use super::adapter::Rtl;
use super::frame::Frame;
use super::pointers::Pointers;
use super::room::Room;
use super::row::Row;
use super::served::Served;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::one_hot::LateOneHot;
use crate::common::table::DualTable;
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use rust_hdl::prelude::*;

/// Register stacks of `NW` warps with pack numbers of `PW` bits and stacks of less than 2 ^ `CW` packs; `IW` is
/// ceil(log2 `NW`). The ports are documented at [`RegisterStackIn`](super::RegisterStackIn) and
/// [`RegisterStackOut`](super::RegisterStackOut).
#[derive(LogicBlock, Inputs)]
pub struct RegisterStack<const NW: usize, const IW: usize, const PW: usize, const CW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over both ports.
    pub clear: Signal<In, bool>,
    /// Port that is served if both ask.
    pub favor_b: Signal<In, bool>,
    /// What port a asks for.
    pub a_op: Signal<In, Bits<3>>,
    /// The warp.
    pub a_warp: Signal<In, Bits<IW>>,
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
    /// What port b asks for.
    pub b_op: Signal<In, Bits<3>>,
    /// The warp.
    pub b_warp: Signal<In, Bits<IW>>,
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
    /// The port that is served.
    pub served_b: Signal<Out, bool>,
    /// Its request is done.
    pub grant: Signal<Out, bool>,
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
    /// `a_warp` has a stack.
    pub a_launched: Signal<Out, bool>,
    /// Its RFP.
    pub a_rfp: Signal<Out, Bits<PW>>,
    /// Its RSP.
    pub a_rsp: Signal<Out, Bits<PW>>,
    /// Its free packs.
    pub a_free: Signal<Out, Bits<CW>>,
    /// `b_warp` has a stack.
    pub b_launched: Signal<Out, bool>,
    /// Its RFP.
    pub b_rfp: Signal<Out, Bits<PW>>,
    /// Its RSP.
    pub b_rsp: Signal<Out, Bits<PW>>,
    /// Its free packs.
    pub b_free: Signal<Out, Bits<CW>>,
    // State: a bit per warp that has a stack, its RFP, its RSP, its free packs.
    launched: Lazy<WriteBits<NW>>,
    rfp: Lazy<DualTable<NW, IW, PW>>,
    rsp: Lazy<DualTable<NW, IW, PW>>,
    free: Lazy<DualTable<NW, IW, CW>>,
    row_a: Lazy<Row<NW, IW, PW, CW>>,
    row_b: Lazy<Row<NW, IW, PW, CW>>,
    served: Lazy<Served<IW, PW, CW>>,
    frame: Lazy<Frame<PW, CW>>,
    room: Lazy<Room<CW>>,
    pointers: Lazy<Pointers<PW, CW>>,
    written: Lazy<LateOneHot<NW, IW>>,
    none: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
}

/// 48 warps, 1024 packs (`gtx480`), stacks of up to 63 packs: 1296 flip-flops.
pub type RegisterStack48 = RegisterStack<48, 6, 10, 6>;
/// 64 warps, 2048 packs (`v100`), stacks of up to 63 packs: 1856 flip-flops.
pub type RegisterStack64 = RegisterStack<64, 6, 11, 6>;
/// 8 warps, 64 packs, stacks of up to 7 packs: 128 flip-flops.
pub type RegisterStack8 = RegisterStack<8, 3, 6, 3>;

impl<const NW: usize, const IW: usize, const PW: usize, const CW: usize>
    RegisterStack<NW, IW, PW, CW>
{
    /// A block in its power-on state.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && NW > 1 << (IW - 1) && CW + 1 < PW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            favor_b: Signal::default(),
            a_op: Signal::default(),
            a_warp: Signal::default(),
            a_first: Signal::default(),
            a_capacity: Signal::default(),
            a_fru: Signal::default(),
            a_evicted: Signal::default(),
            a_link: Signal::default(),
            a_link_kernel: Signal::default(),
            b_op: Signal::default(),
            b_warp: Signal::default(),
            b_first: Signal::default(),
            b_capacity: Signal::default(),
            b_fru: Signal::default(),
            b_evicted: Signal::default(),
            b_link: Signal::default(),
            b_link_kernel: Signal::default(),
            served_b: Signal::default(),
            grant: Signal::default(),
            trap: Signal::default(),
            pack: Signal::default(),
            count: Signal::default(),
            link: Signal::default(),
            link_kernel: Signal::default(),
            a_launched: Signal::default(),
            a_rfp: Signal::default(),
            a_rsp: Signal::default(),
            a_free: Signal::default(),
            b_launched: Signal::default(),
            b_rfp: Signal::default(),
            b_rsp: Signal::default(),
            b_free: Signal::default(),
            launched: Lazy::default(),
            rfp: Lazy::default(),
            rsp: Lazy::default(),
            free: Lazy::default(),
            row_a: Lazy::default(),
            row_b: Lazy::default(),
            served: Lazy::default(),
            frame: Lazy::default(),
            room: Lazy::default(),
            pointers: Lazy::default(),
            written: Lazy::default(),
            none: Constant::new(0u64.into()),
            all: Constant::new(Bits::mask()),
        }
    }
}

impl<const NW: usize, const IW: usize, const PW: usize, const CW: usize> Default
    for RegisterStack<NW, IW, PW, CW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize, const PW: usize, const CW: usize> Logic
    for RegisterStack<NW, IW, PW, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, launched, rfp, rsp, free);

        self.rfp.a_row.next = self.a_warp.val();
        self.rsp.a_row.next = self.a_warp.val();
        self.free.a_row.next = self.a_warp.val();
        self.rfp.b_row.next = self.b_warp.val();
        self.rsp.b_row.next = self.b_warp.val();
        self.free.b_row.next = self.b_warp.val();
        self.row_a.launched.next = self.launched.q.val();
        self.row_a.warp.next = self.a_warp.val();
        self.row_a.rfp_word.next = self.rfp.a_word.val();
        self.row_a.rsp_word.next = self.rsp.a_word.val();
        self.row_a.free_word.next = self.free.a_word.val();
        self.a_launched.next = self.row_a.running.val();
        self.a_rfp.next = self.row_a.rfp.val();
        self.a_rsp.next = self.row_a.rsp.val();
        self.a_free.next = self.row_a.free.val();
        self.row_b.launched.next = self.launched.q.val();
        self.row_b.warp.next = self.b_warp.val();
        self.row_b.rfp_word.next = self.rfp.b_word.val();
        self.row_b.rsp_word.next = self.rsp.b_word.val();
        self.row_b.free_word.next = self.free.b_word.val();
        self.b_launched.next = self.row_b.running.val();
        self.b_rfp.next = self.row_b.rfp.val();
        self.b_rsp.next = self.row_b.rsp.val();
        self.b_free.next = self.row_b.free.val();

        self.served.clear.next = self.clear.val();
        self.served.favor_b.next = self.favor_b.val();
        self.served.a_op.next = self.a_op.val();
        self.served.a_warp.next = self.a_warp.val();
        self.served.a_first.next = self.a_first.val();
        self.served.a_capacity.next = self.a_capacity.val();
        self.served.a_fru.next = self.a_fru.val();
        self.served.a_evicted.next = self.a_evicted.val();
        self.served.a_link.next = self.a_link.val();
        self.served.a_link_kernel.next = self.a_link_kernel.val();
        self.served.a_exists.next = self.row_a.exists.val();
        self.served.a_running.next = self.row_a.running.val();
        self.served.a_rfp.next = self.row_a.rfp.val();
        self.served.a_rsp.next = self.row_a.rsp.val();
        self.served.a_free.next = self.row_a.free.val();
        self.served.b_op.next = self.b_op.val();
        self.served.b_warp.next = self.b_warp.val();
        self.served.b_first.next = self.b_first.val();
        self.served.b_capacity.next = self.b_capacity.val();
        self.served.b_fru.next = self.b_fru.val();
        self.served.b_evicted.next = self.b_evicted.val();
        self.served.b_link.next = self.b_link.val();
        self.served.b_link_kernel.next = self.b_link_kernel.val();
        self.served.b_exists.next = self.row_b.exists.val();
        self.served.b_running.next = self.row_b.running.val();
        self.served.b_rfp.next = self.row_b.rfp.val();
        self.served.b_rsp.next = self.row_b.rsp.val();
        self.served.b_free.next = self.row_b.free.val();

        self.frame.rfp.next = self.served.rfp.val();
        self.frame.rsp.next = self.served.rsp.val();
        self.frame.link.next = self.served.link.val();
        self.frame.first.next = self.served.first.val();
        self.frame.capacity.next = self.served.capacity.val();
        self.frame.free.next = self.served.free.val();
        self.frame.unwind.next = self.served.unwind.val();
        self.frame.need.next = self.served.need.val();

        self.room.launch.next = self.served.launch.val();
        self.room.call.next = self.served.call.val();
        self.room.push.next = self.served.push.val();
        self.room.pop.next = self.served.pop.val();
        self.room.unwind.next = self.served.unwind.val();
        self.room.finish.next = self.served.finish.val();
        self.room.exists.next = self.served.exists.val();
        self.room.running.next = self.served.running.val();
        self.room.link_kernel.next = self.served.link_kernel.val();
        self.room.capacity.next = self.served.capacity.val();
        self.room.free.next = self.served.free.val();
        self.room.need.next = self.served.need.val();
        self.room.evicted.next = self.served.evicted.val();
        self.room.fits.next = self.frame.fits.val();
        self.room.in_window.next = self.frame.in_window.val();
        self.room.link_inside.next = self.frame.link_inside.val();
        self.room.empty.next = self.frame.empty.val();
        self.room.in_function.next = self.frame.in_function.val();
        self.room.spare.next = self.frame.spare.val();
        self.room.caller_regs.next = self.frame.caller_regs.val();
        self.room.lacks.next = self.frame.lacks.val();
        self.room.lacking.next = self.frame.lacking.val();

        self.pointers.launch.next = self.served.launch.val();
        self.pointers.call.next = self.served.call.val();
        self.pointers.push.next = self.served.push.val();
        self.pointers.pop.next = self.served.pop.val();
        self.pointers.unwind.next = self.served.unwind.val();
        self.pointers.rfp.next = self.served.rfp.val();
        self.pointers.rsp.next = self.served.rsp.val();
        self.pointers.link.next = self.served.link.val();
        self.pointers.first.next = self.served.first.val();
        self.pointers.capacity.next = self.served.capacity.val();
        self.pointers.free.next = self.served.free.val();
        self.pointers.resident.next = self.room.resident.val();
        self.pointers.behind.next = self.frame.behind.val();
        self.pointers.top_place.next = self.frame.top_place.val();
        self.pointers.grant.next = self.room.grant.val();
        self.pointers.trap.next = self.room.trap.val();
        self.pointers.fills.next = self.room.fills.val();

        self.served_b.next = self.served.served_b.val();
        self.grant.next = self.room.grant.val();
        self.trap.next = self.room.trap.val();
        self.pack.next = self.pointers.pack.val();
        self.count.next = self.room.count.val();
        self.link.next = self.pointers.new_link.val();
        self.link_kernel.next = self.room.from_kernel.val();

        self.rfp.write.next = self.room.grant.val();
        self.rfp.write_row.next = self.served.warp.val();
        self.rfp.write_word.next = self.pointers.new_rfp.val();
        self.rsp.write.next = self.room.grant.val();
        self.rsp.write_row.next = self.served.warp.val();
        self.rsp.write_word.next = self.pointers.new_rsp.val();
        self.free.write.next = self.room.grant.val();
        self.free.write_row.next = self.served.warp.val();
        self.free.write_word.next = self.room.new_free.val();

        // Whatever is done to a warp, it has a stack behind it, unless it has finished.
        self.written.valid.next = self.room.grant.val();
        self.written.index.next = self.served.warp.val();
        self.launched.write.next = self.written.place.val();
        self.launched.value.next = self.all.val();
        if self.served.finish.val() {
            self.launched.value.next = self.none.val();
        }
        self.launched.reset.next = self.none.val();
        if self.clear.val() {
            self.launched.reset.next = self.all.val();
        }
    }
}
