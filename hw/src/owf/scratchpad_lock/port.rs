//! What one request needs, looked at alone: the scratchpad access mechanism of Figure 4.

use rust_hdl::prelude::*;

/// One request port. The warp's CTA and the partner of that have been looked up. Lower CTAs are in the first `HALF` of the
/// `T` slots; an address has `AW` bits.
#[derive(LogicBlock)]
pub struct Port<
    const NW: usize,
    const T: usize,
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
    /// The CTA of the warp; this and all CTAs below are one bit each.
    pub cta: Signal<In, Bits<T>>,
    /// Partner of its CTA, if that is in the first half.
    pub partner: Signal<In, Bits<HALF>>,
    /// The number of that.
    pub partner_number: Signal<In, Bits<TW>>,
    /// CTAs that have a partner.
    pub shared: Signal<In, Bits<T>>,
    /// CTAs that are the lower one of their pair.
    pub lower: Signal<In, Bits<HALF>>,
    /// Locks that the lower CTA holds.
    pub by_lower: Signal<In, Bits<HALF>>,
    /// Locks that the upper CTA holds.
    pub by_upper: Signal<In, Bits<HALF>>,
    /// The warp's CTA is the lower one of its pair.
    pub is_lower: Signal<Out, bool>,
    /// The lock of its pair.
    pub lock: Signal<Out, Bits<HALF>>,
    /// The CTA holds it.
    pub holds: Signal<Out, bool>,
    /// The request needs no lock.
    pub direct: Signal<Out, bool>,
    /// The CTA gets or has the lock.
    pub locks: Signal<Out, bool>,
    /// The warp has to wait: the partner of its CTA holds the lock.
    pub waits: Signal<Out, bool>,
    after_warp: Signal<Local, Bits<NW>>,
    exists: Signal<Local, bool>,
    shares: Signal<Local, bool>,
    asks: Signal<Local, bool>,
    needs: Signal<Local, bool>,
    low_cta: Signal<Local, Bits<HALF>>,
    by_partner: Signal<Local, Bits<HALF>>,
    by_cta: Signal<Local, Bits<HALF>>,
    mine: Signal<Local, bool>,
    busy: Signal<Local, bool>,
    first_lock: Constant<Bits<HALF>>,
    first_warp: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const AW: usize,
    const HALF: usize,
> Default for Port<NW, T, IW, TW, AW, HALF>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            valid: Signal::default(),
            warp: Signal::default(),
            address: Signal::default(),
            private_bytes: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            partner_number: Signal::default(),
            shared: Signal::default(),
            lower: Signal::default(),
            by_lower: Signal::default(),
            by_upper: Signal::default(),
            is_lower: Signal::default(),
            lock: Signal::default(),
            holds: Signal::default(),
            direct: Signal::default(),
            locks: Signal::default(),
            waits: Signal::default(),
            after_warp: Signal::default(),
            exists: Signal::default(),
            shares: Signal::default(),
            asks: Signal::default(),
            needs: Signal::default(),
            low_cta: Signal::default(),
            by_partner: Signal::default(),
            by_cta: Signal::default(),
            mine: Signal::default(),
            busy: Signal::default(),
            first_lock: Constant::new(1u64.into()),
            first_warp: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
        }
    }
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const AW: usize,
    const HALF: usize,
> Logic for Port<NW, T, IW, TW, AW, HALF>
{
    #[hdl_gen]
    fn update(&mut self) {
        // Above the last warp there are zeros: a warp that does not exist asks for nothing.
        self.after_warp.next = self.all.val() >> self.warp.val();
        self.exists.next = (self.after_warp.val() & self.first_warp.val()).any();
        self.shares.next = (self.cta.val() & self.shared.val()).any();
        self.asks.next = (self.valid.val() & self.exists.val()) & (!self.clear.val());
        self.needs.next = (self.asks.val() & self.shares.val())
            & (self.address.val() >= self.private_bytes.val());
        self.direct.next = self.asks.val() & (!self.needs.val());

        // A lock has the number of the lower CTA.
        self.low_cta.next = self.cta.val().get_bits::<HALF>(0);
        self.is_lower.next = (self.low_cta.val() & self.lower.val()).any();
        self.by_partner.next = self.by_lower.val() >> self.partner_number.val();
        self.by_cta.next = self.by_upper.val() >> self.partner_number.val();
        if (self.low_cta.val() & self.lower.val()).any() {
            self.lock.next = self.low_cta.val();
            self.mine.next = (self.low_cta.val() & self.by_lower.val()).any();
            self.busy.next = (self.low_cta.val() & self.by_upper.val()).any();
        } else {
            self.lock.next = self.partner.val();
            self.mine.next = (self.by_cta.val() & self.first_lock.val()).any();
            self.busy.next = (self.by_partner.val() & self.first_lock.val()).any();
        }
        self.locks.next = self.needs.val() & (!self.busy.val());
        self.waits.next = self.needs.val() & self.busy.val();
        self.holds.next = (self.shares.val() & self.mine.val()) & (!self.clear.val());
    }
}
