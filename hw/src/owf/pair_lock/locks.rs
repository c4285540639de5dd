//! The lock of every warp pair.

use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use rust_hdl::prelude::*;
use std::array;

/// `LOCKS` locks of `IW` bits, each the number of the warp that holds it. Lock l belongs to the pair whose lower warp is
/// warp l; `LW` bits hold l.
///
/// 0 means free. No other lock than lock 0 can be held by warp 0; as its holder, warp 0 is written with all bits set.
#[derive(LogicBlock, Inputs)]
pub struct Locks<const LOCKS: usize, const IW: usize, const LW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// All locks become free.
    pub clear: Signal<In, bool>,
    /// Port a writes a lock; wins over port b.
    pub a_writes: Signal<In, bool>,
    /// Its warp takes it; else the lock becomes free.
    pub a_takes: Signal<In, bool>,
    /// The lock.
    pub a_lock: Signal<In, Bits<LW>>,
    /// The warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// As `a_writes`.
    pub b_writes: Signal<In, bool>,
    /// As `a_takes`.
    pub b_takes: Signal<In, bool>,
    /// As `a_lock`.
    pub b_lock: Signal<In, Bits<LW>>,
    /// As `a_warp`.
    pub b_warp: Signal<In, Bits<IW>>,
    /// Locks that the lower warp holds.
    pub by_lower: Signal<Out, Bits<LOCKS>>,
    /// Locks that the upper warp holds.
    pub by_upper: Signal<Out, Bits<LOCKS>>,
    // State: bit i of all locks.
    plane: [Lazy<WriteBits<LOCKS>>; IW],
    held: Signal<Local, Bits<LOCKS>>,
    differs: Signal<Local, Bits<LOCKS>>,
    a_name: Signal<Local, Bits<IW>>,
    b_name: Signal<Local, Bits<IW>>,
    a_bit: Signal<Local, Bits<LOCKS>>,
    b_bit: Signal<Local, Bits<LOCKS>>,
    cleared: Signal<Local, Bits<LOCKS>>,
    a_all: [Signal<Local, Bits<LOCKS>>; IW],
    b_all: [Signal<Local, Bits<LOCKS>>; IW],
    none: Constant<Bits<LOCKS>>,
    first: Constant<Bits<LOCKS>>,
    every: Constant<Bits<LOCKS>>,
    nobody: Constant<Bits<IW>>,
    ones: Constant<Bits<IW>>,
    // Bit i of how each lock is written when its lower warp holds it.
    lower: [Constant<Bits<LOCKS>>; IW],
}

impl<const LOCKS: usize, const IW: usize, const LW: usize> Default for Locks<LOCKS, IW, LW> {
    fn default() -> Self {
        // As its lower warp l writes lock l; warp 0 is written with all bits set.
        let bit = |i: usize| -> u64 {
            let set = |lock: usize| lock == 0 || lock >> i & 1 == 1;
            (0..LOCKS).map(|lock| u64::from(set(lock)) << lock).sum()
        };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            a_writes: Signal::default(),
            a_takes: Signal::default(),
            a_lock: Signal::default(),
            a_warp: Signal::default(),
            b_writes: Signal::default(),
            b_takes: Signal::default(),
            b_lock: Signal::default(),
            b_warp: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            plane: array::from_fn(|_| Lazy::default()),
            held: Signal::default(),
            differs: Signal::default(),
            a_name: Signal::default(),
            b_name: Signal::default(),
            a_bit: Signal::default(),
            b_bit: Signal::default(),
            cleared: Signal::default(),
            a_all: array::from_fn(|_| Signal::default()),
            b_all: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            first: Constant::new(1u64.into()),
            every: Constant::new(Bits::mask()),
            nobody: Constant::new(0u64.into()),
            ones: Constant::new(Bits::mask()),
            lower: array::from_fn(|i| Constant::new(bit(i).into())),
        }
    }
}

impl<const LOCKS: usize, const IW: usize, const LW: usize> Logic for Locks<LOCKS, IW, LW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.held.next = self.none.val();
        self.differs.next = self.none.val();
        for i in 0..IW {
            self.held.next = self.held.val() | self.plane[i].q.val();
            self.differs.next = self.differs.val() | (self.plane[i].q.val() ^ self.lower[i].val());
        }
        self.by_lower.next = !self.differs.val();
        self.by_upper.next = self.held.val() & self.differs.val();

        self.a_name.next = self.nobody.val();
        if self.a_takes.val() {
            self.a_name.next = self.a_warp.val();
            if self.a_warp.val() == self.nobody.val() {
                self.a_name.next = self.ones.val();
            }
        }
        self.b_name.next = self.nobody.val();
        if self.b_takes.val() {
            self.b_name.next = self.b_warp.val();
            if self.b_warp.val() == self.nobody.val() {
                self.b_name.next = self.ones.val();
            }
        }
        self.a_bit.next = self.none.val();
        if self.a_writes.val() {
            self.a_bit.next = self.first.val();
        }
        self.a_bit.next = self.a_bit.val() << self.a_lock.val();
        self.b_bit.next = self.none.val();
        if self.b_writes.val() {
            self.b_bit.next = self.first.val();
        }
        self.b_bit.next = self.b_bit.val() << self.b_lock.val();
        self.cleared.next = self.none.val();
        if self.clear.val() {
            self.cleared.next = self.every.val();
        }
        for i in 0..IW {
            self.a_all[i].next = self.none.val();
            if self.a_name.val().get_bit(i) {
                self.a_all[i].next = self.every.val();
            }
            self.b_all[i].next = self.none.val();
            if self.b_name.val().get_bit(i) {
                self.b_all[i].next = self.every.val();
            }
            self.plane[i].clock.next = self.clock.val();
            self.plane[i].reset.next = self.cleared.val();
            self.plane[i].write.next = self.a_bit.val() | self.b_bit.val();
            self.plane[i].value.next = (self.a_all[i].val() & self.a_bit.val())
                | (self.b_all[i].val() & (!self.a_bit.val()));
        }
    }
}
