//! Whose turn it is: each bank serves the first operand that wants it, and all that name the same register.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Turns of four operands at four banks. `HW` bits count a warp's words in a bank.
#[derive(LogicBlock, Inputs)]
pub struct Turn<const HW: usize> {
    /// Registers of the operands. The two low bits of a register name its bank.
    pub x: [Signal<In, Bits<6>>; 4],
    /// Operands that want their bank.
    pub renamed: [Signal<In, bool>; 4],
    /// Operands that are asked for.
    pub asked: [Signal<In, bool>; 4],
    /// Operands whose turn it is at their bank.
    pub turn: [Signal<Out, bool>; 4],
    /// Operands that are done: those, and those that want no bank.
    pub served: Signal<Out, Bits<4>>,
    /// Word of the warp that each bank is to read; 0 where none is wanted.
    pub hi: [Signal<Out, Bits<HW>>; 4],
    // Pairs of operands: 0 and 1, 0 and 2, 1 and 2, 0 and 3, 1 and 3, 2 and 3.
    near: [Signal<Local, bool>; 6],
    same: [Signal<Local, bool>; 6],
    first: [Signal<Local, bool>; 4],
    on: [Signal<Local, bool>; 4],
    done: Signal<Local, Bits<4>>,
    picked: [Signal<Local, Bits<HW>>; 4],
    bank: [Constant<Bits<2>>; 4],
    nobody: Constant<Bits<4>>,
    operand_bit: [Constant<Bits<4>>; 4],
    no_word: Constant<Bits<HW>>,
}

impl<const HW: usize> Default for Turn<HW> {
    fn default() -> Self {
        Self {
            x: Default::default(),
            renamed: Default::default(),
            asked: Default::default(),
            turn: Default::default(),
            served: Signal::default(),
            hi: Default::default(),
            near: Default::default(),
            same: Default::default(),
            first: Default::default(),
            on: Default::default(),
            done: Signal::default(),
            picked: Default::default(),
            bank: array::from_fn(|bank| Constant::new((bank as u64).into())),
            nobody: Constant::new(0u64.into()),
            operand_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_word: Constant::new(0u64.into()),
        }
    }
}

impl<const HW: usize> Logic for Turn<HW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..1 {
            self.near[i].next =
                self.x[i].val().get_bits::<2>(0) == self.x[1].val().get_bits::<2>(0);
            self.same[i].next = self.x[i].val() == self.x[1].val();
        }
        for i in 0..2 {
            self.near[i + 1].next =
                self.x[i].val().get_bits::<2>(0) == self.x[2].val().get_bits::<2>(0);
            self.same[i + 1].next = self.x[i].val() == self.x[2].val();
        }
        for i in 0..3 {
            self.near[i + 3].next =
                self.x[i].val().get_bits::<2>(0) == self.x[3].val().get_bits::<2>(0);
            self.same[i + 3].next = self.x[i].val() == self.x[3].val();
        }
        self.first[0].next = self.renamed[0].val();
        self.first[1].next =
            self.renamed[1].val() & (!(self.renamed[0].val() & self.near[0].val()));
        self.first[2].next = (self.renamed[2].val()
            & (!(self.renamed[0].val() & self.near[1].val())))
            & (!(self.renamed[1].val() & self.near[2].val()));
        self.first[3].next = ((self.renamed[3].val()
            & (!(self.renamed[0].val() & self.near[3].val())))
            & (!(self.renamed[1].val() & self.near[4].val())))
            & (!(self.renamed[2].val() & self.near[5].val()));
        self.on[0].next = self.renamed[0].val();
        self.on[1].next = self.first[1].val()
            | (self.renamed[1].val() & (self.first[0].val() & self.same[0].val()));
        self.on[2].next = self.first[2].val()
            | (self.renamed[2].val()
                & ((self.first[0].val() & self.same[1].val())
                    | (self.first[1].val() & self.same[2].val())));
        self.on[3].next = self.first[3].val()
            | (self.renamed[3].val()
                & (((self.first[0].val() & self.same[3].val())
                    | (self.first[1].val() & self.same[4].val()))
                    | (self.first[2].val() & self.same[5].val())));
        self.done.next = self.nobody.val();
        for i in 0..4 {
            if self.asked[i].val() & (self.on[i].val() | (!self.renamed[i].val())) {
                self.done.next = self.done.val() | self.operand_bit[i].val();
            }
            self.turn[i].next = self.on[i].val();
        }
        self.served.next = self.done.val();
        for b in 0..4 {
            self.picked[b].next = self.no_word.val();
            for i in 0..4 {
                if self.first[i].val() & (self.x[i].val().get_bits::<2>(0) == self.bank[b].val()) {
                    self.picked[b].next = self.x[i].val().get_bits::<HW>(2);
                }
            }
            self.hi[b].next = self.picked[b].val();
        }
    }
}
