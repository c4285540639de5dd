//! The printer.

use std::fmt::{self, Write};

use super::lex::is_word;
use super::mnemonic::mnemonic;
use super::names::Named;
use crate::kernel::exec::{Kind, signature, src_width};
use crate::kernel::op::{Op, Ty};
use crate::kernel::{Dst, GlobalVar, Inst, Kernel, Operand, Reg, RegSpace, Special, Width};

/// Prints a kernel so that [`super::parse`] gives it back, source lines (`#12`) included. The kernel must be
/// [verified](crate::kernel::verify::verify); others are printed as far as the text form goes.
pub fn print(kernel: &Kernel) -> String {
    text(kernel, true)
}

/// As [`print`], without source lines: what is read back carries the lines of this text instead.
pub fn print_without_lines(kernel: &Kernel) -> String {
    text(kernel, false)
}

/// One instruction as the printer shows it, without the semicolon; for listings and messages.
pub fn print_inst(kernel: &Kernel, inst: &Inst) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_inst(&mut out, kernel, inst);
    out
}

fn text(kernel: &Kernel, lines: bool) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_kernel(&mut out, kernel, lines);
    out
}

fn write_kernel(out: &mut String, kernel: &Kernel, lines: bool) -> fmt::Result {
    writeln!(out, ".kernel {};", name(&kernel.name))?;
    match kernel.regs {
        RegSpace::Virtual { regs, preds } => writeln!(out, ".regs virtual {regs}, {preds};")?,
        RegSpace::Architected { regs, preds } => {
            writeln!(out, ".regs architected {regs}, {preds};")?;
        }
    }
    if kernel.shared_bytes != 0 {
        writeln!(out, ".shared {};", kernel.shared_bytes)?;
    }
    if kernel.local_bytes != 0 {
        writeln!(out, ".local {};", kernel.local_bytes)?;
    }
    for param in &kernel.params {
        writeln!(
            out,
            ".param {} {}, offset {}, size {}, align {};",
            param.ty.word(),
            name(&param.name),
            param.offset_bytes,
            param.size_bytes,
            param.align_bytes
        )?;
    }
    for var in &kernel.globals {
        write_global(out, var)?;
    }
    for block in &kernel.blocks {
        writeln!(out, "{}:", name(&block.label))?;
        for inst in &block.insts {
            let guard = if inst.guard.is_some() { "" } else { "    " };
            out.push_str(guard);
            write_inst(out, kernel, inst)?;
            if lines {
                writeln!(out, "; #{}", inst.line.0)?;
            } else {
                writeln!(out, ";")?;
            }
        }
    }
    Ok(())
}

fn write_global(out: &mut String, var: &GlobalVar) -> fmt::Result {
    let section = if var.constant { ".const" } else { ".global" };
    write!(
        out,
        "{section} {}, address {:#x}, size {}",
        name(&var.name),
        var.address,
        var.size_bytes
    )?;
    if !var.init.is_empty() {
        out.push_str(", init \"");
        for byte in &var.init {
            write!(out, "{byte:02x}")?;
        }
        out.push('"');
    }
    writeln!(out, ";")
}

/// A name as it is where it is a word, else in quotes.
fn name(name: &str) -> String {
    if is_word(name) && !name.starts_with('.') {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn write_inst(out: &mut String, kernel: &Kernel, inst: &Inst) -> fmt::Result {
    if let Some(guard) = inst.guard {
        let not = if guard.negated { "!" } else { "" };
        write!(out, "@{not}p{} ", guard.pred.0)?;
    }
    out.push_str(&mnemonic(&inst.op));
    let mut operands = Vec::new();
    // Of an instruction of a trace, only the braces tell destinations from sources.
    if !inst.dsts.is_empty() || matches!(inst.op, Op::Traced(_)) {
        let dsts: Vec<String> = inst
            .dsts
            .iter()
            .map(|dst| match *dst {
                Dst::Reg(reg) => register(kernel, reg),
                Dst::Pred(pred) => format!("p{}", pred.0),
            })
            .collect();
        operands.push(if is_vector(&inst.op) {
            format!("{{{}}}", dsts.join(", "))
        } else {
            dsts.join("|")
        });
    }
    if let Op::Bra(target) | Op::Call(target) = inst.op {
        let block = kernel.blocks.get(target.0 as usize);
        operands.push(block.map_or_else(String::new, |block| name(&block.label)));
    }
    let mut srcs = inst.srcs.iter().enumerate();
    if let Some(offset) = offset_of(&inst.op)
        && let Some((_, &base)) = srcs.next()
    {
        let base = source(kernel, &inst.op, 0, base);
        operands.push(match offset {
            0 => format!("[{base}]"),
            _ if offset < 0 => format!("[{base} - {}]", offset.unsigned_abs()),
            _ => format!("[{base} + {offset}]"),
        });
    }
    let values: Vec<String> = srcs
        .map(|(i, &src)| source(kernel, &inst.op, i, src))
        .collect();
    if matches!(inst.op, Op::St(mem) if mem.vec > 1) {
        operands.push(format!("{{{}}}", values.join(", ")));
    } else {
        operands.extend(values);
    }
    for (i, operand) in operands.iter().enumerate() {
        out.push_str(if i == 0 { " " } else { ", " });
        out.push_str(operand);
    }
    Ok(())
}

/// Whether the destinations are written in braces.
pub(super) fn is_vector(op: &Op) -> bool {
    match op {
        Op::Ld(mem) => mem.vec > 1,
        Op::Unpack(_) | Op::Traced(_) => true,
        _ => false,
    }
}

/// The offset of an operation that has an address.
pub(super) fn offset_of(op: &Op) -> Option<i64> {
    match *op {
        Op::Ld(mem) | Op::St(mem) => Some(mem.offset),
        Op::Atom { offset, .. } | Op::Red { offset, .. } => Some(offset),
        _ => None,
    }
}

fn register(kernel: &Kernel, reg: Reg) -> String {
    let index = reg.index;
    match (reg.width, kernel.regs) {
        (Width::W32, _) => format!("r{index}"),
        (Width::W64, RegSpace::Virtual { .. }) => format!("rd{index}"),
        (Width::W64, RegSpace::Architected { .. }) => {
            format!("r{index}:{}", u32::from(index) + 1)
        }
    }
}

fn source(kernel: &Kernel, op: &Op, place: usize, src: Operand) -> String {
    match src {
        Operand::Reg(reg) => register(kernel, reg),
        Operand::Pred { pred, negated } => {
            format!("{}p{}", if negated { "!" } else { "" }, pred.0)
        }
        Operand::Special(special) => special_name(special),
        Operand::Imm(bits) => constant(op, place, bits),
    }
}

fn special_name(special: Special) -> String {
    special.word().to_owned()
}

/// A constant the way a reader expects it: floats as their bits, small negative numbers with a sign, large
/// numbers and words of release flags in hexadecimal.
fn constant(op: &Op, place: usize, bits: u64) -> String {
    const SMALL: i64 = -65_536;
    if matches!(op, Op::Pir | Op::Pbr) {
        return format!("{bits:#x}");
    }
    match (float_type(op), src_width(op, place)) {
        (Some(Ty::F32), 1) if bits > 0xFFFF && bits <= 0xFFFF_FFFF => format!("0f{bits:08x}"),
        (Some(Ty::F64), 2) if bits > 0xFFFF => format!("0d{bits:016x}"),
        (_, 1)
            if bits <= 0xFFFF_FFFF
                && i64::from(bits as u32 as i32) < 0
                && i64::from(bits as u32 as i32) >= SMALL =>
        {
            (bits as u32 as i32).to_string()
        }
        (_, 2) if !is_address(op, place) && (SMALL..0).contains(&(bits as i64)) => {
            (bits as i64).to_string()
        }
        _ if bits > 0xFFFF => format!("{bits:#x}"),
        _ => bits.to_string(),
    }
}

fn is_address(op: &Op, place: usize) -> bool {
    let signature = signature(op);
    let slot = signature.ok().and_then(|s| s.srcs.get(place).copied());
    slot.is_some_and(|slot| slot.kind == Kind::Address)
}

/// The type of the numbers that a float operation reads.
fn float_type(op: &Op) -> Option<Ty> {
    let ty = match *op {
        Op::FAdd(ty, _) | Op::FSub(ty, _) | Op::FMul(ty, _) | Op::Fma(ty, _) => ty,
        Op::Mov(ty) | Op::Selp(ty) | Op::Slct(ty, ..) | Op::Cvt { from: ty, .. } => ty,
        Op::FDiv { ty, .. }
        | Op::FMin { ty, .. }
        | Op::FMax { ty, .. }
        | Op::Setp { ty, .. }
        | Op::Set { ty, .. } => ty,
        Op::St(mem) => mem.ty,
        _ => return None,
    };
    ty.is_float().then_some(ty)
}
