//! Read-modify-write operations on one memory cell.

use super::exact::Format;
use crate::kernel::op::{AtomOp, Round, Ty};

/// The new contents of a cell that held `old`. `b` is the operand; for `cas`, `b` is compared and `c` stored.
///
/// All three are bits of the type, low bits valid; so is the result. Float addition rounds to nearest. In single
/// precision, cells of the scratchpad (`in_scratchpad`) keep subnormals; elsewhere subnormal inputs and results become
/// zero (PTX ISA, `atom`).
pub fn atomic(op: AtomOp, ty: Ty, in_scratchpad: bool, old: u64, b: u64, c: u64) -> u64 {
    let mask = match ty.size_bytes() {
        8 => u64::MAX,
        size => (1 << (8 * size)) - 1,
    };
    let (old, b, c) = (old & mask, b & mask, c & mask);
    let signed = |x: u64| ((x << (64 - 8 * ty.size_bytes())) as i64) >> (64 - 8 * ty.size_bytes());
    let new = match op {
        AtomOp::Add if ty.is_float() => float_add(ty, ty == Ty::F32 && !in_scratchpad, old, b),
        AtomOp::Add => old.wrapping_add(b),
        AtomOp::Min if ty.is_signed() => signed(old).min(signed(b)) as u64,
        AtomOp::Max if ty.is_signed() => signed(old).max(signed(b)) as u64,
        AtomOp::Min => old.min(b),
        AtomOp::Max => old.max(b),
        AtomOp::And => old & b,
        AtomOp::Or => old | b,
        AtomOp::Xor => old ^ b,
        AtomOp::Exch => b,
        AtomOp::Cas => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomOp::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomOp::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
    };
    new & mask
}

fn float_add(ty: Ty, ftz: bool, a: u64, b: u64) -> u64 {
    let format = Format::of(ty);
    let flush = |x| if ftz { format.flush(x) } else { x };
    let add = |x, y| flush(format.add(flush(x), flush(y), Round::Nearest));
    if matches!(ty, Ty::F16x2 | Ty::Bf16x2) {
        add(a & 0xFFFF, b & 0xFFFF) | add(a >> 16, b >> 16) << 16
    } else {
        add(a, b)
    }
}
