//! Products of narrow numbers without a multiplier.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// `AW` bits, at most 6, times `BW` bits, unsigned and whole: `b` shifted by each place of `a`, added up. Of three numbers the
/// sums and the carries are two, until there are no three (carry-save adders); then one carry runs through the places.
#[derive(LogicBlock, Inputs)]
pub struct Product<const AW: usize, const BW: usize> {
    /// One factor.
    pub a: Signal<In, Bits<AW>>,
    /// The other.
    pub b: Signal<In, Bits<BW>>,
    /// `a * b`, combinational.
    pub product: Signal<Out, Bits<16>>,
    wide: Signal<Local, Bits<16>>,
    term: [Signal<Local, Bits<16>>; 6],
    // Three to two: the third, whether it differs from the second, what is carried, and the two.
    more: [Signal<Local, Bits<16>>; 4],
    differ: [Signal<Local, Bits<16>>; 4],
    over: [Signal<Local, Bits<16>>; 4],
    sums: [Signal<Local, Bits<16>>; 5],
    carries: [Signal<Local, Bits<16>>; 5],
    passes: Signal<Local, Bits<16>>,
    carry: Signal<Local, bool>,
    total: Signal<Local, Bits<16>>,
    zero: Constant<Bits<16>>,
    bit: [Constant<Bits<16>>; 16],
    by: [Constant<Bits<3>>; AW],
    // The first three are always there.
    present: [Constant<bool>; 4],
}

impl<const AW: usize, const BW: usize> Default for Product<AW, BW> {
    fn default() -> Self {
        Self::of_bits(AW)
    }
}

impl<const AW: usize, const BW: usize> Product<AW, BW> {
    /// Of a factor `a` of which only the lowest `bits` can be 1.
    #[must_use]
    pub fn of_bits(bits: usize) -> Self {
        const { assert!(AW <= 6 && AW + BW <= 16) };
        Self {
            a: Signal::default(),
            b: Signal::default(),
            product: Signal::default(),
            wide: Signal::default(),
            term: Default::default(),
            more: Default::default(),
            differ: Default::default(),
            over: Default::default(),
            sums: Default::default(),
            carries: Default::default(),
            passes: Signal::default(),
            carry: Signal::default(),
            total: Signal::default(),
            zero: Constant::new(0u64.into()),
            bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            by: array::from_fn(|i| Constant::new((i as u64).into())),
            present: array::from_fn(|n| Constant::new(n == 0 || n + 2 < bits)),
        }
    }

    /// Multiplies what the block around it drives, without settling that as a whole.
    pub fn evaluate(&mut self) {
        self.a.update_all();
        self.b.update_all();
        self.update();
    }
}

impl<const AW: usize, const BW: usize> Logic for Product<AW, BW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.wide.next = self.zero.val();
        for i in 0..BW {
            if self.b.val().get_bit(i) {
                self.wide.next = self.wide.val() | self.bit[i].val();
            }
        }
        for i in 0..6 {
            self.term[i].next = self.zero.val();
        }
        for i in 0..AW {
            if self.a.val().get_bit(i) {
                self.term[i].next = self.wide.val() << self.by[i].val();
            }
        }
        // Three of them, then in each step the two that are left and one more.
        self.more[0].next = self.term[0].val();
        self.carries[0].next = self.term[1].val();
        self.sums[0].next = self.term[2].val();
        for n in 1..4 {
            self.more[n].next = self.term[n + 2].val();
        }
        for n in 0..4 {
            self.differ[n].next = self.more[n].val() ^ self.carries[n].val();
            self.over[n].next = (self.differ[n].val() & self.sums[n].val())
                | ((!self.differ[n].val()) & self.carries[n].val());
            self.sums[n + 1].next = self.sums[n].val();
            self.carries[n + 1].next = self.carries[n].val();
            if self.present[n].val() {
                self.sums[n + 1].next = self.differ[n].val() ^ self.sums[n].val();
                self.carries[n + 1].next = self.over[n].val() << 1;
            }
        }
        // Where two bits are equal, they are the carry.
        self.passes.next = self.sums[4].val() ^ self.carries[4].val();
        self.carry.next = false;
        self.total.next = self.zero.val();
        for i in 0..16 {
            if self.passes.val().get_bit(i) ^ self.carry.val() {
                self.total.next = self.total.val() | self.bit[i].val();
            }
            self.carry.next = (self.passes.val().get_bit(i) & self.carry.val())
                | ((!self.passes.val().get_bit(i)) & self.sums[4].val().get_bit(i));
        }
        self.product.next = self.total.val();
    }
}
