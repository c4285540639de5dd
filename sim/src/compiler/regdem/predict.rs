//! The predictor: how long a variant of a kernel takes, from its text and its occupancy (RegDem 4).
//!
//! The paper's algorithm and equation 2 are lost; this follows what the text says of them. Per basic block, weighted ten
//! times for each loop around it:
//! - the stalls of one warp alone: issue cycles, latencies, waits for barriers ([`super::barriers`]), so 200 cycles of device memory
//!   and 24 of scratchpad where nothing hides them;
//! - the throughput: how long the schedulers and each kind of unit are busy with one warp's instructions, which is what resident
//!   warps contend for (the throughput ratio of equation 2). An access to memory counts as many times as the load/store unit
//!   splits it up ([`super::transactions`]).
//!
//! With `W` resident warps the stalls of one warp are hidden behind the work of the others: one warp costs an SM `stalls / W`, but
//! not less than what the busiest unit needs (a roofline). The bytes to and from memory are such a limit only where no cache helps:
//! with those that it may save, the limit would stand where there is none. So these are added to the stalls instead.

use super::barriers::annotate;
use super::lanes::addresses;
use super::transactions::{Transactions, transactions};
use crate::compiler::cfg::{Cfg, CfgError};
use crate::kernel::op::Op;
use crate::kernel::{BlockId, Kernel};
use crate::machine::Machine;
use crate::memory::coalescer::LINE_BYTES;
use crate::sm::Unit;
use crate::sm::timing::timing;

/// What is predicted of a kernel, cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Of one warp alone, from its first instruction to its last.
    pub stall_cycles: f64,
    /// That the busiest part of the SM works for one warp, memory with it as if no cache helped.
    pub busy_cycles: f64,
    /// That one warp costs an SM with as many resident warps as given.
    pub cycles_per_warp: f64,
}

/// How busy one warp keeps the parts of an SM, cycles.
#[derive(Clone, Copy, Debug, Default)]
struct Busy {
    issue: f64,
    sp: f64,
    sfu: f64,
    /// Lines and bank conflicts of loads and stores.
    ldst: f64,
    /// Memory, with bytes that the first-level cache may save.
    coalesced: f64,
    /// Memory, with bytes of accesses for which the cache is too small.
    scattered: f64,
}

impl Busy {
    fn count(&mut self, op: &Op, access: Option<Transactions>, machine: &Machine, times: f64) {
        let pipeline = &machine.pipeline;
        let (unit, timing) = timing(op, pipeline);
        let interval = f64::from(timing.interval) * times;
        self.issue += times / f64::from(machine.schedulers.count);
        match unit {
            Unit::Issue => {}
            Unit::Sp => self.sp += interval / f64::from(pipeline.sp_units),
            Unit::Sfu => self.sfu += interval / f64::from(pipeline.sfu_units),
            Unit::Ldst => self.ldst += times * access.map_or(1.0, |access| access.ldst_cycles),
        }
        let bytes = access.map_or(0.0, |access| access.bytes);
        let cycles = times * bytes / f64::from(machine.memory.bytes_per_cycle);
        match overflows(bytes, machine) {
            true => self.scattered += cycles,
            false => self.coalesced += cycles,
        }
    }

    /// Of the busiest unit of the SM.
    fn on_chip(&self) -> f64 {
        [self.issue, self.sp, self.sfu, self.ldst]
            .into_iter()
            .fold(0.0, f64::max)
    }

    fn memory(&self) -> f64 {
        self.coalesced + self.scattered
    }
}

/// Whether the first-level cache is too small for one such access of each warp, so that none finds what it had.
/// // assumed: of half the warps that an SM has slots for, as kernels have that lose CTAs to registers
fn overflows(bytes: f64, machine: &Machine) -> bool {
    let memory = &machine.memory;
    let cache = LINE_BYTES * u64::from(memory.l1_sets) * u64::from(memory.l1_ways);
    bytes * f64::from(machine.limits.warps_per_sm) / 2.0 > cache as f64
}

/// Predicts `kernel` with `warps` resident on an SM, 1 or more.
///
/// # Errors
/// The kernel has no control-flow graph.
pub fn predict(kernel: &Kernel, machine: &Machine, warps: u16) -> Result<Prediction, CfgError> {
    let cfg = Cfg::new(kernel)?;
    let addresses = addresses(kernel, &cfg);
    let (mut stalls, mut busy) = (0.0, Busy::default());
    for (b, (block, addresses)) in kernel.blocks.iter().zip(&addresses).enumerate() {
        let times = cfg.weight(BlockId(b as u32)) as f64;
        stalls += times * annotate(block, machine).cycles as f64;
        for (inst, &address) in block.insts.iter().zip(addresses) {
            let access = transactions(&inst.op, address, machine);
            busy.count(&inst.op, access, machine, times);
        }
    }
    let (on_chip, memory) = (busy.on_chip(), busy.memory());
    let waiting = stalls / f64::from(warps.max(1)) + busy.coalesced;
    Ok(Prediction {
        stall_cycles: stalls,
        busy_cycles: on_chip.max(memory),
        cycles_per_warp: waiting.max(on_chip).max(memory),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::text;

    fn kernel(body: &str) -> Kernel {
        let text = format!(".kernel k;\n.regs architected 8, 1;\nentry:\n{body}    exit;\n");
        text::parse(&text, "k").unwrap()
    }

    fn cycles(kernel: &Kernel, warps: u16) -> f64 {
        let machine = Machine::preset("gtx480").unwrap();
        predict(kernel, &machine, warps).unwrap().cycles_per_warp
    }

    #[test]
    fn more_warps_hide_stalls_until_a_unit_is_busy_all_the_time() {
        let load = kernel("    ld.global.b32 r1, [r0];\n    add.u32 r1, r1, r1;\n");
        assert!(cycles(&load, 48) < cycles(&load, 24));
        let products = kernel(&"    mul.lo.u32 r1, r0, r0;\n".repeat(200));
        let machine = Machine::preset("gtx480").unwrap();
        let busy = predict(&products, &machine, 48).unwrap().busy_cycles;
        assert_eq!(cycles(&products, 48), busy);
        assert_eq!(cycles(&products, 24), busy);
    }

    #[test]
    fn more_warps_help_loads_of_neighbours_and_no_gather() {
        let chain = |index: &str| {
            let load = format!("{index}    shl.b32 r1, r1, 2;\n    ld.global.b32 r1, [r1];\n");
            kernel(&format!("    mov.u32 r0, %tid.x;\n{}", load.repeat(8)))
        };
        let neighbours = chain("    mov.u32 r1, r0;\n    add.u32 r1, r1, r2;\n");
        assert!(cycles(&neighbours, 48) < 0.8 * cycles(&neighbours, 24));
        let gather = chain("    ld.global.b32 r1, [r0];\n");
        assert_eq!(cycles(&gather, 48), cycles(&gather, 24));
        assert!(cycles(&gather, 24) > 8.0 * cycles(&neighbours, 24));
    }

    #[test]
    fn scratchpad_costs_less_than_local_memory_and_both_more_than_a_register() {
        let of = |access: &str| cycles(&kernel(&format!("{access}    add.u32 r2, r1, r1;\n")), 24);
        let scratchpad = of("    ld.shared.b32 r1, [r0];\n");
        let local = of("    ld.local.b32 r1, [r0];\n");
        assert!(of("") < scratchpad && scratchpad < local);
    }

    #[test]
    fn what_stands_in_a_loop_counts_ten_times() {
        let text = ".kernel k;\n.regs architected 3, 1;\nentry:\n    mov.u32 r0, 1;\nloop:\n    add.u32 r0, r0, 1;\n    setp.lt.u32 p0, r0, 9;\n    @p0 bra loop;\nend:\n    exit;\n";
        let kernel = text::parse(text, "k").unwrap();
        let machine = Machine::preset("gtx480").unwrap();
        // 1 + 10 * 3 + 1 instructions over two schedulers.
        assert_eq!(predict(&kernel, &machine, 1).unwrap().busy_cycles, 16.0);
    }
}
