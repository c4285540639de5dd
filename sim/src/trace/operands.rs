//! All registers of an instruction, and the word in which an opcode names them.
//!
//! A line names the first register of each operand, one destination and at most four sources; how many registers lie behind each
//! of them SASS tells by the opcode ([`super::lift`]). Ours are the registers of any PTX: the elements of a vector lie anywhere,
//! one can be stored twice, an addend of 64 bits need not be there. So where the rest of a line tells other registers than the
//! instruction has, [`super::export`] puts the word `REGS` behind the opcode, as its last modifier: each register that is written
//! (`W`) and each that is read (`R`) in their order, those of 64 bits with `P` for a pair:
//!
//! ```text
//! 1 R7 LDG.E.128.REGS_W7_W2_W6_W3_R0P 1 R0 16         ld.global.v4.u32 {r7, r2, r6, r3}, [r0:1]
//! 0 STG.E.64.REGS_R0P_R3_R3 3 R0 R3 R3 8              st.global.v2.u32 [r0:1], {r3, r3}
//! ```
//!
//! No modifier of real hardware begins so, and Accel-Sim passes over modifiers that it does not know.

use super::record::ZERO_REGISTER;
use crate::kernel::{Dst, Inst, MAX_SOURCES, Operand, Reg, Width};
use arrayvec::ArrayVec;
use std::fmt::Write;

/// How the word begins.
const BEGIN: &str = "REGS_";

/// Registers of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// Written.
    pub dsts: ArrayVec<Dst, 4>,
    /// Read.
    pub srcs: ArrayVec<Operand, MAX_SOURCES>,
}

/// The word of an opcode that names all registers, if it has one.
pub fn word(opcode: &str) -> Option<&str> {
    opcode
        .split('.')
        .skip(1)
        .find(|word| word.starts_with(BEGIN))
}

impl Operands {
    /// The registers of one of our instructions, without predicates and constants.
    pub fn of(inst: &Inst) -> Operands {
        let dsts = inst.dsts.iter().copied();
        let srcs = inst.srcs.iter().copied();
        Operands {
            dsts: dsts.filter(|dst| matches!(dst, Dst::Reg(_))).collect(),
            srcs: srcs.filter(|src| matches!(src, Operand::Reg(_))).collect(),
        }
    }

    /// Those that the word names; none: it is no such word.
    pub fn parse(word: &str) -> Option<Operands> {
        let mut found = Operands::default();
        for named in word.strip_prefix(BEGIN)?.split('_') {
            let (number, width) = match named.get(1..)? {
                rest if rest.ends_with('P') => (&rest[..rest.len() - 1], Width::W64),
                rest => (rest, Width::W32),
            };
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            let first: u8 = number.parse().ok().filter(|_| is_number)?;
            let index = u16::from(first);
            let is_pair = width == Width::W64;
            if is_pair && !index.is_multiple_of(2) || index + width.regs() > ZERO_REGISTER.into() {
                return None;
            }
            let reg = Reg { index, width };
            match named.as_bytes().first()? {
                b'W' => found.dsts.try_push(Dst::Reg(reg)).ok()?,
                b'R' => found.srcs.try_push(Operand::Reg(reg)).ok()?,
                _ => return None,
            }
        }
        Some(found)
    }

    /// The word that names them.
    pub fn word(&self) -> String {
        let written = self.written().map(|reg| ('W', reg));
        let read = self.read().map(|reg| ('R', reg));
        let mut word = BEGIN.trim_end_matches('_').to_owned();
        for (side, reg) in written.chain(read) {
            let pair = if reg.width == Width::W64 { "P" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(word, "_{side}{}{pair}", reg.index);
        }
        word
    }

    /// Registers written.
    pub fn written(&self) -> impl Iterator<Item = Reg> {
        self.dsts.iter().filter_map(|dst| match dst {
            Dst::Reg(reg) => Some(*reg),
            Dst::Pred(_) => None,
        })
    }

    /// Registers read.
    pub fn read(&self) -> impl Iterator<Item = Reg> {
        self.srcs.iter().filter_map(|src| match src {
            Operand::Reg(reg) => Some(*reg),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_names_what_it_was_made_of() {
        let operands = Operands {
            dsts: [7, 2]
                .map(|reg| Dst::Reg(Reg::r32(reg)))
                .into_iter()
                .collect(),
            srcs: [
                Reg::r64(0),
                Reg::r32(2),
                Reg::r32(2),
                Reg::r64(252),
                Reg::r32(254),
            ]
            .map(Operand::Reg)
            .into_iter()
            .collect(),
        };
        let named = operands.word();
        assert_eq!(named, "REGS_W7_W2_R0P_R2_R2_R252P_R254");
        assert_eq!(Operands::parse(&named), Some(operands));
        let opcode = format!("LDG.E.128.{named}");
        assert_eq!(word(&opcode), Some(named.as_str()));
    }

    #[test]
    fn opcodes_of_real_hardware_have_no_such_word() {
        for opcode in [
            "REGS_R1",
            "STG.E.128",
            "BAR.SYNC.DEFER_BLOCKING",
            "F2F.RZ.F32.F64",
        ] {
            assert_eq!(word(opcode), None, "{opcode}");
        }
    }

    #[test]
    fn word_with_something_wrong_names_nothing() {
        for wrong in [
            "REGS",
            "REGS_",
            "REGS_R",
            "REGS_RP",
            "REGS_R1_",
            "REGS_X1",
            "REGS_R+1",
            "REGS_R1P",
            "REGS_R255",
            "REGS_R254P",
            "REGS_R256",
            "REGS_R1Q",
            "REGS_W0_W1_W2_W3_W4",
            "R1",
        ] {
            assert_eq!(Operands::parse(wrong), None, "{wrong}");
        }
    }
}
