//! Which packs a smaller register file does not have.

use super::kept_packs;
use rust_hdl::prelude::*;
use std::array;

/// Of a bank of `C` chunks of `W` packs, the packs that `shrink` leaves out: the highest.
#[derive(LogicBlock)]
pub struct Hidden<const W: usize, const C: usize> {
    /// How many packs are offered.
    pub shrink: Signal<In, Bits<2>>,
    /// Packs of each chunk that are not offered.
    pub hidden: [Signal<Out, Bits<W>>; C],
    none: Constant<Bits<W>>,
    code: [Constant<Bits<2>>; 3],
    // Packs of each chunk that a file 30, 40 and 50 % smaller does not have.
    without_30: [Constant<Bits<W>>; C],
    without_40: [Constant<Bits<W>>; C],
    without_50: [Constant<Bits<W>>; C],
}

impl<const W: usize, const C: usize> Default for Hidden<W, C> {
    fn default() -> Self {
        let without = |shrink: usize| {
            array::from_fn(|chunk| {
                let kept = kept_packs(C * W)[shrink].saturating_sub(chunk * W).min(W);
                let all = u64::MAX >> (64 - W);
                Constant::new((all & !((1u64 << kept) - 1)).into())
            })
        };
        Self {
            shrink: Signal::default(),
            hidden: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            code: array::from_fn(|code| Constant::new((code as u64 + 1).into())),
            without_30: without(1),
            without_40: without(2),
            without_50: without(3),
        }
    }
}

impl<const W: usize, const C: usize> Logic for Hidden<W, C> {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..C {
            if self.shrink.val() == self.code[0].val() {
                self.hidden[k].next = self.without_30[k].val();
            } else if self.shrink.val() == self.code[1].val() {
                self.hidden[k].next = self.without_40[k].val();
            } else if self.shrink.val() == self.code[2].val() {
                self.hidden[k].next = self.without_50[k].val();
            } else {
                self.hidden[k].next = self.none.val();
            }
        }
    }
}
