//! Packs of exempt registers: N x warp + id (RFV 7.1).

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The row of a warp as a sum of shifted N: of three numbers the sums and the carries are two, until there are no three. Then
/// a sum of the low six bits per operand, whose carry turns the ones above it over. `PW` bits name a pack.
#[derive(LogicBlock, Inputs)]
pub struct Direct<const IW: usize, const PW: usize> {
    /// Exempt registers, N.
    pub exempt: Signal<In, Bits<6>>,
    /// Warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Registers of the operands.
    pub x: [Signal<In, Bits<6>>; 4],
    /// Their packs.
    pub y: [Signal<Out, Bits<PW>>; 4],
    /// The pack exists.
    pub fits: [Signal<Out, bool>; 4],
    // 63 x 63 + 62 needs 12 bits.
    wide: Signal<Local, Bits<12>>,
    term: [Signal<Local, Bits<12>>; 6],
    // Three to two: the three, whether the first two differ, sums, carries, these at their place.
    a: [Signal<Local, Bits<12>>; 4],
    b: [Signal<Local, Bits<12>>; 4],
    c: [Signal<Local, Bits<12>>; 4],
    differ: [Signal<Local, Bits<12>>; 4],
    sums: [Signal<Local, Bits<12>>; 4],
    over: [Signal<Local, Bits<12>>; 4],
    carries: [Signal<Local, Bits<12>>; 4],
    base: Signal<Local, Bits<12>>,
    above: Signal<Local, Bits<12>>,
    low_base: Signal<Local, Bits<6>>,
    passes: [Signal<Local, Bits<6>>; 4],
    low: [Signal<Local, Bits<PW>>; 4],
    // From bit 6 on: the bits below which all are ones.
    reach: Signal<Local, Bits<PW>>,
    all: Signal<Local, bool>,
    row: Signal<Local, Bits<PW>>,
    next_row: Signal<Local, Bits<PW>>,
    carry: [Signal<Local, bool>; 4],
    sum: [Signal<Local, Bits<PW>>; 4],
    zero: Constant<Bits<12>>,
    bit: [Constant<Bits<12>>; 6],
    by: [Constant<Bits<3>>; IW],
    pack_bits: Constant<Bits<4>>,
    no_pack: Constant<Bits<PW>>,
    upper: Constant<Bits<PW>>,
    place: [Constant<Bits<PW>>; PW],
}

impl<const IW: usize, const PW: usize> Default for Direct<IW, PW> {
    fn default() -> Self {
        const { assert!(IW <= 6 && PW >= 6 && PW < 12) };
        Self {
            exempt: Signal::default(),
            warp: Signal::default(),
            x: Default::default(),
            y: Default::default(),
            fits: Default::default(),
            wide: Signal::default(),
            term: Default::default(),
            a: Default::default(),
            b: Default::default(),
            c: Default::default(),
            differ: Default::default(),
            sums: Default::default(),
            over: Default::default(),
            carries: Default::default(),
            base: Signal::default(),
            above: Signal::default(),
            low_base: Signal::default(),
            passes: Default::default(),
            low: Default::default(),
            reach: Signal::default(),
            all: Signal::default(),
            row: Signal::default(),
            next_row: Signal::default(),
            carry: Default::default(),
            sum: Default::default(),
            zero: Constant::new(0u64.into()),
            bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            by: array::from_fn(|i| Constant::new((i as u64).into())),
            pack_bits: Constant::new((PW as u64).into()),
            no_pack: Constant::new(0u64.into()),
            upper: Constant::new(((1u64 << PW) - 64).into()),
            place: array::from_fn(|i| Constant::new((1u64 << i).into())),
        }
    }
}

impl<const IW: usize, const PW: usize> Logic for Direct<IW, PW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.wide.next = self.zero.val();
        for i in 0..6 {
            if self.exempt.val().get_bit(i) {
                self.wide.next = self.wide.val() | self.bit[i].val();
            }
            self.term[i].next = self.zero.val();
        }
        for i in 0..IW {
            if self.warp.val().get_bit(i) {
                self.term[i].next = self.wide.val() << self.by[i].val();
            }
        }
        for n in 0..2 {
            self.a[n].next = self.term[3 * n].val();
            self.b[n].next = self.term[(3 * n) + 1].val();
            self.c[n].next = self.term[(3 * n) + 2].val();
            self.differ[n].next = self.a[n].val() ^ self.b[n].val();
            self.sums[n].next = self.differ[n].val() ^ self.c[n].val();
            self.over[n].next = (self.differ[n].val() & self.c[n].val())
                | ((!self.differ[n].val()) & self.b[n].val());
            self.carries[n].next = self.over[n].val() << 1;
        }
        self.a[2].next = self.sums[0].val();
        self.b[2].next = self.carries[0].val();
        self.c[2].next = self.sums[1].val();
        for n in 2..3 {
            self.differ[n].next = self.a[n].val() ^ self.b[n].val();
            self.sums[n].next = self.differ[n].val() ^ self.c[n].val();
            self.over[n].next = (self.differ[n].val() & self.c[n].val())
                | ((!self.differ[n].val()) & self.b[n].val());
            self.carries[n].next = self.over[n].val() << 1;
        }
        self.a[3].next = self.sums[2].val();
        self.b[3].next = self.carries[2].val();
        self.c[3].next = self.carries[1].val();
        for n in 3..4 {
            self.differ[n].next = self.a[n].val() ^ self.b[n].val();
            self.sums[n].next = self.differ[n].val() ^ self.c[n].val();
            self.over[n].next = (self.differ[n].val() & self.c[n].val())
                | ((!self.differ[n].val()) & self.b[n].val());
            self.carries[n].next = self.over[n].val() << 1;
        }
        self.base.next = self.sums[3].val() + self.carries[3].val();

        self.above.next = self.base.val() >> self.pack_bits.val();
        self.row.next = self.base.val().get_bits::<PW>(0);
        self.reach.next = self.no_pack.val();
        self.all.next = true;
        for b in 6..PW {
            if self.all.val() {
                self.reach.next = self.reach.val() | self.place[b].val();
            }
            self.all.next = self.all.val() & self.row.val().get_bit(b);
        }
        self.next_row.next = self.row.val() ^ self.reach.val();
        self.low_base.next = self.base.val().get_bits::<6>(0);
        for k in 0..4 {
            // Where two bits are equal, they are the carry.
            self.passes[k].next = self.low_base.val() ^ self.x[k].val();
            self.low[k].next = self.no_pack.val();
            self.carry[k].next = false;
            for i in 0..6 {
                if self.passes[k].val().get_bit(i) ^ self.carry[k].val() {
                    self.low[k].next = self.low[k].val() | self.place[i].val();
                }
                self.carry[k].next = (self.passes[k].val().get_bit(i) & self.carry[k].val())
                    | ((!self.passes[k].val().get_bit(i)) & self.low_base.val().get_bit(i));
            }
            self.sum[k].next = (self.row.val() & self.upper.val()) | self.low[k].val();
            if self.carry[k].val() {
                self.sum[k].next = (self.next_row.val() & self.upper.val()) | self.low[k].val();
            }
            self.y[k].next = self.sum[k].val();
            self.fits[k].next =
                (!self.above.val().any()) & (!(self.carry[k].val() & self.all.val()));
        }
    }
}
