//! The sizes and variants of the top that are exported or simulated.

use super::rtl::RfvTop;

/// 48 warps, 63 registers, 1024 packs, 8 CTAs (`fermi16`); sub-arrays wake in a cycle.
pub type RfvTop48x63x1024 =
    RfvTop<48, 8, 6, 3, 4, 10, 768, 720, 10, 8, 32, 5, 8, 3, 2, 9, 11, 12, 1, 1>;
/// [`RfvTop48x63x1024`] with its last parameters left open: how sub-arrays wake, whether flags and throttle are left out, the
/// release flag cache, and whether it is left out.
pub type RfvTop48<
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize = 0,
> = RfvTop<
    48,
    8,
    6,
    3,
    4,
    10,
    768,
    720,
    10,
    8,
    32,
    5,
    8,
    3,
    2,
    9,
    11,
    12,
    WAIT,
    GW,
    HARDWARE_ONLY,
    ENTRIES,
    EW,
    TAG,
    UNCACHED,
>;
/// It wakes in 3 cycles.
pub type Wakes3Of48 = RfvTop48<3, 2, 0, 10, 4, 13>;
/// It wakes in 10 cycles.
pub type Wakes10Of48 = RfvTop48<10, 4, 0, 10, 4, 13>;
/// Renaming without flags and throttle.
pub type HardwareOnlyOf48 = RfvTop48<1, 1, 1, 10, 4, 13>;
/// Five pir are kept.
pub type Keeps5Of48 = RfvTop48<1, 1, 0, 5, 3, 14>;
/// Two pir are kept.
pub type Keeps2Of48 = RfvTop48<1, 1, 0, 2, 1, 15>;
/// One pir is kept.
pub type Keeps1Of48 = RfvTop48<1, 1, 0, 1, 1, 16>;
/// There is no flag cache. What synthesis removes of it is as small as can be.
pub type UncachedOf48 = RfvTop48<1, 1, 0, 1, 1, 16, 1>;
/// The same with the table of 1 KiB: 16 renamed registers.
pub type RfvTop48x16x1024 =
    RfvTop<48, 8, 6, 3, 2, 8, 192, 192, 10, 8, 32, 5, 8, 3, 2, 9, 11, 12, 1, 1>;
/// 64 warps, 63 registers, 2048 packs, 32 CTAs (`v100`).
pub type RfvTop64x63x2048 =
    RfvTop<64, 32, 6, 5, 4, 10, 1024, 960, 11, 9, 32, 5, 16, 4, 4, 10, 12, 13, 1, 1>;
/// [`RfvTop64x63x2048`] with its last parameters left open, as [`RfvTop48`].
pub type RfvTop64<
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize = 0,
> = RfvTop<
    64,
    32,
    6,
    5,
    4,
    10,
    1024,
    960,
    11,
    9,
    32,
    5,
    16,
    4,
    4,
    10,
    12,
    13,
    WAIT,
    GW,
    HARDWARE_ONLY,
    ENTRIES,
    EW,
    TAG,
    UNCACHED,
>;
/// 16 warps, 63 registers, 512 packs, 8 CTAs, for tests.
pub type RfvTop16x63x512 =
    RfvTop<16, 8, 4, 3, 4, 8, 256, 240, 9, 7, 32, 5, 4, 2, 1, 8, 10, 11, 1, 1>;
/// 4 warps, 63 registers, 256 packs, 4 CTAs, for tests; sub-arrays wake in three cycles.
pub type RfvTop4x63x256 = RfvTop<4, 4, 2, 2, 4, 6, 64, 60, 8, 6, 16, 4, 4, 2, 1, 7, 9, 10, 3, 2>;
/// The same without flags and throttle; sub-arrays wake in a cycle.
pub type HardwareOnlyOf4 =
    RfvTop<4, 4, 2, 2, 4, 6, 64, 60, 8, 6, 16, 4, 4, 2, 1, 7, 9, 10, 1, 1, 1, 10, 4, 13>;
