//! Register file virtualization behind the run-time seam: [`rfv_top`](crate::rfv::rfv_top).
//!
//! A proposal is taken in when the table serves its first operand, and the scheduler is busy until the last is; packs come a
//! cycle later each. The table is walked for every warp slot while the kernel is placed, so that its words map nothing; these
//! cycles are part of the launch and are not counted. // assumed

mod count;
mod events;
mod hear;
mod passing;
mod ports;
pub(super) mod safety;
mod spill;

use super::unit::{Sink, Unit};
use super::{
    Answer, Backend, CycleReply, Decode, Geometry, Holding, IssueReply, IssueRequest, ManagerFault,
    Pending, PinSink, RegisterManager, Relief, RenamingCounts, Spill, UnitPins,
};
use crate::clocked::Clocked;
use crate::ids::{ArchReg, CtaSlot, WarpSlot};
use crate::rfv::free_list::reserved_packs;
use crate::rfv::rename_table::BANKS;
use crate::rfv::rfv_top::model::Model;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut, pack_count};
use crate::verilog::VerilogError;
use events::Event;
use passing::Powered;
use ports::{Port, Served, Starved};
use safety::Residents;
use spill::Spilling;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Cycles after the last look-up in which packs are still on their way back.
const SETTLE: u8 = 3;

/// What a plan asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) warps_per_cta: u8,
    pub(super) shrink: u8,
    pub(super) exempt: u8,
    /// CTAs that are resident at once.
    pub(super) ctas: u16,
    pub(super) flag_entries: u8,
    /// The warps may want more packs than there are.
    pub(super) spills: bool,
    /// Most packs that a CTA has assigned at once.
    pub(super) need: u16,
    /// Most registers of each bank that a warp has mapped at once, if CTAs wait for each other's packs.
    pub(super) most: Option<[u16; BANKS]>,
}

/// The RTL of any of its variants. Behind a pointer, so that each is compiled once and not with all of the manager.
pub(super) type Rtl<const NW: usize, const T: usize, const PACKS: usize> =
    Box<dyn Clocked<In = RfvTopIn<NW, T, PACKS>, Out = RfvTopOut<NW, T, PACKS>> + Send>;

/// Register file virtualization.
pub(super) struct Renaming<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> {
    // `held` looks through a shared reference.
    top: RefCell<Unit<Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>, Rtl<NW, T, PACKS>>>,
    placement: Placement,
    geometry: Geometry,
    events: VecDeque<Event>,
    /// Warps that have started and whose packs have not been given back.
    present: u64,
    /// Warps whose flags have given back all.
    gave_all_back: u64,
    /// Cycles without `hold`, which let what was given back go on.
    unheld: u64,
    /// No walk goes on, and none was begun in the last cycle.
    still: bool,
    ports: [Port; 2],
    /// Registers of each warp that have a pack, a bit each: told by what is asked and answered, for the counts.
    mapped: Vec<u64>,
    spilling: Spilling,
    residents: Residents,
    /// Without a flag cache: the pir whose flags each warp has, and the first slot whose flags it has not used.
    carried: Vec<Option<(u16, u8)>>,
    served: Option<Served>,
    starved: VecDeque<Starved>,
    answers: Vec<Answer>,
    /// Answers whose pack lies in a sub-array that still wakes.
    waking: Vec<Answer>,
    next_ticket: u32,
    decode: Decode,
    /// Port b goes first: port a was the last that was taken in.
    favor_b: bool,
    /// A pir that an instruction needs which has begun.
    refetch: Option<super::FlagWord>,
    /// The SM's word was shown in the last cycle and is not done: another word would be taken for the rest of it.
    word_begun: bool,
    /// Cycles until everything given back is free again.
    settle: u8,
    /// Cycles in which nothing happened but starved destinations asking.
    fruitless: u32,
    last_cycle: Option<u64>,
    may_issue: u64,
    powered: Powered,
    in_use: u64,
    throttled: bool,
    counts: RenamingCounts,
    pending: Option<ManagerFault>,
    sink: Sink,
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    /// Of the variant with these parameters, which its module is named after.
    pub(super) fn new(
        placement: Placement,
        geometry: Geometry,
        backend: Backend,
        rtl: Rtl<NW, T, PACKS>,
        parameters: Vec<(&'static str, u64)>,
    ) -> Result<Self, VerilogError> {
        let model = Model::default().with_flag_entries(placement.flag_entries.into());
        let sides = (model, rtl);
        let top = Unit::of("rfv_top", "rfv_top", 0, parameters, backend, sides)?;
        Ok(Self {
            top: RefCell::new(top),
            placement,
            geometry,
            events: VecDeque::new(),
            present: 0,
            gave_all_back: 0,
            unheld: 0,
            still: true,
            ports: [Port::default(), Port::default()],
            mapped: vec![0; NW],
            spilling: Spilling::new(NW),
            residents: Residents::default(),
            carried: vec![None; NW],
            served: None,
            starved: VecDeque::new(),
            answers: Vec::new(),
            waking: Vec::new(),
            next_ticket: 0,
            decode: Decode::default(),
            favor_b: false,
            refetch: None,
            word_begun: false,
            settle: 0,
            fruitless: 0,
            last_cycle: None,
            may_issue: 0,
            powered: Powered::default(),
            in_use: 0,
            throttled: false,
            counts: RenamingCounts::default(),
            pending: None,
            sink: None,
        })
    }

    /// The pins that stay as they are while a kernel runs.
    fn idle(&self) -> RfvTopIn<NW, T, PACKS> {
        RfvTopIn {
            shrink: self.placement.shrink,
            exempt: self.placement.exempt,
            reserved: self.reserved() as u16,
            ..RfvTopIn::default()
        }
    }

    fn all_packs(&self) -> u64 {
        pack_count(PACKS, self.placement.shrink.into(), 0) as u64
    }

    /// Packs of each bank that hold the exempt registers of all resident warps.
    fn reserved(&self) -> usize {
        let place = &self.placement;
        let warps = usize::from(place.ctas) * usize::from(place.warps_per_cta);
        reserved_packs(place.exempt.into(), warps)
    }

    /// Packs that can be assigned.
    fn assignable(&self) -> u64 {
        pack_count(PACKS, self.placement.shrink.into(), self.reserved()) as u64
    }

    /// Whether an instruction waits for the packs that it needs before it issues.
    fn waits_for_packs(&self) -> bool {
        self.placement.spills || self.placement.most.is_some()
    }

    fn cta(&self, warp: WarpSlot) -> u8 {
        (warp.0 / u16::from(self.placement.warps_per_cta)) as u8
    }
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> RegisterManager for Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    fn place(&mut self) {
        self.events.clear();
        self.starved.clear();
        self.answers.clear();
        self.waking.clear();
        self.ports = [Port::default(), Port::default()];
        (self.present, self.still, self.served) = (0, true, None);
        (self.gave_all_back, self.unheld) = (0, 0);
        (self.settle, self.fruitless, self.next_ticket) = (0, 0, 0);
        (self.may_issue, self.powered, self.in_use) = (0, Powered::default(), 0);
        (self.decode, self.refetch) = (Decode::default(), None);
        (self.word_begun, self.favor_b) = (false, false);
        self.mapped.fill(0);
        self.spilling = Spilling::new(NW);
        self.residents = Residents::default();
        self.last_cycle = None;
        self.counts = RenamingCounts::default();
        self.pending = self.clear_and_walk().err();
    }

    fn answers(&mut self) -> Result<&[Answer], ManagerFault> {
        self.hear()?;
        Ok(&self.answers)
    }

    fn is_busy(&self, scheduler: usize) -> bool {
        (self.ports.get(scheduler)).is_some_and(|port| port.request.is_some())
    }

    fn decode(&mut self, decode: Decode) {
        self.decode = decode;
    }

    fn cycle(
        &mut self,
        cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        if let Some(fault) = self.pending.take() {
            return Err(fault);
        }
        self.catch_up(cycle)?;
        let mut pins = RfvTopIn {
            hold: self.decode.hold,
            favor_b: self.favor_b,
            ..self.idle()
        };
        self.tell(&mut pins);
        let refetches = self.refetch.is_some();
        let spilled = match refetches || self.word_begun {
            true => None,
            false => self.spilling.word(),
        };
        let decoded = self.decode.word;
        let decoded = decoded.filter(|word| self.word_begun || !self.overtakes(word));
        let word = self.refetch.or(spilled).or(decoded);
        if let Some(word) = word {
            pins.word_valid = true;
            (pins.word, pins.word_pc) = (word.word, word.pc);
            (pins.word_warp, pins.word_cta) = (word.warp.0 as u8, self.cta(word.warp));
        }
        let shown = self.show(&mut pins, cycle, requests);
        let out = self.top.get_mut().clock(&pins, &mut self.sink)?;
        self.count(&out);
        self.told(&pins, &out)?;
        self.word_begun = word.is_some() && !refetches && spilled.is_none() && !out.word_done;
        let mut reply = CycleReply::default();
        if spilled.is_some() {
            if out.word_done {
                self.saved();
            }
        } else if word.is_some() && out.word_done {
            self.decoded(word.is_some_and(|_| out.pbr), word);
            self.counts.pir_decoded += u64::from(out.pir);
            self.counts.pbr_decoded += u64::from(out.pbr);
            match self.refetch.take() {
                Some(_) => {}
                None => reply.word_done = true,
            }
        }
        self.counts.hold_cycles += u64::from(pins.hold && (pins.a_valid || pins.b_valid));
        reply.wake = self.take(&shown, &out, requests, replies);
        if out.may_issue != self.may_issue {
            self.may_issue = out.may_issue;
            reply.wake = true;
        }
        self.wake_short(&mut reply);
        let moved =
            self.served.is_some() || out.busy || out.walk_grant || out.pbr && word.is_some();
        self.settle = match moved {
            true => SETTLE,
            false => self.settle.saturating_sub(1),
        };
        self.fruitless = match self.starved.is_empty() || moved && self.served.is_none() {
            true => 0,
            false => self.fruitless + 1,
        };
        Ok(reply)
    }

    fn relieve(&mut self, pending: &Pending<'_>) -> Option<Relief> {
        self.choose_relief(pending)
    }

    fn refill(&mut self, pending: &Pending<'_>) -> Option<Spill> {
        self.choose_refill(pending)
    }

    fn can_refill(&self, pending: &Pending<'_>) -> bool {
        self.refillable(pending).is_some()
    }

    fn save(&mut self, warp: WarpSlot, reg: ArchReg) -> u32 {
        self.begin_look_up(warp, reg)
    }

    fn moved(&mut self, warp: WarpSlot) {
        self.all_moved(warp);
    }

    fn went_on(&mut self, warp: WarpSlot) {
        self.leave_head(warp);
    }

    fn warp_started(&mut self, warp: WarpSlot) {
        self.present |= 1 << warp.0;
        self.carried[warp.index()] = None;
        let cta = self.cta(warp);
        let is_first = (warp.0).is_multiple_of(self.placement.warps_per_cta.into());
        self.residents.start(warp, cta, is_first);
        if is_first {
            self.events.push_back(Event::CtaStart(cta));
        }
    }

    fn gave_all_back(&mut self, warp: WarpSlot) {
        self.gave_all_back |= 1 << warp.0;
    }

    fn warp_ended(&mut self, warp: WarpSlot) {
        self.leave_head(warp);
        self.residents.warp_ended(warp);
        let gave = 1 << warp.0;
        let event = match self.gave_all_back & gave != 0 {
            true => Event::WarpEmpty(warp, self.unheld),
            false => Event::WarpEnd(warp),
        };
        self.gave_all_back &= !gave;
        self.events.push_back(event);
    }

    fn cta_ended(&mut self, cta: CtaSlot) {
        self.events.push_back(Event::CtaEnd(cta.0 as u8));
    }

    /// A destination that asks in vain for so long that nothing can be on its way to it is no news.
    fn has_news(&self) -> bool {
        let on_its_way = !self.events.is_empty()
            || self.ports.iter().any(|port| port.request.is_some())
            || self.served.is_some()
            || self.settle > 0
            || !self.waking.is_empty()
            || self.spilling.has_news()
            || !self.starved.is_empty();
        on_its_way && self.fruitless < 1000
    }

    fn held(&self) -> Vec<Holding> {
        if !self.events.is_empty() || self.present != 0 {
            return Vec::new();
        }
        let what = match self.top.borrow_mut().look_up(&self.idle(), &mut None) {
            Ok(out) => match self.assignable() - u64::from(out.free_packs) {
                0 => return Vec::new(),
                packs => format!("{packs} packs that nobody has given back"),
            },
            Err(divergence) => {
                format!("something that model and RTL disagree about: {divergence}")
            }
        };
        let warp = WarpSlot(0);
        vec![Holding { warp, what }]
    }

    fn renaming_counts(&self, end: u64) -> Option<RenamingCounts> {
        let mut counts = self.counts;
        counts.packs = self.all_packs();
        let rest = self
            .last_cycle
            .map_or(0, |last| end.saturating_sub(last + 1));
        counts.pack_cycles += rest * self.in_use;
        self.powered.count(&mut counts, rest);
        Some(counts)
    }

    fn units(&self) -> Vec<UnitPins> {
        vec![self.top.borrow().describe()]
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
