//! One scheduler: who is older of any two of its warps, and the oldest ready warp of the best class.

use super::tournament::Tournament;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::set_reset::SetReset;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Choice among `N` warps, a power of two or three times one. `M` is `N` - 1, `H` is `N` / 2, `NODES` is 2 `N` - 1; `IW`
/// bits name a slot.
///
/// Of warps i > j one bit says that i is the older one. Warp r has r such bits and warp `M` - r the other `M` - r, so
/// both fit a row of `M` bits: in row r, bit j below r is about warps r and j, and bit r + j about `M` - r and j.
#[derive(LogicBlock, Inputs)]
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
    /// The slot of the chosen warp; 0 if none is ready, as the champion is warp 0 then.
    pub chosen: Signal<Out, Bits<IW>>,
    // State: a bit per pair of warps.
    order: [Lazy<SetReset<M>>; H],
    tournament: Lazy<Tournament<N, M, NODES, IW>>,
    launch_low: Signal<Local, Bits<M>>,
    put_last: Signal<Local, Bits<M>>,
    shared_owners: Signal<Local, Bits<N>>,
    unshared: Signal<Local, Bits<N>>,
    eligible: Signal<Local, Bits<N>>,
    row: [Constant<Bits<IW>>; H],
    below: [Constant<Bits<M>>; H],
    above: [Constant<Bits<M>>; H],
    none: Constant<Bits<M>>,
    all: Constant<Bits<M>>,
    mirrored: [Constant<Bits<N>>; H],
    first_slot: Constant<Bits<IW>>,
}

impl<const N: usize, const M: usize, const H: usize, const NODES: usize, const IW: usize>
    OldestFirst<N, M, H, NODES, IW>
{
    /// In its power-on state: a lower warp counts as older. Of the slots `first`, `first` + `step` and so on; `step` is a
    /// power of two above `first`.
    pub fn new(first: usize, step: usize) -> Self {
        const { assert!(N == M + 1 && N == 2 * H) };
        let below = |r: usize| (1u64 << r) - 1;
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            launch: Signal::default(),
            ready: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            valid: Signal::default(),
            chosen: Signal::default(),
            order: array::from_fn(|_| Lazy::new(SetReset::reset_wins())),
            tournament: Lazy::new(Tournament::new(step)),
            launch_low: Signal::default(),
            put_last: Signal::default(),
            shared_owners: Signal::default(),
            unshared: Signal::default(),
            eligible: Signal::default(),
            row: array::from_fn(|r| Constant::new((r as u64).into())),
            below: array::from_fn(|r| Constant::new(below(r).into())),
            above: array::from_fn(|r| Constant::new((below(M) ^ below(r)).into())),
            none: Constant::new(0u64.into()),
            all: Constant::new(Bits::mask()),
            mirrored: array::from_fn(|r| Constant::new((1u64 << (M - r)).into())),
            first_slot: Constant::new((first as u64).into()),
        }
    }
}

impl<const N: usize, const M: usize, const H: usize, const NODES: usize, const IW: usize> Logic
    for OldestFirst<N, M, H, NODES, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // Whoever is launched becomes younger than all others; of two that are launched together the higher one does.
        self.launch_low.next = self.launch.val().get_bits::<M>(0);
        for r in 0..H {
            self.put_last.next = self.none.val();
            if self.launch.val().get_bit(r) {
                self.put_last.next = self.below[r].val();
            }
            if (self.launch.val() & self.mirrored[r].val()).any() {
                self.put_last.next = self.put_last.val() | self.above[r].val();
            }
            if self.clear.val() {
                self.put_last.next = self.all.val();
            }
            self.order[r].clock.next = self.clock.val();
            self.order[r].set.next = (self.launch_low.val() & self.below[r].val())
                | (self.launch_low.val() << self.row[r].val());
            self.order[r].reset.next = self.put_last.val();
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
        self.tournament.players.next = self.eligible.val();
        for m in M..(M + 1) {
            for r in 0..H {
                self.tournament.older[r].next = self.order[r].q.val() & self.below[r].val();
                self.tournament.older[m - r].next = self.order[r].q.val() >> self.row[r].val();
            }
        }
        self.valid.next = self.tournament.some_play.val();
        self.chosen.next = self.tournament.champion.val();
        if self.valid.val() {
            self.chosen.next = self.tournament.champion.val() | self.first_slot.val();
        }
    }
}
