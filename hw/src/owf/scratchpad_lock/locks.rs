//! The lock of every pair of CTAs.

use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use rust_hdl::prelude::*;
use std::array;

/// `HALF` locks of `TW` bits, each the number of the CTA that holds it. Lock l belongs to the pair whose lower CTA is CTA l.
/// 0 means free.
#[derive(LogicBlock, Inputs)]
pub struct Locks<const HALF: usize, const TW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// All locks become free.
    pub clear: Signal<In, bool>,
    /// Bit k of how each lock is written when its lower CTA holds it.
    pub lower: [Signal<In, Bits<HALF>>; TW],
    /// The same of the upper CTA.
    pub upper: [Signal<In, Bits<HALF>>; TW],
    /// Locks that the lower CTA takes; wins over `frees`.
    pub lower_takes: Signal<In, Bits<HALF>>,
    /// Locks that the upper CTA takes.
    pub upper_takes: Signal<In, Bits<HALF>>,
    /// Locks that become free.
    pub frees: Signal<In, Bits<HALF>>,
    /// Locks that the lower CTA holds.
    pub by_lower: Signal<Out, Bits<HALF>>,
    /// Locks that the upper CTA holds.
    pub by_upper: Signal<Out, Bits<HALF>>,
    // State: bit k of all locks.
    plane: [Lazy<WriteBits<HALF>>; TW],
    held: Signal<Local, Bits<HALF>>,
    differs: Signal<Local, Bits<HALF>>,
    changes: Signal<Local, Bits<HALF>>,
    cleared: Signal<Local, Bits<HALF>>,
    none: Constant<Bits<HALF>>,
    every: Constant<Bits<HALF>>,
}

impl<const HALF: usize, const TW: usize> Default for Locks<HALF, TW> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            lower: array::from_fn(|_| Signal::default()),
            upper: array::from_fn(|_| Signal::default()),
            lower_takes: Signal::default(),
            upper_takes: Signal::default(),
            frees: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            plane: array::from_fn(|_| Lazy::default()),
            held: Signal::default(),
            differs: Signal::default(),
            changes: Signal::default(),
            cleared: Signal::default(),
            none: Constant::new(0u64.into()),
            every: Constant::new(Bits::mask()),
        }
    }
}

impl<const HALF: usize, const TW: usize> Logic for Locks<HALF, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.held.next = self.none.val();
        self.differs.next = self.none.val();
        for k in 0..TW {
            self.held.next = self.held.val() | self.plane[k].q.val();
            self.differs.next = self.differs.val() | (self.plane[k].q.val() ^ self.lower[k].val());
        }
        self.by_lower.next = !self.differs.val();
        self.by_upper.next = self.held.val() & self.differs.val();

        self.changes.next = (self.frees.val() | self.lower_takes.val()) | self.upper_takes.val();
        self.cleared.next = self.none.val();
        if self.clear.val() {
            self.cleared.next = self.every.val();
        }
        for k in 0..TW {
            self.plane[k].clock.next = self.clock.val();
            self.plane[k].reset.next = self.cleared.val();
            self.plane[k].write.next = self.changes.val();
            self.plane[k].value.next = (self.lower[k].val() & self.lower_takes.val())
                | (self.upper[k].val() & self.upper_takes.val());
        }
    }
}

/// How a lower CTA is written as a holder: by its number.
///
/// No other lock than lock 0 can be held by CTA 0, and of the pair of that any other CTA can be the upper one, so that no
/// number is left: as its holder, CTA 0 is written as (p1 ^ p0, 1), of the low bits of its partner p. That is neither 0 nor p.
#[derive(LogicBlock, Inputs)]
pub struct LowerNames<const HALF: usize, const TW: usize> {
    /// Bits 0 and 1 of the partners of the CTAs of the first half.
    pub partner: [Signal<In, Bits<HALF>>; 2],
    /// Bit k of the names.
    pub name: [Signal<Out, Bits<HALF>>; TW],
    first_lock: Constant<Bits<HALF>>,
    // Bit k of the CTAs' numbers; of CTA 0 it is 1 for k = 0.
    number: [Constant<Bits<HALF>>; TW],
}

impl<const HALF: usize, const TW: usize> Default for LowerNames<HALF, TW> {
    fn default() -> Self {
        const { assert!(2 * HALF == 1 << TW && TW >= 2) };
        let bit = |k: usize| -> u64 {
            let set = |lock: usize| lock >> k & 1 == 1 || (lock == 0 && k == 0);
            (0..HALF).map(|lock| u64::from(set(lock)) << lock).sum()
        };
        Self {
            partner: array::from_fn(|_| Signal::default()),
            name: array::from_fn(|_| Signal::default()),
            first_lock: Constant::new(1u64.into()),
            number: array::from_fn(|k| Constant::new(bit(k).into())),
        }
    }
}

impl<const HALF: usize, const TW: usize> Logic for LowerNames<HALF, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.name[0].next = self.number[0].val();
        self.name[1].next = self.number[1].val()
            | ((self.partner[0].val() ^ self.partner[1].val()) & self.first_lock.val());
        for k in 2..TW {
            self.name[k].next = self.number[k].val();
        }
    }
}
