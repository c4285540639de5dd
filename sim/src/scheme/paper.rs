//! Figures that the papers print, to be held against what the program computes.

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
