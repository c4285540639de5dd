//! Locates the registers of one instruction with a mapper, four per evaluation.

use super::unit::{Sink, Unit};
use super::{IssueReply, IssueRequest, ManagerFault};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, LOOKUPS, Lookups};
use crate::ids::{ArchReg, Pack};

/// Fills `reply.packs` with the packs of `request.regs`. `pins` carries everything but the look-ups.
///
/// A pack at or beyond `packs` does not exist: the hardware's parameter may be larger than the machine.
#[inline]
pub(super) fn locate<M, R>(
    mapper: &mut Unit<M, R>,
    mut pins: M::In,
    packs: u16,
    request: &IssueRequest,
    reply: &mut IssueReply,
    sink: &mut Sink,
) -> Result<(), ManagerFault>
where
    M: Clocked + Default,
    R: Clocked<In = M::In, Out = M::Out> + Default,
    M::In: Lookups,
    M::Out: Answers,
{
    for regs in request.regs.chunks(LOOKUPS) {
        let mut wanted = [None; LOOKUPS];
        for (wanted, reg) in wanted.iter_mut().zip(regs) {
            *wanted = Some(reg.0);
        }
        pins.set_lookups(wanted);
        let found = mapper.look_up(&pins, sink)?.packs();
        for (&reg, pack) in regs.iter().zip(found) {
            reply.packs.push(
                pack.filter(|&pack| pack < packs)
                    .map(Pack)
                    .ok_or_else(|| unmapped(request, reg))?,
            );
        }
    }
    Ok(())
}

#[cold]
fn unmapped(request: &IssueRequest, reg: ArchReg) -> ManagerFault {
    ManagerFault::Unmapped {
        warp: request.warp,
        reg,
    }
}

/// Names of the mapper instances: one operand collector per scheduler, each with a mapper of its own.
pub(super) const SCHEDULERS: usize = 2;
