//! A decoder in two steps: chunks of eight places and places in a chunk. Where synthesis shifts a one it takes half as many gates more.

mod late;

pub use late::LateOneHot;

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// One of `N` places, 8 ..= 64, by its number of `IW` bits; `IW` is ceil(log2 `N`).
#[derive(LogicBlock, Inputs)]
pub struct OneHot<const N: usize, const IW: usize> {
    /// Whether a place is chosen.
    pub valid: Signal<In, bool>,
    /// Which.
    pub index: Signal<In, Bits<IW>>,
    /// All places, whatever else is asked for.
    pub all: Signal<In, bool>,
    /// A 1 there and nowhere else; 0 if `valid` is low or there is no such place.
    pub place: Signal<Out, Bits<N>>,
    chunk: Signal<Local, Bits<N>>,
    in_chunk: Signal<Local, Bits<N>>,
    none: Constant<Bits<N>>,
    every: Constant<Bits<N>>,
    one: Constant<Bits<N>>,
    eight_ones: Constant<Bits<N>>,
    // How far each bit of the index moves.
    by: [Constant<Bits<6>>; IW],
}

impl<const N: usize, const IW: usize> Default for OneHot<N, IW> {
    fn default() -> Self {
        const { assert!(IW >= 3 && IW <= 6 && N <= 1 << IW && N > 1 << (IW - 1)) };
        Self {
            valid: Signal::default(),
            index: Signal::default(),
            all: Signal::default(),
            place: Signal::default(),
            chunk: Signal::default(),
            in_chunk: Signal::default(),
            none: Constant::new(0u64.into()),
            every: Constant::new(Bits::mask()),
            one: Constant::new(1u64.into()),
            eight_ones: Constant::new(0xffu64.into()),
            by: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
        }
    }
}

impl<const N: usize, const IW: usize> Logic for OneHot<N, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.chunk.next = self.none.val();
        if self.valid.val() {
            self.chunk.next = self.eight_ones.val();
        }
        self.in_chunk.next = self.one.val();
        for i in 0..3 {
            if self.index.val().get_bit(i) {
                self.in_chunk.next = self.in_chunk.val() << self.by[i].val();
            }
        }
        for i in 3..IW {
            if self.index.val().get_bit(i) {
                self.chunk.next = self.chunk.val() << self.by[i].val();
            }
            // The same in each chunk.
            self.in_chunk.next = self.in_chunk.val() | (self.in_chunk.val() << self.by[i].val());
        }
        if self.all.val() {
            self.chunk.next = self.every.val();
            self.in_chunk.next = self.every.val();
        }
        self.place.next = self.chunk.val() & self.in_chunk.val();
    }
}
