//! A timer per sub-array that is also its state: 0 asleep, `WAIT` awake, between them waking.

use super::{PowerGateIn, PowerGateOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Power gate whose sub-arrays need `WAIT` cycles to wake; `TW` is ceil(log2 (`WAIT` + 1)). The ports are documented at
/// [`PowerGateIn`] and [`PowerGateOut`].
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
    timer: [DFF<Bits<TW>>; 16],
    wanted: Signal<Local, Bits<16>>,
    is_powered: [Signal<Local, bool>; 16],
    is_awake: [Signal<Local, bool>; 16],
    powered_mask: Signal<Local, Bits<16>>,
    awake_mask: Signal<Local, Bits<16>>,
    asleep: Constant<Bits<TW>>,
    step: Constant<Bits<TW>>,
    ready: Constant<Bits<TW>>,
    none: Constant<Bits<16>>,
    position: [Constant<Bits<16>>; 16],
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
        const { assert!(WAIT > 0 && WAIT < 1 << TW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            occupied: Signal::default(),
            request: Signal::default(),
            powered: Signal::default(),
            awake: Signal::default(),
            timer: array::from_fn(|_| DFF::default()),
            wanted: Signal::default(),
            is_powered: array::from_fn(|_| Signal::default()),
            is_awake: array::from_fn(|_| Signal::default()),
            powered_mask: Signal::default(),
            awake_mask: Signal::default(),
            asleep: Constant::new(0u64.into()),
            step: Constant::new(1u64.into()),
            ready: Constant::new((WAIT as u64).into()),
            none: Constant::new(0u64.into()),
            position: array::from_fn(|i| Constant::new((1u64 << i).into())),
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
        self.wanted.next = self.none.val();
        if !self.clear.val() {
            self.wanted.next = self.occupied.val() | self.request.val();
        }
        self.powered_mask.next = self.none.val();
        self.awake_mask.next = self.none.val();
        for i in 0..16 {
            self.timer[i].clock.next = self.clock.val();
            self.is_powered[i].next = self.timer[i].q.val() != self.asleep.val();
            self.is_awake[i].next = self.timer[i].q.val() == self.ready.val();
            self.timer[i].d.next = self.asleep.val();
            if self.wanted.val().get_bit(i) {
                self.timer[i].d.next = self.timer[i].q.val();
                // Not by `is_awake`: what goes in and what comes out then share nothing, and a top may connect them.
                if self.timer[i].q.val() != self.ready.val() {
                    self.timer[i].d.next = self.timer[i].q.val() + self.step.val();
                }
            }
            if self.is_powered[i].val() {
                self.powered_mask.next = self.powered_mask.val() | self.position[i].val();
            }
            if self.is_awake[i].val() {
                self.awake_mask.next = self.awake_mask.val() | self.position[i].val();
            }
        }
        self.powered.next = self.powered_mask.val();
        self.awake.next = self.awake_mask.val();
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
