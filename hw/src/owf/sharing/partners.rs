//! The table of partners: which CTAs share, and with whom.

use rust_hdl::prelude::*;
use std::array;

/// Partner of each of `T` CTAs, a power of two; `TW` is log2 `T`, `HALF` is `T` / 2. The paper keeps ceil(log2 (`T` + 1)) bits per CTA and
/// calls a CTA without partner `T`. Here the top bit is inverted: it says that there is a partner.
#[derive(LogicBlock)]
pub struct Partners<const T: usize, const TW: usize, const HALF: usize> {
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
    /// `cta`, one bit of `T`.
    pub cta_hot: Signal<In, Bits<T>>,
    /// `partner`, one bit of `T`.
    pub partner_hot: Signal<In, Bits<T>>,
    /// CTA that port a asks for, one bit of `T`.
    pub a_cta: Signal<In, Bits<T>>,
    /// CTA that port b asks for, one bit of `T`.
    pub b_cta: Signal<In, Bits<T>>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// CTAs that have a partner.
    pub shared: Signal<Out, Bits<T>>,
    /// Bit k of the partners of the CTAs of the first half; of CTAs that have none it means nothing.
    pub low_number: [Signal<Out, Bits<HALF>>; TW],
    /// Partner of `cta`, one bit of `T`; means nothing if it has none.
    pub cta_partner: Signal<Out, Bits<T>>,
    /// Partner of `a_cta`; means nothing if it has none.
    pub a_partner: Signal<Out, Bits<T>>,
    /// Its number.
    pub a_number: Signal<Out, Bits<TW>>,
    /// Partner of `b_cta`; means nothing if it has none.
    pub b_partner: Signal<Out, Bits<T>>,
    /// Its number.
    pub b_number: Signal<Out, Bits<TW>>,
    // State: whether the kernel shares, a bit per CTA that has a partner, and bit k of all partners.
    on: DFF<bool>,
    has: DFF<Bits<T>>,
    plane: [DFF<Bits<T>>; TW],
    of_cta: PartnerOf<T, TW>,
    of_a: PartnerOf<T, TW>,
    of_b: PartnerOf<T, TW>,
    hot_of_cta: OneOf<T, TW>,
    hot_of_a: OneOf<T, TW>,
    hot_of_b: OneOf<T, TW>,
    both: Signal<Local, Bits<T>>,
    rest: Signal<Local, Bits<T>>,
    next_plane: [Signal<Local, Bits<T>>; TW],
    nobody: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize, const HALF: usize> Default for Partners<T, TW, HALF> {
    fn default() -> Self {
        const { assert!(T == 1 << TW && T == 2 * HALF) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            share: Signal::default(),
            write: Signal::default(),
            cta: Signal::default(),
            partner: Signal::default(),
            cta_hot: Signal::default(),
            partner_hot: Signal::default(),
            a_cta: Signal::default(),
            b_cta: Signal::default(),
            sharing: Signal::default(),
            shared: Signal::default(),
            low_number: array::from_fn(|_| Signal::default()),
            cta_partner: Signal::default(),
            a_partner: Signal::default(),
            a_number: Signal::default(),
            b_partner: Signal::default(),
            b_number: Signal::default(),
            on: DFF::default(),
            has: DFF::default(),
            plane: array::from_fn(|_| DFF::default()),
            of_cta: PartnerOf::default(),
            of_a: PartnerOf::default(),
            of_b: PartnerOf::default(),
            hot_of_cta: OneOf::default(),
            hot_of_a: OneOf::default(),
            hot_of_b: OneOf::default(),
            both: Signal::default(),
            rest: Signal::default(),
            next_plane: array::from_fn(|_| Signal::default()),
            nobody: Constant::new(0u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize, const HALF: usize> Logic for Partners<T, TW, HALF> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, on, has);
        self.sharing.next = self.on.q.val();
        self.shared.next = self.has.q.val();
        self.of_cta.cta.next = self.cta_hot.val();
        self.of_a.cta.next = self.a_cta.val();
        self.of_b.cta.next = self.b_cta.val();
        for k in 0..TW {
            self.low_number[k].next = self.plane[k].q.val().get_bits::<HALF>(0);
            self.of_cta.plane[k].next = self.plane[k].q.val();
            self.of_a.plane[k].next = self.plane[k].q.val();
            self.of_b.plane[k].next = self.plane[k].q.val();
        }
        self.hot_of_cta.cta.next = self.of_cta.number.val();
        self.cta_partner.next = self.hot_of_cta.hot.val();
        self.hot_of_a.cta.next = self.of_a.number.val();
        self.a_partner.next = self.hot_of_a.hot.val();
        self.a_number.next = self.of_a.number.val();
        self.hot_of_b.cta.next = self.of_b.number.val();
        self.b_partner.next = self.hot_of_b.hot.val();
        self.b_number.next = self.of_b.number.val();

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

/// The partner of a CTA, which is one bit of `T`.
#[derive(LogicBlock)]
pub struct PartnerOf<const T: usize, const TW: usize> {
    /// The CTA.
    pub cta: Signal<In, Bits<T>>,
    /// Bit k of all partners.
    pub plane: [Signal<In, Bits<T>>; TW],
    /// The number of its partner.
    pub number: Signal<Out, Bits<TW>>,
    zero: Constant<Bits<TW>>,
    number_bit: [Constant<Bits<TW>>; TW],
}

impl<const T: usize, const TW: usize> Default for PartnerOf<T, TW> {
    fn default() -> Self {
        Self {
            cta: Signal::default(),
            plane: array::from_fn(|_| Signal::default()),
            number: Signal::default(),
            zero: Constant::new(0u64.into()),
            number_bit: array::from_fn(|k| Constant::new((1u64 << k).into())),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for PartnerOf<T, TW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.number.next = self.zero.val();
        for k in 0..TW {
            if (self.plane[k].val() & self.cta.val()).any() {
                self.number.next = self.number.val() | self.number_bit[k].val();
            }
        }
    }
}

/// A CTA as one bit of `T`.
#[derive(LogicBlock)]
pub struct OneOf<const T: usize, const TW: usize> {
    /// Its number.
    pub cta: Signal<In, Bits<TW>>,
    /// Its bit.
    pub hot: Signal<Out, Bits<T>>,
    one: Constant<Bits<T>>,
}

impl<const T: usize, const TW: usize> Default for OneOf<T, TW> {
    fn default() -> Self {
        Self {
            cta: Signal::default(),
            hot: Signal::default(),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const T: usize, const TW: usize> Logic for OneOf<T, TW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.hot.next = self.one.val() << self.cta.val();
    }
}
