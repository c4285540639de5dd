//! Register hardware that is clocked twice in an SM cycle: a round each.
//!
//! The hardware has two issue ports. With three or four schedulers, they are in one round those of schedulers 0 and 1, in the other
//! those of 2 and 3; the pair that comes second in one SM cycle comes first in the next. None of the papers says how their
//! hardware serves four schedulers. // assumed
//!
//! One or two schedulers show in the second round what was not taken in in the first. That is for hardware that takes in one
//! instruction in a clock cycle, where two schedulers issue two: renaming (RFV 7.1: a look-up of 0.22 ns is a sixth of a cycle
//! of 700 MHz; 9: two instructions in every cycle).
//!
//! What the first round gives back, the second can have. A round in which nobody asks and nothing has happened is left out, as
//! cycles without requests are.
//!
//! Hardware that takes several of its cycles for an instruction keeps the port meanwhile: the other scheduler of that port is
//! told to ask again ([`IssueReply::again`]).

use super::{
    Answer, Choice, CycleReply, Decode, Holding, IssueReply, IssueRequest, ManagerFault, Pending,
    PinSink, RegisterManager, Relief, RenamingCounts, Spill, StackCounts, StallWatch, Switch,
    Throttle, UnitPins,
};
use crate::ids::{ArchReg, CtaSlot, Pack, WarpSlot};

/// Issue ports of the hardware.
const PORTS: usize = 2;
/// Warp slots of schedulers 0 and 1, where there are four: slot mod 4.
const FIRST_PAIR: u64 = 0x3333_3333_3333_3333;

/// Hardware with two ports that is clocked twice in an SM cycle, for up to four schedulers.
pub(super) struct TwoRounds {
    inner: Box<dyn RegisterManager>,
    schedulers: u8,
    /// The scheduler whose instruction was last taken in on each port.
    owners: [usize; PORTS],
    decode: Decode,
    /// What the choice was made of, for the edges of the same cycle.
    ready: Option<(u64, u64)>,
    /// Located in the first round of the last cycle.
    early: Vec<Answer>,
    answers: Vec<Answer>,
}

impl TwoRounds {
    pub(super) fn new(inner: Box<dyn RegisterManager>, schedulers: u8) -> Self {
        Self {
            inner,
            schedulers,
            owners: [0; PORTS],
            decode: Decode::default(),
            ready: None,
            early: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The schedulers have a round for themselves by pairs; if not, one pair has both.
    fn by_pairs(&self) -> bool {
        usize::from(self.schedulers) > PORTS
    }

    /// The warps among which the schedulers of a pair choose.
    fn of_pair(pair: usize, warps: u64) -> u64 {
        warps
            & match pair {
                0 => FIRST_PAIR,
                _ => !FIRST_PAIR,
            }
    }

    /// One cycle of the hardware's clock, for the schedulers of one pair.
    fn round(
        &mut self,
        clock: u64,
        pair: usize,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        self.early.extend_from_slice(self.inner.answers()?);
        if let Some((ready, acquiring)) = self.ready {
            self.inner.choose(Self::of_pair(pair, ready), acquiring)?;
        }
        self.inner.decode(self.decode);
        let first = pair * PORTS;
        let taken = |port: usize| {
            self.inner.is_busy(port)
                && self.owners[port] != first + port
                && requests.get(port).is_some_and(Option::is_some)
        };
        let taken: [bool; PORTS] = std::array::from_fn(taken);
        // In the first round of this cycle.
        let granted = |port: usize| replies.get(port).is_some_and(|reply| reply.granted);
        let granted: [bool; PORTS] = std::array::from_fn(granted);
        let out: [bool; PORTS] = std::array::from_fn(|port| taken[port] || granted[port]);
        let reply = if out.contains(&true) {
            let mut free = requests.to_vec();
            for port in 0..free.len().min(PORTS) {
                free[port].take_if(|_| out[port]);
            }
            self.inner.cycle(clock, &free, replies)?
        } else {
            self.inner.cycle(clock, requests, replies)?
        };
        for (port, reply) in replies.iter_mut().enumerate() {
            // Besides what the hardware itself has said.
            reply.again |= taken[port];
            if reply.granted && !granted[port] {
                self.owners[port] = first + port;
            }
        }
        if reply.word_done {
            self.decode.word = None;
        }
        Ok(reply)
    }
}

impl RegisterManager for TwoRounds {
    fn place(&mut self) {
        self.owners = [0; PORTS];
        (self.decode, self.ready) = (Decode::default(), None);
        self.early.clear();
        self.inner.place();
    }

    fn cycle(
        &mut self,
        cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        let mut sum = CycleReply::default();
        for reply in replies.iter_mut() {
            reply.granted = false;
        }
        for round in 0..2 {
            let clock = 2 * cycle + round;
            let pair = match self.by_pairs() {
                true => (clock & 1 ^ cycle & 1) as usize,
                false => 0,
            };
            let schedulers = pair * PORTS..requests.len().min((pair + 1) * PORTS);
            let asked = requests[schedulers.clone()].iter().any(Option::is_some);
            if asked || self.inner.has_news() || self.decode.word.is_some() {
                let replies = &mut replies[schedulers.clone()];
                let reply = self.round(clock, pair, &requests[schedulers], replies)?;
                if reply.wake {
                    (sum.wake, sum.stay) = (true, reply.stay);
                }
                sum.word_done |= reply.word_done;
            }
        }
        (self.ready, self.decode) = (None, Decode::default());
        Ok(sum)
    }

    fn answers(&mut self) -> Result<&[Answer], ManagerFault> {
        self.answers.clear();
        self.answers.append(&mut self.early);
        self.answers.extend_from_slice(self.inner.answers()?);
        Ok(&self.answers)
    }

    fn is_busy(&self, scheduler: usize) -> bool {
        let port = scheduler % PORTS;
        self.inner.is_busy(port) && self.owners[port] == scheduler
    }

    fn decode(&mut self, decode: Decode) {
        self.decode = decode;
    }

    /// In clock cycles of the hardware, which are halves of SM cycles, all but the sums over time: those are in SM cycles.
    fn renaming_counts(&self, end: u64) -> Option<RenamingCounts> {
        let counts = self.inner.renaming_counts(2 * end)?;
        Some(RenamingCounts {
            bank_conflict_cycles: counts.bank_conflict_cycles / 2,
            walk_cycles: counts.walk_cycles / 2,
            hold_cycles: counts.hold_cycles / 2,
            throttled_cycles: counts.throttled_cycles / 2,
            pack_cycles: counts.pack_cycles / 2,
            powered_cycles: counts.powered_cycles / 2,
            powered_packs: counts.powered_packs / 2,
            ..counts
        })
    }

    fn choose(&mut self, ready: u64, acquiring: u64) -> Result<Option<Choice>, ManagerFault> {
        if !self.by_pairs() {
            return self.inner.choose(ready, acquiring);
        }
        let Some(first) = self.inner.choose(Self::of_pair(0, ready), acquiring)? else {
            return Ok(None);
        };
        let second = self.inner.choose(Self::of_pair(1, ready), acquiring)?;
        let second = second.unwrap_or_default();
        self.ready = Some((ready, acquiring));
        Ok(Some([first[0], first[1], second[0], second[1]]))
    }

    fn throttle(&mut self) -> Result<Option<Throttle>, ManagerFault> {
        self.inner.throttle()
    }

    fn watch_stalls(&mut self, watch: StallWatch) {
        self.inner.watch_stalls(watch);
    }

    fn link_pack(&mut self, warp: WarpSlot) -> Result<Option<Pack>, ManagerFault> {
        self.inner.link_pack(warp)
    }

    fn switch_at_barrier(&mut self, at_barrier: u64) -> Result<Option<Switch>, ManagerFault> {
        self.inner.switch_at_barrier(at_barrier)
    }

    fn switched_out(&mut self, warp: WarpSlot) {
        self.inner.switched_out(warp);
    }

    fn passed_barrier(&mut self, warp: WarpSlot) {
        self.inner.passed_barrier(warp);
    }

    fn resumes(&mut self) -> Result<Option<Switch>, ManagerFault> {
        self.inner.resumes()
    }

    fn stack_counts(&mut self) -> Option<StackCounts> {
        self.inner.stack_counts()
    }

    fn relieve(&mut self, pending: &Pending<'_>) -> Option<Relief> {
        self.inner.relieve(pending)
    }

    fn refill(&mut self, pending: &Pending<'_>) -> Option<Spill> {
        self.inner.refill(pending)
    }

    fn can_refill(&self, pending: &Pending<'_>) -> bool {
        self.inner.can_refill(pending)
    }

    fn save(&mut self, warp: WarpSlot, reg: ArchReg) -> u32 {
        self.inner.save(warp, reg)
    }

    fn moved(&mut self, warp: WarpSlot) {
        self.inner.moved(warp);
    }

    fn went_on(&mut self, warp: WarpSlot) {
        self.inner.went_on(warp);
    }

    fn warp_started(&mut self, warp: WarpSlot) {
        self.inner.warp_started(warp);
    }

    fn gave_all_back(&mut self, warp: WarpSlot) {
        self.inner.gave_all_back(warp);
    }

    fn warp_ended(&mut self, warp: WarpSlot) {
        self.inner.warp_ended(warp);
    }

    fn cta_ended(&mut self, cta: CtaSlot) {
        self.inner.cta_ended(cta);
    }

    fn has_news(&self) -> bool {
        self.inner.has_news() || !self.early.is_empty()
    }

    fn held(&self) -> Vec<Holding> {
        self.inner.held()
    }

    fn warps_per_holding(&self) -> u16 {
        self.inner.warps_per_holding()
    }

    fn resource_of(&self, warp: WarpSlot) -> u16 {
        self.inner.resource_of(warp)
    }

    fn units(&self) -> Vec<UnitPins> {
        self.inner.units()
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.inner.set_sink(sink);
    }
}
