//! Which CTA becomes owner in this cycle and which stops being it, and whether two CTAs can be a pair.

use super::cta_warps::{Between, CtaBounds};
use rust_hdl::prelude::*;

/// One pair changes per cycle: the one that is made, the one of the CTA that ends, or one of which a warp waits, that of
/// the favoured port first. A warp that waits asks again in any case, so what comes too short comes later.
#[derive(LogicBlock)]
pub struct Handover<
    const NW: usize,
    const T: usize,
    const TW: usize,
    const CW: usize,
    const MW: usize,
> {
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
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
    /// Partner of `cta` by the table.
    pub cta_partner: Signal<In, Bits<TW>>,
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
    /// The CTA of `gains` becomes owner if that of `loses` was.
    pub passes: Signal<Out, bool>,
    /// The CTA of `gains` becomes owner.
    pub moves: Signal<Out, bool>,
    /// Warps of the CTA that may become owner, or of the lower one of a new pair.
    pub gains: Signal<Out, Bits<NW>>,
    /// Warps of the CTA that stops being it, or of the upper one of a new pair.
    pub loses: Signal<Out, Bits<NW>>,
    gain_bounds: CtaBounds<TW, CW, MW>,
    lose_bounds: CtaBounds<TW, CW, MW>,
    gain_warps: Between<NW, MW>,
    lose_warps: Between<NW, MW>,
    a_first: Signal<Local, bool>,
    gain_cta: Signal<Local, Bits<TW>>,
    lose_cta: Signal<Local, Bits<TW>>,
    from_cta: Signal<Local, Bits<T>>,
    from_partner: Signal<Local, Bits<T>>,
    cta_has: Signal<Local, bool>,
    partner_has: Signal<Local, bool>,
    free: Signal<Local, bool>,
    in_order: Signal<Local, bool>,
    fits: Signal<Local, bool>,
    first_cta: Constant<Bits<T>>,
    half_ctas: Constant<Bits<TW>>,
    half_warps: Constant<Bits<MW>>,
    all_warps: Constant<Bits<MW>>,
}

impl<const NW: usize, const T: usize, const TW: usize, const CW: usize, const MW: usize> Default
    for Handover<NW, T, TW, CW, MW>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            warps_per_cta: Signal::default(),
            pair: Signal::default(),
            exit: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
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
            gain_bounds: CtaBounds::default(),
            lose_bounds: CtaBounds::default(),
            gain_warps: Between::default(),
            lose_warps: Between::default(),
            a_first: Signal::default(),
            gain_cta: Signal::default(),
            lose_cta: Signal::default(),
            from_cta: Signal::default(),
            from_partner: Signal::default(),
            cta_has: Signal::default(),
            partner_has: Signal::default(),
            free: Signal::default(),
            in_order: Signal::default(),
            fits: Signal::default(),
            first_cta: Constant::new(1u64.into()),
            half_ctas: Constant::new((T as u64 / 2).into()),
            half_warps: Constant::new((NW as u64 / 2).into()),
            all_warps: Constant::new((NW as u64).into()),
        }
    }
}

impl<const NW: usize, const T: usize, const TW: usize, const CW: usize, const MW: usize> Logic
    for Handover<NW, T, TW, CW, MW>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.a_first.next = self.a_waits.val() & (!(self.b_waits.val() & self.favor_b.val()));
        self.passes.next = self.exit.val() & (!self.pair.val());
        self.moves.next =
            (self.a_waits.val() | self.b_waits.val()) & (!(self.exit.val() | self.pair.val()));
        if self.pair.val() {
            self.gain_cta.next = self.cta.val();
            self.lose_cta.next = self.partner.val();
        } else if self.exit.val() {
            self.gain_cta.next = self.cta_partner.val();
            self.lose_cta.next = self.cta.val();
        } else if self.a_first.val() {
            self.gain_cta.next = self.a_partner.val();
            self.lose_cta.next = self.a_cta.val();
        } else {
            self.gain_cta.next = self.b_partner.val();
            self.lose_cta.next = self.b_cta.val();
        }
        self.gain_bounds.cta.next = self.gain_cta.val();
        self.gain_bounds.warps_per_cta.next = self.warps_per_cta.val();
        self.lose_bounds.cta.next = self.lose_cta.val();
        self.lose_bounds.warps_per_cta.next = self.warps_per_cta.val();
        self.gain_warps.first.next = self.gain_bounds.first.val();
        self.gain_warps.beyond.next = self.gain_bounds.beyond.val();
        self.lose_warps.first.next = self.lose_bounds.first.val();
        self.lose_warps.beyond.next = self.lose_bounds.beyond.val();
        self.gains.next = self.gain_warps.mask.val();
        self.loses.next = self.lose_warps.mask.val();

        // Neither has a partner, or each the other: the table is symmetric. The lower one lies in the first half of the
        // slots and of the warps, the upper one fits.
        self.from_cta.next = self.shared.val() >> self.cta.val();
        self.from_partner.next = self.shared.val() >> self.partner.val();
        self.cta_has.next = (self.from_cta.val() & self.first_cta.val()).any();
        self.partner_has.next = (self.from_partner.val() & self.first_cta.val()).any();
        self.free.next = ((!self.cta_has.val()) & (!self.partner_has.val()))
            | (self.cta_has.val() & (self.cta_partner.val() == self.partner.val()));
        self.in_order.next =
            (self.cta.val() < self.partner.val()) & (self.cta.val() < self.half_ctas.val());
        self.fits.next = (self.gain_bounds.beyond.val() <= self.half_warps.val())
            & (self.lose_bounds.beyond.val() <= self.all_warps.val());
        self.pair_grant.next = (((self.pair.val() & (!self.clear.val())) & self.sharing.val())
            & (self.free.val() & self.in_order.val()))
            & self.fits.val();
    }
}
