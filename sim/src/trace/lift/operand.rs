//! Which registers an instruction reads and writes: traces name the first one of each operand only ([`super::width`] knows how many
//! there are), and tracers take the first operand for the destination if it is a register, and for a source whatever comes later.
//! Where the opcode names all registers ([`crate::trace::operands`]), it is those.

use super::TooWide;
use super::width::{least, widths};
use crate::kernel::{Dst, Operand, Reg};
use crate::trace::opcode::base;
use crate::trace::operands::{Operands, word};
use crate::trace::record::{StaticInst, ZERO_REGISTER};
use arrayvec::ArrayVec;

/// Most registers that an instruction names, each half of a pair on its own.
const MOST: usize = regshare_hw::manager::MAX_REGS_PER_INST;
/// Most sources that the pipeline takes.
const MOST_SOURCES: usize = 5;

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
    let told = word(&inst.opcode).and_then(Operands::parse);
    let found = told.or_else(|| inferred(inst));
    let fits = |found: &Operands| {
        let regs = found.written().chain(found.read());
        let units: u16 = regs.map(|reg| reg.width.regs()).sum();
        usize::from(units) <= MOST && found.srcs.len() <= MOST_SOURCES
    };
    found.filter(fits).ok_or_else(|| TooWide {
        pc: inst.pc,
        opcode: inst.opcode.clone(),
    })
}

/// What follows from the first registers and the opcode; none: more than an instruction has.
fn inferred(inst: &StaticInst) -> Option<Operands> {
    let named = named(inst);
    let widths = widths(inst, &named.srcs);
    let mut found = Operands::default();
    for &dst in &named.dsts {
        for reg in parts(dst, widths.dst) {
            found.dsts.try_push(Dst::Reg(reg)).ok()?;
        }
    }
    for (&src, width) in named.srcs.iter().zip(widths.srcs) {
        for reg in parts(src, width) {
            found.srcs.try_push(Operand::Reg(reg)).ok()?;
        }
    }
    Some(found)
}

/// First register and width of each wide operand, as far as the opcode leaves no doubt.
pub fn surely_wide(
    inst: &StaticInst,
    addresses_are_whole: bool,
) -> impl Iterator<Item = (u8, u16)> {
    let named = named(inst);
    let widths = least(inst, addresses_are_whole);
    let dsts = named.dsts.into_iter().map(move |dst| (dst, widths.dst));
    let srcs = named.srcs.into_iter().zip(widths.srcs);
    let wide = |&(first, width): &(u8, u16)| width > 1 && first != ZERO_REGISTER;
    dsts.chain(srcs).filter(wide)
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
