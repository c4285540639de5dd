//! Where the operands are.

use rust_hdl::prelude::*;
use std::array;

/// Selects the answer of each operand: direct, or that of its bank.
#[derive(LogicBlock)]
pub struct Answers<const PW: usize> {
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
    /// Words of the banks.
    pub word: [Signal<In, Bits<PW>>; 4],
    /// They map a pack.
    pub mapped: [Signal<In, bool>; 4],
    /// What the banks map a destination to.
    pub target: [Signal<In, Bits<PW>>; 4],
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
    pack: [Signal<Local, Bits<PW>>; 4],
    has: [Signal<Local, bool>; 4],
    bank: [Constant<Bits<2>>; 4],
    no_pack: Constant<Bits<PW>>,
    no_bank: Constant<Bits<4>>,
    bank_bit: [Constant<Bits<4>>; 4],
    yes: Constant<bool>,
    no: Constant<bool>,
}

impl<const PW: usize> Default for Answers<PW> {
    fn default() -> Self {
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
            pack: Default::default(),
            has: Default::default(),
            bank: array::from_fn(|bank| Constant::new((bank as u64).into())),
            no_pack: Constant::new(0u64.into()),
            no_bank: Constant::new(0u64.into()),
            bank_bit: array::from_fn(|bank| Constant::new((1u64 << bank).into())),
            yes: Constant::new(true),
            no: Constant::new(false),
        }
    }
}

impl<const PW: usize> Logic for Answers<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.has[i].next = self.no.val();
            self.pack[i].next = self.no_pack.val();
            if self.direct[i].val() & self.direct_fits[i].val() {
                self.has[i].next = self.yes.val();
                self.pack[i].next = self.direct_y[i].val();
            }
        }
        for i in 0..3 {
            for b in 0..4 {
                if (self.renamed[i].val() & self.mapped[b].val())
                    & (self.x[i].val() == self.bank[b].val())
                {
                    self.has[i].next = self.yes.val();
                    self.pack[i].next = self.word[b].val();
                }
            }
        }
        for b in 0..4 {
            if (self.renamed[3].val() & self.found[b].val())
                & (self.x[3].val() == self.bank[b].val())
            {
                self.has[3].next = self.yes.val();
                self.pack[3].next = self.target[b].val();
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
