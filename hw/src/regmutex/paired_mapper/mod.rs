#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
#[cfg(test)]
mod tests;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs for `NW` warps and `PACKS` packs, in port order.
    pub struct PairedMapperIn<const NW, const PACKS> {
        /// The warp that issues; warps 2p and 2p + 1 are a pair.
        widx: u8 = bits_for(NW),
        /// `|Bs|`, 0 ..= 255.
        base_regs: u8 = 8,
        /// `|Es|`, 0 ..= 255.
        ext_regs: u8 = 8,
        /// The warp holds the pair's extended set.
        ext_held: bool = 1,
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
    pub struct PairedMapperOut<const NW, const PACKS> {
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

impl<const NW: usize, const PACKS: usize> PairedMapperIn<NW, PACKS> {
    /// The look-ups; `None` where none is wanted.
    #[must_use]
    pub fn lookups(&self) -> [Option<u8>; 4] {
        [
            self.x0_valid.then_some(self.x0),
            self.x1_valid.then_some(self.x1),
            self.x2_valid.then_some(self.x2),
            self.x3_valid.then_some(self.x3),
        ]
    }

    /// Sets the look-ups; the register pin of one that is not wanted is 0.
    pub fn set_lookups(&mut self, x: [Option<u8>; 4]) {
        let value = x.map(|x| x.unwrap_or(0));
        [self.x0, self.x1, self.x2, self.x3] = value;
        [self.x0_valid, self.x1_valid, self.x2_valid, self.x3_valid] = x.map(|x| x.is_some());
    }
}

impl<const NW: usize, const PACKS: usize> PairedMapperOut<NW, PACKS> {
    /// The answers; `None` where `y_valid` is low.
    #[must_use]
    pub fn packs(&self) -> [Option<u16>; 4] {
        [
            self.y0_valid.then_some(self.y0),
            self.y1_valid.then_some(self.y1),
            self.y2_valid.then_some(self.y2),
            self.y3_valid.then_some(self.y3),
        ]
    }

    /// The outputs with these answers.
    #[must_use]
    pub fn from_packs(y: [Option<u16>; 4]) -> Self {
        let value = y.map(|y| y.unwrap_or(0));
        let valid = y.map(|y| y.is_some());
        Self {
            y0: value[0],
            y0_valid: valid[0],
            y1: value[1],
            y1_valid: valid[1],
            y2: value[2],
            y2_valid: valid[2],
            y3: value[3],
            y3_valid: valid[3],
        }
    }
}
