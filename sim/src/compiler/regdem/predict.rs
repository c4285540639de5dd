//! The predictor: how long a variant of a kernel takes, from its text and its occupancy (RegDem 4).
//!
//! The paper's algorithm and equation 2 are lost; this follows what the text says of them. Per basic block, weighted ten
//! times for each loop around it:
//! - the stalls of one warp alone: issue cycles, latencies, waits for barriers ([`super::barriers`]), so 200 cycles of device memory
//!   and 24 of scratchpad where nothing hides them;
//! - the throughput: how long the schedulers and each kind of unit are busy with one warp's instructions, which is what resident
//!   warps contend for (the throughput ratio of equation 2).
//!
//! With `W` resident warps the stalls of one warp are hidden behind the work of the others. One warp costs an SM
//! `stalls / W`, and not less than what the busiest unit needs; both are added, as neither overlap is perfect.

use super::barriers::annotate;
use crate::compiler::cfg::{Cfg, CfgError};
use crate::kernel::op::{Op, Space};
use crate::kernel::{BlockId, Kernel};
use crate::machine::Machine;
use crate::sm::Unit;
use crate::sm::timing::timing;

/// What is predicted of a kernel, cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Of one warp alone, from its first instruction to its last.
    pub stall_cycles: f64,
    /// That the busiest part of the SM works for one warp.
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
    /// Address and data of loads and stores; one instruction per cycle.
    ldst: f64,
    /// Bytes to and from memory.
    bytes: f64,
}

/// Bytes that a warp's access to device memory moves if its lanes are neighbours.
const ACCESS_BYTES: f64 = 128.0;
/// Part of the accesses to local memory that go on to memory. // assumed: stores are written through, and the spilled words
/// of 40 warps (128 bytes each) leave nothing in a first-level cache of 16 KiB
const LOCAL_MISSES: f64 = 1.0;

impl Busy {
    fn count(&mut self, op: &Op, machine: &Machine, times: f64) {
        let pipeline = &machine.pipeline;
        let (unit, timing) = timing(op, pipeline);
        let interval = f64::from(timing.interval) * times;
        self.issue += times / f64::from(machine.schedulers.count);
        match unit {
            Unit::Issue => {}
            Unit::Sp => self.sp += interval / f64::from(pipeline.sp_units),
            Unit::Sfu => self.sfu += interval / f64::from(pipeline.sfu_units),
            Unit::Ldst => self.ldst += times,
        }
        let space = match op {
            Op::Ld(mem) | Op::St(mem) => Some(mem.space),
            Op::Atom { space, .. } | Op::Red { space, .. } => Some(*space),
            Op::Traced(traced) => traced.access().map(|(space, _)| space),
            _ => None,
        };
        self.bytes += times
            * match space {
                Some(Space::Global | Space::Generic) => ACCESS_BYTES,
                Some(Space::Local) => ACCESS_BYTES * LOCAL_MISSES,
                _ => 0.0,
            };
    }

    fn most(&self, machine: &Machine) -> f64 {
        let memory = self.bytes / f64::from(machine.memory.bytes_per_cycle);
        [self.issue, self.sp, self.sfu, self.ldst, memory]
            .into_iter()
            .fold(0.0, f64::max)
    }
}

/// Predicts `kernel` with `warps` resident on an SM, 1 or more.
///
/// # Errors
/// The kernel has no control-flow graph.
pub fn predict(kernel: &Kernel, machine: &Machine, warps: u16) -> Result<Prediction, CfgError> {
    let cfg = Cfg::new(kernel)?;
    let (mut stalls, mut busy) = (0.0, Busy::default());
    for (b, block) in kernel.blocks.iter().enumerate() {
        let times = cfg.weight(BlockId(b as u32)) as f64;
        stalls += times * annotate(block, machine).cycles as f64;
        for inst in &block.insts {
            busy.count(&inst.op, machine, times);
        }
    }
    let busy_cycles = busy.most(machine);
    Ok(Prediction {
        stall_cycles: stalls,
        busy_cycles,
        cycles_per_warp: stalls / f64::from(warps.max(1)) + busy_cycles,
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
    fn more_warps_hide_stalls_and_no_number_hides_work() {
        let kernel = kernel("    ld.global.b32 r1, [r0];\n    add.u32 r1, r1, r1;\n");
        assert!(cycles(&kernel, 48) < cycles(&kernel, 24));
        let machine = Machine::preset("gtx480").unwrap();
        let busy = predict(&kernel, &machine, 48).unwrap().busy_cycles;
        assert!(busy > 0.0 && cycles(&kernel, 48) > busy);
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
