//! Operators whose order differs between Rust and Verilog.

use super::design::Module;
use super::resolve::{Expr, Stmt};
use super::{Findings, Rule};
use rust_hdl::prelude::ast::VerilogOp;

pub(super) const PRECEDENCE: Rule = Rule {
    id: "precedence",
    what: "rust-hdl writes no parentheses and Verilog binds comparisons tighter than `& ^ |`",
    cure: "parenthesise both operands",
};

/// IEEE 1364-2005, table 5-4; higher binds tighter.
fn binding(op: &VerilogOp) -> u8 {
    use VerilogOp::*;
    match op {
        Mul => 10,
        Add | Sub => 9,
        Shl | Shr => 8,
        Lt | Le | Gt | Ge => 7,
        Eq | Ne => 6,
        BitAnd => 5,
        BitXor => 4,
        BitOr => 3,
        LogicalAnd => 2,
        LogicalOr => 1,
    }
}

pub(super) fn check(module: &Module, stmt: &Stmt, findings: &mut Findings) {
    for e in stmt.reads() {
        e.walk(&mut |e| {
            let Expr::Binary(left, op, right) = e else {
                return;
            };
            // All these operators are left-associative in Verilog.
            let left_escapes =
                matches!(&**left, Expr::Binary(_, inner, _) if binding(inner) < binding(op));
            let right_escapes =
                matches!(&**right, Expr::Binary(_, inner, _) if binding(inner) <= binding(op));
            if left_escapes || right_escapes {
                findings.add(&PRECEDENCE, &module.path, stmt.origin, e.to_string());
            }
        });
    }
}
