//! Counters of a run. All backends give the same ones, to the last digit.

use super::cause::Cause;
use serde::{Deserialize, Serialize};

/// Where the issue slots went: one scheduler in one cycle is one slot, and has exactly one cause. If nothing
/// issues, the cause is that of the scheduler's warp that came furthest, in the order of these fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueSlots {
    /// An instruction issued.
    pub issued: u64,
    /// The register hardware refused the instruction proposed in this slot.
    pub refused: u64,
    /// Ready, but the renaming hardware was still taking in another instruction, or walked its table.
    #[serde(default)]
    pub renaming_busy: u64,
    /// Ready, but every operand collector unit of its kind holds an instruction that still lacks operands.
    pub collector_full: u64,
    /// Ready, but the execution unit, and with it the collectors, are busy.
    pub unit_busy: u64,
    /// Ready, but the load/store unit waits for an MSHR or for room towards memory.
    pub memory_structural: u64,
    /// The next instruction waits for the result of a load or atomic.
    pub memory_data: u64,
    /// The next instruction waits for another result, for an operand to be read, or for earlier accesses (fence).
    pub scoreboard: u64,
    /// Refused before, and nothing was freed since; or kept from memory in this cycle by dynamic warp execution.
    pub acquire_wait: u64,
    /// Waits at a barrier.
    pub barrier: u64,
    /// The instruction buffer is empty.
    pub fetch: u64,
    /// All warps have ended, but not all of their memory accesses.
    pub draining: u64,
    /// The scheduler has no warp.
    pub no_warp: u64,
}

impl IssueSlots {
    /// All slots: cycles x schedulers x SMs.
    pub fn total(&self) -> u64 {
        self.named().iter().map(|(_, slots)| slots).sum()
    }

    /// No warp is ready to execute (the idle cycles of resource sharing, VI-B, per scheduler): each waits for a result, at a
    /// barrier, for instructions or for the register hardware, or there is none.
    pub fn idle(&self) -> u64 {
        self.refused
            + self.memory_data
            + self.scoreboard
            + self.acquire_wait
            + self.barrier
            + self.fetch
            + self.draining
            + self.no_warp
    }

    /// A warp is ready, but the pipeline takes no instruction (its stall cycles, likewise).
    pub fn stalled(&self) -> u64 {
        self.renaming_busy + self.collector_full + self.unit_busy + self.memory_structural
    }

    /// Adds other slots.
    pub fn add(&mut self, other: &IssueSlots) {
        for cause in Cause::ALL {
            self[cause] += other[cause];
        }
    }

    /// The causes in order, with the names that tables show.
    pub fn named(&self) -> [(&'static str, u64); 13] {
        [
            ("issued", self.issued),
            ("refused", self.refused),
            ("renaming busy", self.renaming_busy),
            ("collector full", self.collector_full),
            ("unit busy", self.unit_busy),
            ("memory structural", self.memory_structural),
            ("memory data", self.memory_data),
            ("scoreboard", self.scoreboard),
            ("acquire wait", self.acquire_wait),
            ("barrier", self.barrier),
            ("fetch", self.fetch),
            ("draining", self.draining),
            ("no warp", self.no_warp),
        ]
    }
}

/// Extended sets asked for and given (RegMutex III-A3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcquireCounters {
    /// Acquire instructions that issued.
    pub executed: u64,
    /// Of these, granted when first tried.
    pub first_try: u64,
    /// Proposals to the register hardware, refused ones included.
    pub attempts: u64,
    /// Cycles from the first refusal to the grant, over all acquires.
    pub wait_cycles: u64,
    /// Release instructions that issued.
    pub released: u64,
}

impl AcquireCounters {
    /// Share of acquires granted when first tried, 0 ..= 1; `None` without acquires.
    pub fn success(&self) -> Option<f64> {
        (self.executed > 0).then(|| self.first_try as f64 / self.executed as f64)
    }
}

/// Register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterCounters {
    /// Packs read.
    pub reads: u64,
    /// Packs written.
    pub writes: u64,
    /// Cycles that read requests waited because their bank served another one.
    pub bank_conflict_cycles: u64,
    /// Reads of a register that its warp had never written; they give 0.
    pub uninitialised_reads: u64,
    /// Reads of a register that its warp had written before it gave its extended set back, but not since; they
    /// give 0. Only a program that does not use the value may do this.
    pub reads_after_release: u64,
}

/// Calls, and register stacks (CARS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallCounters {
    /// Calls, by warps.
    pub calls: u64,
    /// Calls that ended: with the return of their last lanes, or with an `exit` of those that were left.
    pub returns: u64,
    /// Most calls of a warp that had not returned.
    pub deepest: u64,
    /// Registers pushed.
    pub pushes: u64,
    /// Registers popped.
    pub pops: u64,
    /// Calls and pushes that found no room.
    pub traps: u64,
    /// Returns whose caller had packs in memory.
    pub fill_traps: u64,
    /// Packs that a full stack saved in local memory.
    pub spilled_packs: u64,
    /// Packs that came back from there.
    pub filled_packs: u64,
    /// Warps that gave their registers up at a barrier.
    pub context_switches: u64,
    /// Packs that they saved and filled.
    pub context_switch_packs: u64,
    /// Accesses to the first-level cache (lines, as elsewhere) to save and restore registers, by functions or by traps.
    pub spill_fill_accesses: u64,
    /// All accesses of it to local memory.
    pub local_accesses: u64,
}

/// Scratchpad, cache and memory. An access is one line of one warp instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryCounters {
    /// Scratchpad instructions.
    pub scratchpad_accesses: u64,
    /// Cycles that scratchpad instructions took beyond the first.
    pub scratchpad_conflict_cycles: u64,
    /// Parameter and constant loads.
    pub constant_accesses: u64,
    /// Load accesses to the first-level cache.
    pub l1_loads: u64,
    /// Of these, the line was there.
    pub l1_hits: u64,
    /// Of these, the line was on its way.
    pub l1_pending_hits: u64,
    /// Of these, the line had to be fetched.
    pub l1_misses: u64,
    /// Store accesses, written through.
    pub l1_stores: u64,
    /// Atomic accesses, which pass the cache by.
    pub atomic_accesses: u64,
    /// Bytes fetched.
    pub bytes_read: u64,
    /// Bytes written through, with those of atomics.
    pub bytes_written: u64,
}

/// Adds the fields of another one, each to its own.
macro_rules! add_fields {
    ($sum:expr, $other:expr, $($field:ident)*) => { $($sum.$field += $other.$field;)* };
}

/// All counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// SM cycles from the first CTA launch to the end of the last.
    pub cycles: u64,
    /// Warp instructions issued, acquire and release with them.
    pub warp_instructions: u64,
    /// Of all lanes that these instructions acted in.
    pub thread_instructions: u64,
    /// Arithmetic warp instructions.
    pub sp_instructions: u64,
    /// Warp instructions on the special function unit, double precision with them.
    pub sfu_instructions: u64,
    /// Warp instructions on the load/store unit.
    pub ldst_instructions: u64,
    /// Branches.
    pub branches: u64,
    /// Branches at which lanes parted.
    pub divergent_branches: u64,
    /// Barrier instructions.
    pub barriers: u64,
    /// CTAs run.
    pub ctas: u64,
    /// Most warps resident at once; of several SMs, on one.
    pub peak_warps: u64,
    /// Sum over all cycles of the resident warps: divided by `cycles`, the achieved occupancy in warps, of all SMs together.
    pub resident_warp_cycles: u64,
    /// Issue slots by cause.
    pub slots: IssueSlots,
    /// Extended sets.
    pub acquire: AcquireCounters,
    /// Register file.
    pub registers: RegisterCounters,
    /// Scratchpad, cache and memory.
    pub memory: MemoryCounters,
    /// Calls; all 0 where there are none, and then not in JSON.
    #[serde(default, skip_serializing_if = "CallCounters::is_nothing")]
    pub calls: CallCounters,
}

impl CallCounters {
    fn is_nothing(&self) -> bool {
        *self == CallCounters::default()
    }
}

impl Counters {
    /// Adds those of another SM that ran CTAs of the same launch: sums, but for `cycles`, which they have in common, and the most of
    /// something at once, which is the larger of both.
    pub fn add(&mut self, other: &Counters) {
        let Counters {
            cycles: _,
            peak_warps,
            slots,
            acquire,
            registers,
            memory,
            calls,
            ..
        } = other;
        add_fields!(self, other,
            warp_instructions thread_instructions sp_instructions sfu_instructions ldst_instructions
            branches divergent_branches barriers ctas resident_warp_cycles);
        self.peak_warps = self.peak_warps.max(*peak_warps);
        self.slots.add(slots);
        add_fields!(self.acquire, acquire, executed first_try attempts wait_cycles released);
        add_fields!(self.registers, registers,
            reads writes bank_conflict_cycles uninitialised_reads reads_after_release);
        add_fields!(self.memory, memory,
            scratchpad_accesses scratchpad_conflict_cycles constant_accesses l1_loads l1_hits l1_pending_hits l1_misses
            l1_stores atomic_accesses bytes_read bytes_written);
        add_fields!(self.calls, calls,
            calls returns pushes pops traps fill_traps spilled_packs filled_packs context_switches context_switch_packs
            spill_fill_accesses local_accesses);
        self.calls.deepest = self.calls.deepest.max(calls.deepest);
    }

    /// Warp instructions per cycle, of all SMs together.
    pub fn ipc(&self) -> f64 {
        self.warp_instructions as f64 / self.cycles.max(1) as f64
    }

    /// Warps resident on average, of all SMs together.
    pub fn mean_warps(&self) -> f64 {
        self.resident_warp_cycles as f64 / self.cycles.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_over_sms_forgets_no_counter() {
        // Every field of the JSON is doubled but the cycles, which are common, and two maxima.
        let mut number = 0;
        let mut fill = |value: &mut serde_json::Value| {
            let mut stack = vec![value];
            while let Some(value) = stack.pop() {
                match value {
                    serde_json::Value::Object(fields) => stack.extend(fields.values_mut()),
                    other => {
                        number += 1;
                        *other = number.into();
                    }
                }
            }
        };
        let one = Counters {
            calls: CallCounters {
                calls: 1,
                ..CallCounters::default()
            },
            ..Counters::default()
        };
        let mut json = serde_json::to_value(one).unwrap();
        fill(&mut json);
        let one: Counters = serde_json::from_value(json).unwrap();
        let mut sum = one;
        sum.add(&one);
        let expected = Counters {
            cycles: 2 * one.cycles,
            peak_warps: 2 * one.peak_warps,
            calls: CallCounters {
                deepest: 2 * one.calls.deepest,
                ..sum.calls
            },
            ..sum
        };
        let mut pairs = vec![(
            serde_json::to_value(one).unwrap(),
            serde_json::to_value(expected).unwrap(),
        )];
        while let Some((one, two)) = pairs.pop() {
            match (one, two) {
                (serde_json::Value::Object(one), serde_json::Value::Object(two)) => {
                    pairs.extend(
                        one.into_iter()
                            .map(|(_, v)| v)
                            .zip(two.into_iter().map(|(_, v)| v)),
                    );
                }
                (one, two) => assert_eq!(one.as_u64().map(|n| 2 * n), two.as_u64()),
            }
        }
        assert_eq!((sum.cycles, sum.peak_warps), (one.cycles, one.peak_warps));
        assert_eq!(sum.calls.deepest, one.calls.deepest);
    }

    #[test]
    fn every_slot_is_issued_idle_or_stalled() {
        let slots = IssueSlots {
            issued: 1,
            refused: 2,
            collector_full: 4,
            unit_busy: 8,
            memory_structural: 16,
            memory_data: 32,
            scoreboard: 64,
            acquire_wait: 128,
            barrier: 256,
            fetch: 512,
            draining: 1024,
            no_warp: 2048,
            renaming_busy: 4096,
        };
        assert_eq!(slots.stalled(), 4096 + 4 + 8 + 16);
        assert_eq!(slots.issued + slots.idle() + slots.stalled(), slots.total());
    }
}
