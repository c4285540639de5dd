//! The register file without sharing: every warp has all its registers from launch to exit.

use super::locate::{SCHEDULERS, locate};
use super::unit::{Sink, Unit};
use super::{
    Backend, CycleReply, Geometry, Holding, IssueReply, IssueRequest, ManagerFault, PinSink,
    RegisterManager, UnitPins,
};
use crate::common::reg_map::{RegMapIn, model, rtl};
use crate::verilog::VerilogError;

type Mapper<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> =
    Unit<model::Model<NW, PACKS>, rtl::Rtl<NW, IW, PACKS, PW>>;

/// `Y = Coeff * Widx + X`.
pub(super) struct Baseline<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    mappers: [Mapper<NW, IW, PACKS, PW>; SCHEDULERS],
    coeff: u8,
    packs: u16,
    sink: Sink,
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize>
    Baseline<NW, IW, PACKS, PW>
{
    const PARAMETERS: &'static [(&'static str, u64)] =
        &[("warps", NW as u64), ("packs", PACKS as u64)];

    pub(super) fn new(
        coeff: u8,
        geometry: Geometry,
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        let mapper = |path, index| Unit::new("reg_map", path, index, Self::PARAMETERS, backend);
        Ok(Self {
            mappers: [mapper("reg_map_a", 0)?, mapper("reg_map_b", 1)?],
            coeff,
            packs: geometry.packs,
            sink: None,
        })
    }
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> RegisterManager
    for Baseline<NW, IW, PACKS, PW>
{
    fn place(&mut self) {}

    fn cycle(
        &mut self,
        _cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        for ((request, reply), mapper) in requests.iter().zip(replies).zip(&mut self.mappers) {
            reply.packs.clear();
            reply.granted = request.is_some();
            if let Some(request) = request {
                let pins = RegMapIn {
                    widx: request.warp.0 as u8,
                    coeff: self.coeff,
                    ..Default::default()
                };
                locate(mapper, pins, self.packs, request, reply, &mut self.sink)?;
            }
        }
        Ok(CycleReply::default())
    }

    fn held(&self) -> Vec<Holding> {
        Vec::new()
    }

    fn units(&self) -> Vec<UnitPins> {
        self.mappers.iter().map(Unit::describe).collect()
    }

    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>) {
        self.sink = sink;
    }
}
