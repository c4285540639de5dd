#![doc = include_str!("README.md")]

mod adapter;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::common::issue::issue_pins;
use crate::pins::{bits_for, pins};

pub use crate::common::issue::Issue;

pins! {
    /// Inputs for `NW` warps and `PACKS` packs, in port order. All are sampled at the rising edge; the outputs of the same
    /// cycle already depend on them.
    pub struct RegmutexTopIn<const NW, const PACKS> {
        /// Starts a kernel: every section becomes free. Nothing is granted in this cycle.
        clear: bool = 1,
        /// Sections that exist, 0 ..= `NW`; read only with `clear`. A larger number means `NW`.
        section_count: u8 = bits_for(NW + 1),
        /// `|Bs|`, 0 ..= 255. This, `ext_regs` and `srp_offset` stay as they are while a kernel runs.
        base_regs: u8 = 8,
        /// `|Es|`, 0 ..= 255.
        ext_regs: u8 = 8,
        /// First pack of the shared register pool.
        srp_offset: u16 = bits_for(PACKS),
        /// Which port wins when both ask for the same kind of change: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a issues an instruction in this cycle.
        a_valid: bool = 1,
        /// It acquires or releases; otherwise it only reads and writes registers.
        a_change: bool = 1,
        /// What it changes: 0 acquire, 1 release.
        a_release: bool = 1,
        /// Its warp.
        a_warp: u8 = bits_for(NW),
        /// Architected register of its first source.
        a_x0: u8 = 8,
        /// It has one.
        a_x0_valid: bool = 1,
        /// Architected register of its second source.
        a_x1: u8 = 8,
        /// It has one.
        a_x1_valid: bool = 1,
        /// Architected register of its third source.
        a_x2: u8 = 8,
        /// It has one.
        a_x2_valid: bool = 1,
        /// Architected register of its destination.
        a_x3: u8 = 8,
        /// It has one.
        a_x3_valid: bool = 1,
        /// Port b issues an instruction in this cycle.
        b_valid: bool = 1,
        /// It acquires or releases; otherwise it only reads and writes registers.
        b_change: bool = 1,
        /// What it changes: 0 acquire, 1 release.
        b_release: bool = 1,
        /// Its warp.
        b_warp: u8 = bits_for(NW),
        /// Architected register of its first source.
        b_x0: u8 = 8,
        /// It has one.
        b_x0_valid: bool = 1,
        /// Architected register of its second source.
        b_x1: u8 = 8,
        /// It has one.
        b_x1_valid: bool = 1,
        /// Architected register of its third source.
        b_x2: u8 = 8,
        /// It has one.
        b_x2_valid: bool = 1,
        /// Architected register of its destination.
        b_x3: u8 = 8,
        /// It has one.
        b_x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs, combinational, in port order.
    pub struct RegmutexTopOut<const NW, const PACKS> {
        /// Port a's instruction may go on; else it is to be tried again after `wake`.
        a_grant: bool = 1,
        /// `a_warp` holds a section (before the edge).
        a_held: bool = 1,
        /// Physical register of its first source; 0 while `a_y0_valid` is low.
        a_y0: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        a_y0_valid: bool = 1,
        /// Physical register of its second source; 0 while `a_y1_valid` is low.
        a_y1: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        a_y1_valid: bool = 1,
        /// Physical register of its third source; 0 while `a_y2_valid` is low.
        a_y2: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        a_y2_valid: bool = 1,
        /// Physical register of its destination; 0 while `a_y3_valid` is low.
        a_y3: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        a_y3_valid: bool = 1,
        /// Port b's instruction may go on; else it is to be tried again after `wake`.
        b_grant: bool = 1,
        /// `b_warp` holds a section (before the edge).
        b_held: bool = 1,
        /// Physical register of its first source; 0 while `b_y0_valid` is low.
        b_y0: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        b_y0_valid: bool = 1,
        /// Physical register of its second source; 0 while `b_y1_valid` is low.
        b_y1: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        b_y1_valid: bool = 1,
        /// Physical register of its third source; 0 while `b_y2_valid` is low.
        b_y2: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        b_y2_valid: bool = 1,
        /// Physical register of its destination; 0 while `b_y3_valid` is low.
        b_y3: u16 = bits_for(PACKS),
        /// The instruction goes on, and the register is one that its warp may use now.
        b_y3_valid: bool = 1,
        /// A section becomes free, or one port's change kept the other's waiting: who was refused may try again.
        wake: bool = 1,
    }
}

issue_pins!(RegmutexTopIn, RegmutexTopOut);
