//! From the trace of a kernel to a static program that every scheme can plan and rewrite.
//!
//! A warp of a trace is one sequence of instructions, each with the lanes that execute it. The program lifted from it is that of
//! such a warp, not of a thread: its registers are vectors of 32 lanes, and what follows an instruction is what came next in some
//! warp. Where lanes part, a warp goes through one side and then through the other, and so does the program. Nothing need be known
//! of reconvergence, which hardware since Volta leaves to the compiler.
//!
//! - One instruction for each static instruction of the trace ([`operation`]), with all registers of wide operands ([`operand`],
//!   [`width`]).
//! - Blocks and edges as observed ([`blocks`]).
//! - An instruction whose result leaves some lanes as they are is guarded if in any execution such a lane reads its value later
//!   ([`observe`]). A guarded result does not end the life of a value, so liveness never misses one.
//!
//! A second pass over the trace follows it through the program, as a scheme has rewritten it ([`crate::sm::replay`]).

mod address;
mod blocks;
mod matrix;
mod observe;
pub mod operand;
mod operation;
#[cfg(test)]
mod tests;
pub mod value;
mod width;

pub use address::Windows;
pub use blocks::MASK;

use super::error::TraceError;
use super::read::KernelReader;
use super::record::{CtaTrace, Header, StaticInst};
use crate::kernel::{Inst, Kernel};
use miette::Diagnostic;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where the CTAs of a trace come from, one at a time.
pub trait CtaSource {
    /// The next one, or none.
    ///
    /// # Errors
    /// The trace is not as it should be.
    fn next_cta(&mut self) -> Result<Option<CtaTrace>, TraceError>;

    /// The static instructions met so far.
    fn static_insts(&self) -> &[StaticInst];
}

impl CtaSource for KernelReader {
    fn next_cta(&mut self) -> Result<Option<CtaTrace>, TraceError> {
        KernelReader::next_cta(self)
    }

    fn static_insts(&self) -> &[StaticInst] {
        &self.program().insts
    }
}

/// What following a trace gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Warp instructions of the trace that were executed.
    pub insts: u64,
    /// Sum over all that they read ([`value`]).
    pub sum: u64,
}

impl Followed {
    /// Adds what another SM has followed of the same trace.
    pub fn add(&mut self, other: &Followed) {
        self.insts += other.insts;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// A lifted kernel.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// The head of the trace.
    pub header: Header,
    /// The program. The line of an instruction is its number among the static instructions of the trace, from 1.
    pub kernel: Kernel,
    /// A line for each static instruction: its address, opcode and registers, and its source line if the trace names that.
    pub listing: String,
    /// The static instructions by number, without guards and as they name registers in the trace.
    pub insts: Vec<Inst>,
    /// What following the trace must give, under every scheme.
    pub expected: Followed,
}

/// An instruction that names more registers than the pipeline takes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{opcode} at {pc:#06x} names more registers than an instruction can here")]
pub struct TooWide {
    /// Its address.
    pub pc: u64,
    /// The opcode with modifiers.
    pub opcode: String,
}

/// Why a trace is not lifted.
#[derive(Debug, Error, Diagnostic)]
pub enum LiftError {
    /// It is not as it should be.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Trace(#[from] TraceError),
    /// An instruction of it cannot be executed by the SM with register hardware.
    #[error("{}: {cause}", file.display())]
    #[diagnostic(help("`regshare trace run` replays such traces, without register hardware"))]
    TooWide {
        /// The file.
        file: PathBuf,
        /// Which instruction.
        cause: TooWide,
    },
}

/// Reads a trace to its end and lifts it. One CTA is in memory at a time; `path` names the trace in errors.
///
/// # Errors
/// See [`LiftError`].
pub fn lift(source: &mut dyn CtaSource, header: &Header, path: &Path) -> Result<Lifted, LiftError> {
    let observed = observe::observe(source, header, path)?;
    Ok(Lifted {
        header: header.clone(),
        kernel: blocks::kernel(&observed, header),
        listing: observed.listing,
        insts: observed.insts,
        expected: observed.expected,
    })
}
