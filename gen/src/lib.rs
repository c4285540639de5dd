//! Exports the hardware of `regshare-hw` as Verilog that other people can take away.
//!
//! - [`lint`] refuses blocks that rust-hdl would translate wrongly.
//! - [`tools`] runs the programs that check the result, where they are installed.
#![forbid(unsafe_code)]

pub mod lint;
pub mod tools;
