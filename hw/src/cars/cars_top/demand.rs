//! Whether an instruction may go to the stacks, and what it asks of them.

use crate::cars::register_stack::Op;
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// One issue port. A stalled warp's instruction is held back (CARS IV-B), and every one in the cycle in which a kernel starts.
#[derive(LogicBlock, Inputs)]
pub struct Demand {
    /// An instruction is issued.
    pub valid: Signal<In, bool>,
    /// Its warp is stalled.
    pub stalled: Signal<In, bool>,
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// What it asks of its warp's stack, 0 nothing.
    pub op: Signal<In, Bits<3>>,
    /// It is not held back.
    pub ready: Signal<Out, bool>,
    /// What the stacks are asked: nothing if it is held back.
    pub asked: Signal<Out, Bits<3>>,
    may_ask: Signal<Local, bool>,
    nothing: Constant<Bits<3>>,
}

impl Default for Demand {
    fn default() -> Self {
        Self {
            valid: Signal::default(),
            stalled: Signal::default(),
            clear: Signal::default(),
            op: Signal::default(),
            ready: Signal::default(),
            asked: Signal::default(),
            may_ask: Signal::default(),
            nothing: Constant::new(u64::from(Op::Nothing.code()).into()),
        }
    }
}

impl Logic for Demand {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.may_ask.next = (self.valid.val() & (!self.stalled.val())) & (!self.clear.val());
        self.ready.next = self.may_ask.val();
        self.asked.next = self.nothing.val();
        if self.may_ask.val() {
            self.asked.next = self.op.val();
        }
    }
}
