//! One bank: its bits, the search for the pack to offer, and what changes at the edge.

use super::search::Search;
use super::update::Update;
use crate::common::find_first_zero::rtl::FindFirstZero;
use rust_hdl::prelude::*;
use std::array;

/// A bank of `C` chunks of `W` packs. Of the parameters see `FreeList`. Children are connected by plain wires only.
#[derive(LogicBlock)]
pub struct Bank<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// All packs become free.
    pub clear: Signal<In, bool>,
    /// Packs that are not offered.
    pub hidden: [Signal<In, Bits<W>>; C],
    /// Sub-arrays that count as occupied.
    pub reserved: Signal<In, Bits<4>>,
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<4>>,
    /// The offer is taken.
    pub take: Signal<In, bool>,
    /// A pack is given back.
    pub give: Signal<In, bool>,
    /// The pack.
    pub given: Signal<In, Bits<PW>>,
    /// A pack is offered.
    pub valid: Signal<Out, bool>,
    /// The pack.
    pub offer: Signal<Out, Bits<PW>>,
    /// Sub-arrays with a pack in use, or reserved.
    pub occupied: Signal<Out, Bits<4>>,
    /// The sub-array of the offer.
    pub request: Signal<Out, Bits<4>>,
    // State: a bit per pack in use.
    taken: [DFF<Bits<W>>; C],
    search: Search<W, C, CW, PER, ROUNDS, LESS>,
    finder: FindFirstZero<W, G, IW>,
    change: Update<W, IW, C, CW, PW>,
    pack: Signal<Local, Bits<PW>>,
    in_use: [Signal<Local, bool>; C],
    used_sub_arrays: Signal<Local, Bits<4>>,
    wanted_sub_array: Signal<Local, Bits<4>>,
    none: Constant<Bits<4>>,
    number: [Constant<Bits<CW>>; C],
    sub_array: [Constant<Bits<4>>; 4],
    no_pack: Constant<Bits<PW>>,
    pack_bit: [Constant<Bits<PW>>; PW],
}

impl<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> Default for Bank<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>
{
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            hidden: array::from_fn(|_| Signal::default()),
            reserved: Signal::default(),
            awake: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            given: Signal::default(),
            valid: Signal::default(),
            offer: Signal::default(),
            occupied: Signal::default(),
            request: Signal::default(),
            taken: array::from_fn(|_| DFF::default()),
            search: Search::default(),
            finder: FindFirstZero::default(),
            change: Update::default(),
            pack: Signal::default(),
            in_use: array::from_fn(|_| Signal::default()),
            used_sub_arrays: Signal::default(),
            wanted_sub_array: Signal::default(),
            none: Constant::new(0u64.into()),
            number: array::from_fn(|k| Constant::new((k as u64).into())),
            sub_array: array::from_fn(|s| Constant::new((1u64 << s).into())),
            no_pack: Constant::new(0u64.into()),
            pack_bit: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
        }
    }
}

impl<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> Logic for Bank<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>
{
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..C {
            self.taken[k].clock.next = self.clock.val();
            self.search.taken[k].next = self.taken[k].q.val();
            self.search.hidden[k].next = self.hidden[k].val();
            self.change.taken[k].next = self.taken[k].q.val();
            self.taken[k].d.next = self.change.after[k].val();
        }
        self.search.awake.next = self.awake.val();
        self.finder.mask.next = self.search.word.val();
        self.change.clear.next = self.clear.val();
        self.change.take.next = self.take.val();
        self.change.offered.next = self.finder.found.val();
        self.change.chunk.next = self.search.chunk.val();
        self.change.place.next = self.finder.index.val();
        self.change.give.next = self.give.val();
        self.change.given.next = self.given.val();

        // Without an offer, chunk and place are 0.
        self.valid.next = self.finder.found.val();
        self.pack.next = self.no_pack.val();
        for i in 0..IW {
            if self.finder.index.val().get_bit(i) {
                self.pack.next = self.pack.val() | self.pack_bit[i].val();
            }
        }
        for p in IW..(IW + 1) {
            for i in 0..CW {
                if self.search.chunk.val().get_bit(i) {
                    self.pack.next = self.pack.val() | self.pack_bit[p + i].val();
                }
            }
        }
        self.offer.next = self.pack.val();
        self.wanted_sub_array.next = self.none.val();
        self.used_sub_arrays.next = self.reserved.val();
        for p in PER..(PER + 1) {
            for s in 0..4 {
                for j in 0..PER {
                    if self.finder.found.val()
                        & (self.search.chunk.val() == self.number[(p * s) + j].val())
                    {
                        self.wanted_sub_array.next = self.sub_array[s].val();
                    }
                    self.in_use[(p * s) + j].next = self.taken[(p * s) + j].q.val().any();
                    if self.in_use[(p * s) + j].val() {
                        self.used_sub_arrays.next =
                            self.used_sub_arrays.val() | self.sub_array[s].val();
                    }
                }
            }
        }
        self.request.next = self.wanted_sub_array.val();
        self.occupied.next = self.used_sub_arrays.val();
    }
}
