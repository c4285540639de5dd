//! One line: what a warp executed.
//!
//! Most lines repeat an earlier one but for mask and addresses, and mostly the instruction is the one that followed the last
//! time. So its text is compared first, and only a text not met before is taken apart.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::addresses;
use super::field::{Fields, decimal, hexadecimal};
use super::quote;
use super::statics::{Rules, bad};
use crate::trace::error::TraceErrorKind;
use crate::trace::record::{Class, Executed, Header, NO_ADDRESSES, Program, StaticInst, WarpTrace};

/// The text of a static instruction.
#[derive(Clone)]
struct Known {
    pc: u64,
    line: Option<u32>,
    /// From the destinations to the access size; to the end of the line where no addresses follow.
    text: Box<[u8]>,
    immediate: u64,
    /// Index in the program.
    inst: u32,
    has_addresses: bool,
    /// Whether the class accesses memory, so that addresses are kept.
    keeps_addresses: bool,
    is_exit: bool,
    /// Index of the text that followed the last time.
    next: u32,
    /// Index of another text with the same hash.
    same_hash: u32,
}

const NONE: u32 = u32::MAX;

/// What a warp line must agree with.
#[derive(Clone, Copy)]
pub struct Place {
    /// CTA in x, y, z.
    pub cta: [u32; 3],
    /// Warp of the CTA.
    pub warp: u32,
    /// Lanes that have threads.
    pub lanes: u32,
}

/// Reads lines, and knows all static instructions met.
#[derive(Clone)]
pub struct InstReader {
    rules: Rules,
    repeats_place: bool,
    has_lines: bool,
    has_immediates: bool,
    known: Vec<Known>,
    by_hash: HashMap<u64, u32>,
    hasher: RandomState,
    insts: HashMap<StaticInst, u32>,
    program: Program,
    last: usize,
}

impl InstReader {
    /// For the trace of that head.
    pub fn new(header: &Header, rules: Rules) -> InstReader {
        InstReader {
            rules,
            repeats_place: header.tracer_version < 3,
            has_lines: header.has_lines,
            has_immediates: header.tracer_version >= 4,
            known: Vec::new(),
            by_hash: HashMap::new(),
            hasher: RandomState::new(),
            insts: HashMap::new(),
            program: Program::default(),
            last: 0,
        }
    }

    /// The static instructions met so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Reads a line and appends it to the warp; gives its mask, and whether it is an EXIT.
    #[inline]
    pub fn read(
        &mut self,
        text: &[u8],
        place: Place,
        warp: &mut WarpTrace,
    ) -> Result<(u32, bool), TraceErrorKind> {
        let mut fields = Fields::new(text.trim_ascii_end());
        if self.repeats_place {
            check_place(&mut fields, place)?;
        }
        let line = if self.has_lines {
            Some(source_line(&mut fields)?)
        } else {
            None
        };
        let word = fields.word();
        let pc = hexadecimal(word).ok_or_else(|| {
            bad(
                "the address of the instruction",
                word,
                "a hexadecimal number",
            )
        })?;
        let word = fields.word();
        let mask = hexadecimal(word).and_then(|mask| u32::try_from(mask).ok());
        let mask = mask.ok_or_else(|| bad("the mask", word, "a hexadecimal number of 32 bits"))?;
        if mask & !place.lanes != 0 {
            let lanes = mask & !place.lanes;
            return Err(TraceErrorKind::NoSuchLanes { lanes });
        }
        fields.skip_blanks();
        let index = match self.expected(pc, line, fields.rest()) {
            Some(index) => index,
            None => self.find(pc, line, mask, fields)?,
        };
        let known = &self.known[index];
        let mut kept = NO_ADDRESSES;
        let mut index = index;
        if known.has_addresses {
            fields.skip(known.text.len());
            let found = addresses::read(&mut fields, mask)?;
            if let Some(found) = found.filter(|_| known.keeps_addresses) {
                kept = warp.addresses.len() as u32;
                warp.addresses.push(found);
            }
            let immediate = if self.has_immediates {
                addresses::immediate(&mut fields)?
            } else {
                known.immediate
            };
            end(&fields)?;
            if immediate != known.immediate {
                // The text expected, but with another immediate.
                index = self.find_text(pc, line, immediate, index);
            }
        }
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = index as u32;
        }
        self.last = index;
        let known = &self.known[index];
        warp.insts.push(Executed {
            inst: known.inst,
            mask,
            addresses: kept,
        });
        Ok((mask, known.is_exit))
    }

    /// The instruction that followed the last time, if the text is its.
    #[inline]
    fn expected(&self, pc: u64, line: Option<u32>, rest: &[u8]) -> Option<usize> {
        let index = self.known.get(self.last)?.next as usize;
        let known = self.known.get(index)?;
        let same_text = if known.has_addresses {
            let length = known.text.len();
            rest.len() > length && rest[length] == b' ' && rest[..length] == *known.text
        } else {
            *rest == *known.text
        };
        (known.pc == pc && known.line == line && same_text).then_some(index)
    }

    /// The instruction of any text: an earlier one or a new one.
    fn find(
        &mut self,
        pc: u64,
        line: Option<u32>,
        mask: u32,
        fields: Fields,
    ) -> Result<usize, TraceErrorKind> {
        let whole = fields.rest();
        let mut fields = fields;
        let statics = self.rules.statics(&mut fields)?;
        let has_addresses = statics.has_addresses;
        let mut text = &whole[..whole.len() - fields.rest().len()];
        if has_addresses {
            addresses::read(&mut fields, mask)?;
        }
        let immediate = if self.has_immediates {
            addresses::immediate(&mut fields)?
        } else {
            0
        };
        end(&fields)?;
        if !has_addresses {
            text = whole;
        }
        let inst = StaticInst {
            pc,
            immediate,
            line,
            ..statics.inst
        };
        Ok(self.intern(inst, text, has_addresses))
    }

    /// The instruction of a known text with another immediate.
    fn find_text(&mut self, pc: u64, line: Option<u32>, immediate: u64, like: usize) -> usize {
        let known = &self.known[like];
        let inst = StaticInst {
            pc,
            immediate,
            line,
            ..self.program.insts[known.inst as usize].clone()
        };
        let (text, has_addresses) = (known.text.clone(), known.has_addresses);
        self.intern(inst, &text, has_addresses)
    }

    fn intern(&mut self, inst: StaticInst, text: &[u8], has_addresses: bool) -> usize {
        let (pc, line, immediate) = (inst.pc, inst.line, inst.immediate);
        let hash = self.hasher.hash_one((pc, line, immediate, text));
        let first = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = first;
        while let Some(known) = self.known.get(at as usize) {
            if known.pc == pc
                && known.line == line
                && known.immediate == immediate
                && *known.text == *text
            {
                return at as usize;
            }
            at = known.same_hash;
        }
        let index = self.known.len();
        let class = inst.class;
        let program = &mut self.program.insts;
        let inst = *self.insts.entry(inst).or_insert_with_key(|inst| {
            program.push(inst.clone());
            program.len() as u32 - 1
        });
        self.known.push(Known {
            pc,
            line,
            text: text.into(),
            immediate,
            inst,
            has_addresses,
            keeps_addresses: class.space().is_some(),
            is_exit: class == Class::Exit,
            next: NONE,
            same_hash: first,
        });
        self.by_hash.insert(hash, index as u32);
        index
    }
}

/// Tracers before version 3 start each line with CTA and warp.
fn check_place(fields: &mut Fields, place: Place) -> Result<(), TraceErrorKind> {
    let [x, y, z] = place.cta;
    for (what, expected) in [
        ("x of the CTA", x),
        ("y of the CTA", y),
        ("z of the CTA", z),
        ("the warp", place.warp),
    ] {
        let word = fields.word();
        if decimal(word) != Some(expected.into()) {
            return Err(bad(what, word, &format!("{expected}, as above the lines")));
        }
    }
    Ok(())
}

fn source_line(fields: &mut Fields) -> Result<u32, TraceErrorKind> {
    let word = fields.word();
    let line = decimal(word).and_then(|line| u32::try_from(line).ok());
    line.ok_or_else(|| bad("the source line", word, "a number"))
}

fn end(fields: &Fields) -> Result<(), TraceErrorKind> {
    if fields.is_empty() {
        return Ok(());
    }
    Err(TraceErrorKind::Unexpected {
        found: quote(fields.rest()),
        expected: "the end of the line",
    })
}
