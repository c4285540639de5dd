//! What a register of a traced run holds.
//!
//! A trace has no values, so each result is a number made of who wrote it (warp, how many instructions it had executed, lane) and
//! of the numbers read. So what a warp reads depends on all that it did before, and a sum over all that was read tells whether
//! every register had what it should have. [`Reference`] computes the sum without any timing, register hardware or memory.

use crate::kernel::op::{Op, Traced};
use crate::kernel::{Dst, Inst, Operand};

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 29
}

/// The number of an instruction that warp `warp` of the grid executes as its `record`-th, before what a lane reads.
#[inline]
pub fn executed(warp: u64, record: u32) -> u64 {
    mixed(warp.wrapping_mul(ODD) ^ u64::from(record).wrapping_add(1) << 32)
}

/// The same in a lane.
#[inline]
pub fn in_lane(executed: u64, lane: usize) -> u64 {
    executed.wrapping_add((lane as u64 + 1).wrapping_mul(ODD))
}

/// The same with a value that the lane reads.
#[inline]
pub fn with_read(number: u64, value: u32) -> u64 {
    mixed(number ^ u64::from(value)).wrapping_mul(ODD)
}

/// The `result`-th register that the lane writes.
#[inline]
pub fn result(number: u64, result: usize) -> u32 {
    (mixed(number.wrapping_add(result as u64 + 1)) >> 32) as u32
}

/// Whether an instruction reads its registers and so takes part in the sum.
pub fn counts(op: &Op) -> bool {
    matches!(op, Op::Traced(traced) if *traced != Traced::Issue)
}

/// Lanes in which every register that `inst` reads has been written, by what each has.
pub fn defined(inst: &Inst, written: &[u32; 256]) -> u32 {
    let units = inst.src_regs().flat_map(crate::kernel::Reg::units);
    units.fold(u32::MAX, |lanes, unit| {
        lanes & written[usize::from(unit) & 255]
    })
}

/// Notes what `inst` writes.
pub fn write(inst: &Inst, mask: u32, written: &mut [u32; 256]) {
    for unit in inst.dst_regs().flat_map(crate::kernel::Reg::units) {
        written[usize::from(unit) & 255] |= mask;
    }
}

/// The registers of one warp.
pub struct Reference {
    regs: Box<[[u32; 32]; 256]>,
    written: [u32; 256],
    warp: u64,
    record: u32,
}

impl Reference {
    /// Of that warp of the grid, before its first instruction.
    pub fn new(warp: u64) -> Reference {
        Reference {
            regs: Box::new([[0; 32]; 256]),
            written: [0; 256],
            warp,
            record: 0,
        }
    }

    /// Executes an instruction in the lanes of `mask`; gives its part of the sum.
    pub fn execute(&mut self, inst: &Inst, mask: u32) -> u64 {
        let executed = executed(self.warp, self.record);
        self.record += 1;
        if !counts(&inst.op) {
            return 0;
        }
        let defined = defined(inst, &self.written);
        let mut sum = 0u64;
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            let mut number = in_lane(executed, lane);
            if defined >> lane & 1 == 1 {
                for src in &inst.srcs {
                    let Operand::Reg(reg) = src else { continue };
                    for unit in reg.units() {
                        number = with_read(number, self.regs[usize::from(unit) & 255][lane]);
                    }
                }
            }
            sum = sum.wrapping_add(number);
            let mut written = 0;
            for dst in &inst.dsts {
                let Dst::Reg(reg) = dst else { continue };
                for unit in reg.units() {
                    self.regs[usize::from(unit) & 255][lane] = result(number, written);
                    written += 1;
                }
            }
        }
        write(inst, mask, &mut self.written);
        sum
    }
}
