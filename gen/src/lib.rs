//! Exports the hardware of `regshare-hw` as Verilog that other people can take away.
//!
//! - [`catalog`] says what there is: units, parameter sets.
//! - [`lint`] refuses blocks that rust-hdl would translate wrongly; [`export`] writes the others.
//! - [`package`] makes the folder that a user takes: Verilog, bench, vectors, port table, costs.
//! - [`recording`] is what a unit's pins did, for the test benches.
//! - [`runs`] has the rows recorded while kernels ran.
//! - [`proof`] proves the safety properties; its files are in `gen/proofs`.
//! - [`mutate`] changes it in one place at a time, and counts what the property tests notice.
//! - [`bless`] regenerates the committed files.
//! - [`replay`] runs the benches; [`cost`] has Yosys count; [`ice40`] places and routes.
//! - [`tools`] runs the programs that check the result, where they are installed.
#![forbid(unsafe_code)]

pub mod bless;
pub mod catalog;
pub mod cost;
pub mod export;
pub mod ice40;
pub mod lint;
pub mod mutate;
pub mod package;
pub mod proof;
pub mod record;
pub mod recording;
pub mod replay;
pub mod runs;
pub mod tools;
mod unroll;
