//! One scheduler: who is older of any two of its warps, and the oldest ready warp of the best class.

use rust_hdl::prelude::*;
use std::array;

/// Choice among `N` warps, an even number. `M` is `N` - 1, `H` is `N` / 2, `NODES` is 2 `N` - 1; `IW` bits name
/// a slot, and `OW` bits those of all schedulers.
///
/// Of warps i > j one bit says that i is the older one. Warp r has r such bits and warp `M` - r the other `M` - r, so
/// both fit a row of `M` bits: in row r, bit j below r is about warps r and j, and bit r + j about `M` - r and j.
#[derive(LogicBlock)]
pub(super) struct OldestFirst<
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// A lower warp counts as older; wins over `launch`.
    pub clear: Signal<In, bool>,
    /// Warps that become the youngest.
    pub launch: Signal<In, Bits<N>>,
    /// Warps to choose from.
    pub ready: Signal<In, Bits<N>>,
    /// Warps that share.
    pub shared: Signal<In, Bits<N>>,
    /// Of those, the owners.
    pub owner: Signal<In, Bits<N>>,
    /// Some warp is ready.
    pub valid: Signal<Out, bool>,
    /// The bit of the chosen warp; none if none is ready.
    pub best: Signal<Out, Bits<N>>,
    // State: a bit per pair of warps.
    order: [DFF<Bits<M>>; H],
    launch_low: Signal<Local, Bits<M>>,
    launch_high: [Signal<Local, Bits<M>>; H],
    overtaken: [Signal<Local, Bits<M>>; H],
    kept_low: [Signal<Local, Bits<M>>; H],
    kept_high: [Signal<Local, Bits<M>>; H],
    order_next: [Signal<Local, Bits<M>>; H],
    shared_owners: Signal<Local, Bits<N>>,
    unshared: Signal<Local, Bits<N>>,
    eligible: Signal<Local, Bits<N>>,
    eligible_low: Signal<Local, Bits<M>>,
    older_high: [Signal<Local, Bits<M>>; H],
    younger: [Signal<Local, Bits<M>>; H],
    younger_high: [Signal<Local, Bits<M>>; H],
    // A tree of ORs, leaves first, the root last: warps that a higher one beats.
    beaten: [Signal<Local, Bits<M>>; NODES],
    beaten_warps: Signal<Local, Bits<M>>,
    from_above: Signal<Local, Bits<N>>,
    from_below: Signal<Local, Bits<N>>,
    row: [Constant<Bits<IW>>; H],
    below: [Constant<Bits<M>>; H],
    above: [Constant<Bits<M>>; H],
    all: Constant<Bits<M>>,
    none: Constant<Bits<M>>,
    single: [Constant<Bits<N>>; M],
    mirrored: [Constant<Bits<N>>; H],
    no_warp: Constant<Bits<N>>,
}

impl<const N: usize, const M: usize, const H: usize, const NODES: usize, const IW: usize>
    OldestFirst<N, M, H, NODES, IW>
{
    /// In its power-on state: a lower warp counts as older.
    pub fn new() -> Self {
        const { assert!(N == M + 1 && N == 2 * H && NODES == 2 * N - 1) };
        let below = |r: usize| (1u64 << r) - 1;
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            launch: Signal::default(),
            ready: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            valid: Signal::default(),
            best: Signal::default(),
            order: array::from_fn(|_| DFF::default()),
            launch_low: Signal::default(),
            launch_high: array::from_fn(|_| Signal::default()),
            overtaken: array::from_fn(|_| Signal::default()),
            kept_low: array::from_fn(|_| Signal::default()),
            kept_high: array::from_fn(|_| Signal::default()),
            order_next: array::from_fn(|_| Signal::default()),
            shared_owners: Signal::default(),
            unshared: Signal::default(),
            eligible: Signal::default(),
            eligible_low: Signal::default(),
            older_high: array::from_fn(|_| Signal::default()),
            younger: array::from_fn(|_| Signal::default()),
            younger_high: array::from_fn(|_| Signal::default()),
            beaten: array::from_fn(|_| Signal::default()),
            beaten_warps: Signal::default(),
            from_above: Signal::default(),
            from_below: Signal::default(),
            row: array::from_fn(|r| Constant::new((r as u64).into())),
            below: array::from_fn(|r| Constant::new(below(r).into())),
            above: array::from_fn(|r| Constant::new((below(M) ^ below(r)).into())),
            all: Constant::new(Bits::mask()),
            none: Constant::new(0u64.into()),
            single: array::from_fn(|r| Constant::new((1u64 << r).into())),
            mirrored: array::from_fn(|r| Constant::new((1u64 << (M - r)).into())),
            no_warp: Constant::new(0u64.into()),
        }
    }
}

impl<const N: usize, const M: usize, const H: usize, const NODES: usize, const IW: usize> Logic
    for OldestFirst<N, M, H, NODES, IW>
{
    #[hdl_gen]
    fn update(&mut self) {
        // Whoever is launched becomes younger than all others; of two that are launched together the higher one does.
        self.launch_low.next = self.launch.val().get_bits::<M>(0);
        for r in 0..H {
            self.launch_high[r].next = self.launch_low.val() << self.row[r].val();
            self.overtaken[r].next =
                (self.launch_low.val() & self.below[r].val()) | self.launch_high[r].val();
            self.kept_low[r].next = self.all.val();
            if self.launch.val().get_bit(r) {
                self.kept_low[r].next = self.above[r].val();
            }
            self.kept_high[r].next = self.all.val();
            if (self.launch.val() & self.mirrored[r].val()).any() {
                self.kept_high[r].next = self.below[r].val();
            }
            self.order_next[r].next = ((self.order[r].q.val() | self.overtaken[r].val())
                & self.kept_low[r].val())
                & self.kept_high[r].val();
            if self.clear.val() {
                self.order_next[r].next = self.none.val();
            }
            self.order[r].clock.next = self.clock.val();
            self.order[r].d.next = self.order_next[r].val();
        }

        // Only the best class that has a ready warp takes part.
        self.shared_owners.next = (self.ready.val() & self.shared.val()) & self.owner.val();
        self.unshared.next = self.ready.val() & (!self.shared.val());
        self.eligible.next = self.ready.val();
        if self.shared_owners.val().any() {
            self.eligible.next = self.shared_owners.val();
        } else if self.unshared.val().any() {
            self.eligible.next = self.unshared.val();
        }
        self.eligible_low.next = self.eligible.val().get_bits::<M>(0);

        // Of two eligible warps the younger one is beaten: the lower one by a bit of the higher one's, which the tree
        // collects, and the higher one by some bit of its own that is zero.
        self.from_below.next = self.no_warp.val();
        for r in 0..H {
            self.older_high[r].next = self.order[r].q.val() >> self.row[r].val();
            self.younger[r].next = !self.order[r].q.val();
            self.younger_high[r].next = self.younger[r].val() >> self.row[r].val();
            self.beaten[2 * r].next = self.none.val();
            if self.eligible.val().get_bit(r) {
                self.beaten[2 * r].next = self.order[r].q.val() & self.below[r].val();
            }
            self.beaten[(2 * r) + 1].next = self.none.val();
            if (self.eligible.val() & self.mirrored[r].val()).any() {
                self.beaten[(2 * r) + 1].next = self.older_high[r].val();
            }
            if ((self.younger[r].val() & self.below[r].val()) & self.eligible_low.val()).any() {
                self.from_below.next = self.from_below.val() | self.single[r].val();
            }
            if (self.younger_high[r].val() & self.eligible_low.val()).any() {
                self.from_below.next = self.from_below.val() | self.mirrored[r].val();
            }
        }
        for n in N..(N + 1) {
            for i in 0..M {
                self.beaten[n + i].next = self.beaten[2 * i].val() | self.beaten[(2 * i) + 1].val();
            }
        }
        for n in NODES..(NODES + 1) {
            self.beaten_warps.next = self.beaten[n - 1].val();
        }
        self.from_above.next = self.no_warp.val();
        for i in 0..M {
            if self.beaten_warps.val().get_bit(i) {
                self.from_above.next = self.from_above.val() | self.single[i].val();
            }
        }
        self.valid.next = self.ready.val().any();
        self.best.next =
            (self.eligible.val() & (!self.from_above.val())) & (!self.from_below.val());
    }
}
