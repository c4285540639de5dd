//! Which values a machine file may have.

use super::{GpuMachine, Unit};
use crate::gpu::cache::{CacheShape, SetIndex};

/// Section, key, and what is wrong with the value.
pub type Problem = (&'static str, &'static str, String);

fn range(
    section: &'static str,
    key: &'static str,
    value: u64,
    low: u64,
    high: u64,
) -> Option<Problem> {
    let wrong = value < low || value > high;
    wrong.then(|| (section, key, format!("{value}; expected {low} to {high}")))
}

impl GpuMachine {
    pub(super) fn problem(&self) -> Option<Problem> {
        let unit = |key, unit: Unit| {
            range("units", key, unit.latency.into(), 1, 500)
                .or_else(|| range("units", key, unit.interval.into(), 1, unit.latency.into()))
                .or_else(|| range("units", key, unit.width.into(), 0, 8))
                .or_else(|| range("units", key, unit.count.into(), 0, 8))
        };
        let cache = |section, cache: &CacheShape| {
            range(section, "sets", cache.sets.into(), 1, 4096)
                .or_else(|| range(section, "ways", cache.ways.into(), 1, 4096))
                .or_else(|| range(section, "mshrs", cache.mshrs.into(), 1, 4096))
                .or_else(|| range(section, "merges", cache.merges.into(), 1, 256))
                .or_else(|| range(section, "miss_queue", cache.miss_queue.into(), 1, 256))
                .or_else(|| {
                    let wrong = !cache.sets.is_power_of_two()
                        || cache.set_index == SetIndex::Polynomial && cache.sets > 256;
                    wrong.then(|| {
                        (
                            section,
                            "sets",
                            format!(
                                "{}; expected a power of two, at most 256 with polynomial",
                                cache.sets
                            ),
                        )
                    })
                })
        };
        let (chip, limits, issue) = (&self.chip, &self.limits, &self.issue);
        let all = self.collectors.generic.units + self.collectors.sp.units;
        range("chip", "sms", chip.sms.into(), 1, 128)
            .or_else(|| range("chip", "core_khz", chip.core_khz, 1000, 10_000_000))
            .or_else(|| range("chip", "dram_khz", chip.dram_khz, 1000, 20_000_000))
            .or_else(|| range("limits", "warps", limits.warps.into(), 1, 64))
            .or_else(|| range("limits", "ctas", limits.ctas.into(), 1, 64))
            .or_else(|| {
                range(
                    "limits",
                    "register_granularity",
                    limits.register_granularity.into(),
                    1,
                    256,
                )
            })
            .or_else(|| range("issue", "schedulers", issue.schedulers.into(), 1, 4))
            .or_else(|| range("issue", "fetch_steps", issue.fetch_steps.into(), 1, 8))
            .or_else(|| range("collectors", "banks", self.collectors.banks.into(), 1, 32))
            .or_else(|| {
                range(
                    "collectors",
                    "read_steps",
                    self.collectors.read_steps.into(),
                    1,
                    4,
                )
            })
            .or_else(|| range("collectors", "generic", all.into(), 1, 32))
            .or_else(|| range("collectors", "sfu", self.collectors.sfu.units.into(), 0, 16))
            .or_else(|| range("collectors", "mem", self.collectors.mem.units.into(), 0, 16))
            .or_else(|| {
                let wrong = issue.subcores
                    && (!self.collectors.banks.is_multiple_of(issue.schedulers)
                        || !self
                            .collectors
                            .generic
                            .units
                            .is_multiple_of(issue.schedulers));
                wrong.then(|| {
                    (
                        "collectors",
                        "banks",
                        "banks and generic units must divide among the sub-cores".to_owned(),
                    )
                })
            })
            .or_else(|| unit("sp", self.units.sp))
            .or_else(|| unit("dp", self.units.dp))
            .or_else(|| unit("int", self.units.int))
            .or_else(|| unit("sfu", self.units.sfu))
            .or_else(|| unit("branch", self.units.branch))
            .or_else(|| unit("texture", self.units.texture))
            .or_else(|| unit("tensor", self.units.tensor))
            .or_else(|| unit("uniform", self.units.uniform))
            .or_else(|| {
                range(
                    "units",
                    "writeback_width",
                    self.units.writeback_width.into(),
                    1,
                    16,
                )
            })
            .or_else(|| range("scratchpad", "banks", self.scratchpad.banks.into(), 1, 32))
            .or_else(|| {
                range(
                    "scratchpad",
                    "latency",
                    self.scratchpad.latency.into(),
                    1,
                    500,
                )
            })
            .or_else(|| range("l1", "latency", self.l1.latency.into(), 1, 500))
            .or_else(|| range("l1", "banks", self.l1.banks.into(), 1, 8))
            .or_else(|| cache("l1.cache", &self.l1.cache))
            .or_else(|| {
                self.icache
                    .as_ref()
                    .and_then(|icache| cache("icache", icache))
            })
            .or_else(|| range("l2", "channels", self.l2.channels.into(), 1, 64))
            .or_else(|| {
                range(
                    "l2",
                    "slices_per_channel",
                    u64::from(self.l2.slices_per_channel * self.l2.channels),
                    1,
                    128,
                )
            })
            .or_else(|| range("l2", "queue", self.l2.queue.into(), 4, 1024))
            .or_else(|| cache("l2.cache", &self.l2.cache))
            .or_else(|| range("dram", "cl", self.dram.cl.into(), 1, 1000))
            .or_else(|| range("dram", "wl", self.dram.wl.into(), 1, 1000))
            .or_else(|| range("dram", "burst_bytes", self.dram.burst_bytes.into(), 16, 256))
            .or_else(|| range("dram", "banks", self.dram.banks.into(), 1, 64))
            .or_else(|| {
                let wrong = !self.dram.banks.is_power_of_two()
                    || !self.dram.bank_groups.is_power_of_two()
                    || self.dram.bank_groups > self.dram.banks;
                wrong.then(|| {
                    (
                        "dram",
                        "bank_groups",
                        "banks and groups must be powers of two, no more groups than banks"
                            .to_owned(),
                    )
                })
            })
            .or_else(|| {
                let wrong = 1u64 << self.addresses.bank_bits.len() != u64::from(self.dram.banks);
                wrong.then(|| {
                    (
                        "addresses",
                        "bank_bits",
                        format!(
                            "{} bits for {} banks",
                            self.addresses.bank_bits.len(),
                            self.dram.banks
                        ),
                    )
                })
            })
    }
}
