//! What a kernel can reach: functions it calls, names it uses; and the scratchpad layout that follows from it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Program;
use super::globals::size_and_align;
use crate::kernel::address;
use crate::kernel::op::Space;
use crate::kernel::ptx::ast::{Inst, Operand, OperandKind, Stmt, Variable};
use crate::kernel::ptx::constant::{Expr, Node};
use crate::kernel::ptx::error::{Problem, Res};

/// Alignment of dynamic scratchpad behind the static one, bytes.
const DYNAMIC_ALIGN_BYTES: u64 = 16;

/// Result of the walk over a kernel and the functions it calls.
#[derive(Default)]
pub struct Reached<'p, 's> {
    /// Names in operands.
    pub names: HashSet<&'s str>,
    /// Offset and size of module-level scratchpad variables.
    pub shared_in_module: HashMap<&'s str, (u64, u64)>,
    /// Offset of scratchpad variables inside functions, by function and statement.
    pub shared_in_function: HashMap<(usize, usize), u64>,
    /// Static scratchpad, bytes.
    pub shared_bytes: u32,
    end: u64,
    functions: Vec<&'p [Stmt<'s>]>,
}

impl<'p, 's> Reached<'p, 's> {
    /// Walks from the kernel with that index.
    pub fn from(program: &Program<'p, 's>, entry: usize) -> Res<Self> {
        let mut reached = Reached::default();
        let mut order = vec![entry];
        let mut seen: HashSet<usize> = HashSet::from([entry]);
        let mut waiting = VecDeque::from([entry]);
        while let Some(index) = waiting.pop_front() {
            let Some(body) = &program.file.functions[index].body else {
                continue;
            };
            reached.functions.push(body);
            for stmt in body {
                let Stmt::Inst(inst) = stmt else { continue };
                reached.names_of(inst);
                if inst.opcode.text != "call" {
                    continue;
                }
                let names = inst
                    .operands
                    .iter()
                    .filter_map(|operand| match operand.kind {
                        OperandKind::Name(text) => program.functions.get(text).copied(),
                        _ => None,
                    });
                let mut callees: Vec<usize> = names.collect();
                if callees.is_empty() {
                    // Through an address.
                    callees.clone_from(&program.taken);
                }
                for callee in callees {
                    if seen.insert(callee) {
                        order.push(callee);
                        waiting.push_back(callee);
                    }
                }
            }
        }
        reached.lay_out(program, &order)?;
        Ok(reached)
    }

    fn lay_out(&mut self, program: &Program<'p, 's>, order: &[usize]) -> Res<()> {
        let mut dynamic = Vec::new();
        let used: Vec<&'s str> = program
            .globals
            .names()
            .filter(|name| self.names.contains(name))
            .collect();
        for name in used {
            let Some(variable) = program.globals.find(name) else {
                continue;
            };
            if variable.space != Space::Shared {
                continue;
            }
            if variable.is_extern() && variable.dims.first() == Some(&None) {
                dynamic.push(variable);
                continue;
            }
            let (offset, size_bytes) = self.place(variable)?;
            self.shared_in_module.insert(name, (offset, size_bytes));
        }
        for index in order {
            let Some(body) = &program.file.functions[*index].body else {
                continue;
            };
            for (at, stmt) in body.iter().enumerate() {
                if let Stmt::Var(variable) = stmt
                    && variable.space == Space::Shared
                {
                    let (offset, _) = self.place(variable)?;
                    self.shared_in_function.insert((*index, at), offset);
                }
            }
        }
        let align = dynamic
            .iter()
            .filter_map(|variable| variable.align_bytes)
            .max()
            .unwrap_or(1);
        if u64::from(align) > DYNAMIC_ALIGN_BYTES {
            self.end = self.end.next_multiple_of(u64::from(align));
        }
        for variable in dynamic {
            let offset = self.end.next_multiple_of(DYNAMIC_ALIGN_BYTES);
            self.shared_in_module
                .insert(variable.name.text, (offset, u64::MAX));
        }
        self.shared_bytes = self.end as u32;
        Ok(())
    }

    fn place(&mut self, variable: &Variable<'s>) -> Res<(u64, u64)> {
        if variable.init.is_some() {
            return Err(Problem::new(
                variable.name.span,
                "a scratchpad variable cannot have an initial value",
                "store to it instead",
            ));
        }
        let (size_bytes, align) = size_and_align(variable)?;
        let offset = self.end.next_multiple_of(u64::from(align));
        self.end = offset + size_bytes;
        if self.end > address::WINDOW_BYTES {
            return Err(Problem::new(
                variable.name.span,
                "too much scratchpad",
                format!("at most {} bytes", address::WINDOW_BYTES),
            ));
        }
        Ok((offset, size_bytes))
    }

    fn names_of(&mut self, inst: &Inst<'s>) {
        for operand in &inst.operands {
            self.operand(operand);
        }
    }

    fn operand(&mut self, operand: &Operand<'s>) {
        match &operand.kind {
            OperandKind::Name(text) => {
                self.names.insert(text);
            }
            OperandKind::Const(expr) | OperandKind::Mem(expr) => self.expr(expr),
            OperandKind::Vector(parts) | OperandKind::List(parts) => {
                for part in parts {
                    self.operand(part);
                }
            }
            OperandKind::Field(..)
            | OperandKind::Not(_)
            | OperandKind::Pair(..)
            | OperandKind::Coordinates => {}
        }
    }

    fn expr(&mut self, expr: &Expr<'s>) {
        match &expr.node {
            Node::Value(_) => {}
            Node::Symbol(text) => {
                self.names.insert(text);
            }
            Node::Generic(name) => {
                self.names.insert(name.text);
            }
            Node::Unary(_, a) => self.expr(a),
            Node::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Node::Choose(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
        }
    }
}
