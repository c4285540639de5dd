//! Which unit executes an operation, and how long it takes.

use crate::kernel::op::{Op, Part, Traced, Ty};
use crate::machine::{Pipeline, Timing};
use crate::sm::program::Unit;

/// Unit, latency and initiation interval of `op`. Loads and stores have times of their own.
pub fn timing(op: &Op, pipeline: &Pipeline) -> (Unit, Timing) {
    let p = pipeline;
    let sp = |timing| (Unit::Sp, timing);
    let float = |ty: Ty, single, double| {
        if ty == Ty::F64 {
            (Unit::Sfu, double)
        } else {
            (Unit::Sp, single)
        }
    };
    match *op {
        Op::Ld(_) | Op::St(_) | Op::Atom { .. } | Op::Red { .. } => (Unit::Ldst, p.int_add),
        Op::Bra(_)
        | Op::Exit
        | Op::Call(_)
        | Op::Ret
        | Op::Argument(_)
        | Op::FrameAddress
        | Op::PassOnStack(..)
        | Op::TakeFromStack(..)
        | Op::Push
        | Op::Pop
        | Op::Trap
        | Op::Nop
        | Op::Membar
        | Op::WarpSync
        | Op::Acquire
        | Op::Release
        | Op::Pir
        | Op::Pbr
        | Op::Bar(_) => (Unit::Issue, p.int_add),
        Op::Shfl(_) | Op::Vote(_) | Op::Activemask => sp(p.shuffle),
        Op::Traced(traced) => self::traced(traced, p),

        Op::Mul { ty, part } => sp(product(p.int_mul, ty, part)),
        Op::Mad { ty, part, .. } => sp(product(p.int_mad, ty, part)),
        Op::MadCarry { ty, part } => sp(product(p.int_mad, ty, part)),
        Op::Mul24 { .. } => sp(p.int_mul),
        Op::Mad24 { .. } | Op::Sad(_) | Op::Dp4a(..) | Op::Dp2a { .. } => sp(p.int_mad),
        Op::Div(_) | Op::Rem(_) => sp(p.int_div),
        Op::Min(_) | Op::Max(_) => sp(p.int_max),

        Op::FAdd(ty, _) | Op::FSub(ty, _) => float(ty, p.fp_add, p.dp_add),
        Op::FMul(ty, _) => float(ty, p.fp_mul, p.dp_mul),
        Op::Fma(ty, _) => float(ty, p.fp_mad, p.dp_mad),
        Op::FMin { ty, .. } | Op::FMax { ty, .. } => float(ty, p.fp_max, p.dp_max),
        Op::FDiv { ty, .. } => match ty {
            Ty::F64 => (Unit::Sfu, p.dp_div),
            _ => (Unit::Sfu, p.fp_div),
        },
        Op::Rcp { ty, .. } | Op::Sqrt { ty, .. } | Op::Rsqrt { ty, .. } => match ty {
            Ty::F64 => (Unit::Sfu, p.dp_div),
            _ => (Unit::Sfu, p.sfu),
        },
        Op::Sin { .. } | Op::Cos { .. } | Op::Lg2 { .. } | Op::Ex2 { .. } | Op::Tanh(_) => {
            (Unit::Sfu, p.sfu)
        }
        Op::Cvt { to, from, .. } if to == Ty::F64 || from == Ty::F64 => (Unit::Sfu, p.dp_add),
        Op::Cvt { to, from, .. } if to.is_float() || from.is_float() => sp(p.fp_add),
        Op::Setp { ty, .. } | Op::Set { ty, .. } if ty.is_float() => float(ty, p.fp_add, p.dp_add),
        _ => sp(p.int_add),
    }
}

/// Those of an instruction of a trace: as of ours that does the like.
fn traced(traced: Traced, p: &Pipeline) -> (Unit, Timing) {
    match traced {
        Traced::Issue => (Unit::Issue, p.int_add),
        Traced::Int => (Unit::Sp, p.int_add),
        Traced::IntMax => (Unit::Sp, p.int_max),
        Traced::IntMul => (Unit::Sp, p.int_mul),
        Traced::IntMad => (Unit::Sp, p.int_mad),
        Traced::IntMadWide => (Unit::Sp, product(p.int_mad, Ty::U32, Part::Wide)),
        Traced::Float => (Unit::Sp, p.fp_add),
        Traced::FloatMax => (Unit::Sp, p.fp_max),
        Traced::FloatMul => (Unit::Sp, p.fp_mul),
        Traced::FloatMad => (Unit::Sp, p.fp_mad),
        Traced::Special => (Unit::Sfu, p.sfu),
        Traced::Double => (Unit::Sfu, p.dp_add),
        Traced::DoubleMul => (Unit::Sfu, p.dp_mul),
        Traced::DoubleMad => (Unit::Sfu, p.dp_mad),
        Traced::DoubleDiv => (Unit::Sfu, p.dp_div),
        Traced::Shuffle => (Unit::Sp, p.shuffle),
        Traced::Load(..) | Traced::Store(..) | Traced::Atomic(..) => (Unit::Ldst, p.int_add),
    }
}

/// A product of 64-bit operands, or with a 64-bit addend, goes through the multiplier several times.
/// // assumed: four partial products of 32 bits, or two when only the low half is kept with one wide operand
fn product(timing: Timing, ty: Ty, part: Part) -> Timing {
    let rounds = match (ty, part) {
        (Ty::U64 | Ty::S64, _) => 4,
        (_, Part::Wide) => 2,
        _ => 1,
    };
    Timing {
        latency: timing.latency + timing.interval * (rounds - 1),
        interval: timing.interval * rounds,
    }
}
