//! Register-sharing hardware: each unit as a plain model and as a rust-hdl block, and the managers that an SM asks.

pub mod cars;
pub mod clocked;
pub mod common;
pub mod cost;
pub mod ids;
pub mod manager;
pub mod owf;
pub mod pins;
pub mod register_manager;
pub mod regmutex;
pub mod rfv;
#[cfg(feature = "strategies")]
pub mod strategies;
pub mod verilog;
