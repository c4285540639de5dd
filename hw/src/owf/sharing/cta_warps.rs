//! Which warps a CTA has. Nothing is multiplied and nothing divided on the way from a warp to its CTA: the masks of all CTAs
//! stand ready, and a warp's bit in them says its CTA.

use rust_hdl::prelude::*;
use std::array;

/// The warps of each of `T` CTAs, of `NW` warps. `CW` bits hold the warps of a CTA.
#[derive(LogicBlock)]
pub struct CtaWarps<const NW: usize, const T: usize, const CW: usize> {
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// The warps of each CTA, as far as they exist.
    pub warps: [Signal<Out, Bits<NW>>; T],
    /// CTAs of which all warps exist.
    pub fits: Signal<Out, Bits<T>>,
    // Number c is the one above CTA c.
    boundary: [Boundary<NW, CW>; T],
    from: [Signal<Local, Bits<NW>>; T],
    none: Constant<Bits<T>>,
    cta: [Constant<Bits<T>>; T],
    // The warp that is not in CTA 0 as long as this CTA fits.
    most: [Constant<Bits<NW>>; T],
}

impl<const NW: usize, const T: usize, const CW: usize> Default for CtaWarps<NW, T, CW> {
    fn default() -> Self {
        const { assert!(1 << CW <= NW) };
        // With more warps than this in each, `count` CTAs take more than there are; no CTA has more than NW - 1.
        let most = |count: usize| 1u64 << (NW / count).min(NW - 1);
        Self {
            warps_per_cta: Signal::default(),
            warps: array::from_fn(|_| Signal::default()),
            fits: Signal::default(),
            boundary: array::from_fn(|cta| Boundary::new(cta + 1)),
            from: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            most: array::from_fn(|cta| Constant::new(most(cta + 1).into())),
        }
    }
}

impl<const NW: usize, const T: usize, const CW: usize> Logic for CtaWarps<NW, T, CW> {
    #[hdl_gen]
    fn update(&mut self) {
        for c in 0..T {
            self.boundary[c].warps_per_cta.next = self.warps_per_cta.val();
            self.from[c].next = self.boundary[c].from.val();
        }
        self.warps[0].next = !self.from[0].val();
        for c in 1..T {
            self.warps[c].next = self.from[c - 1].val() & (!self.from[c].val());
        }
        // Warp n is not in CTA 0 if CTAs have n warps at most.
        self.fits.next = self.none.val();
        for c in 0..T {
            if (self.from[0].val() & self.most[c].val()).any() {
                self.fits.next = self.fits.val() | self.cta[c].val();
            }
        }
    }
}

/// Where a CTA begins, as a mask of the warps from there on: each bit of the size shifts it by a fixed length.
#[derive(LogicBlock)]
pub struct Boundary<const NW: usize, const CW: usize> {
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// The warps that are not in a CTA below.
    pub from: Signal<Out, Bits<NW>>,
    shifted: Signal<Local, Bits<NW>>,
    all: Constant<Bits<NW>>,
    step: [Constant<Bits<8>>; CW],
}

impl<const NW: usize, const CW: usize> Boundary<NW, CW> {
    /// The boundary that has `ctas` CTAs below it.
    #[must_use]
    pub fn new(ctas: usize) -> Self {
        const { assert!(NW < 1 << 8) };
        let step = |bit: usize| (ctas << bit).min(NW) as u64;
        Self {
            warps_per_cta: Signal::default(),
            from: Signal::default(),
            shifted: Signal::default(),
            all: Constant::new(Bits::mask()),
            step: array::from_fn(|bit| Constant::new(step(bit).into())),
        }
    }
}

impl<const NW: usize, const CW: usize> Logic for Boundary<NW, CW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.shifted.next = self.all.val();
        for b in 0..CW {
            if self.warps_per_cta.val().get_bit(b) {
                self.shifted.next = self.shifted.val() << self.step[b].val();
            }
        }
        self.from.next = self.shifted.val();
    }
}
