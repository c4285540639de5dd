//! Points 1 and 2: the same instructions up to registers, and where what was added goes.

use super::{CheckError, Violation, fail};
use crate::compiler::regdem::{Cta, Demoted, Origin};
use crate::kernel::op::{Mem, Part, Space, Ty};
use crate::kernel::{Dst, Guard, Inst, Kernel, Op, Operand, Reg, RegSpace, Special, Width};

/// What one instruction does to the places.
pub enum Step<'k> {
    /// Both kernels have it: original, demoted.
    Both(&'k Inst, &'k Inst),
    /// The address is not there yet, and with `true` it is.
    Base(u16, bool),
    /// Registers <- slots.
    Load(Access),
    /// Slots <- registers, under a guard.
    Store(Access, Option<Guard>),
}

/// Words that go from or to memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The first register.
    pub reg: u16,
    /// The first slot.
    pub slot: u16,
    /// How many of both.
    pub words: u16,
    /// The register that must hold the thread's address; `None`: addresses are the thread's own.
    pub at: Option<u16>,
}

/// First byte of the demoted registers, and the first behind them.
struct Region {
    base: u64,
    end: u64,
    register_bytes: i64,
}

fn region(original: &Kernel, demoted: &Demoted, cta: Cta) -> Result<Region, CheckError> {
    let own = cta.scratchpad_bytes;
    let fixed = original.shared_bytes;
    let declared = demoted.kernel.shared_bytes;
    let end = if own > fixed {
        declared.next_multiple_of(16) + (own - fixed.next_multiple_of(16).min(own))
    } else {
        declared
    };
    let entry = demoted.kernel.blocks.first();
    let third = entry.and_then(|block| block.insts.get(2));
    let base = match third.map(|inst| &inst.srcs[..]) {
        Some([_, _, Operand::Imm(base)]) => *base,
        _ => return fail(0, 2, Violation::Shape("the thread's address")),
    };
    if base < u64::from(own) || base % 4 != 0 || cta.threads == 0 {
        return fail(0, 2, Violation::Shape("the base of demoted registers"));
    }
    Ok(Region {
        base,
        end: end.into(),
        register_bytes: i64::from(cta.threads) * 4,
    })
}

/// Registers of `kernel`, if what stands above its instructions is as in the original, but for registers and bytes of memory.
pub fn same_frame(original: &Kernel, kernel: &Kernel) -> Result<u16, CheckError> {
    let (RegSpace::Architected { preds: before, .. }, RegSpace::Architected { regs, preds }) =
        (original.regs, kernel.regs)
    else {
        return fail(0, 0, Violation::Shape("the register space"));
    };
    let labels = |k: &Kernel| k.blocks.iter().map(|b| b.label.clone()).collect::<Vec<_>>();
    let same = original.name == kernel.name
        && original.params == kernel.params
        && original.globals == kernel.globals
        && before == preds
        && labels(original) == labels(kernel);
    match same {
        true => Ok(regs),
        false => fail(0, 0, Violation::Shape("what stands above the instructions")),
    }
}

pub fn steps<'k>(
    original: &'k Kernel,
    demoted: &'k Demoted,
    cta: Cta,
) -> Result<Vec<Vec<Step<'k>>>, CheckError> {
    let kernel = &demoted.kernel;
    let regs = same_frame(original, kernel)?;
    if original.local_bytes != kernel.local_bytes || demoted.origins.len() != kernel.blocks.len() {
        return fail(0, 0, Violation::Shape("what stands above the instructions"));
    }
    let region = region(original, demoted, cta)?;
    let mut all = Vec::new();
    for (b, (block, origins)) in kernel.blocks.iter().zip(&demoted.origins).enumerate() {
        let source = &original.blocks[b].insts;
        let (mut steps, mut next) = (Vec::new(), 0);
        if origins.len() != block.insts.len() {
            return fail(b, 0, Violation::Shape("the list of origins"));
        }
        if b == 0 && origins.iter().take_while(|o| **o == Origin::Base).count() != 3 {
            return fail(b, 0, Violation::Shape("the thread's address"));
        }
        for (i, (inst, origin)) in block.insts.iter().zip(origins).enumerate() {
            if let Some(reg) = misnamed(inst, regs) {
                return fail(b, i, Violation::Register { reg });
            }
            let step = match *origin {
                Origin::Inst(from) => {
                    let same = (from == next)
                        .then(|| source.get(from))
                        .flatten()
                        .filter(|o| same_but_registers(o, inst, Some(cta.scratchpad_bytes)));
                    next += 1;
                    match same {
                        Some(original) => Step::Both(original, inst),
                        None => return fail(b, i, Violation::Shape("another instruction")),
                    }
                }
                Origin::Base if b == 0 && i < 3 => match base(inst, i) {
                    Some(reg) => Step::Base(reg, i == 2),
                    None => return fail(b, i, Violation::Shape("the thread's address")),
                },
                Origin::Base => return fail(b, i, Violation::Shape("a second address")),
                Origin::Load(_) | Origin::Store(_) => match access(inst, &region) {
                    Ok(step) => step,
                    Err(violation) => return fail(b, i, violation),
                },
            };
            steps.push(step);
        }
        if next != source.len() {
            let at = block.insts.len();
            return fail(b, at, Violation::Shape("an instruction is missing"));
        }
        all.push(steps);
    }
    Ok(all)
}

/// A register that the kernel does not have, or an odd one of a pair.
pub(in crate::compiler) fn misnamed(inst: &Inst, regs: u16) -> Option<u16> {
    (inst.src_regs().chain(inst.dst_regs()))
        .find(|reg| {
            reg.index + reg.width.regs() > regs || reg.width == Width::W64 && reg.index % 2 == 1
        })
        .map(|reg| reg.index)
}

/// Whether both do the same. With `own_bytes` that constant stands where the original asks for the size of the scratchpad.
pub(in crate::compiler) fn same_but_registers(
    original: &Inst,
    inst: &Inst,
    own_bytes: Option<u32>,
) -> bool {
    let same_src = |(o, d): (&Operand, &Operand)| match (o, d) {
        (Operand::Reg(o), Operand::Reg(d)) => o.width == d.width,
        (Operand::Special(Special::TotalScratchpadBytes), d) if own_bytes.is_some() => {
            own_bytes.is_some_and(|bytes| *d == Operand::Imm(bytes.into()))
        }
        (o, d) => o == d,
    };
    let same_dst = |(o, d): (&Dst, &Dst)| match (o, d) {
        (Dst::Reg(o), Dst::Reg(d)) => o.width == d.width,
        (o, d) => o == d,
    };
    original.op == inst.op
        && original.guard == inst.guard
        && original.srcs.len() == inst.srcs.len()
        && original.dsts.len() == inst.dsts.len()
        && original.srcs.iter().zip(&inst.srcs).all(same_src)
        && original.dsts.iter().zip(&inst.dsts).all(same_dst)
}

/// The register of the `at`-th instruction of: r <- tid.z * ntid.y + tid.y; r <- r * ntid.x + tid.x; r <- r * 4 + base.
fn base(inst: &Inst, at: usize) -> Option<u16> {
    let multiplies = matches!(
        inst.op,
        Op::Mad {
            ty: Ty::U32,
            part: Part::Lo,
            sat: false
        }
    );
    let [Dst::Reg(to)] = inst.dsts[..] else {
        return None;
    };
    use Operand::{Imm, Special as S};
    use Special::{Ntid, Tid};
    let same = |reg: Reg| reg == to && to.width == Width::W32;
    let expected = match (at, &inst.srcs[..]) {
        (0, [S(Tid(2)), S(Ntid(1)), S(Tid(1))]) => true,
        (1, [Operand::Reg(r), S(Ntid(0)), S(Tid(0))]) => same(*r),
        (2, [Operand::Reg(r), Imm(4), Imm(_)]) => same(*r),
        _ => false,
    };
    (multiplies && expected && inst.guard.is_none()).then_some(to.index)
}

fn access<'k>(inst: &Inst, region: &Region) -> Result<Step<'k>, Violation> {
    let slot = |mem: &Mem| {
        let first = mem.offset;
        let fits = first >= 0
            && first % region.register_bytes == 0
            && region.base + (first + region.register_bytes) as u64 <= region.end;
        let plain = mem.space == Space::Shared && mem.ty == Ty::B32 && mem.vec == 1;
        if !plain {
            return Err(Violation::Shape("an added instruction"));
        }
        fits.then_some((first / region.register_bytes) as u16)
            .ok_or(Violation::Outside { offset: first })
    };
    let word = |reg: &Reg| reg.width == Width::W32;
    let step = |reg: &Reg, mem: &Mem, at: &Reg| -> Result<Access, Violation> {
        Ok(Access {
            reg: reg.index,
            slot: slot(mem)?,
            words: 1,
            at: Some(at.index),
        })
    };
    match (&inst.op, &inst.dsts[..], &inst.srcs[..]) {
        (Op::Ld(mem), [Dst::Reg(to)], [Operand::Reg(at)])
            if inst.guard.is_none() && word(to) && word(at) =>
        {
            Ok(Step::Load(step(to, mem, at)?))
        }
        (Op::St(mem), [], [Operand::Reg(at), Operand::Reg(from)]) if word(from) && word(at) => {
            Ok(Step::Store(step(from, mem, at)?, inst.guard))
        }
        _ => Err(Violation::Shape("an added instruction")),
    }
}
