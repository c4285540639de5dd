//! The table of partners: which CTAs share, and with whom.

use rust_hdl::prelude::*;
use std::array;

/// Partner of each of `T` CTAs, a power of two; `TW` is log2 `T`. The paper keeps ceil(log2 (`T` + 1)) bits per CTA and
/// calls a CTA without partner `T`. Here the top bit is inverted: it says that there is a partner.
#[derive(LogicBlock)]
pub struct Partners<const T: usize, const TW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Nobody shares.
    pub clear: Signal<In, bool>,
    /// Whether the kernel shares at all; read with `clear`.
    pub share: Signal<In, bool>,
    /// Makes `cta` and `partner` a pair.
    pub write: Signal<In, bool>,
    /// A CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Its partner to be.
    pub partner: Signal<In, Bits<TW>>,
    /// CTA that port a asks for.
    pub a_cta: Signal<In, Bits<TW>>,
    /// CTA that port b asks for.
    pub b_cta: Signal<In, Bits<TW>>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// CTAs that have a partner.
    pub shared: Signal<Out, Bits<T>>,
    /// Partner of `cta`; means nothing if it has none.
    pub cta_partner: Signal<Out, Bits<TW>>,
    /// Partner of `a_cta`; means nothing if it has none.
    pub a_partner: Signal<Out, Bits<TW>>,
    /// Partner of `b_cta`; means nothing if it has none.
    pub b_partner: Signal<Out, Bits<TW>>,
    // State: whether the kernel shares, a bit per CTA that has a partner, and bit k of all partners.
    on: DFF<bool>,
    has: DFF<Bits<T>>,
    plane: [DFF<Bits<T>>; TW],
    of_cta: PartnerOf<T, TW>,
    of_a: PartnerOf<T, TW>,
    of_b: PartnerOf<T, TW>,
    cta_hot: Signal<Local, Bits<T>>,
    partner_hot: Signal<Local, Bits<T>>,
    both: Signal<Local, Bits<T>>,
    rest: Signal<Local, Bits<T>>,
    next_plane: [Signal<Local, Bits<T>>; TW],
    one: Constant<Bits<T>>,
    nobody: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize> Default for Partners<T, TW> {
    fn default() -> Self {
        const { assert!(T == 1 << TW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            share: Signal::default(),
            write: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            a_cta: Signal::default(),
            b_cta: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            cta_partner: Signal::default(),
            a_partner: Signal::default(),
            b_partner: Signal::default(),
            on: DFF::default(),
            has: DFF::default(),
            plane: array::from_fn(|_| DFF::default()),
            of_cta: PartnerOf::default(),
            of_a: PartnerOf::default(),
            of_b: PartnerOf::default(),
            cta_hot: Signal::default(),
            partner_hot: Signal::default(),
            both: Signal::default(),
            rest: Signal::default(),
            next_plane: array::from_fn(|_| Signal::default()),
            one: Constant::new(1u64.into()),
            nobody: Constant::new(0u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for Partners<T, TW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, on, has);
        self.sharing.next = self.on.q.val();
        self.shared.next = self.has.q.val();
        self.of_cta.cta.next = self.cta.val();
        self.of_a.cta.next = self.a_cta.val();
        self.of_b.cta.next = self.b_cta.val();
        for k in 0..TW {
            self.of_cta.plane[k].next = self.plane[k].q.val();
            self.of_a.plane[k].next = self.plane[k].q.val();
            self.of_b.plane[k].next = self.plane[k].q.val();
        }
        self.cta_partner.next = self.of_cta.partner.val();
        self.a_partner.next = self.of_a.partner.val();
        self.b_partner.next = self.of_b.partner.val();

        self.cta_hot.next = self.one.val() << self.cta.val();
        self.partner_hot.next = self.one.val() << self.partner.val();
        self.both.next = self.cta_hot.val() | self.partner_hot.val();
        self.rest.next = !self.both.val();
        for k in 0..TW {
            self.plane[k].clock.next = self.clock.val();
            self.next_plane[k].next = self.plane[k].q.val();
            if self.write.val() {
                self.next_plane[k].next = self.plane[k].q.val() & self.rest.val();
                if self.partner.val().get_bit(k) {
                    self.next_plane[k].next = self.next_plane[k].val() | self.cta_hot.val();
                }
                if self.cta.val().get_bit(k) {
                    self.next_plane[k].next = self.next_plane[k].val() | self.partner_hot.val();
                }
            }
            self.plane[k].d.next = self.next_plane[k].val();
        }
        // Without a partner the other bits say nothing: they stay as they are.
        if self.clear.val() {
            self.on.d.next = self.share.val();
            self.has.d.next = self.nobody.val();
        } else if self.write.val() {
            self.has.d.next = self.has.q.val() | self.both.val();
        }
    }
}

/// The partner of a CTA.
#[derive(LogicBlock)]
pub struct PartnerOf<const T: usize, const TW: usize> {
    /// The CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Bit k of all partners.
    pub plane: [Signal<In, Bits<T>>; TW],
    /// Its partner.
    pub partner: Signal<Out, Bits<TW>>,
    hot: Signal<Local, Bits<T>>,
    one: Constant<Bits<T>>,
    zero: Constant<Bits<TW>>,
    cta_bit: [Constant<Bits<TW>>; TW],
}

impl<const T: usize, const TW: usize> Default for PartnerOf<T, TW> {
    fn default() -> Self {
        Self {
            cta: Signal::default(),
            plane: array::from_fn(|_| Signal::default()),
            partner: Signal::default(),
            hot: Signal::default(),
            one: Constant::new(1u64.into()),
            zero: Constant::new(0u64.into()),
            cta_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for PartnerOf<T, TW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.hot.next = self.one.val() << self.cta.val();
        self.partner.next = self.zero.val();
        for k in 0..TW {
            if (self.plane[k].val() & self.hot.val()).any() {
                self.partner.next = self.partner.val() | self.cta_bit[k].val();
            }
        }
    }
}

/// Which CTA of a pair is the lower one: one of the first half of the slots. `KW` is one less than `TW`.
#[derive(LogicBlock, Default)]
pub struct LowerOf<const TW: usize, const KW: usize> {
    /// A CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Its partner.
    pub partner: Signal<In, Bits<TW>>,
    /// `cta` is the lower one.
    pub is_lower: Signal<Out, bool>,
    /// The lower one.
    pub lower: Signal<Out, Bits<KW>>,
    first: Signal<Local, bool>,
}

impl<const TW: usize, const KW: usize> Logic for LowerOf<TW, KW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.next = self.cta.val() < self.partner.val();
        self.is_lower.next = self.first.val();
        if self.first.val() {
            self.lower.next = self.cta.val().get_bits::<KW>(0);
        } else {
            self.lower.next = self.partner.val().get_bits::<KW>(0);
        }
    }
}
