#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::common::lookup::lookup_pins;
use crate::pins::{bits_for, pins};

pins! {
    /// Inputs for `NW` warps and `PACKS` packs, in port order.
    pub struct RegisterMapperIn<const NW, const PACKS> {
        /// The warp that issues.
        widx: u8 = bits_for(NW),
        /// `|Bs|`, 0 ..= 255.
        base_regs: u8 = 8,
        /// `|Es|`, 0 ..= 255.
        ext_regs: u8 = 8,
        /// The section that the warp holds; read only while `section_valid` is high.
        section: u8 = bits_for(NW),
        /// The warp holds a section: its extended registers exist.
        section_valid: bool = 1,
        /// First pack of the shared register pool.
        srp_offset: u16 = bits_for(PACKS),
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
    pub struct RegisterMapperOut<const NW, const PACKS> {
        /// Physical register of look-up 0; 0 while `y0_valid` is low.
        y0: u16 = bits_for(PACKS),
        /// Look-up 0 is wanted and names a register that the warp may use now.
        y0_valid: bool = 1,
        /// Physical register of look-up 1; 0 while `y1_valid` is low.
        y1: u16 = bits_for(PACKS),
        /// Look-up 1 is wanted and names a register that the warp may use now.
        y1_valid: bool = 1,
        /// Physical register of look-up 2; 0 while `y2_valid` is low.
        y2: u16 = bits_for(PACKS),
        /// Look-up 2 is wanted and names a register that the warp may use now.
        y2_valid: bool = 1,
        /// Physical register of look-up 3; 0 while `y3_valid` is low.
        y3: u16 = bits_for(PACKS),
        /// Look-up 3 is wanted and names a register that the warp may use now.
        y3_valid: bool = 1,
    }
}

lookup_pins!(RegisterMapperIn, RegisterMapperOut);
