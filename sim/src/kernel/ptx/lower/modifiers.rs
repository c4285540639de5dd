//! The dotted modifiers of an instruction, taken in the order that the ISA prescribes. None is skipped.

use super::types::name_of;
use crate::kernel::op::{Cmp, Fp, Round, Ty};
use crate::kernel::ptx::ast::{Inst, Name};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::parse::scalar_type;
use std::collections::HashSet;

/// Rounding to a float.
pub const ROUND: [(&str, Round); 4] = [
    (".rn", Round::Nearest),
    (".rz", Round::Zero),
    (".rm", Round::Down),
    (".rp", Round::Up),
];

/// Rounding to an integral value.
pub const ROUND_INTEGRAL: [(&str, Round); 4] = [
    (".rni", Round::Nearest),
    (".rzi", Round::Zero),
    (".rmi", Round::Down),
    (".rpi", Round::Up),
];

/// Comparisons; the unsigned four come with the demand for an unsigned type.
pub const COMPARISONS: [(&str, (Cmp, bool)); 18] = [
    (".eq", (Cmp::Eq, false)),
    (".ne", (Cmp::Ne, false)),
    (".lt", (Cmp::Lt, false)),
    (".le", (Cmp::Le, false)),
    (".gt", (Cmp::Gt, false)),
    (".ge", (Cmp::Ge, false)),
    (".lo", (Cmp::Lt, true)),
    (".ls", (Cmp::Le, true)),
    (".hi", (Cmp::Gt, true)),
    (".hs", (Cmp::Ge, true)),
    (".equ", (Cmp::Equ, false)),
    (".neu", (Cmp::Neu, false)),
    (".ltu", (Cmp::Ltu, false)),
    (".leu", (Cmp::Leu, false)),
    (".gtu", (Cmp::Gtu, false)),
    (".geu", (Cmp::Geu, false)),
    (".num", (Cmp::Num, false)),
    (".nan", (Cmp::Nan, false)),
];

/// Modifiers not yet taken.
pub struct Modifiers<'i, 's> {
    opcode: Name<'s>,
    rest: &'i [Name<'s>],
    /// Words that could have been next, and are not.
    tried: Vec<&'static str>,
}

/// Float modifiers as written.
#[derive(Clone, Copy, Default)]
pub struct WrittenFp {
    pub round: Option<Round>,
    pub ftz: bool,
    pub sat: bool,
}

impl<'i, 's> Modifiers<'i, 's> {
    pub fn of(inst: &'i Inst<'s>) -> Self {
        Modifiers {
            opcode: inst.opcode,
            rest: &inst.modifiers,
            tried: Vec::new(),
        }
    }

    pub fn opcode(&self) -> Name<'s> {
        self.opcode
    }

    pub fn next(&self) -> Option<&'s str> {
        self.rest.first().map(|name| name.text)
    }

    /// Takes `word` if it is next.
    pub fn take(&mut self, word: &'static str) -> bool {
        self.choose(&[(word, ())]).is_some()
    }

    /// Takes one of several words if one is next.
    pub fn choose<T: Copy>(&mut self, table: &[(&'static str, T)]) -> Option<T> {
        let next = self.next();
        let found = table.iter().find(|(word, _)| Some(*word) == next);
        match found {
            Some(_) => self.advance(),
            None => self.tried.extend(table.iter().map(|(word, _)| *word)),
        }
        found.map(|(_, value)| *value)
    }

    /// Takes one of several words, which must be next.
    pub fn need<T: Copy>(&mut self, table: &[(&'static str, T)]) -> Res<T> {
        self.choose(table).ok_or_else(|| self.wrong())
    }

    /// Takes a type out of `allowed`.
    pub fn ty(&mut self, allowed: &[Ty]) -> Res<Ty> {
        let found = self.next().and_then(scalar_type);
        match found.filter(|ty| allowed.contains(ty)) {
            Some(ty) => {
                self.advance();
                Ok(ty)
            }
            None => {
                self.tried.extend(allowed.iter().map(|ty| name_of(*ty)));
                Err(self.wrong())
            }
        }
    }

    fn advance(&mut self) {
        self.rest = &self.rest[1..];
        self.tried.clear();
    }

    /// `.rn .ftz .sat`, each optional.
    pub fn fp(&mut self) -> WrittenFp {
        WrittenFp {
            round: self.choose(&ROUND),
            ftz: self.take(".ftz"),
            sat: self.take(".sat"),
        }
    }

    /// All taken.
    pub fn end(&self) -> Res<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.wrong())
        }
    }

    /// The modifier that is next, or the lack of one, is none that could be there.
    fn wrong(&self) -> Box<Problem> {
        let mut words = self.tried.clone();
        let mut seen = HashSet::new();
        words.retain(|word| seen.insert(*word));
        let list = match words[..] {
            [] => "expected no further modifier".to_owned(),
            [one] => format!("expected `{one}`"),
            _ => format!("expected one of {}", words.join(" ")),
        };
        let opcode = self.opcode.text;
        match self.rest.first() {
            Some(name) => Problem::new(
                name.span,
                format!(
                    "modifier `{}` is not supported on `{opcode}` here",
                    name.text
                ),
                list,
            ),
            None => Problem::new(
                self.opcode.span,
                format!("`{opcode}` lacks a modifier"),
                list,
            ),
        }
    }

    /// Float modifiers checked against the type (PTX ISA 9.7.3 and 9.7.4).
    pub fn check_fp(&self, ty: Ty, written: WrittenFp) -> Res<Fp> {
        let round = written.round.unwrap_or(Round::Nearest);
        let nearest = round == Round::Nearest;
        let fits = match ty {
            Ty::F32 => true,
            Ty::F64 => !written.ftz && !written.sat,
            Ty::F16 | Ty::F16x2 => nearest,
            Ty::Bf16 | Ty::Bf16x2 => nearest && !written.ftz && !written.sat,
            _ => false,
        };
        if fits {
            return Ok(Fp {
                round,
                ftz: written.ftz,
                sat: written.sat,
            });
        }
        Err(Problem::new(
            self.opcode.span,
            format!(
                "`{}` of type {} does not take these modifiers",
                self.opcode.text,
                name_of(ty)
            ),
            "rounding, `.ftz` or `.sat` that the type does not have",
        ))
    }
}
