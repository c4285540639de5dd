//! What each bank gets of the masks.

use rust_hdl::prelude::*;
use std::array;

/// Cuts the masks of the inputs into banks, so that the banks are connected by plain wires.
#[derive(LogicBlock)]
pub struct Split {
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<16>>,
    /// Banks whose offer is taken.
    pub take: Signal<In, Bits<4>>,
    /// Banks to which a pack is given back.
    pub give: Signal<In, Bits<4>>,
    /// Sub-arrays of a bank that can be used.
    pub bank_awake: [Signal<Out, Bits<4>>; 4],
    /// The bank's offer is taken.
    pub bank_take: [Signal<Out, bool>; 4],
    /// A pack is given back to the bank.
    pub bank_give: [Signal<Out, bool>; 4],
}

impl Default for Split {
    fn default() -> Self {
        Self {
            awake: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            bank_awake: array::from_fn(|_| Signal::default()),
            bank_take: array::from_fn(|_| Signal::default()),
            bank_give: array::from_fn(|_| Signal::default()),
        }
    }
}

impl Logic for Split {
    #[hdl_gen]
    fn update(&mut self) {
        for b in 0..4 {
            self.bank_awake[b].next = self.awake.val().get_bits::<4>(4 * b);
            self.bank_take[b].next = self.take.val().get_bit(b);
            self.bank_give[b].next = self.give.val().get_bit(b);
        }
    }
}
