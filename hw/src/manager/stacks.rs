//! CARS behind the run-time seam: [`cars_top`](crate::cars::cars_top), and the [choice of the
//! level](crate::cars::reservation_fsm) of each CTA.
//!
//! A warp's registers are one range of packs: its base registers, behind them its stack (III-A). It gets the first range that
//! is free when it starts; if none is, it is in the list of stalled warps until another one ends. // assumed: first fit
//!
//! A warp that gives its registers up at a barrier keeps its row in the table of stacks, and comes back to the same packs,
//! because the links on its stack name them. // assumed

#[doc(hidden)] // Public for the tests, which are a crate of their own.
pub mod allot;
mod level;
mod requests;
mod residency;

use super::unit::{Sink, Unit};
use super::{
    Backend, CycleReply, Geometry, Holding, IssueReply, IssueRequest, Link, ManagerFault, PinSink,
    RegOp, RegisterManager, StackCounts, StackPacks, StackReply, Switch, UnitPins,
};
use crate::cars::cars_top::model::Model;
use crate::cars::cars_top::{CarsTopIn, CarsTopOut, Issue};
use crate::cars::register_stack::Op;
use crate::clocked::Clocked;
use crate::ids::{CtaSlot, Pack, WarpSlot};
use crate::verilog::VerilogError;
use allot::{Allotments, Range};
use level::LEVELS;
pub(super) use level::Levels;
use std::cell::RefCell;
use std::collections::VecDeque;

/// What a plan asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) warps_per_cta: u16,
    pub(super) base_regs: u8,
    /// Packs of a stack at each level, up to `top`.
    pub(super) capacities: [u8; LEVELS],
    pub(super) top: u8,
    /// The level of all CTAs; `None`: the hardware chooses.
    pub(super) level: Option<u8>,
    /// What CTAs of each level took in earlier launches, cycles; 0: none was there.
    pub(super) known: [u32; LEVELS],
}

/// Where a warp is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Not on the SM.
    #[default]
    Absent,
    /// It has started, and has no registers yet.
    Waits,
    /// It has registers, and the stacks are to be told.
    Launches,
    /// It runs.
    Runs,
    /// It gave its registers up, at a barrier.
    Out,
    /// It has passed the barrier, and wants its registers back.
    WantsBack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A warp wants registers.
    Seek(WarpSlot),
    /// A warp has ended.
    Finish(WarpSlot),
}

/// CARS in the hardware `R`.
pub(super) struct Stacks<R, const NW: usize, const PACKS: usize, const STACK: usize> {
    // `held` looks through a shared reference.
    top: RefCell<Unit<Model<NW, PACKS, STACK>, R>>,
    choice: Levels,
    placement: Placement,
    geometry: Geometry,
    states: [State; 64],
    allotments: Allotments,
    /// The level of the CTA in each slot.
    levels: [Option<u8>; 64],
    events: VecDeque<Event>,
    /// Slot and level of those that have ended.
    ctas_done: VecDeque<(usize, u8)>,
    ctas_new: VecDeque<usize>,
    /// Warps whose registers are to be filled again.
    resumed: VecDeque<WarpSlot>,
    counts: StackCounts,
    pending: Option<ManagerFault>,
    sink: Sink,
}

impl<R, const NW: usize, const PACKS: usize, const STACK: usize> Stacks<R, NW, PACKS, STACK>
where
    R: Clocked<In = CarsTopIn<NW, PACKS, STACK>, Out = CarsTopOut<NW, PACKS, STACK>> + Default,
{
    const PARAMETERS: &'static [(&'static str, u64)] = &[
        ("warps", NW as u64),
        ("packs", PACKS as u64),
        ("stack", STACK as u64),
    ];

    pub(super) fn new(
        placement: Placement,
        geometry: Geometry,
        backend: Backend,
        choice: Levels,
    ) -> Result<Self, VerilogError> {
        let top = Unit::new("cars_top", "cars_top", 0, Self::PARAMETERS, backend)?;
        // Where a warp has no stack, its base registers end before the pack that the hardware takes to be behind them, so that pack must
        // be one of the file.
        let levels = usize::from(placement.top) % LEVELS;
        let packs = match placement.capacities[..=levels].contains(&0) {
            true => geometry.packs.min(PACKS as u16 - 1),
            false => geometry.packs,
        };
        Ok(Self {
            top: RefCell::new(top),
            choice,
            placement,
            geometry,
            states: [State::Absent; 64],
            allotments: Allotments::new(packs),
            levels: [None; 64],
            events: VecDeque::new(),
            ctas_done: VecDeque::new(),
            ctas_new: VecDeque::new(),
            resumed: VecDeque::new(),
            counts: StackCounts::default(),
            pending: None,
            sink: None,
        })
    }

    fn cta_of(&self, warp: WarpSlot) -> usize {
        warp.index() / usize::from(self.placement.warps_per_cta)
    }

    /// Packs of the stack of a warp.
    fn capacity(&self, warp: WarpSlot) -> u8 {
        let level = self.levels[self.cta_of(warp)].unwrap_or(0);
        self.placement.capacities[usize::from(level) % LEVELS]
    }

    fn range(&self, warp: WarpSlot) -> Range {
        self.allotments.of(warp).unwrap_or_default()
    }

    fn warps(&self) -> impl Iterator<Item = WarpSlot> + use<R, NW, PACKS, STACK> {
        (0..self.geometry.warps).map(WarpSlot)
    }

    /// What has started and ended goes to the choice of the level.
    fn tell_choice(&mut self, cycle: u64) -> Result<(), ManagerFault> {
        while let Some((cta, level)) = self.ctas_done.pop_front() {
            self.choice.done(cta, level, cycle, &mut self.sink)?;
        }
        while let Some(cta) = self.ctas_new.pop_front() {
            let level = self.choice.launch(cta, cycle, &mut self.sink)?;
            self.levels[cta] = Some(level);
            self.counts.ctas_at_level[usize::from(level) % LEVELS] += 1;
        }
        Ok(())
    }
}

impl<R, const NW: usize, const PACKS: usize, const STACK: usize> RegisterManager
    for Stacks<R, NW, PACKS, STACK>
where
    R: Clocked<In = CarsTopIn<NW, PACKS, STACK>, Out = CarsTopOut<NW, PACKS, STACK>>
        + Default
        + Send,
{
    fn place(&mut self) {
        let clear = CarsTopIn {
            clear: true,
            ..CarsTopIn::default()
        };
        let cleared = self.top.get_mut().clock(&clear, &mut self.sink).map(|_| ());
        let Placement {
            top, level, known, ..
        } = self.placement;
        let begun = self.choice.place(top, level, known, &mut self.sink);
        self.pending = (cleared.map_err(ManagerFault::from)).and(begun).err();
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
        self.tell_choice(cycle)?;
        let mut asked = [None; 2];
        for (asked, request) in asked.iter_mut().zip(requests) {
            *asked = request.as_ref().and_then(|request| self.asks(request));
        }
        let (event, stall) = self.next_event();
        let mut pins = CarsTopIn {
            favor_b: cycle & 1 == 1,
            stall: stall.is_some(),
            stall_warp: stall.map_or(0, |warp| warp.0 as u8),
            wake: event.is_none() && stall.is_none() && self.should_wake(),
            ..CarsTopIn::default()
        };
        // What starts or ends goes before instructions, on a port that is free if one is.
        let event_port = event.map(|_| usize::from(asked[0].is_some() && asked[1].is_none()));
        let mut shown = asked;
        if let (Some(port), Some(event)) = (event_port, event) {
            shown[port] = Some(event);
            pins.favor_b = port == 1;
        }
        if let Some(issue) = shown[0] {
            pins = pins.with_a(issue);
        }
        if let Some(issue) = shown[1] {
            pins = pins.with_b(issue);
        }
        let nothing = |issue: &Issue| issue.op == Op::Nothing.code();
        let changes = pins.stall || pins.wake || !shown.iter().flatten().all(nothing);
        let top = self.top.get_mut();
        let out = match changes {
            true => top.clock(&pins, &mut self.sink)?,
            false if shown != [None; 2] => top.look_up(&pins, &mut self.sink)?,
            false => CarsTopOut::default(),
        };
        let answers = [out.a_answer(), out.b_answer()];
        let served = usize::from(out.served_b);
        let mut wake = false;
        if event_port.is_some_and(|port| answers[port].grant) || stall.is_some() && out.stall_grant
        {
            self.event_done();
            wake = true;
        }
        if out.woken_valid {
            self.events
                .push_front(Event::Seek(WarpSlot(out.woken.into())));
        }
        for (port, (request, reply)) in requests.iter().zip(replies).enumerate() {
            reply.packs.clear();
            (reply.granted, reply.stack) = (false, StackReply::default());
            let Some(request) = request else { continue };
            let Some(issue) = asked[port] else { continue };
            if event_port == Some(port) {
                wake = true;
                continue;
            }
            let packs = StackPacks {
                window: (issue.first, issue.capacity),
                from: out.pack,
                count: out.count,
            };
            reply.granted = answers[port].grant;
            if issue.op != Op::Nothing.code() {
                match (served == port, reply.granted) {
                    (false, _) => wake = true,
                    (true, false) if out.trap => reply.stack.save = Some(packs),
                    (true, false) => {
                        return Err(ManagerFault::IllegalStack {
                            warp: request.warp,
                            op: request.op,
                        });
                    }
                    (true, true) => {
                        let fills = request.op == RegOp::Return && packs.count > 0;
                        reply.stack.fill = fills.then_some(packs);
                        let link = Link {
                            frame: out.link,
                            kernel: out.link_kernel,
                        };
                        if let RegOp::Call { .. } = request.op {
                            reply.stack.link = Some((Pack(out.pack), link));
                        }
                    }
                }
            }
            if reply.granted {
                self.locate(request, issue, answers[port].packs, reply)?;
            }
        }
        Ok(CycleReply {
            wake,
            ..CycleReply::default()
        })
    }

    fn link_pack(&mut self, warp: WarpSlot) -> Result<Option<Pack>, ManagerFault> {
        let mut sink = self.sink.take();
        let answer = self.look(warp, &mut sink);
        self.sink = sink;
        answer.map(|answer| answer.stack.map(|_| Pack(answer.link_pack)))
    }

    fn switch_at_barrier(&mut self, at_barrier: u64) -> Result<Option<Switch>, ManagerFault> {
        let waiting = |warp: &WarpSlot| {
            let state = self.states[warp.index()];
            matches!(state, State::Waits | State::WantsBack) && !self.can_have(*warp)
        };
        let helps = |out: WarpSlot, warp: WarpSlot| match self.states[warp.index()] {
            State::Waits => self.cta_of(out) == self.cta_of(warp),
            _ => self.range(out).meets(self.range(warp)),
        };
        let mut candidates = self.warps().filter(|&out| {
            at_barrier >> out.0 & 1 == 1
                && self.states[out.index()] == State::Runs
                && !self.resumed.contains(&out)
        });
        let waiting: Vec<WarpSlot> = self.warps().filter(waiting).collect();
        let Some(warp) = candidates.find(|&out| waiting.iter().any(|&warp| helps(out, warp)))
        else {
            return Ok(None);
        };
        self.counts.context_switches += 1;
        self.switch_of(warp).map(Some)
    }

    fn switched_out(&mut self, warp: WarpSlot) {
        self.states[warp.index()] = State::Out;
        self.allotments.lend(warp);
    }

    fn passed_barrier(&mut self, warp: WarpSlot) {
        if self.states[warp.index()] == State::Out {
            self.states[warp.index()] = State::WantsBack;
            self.events.push_back(Event::Seek(warp));
        }
    }

    fn resumes(&mut self) -> Result<Option<Switch>, ManagerFault> {
        match self.resumed.pop_front() {
            Some(warp) => self.switch_of(warp).map(Some),
            None => Ok(None),
        }
    }

    fn warp_started(&mut self, warp: WarpSlot) {
        let cta = self.cta_of(warp);
        if self.levels[cta].is_none() && !self.ctas_new.contains(&cta) {
            self.ctas_new.push_back(cta);
        }
        self.states[warp.index()] = State::Waits;
        self.events.push_back(Event::Seek(warp));
    }

    fn warp_ended(&mut self, warp: WarpSlot) {
        self.events.push_back(Event::Finish(warp));
    }

    fn cta_ended(&mut self, cta: CtaSlot) {
        if let Some(level) = self.levels[cta.index()].take() {
            self.ctas_done.push_back((cta.index(), level));
        }
    }

    fn has_news(&self) -> bool {
        !self.events.is_empty()
            || !self.ctas_done.is_empty()
            || !self.ctas_new.is_empty()
            || !self.resumed.is_empty()
            || self.should_wake()
    }

    fn stack_counts(&mut self) -> Option<StackCounts> {
        let chosen = self.placement.level.is_none();
        self.counts.best_level = self.choice.best().filter(|_| chosen);
        self.counts.cycles_at_level = self.choice.took();
        Some(self.counts)
    }

    fn held(&self) -> Vec<Holding> {
        let ends = |warp: WarpSlot| self.events.contains(&Event::Finish(warp));
        let look = |warp: WarpSlot| {
            let what = match self.look(warp, &mut None) {
                Ok(answer) if answer.stalled => Some("a place among the stalled warps".to_owned()),
                Ok(answer) => answer.stack.map(|_| "a register stack".to_owned()),
                Err(fault) => Some(format!("something that is disputed: {fault}")),
            };
            what.map(|what| Holding { warp, what })
        };
        self.warps()
            .filter(|&warp| !ends(warp))
            .filter_map(look)
            .collect()
    }

    fn units(&self) -> Vec<UnitPins> {
        vec![self.top.borrow().describe(), self.choice.describe()]
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
