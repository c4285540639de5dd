//! One row address per warp, then an adder and a range check per look-up.
//!
//! Narrow buses are widened wire by wire (`bit16`), so that the Verilog has equal widths everywhere.

use super::{RegMapIn, RegMapOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, read_bits};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::product::Product;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Hardware of the baseline mapping (III-B2, Figure 6a). `IW` is ceil(log2 `NW`), `PW` is log2 `PACKS`. Combinational; the ports are
/// documented at [`RegMapIn`] and [`RegMapOut`].
#[derive(LogicBlock, Inputs)]
pub struct RegMap<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    /// The warp that issues.
    pub widx: Signal<In, Bits<IW>>,
    /// Architected registers per warp, 0 ..= 255.
    pub coeff: Signal<In, Bits<8>>,
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
    rows: Lazy<Product<IW, 8>>,
    row: Signal<Local, Bits<16>>,
    x: [Signal<Local, Bits<8>>; 4],
    asked: [Signal<Local, bool>; 4],
    row_fits: Signal<Local, bool>,
    row_low: Signal<Local, Bits<PW>>,
    within: [Signal<Local, Bits<PW>>; 4],
    passes: [Signal<Local, Bits<PW>>; 4],
    carry: [Signal<Local, bool>; 4],
    sum: [Signal<Local, Bits<PW>>; 4],
    differs: [Signal<Local, Bits<8>>; 4],
    exists: [Signal<Local, bool>; 4],
    valid: [Signal<Local, bool>; 4],
    y: [Signal<Local, Bits<PW>>; 4],
    pack_bit: [Constant<Bits<PW>>; PW],
    outside: Constant<Bits<16>>,
    zero16: Constant<Bits<16>>,
    zero_pack: Constant<Bits<PW>>,
}

/// 48 warps, 512 packs.
pub type RegMap48x512 = RegMap<48, 6, 512, 9>;
/// 48 warps, 1024 packs.
pub type RegMap48x1024 = RegMap<48, 6, 1024, 10>;
/// 48 warps, 2048 packs.
pub type RegMap48x2048 = RegMap<48, 6, 2048, 11>;
/// 64 warps, 512 packs.
pub type RegMap64x512 = RegMap<64, 6, 512, 9>;
/// 64 warps, 1024 packs.
pub type RegMap64x1024 = RegMap<64, 6, 1024, 10>;
/// 64 warps, 2048 packs.
pub type RegMap64x2048 = RegMap<64, 6, 2048, 11>;
/// 64 warps, 4096 packs: the doubled register file of `v100`.
pub type RegMap64x4096 = RegMap<64, 6, 4096, 12>;
/// 64 warps, 16,384 packs: all registers that 64 warps can have.
pub type RegMap64x16384 = RegMap<64, 6, 16384, 14>;
/// 16 warps, 512 packs.
pub type RegMap16x512 = RegMap<16, 4, 512, 9>;
/// 8 warps, 512 packs.
pub type RegMap8x512 = RegMap<8, 3, 512, 9>;

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize>
    RegMap<NW, IW, PACKS, PW>
{
    /// The mapping for `NW` warps and `PACKS` packs.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && PACKS == 1 << PW && PW >= 8 && PW <= 14) };
        Self {
            widx: Signal::default(),
            coeff: Signal::default(),
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
            rows: Lazy::default(),
            row: Signal::default(),
            x: array::from_fn(|_| Signal::default()),
            asked: array::from_fn(|_| Signal::default()),
            row_fits: Signal::default(),
            row_low: Signal::default(),
            within: array::from_fn(|_| Signal::default()),
            passes: array::from_fn(|_| Signal::default()),
            carry: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            differs: array::from_fn(|_| Signal::default()),
            exists: array::from_fn(|_| Signal::default()),
            valid: array::from_fn(|_| Signal::default()),
            y: array::from_fn(|_| Signal::default()),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            outside: Constant::new(((1u64 << 16) - PACKS as u64).into()),
            zero16: Constant::new(0u64.into()),
            zero_pack: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for RegMap<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Logic
    for RegMap<NW, IW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.rows.a.next = self.widx.val();
        self.rows.b.next = self.coeff.val();
        self.row.next = self.rows.product.val();
        // A sum is inside if the row begins inside and nothing is carried out of it.
        self.row_fits.next = (self.row.val() & self.outside.val()) == self.zero16.val();
        self.row_low.next = self.row.val().get_bits::<PW>(0);
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
            // Where two bits are equal, they are the carry; where they are not, the upper one decides what is below.
            self.passes[k].next = self.row_low.val() ^ self.within[k].val();
            self.carry[k].next = false;
            self.sum[k].next = self.zero_pack.val();
            for i in 0..PW {
                if self.passes[k].val().get_bit(i) ^ self.carry[k].val() {
                    self.sum[k].next = self.sum[k].val() | self.pack_bit[i].val();
                }
                self.carry[k].next = (self.passes[k].val().get_bit(i) & self.carry[k].val())
                    | ((!self.passes[k].val().get_bit(i)) & self.row_low.val().get_bit(i));
            }
            self.differs[k].next = self.x[k].val() ^ self.coeff.val();
            self.exists[k].next = false;
            for i in 0..8 {
                self.exists[k].next = (self.differs[k].val().get_bit(i)
                    & self.coeff.val().get_bit(i))
                    | ((!self.differs[k].val().get_bit(i)) & self.exists[k].val());
            }
            self.valid[k].next = (self.asked[k].val() & self.exists[k].val())
                & (self.row_fits.val() & (!self.carry[k].val()));
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
    block: Box<RegMap<NW, IW, PACKS, PW>>,
    evaluated: Option<(RegMapIn<NW, PACKS>, RegMapOut<NW, PACKS>)>,
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for Rtl<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        let mut block = Box::new(RegMap::new());
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
    type In = RegMapIn<NW, PACKS>;
    type Out = RegMapOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        // A combinational block with the same inputs has the same outputs.
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive_bits(&mut block.widx, pins.widx.into());
        drive_bits(&mut block.coeff, pins.coeff.into());
        drive_bits(&mut block.x0, pins.x0.into());
        drive(&mut block.x0_valid, pins.x0_valid);
        drive_bits(&mut block.x1, pins.x1.into());
        drive(&mut block.x1_valid, pins.x1_valid);
        drive_bits(&mut block.x2, pins.x2.into());
        drive(&mut block.x2_valid, pins.x2_valid);
        drive_bits(&mut block.x3, pins.x3.into());
        drive(&mut block.x3_valid, pins.x3_valid);
        // Only the product lies between inputs and outputs; all else is assigned before it is read.
        drive_bits(&mut block.rows.a, pins.widx.into());
        drive_bits(&mut block.rows.b, pins.coeff.into());
        block.rows.update();
        block.update();
        let out = RegMapOut {
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
