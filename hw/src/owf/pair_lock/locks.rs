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
    /// The lock that `a_warp` holds.
    pub a_held: Signal<Out, Bits<LOCKS>>,
    /// The lock that `b_warp` holds.
    pub b_held: Signal<Out, Bits<LOCKS>>,
    // State: bit i of all locks.
    plane: [DFF<Bits<LOCKS>>; IW],
    held: Signal<Local, Bits<LOCKS>>,
    differs: Signal<Local, Bits<LOCKS>>,
    keeps: Signal<Local, Bits<LOCKS>>,
    a_name: HolderName<LOCKS, IW>,
    b_name: HolderName<LOCKS, IW>,
    a_differs: Signal<Local, Bits<LOCKS>>,
    b_differs: Signal<Local, Bits<LOCKS>>,
    next_plane: [Signal<Local, Bits<LOCKS>>; IW],
    none: Constant<Bits<LOCKS>>,
    // Bit i of how each lock is written when its lower warp holds it.
    lower: [Constant<Bits<LOCKS>>; IW],
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
            a_held: Signal::default(),
            b_held: Signal::default(),
            plane: array::from_fn(|_| DFF::default()),
            held: Signal::default(),
            differs: Signal::default(),
            keeps: Signal::default(),
            a_name: HolderName::default(),
            b_name: HolderName::default(),
            a_differs: Signal::default(),
            b_differs: Signal::default(),
            next_plane: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            lower: array::from_fn(|i| Constant::new(bit(i).into())),
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

        // A warp holds the lock that names it.
        self.a_name.warp.next = self.a_warp.val();
        self.b_name.warp.next = self.b_warp.val();
        self.a_differs.next = self.none.val();
        self.b_differs.next = self.none.val();
        for i in 0..IW {
            if self.a_name.name.val().get_bit(i) {
                self.a_differs.next = self.a_differs.val() | (!self.plane[i].q.val());
            } else {
                self.a_differs.next = self.a_differs.val() | self.plane[i].q.val();
            }
            if self.b_name.name.val().get_bit(i) {
                self.b_differs.next = self.b_differs.val() | (!self.plane[i].q.val());
            } else {
                self.b_differs.next = self.b_differs.val() | self.plane[i].q.val();
            }
        }
        self.a_held.next = (!self.a_differs.val()) & self.a_name.locks.val();
        self.b_held.next = (!self.b_differs.val()) & self.b_name.locks.val();

        self.keeps.next = !((self.frees.val() | self.a_takes.val()) | self.b_takes.val());
        for i in 0..IW {
            self.plane[i].clock.next = self.clock.val();
            self.next_plane[i].next = self.plane[i].q.val() & self.keeps.val();
            if self.a_name.name.val().get_bit(i) {
                self.next_plane[i].next = self.next_plane[i].val() | self.a_takes.val();
            }
            if self.b_name.name.val().get_bit(i) {
                self.next_plane[i].next = self.next_plane[i].val() | self.b_takes.val();
            }
            if self.clear.val() {
                self.next_plane[i].next = self.none.val();
            }
            self.plane[i].d.next = self.next_plane[i].val();
        }
    }
}

/// How a warp is written as a holder, and in which locks that means this warp.
#[derive(LogicBlock)]
pub struct HolderName<const LOCKS: usize, const IW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// How it is written.
    pub name: Signal<Out, Bits<IW>>,
    /// Locks that can name it: warp 0 only lock 0, a warp with all bits set only another.
    pub locks: Signal<Out, Bits<LOCKS>>,
    zero: Constant<Bits<IW>>,
    ones: Constant<Bits<IW>>,
    first_lock: Constant<Bits<LOCKS>>,
    other_locks: Constant<Bits<LOCKS>>,
    every_lock: Constant<Bits<LOCKS>>,
}

impl<const LOCKS: usize, const IW: usize> Default for HolderName<LOCKS, IW> {
    fn default() -> Self {
        Self {
            warp: Signal::default(),
            name: Signal::default(),
            locks: Signal::default(),
            zero: Constant::new(0u64.into()),
            ones: Constant::new(Bits::mask()),
            first_lock: Constant::new(1u64.into()),
            other_locks: Constant::new(((1u64 << LOCKS) - 2).into()),
            every_lock: Constant::new(Bits::mask()),
        }
    }
}

impl<const LOCKS: usize, const IW: usize> Logic for HolderName<LOCKS, IW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.name.next = self.warp.val();
        self.locks.next = self.every_lock.val();
        if self.warp.val() == self.zero.val() {
            self.name.next = self.ones.val();
            self.locks.next = self.first_lock.val();
        } else if self.warp.val() == self.ones.val() {
            self.locks.next = self.other_locks.val();
        }
    }
}
