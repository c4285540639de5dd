//! Which register types agree with which instruction types (PTX ISA 9.4).

use crate::kernel::Width;
use crate::kernel::op::Ty;

/// Families within which sizes decide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bits,
    Integer,
    Float,
    Pred,
}

fn class(ty: Ty) -> Class {
    match ty {
        Ty::B8 | Ty::B16 | Ty::B32 | Ty::B64 => Class::Bits,
        Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 | Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64 => {
            Class::Integer
        }
        Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 | Ty::F32 | Ty::F64 => Class::Float,
        Ty::Pred => Class::Pred,
    }
}

pub fn is_float(ty: Ty) -> bool {
    class(ty) == Class::Float
}

pub fn is_integer(ty: Ty) -> bool {
    class(ty) == Class::Integer
}

pub fn is_signed(ty: Ty) -> bool {
    matches!(ty, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
}

/// Bytes in memory.
pub fn bytes(ty: Ty) -> u64 {
    match ty {
        Ty::B8 | Ty::U8 | Ty::S8 | Ty::Pred => 1,
        Ty::B16 | Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16 => 2,
        Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 => 4,
        Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => 8,
    }
}

/// Width of the register that holds it.
pub fn width(ty: Ty) -> Width {
    if bytes(ty) == 8 {
        Width::W64
    } else {
        Width::W32
    }
}

/// Whether a register declared `reg` may stand where an instruction of type `inst` has an operand.
pub fn agrees(inst: Ty, reg: Ty) -> bool {
    let (a, b) = (class(inst), class(reg));
    if a == Class::Pred || b == Class::Pred {
        return a == b;
    }
    if bytes(inst) != bytes(reg) {
        return false;
    }
    match (a, b) {
        (Class::Float, Class::Float) => inst == reg,
        (Class::Bits, _) | (_, Class::Bits) => true,
        _ => a == b,
    }
}

/// The same for the data operands of `ld`, `st` and `cvt`, which may be wider than the instruction.
pub fn agrees_wide(inst: Ty, reg: Ty) -> bool {
    if bytes(reg) <= bytes(inst) || class(reg) == Class::Pred || class(inst) == Class::Pred {
        return agrees(inst, reg);
    }
    match class(inst) {
        Class::Float => class(reg) == Class::Bits,
        _ => class(reg) != Class::Float,
    }
}

/// As written in PTX.
pub fn name_of(ty: Ty) -> &'static str {
    match ty {
        Ty::B8 => ".b8",
        Ty::B16 => ".b16",
        Ty::B32 => ".b32",
        Ty::B64 => ".b64",
        Ty::U8 => ".u8",
        Ty::U16 => ".u16",
        Ty::U32 => ".u32",
        Ty::U64 => ".u64",
        Ty::S8 => ".s8",
        Ty::S16 => ".s16",
        Ty::S32 => ".s32",
        Ty::S64 => ".s64",
        Ty::F16 => ".f16",
        Ty::F16x2 => ".f16x2",
        Ty::Bf16 => ".bf16",
        Ty::Bf16x2 => ".bf16x2",
        Ty::F32 => ".f32",
        Ty::F64 => ".f64",
        Ty::Pred => ".pred",
    }
}
