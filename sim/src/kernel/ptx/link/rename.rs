//! Gives names of module level to a file's declarations and uses; names that a function declares itself stay.

use std::collections::HashMap;

use crate::kernel::op::Ty;
use crate::kernel::ptx::ast::{
    File, Function, Init, Inst, Name, Operand, OperandKind, Stmt, Variable,
};
use crate::kernel::ptx::constant::{Expr, Node};
use crate::kernel::ptx::lower::Scopes;

type Names<'s> = HashMap<&'s str, &'s str>;

/// Renames in all of `file` what `names` has.
pub fn rename<'s>(file: &mut File<'s>, names: &Names<'s>) {
    let mut walk = Walk {
        names,
        scopes: Scopes::default(),
    };
    for variable in &mut file.variables {
        walk.name(&mut variable.name.text);
        if let Some(init) = &mut variable.init {
            walk.init(init);
        }
    }
    for function in &mut file.functions {
        walk.name(&mut function.name.text);
        walk.function(function);
    }
}

struct Walk<'n, 's> {
    names: &'n Names<'s>,
    /// Those of the function.
    scopes: Scopes<'s>,
}

impl<'s> Walk<'_, 's> {
    /// A name that is of module level unless the function declares it.
    fn name(&mut self, text: &mut &'s str) {
        if let Some(&renamed) = self.names.get(*text)
            && self.scopes.find(text).is_none()
        {
            *text = renamed;
        }
    }

    /// A name of the function from here on; a second one of the scope is refused later.
    fn declare(&mut self, name: Name<'s>, count: Option<u32>) {
        let _ = self.scopes.declare_registers(name, Ty::B32, count);
    }

    fn function(&mut self, function: &mut Function<'s>) {
        self.scopes = Scopes::default();
        self.scopes.open();
        for formal in function.results.iter().chain(&function.params) {
            self.declare(formal.var.name, None);
        }
        self.scopes.open();
        for stmt in function.body.iter_mut().flatten() {
            self.statement(stmt);
        }
        self.scopes = Scopes::default();
    }

    fn statement(&mut self, stmt: &mut Stmt<'s>) {
        match stmt {
            Stmt::Open => self.scopes.open(),
            Stmt::Close => self.scopes.close(),
            Stmt::Reg { name, count, .. } => self.declare(*name, *count),
            Stmt::Var(Variable { name, .. }) | Stmt::Prototype { name, .. } => {
                self.declare(*name, None);
            }
            Stmt::CallTargets { name, targets } => {
                self.declare(*name, None);
                for target in targets {
                    // Only functions can stand here.
                    if let Some(renamed) = self.names.get(target.text) {
                        target.text = renamed;
                    }
                }
            }
            // Labels are apart from all other names.
            Stmt::Label(_) | Stmt::Targets { .. } => {}
            Stmt::Inst(inst) => self.instruction(inst),
        }
    }

    fn instruction(&mut self, inst: &mut Inst<'s>) {
        if matches!(inst.opcode.text, "bra" | "brx") {
            return;
        }
        for operand in &mut inst.operands {
            self.operand(operand);
        }
    }

    fn operand(&mut self, operand: &mut Operand<'s>) {
        match &mut operand.kind {
            OperandKind::Name(text) => self.name(text),
            OperandKind::Const(expr) | OperandKind::Mem(expr) => self.expr(expr),
            OperandKind::Vector(parts) | OperandKind::List(parts) => {
                for part in parts {
                    self.operand(part);
                }
            }
            // Registers.
            OperandKind::Field(..)
            | OperandKind::Not(_)
            | OperandKind::Pair(..)
            | OperandKind::Coordinates => {}
        }
    }

    fn init(&mut self, init: &mut Init<'s>) {
        match init {
            Init::List(values, _) => {
                for value in values {
                    self.init(value);
                }
            }
            Init::Value(expr) => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &mut Expr<'s>) {
        match &mut expr.node {
            Node::Value(_) => {}
            Node::Symbol(text) => self.name(text),
            Node::Generic(name) => self.name(&mut name.text),
            Node::Unary(_, a) => self.expr(a),
            Node::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Node::Choose(a, b, c) => {
                for part in [a, b, c] {
                    self.expr(part);
                }
            }
        }
    }
}
