//! Kernels, compiler passes and the cycle-level streaming multiprocessor of `regshare`.

pub mod bundled;
pub mod compiler;
pub mod flow;
pub mod gpu;
pub mod kernel;
pub mod launch;
pub mod machine;
pub mod memory;
pub mod observe;
pub mod report;
pub mod scheme;
pub mod sm;
#[doc(hidden)]
pub mod testing;
pub mod trace;
