//! What one request needs, looked at alone: the register access mechanism of Figure 3.

use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::owf::sharing::select::ByEnds;
use rust_hdl::prelude::*;
use std::array;

/// One request port. The warp's CTA and the pair of that have been looked up. `LW` bits hold the number of a lock, which is
/// that of the pair's lower warp; lower CTAs are in the first `HALF` slots.
#[derive(LogicBlock, Inputs)]
pub struct Port<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const LW: usize,
    const HALF: usize,
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
    /// Bit k of the first warp of each CTA.
    pub from: [Signal<In, Bits<T>>; LW],
    /// The same of the partner of each CTA.
    pub partner_from: [Signal<In, Bits<T>>; LW],
    /// CTAs that end above the warp.
    pub below: Signal<In, Bits<T>>,
    /// The CTA has a partner.
    pub shares: Signal<In, bool>,
    /// It is the lower one of its pair.
    pub is_lower: Signal<In, bool>,
    /// The lower CTA of its pair.
    pub pair: Signal<In, Bits<TW>>,
    /// Lower CTAs that hold locks.
    pub lower_holds: Signal<In, Bits<HALF>>,
    /// Lower CTAs whose partners hold locks.
    pub upper_holds: Signal<In, Bits<HALF>>,
    /// Locks that the lower warp holds.
    pub by_lower: Signal<In, Bits<LOCKS>>,
    /// Locks that the upper warp holds.
    pub by_upper: Signal<In, Bits<LOCKS>>,
    /// The warp is of the upper CTA of its pair.
    pub upper: Signal<Out, bool>,
    /// The warp among whose registers those of the pair lie: the lower one, or the warp itself.
    pub home: Signal<Out, Bits<IW>>,
    /// The number of the lock, if the warp shares.
    pub lock: Signal<Out, Bits<LW>>,
    /// The warp holds it.
    pub holds: Signal<Out, bool>,
    /// The request needs no lock.
    pub direct: Signal<Out, bool>,
    /// The warp gets or has the lock.
    pub locks: Signal<Out, bool>,
    /// The warp has to wait: the partner of its CTA holds locks.
    pub waits: Signal<Out, bool>,
    /// The warp ends and gives its lock back, if it has it.
    pub frees: Signal<Out, bool>,
    warps_from: Signal<Local, Bits<NW>>,
    exists: Signal<Local, bool>,
    asks: Signal<Local, bool>,
    needs: Signal<Local, bool>,
    lower_from: Signal<Local, Bits<HALF>>,
    upper_from: Signal<Local, Bits<HALF>>,
    lock_lower_from: Signal<Local, Bits<LOCKS>>,
    lock_upper_from: Signal<Local, Bits<LOCKS>>,
    busy: Signal<Local, bool>,
    mine: Signal<Local, bool>,
    compare: Lazy<Compare<8>>,
    cta_first: Lazy<ByEnds<T, TW, LW>>,
    lower_first: Lazy<ByEnds<T, TW, LW>>,
    low_warp: Signal<Local, Bits<LW>>,
    lower_warp: Signal<Local, Bits<LW>>,
    lower_home: Signal<Local, Bits<IW>>,
    warp_zero: Constant<Bits<IW>>,
    warp_bit: [Constant<Bits<IW>>; LW],
    first_lock: Constant<Bits<LOCKS>>,
    first_cta: Constant<Bits<HALF>>,
    every_warp: Constant<Bits<NW>>,
    first_warp: Constant<Bits<NW>>,
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const LW: usize,
    const HALF: usize,
> Default for Port<NW, T, LOCKS, IW, TW, LW, HALF>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            valid: Signal::default(),
            ends: Signal::default(),
            warp: Signal::default(),
            register: Signal::default(),
            private_regs: Signal::default(),
            from: array::from_fn(|_| Signal::default()),
            below: Signal::default(),
            partner_from: array::from_fn(|_| Signal::default()),
            shares: Signal::default(),
            is_lower: Signal::default(),
            pair: Signal::default(),
            lower_holds: Signal::default(),
            upper_holds: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            upper: Signal::default(),
            home: Signal::default(),
            lock: Signal::default(),
            holds: Signal::default(),
            direct: Signal::default(),
            locks: Signal::default(),
            waits: Signal::default(),
            frees: Signal::default(),
            warps_from: Signal::default(),
            exists: Signal::default(),
            asks: Signal::default(),
            needs: Signal::default(),
            lower_from: Signal::default(),
            upper_from: Signal::default(),
            lock_lower_from: Signal::default(),
            lock_upper_from: Signal::default(),
            busy: Signal::default(),
            mine: Signal::default(),
            compare: Lazy::new(Compare::strictly()),
            cta_first: Lazy::default(),
            lower_first: Lazy::default(),
            low_warp: Signal::default(),
            lower_warp: Signal::default(),
            lower_home: Signal::default(),
            warp_zero: Constant::new(0u64.into()),
            warp_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            first_lock: Constant::new(1u64.into()),
            first_cta: Constant::new(1u64.into()),
            every_warp: Constant::new(Bits::mask()),
            first_warp: Constant::new(1u64.into()),
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
> Logic for Port<NW, T, LOCKS, IW, TW, LW, HALF>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.compare.a.next = self.private_regs.val();
        self.compare.b.next = self.register.val();
        self.warps_from.next = self.every_warp.val() >> self.warp.val();
        self.exists.next = (self.warps_from.val() & self.first_warp.val()).any();
        self.asks.next = (self.valid.val() & self.exists.val()) & (!self.clear.val());
        self.needs.next = ((self.asks.val() & self.shares.val()) & (!self.ends.val()))
            & (!self.compare.above.val());
        self.direct.next = self.asks.val() & (!self.needs.val());

        // The rule against deadlock contains the lock: if the partner of the warp holds it, the partner of its CTA holds
        // one. And if it holds none, the lock is free or this warp's.
        self.lower_from.next = self.lower_holds.val() >> self.pair.val();
        self.upper_from.next = self.upper_holds.val() >> self.pair.val();
        self.busy.next = (self.lower_from.val() & self.first_cta.val()).any();
        if self.is_lower.val() {
            self.busy.next = (self.upper_from.val() & self.first_cta.val()).any();
        }
        self.locks.next = self.needs.val() & (!self.busy.val());
        self.waits.next = self.needs.val() & self.busy.val();
        self.frees.next =
            ((self.asks.val() & self.shares.val()) & self.ends.val()) & (!self.busy.val());

        // Both warps of a pair have the place in their CTA in common, and the lock has the number of the lower one.
        self.cta_first.below.next = self.below.val();
        self.lower_first.below.next = self.below.val();
        for k in 0..LW {
            self.cta_first.plane[k].next = self.from[k].val();
            self.lower_first.plane[k].next = self.partner_from[k].val();
        }
        self.low_warp.next = self.warp.val().get_bits::<LW>(0);
        self.lower_warp.next =
            (self.low_warp.val() - self.cta_first.entry.val()) + self.lower_first.entry.val();
        self.upper.next = (self.shares.val() & (!self.clear.val())) & (!self.is_lower.val());
        self.lock.next = self.lower_warp.val();
        if self.is_lower.val() {
            self.lock.next = self.low_warp.val();
        }
        self.lower_home.next = self.warp_zero.val();
        for i in 0..LW {
            if self.lower_warp.val().get_bit(i) {
                self.lower_home.next = self.lower_home.val() | self.warp_bit[i].val();
            }
        }
        self.home.next = self.warp.val();
        if (self.shares.val() & (!self.clear.val())) & (!self.is_lower.val()) {
            self.home.next = self.lower_home.val();
        }

        self.lock_lower_from.next = self.by_lower.val() >> self.lock.val();
        self.lock_upper_from.next = self.by_upper.val() >> self.lock.val();
        self.mine.next = (self.lock_upper_from.val() & self.first_lock.val()).any();
        if self.is_lower.val() {
            self.mine.next = (self.lock_lower_from.val() & self.first_lock.val()).any();
        }
        self.holds.next = (self.shares.val() & self.mine.val()) & (!self.clear.val());
    }
}
