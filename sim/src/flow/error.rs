//! What can go wrong between a file name and a result.

use crate::compiler::calls::CallError;
use crate::compiler::regalloc::AllocError;
use crate::kernel::interp::InterpError;
use crate::kernel::ptx::PtxError;
use crate::kernel::text::TextError;
use crate::launch::LaunchError;
use crate::memory::image::AllocationError;
use crate::scheme::Refusal;
use crate::sm::RunError;
use crate::trace::lift::LiftError;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// Why a kernel got no result.
#[derive(Debug, Error, Diagnostic)]
pub enum FlowError {
    /// No bundled kernel has this name, and there is no such file.
    #[error("there is no bundled kernel and no file `{name}`")]
    #[diagnostic(help("bundled kernels: {known}; or give the path of a PTX or text file"))]
    UnknownKernel {
        /// What was asked for.
        name: String,
        /// Names that exist.
        known: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    #[diagnostic(help(
        "check the path and its permissions; kernels and launch files are UTF-8 text"
    ))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A list of traces where one kernel is wanted.
    #[error("{} is a list of traces, and one kernel is wanted here", path.display())]
    #[diagnostic(help(
        "give one of the traces that it names, such as {example}; `regshare run` and `regshare trace` take the whole list"
    ))]
    TraceList {
        /// The list.
        path: PathBuf,
        /// A trace of it.
        example: String,
    },
    /// A kernel file without a launch file.
    #[error("{} needs a launch file", path.display())]
    #[diagnostic(help(
        "give --launch FILE: a TOML file with kernel name, grid, block and arguments"
    ))]
    NoLaunch {
        /// The kernel file.
        path: PathBuf,
    },
    /// A kernel file from which a launch file would choose.
    #[error("{} has {}", path.display(), if names.is_empty() { "no kernel" } else { "several kernels" })]
    #[diagnostic(help("{}", if names.is_empty() {
        "give a file with a kernel: `.entry` in PTX".to_owned()
    } else {
        format!("give --launch FILE, which names one of {names}")
    }))]
    WhichKernel {
        /// The kernel file.
        path: PathBuf,
        /// The kernels in it.
        names: String,
    },
    /// The PTX text is at fault.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Ptx(#[from] PtxError),
    /// Neither PTX nor the text form.
    #[error("{file}:{line}:1: this is not a kernel: expected PTX or the text form, found {found}")]
    #[diagnostic(help("PTX begins with `.version`, the text form with `.kernel`"))]
    NotAKernel {
        /// The file.
        file: String,
        /// Its first line with code, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// The text form is at fault.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Text(#[from] TextError),
    /// The trace is at fault, or cannot be lifted.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Lift(#[from] LiftError),
    /// A trace has its launch in it.
    #[error("{} is a trace, which says what it was launched with", path.display())]
    #[diagnostic(help("leave --launch out"))]
    TraceLaunch {
        /// The trace.
        path: PathBuf,
    },
    /// The launch file is at fault.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Launch(#[from] LaunchError),
    /// Buffers and module-level variables do not fit together.
    #[error("module-level variable: {0}")]
    #[diagnostic(help("rename the buffer or the variable, or make it smaller"))]
    Variable(#[from] AllocationError),
    /// The launch asks for a CTA that the kernel's performance directives exclude.
    #[error("{kernel} has `{directive} {}`, and the launch file `block = {block:?}`", list(*.limit))]
    #[diagnostic(help("change `block` in the launch file, or the directive in the PTX file"))]
    LaunchBounds {
        /// The kernel.
        kernel: String,
        /// `.reqntid` or `.maxntid`.
        directive: &'static str,
        /// Its threads along x, y, z.
        limit: [u32; 3],
        /// Those of the launch.
        block: [u32; 3],
    },
    /// Register allocation is impossible.
    #[error("{kernel}: {cause}")]
    #[diagnostic(help("raise or drop the cap on registers"))]
    Allocation {
        /// The kernel.
        kernel: String,
        /// Why.
        cause: AllocError,
    },
    /// Calls cannot be lowered.
    #[error("{kernel}: {cause}")]
    #[diagnostic(help("raise or drop the cap on registers"))]
    Calls {
        /// The kernel.
        kernel: String,
        /// Why.
        cause: Box<CallError>,
    },
    /// The scheme runs kernels whose calls are inlined, and these cannot be.
    #[error("{kernel} under {scheme}: its calls cannot be inlined: {cause}")]
    #[diagnostic(help("abi-spill keeps calls: --scheme abi-spill"))]
    NotInlined {
        /// The kernel.
        kernel: String,
        /// The scheme.
        scheme: String,
        /// Why.
        cause: Box<PtxError>,
    },
    /// The scheme refuses the kernel.
    #[error("{kernel} under {scheme}: {}", cause.under(scheme))]
    #[diagnostic(help(
        "choose another machine, scheme or option; `regshare occupancy` shows what fits"
    ))]
    Refused {
        /// The kernel.
        kernel: String,
        /// The scheme.
        scheme: String,
        /// Why.
        cause: Refusal,
    },
    /// No thread can be followed.
    #[error("{kernel}: {cause}")]
    #[diagnostic(help("give --thread the number of a thread in the grid, from 0"))]
    Thread {
        /// The kernel.
        kernel: String,
        /// Why.
        cause: Box<InterpError>,
    },
    /// A recursion needs more than a thread has, in a run under a scheme or in the one that counts calls.
    #[error("{kernel}{}: {cause}", scheme.as_ref().map_or_else(String::new, |scheme| format!(" under {scheme}")))]
    #[diagnostic(help("{advice}"))]
    TooDeep {
        /// The kernel.
        kernel: String,
        /// The scheme; `None`: it was the run that counts calls.
        scheme: Option<String>,
        /// Where, and what there is.
        cause: String,
        /// What to do.
        advice: String,
    },
    /// The run that counts calls failed.
    #[error("{kernel}: {cause}")]
    #[diagnostic(help(
        "CTAs run one after the other here; where one waits in a loop for another, `regshare run` may end all the same. \
         Else it stops there, too: look at the instruction and the arguments of the launch"
    ))]
    Profile {
        /// The kernel.
        kernel: String,
        /// Why.
        cause: Box<InterpError>,
    },
    /// The run failed.
    #[error("{kernel} under {scheme}: {cause}")]
    Run {
        /// The kernel.
        kernel: String,
        /// The scheme.
        scheme: String,
        /// Why.
        cause: Box<RunError>,
    },
}

/// Extents as PTX writes them.
fn list(extents: [u32; 3]) -> String {
    extents.map(|n| n.to_string()).join(", ")
}

impl FlowError {
    /// What is wrong, without kernel and scheme.
    pub fn cause(&self) -> String {
        match self {
            FlowError::Refused { scheme, cause, .. } => cause.under(scheme),
            FlowError::Run { cause, .. } => cause.to_string(),
            FlowError::TooDeep { cause, .. } => cause.clone(),
            FlowError::NotInlined { cause, .. } => {
                format!("its calls cannot be inlined: {cause}")
            }
            other => other.to_string(),
        }
    }

    /// Whether the run has not ended, after as many cycles as it was allowed or for ever.
    pub(super) fn is_endless(&self) -> bool {
        let FlowError::Run { cause, .. } = self else {
            return false;
        };
        let cause = match &**cause {
            RunError::OnSm { cause, .. } => cause,
            own => own,
        };
        matches!(
            cause,
            RunError::CycleLimit { .. }
                | RunError::Hang(_)
                | RunError::Livelock { .. }
                | RunError::WaitsForEver { .. }
        )
    }

    /// Whether the run failed (exit code 1), and not what the user gave (exit code 2). A launch that the SM cannot
    /// start is the user's, and so is a waveform that cannot be recorded.
    pub fn is_run_failure(&self) -> bool {
        match self {
            FlowError::Run { cause, .. } => {
                !matches!(**cause, RunError::Launch(_) | RunError::Probe(_))
            }
            FlowError::TooDeep { .. } | FlowError::Profile { .. } => true,
            _ => false,
        }
    }
}
