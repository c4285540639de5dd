//! From a mnemonic back to the operation.

use super::mnemonic::integral_word;
use super::names::Named;
use crate::kernel::op::{BarKind, BlockId, Fp, Mem, Op, Part, Precision, Round, Space, Traced, Ty};

/// The words of a mnemonic, read from left to right.
struct Words<'a> {
    rest: std::iter::Peekable<std::str::Split<'a, char>>,
}

/// What was expected instead of a word, for the message.
type Expected = &'static str;

impl Words<'_> {
    /// The next word if it is this one.
    fn take(&mut self, word: &str) -> bool {
        self.rest.next_if(|&next| next == word).is_some()
    }

    /// The next word if it names a value of the type.
    fn maybe<T: Named>(&mut self) -> Option<T> {
        let value = T::from_word(self.rest.peek()?)?;
        self.rest.next();
        Some(value)
    }

    fn need<T: Named>(&mut self, expected: Expected) -> Result<T, Expected> {
        self.maybe().ok_or(expected)
    }

    fn ty(&mut self) -> Result<Ty, Expected> {
        self.need("a type")
    }

    fn half(&mut self) -> Result<bool, Expected> {
        match self.need("`lo` or `hi`")? {
            Part::Lo => Ok(false),
            Part::Hi => Ok(true),
            Part::Wide => Err("`lo` or `hi`"),
        }
    }

    /// Modifiers of a float operation; no rounding written means to nearest.
    fn fp(&mut self) -> Fp {
        Fp {
            round: self.maybe().unwrap_or(Round::Nearest),
            ftz: self.take("ftz"),
            sat: self.take("sat"),
        }
    }

    fn precision(&mut self) -> Precision {
        if self.take("approx") {
            Precision::Approx
        } else if self.take("full") {
            Precision::Full
        } else {
            Precision::Ieee(self.maybe().unwrap_or(Round::Nearest))
        }
    }

    fn mem(&mut self, strong: bool) -> Result<Mem, Expected> {
        let space = self.maybe().unwrap_or(Space::Generic);
        let vec = if self.take("v2") {
            2
        } else if self.take("v4") {
            4
        } else {
            1
        };
        Ok(Mem {
            space,
            ty: self.ty()?,
            vec,
            offset: 0,
            strong,
        })
    }
}

fn is_float(fp: &Fp, ty: Ty) -> Result<bool, Expected> {
    let plain = fp.round == Round::Nearest && !fp.ftz;
    match (ty.is_float(), plain) {
        (true, _) => Ok(true),
        (false, true) => Ok(false),
        (false, false) => Err("a float type after a rounding or `ftz`"),
    }
}

/// The operation of a mnemonic, with offset 0 and branch target 0 where the operands give them.
pub(super) fn parse_mnemonic(text: &str) -> Result<Op, Expected> {
    let mut w = Words {
        rest: text.split('.').peekable(),
    };
    let name = w.rest.next().unwrap_or_default();
    let op = op_of(name, &mut w)?;
    match w.rest.next() {
        None => Ok(op),
        Some(_) => Err("no further modifier"),
    }
}

fn op_of(name: &str, w: &mut Words<'_>) -> Result<Op, Expected> {
    let op = match name {
        "mov" => Op::Mov(w.ty()?),
        "pack" => Op::Pack(w.ty()?),
        "unpack" => Op::Unpack(w.ty()?),
        "selp" => Op::Selp(w.ty()?),
        "slct" => {
            let ftz = w.take("ftz");
            Op::Slct(w.ty()?, w.ty()?, ftz)
        }
        "cvt" => cvt(w)?,
        "cvta" if w.take("to") => Op::CvtaFromGeneric(w.need("a state space")?),
        "cvta" => Op::CvtaToGeneric(w.need("a state space")?),
        "isspacep" => Op::Isspacep(w.need("a state space")?),
        "add" | "sub" => {
            let fp = w.fp();
            let ty = w.ty()?;
            match (name, is_float(&fp, ty)?) {
                ("add", true) => Op::FAdd(ty, fp),
                ("add", false) => Op::Add { ty, sat: fp.sat },
                (_, true) => Op::FSub(ty, fp),
                (_, false) => Op::Sub { ty, sat: fp.sat },
            }
        }
        "addc" => Op::AddCarry(w.ty()?),
        "subc" => Op::SubCarry(w.ty()?),
        "mul" => match w.maybe() {
            Some(part) => Op::Mul { part, ty: w.ty()? },
            None => {
                let fp = w.fp();
                Op::FMul(w.ty()?, fp)
            }
        },
        "mad" => Op::Mad {
            part: w.need("`lo`, `hi` or `wide`")?,
            sat: w.take("sat"),
            ty: w.ty()?,
        },
        "madc" => Op::MadCarry {
            part: w.need("`lo` or `hi`")?,
            ty: w.ty()?,
        },
        "mul24" => Op::Mul24 {
            hi: w.half()?,
            ty: w.ty()?,
        },
        "mad24" => Op::Mad24 {
            hi: w.half()?,
            sat: w.take("sat"),
            ty: w.ty()?,
        },
        "div" => match w.maybe() {
            Some(ty @ (Ty::F32 | Ty::F64)) => fdiv(ty, Precision::Ieee(Round::Nearest), false),
            Some(ty) => Op::Div(ty),
            None => {
                let precision = w.precision();
                let ftz = w.take("ftz");
                fdiv(w.ty()?, precision, ftz)
            }
        },
        "rem" => Op::Rem(w.ty()?),
        "abs" | "neg" => {
            let ftz = w.take("ftz");
            match (name, w.ty()?) {
                ("abs", ty) if ty.is_float() => Op::FAbs { ty, ftz },
                (_, ty) if ty.is_float() => Op::FNeg { ty, ftz },
                _ if ftz => return Err("a float type after `ftz`"),
                ("abs", ty) => Op::Abs(ty),
                (_, ty) => Op::Neg(ty),
            }
        }
        "min" | "max" => {
            let (ftz, nan) = (w.take("ftz"), w.take("nan"));
            match (name, w.ty()?) {
                ("min", ty) if ty.is_float() => Op::FMin { ty, ftz, nan },
                (_, ty) if ty.is_float() => Op::FMax { ty, ftz, nan },
                _ if ftz || nan => return Err("a float type after `ftz` or `nan`"),
                ("min", ty) => Op::Min(ty),
                (_, ty) => Op::Max(ty),
            }
        }
        "sad" => Op::Sad(w.ty()?),
        "popc" => Op::Popc(w.ty()?),
        "clz" => Op::Clz(w.ty()?),
        "bfind" => Op::Bfind {
            shiftamt: w.take("shiftamt"),
            ty: w.ty()?,
        },
        "brev" => Op::Brev(w.ty()?),
        "bfe" => Op::Bfe(w.ty()?),
        "bfi" => Op::Bfi(w.ty()?),
        "prmt" => {
            fixed(w, "b32")?;
            Op::Prmt(w.need("a prmt mode")?)
        }
        "dp4a" => Op::Dp4a(w.ty()?, w.ty()?),
        "dp2a" => Op::Dp2a {
            hi: w.half()?,
            a: w.ty()?,
            b: w.ty()?,
        },
        "and" => Op::And(w.ty()?),
        "or" => Op::Or(w.ty()?),
        "xor" => Op::Xor(w.ty()?),
        "not" => Op::Not(w.ty()?),
        "cnot" => Op::Cnot(w.ty()?),
        "shl" => Op::Shl(w.ty()?),
        "shr" => Op::Shr(w.ty()?),
        "shf" => shf(w)?,
        "lop3" => {
            fixed(w, "b32")?;
            let table = w.rest.next().and_then(|word| word.strip_prefix("0x"));
            let table = table.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            Op::Lop3(table.ok_or("a truth table such as `0xe8`")?)
        }
        "fma" => {
            let fp = w.fp();
            Op::Fma(w.ty()?, fp)
        }
        "rcp" => Op::Rcp {
            precision: w.precision(),
            ftz: w.take("ftz"),
            ty: w.ty()?,
        },
        "sqrt" => Op::Sqrt {
            precision: w.precision(),
            ftz: w.take("ftz"),
            ty: w.ty()?,
        },
        "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => approximation(name, w)?,
        "copysign" => Op::Copysign(w.ty()?),
        "testp" => {
            let property = w.need("a property such as `finite`")?;
            Op::Testp(w.ty()?, property)
        }
        "setp" => Op::Setp {
            cmp: w.need("a comparison")?,
            combine: w.maybe(),
            ftz: w.take("ftz"),
            ty: w.ty()?,
        },
        "set" => Op::Set {
            cmp: w.need("a comparison")?,
            combine: w.maybe(),
            ftz: w.take("ftz"),
            to: w.ty()?,
            ty: w.ty()?,
        },
        "ld" => {
            let strong = w.take("strong");
            Op::Ld(w.mem(strong)?)
        }
        "st" => Op::St(w.mem(false)?),
        "atom" => Op::Atom {
            space: w.maybe().unwrap_or(Space::Generic),
            op: w.need("an atomic operation")?,
            ty: w.ty()?,
            offset: 0,
        },
        "red" => Op::Red {
            space: w.maybe().unwrap_or(Space::Generic),
            op: w.need("an atomic operation")?,
            ty: w.ty()?,
            offset: 0,
        },
        "shfl" => {
            let mode = w.need("`up`, `down`, `bfly` or `idx`")?;
            fixed(w, "b32")?;
            Op::Shfl(mode)
        }
        "vote" => Op::Vote(w.need("`all`, `any`, `uni` or `ballot`")?),
        "activemask" => {
            fixed(w, "b32")?;
            Op::Activemask
        }
        "bar" => bar(w)?,
        "traced" => traced(w)?,
        _ => plain(name)?,
    };
    Ok(op)
}

/// Operations whose name says all.
fn plain(name: &str) -> Result<Op, Expected> {
    Ok(match name {
        "membar" => Op::Membar,
        "bra" => Op::Bra(BlockId(0)),
        "call" => Op::Call(BlockId(0)),
        "ret" => Op::Ret,
        "push" => Op::Push,
        "pop" => Op::Pop,
        "exit" => Op::Exit,
        "trap" => Op::Trap,
        "nop" => Op::Nop,
        "acquire" => Op::Acquire,
        "release" => Op::Release,
        "pir" => Op::Pir,
        "pbr" => Op::Pbr,
        _ => return Err("the name of an operation"),
    })
}

fn fixed(w: &mut Words<'_>, word: &'static str) -> Result<(), Expected> {
    if w.take(word) { Ok(()) } else { Err("`b32`") }
}

fn fdiv(ty: Ty, precision: Precision, ftz: bool) -> Op {
    Op::FDiv { ty, precision, ftz }
}

fn cvt(w: &mut Words<'_>) -> Result<Op, Expected> {
    let all = [Round::Nearest, Round::Zero, Round::Down, Round::Up];
    let integral = all.into_iter().find(|&round| w.take(integral_word(round)));
    let round = match integral {
        Some(round) => Some(round),
        None => w.maybe(),
    };
    Ok(Op::Cvt {
        round,
        integral: integral.is_some(),
        ftz: w.take("ftz"),
        sat: w.take("sat"),
        to: w.ty()?,
        from: w.ty()?,
    })
}

fn shf(w: &mut Words<'_>) -> Result<Op, Expected> {
    let left = w.take("l");
    if !left && !w.take("r") {
        return Err("`l` or `r`");
    }
    let wrap = w.take("wrap");
    if !wrap && !w.take("clamp") {
        return Err("`wrap` or `clamp`");
    }
    fixed(w, "b32")?;
    Ok(Op::Shf { left, wrap })
}

fn approximation(name: &str, w: &mut Words<'_>) -> Result<Op, Expected> {
    if !w.take("approx") {
        return Err("`approx`");
    }
    let ftz = w.take("ftz");
    let ty = w.ty()?;
    let single = |op| {
        if ty == Ty::F32 { Ok(op) } else { Err("`f32`") }
    };
    match name {
        "rsqrt" => Ok(Op::Rsqrt { ty, ftz }),
        "ex2" => Ok(Op::Ex2 { ty, ftz }),
        "tanh" if ftz => Err("a type"),
        "tanh" => Ok(Op::Tanh(ty)),
        "sin" => single(Op::Sin { ftz }),
        "cos" => single(Op::Cos { ftz }),
        _ => single(Op::Lg2 { ftz }),
    }
}

fn traced(w: &mut Words<'_>) -> Result<Op, Expected> {
    let word = w.rest.next().ok_or("what the instruction costs")?;
    let access = match word {
        "load" | "store" | "atomic" => {
            // Generic addresses have no word of their own.
            let space = w.maybe().unwrap_or(Space::Generic);
            let bytes = w.rest.next().and_then(|bytes| bytes.parse().ok());
            Some((space, bytes.ok_or("the bytes of a lane")?))
        }
        _ => None,
    };
    (Traced::from_word(word, access).map(Op::Traced)).ok_or("what the instruction costs")
}

fn bar(w: &mut Words<'_>) -> Result<Op, Expected> {
    if w.take("warp") {
        return Ok(Op::WarpSync);
    }
    let reduction = w.take("red");
    let kind = w.need("`sync`, `arrive`, `red` or `warp`")?;
    if reduction == matches!(kind, BarKind::Sync | BarKind::Arrive) {
        return Err("`sync`, `arrive`, or `red` with `popc`, `and` or `or`");
    }
    Ok(Op::Bar(kind))
}
