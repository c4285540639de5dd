//! The calling convention: registers of each function, its prologue and epilogue, and one kernel of them all.

use super::graph::{CallGraph, Node};
use super::writer::Writer;
use super::{CallError, RECURSION_STACK_BYTES};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::compiler::regalloc::{AllocOptions, MAX_REGS};
use crate::kernel::op::{BlockId, Cmp, Op, Space, Ty};
use crate::kernel::program::{Program, Unit};
use crate::kernel::verify::verify;
use crate::kernel::{Block, Dst, Inst, Kernel, Line, Operand, Pred, Reg, RegSpace};
use std::collections::HashSet;

/// The first register that a function preserves (CARS II).
pub const FIRST_SAVED: u16 = 16;
/// The stack pointer, in bytes of local memory.
pub const STACK_POINTER: u16 = 1;
pub(super) const SPARE: u16 = 2;
pub(super) const FIRST_ARGUMENT: u16 = 4;

/// How a function preserves registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saves {
    /// By stores into local memory and loads from it (the baseline of CARS).
    LocalMemory,
    /// By pushes and pops (CARS III-A).
    RegisterStack,
}

/// A program as one kernel.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The kernel, its functions behind it.
    pub kernel: Kernel,
    /// Its call graph. The FRU of a function counts the registers that it preserves and one for its caller's RFP.
    pub graph: CallGraph,
    /// What allocation spilled, in the kernel and all its functions; not what a function saves for its caller.
    pub spilled: Spilled,
}

/// Values for which registers did not do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spilled {
    /// Local memory for them, of a frame of each function.
    pub bytes: u32,
    /// Loads of them in the code.
    pub loads: u32,
    /// Stores.
    pub stores: u32,
}

/// One function with architected registers.
struct Lowered {
    name: String,
    blocks: Vec<Block>,
    regs: u16,
    preds: u16,
    saved: u16,
    frame_bytes: u32,
    callees: Vec<Vec<usize>>,
    spilled: Spilled,
}

/// Lowers a program; where it recurses, a thread has [`RECURSION_STACK_BYTES`] of stack.
///
/// # Errors
/// [`CallError::Allocation`] and [`CallError::Cap`]; the other errors are defects.
pub fn lower(program: &Program, saves: Saves, options: &AllocOptions) -> Result<Linked, CallError> {
    lower_with_stack(program, saves, options, RECURSION_STACK_BYTES)
}

/// As [`lower`], where a thread has `stack_bytes` of stack if anything recurses, or what one iteration takes if that is more. The kernel's
/// own frame is in it. Without recursion it has what the deepest path of calls takes.
///
/// # Errors
/// As for [`lower`].
pub fn lower_with_stack(
    program: &Program,
    saves: Saves,
    options: &AllocOptions,
    stack_bytes: u32,
) -> Result<Linked, CallError> {
    let units = &program.units;
    let lowered = (0..units.len())
        .map(|number| function(units, number, saves, options))
        .collect::<Result<Vec<_>, _>>()?;
    let graph_of = |weight: &dyn Fn(usize, &Lowered) -> u32| {
        let node = |(number, f): (usize, &Lowered)| Node {
            name: f.name.clone(),
            fru: weight(number, f),
            sites: f.callees.clone(),
        };
        CallGraph::new(lowered.iter().enumerate().map(node).collect())
    };
    let regs = lowered.iter().map(|f| f.regs).max().unwrap_or(0);
    let graph = graph_of(&|number, f| match number {
        0 => u32::from(f.regs.max(FIRST_SAVED)),
        _ => u32::from(f.saved) + 1,
    });
    let frames = graph_of(&|_, f| f.frame_bytes);
    let recurses = frames.has_recursion() && frames.largest_fru() > 0;
    let stack = match recurses {
        true => (frames.high()).max(stack_bytes.next_multiple_of(alignment(units))),
        false => frames.high(),
    };
    let kernel_bytes = lowered.first().map_or(0, |kernel| kernel.frame_bytes);
    let code = &units[0].code;
    let uses_stack = stack > kernel_bytes;
    let mut kernel = Kernel {
        name: code.name.clone(),
        params: code.params.clone(),
        globals: code.globals.clone(),
        shared_bytes: code.shared_bytes,
        local_bytes: if uses_stack { stack } else { kernel_bytes },
        regs: RegSpace::Architected {
            regs: regs.max(FIRST_SAVED),
            preds: lowered.iter().map(|f| f.preds).max().unwrap_or(0),
        },
        blocks: Vec::new(),
    };
    if uses_stack {
        let set = inst(
            Op::Mov(Ty::B32),
            Some(STACK_POINTER),
            &[Operand::Imm(kernel_bytes.into())],
        );
        kernel.blocks.push(Block {
            label: "stack".to_owned(),
            insts: vec![set],
        });
    }
    let spilled = (lowered.iter()).fold(Spilled::default(), |sum, f| Spilled {
        bytes: sum.bytes + f.spilled.bytes,
        loads: sum.loads + f.spilled.loads,
        stores: sum.stores + f.spilled.stores,
    });
    link(&mut kernel, lowered);
    verify(&kernel)?;
    Ok(Linked {
        kernel,
        graph,
        spilled,
    })
}

/// Puts the functions one behind the other.
fn link(kernel: &mut Kernel, functions: Vec<Lowered>) {
    let mut next = kernel.blocks.len() as u32;
    let mut starts = Vec::with_capacity(functions.len());
    for function in &functions {
        starts.push(next);
        next += function.blocks.len() as u32;
    }
    let mut labels: HashSet<String> = kernel.blocks.iter().map(|b| b.label.clone()).collect();
    for (number, function) in functions.into_iter().enumerate() {
        for (at, mut block) in function.blocks.into_iter().enumerate() {
            block.label = match (number, at) {
                (0, _) => block.label,
                (_, 0) => function.name.clone(),
                _ => format!("{}.{}", function.name, block.label),
            };
            while !labels.insert(block.label.clone()) {
                block.label.push('_');
            }
            for inst in &mut block.insts {
                match &mut inst.op {
                    Op::Bra(BlockId(to)) => *to += starts[number],
                    Op::Call(BlockId(to)) => *to = starts[*to as usize],
                    _ => {}
                }
            }
            kernel.blocks.push(block);
        }
    }
}

pub(super) fn inst(op: Op, dst: Option<u16>, srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dst.into_iter().map(|reg| Dst::Reg(Reg::r32(reg))).collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    }
}

pub(super) fn reg(index: u16) -> Operand {
    Operand::Reg(Reg::r32(index))
}

/// Keeps predicates over calls in general registers.
fn keep_predicates(code: &mut Kernel) -> Option<()> {
    let cfg = Cfg::new(code).ok()?;
    let liveness = Liveness::per_thread(code, &cfg);
    let domain = liveness.domain();
    let RegSpace::Virtual { mut regs, preds } = code.regs else {
        return None;
    };
    for (b, block) in code.blocks.iter_mut().enumerate() {
        let mut insts = Vec::with_capacity(block.insts.len());
        for (i, call) in block.insts.drain(..).enumerate() {
            if !matches!(call.op, Op::Call(_)) {
                insts.push(call);
                continue;
            }
            let live = liveness.after(BlockId(b as u32), i);
            let kept: Vec<Pred> = (0..preds)
                .map(Pred)
                .filter(|&pred| live.contains(domain.pred_bit(pred)))
                .collect();
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for pred in kept {
                let (value, line) = (regs, call.line);
                regs = regs.checked_add(1)?;
                let held = Operand::Pred {
                    pred,
                    negated: false,
                };
                let put = [Operand::Imm(1), Operand::Imm(0), held];
                before.push(Inst {
                    line,
                    ..inst(Op::Selp(Ty::B32), Some(value), &put)
                });
                let op = Op::Setp {
                    cmp: Cmp::Ne,
                    ty: Ty::U32,
                    ftz: false,
                    combine: None,
                };
                let mut back = inst(op, None, &[reg(value), Operand::Imm(0)]);
                back.dsts.push(Dst::Pred(pred));
                back.line = line;
                after.push(back);
            }
            insts.append(&mut before);
            insts.push(call);
            insts.append(&mut after);
        }
        block.insts = insts;
    }
    code.regs = RegSpace::Virtual { regs, preds };
    Some(())
}

/// The architected register of each colour, in aligned pairs: what is live over a call is preserved, the rest is not where
/// there are registers for it.
fn places(code: &Kernel, in_scratch: bool) -> Result<Vec<u16>, CallError> {
    let RegSpace::Architected { regs, .. } = code.regs else {
        return Ok(Vec::new());
    };
    let failed = |cause: crate::compiler::cfg::CfgError| CallError::Allocation {
        function: code.name.clone(),
        cause: cause.into(),
    };
    let cfg = Cfg::new(code).map_err(failed)?;
    let liveness = Liveness::per_thread(code, &cfg);
    let domain = liveness.domain();
    let mut crosses = vec![!in_scratch; usize::from(regs).div_ceil(2)];
    for (b, block) in code.blocks.iter().enumerate() {
        for (i, call) in block.insts.iter().enumerate() {
            if !matches!(call.op, Op::Call(_)) {
                continue;
            }
            let mut live = liveness.after(BlockId(b as u32), i).clone();
            domain.for_defs(call, |bit| live.set(bit, false));
            for bit in live.ones() {
                match crosses.get_mut(bit / 2) {
                    Some(crosses) if bit < domain.regs() => *crosses = true,
                    _ => return Err(CallError::Predicate(code.name.clone())),
                }
            }
        }
    }
    let (mut saved, mut scratch) = (FIRST_SAVED, FIRST_ARGUMENT);
    let mut pairs = vec![0; crosses.len()];
    for (pair, _) in pairs.iter_mut().zip(&crosses).filter(|(_, c)| **c) {
        *pair = saved;
        saved += 2;
    }
    for (pair, _) in pairs.iter_mut().zip(&crosses).filter(|(_, c)| !**c) {
        let next = match scratch < FIRST_SAVED {
            true => &mut scratch,
            false => &mut saved,
        };
        *pair = *next;
        *next += 2;
    }
    Ok((0..regs)
        .map(|r| pairs[usize::from(r) / 2] + r % 2)
        .collect())
}

pub(super) fn is_argument(inst: &Inst) -> bool {
    matches!(inst.op, Op::Argument(_))
}

/// Whether the arguments are taken one after the other before anything else: then they can be copied at once.
fn takes_arguments_first(code: &Kernel) -> bool {
    let mut insts = code.blocks.iter().flat_map(|block| &block.insts);
    let first = insts.by_ref().take_while(|inst| is_argument(inst)).count();
    let all = code.blocks.iter().flat_map(|block| &block.insts);
    first == all.filter(|inst| is_argument(inst)).count()
}

pub(super) fn units(registers: impl Iterator<Item = Reg>) -> Vec<u16> {
    registers.flat_map(Reg::units).collect()
}

/// To what frames are aligned, bytes: as wide accesses to local variables need it.
fn alignment(all: &[Unit]) -> u32 {
    let of_units = all.iter().flat_map(|unit| &unit.code.blocks);
    let wide = |inst: &Inst| match inst.op {
        Op::FrameAddress => true,
        Op::Ld(mem) | Op::St(mem) => mem.space == Space::Local && mem.vec > 2,
        _ => false,
    };
    match of_units.flat_map(|block| &block.insts).any(wide) {
        true => 16,
        false => 8,
    }
}

fn function(
    all: &[Unit],
    number: usize,
    saves: Saves,
    options: &AllocOptions,
) -> Result<Lowered, CallError> {
    let mut code = all[number].code.clone();
    let name = code.name.clone();
    let failed = |cause| CallError::Allocation {
        function: name.clone(),
        cause,
    };
    // None: it has no graph, or too many registers; allocation says so.
    let _ = keep_predicates(&mut code);
    let most = MAX_REGS - FIRST_SAVED - 1;
    let mut bounds = AllocOptions {
        max_regs: options.max_regs.min(most),
        ..*options
    };
    // The cap is one on the numbers that the registers get, which leave gaps: where they pass it, fewer are allocated.
    let (code, mut blocks, mut saved, spilled) = loop {
        let done = crate::compiler::compile(&code, &bounds)
            .map_err(failed)?
            .allocation;
        let spilled = Spilled {
            bytes: done.report.spilled_bytes,
            loads: done.report.spill_loads,
            stores: done.report.spill_stores,
        };
        let code = done.kernel;
        let places = places(&code, takes_arguments_first(&code))?;
        let mut used = HashSet::new();
        let mut blocks = code.blocks.clone();
        for inst in blocks.iter_mut().flat_map(|block| &mut block.insts) {
            rename(inst, &places, &mut used);
        }
        let saved: Vec<u16> = used.into_iter().filter(|&r| r >= FIRST_SAVED).collect();
        let needed = saved.iter().map(|last| last + 1).max();
        let needed = needed.unwrap_or(FIRST_SAVED);
        let Some(over @ 1..) = needed.checked_sub(options.max_regs) else {
            break (code, blocks, saved, spilled);
        };
        match bounds.max_regs.checked_sub(over) {
            Some(fewer @ 1..) if needed > FIRST_SAVED => bounds.max_regs = fewer,
            _ => {
                let cap = options.max_regs;
                return Err(CallError::Cap {
                    function: name,
                    needed,
                    cap,
                });
            }
        }
    };
    let preds = match code.regs {
        RegSpace::Architected { preds, .. } | RegSpace::Virtual { preds, .. } => preds,
    };
    let is_kernel = number == 0;
    saved.sort_unstable();
    let last = saved.last().copied();
    let count = last.map_or(0, |last| last + 1 - FIRST_SAVED);
    let saved = if is_kernel { Vec::new() } else { saved };
    let mut writer = Writer {
        all,
        is_kernel,
        saves,
        first_save: code.local_bytes.next_multiple_of(4),
        frame_bytes: 0,
        is_leaf: true,
        saved,
        callees: Vec::new(),
        indirect: &all[number].indirect,
        last_site: None,
    };
    writer.is_leaf = !blocks
        .iter()
        .flat_map(|b| &b.insts)
        .any(|inst| matches!(inst.op, Op::Call(_)));
    let stored = match saves {
        Saves::LocalMemory => 4 * writer.saved.len() as u32,
        Saves::RegisterStack => 0,
    };
    writer.frame_bytes = (writer.first_save + stored).next_multiple_of(alignment(all));
    for block in &mut blocks {
        block.insts = writer.block(std::mem::take(&mut block.insts));
    }
    if !is_kernel {
        // A block of its own: the first may be that of a loop.
        for inst in blocks.iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Bra(BlockId(to)) = &mut inst.op {
                *to += 1;
            }
        }
        let prologue = Block {
            label: "prologue".to_owned(),
            insts: writer.prologue(),
        };
        blocks.insert(0, prologue);
    }
    Ok(Lowered {
        name,
        blocks,
        regs: last.map_or(FIRST_SAVED, |last| last + 1),
        preds,
        saved: count,
        frame_bytes: writer.frame_bytes,
        callees: writer.callees,
        spilled,
    })
}

fn rename(inst: &mut Inst, places: &[u16], used: &mut HashSet<u16>) {
    let mut name = |reg: &mut Reg| {
        reg.index = places[usize::from(reg.index)];
        used.extend(reg.units());
    };
    for src in &mut inst.srcs {
        if let Operand::Reg(reg) = src {
            name(reg);
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Reg(reg) = dst {
            name(reg);
        }
    }
}
