//! Which CTAs have all their warps below a number.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// CTAs, of `T`, that end at a fixed warp of `NW` or below it. `CW` bits hold the warps of a CTA.
#[derive(LogicBlock, Inputs)]
pub struct CtasWithin<const NW: usize, const T: usize, const CW: usize> {
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// The CTAs.
    pub ctas: Signal<Out, Bits<T>>,
    // Bit k: CTAs have k warps at most.
    at_most: Signal<Local, Bits<NW>>,
    all: Constant<Bits<NW>>,
    none: Constant<Bits<T>>,
    cta: [Constant<Bits<T>>; T],
    // CTA c ends there if CTAs have this many warps at most.
    most: [Constant<Bits<NW>>; T],
}

impl<const NW: usize, const T: usize, const CW: usize> CtasWithin<NW, T, CW> {
    /// Within the first `warps` warps.
    #[must_use]
    pub fn new(warps: usize) -> Self {
        const { assert!(1 << CW <= NW) };
        // No CTA has more than NW - 1.
        let most = |cta: usize| -> Bits<NW> { (1u64 << (warps / (cta + 1)).min(NW - 1)).into() };
        Self {
            warps_per_cta: Signal::default(),
            ctas: Signal::default(),
            at_most: Signal::default(),
            all: Constant::new(Bits::mask()),
            none: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            most: array::from_fn(|cta| Constant::new(most(cta))),
        }
    }
}

impl<const NW: usize, const T: usize, const CW: usize> Logic for CtasWithin<NW, T, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.at_most.next = self.all.val() << self.warps_per_cta.val();
        self.ctas.next = self.none.val();
        for c in 0..T {
            if (self.at_most.val() & self.most[c].val()).any() {
                self.ctas.next = self.ctas.val() | self.cta[c].val();
            }
        }
    }
}
