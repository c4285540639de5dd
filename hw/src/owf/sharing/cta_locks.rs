//! Where the warps of a CTA stand among the locks of warp pairs, which have the numbers of their lower warps.

use rust_hdl::prelude::*;
use std::array;

/// For each of `T` CTAs, of `NW` warps: its first warp, and whether all of its warps have locks as lower ones. `LW` bits
/// hold the number of a lock; `HALF` is `T` / 2.
#[derive(LogicBlock)]
pub struct CtaLocks<const NW: usize, const T: usize, const HALF: usize, const LW: usize> {
    /// Warps of a CTA, modulo 2^`LW`.
    pub size: Signal<In, Bits<LW>>,
    /// The warps of CTA 0.
    pub first_cta: Signal<In, Bits<NW>>,
    /// The number of the first warp of each CTA, modulo 2^`LW`.
    pub first: [Signal<Out, Bits<LW>>; T],
    /// CTAs of which all warps are in the lower half.
    pub has_locks: Signal<Out, Bits<T>>,
    none: Constant<Bits<T>>,
    cta: [Constant<Bits<T>>; T],
    // The warp that is not in CTA 0 as long as this CTA has locks.
    most: [Constant<Bits<NW>>; T],
    zero: Constant<Bits<LW>>,
}

impl<const NW: usize, const T: usize, const HALF: usize, const LW: usize> Default
    for CtaLocks<NW, T, HALF, LW>
{
    fn default() -> Self {
        const { assert!(T == 2 * HALF && NW / 2 <= 1 << LW) };
        // With more warps than this in each, `count` CTAs take more than the lower half.
        let most = |count: usize| 1u64 << (NW / 2 / count);
        Self {
            size: Signal::default(),
            first_cta: Signal::default(),
            first: array::from_fn(|_| Signal::default()),
            has_locks: Signal::default(),
            none: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            most: array::from_fn(|cta| Constant::new(most(cta + 1).into())),
            zero: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const T: usize, const HALF: usize, const LW: usize> Logic
    for CtaLocks<NW, T, HALF, LW>
{
    #[hdl_gen]
    fn update(&mut self) {
        // Warp n is not in CTA 0 if CTAs have n warps at most.
        self.has_locks.next = self.none.val();
        for c in 0..T {
            if !(self.first_cta.val() & self.most[c].val()).any() {
                self.has_locks.next = self.has_locks.val() | self.cta[c].val();
            }
        }
        // Twice the first warp of CTA c is that of CTA 2c, and the next CTA begins a CTA later.
        self.first[0].next = self.zero.val();
        self.first[1].next = self.size.val();
        for h in 1..HALF {
            self.first[2 * h].next = self.first[h].val() << 1;
            self.first[(2 * h) + 1].next = self.first[2 * h].val() + self.size.val();
        }
    }
}
