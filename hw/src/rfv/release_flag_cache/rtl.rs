//! Flags and tags in two small memories, valid bits beside them.

use super::line::LineOf;
use super::{ReleaseFlagCacheIn, ReleaseFlagCacheOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::table::DualTable;
use crate::common::word::machine_words;
use crate::rfv::flag_decoder::slot::SlotSelect;
use rust_hdl::prelude::*;
use std::array;

/// Cache of `ENTRIES` pir, 10, 5, 2 or 1, numbered by `EW` bits, with `TAG` bits of the program counter each: 13, 14, 15 or 16. The ports are documented at [`ReleaseFlagCacheIn`] and [`ReleaseFlagCacheOut`].
///
/// The tag of ten entries leaves out the three lowest bits of the program counter: the entry is its remainder by ten, so it knows
/// the lowest bit, and of the four numbers that the next two bits can make each leaves another remainder by five. With five
/// entries it leaves out two bits, with two entries one.
#[derive(LogicBlock, Inputs)]
pub struct ReleaseFlagCache<const ENTRIES: usize = 10, const EW: usize = 4, const TAG: usize = 13> {
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
    // State of an entry: 54 flags, the tag, a valid bit.
    data: Lazy<DualTable<ENTRIES, EW, 54>>,
    tags: Lazy<DualTable<ENTRIES, EW, TAG>>,
    valid: DFF<Bits<ENTRIES>>,
    fill_line: Lazy<LineOf<ENTRIES>>,
    a_line: Lazy<LineOf<ENTRIES>>,
    b_line: Lazy<LineOf<ENTRIES>>,
    a_select: Lazy<SlotSelect>,
    b_select: Lazy<SlotSelect>,
    keep: Signal<Local, bool>,
    filled: Signal<Local, Bits<ENTRIES>>,
    // The valid bits, and none of entries that there are not.
    of_ten: Signal<Local, Bits<10>>,
    // The valid bits, of each pair of entries that which the lowest bit chooses, of four, of all.
    of_2: [Signal<Local, bool>; 5],
    of_4: [Signal<Local, bool>; 2],
    a_valid: Signal<Local, bool>,
    b_valid: Signal<Local, bool>,
    a_found: Signal<Local, bool>,
    b_found: Signal<Local, bool>,
    none: Constant<Bits<ENTRIES>>,
    none_of_ten: Constant<Bits<10>>,
    number: [Constant<Bits<4>>; ENTRIES],
    entry_bit: [Constant<Bits<ENTRIES>>; ENTRIES],
    bit_of_ten: [Constant<Bits<10>>; ENTRIES],
    no_flags: Constant<Bits<3>>,
}

impl<const ENTRIES: usize, const EW: usize, const TAG: usize> ReleaseFlagCache<ENTRIES, EW, TAG> {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        const {
            let less = match ENTRIES {
                10 => 3,
                5 => 2,
                2 => 1,
                _ => 0,
            };
            assert!(TAG + less == 16 && ENTRIES <= 1 << EW && EW <= 4);
        }
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
            data: Lazy::default(),
            tags: Lazy::default(),
            valid: DFF::default(),
            fill_line: Lazy::default(),
            a_line: Lazy::default(),
            b_line: Lazy::default(),
            a_select: Lazy::default(),
            b_select: Lazy::default(),
            keep: Signal::default(),
            filled: Signal::default(),
            of_ten: Signal::default(),
            of_2: array::from_fn(|_| Signal::default()),
            of_4: array::from_fn(|_| Signal::default()),
            a_valid: Signal::default(),
            b_valid: Signal::default(),
            a_found: Signal::default(),
            b_found: Signal::default(),
            none: Constant::new(0u64.into()),
            none_of_ten: Constant::new(0u64.into()),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            entry_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit_of_ten: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_flags: Constant::new(0u64.into()),
        }
    }
}

impl<const ENTRIES: usize, const EW: usize, const TAG: usize> Default
    for ReleaseFlagCache<ENTRIES, EW, TAG>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const ENTRIES: usize, const EW: usize, const TAG: usize> Logic
    for ReleaseFlagCache<ENTRIES, EW, TAG>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, valid);
        clock!(self, clock, data, tags);
        self.fill_line.pc.next = self.fill_pc.val();
        self.a_line.pc.next = self.a_pc.val();
        self.b_line.pc.next = self.b_pc.val();

        self.keep.next = self.fill.val() & (!self.clear.val());
        self.data.write.next = self.keep.val();
        self.data.write_row.next = self.fill_line.line.val().get_bits::<EW>(0);
        self.data.write_word.next = self.fill_payload.val();
        self.tags.write.next = self.keep.val();
        self.tags.write_row.next = self.fill_line.line.val().get_bits::<EW>(0);
        for low in (16 - TAG)..(17 - TAG) {
            self.tags.write_word.next = self.fill_pc.val().get_bits::<TAG>(low);
        }
        self.filled.next = self.valid.q.val();
        for i in 0..ENTRIES {
            if self.fill_line.line.val() == self.number[i].val() {
                self.filled.next = self.filled.val() | self.entry_bit[i].val();
            }
        }
        if self.clear.val() {
            self.valid.d.next = self.none.val();
        } else if self.fill.val() {
            self.valid.d.next = self.filled.val();
        }

        self.of_ten.next = self.none_of_ten.val();
        for i in 0..ENTRIES {
            // Not `get_bit`: of one entry there is only one bit, from which Verilog selects nothing.
            if (self.valid.q.val() & self.entry_bit[i].val()).any() {
                self.of_ten.next = self.of_ten.val() | self.bit_of_ten[i].val();
            }
        }

        self.data.a_row.next = self.a_line.line.val().get_bits::<EW>(0);
        self.tags.a_row.next = self.a_line.line.val().get_bits::<EW>(0);
        for i in 0..5 {
            self.of_2[i].next = self.of_ten.val().get_bit(2 * i);
            if self.a_line.line.val().get_bit(0) {
                self.of_2[i].next = self.of_ten.val().get_bit((2 * i) + 1);
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
        for low in (16 - TAG)..(17 - TAG) {
            self.a_found.next = self.a_valid.val()
                & (self.tags.a_word.val() == self.a_pc.val().get_bits::<TAG>(low));
        }
        self.a_hit.next = self.a_found.val();
        self.a_select.payload.next = self.data.a_word.val();
        self.a_select.slot.next = self.a_slot.val();
        self.a_flags.next = self.no_flags.val();
        if self.a_found.val() & self.a_select.exists.val() {
            self.a_flags.next = self.a_select.flags.val();
        }

        self.data.b_row.next = self.b_line.line.val().get_bits::<EW>(0);
        self.tags.b_row.next = self.b_line.line.val().get_bits::<EW>(0);
        for i in 0..5 {
            self.of_2[i].next = self.of_ten.val().get_bit(2 * i);
            if self.b_line.line.val().get_bit(0) {
                self.of_2[i].next = self.of_ten.val().get_bit((2 * i) + 1);
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
        for low in (16 - TAG)..(17 - TAG) {
            self.b_found.next = self.b_valid.val()
                & (self.tags.b_word.val() == self.b_pc.val().get_bits::<TAG>(low));
        }
        self.b_hit.next = self.b_found.val();
        self.b_select.payload.next = self.data.b_word.val();
        self.b_select.slot.next = self.b_slot.val();
        self.b_flags.next = self.no_flags.val();
        if self.b_found.val() & self.b_select.exists.val() {
            self.b_flags.next = self.b_select.flags.val();
        }
    }
}

/// Five entries.
pub type ReleaseFlagCache5 = ReleaseFlagCache<5, 3, 14>;
/// Two entries.
pub type ReleaseFlagCache2 = ReleaseFlagCache<2, 1, 15>;
/// One entry.
pub type ReleaseFlagCache1 = ReleaseFlagCache<1, 1, 16>;

/// The block behind the same interface as the model.
pub struct Rtl<const ENTRIES: usize = 10, const EW: usize = 4, const TAG: usize = 13> {
    block: Box<ReleaseFlagCache<ENTRIES, EW, TAG>>,
}

impl<const ENTRIES: usize, const EW: usize, const TAG: usize> Default for Rtl<ENTRIES, EW, TAG> {
    fn default() -> Self {
        let mut block = Box::new(ReleaseFlagCache::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<const ENTRIES: usize, const EW: usize, const TAG: usize> Clocked for Rtl<ENTRIES, EW, TAG> {
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
