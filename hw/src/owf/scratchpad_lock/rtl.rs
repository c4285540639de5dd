//! Two request ports around the locks, the table of partners and the owner bits.

pub use super::adapter::Rtl;
use super::locks::{Locks, LowerNames};
use super::port::Port;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use crate::owf::sharing::cta_bits::CtaBits;
use crate::owf::sharing::cta_ends::CtaEnds;
use crate::owf::sharing::ctas_above::CtasAbove;
use crate::owf::sharing::handover::Handover;
use crate::owf::sharing::lower_ctas::LowerCtas;
use crate::owf::sharing::pair_of_warp::PairOfWarp;
use crate::owf::sharing::partner_of_cta::PartnerOfCta;
use crate::owf::sharing::partners::Partners;
use rust_hdl::prelude::*;

/// Locks of the scratchpad that CTAs in `T` slots, a power of two, share in pairs. `IW` is log2 `NW` rounded up, `TW`
/// log2 `T`; `CW` bits hold 0 to `NW` / 2, `AW` an address; `HALF` is `T` / 2. The ports are documented at
/// [`ScratchpadLockIn`](super::ScratchpadLockIn) and [`ScratchpadLockOut`](super::ScratchpadLockOut).
#[derive(LogicBlock, Inputs)]
pub struct ScratchpadLock<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
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
    // State: partners, locks and owner bits, in their blocks.
    partners: Lazy<Partners<T, TW, HALF>>,
    locks: Lazy<Locks<HALF, TW>>,
    owner_bits: Lazy<WriteBits<NW>>,
    owners: Lazy<Handover<NW, T, TW, IW>>,
    names: Lazy<LowerNames<HALF, TW>>,
    lower_ctas: Lazy<LowerCtas<HALF, TW>>,
    ctas: Lazy<CtaEnds<NW, T, HALF, IW, CW>>,
    of_cta: Lazy<PartnerOfCta<T, TW>>,
    a_above: Lazy<CtasAbove<T, IW>>,
    b_above: Lazy<CtasAbove<T, IW>>,
    a_of: Lazy<PairOfWarp<T, TW, HALF>>,
    b_of: Lazy<PairOfWarp<T, TW, HALF>>,
    a_port: Lazy<Port<NW, IW, TW, AW, HALF>>,
    b_port: Lazy<Port<NW, IW, TW, AW, HALF>>,
    shared_warps: Lazy<CtaBits<NW, T>>,
    at_most: Signal<Local, Bits<NW>>,
    ends: Signal<Local, bool>,
    every: Constant<Bits<NW>>,
    rivals: Signal<Local, bool>,
    a_locks: Signal<Local, bool>,
    b_locks: Signal<Local, bool>,
    a_takes: Signal<Local, Bits<HALF>>,
    b_takes: Signal<Local, Bits<HALF>>,
    lower_takes: Signal<Local, Bits<HALF>>,
    upper_takes: Signal<Local, Bits<HALF>>,
    lower_ends: Signal<Local, Bits<HALF>>,
    upper_ends: Signal<Local, Bits<HALF>>,
    no_lock: Constant<Bits<HALF>>,
    first_lock: Constant<Bits<HALF>>,
    every_cta: Constant<Bits<T>>,
}

/// 48 warps, 8 CTAs (`gtx480`, `fermi14`): 93 flip-flops.
pub type ScratchpadLock48x8 = ScratchpadLock<48, 8, 6, 3, 5, 17, 4>;
/// 64 warps, 32 CTAs (`v100`): 337 flip-flops.
pub type ScratchpadLock64x32 = ScratchpadLock<64, 32, 6, 5, 6, 17, 16>;
/// 16 warps, 8 CTAs, for tests.
pub type ScratchpadLock16x8 = ScratchpadLock<16, 8, 4, 3, 4, 17, 4>;

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
> ScratchpadLock<NW, T, IW, TW, CW, AW, HALF>
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
            partners: Lazy::default(),
            locks: Lazy::default(),
            owner_bits: Lazy::default(),
            owners: Lazy::default(),
            names: Lazy::default(),
            lower_ctas: Lazy::default(),
            ctas: Lazy::default(),
            of_cta: Lazy::default(),
            a_above: Lazy::default(),
            b_above: Lazy::default(),
            a_of: Lazy::default(),
            b_of: Lazy::default(),
            a_port: Lazy::default(),
            b_port: Lazy::default(),
            shared_warps: Lazy::default(),
            at_most: Signal::default(),
            ends: Signal::default(),
            every: Constant::new(Bits::mask()),
            rivals: Signal::default(),
            a_locks: Signal::default(),
            b_locks: Signal::default(),
            a_takes: Signal::default(),
            b_takes: Signal::default(),
            lower_takes: Signal::default(),
            upper_takes: Signal::default(),
            lower_ends: Signal::default(),
            upper_ends: Signal::default(),
            no_lock: Constant::new(0u64.into()),
            first_lock: Constant::new(1u64.into()),
            every_cta: Constant::new(Bits::mask()),
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
> Default for ScratchpadLock<NW, T, IW, TW, CW, AW, HALF>
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
> Logic for ScratchpadLock<NW, T, IW, TW, CW, AW, HALF>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, partners, locks, owner_bits);

        // From the warp to its CTA, from there to the pair.
        self.ctas.warps_per_cta.next = self.warps_per_cta.val();
        self.partners.clear.next = self.clear.val();
        self.partners.share.next = self.share.val();
        self.partners.cta.next = self.cta.val();
        self.partners.partner.next = self.partner.val();
        self.partners.write.next = self.owners.pair_grant.val();
        self.a_above.warp.next = self.a_warp.val();
        self.a_above.beyond.next = self.ctas.beyond.val();
        self.a_of.below.next = self.a_above.below.val();
        self.a_of.shared.next = self.partners.shared.val();
        self.a_of.lower.next = self.lower_ctas.lower.val();
        self.b_above.warp.next = self.b_warp.val();
        self.b_above.beyond.next = self.ctas.beyond.val();
        self.b_of.below.next = self.b_above.below.val();
        self.b_of.shared.next = self.partners.shared.val();
        self.b_of.lower.next = self.lower_ctas.lower.val();
        for c in 0..T {
            self.a_above.end[c].next = self.ctas.end[c].val();
            self.b_above.end[c].next = self.ctas.end[c].val();
        }
        for k in 0..TW {
            self.a_of.partners[k].next = self.partners.number[k].val();
            self.b_of.partners[k].next = self.partners.number[k].val();
            self.of_cta.partners[k].next = self.partners.number[k].val();
            self.lower_ctas.partner[k].next = self.partners.number[k].val().get_bits::<HALF>(0);
        }
        self.a_port.clear.next = self.clear.val();
        self.a_port.valid.next = self.a_valid.val();
        self.a_port.warp.next = self.a_warp.val();
        self.a_port.address.next = self.a_address.val();
        self.a_port.private_bytes.next = self.private_bytes.val();
        self.a_port.shares.next = self.a_of.shares.val();
        self.a_port.is_lower.next = self.a_of.is_lower.val();
        self.a_port.pair.next = self.a_of.pair.val();
        self.a_port.by_lower.next = self.locks.by_lower.val();
        self.a_port.by_upper.next = self.locks.by_upper.val();
        self.b_port.clear.next = self.clear.val();
        self.b_port.valid.next = self.b_valid.val();
        self.b_port.warp.next = self.b_warp.val();
        self.b_port.address.next = self.b_address.val();
        self.b_port.private_bytes.next = self.private_bytes.val();
        self.b_port.shares.next = self.b_of.shares.val();
        self.b_port.is_lower.next = self.b_of.is_lower.val();
        self.b_port.pair.next = self.b_of.pair.val();
        self.b_port.by_lower.next = self.locks.by_lower.val();
        self.b_port.by_upper.next = self.locks.by_upper.val();

        // Both CTAs of a pair want their lock in one cycle: one gets it.
        self.rivals.next = ((self.a_port.locks.val() & self.b_port.locks.val())
            & (self.a_of.pair.val() == self.b_of.pair.val()))
            & (self.a_of.is_lower.val() ^ self.b_of.is_lower.val());
        self.a_locks.next = self.a_port.locks.val() & (!(self.rivals.val() & self.favor_b.val()));
        self.b_locks.next =
            self.b_port.locks.val() & (!(self.rivals.val() & (!self.favor_b.val())));
        self.a_grant.next = self.a_port.direct.val() | self.a_locks.val();
        self.b_grant.next = self.b_port.direct.val() | self.b_locks.val();
        self.a_held.next = self.a_port.holds.val();
        self.b_held.next = self.b_port.holds.val();
        self.a_takes.next = self.no_lock.val();
        if self.a_locks.val() {
            self.a_takes.next = self.first_lock.val() << self.a_of.pair.val();
        }
        self.b_takes.next = self.no_lock.val();
        if self.b_locks.val() {
            self.b_takes.next = self.first_lock.val() << self.b_of.pair.val();
        }
        self.lower_takes.next = self.no_lock.val();
        self.upper_takes.next = self.no_lock.val();
        if self.a_of.is_lower.val() {
            self.lower_takes.next = self.a_takes.val();
        } else {
            self.upper_takes.next = self.a_takes.val();
        }
        if self.b_of.is_lower.val() {
            self.lower_takes.next = self.lower_takes.val() | self.b_takes.val();
        } else {
            self.upper_takes.next = self.upper_takes.val() | self.b_takes.val();
        }
        // The CTA that ends holds the lock of its own number, as a lower one, or that of its partner's.
        self.ends.next = self.exit.val() & (!self.pair.val());
        self.lower_ends.next = self.no_lock.val();
        if self.ends.val() {
            self.lower_ends.next = self.first_lock.val() << self.cta.val();
        }
        self.upper_ends.next = self.no_lock.val();
        if self.ends.val() & self.of_cta.shares.val() {
            self.upper_ends.next = self.first_lock.val() << self.of_cta.partner.val();
        }
        self.locks.frees.next = (self.lower_ends.val() & self.locks.by_lower.val())
            | (self.upper_ends.val() & self.locks.by_upper.val());
        self.locks.clear.next = self.clear.val();
        self.names.partner[0].next = self.partners.number[0].val().get_bits::<HALF>(0);
        self.names.partner[1].next = self.partners.number[1].val().get_bits::<HALF>(0);
        for k in 0..TW {
            self.locks.lower[k].next = self.names.name[k].val();
            self.locks.upper[k].next = self.partners.number[k].val().get_bits::<HALF>(0);
        }
        self.locks.lower_takes.next = self.lower_takes.val();
        self.locks.upper_takes.next = self.upper_takes.val();

        // Owners change one pair at a time.
        self.of_cta.cta.next = self.cta.val();
        self.of_cta.shared.next = self.partners.shared.val();
        self.owners.cta_shares.next = self.of_cta.shares.val();
        self.owners.cta_partner.next = self.of_cta.partner.val();
        self.owners.owner.next = self.owner_bits.q.val();
        self.owner_bits.reset.next = self.owners.loses.val();
        self.owner_bits.write.next = self.owners.gains.val();
        self.owner_bits.value.next = self.owners.owns.val();
        self.owners.clear.next = self.clear.val();
        for k in 0..IW {
            self.owners.from[k].next = self.ctas.from[k].val();
            self.owners.to[k].next = self.ctas.to[k].val();
        }
        self.owners.beyond.next = self.ctas.beyond.val();
        self.owners.fits.next = self.ctas.fits.val();
        self.owners.has_locks.next = self.every_cta.val();
        self.owners.pair.next = self.pair.val();
        self.owners.exit.next = self.exit.val();
        self.owners.cta.next = self.cta.val();
        self.owners.partner.next = self.partner.val();
        self.owners.sharing.next = self.partners.sharing.val();
        self.owners.shared.next = self.partners.shared.val();
        self.owners.favor_b.next = self.favor_b.val();
        self.owners.a_waits.next = self.a_port.waits.val();
        self.owners.a_cta.next = self.a_of.cta.val();
        self.owners.a_partner.next = self.a_of.partner.val();
        self.owners.b_waits.next = self.b_port.waits.val();
        self.owners.b_cta.next = self.b_of.cta.val();
        self.owners.b_partner.next = self.b_of.partner.val();
        self.pair_grant.next = self.owners.pair_grant.val();
        self.at_most.next = self.every.val() << self.warps_per_cta.val();
        self.shared_warps.at_most.next = self.at_most.val();
        self.shared_warps.ctas.next = self.partners.shared.val();
        self.sharing.next = self.partners.sharing.val();
        self.shared.next = self.shared_warps.warps.val();
        self.owner.next = self.owner_bits.q.val();
    }
}
