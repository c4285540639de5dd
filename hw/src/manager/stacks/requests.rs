//! Instructions on the ports of the hardware: what they ask of their warp's stack, and the packs of their registers.

use super::{Stacks, State};
use crate::cars::cars_top::{Answer, CarsTopIn, CarsTopOut, Issue, LOOKUPS};
use crate::cars::register_stack::Op;
use crate::clocked::Clocked;
use crate::ids::{Pack, WarpSlot};
use crate::manager::unit::Sink;
use crate::manager::{IssueReply, IssueRequest, ManagerFault, RegOp};

impl<R, const NW: usize, const PACKS: usize, const STACK: usize> Stacks<R, NW, PACKS, STACK>
where
    R: Clocked<In = CarsTopIn<NW, PACKS, STACK>, Out = CarsTopOut<NW, PACKS, STACK>> + Default,
{
    /// What a port shows of a warp.
    pub(super) fn issue(&self, warp: WarpSlot) -> Issue {
        let first = self.range(warp).first;
        Issue {
            warp: warp.0 as u8,
            base: first,
            // Behind the base registers; of a warp that has no range yet it means nothing.
            first: (first + u16::from(self.placement.base_regs)).min(PACKS as u16 - 1),
            capacity: self.capacity(warp),
            ..Issue::default()
        }
    }

    /// A look-up of the stack of a warp; nothing changes.
    pub(super) fn look(&self, warp: WarpSlot, sink: &mut Sink) -> Result<Answer, ManagerFault> {
        let pins = CarsTopIn::default().with_a(self.issue(warp));
        Ok(self.top.borrow_mut().look_up(&pins, sink)?.a_answer())
    }

    /// The request of an instruction for its port; `None` while its warp has no registers.
    pub(super) fn asks(&self, request: &IssueRequest) -> Option<Issue> {
        if self.states[request.warp.index()] != State::Runs {
            return None;
        }
        let mut issue = self.issue(request.warp);
        (issue.evicted, issue.link) = (request.stack.evicted, request.stack.link.frame);
        issue.link_kernel = request.stack.link.kernel;
        for (to, reg) in issue.regs.iter_mut().zip(&request.regs) {
            *to = Some(reg.0);
        }
        let op = match request.op {
            RegOp::Call { saved } => {
                issue.fru = saved;
                Op::Call
            }
            RegOp::Push => Op::Push,
            RegOp::Pop => Op::Pop,
            RegOp::Return => Op::Return,
            _ => Op::Nothing,
        };
        Some(issue.asking(op))
    }

    /// Packs of all registers of a granted instruction; `first` has those of the first four.
    pub(super) fn locate(
        &mut self,
        request: &IssueRequest,
        issue: Issue,
        first: [Option<u16>; LOOKUPS],
        reply: &mut IssueReply,
    ) -> Result<(), ManagerFault> {
        for (number, regs) in request.regs.chunks(LOOKUPS).enumerate() {
            let mut found = first;
            if number > 0 {
                let mut looks = issue.asking(Op::Nothing);
                looks.regs = [None; LOOKUPS];
                for (to, reg) in looks.regs.iter_mut().zip(regs) {
                    *to = Some(reg.0);
                }
                let pins = CarsTopIn::default().with_a(looks);
                let top = self.top.get_mut();
                found = top.look_up(&pins, &mut self.sink)?.a_answer().packs;
            }
            for (&reg, pack) in regs.iter().zip(found) {
                let exists = pack.filter(|&pack| pack < self.geometry.packs);
                reply
                    .packs
                    .push(exists.map(Pack).ok_or(ManagerFault::Unmapped {
                        warp: request.warp,
                        reg,
                    })?);
            }
        }
        Ok(())
    }
}
