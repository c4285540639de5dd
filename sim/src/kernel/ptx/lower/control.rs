//! Branches and ends.

use super::Lower;
use super::build::Label;
use super::modifiers::Modifiers;
use super::operand::count;
use crate::kernel::exit::IN_FUNCTION;
use crate::kernel::op::{Cmp, Op, Ty};
use crate::kernel::ptx::ast::{Inst, Name};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Guard, Operand};

impl<'p, 's> Lower<'p, 's> {
    fn find_label(&self, name: Name<'s>) -> Res<Label> {
        self.frame
            .scopes
            .open_ids()
            .find_map(|scope| self.frame.labels.get(&(scope, name.text)))
            .copied()
            .ok_or_else(|| {
                Problem::new(
                    name.span,
                    format!("label `{}` is not defined", name.text),
                    "no such label in this scope",
                )
            })
    }

    pub(super) fn bra(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.take(".uni");
        m.end()?;
        count(inst, 1, 1)?;
        let name = self.name_of_operand(&inst.operands[0], "a label")?;
        let label = self.find_label(name)?;
        self.build
            .push(Op::Bra(self.branch_target(label)), &[], &[]);
        Ok(())
    }

    /// `brx.idx i, table`: a chain of comparisons; an index past the table is undefined in PTX and takes the last.
    pub(super) fn brx(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.need(&[(".idx", ())])?;
        m.take(".uni");
        m.end()?;
        count(inst, 2, 2)?;
        if inst.guard.is_some() {
            return Err(Problem::new(
                inst.span,
                "`brx.idx` with a guard is not supported",
                "branch around it instead",
            ));
        }
        let table = self.name_of_operand(&inst.operands[1], "a `.branchtargets` label")?;
        let targets = self
            .frame
            .scopes
            .open_ids()
            .find_map(|scope| self.frame.targets.get(&(scope, table.text)))
            .copied()
            .ok_or_else(|| {
                Problem::new(
                    table.span,
                    format!("`{}` is not a list of branch targets", table.text),
                    "no `.branchtargets` of that name in this scope",
                )
            })?;
        let index = self.src(&inst.operands[0], Ty::U32)?;
        for (number, target) in targets.iter().enumerate() {
            let label = self.find_label(*target)?;
            self.build.unguarded();
            if number + 1 < targets.len() {
                let here = self.build.pred();
                let op = Op::Setp {
                    cmp: Cmp::Eq,
                    ty: Ty::U32,
                    ftz: false,
                    combine: None,
                };
                self.build.push(
                    op,
                    &[Dst::Pred(here)],
                    &[index, Operand::Imm(number as u64)],
                );
                self.build.guarded(Some(Guard {
                    pred: here,
                    negated: false,
                }));
            }
            self.build
                .push(Op::Bra(self.branch_target(label)), &[], &[]);
        }
        Ok(())
    }

    pub(super) fn leave(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let opcode = inst.opcode.text;
        if opcode == "ret" {
            m.take(".uni");
        }
        m.end()?;
        count(inst, 0, 0)?;
        let op = match (opcode, self.frame.after) {
            ("trap", _) => Op::Trap,
            ("ret", Some(after)) => Op::Bra(self.branch_target(after)),
            _ => Op::Exit,
        };
        // Of a thread in an inlined function: the others meet where they would if the call were kept.
        let in_function = opcode == "exit" && self.frame.after.is_some();
        let mark = (in_function && !self.is_function()).then_some(Operand::Imm(IN_FUNCTION));
        self.build.push(op, &[], mark.as_slice());
        Ok(())
    }
}
