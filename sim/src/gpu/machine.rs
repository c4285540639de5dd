//! A whole GPU as the replay of traces sees it, read from TOML. Every field is required and unknown ones are refused.

mod check;

use super::address::AddressMap;
use super::cache::CacheShape;
use super::dram::DramShape;
use crate::machine::{MachineError, SchedulerPolicy};
use serde::{Deserialize, Serialize};

/// A whole GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuMachine {
    /// Name, as tables and JSON print it: not blank.
    pub name: String,
    /// SMs, clocks, launch.
    pub chip: Chip,
    /// What one SM can hold.
    pub limits: GpuLimits,
    /// Fetch and issue.
    pub issue: Issue,
    /// Operand collectors and register banks.
    pub collectors: CollectorShape,
    /// Execution units.
    pub units: Units,
    /// Scratchpad.
    pub scratchpad: ScratchpadShape,
    /// First-level data cache.
    pub l1: L1Shape,
    /// First-level instruction cache; absent: every fetch hits.
    pub icache: Option<CacheShape>,
    /// Interconnect.
    pub interconnect: Interconnect,
    /// Second-level cache.
    pub l2: L2Shape,
    /// Where addresses lie.
    pub addresses: AddressMap,
    /// Memory channels.
    pub dram: DramShape,
}

/// SMs, clocks, launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    /// Streaming multiprocessors, 1 ..= 128.
    pub sms: u32,
    /// Clock of SMs, interconnect and second level, kHz, 1000 ..= 10,000,000. Cycles are those of this clock unless said otherwise.
    pub core_khz: u64,
    /// Command clock of the memory channels, kHz, 1000 ..= 20,000,000.
    pub dram_khz: u64,
    /// Cycles before the first CTA of a kernel is launched, 0 ..= 1,000,000,000; they are not part of the kernel's cycles.
    pub launch_latency: u64,
}

/// What one SM can hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuLimits {
    /// Warp slots, 1 ..= 64.
    pub warps: u32,
    /// CTA slots, 1 ..= 64.
    pub ctas: u32,
    /// Resident threads, a multiple of 32, 32 ..= 2048, at most 32 for each warp slot.
    pub threads: u32,
    /// 32-bit registers, 1 ..= 2^24.
    pub registers: u32,
    /// Registers of a thread are rounded up to a multiple of so many, 1 ..= 256.
    pub register_granularity: u32,
    /// Scratchpad, bytes, 0 ..= 2^24.
    pub scratchpad_bytes: u32,
}

/// Fetch and issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// Schedulers of an SM, 1 ..= 4; warp slot w belongs to scheduler w modulo this.
    pub schedulers: u32,
    /// How they choose: `gto`, `lrr`, `oldest` or `two-level:N`.
    pub policy: SchedulerPolicy,
    /// Each scheduler has collectors, register banks and units of its own: then banks and collector units are multiples of
    /// `schedulers`, and there are as many units of each class, and as wide.
    pub subcores: bool,
    /// Times per cycle that decode and fetch, two instructions each, take a turn, 1 ..= 8.
    pub fetch_steps: u32,
}

/// Operand collectors and register banks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectorShape {
    /// Units that take any instruction, of all schedulers together, 1 ..= 32; with those of `sp` at most 32.
    pub generic: Pool,
    /// Units for single precision and integers, 0 ..= 31.
    pub sp: Pool,
    /// Units for special functions, 0 ..= 16.
    pub sfu: Pool,
    /// Units for memory, 0 ..= 16.
    pub mem: Pool,
    /// Register banks of an SM, 1 ..= 32.
    pub banks: u32,
    /// Times per cycle that operands are read, 1 ..= 4.
    pub read_steps: u32,
}

/// Some collector units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Units; how many there can be each pool says.
    pub units: u32,
    /// Instructions that enter, and that leave, per step: 1 ..= 32, or 0 without units.
    pub ports: u32,
}

/// Units of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// How many, 1 ..= 8, or with sub-cores one for each. 0 only of `int` and `dp`: another class does their work (single
    /// precision, special functions).
    pub count: u32,
    /// Instructions between issue and collector, and between collector and unit: 1 ..= 8, or with sub-cores one for each;
    /// 0 ..= 8 if there is no unit.
    pub width: u32,
    /// Cycles in the unit, 1 ..= 500 (of `mem` of no effect).
    pub latency: u32,
    /// Cycles before the unit takes the next instruction, 1 ..= latency (of `mem` of no effect).
    pub interval: u32,
}

/// Execution units of an SM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// Single precision.
    pub sp: Unit,
    /// Double precision.
    pub dp: Unit,
    /// Integers.
    pub int: Unit,
    /// Special functions.
    pub sfu: Unit,
    /// Branches and convergence.
    pub branch: Unit,
    /// Textures.
    pub texture: Unit,
    /// Matrix products.
    pub tensor: Unit,
    /// The uniform datapath.
    pub uniform: Unit,
    /// Loads and stores: one unit.
    pub mem: Unit,
    /// Results that reach the register file per cycle, 1 ..= 16.
    pub writeback_width: u32,
}

/// Scratchpad.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadShape {
    /// Banks of 4 bytes, 1 ..= 32.
    pub banks: u32,
    /// Cycles of a load without conflict, 1 ..= 500; each further word of a bank takes one more.
    pub latency: u32,
}

/// First-level data cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1Shape {
    /// Cycles of a hit, 1 ..= 500.
    pub latency: u32,
    /// Banks, interleaved by 32 bytes, 1 ..= 8.
    pub banks: u32,
    /// A warp's access is split into sectors of 32 bytes; if not, into lines, or into sectors where it goes past the cache.
    pub splits_sectors: bool,
    /// Bytes that cache and scratchpad have together, at most 2^25: the largest scratchpad and a way of the cache at least. 0: the
    /// cache has its shape's size.
    pub unified_bytes: u32,
    /// Sizes of scratchpad that can be carved out of them, bytes, ascending; the largest holds `limits.scratchpad_bytes` and
    /// leaves a way of the cache. Empty if `unified_bytes` is 0.
    pub carve_outs: Vec<u32>,
    /// The cache.
    pub cache: CacheShape,
}

/// Interconnect: a crossbar each way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interconnect {
    /// Packets that an input can hold, 1 ..= 65,536.
    pub input_packets: u32,
    /// Packets that an output can hold, 1 ..= 65,536.
    pub output_packets: u32,
    /// Packets that wait at an SM, 1 ..= 65,536.
    pub sm_packets: u32,
}

/// Second-level cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Shape {
    /// Memory channels, 1 ..= 64.
    pub channels: u32,
    /// Slices of a channel, a power of two, 1 ..= 64; at most one for each bank of the channel, and 128 in all.
    pub slices_per_channel: u32,
    /// Cycles from the interconnect to the slice, 0 ..= 10,000.
    pub latency: u32,
    /// Requests in each queue to and from interconnect and memory, 4 ..= 1024.
    pub queue: u32,
    /// Cycles from the slice to the memory scheduler, 0 ..= 10,000.
    pub dram_latency: u32,
    /// Bytes that a slice reads or fills per cycle, 1 ..= 128.
    pub port_bytes: u32,
    /// The cache of a slice.
    pub cache: CacheShape,
}

impl L2Shape {
    /// How many answers a request for a whole line has: one per sector, if it has sectors.
    pub fn parts_of_line(&self) -> u32 {
        if self.cache.sectored { 4 } else { 1 }
    }
}

/// Name and text of each bundled machine file.
const PRESETS: &[(&str, &str)] = &[
    ("qv100", include_str!("../../machines/replay/qv100.toml")),
    (
        "rtx3070",
        include_str!("../../machines/replay/rtx3070.toml"),
    ),
    ("gtx480", include_str!("../../machines/replay/gtx480.toml")),
    (
        "gtx480-half",
        include_str!("../../machines/replay/gtx480-half.toml"),
    ),
    (
        "fermi14",
        include_str!("../../machines/replay/fermi14.toml"),
    ),
    (
        "fermi16",
        include_str!("../../machines/replay/fermi16.toml"),
    ),
    ("v100", include_str!("../../machines/replay/v100.toml")),
];

impl GpuMachine {
    /// The bundled machine of that name.
    ///
    /// # Errors
    /// [`MachineError::UnknownPreset`] lists the names that exist.
    pub fn preset(name: &str) -> Result<GpuMachine, MachineError> {
        let (_, text) = PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .ok_or_else(|| MachineError::UnknownPreset {
                name: name.to_owned(),
                known: GpuMachine::preset_names().collect::<Vec<_>>().join(", "),
            })?;
        GpuMachine::from_toml(text, &format!("sim/machines/replay/{name}.toml"))
    }

    /// Names of the bundled machines.
    pub fn preset_names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// Reads and validates a machine file. `path` only names the place in errors.
    ///
    /// # Errors
    /// [`MachineError::Syntax`] when the text is not such a file, [`MachineError::Range`] when a value makes no sense.
    pub fn from_toml(text: &str, path: &str) -> Result<GpuMachine, MachineError> {
        let machine: GpuMachine =
            toml::from_str(text).map_err(|cause| MachineError::syntax(text, path, &cause))?;
        match machine.problem() {
            None => Ok(machine),
            Some((section, key, problem)) => {
                Err(MachineError::range(text, path, section, key, problem))
            }
        }
    }

    /// One SM and `channels` memory channels, addresses spread by their bits: a part of the chip with the same SM.
    pub fn cut(&self, sms: u32, channels: u32) -> GpuMachine {
        let mut machine = self.clone();
        machine.chip.sms = sms;
        machine.l2.channels = channels;
        machine.addresses.spread = super::address::Spread::Bits;
        machine
    }

    /// CTAs of a kernel that an SM holds at once, and bytes of scratchpad that are carved out for them.
    pub fn occupancy(&self, header: &crate::trace::record::Header) -> Result<(u32, u32), TooLarge> {
        let limits = &self.limits;
        let warps = header.warps_per_cta();
        let regs =
            u32::from(header.regs).next_multiple_of(limits.register_granularity) * warps * 32;
        let scratchpad = header.scratchpad_bytes;
        let each = [
            ("warps", limits.warps / warps, warps, limits.warps),
            (
                "threads",
                limits.threads / (warps * 32),
                warps * 32,
                limits.threads,
            ),
            (
                "registers",
                limits.registers.checked_div(regs).unwrap_or(u32::MAX),
                regs,
                limits.registers,
            ),
            (
                "bytes of scratchpad",
                limits
                    .scratchpad_bytes
                    .checked_div(scratchpad)
                    .unwrap_or(u32::MAX),
                scratchpad,
                limits.scratchpad_bytes,
            ),
            ("CTA slots", limits.ctas, 1, limits.ctas),
        ];
        if let Some(&(resource, _, needed, available)) = each.iter().find(|entry| entry.1 == 0) {
            return Err(TooLarge {
                resource,
                needed,
                available,
            });
        }
        let fits = each.iter().map(|entry| entry.1).min().unwrap_or(1);
        // A small grid spreads over the SMs.
        let share = header.ctas().div_ceil(self.chip.sms.into());
        let ctas = fits.min(u32::try_from(share).unwrap_or(u32::MAX)).max(1);
        let wanted = scratchpad * ctas;
        let carved = (self.l1.carve_outs.iter().copied()).find(|&bytes| bytes >= wanted);
        Ok((ctas, carved.unwrap_or(limits.scratchpad_bytes)))
    }
}

/// One CTA of a kernel needs more than an SM has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one CTA needs {needed} {resource}, an SM has {available}; take a larger machine")]
pub struct TooLarge {
    /// What runs out.
    pub resource: &'static str,
    /// Demand of one CTA.
    pub needed: u32,
    /// Supply of one SM.
    pub available: u32,
}
