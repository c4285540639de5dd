//! What an SM knows of its warps and CTAs.

use super::barrier::Barriers;
use crate::gpu::decoded::Registers;
use crate::trace::record::WarpTrace;

/// A warp.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    /// What it executes.
    pub trace: WarpTrace,
    /// Instructions that have been fetched, and issued; the buffer holds those between.
    pub fetched: u32,
    pub issued: u32,
    /// Instructions in the buffer or on their way.
    pub in_pipeline: u32,
    /// Stores that memory has not acknowledged.
    pub stores: u32,
    /// Atomic accesses that have not come back.
    pub atomics: u32,
    /// Registers with a write on its way; those of loads from memory also in `long`.
    pub pending: Registers,
    pub long: Registers,
    /// A fence waits for them.
    pub fence: bool,
    pub at_barrier: bool,
    pub cta: u8,
}

impl Warp {
    /// A warp that starts.
    pub fn new(trace: WarpTrace, cta: usize) -> Self {
        Warp {
            trace,
            cta: cta as u8,
            ..Warp::default()
        }
    }

    /// Instructions of its trace.
    pub fn length(&self) -> u32 {
        self.trace.insts.len() as u32
    }
}

/// A CTA slot.
#[derive(Clone, Debug, Default)]
pub struct CtaSlot {
    /// Its place in the grid.
    pub index: [u32; 3],
    /// Warps that have not ended.
    pub running: u32,
    /// Bits of warps with instructions left to issue.
    pub live: u64,
    /// Its barriers.
    pub barriers: Barriers,
}
