//! A streaming multiprocessor that replays traces: the pipeline of GPGPU-Sim 4, a stage per file, last stage first.
//!
//! An SM talks to the rest of the GPU through its inbox of answers and its outbox of requests only, so SMs can run in any
//! order, or side by side, in a cycle.

mod barrier;
mod collect;
mod fetch;
mod issue;
mod latch;
mod ldst;
mod sample;
mod stalls;
mod tell;
mod told;
mod turns;
mod unended;
mod units;
mod warp;

use super::address::Mapper;
use super::decoded::{Decoded, KINDS, Registers};
use super::machine::GpuMachine;
use super::packet::{Reply, Request};
use crate::machine::SchedulerPolicy;
use crate::sm::wheel::Wheel;
use crate::trace::record::CtaTrace;
use collect::Collectors;
use fetch::FrontEnd;
use issue::Scheduler;
use latch::Latches;
use ldst::LoadStore;
use serde::{Deserialize, Serialize};
pub use stalls::{SlotCounts, Stalls};
use told::Told;
pub use turns::Turns;
use units::FunctionUnits;
use warp::{CtaSlot, Warp};

/// What an SM counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmCounts {
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Thread instructions issued.
    pub thread_instructions: u64,
    /// CTAs that ended here.
    pub ctas: u64,
    /// Cycles that scratchpad accesses took because of bank conflicts.
    pub scratchpad_conflict_cycles: u64,
    /// Resident warps, summed over the cycles.
    pub warp_cycles: u64,
}

impl SmCounts {
    /// Adds another SM's.
    pub fn add(&mut self, other: &SmCounts) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.ctas += other.ctas;
        self.scratchpad_conflict_cycles += other.scratchpad_conflict_cycles;
        self.warp_cycles += other.warp_cycles;
    }
}

/// An instruction between issue and write-back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flight {
    inst: u32,
    mask: u32,
    /// Order of issue.
    number: u64,
    warp: u8,
    scheduler: u8,
    /// Index into the addresses of its warp.
    addresses: u32,
    /// Answers that a load or atomic still waits for.
    pending: u32,
}

/// The SM.
#[derive(Clone, Debug)]
pub struct Sm {
    pub(super) index: u16,
    now: u64,
    subcores: bool,
    warps: Vec<Warp>,
    ctas: Vec<CtaSlot>,
    /// Slots without a CTA.
    free_ctas: u32,
    warps_per_cta: usize,

    // masks over warp slots
    resident: u64,
    /// How many are in it.
    residents: u32,
    /// The instruction buffer holds something.
    buffered: u64,
    /// The buffer is empty and the trace goes on.
    hungry: u64,
    /// Waits at a barrier, for atomics, or at a fence.
    waiting: u64,
    /// The next instruction was found to wait for a register.
    hazard: u64,
    /// By kind: the next instruction was found to wait for nothing but a register on the way to the collectors.
    waits_for_latch: [u64; KINDS],
    /// Something has changed since no scheduler found a warp that could issue: only then is it worth another look.
    can_issue: bool,
    /// All instructions have issued; something may still be on its way.
    ending: u64,
    /// By warp slot: registers that a load from memory wrote last, of whichever warp was there. GPGPU-Sim forgets them only when
    /// another instruction has written them, and for the two-level policy a warp that reads one waits for memory.
    marks: Vec<Registers>,

    schedulers: Vec<Scheduler>,
    policy: SchedulerPolicy,
    first_scheduler: usize,
    front: FrontEnd,
    flights: Vec<Flight>,
    free_flights: Vec<u32>,
    number: u64,
    /// Issued instructions on the way to the collectors, and from there to the units, by kind.
    to_collector: Latches,
    to_unit: Latches,
    collectors: Collectors,
    written_banks: u32,
    units: FunctionUnits,
    wheel: Wheel,
    ldst: LoadStore,

    /// Answers that have come over the interconnect.
    port: std::collections::VecDeque<Reply>,
    port_limit: usize,
    /// Requests of this cycle.
    pub outbox: Vec<Request>,
    /// How many the interconnect takes.
    pub room: usize,
    /// Counters.
    pub counts: SmCounts,
    /// Where the issue slots went, if that is asked.
    pub stalls: Option<Box<Stalls>>,
    /// Who watches, if anybody does.
    pub told: Option<Box<Told>>,
}

impl Sm {
    /// An empty SM for a kernel.
    pub fn new(
        machine: &GpuMachine,
        mapper: &Mapper,
        index: u16,
        policy: SchedulerPolicy,
        kernel: &KernelShape,
        turns: Turns,
    ) -> Self {
        let widths = {
            let u = &machine.units;
            [
                u.sp, u.sfu, u.mem, u.dp, u.int, u.branch, u.texture, u.tensor, u.uniform,
            ]
            .map(|unit| unit.width)
        };
        let mut collectors = Collectors::new(machine);
        collectors.set_exits(turns.exits);
        let mut ldst = LoadStore::new(machine, mapper, kernel);
        ldst.next_client = turns.writes_back;
        Sm {
            index,
            now: 0,
            subcores: machine.issue.subcores,
            warps: vec![Warp::default(); machine.limits.warps as usize],
            ctas: vec![CtaSlot::default(); kernel.ctas_per_sm as usize],
            free_ctas: kernel.ctas_per_sm,
            warps_per_cta: kernel.warps_per_cta as usize,
            resident: 0,
            residents: 0,
            buffered: 0,
            hungry: 0,
            waiting: 0,
            hazard: 0,
            waits_for_latch: [0; KINDS],
            can_issue: true,
            ending: 0,
            marks: turns.marks,
            schedulers: turns.schedulers,
            policy,
            first_scheduler: turns.first_scheduler,
            front: FrontEnd::new(machine, turns.icache, turns.fetched),
            flights: Vec::new(),
            free_flights: Vec::new(),
            number: 0,
            to_collector: Latches::new(widths),
            to_unit: Latches::new(widths),
            collectors,
            written_banks: 0,
            units: FunctionUnits::new(machine),
            wheel: Wheel::new(),
            ldst,
            port: std::collections::VecDeque::new(),
            port_limit: machine.interconnect.sm_packets as usize,
            outbox: Vec::new(),
            room: 0,
            counts: SmCounts::default(),
            stalls: None,
            told: None,
        }
    }

    /// Puts issue slots down to causes from cycle `start` on.
    pub fn watch_slots(&mut self, start: u64) {
        let (schedulers, warps) = (self.schedulers.len(), self.warps.len());
        self.stalls = Some(Box::new(Stalls::new(schedulers, warps, start)));
    }

    /// The cycle simulated last.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Whether a CTA can be launched.
    pub fn has_room(&self) -> bool {
        self.free_ctas > 0
    }

    /// The most instructions that a warp here has left to issue.
    pub fn longest_left(&self) -> u64 {
        let mut left = self.resident & !self.ending;
        let mut longest = 0;
        while left != 0 {
            let warp = &self.warps[left.trailing_zeros() as usize];
            left &= left - 1;
            longest = longest.max(warp.length() - warp.issued);
        }
        longest.into()
    }

    /// Whether nothing is here or on its way.
    pub fn is_idle(&self) -> bool {
        self.resident == 0
    }

    /// One cycle; returns the first later one in which something can change unless an answer comes.
    pub fn cycle(&mut self, now: u64, program: &[Decoded]) -> u64 {
        self.now = now;
        if self.told.is_none() {
            return self.advance(program);
        }
        self.tell_cycle();
        let next = self.advance(program);
        self.tell_end_of_cycle(program);
        next
    }

    fn advance(&mut self, program: &[Decoded]) -> u64 {
        let now = self.now;
        self.counts.warp_cycles += u64::from(self.residents);
        if let Some(stalls) = &mut self.stalls {
            stalls.pass(now);
        }
        self.wheel.advance_to(now);
        self.written_banks = 0;
        let mut active = self.write_back(program);
        active |= self.execute(program);
        for _ in 0..self.collectors.read_steps {
            active |= self.collect(program);
        }
        active |= self.issue(program);
        for _ in 0..self.front.steps {
            active |= self.decode();
            active |= self.fetch(program);
        }
        // The queues of the two-level policy turn in every cycle; room at the interconnect can come in any.
        let two_level = matches!(self.policy, SchedulerPolicy::TwoLevel(_));
        let turns = two_level && self.resident != 0 && !self.all_at_barriers();
        let asks = self.front.is_busy() || self.hungry & !self.front.missing != 0;
        if active || turns || asks || !self.outbox.is_empty() || self.room != usize::MAX {
            return now + 1;
        }
        // Nothing moved, so nothing will before a result, a unit, or an access that is on its way comes up.
        let wheel = self.wheel.next_event().unwrap_or(u64::MAX);
        wheel
            .min(self.units.retry_at)
            .min(self.ldst.next_event(now))
    }

    /// Whether all that its warps wait for is each other: then no turn of a queue brings any of them on.
    fn all_at_barriers(&self) -> bool {
        let mut left = self.resident;
        let all = left & !self.waiting == 0;
        while all && left != 0 {
            let warp = &self.warps[left.trailing_zeros() as usize];
            left &= left - 1;
            let on_its_way = warp.atomics > 0 || warp.stores > 0 || !warp.pending.is_empty();
            if !warp.at_barrier || on_its_way {
                return false;
            }
        }
        all
    }

    /// Cycles in which the SM was not simulated because nothing could change.
    pub fn skip(&mut self, cycles: u64) {
        if cycles == 0 || self.residents == 0 {
            return;
        }
        self.counts.warp_cycles += u64::from(self.residents) * cycles;
        self.ldst.skip(cycles);
        let schedulers = self.schedulers.len();
        self.first_scheduler = (self.first_scheduler + cycles as usize) % schedulers;
    }

    /// An answer that came before goes to the load/store unit. Returns whether another one can come.
    pub fn pull(&mut self) -> bool {
        if self.ldst.inbox.len() < ldst::INBOX
            && let Some(reply) = self.port.pop_front()
        {
            self.ldst.inbox.push_back(reply);
        }
        self.port.len() < self.port_limit
    }

    /// An answer comes.
    pub fn accept(&mut self, reply: Reply) {
        self.port.push_back(reply);
    }

    /// Whether an answer waits at the port.
    pub fn has_answers(&self) -> bool {
        !self.port.is_empty() || !self.ldst.inbox.is_empty()
    }

    /// Counters of the first-level data cache.
    pub fn l1_counts(&self) -> crate::gpu::cache::CacheCounts {
        self.ldst.l1_counts()
    }

    /// Launches a CTA into the lowest free slot, from cycle `now` on; there is one.
    pub fn launch(&mut self, trace: CtaTrace, now: u64) {
        let Some(slot) = self.ctas.iter().position(|cta| cta.running == 0) else {
            return;
        };
        self.ctas[slot] = CtaSlot {
            index: trace.index,
            ..CtaSlot::default()
        };
        let mut started = 0;
        // A warp that executes nothing is not there.
        for warp in (trace.warps.into_iter()).filter(|warp| !warp.insts.is_empty()) {
            let at = slot * self.warps_per_cta + warp.warp as usize;
            let bit = 1u64 << at;
            self.resident |= bit;
            self.hungry |= bit;
            self.ctas[slot].live |= bit;
            self.warps[at] = Warp::new(warp, slot);
            let scheduler = at % self.schedulers.len();
            self.schedulers[scheduler].by_age.push(at as u8);
            started += 1;
        }
        self.ctas[slot].running = started;
        if started > 0 {
            self.tell_cta(slot, now);
        }
        self.free_ctas -= u32::from(started > 0);
        self.residents += started;
    }

    fn take_flight(&mut self) -> u32 {
        self.free_flights.pop().unwrap_or_else(|| {
            self.flights.push(Flight::default());
            (self.flights.len() - 1) as u32
        })
    }

    /// The instruction has ended.
    fn free_flight(&mut self, id: u32) {
        self.tell_finished(id);
        self.free_flights.push(id);
    }

    /// The instruction leaves the pipeline.
    fn retire(&mut self, flight: u32) {
        let warp = usize::from(self.flights[flight as usize].warp);
        self.warps[warp].in_pipeline -= 1;
    }
}

/// What an SM must know of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelShape {
    /// CTAs resident at once.
    pub ctas_per_sm: u32,
    /// Warps of a CTA.
    pub warps_per_cta: u32,
    /// Ways of the first-level cache that scratchpad leaves.
    pub l1_ways: u32,
    /// Generic addresses of scratchpad and local memory start here.
    pub scratchpad_base: u64,
    /// See above.
    pub local_base: u64,
}
