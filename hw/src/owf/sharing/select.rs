//! An entry of a table with one entry per CTA, by a tree of multiplexers.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Entry of a CTA that is known by its number. `T` CTAs, a power of two, `TW` is its log2; entries have `N` bits.
#[derive(LogicBlock, Inputs)]
pub struct ByNumber<const T: usize, const TW: usize, const N: usize> {
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Bit k of all entries.
    pub plane: [Signal<In, Bits<T>>; N],
    /// Its entry.
    pub entry: Signal<Out, Bits<N>>,
    from_cta: [Signal<Local, Bits<T>>; N],
    first: Constant<Bits<T>>,
    nothing: Constant<Bits<N>>,
    entry_bit: [Constant<Bits<N>>; N],
}

impl<const T: usize, const TW: usize, const N: usize> Default for ByNumber<T, TW, N> {
    fn default() -> Self {
        Self {
            cta: Signal::default(),
            plane: array::from_fn(|_| Signal::default()),
            entry: Signal::default(),
            from_cta: array::from_fn(|_| Signal::default()),
            first: Constant::new(1u64.into()),
            nothing: Constant::new(0u64.into()),
            entry_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
        }
    }
}

impl<const T: usize, const TW: usize, const N: usize> Logic for ByNumber<T, TW, N> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.entry.next = self.nothing.val();
        for k in 0..N {
            self.from_cta[k].next = self.plane[k].val() >> self.cta.val();
            if (self.from_cta[k].val() & self.first.val()).any() {
                self.entry.next = self.entry.val() | self.entry_bit[k].val();
            }
        }
    }
}

/// Entry of the first CTA that ends above a warp. The comparisons select directly: nothing is encoded before.
#[derive(LogicBlock, Inputs)]
pub struct ByEnds<const T: usize, const TW: usize, const N: usize> {
    /// CTAs that end above the warp: all from its own on, or none.
    pub below: Signal<In, Bits<T>>,
    /// Bit k of all entries.
    pub plane: [Signal<In, Bits<T>>; N],
    /// The entry of the first of them; means nothing if there is none.
    pub entry: Signal<Out, Bits<N>>,
    // Bit i of level l: of the 2^l CTAs from i on, what the chosen one has; and whether it is one of the first half.
    row: [Signal<Local, Bits<T>>; N],
    upper_row: [Signal<Local, Bits<T>>; N],
    in_lower: [Signal<Local, Bits<T>>; TW],
    width: [Constant<Bits<8>>; TW],
    last: [Constant<Bits<8>>; TW],
    first: Constant<Bits<T>>,
    nothing: Constant<Bits<N>>,
    entry_bit: [Constant<Bits<N>>; N],
}

impl<const T: usize, const TW: usize, const N: usize> Default for ByEnds<T, TW, N> {
    fn default() -> Self {
        const { assert!(T == 1 << TW && TW < 8) };
        Self {
            below: Signal::default(),
            plane: array::from_fn(|_| Signal::default()),
            entry: Signal::default(),
            row: array::from_fn(|_| Signal::default()),
            upper_row: array::from_fn(|_| Signal::default()),
            in_lower: array::from_fn(|_| Signal::default()),
            width: array::from_fn(|level| Constant::new((1u64 << level).into())),
            last: array::from_fn(|level| Constant::new(((1u64 << level) - 1).into())),
            first: Constant::new(1u64.into()),
            nothing: Constant::new(0u64.into()),
            entry_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
        }
    }
}

impl<const T: usize, const TW: usize, const N: usize> Logic for ByEnds<T, TW, N> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for l in 0..TW {
            self.in_lower[l].next = self.below.val() >> self.last[l].val();
        }
        self.entry.next = self.nothing.val();
        for k in 0..N {
            self.row[k].next = self.plane[k].val();
            for l in 0..TW {
                self.upper_row[k].next = self.row[k].val() >> self.width[l].val();
                self.row[k].next = (self.row[k].val() & self.in_lower[l].val())
                    | (self.upper_row[k].val() & (!self.in_lower[l].val()));
            }
            if (self.row[k].val() & self.first.val()).any() {
                self.entry.next = self.entry.val() | self.entry_bit[k].val();
            }
        }
    }
}
