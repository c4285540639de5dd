//! The calling convention: registers of each function, its prologue and epilogue, and one kernel of them all.

use super::graph::{CallGraph, Node};
use super::link::link;
use super::places::{keep_predicates, places, put_aside, store_arguments};
use super::writer::Writer;
use super::{CallError, RECURSION_STACK_BYTES};
use crate::compiler::cfg::Cfg;
use crate::compiler::regalloc::{AllocError, AllocOptions, MAX_REGS, is_load, is_store};
use crate::kernel::op::{BlockId, Op, Space, Ty};
use crate::kernel::program::{Program, Unit};
use crate::kernel::verify::verify;
use crate::kernel::{Block, Dst, Inst, Kernel, Line, Operand, Reg, RegSpace};
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
pub(super) struct Lowered {
    pub(super) name: String,
    pub(super) blocks: Vec<Block>,
    pub(super) regs: u16,
    pub(super) preds: u16,
    pub(super) saved: u16,
    pub(super) frame_bytes: u32,
    pub(super) callees: Vec<Vec<usize>>,
    pub(super) spilled: Spilled,
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
    // None: it has no graph, or too many registers; allocation says so.
    let _ = keep_predicates(&mut code);
    let is_kernel = number == 0;
    let placed = match placed(&code, is_kernel, options)? {
        Some(placed) => placed,
        None => return Err(too_few(&code, is_kernel, options)?),
    };
    let Placed {
        code,
        mut saved,
        spilled,
    } = placed;
    let mut blocks = code.blocks.clone();
    let preds = match code.regs {
        RegSpace::Architected { preds, .. } | RegSpace::Virtual { preds, .. } => preds,
    };
    let last = saved.last().copied();
    let count = last.map_or(0, |last| last + 1 - FIRST_SAVED);
    if is_kernel {
        saved.clear();
    }
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

/// A function whose registers have the numbers of the convention.
struct Placed {
    code: Kernel,
    /// Those from [`FIRST_SAVED`] on that it uses, ascending.
    saved: Vec<u16>,
    spilled: Spilled,
}

impl Placed {
    /// Registers that it takes: one more than the largest number.
    fn needed(&self) -> u16 {
        self.saved.last().map_or(FIRST_SAVED, |last| last + 1)
    }

    /// Accesses to local memory, a loop's as often as it is assumed to go round, with those that preserve registers.
    fn accesses(&self, is_kernel: bool) -> u64 {
        let Ok(cfg) = Cfg::new(&self.code) else {
            return u64::MAX;
        };
        let of = |(number, block): (usize, &Block)| {
            let accesses = (block.insts.iter()).filter(|inst| is_load(inst) || is_store(inst));
            (accesses.count() as u64).saturating_mul(cfg.weight(BlockId(number as u32)))
        };
        let saves = if is_kernel { 0 } else { 2 * self.saved.len() };
        let all = self.code.blocks.iter().enumerate().map(of);
        all.fold(saves as u64, u64::saturating_add)
    }
}

/// The function under the cap, which is one on the numbers of its registers; `None` if that is too low. Where the registers that are
/// preserved pass the cap, either fewer are allocated, or values are put aside over calls so that they need no such register.
fn placed(
    code: &Kernel,
    is_kernel: bool,
    options: &AllocOptions,
) -> Result<Option<Placed>, CallError> {
    let cap = options.max_regs;
    if cap < FIRST_SAVED {
        return Ok(None);
    }
    let bounds = |most: u16| AllocOptions {
        max_regs: most.min(MAX_REGS - FIRST_SAVED - 1),
        ..*options
    };
    let mut most = bounds(cap).max_regs;
    let mut fewer = None;
    while let Some((mut allocated, spilled)) = allocated(code, &bounds(most))? {
        let stored = store_arguments(&mut allocated);
        let found = renamed(allocated, stored, spilled, false)?;
        let Some(over @ 1..) = found.needed().checked_sub(cap) else {
            fewer = Some(found);
            break;
        };
        match most.checked_sub(over) {
            Some(rest @ 1..) => most = rest,
            _ => break,
        }
    }
    if fewer.is_some() && most == bounds(cap).max_regs {
        return Ok(fewer);
    }
    let mut aside = None;
    if let Some((mut code, mut spilled)) = allocated(code, &bounds(cap - FIRST_ARGUMENT))? {
        let stored = store_arguments(&mut code);
        if takes_arguments_first(&code) && put_aside(&mut code, cap, &mut spilled)? {
            let found = renamed(code, stored, spilled, true)?;
            aside = Some(found).filter(|found| found.needed() <= cap);
        }
    }
    Ok(match (fewer, aside) {
        (Some(fewer), Some(aside)) => {
            let accesses = |found: &Placed| found.accesses(is_kernel);
            let is_better = accesses(&aside) < accesses(&fewer) && aside.needed() <= fewer.needed();
            Some(if is_better { aside } else { fewer })
        }
        (fewer, aside) => fewer.or(aside),
    })
}

/// Says that the cap is too low, and which would do.
fn too_few(code: &Kernel, is_kernel: bool, options: &AllocOptions) -> Result<CallError, CallError> {
    let function = code.name.clone();
    let cap = options.max_regs;
    for needed in FIRST_SAVED.max(cap.saturating_add(1))..=MAX_REGS {
        let options = AllocOptions {
            max_regs: needed,
            ..*options
        };
        if placed(code, is_kernel, &options)?.is_some() {
            return Ok(CallError::Cap {
                function,
                needed,
                cap,
            });
        }
    }
    let cause = AllocError::CapTooSmall {
        kernel: function.clone(),
        max_regs: cap,
        needed: usize::from(cap) + 1,
    };
    Ok(CallError::Allocation { function, cause })
}

/// Allocates the registers of a function; `None` if the bound is too low.
fn allocated(code: &Kernel, bounds: &AllocOptions) -> Result<Option<(Kernel, Spilled)>, CallError> {
    match crate::compiler::compile(code, bounds) {
        Ok(done) => {
            let done = done.allocation;
            let spilled = Spilled {
                bytes: done.report.spilled_bytes,
                loads: done.report.spill_loads,
                stores: done.report.spill_stores,
            };
            Ok(Some((done.kernel, spilled)))
        }
        Err(AllocError::CapTooSmall { .. }) => Ok(None),
        Err(cause) => Err(CallError::Allocation {
            function: code.name.clone(),
            cause,
        }),
    }
}

/// Gives the registers of an allocated function the numbers of the convention. `stored` is what stores arguments before all else.
fn renamed(
    mut code: Kernel,
    stored: Vec<Inst>,
    spilled: Spilled,
    is_tight: bool,
) -> Result<Placed, CallError> {
    let places = places(&code, takes_arguments_first(&code), is_tight)?;
    let mut used = HashSet::new();
    for inst in code.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        rename(inst, &places, &mut used);
    }
    if let Some(entry) = code.blocks.first_mut() {
        entry.insts.splice(0..0, stored);
    }
    let mut saved: Vec<u16> = used.into_iter().filter(|&r| r >= FIRST_SAVED).collect();
    saved.sort_unstable();
    Ok(Placed {
        code,
        saved,
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
