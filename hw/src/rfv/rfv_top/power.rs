//! Which packs can be read and written now.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Looks four packs up among the sub-arrays that are awake.
#[derive(LogicBlock, Inputs)]
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
    of_bank: [Signal<Local, Bits<4>>; 4],
    from_place: [Signal<Local, Bits<4>>; 4],
    number: [Constant<Bits<2>>; 3],
    first: Constant<Bits<4>>,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            awake: Signal::default(),
            bank: Default::default(),
            sub_array: Default::default(),
            valid: Default::default(),
            ready: Default::default(),
            of_bank: Default::default(),
            from_place: Default::default(),
            number: array::from_fn(|i| Constant::new((i as u64 + 1).into())),
            first: Constant::new(1u64.into()),
        }
    }
}

impl Logic for Ready {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..4 {
            self.of_bank[i].next = self.awake.val().get_bits::<4>(0);
            for b in 0..3 {
                if self.bank[i].val() == self.number[b].val() {
                    self.of_bank[i].next = self.awake.val().get_bits::<4>(4 * b + 4);
                }
            }
            self.from_place[i].next = self.of_bank[i].val() >> self.sub_array[i].val();
            self.ready[i].next =
                self.valid[i].val() & (self.from_place[i].val() & self.first.val()).any();
        }
    }
}
