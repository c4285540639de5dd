//! One bank: its bits, the search for the pack to offer, and what changes at the edge.

use super::search::Search;
use super::update::Update;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::set_reset::SetReset;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// A bank of `C` chunks of `W` packs. Of the parameters see `FreeList`. Children are connected by plain wires only.
#[derive(LogicBlock, Inputs)]
pub struct Bank<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// All packs become free.
    pub clear: Signal<In, bool>,
    /// Packs that are not offered,
    pub hidden: [Signal<In, Bits<W>>; C],
    /// and chunks of which none is.
    pub skipped: [Signal<In, bool>; C],
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
    taken: [Lazy<SetReset<W>>; C],
    search: Lazy<Search<W, IW, C, CW, PER, PW>>,
    change: Lazy<Update<W, IW, C, CW, PER, PW>>,
    in_use: [Signal<Local, bool>; C],
    used_sub_arrays: Signal<Local, Bits<4>>,
    sub_array: [Constant<Bits<4>>; 4],
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> Default for Bank<W, IW, C, CW, PER, PW>
{
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            hidden: array::from_fn(|_| Signal::default()),
            skipped: array::from_fn(|_| Signal::default()),
            reserved: Signal::default(),
            awake: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            given: Signal::default(),
            valid: Signal::default(),
            offer: Signal::default(),
            occupied: Signal::default(),
            request: Signal::default(),
            taken: array::from_fn(|_| Lazy::new(SetReset::set_wins())),
            search: Lazy::default(),
            change: Lazy::default(),
            in_use: array::from_fn(|_| Signal::default()),
            used_sub_arrays: Signal::default(),
            sub_array: array::from_fn(|s| Constant::new((1u64 << s).into())),
        }
    }
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> Logic for Bank<W, IW, C, CW, PER, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for k in 0..C {
            self.taken[k].clock.next = self.clock.val();
            self.taken[k].set.next = self.change.set[k].val();
            self.taken[k].reset.next = self.change.reset[k].val();
            self.search.taken[k].next = self.taken[k].q.val();
            self.search.hidden[k].next = self.hidden[k].val();
            self.search.skipped[k].next = self.skipped[k].val();
        }
        self.search.awake.next = self.awake.val();
        self.change.clear.next = self.clear.val();
        self.change.take.next = self.take.val();
        self.change.pack.next = self.search.pack.val();
        self.change.sub_array.next = self.search.sub_array.val();
        self.change.give.next = self.give.val();
        self.change.given.next = self.given.val();
        self.valid.next = self.search.found.val();
        self.offer.next = self.search.pack.val();
        self.used_sub_arrays.next = self.reserved.val();
        for p in PER..(PER + 1) {
            for s in 0..4 {
                for j in 0..PER {
                    self.in_use[(p * s) + j].next = self.taken[(p * s) + j].q.val().any();
                    if self.in_use[(p * s) + j].val() {
                        self.used_sub_arrays.next =
                            self.used_sub_arrays.val() | self.sub_array[s].val();
                    }
                }
            }
        }
        self.occupied.next = self.used_sub_arrays.val();
        self.request.next = self.search.sub_array.val();
    }
}
