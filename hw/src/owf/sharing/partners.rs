//! The table of partners: which CTAs share, and with whom.

use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use rust_hdl::prelude::*;
use std::array;

/// Partner of each of `T` CTAs, a power of two; `TW` is log2 `T`, `HALF` is `T` / 2. The paper keeps ceil(log2 (`T` + 1))
/// bits per CTA and calls a CTA without partner `T`. Here the top bit is inverted: it says that there is a partner.
#[derive(LogicBlock, Inputs)]
pub struct Partners<const T: usize, const TW: usize, const HALF: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Nobody shares.
    pub clear: Signal<In, bool>,
    /// Whether the kernel shares at all; read with `clear`.
    pub share: Signal<In, bool>,
    /// Makes `cta`, one of the first half, and `partner` a pair.
    pub write: Signal<In, bool>,
    /// A CTA.
    pub cta: Signal<In, Bits<TW>>,
    /// Its partner to be.
    pub partner: Signal<In, Bits<TW>>,
    /// The kernel shares.
    pub sharing: Signal<Out, bool>,
    /// CTAs that have a partner.
    pub shared: Signal<Out, Bits<T>>,
    /// Bit k of the partners; of CTAs that have none it means nothing.
    pub number: [Signal<Out, Bits<T>>; TW],
    // State: whether the kernel shares, a bit per CTA that has a partner, and bit k of all partners.
    on: DFF<bool>,
    has: DFF<Bits<T>>,
    plane: [Lazy<WriteBits<T>>; TW],
    made: Signal<Local, Bits<T>>,
    made_cta: Signal<Local, Bits<T>>,
    made_partner: Signal<Local, Bits<T>>,
    nobody: Constant<Bits<T>>,
    first: Constant<Bits<T>>,
    everybody: Constant<Bits<T>>,
    lower_half: Constant<Bits<T>>,
    of_cta: [Signal<Local, Bits<T>>; TW],
    of_partner: [Signal<Local, Bits<T>>; TW],
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
            sharing: Signal::default(),
            shared: Signal::default(),
            number: array::from_fn(|_| Signal::default()),
            on: DFF::default(),
            has: DFF::default(),
            plane: array::from_fn(|_| Lazy::default()),
            made: Signal::default(),
            made_cta: Signal::default(),
            made_partner: Signal::default(),
            nobody: Constant::new(0u64.into()),
            first: Constant::new(1u64.into()),
            everybody: Constant::new(Bits::mask()),
            lower_half: Constant::new(((1u64 << HALF) - 1).into()),
            of_cta: array::from_fn(|_| Signal::default()),
            of_partner: array::from_fn(|_| Signal::default()),
        }
    }
}

impl<const T: usize, const TW: usize, const HALF: usize> Logic for Partners<T, TW, HALF> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, on, has);
        self.sharing.next = self.on.q.val();
        self.shared.next = self.has.q.val();
        self.made.next = self.nobody.val();
        if self.write.val() {
            self.made.next = self.first.val();
        }
        self.made_cta.next = (self.made.val() << self.cta.val()) & self.lower_half.val();
        self.made_partner.next = self.made.val() << self.partner.val();
        for k in 0..TW {
            self.number[k].next = self.plane[k].q.val();
            self.of_cta[k].next = self.nobody.val();
            if self.partner.val().get_bit(k) {
                self.of_cta[k].next = self.everybody.val();
            }
            self.of_partner[k].next = self.nobody.val();
            if self.cta.val().get_bit(k) {
                self.of_partner[k].next = self.everybody.val();
            }
            // Without a partner these bits say nothing: `clear` leaves them.
            self.plane[k].clock.next = self.clock.val();
            self.plane[k].reset.next = self.nobody.val();
            self.plane[k].write.next = self.made_cta.val() | self.made_partner.val();
            self.plane[k].value.next = (self.of_cta[k].val() & self.made_cta.val())
                | (self.of_partner[k].val() & (!self.made_cta.val()));
        }
        if self.clear.val() {
            self.on.d.next = self.share.val();
            self.has.d.next = self.nobody.val();
        } else {
            self.has.d.next = self.has.q.val() | (self.made_cta.val() | self.made_partner.val());
        }
    }
}
