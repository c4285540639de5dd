//! Where CTAs begin and end, as numbers: the multiples of their size.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Bounds of `T` CTAs, of `NW` warps; `HALF` is `T` / 2, `IW` log2 `NW` rounded up. `CW` bits hold the warps of a CTA.
#[derive(LogicBlock, Inputs)]
pub struct CtaEnds<
    const NW: usize,
    const T: usize,
    const HALF: usize,
    const IW: usize,
    const CW: usize,
> {
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// The warp after the last one of each CTA, modulo 2^`IW`.
    pub end: [Signal<Out, Bits<IW>>; T],
    /// CTAs that end at warp 2^`IW` or above.
    pub beyond: Signal<Out, Bits<T>>,
    /// CTAs of which all warps exist.
    pub fits: Signal<Out, Bits<T>>,
    /// Bit k of the first warps.
    pub from: [Signal<Out, Bits<T>>; IW],
    /// Bit k of the ends.
    pub to: [Signal<Out, Bits<T>>; IW],
    // Bit k: CTAs have k warps at most.
    at_most: Signal<Local, Bits<NW>>,
    all: Constant<Bits<NW>>,
    multiple: [Signal<Local, Bits<IW>>; T],
    last: Signal<Local, Bits<IW>>,
    first: Constant<Bits<IW>>,
    warp_bit: [Constant<Bits<IW>>; CW],
    none: Constant<Bits<T>>,
    cta: [Constant<Bits<T>>; T],
    // CTA c ends within 2^IW, or fits, if CTAs have this many warps at most.
    most_within: [Constant<Bits<NW>>; T],
    most_fit: [Constant<Bits<NW>>; T],
}

impl<const NW: usize, const T: usize, const HALF: usize, const IW: usize, const CW: usize> Default
    for CtaEnds<NW, T, HALF, IW, CW>
{
    fn default() -> Self {
        const { assert!(T == 2 * HALF && NW <= 1 << IW && 1 << CW <= NW) };
        // With more warps than this in each, CTAs 0 to `cta` have more than `warps`; no CTA has more than NW - 1.
        let most = |warps: usize, cta: usize| -> Bits<NW> {
            (1u64 << (warps / (cta + 1)).min(NW - 1)).into()
        };
        Self {
            warps_per_cta: Signal::default(),
            at_most: Signal::default(),
            end: array::from_fn(|_| Signal::default()),
            beyond: Signal::default(),
            fits: Signal::default(),
            from: array::from_fn(|_| Signal::default()),
            to: array::from_fn(|_| Signal::default()),
            all: Constant::new(Bits::mask()),
            multiple: array::from_fn(|_| Signal::default()),
            last: Signal::default(),
            first: Constant::new(0u64.into()),
            warp_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
            none: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            most_within: array::from_fn(|cta| Constant::new(most((1 << IW) - 1, cta))),
            most_fit: array::from_fn(|cta| Constant::new(most(NW, cta))),
        }
    }
}

impl<const NW: usize, const T: usize, const HALF: usize, const IW: usize, const CW: usize> Logic
    for CtaEnds<NW, T, HALF, IW, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.at_most.next = self.all.val() << self.warps_per_cta.val();
        self.beyond.next = self.none.val();
        self.fits.next = self.none.val();
        for c in 0..T {
            if !(self.at_most.val() & self.most_within[c].val()).any() {
                self.beyond.next = self.beyond.val() | self.cta[c].val();
            }
            if (self.at_most.val() & self.most_fit[c].val()).any() {
                self.fits.next = self.fits.val() | self.cta[c].val();
            }
        }

        // Twice the first warp of CTA c is that of CTA 2c, and the next CTA begins a CTA later.
        self.multiple[0].next = self.first.val();
        self.multiple[1].next = self.first.val();
        for k in 0..CW {
            if self.warps_per_cta.val().get_bit(k) {
                self.multiple[1].next = self.multiple[1].val() | self.warp_bit[k].val();
            }
        }
        for h in 1..HALF {
            self.multiple[2 * h].next = self.multiple[h].val() << 1;
            self.multiple[(2 * h) + 1].next = self.multiple[2 * h].val() + self.multiple[1].val();
        }
        for h in HALF..(HALF + 1) {
            self.last.next = self.multiple[h].val() << 1;
        }
        for c in 1..T {
            self.end[c - 1].next = self.multiple[c].val();
        }
        for c in (T - 1)..T {
            self.end[c].next = self.last.val();
        }
        for k in 0..IW {
            self.from[k].next = self.none.val();
            self.to[k].next = self.none.val();
            for c in 0..T {
                if self.multiple[c].val().get_bit(k) {
                    self.from[k].next = self.from[k].val() | self.cta[c].val();
                }
                if self.end[c].val().get_bit(k) {
                    self.to[k].next = self.to[k].val() | self.cta[c].val();
                }
            }
        }
    }
}
