//! What the packs of a bank become at the edge.

use rust_hdl::prelude::*;
use std::array;

/// Marks the pack that is taken and frees the one that is given back. A pack of `PW` bits is a chunk of `CW` bits, above a
/// place in it of `IW` bits.
#[derive(LogicBlock)]
pub struct Update<const W: usize, const IW: usize, const C: usize, const CW: usize, const PW: usize>
{
    /// All packs become free.
    pub clear: Signal<In, bool>,
    /// The offer is to be taken,
    pub take: Signal<In, bool>,
    /// if there is one:
    pub offered: Signal<In, bool>,
    /// its chunk,
    pub chunk: Signal<In, Bits<CW>>,
    /// and its place in the chunk.
    pub place: Signal<In, Bits<IW>>,
    /// A pack is given back.
    pub give: Signal<In, bool>,
    /// The pack.
    pub given: Signal<In, Bits<PW>>,
    /// A bit per pack in use,
    pub taken: [Signal<In, Bits<W>>; C],
    /// and after the edge.
    pub after: [Signal<Out, Bits<W>>; C],
    given_chunk: Signal<Local, Bits<CW>>,
    given_place: Signal<Local, Bits<IW>>,
    taken_bit: Signal<Local, Bits<W>>,
    given_bit: Signal<Local, Bits<W>>,
    others: Signal<Local, Bits<W>>,
    takes: Signal<Local, bool>,
    kept: [Signal<Local, Bits<W>>; C],
    added: [Signal<Local, Bits<W>>; C],
    none: Constant<Bits<W>>,
    one: Constant<Bits<W>>,
    all: Constant<Bits<W>>,
    number: [Constant<Bits<CW>>; C],
}

impl<const W: usize, const IW: usize, const C: usize, const CW: usize, const PW: usize> Default
    for Update<W, IW, C, CW, PW>
{
    fn default() -> Self {
        const { assert!(W == 1 << IW && C == 1 << CW && PW == IW + CW) };
        Self {
            clear: Signal::default(),
            take: Signal::default(),
            offered: Signal::default(),
            chunk: Signal::default(),
            place: Signal::default(),
            give: Signal::default(),
            given: Signal::default(),
            taken: array::from_fn(|_| Signal::default()),
            after: array::from_fn(|_| Signal::default()),
            given_chunk: Signal::default(),
            given_place: Signal::default(),
            taken_bit: Signal::default(),
            given_bit: Signal::default(),
            others: Signal::default(),
            takes: Signal::default(),
            kept: array::from_fn(|_| Signal::default()),
            added: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
            number: array::from_fn(|k| Constant::new((k as u64).into())),
        }
    }
}

impl<const W: usize, const IW: usize, const C: usize, const CW: usize, const PW: usize> Logic
    for Update<W, IW, C, CW, PW>
{
    #[hdl_gen]
    fn update(&mut self) {
        for p in IW..(IW + 1) {
            self.given_chunk.next = self.given.val().get_bits::<CW>(p);
        }
        self.given_place.next = self.given.val().get_bits::<IW>(0);
        self.given_bit.next = self.one.val() << self.given_place.val();
        self.others.next = !self.given_bit.val();
        self.taken_bit.next = self.one.val() << self.place.val();
        self.takes.next = self.take.val() & self.offered.val();
        for k in 0..C {
            self.kept[k].next = self.all.val();
            if self.give.val() & (self.given_chunk.val() == self.number[k].val()) {
                self.kept[k].next = self.others.val();
            }
            self.added[k].next = self.none.val();
            if self.takes.val() & (self.chunk.val() == self.number[k].val()) {
                self.added[k].next = self.taken_bit.val();
            }
            self.after[k].next = (self.taken[k].val() & self.kept[k].val()) | self.added[k].val();
            if self.clear.val() {
                self.after[k].next = self.none.val();
            }
        }
    }
}
