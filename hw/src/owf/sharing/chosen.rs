//! Values of the chosen ones.

use rust_hdl::prelude::*;
use std::array;

/// The OR of those of `T` values of `N` bits that are chosen, eight at a time: `OCTETS` is `T` / 8.
#[derive(LogicBlock)]
pub struct Chosen<const N: usize, const T: usize, const OCTETS: usize> {
    /// A bit per value that counts.
    pub chosen: Signal<In, Bits<T>>,
    /// The values.
    pub value: [Signal<In, Bits<N>>; T],
    /// Their OR.
    pub result: Signal<Out, Bits<N>>,
    counts: [Signal<Local, Bits<N>>; T],
    octet: [Signal<Local, Bits<N>>; OCTETS],
    nothing: Constant<Bits<N>>,
}

impl<const N: usize, const T: usize, const OCTETS: usize> Default for Chosen<N, T, OCTETS> {
    fn default() -> Self {
        const { assert!(T == 8 * OCTETS) };
        Self {
            chosen: Signal::default(),
            value: array::from_fn(|_| Signal::default()),
            result: Signal::default(),
            counts: array::from_fn(|_| Signal::default()),
            octet: array::from_fn(|_| Signal::default()),
            nothing: Constant::new(0u64.into()),
        }
    }
}

impl<const N: usize, const T: usize, const OCTETS: usize> Logic for Chosen<N, T, OCTETS> {
    #[hdl_gen]
    fn update(&mut self) {
        for t in 0..T {
            self.counts[t].next = self.nothing.val();
            if self.chosen.val().get_bit(t) {
                self.counts[t].next = self.value[t].val();
            }
        }
        self.result.next = self.nothing.val();
        for g in 0..OCTETS {
            self.octet[g].next = ((self.counts[8 * g].val() | self.counts[(8 * g) + 1].val())
                | (self.counts[(8 * g) + 2].val() | self.counts[(8 * g) + 3].val()))
                | ((self.counts[(8 * g) + 4].val() | self.counts[(8 * g) + 5].val())
                    | (self.counts[(8 * g) + 6].val() | self.counts[(8 * g) + 7].val()));
            self.result.next = self.result.val() | self.octet[g].val();
        }
    }
}
