//! Traces of kernels in Accel-Sim's text format.
//!
//! A trace folder holds a list of commands (`kernelslist.g`) and one text per kernel launch (`kernel-N.traceg`, plain or
//! packed as xz or Zstandard). [`read_list`] reads the list, [`KernelReader`] a kernel, one CTA at a time.

pub mod barrier;
pub mod check;
pub mod error;
pub mod export;
pub mod lift;
pub mod opcode;
pub mod operands;
pub mod read;
pub mod record;

pub use error::{TraceError, TraceErrorKind};
pub use opcode::{Generation, UnknownOpcodes};
pub use read::{KernelReader, ReadOptions, read_list};
