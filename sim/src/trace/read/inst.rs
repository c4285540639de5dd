//! One line: what a warp executed.
//!
//! Most lines repeat an earlier one but for mask and addresses, and mostly the instruction is the one that followed the last
//! time. So all up to the addresses is compared first, then all but the mask, and only a text not met before is taken apart.

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
    /// Of a line with this text: all from the source line or the address on up to the end of the text, where its mask begins, and
    /// the mask. Empty before such a line with a mask of [`MASK_DIGITS`] is met.
    head: Box<[u8]>,
    mask_at: usize,
    mask: u32,
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
/// Digits of a mask as the tracer writes it.
const MASK_DIGITS: usize = 8;

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
        let (mut index, mask) = match self.repeated(fields.rest()) {
            Some((index, mask)) => {
                check_lanes(mask, place)?;
                fields.skip(self.known[index].head.len());
                (index, mask)
            }
            None => self.take_apart(&mut fields, place)?,
        };
        let known = &self.known[index];
        let mut kept = NO_ADDRESSES;
        if known.has_addresses {
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
                let (pc, line) = (known.pc, known.line);
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

    /// The instruction that followed the last time and the mask, if all of the line up to the addresses is as it was written
    /// before but for the mask.
    #[inline]
    fn repeated(&self, line: &[u8]) -> Option<(usize, u32)> {
        let index = self.known.get(self.last)?.next as usize;
        let known = self.known.get(index)?;
        let head = &*known.head;
        let ends = match known.has_addresses {
            true => line.get(head.len()) == Some(&b' '),
            false => line.len() == head.len(),
        };
        if !ends || head.is_empty() {
            return None;
        }
        let line = &line[..head.len()];
        if line == head {
            return Some((index, known.mask));
        }
        let (from, to) = (known.mask_at, known.mask_at + MASK_DIGITS);
        if line[..from] != head[..from] || line[to..] != head[to..] {
            return None;
        }
        Some((index, hexadecimal(&line[from..to])? as u32))
    }

    /// Instruction and mask of a line behind its place, up to the end of the text.
    fn take_apart(
        &mut self,
        fields: &mut Fields,
        place: Place,
    ) -> Result<(usize, u32), TraceErrorKind> {
        let whole = fields.rest();
        let line = if self.has_lines {
            Some(source_line(fields)?)
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
        check_lanes(mask, place)?;
        let mask_ends = whole.len() - fields.rest().len();
        fields.skip_blanks();
        let index = match self.expected(pc, line, fields.rest()) {
            Some(index) => index,
            None => self.find(pc, line, mask, *fields)?,
        };
        let known = &mut self.known[index];
        fields.skip(known.text.len());
        if known.head.is_empty() && word.len() == MASK_DIGITS {
            known.head = whole[..whole.len() - fields.rest().len()].into();
            known.mask_at = mask_ends - MASK_DIGITS;
            known.mask = mask;
        }
        Ok((index, mask))
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
            head: Box::default(),
            mask_at: 0,
            mask: 0,
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

fn check_lanes(mask: u32, place: Place) -> Result<(), TraceErrorKind> {
    match mask & !place.lanes {
        0 => Ok(()),
        lanes => Err(TraceErrorKind::NoSuchLanes { lanes }),
    }
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
