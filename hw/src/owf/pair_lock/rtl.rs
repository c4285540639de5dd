//! Two request ports around the locks, the table of partners and the owner bits.

pub use super::adapter::Rtl;
use super::holding::Holding;
use super::home::Home;
use super::locks::Locks;
use super::port::Port;
use crate::owf::sharing::cta_locks::CtaLocks;
use crate::owf::sharing::cta_of_warp::CtaOfWarp;
use crate::owf::sharing::cta_warps::CtaWarps;
use crate::owf::sharing::handover::Handover;
use crate::owf::sharing::lower_ctas::LowerCtas;
use crate::owf::sharing::owners::Owners;
use crate::owf::sharing::partners::{OneOf, Partners};
use rust_hdl::prelude::*;

/// Locks of the registers that warps of `NW` share in pairs, in `T` CTA slots, a power of two. `LOCKS` is `NW` / 2, `IW`
/// log2 `NW` rounded up, `TW` log2 `T`; `CW` bits hold 0 to `LOCKS`, `LW` the number of a lock; `HALF` is `T` / 2,
/// `QUADS` `T` / 4, `HALF_QUADS` `T` / 8.
/// The ports are documented at [`PairLockIn`](super::PairLockIn) and [`PairLockOut`](super::PairLockOut).
#[derive(LogicBlock)]
pub struct PairLock<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// It shares registers.
    pub share: Signal<In, bool>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// First register that belongs to the pair.
    pub private_regs: Signal<In, Bits<8>>,
    /// Makes a pair.
    pub pair: Signal<In, bool>,
    /// A CTA has ended.
    pub exit: Signal<In, bool>,
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Upper CTA of a new pair.
    pub partner: Signal<In, Bits<TW>>,
    /// Port that wins a tie.
    pub favor_b: Signal<In, bool>,
    /// Port a asks.
    pub a_valid: Signal<In, bool>,
    /// Its warp ends.
    pub a_exit: Signal<In, bool>,
    /// The warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// The register.
    pub a_reg: Signal<In, Bits<8>>,
    /// Port b asks.
    pub b_valid: Signal<In, bool>,
    /// Its warp ends.
    pub b_exit: Signal<In, bool>,
    /// The warp.
    pub b_warp: Signal<In, Bits<IW>>,
    /// The register.
    pub b_reg: Signal<In, Bits<8>>,
    /// The pair is made.
    pub pair_grant: Signal<Out, bool>,
    /// Port a is served.
    pub a_grant: Signal<Out, bool>,
    /// Its warp holds its lock.
    pub a_held: Signal<Out, bool>,
    /// Its warp is an upper one.
    pub a_upper: Signal<Out, bool>,
    /// The lower warp of its pair, or itself.
    pub a_home: Signal<Out, Bits<IW>>,
    /// Port b is served.
    pub b_grant: Signal<Out, bool>,
    /// Its warp holds its lock.
    pub b_held: Signal<Out, bool>,
    /// Its warp is an upper one.
    pub b_upper: Signal<Out, bool>,
    /// The lower warp of its pair, or itself.
    pub b_home: Signal<Out, Bits<IW>>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// Warps in sharing mode.
    pub shared: Signal<Out, Bits<NW>>,
    /// Owner warps.
    pub owner: Signal<Out, Bits<NW>>,
    // State: a bit per warp in sharing mode; partners, owner bits and locks in their blocks.
    shared_warps: DFF<Bits<NW>>,
    partners: Partners<T, TW, HALF>,
    owners: Owners<NW>,
    locks: Locks<LOCKS, IW>,
    lower_ctas: LowerCtas<HALF, TW>,
    cta_of: OneOf<T, TW>,
    partner_of: OneOf<T, TW>,
    ctas: CtaWarps<NW, T, CW>,
    cta_locks: CtaLocks<NW, T, HALF, LW>,
    a_of: CtaOfWarp<NW, T, IW>,
    b_of: CtaOfWarp<NW, T, IW>,
    holding: Holding<HALF, LOCKS>,
    a_port: Port<NW, T, LOCKS, IW, TW, LW, HALF, QUADS, HALF_QUADS>,
    b_port: Port<NW, T, LOCKS, IW, TW, LW, HALF, QUADS, HALF_QUADS>,
    a_at: Home<IW, LW>,
    b_at: Home<IW, LW>,
    handover: Handover<NW, T, TW, QUADS>,
    rivals: Signal<Local, bool>,
    a_locks: Signal<Local, bool>,
    b_locks: Signal<Local, bool>,
    a_takes: Signal<Local, Bits<LOCKS>>,
    b_takes: Signal<Local, Bits<LOCKS>>,
    no_lock: Constant<Bits<LOCKS>>,
    nobody: Constant<Bits<NW>>,
}

/// 48 warps, 8 CTAs (`gtx480`, `fermi14`): 273 flip-flops.
pub type PairLock48x8 = PairLock<48, 8, 24, 6, 3, 5, 5, 4, 2, 1>;
/// 64 warps, 32 CTAs (`v100`): 513 flip-flops.
pub type PairLock64x32 = PairLock<64, 32, 32, 6, 5, 6, 5, 16, 8, 4>;
/// 16 warps, 8 CTAs, for tests.
pub type PairLock16x8 = PairLock<16, 8, 8, 4, 3, 4, 3, 4, 2, 1>;

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF, QUADS, HALF_QUADS>
{
    /// A lock in its power-on state: as after `clear` of a kernel that does not share.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(LOCKS == NW / 2 && NW <= 1 << IW && LOCKS < 1 << CW && T < NW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            share: Signal::default(),
            warps_per_cta: Signal::default(),
            private_regs: Signal::default(),
            pair: Signal::default(),
            exit: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            favor_b: Signal::default(),
            a_valid: Signal::default(),
            a_exit: Signal::default(),
            a_warp: Signal::default(),
            a_reg: Signal::default(),
            b_valid: Signal::default(),
            b_exit: Signal::default(),
            b_warp: Signal::default(),
            b_reg: Signal::default(),
            pair_grant: Signal::default(),
            a_grant: Signal::default(),
            a_held: Signal::default(),
            a_upper: Signal::default(),
            a_home: Signal::default(),
            b_grant: Signal::default(),
            b_held: Signal::default(),
            b_upper: Signal::default(),
            b_home: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            shared_warps: DFF::default(),
            partners: Partners::default(),
            owners: Owners::default(),
            locks: Locks::default(),
            lower_ctas: LowerCtas::default(),
            cta_of: OneOf::default(),
            partner_of: OneOf::default(),
            ctas: CtaWarps::default(),
            cta_locks: CtaLocks::default(),
            a_of: CtaOfWarp::default(),
            b_of: CtaOfWarp::default(),
            holding: Holding::default(),
            a_port: Port::default(),
            b_port: Port::default(),
            a_at: Home::default(),
            b_at: Home::default(),
            handover: Handover::default(),
            rivals: Signal::default(),
            a_locks: Signal::default(),
            b_locks: Signal::default(),
            a_takes: Signal::default(),
            b_takes: Signal::default(),
            no_lock: Constant::new(0u64.into()),
            nobody: Constant::new(0u64.into()),
        }
    }
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> Default for PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF, QUADS, HALF_QUADS>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> Logic for PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF, QUADS, HALF_QUADS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, shared_warps);
        clock!(self, clock, partners, owners, locks);

        // From the warp to its CTA, from there to the pair.
        self.ctas.warps_per_cta.next = self.warps_per_cta.val();
        self.cta_locks.size.next = self.warps_per_cta.val().get_bits::<LW>(0);
        self.cta_locks.first_cta.next = self.ctas.warps[0].val();
        self.a_of.warp.next = self.a_warp.val();
        self.b_of.warp.next = self.b_warp.val();
        for c in 0..T {
            self.a_of.warps[c].next = self.ctas.warps[c].val();
            self.b_of.warps[c].next = self.ctas.warps[c].val();
            self.a_port.first[c].next = self.cta_locks.first[c].val();
            self.b_port.first[c].next = self.cta_locks.first[c].val();
            self.handover.warps[c].next = self.ctas.warps[c].val();
        }
        self.partners.clear.next = self.clear.val();
        self.partners.share.next = self.share.val();
        self.partners.cta.next = self.cta.val();
        self.partners.partner.next = self.partner.val();
        self.cta_of.cta.next = self.cta.val();
        self.partner_of.cta.next = self.partner.val();
        self.partners.cta_hot.next = self.cta_of.hot.val();
        self.partners.partner_hot.next = self.partner_of.hot.val();
        self.partners.a_cta.next = self.a_of.cta.val();
        self.partners.b_cta.next = self.b_of.cta.val();
        for k in 0..TW {
            self.lower_ctas.partner[k].next = self.partners.low_number[k].val();
        }

        for c in 0..HALF {
            self.holding.locks_of[c].next = self.ctas.warps[c].val().get_bits::<LOCKS>(0);
        }
        self.holding.by_lower.next = self.locks.by_lower.val();
        self.holding.by_upper.next = self.locks.by_upper.val();
        self.a_port.clear.next = self.clear.val();
        self.a_port.valid.next = self.a_valid.val();
        self.a_port.ends.next = self.a_exit.val();
        self.a_port.warp.next = self.a_warp.val();
        self.a_port.register.next = self.a_reg.val();
        self.a_port.private_regs.next = self.private_regs.val();
        self.a_port.cta.next = self.a_of.cta.val();
        self.a_port.partner.next = self.partners.a_partner.val().get_bits::<HALF>(0);
        self.a_port.partner_number.next = self.partners.a_number.val();
        self.a_port.lower.next = self.lower_ctas.lower.val();
        self.a_port.shared.next = self.shared_warps.q.val();
        self.a_port.lower_holds.next = self.holding.lower_holds.val();
        self.a_port.upper_holds.next = self.holding.upper_holds.val();
        self.a_port.held.next = self.locks.a_held.val();
        self.b_port.clear.next = self.clear.val();
        self.b_port.valid.next = self.b_valid.val();
        self.b_port.ends.next = self.b_exit.val();
        self.b_port.warp.next = self.b_warp.val();
        self.b_port.register.next = self.b_reg.val();
        self.b_port.private_regs.next = self.private_regs.val();
        self.b_port.cta.next = self.b_of.cta.val();
        self.b_port.partner.next = self.partners.b_partner.val().get_bits::<HALF>(0);
        self.b_port.partner_number.next = self.partners.b_number.val();
        self.b_port.lower.next = self.lower_ctas.lower.val();
        self.b_port.shared.next = self.shared_warps.q.val();
        self.b_port.lower_holds.next = self.holding.lower_holds.val();
        self.b_port.upper_holds.next = self.holding.upper_holds.val();
        self.b_port.held.next = self.locks.b_held.val();

        // The first locks of two CTAs of a pair in one cycle: one CTA gets its.
        self.rivals.next = ((self.a_port.locks.val() & self.b_port.locks.val())
            & (self.a_port.pair.val() & self.b_port.pair.val()).any())
            & (self.a_port.is_lower.val() ^ self.b_port.is_lower.val());
        self.a_locks.next = self.a_port.locks.val() & (!(self.rivals.val() & self.favor_b.val()));
        self.b_locks.next =
            self.b_port.locks.val() & (!(self.rivals.val() & (!self.favor_b.val())));
        self.a_grant.next = self.a_port.direct.val() | self.a_locks.val();
        self.b_grant.next = self.b_port.direct.val() | self.b_locks.val();
        self.a_held.next = self.a_port.holds.val();
        self.a_upper.next = self.a_port.upper.val();
        self.a_at.warp.next = self.a_warp.val();
        self.a_at.upper.next = self.a_port.upper.val();
        self.a_at.lock.next = self.a_port.lock_number.val();
        self.a_home.next = self.a_at.home.val();
        self.b_held.next = self.b_port.holds.val();
        self.b_upper.next = self.b_port.upper.val();
        self.b_at.warp.next = self.b_warp.val();
        self.b_at.upper.next = self.b_port.upper.val();
        self.b_at.lock.next = self.b_port.lock_number.val();
        self.b_home.next = self.b_at.home.val();
        self.a_takes.next = self.no_lock.val();
        if self.a_locks.val() {
            self.a_takes.next = self.a_port.lock.val();
        }
        self.b_takes.next = self.no_lock.val();
        if self.b_locks.val() {
            self.b_takes.next = self.b_port.lock.val();
        }
        self.locks.clear.next = self.clear.val();
        self.locks.a_takes.next = self.a_takes.val();
        self.locks.a_warp.next = self.a_warp.val();
        self.locks.b_takes.next = self.b_takes.val();
        self.locks.b_warp.next = self.b_warp.val();
        self.locks.frees.next = self.a_port.frees.val() | self.b_port.frees.val();

        // Owners change one pair at a time.
        self.handover.clear.next = self.clear.val();
        self.handover.fits.next = self.ctas.fits.val();
        self.handover.has_locks.next = self.cta_locks.has_locks.val();
        self.handover.pair.next = self.pair.val();
        self.handover.exit.next = self.exit.val();
        self.handover.cta.next = self.cta.val();
        self.handover.partner.next = self.partner.val();
        self.handover.cta_hot.next = self.cta_of.hot.val();
        self.handover.partner_hot.next = self.partner_of.hot.val();
        self.handover.sharing.next = self.partners.sharing.val();
        self.handover.shared.next = self.partners.shared.val();
        self.handover.cta_partner.next = self.partners.cta_partner.val();
        self.handover.favor_b.next = self.favor_b.val();
        self.handover.a_waits.next = self.a_port.waits.val();
        self.handover.a_cta.next = self.a_of.cta.val();
        self.handover.a_partner.next = self.partners.a_partner.val();
        self.handover.b_waits.next = self.b_port.waits.val();
        self.handover.b_cta.next = self.b_of.cta.val();
        self.handover.b_partner.next = self.partners.b_partner.val();
        self.pair_grant.next = self.handover.pair_grant.val();
        self.partners.write.next = self.handover.pair_grant.val();
        self.owners.clear.next = self.clear.val();
        self.owners.forgets.next = self.handover.pair_grant.val();
        self.owners.passes.next = self.handover.passes.val();
        self.owners.moves.next = self.handover.moves.val();
        self.owners.gains.next = self.handover.gains.val();
        self.owners.loses.next = self.handover.loses.val();
        if self.clear.val() {
            self.shared_warps.d.next = self.nobody.val();
        } else if self.handover.pair_grant.val() {
            self.shared_warps.d.next =
                (self.shared_warps.q.val() | self.handover.gains.val()) | self.handover.loses.val();
        }
        self.sharing.next = self.partners.sharing.val();
        self.shared.next = self.shared_warps.q.val();
        self.owner.next = self.owners.owner.val();
    }
}
