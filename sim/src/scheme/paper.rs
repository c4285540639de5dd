//! Figures that the RegMutex paper prints, to be held against what the program computes.

/// Table I: kernel, registers per thread, the same rounded up to a multiple of 4, and |Bs|. (The paper prints
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
