//! From a warp to its CTA and the pair of that.

use super::select::ByEnds;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The CTA of a warp, among `T`, a power of two, `TW` is its log2, and what the table of partners says of it. Lower CTAs are
/// in the first `HALF` slots. Of a warp of no CTA only `shares` means something.
#[derive(LogicBlock, Inputs)]
pub struct PairOfWarp<const T: usize, const TW: usize, const HALF: usize> {
    /// CTAs that end above the warp.
    pub below: Signal<In, Bits<T>>,
    /// CTAs that have a partner.
    pub shared: Signal<In, Bits<T>>,
    /// CTAs of the first half that are the lower one of their pair.
    pub lower: Signal<In, Bits<HALF>>,
    /// Bit k of the partners.
    pub partners: [Signal<In, Bits<T>>; TW],
    /// The CTA.
    pub cta: Signal<Out, Bits<TW>>,
    /// Its partner.
    pub partner: Signal<Out, Bits<TW>>,
    /// The warp is of a CTA that has one.
    pub shares: Signal<Out, bool>,
    /// Its CTA is the lower one.
    pub is_lower: Signal<Out, bool>,
    /// The lower one of the two.
    pub pair: Signal<Out, Bits<TW>>,
    number_of: Lazy<ByEnds<T, TW, TW>>,
    partner_of: Lazy<ByEnds<T, TW, TW>>,
    flags_of: Lazy<ByEnds<T, TW, 2>>,
    none: Constant<Bits<T>>,
    cta_bit: [Constant<Bits<T>>; HALF],
    lower_ctas: Signal<Local, Bits<T>>,
    // Bit k of the numbers of all CTAs.
    number: [Constant<Bits<T>>; TW],
    last_cta: Constant<Bits<T>>,
    has_partner: Constant<Bits<2>>,
    comes_first: Constant<Bits<2>>,
}

impl<const T: usize, const TW: usize, const HALF: usize> Default for PairOfWarp<T, TW, HALF> {
    fn default() -> Self {
        let number = |k: usize| -> u64 { (0..T).map(|cta| (cta as u64 >> k & 1) << cta).sum() };
        Self {
            below: Signal::default(),
            shared: Signal::default(),
            lower: Signal::default(),
            partners: array::from_fn(|_| Signal::default()),
            cta: Signal::default(),
            partner: Signal::default(),
            shares: Signal::default(),
            is_lower: Signal::default(),
            pair: Signal::default(),
            number_of: Lazy::default(),
            partner_of: Lazy::default(),
            flags_of: Lazy::default(),
            none: Constant::new(0u64.into()),
            lower_ctas: Signal::default(),
            cta_bit: array::from_fn(|cta| Constant::new((1u64 << cta).into())),
            number: array::from_fn(|k| Constant::new(number(k).into())),
            last_cta: Constant::new((1u64 << (T - 1)).into()),
            has_partner: Constant::new(1u64.into()),
            comes_first: Constant::new(2u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize, const HALF: usize> Logic for PairOfWarp<T, TW, HALF> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.lower_ctas.next = self.none.val();
        for c in 0..HALF {
            if self.lower.val().get_bit(c) {
                self.lower_ctas.next = self.lower_ctas.val() | self.cta_bit[c].val();
            }
        }
        self.flags_of.below.next = self.below.val();
        self.flags_of.plane[0].next = self.shared.val();
        self.flags_of.plane[1].next = self.lower_ctas.val();
        self.number_of.below.next = self.below.val();
        self.partner_of.below.next = self.below.val();
        for k in 0..TW {
            self.number_of.plane[k].next = self.number[k].val();
            self.partner_of.plane[k].next = self.partners[k].val();
        }
        self.cta.next = self.number_of.entry.val();
        self.partner.next = self.partner_of.entry.val();
        self.shares.next = (self.flags_of.entry.val() & self.has_partner.val()).any()
            & (self.below.val() & self.last_cta.val()).any();
        self.is_lower.next = (self.flags_of.entry.val() & self.comes_first.val()).any();
        self.pair.next = self.partner_of.entry.val();
        if (self.flags_of.entry.val() & self.comes_first.val()).any() {
            self.pair.next = self.number_of.entry.val();
        }
    }
}
