//! The way of a kernel: read, optimise, allocate registers, plan, run, check. The command line, the tests and the
//! generated tables all go this way.

mod compile;
mod compose;
mod error;
mod execute;
mod forever;
mod options;
mod plan;
mod prepare;
mod profile;
mod schemes;
mod source;
mod too_deep;
mod traced;
mod workload;

pub use compile::{Compiled, compile, compile_calls, compile_kernel, used};
pub use error::FlowError;
pub use execute::{Ran, Setup, execute, execute_prepared, relate};
pub use options::{SchemeOption, UnusedOption};
pub use plan::{alternatives, compiled_for, cta_shape, for_scheme, plan};
pub use prepare::{Prepared, prepare};
pub use profile::{CallProfile, profile};
pub use schemes::{
    CALL_SCHEMES, OWF_SCHEMES, SCHEMES, SchemeError, TEAM_SCHEMES, all_schemes, cta_throttle,
    demote, es_size, flag_cache, percent, resident, scheme, shrink, wake_up, watermark,
};
pub use source::{KernelSource, read_kernel, read_only_kernel};
pub use traced::{TraceFile, is_list, is_trace};
pub use workload::{Verdict, Workload};
