//! The memory of the simulated GPU.

pub mod chip;
pub mod coalescer;
pub mod device;
pub mod image;
pub mod l1;
pub mod local;
pub mod scratchpad;
pub mod system;
