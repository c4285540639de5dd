//! One row address per warp, then an adder and a range check per look-up.
//!
//! Narrow buses are widened wire by wire (`bit10`, `bit16`), so that the Verilog has equal widths everywhere.

use super::{PairedMapperIn, PairedMapperOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, read_bits};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::product::Product;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Hardware of the mapping of paired warps (III-C). `IW` is ceil(log2 `NW`), `PW` is log2 `PACKS`. Combinational; the ports are
/// documented at [`PairedMapperIn`] and [`PairedMapperOut`].
#[derive(LogicBlock, Inputs)]
pub struct PairedMapper<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    /// The warp that issues; warps 2p and 2p + 1 are a pair.
    pub widx: Signal<In, Bits<IW>>,
    /// `|Bs|`, 0 ..= 255.
    pub base_regs: Signal<In, Bits<8>>,
    /// `|Es|`, 0 ..= 255.
    pub ext_regs: Signal<In, Bits<8>>,
    /// The warp holds the pair's extended set.
    pub ext_held: Signal<In, bool>,
    /// Architected register of look-up 0.
    pub x0: Signal<In, Bits<8>>,
    /// Look-up 0 is wanted.
    pub x0_valid: Signal<In, bool>,
    /// Architected register of look-up 1.
    pub x1: Signal<In, Bits<8>>,
    /// Look-up 1 is wanted.
    pub x1_valid: Signal<In, bool>,
    /// Architected register of look-up 2.
    pub x2: Signal<In, Bits<8>>,
    /// Look-up 2 is wanted.
    pub x2_valid: Signal<In, bool>,
    /// Architected register of look-up 3.
    pub x3: Signal<In, Bits<8>>,
    /// Look-up 3 is wanted.
    pub x3_valid: Signal<In, bool>,
    /// Physical register of look-up 0.
    pub y0: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y0_valid: Signal<Out, bool>,
    /// Physical register of look-up 1.
    pub y1: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y1_valid: Signal<Out, bool>,
    /// Physical register of look-up 2.
    pub y2: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y2_valid: Signal<Out, bool>,
    /// Physical register of look-up 3.
    pub y3: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y3_valid: Signal<Out, bool>,
    odd: Signal<Local, bool>,
    pair: Signal<Local, Bits<IW>>,
    twice_base: Signal<Local, Bits<10>>,
    ext_wide10: Signal<Local, Bits<10>>,
    rows: Lazy<Product<IW, 10>>,
    base_wide: Signal<Local, Bits<16>>,
    all_passes: Signal<Local, Bits<8>>,
    all_carry: Signal<Local, bool>,
    all_low: Signal<Local, Bits<8>>,
    stride_passes: Signal<Local, Bits<10>>,
    stride_carry: Signal<Local, bool>,
    stride: Signal<Local, Bits<10>>,
    pair_row: Signal<Local, Bits<16>>,
    odd_passes: Signal<Local, Bits<16>>,
    odd_carry: Signal<Local, bool>,
    odd_row: Signal<Local, Bits<16>>,
    even_fits: Signal<Local, bool>,
    odd_fits: Signal<Local, bool>,
    even_low: Signal<Local, Bits<PW>>,
    odd_low: Signal<Local, Bits<PW>>,
    x: [Signal<Local, Bits<8>>; 4],
    asked: [Signal<Local, bool>; 4],
    is_base: [Signal<Local, bool>; 4],
    is_ext: [Signal<Local, bool>; 4],
    within: [Signal<Local, Bits<PW>>; 4],
    row: [Signal<Local, Bits<PW>>; 4],
    row_fits: [Signal<Local, bool>; 4],
    base_differs: [Signal<Local, Bits<8>>; 4],
    all_differs: [Signal<Local, Bits<8>>; 4],
    passes: [Signal<Local, Bits<PW>>; 4],
    carry: [Signal<Local, bool>; 4],
    sum: [Signal<Local, Bits<PW>>; 4],
    valid: [Signal<Local, bool>; 4],
    y: [Signal<Local, Bits<PW>>; 4],
    bit16: [Constant<Bits<16>>; 16],
    bit10: [Constant<Bits<10>>; 10],
    bit8: [Constant<Bits<8>>; 8],
    pack_bit: [Constant<Bits<PW>>; PW],
    outside: Constant<Bits<16>>,
    zero8: Constant<Bits<8>>,
    zero10: Constant<Bits<10>>,
    zero16: Constant<Bits<16>>,
    zero_pack: Constant<Bits<PW>>,
}

/// 48 warps, 512 packs.
pub type PairedMapper48x512 = PairedMapper<48, 6, 512, 9>;
/// 48 warps, 1024 packs.
pub type PairedMapper48x1024 = PairedMapper<48, 6, 1024, 10>;
/// 48 warps, 2048 packs.
pub type PairedMapper48x2048 = PairedMapper<48, 6, 2048, 11>;
/// 64 warps, 512 packs.
pub type PairedMapper64x512 = PairedMapper<64, 6, 512, 9>;
/// 64 warps, 1024 packs.
pub type PairedMapper64x1024 = PairedMapper<64, 6, 1024, 10>;
/// 64 warps, 2048 packs.
pub type PairedMapper64x2048 = PairedMapper<64, 6, 2048, 11>;
/// 8 warps, 512 packs.
pub type PairedMapper8x512 = PairedMapper<8, 3, 512, 9>;

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize>
    PairedMapper<NW, IW, PACKS, PW>
{
    /// The mapping for `NW` warps and `PACKS` packs.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && PACKS == 1 << PW && PW >= 8 && PW <= 11) };
        Self {
            widx: Signal::default(),
            base_regs: Signal::default(),
            ext_regs: Signal::default(),
            ext_held: Signal::default(),
            x0: Signal::default(),
            x0_valid: Signal::default(),
            x1: Signal::default(),
            x1_valid: Signal::default(),
            x2: Signal::default(),
            x2_valid: Signal::default(),
            x3: Signal::default(),
            x3_valid: Signal::default(),
            y0: Signal::default(),
            y0_valid: Signal::default(),
            y1: Signal::default(),
            y1_valid: Signal::default(),
            y2: Signal::default(),
            y2_valid: Signal::default(),
            y3: Signal::default(),
            y3_valid: Signal::default(),
            odd: Signal::default(),
            pair: Signal::default(),
            twice_base: Signal::default(),
            ext_wide10: Signal::default(),
            rows: Lazy::new(Product::of_bits(IW - 1)),
            base_wide: Signal::default(),
            all_passes: Signal::default(),
            all_carry: Signal::default(),
            all_low: Signal::default(),
            stride_passes: Signal::default(),
            stride_carry: Signal::default(),
            stride: Signal::default(),
            pair_row: Signal::default(),
            odd_passes: Signal::default(),
            odd_carry: Signal::default(),
            odd_row: Signal::default(),
            even_fits: Signal::default(),
            odd_fits: Signal::default(),
            even_low: Signal::default(),
            odd_low: Signal::default(),
            x: array::from_fn(|_| Signal::default()),
            asked: array::from_fn(|_| Signal::default()),
            is_base: array::from_fn(|_| Signal::default()),
            is_ext: array::from_fn(|_| Signal::default()),
            within: array::from_fn(|_| Signal::default()),
            row: array::from_fn(|_| Signal::default()),
            row_fits: array::from_fn(|_| Signal::default()),
            base_differs: array::from_fn(|_| Signal::default()),
            all_differs: array::from_fn(|_| Signal::default()),
            passes: array::from_fn(|_| Signal::default()),
            carry: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            valid: array::from_fn(|_| Signal::default()),
            y: array::from_fn(|_| Signal::default()),
            bit16: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit10: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit8: array::from_fn(|i| Constant::new((1u64 << i).into())),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            outside: Constant::new(((1u64 << 16) - PACKS as u64).into()),
            zero8: Constant::new(0u64.into()),
            zero10: Constant::new(0u64.into()),
            zero16: Constant::new(0u64.into()),
            zero_pack: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for PairedMapper<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Logic
    for PairedMapper<NW, IW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.twice_base.next = self.zero10.val();
        self.ext_wide10.next = self.zero10.val();
        self.base_wide.next = self.zero16.val();
        self.odd.next = self.widx.val().get_bit(0);
        self.pair.next = self.widx.val() >> 1;
        for i in 0..8 {
            if self.base_regs.val().get_bit(i) {
                self.twice_base.next = self.twice_base.val() | self.bit10[i + 1].val();
                self.base_wide.next = self.base_wide.val() | self.bit16[i].val();
            }
            if self.ext_regs.val().get_bit(i) {
                self.ext_wide10.next = self.ext_wide10.val() | self.bit10[i].val();
            }
        }
        // Where two bits are equal, they are the carry.
        self.stride_passes.next = self.twice_base.val() ^ self.ext_wide10.val();
        self.stride_carry.next = false;
        self.stride.next = self.zero10.val();
        for i in 0..10 {
            if self.stride_passes.val().get_bit(i) ^ self.stride_carry.val() {
                self.stride.next = self.stride.val() | self.bit10[i].val();
            }
            self.stride_carry.next = (self.stride_passes.val().get_bit(i)
                & self.stride_carry.val())
                | ((!self.stride_passes.val().get_bit(i)) & self.twice_base.val().get_bit(i));
        }
        self.rows.a.next = self.pair.val();
        self.rows.b.next = self.stride.val();
        self.pair_row.next = self.rows.product.val();
        // 31 pairs of 765 registers, and 255 more, are less than 2^16.
        self.odd_passes.next = self.pair_row.val() ^ self.base_wide.val();
        self.odd_carry.next = false;
        self.odd_row.next = self.zero16.val();
        for i in 0..16 {
            if self.odd_passes.val().get_bit(i) ^ self.odd_carry.val() {
                self.odd_row.next = self.odd_row.val() | self.bit16[i].val();
            }
            self.odd_carry.next = (self.odd_passes.val().get_bit(i) & self.odd_carry.val())
                | ((!self.odd_passes.val().get_bit(i)) & self.base_wide.val().get_bit(i));
        }
        self.all_passes.next = self.base_regs.val() ^ self.ext_regs.val();
        self.all_carry.next = false;
        self.all_low.next = self.zero8.val();
        for i in 0..8 {
            if self.all_passes.val().get_bit(i) ^ self.all_carry.val() {
                self.all_low.next = self.all_low.val() | self.bit8[i].val();
            }
            self.all_carry.next = (self.all_passes.val().get_bit(i) & self.all_carry.val())
                | ((!self.all_passes.val().get_bit(i)) & self.base_regs.val().get_bit(i));
        }
        self.even_fits.next = (self.pair_row.val() & self.outside.val()) == self.zero16.val();
        self.odd_fits.next = (self.odd_row.val() & self.outside.val()) == self.zero16.val();
        self.even_low.next = self.pair_row.val().get_bits::<PW>(0);
        self.odd_low.next = self.odd_row.val().get_bits::<PW>(0);
        self.x[0].next = self.x0.val();
        self.asked[0].next = self.x0_valid.val();
        self.x[1].next = self.x1.val();
        self.asked[1].next = self.x1_valid.val();
        self.x[2].next = self.x2.val();
        self.asked[2].next = self.x2_valid.val();
        self.x[3].next = self.x3.val();
        self.asked[3].next = self.x3_valid.val();
        for k in 0..4 {
            self.within[k].next = self.zero_pack.val();
            for i in 0..8 {
                if self.x[k].val().get_bit(i) {
                    self.within[k].next = self.within[k].val() | self.pack_bit[i].val();
                }
            }
            // The extended set lies behind both base sets: 2|Bs| + (X - |Bs|) = |Bs| + X, the row of the odd warp.
            // Of the places where two numbers differ, the uppermost decides which is less.
            self.base_differs[k].next = self.x[k].val() ^ self.base_regs.val();
            self.all_differs[k].next = self.x[k].val() ^ self.all_low.val();
            self.is_base[k].next = false;
            self.is_ext[k].next = false;
            for i in 0..8 {
                self.is_base[k].next = (self.base_differs[k].val().get_bit(i)
                    & self.base_regs.val().get_bit(i))
                    | ((!self.base_differs[k].val().get_bit(i)) & self.is_base[k].val());
                self.is_ext[k].next = (self.all_differs[k].val().get_bit(i)
                    & self.all_low.val().get_bit(i))
                    | ((!self.all_differs[k].val().get_bit(i)) & self.is_ext[k].val());
            }
            self.is_ext[k].next =
                (self.is_ext[k].val() | self.all_carry.val()) & self.ext_held.val();
            self.row[k].next = self.even_low.val();
            self.row_fits[k].next = self.even_fits.val();
            if self.odd.val() | (!self.is_base[k].val()) {
                self.row[k].next = self.odd_low.val();
                self.row_fits[k].next = self.odd_fits.val();
            }
            // A sum is inside if its row begins inside and nothing is carried out of it.
            self.passes[k].next = self.row[k].val() ^ self.within[k].val();
            self.carry[k].next = false;
            self.sum[k].next = self.zero_pack.val();
            for i in 0..PW {
                if self.passes[k].val().get_bit(i) ^ self.carry[k].val() {
                    self.sum[k].next = self.sum[k].val() | self.pack_bit[i].val();
                }
                self.carry[k].next = (self.passes[k].val().get_bit(i) & self.carry[k].val())
                    | ((!self.passes[k].val().get_bit(i)) & self.row[k].val().get_bit(i));
            }
            self.valid[k].next = (self.asked[k].val()
                & (self.is_base[k].val() | self.is_ext[k].val()))
                & (self.row_fits[k].val() & (!self.carry[k].val()));
            self.y[k].next = self.zero_pack.val();
            if self.valid[k].val() {
                self.y[k].next = self.sum[k].val();
            }
        }
        self.y0.next = self.y[0].val();
        self.y0_valid.next = self.valid[0].val();
        self.y1.next = self.y[1].val();
        self.y1_valid.next = self.valid[1].val();
        self.y2.next = self.y[2].val();
        self.y2_valid.next = self.valid[2].val();
        self.y3.next = self.y[3].val();
        self.y3_valid.next = self.valid[3].val();
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    block: Box<PairedMapper<NW, IW, PACKS, PW>>,
    evaluated: Option<(PairedMapperIn<NW, PACKS>, PairedMapperOut<NW, PACKS>)>,
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for Rtl<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        let mut block = Box::new(PairedMapper::new());
        block.connect_all();
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Clocked
    for Rtl<NW, IW, PACKS, PW>
{
    type In = PairedMapperIn<NW, PACKS>;
    type Out = PairedMapperOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        // A combinational block with the same inputs has the same outputs.
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive_bits(&mut block.widx, pins.widx.into());
        drive_bits(&mut block.base_regs, pins.base_regs.into());
        drive_bits(&mut block.ext_regs, pins.ext_regs.into());
        drive(&mut block.ext_held, pins.ext_held);
        drive_bits(&mut block.x0, pins.x0.into());
        drive(&mut block.x0_valid, pins.x0_valid);
        drive_bits(&mut block.x1, pins.x1.into());
        drive(&mut block.x1_valid, pins.x1_valid);
        drive_bits(&mut block.x2, pins.x2.into());
        drive(&mut block.x2_valid, pins.x2_valid);
        drive_bits(&mut block.x3, pins.x3.into());
        drive(&mut block.x3_valid, pins.x3_valid);
        // Only the product lies between inputs and outputs; all else is assigned before it is read.
        block.update();
        block.rows.evaluate();
        block.update();
        let out = PairedMapperOut {
            y0: read_bits(&block.y0) as u16,
            y0_valid: block.y0_valid.val(),
            y1: read_bits(&block.y1) as u16,
            y1_valid: block.y1_valid.val(),
            y2: read_bits(&block.y2) as u16,
            y2_valid: block.y2_valid.val(),
            y3: read_bits(&block.y3) as u16,
            y3_valid: block.y3_valid.val(),
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
