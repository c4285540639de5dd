//! The code of one function by the calling convention: arguments, results, prologue, epilogue.

use super::abi::{
    FIRST_ARGUMENT, FIRST_SAVED, SPARE, STACK_POINTER, Saves, inst, is_argument, reg, units,
};
use super::copies::in_order;
use crate::kernel::op::{BlockId, Mem, Op, Space, Ty};
use crate::kernel::program::{ARGUMENT_WORDS, Unit};
use crate::kernel::{Dst, Inst, Line, Operand, Reg};
use std::collections::BTreeSet;

/// Writes the code of one function.
pub(super) struct Writer<'a> {
    pub(super) all: &'a [Unit],
    pub(super) is_kernel: bool,
    pub(super) saves: Saves,
    /// Where the saved registers lie in the frame.
    pub(super) first_save: u32,
    pub(super) frame_bytes: u32,
    pub(super) is_leaf: bool,
    pub(super) saved: Vec<u16>,
    pub(super) callees: Vec<Vec<usize>>,
    /// Lines whose calls are one site, and the line of the last site.
    pub(super) indirect: &'a BTreeSet<Line>,
    pub(super) last_site: Option<Line>,
}

impl Writer<'_> {
    /// Whether it moves the stack pointer behind its frame for those that it calls.
    fn moves_stack(&self) -> bool {
        !self.is_kernel && !self.is_leaf && self.frame_bytes > 0
    }

    fn move_stack(&self, out: &mut Vec<Inst>, down: bool) {
        if self.moves_stack() {
            let (ty, sat) = (Ty::U32, false);
            let op = match down {
                true => Op::Sub { ty, sat },
                false => Op::Add { ty, sat },
            };
            let by = Operand::Imm(self.frame_bytes.into());
            out.push(inst(op, Some(STACK_POINTER), &[reg(STACK_POINTER), by]));
        }
    }

    /// Of a register that is saved, its place in the frame.
    fn slot(&self, number: usize) -> Mem {
        Mem {
            space: Space::Local,
            ty: Ty::B32,
            vec: 1,
            offset: i64::from(self.first_save) + 4 * number as i64,
            strong: false,
        }
    }

    pub(super) fn prologue(&self) -> Vec<Inst> {
        let mut out = Vec::new();
        match self.saves {
            Saves::LocalMemory => {
                for (number, &saved) in self.saved.iter().enumerate() {
                    let srcs = [reg(STACK_POINTER), reg(saved)];
                    out.push(inst(Op::St(self.slot(number)), None, &srcs));
                }
            }
            Saves::RegisterStack => {
                out.extend(self.pushed().map(|r| inst(Op::Push, None, &[reg(r)])));
            }
        }
        self.move_stack(&mut out, false);
        out
    }

    /// All registers up to the last that is used: a stack has no gaps.
    fn pushed(&self) -> std::ops::Range<u16> {
        FIRST_SAVED..self.saved.last().map_or(FIRST_SAVED, |last| last + 1)
    }

    fn epilogue(&self, out: &mut Vec<Inst>) {
        self.move_stack(out, true);
        match self.saves {
            Saves::LocalMemory => {
                for (number, &saved) in self.saved.iter().enumerate() {
                    let op = Op::Ld(self.slot(number));
                    out.push(inst(op, Some(saved), &[reg(STACK_POINTER)]));
                }
            }
            Saves::RegisterStack => {
                out.extend(self.pushed().rev().map(|r| inst(Op::Pop, Some(r), &[])));
            }
        }
    }

    pub(super) fn block(&mut self, insts: Vec<Inst>) -> Vec<Inst> {
        let mut out = Vec::with_capacity(insts.len());
        let mut insts = insts.into_iter().peekable();
        while let Some(inst) = insts.next() {
            let start = out.len();
            let line = inst.line;
            match inst.op {
                Op::Argument(_) => {
                    let mut copies = Vec::new();
                    arrive(&inst, &mut copies);
                    while let Some(more) = insts.next_if(is_argument) {
                        arrive(&more, &mut copies);
                    }
                    copy(&mut out, &copies);
                }
                Op::Call(BlockId(callee)) => self.call(inst, callee as usize, &mut out),
                Op::Ret => {
                    let values = units(inst.srcs.iter().filter_map(register));
                    copy(
                        &mut out,
                        &numbered(FIRST_ARGUMENT).zip(values).collect::<Vec<_>>(),
                    );
                    self.epilogue(&mut out);
                    out.push(Inst {
                        srcs: Default::default(),
                        ..inst
                    });
                }
                Op::FrameAddress => {
                    let offset = match inst.srcs.first() {
                        Some(Operand::Imm(offset)) => *offset as i64 - self.frame_end(),
                        _ => 0,
                    };
                    let by = Operand::Imm(u64::from(offset as u32));
                    out.push(Inst {
                        op: Op::Add {
                            ty: Ty::U32,
                            sat: false,
                        },
                        srcs: [reg(STACK_POINTER), by].into_iter().collect(),
                        ..inst
                    });
                }
                Op::PassOnStack(word, ty) => {
                    let slot = of_callee(word, ty);
                    let value = inst.srcs.iter().copied();
                    out.push(Inst {
                        op: Op::St(slot),
                        srcs: [reg(STACK_POINTER)].into_iter().chain(value).collect(),
                        ..inst
                    });
                }
                Op::TakeFromStack(word, ty) => out.push(Inst {
                    op: Op::Ld(of_callee(word, ty)),
                    srcs: [reg(STACK_POINTER)].into_iter().collect(),
                    ..inst
                }),
                _ => out.push(self.in_frame(inst)),
            }
            for inst in &mut out[start..] {
                inst.line = line;
            }
        }
        out
    }

    fn call(&mut self, call: Inst, callee: usize, out: &mut Vec<Inst>) {
        match self.callees.last_mut() {
            Some(site) if self.last_site == Some(call.line) => site.push(callee),
            _ => self.callees.push(vec![callee]),
        }
        self.last_site = self.indirect.get(&call.line).copied();
        let values = units(call.srcs.iter().filter_map(register));
        debug_assert!(values.len() <= ARGUMENT_WORDS);
        debug_assert_eq!(
            values.len(),
            usize::from(
                self.all[callee]
                    .arguments
                    .iter()
                    .map(|w| w.regs())
                    .sum::<u16>()
            )
        );
        copy(
            out,
            &numbered(FIRST_ARGUMENT).zip(values).collect::<Vec<_>>(),
        );
        let results = units(call.dsts.iter().filter_map(|dst| match dst {
            Dst::Reg(reg) => Some(*reg),
            Dst::Pred(_) => None,
        }));
        out.push(Inst {
            srcs: Default::default(),
            dsts: Default::default(),
            ..call
        });
        copy(
            out,
            &results
                .into_iter()
                .zip(numbered(FIRST_ARGUMENT))
                .collect::<Vec<_>>(),
        );
    }

    /// From the start of its frame to where the stack pointer is in its code, bytes.
    fn frame_end(&self) -> i64 {
        match self.moves_stack() {
            true => i64::from(self.frame_bytes),
            false => 0,
        }
    }

    /// Accesses to the function's own local memory are relative to its frame.
    fn in_frame(&self, mut inst: Inst) -> Inst {
        if self.is_kernel {
            return inst;
        }
        if let Op::Ld(mem) | Op::St(mem) = &mut inst.op
            && mem.space == Space::Local
            && let Some(Operand::Imm(address)) = inst.srcs.first().copied()
        {
            mem.offset += address as i64 - self.frame_end();
            inst.srcs[0] = reg(STACK_POINTER);
        }
        inst
    }
}

/// A word behind the caller's own frame, which is where the callee's begins.
fn of_callee(word: u16, ty: Ty) -> Mem {
    Mem {
        space: Space::Local,
        ty,
        vec: 1,
        offset: 4 * i64::from(word),
        strong: false,
    }
}

fn register(operand: &Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(reg) => Some(*reg),
        _ => None,
    }
}

fn numbered(first: u16) -> std::ops::RangeFrom<u16> {
    first..
}

fn arrive(inst: &Inst, copies: &mut Vec<(u16, u16)>) {
    if let (Op::Argument(word), Some(&Dst::Reg(reg))) = (inst.op, inst.dsts.first()) {
        copies.extend(reg.units().zip(FIRST_ARGUMENT + u16::from(word)..));
    }
}

fn copy(out: &mut Vec<Inst>, copies: &[(u16, u16)]) {
    for (to, from) in in_order(copies, SPARE) {
        out.push(inst(Op::Mov(Ty::B32), Some(to), &[reg(from)]));
    }
}
