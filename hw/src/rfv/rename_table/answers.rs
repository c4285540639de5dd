//! Where the operands are.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Selects the answer of each operand: direct, or that of its bank. `PW` bits name a pack, `BW`, two less, a pack of a bank.
#[derive(LogicBlock, Inputs)]
pub struct Answers<const PW: usize, const BW: usize> {
    /// Banks of the operands' registers.
    pub x: [Signal<In, Bits<2>>; 4],
    /// Operands that are exempt.
    pub direct: [Signal<In, bool>; 4],
    /// Operands that were looked up in their bank.
    pub renamed: [Signal<In, bool>; 4],
    /// Packs of the exempt ones.
    pub direct_y: [Signal<In, Bits<PW>>; 4],
    /// They exist.
    pub direct_fits: [Signal<In, bool>; 4],
    /// Words of the banks, without the number of the bank.
    pub word: [Signal<In, Bits<BW>>; 4],
    /// They map a pack.
    pub mapped: [Signal<In, bool>; 4],
    /// What the banks map a destination to.
    pub target: [Signal<In, Bits<BW>>; 4],
    /// They do.
    pub found: [Signal<In, bool>; 4],
    /// Banks that take what they are offered.
    pub takes: [Signal<In, bool>; 4],
    /// Banks that give a pack back.
    pub gives: [Signal<In, bool>; 4],
    /// Packs of the operands.
    pub y: [Signal<Out, Bits<PW>>; 4],
    /// They have one.
    pub valid: [Signal<Out, bool>; 4],
    /// The destination wants one.
    pub starved: Signal<Out, bool>,
    /// `takes`, a bit per bank.
    pub take: Signal<Out, Bits<4>>,
    /// `gives`, a bit per bank.
    pub give: Signal<Out, Bits<4>>,
    taken: Signal<Local, Bits<4>>,
    given: Signal<Local, Bits<4>>,
    // Of banks 0 and 1 and of banks 2 and 3 that which the low bit names, and of all four.
    in_lower: [Signal<Local, Bits<BW>>; 4],
    in_upper: [Signal<Local, Bits<BW>>; 4],
    in_bank: [Signal<Local, Bits<BW>>; 4],
    is_lower: [Signal<Local, bool>; 4],
    is_upper: [Signal<Local, bool>; 4],
    is_in_bank: [Signal<Local, bool>; 4],
    looked_up: [Signal<Local, Bits<PW>>; 4],
    has_direct: [Signal<Local, bool>; 4],
    has_renamed: [Signal<Local, bool>; 4],
    pack: [Signal<Local, Bits<PW>>; 4],
    has: [Signal<Local, bool>; 4],
    no_pack: Constant<Bits<PW>>,
    no_bank: Constant<Bits<4>>,
    bank_bit: [Constant<Bits<4>>; 4],
    place: [Constant<Bits<PW>>; PW],
}

impl<const PW: usize, const BW: usize> Default for Answers<PW, BW> {
    fn default() -> Self {
        const { assert!(PW == BW + 2) };
        Self {
            x: Default::default(),
            direct: Default::default(),
            renamed: Default::default(),
            direct_y: Default::default(),
            direct_fits: Default::default(),
            word: Default::default(),
            mapped: Default::default(),
            target: Default::default(),
            found: Default::default(),
            y: Default::default(),
            valid: Default::default(),
            takes: Default::default(),
            gives: Default::default(),
            starved: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            taken: Signal::default(),
            given: Signal::default(),
            in_lower: Default::default(),
            in_upper: Default::default(),
            in_bank: Default::default(),
            is_lower: Default::default(),
            is_upper: Default::default(),
            is_in_bank: Default::default(),
            looked_up: Default::default(),
            has_direct: Default::default(),
            has_renamed: Default::default(),
            pack: Default::default(),
            has: Default::default(),
            no_pack: Constant::new(0u64.into()),
            no_bank: Constant::new(0u64.into()),
            bank_bit: array::from_fn(|bank| Constant::new((1u64 << bank).into())),
            place: array::from_fn(|i| Constant::new((1u64 << i).into())),
        }
    }
}

impl<const PW: usize, const BW: usize> Logic for Answers<PW, BW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..3 {
            self.in_lower[i].next = self.word[0].val();
            self.in_upper[i].next = self.word[2].val();
            self.is_lower[i].next = self.mapped[0].val();
            self.is_upper[i].next = self.mapped[2].val();
            if self.x[i].val().get_bit(0) {
                self.in_lower[i].next = self.word[1].val();
                self.in_upper[i].next = self.word[3].val();
                self.is_lower[i].next = self.mapped[1].val();
                self.is_upper[i].next = self.mapped[3].val();
            }
        }
        for i in 3..4 {
            self.in_lower[i].next = self.target[0].val();
            self.in_upper[i].next = self.target[2].val();
            self.is_lower[i].next = self.found[0].val();
            self.is_upper[i].next = self.found[2].val();
            if self.x[i].val().get_bit(0) {
                self.in_lower[i].next = self.target[1].val();
                self.in_upper[i].next = self.target[3].val();
                self.is_lower[i].next = self.found[1].val();
                self.is_upper[i].next = self.found[3].val();
            }
        }
        for i in 0..4 {
            self.in_bank[i].next = self.in_lower[i].val();
            self.is_in_bank[i].next = self.is_lower[i].val();
            if self.x[i].val().get_bit(1) {
                self.in_bank[i].next = self.in_upper[i].val();
                self.is_in_bank[i].next = self.is_upper[i].val();
            }
            self.looked_up[i].next = self.no_pack.val();
            for b in 0..2 {
                if self.x[i].val().get_bit(b) {
                    self.looked_up[i].next = self.looked_up[i].val() | self.place[b].val();
                }
            }
            for b in 0..BW {
                if self.in_bank[i].val().get_bit(b) {
                    self.looked_up[i].next = self.looked_up[i].val() | self.place[b + 2].val();
                }
            }
            self.has_direct[i].next = self.direct[i].val() & self.direct_fits[i].val();
            self.has_renamed[i].next = self.renamed[i].val() & self.is_in_bank[i].val();
            self.has[i].next = self.has_direct[i].val() | self.has_renamed[i].val();
            self.pack[i].next = self.no_pack.val();
            if self.has_renamed[i].val() {
                self.pack[i].next = self.looked_up[i].val();
            } else if self.has_direct[i].val() {
                self.pack[i].next = self.direct_y[i].val();
            }
        }
        for i in 0..4 {
            self.y[i].next = self.pack[i].val();
            self.valid[i].next = self.has[i].val();
        }
        self.taken.next = self.no_bank.val();
        self.given.next = self.no_bank.val();
        for b in 0..4 {
            if self.takes[b].val() {
                self.taken.next = self.taken.val() | self.bank_bit[b].val();
            }
            if self.gives[b].val() {
                self.given.next = self.given.val() | self.bank_bit[b].val();
            }
        }
        self.take.next = self.taken.val();
        self.give.next = self.given.val();
        self.starved.next = self.renamed[3].val() & (!self.has[3].val());
    }
}
