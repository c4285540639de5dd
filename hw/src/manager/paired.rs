//! Paired warps: one lock per pair at the issue stage, a mapper in each operand collector.

use super::locate::{SCHEDULERS, locate};
use super::unit::{Divergence, Sink, Unit};
use super::{
    Backend, CycleReply, Geometry, Holding, IssueReply, IssueRequest, ManagerFault, PinSink, RegOp,
    RegisterManager, UnitPins,
};
use crate::clocked::Clocked;
use crate::ids::WarpSlot;
use crate::regmutex::paired_lock::{PairedLockIn, PairedLockOut};
use crate::regmutex::paired_mapper::{PairedMapperIn, model, rtl};
use crate::verilog::VerilogError;
use std::cell::RefCell;

type Mapper<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> =
    Unit<model::Model<NW, PACKS>, rtl::Rtl<NW, IW, PACKS, PW>>;

/// `M` and `R` are the lock: the paper's or the safe one.
pub(super) struct Paired<
    M: Clocked,
    R,
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
> {
    // As in `RegMutex`: `held` looks up through a shared reference.
    lock: RefCell<Unit<M, R>>,
    mappers: [Mapper<NW, IW, PACKS, PW>; SCHEDULERS],
    base_regs: u8,
    ext_regs: u8,
    safe: bool,
    geometry: Geometry,
    pending: Option<Divergence>,
    sink: Sink,
}

impl<M, R, const NW: usize, const IW: usize, const PACKS: usize, const PW: usize>
    Paired<M, R, NW, IW, PACKS, PW>
where
    M: Clocked<In = PairedLockIn<NW>, Out = PairedLockOut<NW>> + Default,
    R: Clocked<In = M::In, Out = M::Out> + Default,
{
    const PARAMETERS: &'static [(&'static str, u64)] =
        &[("warps", NW as u64), ("packs", PACKS as u64)];
    const WARPS: &'static [(&'static str, u64)] = &[("warps", NW as u64)];

    pub(super) fn new(
        base_regs: u8,
        ext_regs: u8,
        safe: bool,
        geometry: Geometry,
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        let mapper =
            |path, index| Unit::new("paired_mapper", path, index, Self::PARAMETERS, backend);
        let name = if safe {
            "safe_paired_lock"
        } else {
            "paired_lock"
        };
        Ok(Self {
            lock: RefCell::new(Unit::new(name, name, 0, Self::WARPS, backend)?),
            mappers: [mapper("paired_mapper_a", 1)?, mapper("paired_mapper_b", 2)?],
            base_regs,
            ext_regs,
            safe,
            geometry,
            pending: None,
            sink: None,
        })
    }

    fn concerns_lock(&self, request: &IssueRequest) -> bool {
        request.op != RegOp::Access || request.regs.iter().any(|reg| reg.0 >= self.base_regs)
    }
}

impl<M, R, const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> RegisterManager
    for Paired<M, R, NW, IW, PACKS, PW>
where
    M: Clocked<In = PairedLockIn<NW>, Out = PairedLockOut<NW>> + Default + Send,
    R: Clocked<In = M::In, Out = M::Out> + Default + Send,
{
    fn place(&mut self) {
        let pins = PairedLockIn {
            clear: true,
            ..Default::default()
        };
        self.pending = self.lock.get_mut().clock(&pins, &mut self.sink).err();
    }

    fn cycle(
        &mut self,
        cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        if let Some(divergence) = self.pending.take() {
            return Err(divergence.into());
        }
        let mut pins = PairedLockIn {
            favor_b: cycle & 1 == 1,
            ..Default::default()
        };
        let mut looks = false;
        if let Some(Some(a)) = requests.first() {
            looks |= self.concerns_lock(a);
            pins.a_valid = a.op != RegOp::Access;
            pins.a_release = a.op == RegOp::Release;
            pins.a_warp = a.warp.0 as u8;
        }
        if let Some(Some(b)) = requests.get(1) {
            looks |= self.concerns_lock(b);
            pins.b_valid = b.op != RegOp::Access;
            pins.b_release = b.op == RegOp::Release;
            pins.b_warp = b.warp.0 as u8;
        }
        let lock = self.lock.get_mut();
        let out = if pins.a_valid || pins.b_valid {
            lock.clock(&pins, &mut self.sink)?
        } else if looks {
            lock.look_up(&pins, &mut self.sink)?
        } else {
            Default::default()
        };

        let grants = [!pins.a_valid || out.a_grant, !pins.b_valid || out.b_grant];
        let held = [
            out.a_held || (pins.a_valid && out.a_grant),
            out.b_held || (pins.b_valid && out.b_grant),
        ];
        for (port, (request, reply)) in requests.iter().zip(replies).enumerate() {
            reply.packs.clear();
            reply.granted = request.is_some() && grants.get(port).is_some_and(|&granted| granted);
            let Some(request) = request else { continue };
            if reply.granted && !request.regs.is_empty() {
                let pins = PairedMapperIn {
                    widx: request.warp.0 as u8,
                    base_regs: self.base_regs,
                    ext_regs: self.ext_regs,
                    ext_held: held[port],
                    ..Default::default()
                };
                locate(
                    &mut self.mappers[port],
                    pins,
                    self.geometry.packs,
                    request,
                    reply,
                    &mut self.sink,
                )?;
            }
        }
        let a_freed = pins.a_valid && pins.a_release && out.a_grant && out.a_held;
        let b_freed = pins.b_valid && pins.b_release && out.b_grant && out.b_held;
        Ok(CycleReply {
            wake: a_freed || b_freed,
            ..CycleReply::default()
        })
    }

    fn resource_of(&self, warp: WarpSlot) -> u16 {
        warp.0 / 2
    }

    fn held(&self) -> Vec<Holding> {
        let mut lock = self.lock.borrow_mut();
        let what = if self.safe {
            "the extended set of its pair"
        } else {
            "the extended set, or its partner does"
        };
        let look = |warp: u16| {
            let pins = PairedLockIn {
                a_warp: warp as u8,
                ..Default::default()
            };
            let what = match lock.look_up(&pins, &mut None) {
                Ok(out) => out.a_held.then(|| what.to_owned()),
                Err(divergence) => Some(format!(
                    "something that model and RTL disagree about: {divergence}"
                )),
            };
            what.map(|what| Holding {
                warp: WarpSlot(warp),
                what,
            })
        };
        // The paper's bit is the pair's: told once, at the even warp.
        (0..self.geometry.warps)
            .step_by(if self.safe { 1 } else { 2 })
            .filter_map(look)
            .collect()
    }

    fn warps_per_holding(&self) -> u16 {
        if self.safe { 1 } else { 2 }
    }

    fn units(&self) -> Vec<UnitPins> {
        std::iter::once(self.lock.borrow().describe())
            .chain(self.mappers.iter().map(Unit::describe))
            .collect()
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
