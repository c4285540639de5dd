//! Bit and part selects: where they may point, and what may be selected from.

use super::design::Module;
use super::resolve::{Expr, Stmt};
use super::{Findings, Rule};
use rust_hdl::prelude::ast::VerilogOp;

pub(super) const OUT_OF_RANGE: Rule = Rule {
    id: "index-out-of-range",
    what: "the index can point past the last bit: Rust panics, Verilog reads X",
    cure: "pad the vector to a power of two, or shift it right into a Local and take bit 0",
};

pub(super) const SELECT_OF_EXPRESSION: Rule = Rule {
    id: "select-of-expression",
    what: "Verilog selects bits of a named signal only",
    cure: "assign the expression to a Local signal and select from that",
};

pub(super) const SELECT_OF_SCALAR: Rule = Rule {
    id: "select-of-scalar",
    what: "a signal of one bit is declared without a range, and Verilog forbids a select from it",
    cure: "use the signal itself",
};

/// An upper bound of `e`'s value as Verilog computes it.
fn most(e: &Expr) -> u64 {
    let ones = |bits: usize| {
        if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        }
    };
    match e {
        Expr::Net { net, .. } => ones(net.width_bits),
        Expr::Number { value, bits, .. } => value.unwrap_or(ones(*bits)),
        Expr::Paren(x) => most(x),
        Expr::Slice(_, bits, _) => ones(*bits),
        Expr::Cast(x, bits) => most(x).min(ones(*bits)),
        Expr::Binary(l, op, r) => match op {
            VerilogOp::Add => most(l).saturating_add(most(r)),
            VerilogOp::Mul => most(l).saturating_mul(most(r)),
            VerilogOp::BitAnd => most(l).min(most(r)),
            VerilogOp::Shr => most(l),
            VerilogOp::Sub | VerilogOp::Shl | VerilogOp::BitOr | VerilogOp::BitXor => u64::MAX,
            _ => 1,
        },
        Expr::Bit(..) => 1,
        // Reported where it was resolved.
        Expr::Unknown(_) => 0,
        Expr::Unary(..) | Expr::Sign(_) | Expr::ReplaceBit(..) => u64::MAX,
    }
}

pub(super) fn check(module: &Module, stmt: &Stmt, findings: &mut Findings) {
    for e in stmt.reads() {
        e.walk(&mut |e| {
            let (base, width, index, selects) = match e {
                Expr::Bit(base, index) => (base, 1, index, true),
                Expr::Slice(base, width, index) => (base, *width, index, true),
                Expr::ReplaceBit(base, index, _) => (base, 1, index, false),
                _ => return,
            };
            let mut hit = |rule| findings.add(rule, &module.path, stmt.origin, e.to_string());
            match &**base {
                Expr::Net { net, .. } => {
                    if selects && net.width_bits == 1 {
                        hit(&SELECT_OF_SCALAR);
                    }
                    if most(index).saturating_add(width as u64) > net.width_bits as u64 {
                        hit(&OUT_OF_RANGE);
                    }
                }
                Expr::Unknown(_) => {}
                _ if selects => hit(&SELECT_OF_EXPRESSION),
                _ => {}
            }
        });
    }
}
