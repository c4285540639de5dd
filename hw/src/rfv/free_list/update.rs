//! Which packs of a bank change at the edge.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Marks the pack that is taken and frees the one that is given back. A pack of `PW` bits is a chunk of `CW` bits, above a
/// place in it of `IW` bits; `PER` chunks are a sub-array.
#[derive(LogicBlock, Inputs)]
pub struct Update<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> {
    /// All packs become free.
    pub clear: Signal<In, bool>,
    /// The offer is to be taken:
    pub take: Signal<In, bool>,
    /// the pack,
    pub pack: Signal<In, Bits<PW>>,
    /// and its sub-array as a mask, 0 without an offer.
    pub sub_array: Signal<In, Bits<4>>,
    /// A pack is given back.
    pub give: Signal<In, bool>,
    /// The pack.
    pub given: Signal<In, Bits<PW>>,
    /// Packs that are in use after the edge,
    pub set: [Signal<Out, Bits<W>>; C],
    /// and packs that are free if they are not among those.
    pub reset: [Signal<Out, Bits<W>>; C],
    given_chunk: Signal<Local, Bits<CW>>,
    given_place: Signal<Local, Bits<IW>>,
    // A place in either half of a chunk, and the halves that are meant. With `clear`, every pack is as if it were given back.
    given_bits: Signal<Local, Bits<W>>,
    given_upper: Signal<Local, bool>,
    gives: [Signal<Local, bool>; C],
    given_half: [Signal<Local, Bits<W>>; C],
    takes: Signal<Local, bool>,
    taken_inner: Signal<Local, Bits<CW>>,
    taken_place: Signal<Local, Bits<IW>>,
    taken_bits: Signal<Local, Bits<W>>,
    taken_upper: Signal<Local, bool>,
    takes_here: [Signal<Local, bool>; C],
    taken_half: [Signal<Local, Bits<W>>; C],
    none: Constant<Bits<W>>,
    all: Constant<Bits<W>>,
    number: [Constant<Bits<CW>>; C],
    inner: Constant<Bits<CW>>,
    in_half: Constant<Bits<IW>>,
    place: [Constant<Bits<IW>>; W],
    place_bit: [Constant<Bits<W>>; W],
    lower_half: Constant<Bits<W>>,
    upper_half: Constant<Bits<W>>,
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> Default for Update<W, IW, C, CW, PER, PW>
{
    fn default() -> Self {
        const { assert!(W == 1 << IW && C == 1 << CW && PW == IW + CW && C == 4 * PER) };
        Self {
            clear: Signal::default(),
            take: Signal::default(),
            pack: Signal::default(),
            sub_array: Signal::default(),
            give: Signal::default(),
            given: Signal::default(),
            set: array::from_fn(|_| Signal::default()),
            reset: array::from_fn(|_| Signal::default()),
            given_chunk: Signal::default(),
            given_place: Signal::default(),
            given_bits: Signal::default(),
            given_upper: Signal::default(),
            gives: array::from_fn(|_| Signal::default()),
            given_half: array::from_fn(|_| Signal::default()),
            takes: Signal::default(),
            taken_inner: Signal::default(),
            taken_place: Signal::default(),
            taken_bits: Signal::default(),
            taken_upper: Signal::default(),
            takes_here: array::from_fn(|_| Signal::default()),
            taken_half: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            all: Constant::new(Bits::mask()),
            number: array::from_fn(|k| Constant::new((k as u64).into())),
            inner: Constant::new((PER as u64 - 1).into()),
            in_half: Constant::new((W as u64 / 2 - 1).into()),
            place: array::from_fn(|i| Constant::new((i as u64 % (W as u64 / 2)).into())),
            place_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            lower_half: Constant::new(((1u64 << (W / 2)) - 1).into()),
            upper_half: Constant::new((((1u64 << (W / 2)) - 1) << (W / 2)).into()),
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
> Logic for Update<W, IW, C, CW, PER, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for p in IW..(IW + 1) {
            self.given_chunk.next = self.given.val().get_bits::<CW>(p);
            self.taken_inner.next = self.pack.val().get_bits::<CW>(p) & self.inner.val();
        }
        // The highest bit of the place is assigned last.
        for p in 0..IW {
            self.given_upper.next = self.given.val().get_bit(p);
            self.taken_upper.next = self.pack.val().get_bit(p);
        }
        // As ANDs of the place's bits: what is taken is known late.
        self.given_place.next = self.given.val().get_bits::<IW>(0) & self.in_half.val();
        self.taken_place.next = self.pack.val().get_bits::<IW>(0) & self.in_half.val();
        self.given_bits.next = self.none.val();
        self.taken_bits.next = self.none.val();
        for i in 0..W {
            if self.given_place.val() == self.place[i].val() {
                self.given_bits.next = self.given_bits.val() | self.place_bit[i].val();
            }
            if self.taken_place.val() == self.place[i].val() {
                self.taken_bits.next = self.taken_bits.val() | self.place_bit[i].val();
            }
        }
        if self.clear.val() {
            self.given_bits.next = self.all.val();
        }
        self.takes.next = self.take.val() & (!self.clear.val());
        for p in PER..(PER + 1) {
            for s in 0..4 {
                for j in 0..PER {
                    self.takes_here[(p * s) + j].next = (self.takes.val()
                        & self.sub_array.val().get_bit(s))
                        & (self.taken_inner.val() == self.number[j].val());
                    self.taken_half[(p * s) + j].next = self.none.val();
                    if self.takes_here[(p * s) + j].val() & self.taken_upper.val() {
                        self.taken_half[(p * s) + j].next = self.upper_half.val();
                    }
                    if self.takes_here[(p * s) + j].val() & (!self.taken_upper.val()) {
                        self.taken_half[(p * s) + j].next = self.lower_half.val();
                    }
                    self.set[(p * s) + j].next =
                        self.taken_half[(p * s) + j].val() & self.taken_bits.val();
                }
            }
        }
        for k in 0..C {
            self.gives[k].next = self.give.val() & (self.given_chunk.val() == self.number[k].val());
            self.given_half[k].next = self.none.val();
            if self.clear.val() | (self.gives[k].val() & self.given_upper.val()) {
                self.given_half[k].next = self.given_half[k].val() | self.upper_half.val();
            }
            if self.clear.val() | (self.gives[k].val() & (!self.given_upper.val())) {
                self.given_half[k].next = self.given_half[k].val() | self.lower_half.val();
            }
            self.reset[k].next = self.given_half[k].val() & self.given_bits.val();
        }
    }
}
