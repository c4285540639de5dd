#![doc = include_str!("README.md")]

mod adapter;
pub mod model;
mod pins;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;
mod system;

pub use adapter::AnyRtl;
pub use pins::{RegisterManagerIn, RegisterManagerOut};
pub use system::{System, UnknownSystem};

/// Warps of the SM, unless said otherwise: those of `gtx480`.
pub const WARPS: usize = 48;
/// CTA slots of that SM.
pub const CTAS: usize = 8;
/// Packs of its register file.
pub const PACKS: usize = 1024;
/// Packs of the longest register stack, in any size.
pub const STACK: usize = 63;
