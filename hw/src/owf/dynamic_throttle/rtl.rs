//! Two counters, a probability in tenths, and a random draw.

use super::STEPS;
pub use super::adapter::Rtl;
use super::draw::Draw;
use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Throttle with periods of `PERIOD` cycles; `CW` is ceil(log2 (`PERIOD` + 1)). The ports are documented at
/// [`DynamicThrottleIn`](super::DynamicThrottleIn) and [`DynamicThrottleOut`](super::DynamicThrottleOut).
#[derive(LogicBlock, Inputs)]
pub struct DynamicThrottle<const PERIOD: usize, const CW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over everything else.
    pub clear: Signal<In, bool>,
    /// This is SM 0.
    pub sm_zero: Signal<In, bool>,
    /// This is a stall cycle.
    pub stall: Signal<In, bool>,
    /// Stall cycles of SM 0.
    pub zero_stalls: Signal<In, Bits<CW>>,
    /// Memory instructions of non-owner warps may issue.
    pub memory_allowed: Signal<Out, bool>,
    /// The probability of that.
    pub tenths: Signal<Out, Bits<4>>,
    /// First cycle of a period.
    pub compares: Signal<Out, bool>,
    /// Stall cycles so far.
    pub stalls: Signal<Out, Bits<CW>>,
    // State: cycles left of the period, stall cycles, how the tenths differ from 10; and the generator in `draw`. Who counts
    // down needs no second comparison to know the end.
    left: DFF<Bits<CW>>,
    count: DFF<Bits<CW>>,
    changed: DFF<Bits<4>>,
    probability: Signal<Local, Bits<4>>,
    draw: Lazy<Draw>,
    is_first: Signal<Local, bool>,
    compare: Lazy<Compare<CW>>,
    differs: Signal<Local, bool>,
    fewer_left: Signal<Local, Bits<CW>>,
    counted_up: Signal<Local, Bits<CW>>,
    kept: Signal<Local, Bits<CW>>,
    passed: Signal<Local, Bits<3>>,
    flipped: Signal<Local, Bits<4>>,
    at_end: Signal<Local, bool>,
    first: Constant<Bits<CW>>,
    one: Constant<Bits<CW>>,
    last: Constant<Bits<CW>>,
    full: Constant<Bits<4>>,
    never: Constant<Bits<4>>,
    bit: [Constant<Bits<4>>; 4],
}

/// Periods of 1000 cycles, as in the paper: 40 flip-flops.
pub type DynamicThrottle1000 = DynamicThrottle<1000, 10>;
/// Periods of 12 cycles, for tests.
pub type DynamicThrottle12 = DynamicThrottle<12, 4>;

impl<const PERIOD: usize, const CW: usize> DynamicThrottle<PERIOD, CW> {
    /// A throttle in its power-on state: probability 1, at the begin of a period.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(PERIOD > 1 && PERIOD < 1 << CW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            sm_zero: Signal::default(),
            stall: Signal::default(),
            zero_stalls: Signal::default(),
            memory_allowed: Signal::default(),
            tenths: Signal::default(),
            compares: Signal::default(),
            stalls: Signal::default(),
            left: DFF::default(),
            count: DFF::default(),
            changed: DFF::default(),
            probability: Signal::default(),
            draw: Lazy::default(),
            is_first: Signal::default(),
            compare: Lazy::new(Compare::strictly()),
            differs: Signal::default(),
            fewer_left: Signal::default(),
            counted_up: Signal::default(),
            kept: Signal::default(),
            passed: Signal::default(),
            flipped: Signal::default(),
            at_end: Signal::default(),
            first: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            last: Constant::new((PERIOD as u64 - 1).into()),
            full: Constant::new(u64::from(STEPS).into()),
            never: Constant::new(0u64.into()),
            bit: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
        }
    }
}

impl<const PERIOD: usize, const CW: usize> Default for DynamicThrottle<PERIOD, CW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const PERIOD: usize, const CW: usize> Logic for DynamicThrottle<PERIOD, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, left, count, changed);
        self.probability.next = self.changed.q.val() ^ self.full.val();
        self.draw.clock.next = self.clock.val();
        self.draw.clear.next = self.clear.val();
        self.draw.tenths.next = self.probability.val();

        self.is_first.next = self.left.q.val() == self.first.val();
        self.compares.next = self.is_first.val();
        self.stalls.next = self.count.q.val();
        self.memory_allowed.next = self.draw.drawn.val() & (!self.sm_zero.val());
        self.tenths.next = self.never.val();
        if !self.sm_zero.val() {
            self.tenths.next = self.probability.val();
        }

        // A period has fewer cycles than the counter has values: it never overflows.
        self.counted_up.next = self.count.q.val() + self.one.val();
        self.fewer_left.next = self.left.q.val() - self.one.val();
        self.kept.next = self.count.q.val();
        if self.stall.val() {
            self.kept.next = self.counted_up.val();
        }
        if self.is_first.val() {
            self.kept.next = self.first.val();
        }
        self.count.d.next = self.kept.val();
        if self.is_first.val() & self.stall.val() {
            self.count.d.next = self.kept.val() | self.one.val();
        }
        self.left.d.next = self.fewer_left.val();
        if self.is_first.val() {
            self.left.d.next = self.last.val();
        }

        // A step up flips the bits up to the lowest 0, a step down those up to the lowest 1. In the first cycle after `clear`
        // no stall is counted, so nothing makes the probability lower.
        self.compare.a.next = self.count.q.val();
        self.compare.b.next = self.zero_stalls.val();
        self.differs.next = self.count.q.val() != self.zero_stalls.val();
        self.passed.next = self.probability.val().get_bits::<3>(0);
        self.at_end.next = self.probability.val().get_bit(3) & self.probability.val().get_bit(1);
        if self.compare.above.val() {
            self.passed.next = !self.probability.val().get_bits::<3>(0);
            self.at_end.next = self.probability.val() == self.never.val();
        }
        self.flipped.next = self.bit[0].val();
        if self.passed.val().get_bit(0) {
            self.flipped.next = self.flipped.val() | self.bit[1].val();
            if self.passed.val().get_bit(1) {
                self.flipped.next = self.flipped.val() | self.bit[2].val();
                if self.passed.val().get_bit(2) {
                    self.flipped.next = self.flipped.val() | self.bit[3].val();
                }
            }
        }
        self.changed.d.next = self.changed.q.val();
        if (self.is_first.val() & self.differs.val()) & (!self.at_end.val()) {
            self.changed.d.next = self.changed.q.val() ^ self.flipped.val();
        }
        if self.clear.val() {
            self.left.d.next = self.first.val();
            self.count.d.next = self.first.val();
            self.changed.d.next = self.never.val();
        }
    }
}
