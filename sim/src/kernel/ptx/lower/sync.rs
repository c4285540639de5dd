//! Across lanes and warps: shuffles, votes, barriers.

use super::Lower;
use super::modifiers::Modifiers;
use super::operand::count;
use crate::kernel::op::{BarKind, Op, ShflMode, Ty, VoteMode};
use crate::kernel::ptx::ast::{Inst, OperandKind};
use crate::kernel::ptx::error::Res;

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn shfl(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let sync = m.take(".sync");
        let mode = m.need(&[
            (".up", ShflMode::Up),
            (".down", ShflMode::Down),
            (".bfly", ShflMode::Bfly),
            (".idx", ShflMode::Idx),
        ])?;
        m.ty(&[Ty::B32])?;
        m.end()?;
        let operands = 4 + usize::from(sync);
        count(inst, operands, operands)?;
        let mut srcs = vec![self.src(&inst.operands[1], Ty::B32)?];
        for operand in &inst.operands[2..] {
            srcs.push(self.src(operand, Ty::B32)?);
        }
        let to = &inst.operands[0];
        let dsts = match to.kind {
            OperandKind::Pair(d, p) => {
                vec![self.dst_name(d, Ty::B32)?, self.dst_name(p, Ty::Pred)?]
            }
            _ => vec![self.dst(to, Ty::B32)?],
        };
        self.build.push(Op::Shfl(mode), &dsts, &srcs);
        Ok(())
    }

    pub(super) fn vote(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let sync = m.take(".sync");
        let mode = m.need(&[
            (".all", VoteMode::All),
            (".any", VoteMode::Any),
            (".uni", VoteMode::Uni),
            (".ballot", VoteMode::Ballot),
        ])?;
        let ty = m.ty(&[if mode == VoteMode::Ballot {
            Ty::B32
        } else {
            Ty::Pred
        }])?;
        m.end()?;
        let operands = 2 + usize::from(sync);
        count(inst, operands, operands)?;
        let mut srcs = vec![self.pred_src(&inst.operands[1])?];
        if sync {
            srcs.push(self.src(&inst.operands[2], Ty::B32)?);
        }
        let dst = self.dst(&inst.operands[0], ty)?;
        self.build.push(Op::Vote(mode), &[dst], &srcs);
        Ok(())
    }

    pub(super) fn activemask(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.ty(&[Ty::B32])?;
        m.end()?;
        self.simple(inst, Op::Activemask, Ty::B32, &[])
    }

    pub(super) fn bar(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        if inst.opcode.text == "bar" && m.take(".warp") {
            m.need(&[(".sync", ())])?;
            m.end()?;
            count(inst, 1, 1)?;
            let mask = self.src(&inst.operands[0], Ty::B32)?;
            self.build.push(Op::WarpSync, &[], &[mask]);
            return Ok(());
        }
        m.take(".cta");
        let kind = m.need(&[(".sync", 0), (".arrive", 1), (".red", 2)])?;
        let (kind, to) = match kind {
            0 => (BarKind::Sync, None),
            1 => (BarKind::Arrive, None),
            _ => {
                let kind = m.need(&[
                    (".popc", BarKind::RedPopc),
                    (".and", BarKind::RedAnd),
                    (".or", BarKind::RedOr),
                ])?;
                (
                    kind,
                    Some(if kind == BarKind::RedPopc {
                        Ty::U32
                    } else {
                        Ty::Pred
                    }),
                )
            }
        };
        if inst.opcode.text == "barrier" {
            m.take(".aligned");
        }
        if let Some(ty) = to {
            m.ty(&[ty])?;
        }
        m.end()?;
        match (kind, to) {
            (BarKind::Sync, _) => count(inst, 1, 2)?,
            (BarKind::Arrive, _) => count(inst, 2, 2)?,
            _ => count(inst, 3, 4)?,
        }
        let (first, last) = match to {
            Some(_) => (1, inst.operands.len() - 1),
            None => (0, inst.operands.len()),
        };
        let mut srcs = Vec::with_capacity(3);
        for operand in &inst.operands[first..last] {
            srcs.push(self.src(operand, Ty::U32)?);
        }
        if to.is_some() {
            srcs.push(self.pred_src(&inst.operands[last])?);
        }
        match to {
            Some(ty) => {
                let dst = self.dst(&inst.operands[0], ty)?;
                self.build.push(Op::Bar(kind), &[dst], &srcs);
            }
            None => self.build.push(Op::Bar(kind), &[], &srcs),
        }
        Ok(())
    }
}
