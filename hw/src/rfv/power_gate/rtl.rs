//! A timer per sub-array that is also its state. A timer is a shift register, so that waking needs one gate to count.

use super::{PowerGateIn, PowerGateOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::common::write_bits::WriteBits;
use rust_hdl::prelude::*;
use std::array;

/// Power gate whose sub-arrays need `WAIT` cycles to wake, 1, 3 or 10, with timers of `TW` bits, 1, 2 or 4. The ports are documented
/// at [`PowerGateIn`] and [`PowerGateOut`].
///
/// While a sub-array wakes, its timer moves up by a bit. A timer of four bits takes the NAND of its lowest and its highest bit in, one of two
/// bits the inverse of the higher one, one of one bit a 1. It begins at 0, that of four bits at 8, and goes through `WAIT`
/// other states; which they are stands in the unit's page.
#[derive(LogicBlock, Inputs)]
pub struct PowerGate<const WAIT: usize, const TW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Puts all to sleep.
    pub clear: Signal<In, bool>,
    /// Sub-arrays in use.
    pub occupied: Signal<In, Bits<16>>,
    /// Sub-arrays wanted.
    pub request: Signal<In, Bits<16>>,
    /// Sub-arrays with power.
    pub powered: Signal<Out, Bits<16>>,
    /// Sub-arrays that can be used.
    pub awake: Signal<Out, Bits<16>>,
    // Bit i of all timers, the highest last.
    plane: [Lazy<WriteBits<16>>; TW],
    sleeps: Signal<Local, Bits<16>>,
    powered_mask: Signal<Local, Bits<16>>,
    waking: Signal<Local, Bits<16>>,
    highest: Signal<Local, Bits<16>>,
    all: Constant<Bits<16>>,
    none: Constant<Bits<16>>,
    // All or none: whether a timer moves on when it is awake, and comes to the same state; whether it has states to count.
    runs_on: Constant<Bits<16>>,
    counts: Constant<Bits<16>>,
    // The same of each bit: whether it tells sleep from waking; whether it tells waking from awake, and what it is then.
    powers: [Constant<Bits<16>>; TW],
    decides: [Constant<Bits<16>>; TW],
    ready: [Constant<Bits<16>>; TW],
}

/// Wakes in 1 cycle: 16 flip-flops.
pub type PowerGate1 = PowerGate<1, 1>;
/// Wakes in 3 cycles: 32 flip-flops.
pub type PowerGate3 = PowerGate<3, 2>;
/// Wakes in 10 cycles: 64 flip-flops.
pub type PowerGate10 = PowerGate<10, 4>;

impl<const WAIT: usize, const TW: usize> PowerGate<WAIT, TW> {
    /// A gate in its power-on state: all sub-arrays asleep.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(matches!((WAIT, TW), (1, 1) | (3, 2) | (10, 4))) };
        // Of states 0, 1, 3, 2 and of 8, 1, 3, 7, 15, 14, 13, 10, 5, 11, 6: what of the bits is enough.
        let (powers, decides, ready) = match WAIT {
            1 => (0b1, 0b1, 0b1),
            3 => (0b11, 0b11, 0b10),
            _ => (0b0011, 0b1001, 0b0000),
        };
        let all_if = |holds: bool| Constant::new((u64::from(holds) * 0xffff).into());
        let of_all = |bits: u64| {
            array::from_fn(|place| Constant::new(((bits >> place & 1) * 0xffff).into()))
        };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            occupied: Signal::default(),
            request: Signal::default(),
            powered: Signal::default(),
            awake: Signal::default(),
            plane: array::from_fn(|place| match place {
                3 => Lazy::new(WriteBits::resting_high()),
                _ => Lazy::default(),
            }),
            sleeps: Signal::default(),
            powered_mask: Signal::default(),
            waking: Signal::default(),
            highest: Signal::default(),
            all: Constant::new(Bits::mask()),
            none: Constant::new(0u64.into()),
            runs_on: all_if(WAIT < 10),
            counts: all_if(WAIT > 1),
            powers: of_all(powers),
            decides: of_all(decides),
            ready: of_all(ready),
        }
    }
}

impl<const WAIT: usize, const TW: usize> Default for PowerGate<WAIT, TW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WAIT: usize, const TW: usize> Logic for PowerGate<WAIT, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.sleeps.next = !(self.occupied.val() | self.request.val());
        if self.clear.val() {
            self.sleeps.next = self.all.val();
        }
        self.powered_mask.next = self.none.val();
        self.waking.next = self.none.val();
        for i in 0..TW {
            self.powered_mask.next =
                self.powered_mask.val() | (self.plane[i].q.val() & self.powers[i].val());
            self.waking.next = self.waking.val()
                | ((self.plane[i].q.val() ^ self.ready[i].val()) & self.decides[i].val());
        }
        for i in 0..TW {
            self.plane[i].clock.next = self.clock.val();
            self.plane[i].reset.next = self.sleeps.val();
            self.plane[i].write.next = self.waking.val() | self.runs_on.val();
        }
        self.highest.next = self.none.val();
        for i in 0..TW {
            self.highest.next = self.plane[i].q.val();
        }
        self.plane[0].value.next = !((self.plane[0].q.val() | self.runs_on.val())
            & (self.highest.val() & self.counts.val()));
        for i in 1..TW {
            self.plane[i].value.next =
                self.plane[i - 1].q.val() | (self.plane[i].q.val() & self.runs_on.val());
        }
        self.powered.next = self.powered_mask.val();
        self.awake.next = !self.waking.val();
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const WAIT: usize, const TW: usize> {
    block: Box<PowerGate<WAIT, TW>>,
}

impl<const WAIT: usize, const TW: usize> Default for Rtl<WAIT, TW> {
    fn default() -> Self {
        let mut block = Box::new(PowerGate::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<const WAIT: usize, const TW: usize> Clocked for Rtl<WAIT, TW> {
    type In = PowerGateIn;
    type Out = PowerGateOut;

    fn outputs(&mut self, pins: &PowerGateIn) -> PowerGateOut {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.occupied, pins.occupied.into());
        drive_bits(&mut block.request, pins.request.into());
        settle(block);
        PowerGateOut {
            powered: read_bits(&block.powered) as u16,
            awake: read_bits(&block.awake) as u16,
        }
    }

    fn edge(&mut self, pins: &PowerGateIn) -> PowerGateOut {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
