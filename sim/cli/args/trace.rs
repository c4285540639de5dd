//! Arguments of `regshare trace` and `regshare validate`.

use super::{KernelArgs, MachineArgs, RecordArgs, SchemeArgs, StallsBy};
use clap::{Args, Subcommand};
use regshare_sim::machine::SchedulerPolicy;
use regshare_sim::trace::export::CTA_INSTS;
use std::path::PathBuf;

/// The subcommands of `trace`.
#[derive(Subcommand)]
pub enum TraceCommand {
    /// Read traces to their end and say what is in them.
    Check(TraceCheckArgs),
    /// Run a kernel without timing and write what its warps execute as a trace folder.
    Export(TraceExportArgs),
    /// Replay traces on a whole GPU: SMs, interconnect, second-level cache, memory.
    Run(TraceRunArgs),
}

/// Arguments of `trace run`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare trace run traces/kernelslist.g                     every kernel of the list, one after another, on a QV100
  regshare trace run kernel-1.traceg -m rtx3070 --sms 1 --channels 2 --scheduler gto
  regshare trace run kernel-1.traceg --timeline t.json --watch-sm 3")]
pub struct TraceRunArgs {
    /// Kernel traces (`.traceg`, plain or packed as xz or zstd) or lists of them (`.g`).
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Machine: one of `regshare list machines`, or a TOML file (docs/replay.md).
    #[arg(long, short, default_value = "qv100")]
    pub machine: String,
    /// Only so many SMs; addresses are then spread over the channels by their bits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=128))]
    pub sms: Option<u32>,
    /// Only so many memory channels; addresses are then spread over them by their bits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub channels: Option<u32>,
    /// Warp scheduler: `gto`, `lrr`, `oldest` or `two-level:N`. The machine's own if not given.
    #[arg(long)]
    pub scheduler: Option<SchedulerPolicy>,
    /// Threads that share the SMs and memory channels; the result is the same for any number.
    #[arg(long, value_name = "N", default_value_t = std::num::NonZeroUsize::MIN)]
    pub threads: std::num::NonZeroUsize,
    /// Print a second table: where the scheduler slots went, by cause.
    #[arg(long)]
    pub stalls: bool,
    /// Print for each kernel where its scheduler slots went, by instruction or by warp (docs/see-inside.md); `--json` has both.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub stalls_by: Option<StallsBy>,
    /// Stop a kernel after this many cycles.
    #[arg(long, value_name = "CYCLES")]
    pub cycle_limit: Option<u64>,
    /// Write all numbers as JSON (docs/replay.md); `-` for standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The SM that timeline and waveform show, from 0 on; the first, which gets the first CTA, if not given.
    #[arg(long, value_name = "N")]
    pub watch_sm: Option<usize>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub record: RecordArgs,
    /// What passes.
    #[command(flatten)]
    pub read: TraceReadArgs,
}

/// Arguments of `validate`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare validate ../shared/peer/cycles.json --traces ../shared/traces
  regshare validate ../shared/peer/cycles.json --traces ../shared/traces --config QV100-1sm --group micro --all")]
pub struct ValidateArgs {
    /// The peer's cycles (JSON); the generators of its traces lie beside it.
    #[arg(value_name = "FILE")]
    pub reference: PathBuf,
    /// Folder of the real traces.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub traces: PathBuf,
    /// Only this configuration of the file.
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,
    /// Only this group of the file: `micro`, `synth` or `real`.
    #[arg(long, value_name = "NAME")]
    pub group: Option<String>,
    /// Runs at a time, each on a thread of its own; one per processor if not given.
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
    /// List every kernel and slope, not only those that are off.
    #[arg(long)]
    pub all: bool,
    /// Draw our cycles over the peer's (SVG); `-` for standard output, in place of the tables.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write all numbers as JSON (docs/replay.md); `-` for standard output, in place of the tables.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `trace export`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare trace export histogram --out histogram-trace                     a bundled kernel
  regshare trace export own.ptx --launch own.toml --out own-trace --lines   an own kernel, with source lines
  regshare trace export main.ptx --link functions.ptx --launch main.toml --out linked-trace   a program of several files
  regshare trace export matmul --scheme regdem --out demoted                                  the kernel that a scheme runs")]
pub struct TraceExportArgs {
    /// A bundled kernel (see `regshare list kernels`), or the path of a PTX or text file.
    #[arg(value_name = "KERNEL")]
    pub source: String,
    /// More PTX files, to be linked with KERNEL; once for each.
    #[arg(long, value_name = "FILE", requires = "launch")]
    pub link: Vec<String>,
    /// The kernel's launch and registers.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Write what the kernel executes under this scheme (see `regshare list schemes`) on the machine: with demoted or spilled registers,
    /// calls, acquires and releases. If not given, as it was compiled, for which no machine is asked.
    #[arg(long, short)]
    pub scheme: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub schemes: SchemeArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: MachineArgs,
    /// Folder for `kernelslist.g` and `kernel-1.traceg`.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Name the line of the source in each line of the trace; of linked files, counted through all of them in their order.
    #[arg(long)]
    pub lines: bool,
    /// Stop when a CTA has run so many warp instructions: they are in memory until it ends.
    #[arg(long, value_name = "N", default_value_t = CTA_INSTS)]
    pub cta_instructions: std::num::NonZeroU64,
}

/// Arguments of `trace check`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare trace check traces/kernelslist.g                       every kernel of the list
  regshare trace check kernel-1.traceg.xz --unknown-opcode alu    what the hardware does not know counts as alu")]
pub struct TraceCheckArgs {
    /// Kernel traces (`.traceg`, plain or packed as xz or zstd) or lists of them (`.g`).
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What passes.
    #[command(flatten)]
    pub read: TraceReadArgs,
}

/// What a reader of traces lets pass.
#[derive(Args, Clone)]
pub struct TraceReadArgs {
    /// Class of opcodes that the hardware of the trace does not know; NAME is without modifiers. May be repeated.
    #[arg(long, value_name = "CLASS|NAME=CLASS")]
    pub unknown_opcode: Vec<String>,
    /// Let registers beyond those that the trace declares pass.
    #[arg(long)]
    pub undeclared_registers: bool,
}
