//! A random draw per cycle against a table of thresholds.

use super::{SEED, STEPS};
use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// How many of the numbers 1 ..= 65535 are drawn with probability `tenths` / 10: as many as can be without being more.
pub const fn threshold(tenths: usize) -> u64 {
    tenths as u64 * 0xffff / STEPS as u64
}

/// Generator and comparison. The generator is a linear-feedback shift register that moves by a byte per cycle, so that
/// two draws in a row have no bit in common that decides.
#[derive(LogicBlock, Inputs)]
pub(super) struct Draw {
    /// Rising edge draws anew.
    pub clock: Signal<In, Clock>,
    /// Back to the seed.
    pub clear: Signal<In, bool>,
    /// The probability in tenths, 0 ..= 10.
    pub tenths: Signal<In, Bits<4>>,
    /// The draw of this cycle succeeds.
    pub drawn: Signal<Out, bool>,
    // State: how the generator differs from the seed, so that a flip-flop that begins at 0 begins there.
    offset: DFF<Bits<16>>,
    random: Signal<Local, Bits<16>>,
    fresh: Signal<Local, Bits<8>>,
    moved: Signal<Local, Bits<16>>,
    few: [Signal<Local, Bits<16>>; 4],
    limit: Signal<Local, Bits<16>>,
    compare: Lazy<Compare<16>>,
    threshold: [Constant<Bits<16>>; 11],
    fresh_bit: [Constant<Bits<16>>; 8],
    eight: Constant<Bits<4>>,
    never: Constant<Bits<16>>,
    seed: Constant<Bits<16>>,
}

impl Default for Draw {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            tenths: Signal::default(),
            drawn: Signal::default(),
            offset: DFF::default(),
            random: Signal::default(),
            fresh: Signal::default(),
            moved: Signal::default(),
            few: array::from_fn(|_| Signal::default()),
            limit: Signal::default(),
            compare: Lazy::new(Compare::or_equal()),
            threshold: array::from_fn(|tenths| Constant::new(threshold(tenths).into())),
            fresh_bit: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
            eight: Constant::new(8u64.into()),
            never: Constant::new(0u64.into()),
            seed: Constant::new(u64::from(SEED).into()),
        }
    }
}

impl Logic for Draw {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, offset);
        self.random.next = self.offset.q.val() ^ self.seed.val();
        // x^16 + x^14 + x^13 + x^11 + 1, eight steps at once: each new bit is the sum of four old ones.
        self.fresh.next = (self.random.val().get_bits::<8>(8) ^ self.random.val().get_bits::<8>(6))
            ^ (self.random.val().get_bits::<8>(5) ^ self.random.val().get_bits::<8>(3));
        self.moved.next = self.random.val() << self.eight.val();
        for b in 0..8 {
            if self.fresh.val().get_bit(b) {
                self.moved.next = self.moved.val() | self.fresh_bit[b].val();
            }
        }
        self.offset.d.next = self.moved.val() ^ self.seed.val();
        if self.clear.val() {
            self.offset.d.next = self.never.val();
        }
        // The threshold, selected bit by bit; the probability is never above 10.
        for k in 0..4 {
            self.few[k].next = self.threshold[2 * k].val();
            if self.tenths.val().get_bit(0) {
                self.few[k].next = self.threshold[(2 * k) + 1].val();
            }
        }
        if self.tenths.val().get_bit(3) {
            if self.tenths.val().get_bit(1) {
                self.limit.next = self.threshold[10].val();
            } else if self.tenths.val().get_bit(0) {
                self.limit.next = self.threshold[9].val();
            } else {
                self.limit.next = self.threshold[8].val();
            }
        } else if self.tenths.val().get_bit(2) {
            if self.tenths.val().get_bit(1) {
                self.limit.next = self.few[3].val();
            } else {
                self.limit.next = self.few[2].val();
            }
        } else {
            if self.tenths.val().get_bit(1) {
                self.limit.next = self.few[1].val();
            } else {
                self.limit.next = self.few[0].val();
            }
        }
        self.compare.a.next = self.limit.val();
        self.compare.b.next = self.random.val();
        self.drawn.next = self.compare.above.val();
    }
}
