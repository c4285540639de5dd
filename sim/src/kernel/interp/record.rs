//! All instructions that all warps run, as they run them.

use std::collections::BTreeSet;

use super::cta::Launch;
use super::error::InterpError;
use super::memory::{GlobalMemory, ModuleMemory};
use super::{InterpStats, LaunchDims, Options, check_sizes, run_ctas};
use crate::compiler::cfg::Cfg;
use crate::kernel::exec::LANES;
use crate::kernel::verify::verify;
use crate::kernel::{BlockId, Kernel};

/// Sees a run, CTA after CTA; the warps of a CTA take turns.
pub trait Recorder {
    /// What follows is of CTA `cta`, which has `warps` warps.
    fn cta_begins(&mut self, cta: [u32; 3], warps: usize);

    /// Warp `warp` runs instruction `inst` of `block` with the lanes of `active`, none of them if a guard stops all.
    /// `addresses` are those of a memory access, in the space that the instruction names; lanes that are not active have
    /// arbitrary ones.
    fn executes(
        &mut self,
        warp: usize,
        block: BlockId,
        inst: usize,
        active: u32,
        addresses: Option<&[u64; LANES]>,
    );

    /// The CTA has ended. False ends the run.
    fn cta_ends(&mut self) -> bool;
}

/// Runs a grid as [`super::run_with`] does, seen by `recorder`.
///
/// # Errors
/// As [`super::run_with`].
pub fn run_recorded<M: GlobalMemory>(
    kernel: &Kernel,
    dims: &LaunchDims,
    params: &[u8],
    memory: &mut M,
    options: &Options,
    recorder: &mut dyn Recorder,
) -> Result<InterpStats, InterpError> {
    verify(kernel)?;
    let shared_bytes = check_sizes(kernel, dims, params)?;
    let cfg = Cfg::new(kernel)?;
    let mut launch = Launch {
        cta_limit: u64::MAX,
        kernel,
        cfg: &cfg,
        options,
        params,
        global: memory,
        module: ModuleMemory::new(kernel),
        stats: InterpStats::default(),
        unwritten: BTreeSet::new(),
        watched: None,
        recorder: Some(recorder),
    };
    run_ctas(&mut launch, dims, shared_bytes)?;
    Ok(InterpStats {
        unwritten_reads: launch.unwritten.into_iter().collect(),
        ..launch.stats
    })
}
