//! Launch files: how a kernel is started, on what data, and what has to come out.
//!
//! ```
//! use regshare_sim::launch::LaunchSpec;
//!
//! let text = r#"
//! kernel = "saxpy"            # entry name in the PTX file
//! grid = [4, 1, 1]            # CTAs in x, y, z
//! block = [256, 1, 1]         # threads of a CTA in x, y, z; at most 1024 together
//! dynamic_scratchpad = 0      # bytes per CTA; may be left out
//!
//! [[arg]]                     # the arguments in order: a scalar ...
//! type = "f32"
//! value = 2.5
//!
//! [[arg]]                     # ... or a buffer, of which the kernel gets the address
//! buffer = "x"
//! type = "f32"
//! length = 1024               # elements
//! contents = { random = { seed = 7, min = -1.0, max = 1.0 } }
//!
//! [[arg]]
//! buffer = "y"
//! type = "f32"
//! length = 1024
//! contents = "iota"
//!
//! [[arg]]                     # the same buffer again
//! buffer = "x"
//!
//! [[check]]                   # afterwards: compare with a buffer or a file; without abs and rel to the bit
//! buffer = "x"
//! equals_buffer = "y"         # or: npy = "expected.npy"
//! abs = 1.0e-3
//! rel = 1.0e-3
//!
//! [[save]]
//! buffer = "y"
//! npy = "out.npy"
//! shape = [32, 32]            # may be left out: one dimension
//! "#;
//! let spec = LaunchSpec::parse(text, "saxpy.toml")?;
//! let launch = spec.prepare(std::path::Path::new("."))?;
//! assert_eq!(launch.params.len(), 4);
//! assert_eq!(launch.params[1].bytes, launch.params[3].bytes);
//! # Ok::<(), regshare_sim::launch::LaunchError>(())
//! ```
//!
//! With the kernel file at hand, [`PreparedLaunch::check_kernel_name`] sees whether it has the kernel and
//! [`PreparedLaunch::param_space`] checks and lays out its arguments.
//!
//! Types are `u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 f16 f32 f64`, as in PTX. File names are relative to the
//! folder of the launch file. Contents are `"zeros"` (also when left out), `"iota"`, `{ constant = 1.0 }`,
//! `{ iota = { start = 5, step = 2 } }`, `{ random = { seed = 7, min = 0, max = 9 } }`,
//! `{ running_sum = { seed = 7, min = 0, max = 9 } }` or `{ npy = "y.npy" }`. The rules for seeded data are in [`contents`]; they never change.

mod bind;
mod check;
pub mod contents;
mod element;
mod error;
mod npy;
mod parse;
mod prepare;
mod source;
mod spec;

pub use check::{CheckOutcome, CheckResult};
pub use element::{ElementType, Number};
pub use error::{LaunchError, LaunchErrorKind};
pub use npy::{read_npy, write_npy};
pub use prepare::{BufferInfo, ParamValue, PreparedLaunch};
pub use spec::{Argument, BufferSpec, CheckSpec, Contents, Expected, LaunchSpec, SaveSpec};

#[cfg(test)]
mod tests;
