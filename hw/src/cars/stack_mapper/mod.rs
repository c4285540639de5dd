#![doc = include_str!("README.md")]

pub mod frame;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::common::lookup::{Answers, Lookups};
use crate::pins::{bits_for, pins};

/// First callee-saved register of the ABI (CARS, II).
pub const FIRST_CALLEE_SAVED: u8 = 16;

pins! {
    /// Inputs for `PACKS` packs and stacks of up to `STACK` packs, in port order.
    pub struct StackMapperIn<const PACKS, const STACK> {
        /// The warp has a stack; while low, only its base registers exist.
        launched: bool = 1,
        /// Register frame pointer of the warp, from `register_stack`.
        rfp: u16 = bits_for(PACKS),
        /// Register stack pointer of the warp, from `register_stack`.
        rsp: u16 = bits_for(PACKS),
        /// First pack of the warp's base registers, `Base[w]`.
        base: u16 = bits_for(PACKS),
        /// First pack of the warp's stack, behind its base registers.
        first: u16 = bits_for(PACKS),
        /// Packs of the warp's stack, 1 ..= `STACK`.
        capacity: u8 = bits_for(STACK + 1),
        /// Architected register of look-up 0 (first source).
        x0: u8 = 8,
        /// Look-up 0 is wanted.
        x0_valid: bool = 1,
        /// Architected register of look-up 1 (second source).
        x1: u8 = 8,
        /// Look-up 1 is wanted.
        x1_valid: bool = 1,
        /// Architected register of look-up 2 (third source).
        x2: u8 = 8,
        /// Look-up 2 is wanted.
        x2_valid: bool = 1,
        /// Architected register of look-up 3 (destination).
        x3: u8 = 8,
        /// Look-up 3 is wanted.
        x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs, combinational, in port order.
    pub struct StackMapperOut<const PACKS, const STACK> {
        /// Pack below the frame in control, which holds a function's link; 0 without a stack.
        link_pack: u16 = bits_for(PACKS),
        /// Physical register of look-up 0; 0 while `y0_valid` is low.
        y0: u16 = bits_for(PACKS),
        /// Look-up 0 is wanted and names a register of the warp.
        y0_valid: bool = 1,
        /// Physical register of look-up 1; 0 while `y1_valid` is low.
        y1: u16 = bits_for(PACKS),
        /// Look-up 1 is wanted and names a register of the warp.
        y1_valid: bool = 1,
        /// Physical register of look-up 2; 0 while `y2_valid` is low.
        y2: u16 = bits_for(PACKS),
        /// Look-up 2 is wanted and names a register of the warp.
        y2_valid: bool = 1,
        /// Physical register of look-up 3; 0 while `y3_valid` is low.
        y3: u16 = bits_for(PACKS),
        /// Look-up 3 is wanted and names a register of the warp.
        y3_valid: bool = 1,
    }
}

impl<const PACKS: usize, const STACK: usize> Lookups for StackMapperIn<PACKS, STACK> {
    fn lookups(&self) -> [Option<u8>; 4] {
        [
            self.x0_valid.then_some(self.x0),
            self.x1_valid.then_some(self.x1),
            self.x2_valid.then_some(self.x2),
            self.x3_valid.then_some(self.x3),
        ]
    }
    fn set_lookups(&mut self, x: [Option<u8>; 4]) {
        [self.x0, self.x1, self.x2, self.x3] = x.map(Option::unwrap_or_default);
        [self.x0_valid, self.x1_valid, self.x2_valid, self.x3_valid] = x.map(|x| x.is_some());
    }
}

/// Answers with `link_pack` 0.
impl<const PACKS: usize, const STACK: usize> Answers for StackMapperOut<PACKS, STACK> {
    fn packs(&self) -> [Option<u16>; 4] {
        [
            self.y0_valid.then_some(self.y0),
            self.y1_valid.then_some(self.y1),
            self.y2_valid.then_some(self.y2),
            self.y3_valid.then_some(self.y3),
        ]
    }
    fn from_packs(y: [Option<u16>; 4]) -> Self {
        let mut out = Self::default();
        [out.y0, out.y1, out.y2, out.y3] = y.map(Option::unwrap_or_default);
        [out.y0_valid, out.y1_valid, out.y2_valid, out.y3_valid] = y.map(|y| y.is_some());
        out
    }
}
