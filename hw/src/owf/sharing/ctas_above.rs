//! Which CTAs end above a warp.

use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Compares a warp with the ends of all `T` CTAs at once. `IW` bits hold a warp.
#[derive(LogicBlock, Inputs)]
pub struct CtasAbove<const T: usize, const IW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Where each CTA ends, modulo 2^`IW`.
    pub end: [Signal<In, Bits<IW>>; T],
    /// CTAs that end at 2^`IW` or above.
    pub beyond: Signal<In, Bits<T>>,
    /// CTAs that end above the warp: all from its own on, or none.
    pub below: Signal<Out, Bits<T>>,
    compare: [Lazy<Compare<IW>>; T],
    cta: [Constant<Bits<T>>; T],
}

impl<const T: usize, const IW: usize> Default for CtasAbove<T, IW> {
    fn default() -> Self {
        Self {
            warp: Signal::default(),
            end: array::from_fn(|_| Signal::default()),
            beyond: Signal::default(),
            below: Signal::default(),
            compare: array::from_fn(|_| Lazy::new(Compare::strictly())),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
        }
    }
}

impl<const T: usize, const IW: usize> Logic for CtasAbove<T, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.below.next = self.beyond.val();
        for c in 0..T {
            self.compare[c].a.next = self.end[c].val();
            self.compare[c].b.next = self.warp.val();
            if self.compare[c].above.val() {
                self.below.next = self.below.val() | self.cta[c].val();
            }
        }
    }
}
