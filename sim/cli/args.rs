//! The command line.

mod record;
mod run;
mod trace;

pub use record::RecordArgs;
pub use run::*;
pub use trace::*;

use clap::{Args, Parser, Subcommand, ValueEnum};
use regshare_sim::compiler::calls::RECURSION_STACK_BYTES;
use std::path::PathBuf;

/// GPU register sharing as hardware, compiler passes and a cycle-level model.
#[derive(Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Start with `regshare demo`: it runs a kernel under every scheme and leaves
report, waveform and Verilog in ./out. `regshare list kernels` names the bundled
kernels, `regshare run matmul` runs one.

Exit codes: 0 done, 1 the run failed (hang, divergence, wrong result), 2 bad input or usage."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a bundled kernel under every scheme; table, waveform, Verilog and report in ./out.
    Demo(DemoArgs),
    /// Run kernels under one or more schemes and compare.
    Run(RunArgs),
    /// Show what the compiler makes of a kernel.
    Compile(CompileArgs),
    /// Launch arithmetic: how many CTAs fit, what limits them, the choice of |Es|, the paper's tables.
    Occupancy(OccupancyArgs),
    /// Write the hardware as Verilog.
    Verilog(VerilogArgs),
    /// Storage bits beside the paper's formulas; cells and depth where Yosys is installed.
    Cost(CostArgs),
    /// Reproduce the papers' tables and figures on the bundled kernels.
    Repro(ReproArgs),
    /// Check traces of real kernels in Accel-Sim's format, run them on a whole GPU, or write one.
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Compare replayed traces with the cycles that a peer simulator reports.
    Validate(ValidateArgs),
    /// List machines, schemes, kernels or hardware units.
    List(ListArgs),
    /// Regenerate every generated file of the repository (`cargo bless`), or the Verilog and costs of some units.
    #[command(hide = true)]
    Bless(BlessArgs),
}

/// Arguments of `bless`.
#[derive(Args)]
pub struct BlessArgs {
    /// Units whose Verilog and costs are regenerated, and nothing else.
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Rewrite the snapshots of the tests, too.
    #[arg(long)]
    pub snapshots: bool,
}

/// Arguments of `demo`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare demo                           table, waveform, Verilog and report in ./out
  regshare demo --kernel matmul --out m   another kernel (`regshare list kernels`), another folder")]
pub struct DemoArgs {
    /// Bundled kernel to show.
    #[arg(long, default_value = crate::commands::demo::DEFAULT_KERNEL)]
    pub kernel: String,
    /// Folder for the results.
    #[arg(long, default_value = "out")]
    pub out: PathBuf,
}

/// Which machine.
#[derive(Args, Clone)]
pub struct MachineArgs {
    /// Machine: a preset (see `regshare list machines`) or a TOML file.
    #[arg(long, short, default_value = "gtx480")]
    pub machine: String,
}

/// Which kernel.
#[derive(Args, Clone)]
pub struct KernelArgs {
    /// Launch file (TOML) for a kernel that is not bundled.
    #[arg(long, value_name = "FILE")]
    pub launch: Option<PathBuf>,
    /// Cap on registers per thread; more are spilled to local memory.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(8..=255))]
    pub max_regs: Option<u16>,
}

/// What goes with single schemes. Each is refused where none of the schemes named uses it.
#[derive(Args, Clone)]
pub struct SchemeArgs {
    /// RegMutex: size of the extended set, `auto`, or an even number 2..12; `auto` if not given.
    #[arg(long, value_name = "auto|N")]
    pub es: Option<String>,
    /// RegMutex: policy for `--es auto` (see `regshare list schemes`).
    #[arg(long, value_name = "POLICY")]
    pub es_policy: Option<String>,
    /// Resource sharing: how many per cent of their registers or scratchpad two warps or CTAs share, 0..99; 90 if not given.
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub sharing: Option<String>,
    /// GPU-shrink and compiler-spill: by how many per cent the register file is smaller, 30, 40 or 50; 50 if not given.
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub shrink: Option<String>,
    /// RegDem: how many registers are demoted to scratchpad, 1..255; `auto` or not given: what the predictor picks.
    #[arg(long, value_name = "auto|N")]
    pub demote: Option<String>,
    /// Renaming: entries of the cache of release flags, 0, 1, 2, 5 or 10; 10 if not given. With 0 each warp decodes its flags.
    #[arg(long, value_name = "ENTRIES")]
    pub flag_cache: Option<String>,
    /// Renaming: clock cycles of its hardware in which a sleeping sub-array wakes, 1, 3 or 10; 0: none ever sleeps, only on the
    /// backend `model`; 1 if not given.
    #[arg(long, value_name = "CYCLES")]
    pub wake_up: Option<String>,
    /// Renaming: clock cycles of its hardware in a cycle of the SM, 1 or 2; one instruction goes through the table in each; 2 if
    /// not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub table_clocks: Option<u8>,
    /// Renaming: size of the renaming table, 1..65536 bytes. The longest-lived registers, which do not fit, are not renamed; all
    /// fit if not given.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub table_bytes: Option<u32>,
    /// Renaming: how many of the CTAs that the architected registers allow are resident: `all`, as many as `fit` whatever they
    /// map, N at most, or about as many as map nine tenths of the packs in the mean (`auto`); `auto` if not given.
    #[arg(long, value_name = "auto|all|fit|N")]
    pub resident: Option<String>,
    /// Renaming: who may issue when packs run short: a warp after which all CTAs can still end (`banker`), or by the paper's
    /// comparison of free packs with the smallest balance alone (`balance`); `banker` if not given.
    #[arg(long, value_name = "banker|balance")]
    pub cta_throttle: Option<String>,
    /// CARS: room on the register stack of a warp, `low`, `2xlow`, `3xlow`, ..., `high`; `adaptive` or not given: chosen while the
    /// kernel runs.
    #[arg(long, value_name = "WATERMARK")]
    pub watermark: Option<String>,
    /// CARS: issue and operand collector take no longer than without it; else a cycle each.
    #[arg(long)]
    pub no_extra_cycle: bool,
    /// Where calls are kept: bytes of local memory that a thread has for what functions save if they recurse, 16..524288; 1024 if
    /// not given. Under `cars`, for what does not fit on the register stack.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(16..=524_288))]
    pub stack_bytes: Option<u32>,
}

impl SchemeArgs {
    /// Bytes of stack where functions recurse.
    pub fn stack_bytes(&self) -> u32 {
        self.stack_bytes.unwrap_or(RECURSION_STACK_BYTES)
    }
}

/// What `compile` prints.
#[derive(Clone, Copy, ValueEnum)]
pub enum Emit {
    /// The kernel as the scheme runs it, in the text form.
    Kernel,
    /// The same with the six barriers that guard memory accesses, as RegDem's predictor sees them (RegDem 3.2).
    Barriers,
    /// Live registers against the code, and over what a thread executes (RegMutex, Figures 3 and 1).
    Liveness,
    /// The functions that the kernel calls: registers of each, watermarks of the register stack (CARS, Figure 4).
    Calls,
    /// What the scheme decided: |Es| candidates, occupancy, sections.
    Plan,
}

/// Arguments of `compile`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare compile matmul --emit plan            what RegMutex decided, and why
  regshare compile matmul --emit liveness        live registers, over the code and a thread's run
  regshare compile k.ptx --launch k.toml --emit liveness --thread 7 --svg k.svg
  regshare compile k.ptx --emit liveness         without a launch: before any scheme
  regshare compile gemm --scheme abi-spill --emit calls --svg gemm.svg     the call graph
  regshare compile matmul --scheme baseline --max-regs 24")]
pub struct CompileArgs {
    /// Bundled kernel name, or PTX or text file.
    #[arg(value_name = "KERNEL")]
    pub source: String,
    /// More PTX files, to be linked with KERNEL; once for each.
    #[arg(long, value_name = "FILE", requires = "launch")]
    pub link: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub kernel: KernelArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: MachineArgs,
    /// Scheme to compile for.
    #[arg(long, short, default_value = "regmutex")]
    pub scheme: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub schemes: SchemeArgs,
    /// What to print.
    #[arg(long, value_enum, default_value = "kernel")]
    pub emit: Emit,
    /// With `--emit liveness` or `--emit calls`: write the picture as SVG to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// With `--emit liveness`: the thread that the curve follows, its number in the grid; 0 if not given.
    #[arg(long, value_name = "N")]
    pub thread: Option<u64>,
}

/// Arguments of `occupancy`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare occupancy                                 every bundled kernel under every scheme
  regshare occupancy matmul --machine gtx480-half
  regshare occupancy --paper                         the RegMutex paper's tables and examples")]
pub struct OccupancyArgs {
    /// Bundled kernel name, or PTX or text file; every bundled kernel if not given.
    #[arg(value_name = "KERNEL")]
    pub source: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub kernel: KernelArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: MachineArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub schemes: SchemeArgs,
    /// Print the tables and worked examples of the papers, computed by this program.
    #[arg(long, conflicts_with_all = ["source", "KernelArgs", "MachineArgs", "SchemeArgs"])]
    pub paper: bool,
}

/// Arguments of `verilog`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare verilog --out v                           every unit, one self-contained folder each
  regshare verilog srp_allocator -P warps=64 --out v
  regshare verilog --check                           exit code 1 if a file in verilog-out is stale")]
pub struct VerilogArgs {
    /// Units (see `regshare list units`); all if none is given.
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Folder to write to.
    #[arg(long, default_value = "verilog-out")]
    pub out: PathBuf,
    /// Write nothing; fail if a file in the folder is stale, missing or unknown.
    #[arg(long)]
    pub check: bool,
    /// Only the parameter set in which this parameter has this value; may be repeated.
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    pub parameters: Vec<String>,
}

/// Arguments of `cost`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare cost                                      storage bits beside the papers' formulas
  regshare cost srp_allocator -P warps=48            of one unit in one size
  regshare cost --json cost.json")]
pub struct CostArgs {
    /// Units (see `regshare list units`); all if none is given.
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Only the parameter set in which this parameter has this value; may be repeated.
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    pub parameters: Vec<String>,
    /// Write the figures as JSON; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `repro`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare repro fig7                      RegMutex's Figure 7, on the bundled kernels
  regshare repro sharing                   the figures of resource sharing
  regshare repro regdem:transport          what RegDem makes of one kernel, all variants run
  regshare repro regdem:k.ptx --link more.ptx --launch k.toml        of one in files
  regshare repro cars --machine v100       CARS on its paper's machine
  regshare repro all --out figures         tables here, JSON and SVG in the folder")]
pub struct ReproArgs {
    /// Figures of the RegMutex paper: fig7 fig8 fig10 fig11 fig12 fig13, more sweeps over |Es|: sweep-half sweep-paired
    /// sweep-paired-half, owner warps first: owf, what limits the kernels: why; together `regmutex`. Of the resource sharing paper: sharing-fig8
    /// sharing-fig9 sharing-fig10 sharing-fig11 sharing-tables sharing-dyn; together `sharing`. RegDem's variants, all of them run, and the predictor's pick: `regdem`, or `regdem:KERNEL` (bundled, or a file with --launch). Of RFV: `rfv`, or `rfv:KERNEL`. Kernels with calls beside what CARS measured: `calls`; CARS itself: `cars`, and `cars-fig11:KERNEL` over time. Or `all`.
    #[arg(value_name = "TARGET", default_value = "all")]
    pub targets: Vec<String>,
    /// Machine of `regdem`, `cars`, `regdem:KERNEL` and `cars-fig11:KERNEL`: a preset or a TOML file. If not given: what the pages
    /// of results show, `maxwell` for `regdem:KERNEL`, `gtx480` for `cars-fig11:KERNEL`; of the other targets it is fixed.
    #[arg(long, short)]
    pub machine: Option<String>,
    /// Launch file (TOML) of the kernel in `regdem:KERNEL`.
    #[arg(long, value_name = "FILE")]
    pub launch: Option<PathBuf>,
    /// More PTX files, to be linked with that of `regdem:FILE`; once for each.
    #[arg(long, value_name = "FILE", requires = "launch")]
    pub link: Vec<String>,
    /// Folder for the data (JSON) and figures (SVG); nothing is written if not given.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print Markdown tables.
    #[arg(long)]
    pub markdown: bool,
}

/// What `list` lists.
#[derive(Clone, Copy, ValueEnum)]
pub enum Listing {
    /// Machine presets.
    Machines,
    /// Register-sharing schemes and |Es| policies.
    Schemes,
    /// Bundled kernels.
    Kernels,
    /// Hardware units and their parameter sets.
    Units,
}

/// Arguments of `list`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  regshare list kernels                              names for `run`, `compile` and `demo`
  regshare list machines                             names for --machine")]
pub struct ListArgs {
    /// What to list.
    #[arg(value_enum)]
    pub what: Listing,
}
