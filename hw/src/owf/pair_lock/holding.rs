//! Which CTAs hold locks.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// For each pair, by its lower CTA, whether warps of the lower and of the upper one hold any of the pair's locks. Lower CTAs
/// are in the first `HALF` slots.
#[derive(LogicBlock, Inputs)]
pub struct Holding<const HALF: usize, const LOCKS: usize> {
    /// Locks of each CTA as the lower one: those of its warps.
    pub locks_of: [Signal<In, Bits<LOCKS>>; HALF],
    /// Locks that the lower warp holds.
    pub by_lower: Signal<In, Bits<LOCKS>>,
    /// Locks that the upper warp holds.
    pub by_upper: Signal<In, Bits<LOCKS>>,
    /// Lower CTAs that hold locks.
    pub lower_holds: Signal<Out, Bits<HALF>>,
    /// Lower CTAs whose partners hold locks.
    pub upper_holds: Signal<Out, Bits<HALF>>,
    none: Constant<Bits<HALF>>,
    cta: [Constant<Bits<HALF>>; HALF],
}

impl<const HALF: usize, const LOCKS: usize> Default for Holding<HALF, LOCKS> {
    fn default() -> Self {
        Self {
            locks_of: array::from_fn(|_| Signal::default()),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            lower_holds: Signal::default(),
            upper_holds: Signal::default(),
            none: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
        }
    }
}

impl<const HALF: usize, const LOCKS: usize> Logic for Holding<HALF, LOCKS> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.lower_holds.next = self.none.val();
        self.upper_holds.next = self.none.val();
        for c in 0..HALF {
            if (self.by_lower.val() & self.locks_of[c].val()).any() {
                self.lower_holds.next = self.lower_holds.val() | self.cta[c].val();
            }
            if (self.by_upper.val() & self.locks_of[c].val()).any() {
                self.upper_holds.next = self.upper_holds.val() | self.cta[c].val();
            }
        }
    }
}
