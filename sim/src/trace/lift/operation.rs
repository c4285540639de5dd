//! From the opcode of a trace to the operation that costs as much here.

use super::{TooWide, operand};
use crate::kernel::op::{BarKind, Op, Space as KernelSpace, Traced};
use crate::kernel::{Inst, Line, Operand};
use crate::trace::opcode::base;
use crate::trace::record::{Class, Space, StaticInst};

/// The instruction; `number` is its index among the static instructions, and its line is one more.
///
/// # Errors
/// [`TooWide`].
pub fn instruction(inst: &StaticInst, number: u32) -> Result<Inst, TooWide> {
    let operands = operand::operands(inst)?;
    let names_nothing = operands.dsts.is_empty() && operands.srcs.is_empty();
    let op = operation(inst, names_nothing);
    let mut lifted = Inst {
        guard: None,
        op,
        dsts: operands.dsts,
        srcs: operands.srcs,
        line: Line(number + 1),
    };
    match op {
        // One barrier for all warps: which one a register says is not known.
        Op::Bar(_) => {
            lifted.dsts.clear();
            lifted.srcs = [Operand::Imm(0)].into_iter().collect();
        }
        Op::Exit | Op::Membar => {
            lifted.dsts.clear();
            lifted.srcs.clear();
        }
        _ => {}
    }
    Ok(lifted)
}

fn space(space: Space) -> KernelSpace {
    match space {
        Space::Global => KernelSpace::Global,
        Space::Local => KernelSpace::Local,
        Space::Shared => KernelSpace::Shared,
        Space::Generic => KernelSpace::Generic,
    }
}

/// Without registers these compute nothing.
const ISSUE_ONLY: [&str; 8] = [
    "NOP",
    "DEPBAR",
    "LDGDEPBAR",
    "ERRBAR",
    "CGAERRBAR",
    "CCTL",
    "CCTLL",
    "CCTLT",
];

fn operation(inst: &StaticInst, names_nothing: bool) -> Op {
    let opcode = inst.opcode.as_str();
    let name = base(opcode);
    let has = |modifier: &str| opcode.split('.').skip(1).any(|word| word == modifier);
    let bytes = inst.width_bytes;
    Op::Traced(match inst.class {
        Class::Exit => return Op::Exit,
        // An arrival waits here, too. // assumed: it is told nowhere for how many threads
        Class::Barrier => return Op::Bar(BarKind::Sync),
        Class::Fence if names_nothing && matches!(name, "MEMBAR" | "FENCE") => return Op::Membar,
        Class::Load(from) => Traced::Load(space(from), bytes),
        Class::Store(to) => Traced::Store(space(to), bytes),
        Class::Atomic(on) => Traced::Atomic(space(on), bytes),
        // What it writes to scratchpad takes no time. // assumed
        Class::AsyncCopy => Traced::Load(KernelSpace::Global, bytes),
        Class::Alu if name == "LDC" => {
            let wide = [("64", 8), ("128", 16)]
                .into_iter()
                .find(|(word, _)| has(word));
            Traced::Load(KernelSpace::Const, wide.map_or(4, |(_, bytes)| bytes))
        }
        Class::Alu if names_nothing && ISSUE_ONLY.contains(&name) => Traced::Issue,
        Class::Branch | Class::Fence if names_nothing => Traced::Issue,
        Class::Alu if matches!(name, "SHFL" | "VOTE" | "MATCH") => Traced::Shuffle,
        Class::Alu if matches!(name, "F2F" | "F2I" | "I2F" | "FRND") => match has("F64") {
            true => Traced::Double,
            false => Traced::Float,
        },
        Class::Alu | Class::Branch | Class::Fence | Class::Uniform => Traced::Int,
        Class::Int => match name {
            "IMAD" if has("WIDE") => Traced::IntMadWide,
            "IMAD" | "IMAD32I" | "IMADSP" | "XMAD" | "VMAD" | "IDP" | "IDP4A" | "VABSDIFF" => {
                Traced::IntMad
            }
            "IMUL" | "IMUL32I" => Traced::IntMul,
            "IMNMX" | "VIMNMX" | "VIMNMX3" | "VIADDMNMX" | "VMNMX" => Traced::IntMax,
            _ => Traced::Int,
        },
        Class::Sp => match name {
            "FFMA" | "FFMA32I" => Traced::FloatMad,
            "FMUL" | "FMUL32I" => Traced::FloatMul,
            "FMNMX" => Traced::FloatMax,
            "FSEL" => Traced::Int,
            _ => Traced::Float,
        },
        Class::Half => match name {
            "HFMA2" | "HFMA2_32I" => Traced::FloatMad,
            "HMUL2" | "HMUL2_32I" => Traced::FloatMul,
            "HMNMX2" | "VHMNMX" => Traced::FloatMax,
            _ => Traced::Float,
        },
        Class::Dp => match name {
            "DFMA" => Traced::DoubleMad,
            "DMUL" => Traced::DoubleMul,
            _ => Traced::Double,
        },
        Class::Sfu if opcode.contains("64H") => Traced::DoubleDiv,
        // The SM here has no unit for textures or matrices. // assumed: as long as a special function
        Class::Sfu | Class::Texture | Class::Tensor => Traced::Special,
    })
}
