//! Packs of exempt registers: N x warp + id (RFV 7.1).

use rust_hdl::prelude::*;
use std::array;

/// The row of a warp as a sum of shifted N, then a sum per operand. `PW` bits name a pack.
#[derive(LogicBlock)]
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
    sum_0: Signal<Local, Bits<12>>,
    sum_1: Signal<Local, Bits<12>>,
    sum_2: Signal<Local, Bits<12>>,
    sum_01: Signal<Local, Bits<12>>,
    base: Signal<Local, Bits<12>>,
    wide_x: [Signal<Local, Bits<12>>; 4],
    sum: [Signal<Local, Bits<12>>; 4],
    above: [Signal<Local, Bits<12>>; 4],
    zero: Constant<Bits<12>>,
    bit: [Constant<Bits<12>>; 6],
    by: [Constant<Bits<3>>; IW],
    pack_bits: Constant<Bits<4>>,
}

impl<const IW: usize, const PW: usize> Default for Direct<IW, PW> {
    fn default() -> Self {
        const { assert!(IW <= 6 && PW < 12) };
        Self {
            exempt: Signal::default(),
            warp: Signal::default(),
            x: Default::default(),
            y: Default::default(),
            fits: Default::default(),
            wide: Signal::default(),
            term: Default::default(),
            sum_0: Signal::default(),
            sum_1: Signal::default(),
            sum_2: Signal::default(),
            sum_01: Signal::default(),
            base: Signal::default(),
            wide_x: Default::default(),
            sum: Default::default(),
            above: Default::default(),
            zero: Constant::new(0u64.into()),
            bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            by: array::from_fn(|i| Constant::new((i as u64).into())),
            pack_bits: Constant::new((PW as u64).into()),
        }
    }
}

impl<const IW: usize, const PW: usize> Logic for Direct<IW, PW> {
    #[hdl_gen]
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
        self.sum_0.next = self.term[0].val() + self.term[1].val();
        self.sum_1.next = self.term[2].val() + self.term[3].val();
        self.sum_2.next = self.term[4].val() + self.term[5].val();
        self.sum_01.next = self.sum_0.val() + self.sum_1.val();
        self.base.next = self.sum_01.val() + self.sum_2.val();
        for k in 0..4 {
            self.wide_x[k].next = self.zero.val();
            for i in 0..6 {
                if self.x[k].val().get_bit(i) {
                    self.wide_x[k].next = self.wide_x[k].val() | self.bit[i].val();
                }
            }
            self.sum[k].next = self.base.val() + self.wide_x[k].val();
            self.above[k].next = self.sum[k].val() >> self.pack_bits.val();
            self.y[k].next = self.sum[k].val().get_bits::<PW>(0);
            self.fits[k].next = !self.above[k].val().any();
        }
    }
}
