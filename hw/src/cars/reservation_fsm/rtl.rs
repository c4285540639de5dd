//! An average per level, a level per half of the SMs, and one step at a launch.

use super::best::Best;
use super::measure::Measure;
use super::{ReservationFsmIn, ReservationFsmOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// State machine of `L` levels, a power of two; `LW` is log2 `L`, `ROUNDS` is `L` - 2, `LESS` is 2 `L` - 2. The ports are
/// documented at [`ReservationFsmIn`] and [`ReservationFsmOut`].
#[derive(LogicBlock, Inputs)]
pub struct ReservationFsm<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// Its highest level.
    pub top: Signal<In, Bits<LW>>,
    /// A level is remembered.
    pub known: Signal<In, bool>,
    /// The level remembered.
    pub known_level: Signal<In, Bits<LW>>,
    /// The same kernel starts again.
    pub again: Signal<In, bool>,
    /// A CTA has finished.
    pub done: Signal<In, bool>,
    /// Its level.
    pub done_level: Signal<In, Bits<LW>>,
    /// What it took.
    pub done_cycles: Signal<In, Bits<32>>,
    /// A CTA is launched.
    pub launch: Signal<In, bool>,
    /// Half of its SM.
    pub launch_high: Signal<In, bool>,
    /// Its level.
    pub level: Signal<Out, Bits<LW>>,
    /// Some level has been measured.
    pub best_valid: Signal<Out, bool>,
    /// The best level.
    pub best: Signal<Out, Bits<LW>>,
    /// Level of the half that began Low.
    pub low_level: Signal<Out, Bits<LW>>,
    /// Level of the half that began High.
    pub high_level: Signal<Out, Bits<LW>>,
    // State: an average per level and whether it has one; the levels of the halves; the kernel's highest level.
    average: [DFF<Bits<32>>; L],
    measured: DFF<Bits<L>>,
    low: DFF<Bits<LW>>,
    high: DFF<Bits<LW>>,
    highest: DFF<Bits<LW>>,
    measure: Lazy<Measure<L, LW, ROUNDS, LESS>>,
    tournament: Lazy<Best<L, LW, ROUNDS, LESS>>,
    records: Signal<Local, bool>,
    recorded: Signal<Local, Bits<L>>,
    stepped: Signal<Local, Bits<LW>>,
    first: Signal<Local, Bits<LW>>,
    no_level: Constant<Bits<LW>>,
    none: Constant<Bits<L>>,
    one: Constant<Bits<L>>,
}

/// 8 levels: 273 flip-flops.
pub type ReservationFsm8 = ReservationFsm<8, 3, 6, 14>;
/// 4 levels: 138 flip-flops.
pub type ReservationFsm4 = ReservationFsm<4, 2, 2, 6>;

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize>
    ReservationFsm<L, LW, ROUNDS, LESS>
{
    /// A state machine in its power-on state: a kernel that has level 0 only.
    #[must_use]
    pub fn new() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            top: Signal::default(),
            known: Signal::default(),
            known_level: Signal::default(),
            again: Signal::default(),
            done: Signal::default(),
            done_level: Signal::default(),
            done_cycles: Signal::default(),
            launch: Signal::default(),
            launch_high: Signal::default(),
            level: Signal::default(),
            best_valid: Signal::default(),
            best: Signal::default(),
            low_level: Signal::default(),
            high_level: Signal::default(),
            average: array::from_fn(|_| DFF::default()),
            measured: DFF::default(),
            low: DFF::default(),
            high: DFF::default(),
            highest: DFF::default(),
            measure: Lazy::default(),
            tournament: Lazy::default(),
            records: Signal::default(),
            recorded: Signal::default(),
            stepped: Signal::default(),
            first: Signal::default(),
            no_level: Constant::new(0u64.into()),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Default
    for ReservationFsm<L, LW, ROUNDS, LESS>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Logic
    for ReservationFsm<L, LW, ROUNDS, LESS>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, measured, low, high, highest);
        for i in 0..L {
            self.average[i].clock.next = self.clock.val();
            self.measure.average[i].next = self.average[i].q.val();
            self.tournament.average[i].next = self.average[i].q.val();
        }
        self.measure.measured.next = self.measured.q.val();
        self.measure.level.next = self.done_level.val();
        self.measure.cycles.next = self.done_cycles.val();
        self.tournament.measured.next = self.measured.q.val();
        self.tournament.launch_high.next = self.launch_high.val();
        self.tournament.low.next = self.low.q.val();
        self.tournament.high.next = self.high.q.val();
        self.best_valid.next = self.tournament.valid.val();
        self.best.next = self.tournament.best.val();

        // A CTA of a level that the kernel does not have is not recorded.
        self.records.next = self.done.val() & (self.done_level.val() <= self.highest.q.val());
        self.recorded.next = self.none.val();
        if self.records.val() {
            self.recorded.next = self.one.val() << self.done_level.val();
        }
        self.measured.d.next = self.measured.q.val() | self.recorded.val();
        for i in 0..L {
            self.average[i].d.next = self.average[i].q.val();
            if self.recorded.val().get_bit(i) {
                self.average[i].d.next = self.measure.mean.val();
            }
        }

        // One step towards the best, from a level that has been measured only. The best one is a level of the kernel.
        self.low_level.next = self.low.q.val();
        self.high_level.next = self.high.q.val();
        self.stepped.next = self.tournament.stepped.val();
        self.level.next = self.stepped.val();
        self.low.d.next = self.low.q.val();
        self.high.d.next = self.high.q.val();
        if self.again.val() {
            if self.tournament.valid.val() {
                self.low.d.next = self.tournament.best.val();
                self.high.d.next = self.tournament.best.val();
            }
        } else if self.launch.val() {
            if self.launch_high.val() {
                self.high.d.next = self.stepped.val();
            } else {
                self.low.d.next = self.stepped.val();
            }
        }

        self.first.next = self.known_level.val();
        if self.known_level.val() > self.top.val() {
            self.first.next = self.top.val();
        }
        self.highest.d.next = self.highest.q.val();
        if self.clear.val() {
            self.measured.d.next = self.none.val();
            self.highest.d.next = self.top.val();
            if self.known.val() {
                self.low.d.next = self.first.val();
                self.high.d.next = self.first.val();
            } else {
                self.low.d.next = self.no_level.val();
                self.high.d.next = self.top.val();
            }
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> {
    block: Box<ReservationFsm<L, LW, ROUNDS, LESS>>,
    evaluated: Option<(ReservationFsmIn<L>, ReservationFsmOut<L>)>,
}

/// With 8 levels.
pub type Rtl8 = Rtl<8, 3, 6, 14>;
/// With 4 levels.
pub type Rtl4 = Rtl<4, 2, 2, 6>;

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Default
    for Rtl<L, LW, ROUNDS, LESS>
{
    fn default() -> Self {
        let mut block = Box::new(ReservationFsm::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Clocked
    for Rtl<L, LW, ROUNDS, LESS>
{
    type In = ReservationFsmIn<L>;
    type Out = ReservationFsmOut<L>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.top, pins.top.into());
        drive(&mut block.known, pins.known);
        drive_bits(&mut block.known_level, pins.known_level.into());
        drive(&mut block.again, pins.again);
        drive(&mut block.done, pins.done);
        drive_bits(&mut block.done_level, pins.done_level.into());
        drive_bits(&mut block.done_cycles, pins.done_cycles.into());
        drive(&mut block.launch, pins.launch);
        drive(&mut block.launch_high, pins.launch_high);
        settle(block);
        let out = ReservationFsmOut {
            level: read_bits(&block.level) as u8,
            best_valid: block.best_valid.val(),
            best: read_bits(&block.best) as u8,
            low_level: read_bits(&block.low_level) as u8,
            high_level: read_bits(&block.high_level) as u8,
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        // Nothing is remembered of a cycle in which nothing starts or ends.
        if pins.clear || pins.again || pins.done || pins.launch {
            pulse!(&mut *self.block);
            self.evaluated = None;
        }
        out
    }
}
