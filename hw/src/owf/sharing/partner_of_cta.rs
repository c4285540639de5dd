//! The partner of a CTA that is known by its number.

use super::select::ByNumber;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// What the table of partners says of one of `T` CTAs; `TW` is log2 `T`.
#[derive(LogicBlock, Inputs)]
pub struct PartnerOfCta<const T: usize, const TW: usize> {
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// CTAs that have a partner.
    pub shared: Signal<In, Bits<T>>,
    /// Bit k of the partners.
    pub partners: [Signal<In, Bits<T>>; TW],
    /// The CTA has a partner.
    pub shares: Signal<Out, bool>,
    /// The partner; means nothing if it has none.
    pub partner: Signal<Out, Bits<TW>>,
    partner_of: Lazy<ByNumber<T, TW, TW>>,
    shared_from_cta: Signal<Local, Bits<T>>,
    first_cta: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize> Default for PartnerOfCta<T, TW> {
    fn default() -> Self {
        Self {
            cta: Signal::default(),
            shared: Signal::default(),
            partners: array::from_fn(|_| Signal::default()),
            shares: Signal::default(),
            partner: Signal::default(),
            partner_of: Lazy::default(),
            shared_from_cta: Signal::default(),
            first_cta: Constant::new(1u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for PartnerOfCta<T, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.partner_of.cta.next = self.cta.val();
        for k in 0..TW {
            self.partner_of.plane[k].next = self.partners[k].val();
        }
        self.shared_from_cta.next = self.shared.val() >> self.cta.val();
        self.shares.next = (self.shared_from_cta.val() & self.first_cta.val()).any();
        self.partner.next = self.partner_of.entry.val();
    }
}
