//! Flags and tags in two small memories, valid bits beside them.

use super::line::LineOf;
use super::{ReleaseFlagCacheIn, ReleaseFlagCacheOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::table::DualTable;
use crate::rfv::flag_decoder::slot::SlotSelect;
use rust_hdl::prelude::*;
use std::array;

/// Cache of ten pir. The ports are documented at [`ReleaseFlagCacheIn`] and [`ReleaseFlagCacheOut`].
///
/// The tag leaves out the three lowest bits of the program counter: the entry is its remainder by ten, so it knows the
/// lowest bit, and of the four numbers that the next two bits can make each leaves another remainder by five.
#[derive(LogicBlock)]
pub struct ReleaseFlagCache {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Empties the cache.
    pub clear: Signal<In, bool>,
    /// Keep a pir.
    pub fill: Signal<In, bool>,
    /// Its program counter.
    pub fill_pc: Signal<In, Bits<16>>,
    /// Its flags.
    pub fill_payload: Signal<In, Bits<54>>,
    /// Look-up of port a.
    pub a_pc: Signal<In, Bits<16>>,
    /// Instruction of port a.
    pub a_slot: Signal<In, Bits<5>>,
    /// Look-up of port b.
    pub b_pc: Signal<In, Bits<16>>,
    /// Instruction of port b.
    pub b_slot: Signal<In, Bits<5>>,
    /// Port a hits.
    pub a_hit: Signal<Out, bool>,
    /// Its flags.
    pub a_flags: Signal<Out, Bits<3>>,
    /// Port b hits.
    pub b_hit: Signal<Out, bool>,
    /// Its flags.
    pub b_flags: Signal<Out, Bits<3>>,
    // State: 10 x 54 flags, 10 x 13 tag bits, 10 valid bits.
    data: DualTable<10, 4, 54>,
    tags: DualTable<10, 4, 13>,
    valid: DFF<Bits<10>>,
    fill_line: LineOf,
    a_line: LineOf,
    b_line: LineOf,
    a_select: SlotSelect,
    b_select: SlotSelect,
    keep: Signal<Local, bool>,
    filled: Signal<Local, Bits<10>>,
    // The valid bits, of each pair of entries that which the lowest bit chooses, of four, of all.
    of_2: [Signal<Local, bool>; 5],
    of_4: [Signal<Local, bool>; 2],
    a_valid: Signal<Local, bool>,
    b_valid: Signal<Local, bool>,
    a_found: Signal<Local, bool>,
    b_found: Signal<Local, bool>,
    none: Constant<Bits<10>>,
    number: [Constant<Bits<4>>; 10],
    entry_bit: [Constant<Bits<10>>; 10],
    no_flags: Constant<Bits<3>>,
}

impl ReleaseFlagCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            fill: Signal::default(),
            fill_pc: Signal::default(),
            fill_payload: Signal::default(),
            a_pc: Signal::default(),
            a_slot: Signal::default(),
            b_pc: Signal::default(),
            b_slot: Signal::default(),
            a_hit: Signal::default(),
            a_flags: Signal::default(),
            b_hit: Signal::default(),
            b_flags: Signal::default(),
            data: DualTable::default(),
            tags: DualTable::default(),
            valid: DFF::default(),
            fill_line: LineOf::default(),
            a_line: LineOf::default(),
            b_line: LineOf::default(),
            a_select: SlotSelect::default(),
            b_select: SlotSelect::default(),
            keep: Signal::default(),
            filled: Signal::default(),
            of_2: array::from_fn(|_| Signal::default()),
            of_4: array::from_fn(|_| Signal::default()),
            a_valid: Signal::default(),
            b_valid: Signal::default(),
            a_found: Signal::default(),
            b_found: Signal::default(),
            none: Constant::new(0u64.into()),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            entry_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_flags: Constant::new(0u64.into()),
        }
    }
}

impl Default for ReleaseFlagCache {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for ReleaseFlagCache {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid);
        clock!(self, clock, data, tags);
        self.fill_line.pc.next = self.fill_pc.val();
        self.a_line.pc.next = self.a_pc.val();
        self.b_line.pc.next = self.b_pc.val();

        self.keep.next = self.fill.val() & (!self.clear.val());
        self.data.write.next = self.keep.val();
        self.data.write_row.next = self.fill_line.line.val();
        self.data.write_word.next = self.fill_payload.val();
        self.tags.write.next = self.keep.val();
        self.tags.write_row.next = self.fill_line.line.val();
        self.tags.write_word.next = self.fill_pc.val().get_bits::<13>(3);
        self.filled.next = self.valid.q.val();
        for i in 0..10 {
            if self.fill_line.line.val() == self.number[i].val() {
                self.filled.next = self.filled.val() | self.entry_bit[i].val();
            }
        }
        if self.clear.val() {
            self.valid.d.next = self.none.val();
        } else if self.fill.val() {
            self.valid.d.next = self.filled.val();
        }

        self.data.a_row.next = self.a_line.line.val();
        self.tags.a_row.next = self.a_line.line.val();
        for i in 0..5 {
            self.of_2[i].next = self.valid.q.val().get_bit(2 * i);
            if self.a_line.line.val().get_bit(0) {
                self.of_2[i].next = self.valid.q.val().get_bit((2 * i) + 1);
            }
        }
        for i in 0..2 {
            self.of_4[i].next = self.of_2[2 * i].val();
            if self.a_line.line.val().get_bit(1) {
                self.of_4[i].next = self.of_2[(2 * i) + 1].val();
            }
        }
        self.a_valid.next = self.of_4[0].val();
        if self.a_line.line.val().get_bit(2) {
            self.a_valid.next = self.of_4[1].val();
        }
        if self.a_line.line.val().get_bit(3) {
            self.a_valid.next = self.of_2[4].val();
        }
        self.a_found.next =
            self.a_valid.val() & (self.tags.a_word.val() == self.a_pc.val().get_bits::<13>(3));
        self.a_hit.next = self.a_found.val();
        self.a_select.payload.next = self.data.a_word.val();
        self.a_select.slot.next = self.a_slot.val();
        self.a_flags.next = self.no_flags.val();
        if self.a_found.val() & self.a_select.exists.val() {
            self.a_flags.next = self.a_select.flags.val();
        }

        self.data.b_row.next = self.b_line.line.val();
        self.tags.b_row.next = self.b_line.line.val();
        for i in 0..5 {
            self.of_2[i].next = self.valid.q.val().get_bit(2 * i);
            if self.b_line.line.val().get_bit(0) {
                self.of_2[i].next = self.valid.q.val().get_bit((2 * i) + 1);
            }
        }
        for i in 0..2 {
            self.of_4[i].next = self.of_2[2 * i].val();
            if self.b_line.line.val().get_bit(1) {
                self.of_4[i].next = self.of_2[(2 * i) + 1].val();
            }
        }
        self.b_valid.next = self.of_4[0].val();
        if self.b_line.line.val().get_bit(2) {
            self.b_valid.next = self.of_4[1].val();
        }
        if self.b_line.line.val().get_bit(3) {
            self.b_valid.next = self.of_2[4].val();
        }
        self.b_found.next =
            self.b_valid.val() & (self.tags.b_word.val() == self.b_pc.val().get_bits::<13>(3));
        self.b_hit.next = self.b_found.val();
        self.b_select.payload.next = self.data.b_word.val();
        self.b_select.slot.next = self.b_slot.val();
        self.b_flags.next = self.no_flags.val();
        if self.b_found.val() & self.b_select.exists.val() {
            self.b_flags.next = self.b_select.flags.val();
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl {
    block: Box<ReleaseFlagCache>,
}

impl Default for Rtl {
    fn default() -> Self {
        let mut block = Box::new(ReleaseFlagCache::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl Clocked for Rtl {
    type In = ReleaseFlagCacheIn;
    type Out = ReleaseFlagCacheOut;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.fill, pins.fill);
        drive_bits(&mut block.fill_pc, pins.fill_pc.into());
        drive_bits(&mut block.fill_payload, pins.fill_payload);
        drive_bits(&mut block.a_pc, pins.a_pc.into());
        drive_bits(&mut block.a_slot, pins.a_slot.into());
        drive_bits(&mut block.b_pc, pins.b_pc.into());
        drive_bits(&mut block.b_slot, pins.b_slot.into());
        settle(block);
        ReleaseFlagCacheOut {
            a_hit: block.a_hit.val(),
            a_flags: read_bits(&block.a_flags) as u8,
            b_hit: block.b_hit.val(),
            b_flags: read_bits(&block.b_flags) as u8,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
