//! Which CTA a warp belongs to, and its place there.

use rust_hdl::prelude::*;
use std::array;

/// Takes 2^(TW-1), .., 4, 2 and 1 times the warps of a CTA away from the warp's number, each if it leaves something: what
/// was taken is the CTA, what is left is the place. `IW` bits hold a warp, `CW` the warps of a CTA, `TW` a CTA; `MW` is
/// `TW` + `CW`. A warp beyond the last CTA counts as one of the last, with a place that this CTA does not have.
#[derive(LogicBlock)]
pub struct CtaOfWarp<const IW: usize, const CW: usize, const TW: usize, const MW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Warps of a CTA.
    pub warps_per_cta: Signal<In, Bits<CW>>,
    /// Its CTA.
    pub cta: Signal<Out, Bits<TW>>,
    /// Its number among the warps of the CTA, from 0.
    pub place: Signal<Out, Bits<MW>>,
    size: Signal<Local, Bits<MW>>,
    number: Signal<Local, Bits<MW>>,
    // Of each step: what may be taken, what is left, and that if it may. A difference below zero has its top bit set.
    part: [Signal<Local, Bits<MW>>; TW],
    difference: [Signal<Local, Bits<MW>>; TW],
    rest: [Signal<Local, Bits<MW>>; TW],
    taken: Signal<Local, Bits<TW>>,
    nothing: Constant<Bits<MW>>,
    wide_bit: [Constant<Bits<MW>>; IW],
    shift: [Constant<Bits<3>>; TW],
    no_cta: Constant<Bits<TW>>,
    cta_bit: [Constant<Bits<TW>>; TW],
}

impl<const IW: usize, const CW: usize, const TW: usize, const MW: usize> Default
    for CtaOfWarp<IW, CW, TW, MW>
{
    fn default() -> Self {
        const { assert!(MW == TW + CW && CW <= IW && IW < MW && TW >= 2 && TW <= 8) };
        Self {
            warp: Signal::default(),
            warps_per_cta: Signal::default(),
            cta: Signal::default(),
            place: Signal::default(),
            size: Signal::default(),
            number: Signal::default(),
            part: array::from_fn(|_| Signal::default()),
            difference: array::from_fn(|_| Signal::default()),
            rest: array::from_fn(|_| Signal::default()),
            taken: Signal::default(),
            nothing: Constant::new(0u64.into()),
            wide_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
            shift: array::from_fn(|i| Constant::new(((TW - 1 - i) as u64).into())),
            no_cta: Constant::new(0u64.into()),
            cta_bit: array::from_fn(|i| Constant::new((1u64 << (TW - 1 - i)).into())),
        }
    }
}

impl<const IW: usize, const CW: usize, const TW: usize, const MW: usize> Logic
    for CtaOfWarp<IW, CW, TW, MW>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.size.next = self.nothing.val();
        for b in 0..CW {
            if self.warps_per_cta.val().get_bit(b) {
                self.size.next = self.size.val() | self.wide_bit[b].val();
            }
        }
        self.number.next = self.nothing.val();
        for b in 0..IW {
            if self.warp.val().get_bit(b) {
                self.number.next = self.number.val() | self.wide_bit[b].val();
            }
        }
        self.taken.next = self.no_cta.val();
        self.part[0].next = self.size.val() << self.shift[0].val();
        self.difference[0].next = self.number.val() - self.part[0].val();
        self.rest[0].next = self.number.val();
        for top in (MW - 1)..MW {
            if !self.difference[0].val().get_bit(top) {
                self.rest[0].next = self.difference[0].val();
                self.taken.next = self.taken.val() | self.cta_bit[0].val();
            }
            for i in 1..TW {
                self.part[i].next = self.size.val() << self.shift[i].val();
                self.difference[i].next = self.rest[i - 1].val() - self.part[i].val();
                self.rest[i].next = self.rest[i - 1].val();
                if !self.difference[i].val().get_bit(top) {
                    self.rest[i].next = self.difference[i].val();
                    self.taken.next = self.taken.val() | self.cta_bit[i].val();
                }
            }
        }
        self.cta.next = self.taken.val();
        for last in (TW - 1)..TW {
            self.place.next = self.rest[last].val();
        }
    }
}
