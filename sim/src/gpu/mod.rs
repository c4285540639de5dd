//! A whole GPU that replays traces: SMs, interconnect, second-level cache, memory.
//!
//! The trace says what each warp executed and on which addresses; the model says when. It follows GPGPU-Sim 4 as Accel-Sim
//! runs it, mechanism by mechanism, so that both can be compared cycle by cycle (`regshare validate`).

pub mod address;
pub mod cache;
pub mod chip;
mod clock;
mod credits;
mod crossbar;
mod decoded;
pub mod dram;
mod hash;
pub mod machine;
mod node;
mod packet;
mod partition;
mod polynomial;
mod run;
mod sm;
mod stalls;
mod team;
#[cfg(test)]
mod tests;

pub use machine::{GpuMachine, TooLarge};
pub use sm::SmCounts;

use crate::machine::SchedulerPolicy;
use crate::observe::probe::{ProbeError, SharedProbe};
use crate::observe::watch::SharedWatcher;
use crate::report::StallRecord;
use crate::trace::TraceError;
use crate::trace::read::{KernelReader, Limits};
use crate::trace::record::Header;
use address::Mapper;
use cache::CacheCounts;
use node::Node;
use packet::Reply;
use partition::Partition;
use run::{Network, Run};
use serde::{Deserialize, Serialize};
use sm::{KernelShape, Sm, Turns};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::num::NonZeroUsize;
use team::Team;

/// How to replay.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// Scheduler policy; `None`: the machine's.
    pub scheduler: Option<SchedulerPolicy>,
    /// Cycles after which a kernel is stopped; `None`: 2^40.
    pub cycle_limit: Option<u64>,
    /// Simulates every cycle of every SM, also those in which nothing can change, and all in step. Gives the same result, later.
    pub every_cycle: bool,
    /// Threads; the result is the same for any number.
    pub threads: NonZeroUsize,
    /// Puts every issue slot down to a cause.
    pub stalls: bool,
    /// Who watches an SM.
    pub watch: Option<Watch>,
}

/// Who watches an SM, from the start of a kernel to its end. Watching changes no cycle.
#[derive(Clone, Default)]
pub struct Watch {
    /// The SM.
    pub sm: usize,
    /// What they are told.
    pub watchers: Vec<SharedWatcher>,
    /// Who sees its signals.
    pub probe: Option<SharedProbe>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("sm", &self.sm)
            .finish_non_exhaustive()
    }
}

impl Default for ReplayOptions {
    /// The machine's policy, one thread, no causes of slots, nobody who watches.
    fn default() -> Self {
        ReplayOptions {
            scheduler: None,
            cycle_limit: None,
            every_cycle: false,
            threads: NonZeroUsize::MIN,
            stalls: false,
            watch: None,
        }
    }
}

/// What a kernel took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelResult {
    /// Name.
    pub kernel: String,
    /// Core cycles, without the launch latency.
    pub cycles: u64,
    /// CTAs of an SM at once.
    pub ctas_per_sm: u32,
    /// What the SMs counted.
    pub sm: SmCounts,
    /// First-level data caches, all SMs.
    pub l1: CacheCounts,
    /// Second-level cache, all slices.
    pub l2: CacheCounts,
    /// Bursts that the memory channels moved, and rows that they opened.
    pub dram_bursts: u64,
    /// See above.
    pub dram_activations: u64,
    /// SM cycles that were simulated; the others could not change anything.
    pub simulated_sm_cycles: u64,
    /// The same of memory channels.
    pub simulated_channel_cycles: u64,
    /// Issue slots by cause, if that was asked: they sum to cycles x schedulers x SMs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub slots: BTreeMap<String, u64>,
    /// The same by instruction, by warp slot and by SM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<StallRecord>,
    /// CTAs that ended on the SM that was watched, if one was.
    #[serde(skip)]
    pub watched_ctas: Option<u64>,
}

/// Why a kernel could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// One CTA does not fit.
    #[error("kernel {kernel}: {cause}")]
    TooLarge {
        /// The kernel.
        kernel: String,
        /// What it needs.
        cause: TooLarge,
    },
    /// A watcher could not record.
    #[error(transparent)]
    Watch(#[from] ProbeError),
    /// Nothing can ever change any more.
    #[error("kernel {kernel}: no warp can ever go on after cycle {cycle}; {waiting}")]
    Hang {
        /// The kernel, and the file of its trace.
        kernel: String,
        /// When.
        cycle: u64,
        /// Who waits for what.
        waiting: String,
    },
    /// The limit of cycles.
    #[error("kernel {kernel}: not finished after {limit} cycles; {waiting}")]
    CycleLimit {
        /// The kernel, and the file of its trace.
        kernel: String,
        /// The limit.
        limit: u64,
        /// Who waits for what.
        waiting: String,
    },
}

/// The GPU between two kernels.
pub struct Gpu {
    machine: GpuMachine,
    mapper: Mapper,
    partitions: Vec<Partition>,
    network: Network,
    /// Answers that no SM has taken yet, by SM.
    arrivals: Vec<VecDeque<(u64, Reply)>>,
    /// What the SMs keep from kernel to kernel.
    turns: Vec<Option<Turns>>,
    /// The SM that got a CTA last: the next one in turn is the first to get one of the next kernel.
    last_sm: usize,
    /// Core cycles since the beginning.
    now: u64,
}

impl Gpu {
    /// An idle GPU with empty caches.
    pub fn new(machine: &GpuMachine) -> Self {
        let sms = machine.chip.sms as usize;
        Gpu {
            mapper: Mapper::new(
                &machine.addresses,
                machine.l2.channels,
                machine.l2.slices_per_channel,
            ),
            partitions: (0..machine.l2.channels)
                .map(|_| Partition::new(machine))
                .collect(),
            network: Network::new(machine),
            arrivals: vec![VecDeque::new(); sms],
            turns: vec![None; sms],
            last_sm: sms - 1,
            now: 0,
            machine: machine.clone(),
        }
    }

    /// Replays a kernel to its end. After an error, nothing more can be replayed on this GPU.
    ///
    /// # Errors
    /// See [`ReplayError`].
    pub fn run(
        &mut self,
        reader: &mut KernelReader,
        options: &ReplayOptions,
    ) -> Result<KernelResult, ReplayError> {
        let header = reader.header().clone();
        let (ctas_per_sm, carved) =
            (self.machine.occupancy(&header)).map_err(|cause| ReplayError::TooLarge {
                kernel: format!("{} ({})", header.name, reader.path().display()),
                cause,
            })?;
        let before = self.counts();
        let start = self.now + self.machine.chip.launch_latency;
        let mut nodes = self.nodes(&self.shape(&header, ctas_per_sm, carved), start, options);
        if let Some(watch) = &options.watch {
            let watched = nodes.get_mut(watch.sm);
            let sm = watched
                .map(|node| &mut node.sm)
                .ok_or_else(|| ProbeError(format!("there is no SM {} to be watched", watch.sm)))?;
            sm.begin_telling(watch, &header, start)?;
        }
        let partitions = std::mem::take(&mut self.partitions);
        let most = self.machine.chip.sms.max(self.machine.l2.channels) as usize;
        let helpers = options.threads.get().min(most) - 1;
        let team = Team::new(nodes, partitions, self.mapper.clone(), helpers);
        let (in_order, ahead) = reader.ahead(helpers > 0, Limits::default());
        let last_sm = &mut self.last_sm;
        let end = std::thread::scope(|scope| {
            (0..helpers).for_each(|_| {
                scope.spawn(|| team.help(&ahead));
            });
            team.lead(|team| {
                let mut run = Run::new(
                    &self.machine,
                    &mut self.network,
                    team,
                    &header,
                    (in_order, &ahead),
                    options,
                    (start, *last_sm),
                );
                let end = run.finish();
                *last_sm = run.leave();
                end
            })
        });
        let (mut nodes, partitions) = team.into_parts();
        self.partitions = partitions;
        let told = nodes.iter_mut().filter_map(|node| {
            let last = *end.as_ref().unwrap_or(&node.sm.now().max(start));
            Some(node.sm.told.take()?.finish(last))
        });
        let told = told.collect::<Result<(), ProbeError>>();
        let mut channel_cycles = 0;
        for partition in &mut self.partitions {
            channel_cycles += std::mem::take(&mut partition.simulated);
        }
        let end = end.map_err(|mut error| {
            if let ReplayError::Hang { kernel, .. } | ReplayError::CycleLimit { kernel, .. } =
                &mut error
            {
                *kernel = format!("{kernel} ({})", reader.path().display());
            }
            error
        })?;
        told?;
        let mut result = KernelResult {
            cycles: end - start + 1,
            ctas_per_sm,
            simulated_channel_cycles: channel_cycles,
            ..KernelResult::default()
        };
        let mut stalls = Vec::new();
        let watched = options.watch.as_ref().map(|watch| watch.sm);
        for (index, mut node) in nodes.into_iter().enumerate() {
            if watched == Some(index) {
                result.watched_ctas = Some(node.sm.counts.ctas);
            }
            stalls.extend(node.sm.stalls.take().map(|stalls| stalls.finish(end)));
            result.simulated_sm_cycles += node.simulated;
            result.sm.add(&node.sm.counts);
            result.l1.add(&node.sm.l1_counts());
            self.arrivals[index] = node.arrivals;
            self.turns[index] = Some(node.sm.into_turns());
        }
        self.now = end + 1;
        let after = self.counts();
        result.l2 = after.0.since(&before.0);
        (result.dram_bursts, result.dram_activations) = (after.1 - before.1, after.2 - before.2);
        if options.stalls {
            (result.slots, result.stalls) = stalls::records(reader.program(), &stalls);
        }
        result.kernel = header.name;
        Ok(result)
    }

    fn shape(&self, header: &Header, ctas_per_sm: u32, carved: u32) -> KernelShape {
        let l1 = &self.machine.l1;
        let ways = match l1.unified_bytes {
            0 => l1.cache.ways,
            unified => (unified - carved) / (l1.cache.sets * cache::LINE_BYTES as u32),
        };
        KernelShape {
            ctas_per_sm,
            warps_per_cta: header.warps_per_cta(),
            l1_ways: ways.max(1),
            scratchpad_base: header.scratchpad_base,
            local_base: header.local_base,
        }
    }

    /// Empty SMs.
    fn nodes(&mut self, shape: &KernelShape, start: u64, options: &ReplayOptions) -> Vec<Node> {
        let policy = options.scheduler.unwrap_or(self.machine.issue.policy);
        let left = self.turns.iter_mut().zip(&mut self.arrivals);
        let nodes = left.enumerate().map(|(index, (turns, arrivals))| {
            let mut sm = Sm::new(
                &self.machine,
                &self.mapper,
                index as u16,
                policy,
                shape,
                (turns.take()).unwrap_or_else(|| Turns::new(&self.machine)),
            );
            if options.stalls {
                sm.watch_slots(start);
            }
            let arrivals = std::mem::take(arrivals);
            Node::new(sm, arrivals, start, options.every_cycle)
        });
        nodes.collect()
    }

    fn counts(&self) -> (CacheCounts, u64, u64) {
        let mut l2 = CacheCounts::default();
        let (mut bursts, mut activations) = (0, 0);
        for partition in &self.partitions {
            partition
                .slices
                .iter()
                .for_each(|slice| l2.add(&slice.cache.counts));
            bursts += partition.dram.burst_count;
            activations += partition.dram.activations;
        }
        (l2, bursts, activations)
    }
}
