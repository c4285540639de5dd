//! Deals a mask of all warps out to the schedulers: slot 0 to the first, slot 1 to the second, and round again.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// `NW` bits for `S` schedulers with `N` = `NW` / `S` warps each. Wires only.
#[derive(LogicBlock, Inputs)]
pub(super) struct Deal<const NW: usize, const S: usize, const N: usize> {
    /// A bit per slot.
    pub mask: Signal<In, Bits<NW>>,
    /// Bit i of scheduler s is slot i x `S` + s.
    pub hand: [Signal<Out, Bits<N>>; S],
    dealt: [Signal<Local, Bits<N>>; S],
    single: [Constant<Bits<N>>; N],
    none: Constant<Bits<N>>,
}

impl<const NW: usize, const S: usize, const N: usize> Default for Deal<NW, S, N> {
    fn default() -> Self {
        const { assert!(NW == S * N) };
        Self {
            mask: Signal::default(),
            hand: array::from_fn(|_| Signal::default()),
            dealt: array::from_fn(|_| Signal::default()),
            single: array::from_fn(|i| Constant::new((1u64 << i).into())),
            none: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const S: usize, const N: usize> Logic for Deal<NW, S, N> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for n in S..(S + 1) {
            for s in 0..S {
                self.dealt[s].next = self.none.val();
                for i in 0..N {
                    if self.mask.val().get_bit((n * i) + s) {
                        self.dealt[s].next = self.dealt[s].val() | self.single[i].val();
                    }
                }
                self.hand[s].next = self.dealt[s].val();
            }
        }
    }
}
