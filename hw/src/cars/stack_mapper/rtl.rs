//! What does not depend on the register is found once: how many registers the frame has, from the how manieth on it goes on
//! at the beginning of the stack, and what R0 would be counted from. A look-up compares and adds once.
//!
//! Narrow buses are widened wire by wire (`pack_bit`), so that the Verilog has equal widths everywhere.

use super::frame::Frame;
use super::{FIRST_CALLEE_SAVED, StackMapperIn, StackMapperOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The renaming rule of CARS (III-A), four look-ups. `PW` is log2 `PACKS`, `CW` is ceil(log2 (`STACK` + 1)).
/// Combinational; the ports are documented at [`StackMapperIn`] and [`StackMapperOut`].
#[derive(LogicBlock, Inputs)]
pub struct StackMapper<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> {
    /// The warp has a stack.
    pub launched: Signal<In, bool>,
    /// Frame pointer.
    pub rfp: Signal<In, Bits<PW>>,
    /// Stack pointer.
    pub rsp: Signal<In, Bits<PW>>,
    /// First base pack.
    pub base: Signal<In, Bits<PW>>,
    /// First pack of the stack.
    pub first: Signal<In, Bits<PW>>,
    /// Packs of the stack.
    pub capacity: Signal<In, Bits<CW>>,
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
    /// Pack below the frame.
    pub link_pack: Signal<Out, Bits<PW>>,
    /// Pack of look-up 0.
    pub y0: Signal<Out, Bits<PW>>,
    /// Look-up 0 has one.
    pub y0_valid: Signal<Out, bool>,
    /// Pack of look-up 1.
    pub y1: Signal<Out, Bits<PW>>,
    /// Look-up 1 has one.
    pub y1_valid: Signal<Out, bool>,
    /// Pack of look-up 2.
    pub y2: Signal<Out, Bits<PW>>,
    /// Look-up 2 has one.
    pub y2_valid: Signal<Out, bool>,
    /// Pack of look-up 3.
    pub y3: Signal<Out, Bits<PW>>,
    /// Look-up 3 has one.
    pub y3_valid: Signal<Out, bool>,
    frame: Lazy<Frame<PW, CW>>,
    x: [Signal<Local, Bits<8>>; 4],
    asked: [Signal<Local, bool>; 4],
    x_wide: [Signal<Local, Bits<PW>>; 4],
    above_differs: [Signal<Local, Bits<8>>; 4],
    above_borrow: [Signal<Local, bool>; 4],
    above: [Signal<Local, Bits<8>>; 4],
    pushed_apart: [Signal<Local, Bits<8>>; 4],
    room_apart: [Signal<Local, Bits<8>>; 4],
    is_pushed: [Signal<Local, bool>; 4],
    is_straight: [Signal<Local, bool>; 4],
    base_apart: [Signal<Local, Bits<PW>>; 4],
    is_base: [Signal<Local, bool>; 4],
    renamed: [Signal<Local, bool>; 4],
    origin: [Signal<Local, Bits<PW>>; 4],
    passes: [Signal<Local, Bits<PW>>; 4],
    carry: [Signal<Local, bool>; 4],
    sum: [Signal<Local, Bits<PW>>; 4],
    valid: [Signal<Local, bool>; 4],
    y: [Signal<Local, Bits<PW>>; 4],
    pack_bit: [Constant<Bits<PW>>; PW],
    bit8: [Constant<Bits<8>>; 8],
    zero: Constant<Bits<PW>>,
    zero8: Constant<Bits<8>>,
    first_saved: Constant<Bits<8>>,
}

/// 1024 packs, stacks of up to 63.
pub type StackMapper1024 = StackMapper<1024, 10, 63, 6>;
/// 2048 packs (`v100`), stacks of up to 63.
pub type StackMapper2048 = StackMapper<2048, 11, 63, 6>;
/// 256 packs, stacks of up to 7.
pub type StackMapper256 = StackMapper<256, 8, 7, 3>;

impl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize>
    StackMapper<PACKS, PW, STACK, CW>
{
    /// The mapper for `PACKS` packs and stacks of up to `STACK` packs.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(PACKS == 1 << PW && PW >= 8 && STACK < 1 << CW && CW < 8) };
        Self {
            launched: Signal::default(),
            rfp: Signal::default(),
            rsp: Signal::default(),
            base: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            x0: Signal::default(),
            x0_valid: Signal::default(),
            x1: Signal::default(),
            x1_valid: Signal::default(),
            x2: Signal::default(),
            x2_valid: Signal::default(),
            x3: Signal::default(),
            x3_valid: Signal::default(),
            link_pack: Signal::default(),
            y0: Signal::default(),
            y0_valid: Signal::default(),
            y1: Signal::default(),
            y1_valid: Signal::default(),
            y2: Signal::default(),
            y2_valid: Signal::default(),
            y3: Signal::default(),
            y3_valid: Signal::default(),
            frame: Lazy::default(),
            x: array::from_fn(|_| Signal::default()),
            asked: array::from_fn(|_| Signal::default()),
            x_wide: array::from_fn(|_| Signal::default()),
            above_differs: array::from_fn(|_| Signal::default()),
            above_borrow: array::from_fn(|_| Signal::default()),
            above: array::from_fn(|_| Signal::default()),
            pushed_apart: array::from_fn(|_| Signal::default()),
            room_apart: array::from_fn(|_| Signal::default()),
            is_pushed: array::from_fn(|_| Signal::default()),
            is_straight: array::from_fn(|_| Signal::default()),
            base_apart: array::from_fn(|_| Signal::default()),
            is_base: array::from_fn(|_| Signal::default()),
            renamed: array::from_fn(|_| Signal::default()),
            origin: array::from_fn(|_| Signal::default()),
            passes: array::from_fn(|_| Signal::default()),
            carry: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            valid: array::from_fn(|_| Signal::default()),
            y: array::from_fn(|_| Signal::default()),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit8: array::from_fn(|i| Constant::new((1u64 << i).into())),
            zero: Constant::new((0u64).into()),
            zero8: Constant::new((0u64).into()),
            first_saved: Constant::new(u64::from(FIRST_CALLEE_SAVED).into()),
        }
    }
}

impl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> Default
    for StackMapper<PACKS, PW, STACK, CW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> Logic
    for StackMapper<PACKS, PW, STACK, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.frame.launched.next = self.launched.val();
        self.frame.rfp.next = self.rfp.val();
        self.frame.rsp.next = self.rsp.val();
        self.frame.base.next = self.base.val();
        self.frame.first.next = self.first.val();
        self.frame.capacity.next = self.capacity.val();
        self.link_pack.next = self.frame.link_pack.val();
        self.x[0].next = self.x0.val();
        self.asked[0].next = self.x0_valid.val();
        self.x[1].next = self.x1.val();
        self.asked[1].next = self.x1_valid.val();
        self.x[2].next = self.x2.val();
        self.asked[2].next = self.x2_valid.val();
        self.x[3].next = self.x3.val();
        self.asked[3].next = self.x3_valid.val();
        for k in 0..4 {
            self.x_wide[k].next = self.zero.val();
            for i in 0..8 {
                if self.x[k].val().get_bit(i) {
                    self.x_wide[k].next = self.x_wide[k].val() | self.pack_bit[i].val();
                }
            }
            // Below register 16 the difference is greater than any number of registers.
            self.above_differs[k].next = self.x[k].val() ^ self.first_saved.val();
            self.above_borrow[k].next = false;
            self.above[k].next = self.zero8.val();
            for i in 0..8 {
                if self.above_differs[k].val().get_bit(i) ^ self.above_borrow[k].val() {
                    self.above[k].next = self.above[k].val() | self.bit8[i].val();
                }
                self.above_borrow[k].next = (self.above_differs[k].val().get_bit(i)
                    & self.first_saved.val().get_bit(i))
                    | ((!self.above_differs[k].val().get_bit(i)) & self.above_borrow[k].val());
            }
            self.pushed_apart[k].next = self.above[k].val() ^ self.frame.pushed.val();
            self.room_apart[k].next = self.above[k].val() ^ self.frame.room.val();
            self.is_pushed[k].next = false;
            self.is_straight[k].next = false;
            for i in 0..8 {
                self.is_pushed[k].next = (self.pushed_apart[k].val().get_bit(i)
                    & self.frame.pushed.val().get_bit(i))
                    | ((!self.pushed_apart[k].val().get_bit(i)) & self.is_pushed[k].val());
                self.is_straight[k].next = (self.room_apart[k].val().get_bit(i)
                    & self.frame.room.val().get_bit(i))
                    | ((!self.room_apart[k].val().get_bit(i)) & self.is_straight[k].val());
            }
            self.base_apart[k].next = self.x_wide[k].val() ^ self.frame.base_regs.val();
            self.is_base[k].next = false;
            for i in 0..PW {
                self.is_base[k].next = (self.base_apart[k].val().get_bit(i)
                    & self.frame.base_regs.val().get_bit(i))
                    | ((!self.base_apart[k].val().get_bit(i)) & self.is_base[k].val());
            }
            self.renamed[k].next = self.frame.sound.val() & self.is_pushed[k].val();
            self.origin[k].next = self.base.val();
            if self.renamed[k].val() {
                self.origin[k].next = self.frame.around.val();
                if self.is_straight[k].val() {
                    self.origin[k].next = self.frame.straight.val();
                }
            }
            // Where two bits are equal, they are the carry.
            self.passes[k].next = self.origin[k].val() ^ self.x_wide[k].val();
            self.carry[k].next = false;
            self.sum[k].next = self.zero.val();
            for i in 0..PW {
                if self.passes[k].val().get_bit(i) ^ self.carry[k].val() {
                    self.sum[k].next = self.sum[k].val() | self.pack_bit[i].val();
                }
                self.carry[k].next = (self.passes[k].val().get_bit(i) & self.carry[k].val())
                    | ((!self.passes[k].val().get_bit(i)) & self.origin[k].val().get_bit(i));
            }
            self.valid[k].next = self.asked[k].val()
                & (self.renamed[k].val() | (self.is_base[k].val() & self.frame.has_base.val()));
            self.y[k].next = self.zero.val();
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
pub struct Rtl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> {
    block: Box<StackMapper<PACKS, PW, STACK, CW>>,
    evaluated: Option<(StackMapperIn<PACKS, STACK>, StackMapperOut<PACKS, STACK>)>,
}

impl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> Default
    for Rtl<PACKS, PW, STACK, CW>
{
    fn default() -> Self {
        let mut block = Box::new(StackMapper::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const PACKS: usize, const PW: usize, const STACK: usize, const CW: usize> Clocked
    for Rtl<PACKS, PW, STACK, CW>
{
    type In = StackMapperIn<PACKS, STACK>;
    type Out = StackMapperOut<PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.launched, pins.launched);
        drive_bits(&mut block.rfp, pins.rfp.into());
        drive_bits(&mut block.rsp, pins.rsp.into());
        drive_bits(&mut block.base, pins.base.into());
        drive_bits(&mut block.first, pins.first.into());
        drive_bits(&mut block.capacity, pins.capacity.into());
        drive_bits(&mut block.x0, pins.x0.into());
        drive(&mut block.x0_valid, pins.x0_valid);
        drive_bits(&mut block.x1, pins.x1.into());
        drive(&mut block.x1_valid, pins.x1_valid);
        drive_bits(&mut block.x2, pins.x2.into());
        drive(&mut block.x2_valid, pins.x2_valid);
        drive_bits(&mut block.x3, pins.x3.into());
        drive(&mut block.x3_valid, pins.x3_valid);
        // Only the frame lies between inputs and look-ups; in both each signal is assigned before it is read.
        drive(&mut block.frame.launched, pins.launched);
        drive_bits(&mut block.frame.rfp, pins.rfp.into());
        drive_bits(&mut block.frame.rsp, pins.rsp.into());
        drive_bits(&mut block.frame.base, pins.base.into());
        drive_bits(&mut block.frame.first, pins.first.into());
        drive_bits(&mut block.frame.capacity, pins.capacity.into());
        block.frame.update();
        block.update();
        let out = StackMapperOut {
            link_pack: read_bits(&block.link_pack) as u16,
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
