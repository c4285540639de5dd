//! What one request needs, looked at alone: the register access mechanism of Figure 3.

use crate::owf::sharing::cta_warps::{Between, CtaBounds};
use crate::owf::sharing::partners::LowerOf;
use rust_hdl::prelude::*;

/// One request port. The warp's CTA, its place there and the partner of the CTA have been looked up.
#[derive(LogicBlock)]
pub struct Port<
    const NW: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const KW: usize,
    const CW: usize,
    const MW: usize,
> {
    /// A kernel starts: nothing is asked for.
    pub clear: Signal<In, bool>,
    /// A request.
    pub valid: Signal<In, bool>,
    /// The warp ends.
    pub ends: Signal<In, bool>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// The register.
    pub register: Signal<In, Bits<8>>,
    /// First register that belongs to the pair.
    pub private_regs: Signal<In, Bits<8>>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// Its CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Its place there.
    pub place: Signal<In, Bits<MW>>,
    /// Partner of its CTA.
    pub partner: Signal<In, Bits<TW>>,
    /// Warps in sharing mode.
    pub shared: Signal<In, Bits<NW>>,
    /// Locks held by the lower warp of their pair.
    pub by_lower: Signal<In, Bits<LOCKS>>,
    /// Locks held by the upper warp of their pair.
    pub by_upper: Signal<In, Bits<LOCKS>>,
    /// The warp's CTA is the lower one of its pair.
    pub is_lower: Signal<Out, bool>,
    /// The lower CTA of its pair.
    pub lower: Signal<Out, Bits<KW>>,
    /// The lock of the warp's pair.
    pub lock: Signal<Out, Bits<LOCKS>>,
    /// The warp holds it.
    pub holds: Signal<Out, bool>,
    /// The request needs no lock.
    pub direct: Signal<Out, bool>,
    /// The warp gets or has the lock.
    pub locks: Signal<Out, bool>,
    /// The warp has to wait: the partner of its CTA holds locks.
    pub waits: Signal<Out, bool>,
    /// The warp ends and gives its lock back.
    pub frees: Signal<Out, Bits<LOCKS>>,
    order: LowerOf<TW, KW>,
    bounds: CtaBounds<KW, CW, MW>,
    locks_of: Between<LOCKS, MW>,
    from_warp: Signal<Local, Bits<NW>>,
    after_warp: Signal<Local, Bits<NW>>,
    exists: Signal<Local, bool>,
    shares: Signal<Local, bool>,
    asks: Signal<Local, bool>,
    needs: Signal<Local, bool>,
    index: Signal<Local, Bits<MW>>,
    own_lock: Signal<Local, Bits<LOCKS>>,
    own: Signal<Local, Bits<LOCKS>>,
    others: Signal<Local, Bits<LOCKS>>,
    has: Signal<Local, bool>,
    busy: Signal<Local, bool>,
    none: Constant<Bits<LOCKS>>,
    one: Constant<Bits<LOCKS>>,
    first_warp: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
}

impl<
    const NW: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const KW: usize,
    const CW: usize,
    const MW: usize,
> Default for Port<NW, LOCKS, IW, TW, KW, CW, MW>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            valid: Signal::default(),
            ends: Signal::default(),
            warp: Signal::default(),
            register: Signal::default(),
            private_regs: Signal::default(),
            warps_per_cta: Signal::default(),
            cta: Signal::default(),
            place: Signal::default(),
            partner: Signal::default(),
            shared: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            is_lower: Signal::default(),
            lower: Signal::default(),
            lock: Signal::default(),
            holds: Signal::default(),
            direct: Signal::default(),
            locks: Signal::default(),
            waits: Signal::default(),
            frees: Signal::default(),
            order: LowerOf::default(),
            bounds: CtaBounds::default(),
            locks_of: Between::default(),
            from_warp: Signal::default(),
            after_warp: Signal::default(),
            exists: Signal::default(),
            shares: Signal::default(),
            asks: Signal::default(),
            needs: Signal::default(),
            index: Signal::default(),
            own_lock: Signal::default(),
            own: Signal::default(),
            others: Signal::default(),
            has: Signal::default(),
            busy: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            first_warp: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
        }
    }
}

impl<
    const NW: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const KW: usize,
    const CW: usize,
    const MW: usize,
> Logic for Port<NW, LOCKS, IW, TW, KW, CW, MW>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.order.cta.next = self.cta.val();
        self.order.partner.next = self.partner.val();
        self.is_lower.next = self.order.is_lower.val();
        self.lower.next = self.order.lower.val();
        self.bounds.cta.next = self.order.lower.val();
        self.bounds.warps_per_cta.next = self.warps_per_cta.val();
        self.locks_of.first.next = self.bounds.first.val();
        self.locks_of.beyond.next = self.bounds.beyond.val();

        // Above the last warp there are zeros: a warp that does not exist asks for nothing and does not share.
        self.after_warp.next = self.all.val() >> self.warp.val();
        self.exists.next = (self.after_warp.val() & self.first_warp.val()).any();
        self.from_warp.next = self.shared.val() >> self.warp.val();
        self.shares.next = (self.from_warp.val() & self.first_warp.val()).any();

        // Both warps of a pair have the place in common, and the lock has the number of the lower one.
        self.index.next = self.bounds.first.val() + self.place.val();
        self.own_lock.next = self.one.val() << self.index.val();
        if self.order.is_lower.val() {
            self.own.next = self.by_lower.val();
            self.others.next = self.by_upper.val();
        } else {
            self.own.next = self.by_upper.val();
            self.others.next = self.by_lower.val();
        }
        self.has.next = self.shares.val() & (self.own.val() & self.own_lock.val()).any();

        // The rule against deadlock contains the lock: if the partner of the warp holds it, the partner of its CTA holds
        // one.
        self.busy.next = (self.others.val() & self.locks_of.mask.val()).any();
        self.asks.next = (self.valid.val() & self.exists.val()) & (!self.clear.val());
        self.needs.next = ((self.asks.val() & self.shares.val()) & (!self.ends.val()))
            & (self.register.val() >= self.private_regs.val());
        self.direct.next = self.asks.val() & (!self.needs.val());
        self.locks.next = self.needs.val() & (!self.busy.val());
        self.waits.next = self.needs.val() & self.busy.val();
        self.lock.next = self.own_lock.val();
        self.holds.next = self.has.val() & (!self.clear.val());
        self.frees.next = self.none.val();
        if (self.asks.val() & self.ends.val()) & self.has.val() {
            self.frees.next = self.own_lock.val();
        }
    }
}
