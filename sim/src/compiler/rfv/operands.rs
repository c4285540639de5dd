//! How an instruction goes through a table that takes three sources and a destination at a time.
//!
//! Operand i of the first three has flag i; its registers, two where it has 64 bits, four where it is the vector of a store,
//! go through one after the other, and the flag releases all of them. What is left, a fourth source, goes behind without a
//! flag.

use crate::kernel::{Dst, Inst, Op, Operand};
use arrayvec::ArrayVec;
use regshare_hw::manager::{MAX_REGS_PER_INST, Place};
use regshare_hw::rfv::flag_decoder::OPERANDS;

/// Pin of the destination.
const DESTINATION: u8 = OPERANDS as u8;

/// A register of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// Its number.
    pub reg: u16,
    /// Where it stands.
    pub place: Place,
}

/// The registers of an instruction, sources first, each half of a pair on its own: the order of
/// [`IssueRequest::regs`](regshare_hw::manager::IssueRequest::regs). Those beyond [`MAX_REGS_PER_INST`] are left out; such an
/// instruction is refused elsewhere.
#[must_use]
pub fn places(inst: &Inst) -> ArrayVec<Located, MAX_REGS_PER_INST> {
    let mut located = ArrayVec::new();
    let mut add = |reg, step, pin, flagged| {
        let place = Place { step, pin, flagged };
        // As documented.
        let _ = located.try_push(Located { reg, place });
    };
    let vector = matches!(inst.op, Op::St(mem) if mem.vec > 1);
    // Registers of each operand so far.
    let mut parts = [0u8; OPERANDS];
    let mut operand = 0;
    for (i, source) in inst.srcs.iter().enumerate() {
        let Operand::Reg(reg) = *source else {
            continue;
        };
        // The values of a vector are one operand: that of the first.
        let continues = vector && i > 1 && operand > 0;
        if !continues {
            operand += 1;
        }
        for unit in reg.units() {
            match parts.get_mut(operand - 1) {
                Some(part) => {
                    add(unit, *part, operand as u8 - 1, true);
                    *part += 1;
                }
                None => {
                    add(unit, u8::MAX, 0, false);
                }
            }
        }
    }
    let mut destinations = 0;
    for dst in &inst.dsts {
        let Dst::Reg(reg) = *dst else { continue };
        for unit in reg.units() {
            add(unit, destinations, DESTINATION, false);
            destinations += 1;
        }
    }
    // A fourth source goes behind all that have flags, three at a time.
    let first = parts.into_iter().max().unwrap_or(0);
    let behind = located
        .iter_mut()
        .filter(|located| located.place.step == u8::MAX);
    for (next, located) in (0..).zip(behind) {
        located.place.step = first + next / DESTINATION;
        located.place.pin = next % DESTINATION;
    }
    located
}

/// The flags of an instruction, bit i for operand i, where `dies` says of a register that nobody reads it after it.
///
/// A register that is written keeps its pack, so it has no flag; nor has an operand whose registers the instruction names in
/// another step as well.
#[must_use]
pub fn flags(inst: &Inst, dies: impl Fn(u16) -> bool) -> u8 {
    let places = places(inst);
    let written =
        |reg: u16| (places.iter()).any(|other| other.reg == reg && other.place.pin == DESTINATION);
    let again = |located: &Located| {
        (places.iter())
            .any(|other| other.reg == located.reg && other.place.step != located.place.step)
    };
    let mut flags = 0;
    for operand in 0..OPERANDS as u8 {
        let mut regs = (places.iter())
            .filter(|located| located.place.flagged && located.place.pin == operand)
            .peekable();
        let released = regs.peek().is_some()
            && regs.all(|located| dies(located.reg) && !written(located.reg) && !again(located));
        flags |= u8::from(released) << operand;
    }
    flags
}

/// The registers that `flags` release.
pub fn released(inst: &Inst, flags: u8) -> impl Iterator<Item = u16> {
    places(inst)
        .into_iter()
        .filter(move |located| located.place.flagged && flags >> located.place.pin & 1 == 1)
        .map(|located| located.reg)
}
