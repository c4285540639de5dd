//! Which warps a CTA has.

use rust_hdl::prelude::*;
use std::array;

/// First warp of a CTA and the one after its last. `KW` bits hold the CTA, `CW` the warps of one; `MW` is enough for the
/// product.
#[derive(LogicBlock)]
pub struct CtaBounds<const KW: usize, const CW: usize, const MW: usize> {
    /// The CTA.
    pub cta: Signal<In, Bits<KW>>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// Its first warp.
    pub first: Signal<Out, Bits<MW>>,
    /// The warp after its last.
    pub beyond: Signal<Out, Bits<MW>>,
    size: Signal<Local, Bits<MW>>,
    part: [Signal<Local, Bits<MW>>; KW],
    product: Signal<Local, Bits<MW>>,
    nothing: Constant<Bits<MW>>,
    wide_bit: [Constant<Bits<MW>>; CW],
    shift: [Constant<Bits<3>>; KW],
}

impl<const KW: usize, const CW: usize, const MW: usize> Default for CtaBounds<KW, CW, MW> {
    fn default() -> Self {
        const { assert!(MW >= KW + CW && KW >= 2 && KW <= 8) };
        Self {
            cta: Signal::default(),
            warps_per_cta: Signal::default(),
            first: Signal::default(),
            beyond: Signal::default(),
            size: Signal::default(),
            part: array::from_fn(|_| Signal::default()),
            product: Signal::default(),
            nothing: Constant::new(0u64.into()),
            wide_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
            shift: array::from_fn(|k| Constant::new((k as u64).into())),
        }
    }
}

impl<const KW: usize, const CW: usize, const MW: usize> Logic for CtaBounds<KW, CW, MW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.size.next = self.nothing.val();
        for b in 0..CW {
            if self.warps_per_cta.val().get_bit(b) {
                self.size.next = self.size.val() | self.wide_bit[b].val();
            }
        }
        self.product.next = self.nothing.val();
        for k in 0..KW {
            self.part[k].next = self.nothing.val();
            if self.cta.val().get_bit(k) {
                self.part[k].next = self.size.val() << self.shift[k].val();
            }
            self.product.next = self.product.val() + self.part[k].val();
        }
        self.first.next = self.product.val();
        self.beyond.next = self.product.val() + self.size.val();
    }
}

/// A mask of the bits from `first` to before `beyond`, of `N`.
#[derive(LogicBlock)]
pub struct Between<const N: usize, const MW: usize> {
    /// First bit that is set.
    pub first: Signal<In, Bits<MW>>,
    /// First bit after it that is not.
    pub beyond: Signal<In, Bits<MW>>,
    /// The bits.
    pub mask: Signal<Out, Bits<N>>,
    from_first: Signal<Local, Bits<N>>,
    from_beyond: Signal<Local, Bits<N>>,
    all: Constant<Bits<N>>,
}

impl<const N: usize, const MW: usize> Default for Between<N, MW> {
    fn default() -> Self {
        Self {
            first: Signal::default(),
            beyond: Signal::default(),
            mask: Signal::default(),
            from_first: Signal::default(),
            from_beyond: Signal::default(),
            all: Constant::new(Bits::mask()),
        }
    }
}

impl<const N: usize, const MW: usize> Logic for Between<N, MW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.from_first.next = self.all.val() << self.first.val();
        self.from_beyond.next = self.all.val() << self.beyond.val();
        self.mask.next = self.from_first.val() & (!self.from_beyond.val());
    }
}
