//! One line of a trace.

use std::io::Write;

use super::{BINARY_VERSION, LOCAL_BASE, opcode};
use crate::kernel::address::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BYTES};
use crate::kernel::exec::LANES;
use crate::kernel::op::{Op, Space};
use crate::kernel::{Inst, Operand, Reg};
use crate::trace::lift::operand::operands;
use crate::trace::opcode::{Generation, class};
use crate::trace::operands::Operands;
use crate::trace::record::{OtherRegisters, StaticInst};

/// Registers that Accel-Sim takes in a line.
const MOST_SOURCES: usize = 4;

/// What is the same in every line of an instruction.
pub struct Template {
    /// Up to the mask.
    head: String,
    /// From the destinations to the access size.
    tail: String,
    /// The space of an access whose addresses are written.
    space: Option<Space>,
    /// Of a barrier, the last one that is no register, as tracers have it; else 0.
    immediate: u64,
}

impl Template {
    /// Of the instruction at address `pc`.
    pub fn new(inst: &Inst, pc: u64, with_line: bool) -> Template {
        let line = if with_line {
            format!("{} ", inst.line.0)
        } else {
            String::new()
        };
        let all = Operands::of(inst);
        let dst = all.written().next();
        let srcs: Vec<Reg> = all.read().take(MOST_SOURCES).collect();
        let (space, bytes) = match inst.op {
            Op::Ld(mem) | Op::St(mem) => (Some(mem.space), opcode::bytes(mem)),
            Op::Atom { space, ty, .. } | Op::Red { space, ty, .. } => {
                (Some(space), ty.size_bytes())
            }
            _ => (None, 0),
        };
        // Parameters and constants are read with LDC, which tracers give no addresses.
        let space = space.filter(|space| !matches!(space, Space::Param | Space::Const));
        let bytes = if space.is_some() { bytes } else { 0 };
        let mut opcode = opcode::name(inst);
        if inferred(&opcode, dst, &srcs, bytes).as_ref() != Some(&all) {
            opcode = format!("{opcode}.{}", all.word());
        }
        let mut tail = String::new();
        match dst {
            Some(dst) => tail.push_str(&format!("1 R{} ", dst.index)),
            None => tail.push_str("0 "),
        }
        tail.push_str(&format!("{opcode} {} ", srcs.len()));
        for src in srcs {
            tail.push_str(&format!("R{} ", src.index));
        }
        tail.push_str(&format!("{bytes} "));
        let mut immediates = inst.srcs.iter().filter_map(|src| match src {
            Operand::Imm(value) if matches!(inst.op, Op::Bar(_)) => Some(*value),
            _ => None,
        });
        Template {
            head: format!("{line}{pc:04x} "),
            tail,
            space,
            immediate: immediates.next_back().unwrap_or(0),
        }
    }

    /// Whether lines end with addresses.
    #[cfg(test)]
    pub fn has_addresses(&self) -> bool {
        self.space.is_some()
    }

    /// Appends the line of one execution.
    pub fn write(&self, mask: u32, addresses: Option<&[u64; LANES]>, out: &mut Vec<u8>) {
        let _ = write!(out, "{}{mask:08x} {}", self.head, self.tail);
        if let (Some(space), Some(addresses)) = (self.space, addresses) {
            write_addresses(mask, &addresses.map(|address| traced(space, address)), out);
        }
        let _ = writeln!(out, "{} ", self.immediate);
    }
}

/// The registers that a line tells by the first ones and an opcode of real hardware; none: it is not lifted.
fn inferred(opcode: &str, dst: Option<Reg>, srcs: &[Reg], bytes: u32) -> Option<Operands> {
    let first = |reg: &Reg| u8::try_from(reg.index).ok();
    let line = StaticInst {
        pc: 0,
        opcode: opcode.to_owned(),
        class: class(opcode, Generation::of(BINARY_VERSION)?)?,
        dsts: dst.iter().map(first).collect::<Option<_>>()?,
        srcs: srcs.iter().map(first).collect::<Option<_>>()?,
        other_dsts: OtherRegisters::default(),
        other_srcs: OtherRegisters::default(),
        width_bytes: u8::try_from(bytes).ok()?,
        immediate: 0,
        line: None,
    };
    operands(&line).ok()
}

/// An address as traces have it: scratchpad behind the base of the head, local memory as an offset of the thread.
fn traced(space: Space, address: u64) -> u64 {
    match space {
        Space::Shared => SHARED_WINDOW.wrapping_add(address),
        Space::Generic if (LOCAL_WINDOW..LOCAL_WINDOW + WINDOW_BYTES).contains(&address) => {
            address - LOCAL_WINDOW + LOCAL_BASE
        }
        _ => address,
    }
}

/// Base and stride if the lanes are side by side and evenly spaced, else base and differences; so do real tracers.
fn write_addresses(mask: u32, addresses: &[u64; LANES], out: &mut Vec<u8>) {
    let first = mask.trailing_zeros() as usize;
    let last = 31 - mask.leading_zeros().min(31) as usize;
    if mask == 0 {
        out.extend_from_slice(b"1 0x0 0 ");
        return;
    }
    let difference =
        |lane: usize, from: usize| addresses[lane].wrapping_sub(addresses[from]).cast_signed();
    let is_run = last - first + 1 == mask.count_ones() as usize;
    let stride = if last > first {
        difference(first + 1, first)
    } else {
        0
    };
    let is_even = (first + 1..=last).all(|lane| difference(lane, lane - 1) == stride);
    if last > first && is_run && is_even && i32::try_from(stride).is_ok() {
        let _ = write!(out, "1 {:#x} {stride} ", addresses[first]);
        return;
    }
    let _ = write!(out, "2 {:#x} ", addresses[first]);
    let mut before = first;
    for lane in (first + 1..=last).filter(|lane| mask >> lane & 1 == 1) {
        let _ = write!(out, "{} ", difference(lane, before));
        before = lane;
    }
}
