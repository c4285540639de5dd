//! Our operations in the words of real hardware.
//!
//! One line per instruction, so that counts agree with those of the SM model. Where hardware needs a sequence (a division, an
//! operation on 64 bits), the line names the instruction that takes longest.

use crate::kernel::Inst;
use crate::kernel::op::{BarKind, Mem, Op, Part, Space, Ty};
use crate::kernel::reg::Operand;

/// Opcode with modifiers, as SM80 has it.
pub fn name(inst: &Inst) -> String {
    let fixed = match inst.op {
        Op::Mov(_) if matches!(inst.srcs.first(), Some(Operand::Special(_))) => "S2R",
        Op::Mov(_) | Op::CvtaToGeneric(_) | Op::CvtaFromGeneric(_) => "MOV",
        Op::Pack(_) | Op::Unpack(_) | Op::Prmt(_) => "PRMT",
        Op::Selp(ty) | Op::Slct(ty, ..) => by(ty, "SEL", "FSEL", "FSEL", "SEL"),
        Op::Cvt {
            to, from, integral, ..
        } => convert(to, from, integral),
        Op::Isspacep(_) => "QSPC",
        Op::Add { .. } | Op::Sub { .. } | Op::Neg(_) => "IADD3",
        Op::AddCarry(_) | Op::SubCarry(_) => "IADD3.X",
        Op::Mul { part, .. } | Op::Mad { part, .. } | Op::MadCarry { part, .. } => multiply(part),
        Op::Mul24 { .. } | Op::Mad24 { .. } => "IMAD",
        Op::Div(_) | Op::Rem(_) => "MUFU.RCP",
        Op::Abs(_) => "IABS",
        Op::Min(_) | Op::Max(_) => "IMNMX",
        Op::Sad(_) => "VABSDIFF",
        Op::Popc(_) => "POPC",
        Op::Clz(_) | Op::Bfind { .. } => "FLO",
        Op::Brev(_) => "BREV",
        Op::Bfe(_) | Op::Bfi(_) => "SHF.R",
        Op::Dp4a(..) => "IDP.4A",
        Op::Dp2a { .. } => "IDP.2A",
        Op::And(ty) | Op::Or(ty) | Op::Xor(ty) | Op::Not(ty) => logic(ty),
        Op::Cnot(_) | Op::Lop3(_) | Op::Copysign(_) => "LOP3.LUT",
        Op::Shl(_) => "SHF.L",
        Op::Shf { left: true, .. } => "SHF.L.W",
        Op::Shr(_) => "SHF.R",
        Op::Shf { .. } => "SHF.R.W",
        Op::FAdd(ty, _) | Op::FSub(ty, _) | Op::FAbs { ty, .. } | Op::FNeg { ty, .. } => {
            by(ty, "IADD3", "FADD", "DADD", "HADD2")
        }
        Op::FMul(ty, _) => by(ty, "IMAD", "FMUL", "DMUL", "HMUL2"),
        Op::Fma(ty, _) => by(ty, "IMAD", "FFMA", "DFMA", "HFMA2"),
        Op::FMin { ty, .. } | Op::FMax { ty, .. } => by(ty, "IMNMX", "FMNMX", "DSETP", "HMNMX2"),
        Op::FDiv { ty, .. } | Op::Rcp { ty, .. } => {
            by(ty, "MUFU.RCP", "MUFU.RCP", "MUFU.RCP64H", "MUFU.RCP")
        }
        Op::Sqrt { .. } => "MUFU.SQRT",
        Op::Rsqrt { ty, .. } => by(ty, "MUFU.RSQ", "MUFU.RSQ", "MUFU.RSQ64H", "MUFU.RSQ"),
        Op::Sin { .. } => "MUFU.SIN",
        Op::Cos { .. } => "MUFU.COS",
        Op::Lg2 { .. } => "MUFU.LG2",
        Op::Ex2 { .. } => "MUFU.EX2",
        Op::Tanh(_) => "MUFU.TANH",
        Op::Testp(ty, _) => by(ty, "ISETP", "FSETP", "DSETP", "HSETP2"),
        Op::Setp { ty: Ty::Pred, .. } => "PLOP3.LUT",
        Op::Setp { ty, .. } => by(ty, "ISETP", "FSETP", "DSETP", "HSETP2"),
        Op::Set { ty, .. } => by(ty, "ISETP", "FSET", "DSETP", "HSET2"),
        Op::Ld(mem) => return access("LD", mem),
        Op::St(mem) => return access("ST", mem),
        Op::Atom { space, ty, .. } => return atomic(space, ty, true),
        Op::Red { space, ty, .. } => return atomic(space, ty, false),
        Op::Membar => "MEMBAR.SC.GPU",
        Op::Shfl(_) => "SHFL",
        Op::Vote(_) | Op::Activemask => "VOTE",
        Op::Bar(BarKind::Sync) => "BAR.SYNC",
        Op::Bar(BarKind::Arrive) => "BAR.ARV",
        Op::Bar(_) => "BAR.RED",
        Op::WarpSync => "WARPSYNC",
        Op::Bra(_) => "BRA",
        Op::Call(_) => "CALL.REL.NOINC",
        Op::Ret => "RET.REL.NODEC",
        Op::Exit => "EXIT",
        Op::Trap => "BPT.TRAP",
        Op::Nop | Op::Acquire | Op::Release | Op::Pir | Op::Pbr => "NOP",
        Op::Argument(_) | Op::FrameAddress | Op::PassOnStack(..) | Op::TakeFromStack(..) => "NOP",
        Op::Push | Op::Pop | Op::Traced(_) => "NOP",
    };
    fixed.into()
}

fn by(
    ty: Ty,
    int: &'static str,
    single: &'static str,
    double: &'static str,
    half: &'static str,
) -> &'static str {
    match ty {
        Ty::F32 => single,
        Ty::F64 => double,
        Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 => half,
        _ => int,
    }
}

fn convert(to: Ty, from: Ty, integral: bool) -> &'static str {
    match (to.is_float(), from.is_float()) {
        (true, true) if integral => "FRND",
        (true, true) => "F2F",
        (true, false) => "I2F",
        (false, true) => "F2I",
        (false, false) => "I2I",
    }
}

fn multiply(part: Part) -> &'static str {
    match part {
        Part::Lo => "IMAD",
        Part::Hi => "IMAD.HI.U32",
        Part::Wide => "IMAD.WIDE",
    }
}

fn logic(ty: Ty) -> &'static str {
    if ty == Ty::Pred {
        "PLOP3.LUT"
    } else {
        "LOP3.LUT"
    }
}

fn access(what: &str, mem: Mem) -> String {
    let space = match mem.space {
        Space::Param | Space::Const => return format!("LDC{}", width(bytes(mem))),
        Space::Global => "G.E",
        Space::Local => "L",
        Space::Shared => "S",
        Space::Generic => ".E",
    };
    format!("{what}{space}{}", width(bytes(mem)))
}

/// Bytes that a lane accesses.
pub fn bytes(mem: Mem) -> u32 {
    mem.ty.size_bytes() * u32::from(mem.vec)
}

/// The modifier from which Accel-Sim takes the width of an access.
fn width(bytes: u32) -> &'static str {
    match bytes {
        1 => ".U8",
        2 => ".U16",
        8 => ".64",
        16 => ".128",
        _ => "",
    }
}

fn atomic(space: Space, ty: Ty, returns: bool) -> String {
    let base = match space {
        Space::Shared => "ATOMS",
        Space::Global if returns => "ATOMG.E",
        Space::Global => "RED.E",
        _ => "ATOM.E",
    };
    format!("{base}{}", width(ty.size_bytes()))
}
