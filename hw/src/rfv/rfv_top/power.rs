//! Which packs can be read and written now.

use rust_hdl::prelude::*;
use std::array;

/// Looks four packs up among the sub-arrays that are awake.
#[derive(LogicBlock)]
pub struct Ready {
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<16>>,
    /// Banks of the packs: their two low bits.
    pub bank: [Signal<In, Bits<2>>; 4],
    /// Sub-arrays there: their two high bits.
    pub sub_array: [Signal<In, Bits<2>>; 4],
    /// They exist.
    pub valid: [Signal<In, bool>; 4],
    /// They can be used.
    pub ready: [Signal<Out, bool>; 4],
    found: [Signal<Local, bool>; 4],
    number: [Constant<Bits<2>>; 4],
    yes: Constant<bool>,
    no: Constant<bool>,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            awake: Signal::default(),
            bank: Default::default(),
            sub_array: Default::default(),
            valid: Default::default(),
            ready: Default::default(),
            found: Default::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            yes: Constant::new(true),
            no: Constant::new(false),
        }
    }
}

impl Logic for Ready {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.found[i].next = self.no.val();
            for b in 0..4 {
                for s in 0..4 {
                    if (self.awake.val().get_bit((4 * b) + s)
                        & (self.bank[i].val() == self.number[b].val()))
                        & (self.sub_array[i].val() == self.number[s].val())
                    {
                        self.found[i].next = self.yes.val();
                    }
                }
            }
            self.ready[i].next = self.valid[i].val() & self.found[i].val();
        }
    }
}
