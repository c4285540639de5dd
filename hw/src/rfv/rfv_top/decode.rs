//! What decode does with a word.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// What a word asks for: a pir to be kept, a pbr that releases.
#[derive(LogicBlock, Inputs, Default)]
pub struct Duty {
    /// A word arrives.
    pub valid: Signal<In, bool>,
    /// Start of a kernel.
    pub clear: Signal<In, bool>,
    /// It is a pir.
    pub pir: Signal<In, bool>,
    /// It is a pbr.
    pub pbr: Signal<In, bool>,
    /// Turns of the pbr.
    pub turns: Signal<In, Bits<2>>,
    /// The cache keeps it.
    pub fill: Signal<Out, bool>,
    /// The table releases its ids.
    pub asks: Signal<Out, bool>,
}

impl Logic for Duty {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.fill.next = self.valid.val() & (self.pir.val() & (!self.clear.val()));
        self.asks.next = self.valid.val() & (self.pbr.val() & self.turns.val().any());
    }
}

/// When it is done with it.
#[derive(LogicBlock, Inputs, Default)]
pub struct End {
    /// A word arrives.
    pub valid: Signal<In, bool>,
    /// Start of a kernel.
    pub clear: Signal<In, bool>,
    /// It is a pbr with ids,
    pub asks: Signal<In, bool>,
    /// and the last is being released.
    pub pbr_ends: Signal<In, bool>,
    /// The next word may follow.
    pub done: Signal<Out, bool>,
}

impl Logic for End {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.done.next =
            (self.valid.val() & (!self.clear.val())) & (self.pbr_ends.val() | (!self.asks.val()));
    }
}
