//! The lock of every warp pair.

use rust_hdl::prelude::*;
use std::array;

/// `LOCKS` locks of `IW` bits, each the number of the warp that holds it. Lock l belongs to the pair whose lower warp is
/// warp l.
///
/// 0 means free. No other lock than lock 0 can be held by warp 0; as its holder, warp 0 is written with all bits set.
#[derive(LogicBlock)]
pub struct Locks<const LOCKS: usize, const IW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// All locks become free.
    pub clear: Signal<In, bool>,
    /// Lock that port a's warp takes; wins over `frees`.
    pub a_takes: Signal<In, Bits<LOCKS>>,
    /// Port a's warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// Lock that port b's warp takes.
    pub b_takes: Signal<In, Bits<LOCKS>>,
    /// Port b's warp.
    pub b_warp: Signal<In, Bits<IW>>,
    /// Locks that become free.
    pub frees: Signal<In, Bits<LOCKS>>,
    /// Locks that the lower warp holds.
    pub by_lower: Signal<Out, Bits<LOCKS>>,
    /// Locks that the upper warp holds.
    pub by_upper: Signal<Out, Bits<LOCKS>>,
    // State: bit i of all locks.
    plane: [DFF<Bits<LOCKS>>; IW],
    held: Signal<Local, Bits<LOCKS>>,
    differs: Signal<Local, Bits<LOCKS>>,
    keeps: Signal<Local, Bits<LOCKS>>,
    a_holder: Signal<Local, Bits<IW>>,
    b_holder: Signal<Local, Bits<IW>>,
    next_plane: [Signal<Local, Bits<LOCKS>>; IW],
    none: Constant<Bits<LOCKS>>,
    // Bit i of how each lock is written when its lower warp holds it.
    lower: [Constant<Bits<LOCKS>>; IW],
    warp_zero: Constant<Bits<IW>>,
    warp_ones: Constant<Bits<IW>>,
}

impl<const LOCKS: usize, const IW: usize> Default for Locks<LOCKS, IW> {
    fn default() -> Self {
        // As its lower warp l writes lock l; warp 0 is written with all bits set.
        let bit = |i: usize| -> u64 {
            let set = |lock: usize| lock == 0 || lock >> i & 1 == 1;
            (0..LOCKS).map(|lock| u64::from(set(lock)) << lock).sum()
        };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            a_takes: Signal::default(),
            a_warp: Signal::default(),
            b_takes: Signal::default(),
            b_warp: Signal::default(),
            frees: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            plane: array::from_fn(|_| DFF::default()),
            held: Signal::default(),
            differs: Signal::default(),
            keeps: Signal::default(),
            a_holder: Signal::default(),
            b_holder: Signal::default(),
            next_plane: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            lower: array::from_fn(|i| Constant::new(bit(i).into())),
            warp_zero: Constant::new(0u64.into()),
            warp_ones: Constant::new(Bits::mask()),
        }
    }
}

impl<const LOCKS: usize, const IW: usize> Logic for Locks<LOCKS, IW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.next = self.none.val();
        self.differs.next = self.none.val();
        for i in 0..IW {
            self.held.next = self.held.val() | self.plane[i].q.val();
            self.differs.next = self.differs.val() | (self.plane[i].q.val() ^ self.lower[i].val());
        }
        self.by_lower.next = !self.differs.val();
        self.by_upper.next = self.held.val() & self.differs.val();

        self.a_holder.next = self.a_warp.val();
        if self.a_warp.val() == self.warp_zero.val() {
            self.a_holder.next = self.warp_ones.val();
        }
        self.b_holder.next = self.b_warp.val();
        if self.b_warp.val() == self.warp_zero.val() {
            self.b_holder.next = self.warp_ones.val();
        }
        // A lock is taken that is free, or again by its holder: nothing has to be erased.
        self.keeps.next = !self.frees.val();
        for i in 0..IW {
            self.plane[i].clock.next = self.clock.val();
            self.next_plane[i].next = self.plane[i].q.val() & self.keeps.val();
            if self.a_holder.val().get_bit(i) {
                self.next_plane[i].next = self.next_plane[i].val() | self.a_takes.val();
            }
            if self.b_holder.val().get_bit(i) {
                self.next_plane[i].next = self.next_plane[i].val() | self.b_takes.val();
            }
            if self.clear.val() {
                self.next_plane[i].next = self.none.val();
            }
            self.plane[i].d.next = self.next_plane[i].val();
        }
    }
}
