//! The paper's variant: one bit per pair says that the set is taken, not by whom.

use super::{PairedLockIn, PairedLockOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, settle};
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Lock of the extended sets of warp pairs, `NW / 2` = `PAIRS` = 4 `GROUPS` flip-flops. `IW` is ceil(log2 `NW`). The
/// ports are documented at [`PairedLockIn`] and [`PairedLockOut`].
///
/// A pair is looked up by a multiplexer and decoded in two steps, which of four and which group, so that only the second
/// waits for the answer.
#[derive(LogicBlock, Inputs)]
pub struct PairedLock<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> {
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
    /// The set of `a_warp`'s pair is taken.
    pub a_held: Signal<Out, bool>,
    /// Port b is served.
    pub b_grant: Signal<Out, bool>,
    /// The set of `b_warp`'s pair is taken.
    pub b_held: Signal<Out, bool>,
    taken: DFF<Bits<PAIRS>>,
    a_index: Signal<Local, Bits<6>>,
    b_index: Signal<Local, Bits<6>>,
    a_pair: Signal<Local, Bits<5>>,
    b_pair: Signal<Local, Bits<5>>,
    wide: Signal<Local, Bits<32>>,
    existing: Signal<Local, Bits<32>>,
    a_busy: Signal<Local, bool>,
    b_busy: Signal<Local, bool>,
    a_asks: Signal<Local, bool>,
    b_asks: Signal<Local, bool>,
    rivals: Signal<Local, bool>,
    a_takes: Signal<Local, bool>,
    b_takes: Signal<Local, bool>,
    a_served: Signal<Local, bool>,
    b_served: Signal<Local, bool>,
    a_low: Signal<Local, Bits<4>>,
    b_low: Signal<Local, Bits<4>>,
    a_group: Signal<Local, Bits<GROUPS>>,
    b_group: Signal<Local, Bits<GROUPS>>,
    toggle: Signal<Local, Bits<PAIRS>>,
    none: Constant<Bits<PAIRS>>,
    index_zero: Constant<Bits<6>>,
    index_bit: [Constant<Bits<6>>; IW],
    pair_bit: [Constant<Bits<PAIRS>>; PAIRS],
    wide_none: Constant<Bits<32>>,
    wide_bit: [Constant<Bits<32>>; PAIRS],
    present: Constant<Bits<32>>,
    one_low: Constant<Bits<4>>,
    one_group: Constant<Bits<GROUPS>>,
    no_group: Constant<Bits<GROUPS>>,
}

/// 48 warps (`gtx480`): 24 flip-flops.
pub type PairedLock48 = PairedLock<48, 24, 6, 6>;
/// 64 warps: 32 flip-flops.
pub type PairedLock64 = PairedLock<64, 32, 8, 6>;
/// 16 warps.
pub type PairedLock16 = PairedLock<16, 8, 2, 4>;
/// 8 warps: small enough for a monolithic proof.
pub type PairedLock8 = PairedLock<8, 4, 1, 3>;

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize>
    PairedLock<NW, PAIRS, GROUPS, IW>
{
    /// A lock in its power-on state: every set free.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW == 2 * PAIRS && PAIRS == 4 * GROUPS && NW <= 1 << IW && IW <= 6) };
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
            taken: DFF::default(),
            a_index: Signal::default(),
            b_index: Signal::default(),
            a_pair: Signal::default(),
            b_pair: Signal::default(),
            wide: Signal::default(),
            existing: Signal::default(),
            a_busy: Signal::default(),
            b_busy: Signal::default(),
            a_asks: Signal::default(),
            b_asks: Signal::default(),
            rivals: Signal::default(),
            a_takes: Signal::default(),
            b_takes: Signal::default(),
            a_served: Signal::default(),
            b_served: Signal::default(),
            a_low: Signal::default(),
            b_low: Signal::default(),
            a_group: Signal::default(),
            b_group: Signal::default(),
            toggle: Signal::default(),
            none: Constant::new(0u64.into()),
            index_zero: Constant::new(0u64.into()),
            index_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            pair_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            wide_none: Constant::new(0u64.into()),
            wide_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            present: Constant::new(((1u64 << PAIRS) - 1).into()),
            one_low: Constant::new(1u64.into()),
            one_group: Constant::new(1u64.into()),
            no_group: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Default
    for PairedLock<NW, PAIRS, GROUPS, IW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Logic
    for PairedLock<NW, PAIRS, GROUPS, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, taken);
        // The pair is the warp without its lowest bit.
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
        self.wide.next = self.wide_none.val();
        for p in 0..PAIRS {
            if self.taken.q.val().get_bit(p) {
                self.wide.next = self.wide.val() | self.wide_bit[p].val();
            }
        }
        self.existing.next = self.present.val();
        self.a_busy.next = self.wide.val().get_bit(self.a_pair.val().index());
        self.b_busy.next = self.wide.val().get_bit(self.b_pair.val().index());
        self.a_asks.next = (self.a_valid.val() & (!self.clear.val()))
            & self.existing.val().get_bit(self.a_pair.val().index());
        self.b_asks.next = ((self.b_valid.val() & (!self.clear.val()))
            & self.existing.val().get_bit(self.b_pair.val().index()))
            & (!(self.a_valid.val() & (self.a_warp.val() == self.b_warp.val())));
        self.rivals.next = ((self.a_asks.val() & (!self.a_release.val()))
            & (self.b_asks.val() & (!self.b_release.val())))
            & (self.a_pair.val() == self.b_pair.val());
        self.a_takes.next = ((self.a_asks.val() & (!self.a_release.val())) & (!self.a_busy.val()))
            & (!(self.rivals.val() & self.favor_b.val()));
        self.b_takes.next = ((self.b_asks.val() & (!self.b_release.val())) & (!self.b_busy.val()))
            & (!(self.rivals.val() & (!self.favor_b.val())));
        self.a_served.next = (self.a_asks.val() & self.a_release.val()) | self.a_takes.val();
        self.b_served.next = (self.b_asks.val() & self.b_release.val()) | self.b_takes.val();
        self.a_grant.next = self.a_served.val();
        self.b_grant.next = self.b_served.val();
        self.a_held.next = self.a_busy.val();
        self.b_held.next = self.b_busy.val();

        // A set is taken only if it was free; a release changes it only if it was taken.
        self.a_low.next = self.one_low.val() << self.a_pair.val().get_bits::<2>(0);
        self.b_low.next = self.one_low.val() << self.b_pair.val().get_bits::<2>(0);
        self.a_group.next = self.no_group.val();
        self.b_group.next = self.no_group.val();
        if self.a_takes.val() | (self.a_served.val() & self.a_busy.val()) {
            self.a_group.next = self.one_group.val() << self.a_pair.val().get_bits::<3>(2);
        }
        if self.b_takes.val() | (self.b_served.val() & self.b_busy.val()) {
            self.b_group.next = self.one_group.val() << self.b_pair.val().get_bits::<3>(2);
        }
        self.toggle.next = self.none.val();
        for g in 0..GROUPS {
            for i in 0..4 {
                if (self.a_group.val().get_bit(g) & self.a_low.val().get_bit(i))
                    | (self.b_group.val().get_bit(g) & self.b_low.val().get_bit(i))
                {
                    self.toggle.next = self.toggle.val() | self.pair_bit[(4 * g) + i].val();
                }
            }
        }
        if self.clear.val() {
            self.taken.d.next = self.none.val();
        } else {
            self.taken.d.next = self.taken.q.val() ^ self.toggle.val();
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> {
    block: Box<PairedLock<NW, PAIRS, GROUPS, IW>>,
    evaluated: Option<(PairedLockIn<NW>, PairedLockOut<NW>)>,
}

impl<const NW: usize, const PAIRS: usize, const GROUPS: usize, const IW: usize> Default
    for Rtl<NW, PAIRS, GROUPS, IW>
{
    fn default() -> Self {
        let mut block = Box::new(PairedLock::new());
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
        if block.taken.d.next != block.taken.q.val() {
            pulse!(block);
            // `outputs` is one pass, too few for the falling edge.
            settle(block);
            self.evaluated = None;
        }
        out
    }
}
