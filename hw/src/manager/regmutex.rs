//! RegMutex: the allocator at the issue stage, a mapper in each operand collector.

use super::locate::{SCHEDULERS, locate};
use super::unit::{Divergence, Sink, Unit};
use super::{
    Backend, CycleReply, Geometry, Holding, IssueReply, IssueRequest, ManagerFault, PinSink, RegOp,
    RegisterManager, UnitPins,
};
use crate::ids::WarpSlot;
use crate::regmutex::register_mapper::{self, RegisterMapperIn};
use crate::regmutex::srp_allocator::{self, SrpAllocatorIn};
use crate::verilog::VerilogError;
use std::cell::RefCell;

/// What the compiler and the launch fix for a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) base_regs: u8,
    pub(super) ext_regs: u8,
    pub(super) sections: u8,
    pub(super) srp_offset: u16,
}

type Allocator<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> =
    Unit<srp_allocator::model::Model<NW>, srp_allocator::rtl::Rtl<NW, GROUPS, IW, CW>>;
type Mapper<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> =
    Unit<register_mapper::model::Model<NW, PACKS>, register_mapper::rtl::Rtl<NW, IW, PACKS, PW>>;

pub(super) struct RegMutex<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> {
    // A look-up leaves the state alone but moves the RTL's wires; `held` does it through a shared reference.
    allocator: RefCell<Allocator<NW, GROUPS, IW, CW>>,
    mappers: [Mapper<NW, IW, PACKS, PW>; SCHEDULERS],
    placement: Placement,
    geometry: Geometry,
    /// A divergence found while placing, told at the next cycle.
    pending: Option<Divergence>,
    sink: Sink,
}

impl<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> RegMutex<NW, GROUPS, IW, CW, PACKS, PW>
{
    const PARAMETERS: &'static [(&'static str, u64)] =
        &[("warps", NW as u64), ("packs", PACKS as u64)];
    const WARPS: &'static [(&'static str, u64)] = &[("warps", NW as u64)];

    pub(super) fn new(
        placement: Placement,
        geometry: Geometry,
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        let mapper =
            |path, index| Unit::new("register_mapper", path, index, Self::PARAMETERS, backend);
        let allocator = Unit::new("srp_allocator", "srp_allocator", 0, Self::WARPS, backend)?;
        Ok(Self {
            allocator: RefCell::new(allocator),
            mappers: [
                mapper("register_mapper_a", 1)?,
                mapper("register_mapper_b", 2)?,
            ],
            placement,
            geometry,
            pending: None,
            sink: None,
        })
    }

    /// Whether answering the request needs the allocator: it asks for a change, or names an extended register.
    fn concerns_allocator(&self, request: &IssueRequest) -> bool {
        request.op != RegOp::Access
            || request
                .regs
                .iter()
                .any(|reg| reg.0 >= self.placement.base_regs)
    }
}

impl<
    const NW: usize,
    const GROUPS: usize,
    const IW: usize,
    const CW: usize,
    const PACKS: usize,
    const PW: usize,
> RegisterManager for RegMutex<NW, GROUPS, IW, CW, PACKS, PW>
{
    fn place(&mut self) {
        let pins = SrpAllocatorIn {
            clear: true,
            section_count: self.placement.sections,
            ..Default::default()
        };
        self.pending = self.allocator.get_mut().clock(&pins, &mut self.sink).err();
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
        let mut pins = SrpAllocatorIn {
            favor_b: cycle & 1 == 1,
            ..Default::default()
        };
        let mut looks = false;
        let a = requests.first().and_then(Option::as_ref);
        let b = requests.get(1).and_then(Option::as_ref);
        if let Some(a) = a {
            looks |= self.concerns_allocator(a);
            pins.a_valid = a.op != RegOp::Access;
            pins.a_release = a.op == RegOp::Release;
            pins.a_warp = a.warp.0 as u8;
        }
        if let Some(b) = b {
            looks |= self.concerns_allocator(b);
            pins.b_valid = b.op != RegOp::Access;
            pins.b_release = b.op == RegOp::Release;
            pins.b_warp = b.warp.0 as u8;
        }
        let allocator = self.allocator.get_mut();
        let out = if pins.a_valid || pins.b_valid {
            allocator.clock(&pins, &mut self.sink)?
        } else if looks {
            allocator.look_up(&pins, &mut self.sink)?
        } else {
            Default::default()
        };

        let grants = [!pins.a_valid || out.a_grant, !pins.b_valid || out.b_grant];
        let held = [
            out.a_held || (pins.a_valid && out.a_grant),
            out.b_held || (pins.b_valid && out.b_grant),
        ];
        let sections = [out.a_section, out.b_section];
        for (port, (request, reply)) in requests.iter().zip(replies).enumerate() {
            reply.packs.clear();
            reply.granted = request.is_some() && grants.get(port).is_some_and(|&granted| granted);
            let Some(request) = request else { continue };
            if reply.granted && !request.regs.is_empty() {
                let Placement {
                    base_regs,
                    ext_regs,
                    srp_offset,
                    ..
                } = self.placement;
                let pins = RegisterMapperIn {
                    widx: request.warp.0 as u8,
                    base_regs,
                    ext_regs,
                    section: sections[port],
                    section_valid: held[port],
                    srp_offset,
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

        let a_served = pins.a_valid && out.a_grant && out.a_held == pins.a_release;
        let b_served = pins.b_valid && out.b_grant && out.b_held == pins.b_release;
        let freed = (a_served && pins.a_release) || (b_served && pins.b_release);
        let outbid = (a_served && !grants[1]) || (b_served && !grants[0]);
        Ok(CycleReply {
            wake: freed || outbid,
            ..CycleReply::default()
        })
    }

    fn held(&self) -> Vec<Holding> {
        let mut allocator = self.allocator.borrow_mut();
        let look = |warp: u16| {
            let pins = SrpAllocatorIn {
                a_warp: warp as u8,
                ..Default::default()
            };
            let what = match allocator.look_up(&pins, &mut None) {
                Ok(out) => out.a_held.then(|| format!("section {}", out.a_section)),
                Err(divergence) => Some(format!(
                    "something that model and RTL disagree about: {divergence}"
                )),
            };
            what.map(|what| Holding {
                warp: WarpSlot(warp),
                what,
            })
        };
        (0..self.geometry.warps).filter_map(look).collect()
    }

    fn units(&self) -> Vec<UnitPins> {
        std::iter::once(self.allocator.borrow().describe())
            .chain(self.mappers.iter().map(Unit::describe))
            .collect()
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
