//! What one request needs, looked at alone: the scratchpad access mechanism of Figure 4.

use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// One request port. The warp's CTA and the pair of that have been looked up. Numbers of CTAs have `TW` bits; lower CTAs
/// are in the first `HALF` slots; an address has `AW` bits, 17.
#[derive(LogicBlock, Inputs)]
pub struct Port<
    const NW: usize,
    const IW: usize,
    const TW: usize,
    const AW: usize,
    const HALF: usize,
> {
    /// A kernel starts: nothing is asked for.
    pub clear: Signal<In, bool>,
    /// A request.
    pub valid: Signal<In, bool>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// The address.
    pub address: Signal<In, Bits<AW>>,
    /// First address that belongs to the pair.
    pub private_bytes: Signal<In, Bits<AW>>,
    /// The warp's CTA has a partner.
    pub shares: Signal<In, bool>,
    /// It is the lower one of its pair.
    pub is_lower: Signal<In, bool>,
    /// The lower CTA of its pair, which has the number of their lock.
    pub pair: Signal<In, Bits<TW>>,
    /// Locks that the lower CTA holds.
    pub by_lower: Signal<In, Bits<HALF>>,
    /// Locks that the upper CTA holds.
    pub by_upper: Signal<In, Bits<HALF>>,
    /// The CTA holds the lock.
    pub holds: Signal<Out, bool>,
    /// The request needs no lock.
    pub direct: Signal<Out, bool>,
    /// The CTA gets or has the lock.
    pub locks: Signal<Out, bool>,
    /// The warp has to wait: the partner of its CTA holds the lock.
    pub waits: Signal<Out, bool>,
    warps_from: Signal<Local, Bits<NW>>,
    exists: Signal<Local, bool>,
    in_private: Signal<Local, bool>,
    asks: Signal<Local, bool>,
    needs: Signal<Local, bool>,
    lower_from: Signal<Local, Bits<HALF>>,
    upper_from: Signal<Local, Bits<HALF>>,
    lower_has: Signal<Local, bool>,
    upper_has: Signal<Local, bool>,
    mine: Signal<Local, bool>,
    busy: Signal<Local, bool>,
    compare: Lazy<Compare<16>>,
    first_lock: Constant<Bits<HALF>>,
    every_warp: Constant<Bits<NW>>,
    first_warp: Constant<Bits<NW>>,
}

impl<const NW: usize, const IW: usize, const TW: usize, const AW: usize, const HALF: usize> Default
    for Port<NW, IW, TW, AW, HALF>
{
    fn default() -> Self {
        const { assert!(AW == 17) };
        Self {
            clear: Signal::default(),
            valid: Signal::default(),
            warp: Signal::default(),
            address: Signal::default(),
            private_bytes: Signal::default(),
            shares: Signal::default(),
            is_lower: Signal::default(),
            pair: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            holds: Signal::default(),
            direct: Signal::default(),
            locks: Signal::default(),
            waits: Signal::default(),
            warps_from: Signal::default(),
            exists: Signal::default(),
            in_private: Signal::default(),
            asks: Signal::default(),
            needs: Signal::default(),
            lower_from: Signal::default(),
            upper_from: Signal::default(),
            lower_has: Signal::default(),
            upper_has: Signal::default(),
            mine: Signal::default(),
            busy: Signal::default(),
            compare: Lazy::new(Compare::strictly()),
            first_lock: Constant::new(1u64.into()),
            every_warp: Constant::new(Bits::mask()),
            first_warp: Constant::new(1u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize, const TW: usize, const AW: usize, const HALF: usize> Logic
    for Port<NW, IW, TW, AW, HALF>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // The highest bit of an address decides unless it is equal.
        self.compare.a.next = self.private_bytes.val().get_bits::<16>(0);
        self.compare.b.next = self.address.val().get_bits::<16>(0);
        self.in_private.next = self.compare.above.val();
        if self.private_bytes.val().get_bit(16) ^ self.address.val().get_bit(16) {
            self.in_private.next = self.private_bytes.val().get_bit(16);
        }
        self.warps_from.next = self.every_warp.val() >> self.warp.val();
        self.exists.next = (self.warps_from.val() & self.first_warp.val()).any();
        self.asks.next = (self.valid.val() & self.exists.val()) & (!self.clear.val());
        self.needs.next = (self.asks.val() & self.shares.val()) & (!self.in_private.val());
        self.direct.next = self.asks.val() & (!self.needs.val());

        self.lower_from.next = self.by_lower.val() >> self.pair.val();
        self.upper_from.next = self.by_upper.val() >> self.pair.val();
        self.lower_has.next = (self.lower_from.val() & self.first_lock.val()).any();
        self.upper_has.next = (self.upper_from.val() & self.first_lock.val()).any();
        self.mine.next = self.upper_has.val();
        self.busy.next = self.lower_has.val();
        if self.is_lower.val() {
            self.mine.next = self.lower_has.val();
            self.busy.next = self.upper_has.val();
        }
        self.locks.next = self.needs.val() & (!self.busy.val());
        self.waits.next = self.needs.val() & self.busy.val();
        self.holds.next = (self.shares.val() & self.mine.val()) & (!self.clear.val());
    }
}
