//! The request of the port that is served.

use super::Op;
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Chooses a port and takes its code apart.
#[derive(LogicBlock, Inputs)]
pub struct Served<const IW: usize, const PW: usize, const CW: usize> {
    /// Nothing is served.
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
    /// Registers to be pushed.
    pub a_fru: Signal<In, Bits<CW>>,
    /// Packs saved.
    pub a_evicted: Signal<In, Bits<CW>>,
    /// Link.
    pub a_link: Signal<In, Bits<PW>>,
    /// Mark of the link.
    pub a_link_kernel: Signal<In, bool>,
    /// The warp exists.
    pub a_exists: Signal<In, bool>,
    /// It has a stack.
    pub a_running: Signal<In, bool>,
    /// Its RFP.
    pub a_rfp: Signal<In, Bits<PW>>,
    /// Its RSP.
    pub a_rsp: Signal<In, Bits<PW>>,
    /// Its free packs.
    pub a_free: Signal<In, Bits<CW>>,
    /// As on port a.
    pub b_op: Signal<In, Bits<3>>,
    /// As on port a.
    pub b_warp: Signal<In, Bits<IW>>,
    /// As on port a.
    pub b_first: Signal<In, Bits<PW>>,
    /// As on port a.
    pub b_capacity: Signal<In, Bits<CW>>,
    /// As on port a.
    pub b_fru: Signal<In, Bits<CW>>,
    /// As on port a.
    pub b_evicted: Signal<In, Bits<CW>>,
    /// As on port a.
    pub b_link: Signal<In, Bits<PW>>,
    /// As on port a.
    pub b_link_kernel: Signal<In, bool>,
    /// As on port a.
    pub b_exists: Signal<In, bool>,
    /// As on port a.
    pub b_running: Signal<In, bool>,
    /// As on port a.
    pub b_rfp: Signal<In, Bits<PW>>,
    /// As on port a.
    pub b_rsp: Signal<In, Bits<PW>>,
    /// As on port a.
    pub b_free: Signal<In, Bits<CW>>,
    /// The port that is served.
    pub served_b: Signal<Out, bool>,
    /// It asks for a launch.
    pub launch: Signal<Out, bool>,
    /// For a call.
    pub call: Signal<Out, bool>,
    /// For a push.
    pub push: Signal<Out, bool>,
    /// For a pop.
    pub pop: Signal<Out, bool>,
    /// For a return.
    pub unwind: Signal<Out, bool>,
    /// For the end of the warp.
    pub finish: Signal<Out, bool>,
    /// Its pins and its warp's row.
    pub warp: Signal<Out, Bits<IW>>,
    /// First pack of the stack.
    pub first: Signal<Out, Bits<PW>>,
    /// Packs of the stack.
    pub capacity: Signal<Out, Bits<CW>>,
    /// Registers that a call will push; 0 for other requests.
    pub need: Signal<Out, Bits<CW>>,
    /// Packs saved.
    pub evicted: Signal<Out, Bits<CW>>,
    /// Link.
    pub link: Signal<Out, Bits<PW>>,
    /// Mark of the link.
    pub link_kernel: Signal<Out, bool>,
    /// The warp exists.
    pub exists: Signal<Out, bool>,
    /// It has a stack.
    pub running: Signal<Out, bool>,
    /// Its RFP.
    pub rfp: Signal<Out, Bits<PW>>,
    /// Its RSP.
    pub rsp: Signal<Out, Bits<PW>>,
    /// Its free packs.
    pub free: Signal<Out, Bits<CW>>,
    a_asks: Signal<Local, bool>,
    b_asks: Signal<Local, bool>,
    takes_b: Signal<Local, bool>,
    op: Signal<Local, Bits<3>>,
    fru: Signal<Local, Bits<CW>>,
    none: Constant<Bits<CW>>,
    nothing_code: Constant<Bits<3>>,
    launch_code: Constant<Bits<3>>,
    call_code: Constant<Bits<3>>,
    push_code: Constant<Bits<3>>,
    pop_code: Constant<Bits<3>>,
    return_code: Constant<Bits<3>>,
    finish_code: Constant<Bits<3>>,
}

impl<const IW: usize, const PW: usize, const CW: usize> Default for Served<IW, PW, CW> {
    fn default() -> Self {
        let code = |op: Op| Constant::new(u64::from(op.code()).into());
        Self {
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
            a_exists: Signal::default(),
            a_running: Signal::default(),
            a_rfp: Signal::default(),
            a_rsp: Signal::default(),
            a_free: Signal::default(),
            b_op: Signal::default(),
            b_warp: Signal::default(),
            b_first: Signal::default(),
            b_capacity: Signal::default(),
            b_fru: Signal::default(),
            b_evicted: Signal::default(),
            b_link: Signal::default(),
            b_link_kernel: Signal::default(),
            b_exists: Signal::default(),
            b_running: Signal::default(),
            b_rfp: Signal::default(),
            b_rsp: Signal::default(),
            b_free: Signal::default(),
            served_b: Signal::default(),
            launch: Signal::default(),
            call: Signal::default(),
            push: Signal::default(),
            pop: Signal::default(),
            unwind: Signal::default(),
            finish: Signal::default(),
            warp: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            need: Signal::default(),
            evicted: Signal::default(),
            link: Signal::default(),
            link_kernel: Signal::default(),
            exists: Signal::default(),
            running: Signal::default(),
            rfp: Signal::default(),
            rsp: Signal::default(),
            free: Signal::default(),
            a_asks: Signal::default(),
            b_asks: Signal::default(),
            takes_b: Signal::default(),
            op: Signal::default(),
            fru: Signal::default(),
            none: Constant::new(0u64.into()),
            nothing_code: code(Op::Nothing),
            launch_code: code(Op::Launch),
            call_code: code(Op::Call),
            push_code: code(Op::Push),
            pop_code: code(Op::Pop),
            return_code: code(Op::Return),
            finish_code: code(Op::Finish),
        }
    }
}

impl<const IW: usize, const PW: usize, const CW: usize> Logic for Served<IW, PW, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.a_asks.next = self.a_op.val().any();
        self.b_asks.next = self.b_op.val().any();
        self.takes_b.next = self.b_asks.val() & (self.favor_b.val() | (!self.a_asks.val()));
        self.served_b.next = self.takes_b.val();
        self.op.next = self.a_op.val();
        self.warp.next = self.a_warp.val();
        self.first.next = self.a_first.val();
        self.capacity.next = self.a_capacity.val();
        self.fru.next = self.a_fru.val();
        self.evicted.next = self.a_evicted.val();
        self.link.next = self.a_link.val();
        self.link_kernel.next = self.a_link_kernel.val();
        self.exists.next = self.a_exists.val();
        self.running.next = self.a_running.val();
        self.rfp.next = self.a_rfp.val();
        self.rsp.next = self.a_rsp.val();
        self.free.next = self.a_free.val();
        if self.takes_b.val() {
            self.op.next = self.b_op.val();
            self.warp.next = self.b_warp.val();
            self.first.next = self.b_first.val();
            self.capacity.next = self.b_capacity.val();
            self.fru.next = self.b_fru.val();
            self.evicted.next = self.b_evicted.val();
            self.link.next = self.b_link.val();
            self.link_kernel.next = self.b_link_kernel.val();
            self.exists.next = self.b_exists.val();
            self.running.next = self.b_running.val();
            self.rfp.next = self.b_rfp.val();
            self.rsp.next = self.b_rsp.val();
            self.free.next = self.b_free.val();
        }
        if self.clear.val() {
            self.op.next = self.nothing_code.val();
        }
        self.launch.next = self.op.val() == self.launch_code.val();
        self.call.next = self.op.val() == self.call_code.val();
        self.need.next = self.none.val();
        if self.op.val() == self.call_code.val() {
            self.need.next = self.fru.val();
        }
        self.push.next = self.op.val() == self.push_code.val();
        self.pop.next = self.op.val() == self.pop_code.val();
        self.unwind.next = self.op.val() == self.return_code.val();
        self.finish.next = self.op.val() == self.finish_code.val();
    }
}
