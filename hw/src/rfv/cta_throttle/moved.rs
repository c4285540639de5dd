//! A counter some packs up or down, without an adder of its full width.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// `change`, -2 ..= 6 in two's complement, more than a number of `W` bits; 0 instead of less, all ones instead of more than
/// fits. Three bits are added; the others go one up, or one down, or stay.
#[derive(LogicBlock, Inputs)]
pub struct Moved<const W: usize> {
    /// The number.
    pub old: Signal<In, Bits<W>>,
    /// How far up.
    pub change: Signal<In, Bits<4>>,
    /// The new number, combinational.
    pub now: Signal<Out, Bits<W>>,
    down: Signal<Local, bool>,
    low_old: Signal<Local, Bits<4>>,
    low_change: Signal<Local, Bits<4>>,
    low: Signal<Local, Bits<4>>,
    // The upper bits go one step. It turns over every bit below which all of them are ones, or zeros on the way down.
    step: Signal<Local, bool>,
    all: Signal<Local, bool>,
    moved: Signal<Local, Bits<W>>,
    beyond: Signal<Local, bool>,
    limit: Signal<Local, Bits<W>>,
    nothing: Constant<Bits<W>>,
    most: Constant<Bits<W>>,
    low_mask: Constant<Bits<4>>,
    place: [Constant<Bits<W>>; W],
}

impl<const W: usize> Default for Moved<W> {
    fn default() -> Self {
        const { assert!(W > 3 && W <= 16) };
        Self {
            old: Signal::default(),
            change: Signal::default(),
            now: Signal::default(),
            down: Signal::default(),
            low_old: Signal::default(),
            low_change: Signal::default(),
            low: Signal::default(),
            step: Signal::default(),
            all: Signal::default(),
            moved: Signal::default(),
            beyond: Signal::default(),
            limit: Signal::default(),
            nothing: Constant::new(0u64.into()),
            most: Constant::new(Bits::mask()),
            low_mask: Constant::new(7u64.into()),
            place: array::from_fn(|b| Constant::new((1u64 << b).into())),
        }
    }
}

impl<const W: usize> Logic for Moved<W> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.down.next = self.change.val().get_bit(3);
        self.low_old.next = self.old.val().get_bits::<4>(0) & self.low_mask.val();
        self.low_change.next = self.change.val() & self.low_mask.val();
        self.low.next = self.low_old.val() + self.low_change.val();
        self.step.next = self.low.val().get_bit(3) ^ self.down.val();

        self.moved.next = self.nothing.val();
        for b in 0..3 {
            if self.low.val().get_bit(b) {
                self.moved.next = self.moved.val() | self.place[b].val();
            }
        }
        self.all.next = true;
        for b in 3..W {
            if self.old.val().get_bit(b) ^ (self.all.val() & self.step.val()) {
                self.moved.next = self.moved.val() | self.place[b].val();
            }
            self.all.next = self.all.val() & (self.old.val().get_bit(b) ^ self.down.val());
        }
        self.beyond.next = self.step.val() & self.all.val();
        self.limit.next = self.most.val();
        if self.down.val() {
            self.limit.next = self.nothing.val();
        }
        self.now.next = self.moved.val();
        if self.beyond.val() {
            self.now.next = self.limit.val();
        }
    }
}
