//! The instructions that one thread runs, in order, as in Figure 1 of RegMutex.

use std::collections::BTreeSet;

use super::cta::Launch;
use super::error::InterpError;
use super::memory::{GlobalMemory, ModuleMemory};
use super::{InterpStats, LaunchDims, Options, check_sizes, run_ctas};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Point;
use crate::kernel::Kernel;
use crate::kernel::exec::LANES;
use crate::kernel::verify::verify;

/// Instructions of a thread that are kept. // assumed: no picture shows more, and they take 16 MiB
const MOST_POINTS: usize = 1 << 20;

/// How a trace came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceEnd {
    /// The thread has ended.
    Exited,
    /// The run has failed, in this thread or another.
    Failed(InterpError),
    /// There is more than is kept.
    Full,
}

/// What one thread ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadTrace {
    /// Its instructions, in order; one whose guard is off is among them.
    pub points: Vec<Point>,
    /// Why there are no more.
    pub end: TraceEnd,
}

/// The thread that is watched in a run.
pub(super) struct Watched {
    cta: [u32; 3],
    warp: usize,
    lane: usize,
    points: Vec<Point>,
}

impl Watched {
    /// A warp of `cta` runs an instruction with the lanes of `running`.
    pub fn see(&mut self, cta: [u32; 3], warp: usize, running: u32, point: Point) {
        let is_mine = cta == self.cta && warp == self.warp && running >> self.lane & 1 == 1;
        if is_mine && !self.is_full() {
            self.points.push(point);
        }
    }

    pub fn is_full(&self) -> bool {
        self.points.len() == MOST_POINTS
    }

    /// Whether nothing more is to be seen once `cta` has ended.
    pub fn is_done(&self, cta: [u32; 3]) -> bool {
        cta == self.cta || self.is_full()
    }
}

/// Runs a grid as [`super::run_with`] does, up to the end of the CTA with thread number `thread` (x first, the threads
/// of a CTA together), and says what that thread ran.
///
/// # Errors
/// The launch is at fault, or has no such thread. A run that fails later is a [`TraceEnd`].
pub fn trace_thread<M: GlobalMemory>(
    kernel: &Kernel,
    dims: &LaunchDims,
    params: &[u8],
    memory: &mut M,
    thread: u64,
    options: &Options,
) -> Result<ThreadTrace, InterpError> {
    verify(kernel)?;
    let shared_bytes = check_sizes(kernel, dims, params)?;
    let per_cta = dims.threads_per_cta();
    let threads = dims.ctas().saturating_mul(per_cta);
    if thread >= threads {
        return Err(InterpError::NoThread { thread, threads });
    }
    let (cta, thread) = (thread / per_cta, (thread % per_cta) as usize);
    let [nx, ny, _] = dims.grid.map(u64::from);
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
        watched: Some(Watched {
            cta: [cta % nx, cta / nx % ny, cta / nx / ny].map(|n| n as u32),
            warp: thread / LANES,
            lane: thread % LANES,
            points: Vec::new(),
        }),
        recorder: None,
    };
    let outcome = run_ctas(&mut launch, dims, shared_bytes);
    let watched = launch.watched.take();
    let full = watched.as_ref().is_some_and(Watched::is_full);
    Ok(ThreadTrace {
        points: watched.map_or_else(Vec::new, |watched| watched.points),
        end: match outcome {
            _ if full => TraceEnd::Full,
            Ok(()) => TraceEnd::Exited,
            Err(error) => TraceEnd::Failed(error),
        },
    })
}
