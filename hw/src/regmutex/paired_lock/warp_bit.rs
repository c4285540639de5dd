//! The safe variant: one bit per warp, so that the unit knows the holder.

use super::{PairedLockIn, PairedLockOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, settle};
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Lock of the extended sets of warp pairs, `NW` = 8 `GROUPS` flip-flops; `PAIRS` is `NW / 2`, `IW` ceil(log2 `NW`). The
/// ports are documented at [`PairedLockIn`] and [`PairedLockOut`].
///
/// Both bits of a pair are looked up by multiplexers; a warp is decoded in two steps, which of eight and which group, so
/// that only the second waits for the answer.
#[derive(LogicBlock, Inputs)]
pub struct SafePairedLock<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize>
{
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over both ports.
    pub clear: Signal<In, bool>,
    /// Port that wins a tie.
    pub favor_b: Signal<In, bool>,
    /// Port a asks.
    pub a_valid: Signal<In, bool>,
    /// 0 acquire, 1 release.
    pub a_release: Signal<In, bool>,
    /// Warp asked about.
    pub a_warp: Signal<In, Bits<IW>>,
    /// Port b asks.
    pub b_valid: Signal<In, bool>,
    /// 0 acquire, 1 release.
    pub b_release: Signal<In, bool>,
    /// Warp asked about.
    pub b_warp: Signal<In, Bits<IW>>,
    /// Port a is served.
    pub a_grant: Signal<Out, bool>,
    /// `a_warp` holds its pair's set.
    pub a_held: Signal<Out, bool>,
    /// Port b is served.
    pub b_grant: Signal<Out, bool>,
    /// `b_warp` holds its pair's set.
    pub b_held: Signal<Out, bool>,
    held: DFF<Bits<NW>>,
    a_index: Signal<Local, Bits<6>>,
    b_index: Signal<Local, Bits<6>>,
    a_pair: Signal<Local, Bits<5>>,
    b_pair: Signal<Local, Bits<5>>,
    even: Signal<Local, Bits<32>>,
    odd: Signal<Local, Bits<32>>,
    existing: Signal<Local, Bits<32>>,
    a_even: Signal<Local, bool>,
    b_even: Signal<Local, bool>,
    a_odd: Signal<Local, bool>,
    b_odd: Signal<Local, bool>,
    a_holds: Signal<Local, bool>,
    b_holds: Signal<Local, bool>,
    a_busy: Signal<Local, bool>,
    b_busy: Signal<Local, bool>,
    a_asks: Signal<Local, bool>,
    b_asks: Signal<Local, bool>,
    same_pair: Signal<Local, bool>,
    rivals: Signal<Local, bool>,
    a_takes: Signal<Local, bool>,
    b_takes: Signal<Local, bool>,
    a_returns: Signal<Local, bool>,
    b_returns: Signal<Local, bool>,
    a_low: Signal<Local, Bits<8>>,
    b_low: Signal<Local, Bits<8>>,
    a_group: Signal<Local, Bits<GROUPS>>,
    b_group: Signal<Local, Bits<GROUPS>>,
    toggle: Signal<Local, Bits<NW>>,
    none: Constant<Bits<NW>>,
    warp_bit: [Constant<Bits<NW>>; NW],
    index_zero: Constant<Bits<6>>,
    index_bit: [Constant<Bits<6>>; IW],
    wide_none: Constant<Bits<32>>,
    wide_bit: [Constant<Bits<32>>; PAIRS],
    present: Constant<Bits<32>>,
    one: Constant<Bits<8>>,
    one_group: Constant<Bits<GROUPS>>,
    no_group: Constant<Bits<GROUPS>>,
}

/// 48 warps (`gtx480`): 48 flip-flops.
pub type SafePairedLock48 = SafePairedLock<48, 24, 6, 6>;
/// 64 warps: 64 flip-flops.
pub type SafePairedLock64 = SafePairedLock<64, 32, 8, 6>;
/// 16 warps.
pub type SafePairedLock16 = SafePairedLock<16, 8, 2, 4>;
/// 8 warps: small enough for a monolithic proof.
pub type SafePairedLock8 = SafePairedLock<8, 4, 1, 3>;

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize>
    SafePairedLock<NW, PAIRS, GROUPS, IW>
{
    /// A lock in its power-on state: every set free.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW == 2 * PAIRS && NW == 8 * GROUPS && NW <= 1 << IW && IW <= 6) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            favor_b: Signal::default(),
            a_valid: Signal::default(),
            a_release: Signal::default(),
            a_warp: Signal::default(),
            b_valid: Signal::default(),
            b_release: Signal::default(),
            b_warp: Signal::default(),
            a_grant: Signal::default(),
            a_held: Signal::default(),
            b_grant: Signal::default(),
            b_held: Signal::default(),
            held: DFF::default(),
            a_index: Signal::default(),
            b_index: Signal::default(),
            a_pair: Signal::default(),
            b_pair: Signal::default(),
            even: Signal::default(),
            odd: Signal::default(),
            existing: Signal::default(),
            a_even: Signal::default(),
            b_even: Signal::default(),
            a_odd: Signal::default(),
            b_odd: Signal::default(),
            a_holds: Signal::default(),
            b_holds: Signal::default(),
            a_busy: Signal::default(),
            b_busy: Signal::default(),
            a_asks: Signal::default(),
            b_asks: Signal::default(),
            same_pair: Signal::default(),
            rivals: Signal::default(),
            a_takes: Signal::default(),
            b_takes: Signal::default(),
            a_returns: Signal::default(),
            b_returns: Signal::default(),
            a_low: Signal::default(),
            b_low: Signal::default(),
            a_group: Signal::default(),
            b_group: Signal::default(),
            toggle: Signal::default(),
            none: Constant::new(0u64.into()),
            warp_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            index_zero: Constant::new(0u64.into()),
            index_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            wide_none: Constant::new(0u64.into()),
            wide_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            present: Constant::new(((1u64 << PAIRS) - 1).into()),
            one: Constant::new(1u64.into()),
            one_group: Constant::new(1u64.into()),
            no_group: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Default
    for SafePairedLock<NW, PAIRS, GROUPS, IW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Logic
    for SafePairedLock<NW, PAIRS, GROUPS, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        // Warps 2p and 2p + 1 are a pair.
        self.a_index.next = self.index_zero.val();
        self.b_index.next = self.index_zero.val();
        for i in 0..IW {
            if self.a_warp.val().get_bit(i) {
                self.a_index.next = self.a_index.val() | self.index_bit[i].val();
            }
            if self.b_warp.val().get_bit(i) {
                self.b_index.next = self.b_index.val() | self.index_bit[i].val();
            }
        }
        self.a_pair.next = self.a_index.val().get_bits::<5>(1);
        self.b_pair.next = self.b_index.val().get_bits::<5>(1);
        self.even.next = self.wide_none.val();
        self.odd.next = self.wide_none.val();
        for p in 0..PAIRS {
            if self.held.q.val().get_bit(2 * p) {
                self.even.next = self.even.val() | self.wide_bit[p].val();
            }
            if self.held.q.val().get_bit((2 * p) + 1) {
                self.odd.next = self.odd.val() | self.wide_bit[p].val();
            }
        }
        self.existing.next = self.present.val();
        self.a_even.next = self.even.val().get_bit(self.a_pair.val().index());
        self.b_even.next = self.even.val().get_bit(self.b_pair.val().index());
        self.a_odd.next = self.odd.val().get_bit(self.a_pair.val().index());
        self.b_odd.next = self.odd.val().get_bit(self.b_pair.val().index());
        self.a_holds.next = self.a_even.val();
        if self.a_index.val().get_bit(0) {
            self.a_holds.next = self.a_odd.val();
        }
        self.b_holds.next = self.b_even.val();
        if self.b_index.val().get_bit(0) {
            self.b_holds.next = self.b_odd.val();
        }
        self.a_busy.next = self.a_even.val() | self.a_odd.val();
        self.b_busy.next = self.b_even.val() | self.b_odd.val();
        self.same_pair.next = self.a_pair.val() == self.b_pair.val();
        self.a_asks.next = (self.a_valid.val() & (!self.clear.val()))
            & self.existing.val().get_bit(self.a_pair.val().index());
        self.b_asks.next = ((self.b_valid.val() & (!self.clear.val()))
            & self.existing.val().get_bit(self.b_pair.val().index()))
            & (!(self.a_valid.val() & (self.a_warp.val() == self.b_warp.val())));
        // Two ports that ask never name the same warp.
        self.rivals.next = ((self.a_asks.val() & (!self.a_release.val()))
            & (self.b_asks.val() & (!self.b_release.val())))
            & self.same_pair.val();
        self.a_takes.next = ((self.a_asks.val() & (!self.a_release.val())) & (!self.a_busy.val()))
            & (!(self.rivals.val() & self.favor_b.val()));
        self.b_takes.next = ((self.b_asks.val() & (!self.b_release.val())) & (!self.b_busy.val()))
            & (!(self.rivals.val() & (!self.favor_b.val())));
        // A second acquire of the holder and any release are granted; they change at most the warp's own bit.
        self.a_returns.next = self.a_asks.val() & self.a_release.val();
        self.b_returns.next = self.b_asks.val() & self.b_release.val();
        self.a_grant.next =
            (self.a_asks.val() & (self.a_release.val() | self.a_holds.val())) | self.a_takes.val();
        self.b_grant.next =
            (self.b_asks.val() & (self.b_release.val() | self.b_holds.val())) | self.b_takes.val();
        self.a_held.next = self.a_holds.val();
        self.b_held.next = self.b_holds.val();

        self.a_low.next = self.one.val() << self.a_index.val().get_bits::<3>(0);
        self.b_low.next = self.one.val() << self.b_index.val().get_bits::<3>(0);
        self.a_group.next = self.no_group.val();
        self.b_group.next = self.no_group.val();
        if self.a_takes.val() | (self.a_returns.val() & self.a_holds.val()) {
            self.a_group.next = self.one_group.val() << self.a_index.val().get_bits::<3>(3);
        }
        if self.b_takes.val() | (self.b_returns.val() & self.b_holds.val()) {
            self.b_group.next = self.one_group.val() << self.b_index.val().get_bits::<3>(3);
        }
        self.toggle.next = self.none.val();
        for g in 0..GROUPS {
            for i in 0..8 {
                if (self.a_group.val().get_bit(g) & self.a_low.val().get_bit(i))
                    | (self.b_group.val().get_bit(g) & self.b_low.val().get_bit(i))
                {
                    self.toggle.next = self.toggle.val() | self.warp_bit[(8 * g) + i].val();
                }
            }
        }
        if self.clear.val() {
            self.held.d.next = self.none.val();
        } else {
            self.held.d.next = self.held.q.val() ^ self.toggle.val();
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> {
    block: Box<SafePairedLock<NW, PAIRS, GROUPS, IW>>,
    evaluated: Option<(PairedLockIn<NW>, PairedLockOut<NW>)>,
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Default
    for Rtl<NW, PAIRS, GROUPS, IW>
{
    fn default() -> Self {
        let mut block = Box::new(SafePairedLock::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Clocked
    for Rtl<NW, PAIRS, GROUPS, IW>
{
    type In = PairedLockIn<NW>;
    type Out = PairedLockOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.a_valid, pins.a_valid);
        drive(&mut block.a_release, pins.a_release);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive(&mut block.b_valid, pins.b_valid);
        drive(&mut block.b_release, pins.b_release);
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        // One pass is enough: nothing but the register lies below, and it waits for the edge.
        block.update();
        let out = PairedLockOut {
            a_grant: block.a_grant.val(),
            a_held: block.a_held.val(),
            b_grant: block.b_grant.val(),
            b_held: block.b_held.val(),
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        let block = &mut *self.block;
        // With D equal to Q the edge would change nothing.
        if block.held.d.next != block.held.q.val() {
            pulse!(block);
            // `outputs` is one pass, too few for the falling edge.
            settle(block);
            self.evaluated = None;
        }
        out
    }
}
