//! Addition with carries in a tree, one multiplexer each, where synthesis would take two gates.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Adds two numbers of `W` bits, at most 32; the carry out of the top is dropped. Brent and Kung's tree: where the bits of a
/// place are equal they are its carry, else it is that of the place below.
#[derive(LogicBlock, Inputs)]
pub struct Adder<const W: usize> {
    /// One number.
    pub a: Signal<In, Bits<W>>,
    /// The other.
    pub b: Signal<In, Bits<W>>,
    /// `a + b`, combinational.
    pub sum: Signal<Out, Bits<W>>,
    carry: Signal<Local, Bits<W>>,
    passes: Signal<Local, Bits<W>>,
    from_below: Signal<Local, Bits<W>>,
    // Places that take part in a round, and how far below the other one is.
    up: [Constant<Bits<W>>; 5],
    up_by: [Constant<Bits<5>>; 5],
    down: [Constant<Bits<W>>; 4],
    down_by: [Constant<Bits<5>>; 4],
    lowest: Constant<Bits<W>>,
}

impl<const W: usize> Default for Adder<W> {
    fn default() -> Self {
        const { assert!(W <= 32) };
        let places = |first: usize, step: usize| -> u64 {
            (first..W).step_by(step).map(|place| 1 << place).sum()
        };
        Self {
            a: Signal::default(),
            b: Signal::default(),
            sum: Signal::default(),
            carry: Signal::default(),
            passes: Signal::default(),
            from_below: Signal::default(),
            up: array::from_fn(|round| Constant::new(places((2 << round) - 1, 2 << round).into())),
            up_by: array::from_fn(|round| Constant::new((1u64 << round).into())),
            down: array::from_fn(|round| {
                Constant::new(places((24 >> round) - 1, 16 >> round).into())
            }),
            down_by: array::from_fn(|round| Constant::new((8u64 >> round).into())),
            lowest: Constant::new(1u64.into()),
        }
    }
}

impl<const W: usize> Logic for Adder<W> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.passes.next = self.a.val() ^ self.b.val();
        self.carry.next = self.a.val() & (!((!self.b.val()) & self.lowest.val()));
        for r in 0..5 {
            self.from_below.next = self.passes.val() & self.up[r].val();
            self.carry.next = (self.from_below.val() & (self.carry.val() << self.up_by[r].val()))
                | ((!self.from_below.val()) & self.carry.val());
            self.passes.next = self.passes.val()
                & ((self.passes.val() << self.up_by[r].val()) | (!self.up[r].val()));
        }
        for r in 0..4 {
            self.from_below.next = self.passes.val() & self.down[r].val();
            self.carry.next = (self.from_below.val() & (self.carry.val() << self.down_by[r].val()))
                | ((!self.from_below.val()) & self.carry.val());
        }
        self.sum.next = (self.a.val() ^ self.b.val()) ^ (self.carry.val() << 1);
    }
}
