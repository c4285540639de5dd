//! What one request needs, looked at alone: the register access mechanism of Figure 3.

use crate::owf::sharing::chosen::Chosen;
use rust_hdl::prelude::*;
use std::array;

/// One request port. The warp's CTA and the partner of that have been looked up, and so has the lock that the warp holds.
/// Lower CTAs are in the first `HALF` slots.
#[derive(LogicBlock)]
pub struct Port<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
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
    /// First warp of each CTA.
    pub first: [Signal<In, Bits<LW>>; T],
    /// The CTA of the warp; this and all CTAs below are one bit of `T`.
    pub cta: Signal<In, Bits<T>>,
    /// Partner of its CTA, if that is in the first half.
    pub partner: Signal<In, Bits<HALF>>,
    /// The number of that.
    pub partner_number: Signal<In, Bits<TW>>,
    /// CTAs that are the lower one of their pair.
    pub lower: Signal<In, Bits<HALF>>,
    /// Warps in sharing mode.
    pub shared: Signal<In, Bits<NW>>,
    /// Lower CTAs that hold locks.
    pub lower_holds: Signal<In, Bits<HALF>>,
    /// Lower CTAs whose partners hold locks.
    pub upper_holds: Signal<In, Bits<HALF>>,
    /// The lock that the warp holds.
    pub held: Signal<In, Bits<LOCKS>>,
    /// The warp's CTA is the lower one of its pair.
    pub is_lower: Signal<Out, bool>,
    /// The lower CTA of its pair.
    pub pair: Signal<Out, Bits<HALF>>,
    /// The lock of the warp's pair.
    pub lock: Signal<Out, Bits<LOCKS>>,
    /// The warp is of the upper CTA of its pair.
    pub upper: Signal<Out, bool>,
    /// The number of that lock, if it shares.
    pub lock_number: Signal<Out, Bits<LW>>,
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
    from_warp: Signal<Local, Bits<NW>>,
    after_warp: Signal<Local, Bits<NW>>,
    exists: Signal<Local, bool>,
    shares: Signal<Local, bool>,
    asks: Signal<Local, bool>,
    needs: Signal<Local, bool>,
    busy: Signal<Local, bool>,
    low_cta: Signal<Local, Bits<HALF>>,
    from_partner: Signal<Local, Bits<HALF>>,
    lower_cta: Signal<Local, Bits<HALF>>,
    cta_first: Chosen<LW, T, QUADS>,
    pair_first: Chosen<LW, HALF, HALF_QUADS>,
    low_warp: Signal<Local, Bits<LW>>,
    index: Signal<Local, Bits<LW>>,
    none: Constant<Bits<LOCKS>>,
    one: Constant<Bits<LOCKS>>,
    first_cta: Constant<Bits<HALF>>,
    first_warp: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> Default for Port<NW, T, LOCKS, IW, TW, LW, HALF, QUADS, HALF_QUADS>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            valid: Signal::default(),
            ends: Signal::default(),
            warp: Signal::default(),
            register: Signal::default(),
            private_regs: Signal::default(),
            first: array::from_fn(|_| Signal::default()),
            cta: Signal::default(),
            partner: Signal::default(),
            partner_number: Signal::default(),
            lower: Signal::default(),
            shared: Signal::default(),
            lower_holds: Signal::default(),
            upper_holds: Signal::default(),
            held: Signal::default(),
            is_lower: Signal::default(),
            pair: Signal::default(),
            lock: Signal::default(),
            upper: Signal::default(),
            lock_number: Signal::default(),
            holds: Signal::default(),
            direct: Signal::default(),
            locks: Signal::default(),
            waits: Signal::default(),
            frees: Signal::default(),
            from_warp: Signal::default(),
            after_warp: Signal::default(),
            exists: Signal::default(),
            shares: Signal::default(),
            asks: Signal::default(),
            needs: Signal::default(),
            busy: Signal::default(),
            low_cta: Signal::default(),
            from_partner: Signal::default(),
            lower_cta: Signal::default(),
            cta_first: Chosen::default(),
            pair_first: Chosen::default(),
            low_warp: Signal::default(),
            index: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            first_cta: Constant::new(1u64.into()),
            first_warp: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
        }
    }
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const LW: usize,
    const HALF: usize,
    const QUADS: usize,
    const HALF_QUADS: usize,
> Logic for Port<NW, T, LOCKS, IW, TW, LW, HALF, QUADS, HALF_QUADS>
{
    #[hdl_gen]
    fn update(&mut self) {
        // Above the last warp there are zeros: a warp that does not exist asks for nothing and does not share.
        self.after_warp.next = self.all.val() >> self.warp.val();
        self.exists.next = (self.after_warp.val() & self.first_warp.val()).any();
        self.from_warp.next = self.shared.val() >> self.warp.val();
        self.shares.next = (self.from_warp.val() & self.first_warp.val()).any();
        self.asks.next = (self.valid.val() & self.exists.val()) & (!self.clear.val());
        self.needs.next = ((self.asks.val() & self.shares.val()) & (!self.ends.val()))
            & (self.register.val() >= self.private_regs.val());
        self.direct.next = self.asks.val() & (!self.needs.val());

        // The rule against deadlock contains the lock: if the partner of the warp holds it, the partner of its CTA holds
        // one.
        self.from_partner.next = self.lower_holds.val() >> self.partner_number.val();
        self.low_cta.next = self.cta.val().get_bits::<HALF>(0);
        self.is_lower.next = (self.low_cta.val() & self.lower.val()).any();
        if (self.low_cta.val() & self.lower.val()).any() {
            self.lower_cta.next = self.low_cta.val();
            self.busy.next = (self.low_cta.val() & self.upper_holds.val()).any();
        } else {
            self.lower_cta.next = self.partner.val();
            self.busy.next = (self.from_partner.val() & self.first_cta.val()).any();
        }
        self.pair.next = self.lower_cta.val();
        self.locks.next = self.needs.val() & (!self.busy.val());
        self.waits.next = self.needs.val() & self.busy.val();

        // Both warps of a pair have the place in their CTA in common, and the lock has the number of the lower one.
        self.cta_first.chosen.next = self.cta.val();
        self.pair_first.chosen.next = self.lower_cta.val();
        for c in 0..T {
            self.cta_first.value[c].next = self.first[c].val();
        }
        for c in 0..HALF {
            self.pair_first.value[c].next = self.first[c].val();
        }
        self.low_warp.next = self.warp.val().get_bits::<LW>(0);
        self.index.next =
            (self.low_warp.val() - self.cta_first.result.val()) + self.pair_first.result.val();
        self.lock.next = self.one.val() << self.index.val();
        self.lock_number.next = self.index.val();
        self.upper.next = (self.shares.val() & (!self.clear.val()))
            & (!(self.low_cta.val() & self.lower.val()).any());

        self.holds.next = self.held.val().any() & (!self.clear.val());
        self.frees.next = self.none.val();
        if self.asks.val() & self.ends.val() {
            self.frees.next = self.held.val();
        }
    }
}
