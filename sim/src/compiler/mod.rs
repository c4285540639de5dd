//! The compiler: from a kernel over virtual registers to one over architected registers, and the analyses that
//! the register-sharing schemes build on.
//!
//! Every result is a function of the kernel alone: no hash-map order, no randomness.

pub mod cfg;
pub mod dom;
pub mod draw;
pub mod liveness;
pub mod opt;
pub mod regalloc;
pub mod regmutex;
