//! Arithmetic that wraps in Rust and does not wrap in Verilog.
//!
//! In Rust every operation has the width of its operands. In Verilog an expression is computed at the width of its
//! widest operand or of the target, and an unsized Rust literal is written with 32 bits. The extra bits are harmless
//! where only low bits matter (sums, differences, bit operations, assignments). They change the result where high
//! bits flow down or are looked at: comparisons, right shifts, casts, reductions, indices, conditions.

use super::design::Module;
use super::resolve::{Expr, Stmt, StmtKind};
use super::{Findings, Rule};
use rust_hdl::prelude::ast::{VerilogOp, VerilogOpUnary};

const LOCAL: &str = "assign it to a Local signal of its own width first, and use that";

pub(super) const COMPARISON: Rule = Rule {
    id: "comparison-does-not-wrap",
    what: "a sum, difference, shift or inversion is compared at 32 bits or more, so nothing wraps",
    cure: LOCAL,
};

pub(super) const CAST: Rule = Rule {
    id: "cast-keeps-carry",
    what: "a widening cast of a sum, difference, shift or inversion keeps the bits that Rust drops",
    cure: LOCAL,
};

pub(super) const SHIFT_RIGHT: Rule = Rule {
    id: "shift-right-keeps-carry",
    what: "the bits that Rust drops are shifted down into the result",
    cure: LOCAL,
};

pub(super) const REPLACE_BIT: Rule = Rule {
    id: "replace-bit-spills",
    what: "an inverted or computed bit is widened before it is put in place and overwrites the bits above",
    cure: LOCAL,
};

pub(super) const SELF_DETERMINED: Rule = Rule {
    id: "operand-has-other-width",
    what: "an index, shift amount, reduction or condition is computed at another width than in Rust",
    cure: LOCAL,
};

/// Width at which Verilog computes `e` standing alone (IEEE 1364-2005, table 5-22).
fn verilog_width(e: &Expr) -> usize {
    match e {
        Expr::Net { net, .. } => net.width_bits,
        Expr::Number { bits, .. } => *bits,
        Expr::Unknown(_) => 32,
        Expr::Paren(x) | Expr::Sign(x) => verilog_width(x),
        Expr::Binary(l, op, r) => match op {
            VerilogOp::Add
            | VerilogOp::Sub
            | VerilogOp::Mul
            | VerilogOp::BitAnd
            | VerilogOp::BitOr
            | VerilogOp::BitXor => verilog_width(l).max(verilog_width(r)),
            VerilogOp::Shl | VerilogOp::Shr => verilog_width(l),
            _ => 1,
        },
        Expr::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, x) => verilog_width(x),
        Expr::Unary(..) | Expr::Bit(..) => 1,
        Expr::Cast(x, bits) => verilog_width(x).max(*bits),
        Expr::Slice(_, bits, _) => *bits,
        // `(base & ~(1 << index)) | (value << index)` with a 32-bit 1.
        Expr::ReplaceBit(base, _, value) => verilog_width(base).max(verilog_width(value)).max(32),
    }
}

/// Width of the Rust type; `None` for a literal, which takes that of the other operand.
fn rust_width(e: &Expr) -> Option<usize> {
    match e {
        Expr::Net { net, .. } => Some(net.width_bits),
        Expr::Number { boolean, .. } => boolean.then_some(1),
        Expr::Unknown(_) => None,
        Expr::Paren(x) | Expr::Sign(x) => rust_width(x),
        Expr::Binary(l, op, r) => match op {
            VerilogOp::Mul => rust_width(l).or(rust_width(r)).map(|bits| bits * 2),
            VerilogOp::Add
            | VerilogOp::Sub
            | VerilogOp::BitAnd
            | VerilogOp::BitOr
            | VerilogOp::BitXor => rust_width(l).or(rust_width(r)),
            VerilogOp::Shl | VerilogOp::Shr => rust_width(l),
            _ => Some(1),
        },
        Expr::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, x) => rust_width(x),
        Expr::Unary(..) | Expr::Bit(..) => Some(1),
        Expr::Cast(_, bits) | Expr::Slice(_, bits, _) => Some(*bits),
        Expr::ReplaceBit(base, ..) => rust_width(base),
    }
}

/// Whether bits above the Rust width can be set when Verilog computes `e` wider.
fn overflows(e: &Expr) -> bool {
    match e {
        Expr::Net { net, .. } => net.signed,
        Expr::Paren(x) | Expr::Sign(x) => overflows(x),
        Expr::Binary(l, op, r) => match op {
            VerilogOp::Add | VerilogOp::Sub | VerilogOp::Shl => true,
            VerilogOp::BitAnd => overflows(l) && overflows(r),
            VerilogOp::BitOr | VerilogOp::BitXor | VerilogOp::Mul => overflows(l) || overflows(r),
            VerilogOp::Shr => overflows(l),
            _ => false,
        },
        Expr::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, _) => true,
        Expr::ReplaceBit(base, _, value) => overflows(base) || overflows(value),
        Expr::Unary(..)
        | Expr::Bit(..)
        | Expr::Slice(..)
        | Expr::Cast(..)
        | Expr::Number { .. }
        | Expr::Unknown(_) => false,
    }
}

struct Check<'a> {
    module: &'a Module,
    origin: usize,
    findings: &'a mut Findings,
}

pub(super) fn check(module: &Module, stmt: &Stmt, findings: &mut Findings) {
    let mut check = Check {
        module,
        origin: stmt.origin,
        findings,
    };
    match &stmt.kind {
        StmtKind::Assign { target, value } => {
            check.at(value, verilog_width(target).max(verilog_width(value)))
        }
        StmtKind::AssignSlice { offset, value, .. } => {
            check.alone(offset);
            check.at(value, verilog_width(value));
        }
        StmtKind::If { test, .. } | StmtKind::Match { test, .. } => check.alone(test),
        StmtKind::Join { .. } => {}
    }
}

impl Check<'_> {
    fn hit(&mut self, rule: &'static Rule, e: &Expr) {
        self.findings
            .add(rule, &self.module.path, self.origin, e.to_string());
    }

    /// `e` where Verilog computes it at a width of its own.
    fn alone(&mut self, e: &Expr) {
        let width = verilog_width(e);
        if rust_width(e).is_some_and(|rust| rust > width || (rust < width && overflows(e))) {
            self.hit(&SELF_DETERMINED, e);
        }
        self.at(e, width);
    }

    /// `e` where Verilog computes it at `width`.
    fn at(&mut self, e: &Expr, width: usize) {
        let wider =
            |x: &Expr, width: usize| overflows(x) && rust_width(x).is_some_and(|rust| width > rust);
        match e {
            Expr::Net { .. } | Expr::Number { .. } | Expr::Unknown(_) => {}
            Expr::Paren(x) | Expr::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, x) => {
                self.at(x, width)
            }
            Expr::Sign(x) => self.alone(x),
            Expr::Unary(op, x) => {
                let padded = rust_width(x).is_some_and(|rust| rust < verilog_width(x));
                if matches!(op, VerilogOpUnary::All) && padded {
                    self.hit(&SELF_DETERMINED, e);
                }
                self.alone(x);
            }
            Expr::Binary(l, op, r) => self.binary(e, l, op, r, width),
            Expr::Cast(x, bits) => {
                if wider(x, *bits) {
                    self.hit(&CAST, e);
                }
                self.at(x, verilog_width(x).max(*bits).max(width));
            }
            Expr::Bit(_, index) | Expr::Slice(_, _, index) => self.alone(index),
            Expr::ReplaceBit(base, index, value) => {
                let width = verilog_width(e).max(width);
                if wider(value, width) {
                    self.hit(&REPLACE_BIT, e);
                }
                self.at(base, width);
                self.at(value, width);
                self.alone(index);
            }
        }
    }

    fn binary(&mut self, e: &Expr, l: &Expr, op: &VerilogOp, r: &Expr, width: usize) {
        match op {
            VerilogOp::Shl | VerilogOp::Shr => {
                let shifts_down = matches!(op, VerilogOp::Shr) && overflows(l);
                if shifts_down && rust_width(l).is_some_and(|rust| width > rust) {
                    self.hit(&SHIFT_RIGHT, e);
                }
                self.at(l, width);
                self.alone(r);
            }
            VerilogOp::Eq
            | VerilogOp::Ne
            | VerilogOp::Lt
            | VerilogOp::Le
            | VerilogOp::Gt
            | VerilogOp::Ge => {
                let width = verilog_width(l).max(verilog_width(r));
                let rust = rust_width(l).or(rust_width(r));
                let wraps_in_rust =
                    rust.is_some_and(|rust| rust < width) && (overflows(l) || overflows(r));
                if wraps_in_rust || rust.is_some_and(|rust| rust > width) {
                    self.hit(&COMPARISON, e);
                }
                self.at(l, width);
                self.at(r, width);
            }
            VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                self.alone(l);
                self.alone(r);
            }
            _ => {
                self.at(l, width);
                self.at(r, width);
            }
        }
    }
}
