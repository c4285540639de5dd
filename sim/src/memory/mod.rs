//! The memory of the simulated GPU.

pub mod image;
