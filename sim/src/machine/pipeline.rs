//! The pipeline of one SM and its memory: widths, latencies, initiation intervals.

use serde::{Deserialize, Serialize};

/// What is wrong with a field: its key and a sentence with the value found and the range expected.
pub type Problem = (&'static str, String);

/// Latency and initiation interval of a class of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Cycles in the unit, 1 ..= 1000.
    pub latency: u16,
    /// Cycles before the same unit takes the next instruction, 1 ..= latency.
    pub interval: u16,
}

fn one() -> u8 {
    1
}

/// Front end, register file and execution units of one SM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Instructions that a fetch brings, and entries of a warp's instruction buffer, 1 ..= 8.
    pub fetch_width: u8,
    /// Warps fetched per cycle, 1 ..= 4.
    pub fetches_per_cycle: u8,
    /// Register banks, 1 ..= 32, a power of two; pack `p` lies in bank `p mod banks`.
    pub register_banks: u8,
    /// Parts of the SM that have register banks of their own, a power of two, 1 ..= register_banks; 1 if left out. With n of
    /// them the packs of warp slot `s` lie in the banks of part `s mod n`, pack `p` in the `p mod (banks / n)`-th of those.
    #[serde(default = "one")]
    pub register_sub_cores: u8,
    /// Operand collector units for the SP units, 1 ..= 32.
    pub sp_collectors: u8,
    /// Operand collector units for the SFU, 1 ..= 32.
    pub sfu_collectors: u8,
    /// Operand collector units for the load/store unit, 1 ..= 32.
    pub ldst_collectors: u8,
    /// Arithmetic units that take a whole warp, 1 ..= 4; also the most SP instructions issued per cycle.
    pub sp_units: u8,
    /// Special function units, 1 ..= 4; also the most SFU instructions issued per cycle.
    pub sfu_units: u8,
    /// Instructions whose results are written per cycle, arithmetic and special function, 1 ..= 8.
    pub writeback_width: u8,
    /// Pipeline registers between operand read and write-back beside the units' latencies, cycles, 0 ..= 16.
    pub latch_cycles: u8,
    /// Integer add, logic, shift, compare, move, conversion.
    pub int_add: Timing,
    /// Integer minimum and maximum.
    pub int_max: Timing,
    /// Integer multiply.
    pub int_mul: Timing,
    /// Integer multiply-add.
    pub int_mad: Timing,
    /// Integer division and remainder.
    pub int_div: Timing,
    /// Single-precision add, compare, conversion.
    pub fp_add: Timing,
    /// Single-precision minimum and maximum.
    pub fp_max: Timing,
    /// Single-precision multiply.
    pub fp_mul: Timing,
    /// Single-precision multiply-add.
    pub fp_mad: Timing,
    /// Single-precision division, on the SFU.
    pub fp_div: Timing,
    /// Reciprocal, root, sine, logarithm and the like, on the SFU.
    pub sfu: Timing,
    /// Double-precision add, compare, conversion, on the SFU.
    pub dp_add: Timing,
    /// Double-precision minimum and maximum, on the SFU.
    pub dp_max: Timing,
    /// Double-precision multiply, on the SFU.
    pub dp_mul: Timing,
    /// Double-precision multiply-add, on the SFU.
    pub dp_mad: Timing,
    /// Double-precision division, reciprocal and root, on the SFU.
    pub dp_div: Timing,
    /// Shuffle and vote.
    pub shuffle: Timing,
}

/// Scratchpad, first-level cache and what lies behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryTiming {
    /// Scratchpad banks of 4 bytes, 1 ..= 32, a power of two.
    pub scratchpad_banks: u8,
    /// Cycles from the scratchpad to write-back, 1 ..= 1000.
    pub scratchpad_latency: u16,
    /// Cycles of a parameter or constant load, which always hits, 1 ..= 1000.
    pub constant_latency: u16,
    /// Sets of the first-level cache, 1 ..= 4096, a power of two. Lines have 128 bytes.
    pub l1_sets: u16,
    /// Ways of the first-level cache, 1 ..= 256.
    pub l1_ways: u16,
    /// Cycles of a hit, 1 ..= 1000.
    pub l1_hit_latency: u16,
    /// Lines that can be on their way at once, 1 ..= 1024.
    pub l1_mshrs: u16,
    /// Accesses that can wait for one line, 1 ..= 64.
    pub l1_merges_per_mshr: u8,
    /// Cycles from a miss to the data without contention, 1 ..= 10000.
    pub miss_latency: u16,
    /// Bytes per SM cycle to and from memory, 1 ..= 1024.
    pub bytes_per_cycle: u16,
    /// Requests that memory holds before it refuses more, 1 ..= 4096.
    pub queue_entries: u16,
}

fn outside(key: &'static str, value: u64, low: u64, high: u64) -> Option<Problem> {
    let wrong = value < low || value > high;
    wrong.then(|| (key, format!("{value}; expected {low} to {high}")))
}

fn not_power_of_two(key: &'static str, value: u64) -> Option<Problem> {
    let wrong = !value.is_power_of_two();
    wrong.then(|| (key, format!("{value}; expected a power of two")))
}

impl Pipeline {
    /// The timings with their keys, in the order of the file.
    fn timings(&self) -> [(&'static str, Timing); 17] {
        [
            ("int_add", self.int_add),
            ("int_max", self.int_max),
            ("int_mul", self.int_mul),
            ("int_mad", self.int_mad),
            ("int_div", self.int_div),
            ("fp_add", self.fp_add),
            ("fp_max", self.fp_max),
            ("fp_mul", self.fp_mul),
            ("fp_mad", self.fp_mad),
            ("fp_div", self.fp_div),
            ("sfu", self.sfu),
            ("dp_add", self.dp_add),
            ("dp_max", self.dp_max),
            ("dp_mul", self.dp_mul),
            ("dp_mad", self.dp_mad),
            ("dp_div", self.dp_div),
            ("shuffle", self.shuffle),
        ]
    }

    /// The first field out of range, with what is wrong and what was expected.
    pub fn problem(&self) -> Option<Problem> {
        [
            ("fetch_width", self.fetch_width, 1, 8),
            ("fetches_per_cycle", self.fetches_per_cycle, 1, 4),
            ("register_banks", self.register_banks, 1, 32),
            (
                "register_sub_cores",
                self.register_sub_cores,
                1,
                self.register_banks.into(),
            ),
            ("sp_collectors", self.sp_collectors, 1, 32),
            ("sfu_collectors", self.sfu_collectors, 1, 32),
            ("ldst_collectors", self.ldst_collectors, 1, 32),
            ("sp_units", self.sp_units, 1, 4),
            ("sfu_units", self.sfu_units, 1, 4),
            ("writeback_width", self.writeback_width, 1, 8),
            ("latch_cycles", self.latch_cycles, 0, 16),
        ]
        .into_iter()
        .find_map(|(key, value, low, high)| outside(key, value.into(), low, high))
        .or_else(|| not_power_of_two("register_banks", self.register_banks.into()))
        .or_else(|| not_power_of_two("register_sub_cores", self.register_sub_cores.into()))
        .or_else(|| {
            self.timings().into_iter().find_map(|(key, timing)| {
                outside(key, timing.latency.into(), 1, 1000)
                    .or_else(|| outside(key, timing.interval.into(), 1, timing.latency.into()))
            })
        })
    }
}

impl MemoryTiming {
    /// The first field out of range, with what is wrong and what was expected.
    pub fn problem(&self) -> Option<Problem> {
        [
            ("scratchpad_banks", u16::from(self.scratchpad_banks), 32),
            ("scratchpad_latency", self.scratchpad_latency, 1000),
            ("constant_latency", self.constant_latency, 1000),
            ("l1_sets", self.l1_sets, 4096),
            ("l1_ways", self.l1_ways, 256),
            ("l1_hit_latency", self.l1_hit_latency, 1000),
            ("l1_mshrs", self.l1_mshrs, 1024),
            ("l1_merges_per_mshr", u16::from(self.l1_merges_per_mshr), 64),
            ("miss_latency", self.miss_latency, 10_000),
            ("bytes_per_cycle", self.bytes_per_cycle, 1024),
            ("queue_entries", self.queue_entries, 4096),
        ]
        .into_iter()
        .find_map(|(key, value, high)| outside(key, value.into(), 1, high))
        .or_else(|| not_power_of_two("scratchpad_banks", self.scratchpad_banks.into()))
        .or_else(|| not_power_of_two("l1_sets", self.l1_sets.into()))
    }
}
