//! What an SM keeps from kernel to kernel, as in GPGPU-Sim: whose turn it is everywhere, and the instruction cache.

use super::Sm;
use super::collect::Exits;
use super::fetch::instruction_cache;
use super::issue::Scheduler;
use crate::gpu::cache::Cache;
use crate::gpu::decoded::Registers;
use crate::gpu::machine::GpuMachine;

/// Instruction cache and turns of an SM between kernels.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The instruction cache; `None`: every fetch hits.
    pub icache: Option<Cache<u8>>,
    /// The warp that was fetched for last.
    pub fetched: usize,
    /// The scheduler that comes first in the next cycle with a warp.
    pub first_scheduler: usize,
    /// Who issued last, and the queues of the two-level policy.
    pub schedulers: Vec<Scheduler>,
    /// The collector unit that each way out asks first.
    pub exits: Exits,
    /// Whose result the load/store unit writes back first.
    pub writes_back: usize,
    /// By warp slot: registers that a load from memory wrote last.
    pub marks: Vec<Registers>,
}

impl Turns {
    /// Those of an SM that has run nothing.
    pub fn new(machine: &GpuMachine) -> Self {
        let count = machine.issue.schedulers as usize;
        let schedulers = 0..count;
        Turns {
            icache: instruction_cache(machine),
            fetched: 0,
            first_scheduler: 0,
            schedulers: schedulers
                .map(|scheduler| Scheduler::new(scheduler, count, machine.limits.warps))
                .collect(),
            exits: Exits::default(),
            writes_back: 0,
            marks: vec![Registers::default(); machine.limits.warps as usize],
        }
    }
}

impl Sm {
    /// What is left for the next kernel.
    pub fn into_turns(self) -> Turns {
        Turns {
            fetched: self.front.last,
            icache: self.front.icache,
            first_scheduler: self.first_scheduler,
            schedulers: self.schedulers,
            exits: self.collectors.exits(),
            writes_back: self.ldst.next_client,
            marks: self.marks,
        }
    }
}
