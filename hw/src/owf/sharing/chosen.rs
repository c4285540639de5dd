//! Values of the chosen ones.

use rust_hdl::prelude::*;
use std::array;

/// The OR of those of `T` values of `N` bits that are chosen: four at a time: `QUADS` is `T` / 4.
#[derive(LogicBlock)]
pub struct Chosen<const N: usize, const T: usize, const QUADS: usize> {
    /// A bit per value that counts.
    pub chosen: Signal<In, Bits<T>>,
    /// The values.
    pub value: [Signal<In, Bits<N>>; T],
    /// Their OR.
    pub result: Signal<Out, Bits<N>>,
    counts: [Signal<Local, Bits<N>>; T],
    quad: [Signal<Local, Bits<N>>; QUADS],
    nothing: Constant<Bits<N>>,
}

impl<const N: usize, const T: usize, const QUADS: usize> Default for Chosen<N, T, QUADS> {
    fn default() -> Self {
        const { assert!(T == 4 * QUADS) };
        Self {
            chosen: Signal::default(),
            value: array::from_fn(|_| Signal::default()),
            result: Signal::default(),
            counts: array::from_fn(|_| Signal::default()),
            quad: array::from_fn(|_| Signal::default()),
            nothing: Constant::new(0u64.into()),
        }
    }
}

impl<const N: usize, const T: usize, const QUADS: usize> Logic for Chosen<N, T, QUADS> {
    #[hdl_gen]
    fn update(&mut self) {
        for t in 0..T {
            self.counts[t].next = self.nothing.val();
            if self.chosen.val().get_bit(t) {
                self.counts[t].next = self.value[t].val();
            }
        }
        self.result.next = self.nothing.val();
        for q in 0..QUADS {
            self.quad[q].next = (self.counts[4 * q].val() | self.counts[(4 * q) + 1].val())
                | (self.counts[(4 * q) + 2].val() | self.counts[(4 * q) + 3].val());
            self.result.next = self.result.val() | self.quad[q].val();
        }
    }
}
