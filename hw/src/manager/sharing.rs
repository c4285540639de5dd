//! Resource sharing: the locks of pairs of warps at the issue stage, a mapper in each operand collector, and the choice of
//! the warp where owners go first; all in [`crate::owf::owf_top`].
//!
//! One rising edge per call: what has started or ended since the last call goes in with the proposals, the end of a warp on a
//! port that proposes nothing; while warps are refused, else in the place of the proposal that is not favoured.

mod dynamic;
mod placement;
mod request;

pub(super) use placement::Placement;

use super::unit::{Sink, Unit};
use super::{
    Backend, Choice, CycleReply, Geometry, Holding, IssueReply, IssueRequest, ManagerFault,
    PinSink, RegisterManager, StallWatch, Throttle, UnitPins,
};
use crate::clocked::Clocked;
use crate::common::lookup::LOOKUPS;
use crate::ids::{CtaSlot, Pack, WarpSlot};
use crate::owf::owf_top::{Issue, OwfTopIn, OwfTopOut, SCHEDULERS, model::Model};
use crate::verilog::VerilogError;
use dynamic::Dynamic;
use request::{issue, names, wanted};
use std::cell::RefCell;
use std::collections::VecDeque;

/// Resource sharing in the hardware `R` for `NW` warps, `T` CTAs and `PACKS` packs.
pub(super) struct Sharing<R, const NW: usize, const T: usize, const PACKS: usize> {
    // A look-up leaves the state alone but moves the RTL's wires; `held` does it through a shared reference.
    top: RefCell<Unit<Model<NW, T, PACKS>, R>>,
    placement: Placement,
    geometry: Geometry,
    /// Slots in which a warp has started since the last edge.
    started: u64,
    /// Slots whose warp has ended, and the hardware has not been told.
    ended: u64,
    ended_ctas: VecDeque<u8>,
    /// Somebody was refused in the last call.
    refused: bool,
    /// What was ready when the choice was made, for the edge of the same cycle.
    ready: u64,
    dynamic: Option<Dynamic>,
    /// A divergence found while placing, told at the next cycle.
    pending: Option<ManagerFault>,
    sink: Sink,
}

impl<R, const NW: usize, const T: usize, const PACKS: usize> Sharing<R, NW, T, PACKS>
where
    R: Clocked<In = OwfTopIn<NW, T, PACKS>, Out = OwfTopOut<NW, T, PACKS>> + Default,
{
    const PARAMETERS: &'static [(&'static str, u64)] = &[
        ("warps", NW as u64),
        ("ctas", T as u64),
        ("packs", PACKS as u64),
    ];

    pub(super) fn new(
        placement: Placement,
        geometry: Geometry,
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        let top = Unit::new("owf_top", "owf_top", 0, Self::PARAMETERS, backend)?;
        Ok(Self {
            top: RefCell::new(top),
            placement,
            geometry,
            started: 0,
            ended: 0,
            ended_ctas: VecDeque::new(),
            refused: false,
            ready: 0,
            dynamic: match placement.dynamic {
                Some(sm) => Some(Dynamic::new(sm, geometry.schedulers, backend)?),
                None => None,
            },
            pending: None,
            sink: None,
        })
    }

    /// The pins that stay as they are while a kernel runs.
    fn idle(&self) -> OwfTopIn<NW, T, PACKS> {
        let place = self.placement;
        OwfTopIn {
            warps_per_cta: place.warps_per_cta,
            base_regs: place.private_regs,
            ext_regs: place.shared_regs,
            upper_offset: place.distance() * u16::from(place.shared_regs),
            private_bytes: place.private_bytes.unwrap_or(0),
            sm_zero: self.dynamic.as_ref().is_some_and(Dynamic::sm_zero),
            ..OwfTopIn::default()
        }
    }

    fn clear_and_pair(&mut self) -> Result<(), ManagerFault> {
        let idle = self.idle();
        let Placement {
            pairs, unshared, ..
        } = self.placement;
        let top = self.top.get_mut();
        let clear = OwfTopIn {
            clear: true,
            share_regs: self.placement.private_bytes.is_none(),
            share_scratchpad: self.placement.private_bytes.is_some(),
            ..idle
        };
        top.clock(&clear, &mut self.sink)?;
        for cta in 0..pairs {
            let partner = cta + pairs + unshared;
            let pins = OwfTopIn {
                pair: true,
                cta,
                partner,
                ..idle
            };
            if !top.clock(&pins, &mut self.sink)?.pair_grant {
                return Err(ManagerFault::NoPair {
                    lower: CtaSlot(cta.into()),
                    upper: CtaSlot(partner.into()),
                });
            }
        }
        Ok(())
    }

    /// Takes the answers of one evaluation to the `wanted` registers.
    fn take(
        &self,
        request: &IssueRequest,
        wanted: &[(u8, usize)],
        packs: [Option<u16>; LOOKUPS],
        reply: &mut IssueReply,
    ) -> Result<(), ManagerFault> {
        for (&(_, place), pack) in wanted.iter().zip(packs) {
            let pack = pack.filter(|&pack| pack < self.geometry.packs);
            reply.packs[place] = pack.map(Pack).ok_or(ManagerFault::Unmapped {
                warp: request.warp,
                reg: request.regs[place],
            })?;
        }
        Ok(())
    }

    /// Fills the reply to a request that was granted with the answers of the edge, `first`.
    fn locate(
        &mut self,
        request: &IssueRequest,
        first: [Option<u16>; LOOKUPS],
        reply: &mut IssueReply,
    ) -> Result<(), ManagerFault> {
        let wanted = wanted(request);
        reply.packs.extend(request.regs.iter().map(|_| Pack(0)));
        for (index, wanted) in wanted.chunks(LOOKUPS).enumerate() {
            let packs = if index == 0 {
                first
            } else {
                let pins = self.idle().with_a(names(request.warp, wanted));
                let top = self.top.get_mut();
                top.look_up(&pins, &mut self.sink)?.a_answer().packs
            };
            self.take(request, wanted, packs, reply)?;
        }
        Ok(())
    }

    /// The CTA whose end is told in this cycle. Where ownership decides who waits for memory, the ends of its warps come before: a
    /// partner that was refused meanwhile would make the CTA owner that has ended.
    fn next_ended_cta(&mut self) -> Option<u8> {
        let cta = *self.ended_ctas.front()?;
        let width = u32::from(self.placement.warps_per_cta);
        let warps = (u64::MAX >> (64 - width.clamp(1, 64))) << (u32::from(cta) * width);
        if self.dynamic.is_some() && self.ended & warps != 0 {
            return None;
        }
        self.ended_ctas.pop_front()
    }

    /// Whether the CTA before the warp's own holds the scratchpad, or is owner, because its end has not been told.
    fn is_ending(&self, request: &IssueRequest) -> bool {
        (request.scratchpad.is_some() || self.dynamic.is_some())
            && (self.ended_ctas).contains(&self.placement.cta(request.warp))
    }

    /// Whether the throttle beside the hardware holds the instruction back; the one inside is asked.
    fn holds_back(&self, request: &IssueRequest) -> bool {
        let beside = (self.dynamic.as_ref()).filter(|dynamic| dynamic.beside.is_some());
        beside.is_some_and(|dynamic| dynamic.holds_back(request))
    }

    /// Whether a warp that was refused should ask again although nothing was freed: its partner is not owner yet, because the
    /// hardware records one pair per cycle and something else was there.
    fn unrecorded(&self, warp: WarpSlot, owner: u64) -> bool {
        let partner = self.placement.partner(warp.0);
        partner.is_some_and(|partner| owner >> partner & 1 == 0)
    }
}

impl<R, const NW: usize, const T: usize, const PACKS: usize> RegisterManager
    for Sharing<R, NW, T, PACKS>
where
    R: Clocked<In = OwfTopIn<NW, T, PACKS>, Out = OwfTopOut<NW, T, PACKS>> + Default + Send,
{
    fn place(&mut self) {
        (self.started, self.ended, self.ready) = (0, 0, 0);
        self.refused = false;
        self.ended_ctas.clear();
        self.pending = (self.clear_throttle())
            .and_then(|()| self.clear_and_pair())
            .err();
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
        let mut pins = OwfTopIn {
            favor_b: cycle & 1 == 1,
            ready: std::mem::take(&mut self.ready),
            launch: std::mem::take(&mut self.started),
            ..self.idle()
        };
        if let Some(cta) = self.next_ended_cta() {
            (pins.exit, pins.cta) = (true, cta);
        }
        let told = self.ended;
        // Whoever has moved into the slot of a warp or CTA waits until the end of that has been told.
        let mut asks: [Option<&IssueRequest>; SCHEDULERS] = std::array::from_fn(|port| {
            let request = requests.get(port).and_then(Option::as_ref);
            request.filter(|request| {
                told >> request.warp.0 & 1 == 0
                    && !self.is_ending(request)
                    && !self.holds_back(request)
            })
        });
        // Ends wait for a free port, but not if a warp was refused: it may ask again and again, and be waiting for them.
        if told != 0 && self.refused && asks.iter().all(Option::is_some) {
            asks[usize::from(!pins.favor_b)] = None;
        }
        for (port, request) in asks.iter().enumerate() {
            let instruction = match request {
                Some(request) => issue(request, self.dynamic.as_ref()),
                None if self.ended != 0 => {
                    let warp = WarpSlot(self.ended.trailing_zeros() as u16);
                    self.ended &= self.ended - 1;
                    Issue {
                        exit: true,
                        ..names(warp, &[])
                    }
                }
                None => continue,
            };
            pins = match port {
                0 => pins.with_a(instruction),
                _ => pins.with_b(instruction),
            };
        }
        let asks = asks.map(|request| request.is_some());
        self.set_stall(&mut pins, asks)?;
        let out = self.top.get_mut().clock(&pins, &mut self.sink)?;
        let answers = [out.a_answer(), out.b_answer()];
        let freed = |port: usize| !asks[port] && answers[port].held;
        let ends = [pins.a_valid && freed(0), pins.b_valid && freed(1)];
        // A scratchpad is given back by the end of a CTA.
        let wake = ends.contains(&true) || pins.exit && self.placement.private_bytes.is_some();
        let contended = pins.exit || requests.iter().flatten().count() > 1;
        self.refused = false;
        for (port, (request, reply)) in requests.iter().zip(replies).enumerate() {
            reply.packs.clear();
            (reply.granted, reply.again) = (false, false);
            let Some(request) = request else { continue };
            if asks[port] && answers[port].grant {
                reply.granted = true;
                self.note_grant();
                self.locate(request, answers[port].packs, reply)?;
            } else {
                self.refused = true;
                // Held back, it asks again with the next draw; nothing will be freed for it. Nor will it be for one that the
                // hardware was not asked for, or whose partner it has not recorded as owner. Were all refused warps woken for
                // that, round robin could begin with the same ones for ever, and come to none that may issue.
                reply.again = (self.dynamic.as_ref()).is_some_and(|it| it.holds_back(request))
                    || !asks[port]
                    || contended && self.unrecorded(request.warp, out.owner);
            }
        }
        Ok(CycleReply {
            wake,
            ..CycleReply::default()
        })
    }

    fn choose(&mut self, ready: u64, _acquiring: u64) -> Result<Option<Choice>, ManagerFault> {
        if !self.placement.owner_first {
            return Ok(None);
        }
        self.ready = ready;
        let pins = OwfTopIn {
            ready,
            ..self.idle()
        };
        let out = self.top.get_mut().look_up(&pins, &mut self.sink)?;
        let mut choice = Choice::default();
        for (scheduler, chosen) in choice.iter_mut().enumerate().take(SCHEDULERS) {
            *chosen = out.warp(scheduler).map(|warp| WarpSlot(warp.into()));
        }
        Ok(Some(choice))
    }

    fn throttle(&mut self) -> Result<Option<Throttle>, ManagerFault> {
        self.read_throttle()
    }

    fn watch_stalls(&mut self, watch: StallWatch) {
        self.watch(watch);
    }

    fn warp_started(&mut self, warp: WarpSlot) {
        self.started |= 1 << warp.0;
    }

    fn warp_ended(&mut self, warp: WarpSlot) {
        // Scratchpad belongs to CTAs.
        if self.placement.private_bytes.is_none() {
            self.ended |= 1 << warp.0;
        }
    }

    fn cta_ended(&mut self, cta: CtaSlot) {
        self.ended_ctas.push_back(cta.0 as u8);
    }

    fn has_news(&self) -> bool {
        self.started != 0 || self.ended != 0 || !self.ended_ctas.is_empty()
    }

    fn resource_of(&self, warp: WarpSlot) -> u16 {
        let lower = self
            .placement
            .partner(warp.0)
            .map_or(warp.0, |p| p.min(warp.0));
        match self.placement.private_bytes {
            None => lower,
            Some(_) => self.placement.cta(WarpSlot(lower)).into(),
        }
    }

    fn held(&self) -> Vec<Holding> {
        let mut top = self.top.borrow_mut();
        let idle = self.idle();
        let lock = match self.placement.private_bytes {
            None => "the lock of its pair",
            Some(_) => "the scratchpad of its CTA's pair",
        };
        let look = |warp: u16| {
            let pins = OwfTopIn {
                a_warp: warp as u8,
                ..idle
            };
            let what = match top.look_up(&pins, &mut None) {
                Ok(out) => out.a_held.then(|| lock.to_owned()),
                Err(divergence) => Some(format!(
                    "something that model and RTL disagree about: {divergence}"
                )),
            };
            what.map(|what| Holding {
                warp: WarpSlot(warp),
                what,
            })
        };
        // What has ended gives its lock back at the next edge.
        (0..self.geometry.warps)
            .filter(|warp| self.ended >> warp & 1 == 0)
            .filter(|&warp| {
                let cta = self.placement.cta(WarpSlot(warp));
                self.placement.private_bytes.is_none() || !self.ended_ctas.contains(&cta)
            })
            .filter_map(look)
            .collect()
    }

    fn units(&self) -> Vec<UnitPins> {
        let beside = (self.dynamic.as_ref()).and_then(|dynamic| dynamic.beside.as_ref());
        (std::iter::once(self.top.borrow().describe()))
            .chain(beside.map(Unit::describe))
            .collect()
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
