//! Arguments of `run`.

use super::{KernelArgs, MachineArgs, RecordArgs, SchemeArgs, TraceReadArgs};
use clap::{Args, ValueEnum};
use regshare_sim::machine::SchedulerPolicy;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Implementation of the register hardware.
#[derive(Clone, Copy, ValueEnum)]
pub enum BackendArg {
    /// The plain Rust models.
    Model,
    /// The rust-hdl blocks.
    Rtl,
    /// Both, compared in every cycle.
    Lockstep,
    /// The exported Verilog, if the program was built with `--features verilog`.
    Verilog,
}

/// What a stall table lists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StallsBy {
    /// Instructions, beside their source lines.
    Pc,
    /// Warp slots of the SM.
    Warp,
}

/// Arguments of `run`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare run matmul                               baseline against regmutex on one SM of a gtx480
  regshare run all --scheme all --json runs.json    every kernel and scheme; all numbers as JSON
  regshare run k.ptx --launch k.toml                a kernel of your own (docs/start.md)
  regshare run matmul --sms 4                       one launch on four SMs
  regshare run matmul --machine gtx480-half --es 4  half the register file, |Es| by hand
  regshare run bfs --scheme regmutex --wave b.vcd --wave-window 0:500
                                                    then: gtkwave b.gtkw

The table goes to standard output, progress and speed to standard error.")]
pub struct RunArgs {
    /// Bundled kernel names, or PTX or text files, or traces (docs/traces.md): `kernelslist.g` for all of a folder; `all` for every
    /// bundled kernel.
    #[arg(required = true, value_name = "KERNEL")]
    pub kernels: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub kernel: KernelArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub read: TraceReadArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: MachineArgs,
    /// Schemes, comma separated (see `regshare list schemes`), also with a compiler pass or a scheduler: `regdem+NAME`, `NAME+owf`.
    /// Or `all`, without those two: for kernels that call functions with what keeps the calls. The first that can be launched is
    /// what speed-up is measured against.
    #[arg(
        long,
        short,
        value_delimiter = ',',
        default_value = "baseline,regmutex"
    )]
    pub scheme: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub schemes: SchemeArgs,
    /// Which implementation of the register hardware runs.
    #[arg(long, value_enum, default_value = "model")]
    pub backend: BackendArg,
    /// Warp scheduler: `gto` (greedy, then oldest), `lrr` (loose round robin), `oldest`, or `two-level:N` (loose round robin among
    /// N warps, 6 if not given, that do not wait for memory). The machine's own if not given. `shared-*` and
    /// `*+owf` keep their own.
    #[arg(long)]
    pub scheduler: Option<SchedulerPolicy>,
    /// Print a second table: where the scheduler slots went, by cause.
    #[arg(long)]
    pub stalls: bool,
    /// Print for each run where its scheduler slots went, by instruction or by warp (docs/see-inside.md); `--json` has both.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub stalls_by: Option<StallsBy>,
    /// Print another table, of the schemes that rename registers: packs in use, cycles lost, words of release flags.
    #[arg(long)]
    pub renaming: bool,
    /// Print another table: energy of the register file by what uses it (RFV, Figure 12).
    #[arg(long)]
    pub energy: bool,
    /// Launch each kernel so many times, each time with its memory as at first: what the hardware remembers of a launch counts in
    /// the next (CARS: the best size of stacks).
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..))]
    pub launches: u8,
    /// SMs that run the launch together, 1 up to those of the machine (docs/sm.md). Waveforms and timelines show the first.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub sms: u16,
    /// What lies behind the first-level caches: `share`, for each SM a share of the bandwidth behind a fixed latency; `chip`, interconnect,
    /// second level and memory channels of the machine's chip, for all SMs together; or those of another chip, named as in
    /// `trace run -m` or by its file (docs/sm.md).
    #[arg(long, value_name = "WHAT", default_value = "share")]
    pub memory: String,
    /// Stop a run after this many cycles, as failed.
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u64).range(1..))]
    pub cycle_limit: Option<u64>,
    /// Write the results as JSON (docs/json.md); `-` for standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// With --json: accesses to the first-level cache over time, in spans of so many cycles (docs/json.md).
    #[arg(long, value_name = "CYCLES", requires = "json")]
    pub l1_span: Option<NonZeroU64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub record: RecordArgs,
}
