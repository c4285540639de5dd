//! The decoder for a `valid` that comes late: behind it lie two gates.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// One of `N` places, 8 ..= 64, by its number of `IW` bits; `IW` is ceil(log2 `N`).
#[derive(LogicBlock, Inputs)]
pub struct LateOneHot<const N: usize, const IW: usize> {
    /// Whether a place is chosen.
    pub valid: Signal<In, bool>,
    /// Which.
    pub index: Signal<In, Bits<IW>>,
    /// A 1 there and nowhere else; 0 if `valid` is low or there is no such place.
    pub place: Signal<Out, Bits<N>>,
    chunk: Signal<Local, Bits<N>>,
    valid_chunk: Signal<Local, Bits<N>>,
    in_chunk: Signal<Local, Bits<N>>,
    none: Constant<Bits<N>>,
    one: Constant<Bits<N>>,
    eight_ones: Constant<Bits<N>>,
    // How far each bit of the index moves.
    by: [Constant<Bits<6>>; IW],
}

impl<const N: usize, const IW: usize> Default for LateOneHot<N, IW> {
    fn default() -> Self {
        const { assert!(IW >= 3 && IW <= 6 && N <= 1 << IW && N > 1 << (IW - 1)) };
        Self {
            valid: Signal::default(),
            index: Signal::default(),
            place: Signal::default(),
            chunk: Signal::default(),
            valid_chunk: Signal::default(),
            in_chunk: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            eight_ones: Constant::new(0xffu64.into()),
            by: array::from_fn(|bit| Constant::new((1u64 << bit).into())),
        }
    }
}

impl<const N: usize, const IW: usize> Logic for LateOneHot<N, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.chunk.next = self.eight_ones.val();
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
        self.valid_chunk.next = self.none.val();
        if self.valid.val() {
            self.valid_chunk.next = self.chunk.val();
        }
        self.place.next = self.valid_chunk.val() & self.in_chunk.val();
    }
}
