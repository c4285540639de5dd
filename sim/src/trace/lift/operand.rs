//! Which registers an instruction reads and writes: traces name the first one of each operand only ([`super::width`] knows how many
//! there are), and tracers take the first operand for the destination if it is a register, and for a source whatever comes later.

use super::TooWide;
use super::width::widths;
use crate::kernel::{Dst, MAX_SOURCES, Operand, Reg};
use crate::trace::opcode::base;
use crate::trace::record::{StaticInst, ZERO_REGISTER};
use arrayvec::ArrayVec;

/// Most registers that an instruction names, each half of a pair on its own.
const MOST: usize = regshare_hw::manager::MAX_REGS_PER_INST;
/// Most sources that the pipeline takes.
const MOST_SOURCES: usize = 5;

/// Registers of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// Written.
    pub dsts: ArrayVec<Dst, 4>,
    /// Read.
    pub srcs: ArrayVec<Operand, MAX_SOURCES>,
}

/// First registers of destinations and sources.
struct Named {
    dsts: ArrayVec<u8, 4>,
    srcs: ArrayVec<u8, 8>,
}

/// What the instruction names, each on its side: Accel-Sim's tracer asks only whether a register is the first operand.
fn named(inst: &StaticInst) -> Named {
    let (mut dsts, mut srcs) = (inst.dsts.clone(), inst.srcs.clone());
    let name = base(&inst.opcode);
    match name {
        // A target, a return address or a mask is read.
        "BRX" | "CALL" | "JMX" | "RET" | "WARPSYNC" | "NANOSLEEP" | "SETLMEMBASE" => {
            let mut read: ArrayVec<u8, 8> = dsts.drain(..).collect();
            read.extend(srcs.into_iter().take(read.remaining_capacity()));
            srcs = read;
        }
        // A predicate stands before the result.
        "ATOM" | "ATOMG" | "LOP3" | "MATCH" | "SHFL" => {
            let least = match name {
                "ATOM" | "ATOMG" => 3,
                _ => 2,
            };
            if dsts.is_empty() && srcs.len() >= least {
                dsts.push(srcs.remove(0));
            }
        }
        _ => {}
    }
    Named { dsts, srcs }
}

/// The registers of an instruction, pairs at even numbers as such.
///
/// # Errors
/// [`TooWide`] for more than the pipeline takes.
pub fn operands(inst: &StaticInst) -> Result<Operands, TooWide> {
    let named = named(inst);
    let widths = widths(inst, &named.srcs);
    let mut found = Operands::default();
    let too_wide = || TooWide {
        pc: inst.pc,
        opcode: inst.opcode.clone(),
    };
    for &dst in &named.dsts {
        for reg in parts(dst, widths.dst) {
            let dst = Dst::Reg(reg);
            found.dsts.try_push(dst).map_err(|_| too_wide())?;
        }
    }
    for (&src, width) in named.srcs.iter().zip(widths.srcs) {
        for reg in parts(src, width) {
            let src = Operand::Reg(reg);
            found.srcs.try_push(src).map_err(|_| too_wide())?;
        }
    }
    let dsts = found.dsts.iter().map(|dst| match dst {
        Dst::Reg(reg) => reg.width.regs(),
        Dst::Pred(_) => 0,
    });
    let srcs = found.srcs.iter().map(|src| match src {
        Operand::Reg(reg) => reg.width.regs(),
        _ => 0,
    });
    let units: u16 = dsts.chain(srcs).sum();
    if usize::from(units) > MOST || found.srcs.len() > MOST_SOURCES {
        return Err(too_wide());
    }
    Ok(found)
}

/// `width` registers from `first` on, none of the register that reads zero.
fn parts(first: u8, width: u16) -> impl Iterator<Item = Reg> {
    let end = (u16::from(first) + width).min(ZERO_REGISTER.into());
    let mut next = u16::from(first);
    std::iter::from_fn(move || {
        let reg = match end.saturating_sub(next) {
            0 => return None,
            2.. if next.is_multiple_of(2) => Reg::r64(next),
            _ => Reg::r32(next),
        };
        next += reg.width.regs();
        Some(reg)
    })
}
