//! The chip, and an SM up to its scratchpad.

use super::{Checked, Section};
use crate::gpu::machine::{GpuMachine, Unit};

impl GpuMachine {
    pub(super) fn check_sm(&self) -> Checked {
        self.check_chip()?;
        self.check_limits()?;
        let at = Section("issue");
        at.range("schedulers", self.issue.schedulers, 1..=4)?;
        at.range("fetch_steps", self.issue.fetch_steps, 1..=8)?;
        self.check_collectors()?;
        self.check_units()?;
        let at = Section("scratchpad");
        at.range("banks", self.scratchpad.banks, 1..=32)?;
        at.range("latency", self.scratchpad.latency, 1..=500)
    }

    fn check_chip(&self) -> Checked {
        Section("").demand(!self.name.trim().is_empty(), "name", || {
            format!(
                "\"{}\"; expected at least one letter or digit: tables and JSON name the machine by it",
                self.name
            )
        })?;
        let (chip, at) = (&self.chip, Section("chip"));
        at.range("sms", chip.sms, 1..=128)?;
        at.range("core_khz", chip.core_khz, 1000..=10_000_000)?;
        at.range("dram_khz", chip.dram_khz, 1000..=20_000_000)?;
        at.range("launch_latency", chip.launch_latency, 0..=1_000_000_000)
    }

    fn check_limits(&self) -> Checked {
        let (limits, at) = (&self.limits, Section("limits"));
        at.range("warps", limits.warps, 1..=64)?;
        at.range("ctas", limits.ctas, 1..=64)?;
        let threads = limits.threads;
        at.range("threads", threads, 32..=2048)?;
        at.demand(threads.is_multiple_of(32), "threads", || {
            format!("{threads}; expected a multiple of 32: a warp has 32 lanes")
        })?;
        let lanes = limits.warps * 32;
        at.demand(threads <= lanes, "threads", || {
            format!(
                "{threads} threads do not fit in {} warp slots of 32 lanes; expected at most {lanes}",
                limits.warps
            )
        })?;
        at.range("registers", limits.registers, 1..=1 << 24)?;
        let granularity = limits.register_granularity;
        at.range("register_granularity", granularity, 1..=256)?;
        at.range("scratchpad_bytes", limits.scratchpad_bytes, 0..=1 << 24)
    }

    fn check_collectors(&self) -> Checked {
        let (shape, at) = (&self.collectors, Section("collectors"));
        at.range("banks", shape.banks, 1..=32)?;
        at.range("read_steps", shape.read_steps, 1..=4)?;
        // Branches, textures and matrix products have no collectors but these.
        let others = "most classes of instructions have no other collectors";
        at.part("generic", "units", shape.generic.units, 1..=32, others)?;
        let pools = [
            ("generic", shape.generic, 32),
            ("sp", shape.sp, 32 - u64::from(shape.generic.units)),
            ("sfu", shape.sfu, 16),
            ("mem", shape.mem, 16),
        ];
        for (key, pool, most) in pools {
            let why = "generic and sp together have at most 32, sfu and mem 16 each";
            at.part(key, "units", pool.units, 0..=most, why)?;
            match pool.units {
                0 => at.part(
                    key,
                    "ports",
                    pool.ports,
                    0..=0,
                    "there are no units behind them",
                )?,
                _ => {
                    let why = "instructions that enter, and that leave, per step";
                    at.part(key, "ports", pool.ports, 1..=32, why)?;
                }
            }
        }
        if !self.issue.subcores {
            return Ok(());
        }
        let cores = self.issue.schedulers;
        at.demand(shape.banks.is_multiple_of(cores), "banks", || {
            format!(
                "{}; expected a multiple of {cores}: they divide among the sub-cores",
                shape.banks
            )
        })?;
        for (key, pool, _) in pools {
            at.demand(pool.units.is_multiple_of(cores), key, || {
                format!(
                    "units = {}; expected a multiple of {cores}: they divide among the sub-cores",
                    pool.units
                )
            })?;
        }
        Ok(())
    }

    fn check_units(&self) -> Checked {
        let (units, at) = (&self.units, Section("units"));
        for (key, unit, replaced) in [
            ("sp", units.sp, false),
            ("dp", units.dp, true),
            ("int", units.int, true),
            ("sfu", units.sfu, false),
            ("branch", units.branch, false),
            ("texture", units.texture, false),
            ("tensor", units.tensor, false),
            ("uniform", units.uniform, false),
        ] {
            let why = "the longest that the model follows an instruction";
            at.part(key, "latency", unit.latency, 1..=500, why)?;
            let why = "it lies within the latency";
            at.part(key, "interval", unit.interval, 1..=unit.latency.into(), why)?;
            match (unit.count, replaced) {
                // Another class does its work, so its latches are never used.
                (0, true) => at.part(key, "width", unit.width, 0..=8, "no unit has more")?,
                _ => self.check_unit(key, unit)?,
            }
        }
        let why = "an SM has one load/store unit";
        at.part("mem", "count", units.mem.count, 1..=1, why)?;
        self.check_width("mem", units.mem)?;
        at.range("writeback_width", units.writeback_width, 1..=16)
    }

    fn check_unit(&self, key: &'static str, unit: Unit) -> Checked {
        let cores = u64::from(self.issue.schedulers);
        // With sub-cores, the n-th unit is that of scheduler n.
        let (allowed, why) = match self.issue.subcores {
            true => (cores..=cores, "each sub-core has one of its own"),
            false => (1..=8, "without one, its instructions wait for ever"),
        };
        Section("units").part(key, "count", unit.count, allowed, why)?;
        self.check_width(key, unit)
    }

    fn check_width(&self, key: &'static str, unit: Unit) -> Checked {
        let cores = u64::from(self.issue.schedulers);
        let (allowed, why) = match self.issue.subcores {
            true => (cores..=cores, "each sub-core has one of its own"),
            false => (1..=8, "with 0, no instruction gets to the collectors"),
        };
        Section("units").part(key, "width", unit.width, allowed, why)
    }
}
