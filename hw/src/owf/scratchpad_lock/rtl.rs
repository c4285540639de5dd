//! Two request ports around the locks, the table of partners and the owner bits.

pub use super::adapter::Rtl;
use super::locks::{Locks, LowerNames};
use super::port::Port;
use crate::owf::sharing::chosen::Chosen;
use crate::owf::sharing::cta_of_warp::CtaOfWarp;
use crate::owf::sharing::cta_warps::CtaWarps;
use crate::owf::sharing::handover::Handover;
use crate::owf::sharing::lower_ctas::LowerCtas;
use crate::owf::sharing::owners::Owners;
use crate::owf::sharing::partners::{OneOf, Partners};
use rust_hdl::prelude::*;

/// Locks of the scratchpad that CTAs in `T` slots, a power of two, share in pairs. `IW` is log2 `NW` rounded up, `TW`
/// log2 `T`; `CW` bits hold 0 to `NW` / 2, `AW` an address; `HALF` is `T` / 2, `QUADS` `T` / 4. The ports are documented at
/// [`ScratchpadLockIn`](super::ScratchpadLockIn) and [`ScratchpadLockOut`](super::ScratchpadLockOut).
#[derive(LogicBlock)]
pub struct ScratchpadLock<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
    const QUADS: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// It shares scratchpad.
    pub share: Signal<In, bool>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// First address that belongs to the pair.
    pub private_bytes: Signal<In, Bits<AW>>,
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
    /// The warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// The address.
    pub a_address: Signal<In, Bits<AW>>,
    /// Port b asks.
    pub b_valid: Signal<In, bool>,
    /// The warp.
    pub b_warp: Signal<In, Bits<IW>>,
    /// The address.
    pub b_address: Signal<In, Bits<AW>>,
    /// The pair is made.
    pub pair_grant: Signal<Out, bool>,
    /// Port a is served.
    pub a_grant: Signal<Out, bool>,
    /// Its warp's CTA holds its lock.
    pub a_held: Signal<Out, bool>,
    /// Port b is served.
    pub b_grant: Signal<Out, bool>,
    /// Its warp's CTA holds its lock.
    pub b_held: Signal<Out, bool>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// Warps in sharing mode.
    pub shared: Signal<Out, Bits<NW>>,
    /// Owner warps.
    pub owner: Signal<Out, Bits<NW>>,
    // State: partners, owner bits and locks, in their blocks.
    partners: Partners<T, TW, HALF>,
    owners: Owners<NW>,
    locks: Locks<HALF, TW>,
    names: LowerNames<HALF, TW>,
    lower_ctas: LowerCtas<HALF, TW>,
    cta_of: OneOf<T, TW>,
    partner_of: OneOf<T, TW>,
    ctas: CtaWarps<NW, T, CW>,
    a_of: CtaOfWarp<NW, T, IW>,
    b_of: CtaOfWarp<NW, T, IW>,
    a_port: Port<NW, T, IW, TW, AW, HALF>,
    b_port: Port<NW, T, IW, TW, AW, HALF>,
    handover: Handover<NW, T, TW, QUADS>,
    shared_warps: Chosen<NW, T, QUADS>,
    rivals: Signal<Local, bool>,
    a_locks: Signal<Local, bool>,
    b_locks: Signal<Local, bool>,
    lower_takes: Signal<Local, Bits<HALF>>,
    upper_takes: Signal<Local, Bits<HALF>>,
    lower_ends: Signal<Local, Bits<HALF>>,
    upper_ends: Signal<Local, Bits<HALF>>,
    no_lock: Constant<Bits<HALF>>,
}

/// 48 warps, 8 CTAs (`gtx480`, `fermi14`): 93 flip-flops.
pub type ScratchpadLock48x8 = ScratchpadLock<48, 8, 6, 3, 5, 17, 4, 2>;
/// 64 warps, 32 CTAs (`v100`): 337 flip-flops.
pub type ScratchpadLock64x32 = ScratchpadLock<64, 32, 6, 5, 6, 17, 16, 8>;
/// 16 warps, 8 CTAs, for tests.
pub type ScratchpadLock16x8 = ScratchpadLock<16, 8, 4, 3, 4, 17, 4, 2>;

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
    const QUADS: usize,
> ScratchpadLock<NW, T, IW, TW, CW, AW, HALF, QUADS>
{
    /// A lock in its power-on state: as after `clear` of a kernel that does not share.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && NW / 2 < 1 << CW && T < NW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            share: Signal::default(),
            warps_per_cta: Signal::default(),
            private_bytes: Signal::default(),
            pair: Signal::default(),
            exit: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            favor_b: Signal::default(),
            a_valid: Signal::default(),
            a_warp: Signal::default(),
            a_address: Signal::default(),
            b_valid: Signal::default(),
            b_warp: Signal::default(),
            b_address: Signal::default(),
            pair_grant: Signal::default(),
            a_grant: Signal::default(),
            a_held: Signal::default(),
            b_grant: Signal::default(),
            b_held: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            partners: Partners::default(),
            owners: Owners::default(),
            locks: Locks::default(),
            names: LowerNames::default(),
            lower_ctas: LowerCtas::default(),
            cta_of: OneOf::default(),
            partner_of: OneOf::default(),
            ctas: CtaWarps::default(),
            a_of: CtaOfWarp::default(),
            b_of: CtaOfWarp::default(),
            a_port: Port::default(),
            b_port: Port::default(),
            handover: Handover::default(),
            shared_warps: Chosen::default(),
            rivals: Signal::default(),
            a_locks: Signal::default(),
            b_locks: Signal::default(),
            lower_takes: Signal::default(),
            upper_takes: Signal::default(),
            lower_ends: Signal::default(),
            upper_ends: Signal::default(),
            no_lock: Constant::new(0u64.into()),
        }
    }
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
    const QUADS: usize,
> Default for ScratchpadLock<NW, T, IW, TW, CW, AW, HALF, QUADS>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
    const QUADS: usize,
> Logic for ScratchpadLock<NW, T, IW, TW, CW, AW, HALF, QUADS>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, partners, owners, locks);

        // From the warp to its CTA, from there to the pair.
        self.ctas.warps_per_cta.next = self.warps_per_cta.val();
        self.a_of.warp.next = self.a_warp.val();
        self.b_of.warp.next = self.b_warp.val();
        for c in 0..T {
            self.a_of.warps[c].next = self.ctas.warps[c].val();
            self.b_of.warps[c].next = self.ctas.warps[c].val();
            self.handover.warps[c].next = self.ctas.warps[c].val();
            self.shared_warps.value[c].next = self.ctas.warps[c].val();
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

        self.a_port.clear.next = self.clear.val();
        self.a_port.valid.next = self.a_valid.val();
        self.a_port.warp.next = self.a_warp.val();
        self.a_port.address.next = self.a_address.val();
        self.a_port.private_bytes.next = self.private_bytes.val();
        self.a_port.cta.next = self.a_of.cta.val();
        self.a_port.partner.next = self.partners.a_partner.val().get_bits::<HALF>(0);
        self.a_port.partner_number.next = self.partners.a_number.val();
        self.a_port.shared.next = self.partners.shared.val();
        self.a_port.lower.next = self.lower_ctas.lower.val();
        self.a_port.by_lower.next = self.locks.by_lower.val();
        self.a_port.by_upper.next = self.locks.by_upper.val();
        self.b_port.clear.next = self.clear.val();
        self.b_port.valid.next = self.b_valid.val();
        self.b_port.warp.next = self.b_warp.val();
        self.b_port.address.next = self.b_address.val();
        self.b_port.private_bytes.next = self.private_bytes.val();
        self.b_port.cta.next = self.b_of.cta.val();
        self.b_port.partner.next = self.partners.b_partner.val().get_bits::<HALF>(0);
        self.b_port.partner_number.next = self.partners.b_number.val();
        self.b_port.shared.next = self.partners.shared.val();
        self.b_port.lower.next = self.lower_ctas.lower.val();
        self.b_port.by_lower.next = self.locks.by_lower.val();
        self.b_port.by_upper.next = self.locks.by_upper.val();

        // Both CTAs of a pair want their lock in one cycle: one gets it.
        self.rivals.next = ((self.a_port.locks.val() & self.b_port.locks.val())
            & (self.a_port.lock.val() & self.b_port.lock.val()).any())
            & (self.a_port.is_lower.val() ^ self.b_port.is_lower.val());
        self.a_locks.next = self.a_port.locks.val() & (!(self.rivals.val() & self.favor_b.val()));
        self.b_locks.next =
            self.b_port.locks.val() & (!(self.rivals.val() & (!self.favor_b.val())));
        self.a_grant.next = self.a_port.direct.val() | self.a_locks.val();
        self.b_grant.next = self.b_port.direct.val() | self.b_locks.val();
        self.a_held.next = self.a_port.holds.val();
        self.b_held.next = self.b_port.holds.val();
        self.lower_takes.next = self.no_lock.val();
        self.upper_takes.next = self.no_lock.val();
        if self.a_locks.val() & self.a_port.is_lower.val() {
            self.lower_takes.next = self.a_port.lock.val();
        } else if self.a_locks.val() {
            self.upper_takes.next = self.a_port.lock.val();
        }
        if self.b_locks.val() & self.b_port.is_lower.val() {
            self.lower_takes.next = self.lower_takes.val() | self.b_port.lock.val();
        } else if self.b_locks.val() {
            self.upper_takes.next = self.upper_takes.val() | self.b_port.lock.val();
        }
        // The CTA that ends holds the lock of its own number, as a lower one, or that of its partner's.
        self.lower_ends.next = self.no_lock.val();
        self.upper_ends.next = self.no_lock.val();
        if self.handover.passes.val() {
            self.lower_ends.next = self.cta_of.hot.val().get_bits::<HALF>(0);
            if (self.cta_of.hot.val() & self.partners.shared.val()).any() {
                self.upper_ends.next = self.partners.cta_partner.val().get_bits::<HALF>(0);
            }
        }
        self.locks.frees.next = (self.lower_ends.val() & self.locks.by_lower.val())
            | (self.upper_ends.val() & self.locks.by_upper.val());
        self.locks.clear.next = self.clear.val();
        self.names.partner[0].next = self.partners.low_number[0].val();
        self.names.partner[1].next = self.partners.low_number[1].val();
        for k in 0..TW {
            self.locks.lower[k].next = self.names.name[k].val();
            self.locks.upper[k].next = self.partners.low_number[k].val();
        }
        self.locks.lower_takes.next = self.lower_takes.val();
        self.locks.upper_takes.next = self.upper_takes.val();

        // Owners change one pair at a time.
        self.handover.clear.next = self.clear.val();
        self.handover.fits.next = self.ctas.fits.val();
        self.handover.has_locks.next = self.ctas.fits.val();
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
        self.shared_warps.chosen.next = self.partners.shared.val();
        self.sharing.next = self.partners.sharing.val();
        self.shared.next = self.shared_warps.result.val();
        self.owner.next = self.owners.owner.val();
    }
}
