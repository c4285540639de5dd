//! The safe variant: one bit per warp, so that the unit knows the holder.

use super::{PairedLockIn, PairedLockOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, settle};
use rust_hdl::prelude::*;

/// Lock of the extended sets of warp pairs, `NW` flip-flops. `IW` is ceil(log2 `NW`). The ports are documented at [`PairedLockIn`] and [`PairedLockOut`].
#[derive(LogicBlock)]
pub struct SafePairedLock<const NW: usize, const IW: usize> {
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
    a_partner: Signal<Local, Bits<IW>>,
    b_partner: Signal<Local, Bits<IW>>,
    a_onehot: Signal<Local, Bits<NW>>,
    b_onehot: Signal<Local, Bits<NW>>,
    a_pair: Signal<Local, Bits<NW>>,
    b_pair: Signal<Local, Bits<NW>>,
    a_holds: Signal<Local, bool>,
    b_holds: Signal<Local, bool>,
    a_busy: Signal<Local, bool>,
    b_busy: Signal<Local, bool>,
    a_asks: Signal<Local, bool>,
    b_asks: Signal<Local, bool>,
    rivals: Signal<Local, bool>,
    a_takes: Signal<Local, bool>,
    b_takes: Signal<Local, bool>,
    a_toggle: Signal<Local, Bits<NW>>,
    b_toggle: Signal<Local, Bits<NW>>,
    none: Constant<Bits<NW>>,
    one: Constant<Bits<NW>>,
    lowest: Constant<Bits<IW>>,
}

/// 48 warps (`gtx480`): 48 flip-flops.
pub type SafePairedLock48 = SafePairedLock<48, 6>;
/// 64 warps: 64 flip-flops.
pub type SafePairedLock64 = SafePairedLock<64, 6>;
/// 8 warps: small enough for a monolithic proof.
pub type SafePairedLock8 = SafePairedLock<8, 3>;

impl<const NW: usize, const IW: usize> SafePairedLock<NW, IW> {
    /// A lock in its power-on state: every set free.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW.is_multiple_of(2) && NW <= 1 << IW) };
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
            a_partner: Signal::default(),
            b_partner: Signal::default(),
            a_onehot: Signal::default(),
            b_onehot: Signal::default(),
            a_pair: Signal::default(),
            b_pair: Signal::default(),
            a_holds: Signal::default(),
            b_holds: Signal::default(),
            a_busy: Signal::default(),
            b_busy: Signal::default(),
            a_asks: Signal::default(),
            b_asks: Signal::default(),
            rivals: Signal::default(),
            a_takes: Signal::default(),
            b_takes: Signal::default(),
            a_toggle: Signal::default(),
            b_toggle: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            lowest: Constant::new(1u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize> Default for SafePairedLock<NW, IW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize> Logic for SafePairedLock<NW, IW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        // Warps 2p and 2p + 1 are a pair. A warp that does not exist decodes to no bit and is refused.
        self.a_partner.next = self.a_warp.val() ^ self.lowest.val();
        self.b_partner.next = self.b_warp.val() ^ self.lowest.val();
        self.a_onehot.next = self.one.val() << self.a_warp.val();
        self.b_onehot.next = self.one.val() << self.b_warp.val();
        self.a_pair.next = self.one.val() << self.a_partner.val();
        self.b_pair.next = self.one.val() << self.b_partner.val();
        self.a_pair.next = self.a_pair.val() | self.a_onehot.val();
        self.b_pair.next = self.b_pair.val() | self.b_onehot.val();
        self.a_holds.next = (self.held.q.val() & self.a_onehot.val()).any();
        self.b_holds.next = (self.held.q.val() & self.b_onehot.val()).any();
        self.a_busy.next = (self.held.q.val() & self.a_pair.val()).any();
        self.b_busy.next = (self.held.q.val() & self.b_pair.val()).any();
        self.a_asks.next = (self.a_valid.val() & (!self.clear.val())) & self.a_onehot.val().any();
        self.b_asks.next = ((self.b_valid.val() & (!self.clear.val())) & self.b_onehot.val().any())
            & (!(self.a_valid.val() & (self.a_warp.val() == self.b_warp.val())));
        self.rivals.next = ((self.a_asks.val() & (!self.a_release.val()))
            & (self.b_asks.val() & (!self.b_release.val())))
            & (self.a_warp.val() == self.b_partner.val());
        self.a_takes.next = ((self.a_asks.val() & (!self.a_release.val())) & (!self.a_busy.val()))
            & (!(self.rivals.val() & self.favor_b.val()));
        self.b_takes.next = ((self.b_asks.val() & (!self.b_release.val())) & (!self.b_busy.val()))
            & (!(self.rivals.val() & (!self.favor_b.val())));
        // A second acquire of the holder and any release are granted; they change at most the warp's own bit.
        self.a_grant.next =
            (self.a_asks.val() & (self.a_release.val() | self.a_holds.val())) | self.a_takes.val();
        self.b_grant.next =
            (self.b_asks.val() & (self.b_release.val() | self.b_holds.val())) | self.b_takes.val();
        self.a_held.next = self.a_holds.val();
        self.b_held.next = self.b_holds.val();

        self.a_toggle.next = self.none.val();
        self.b_toggle.next = self.none.val();
        if self.a_takes.val() | ((self.a_asks.val() & self.a_release.val()) & self.a_holds.val()) {
            self.a_toggle.next = self.a_onehot.val();
        }
        if self.b_takes.val() | ((self.b_asks.val() & self.b_release.val()) & self.b_holds.val()) {
            self.b_toggle.next = self.b_onehot.val();
        }
        if self.clear.val() {
            self.held.d.next = self.none.val();
        } else {
            self.held.d.next = self.held.q.val() ^ (self.a_toggle.val() | self.b_toggle.val());
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const IW: usize> {
    block: Box<SafePairedLock<NW, IW>>,
    evaluated: Option<(PairedLockIn<NW>, PairedLockOut<NW>)>,
}

impl<const NW: usize, const IW: usize> Default for Rtl<NW, IW> {
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

impl<const NW: usize, const IW: usize> Clocked for Rtl<NW, IW> {
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
            self.evaluated = None;
        }
        out
    }
}
