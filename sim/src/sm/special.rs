//! Values of the special registers.

use crate::kernel::Special;
use crate::kernel::exec::{Lanes, Value};

/// What special registers of one launch depend on.
#[derive(Clone, Debug)]
pub struct SpecialRegisters {
    grid: [u32; 3],
    block: [u32; 3],
    /// `%tid` in x, y, z of each warp of a CTA.
    tid: Vec<[Lanes; 3]>,
    dynamic_scratchpad_bytes: u32,
    total_scratchpad_bytes: u32,
    /// Number of the SM, and how many run the launch.
    pub sm: (u32, u32),
}

impl SpecialRegisters {
    /// For a launch; both shapes have at least one of everything.
    pub fn new(grid: [u32; 3], block: [u32; 3], dynamic_bytes: u32, total_bytes: u32) -> Self {
        let threads: u32 = block.iter().product();
        let tid = (0..threads.div_ceil(32))
            .map(|warp| {
                let thread = |lane: usize| warp * 32 + lane as u32;
                [
                    std::array::from_fn(|lane| thread(lane) % block[0]),
                    std::array::from_fn(|lane| thread(lane) / block[0] % block[1]),
                    std::array::from_fn(|lane| thread(lane) / block[0] / block[1]),
                ]
            })
            .collect();
        SpecialRegisters {
            grid,
            block,
            tid,
            dynamic_scratchpad_bytes: dynamic_bytes,
            total_scratchpad_bytes: total_bytes,
            sm: (0, 1),
        }
    }

    /// Writes the value of `special` for warp `warp` of the CTA at `cta` into `out`.
    pub fn read(&self, special: Special, warp: usize, cta: [u32; 3], cycle: u64, out: &mut Value) {
        let axis = |values: [u32; 3], axis: u8| values[usize::from(axis) % 3];
        let by_lane = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
        out.hi = [0; 32];
        out.lo = match special {
            Special::Tid(a) => self.tid[warp][usize::from(a) % 3],
            Special::Ntid(a) => [axis(self.block, a); 32],
            Special::Ctaid(a) => [axis(cta, a); 32],
            Special::Nctaid(a) => [axis(self.grid, a); 32],
            Special::LaneId => by_lane(|lane| lane),
            Special::WarpId => [warp as u32; 32],
            Special::NwarpId => [self.tid.len() as u32; 32],
            Special::GridId => [0; 32],
            Special::SmId => [self.sm.0; 32],
            Special::NsmId => [self.sm.1; 32],
            Special::Clock => [cycle as u32; 32],
            Special::Clock64 => {
                out.hi = [(cycle >> 32) as u32; 32];
                [cycle as u32; 32]
            }
            Special::LanemaskEq => by_lane(|lane| 1 << lane),
            Special::LanemaskLe => by_lane(|lane| u32::MAX >> (31 - lane)),
            Special::LanemaskLt => by_lane(|lane| (1 << lane) - 1),
            Special::LanemaskGe => by_lane(|lane| u32::MAX << lane),
            Special::LanemaskGt => by_lane(|lane| !(u32::MAX >> (31 - lane))),
            Special::DynamicScratchpadBytes => [self.dynamic_scratchpad_bytes; 32],
            Special::TotalScratchpadBytes => [self.total_scratchpad_bytes; 32],
        };
    }
}
