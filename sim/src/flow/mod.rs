//! The way of a kernel: read, optimise, allocate registers, plan, run, check. The command line, the tests and the
//! generated tables all go this way.

mod bind;
mod compile;
mod error;
mod execute;
mod workload;

pub use bind::BindError;
pub use compile::{Compiled, compile};
pub use error::FlowError;
pub use execute::{Setup, execute};
pub use workload::{Verdict, Workload};
