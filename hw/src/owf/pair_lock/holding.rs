//! Which CTAs hold locks.

use rust_hdl::prelude::*;
use std::array;

/// For each pair of the `T` CTAs, by its lower CTA, whether warps of the lower and of the upper one hold any of the pair's
/// locks. `HALF` is `T` / 2: lower CTAs are in the first half of the slots.
#[derive(LogicBlock)]
pub struct Holding<const T: usize, const HALF: usize, const LOCKS: usize> {
    /// Locks of each CTA as the lower one: those of its warps.
    pub locks_of: [Signal<In, Bits<LOCKS>>; HALF],
    /// Locks that the lower warp holds.
    pub by_lower: Signal<In, Bits<LOCKS>>,
    /// Locks that the upper warp holds.
    pub by_upper: Signal<In, Bits<LOCKS>>,
    /// Lower CTAs that hold locks.
    pub lower_holds: Signal<Out, Bits<T>>,
    /// Lower CTAs whose partners hold locks.
    pub upper_holds: Signal<Out, Bits<T>>,
    none: Constant<Bits<T>>,
    cta: [Constant<Bits<T>>; HALF],
}

impl<const T: usize, const HALF: usize, const LOCKS: usize> Default for Holding<T, HALF, LOCKS> {
    fn default() -> Self {
        const { assert!(T == 2 * HALF) };
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

impl<const T: usize, const HALF: usize, const LOCKS: usize> Logic for Holding<T, HALF, LOCKS> {
    #[hdl_gen]
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
