//! What can go wrong in a run.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::memory::AccessFault;
use crate::compiler::calls::MOST_OPEN_CALLS;
use crate::compiler::cfg::CfgError;
use crate::kernel::Line;
use crate::kernel::ptx::Files;
use crate::kernel::verify::VerifyError;

/// A place in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPlace {
    /// The file of the line, where a program of several was run; see [`InterpError::in_files`].
    pub file: Option<Arc<str>>,
    /// Source line of the instruction; 0 where there is none.
    pub line: Line,
    /// Label of its block.
    pub block: String,
    /// Its index in the block.
    pub inst: usize,
    /// CTA in the grid: x, y, z.
    pub cta: [u32; 3],
    /// Warp in the CTA.
    pub warp: usize,
}

impl fmt::Display for RunPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.cta;
        write!(f, "line {}", self.line.0)?;
        if let Some(file) = &self.file {
            write!(f, " of {file}")?;
        }
        write!(
            f,
            ", block `{}`, instruction {}, CTA ({x}, {y}, {z}), warp {}",
            self.block, self.inst, self.warp
        )
    }
}

/// A warp that waits at a CTA barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingWarp {
    /// Where it waits.
    pub place: RunPlace,
    /// Number of the barrier.
    pub barrier: u32,
    /// Warps that have arrived there.
    pub arrived_warps: u32,
    /// Warps that the barrier waits for.
    pub expected_warps: u32,
}

impl fmt::Display for WaitingWarp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: at barrier {}, {} of {} warps there",
            self.place, self.barrier, self.arrived_warps, self.expected_warps
        )
    }
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InterpError {
    /// Correct the kernel.
    #[error(transparent)]
    Malformed(#[from] VerifyError),
    /// Correct the kernel.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// Choose other dimensions: each at least 1, at most 1024 threads in a CTA.
    #[error("grid {grid:?} or block {block:?} is empty, or a CTA has more than 1024 threads")]
    Dimensions {
        /// CTAs.
        grid: [u32; 3],
        /// Threads of a CTA.
        block: [u32; 3],
    },
    /// Pass all parameters.
    #[error("the kernel's parameters take {expected} bytes, {given} were given")]
    Params {
        /// Size of the parameter space, bytes.
        expected: u32,
        /// Bytes given.
        given: usize,
    },
    /// Declare less memory.
    #[error("{bytes} bytes of {what} are more than the {limit} that can be addressed")]
    TooMuchMemory {
        /// Scratchpad, local memory or module variables.
        what: &'static str,
        /// Bytes asked for.
        bytes: u64,
        /// Most that can be given.
        limit: u64,
    },
    /// Name a thread of the grid.
    #[error("there is no thread {thread}; the threads of the grid are 0 to {}", threads - 1)]
    NoThread {
        /// Its number in the grid.
        thread: u64,
        /// Threads of the grid.
        threads: u64,
    },
    /// A lane accessed memory that it may not.
    #[error("{place}, lane {lane}: {fault}")]
    Memory {
        /// Where.
        place: RunPlace,
        /// Lane of the warp.
        lane: usize,
        /// What was wrong with the access.
        fault: AccessFault,
    },
    /// A lane called through an address at which there is no function that takes and gives what the call says.
    #[error(
        "{place}, lane {lane}: a call of address {address:#x}, where there is no function that it could call"
    )]
    NoFunction {
        /// Where.
        place: RunPlace,
        /// Lane of the warp.
        lane: usize,
        /// What it called.
        address: u64,
    },
    /// The kernel executed `trap`.
    #[error("{place}: trap")]
    Trap {
        /// Where.
        place: RunPlace,
    },
    /// Use barriers 0 to 15 and counts that are multiples of 32, the same count for all that meet.
    #[error(
        "{place}: barrier {barrier} with a count of {threads} threads cannot be used like this"
    )]
    Barrier {
        /// Where.
        place: RunPlace,
        /// Number of the barrier.
        barrier: u32,
        /// Threads asked for.
        threads: u32,
    },
    /// All warps that have not ended wait at barriers; the kernel uses them wrongly.
    #[error("no warp can go on:{}", list(waiting))]
    Hang {
        /// Who waits, and for what.
        waiting: Vec<WaitingWarp>,
    },
    /// Return only from a function that was called.
    #[error("{place}: a return outside of a function")]
    Return {
        /// Where.
        place: RunPlace,
    },
    /// Let recursion end.
    #[error(
        "{place}: recursion is too deep: {MOST_OPEN_CALLS} calls are open, as many as there can be"
    )]
    TooManyCalls {
        /// Where.
        place: RunPlace,
    },
    /// Pop only what was pushed.
    #[error("{place}: a pop without a push")]
    Pop {
        /// Where.
        place: RunPlace,
    },
    /// The kernel runs too long, or for ever.
    #[error("{place}: stopped after {limit} warp instructions")]
    StepLimit {
        /// Where the run was stopped.
        place: RunPlace,
        /// The limit.
        limit: u64,
    },
    /// A CTA runs too long, or for ever, as one does that waits for a later one.
    #[error(
        "{place}: the CTA was stopped after {limit} warp instructions; here CTAs run one after the other, so one that waits \
         for a later one never ends"
    )]
    CtaLimit {
        /// Where it was stopped.
        place: RunPlace,
        /// The limit.
        limit: u64,
    },
}

impl InterpError {
    /// The same with the names of the files that its lines are of, and their numbers there, if the program is of several.
    #[must_use]
    pub fn in_files(mut self, files: &Files) -> Self {
        for place in self.places() {
            if let Some((file, line)) = files.place(place.line) {
                (place.file, place.line) = (Some(Arc::clone(file)), line);
            }
        }
        self
    }

    fn places(&mut self) -> Vec<&mut RunPlace> {
        match self {
            InterpError::Memory { place, .. }
            | InterpError::NoFunction { place, .. }
            | InterpError::Trap { place }
            | InterpError::Barrier { place, .. }
            | InterpError::Return { place }
            | InterpError::TooManyCalls { place }
            | InterpError::Pop { place }
            | InterpError::StepLimit { place, .. }
            | InterpError::CtaLimit { place, .. } => vec![place],
            InterpError::Hang { waiting } => {
                waiting.iter_mut().map(|warp| &mut warp.place).collect()
            }
            InterpError::Malformed(_)
            | InterpError::Cfg(_)
            | InterpError::Dimensions { .. }
            | InterpError::Params { .. }
            | InterpError::TooMuchMemory { .. }
            | InterpError::NoThread { .. } => Vec::new(),
        }
    }
}

fn list(waiting: &[WaitingWarp]) -> String {
    waiting.iter().map(|warp| format!("\n  {warp}")).collect()
}
