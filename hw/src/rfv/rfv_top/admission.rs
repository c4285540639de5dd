//! Which CTAs may issue, with a pack that is being assigned and not counted yet.

use rust_hdl::prelude::*;

/// What the throttle allows, of `T` CTA slots, numbered by `TW` bits.
#[derive(LogicBlock)]
pub struct Admission<const T: usize, const TW: usize> {
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
    /// CTAs that may issue.
    pub may_issue: Signal<Out, Bits<T>>,
    nobody: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize> Default for Admission<T, TW> {
    fn default() -> Self {
        Self {
            counted: Signal::default(),
            with_one_less: Signal::default(),
            throttled: Signal::default(),
            chosen: Signal::default(),
            assigning: Signal::default(),
            cta: Signal::default(),
            may_issue: Signal::default(),
            nobody: Constant::new(0u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for Admission<T, TW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.may_issue.next = self.counted.val();
        if self.assigning.val() {
            self.may_issue.next = self.with_one_less.val();
            // What has come back since made another CTA the chosen one; with this pack it will not be.
            if self.throttled.val() & (self.chosen.val() != self.cta.val()) {
                self.may_issue.next = self.nobody.val();
            }
        }
    }
}
