//! Which row each bank reads next: that of an operand, or the next one of a walk.

use crate::common::adder::Adder;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Rows of the four banks. Bank 3 of a table for all 63 registers has one word less of each warp than the others, 15 for
/// 16: its row is smaller by the number of the warp.
#[derive(LogicBlock, Inputs)]
pub struct Place<const IW: usize, const HW: usize, const RW: usize> {
    /// Warp that asks, starts or ends.
    pub warp: Signal<In, Bits<IW>>,
    /// Words of it that operands want.
    pub hi: [Signal<In, Bits<HW>>; 4],
    /// A walk goes on: step to the next word of the same warp.
    pub step: Signal<In, bool>,
    /// Warp of the words that are read now.
    pub walk_warp: Signal<In, Bits<IW>>,
    /// Word that bank 0 reads now.
    pub walk_hi: Signal<In, Bits<HW>>,
    /// Upper bits of the next row of banks 0 to 2.
    pub next_warp: Signal<Out, Bits<IW>>,
    /// Upper bits of the next row of bank 3.
    pub next_warp_3: Signal<Out, Bits<IW>>,
    /// Lower bits of the next rows.
    pub next_hi: [Signal<Out, Bits<HW>>; 4],
    after: Signal<Local, Bits<HW>>,
    chosen: Signal<Local, Bits<IW>>,
    word: [Signal<Local, Bits<HW>>; 4],
    row: Signal<Local, Bits<RW>>,
    less: Signal<Local, Bits<RW>>,
    // What is missing to all ones, plus what is taken away, is what is then missing.
    minus: Lazy<Adder<RW>>,
    short_row: Signal<Local, Bits<RW>>,
    warp_3: Signal<Local, Bits<IW>>,
    one: Constant<Bits<HW>>,
    no_row: Constant<Bits<RW>>,
    hi_bit: [Constant<Bits<RW>>; HW],
    less_bit: [Constant<Bits<RW>>; IW],
    warp_bit: [Constant<Bits<RW>>; IW],
    no_warp: Constant<Bits<IW>>,
    number_bit: [Constant<Bits<IW>>; IW],
    short: Constant<bool>,
}

impl<const IW: usize, const HW: usize, const RW: usize> Default for Place<IW, HW, RW> {
    fn default() -> Self {
        const { assert!(RW == IW + HW) };
        Self {
            warp: Signal::default(),
            hi: Default::default(),
            step: Signal::default(),
            walk_warp: Signal::default(),
            walk_hi: Signal::default(),
            next_warp: Signal::default(),
            next_warp_3: Signal::default(),
            next_hi: Default::default(),
            after: Signal::default(),
            chosen: Signal::default(),
            word: Default::default(),
            row: Signal::default(),
            less: Signal::default(),
            minus: Lazy::default(),
            short_row: Signal::default(),
            warp_3: Signal::default(),
            one: Constant::new(1u64.into()),
            no_row: Constant::new(0u64.into()),
            hi_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            less_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            warp_bit: array::from_fn(|i| Constant::new((1u64 << (i + HW)).into())),
            no_warp: Constant::new(0u64.into()),
            number_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            short: Constant::new(HW == 4),
        }
    }
}

impl<const IW: usize, const HW: usize, const RW: usize> Logic for Place<IW, HW, RW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.after.next = self.walk_hi.val() + self.one.val();
        self.chosen.next = self.warp.val();
        if self.step.val() {
            self.chosen.next = self.walk_warp.val();
        }
        for b in 0..4 {
            self.word[b].next = self.hi[b].val();
            if self.step.val() {
                self.word[b].next = self.after.val();
            }
        }
        self.row.next = self.no_row.val();
        for i in 0..HW {
            if self.word[3].val().get_bit(i) {
                self.row.next = self.row.val() | self.hi_bit[i].val();
            }
        }
        self.less.next = self.no_row.val();
        for i in 0..IW {
            if self.chosen.val().get_bit(i) {
                self.row.next = self.row.val() | self.warp_bit[i].val();
                if self.short.val() {
                    self.less.next = self.less.val() | self.less_bit[i].val();
                }
            }
        }
        self.minus.a.next = !self.row.val();
        self.minus.b.next = self.less.val();
        self.short_row.next = !self.minus.sum.val();
        self.next_warp.next = self.chosen.val();
        self.warp_3.next = self.no_warp.val();
        for i in 0..IW {
            if (self.short_row.val() & self.warp_bit[i].val()).any() {
                self.warp_3.next = self.warp_3.val() | self.number_bit[i].val();
            }
        }
        self.next_warp_3.next = self.warp_3.val();
        for b in 0..3 {
            self.next_hi[b].next = self.word[b].val();
        }
        self.next_hi[3].next = self.short_row.val().get_bits::<HW>(0);
    }
}
