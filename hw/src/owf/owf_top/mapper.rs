//! Where the registers of a warp lie.
//!
//! Narrow buses are widened wire by wire (`bit10`, `bit32`), so that the Verilog has equal widths everywhere.

use crate::common::lazy::{Inputs, Lazy};
use crate::common::product::Product;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// One issue port. Every warp but an upper one has its registers in a row of `base_regs` + `ext_regs` at its own number. An
/// upper one has the shared ones in the row of its `home`, and its private ones in a row of `base_regs` at its own number
/// behind `upper_offset`.
#[derive(LogicBlock, Inputs)]
pub struct Mapper<const IW: usize, const PACKS: usize, const PW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// The lower warp of its pair, or itself.
    pub home: Signal<In, Bits<IW>>,
    /// It is an upper one.
    pub upper: Signal<In, bool>,
    /// Private registers of a warp.
    pub base_regs: Signal<In, Bits<8>>,
    /// Shared registers of a pair.
    pub ext_regs: Signal<In, Bits<8>>,
    /// What is added for the private registers of an upper warp.
    pub upper_offset: Signal<In, Bits<PW>>,
    /// The instruction goes on.
    pub goes: Signal<In, bool>,
    /// Registers that it names.
    pub x: [Signal<In, Bits<8>>; 4],
    /// It names them.
    pub named: [Signal<In, bool>; 4],
    /// Their packs.
    pub y: [Signal<Out, Bits<PW>>; 4],
    /// They exist.
    pub valid: [Signal<Out, bool>; 4],
    base_wide: Signal<Local, Bits<10>>,
    ext_wide: Signal<Local, Bits<10>>,
    offset_wide: Signal<Local, Bits<32>>,
    whole: Signal<Local, Bits<10>>,
    home_rows: Lazy<Product<IW, 10>>,
    own_rows: Lazy<Product<IW, 8>>,
    home_row: Signal<Local, Bits<32>>,
    own_row: Signal<Local, Bits<32>>,
    upper_row: Signal<Local, Bits<32>>,
    above: [Signal<Local, Bits<8>>; 4],
    is_base: [Signal<Local, bool>; 4],
    within_wide: [Signal<Local, Bits<32>>; 4],
    row: [Signal<Local, Bits<32>>; 4],
    sum: [Signal<Local, Bits<32>>; 4],
    there: [Signal<Local, bool>; 4],
    pack: [Signal<Local, Bits<PW>>; 4],
    bit10: [Constant<Bits<10>>; 8],
    bit32: [Constant<Bits<32>>; 16],
    pack_bit: [Constant<Bits<PW>>; PW],
    packs: Constant<Bits<32>>,
    zero10: Constant<Bits<10>>,
    zero32: Constant<Bits<32>>,
    zero_pack: Constant<Bits<PW>>,
}

impl<const IW: usize, const PACKS: usize, const PW: usize> Default for Mapper<IW, PACKS, PW> {
    fn default() -> Self {
        const { assert!(PACKS == 1 << PW && PW >= 8 && PW <= 16 && IW <= 6) };
        Self {
            warp: Signal::default(),
            home: Signal::default(),
            upper: Signal::default(),
            base_regs: Signal::default(),
            ext_regs: Signal::default(),
            upper_offset: Signal::default(),
            goes: Signal::default(),
            x: array::from_fn(|_| Signal::default()),
            named: array::from_fn(|_| Signal::default()),
            y: array::from_fn(|_| Signal::default()),
            valid: array::from_fn(|_| Signal::default()),
            base_wide: Signal::default(),
            ext_wide: Signal::default(),
            offset_wide: Signal::default(),
            whole: Signal::default(),
            home_rows: Lazy::default(),
            own_rows: Lazy::default(),
            home_row: Signal::default(),
            own_row: Signal::default(),
            upper_row: Signal::default(),
            above: array::from_fn(|_| Signal::default()),
            is_base: array::from_fn(|_| Signal::default()),
            within_wide: array::from_fn(|_| Signal::default()),
            row: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            there: array::from_fn(|_| Signal::default()),
            pack: array::from_fn(|_| Signal::default()),
            bit10: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit32: array::from_fn(|i| Constant::new((1u64 << i).into())),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            packs: Constant::new((PACKS as u64).into()),
            zero10: Constant::new(0u64.into()),
            zero32: Constant::new(0u64.into()),
            zero_pack: Constant::new(0u64.into()),
        }
    }
}

impl<const IW: usize, const PACKS: usize, const PW: usize> Logic for Mapper<IW, PACKS, PW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.base_wide.next = self.zero10.val();
        self.ext_wide.next = self.zero10.val();
        for i in 0..8 {
            if self.base_regs.val().get_bit(i) {
                self.base_wide.next = self.base_wide.val() | self.bit10[i].val();
            }
            if self.ext_regs.val().get_bit(i) {
                self.ext_wide.next = self.ext_wide.val() | self.bit10[i].val();
            }
        }
        self.offset_wide.next = self.zero32.val();
        for i in 0..PW {
            if self.upper_offset.val().get_bit(i) {
                self.offset_wide.next = self.offset_wide.val() | self.bit32[i].val();
            }
        }
        self.whole.next = self.base_wide.val() + self.ext_wide.val();
        self.home_rows.a.next = self.home.val();
        self.home_rows.b.next = self.whole.val();
        self.own_rows.a.next = self.warp.val();
        self.own_rows.b.next = self.base_regs.val();
        self.home_row.next = self.zero32.val();
        self.own_row.next = self.zero32.val();
        for i in 0..16 {
            if self.home_rows.product.val().get_bit(i) {
                self.home_row.next = self.home_row.val() | self.bit32[i].val();
            }
            if self.own_rows.product.val().get_bit(i) {
                self.own_row.next = self.own_row.val() | self.bit32[i].val();
            }
        }
        self.upper_row.next = self.own_row.val() + self.offset_wide.val();
        for k in 0..4 {
            self.above[k].next = self.x[k].val() - self.base_regs.val();
            self.is_base[k].next = self.x[k].val() < self.base_regs.val();
            self.row[k].next = self.home_row.val();
            if self.upper.val() & self.is_base[k].val() {
                self.row[k].next = self.upper_row.val();
            }
            self.within_wide[k].next = self.zero32.val();
            for i in 0..8 {
                if self.x[k].val().get_bit(i) {
                    self.within_wide[k].next = self.within_wide[k].val() | self.bit32[i].val();
                }
            }
            self.sum[k].next = self.row[k].val() + self.within_wide[k].val();
            self.there[k].next = ((self.goes.val() & self.named[k].val())
                & (self.is_base[k].val() | (self.above[k].val() < self.ext_regs.val())))
                & (self.sum[k].val() < self.packs.val());
            self.pack[k].next = self.zero_pack.val();
            if self.there[k].val() {
                for i in 0..PW {
                    if self.sum[k].val().get_bit(i) {
                        self.pack[k].next = self.pack[k].val() | self.pack_bit[i].val();
                    }
                }
            }
            self.y[k].next = self.pack[k].val();
            self.valid[k].next = self.there[k].val();
        }
    }
}
