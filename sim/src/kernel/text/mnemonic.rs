//! The mnemonic of an operation: its name and modifiers, as in PTX where PTX has them.

use super::names::Named;
use crate::kernel::op::{BarKind, Fp, Mem, Op, Precision, Round, Ty};

/// Joins words with dots.
struct Words(String);

impl Words {
    fn new(name: &str) -> Self {
        Words(name.to_owned())
    }

    fn word(mut self, word: &str) -> Self {
        self.0.push('.');
        self.0.push_str(word);
        self
    }

    fn of(self, value: impl Named) -> Self {
        self.word(value.word())
    }

    fn when(self, condition: bool, word: &str) -> Self {
        if condition { self.word(word) } else { self }
    }

    fn fp(self, fp: Fp, ty: Ty) -> Self {
        self.of(fp.round)
            .when(fp.ftz, "ftz")
            .when(fp.sat, "sat")
            .of(ty)
    }

    fn precision(self, precision: Precision) -> Self {
        match precision {
            Precision::Approx => self.word("approx"),
            Precision::Full => self.word("full"),
            Precision::Ieee(round) => self.of(round),
        }
    }

    fn mem(self, mem: Mem) -> Self {
        let words = self.when(mem.strong, "strong").of(mem.space);
        match mem.vec {
            1 => words,
            vec => words.word(&format!("v{vec}")),
        }
        .of(mem.ty)
    }
}

/// Rounding to an integral value.
pub(super) fn integral_word(round: Round) -> &'static str {
    match round {
        Round::Nearest => "rni",
        Round::Zero => "rzi",
        Round::Down => "rmi",
        Round::Up => "rpi",
    }
}

/// The mnemonic without operands; offsets and branch targets are operands.
pub(super) fn mnemonic(op: &Op) -> String {
    let w = Words::new;
    match *op {
        Op::Mov(ty) => w("mov").of(ty),
        Op::Pack(ty) => w("pack").of(ty),
        Op::Unpack(ty) => w("unpack").of(ty),
        Op::Selp(ty) => w("selp").of(ty),
        Op::Slct(ty, by, ftz) => w("slct").when(ftz, "ftz").of(ty).of(by),
        Op::Cvt {
            to,
            from,
            round,
            integral,
            ftz,
            sat,
        } => {
            let words = match round {
                None => w("cvt"),
                Some(round) if integral => w("cvt").word(integral_word(round)),
                Some(round) => w("cvt").of(round),
            };
            words.when(ftz, "ftz").when(sat, "sat").of(to).of(from)
        }
        Op::CvtaToGeneric(space) => w("cvta").of(space),
        Op::CvtaFromGeneric(space) => w("cvta.to").of(space),
        Op::Isspacep(space) => w("isspacep").of(space),
        Op::Add { ty, sat } => w("add").when(sat, "sat").of(ty),
        Op::Sub { ty, sat } => w("sub").when(sat, "sat").of(ty),
        Op::AddCarry(ty) => w("addc").of(ty),
        Op::SubCarry(ty) => w("subc").of(ty),
        Op::Mul { ty, part } => w("mul").of(part).of(ty),
        Op::Mad { ty, part, sat } => w("mad").of(part).when(sat, "sat").of(ty),
        Op::MadCarry { ty, part } => w("madc").of(part).of(ty),
        Op::Mul24 { ty, hi } => w("mul24").word(half(hi)).of(ty),
        Op::Mad24 { ty, hi, sat } => w("mad24").word(half(hi)).when(sat, "sat").of(ty),
        Op::Div(ty) => w("div").of(ty),
        Op::Rem(ty) => w("rem").of(ty),
        Op::Abs(ty) => w("abs").of(ty),
        Op::Neg(ty) => w("neg").of(ty),
        Op::Min(ty) => w("min").of(ty),
        Op::Max(ty) => w("max").of(ty),
        Op::Sad(ty) => w("sad").of(ty),
        Op::Popc(ty) => w("popc").of(ty),
        Op::Clz(ty) => w("clz").of(ty),
        Op::Bfind { ty, shiftamt } => w("bfind").when(shiftamt, "shiftamt").of(ty),
        Op::Brev(ty) => w("brev").of(ty),
        Op::Bfe(ty) => w("bfe").of(ty),
        Op::Bfi(ty) => w("bfi").of(ty),
        Op::Prmt(mode) => w("prmt.b32").of(mode),
        Op::Dp4a(a, b) => w("dp4a").of(a).of(b),
        Op::Dp2a { a, b, hi } => w("dp2a").word(half(hi)).of(a).of(b),
        Op::And(ty) => w("and").of(ty),
        Op::Or(ty) => w("or").of(ty),
        Op::Xor(ty) => w("xor").of(ty),
        Op::Not(ty) => w("not").of(ty),
        Op::Cnot(ty) => w("cnot").of(ty),
        Op::Shl(ty) => w("shl").of(ty),
        Op::Shr(ty) => w("shr").of(ty),
        Op::Shf { left, wrap } => w("shf")
            .word(if left { "l" } else { "r" })
            .word(if wrap { "wrap" } else { "clamp" })
            .word("b32"),
        Op::Lop3(table) => w("lop3.b32").word(&format!("{table:#04x}")),
        Op::FAdd(ty, fp) => w("add").fp(fp, ty),
        Op::FSub(ty, fp) => w("sub").fp(fp, ty),
        Op::FMul(ty, fp) => w("mul").fp(fp, ty),
        Op::Fma(ty, fp) => w("fma").fp(fp, ty),
        Op::FDiv { ty, precision, ftz } => w("div").precision(precision).when(ftz, "ftz").of(ty),
        Op::FAbs { ty, ftz } => w("abs").when(ftz, "ftz").of(ty),
        Op::FNeg { ty, ftz } => w("neg").when(ftz, "ftz").of(ty),
        Op::FMin { ty, ftz, nan } => w("min").when(ftz, "ftz").when(nan, "nan").of(ty),
        Op::FMax { ty, ftz, nan } => w("max").when(ftz, "ftz").when(nan, "nan").of(ty),
        Op::Rcp { ty, precision, ftz } => w("rcp").precision(precision).when(ftz, "ftz").of(ty),
        Op::Sqrt { ty, precision, ftz } => w("sqrt").precision(precision).when(ftz, "ftz").of(ty),
        Op::Rsqrt { ty, ftz } => w("rsqrt.approx").when(ftz, "ftz").of(ty),
        Op::Sin { ftz } => w("sin.approx").when(ftz, "ftz").word("f32"),
        Op::Cos { ftz } => w("cos.approx").when(ftz, "ftz").word("f32"),
        Op::Lg2 { ftz } => w("lg2.approx").when(ftz, "ftz").word("f32"),
        Op::Ex2 { ty, ftz } => w("ex2.approx").when(ftz, "ftz").of(ty),
        Op::Tanh(ty) => w("tanh.approx").of(ty),
        Op::Copysign(ty) => w("copysign").of(ty),
        Op::Testp(ty, property) => w("testp").of(property).of(ty),
        Op::Setp {
            cmp,
            ty,
            ftz,
            combine,
        } => {
            let words = w("setp").of(cmp);
            let words = match combine {
                Some(op) => words.of(op),
                None => words,
            };
            words.when(ftz, "ftz").of(ty)
        }
        Op::Set {
            to,
            cmp,
            ty,
            ftz,
            combine,
        } => {
            let words = w("set").of(cmp);
            let words = match combine {
                Some(op) => words.of(op),
                None => words,
            };
            words.when(ftz, "ftz").of(to).of(ty)
        }
        Op::Ld(mem) => w("ld").mem(mem),
        Op::St(mem) => w("st").mem(mem),
        Op::Atom { space, ty, op, .. } => w("atom").of(space).of(op).of(ty),
        Op::Red { space, ty, op, .. } => w("red").of(space).of(op).of(ty),
        Op::Membar => w("membar"),
        Op::Shfl(mode) => w("shfl").of(mode).word("b32"),
        Op::Vote(mode) => w("vote").of(mode),
        Op::Activemask => w("activemask.b32"),
        Op::Bar(kind @ (BarKind::Sync | BarKind::Arrive)) => w("bar").of(kind),
        Op::Bar(kind) => w("bar.red").of(kind),
        Op::WarpSync => w("bar.warp"),
        Op::Bra(_) => w("bra"),
        Op::Call(_) => w("call"),
        Op::Ret => w("ret"),
        Op::Argument(word) => w(&format!("argument.{word}")),
        Op::FrameAddress => w("frame"),
        Op::PassOnStack(word, _) => w(&format!("pass.{word}")),
        Op::TakeFromStack(word, _) => w(&format!("take.{word}")),
        Op::Push => w("push"),
        Op::Pop => w("pop"),
        Op::Exit => w("exit"),
        Op::Trap => w("trap"),
        Op::Nop => w("nop"),
        Op::Acquire => w("acquire"),
        Op::Release => w("release"),
        Op::Pir => w("pir"),
        Op::Pbr => w("pbr"),
        Op::Traced(traced) => match traced.access() {
            Some((space, bytes)) => {
                (w("traced").word(traced.word()).of(space)).word(&bytes.to_string())
            }
            None => w("traced").word(traced.word()),
        },
    }
    .0
}

fn half(hi: bool) -> &'static str {
    if hi { "hi" } else { "lo" }
}
