//! Who is the oldest of some warps, by a tournament of neighbours.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// A tournament of `N` warps, a power of two or three times one, at least four. `M` is `N` - 1, `NODES` 2 `N` - 1; `IW` bits
/// name a slot.
///
/// Nodes 0 to `M` are the warps, and node `N` + i is whoever wins of nodes 2 i and 2 i + 1; the last is the champion. Each
/// node has a row that says whom of the nodes below it on its level it is older than, a bit at the place of each: that of
/// its first warp. The row of a winner is that of one of two players, and of a place that of one of two opponents, so a
/// pair takes a multiplexer with four inputs where all pairs at once would take a comparison each. A node without warps
/// loses; that is brought in before the multiplexers, where it does not wait for the games.
#[derive(LogicBlock, Inputs)]
pub(super) struct Tournament<const N: usize, const M: usize, const NODES: usize, const IW: usize> {
    /// Warps that take part.
    pub players: Signal<In, Bits<N>>,
    /// Of each warp the lower ones that it is older than.
    pub older: [Signal<In, Bits<M>>; N],
    /// The slot of the oldest; that of warp 0 if nobody takes part.
    pub champion: Signal<Out, Bits<IW>>,
    /// Somebody takes part.
    pub some_play: Signal<Out, bool>,
    some: [Signal<Local, bool>; NODES],
    // What absent opponents set in the rows that make a node's row, and what the node's own absence leaves.
    walkovers: Signal<Local, Bits<M>>,
    present: Signal<Local, Bits<M>>,
    row: [Signal<Local, Bits<M>>; NODES],
    // The upper player wins.
    upper_wins: [Signal<Local, bool>; M],
    // Places of lower nodes of the same level whose upper player wins.
    uppers: Signal<Local, Bits<M>>,
    lower_row: Signal<Local, Bits<M>>,
    upper_row: Signal<Local, Bits<M>>,
    slot: [Signal<Local, Bits<IW>>; NODES],
    // The champion's: nobody is left to ask.
    unused_row: Signal<Local, Bits<M>>,
    // Of node N + i: its place, that of its lower player,
    place: [Constant<Bits<M>>; M],
    lower_place: [Constant<Bits<M>>; M],
    // the places of the players of the node that it plays next, and of the one before if it is the third of three; all
    // others; those of nodes below it, and how far its players are apart.
    rival: [Constant<Bits<M>>; M],
    far_rival: [Constant<Bits<M>>; M],
    others: [Constant<Bits<M>>; M],
    opponents: [Constant<Bits<M>>; M],
    step: [Constant<Bits<IW>>; M],
    // Whether node N + i has a neighbour above it on its level.
    goes_on: [Constant<Bits<M>>; M],
    slots: [Constant<Bits<IW>>; N],
    none: Constant<Bits<M>>,
    all: Constant<Bits<M>>,
}

/// Level of a node, and the place of its first warp.
const fn position(warps: usize, node: usize) -> (usize, usize) {
    let (mut level, mut first, mut width) = (0, 0, warps);
    while node >= first + width && width > 1 {
        first += width;
        width /= 2;
        level += 1;
    }
    (level, (node - first) << level)
}

impl<const N: usize, const M: usize, const NODES: usize, const IW: usize>
    Tournament<N, M, NODES, IW>
{
    /// For the slots `first`, `first` + `step` and so on.
    pub fn new(step: usize) -> Self {
        const {
            assert!(N == M + 1 && NODES == 2 * N - 1 && N >= 4);
            assert!(N.is_power_of_two() || N.is_multiple_of(3) && (N / 3).is_power_of_two());
        }
        let bit = |place: usize| if place < M { 1u64 << place } else { 0 };
        let all = (1u64 << M) - 1;
        let place = |node: usize| bit(position(N, node).1);
        let both = |i: usize| place(2 * i) | place(2 * i + 1);
        let is_third = |i: usize| N.is_multiple_of(3) && i == N - 4;
        let rival = |i: usize| match i % 2 == 1 || is_third(i) {
            true => both(i - 1),
            false => 0,
        };
        let far_rival = |i: usize| if is_third(i) { both(i - 2) } else { 0 };
        let level = |i: usize| position(N, N + i).0;
        let opponents = |i: usize| -> u64 {
            (0..i)
                .filter(|&below| level(below) == level(i))
                .map(|below| place(N + below))
                .sum()
        };
        let goes_on = |i: usize| i + 1 < M && level(i + 1) == level(i);
        Self {
            players: Signal::default(),
            older: array::from_fn(|_| Signal::default()),
            champion: Signal::default(),
            some_play: Signal::default(),
            some: array::from_fn(|_| Signal::default()),
            walkovers: Signal::default(),
            present: Signal::default(),
            row: array::from_fn(|_| Signal::default()),
            upper_wins: array::from_fn(|_| Signal::default()),
            uppers: Signal::default(),
            lower_row: Signal::default(),
            upper_row: Signal::default(),
            unused_row: Signal::default(),
            slot: array::from_fn(|_| Signal::default()),
            place: array::from_fn(|i| Constant::new(place(N + i).into())),
            lower_place: array::from_fn(|i| Constant::new(place(2 * i).into())),
            rival: array::from_fn(|i| Constant::new(rival(i).into())),
            far_rival: array::from_fn(|i| Constant::new(far_rival(i).into())),
            others: array::from_fn(|i| Constant::new((all ^ (rival(i) | far_rival(i))).into())),
            opponents: array::from_fn(|i| Constant::new(opponents(i).into())),
            step: array::from_fn(|i| Constant::new((1u64 << (level(i) - 1)).into())),
            goes_on: array::from_fn(|i| Constant::new(if goes_on(i) { all } else { 0 }.into())),
            slots: array::from_fn(|i| Constant::new(((i * step) as u64).into())),
            none: Constant::new(0u64.into()),
            all: Constant::new(all.into()),
        }
    }
}

impl<const N: usize, const M: usize, const NODES: usize, const IW: usize> Logic
    for Tournament<N, M, NODES, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..N {
            self.some[i].next = self.players.val().get_bit(i);
            self.slot[i].next = self.slots[i].val();
            self.row[i].next = self.older[i].val();
        }
        for n in N..(N + 1) {
            for i in 0..M {
                self.some[n + i].next = self.some[2 * i].val() | self.some[(2 * i) + 1].val();
            }
            // Who is absent loses against the neighbour.
            for i in 0..(N / 2) {
                if !self.some[2 * i].val() {
                    self.row[(2 * i) + 1].next =
                        self.row[(2 * i) + 1].val() | self.lower_place[i].val();
                }
                if !self.some[(2 * i) + 1].val() {
                    self.row[(2 * i) + 1].next =
                        self.row[(2 * i) + 1].val() & (!self.lower_place[i].val());
                }
            }
            self.uppers.next = self.none.val();
            for i in 0..M {
                self.upper_wins[i].next =
                    (self.row[(2 * i) + 1].val() & self.lower_place[i].val()).any();
                self.walkovers.next = self.none.val();
                if !self.some[(n + i) - 1].val() {
                    self.walkovers.next = self.rival[i].val();
                }
                if !self.some[(n + i) - 2].val() {
                    self.walkovers.next = self.walkovers.val() | self.far_rival[i].val();
                }
                self.present.next = self.all.val();
                if !self.some[n + i].val() {
                    self.present.next = self.others[i].val();
                }
                self.lower_row.next =
                    (self.row[2 * i].val() | self.walkovers.val()) & self.present.val();
                self.upper_row.next =
                    (self.row[(2 * i) + 1].val() | self.walkovers.val()) & self.present.val();
                self.row[n + i].next = ((self.uppers.val()
                    & (self.lower_row.val() >> self.step[i].val()))
                    | ((!self.uppers.val()) & self.lower_row.val()))
                    & self.opponents[i].val();
                if self.upper_wins[i].val() {
                    self.row[n + i].next = ((self.uppers.val()
                        & (self.upper_row.val() >> self.step[i].val()))
                        | ((!self.uppers.val()) & self.upper_row.val()))
                        & self.opponents[i].val();
                }
                if self.upper_wins[i].val() {
                    self.uppers.next = self.uppers.val() | self.place[i].val();
                }
                self.uppers.next = self.uppers.val() & self.goes_on[i].val();
            }
            // The last three, if there are three: the third meets both others, not only who wins of them.
            for third in (N - 4)..((N - 4) + ((2 - (N % 3)) / 2)) {
                self.upper_wins[third + 2].next =
                    !((self.row[n + third].val() & self.place[third - 2].val()).any()
                        & (self.row[n + third].val() & self.place[third - 1].val()).any());
            }
            for i in 0..M {
                self.slot[n + i].next = self.slot[2 * i].val();
                if self.upper_wins[i].val() {
                    self.slot[n + i].next = self.slot[(2 * i) + 1].val();
                }
            }
            for root in (NODES - 1)..NODES {
                self.unused_row.next = self.row[root].val();
                self.some_play.next = self.some[root].val();
                self.champion.next = self.slot[root].val();
            }
        }
    }
}
