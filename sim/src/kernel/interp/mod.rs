//! The plain interpreter: what a kernel computes, without any timing.
//!
//! CTAs run one after the other, the warps of a CTA in turns. Lanes that a branch parts meet again at the
//! immediate post-dominator. Every run of the same kernel on the same memory does the same.
//! [`Op::Acquire`](crate::kernel::Op::Acquire) and [`Op::Release`](crate::kernel::Op::Release) do nothing, unless
//! [`Options::extended_from`] asks for what they do to the registers.

mod barrier;
mod cta;
mod error;
mod memory;
mod record;
mod simt;
#[cfg(test)]
mod tests;
mod trace;
mod warp;

pub use error::{InterpError, RunPlace, WaitingWarp};
pub use memory::{AccessFault, GlobalMemory, ModuleMemory, extend};
pub use record::{Recorder, run_recorded};
pub use trace::{ThreadTrace, TraceEnd, trace_thread};
pub use warp::Unwritten;

use std::collections::BTreeSet;

use super::address::WINDOW_BYTES;
use super::exec::LANES;
use super::verify::verify;
use super::{BlockId, Kernel, Line};
use crate::compiler::cfg::Cfg;
use cta::{Cta, Launch};
use warp::{Identity, Warp};

/// Threads that a CTA can have.
pub const MAX_CTA_THREADS: u32 = 1024;

/// Size of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchDims {
    /// CTAs in x, y, z; each at least 1.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z; each at least 1, together at most [`MAX_CTA_THREADS`].
    pub block: [u32; 3],
    /// Scratchpad behind the static one, bytes per CTA.
    pub dynamic_scratchpad_bytes: u32,
}

impl LaunchDims {
    /// Threads of a CTA.
    pub fn threads_per_cta(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n)).product()
    }

    /// CTAs of the grid.
    pub fn ctas(&self) -> u64 {
        self.grid
            .iter()
            .fold(1, |n: u64, &x| n.saturating_mul(u64::from(x)))
    }
}

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Warp instructions after which the run is stopped.
    pub step_limit: u64,
    /// Warp instructions of one CTA after which the run is stopped.
    pub cta_step_limit: u64,
    /// Whether to look for reads of registers that were never written; they give 0 in any case.
    pub report_unwritten_reads: bool,
    /// Architected registers from this index on are the extended set: `acquire` and `release`, when they change
    /// the state, leave rubbish in them in all lanes, and count them as not written.
    pub extended_from: Option<u16>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            step_limit: 1 << 32, // assumed: hours
            cta_step_limit: u64::MAX,
            report_unwritten_reads: false,
            extended_from: None,
        }
    }
}

/// An instruction that read a register before anything wrote it, in some lane of some warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnwrittenRead {
    /// Source line of the instruction.
    pub line: Line,
    /// Its block.
    pub block: BlockId,
    /// Its index in the block.
    pub inst: usize,
    /// The register.
    pub register: Unwritten,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InterpStats {
    /// Instructions that warps ran, guarded-off ones included.
    pub warp_insts: u64,
    /// The same by active lanes.
    pub thread_insts: u64,
    /// CTAs run.
    pub ctas: u64,
    /// In order of line; empty unless asked for.
    pub unwritten_reads: Vec<UnwrittenRead>,
}

/// Scratchpad of a CTA: the static part rounded up to 16 bytes if there is a dynamic one behind it.
pub fn scratchpad_bytes(kernel: &Kernel, dynamic_bytes: u32) -> u64 {
    if dynamic_bytes == 0 {
        u64::from(kernel.shared_bytes)
    } else {
        u64::from(kernel.shared_bytes).next_multiple_of(16) + u64::from(dynamic_bytes)
    }
}

/// Size of the parameter space, bytes.
pub fn param_bytes(kernel: &Kernel) -> u32 {
    kernel
        .params
        .iter()
        .map(|p| p.offset_bytes.saturating_add(p.size_bytes))
        .max()
        .unwrap_or(0)
}

/// Runs a whole grid with default [`Options`]. `params` is the parameter space.
///
/// # Errors
/// See [`InterpError`]; memory then holds what was written before.
pub fn run<M: GlobalMemory>(
    kernel: &Kernel,
    dims: &LaunchDims,
    params: &[u8],
    memory: &mut M,
) -> Result<InterpStats, InterpError> {
    run_with(kernel, dims, params, memory, &Options::default())
}

/// Runs a whole grid.
///
/// # Errors
/// See [`InterpError`]; memory then holds what was written before.
pub fn run_with<M: GlobalMemory>(
    kernel: &Kernel,
    dims: &LaunchDims,
    params: &[u8],
    memory: &mut M,
    options: &Options,
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
        recorder: None,
    };
    run_ctas(&mut launch, dims, shared_bytes)?;
    Ok(InterpStats {
        unwritten_reads: launch.unwritten.into_iter().collect(),
        ..launch.stats
    })
}

/// Runs CTA after CTA, x first; to the end of the grid, or until nothing more is to be seen of the watched thread or by the recorder.
fn run_ctas<M: GlobalMemory>(
    launch: &mut Launch<'_, M>,
    dims: &LaunchDims,
    shared_bytes: u32,
) -> Result<(), InterpError> {
    let [nx, ny, nz] = dims.grid;
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let warps = warps_of(launch.kernel, dims, [x, y, z], shared_bytes);
                if let Some(recorder) = &mut launch.recorder {
                    recorder.cta_begins([x, y, z], warps.len());
                }
                launch.cta_limit =
                    (launch.stats.warp_insts).saturating_add(launch.options.cta_step_limit);
                Cta::new(warps, shared_bytes as usize).run(launch)?;
                launch.stats.ctas += 1;
                if (launch.recorder.as_mut()).is_some_and(|recorder| !recorder.cta_ends()) {
                    return Ok(());
                }
                if (launch.watched.as_ref()).is_some_and(|watched| watched.is_done([x, y, z])) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Checks everything that a launch can get wrong; returns the scratchpad bytes of a CTA.
fn check_sizes(kernel: &Kernel, dims: &LaunchDims, params: &[u8]) -> Result<u32, InterpError> {
    let empty = dims.grid.contains(&0) || dims.block.contains(&0);
    let threads = dims
        .block
        .iter()
        .fold(1_u64, |n, &x| n.saturating_mul(u64::from(x)));
    if empty || threads > u64::from(MAX_CTA_THREADS) {
        return Err(InterpError::Dimensions {
            grid: dims.grid,
            block: dims.block,
        });
    }
    let expected = param_bytes(kernel);
    if params.len() < expected as usize {
        return Err(InterpError::Params {
            expected,
            given: params.len(),
        });
    }
    let shared = scratchpad_bytes(kernel, dims.dynamic_scratchpad_bytes);
    let module = kernel
        .globals
        .iter()
        .fold(0_u64, |n, var| n.saturating_add(var.size_bytes));
    for (what, bytes, limit) in [
        ("scratchpad", shared, WINDOW_BYTES),
        (
            "local memory",
            u64::from(kernel.local_bytes),
            // assumed: 1 MiB per thread, so that a CTA stays below 1 GiB
            WINDOW_BYTES / 16,
        ),
        (
            "module variables",
            module,
            crate::memory::image::MAX_TOTAL_BYTES,
        ),
    ] {
        if bytes > limit {
            return Err(InterpError::TooMuchMemory { what, bytes, limit });
        }
    }
    Ok(shared as u32)
}

fn warps_of(kernel: &Kernel, dims: &LaunchDims, cta: [u32; 3], shared_bytes: u32) -> Vec<Warp> {
    let threads = dims.threads_per_cta() as u32;
    let warps_per_cta = threads.div_ceil(LANES as u32);
    let [bx, by, _] = dims.block;
    (0..warps_per_cta)
        .map(|warp| {
            let first = warp * LANES as u32;
            let lanes = u32::MAX >> (32 - (threads - first).min(32));
            let thread = |lane: usize| first + lane as u32;
            let identity = Identity {
                cta,
                grid: dims.grid,
                block: dims.block,
                warp,
                warps_per_cta,
                tid: [
                    std::array::from_fn(|lane| thread(lane) % bx),
                    std::array::from_fn(|lane| thread(lane) / bx % by),
                    std::array::from_fn(|lane| thread(lane) / bx / by),
                ],
                dynamic_scratchpad_bytes: dims.dynamic_scratchpad_bytes,
                total_scratchpad_bytes: shared_bytes,
            };
            Warp::new(kernel.regs, lanes, kernel.local_bytes, identity)
        })
        .collect()
}
