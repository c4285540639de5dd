//! The flags of one instruction out of the 54 of a pir.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// A tree of choices between neighbours, a level per bit of the slot: 18 instructions, 9, 4 and one, 2, 1.
#[derive(LogicBlock, Inputs)]
pub struct SlotSelect {
    /// The flags of a pir, three bits per instruction.
    pub payload: Signal<In, Bits<54>>,
    /// Which instruction, 0 ..= 17.
    pub slot: Signal<In, Bits<5>>,
    /// Its flags; those of another one for slots 18 ..= 31.
    pub flags: Signal<Out, Bits<3>>,
    /// There is such an instruction.
    pub exists: Signal<Out, bool>,
    of_2: [Signal<Local, Bits<3>>; 9],
    of_4: [Signal<Local, Bits<3>>; 4],
    of_8: [Signal<Local, Bits<3>>; 2],
    of_16: Signal<Local, Bits<3>>,
}

impl Default for SlotSelect {
    fn default() -> Self {
        Self {
            payload: Signal::default(),
            slot: Signal::default(),
            flags: Signal::default(),
            exists: Signal::default(),
            of_2: array::from_fn(|_| Signal::default()),
            of_4: array::from_fn(|_| Signal::default()),
            of_8: array::from_fn(|_| Signal::default()),
            of_16: Signal::default(),
        }
    }
}

impl Logic for SlotSelect {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..9 {
            if self.slot.val().get_bit(0) {
                self.of_2[i].next = self.payload.val().get_bits::<3>((6 * i) + 3);
            } else {
                self.of_2[i].next = self.payload.val().get_bits::<3>(6 * i);
            }
        }
        for i in 0..4 {
            self.of_4[i].next = self.of_2[2 * i].val();
            if self.slot.val().get_bit(1) {
                self.of_4[i].next = self.of_2[(2 * i) + 1].val();
            }
        }
        for i in 0..2 {
            self.of_8[i].next = self.of_4[2 * i].val();
            if self.slot.val().get_bit(2) {
                self.of_8[i].next = self.of_4[(2 * i) + 1].val();
            }
        }
        self.of_16.next = self.of_8[0].val();
        if self.slot.val().get_bit(3) {
            self.of_16.next = self.of_8[1].val();
        }
        self.flags.next = self.of_16.val();
        if self.slot.val().get_bit(4) {
            self.flags.next = self.of_2[8].val();
        }
        self.exists.next = !(self.slot.val().get_bit(4) & self.slot.val().get_bits::<3>(1).any());
    }
}
