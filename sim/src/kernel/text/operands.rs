//! The operands of one instruction.

use arrayvec::ArrayVec;

use super::lex::Token;
use super::names::Named;
use super::parse::{Cursor, Failure, index, is_digits, predicate, unsigned};
use super::print::{is_vector, offset_of};
use crate::kernel::exec::{signature, src_width};
use crate::kernel::op::{Mem, Op};
use crate::kernel::{Dst, Guard, Inst, Line, MAX_SOURCES, Operand, Reg, Special};

/// Operands as they are read.
pub(super) struct Operands {
    op: Op,
    dsts: ArrayVec<Dst, 4>,
    srcs: ArrayVec<Operand, MAX_SOURCES>,
    /// Whether a comma must come before the next operand.
    any: bool,
}

impl Operands {
    pub fn new(op: Op) -> Self {
        Operands {
            op,
            dsts: ArrayVec::new(),
            srcs: ArrayVec::new(),
            any: false,
        }
    }

    pub fn finish(self, guard: Option<Guard>, line: Line) -> Inst {
        Inst {
            guard,
            op: self.op,
            dsts: self.dsts,
            srcs: self.srcs,
            line,
        }
    }

    /// All operands up to the semicolon.
    pub fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        let at = cursor.place_before();
        let places = signature(&self.op)
            .map_err(|error| (at, format!("an operation that exists ({})", error.reason)))?;
        if !places.dsts.is_empty() {
            self.destinations(cursor)?;
        }
        if offset_of(&self.op).is_some() {
            self.comma(cursor)?;
            self.address(cursor)?;
        }
        if matches!(self.op, Op::St(mem) if mem.vec > 1) {
            self.comma(cursor)?;
            cursor.mark('{')?;
            self.source(cursor)?;
            while cursor.take_mark(',') {
                self.source(cursor)?;
            }
            return cursor.mark('}');
        }
        while cursor.peek() != Some(&Token::Mark(';')) {
            self.comma(cursor)?;
            self.source(cursor)?;
        }
        Ok(())
    }

    fn comma(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        if std::mem::replace(&mut self.any, true) {
            cursor.mark(',')
        } else {
            Ok(())
        }
    }

    fn destinations(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        self.any = true;
        let vector = is_vector(&self.op);
        let separator = if vector { ',' } else { '|' };
        if vector {
            cursor.mark('{')?;
        }
        if matches!(self.op, Op::Traced(_)) && cursor.take_mark('}') {
            return Ok(());
        }
        loop {
            let at = cursor.place();
            let dst = destination(cursor)?;
            if self.dsts.try_push(dst).is_err() {
                return Err((at, "at most 4 destinations".to_owned()));
            }
            if !cursor.take_mark(separator) {
                break;
            }
        }
        if vector { cursor.mark('}') } else { Ok(()) }
    }

    /// `[base + offset]`
    fn address(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        cursor.mark('[')?;
        self.source(cursor)?;
        let offset = if cursor.take_mark('+') {
            cursor.number("an offset", i64::MAX as u64)? as i64
        } else if cursor.take_mark('-') {
            let magnitude = cursor.number("an offset", 1 << 63)?;
            0_i64.wrapping_sub_unsigned(magnitude)
        } else {
            0
        };
        match &mut self.op {
            Op::Ld(Mem { offset: at, .. })
            | Op::St(Mem { offset: at, .. })
            | Op::Atom { offset: at, .. }
            | Op::Red { offset: at, .. } => *at = offset,
            _ => {}
        }
        cursor.mark(']')
    }

    fn source(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        let at = cursor.place();
        let src = self.operand(cursor)?;
        self.srcs
            .try_push(src)
            .map_err(|_| (at, "at most 6 sources".to_owned()))
    }

    fn operand(&self, cursor: &mut Cursor<'_>) -> Result<Operand, Failure> {
        const WHAT: &str = "a register, a predicate, a constant or a special register";
        let at = cursor.place();
        if cursor.take_mark('!') {
            let word = cursor.word("a predicate")?;
            let pred = predicate(word).ok_or((at, "a predicate".to_owned()))?;
            return Ok(Operand::Pred {
                pred,
                negated: true,
            });
        }
        if cursor.take_mark('-') {
            return self.negative(cursor);
        }
        if let Some(reg) = register(cursor)? {
            return Ok(Operand::Reg(reg));
        }
        let word = cursor.word(WHAT)?;
        if let Some(pred) = predicate(word) {
            return Ok(Operand::Pred {
                pred,
                negated: false,
            });
        }
        if let Some(special) = Special::from_word(word) {
            return Ok(Operand::Special(special));
        }
        let bits = float_bits(word, "0f", 8).or_else(|| float_bits(word, "0d", 16));
        bits.or_else(|| unsigned(word))
            .map(Operand::Imm)
            .ok_or((at, WHAT.to_owned()))
    }

    /// A negative constant, in two's complement of the width of its place.
    fn negative(&self, cursor: &mut Cursor<'_>) -> Result<Operand, Failure> {
        let wide = src_width(&self.op, self.srcs.len()) == 2;
        let most = if wide { 1 << 63 } else { 1 << 31 };
        let bits = cursor.number("a number", most)?.wrapping_neg();
        Ok(Operand::Imm(if wide { bits } else { bits & 0xFFFF_FFFF }))
    }
}

fn destination(cursor: &mut Cursor<'_>) -> Result<Dst, Failure> {
    const WHAT: &str = "a register or a predicate";
    let at = cursor.place();
    if let Some(reg) = register(cursor)? {
        return Ok(Dst::Reg(reg));
    }
    let pred = predicate(cursor.word(WHAT)?);
    pred.map(Dst::Pred).ok_or((at, WHAT.to_owned()))
}

/// `r4`, `r4:5` or `rd4`; none, and nothing read, if it is something else.
fn register(cursor: &mut Cursor<'_>) -> Result<Option<Reg>, Failure> {
    let Some(&Token::Word(word)) = cursor.peek() else {
        return Ok(None);
    };
    if let Some(number) = index(word, "rd") {
        cursor.advance();
        return Ok(Some(Reg::r64(number)));
    }
    let Some(number) = index(word, "r") else {
        return Ok(None);
    };
    cursor.advance();
    if !cursor.take_mark(':') {
        return Ok(Some(Reg::r32(number)));
    }
    let next = u32::from(number) + 1;
    let at = cursor.place();
    let second = cursor.word("the second register of the pair")?;
    if is_digits(second, 10) && second.parse() == Ok(next) {
        Ok(Some(Reg::r64(number)))
    } else {
        Err((at, format!("`{next}`, the second register of the pair")))
    }
}

/// Bits of a float constant: exactly `digits` hexadecimal digits behind the prefix.
fn float_bits(word: &str, prefix: &str, digits: usize) -> Option<u64> {
    let text = word.strip_prefix(prefix)?;
    let fits = text.len() == digits && is_digits(text, 16);
    fits.then(|| u64::from_str_radix(text, 16).ok())?
}
