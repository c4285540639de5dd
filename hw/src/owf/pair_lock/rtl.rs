//! Two request ports around the locks, the table of partners and the owner bits.

pub use super::adapter::Rtl;
use super::holding::Holding;
use super::locks::Locks;
use super::partner_first::PartnerFirst;
use super::port::Port;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use crate::owf::sharing::cta_ends::CtaEnds;
use crate::owf::sharing::cta_mask::CtaMask;
use crate::owf::sharing::ctas_above::CtasAbove;
use crate::owf::sharing::ctas_within::CtasWithin;
use crate::owf::sharing::handover::Handover;
use crate::owf::sharing::lower_ctas::LowerCtas;
use crate::owf::sharing::pair_of_warp::PairOfWarp;
use crate::owf::sharing::partner_of_cta::PartnerOfCta;
use crate::owf::sharing::partners::Partners;
use rust_hdl::prelude::*;
use std::array;

/// Locks of the registers that warps of `NW` share in pairs, in `T` CTA slots, a power of two. `LOCKS` is `NW` / 2, `IW`
/// log2 `NW` rounded up, `TW` log2 `T`; `CW` bits hold 0 to `LOCKS`, `LW` the number of a lock; `HALF` is `T` / 2.
/// The ports are documented at [`PairLockIn`](super::PairLockIn) and [`PairLockOut`](super::PairLockOut).
#[derive(LogicBlock, Inputs)]
pub struct PairLock<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
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
    shared_warps: Lazy<WriteBits<NW>>,
    partners: Lazy<Partners<T, TW, HALF>>,
    owner_bits: Lazy<WriteBits<NW>>,
    owners: Lazy<Handover<NW, T, TW, IW>>,
    locks: Lazy<Locks<LOCKS, IW, LW>>,
    lower_ctas: Lazy<LowerCtas<HALF, TW>>,
    ctas: Lazy<CtaEnds<NW, T, HALF, IW, CW>>,
    has_locks: Lazy<CtasWithin<NW, T, CW>>,
    at_most: Signal<Local, Bits<LOCKS>>,
    every_lock: Constant<Bits<LOCKS>>,
    partner_first: Lazy<PartnerFirst<T, TW, LW, HALF>>,
    lower_warps: [Lazy<CtaMask<LOCKS>>; HALF],
    holding: Lazy<Holding<HALF, LOCKS>>,
    of_cta: Lazy<PartnerOfCta<T, TW>>,
    a_above: Lazy<CtasAbove<T, IW>>,
    b_above: Lazy<CtasAbove<T, IW>>,
    a_of: Lazy<PairOfWarp<T, TW, HALF>>,
    b_of: Lazy<PairOfWarp<T, TW, HALF>>,
    a_port: Lazy<Port<NW, T, LOCKS, IW, TW, LW, HALF>>,
    b_port: Lazy<Port<NW, T, LOCKS, IW, TW, LW, HALF>>,
    rivals: Signal<Local, bool>,
    same: Signal<Local, bool>,
    a_locks: Signal<Local, bool>,
    b_locks: Signal<Local, bool>,
    a_clears: Signal<Local, bool>,
    b_clears: Signal<Local, bool>,
    pairing: Signal<Local, Bits<NW>>,
    cleared: Signal<Local, Bits<NW>>,
    everybody: Constant<Bits<NW>>,
    nobody: Constant<Bits<NW>>,
}

/// 48 warps, 8 CTAs (`gtx480`, `fermi14`): 273 flip-flops.
pub type PairLock48x8 = PairLock<48, 8, 24, 6, 3, 5, 5, 4>;
/// 64 warps, 32 CTAs (`v100`): 513 flip-flops.
pub type PairLock64x32 = PairLock<64, 32, 32, 6, 5, 6, 5, 16>;
/// 16 warps, 8 CTAs, for tests.
pub type PairLock16x8 = PairLock<16, 8, 8, 4, 3, 4, 3, 4>;

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
> PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF>
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
            shared_warps: Lazy::default(),
            partners: Lazy::default(),
            owner_bits: Lazy::default(),
            owners: Lazy::default(),
            locks: Lazy::default(),
            lower_ctas: Lazy::default(),
            ctas: Lazy::default(),
            has_locks: Lazy::new(CtasWithin::new(LOCKS)),
            at_most: Signal::default(),
            every_lock: Constant::new(Bits::mask()),
            partner_first: Lazy::default(),
            lower_warps: array::from_fn(|at| Lazy::new(CtaMask::new(at))),
            holding: Lazy::default(),
            of_cta: Lazy::default(),
            a_above: Lazy::default(),
            b_above: Lazy::default(),
            a_of: Lazy::default(),
            b_of: Lazy::default(),
            a_port: Lazy::default(),
            b_port: Lazy::default(),
            rivals: Signal::default(),
            same: Signal::default(),
            a_locks: Signal::default(),
            b_locks: Signal::default(),
            a_clears: Signal::default(),
            b_clears: Signal::default(),
            pairing: Signal::default(),
            cleared: Signal::default(),
            everybody: Constant::new(Bits::mask()),
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
> Default for PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF>
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
> Logic for PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, shared_warps, partners, owner_bits, locks);

        // From the warp to its CTA, from there to the pair.
        self.ctas.warps_per_cta.next = self.warps_per_cta.val();
        self.has_locks.warps_per_cta.next = self.warps_per_cta.val();
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
            self.partner_first.partners[k].next = self.partners.number[k].val();
            self.of_cta.partners[k].next = self.partners.number[k].val();
            self.lower_ctas.partner[k].next = self.partners.number[k].val().get_bits::<HALF>(0);
        }
        for k in 0..LW {
            self.partner_first.from[k].next = self.ctas.from[k].val();
            self.a_port.from[k].next = self.ctas.from[k].val();
            self.a_port.partner_from[k].next = self.partner_first.partner_from[k].val();
            self.b_port.partner_from[k].next = self.partner_first.partner_from[k].val();
            self.b_port.from[k].next = self.ctas.from[k].val();
        }

        self.at_most.next = self.every_lock.val() << self.warps_per_cta.val();
        for c in 0..HALF {
            self.lower_warps[c].at_most.next = self.at_most.val();
            self.holding.locks_of[c].next = self.lower_warps[c].warps.val();
        }
        self.holding.by_lower.next = self.locks.by_lower.val();
        self.holding.by_upper.next = self.locks.by_upper.val();
        self.a_port.clear.next = self.clear.val();
        self.a_port.valid.next = self.a_valid.val();
        self.a_port.ends.next = self.a_exit.val();
        self.a_port.warp.next = self.a_warp.val();
        self.a_port.register.next = self.a_reg.val();
        self.a_port.private_regs.next = self.private_regs.val();
        self.a_port.below.next = self.a_above.below.val();
        self.a_port.shares.next = self.a_of.shares.val();
        self.a_port.is_lower.next = self.a_of.is_lower.val();
        self.a_port.pair.next = self.a_of.pair.val();
        self.a_port.lower_holds.next = self.holding.lower_holds.val();
        self.a_port.upper_holds.next = self.holding.upper_holds.val();
        self.a_port.by_lower.next = self.locks.by_lower.val();
        self.a_port.by_upper.next = self.locks.by_upper.val();
        self.b_port.clear.next = self.clear.val();
        self.b_port.valid.next = self.b_valid.val();
        self.b_port.ends.next = self.b_exit.val();
        self.b_port.warp.next = self.b_warp.val();
        self.b_port.register.next = self.b_reg.val();
        self.b_port.private_regs.next = self.private_regs.val();
        self.b_port.below.next = self.b_above.below.val();
        self.b_port.shares.next = self.b_of.shares.val();
        self.b_port.is_lower.next = self.b_of.is_lower.val();
        self.b_port.pair.next = self.b_of.pair.val();
        self.b_port.lower_holds.next = self.holding.lower_holds.val();
        self.b_port.upper_holds.next = self.holding.upper_holds.val();
        self.b_port.by_lower.next = self.locks.by_lower.val();
        self.b_port.by_upper.next = self.locks.by_upper.val();

        // The first locks of two CTAs of a pair in one cycle: one CTA gets its.
        self.rivals.next = ((self.a_port.locks.val() & self.b_port.locks.val())
            & (self.a_of.pair.val() == self.b_of.pair.val()))
            & (self.a_of.is_lower.val() ^ self.b_of.is_lower.val());
        self.a_locks.next = self.a_port.locks.val() & (!(self.rivals.val() & self.favor_b.val()));
        self.b_locks.next =
            self.b_port.locks.val() & (!(self.rivals.val() & (!self.favor_b.val())));
        self.a_grant.next = self.a_port.direct.val() | self.a_locks.val();
        self.b_grant.next = self.b_port.direct.val() | self.b_locks.val();
        self.a_held.next = self.a_port.holds.val();
        self.a_upper.next = self.a_port.upper.val();
        self.a_home.next = self.a_port.home.val();
        self.b_held.next = self.b_port.holds.val();
        self.b_upper.next = self.b_port.upper.val();
        self.b_home.next = self.b_port.home.val();

        // A port that takes a lock wins over one that frees it.
        self.same.next = self.a_port.lock.val() == self.b_port.lock.val();
        self.a_clears.next = self.a_port.frees.val() & (!(self.b_locks.val() & self.same.val()));
        self.b_clears.next = self.b_port.frees.val() & (!(self.a_locks.val() & self.same.val()));
        self.locks.clear.next = self.clear.val();
        self.locks.a_writes.next = self.a_locks.val() | self.a_clears.val();
        self.locks.a_takes.next = self.a_locks.val();
        self.locks.a_lock.next = self.a_port.lock.val();
        self.locks.a_warp.next = self.a_warp.val();
        self.locks.b_writes.next = self.b_locks.val() | self.b_clears.val();
        self.locks.b_takes.next = self.b_locks.val();
        self.locks.b_lock.next = self.b_port.lock.val();
        self.locks.b_warp.next = self.b_warp.val();

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
        self.owners.has_locks.next = self.has_locks.ctas.val();
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

        // The warps of a new pair share.
        self.pairing.next = self.nobody.val();
        if self.pair.val() {
            self.pairing.next = self.owners.gains.val() | self.owners.loses.val();
        }
        self.cleared.next = self.nobody.val();
        if self.clear.val() {
            self.cleared.next = self.everybody.val();
        }
        self.shared_warps.reset.next = self.cleared.val();
        self.shared_warps.write.next = self.pairing.val();
        self.shared_warps.value.next = self.everybody.val();
        self.sharing.next = self.partners.sharing.val();
        self.shared.next = self.shared_warps.q.val();
        self.owner.next = self.owner_bits.q.val();
    }
}
