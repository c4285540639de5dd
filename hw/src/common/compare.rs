//! Comparison as a tree, where synthesis would let a carry run through all places.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Compares two numbers of `W` bits, at most 16: whether one is above the other, or not below it. The upper half decides unless it is equal, in each half likewise: log2
/// `W` multiplexers deep.
#[derive(LogicBlock, Inputs)]
pub struct Compare<const W: usize> {
    /// One number.
    pub a: Signal<In, Bits<W>>,
    /// The other.
    pub b: Signal<In, Bits<W>>,
    /// `a > b`, or `a >= b`, combinational.
    pub above: Signal<Out, bool>,
    // After level l, bit i is about the 2^l places from i on; only every 2^l-th bit is used.
    greater: [Signal<Local, Bits<W>>; 5],
    unequal: [Signal<Local, Bits<W>>; 4],
    upper_greater: [Signal<Local, Bits<W>>; 4],
    upper_unequal: [Signal<Local, Bits<W>>; 4],
    width: [Constant<Bits<4>>; 4],
    lowest: Constant<Bits<W>>,
    strict: Constant<Bits<W>>,
    tie: Constant<Bits<W>>,
}

impl<const W: usize> Compare<W> {
    /// `a > b`.
    #[must_use]
    pub fn strictly() -> Self {
        Self::new(false)
    }

    /// `a >= b`.
    #[must_use]
    pub fn or_equal() -> Self {
        Self::new(true)
    }

    fn new(or_equal: bool) -> Self {
        const { assert!(W <= 16) };
        Self {
            a: Signal::default(),
            b: Signal::default(),
            above: Signal::default(),
            greater: array::from_fn(|_| Signal::default()),
            unequal: array::from_fn(|_| Signal::default()),
            upper_greater: array::from_fn(|_| Signal::default()),
            upper_unequal: array::from_fn(|_| Signal::default()),
            width: array::from_fn(|level| Constant::new((1u64 << level).into())),
            lowest: Constant::new(1u64.into()),
            strict: Constant::new(u64::from(!or_equal).into()),
            tie: Constant::new(u64::from(or_equal).into()),
        }
    }
}

impl<const W: usize> Logic for Compare<W> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // Where two bits differ, the one of `a` tells which is greater. Only the lowest place is asked when they do not.
        self.greater[0].next = (self.a.val() & (!(self.b.val() & self.strict.val())))
            | ((!self.b.val()) & self.tie.val());
        self.unequal[0].next = self.a.val() ^ self.b.val();
        for l in 0..3 {
            self.upper_unequal[l].next = self.unequal[l].val() >> self.width[l].val();
            self.unequal[l + 1].next = self.unequal[l].val() | self.upper_unequal[l].val();
        }
        for l in 3..4 {
            self.upper_unequal[l].next = self.unequal[l].val() >> self.width[l].val();
        }
        for l in 0..4 {
            self.upper_greater[l].next = self.greater[l].val() >> self.width[l].val();
            self.greater[l + 1].next = (self.upper_greater[l].val() & self.upper_unequal[l].val())
                | (self.greater[l].val() & (!self.upper_unequal[l].val()));
        }
        self.above.next = (self.greater[4].val() & self.lowest.val()).any();
    }
}
