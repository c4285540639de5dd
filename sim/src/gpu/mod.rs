//! A whole GPU that replays traces: SMs, interconnect, second-level cache, memory.
//!
//! The trace says what each warp executed and on which addresses; the model says when. It follows GPGPU-Sim 4 as Accel-Sim
//! runs it, mechanism by mechanism, so that both can be compared cycle by cycle (`regshare validate`).

pub mod address;
pub mod cache;
mod crossbar;
mod decoded;
pub mod dram;
mod hash;
pub mod machine;
mod packet;
mod partition;
mod polynomial;
mod sm;
#[cfg(test)]
mod tests;

pub use machine::{GpuMachine, TooLarge};
pub use sm::SmCounts;

use crate::machine::SchedulerPolicy;
use crate::trace::TraceError;
use crate::trace::read::KernelReader;
use address::Mapper;
use cache::{Cache, CacheCounts};
use crossbar::Crossbar;
use decoded::Decoded;
use packet::{Reply, Request};
use partition::Partition;
use serde::{Deserialize, Serialize};
use sm::{KernelShape, Sm};

/// How to replay.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// Scheduler policy; `None`: the machine's.
    pub scheduler: Option<SchedulerPolicy>,
    /// Cycles after which a kernel is stopped; `None`: 2^40.
    pub cycle_limit: Option<u64>,
    /// Simulates every cycle of every SM, also those in which nothing can change. Gives the same result, later.
    pub every_cycle: bool,
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
    /// Nothing can ever change any more.
    #[error("kernel {kernel}: no warp can ever go on after cycle {cycle}; {waiting}")]
    Hang {
        /// The kernel.
        kernel: String,
        /// When.
        cycle: u64,
        /// Who waits for what.
        waiting: String,
    },
    /// The limit of cycles.
    #[error("kernel {kernel}: not finished after {limit} cycles; {waiting}")]
    CycleLimit {
        /// The kernel.
        kernel: String,
        /// The limit.
        limit: u64,
        /// Who waits for what.
        waiting: String,
    },
}

struct SmState {
    sm: Sm,
    wake: u64,
    last: u64,
}

/// The GPU between two kernels.
pub struct Gpu {
    machine: GpuMachine,
    mapper: Mapper,
    partitions: Vec<Partition>,
    requests: Crossbar<Request>,
    replies: Crossbar<Reply>,
    /// Instruction caches, by SM: they keep their lines from kernel to kernel.
    icaches: Vec<Option<Cache<u8>>>,
    /// Core cycles, and cycles of the memory's command clock, since the beginning.
    now: u64,
    dram_now: u64,
}

impl Gpu {
    /// An idle GPU with empty caches.
    pub fn new(machine: &GpuMachine) -> Self {
        let sms = machine.chip.sms as usize;
        let slices = (machine.l2.channels * machine.l2.slices_per_channel) as usize;
        let (input, output) = (
            machine.interconnect.input_packets as usize,
            machine.interconnect.output_packets as usize,
        );
        Gpu {
            mapper: Mapper::new(
                &machine.addresses,
                machine.l2.channels,
                machine.l2.slices_per_channel,
            ),
            partitions: (0..machine.l2.channels)
                .map(|_| Partition::new(machine))
                .collect(),
            requests: Crossbar::new(sms, slices, 0, input, output),
            replies: Crossbar::new(slices, sms, sms, input, output),
            icaches: vec![sm::instruction_cache(machine); sms],
            now: 0,
            dram_now: 0,
            machine: machine.clone(),
        }
    }

    /// Replays a kernel to its end.
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
                kernel: header.name.clone(),
                cause,
            })?;
        let l1 = &self.machine.l1;
        let l1_ways = match l1.unified_bytes {
            0 => l1.cache.ways,
            unified => (unified - carved) / (l1.cache.sets * cache::LINE_BYTES as u32),
        };
        let shape = KernelShape {
            ctas_per_sm,
            warps_per_cta: header.warps_per_cta(),
            l1_ways: l1_ways.max(1),
            scratchpad_base: header.scratchpad_base,
            local_base: header.local_base,
        };
        let policy = options.scheduler.unwrap_or(self.machine.issue.policy);
        let mut sms = Vec::new();
        for (index, icache) in self.icaches.iter_mut().enumerate() {
            sms.push(SmState {
                sm: Sm::new(&self.machine, index as u16, policy, &shape, icache.take()),
                wake: u64::MAX,
                last: 0,
            });
        }
        let before = self.counts();
        self.now += self.machine.chip.launch_latency;
        let mut run = Run {
            start: self.now,
            sms,
            program: Vec::new(),
            ctas_left: header.ctas(),
            last_sm: self.machine.chip.sms as usize - 1,
            simulated: 0,
            gpu: self,
        };
        if !run
            .gpu
            .partitions
            .iter()
            .any(|partition| partition.dram_busy(run.start))
        {
            run.catch_up(run.start);
        }
        let limit = options.cycle_limit.unwrap_or(1 << 40);
        loop {
            run.cycle();
            run.dispatch(reader)?;
            if run.ctas_left == 0 && run.sms.iter().all(|state| state.sm.is_idle()) {
                break;
            }
            let next = run.next_event();
            let past = run.gpu.now - run.start;
            if next == u64::MAX {
                let waiting = run.waiting();
                return Err(ReplayError::Hang {
                    kernel: header.name,
                    cycle: past,
                    waiting,
                });
            }
            if past >= limit {
                let waiting = run.waiting();
                return Err(ReplayError::CycleLimit {
                    kernel: header.name,
                    limit,
                    waiting,
                });
            }
            if options.every_cycle {
                run.gpu.now += 1;
                let now = run.gpu.now;
                run.sms.iter_mut().for_each(|state| state.wake = now);
                continue;
            }
            if next > run.gpu.now + 1 {
                run.catch_up(next);
            }
            run.gpu.now = next;
        }
        let mut result = KernelResult {
            cycles: run.gpu.now - run.start + 1,
            ctas_per_sm,
            simulated_sm_cycles: run.simulated,
            ..KernelResult::default()
        };
        for state in &mut run.sms {
            let idle = run.gpu.now - state.last.max(run.start);
            state.sm.skip(idle);
            result.sm.add(&state.sm.counts);
            result.l1.add(&state.sm.l1_counts());
        }
        let icaches = run
            .sms
            .into_iter()
            .map(|state| state.sm.into_instruction_cache());
        let icaches: Vec<_> = icaches.collect();
        self.icaches = icaches;
        self.now += 1;
        let after = self.counts();
        result.l2 = after.0.since(&before.0);
        (result.dram_bursts, result.dram_activations) = (after.1 - before.1, after.2 - before.2);
        result.kernel = header.name;
        Ok(result)
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

/// A kernel on its way.
struct Run<'a> {
    gpu: &'a mut Gpu,
    sms: Vec<SmState>,
    program: Vec<Decoded>,
    start: u64,
    ctas_left: u64,
    last_sm: usize,
    simulated: u64,
}

impl Run<'_> {
    /// The command clock of the memory runs on while nothing happens: up to the core's last cycle before `now`.
    fn catch_up(&mut self, now: u64) {
        let chip = &self.gpu.machine.chip;
        if now > 0 {
            let past = u128::from(now - 1) * u128::from(chip.dram_khz) / u128::from(chip.core_khz);
            self.gpu.dram_now = self.gpu.dram_now.max(past as u64 + 1);
        }
    }

    /// Whether the next cycle of the command clock comes before the core's, and whether with it.
    fn dram_is_due(&self) -> std::cmp::Ordering {
        let chip = &self.gpu.machine.chip;
        let dram = u128::from(self.gpu.dram_now) * u128::from(chip.core_khz);
        dram.cmp(&(u128::from(self.gpu.now) * u128::from(chip.dram_khz)))
    }

    fn dram_cycle(&mut self) {
        let gpu = &mut *self.gpu;
        for partition in &mut gpu.partitions {
            if partition.dram_busy(gpu.now) {
                partition.dram_cycle(gpu.dram_now, gpu.now, &gpu.mapper);
            }
        }
        gpu.dram_now += 1;
    }

    fn cycle(&mut self) {
        while self.dram_is_due().is_lt() {
            self.dram_cycle();
        }
        let with_core = self.dram_is_due().is_eq();
        let now = self.gpu.now;
        for (index, state) in self.sms.iter_mut().enumerate() {
            if state.sm.has_answers() || self.gpu.replies.has(index) {
                state.wake = now;
                if state.sm.pull()
                    && let Some(reply) = self.gpu.replies.pop(index)
                {
                    state.sm.accept(reply);
                }
            }
        }
        self.send_replies();
        if with_core {
            self.dram_cycle();
        }
        self.slices();
        self.gpu.requests.advance();
        self.gpu.replies.advance();
        for (index, state) in self.sms.iter_mut().enumerate() {
            if state.wake > now {
                continue;
            }
            state.sm.room = self.gpu.requests.room(index);
            let idle = now - state.last.max(self.start) - u64::from(state.last >= self.start);
            state.sm.skip(idle);
            state.wake = state.sm.cycle(now, &self.program);
            state.last = now;
            self.simulated += 1;
            for request in state.sm.outbox.drain(..) {
                self.gpu
                    .requests
                    .push(index, request.slice as usize, request);
            }
        }
    }

    fn send_replies(&mut self) {
        let each = self.gpu.machine.l2.slices_per_channel as usize;
        for (channel, partition) in self.gpu.partitions.iter_mut().enumerate() {
            for slice in 0..each {
                let input = channel * each + slice;
                if let Some(reply) = partition.reply(slice)
                    && self.gpu.replies.accepts(input)
                {
                    self.gpu.replies.push(input, reply.sm.into(), reply);
                    partition.pop_reply(slice);
                }
            }
        }
    }

    fn slices(&mut self) {
        let now = self.gpu.now;
        let each = self.gpu.machine.l2.slices_per_channel as usize;
        for (channel, partition) in self.gpu.partitions.iter_mut().enumerate() {
            for slice in 0..each {
                let output = channel * each + slice;
                if self.gpu.requests.has(output)
                    && partition.accepts(slice)
                    && let Some(request) = self.gpu.requests.pop(output)
                {
                    partition.push(slice, request, now);
                }
            }
            if partition.wake <= now {
                partition.cycle(now);
            }
        }
    }

    /// Each SM gets at most one CTA per cycle.
    fn dispatch(&mut self, reader: &mut KernelReader) -> Result<(), ReplayError> {
        let sms = self.sms.len();
        let first = self.last_sm + 1;
        for step in 0..sms {
            if self.ctas_left == 0 {
                break;
            }
            let at = (first + step) % sms;
            if !self.sms[at].sm.has_room() {
                continue;
            }
            let Some(cta) = reader.next_cta()? else {
                self.ctas_left = 0;
                break;
            };
            let machine = &self.gpu.machine;
            let known = self.program.len();
            let new = &reader.program().insts[known..];
            self.program
                .extend(new.iter().map(|inst| Decoded::new(inst, machine)));
            self.sms[at].sm.launch(cta);
            self.sms[at].wake = self.gpu.now + 1;
            self.ctas_left -= 1;
            self.last_sm = at;
        }
        Ok(())
    }

    /// The next cycle in which something can change.
    fn next_event(&self) -> u64 {
        let next = self.gpu.now + 1;
        if self.gpu.requests.is_busy() || self.gpu.replies.is_busy() {
            return next;
        }
        let mut event = u64::MAX;
        for (index, state) in self.sms.iter().enumerate() {
            if state.sm.has_answers() || self.gpu.replies.has(index) {
                return next;
            }
            event = event.min(state.wake);
        }
        let each = self.gpu.machine.l2.slices_per_channel as usize;
        for (channel, partition) in self.gpu.partitions.iter().enumerate() {
            for slice in 0..each {
                if partition.reply(slice).is_some() || self.gpu.requests.has(channel * each + slice)
                {
                    return next;
                }
            }
            if partition.dram_busy(self.gpu.now) {
                return next;
            }
            event = event.min(partition.wake).min(partition.delayed_until());
        }
        event.max(next)
    }

    fn waiting(&self) -> String {
        let each = self
            .sms
            .iter()
            .enumerate()
            .filter(|(_, state)| !state.sm.is_idle());
        let mut lines: Vec<String> = each
            .map(|(index, state)| format!("SM {index}: {}", state.sm.waiting_for()))
            .collect();
        lines.truncate(8);
        lines.join("; ")
    }
}
