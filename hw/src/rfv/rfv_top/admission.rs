//! Which CTAs may issue, with a pack that is being assigned and not counted yet.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// What the throttle allows, of `T` CTA slots, numbered by `TW` bits. With `HARDWARE_ONLY` 1 there is none: all may issue.
#[derive(LogicBlock, Inputs)]
pub struct Admission<const T: usize, const TW: usize, const HARDWARE_ONLY: usize> {
    /// CTAs that may issue, by what is counted.
    pub counted: Signal<In, Bits<T>>,
    /// The same with one pack less.
    pub with_one_less: Signal<In, Bits<T>>,
    /// Only one CTA may issue,
    pub throttled: Signal<In, bool>,
    /// this one.
    pub chosen: Signal<In, Bits<TW>>,
    /// A destination was served in the cycle before,
    pub assigning: Signal<In, bool>,
    /// of this CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// The throttle wants a warp spilled.
    pub spilling: Signal<In, bool>,
    /// CTAs that may issue.
    pub may_issue: Signal<Out, Bits<T>>,
    /// Only one of them may.
    pub closed: Signal<Out, bool>,
    /// Spill a warp.
    pub spill: Signal<Out, bool>,
    nobody: Constant<Bits<T>>,
    all: Constant<Bits<T>>,
    throttles: Constant<bool>,
}

impl<const T: usize, const TW: usize, const HARDWARE_ONLY: usize> Default
    for Admission<T, TW, HARDWARE_ONLY>
{
    fn default() -> Self {
        const { assert!(HARDWARE_ONLY <= 1) };
        Self {
            counted: Signal::default(),
            with_one_less: Signal::default(),
            throttled: Signal::default(),
            chosen: Signal::default(),
            assigning: Signal::default(),
            cta: Signal::default(),
            spilling: Signal::default(),
            may_issue: Signal::default(),
            closed: Signal::default(),
            spill: Signal::default(),
            nobody: Constant::new(0u64.into()),
            all: Constant::new(Bits::mask()),
            throttles: Constant::new(HARDWARE_ONLY == 0),
        }
    }
}

impl<const T: usize, const TW: usize, const HARDWARE_ONLY: usize> Logic
    for Admission<T, TW, HARDWARE_ONLY>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.may_issue.next = self.counted.val();
        if self.assigning.val() {
            self.may_issue.next = self.with_one_less.val();
            // What has come back since made another CTA the chosen one; with this pack it will not be.
            if self.throttled.val() & (self.chosen.val() != self.cta.val()) {
                self.may_issue.next = self.nobody.val();
            }
        }
        if !self.throttles.val() {
            self.may_issue.next = self.all.val();
        }
        self.closed.next = self.throttled.val() & self.throttles.val();
        self.spill.next = self.spilling.val() & self.throttles.val();
    }
}
