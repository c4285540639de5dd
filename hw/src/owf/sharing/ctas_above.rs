//! Which CTAs end above a warp.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Compares a warp with the ends of all `T` CTAs at once: a word holds one place of all CTAs, so that a node of the tree is one
/// multiplexer for all. `IW` bits, at most 8, hold a warp.
#[derive(LogicBlock, Inputs)]
pub struct CtasAbove<const T: usize, const IW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Bit k of where each CTA ends, modulo 2^`IW`.
    pub to: [Signal<In, Bits<T>>; IW],
    /// CTAs that end at 2^`IW` or above.
    pub beyond: Signal<In, Bits<T>>,
    /// CTAs that end above the warp: all from its own on, or none.
    pub below: Signal<Out, Bits<T>>,
    // A tree over eight places: node k, then pairs of nodes, 2k and 2k + 1 in node k + 8; the last one is about all places.
    greater: [Signal<Local, Bits<T>>; 15],
    // Of the nodes that something lies below: places 1 to 7, then those of two places and of four.
    unequal: [Signal<Local, Bits<T>>; 11],
    all: Constant<Bits<T>>,
    none: Constant<Bits<T>>,
}

impl<const T: usize, const IW: usize> Default for CtasAbove<T, IW> {
    fn default() -> Self {
        const { assert!(IW <= 8) };
        Self {
            warp: Signal::default(),
            to: array::from_fn(|_| Signal::default()),
            beyond: Signal::default(),
            below: Signal::default(),
            greater: array::from_fn(|_| Signal::default()),
            unequal: array::from_fn(|_| Signal::default()),
            all: Constant::new(Bits::mask()),
            none: Constant::new(0u64.into()),
        }
    }
}

impl<const T: usize, const IW: usize> Logic for CtasAbove<T, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // Where two bits differ, that of the end tells which is greater. Of two equal numbers neither is: at the lowest place it is asked.
        for k in 0..1 {
            self.greater[k].next = self.to[k].val();
            if self.warp.val().get_bit(k) {
                self.greater[k].next = self.none.val();
            }
        }
        for k in 1..IW {
            self.greater[k].next = self.to[k].val();
            self.unequal[k - 1].next = self.to[k].val();
            if self.warp.val().get_bit(k) {
                self.unequal[k - 1].next = self.to[k].val() ^ self.all.val();
            }
        }
        for k in IW..8 {
            self.greater[k].next = self.none.val();
            self.unequal[k - 1].next = self.none.val();
        }
        // The upper half decides unless it is equal.
        for k in 0..4 {
            self.greater[k + 8].next = (self.greater[(2 * k) + 1].val()
                & self.unequal[2 * k].val())
                | (self.greater[2 * k].val() & (!self.unequal[2 * k].val()));
        }
        for k in 1..4 {
            self.unequal[k + 6].next = self.unequal[(2 * k) - 1].val() | self.unequal[2 * k].val();
        }
        for k in 0..2 {
            self.greater[k + 12].next = (self.greater[(2 * k) + 9].val()
                & self.unequal[(2 * k) + 7].val())
                | (self.greater[(2 * k) + 8].val() & (!self.unequal[(2 * k) + 7].val()));
        }
        self.unequal[10].next = self.unequal[8].val() | self.unequal[9].val();
        self.greater[14].next = (self.greater[13].val() & self.unequal[10].val())
            | (self.greater[12].val() & (!self.unequal[10].val()));
        self.below.next = self.beyond.val() | self.greater[14].val();
    }
}
