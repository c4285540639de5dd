//! What a run did to the first-level cache, and of what its instructions were: the data of CARS, Figures 8 to 14 and Table III.

use crate::observe::bandwidth::{Bandwidth, Lines};
use crate::observe::counters::Counters;
use serde::{Deserialize, Serialize};

/// Bytes of a pack: 32 lanes of 4.
const PACK_BYTES: u64 = 128;

/// Accesses to the first-level cache and instructions of a run. An access is a line of a warp instruction; those of atomics,
/// which go past the cache, are among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrafficRecord {
    /// All accesses.
    pub l1_accesses: u64,
    /// Lines fetched per 1000 warp instructions (Figure 12).
    pub misses_per_1000_insts: f64,
    /// Warp instructions by kind (Figure 13).
    pub insts: InstRecord,
    /// What calls did to it; absent where no functions are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallTraffic>,
    /// Accesses over time (Figure 11), where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_time: Option<TimeRecord>,
}

/// Warp instructions by what executes them; they sum to those issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstRecord {
    /// By the load/store unit, accesses to scratchpad and constants among them.
    pub memory: u64,
    /// By arithmetic and special function units.
    pub arithmetic: u64,
    /// At issue: branches, barriers, calls, pushes.
    pub at_issue: u64,
}

/// Accesses by kind (Figure 9), and what saving registers costs a call (Table III).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallTraffic {
    /// To global memory.
    pub global: u64,
    /// That save and restore registers: by functions, or by the handler of traps and of context switches.
    pub spill_fill: u64,
    /// To other data in local memory.
    pub other_local: u64,
    /// Bytes that a warp saves and restores per call, 128 for each register.
    pub spill_fill_bytes_per_call: f64,
    /// Calls and pushes that found no room, per call.
    pub traps_per_call: f64,
}

/// Accesses by span of cycles from cycle 0 on, over all SMs. Spans after the last access are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeRecord {
    /// Cycles of a span.
    pub span_cycles: u64,
    /// To global memory.
    pub global: Vec<u64>,
    /// That save and restore registers.
    pub spill_fill: Vec<u64>,
    /// To other data in local memory.
    pub other_local: Vec<u64>,
}

impl TrafficRecord {
    /// Of a run with those counters.
    pub fn new(c: &Counters) -> Self {
        let memory = &c.memory;
        let arithmetic = c.sp_instructions + c.sfu_instructions;
        let l1_accesses = memory.l1_loads + memory.l1_stores + memory.atomic_accesses;
        let calls = (c.calls.calls > 0).then(|| CallTraffic {
            global: l1_accesses - c.calls.local_accesses,
            spill_fill: c.calls.spill_fill_accesses,
            other_local: c.calls.local_accesses - c.calls.spill_fill_accesses,
            spill_fill_bytes_per_call: ratio(
                PACK_BYTES * c.calls.spill_fill_accesses,
                c.calls.calls,
            ),
            traps_per_call: ratio(c.calls.traps, c.calls.calls),
        });
        TrafficRecord {
            l1_accesses,
            misses_per_1000_insts: ratio(1000 * memory.l1_misses, c.warp_instructions),
            insts: InstRecord {
                memory: c.ldst_instructions,
                arithmetic,
                at_issue: c.warp_instructions - arithmetic - c.ldst_instructions,
            },
            calls,
            over_time: None,
        }
    }
}

impl TimeRecord {
    /// Of what was watched.
    pub fn new(bandwidth: &Bandwidth) -> Self {
        let lines = |of: fn(&Lines) -> u64| bandwidth.lines.iter().map(of).collect();
        TimeRecord {
            span_cycles: bandwidth.span.get(),
            global: lines(|l| l.global),
            spill_fill: lines(|l| l.spill_fill),
            other_local: lines(|l| l.other_local),
        }
    }
}

/// 0 of nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
