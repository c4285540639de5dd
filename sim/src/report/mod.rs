//! The one documented schema in which results leave the program (`--json`, see `docs/json.md`). Every number of a
//! printed table or of the HTML report is in it.

pub mod energy;
pub mod traffic;

use crate::kernel::ptx::Files;
use crate::observe::counters::{Counters, IssueSlots};
use crate::observe::stalls::StallTable;
use regshare_hw::manager::RenamingCounts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name and version of the schema; changes when a field changes its meaning or goes away.
pub const SCHEMA: &str = "regshare-run/2";

/// Results of one invocation: several kernels under several schemes on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// Name of the machine.
    pub machine: String,
    /// One record per kernel and scheme, kernels outermost.
    pub runs: Vec<RunRecord>,
    /// Of all schemes, if all were asked for, those under which a kernel cannot be launched on this machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedRecord>,
    /// Where several schemes were asked for, those under which a kernel did not come to its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<RefusedRecord>,
}

/// A kernel that cannot be launched under a scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRecord {
    /// Kernel name.
    pub kernel: String,
    /// Scheme name.
    pub scheme: String,
    /// Why.
    pub reason: String,
}

/// One kernel under one scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Kernel name.
    pub kernel: String,
    /// Scheme name.
    pub scheme: String,
    /// What the scheme made of the kernel, or which of its candidates it took, in words; absent where it had no choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Warp scheduler: `gto`, `lrr`, `oldest`, or `owf` where the register hardware chooses.
    pub scheduler: String,
    /// Which implementation of the register hardware ran (`model`, `rtl`, `lockstep`, `verilog`).
    pub backend: String,
    /// Registers of the kernel.
    pub registers: Registers,
    /// What fits on the SM.
    pub occupancy: OccupancyRecord,
    /// Storage that the scheme adds to an SM, bits.
    pub storage_bits: u64,
    /// SMs that ran the kernel together. Counters, slots, register stacks, energy and what renaming did are sums over them.
    #[serde(default = "one_sm", skip_serializing_if = "is_one_sm")]
    pub sms: u16,
    /// SM cycles from the first launch to the last retirement.
    pub cycles: u64,
    /// Warp instructions issued, acquire and release included.
    pub warp_insts: u64,
    /// `warp_insts / cycles`.
    pub ipc: f64,
    /// Cycles of the first scheme of the same kernel divided by these.
    pub speedup: f64,
    /// Acquire statistics; absent where the scheme acquires nothing.
    pub acquire: Option<AcquireRecord>,
    /// What renaming did; absent where registers are not renamed.
    pub renaming: Option<RenamingRecord>,
    /// Register stacks; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacks: Option<StackRecord>,
    /// Energy of the register file.
    pub energy: energy::EnergyRecord,
    /// Scheduler slots by cause; they sum to cycles x schedulers x SMs.
    pub slots: BTreeMap<String, u64>,
    /// Slots in which no warp was ready (idle cycles of resource sharing, VI-B, per scheduler).
    pub idle_slots: u64,
    /// Slots in which a warp was ready and the pipeline took nothing (its stall cycles, likewise).
    pub stall_slots: u64,
    /// Scheduler slots by instruction and by warp, where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<StallRecord>,
    /// What the SMs share behind their first-level caches; absent where each has a share of the bandwidth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chip: Option<ChipRecord>,
    /// Accesses to the first-level cache, and instructions by kind.
    pub traffic: traffic::TrafficRecord,
    /// All counters, over all SMs.
    pub counters: Counters,
    /// What was checked: `correct` (CPU reference or launch-file checks), `unchecked`, or the mismatch.
    pub result: String,
    /// FNV-1a of the final memory image, hexadecimal.
    pub memory_digest: String,
}

fn one_sm() -> u16 {
    1
}

fn is_one_sm(sms: &u16) -> bool {
    *sms == 1
}

/// Second level and memory of a chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChipRecord {
    /// Name of the chip.
    pub name: String,
    /// Accesses to the second level: sectors where its lines have any, else lines.
    pub l2_accesses: u64,
    /// Those whose sector or line was not there, nor on its way.
    pub l2_misses: u64,
    /// Those for whom it was on its way.
    pub l2_pending_hits: u64,
    /// Bytes that the memory channels moved, both ways.
    pub dram_bytes: u64,
    /// Bursts in which they moved them.
    pub dram_bursts: u64,
    /// Rows that they activated.
    pub dram_activations: u64,
}

/// Registers of a kernel under a scheme, per thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registers {
    /// Architected 32-bit registers.
    pub per_thread: u16,
    /// The same, rounded up to the machine's allocation granularity.
    pub rounded: u16,
    /// |Bs|, the private ones of resource sharing, or those outside the stack of CARS; equal to `rounded` under the others.
    pub base: u16,
    /// |Es|; 0 where nothing is shared.
    pub extended: u16,
    /// Predicate registers.
    pub predicates: u16,
    /// Bytes spilled to local memory.
    pub spilled_bytes: u32,
}

/// Register stacks of CARS: what was planned, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackRecord {
    /// Registers of a warp outside of its stack.
    pub kernel_regs: u16,
    /// Low-watermark: registers of a warp with room for one call of the largest function (CARS III-B).
    pub low: u32,
    /// High-watermark: the same for the deepest chain of calls; of recursion for one iteration.
    pub high: u32,
    /// Whether a function can call itself.
    pub is_recursive: bool,
    /// Packs of a stack at each level, the lowest first.
    pub capacities: Vec<u16>,
    /// Whether the level was chosen while the kernel ran.
    pub is_adaptive: bool,
    /// The level with which CTAs began, if it was the best of earlier launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<u8>,
    /// CTAs that ran at each level.
    pub ctas_at_level: Vec<u64>,
    /// The level whose CTAs took least; absent if it was not chosen, or nothing was measured.
    pub best_level: Option<u8>,
    /// How often a warp found no registers.
    pub stalls: u64,
    /// How often a warp gave its registers up at a barrier.
    pub context_switches: u64,
}

/// What fits on the SM at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OccupancyRecord {
    /// Resident CTAs.
    pub ctas: u32,
    /// Resident warps.
    pub warps: u32,
    /// Resident warps over the machine's warp slots, 0 ..= 1.
    pub fraction: f64,
    /// The resource that allows no more.
    pub limited_by: String,
    /// Sections of the shared register pool (RegMutex), shared sets (paired), pairs of warps that share registers or of CTAs
    /// that share scratchpad; 0 where nothing is shared.
    pub sections: u32,
    /// Scratchpad of a CTA, bytes.
    pub scratchpad_bytes: u32,
    /// Of these, how many a CTA that shares scratchpad has for itself; all of them where scratchpad is not shared.
    pub private_scratchpad_bytes: u32,
}

/// Registers renamed, and the words of release flags (RFV).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RenamingRecord {
    /// Packs that the register file of an SM keeps.
    pub packs: u32,
    /// Packs in use, mean over all cycles and SMs.
    pub mean_packs: f64,
    /// Most packs in use at once, on one SM.
    pub peak_packs: u64,
    /// Sub-arrays with power, mean over all cycles and SMs, of 16.
    pub mean_powered: f64,
    /// pir words in the program.
    pub static_pirs: u64,
    /// pbr words in the program.
    pub static_pbrs: u64,
    /// Both over the instructions without them (RFV, Figure 13).
    pub static_increase: f64,
    /// Words decoded over the warp instructions issued (Figure 13).
    pub dynamic_increase: f64,
    /// What the hardware counted, over all SMs; packs and their peak are of one.
    pub counts: RenamingCounts,
}

/// Scheduler slots by instruction and by warp; each list sums to cycles x schedulers x SMs, cause by cause to `slots`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StallRecord {
    /// By instruction, in the order of the program; last, without `pc`, what has no instruction.
    pub by_pc: Vec<PcSlots>,
    /// By warp slot; last, without `warp`, what has no warp. Of several SMs, the same slots of all together.
    pub by_warp: Vec<WarpSlots>,
    /// By SM, of a replay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_sm: Vec<SmSlots>,
}

/// Slots of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PcSlots {
    /// Its index in the program; of a replay its address, bytes.
    pub pc: Option<u64>,
    /// The file of its source line, where several were linked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its source line, from 1; 0 where there is none.
    pub line: u32,
    /// The text of that line.
    pub source: String,
    /// The instruction in the text form.
    pub instruction: String,
    /// Whether the compiler put it in.
    pub inserted: bool,
    /// By cause, without those that have no slot.
    pub slots: BTreeMap<String, u64>,
}

/// Slots of a warp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarpSlots {
    /// Its slot in the SM.
    pub warp: Option<usize>,
    /// By cause, without those that have no slot.
    pub slots: BTreeMap<String, u64>,
}

/// Slots of an SM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmSlots {
    /// Its number.
    pub sm: usize,
    /// By cause, without those that have no slot.
    pub slots: BTreeMap<String, u64>,
}

/// Slots by the names of their causes, without those that have none.
pub fn counted(slots: &IssueSlots) -> BTreeMap<String, u64> {
    let named = slots.named().into_iter().filter(|&(_, slots)| slots > 0);
    named
        .map(|(name, slots)| (name.to_owned(), slots))
        .collect()
}

impl StallRecord {
    /// The record of a table; `source` is the text that the program's lines are lines of, and that `files` make up.
    pub fn new(table: &StallTable, source: &str, files: &Files) -> Self {
        let lines: Vec<&str> = source.lines().collect();
        let of_pc =
            (table.insts.iter().zip(&table.by_pc).enumerate()).map(|(pc, (inst, slots))| {
                let line = (inst.line.0 as usize).checked_sub(1);
                let place = files.place(inst.line);
                PcSlots {
                    pc: Some(pc as u64),
                    file: place.map(|(file, _)| file.to_string()),
                    line: place.map_or(inst.line, |(_, line)| line).0,
                    source: line
                        .and_then(|at| lines.get(at))
                        .map_or("", |s| s.trim())
                        .to_owned(),
                    instruction: inst.text.clone(),
                    inserted: inst.inserted,
                    slots: counted(slots),
                }
            });
        let no_pc = PcSlots {
            pc: None,
            file: None,
            line: 0,
            source: String::new(),
            instruction: String::new(),
            inserted: false,
            slots: counted(&table.without_pc),
        };
        let of_warp = (table.by_warp.iter().enumerate()).map(|(warp, slots)| WarpSlots {
            warp: Some(warp),
            slots: counted(slots),
        });
        let no_warp = WarpSlots {
            warp: None,
            slots: counted(&table.without_warp),
        };
        StallRecord {
            by_pc: of_pc.chain([no_pc]).collect(),
            by_warp: of_warp.chain([no_warp]).collect(),
            by_sm: Vec::new(),
        }
    }
}

/// How acquires went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcquireRecord {
    /// Acquire instructions executed.
    pub executed: u64,
    /// Granted at the first attempt.
    pub first_try: u64,
    /// Attempts in all.
    pub attempts: u64,
    /// Warp-cycles spent waiting.
    pub wait_cycles: u64,
    /// `first_try / executed` (RegMutex, Figures 11b and 13), 0 ..= 1; 1 when none was executed.
    pub success: f64,
}
