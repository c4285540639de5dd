//! Warps between two numbers.

use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Those of `NW` warps from one number up to another, `IW` bits each. `NW` is a multiple of 8.
#[derive(LogicBlock, Inputs)]
pub struct Range<const NW: usize, const IW: usize> {
    /// The first warp.
    pub from: Signal<In, Bits<IW>>,
    /// The warp after the last one.
    pub to: Signal<In, Bits<IW>>,
    /// The range ends at warp 2^`IW` instead.
    pub open: Signal<In, bool>,
    /// There is any warp.
    pub any: Signal<In, bool>,
    /// Every warp, whatever else is said.
    pub all: Signal<In, bool>,
    /// The warps.
    pub warps: Signal<Out, Bits<NW>>,
    low: Lazy<FromOn<NW, IW>>,
    high: Lazy<FromOn<NW, IW>>,
    never: Constant<bool>,
}

impl<const NW: usize, const IW: usize> Default for Range<NW, IW> {
    fn default() -> Self {
        Self {
            from: Signal::default(),
            to: Signal::default(),
            open: Signal::default(),
            any: Signal::default(),
            all: Signal::default(),
            warps: Signal::default(),
            low: Lazy::default(),
            high: Lazy::default(),
            never: Constant::new(false),
        }
    }
}

impl<const NW: usize, const IW: usize> Logic for Range<NW, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.low.first.next = self.from.val();
        self.low.any.next = self.any.val();
        self.low.all.next = self.all.val();
        self.high.first.next = self.to.val();
        self.high.any.next = !(self.all.val() | self.open.val());
        self.high.all.next = self.never.val();
        self.warps.next = self.low.warps.val() & (!self.high.warps.val());
    }
}

/// The warps from a number on. Each row of eight is asked once whether it lies at or above that of the first warp; then a
/// warp takes the answer of its own row or of the row below.
#[derive(LogicBlock, Inputs)]
pub struct FromOn<const NW: usize, const IW: usize> {
    /// The first warp.
    pub first: Signal<In, Bits<IW>>,
    /// There is any.
    pub any: Signal<In, bool>,
    /// Every warp; wins over `any`.
    pub all: Signal<In, bool>,
    /// The warps.
    pub warps: Signal<Out, Bits<NW>>,
    row: Signal<Local, Bits<IW>>,
    place: Signal<Local, Bits<IW>>,
    at_row: Signal<Local, Bits<NW>>,
    above_row: Signal<Local, Bits<NW>>,
    // Warps that come before the first one's place in their row.
    from_place: Signal<Local, Bits<NW>>,
    earlier: Signal<Local, Bits<NW>>,
    every: Constant<Bits<NW>>,
    nobody: Constant<Bits<NW>>,
    place_bits: Constant<Bits<IW>>,
    row_length: Constant<Bits<8>>,
    two_rows: Constant<Bits<8>>,
    four_rows: Constant<Bits<8>>,
}

impl<const NW: usize, const IW: usize> Default for FromOn<NW, IW> {
    fn default() -> Self {
        const { assert!(NW.is_multiple_of(8) && NW <= 64 && IW > 3) };
        let warps = |count: usize| Constant::new((count.min(NW) as u64).into());
        Self {
            first: Signal::default(),
            any: Signal::default(),
            all: Signal::default(),
            warps: Signal::default(),
            row: Signal::default(),
            place: Signal::default(),
            at_row: Signal::default(),
            above_row: Signal::default(),
            from_place: Signal::default(),
            earlier: Signal::default(),
            every: Constant::new(Bits::mask()),
            nobody: Constant::new(0u64.into()),
            place_bits: Constant::new(7u64.into()),
            row_length: warps(8),
            two_rows: warps(16),
            four_rows: warps(32),
        }
    }
}

impl<const NW: usize, const IW: usize> Logic for FromOn<NW, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.place.next = self.first.val() & self.place_bits.val();
        self.row.next = self.first.val() & (!self.place_bits.val());
        self.at_row.next = self.every.val() << self.row.val();
        self.above_row.next = self.at_row.val() << self.row_length.val();
        if self.all.val() {
            self.at_row.next = self.every.val();
            self.above_row.next = self.every.val();
        } else if !self.any.val() {
            self.at_row.next = self.nobody.val();
            self.above_row.next = self.nobody.val();
        }
        self.from_place.next = self.every.val() << self.place.val();
        self.earlier.next = !self.from_place.val();
        self.earlier.next = self.earlier.val() | (self.earlier.val() << self.row_length.val());
        self.earlier.next = self.earlier.val() | (self.earlier.val() << self.two_rows.val());
        self.earlier.next = self.earlier.val() | (self.earlier.val() << self.four_rows.val());
        self.warps.next = (self.at_row.val() & (!self.earlier.val()))
            | (self.above_row.val() & self.earlier.val());
    }
}
