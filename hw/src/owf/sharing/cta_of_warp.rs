//! Which CTA a warp belongs to.

use rust_hdl::prelude::*;
use std::array;

/// Looks a warp up in the masks of all `T` CTAs. `IW` bits hold one of `NW` warps. A warp of no CTA gives none.
#[derive(LogicBlock)]
pub struct CtaOfWarp<const NW: usize, const T: usize, const IW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// The warps of each CTA.
    pub warps: [Signal<In, Bits<NW>>; T],
    /// Its CTA, one bit of `T`.
    pub cta: Signal<Out, Bits<T>>,
    from_warp: [Signal<Local, Bits<NW>>; T],
    first_warp: Constant<Bits<NW>>,
    none: Constant<Bits<T>>,
    number: [Constant<Bits<T>>; T],
}

impl<const NW: usize, const T: usize, const IW: usize> Default for CtaOfWarp<NW, T, IW> {
    fn default() -> Self {
        Self {
            warp: Signal::default(),
            warps: array::from_fn(|_| Signal::default()),
            cta: Signal::default(),
            from_warp: array::from_fn(|_| Signal::default()),
            first_warp: Constant::new(1u64.into()),
            none: Constant::new(0u64.into()),
            number: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
        }
    }
}

impl<const NW: usize, const T: usize, const IW: usize> Logic for CtaOfWarp<NW, T, IW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.cta.next = self.none.val();
        for c in 0..T {
            self.from_warp[c].next = self.warps[c].val() >> self.warp.val();
            if (self.from_warp[c].val() & self.first_warp.val()).any() {
                self.cta.next = self.cta.val() | self.number[c].val();
            }
        }
    }
}
