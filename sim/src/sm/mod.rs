//! One streaming multiprocessor, cycle by cycle.
//!
//! The pipeline is that of GPGPU-Sim's Fermi: fetch, decode, issue, operand collection, execute, write-back, one
//! file each. [`Sm::stages`] runs them last first, so that each sees what the one before it left in the
//! cycle before; [`team`] holds the SMs of a launch together, and launches its CTAs. No file here names a register-sharing scheme: what a warp may issue and where its registers lie
//! is the [`RegisterManager`]'s to say.
//!
//! Values are real. They are read from the physical registers when the collector gets its bank and written at
//! write-back, so a wrong mapping is caught or changes the result.

mod access;
mod api;
mod barrier;
mod clock;
mod collect;
mod collector;
mod cta;
mod decode;
mod error;
mod execute;
mod fetch;
mod flight;
mod hang;
mod issue;
mod ldst;
mod moves;
mod operands;
mod program;
mod regfile;
mod rename;
pub mod replay;
mod rounds;
mod route;
mod scheduler;
mod scoreboard;
mod shared_scratchpad;
mod signals;
mod simt;
mod special;
mod spill;
mod stacks;
mod stall;
mod team;
mod tell;
#[cfg(test)]
mod tests;
pub(crate) mod timing;
mod warps;
pub(crate) mod wheel;
mod writeback;

pub use api::{Launch, RunOptions, RunResult, run, run_traced, run_with_memory};
pub use error::{AccessFault, LaunchFault, Owner, Place, RunError};
pub use hang::{Hang, Waiting, WaitsFor};

use crate::kernel::RegSpace;
use crate::kernel::exec::AluOutput;
use crate::machine::{Machine, MemoryTiming, SchedulerPolicy};
use crate::memory::device::DeviceMemory;
use crate::memory::l1::L1;
use crate::memory::local::LocalMemory;
use crate::memory::scratchpad::Scratchpad;
use crate::memory::system::MemorySystem;
use crate::observe::counters::Counters;
use crate::observe::watch::SharedWatcher;
use crate::scheme::Plan;
use access::Resolved;
use collector::Collectors;
use cta::Ctas;
use error::Step;
use flight::Flights;
use ldst::LoadStoreUnit;
use program::Program;
pub(crate) use program::Unit;
use regfile::RegisterFile;
use regshare_hw::manager::{
    Answer, IssueReply, IssueRequest, MAX_SCHEDULERS, RegisterManager, RenamingCounts, Throttle,
};
use scheduler::Scheduler;
use scoreboard::Scoreboard;
use signals::{Seen, Watch};
use special::SpecialRegisters;
use spill::Spills;
use stacks::Stacks;
use std::collections::VecDeque;
use warps::Warps;
use wheel::Wheel;

/// State of the SM between two cycles.
struct Sm<'a> {
    cycle: u64,
    cycle_limit: u64,
    skip: bool,
    skipped_cycles: u64,
    /// Cycles gone through since an instruction issued.
    barren_cycles: u32,
    /// The last cycle in which something other than waiting in a loop was done ([`program::MicroOp::idle`]).
    worked_at: u64,
    /// A watch over warps that may go round for ever.
    rounds: Option<Box<rounds::Rounds>>,
    counters: Counters,
    seen: Seen,
    watch: Option<Watch>,
    watchers: Vec<SharedWatcher>,
    /// A watcher wants the events of the pipeline.
    tells: bool,
    /// The last instruction of each scheduler: warp slot and program counter.
    last_issued: [Option<(usize, u32)>; MAX_SCHEDULERS],

    // front end
    program: &'a Program,
    special: SpecialRegisters,
    fetch_width: u8,
    fetches_per_cycle: u8,
    last_fetched: usize,
    ctas: Ctas,
    warps: Warps,

    // issue
    schedulers: Vec<Scheduler>,
    issue_width: [u32; 3],
    scoreboard: Scoreboard,
    manager: Box<dyn RegisterManager>,
    proposals: [Option<usize>; MAX_SCHEDULERS],
    requests: Vec<Option<IssueRequest>>,
    replies: Vec<IssueReply>,
    /// Where SMs are compared: what holds in this cycle, and the stall cycles of SM 0.
    throttle: Option<Throttle>,
    zero_stalls: u16,

    // operands and execution
    registers: RegisterFile,
    collectors: Collectors,
    flights: Flights,
    unit_free_at: [Vec<u64>; 2],
    latch_cycles: u64,
    alu_output: AluOutput,
    wheel: Wheel,

    // memory
    params: &'a [u8],
    memory_timing: MemoryTiming,
    ldst: LoadStoreUnit,
    resolved: Resolved,
    l1: L1,
    scratchpad: Scratchpad,
    local: LocalMemory,
    /// Empty while another SM has it.
    device: DeviceMemory,
    memory: Box<dyn MemorySystem>,

    // write-back
    writeback_width: u8,
    results: VecDeque<u16>,
    load_results: VecDeque<u16>,
    written_banks: u32,

    // instructions whose packs come later, and words of release flags
    renames: bool,
    was_busy: u32,
    answers: Vec<Answer>,
    unlocated: Vec<rename::Unlocated>,
    word: Option<rename::Shown>,
    last_word: usize,

    // what comparators change
    most_warps: Option<u8>,
    spill_fill_hits: bool,

    // calls with register stacks
    stacks: Option<Stacks>,

    // warps whose registers are in memory
    spills: Option<Spills>,

    // a trace that the warps follow
    replay: Option<route::Replay<'a>>,
}

impl<'a> Sm<'a> {
    fn new(
        program: &'a Program,
        plan: &Plan,
        launch: &'a Launch,
        machine: &Machine,
        options: &RunOptions,
        memory: Box<dyn MemorySystem>,
        manager: Box<dyn RegisterManager>,
    ) -> Self {
        let pipeline = &machine.pipeline;
        let timing = &machine.memory;
        let slots = usize::from(machine.limits.warps_per_sm);
        let count = usize::from(machine.schedulers.count);
        let policy = policy(plan, machine, options);
        let scratchpad_bytes = scratchpad_bytes(plan, launch);
        let resident = plan.occupancy.ctas;
        // A word for each register of a warp that may be spilled.
        let spilled_regs = match (program.spills, &plan.kernel.regs) {
            (Some(_), &RegSpace::Architected { regs, .. }) => regs,
            _ => 0,
        };
        let handler_words =
            (plan.stacks.as_ref()).map_or(spilled_regs.into(), |s| s.spill_words + s.switch_words);
        let handler_byte = u64::from(plan.kernel.local_bytes).next_multiple_of(4);
        Sm {
            cycle: 0,
            cycle_limit: options.cycle_limit.unwrap_or(1 << 40),
            skip: !options.every_cycle && options.probe.is_none(),
            skipped_cycles: 0,
            barren_cycles: 0,
            worked_at: 0,
            rounds: None,
            counters: Counters::default(),
            seen: Seen::default(),
            watch: None,
            watchers: options.watchers.clone(),
            tells: false,
            last_issued: [None; MAX_SCHEDULERS],
            program,
            special: SpecialRegisters::new(
                launch.grid,
                launch.block,
                launch.dynamic_scratchpad_bytes,
                scratchpad_bytes as u32,
            ),
            fetch_width: pipeline.fetch_width,
            fetches_per_cycle: pipeline.fetches_per_cycle,
            last_fetched: 63,
            ctas: Ctas::new(launch.grid, launch.block, resident),
            warps: Warps::new(slots),
            schedulers: (0..count)
                .map(|index| Scheduler::new(policy, index, count))
                .collect(),
            issue_width: Self::issue_widths(pipeline.sp_units, pipeline.sfu_units),
            scoreboard: Scoreboard::new(slots),
            manager,
            proposals: [None; MAX_SCHEDULERS],
            requests: vec![None; count],
            replies: vec![IssueReply::default(); count],
            throttle: None,
            zero_stalls: 0,
            registers: RegisterFile::new(
                machine.limits.packs_per_sm,
                (pipeline.register_banks, pipeline.register_sub_cores),
                slots,
                plan.scratchpad.is_some(),
            ),
            collectors: Collectors::new(pipeline),
            flights: Flights::default(),
            unit_free_at: [
                vec![0; pipeline.sp_units.into()],
                vec![0; pipeline.sfu_units.into()],
            ],
            latch_cycles: u64::from(pipeline.latch_cycles)
                + plan.stacks.as_ref().map_or(0, |s| s.extra_cycles.into()),
            alu_output: AluOutput::default(),
            wheel: Wheel::new(),
            params: &launch.params,
            ldst: LoadStoreUnit::default(),
            resolved: Resolved::default(),
            l1: L1::new(
                timing.l1_sets,
                timing.l1_ways,
                timing.l1_mshrs,
                timing.l1_merges_per_mshr,
            ),
            memory_timing: timing.clone(),
            scratchpad: Scratchpad::new(resident.into(), scratchpad_bytes, plan.scratchpad),
            local: LocalMemory::with_handler(slots, plan.kernel.local_bytes, handler_words),
            device: DeviceMemory::default(),
            memory,
            writeback_width: pipeline.writeback_width,
            results: VecDeque::with_capacity(256),
            load_results: VecDeque::with_capacity(256),
            written_banks: 0,
            renames: program.renames,
            was_busy: 0,
            answers: Vec::new(),
            unlocated: Vec::new(),
            word: None,
            last_word: 63,
            most_warps: plan.idealised.most_warps,
            spill_fill_hits: plan.idealised.spill_fill_hits,
            stacks: program.stacks.map(|ops| {
                let spill = plan.stacks.as_ref().map_or(0, |s| s.spill_words);
                Stacks::new(slots, ops, handler_byte, spill, handler_words)
            }),
            spills: (program.spills).map(|ops| Spills::new(slots, ops, handler_byte, spilled_regs)),
            replay: None,
        }
    }

    /// One cycle, last stage first, up to the launch of CTAs ([`team`]).
    fn stages(&mut self) -> Step {
        self.seen = Seen::default();
        self.receive()?;
        self.write_back()?;
        self.execute()?;
        self.load_store()?;
        self.collect()?;
        self.issue()?;
        self.decode();
        self.fetch();
        Ok(())
    }

    /// The end of a cycle, behind the launch.
    fn end_cycle(&mut self) -> Step {
        self.count_warps(1);
        self.sample()
    }

    /// Nothing is left for this SM.
    fn is_done(&self) -> bool {
        !self.ctas.more && self.warps.resident == 0 && !self.manager.has_news()
    }

    /// Nothing may be held, busy or pending when all CTAs have ended.
    fn check_end(&self) -> Step {
        let held = self.manager.held();
        let leak = if let Some(holding) = held.first() {
            format!("warp slot {} still holds {}", holding.warp, holding.what)
        } else if !self.flights.is_empty() || !self.collectors.is_empty() {
            "instructions are still in flight".to_owned()
        } else if !self.unlocated.is_empty() || self.word.is_some() {
            "the register hardware has not answered everything".to_owned()
        } else if !self.scoreboard.is_clear() {
            "the scoreboard still has entries".to_owned()
        } else if self.ctas.free.count_ones() as usize != self.ctas.slots.len() {
            "a CTA slot is not free".to_owned()
        } else if self.is_spilled() {
            "registers of a warp are in memory".to_owned()
        } else if self.memory.in_flight() > 0 || self.l1.pending() > 0 {
            "memory has not answered everything".to_owned()
        } else {
            return Ok(());
        };
        Err(Box::new(RunError::Leak(leak)))
    }

    /// The result, if this SM was the only one.
    fn into_result(mut self) -> RunResult {
        RunResult {
            sms: 1,
            cycles: self.counters.cycles,
            renaming: (self.manager.renaming_counts(self.counters.cycles)).map(|counts| {
                RenamingCounts {
                    spill_cycles: self.spills.as_ref().map_or(0, |spills| spills.cycles),
                    ..counts
                }
            }),
            stacks: self.manager.stack_counts(),
            counters: self.counters,
            memory: self.device.into_image(),
            skipped_cycles: self.skipped_cycles,
            chip: None,
            followed: self.replay.map(|replay| replay.followed),
        }
    }
}

/// How the schedulers choose: as the scheme, else the run, else the machine says.
pub(crate) fn policy(plan: &Plan, machine: &Machine, options: &RunOptions) -> SchedulerPolicy {
    (plan.scheduler.or(options.scheduler)).unwrap_or(machine.schedulers.policy)
}

/// Scratchpad of a CTA: the dynamic part starts behind the static one, 16-byte aligned.
fn scratchpad_bytes(plan: &Plan, launch: &Launch) -> usize {
    let fixed = plan.kernel.shared_bytes as usize;
    match launch.dynamic_scratchpad_bytes as usize {
        0 => fixed,
        dynamic => fixed.next_multiple_of(16) + dynamic,
    }
}
