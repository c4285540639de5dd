//! One instruction of a kernel as the stages of the SM see it.

use super::{MAX_WRITES, MicroOp, Source, Unit};
use crate::kernel::exec::{Kind, signature};
use crate::kernel::op::{BarKind, Op, Space};
use crate::kernel::{Dst, Inst, Operand};
use crate::machine::Machine;
use crate::sm::access::Access;
use crate::sm::error::LaunchFault;
use crate::sm::scoreboard::RegMask;
use crate::sm::simt::NEVER;
use crate::sm::timing::timing;
use arrayvec::ArrayVec;
use regshare_hw::ids::ArchReg;
use regshare_hw::manager::{IssueRequest, MAX_REGS_PER_INST, RegOp};

/// Decodes `inst` for `machine`. Registers from `shared_from` on are valid only while acquired.
pub(super) fn decode(
    inst: &Inst,
    machine: &Machine,
    shared_from: Option<u16>,
) -> Result<MicroOp, LaunchFault> {
    let fault = |problem: String| LaunchFault::Instruction {
        line: inst.line,
        problem,
    };
    let signature = signature(&inst.op).map_err(|illegal| fault(illegal.to_string()))?;
    let (unit, timing) = timing(&inst.op, &machine.pipeline);
    let mut op = MicroOp {
        op: inst.op,
        unit,
        timing,
        guard: inst.guard.map(|g| (g.pred.0 as u8, g.negated)),
        request: IssueRequest::default(),
        asks: false,
        reads: 0,
        sources: ArrayVec::new(),
        pred_sources: ArrayVec::new(),
        pred_dsts: ArrayVec::new(),
        results: ArrayVec::new(),
        read_mask: RegMask::default(),
        write_mask: RegMask::default(),
        pred_reads: inst.guard.map_or(0, |g| 1 << (g.pred.0 & 63)),
        pred_writes: 0,
        moves: false,
        spills: false,
        empties: false,
        idle: false,
        word: None,
        drains: inst.op == Op::Membar,
        target: 0,
        meet: NEVER,
        line: inst.line,
    };
    let required = signature.srcs.iter().filter(|slot| !slot.optional).count();
    if inst.srcs.len() < required {
        return Err(fault(format!(
            "{} sources, of at least {required}",
            inst.srcs.len()
        )));
    }
    let many = |_| fault("too many operands".to_owned());
    for (i, source) in inst.srcs.iter().enumerate() {
        let kind = signature.srcs.get(i).map(|slot| slot.kind);
        match *source {
            Operand::Reg(reg) => {
                let wide = reg.width.regs() == 2;
                let first = op.request.regs.len() as u8;
                for unit in reg.units() {
                    op.read_mask.insert(unit);
                    (op.request.regs.try_push(ArchReg(unit as u8)))
                        .map_err(|_| fault(format!("more than {MAX_REGS_PER_INST} registers")))?;
                }
                let extend = !wide && kind.is_some_and(|kind| kind.regs() == 2);
                let source = Source::Register {
                    first,
                    wide,
                    extend,
                };
                (op.sources.try_push(source)).map_err(many)?;
            }
            Operand::Pred { pred, negated } => {
                op.pred_reads |= 1 << (pred.0 & 63);
                (op.pred_sources.try_push((pred.0 as u8, negated)))
                    .map_err(|_| fault("more than 2 predicate sources".to_owned()))?;
            }
            // A constant where a predicate stands: always true or always false.
            Operand::Imm(_) if kind == Some(Kind::Pred) => {
                return Err(fault("a constant in the place of a predicate".to_owned()));
            }
            Operand::Imm(value) => {
                let wide = kind.is_none_or(|kind| kind.regs() == 2);
                (op.sources.try_push(Source::Constant { value, wide })).map_err(many)?;
            }
            Operand::Special(special) => {
                (op.sources.try_push(Source::Special(special))).map_err(many)?;
            }
        }
    }
    op.reads = op.request.regs.len() as u8;
    let mut result = 0;
    for dst in &inst.dsts {
        match *dst {
            Dst::Reg(reg) => {
                for (half, unit) in reg.units().enumerate() {
                    (op.results.try_push((result, half == 1)))
                        .map_err(|_| fault(format!("more than {MAX_WRITES} registers written")))?;
                    op.write_mask.insert(unit);
                    (op.request.regs.try_push(ArchReg(unit as u8)))
                        .map_err(|_| fault(format!("more than {MAX_REGS_PER_INST} registers")))?;
                }
                result += 1;
            }
            Dst::Pred(pred) => {
                op.pred_writes |= 1 << (pred.0 & 63);
                (op.pred_dsts.try_push(pred.0 as u8))
                    .map_err(|_| fault("more than 2 predicate results".to_owned()))?;
            }
        }
    }
    op.request.op = match inst.op {
        Op::Acquire => RegOp::Acquire,
        Op::Release => {
            // Nothing of the warp may still read or write what is given back.
            op.write_mask = RegMask::from_index(shared_from.unwrap_or(256));
            RegOp::Release
        }
        _ => RegOp::Access,
    };
    op.asks = op.request.op != RegOp::Access || !op.request.regs.is_empty();
    // A generic address may be one of scratchpad; that is known only later.
    let of_all_sms = [Space::Global, Space::Local, Space::Generic];
    op.request.memory =
        Access::of(&inst.op).is_some_and(|access| of_all_sms.contains(&access.space));
    if let Op::Bar(kind) = inst.op {
        let constant = op
            .sources
            .iter()
            .all(|s| matches!(s, Source::Constant { .. }));
        let reduces = !matches!(kind, BarKind::Sync | BarKind::Arrive);
        op.unit = if constant && !reduces {
            Unit::Issue
        } else {
            Unit::Sp
        };
    }
    Ok(op)
}
