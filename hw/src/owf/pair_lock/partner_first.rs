//! Where the partner of every CTA begins.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The first warp of the partner of each of `T` CTAs, if that is in the first `HALF` slots; `TW` is log2 `T`, `LW` bits hold
/// the warp. Looked up while it is not known yet which CTA a request is of.
#[derive(LogicBlock, Inputs)]
pub struct PartnerFirst<const T: usize, const TW: usize, const LW: usize, const HALF: usize> {
    /// Bit k of the first warp of each CTA.
    pub from: [Signal<In, Bits<T>>; LW],
    /// Bit k of the partners.
    pub partners: [Signal<In, Bits<T>>; TW],
    /// Bit k of the first warp of the partner of each CTA.
    pub partner_from: [Signal<Out, Bits<T>>; LW],
    partner: [Signal<Local, Bits<TW>>; T],
    low_from: [Signal<Local, Bits<T>>; LW],
    none: Constant<Bits<T>>,
    nobody: Constant<Bits<TW>>,
    cta: [Constant<Bits<T>>; T],
    number_bit: [Constant<Bits<TW>>; TW],
    lower_half: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize, const LW: usize, const HALF: usize> Default
    for PartnerFirst<T, TW, LW, HALF>
{
    fn default() -> Self {
        Self {
            from: array::from_fn(|_| Signal::default()),
            partners: array::from_fn(|_| Signal::default()),
            partner_from: array::from_fn(|_| Signal::default()),
            partner: array::from_fn(|_| Signal::default()),
            low_from: array::from_fn(|_| Signal::default()),
            none: Constant::new(0u64.into()),
            nobody: Constant::new(0u64.into()),
            cta: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            number_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
            lower_half: Constant::new(((1u64 << HALF) - 1).into()),
        }
    }
}

impl<const T: usize, const TW: usize, const LW: usize, const HALF: usize> Logic
    for PartnerFirst<T, TW, LW, HALF>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for k in 0..LW {
            self.partner_from[k].next = self.none.val();
            self.low_from[k].next = self.from[k].val() & self.lower_half.val();
        }
        for c in 0..T {
            self.partner[c].next = self.nobody.val();
            for k in 0..TW {
                if (self.partners[k].val() & self.cta[c].val()).any() {
                    self.partner[c].next = self.partner[c].val() | self.number_bit[k].val();
                }
            }
            for k in 0..LW {
                // A bit and no shift: Yosys takes minutes to find shifts that could be shared.
                if self.low_from[k]
                    .val()
                    .get_bit(self.partner[c].val().index())
                {
                    self.partner_from[k].next = self.partner_from[k].val() | self.cta[c].val();
                }
            }
        }
    }
}
