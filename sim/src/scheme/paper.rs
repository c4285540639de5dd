//! Figures that the papers print, to be held against what the program computes.

use super::Percent;
use crate::compiler::calls::{CallGraph, Node};

/// RegMutex, Table I: kernel, registers per thread, the same rounded up to a multiple of 4, and |Bs|. (The paper prints
/// HeartWall as "HeatWall".)
pub const TABLE_1: [(&str, u16, u16, u16); 16] = [
    ("BFS", 21, 24, 18),
    ("CUTCP", 25, 28, 20),
    ("DWT2D", 44, 44, 38),
    ("HotSpot3D", 32, 32, 24),
    ("MRI-Q", 21, 24, 18),
    ("ParticleFilter", 32, 32, 20),
    ("RadixSort", 33, 36, 30),
    ("SAD", 30, 32, 20),
    ("Gaussian", 12, 12, 8),
    ("HeartWall", 28, 28, 20),
    ("LavaMD", 37, 40, 28),
    ("MergeSort", 15, 16, 12),
    ("MonteCarlo", 13, 16, 12),
    ("SPMV", 16, 16, 12),
    ("SRAD", 18, 20, 12),
    ("TPACF", 28, 28, 20),
];

/// Sharing in per cent, the columns of resource sharing's Tables VI and VIII.
pub const SHARING_STEPS: [u8; 6] = [0, 10, 30, 50, 70, 90];

/// Resource sharing, Table VI: kernel, threads of a CTA, registers per thread, resident CTAs at each of [`SHARING_STEPS`].
pub const SHARING_TABLE_6: [(&str, u32, u16, [u16; 6]); 8] = [
    ("backprop", 256, 24, [5, 5, 5, 5, 6, 6]),
    ("b+tree", 508, 24, [2, 2, 2, 3, 3, 3]),
    ("hotspot", 256, 36, [3, 3, 3, 4, 4, 6]),
    ("LIB", 192, 36, [4, 4, 5, 5, 6, 8]),
    ("MUM", 256, 28, [4, 4, 4, 5, 5, 6]),
    ("mri-q", 256, 24, [5, 5, 5, 5, 6, 6]),
    ("sgemm", 128, 48, [5, 5, 5, 5, 6, 8]),
    ("stencil", 512, 28, [2, 2, 2, 2, 2, 3]),
];

/// Resource sharing, Table VIII: kernel, threads of a CTA, bytes of scratchpad, resident CTAs at each of [`SHARING_STEPS`].
pub const SHARING_TABLE_8: [(&str, u32, u32, [u16; 6]); 7] = [
    ("CONV1", 64, 2560, [6, 6, 6, 6, 7, 8]),
    ("CONV2", 128, 5184, [3, 3, 3, 3, 3, 4]),
    ("lavaMD", 128, 7200, [2, 2, 2, 2, 2, 4]),
    ("NW1", 16, 2180, [7, 7, 7, 8, 8, 8]),
    ("NW2", 16, 2180, [7, 7, 7, 8, 8, 8]),
    ("SRAD1", 256, 6144, [2, 2, 2, 3, 4, 4]),
    ("SRAD2", 256, 5120, [3, 3, 3, 3, 3, 5]),
];

/// Resource sharing, Equation 4 as it is printed, rounded down: floor(R / Rtb) + (1 / t) (R / Rtb - floor(R / Rtb)). It lacks the
/// bound that follows from Equation 1, S <= floor(R / Rtb); [`SharedCtas`](super::SharedCtas) has it. 0 for a demand of nothing.
#[must_use]
pub fn sharing_equation_4(available: u32, needed: u32, percent: Percent) -> u32 {
    let Some(alone) = available.checked_div(needed) else {
        return 0;
    };
    let private_hundredths = u64::from(needed) * u64::from(100 - percent.get());
    let left_hundredths = u64::from(available % needed) * 100;
    alone + (left_hundredths / private_hundredths) as u32
}

/// RFV, Table 1: kernel, threads of a CTA, registers per thread with address and condition registers, resident CTAs of an SM.
pub const RFV_TABLE_1: [(&str, u32, u16, u16); 16] = [
    ("MatrixMul", 256, 14, 6),
    ("Blackscholes", 128, 18, 8),
    ("DCT8x8", 64, 22, 8),
    ("Reduction", 256, 14, 6),
    ("VectorAdd", 256, 4, 6),
    ("BackProp", 256, 17, 6),
    ("BFS", 512, 9, 3),
    ("Heartwall", 512, 29, 2),
    ("HotSpot", 256, 22, 3),
    ("ScalarProd", 256, 17, 6),
    ("NN", 169, 14, 8),
    ("LUD", 32, 19, 6),
    ("Gaussian", 512, 8, 3),
    ("LIB", 64, 22, 8),
    ("LPS", 128, 17, 8),
    ("MUM", 256, 19, 6),
];

/// The rows of [`RFV_TABLE_1`] that do not follow from threads, registers and CTA slots: kernel, and threads of a CTA and
/// registers with which the printed CTAs do follow. HotSpot has these registers in [`SHARING_TABLE_6`]; with these threads of LUD
/// the exempt registers of [`RFV_EXEMPT`] follow, too.
pub const RFV_TABLE_1_SLIPS: [(&str, u32, u16); 2] = [("HotSpot", 256, 36), ("LUD", 256, 19)];

/// RFV, 9.4: kernel, and registers that are exempt from renaming where the renaming table has 1 KiB.
pub const RFV_EXEMPT: [(&str, u16); 3] = [("MUM", 2), ("LUD", 2), ("Heartwall", 4)];

/// CARS, Figure 4. The drawing is lost. Of it the text tells the registers of the kernel, those of the largest function and both
/// watermarks; the other functions and numbers are chosen to agree. // assumed
#[must_use]
pub fn cars_figure_4() -> CallGraph {
    let node = |name: &str, fru, callees: &[usize]| Node {
        name: name.to_owned(),
        fru,
        sites: callees.iter().map(|&callee| vec![callee]).collect(),
    };
    CallGraph::new(vec![
        node("kernel", 20, &[1, 2]),
        node("fun1", 10, &[3, 4]),
        node("fun2", 8, &[4]),
        node("fun3", 9, &[5, 6]),
        node("fun4", 7, &[]),
        node("fun5", 10, &[7]),
        node("fun6", 5, &[]),
        node("fun7", 7, &[]),
    ])
}

#[cfg(test)]
mod tests;
