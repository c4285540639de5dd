//! What each bank gets of the masks, and what they say together.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Cuts the masks of the inputs into banks, so that the banks are connected by plain wires.
#[derive(LogicBlock, Inputs)]
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
    #[machine_words]
    fn update(&mut self) {
        for b in 0..4 {
            self.bank_awake[b].next = self.awake.val().get_bits::<4>(4 * b);
            self.bank_take[b].next = self.take.val().get_bit(b);
            self.bank_give[b].next = self.give.val().get_bit(b);
        }
    }
}

/// Puts the answers of the banks together.
#[derive(LogicBlock, Inputs)]
pub struct Join {
    /// The bank offers a pack.
    pub valid: [Signal<In, bool>; 4],
    /// Sub-arrays of the bank that are in use.
    pub occupied: [Signal<In, Bits<4>>; 4],
    /// Sub-array of its offer.
    pub request: [Signal<In, Bits<4>>; 4],
    /// Banks that offer a pack.
    pub offer_valid: Signal<Out, Bits<4>>,
    /// Sub-arrays in use.
    pub all_occupied: Signal<Out, Bits<16>>,
    /// Sub-arrays of the offers.
    pub all_request: Signal<Out, Bits<16>>,
    valid_mask: Signal<Local, Bits<4>>,
    occupied_mask: Signal<Local, Bits<16>>,
    request_mask: Signal<Local, Bits<16>>,
    none: Constant<Bits<16>>,
    position: [Constant<Bits<16>>; 16],
    no_bank: Constant<Bits<4>>,
    number: [Constant<Bits<4>>; 4],
}

impl Default for Join {
    fn default() -> Self {
        Self {
            valid: array::from_fn(|_| Signal::default()),
            occupied: array::from_fn(|_| Signal::default()),
            request: array::from_fn(|_| Signal::default()),
            offer_valid: Signal::default(),
            all_occupied: Signal::default(),
            all_request: Signal::default(),
            valid_mask: Signal::default(),
            occupied_mask: Signal::default(),
            request_mask: Signal::default(),
            none: Constant::new(0u64.into()),
            position: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_bank: Constant::new(0u64.into()),
            number: array::from_fn(|b| Constant::new((1u64 << b).into())),
        }
    }
}

impl Logic for Join {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.valid_mask.next = self.no_bank.val();
        self.occupied_mask.next = self.none.val();
        self.request_mask.next = self.none.val();
        for b in 0..4 {
            if self.valid[b].val() {
                self.valid_mask.next = self.valid_mask.val() | self.number[b].val();
            }
            for s in 0..4 {
                if self.occupied[b].val().get_bit(s) {
                    self.occupied_mask.next =
                        self.occupied_mask.val() | self.position[(4 * b) + s].val();
                }
                if self.request[b].val().get_bit(s) {
                    self.request_mask.next =
                        self.request_mask.val() | self.position[(4 * b) + s].val();
                }
            }
        }
        self.offer_valid.next = self.valid_mask.val();
        self.all_occupied.next = self.occupied_mask.val();
        self.all_request.next = self.request_mask.val();
    }
}
