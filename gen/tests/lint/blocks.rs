//! Blocks under trial whose expressions go wrong, and their cures.
#![allow(
    clippy::precedence,
    clippy::needless_bool_assign,
    clippy::overly_complex_bool_expr,
    clippy::nonminimal_bool,
    missing_docs
)]

use rust_hdl::prelude::*;

/// A block with default-constructible fields.
macro_rules! block {
    ($name:ident { $($field:ident: $kind:ty),* $(,)? } $($update:tt)*) => {
        #[derive(LogicBlock, Default)]
        pub struct $name {
            $(pub $field: $kind,)*
        }
        impl Logic for $name {
            $($update)*
        }
    };
}

pub type InBits<const N: usize> = Signal<In, Bits<N>>;
pub type OutBits<const N: usize> = Signal<Out, Bits<N>>;
pub type LocalBits<const N: usize> = Signal<Local, Bits<N>>;
pub type InBit = Signal<In, bool>;
pub type OutBit = Signal<Out, bool>;
pub type LocalBit = Signal<Local, bool>;

block!(MaskCompare { a: InBits<8>, b: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val() & self.b.val() == self.b.val();
    }
);
block!(MaskCompareRepaired { a: InBits<8>, b: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() & self.b.val()) == self.b.val();
    }
);
block!(OrGreater { a: InBits<8>, b: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.b.val() > self.a.val() | self.b.val() & self.a.val();
    }
);
block!(OrGreaterRepaired { a: InBits<8>, b: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.b.val() > (self.a.val() | (self.b.val() & self.a.val()));
    }
);
block!(IncrementIsZero { a: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() + 1) == 0;
    }
);
block!(IncrementIsZeroRepaired { a: InBits<8>, sum: LocalBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + 1;
        self.o.next = self.sum.val() == 0;
    }
);
block!(DecrementGreater { a: InBits<4>, b: InBits<4>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() - 1) > self.b.val();
    }
);
block!(DecrementGreaterRepaired { a: InBits<4>, b: InBits<4>, less: LocalBits<4>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.less.next = self.a.val() - 1;
        self.o.next = self.less.val() > self.b.val();
    }
);
block!(InvertedIsZero { a: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.a.val() == 0;
    }
);
block!(InvertedIsZeroRepaired { a: InBits<8>, inverted: LocalBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.inverted.next = !self.a.val();
        self.o.next = self.inverted.val() == 0;
    }
);
block!(CastSum { a: InBits<8>, b: InBits<8>, o: OutBits<16> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(self.a.val() + self.b.val());
    }
);
block!(CastSumRepaired { a: InBits<8>, b: InBits<8>, sum: LocalBits<8>, o: OutBits<16> }
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.o.next = bit_cast::<16, 8>(self.sum.val());
    }
);
block!(CastDifference { a: InBits<8>, b: InBits<8>, o: OutBits<16> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(self.a.val() - self.b.val());
    }
);
block!(CastInversion { a: InBits<8>, o: OutBits<16> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(!self.a.val());
    }
);
block!(CastShift { a: InBits<8>, b: InBits<3>, o: OutBits<16> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(self.a.val() << self.b.val());
    }
);
block!(AverageWithOne { a: InBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() + 1) >> 1;
    }
);
block!(AverageWithOneRepaired { a: InBits<8>, sum: LocalBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + 1;
        self.o.next = self.sum.val() >> 1;
    }
);
block!(ReplaceInverted { a: InBits<8>, f: InBit, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().replace_bit(2, !self.f.val());
    }
);
block!(ReplaceInvertedRepaired { a: InBits<8>, f: InBit, inverted: LocalBit, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.inverted.next = !self.f.val();
        self.o.next = self.a.val().replace_bit(2, self.inverted.val());
    }
);
block!(ShiftByIncrement { a: InBits<8>, b: InBits<3>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val() << (self.b.val() + 1);
    }
);
block!(ShiftByIncrementRepaired { a: InBits<8>, b: InBits<3>, amount: LocalBits<3>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.amount.next = self.b.val() + 1;
        self.o.next = self.a.val() << self.amount.val();
    }
);
block!(AnyOfIncrement { a: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() + 1).any();
    }
);
block!(AnyOfIncrementRepaired { a: InBits<8>, sum: LocalBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + 1;
        self.o.next = self.sum.val().any();
    }
);
block!(WideIndex { a: InBits<5>, i: InBits<3>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bit(self.i.val().index());
    }
);
block!(WideIndexRepaired { a: InBits<5>, i: InBits<3>, shifted: LocalBits<5>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.shifted.next = self.a.val() >> self.i.val();
        self.o.next = self.shifted.val().get_bit(0);
    }
);
block!(BitOfSum { a: InBits<8>, b: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() + self.b.val()).get_bit(7);
    }
);
block!(BitOfSumRepaired { a: InBits<8>, b: InBits<8>, sum: LocalBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.o.next = self.sum.val().get_bit(7);
    }
);
block!(BitOfScalar { a: InBits<1>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bit(0);
    }
);
block!(BitOfScalarRepaired { a: InBits<1>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().any();
    }
);
block!(MatchTruth { f: InBit, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        match self.f.val() {
            true => self.o.next = false,
            _ => self.o.next = true,
        }
    }
);
block!(MatchTruthRepaired { f: InBit, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        if self.f.val() {
            self.o.next = false;
        } else {
            self.o.next = true;
        }
    }
);
