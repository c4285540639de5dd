//! Two counters, a probability in tenths, and a random draw.

use super::STEPS;
pub use super::adapter::Rtl;
use super::draw::Draw;
use rust_hdl::prelude::*;

/// Throttle with periods of `PERIOD` cycles; `CW` is ceil(log2 (`PERIOD` + 1)). The ports are documented at
/// [`DynamicThrottleIn`](super::DynamicThrottleIn) and [`DynamicThrottleOut`](super::DynamicThrottleOut).
#[derive(LogicBlock)]
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
    // State: cycle of the period, stall cycles, tenths that the probability is below 1; and the generator in `draw`.
    cycle: DFF<Bits<CW>>,
    count: DFF<Bits<CW>>,
    lowered: DFF<Bits<4>>,
    probability: Signal<Local, Bits<4>>,
    draw: Draw,
    is_first: Signal<Local, bool>,
    more: Signal<Local, bool>,
    fewer: Signal<Local, bool>,
    next_cycle: Signal<Local, Bits<CW>>,
    counted: Signal<Local, Bits<CW>>,
    counted_up: Signal<Local, Bits<CW>>,
    higher: Signal<Local, Bits<4>>,
    lower: Signal<Local, Bits<4>>,
    first: Constant<Bits<CW>>,
    one: Constant<Bits<CW>>,
    last: Constant<Bits<CW>>,
    full: Constant<Bits<4>>,
    never: Constant<Bits<4>>,
    step: Constant<Bits<4>>,
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
            cycle: DFF::default(),
            count: DFF::default(),
            lowered: DFF::default(),
            probability: Signal::default(),
            draw: Draw::default(),
            is_first: Signal::default(),
            more: Signal::default(),
            fewer: Signal::default(),
            next_cycle: Signal::default(),
            counted: Signal::default(),
            counted_up: Signal::default(),
            higher: Signal::default(),
            lower: Signal::default(),
            first: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            last: Constant::new((PERIOD as u64 - 1).into()),
            full: Constant::new(u64::from(STEPS).into()),
            never: Constant::new(0u64.into()),
            step: Constant::new(1u64.into()),
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
    fn update(&mut self) {
        dff_setup!(self, clock, cycle, count, lowered);
        self.probability.next = self.full.val() - self.lowered.q.val();
        self.draw.clock.next = self.clock.val();
        self.draw.clear.next = self.clear.val();
        self.draw.tenths.next = self.probability.val();

        self.is_first.next = self.cycle.q.val() == self.first.val();
        self.compares.next = self.is_first.val();
        self.stalls.next = self.count.q.val();
        self.memory_allowed.next = self.draw.drawn.val() & (!self.sm_zero.val());
        self.tenths.next = self.never.val();
        if !self.sm_zero.val() {
            self.tenths.next = self.probability.val();
        }

        // A period has fewer cycles than the counter has values: it never overflows.
        self.counted.next = self.count.q.val();
        if self.is_first.val() {
            self.counted.next = self.first.val();
        }
        self.counted_up.next = self.counted.val() + self.one.val();
        self.count.d.next = self.counted.val();
        if self.stall.val() {
            self.count.d.next = self.counted_up.val();
        }
        self.next_cycle.next = self.cycle.q.val() + self.one.val();
        self.cycle.d.next = self.next_cycle.val();
        if self.cycle.q.val() == self.last.val() {
            self.cycle.d.next = self.first.val();
        }

        // In the first cycle after `clear` no stall is counted, so nothing makes the probability lower.
        self.more.next = (self.count.q.val() > self.zero_stalls.val())
            & (self.lowered.q.val() != self.full.val());
        self.fewer.next = (self.count.q.val() < self.zero_stalls.val())
            & (self.lowered.q.val() != self.never.val());
        self.higher.next = self.lowered.q.val() - self.step.val();
        self.lower.next = self.lowered.q.val() + self.step.val();
        self.lowered.d.next = self.lowered.q.val();
        if self.is_first.val() {
            if self.more.val() {
                self.lowered.d.next = self.lower.val();
            } else if self.fewer.val() {
                self.lowered.d.next = self.higher.val();
            }
        }
        if self.clear.val() {
            self.cycle.d.next = self.first.val();
            self.count.d.next = self.first.val();
            self.lowered.d.next = self.never.val();
        }
    }
}
