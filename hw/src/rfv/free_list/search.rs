//! Which pack of a bank is offered: the first one of each sub-array, and the sub-array to take it from.

use super::first::First;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Of a bank of `C` chunks of `W` packs the lowest pack that is free in an awake sub-array; if there is none, the lowest free
/// one. `PER` chunks are a sub-array; `PW` bits are a pack of the bank, `IW` of them its place in its chunk.
#[derive(LogicBlock, Inputs)]
pub struct Search<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> {
    /// A bit per pack in use.
    pub taken: [Signal<In, Bits<W>>; C],
    /// Packs that are not offered,
    pub hidden: [Signal<In, Bits<W>>; C],
    /// and chunks of which none is.
    pub skipped: [Signal<In, bool>; C],
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<4>>,
    /// A pack is found.
    pub found: Signal<Out, bool>,
    /// The pack; 0 if none is found.
    pub pack: Signal<Out, Bits<PW>>,
    /// Its sub-array, as a mask.
    pub sub_array: Signal<Out, Bits<4>>,
    first: [Lazy<First<W, IW>>; C],
    chunk_found: [Signal<Local, bool>; C],
    // The first pack of each sub-array, numbered from the sub-array's lowest.
    place: [Signal<Local, Bits<PW>>; C],
    best: [Signal<Local, Bits<PW>>; 4],
    free: [Signal<Local, bool>; 4],
    now: [Signal<Local, bool>; 4],
    any_now: Signal<Local, bool>,
    candidate: [Signal<Local, bool>; 4],
    chosen: [Signal<Local, bool>; 4],
    lower: Signal<Local, bool>,
    lower_best: Signal<Local, Bits<PW>>,
    upper_best: Signal<Local, Bits<PW>>,
    offer: Signal<Local, Bits<PW>>,
    mask: Signal<Local, Bits<4>>,
    none: Constant<Bits<PW>>,
    no_sub_array: Constant<Bits<4>>,
    position: [Constant<Bits<4>>; 4],
    pack_bit: [Constant<Bits<PW>>; IW],
    from: [Constant<Bits<PW>>; PER],
    sub_array_from: [Constant<Bits<PW>>; 4],
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
> Default for Search<W, IW, C, CW, PER, PW>
{
    fn default() -> Self {
        const { assert!(C == 1 << CW && C == 4 * PER && PW == IW + CW) };
        Self {
            taken: array::from_fn(|_| Signal::default()),
            hidden: array::from_fn(|_| Signal::default()),
            skipped: array::from_fn(|_| Signal::default()),
            awake: Signal::default(),
            found: Signal::default(),
            pack: Signal::default(),
            sub_array: Signal::default(),
            first: array::from_fn(|_| Lazy::default()),
            chunk_found: array::from_fn(|_| Signal::default()),
            place: array::from_fn(|_| Signal::default()),
            best: array::from_fn(|_| Signal::default()),
            free: array::from_fn(|_| Signal::default()),
            now: array::from_fn(|_| Signal::default()),
            any_now: Signal::default(),
            candidate: array::from_fn(|_| Signal::default()),
            chosen: array::from_fn(|_| Signal::default()),
            lower: Signal::default(),
            lower_best: Signal::default(),
            upper_best: Signal::default(),
            offer: Signal::default(),
            mask: Signal::default(),
            none: Constant::new(0u64.into()),
            no_sub_array: Constant::new(0u64.into()),
            position: array::from_fn(|s| Constant::new((1u64 << s).into())),
            pack_bit: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
            from: array::from_fn(|j| Constant::new(((j * W) as u64).into())),
            sub_array_from: array::from_fn(|s| Constant::new(((s * PER * W) as u64).into())),
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
> Logic for Search<W, IW, C, CW, PER, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for p in PER..(PER + 1) {
            for s in 0..4 {
                for j in 0..PER {
                    self.first[(p * s) + j].taken.next = self.taken[(p * s) + j].val();
                    self.first[(p * s) + j].hidden.next = self.hidden[(p * s) + j].val();
                    self.chunk_found[(p * s) + j].next =
                        self.first[(p * s) + j].found.val() & (!self.skipped[(p * s) + j].val());
                    self.place[(p * s) + j].next = self.from[j].val();
                    for i in 0..IW {
                        if self.first[(p * s) + j].place.val().get_bit(i) {
                            self.place[(p * s) + j].next =
                                self.place[(p * s) + j].val() | self.pack_bit[i].val();
                        }
                    }
                }
                // The lowest chunk that has one.
                self.best[s].next = self.place[(p * s) + (p - 1)].val();
                self.free[s].next = false;
                for j in 0..PER {
                    if self.chunk_found[((p * s) + (p - 1)) - j].val() {
                        self.best[s].next = self.place[((p * s) + (p - 1)) - j].val();
                        self.free[s].next = true;
                    }
                }
                self.now[s].next = self.free[s].val() & self.awake.val().get_bit(s);
            }
        }
        self.any_now.next =
            (self.now[0].val() | self.now[1].val()) | (self.now[2].val() | self.now[3].val());
        for s in 0..4 {
            self.candidate[s].next = self.free[s].val();
            if self.any_now.val() {
                self.candidate[s].next = self.now[s].val();
            }
        }
        self.lower.next = self.candidate[0].val() | self.candidate[1].val();
        self.chosen[0].next = self.candidate[0].val();
        self.chosen[1].next = self.candidate[1].val() & (!self.candidate[0].val());
        self.chosen[2].next = self.candidate[2].val() & (!self.lower.val());
        self.chosen[3].next =
            self.candidate[3].val() & (!(self.lower.val() | self.candidate[2].val()));
        self.lower_best.next = self.best[1].val();
        if self.candidate[0].val() {
            self.lower_best.next = self.best[0].val();
        }
        self.upper_best.next = self.best[3].val();
        if self.candidate[2].val() {
            self.upper_best.next = self.best[2].val();
        }
        // A choice of two, then 0 if there is none: a choice of three takes a twentieth more gates.
        self.offer.next = self.upper_best.val();
        if self.lower.val() {
            self.offer.next = self.lower_best.val();
        }
        if !(self.lower.val() | (self.candidate[2].val() | self.candidate[3].val())) {
            self.offer.next = self.none.val();
        }
        self.mask.next = self.no_sub_array.val();
        for s in 0..4 {
            if self.chosen[s].val() {
                self.mask.next = self.mask.val() | self.position[s].val();
                self.offer.next = self.offer.val() | self.sub_array_from[s].val();
            }
        }
        self.found.next = self.mask.val().any();
        self.pack.next = self.offer.val();
        self.sub_array.next = self.mask.val();
    }
}
