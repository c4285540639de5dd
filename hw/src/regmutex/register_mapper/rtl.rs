//! One row address per warp, then an adder and a range check per look-up.
//!
//! Narrow buses are widened wire by wire (`bit16`), so that the Verilog has equal widths everywhere.

use super::{RegisterMapperIn, RegisterMapperOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, read_bits};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::product::Product;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Hardware of the RegMutex mapping (III-B2, Figure 6b). `IW` is ceil(log2 `NW`), `PW` is log2 `PACKS`. Combinational; the ports are
/// documented at [`RegisterMapperIn`] and [`RegisterMapperOut`].
#[derive(LogicBlock, Inputs)]
pub struct RegisterMapper<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    /// The warp that issues.
    pub widx: Signal<In, Bits<IW>>,
    /// `|Bs|`, 0 ..= 255.
    pub base_regs: Signal<In, Bits<8>>,
    /// `|Es|`, 0 ..= 255.
    pub ext_regs: Signal<In, Bits<8>>,
    /// The section that the warp holds; read only while `section_valid` is high.
    pub section: Signal<In, Bits<IW>>,
    /// The warp holds a section: its extended registers exist.
    pub section_valid: Signal<In, bool>,
    /// First pack of the shared register pool.
    pub srp_offset: Signal<In, Bits<PW>>,
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
    base_rows: Lazy<Product<IW, 8>>,
    ext_rows: Lazy<Product<IW, 8>>,
    base_wide: Signal<Local, Bits<16>>,
    offset_wide: Signal<Local, Bits<16>>,
    base_row: Signal<Local, Bits<16>>,
    ext_product: Signal<Local, Bits<16>>,
    ext_origin: Signal<Local, Bits<16>>,
    origin_differs: Signal<Local, Bits<16>>,
    borrow: Signal<Local, bool>,
    ext_row: Signal<Local, Bits<16>>,
    ext_passes: Signal<Local, Bits<16>>,
    ext_carry: Signal<Local, bool>,
    all_passes: Signal<Local, Bits<8>>,
    all_carry: Signal<Local, bool>,
    all_low: Signal<Local, Bits<8>>,
    base_fits: Signal<Local, bool>,
    ext_fits: Signal<Local, bool>,
    ext_is_below: Signal<Local, bool>,
    base_low: Signal<Local, Bits<PW>>,
    ext_low: Signal<Local, Bits<PW>>,
    x: [Signal<Local, Bits<8>>; 4],
    asked: [Signal<Local, bool>; 4],
    is_base: [Signal<Local, bool>; 4],
    is_ext: [Signal<Local, bool>; 4],
    within: [Signal<Local, Bits<PW>>; 4],
    row: [Signal<Local, Bits<PW>>; 4],
    base_differs: [Signal<Local, Bits<8>>; 4],
    all_differs: [Signal<Local, Bits<8>>; 4],
    passes: [Signal<Local, Bits<PW>>; 4],
    sum: [Signal<Local, Bits<PW>>; 4],
    carry: [Signal<Local, bool>; 4],
    fits: [Signal<Local, bool>; 4],
    valid: [Signal<Local, bool>; 4],
    y: [Signal<Local, Bits<PW>>; 4],
    bit16: [Constant<Bits<16>>; 16],
    bit8: [Constant<Bits<8>>; 8],
    pack_bit: [Constant<Bits<PW>>; PW],
    outside: Constant<Bits<16>>,
    zero8: Constant<Bits<8>>,
    zero16: Constant<Bits<16>>,
    zero_pack: Constant<Bits<PW>>,
}

/// 48 warps, 512 packs.
pub type RegisterMapper48x512 = RegisterMapper<48, 6, 512, 9>;
/// 48 warps, 1024 packs.
pub type RegisterMapper48x1024 = RegisterMapper<48, 6, 1024, 10>;
/// 48 warps, 2048 packs.
pub type RegisterMapper48x2048 = RegisterMapper<48, 6, 2048, 11>;
/// 64 warps, 512 packs.
pub type RegisterMapper64x512 = RegisterMapper<64, 6, 512, 9>;
/// 64 warps, 1024 packs.
pub type RegisterMapper64x1024 = RegisterMapper<64, 6, 1024, 10>;
/// 64 warps, 2048 packs.
pub type RegisterMapper64x2048 = RegisterMapper<64, 6, 2048, 11>;
/// 8 warps, 512 packs.
pub type RegisterMapper8x512 = RegisterMapper<8, 3, 512, 9>;

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize>
    RegisterMapper<NW, IW, PACKS, PW>
{
    /// The mapping for `NW` warps and `PACKS` packs.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && PACKS == 1 << PW && PW >= 8 && PW <= 11) };
        Self {
            widx: Signal::default(),
            base_regs: Signal::default(),
            ext_regs: Signal::default(),
            section: Signal::default(),
            section_valid: Signal::default(),
            srp_offset: Signal::default(),
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
            base_rows: Lazy::default(),
            ext_rows: Lazy::default(),
            base_wide: Signal::default(),
            offset_wide: Signal::default(),
            base_row: Signal::default(),
            ext_product: Signal::default(),
            ext_origin: Signal::default(),
            origin_differs: Signal::default(),
            borrow: Signal::default(),
            ext_row: Signal::default(),
            ext_passes: Signal::default(),
            ext_carry: Signal::default(),
            all_passes: Signal::default(),
            all_carry: Signal::default(),
            all_low: Signal::default(),
            base_fits: Signal::default(),
            ext_fits: Signal::default(),
            ext_is_below: Signal::default(),
            base_low: Signal::default(),
            ext_low: Signal::default(),
            x: array::from_fn(|_| Signal::default()),
            asked: array::from_fn(|_| Signal::default()),
            is_base: array::from_fn(|_| Signal::default()),
            is_ext: array::from_fn(|_| Signal::default()),
            within: array::from_fn(|_| Signal::default()),
            row: array::from_fn(|_| Signal::default()),
            base_differs: array::from_fn(|_| Signal::default()),
            all_differs: array::from_fn(|_| Signal::default()),
            passes: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            carry: array::from_fn(|_| Signal::default()),
            fits: array::from_fn(|_| Signal::default()),
            valid: array::from_fn(|_| Signal::default()),
            y: array::from_fn(|_| Signal::default()),
            bit16: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit8: array::from_fn(|i| Constant::new((1u64 << i).into())),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            outside: Constant::new(((1u64 << 16) - PACKS as u64).into()),
            zero8: Constant::new(0u64.into()),
            zero16: Constant::new(0u64.into()),
            zero_pack: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for RegisterMapper<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Logic
    for RegisterMapper<NW, IW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.base_wide.next = self.zero16.val();
        self.offset_wide.next = self.zero16.val();
        for i in 0..8 {
            if self.base_regs.val().get_bit(i) {
                self.base_wide.next = self.base_wide.val() | self.bit16[i].val();
            }
        }
        for i in 0..PW {
            if self.srp_offset.val().get_bit(i) {
                self.offset_wide.next = self.offset_wide.val() | self.bit16[i].val();
            }
        }
        // Both rows begin where register 0 would lie, so that X is added to either; 63 x 255 + 2047 is less than 2^15. The
        // pool's may begin below pack 0.
        self.base_rows.a.next = self.widx.val();
        self.base_rows.b.next = self.base_regs.val();
        self.base_row.next = self.base_rows.product.val();
        self.ext_rows.a.next = self.section.val();
        self.ext_rows.b.next = self.ext_regs.val();
        self.ext_product.next = self.ext_rows.product.val();
        // Of two bits that differ, the lower number's is the borrow.
        self.origin_differs.next = self.offset_wide.val() ^ self.base_wide.val();
        self.borrow.next = false;
        self.ext_origin.next = self.zero16.val();
        for i in 0..16 {
            if self.origin_differs.val().get_bit(i) ^ self.borrow.val() {
                self.ext_origin.next = self.ext_origin.val() | self.bit16[i].val();
            }
            self.borrow.next = (self.origin_differs.val().get_bit(i)
                & self.base_wide.val().get_bit(i))
                | ((!self.origin_differs.val().get_bit(i)) & self.borrow.val());
        }
        // Where two bits are equal, they are the carry.
        self.ext_passes.next = self.ext_product.val() ^ self.ext_origin.val();
        self.ext_carry.next = false;
        self.ext_row.next = self.zero16.val();
        for i in 0..16 {
            if self.ext_passes.val().get_bit(i) ^ self.ext_carry.val() {
                self.ext_row.next = self.ext_row.val() | self.bit16[i].val();
            }
            self.ext_carry.next = (self.ext_passes.val().get_bit(i) & self.ext_carry.val())
                | ((!self.ext_passes.val().get_bit(i)) & self.ext_origin.val().get_bit(i));
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
        self.base_fits.next = (self.base_row.val() & self.outside.val()) == self.zero16.val();
        self.ext_fits.next = (self.ext_row.val() & self.outside.val()) == self.zero16.val();
        self.ext_is_below.next = (self.ext_row.val() & self.outside.val()) == self.outside.val();
        self.base_low.next = self.base_row.val().get_bits::<PW>(0);
        self.ext_low.next = self.ext_row.val().get_bits::<PW>(0);
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
                (self.is_ext[k].val() | self.all_carry.val()) & self.section_valid.val();
            self.row[k].next = self.ext_low.val();
            if self.is_base[k].val() {
                self.row[k].next = self.base_low.val();
            }
            // A sum is inside if its row begins inside and nothing is carried out of it; or it begins below, and a carry
            // leads inside.
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
            self.fits[k].next = self.is_ext[k].val() & self.ext_fits.val();
            if self.carry[k].val() {
                self.fits[k].next = self.is_ext[k].val() & self.ext_is_below.val();
            }
            if self.is_base[k].val() {
                self.fits[k].next = self.base_fits.val() & (!self.carry[k].val());
            }
            self.valid[k].next = self.asked[k].val() & self.fits[k].val();
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
    block: Box<RegisterMapper<NW, IW, PACKS, PW>>,
    evaluated: Option<(RegisterMapperIn<NW, PACKS>, RegisterMapperOut<NW, PACKS>)>,
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Default
    for Rtl<NW, IW, PACKS, PW>
{
    fn default() -> Self {
        let mut block = Box::new(RegisterMapper::new());
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
    type In = RegisterMapperIn<NW, PACKS>;
    type Out = RegisterMapperOut<NW, PACKS>;

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
        drive_bits(&mut block.section, pins.section.into());
        drive(&mut block.section_valid, pins.section_valid);
        drive_bits(&mut block.srp_offset, pins.srp_offset.into());
        drive_bits(&mut block.x0, pins.x0.into());
        drive(&mut block.x0_valid, pins.x0_valid);
        drive_bits(&mut block.x1, pins.x1.into());
        drive(&mut block.x1_valid, pins.x1_valid);
        drive_bits(&mut block.x2, pins.x2.into());
        drive(&mut block.x2_valid, pins.x2_valid);
        drive_bits(&mut block.x3, pins.x3.into());
        drive(&mut block.x3_valid, pins.x3_valid);
        // Only the products lie between inputs and outputs; all else is assigned before it is read.
        drive_bits(&mut block.base_rows.a, pins.widx.into());
        drive_bits(&mut block.base_rows.b, pins.base_regs.into());
        block.base_rows.update();
        drive_bits(&mut block.ext_rows.a, pins.section.into());
        drive_bits(&mut block.ext_rows.b, pins.ext_regs.into());
        block.ext_rows.update();
        block.update();
        let out = RegisterMapperOut {
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
