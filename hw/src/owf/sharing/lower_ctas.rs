//! Which CTAs are the lower one of their pair.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Compares the first `HALF` CTAs with their partners. A partner's number has `TW` bits.
#[derive(LogicBlock, Inputs)]
pub struct LowerCtas<const HALF: usize, const TW: usize> {
    /// Bit k of the partners.
    pub partner: [Signal<In, Bits<HALF>>; TW],
    /// CTAs that are the lower one of their pair; of those that have no partner it means nothing.
    pub lower: Signal<Out, Bits<HALF>>,
    higher: Signal<Local, Bits<HALF>>,
    neither: Constant<Bits<HALF>>,
    // Bit k of the CTAs' own numbers.
    number: [Constant<Bits<HALF>>; TW],
}

impl<const HALF: usize, const TW: usize> Default for LowerCtas<HALF, TW> {
    fn default() -> Self {
        let number = |k: usize| -> u64 { (0..HALF).map(|cta| (cta as u64 >> k & 1) << cta).sum() };
        Self {
            partner: array::from_fn(|_| Signal::default()),
            lower: Signal::default(),
            higher: Signal::default(),
            neither: Constant::new(0u64.into()),
            number: array::from_fn(|k| Constant::new(number(k).into())),
        }
    }
}

impl<const HALF: usize, const TW: usize> Logic for LowerCtas<HALF, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // The highest bit in which the two numbers differ decides.
        self.higher.next = self.neither.val();
        for k in 0..TW {
            self.higher.next = (self.partner[k].val() & (!self.number[k].val()))
                | (self.higher.val() & (!(self.partner[k].val() ^ self.number[k].val())));
        }
        self.lower.next = self.higher.val();
    }
}
