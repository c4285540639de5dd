//! Which pair changes in this cycle: the one that is made, if it can be, or one in which ownership passes.

use super::range::Range;
use super::select::ByNumber;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Which owner bits of `NW` warps change. They are set for all warps of a CTA that its partner waits for.
///
/// One pair changes per cycle: the one that is made, the one of the CTA that ends, or one of which a warp waits, that of
/// the favoured port first. A warp that waits asks again in any case, so what comes too short comes later. Numbers of the
/// `T` CTAs have `TW` bits, those of warps `IW`.
#[derive(LogicBlock, Inputs)]
pub struct Handover<const NW: usize, const T: usize, const TW: usize, const IW: usize> {
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// Bit k of the first warp of each CTA.
    pub from: [Signal<In, Bits<T>>; IW],
    /// Bit k of where each CTA ends, modulo 2^`IW`.
    pub to: [Signal<In, Bits<T>>; IW],
    /// CTAs that end at 2^`IW` or above.
    pub beyond: Signal<In, Bits<T>>,
    /// CTAs of which all warps exist.
    pub fits: Signal<In, Bits<T>>,
    /// CTAs of which all warps have locks.
    pub has_locks: Signal<In, Bits<T>>,
    /// `cta` and `partner` shall become a pair.
    pub pair: Signal<In, bool>,
    /// `cta` ends; ignored while `pair` is high.
    pub exit: Signal<In, bool>,
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Its partner to be.
    pub partner: Signal<In, Bits<TW>>,
    /// The kernel shares.
    pub sharing: Signal<In, bool>,
    /// CTAs that have a partner.
    pub shared: Signal<In, Bits<T>>,
    /// `cta` has a partner.
    pub cta_shares: Signal<In, bool>,
    /// The partner.
    pub cta_partner: Signal<In, Bits<TW>>,
    /// Owner warps.
    pub owner: Signal<In, Bits<NW>>,
    /// Which port goes first: 0 port a, 1 port b.
    pub favor_b: Signal<In, bool>,
    /// A warp of `a_cta` waits for `a_partner`.
    pub a_waits: Signal<In, bool>,
    /// Its CTA.
    pub a_cta: Signal<In, Bits<TW>>,
    /// The partner of that.
    pub a_partner: Signal<In, Bits<TW>>,
    /// A warp of `b_cta` waits for `b_partner`.
    pub b_waits: Signal<In, bool>,
    /// Its CTA.
    pub b_cta: Signal<In, Bits<TW>>,
    /// The partner of that.
    pub b_partner: Signal<In, Bits<TW>>,
    /// The pair is made.
    pub pair_grant: Signal<Out, bool>,
    /// Warps of the CTA that becomes owner, or of the lower one of a new pair.
    pub gains: Signal<Out, Bits<NW>>,
    /// Warps of the CTA that stops being it, or of the upper one of a new pair; under `clear` all.
    pub loses: Signal<Out, Bits<NW>>,
    /// Warps that become owners are written with: of a new pair neither CTA is owner.
    pub owns: Signal<Out, Bits<NW>>,
    first_of: Lazy<ByNumber<T, TW, IW>>,
    gain_from: Lazy<ByNumber<T, TW, IW>>,
    gain_to: Lazy<ByNumber<T, TW, IW>>,
    lose_from: Lazy<ByNumber<T, TW, IW>>,
    lose_to: Lazy<ByNumber<T, TW, IW>>,
    gain: Lazy<Range<NW, IW>>,
    lose: Lazy<Range<NW, IW>>,
    gain_cta: Signal<Local, Bits<TW>>,
    lose_cta: Signal<Local, Bits<TW>>,
    open: Signal<Local, Bits<T>>,
    gain_open: Signal<Local, Bits<T>>,
    lose_open: Signal<Local, Bits<T>>,
    a_first: Signal<Local, bool>,
    from_first: Signal<Local, Bits<NW>>,
    was_owner: Signal<Local, bool>,
    moves: Signal<Local, bool>,
    shared_from_partner: Signal<Local, Bits<T>>,
    fits_from_partner: Signal<Local, Bits<T>>,
    locks_from_cta: Signal<Local, Bits<T>>,
    partner_has: Signal<Local, bool>,
    free: Signal<Local, bool>,
    in_order: Signal<Local, bool>,
    room: Signal<Local, bool>,
    never: Constant<bool>,
    first_cta: Constant<Bits<T>>,
    first_warp: Constant<Bits<NW>>,
    half_ctas: Constant<Bits<TW>>,
    every: Constant<Bits<NW>>,
    nobody: Constant<Bits<NW>>,
    // A CTA of which all warps exist ends at 2^IW only if there are so many.
    can_be_open: Constant<Bits<T>>,
}

impl<const NW: usize, const T: usize, const TW: usize, const IW: usize> Default
    for Handover<NW, T, TW, IW>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            from: array::from_fn(|_| Signal::default()),
            to: array::from_fn(|_| Signal::default()),
            beyond: Signal::default(),
            fits: Signal::default(),
            has_locks: Signal::default(),
            pair: Signal::default(),
            exit: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            favor_b: Signal::default(),
            a_waits: Signal::default(),
            a_cta: Signal::default(),
            a_partner: Signal::default(),
            b_waits: Signal::default(),
            b_cta: Signal::default(),
            b_partner: Signal::default(),
            pair_grant: Signal::default(),
            cta_shares: Signal::default(),
            cta_partner: Signal::default(),
            gains: Signal::default(),
            loses: Signal::default(),
            owner: Signal::default(),
            first_of: Lazy::default(),
            gain_from: Lazy::default(),
            gain_to: Lazy::default(),
            lose_from: Lazy::default(),
            lose_to: Lazy::default(),
            gain: Lazy::default(),
            lose: Lazy::default(),
            gain_cta: Signal::default(),
            lose_cta: Signal::default(),
            open: Signal::default(),
            gain_open: Signal::default(),
            lose_open: Signal::default(),
            a_first: Signal::default(),
            from_first: Signal::default(),
            was_owner: Signal::default(),
            moves: Signal::default(),
            shared_from_partner: Signal::default(),
            fits_from_partner: Signal::default(),
            locks_from_cta: Signal::default(),
            partner_has: Signal::default(),
            free: Signal::default(),
            in_order: Signal::default(),
            room: Signal::default(),
            owns: Signal::default(),
            never: Constant::new(false),
            first_cta: Constant::new(1u64.into()),
            first_warp: Constant::new(1u64.into()),
            half_ctas: Constant::new((T as u64 / 2).into()),
            every: Constant::new(Bits::mask()),
            nobody: Constant::new(0u64.into()),
            can_be_open: Constant::new(if NW == 1 << IW {
                Bits::mask()
            } else {
                0u64.into()
            }),
        }
    }
}

impl<const NW: usize, const T: usize, const TW: usize, const IW: usize> Logic
    for Handover<NW, T, TW, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for k in 0..IW {
            self.first_of.plane[k].next = self.from[k].val();
            self.gain_from.plane[k].next = self.from[k].val();
            self.gain_to.plane[k].next = self.to[k].val();
            self.lose_from.plane[k].next = self.from[k].val();
            self.lose_to.plane[k].next = self.to[k].val();
        }
        // Neither has a partner, or each the other: the table is symmetric. The lower one lies in the first half of the
        // slots and of the warps, the upper one fits.
        self.shared_from_partner.next = self.shared.val() >> self.partner.val();
        self.partner_has.next = (self.shared_from_partner.val() & self.first_cta.val()).any();
        self.free.next = ((!self.cta_shares.val()) & (!self.partner_has.val()))
            | (self.cta_shares.val() & (self.cta_partner.val() == self.partner.val()));
        self.in_order.next =
            (self.cta.val() < self.partner.val()) & (self.cta.val() < self.half_ctas.val());
        self.fits_from_partner.next = self.fits.val() >> self.partner.val();
        self.locks_from_cta.next = self.has_locks.val() >> self.cta.val();
        self.room.next = (self.fits_from_partner.val() & self.first_cta.val()).any()
            & (self.locks_from_cta.val() & self.first_cta.val()).any();
        self.pair_grant.next = (((self.pair.val() & (!self.clear.val())) & self.sharing.val())
            & (self.free.val() & self.in_order.val()))
            & self.room.val();

        // All warps of a CTA are owners or none is.
        self.first_of.cta.next = self.cta.val();
        self.from_first.next = self.owner.val() >> self.first_of.entry.val();
        self.was_owner.next = (self.from_first.val() & self.first_warp.val()).any();
        self.a_first.next = self.a_waits.val() & (!(self.b_waits.val() & self.favor_b.val()));
        if self.pair.val() {
            self.moves.next = self.pair_grant.val();
            self.gain_cta.next = self.cta.val();
            self.lose_cta.next = self.partner.val();
        } else if self.exit.val() {
            self.moves.next = self.was_owner.val() & self.cta_shares.val();
            self.gain_cta.next = self.cta_partner.val();
            self.lose_cta.next = self.cta.val();
        } else if self.a_first.val() {
            self.moves.next = self.a_waits.val() | self.b_waits.val();
            self.gain_cta.next = self.a_partner.val();
            self.lose_cta.next = self.a_cta.val();
        } else {
            self.moves.next = self.a_waits.val() | self.b_waits.val();
            self.gain_cta.next = self.b_partner.val();
            self.lose_cta.next = self.b_cta.val();
        }

        self.open.next = self.beyond.val() & self.can_be_open.val();
        self.gain_open.next = self.open.val() >> self.gain_cta.val();
        self.lose_open.next = self.open.val() >> self.lose_cta.val();
        self.gain_from.cta.next = self.gain_cta.val();
        self.gain_to.cta.next = self.gain_cta.val();
        self.gain.from.next = self.gain_from.entry.val();
        self.gain.to.next = self.gain_to.entry.val();
        self.gain.open.next = (self.gain_open.val() & self.first_cta.val()).any();
        self.gain.any.next = self.moves.val();
        self.gain.all.next = self.never.val();
        self.lose_from.cta.next = self.lose_cta.val();
        self.lose_to.cta.next = self.lose_cta.val();
        self.lose.from.next = self.lose_from.entry.val();
        self.lose.to.next = self.lose_to.entry.val();
        self.lose.open.next = (self.lose_open.val() & self.first_cta.val()).any();
        self.lose.any.next = self.moves.val();
        self.lose.all.next = self.clear.val();
        self.gains.next = self.gain.warps.val();
        self.loses.next = self.lose.warps.val();

        // Of a new pair neither CTA is owner.
        self.owns.next = self.every.val();
        if self.pair.val() {
            self.owns.next = self.nobody.val();
        }
    }
}
