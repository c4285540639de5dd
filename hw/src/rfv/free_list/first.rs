//! The lowest free pack of a chunk: a tree of choices between neighbours, all packs at once.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// A search over `W` packs; `IW` is log2 `W`. It does not wait for what is chosen of other chunks.
///
/// Round l asks runs of 2^l packs two by two. Bit i of a word is about the run that begins at pack i; of a round only the
/// words' bits at its runs count.
#[derive(LogicBlock, Inputs)]
pub struct First<const W: usize, const IW: usize> {
    /// A bit per pack in use.
    pub taken: Signal<In, Bits<W>>,
    /// Packs that are not offered.
    pub hidden: Signal<In, Bits<W>>,
    /// Some pack may be offered.
    pub found: Signal<Out, bool>,
    /// The lowest of them; if there is none, any.
    pub place: Signal<Out, Bits<IW>>,
    // The run has a pack that may be offered, and bit b of the first one's place.
    some: Signal<Local, Bits<W>>,
    lane: [Signal<Local, Bits<W>>; IW],
    lowest: Signal<Local, Bits<IW>>,
    run: [Constant<Bits<IW>>; IW],
    none: Constant<Bits<W>>,
    zero: Constant<Bits<IW>>,
    place_bit: [Constant<Bits<IW>>; IW],
}

impl<const W: usize, const IW: usize> Default for First<W, IW> {
    fn default() -> Self {
        const { assert!(W == 1 << IW) };
        Self {
            taken: Signal::default(),
            hidden: Signal::default(),
            found: Signal::default(),
            place: Signal::default(),
            some: Signal::default(),
            lane: array::from_fn(|_| Signal::default()),
            lowest: Signal::default(),
            run: array::from_fn(|round| Constant::new((1u64 << round).into())),
            none: Constant::new(0u64.into()),
            zero: Constant::new(0u64.into()),
            place_bit: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
        }
    }
}

impl<const W: usize, const IW: usize> Logic for First<W, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.some.next = !(self.taken.val() | self.hidden.val());
        for b in 0..IW {
            self.lane[b].next = self.none.val();
        }
        for round in 0..IW {
            // The place of the left run's first one, if it has one, else of the right run's.
            for b in 0..IW {
                self.lane[b].next = (self.lane[b].val() & self.some.val())
                    | ((self.lane[b].val() >> self.run[round].val()) & (!self.some.val()));
            }
            self.lane[round].next = !self.some.val();
            self.some.next = self.some.val() | (self.some.val() >> self.run[round].val());
        }
        self.found.next = self.some.val().get_bit(0);
        self.lowest.next = self.zero.val();
        for b in 0..IW {
            if self.lane[b].val().get_bit(0) {
                self.lowest.next = self.lowest.val() | self.place_bit[b].val();
            }
        }
        self.place.next = self.lowest.val();
    }
}
