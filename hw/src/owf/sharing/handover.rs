//! Which CTA becomes owner in this cycle and which stops being it, and whether two CTAs can be a pair.

use super::chosen::Chosen;
use rust_hdl::prelude::*;
use std::array;

/// One pair changes per cycle: the one that is made, the one of the CTA that ends, or one of which a warp waits, that of
/// the favoured port first. A warp that waits asks again in any case, so what comes too short comes later.
#[derive(LogicBlock)]
pub struct Handover<const NW: usize, const T: usize, const TW: usize, const QUADS: usize> {
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// The warps of each CTA.
    pub warps: [Signal<In, Bits<NW>>; T],
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
    /// `cta`; this and the CTAs below are one bit of `T`.
    pub cta_hot: Signal<In, Bits<T>>,
    /// `partner`.
    pub partner_hot: Signal<In, Bits<T>>,
    /// The kernel shares.
    pub sharing: Signal<In, bool>,
    /// CTAs that have a partner.
    pub shared: Signal<In, Bits<T>>,
    /// Partner of `cta` by the table.
    pub cta_partner: Signal<In, Bits<T>>,
    /// Which port goes first: 0 port a, 1 port b.
    pub favor_b: Signal<In, bool>,
    /// A warp of `a_cta` waits for `a_partner`.
    pub a_waits: Signal<In, bool>,
    /// Its CTA.
    pub a_cta: Signal<In, Bits<T>>,
    /// The partner of that.
    pub a_partner: Signal<In, Bits<T>>,
    /// A warp of `b_cta` waits for `b_partner`.
    pub b_waits: Signal<In, bool>,
    /// Its CTA.
    pub b_cta: Signal<In, Bits<T>>,
    /// The partner of that.
    pub b_partner: Signal<In, Bits<T>>,
    /// The pair is made.
    pub pair_grant: Signal<Out, bool>,
    /// The CTA of `gains` becomes owner if that of `loses` was.
    pub passes: Signal<Out, bool>,
    /// The CTA of `gains` becomes owner.
    pub moves: Signal<Out, bool>,
    /// Warps of the CTA that may become owner, or of the lower one of a new pair.
    pub gains: Signal<Out, Bits<NW>>,
    /// Warps of the CTA that stops being it, or of the upper one of a new pair.
    pub loses: Signal<Out, Bits<NW>>,
    a_first: Signal<Local, bool>,
    gain_warps: Chosen<NW, T, QUADS>,
    lose_warps: Chosen<NW, T, QUADS>,
    gain_cta: Signal<Local, Bits<T>>,
    lose_cta: Signal<Local, Bits<T>>,
    cta_has: Signal<Local, bool>,
    partner_has: Signal<Local, bool>,
    free: Signal<Local, bool>,
    in_order: Signal<Local, bool>,
    room: Signal<Local, bool>,
    half_ctas: Constant<Bits<TW>>,
}

impl<const NW: usize, const T: usize, const TW: usize, const QUADS: usize> Default
    for Handover<NW, T, TW, QUADS>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            warps: array::from_fn(|_| Signal::default()),
            fits: Signal::default(),
            has_locks: Signal::default(),
            pair: Signal::default(),
            exit: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            cta_hot: Signal::default(),
            partner_hot: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            cta_partner: Signal::default(),
            favor_b: Signal::default(),
            a_waits: Signal::default(),
            a_cta: Signal::default(),
            a_partner: Signal::default(),
            b_waits: Signal::default(),
            b_cta: Signal::default(),
            b_partner: Signal::default(),
            pair_grant: Signal::default(),
            passes: Signal::default(),
            moves: Signal::default(),
            gains: Signal::default(),
            loses: Signal::default(),
            a_first: Signal::default(),
            gain_warps: Chosen::default(),
            lose_warps: Chosen::default(),
            gain_cta: Signal::default(),
            lose_cta: Signal::default(),
            cta_has: Signal::default(),
            partner_has: Signal::default(),
            free: Signal::default(),
            in_order: Signal::default(),
            room: Signal::default(),
            half_ctas: Constant::new((T as u64 / 2).into()),
        }
    }
}

impl<const NW: usize, const T: usize, const TW: usize, const QUADS: usize> Logic
    for Handover<NW, T, TW, QUADS>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.a_first.next = self.a_waits.val() & (!(self.b_waits.val() & self.favor_b.val()));
        self.passes.next = self.exit.val() & (!self.pair.val());
        self.moves.next =
            (self.a_waits.val() | self.b_waits.val()) & (!(self.exit.val() | self.pair.val()));
        if self.pair.val() {
            self.gain_cta.next = self.cta_hot.val();
            self.lose_cta.next = self.partner_hot.val();
        } else if self.exit.val() {
            self.gain_cta.next = self.cta_partner.val();
            self.lose_cta.next = self.cta_hot.val();
        } else if self.a_first.val() {
            self.gain_cta.next = self.a_partner.val();
            self.lose_cta.next = self.a_cta.val();
        } else {
            self.gain_cta.next = self.b_partner.val();
            self.lose_cta.next = self.b_cta.val();
        }
        self.gain_warps.chosen.next = self.gain_cta.val();
        self.lose_warps.chosen.next = self.lose_cta.val();
        for c in 0..T {
            self.gain_warps.value[c].next = self.warps[c].val();
            self.lose_warps.value[c].next = self.warps[c].val();
        }
        self.gains.next = self.gain_warps.result.val();
        self.loses.next = self.lose_warps.result.val();

        // Neither has a partner, or each the other: the table is symmetric. The lower one lies in the first half of the
        // slots and of the warps, the upper one fits.
        self.cta_has.next = (self.shared.val() & self.cta_hot.val()).any();
        self.partner_has.next = (self.shared.val() & self.partner_hot.val()).any();
        self.free.next = ((!self.cta_has.val()) & (!self.partner_has.val()))
            | (self.cta_has.val() & (self.cta_partner.val() == self.partner_hot.val()));
        self.in_order.next =
            (self.cta.val() < self.partner.val()) & (self.cta.val() < self.half_ctas.val());
        self.room.next = (self.has_locks.val() & self.cta_hot.val()).any()
            & (self.fits.val() & self.partner_hot.val()).any();
        self.pair_grant.next = (((self.pair.val() & (!self.clear.val())) & self.sharing.val())
            & (self.free.val() & self.in_order.val()))
            & self.room.val();
    }
}
