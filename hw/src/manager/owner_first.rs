//! Owner warps first where warps acquire and release: the choice of the warp (resource sharing, IV-A) in front of the hardware of
//! RegMutex.
//!
//! A warp that holds an extended set is an owner: others wait for what it gives back. One that holds none and would have to
//! acquire it with its next instruction is a non-owner, and any other is unshared. Who holds a set is a copy of the warp-status
//! mask (RegMutex, III-B1) kept from the answers of the allocator, whose ports tell it of two warps only; who would acquire comes
//! from decode.

use super::unit::{Sink, Unit};
use super::{
    Backend, Choice, CycleReply, Holding, IssueReply, IssueRequest, ManagerFault, PinSink, RegOp,
    RegisterManager, UnitPins,
};
use crate::clocked::Clocked;
use crate::ids::WarpSlot;
use crate::owf::warp_priority::{WarpPriorityIn, WarpPriorityOut, model::Model};
use crate::verilog::VerilogError;
use std::sync::{Arc, Mutex, PoisonError};

/// The unit `R` for `NW` warps and `S` schedulers, and the register hardware of all of them.
pub(super) struct OwnerFirst<R, const NW: usize, const S: usize> {
    inner: Box<dyn RegisterManager>,
    priority: Unit<Model<NW, S>, R>,
    /// Warps that hold an extended set.
    holders: u64,
    /// Slots in which a warp has started since the last edge.
    started: u64,
    /// What the choice was made of, for the edge of the same cycle.
    chosen_of: WarpPriorityIn<NW, S>,
    /// A divergence found while placing, told at the next cycle.
    pending: Option<ManagerFault>,
    sink: Sink,
}

impl<R, const NW: usize, const S: usize> OwnerFirst<R, NW, S>
where
    R: Clocked<In = WarpPriorityIn<NW, S>, Out = WarpPriorityOut<NW, S>> + Default,
{
    const PARAMETERS: &'static [(&'static str, u64)] =
        &[("warps", NW as u64), ("schedulers", S as u64)];

    pub(super) fn new(
        inner: Box<dyn RegisterManager>,
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        let index = inner.units().len();
        let name = "warp_priority";
        Ok(Self {
            inner,
            priority: Unit::new(name, name, index, Self::PARAMETERS, backend)?,
            holders: 0,
            started: 0,
            chosen_of: WarpPriorityIn::default(),
            pending: None,
            sink: None,
        })
    }
}

impl<R, const NW: usize, const S: usize> RegisterManager for OwnerFirst<R, NW, S>
where
    R: Clocked<In = WarpPriorityIn<NW, S>, Out = WarpPriorityOut<NW, S>> + Default + Send,
{
    fn place(&mut self) {
        self.inner.place();
        (self.holders, self.started) = (0, 0);
        self.chosen_of = WarpPriorityIn::default();
        let clear = WarpPriorityIn {
            clear: true,
            ..WarpPriorityIn::default()
        };
        let cleared = self.priority.clock(&clear, &mut self.sink);
        self.pending = cleared.err().map(ManagerFault::from);
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
        let pins = WarpPriorityIn {
            launch: std::mem::take(&mut self.started),
            ..std::mem::take(&mut self.chosen_of)
        };
        // Without a launch the edge changes nothing.
        if pins.launch != 0 {
            self.priority.clock(&pins, &mut self.sink)?;
        }
        let reply = self.inner.cycle(cycle, requests, replies)?;
        for (request, reply) in requests.iter().zip(replies) {
            let Some(request) = request.as_ref().filter(|_| reply.granted) else {
                continue;
            };
            match request.op {
                RegOp::Acquire => self.holders |= 1 << request.warp.0,
                RegOp::Release => self.holders &= !(1 << request.warp.0),
                _ => {}
            }
        }
        Ok(reply)
    }

    fn choose(&mut self, ready: u64, acquiring: u64) -> Result<Option<Choice>, ManagerFault> {
        self.chosen_of = WarpPriorityIn {
            ready,
            shared: self.holders | acquiring,
            owner: self.holders,
            ..WarpPriorityIn::default()
        };
        let out = self.priority.look_up(&self.chosen_of, &mut self.sink)?;
        let mut choice = Choice::default();
        for (scheduler, chosen) in choice.iter_mut().enumerate().take(S) {
            *chosen = out.warp(scheduler).map(|warp| WarpSlot(warp.into()));
        }
        Ok(Some(choice))
    }

    fn warp_started(&mut self, warp: WarpSlot) {
        self.started |= 1 << warp.0;
        self.inner.warp_started(warp);
    }

    fn warp_ended(&mut self, warp: WarpSlot) {
        self.inner.warp_ended(warp);
    }

    fn has_news(&self) -> bool {
        self.started != 0 || self.inner.has_news()
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
        let mut units = self.inner.units();
        units.push(self.priority.describe());
        units
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        let both = sink.map(|sink| BothSee(Arc::new(Mutex::new(sink))));
        let boxed = |both: BothSee| Box::new(both) as Box<dyn PinSink>;
        self.inner.set_sink(both.clone().map(boxed));
        self.sink = both.map(boxed);
    }
}

/// A sink for the units of both.
#[derive(Clone)]
struct BothSee(Arc<Mutex<Box<dyn PinSink>>>);

impl PinSink for BothSee {
    fn row(&mut self, unit: usize, inputs: &[u64], outputs: &[u64], edge: bool) {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sink.row(unit, inputs, outputs, edge);
    }
}
