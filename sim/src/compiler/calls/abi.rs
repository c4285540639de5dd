//! The calling convention: registers of each function, its prologue and epilogue, and one kernel of them all.

use super::graph::{CallGraph, Node};
use super::link::link;
use super::placed::{Placed, placed, too_few};
use super::places::keep_predicates;
use super::writer::Writer;
use super::{CallError, RECURSION_STACK_BYTES};
use crate::compiler::regalloc::AllocOptions;
use crate::kernel::op::{BlockId, Op, Space, Ty};
use crate::kernel::program::{Program, Unit};
use crate::kernel::verify::verify;
use crate::kernel::{Block, Dst, Inst, Kernel, Line, Operand, Reg, RegSpace};

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
        rounds: Vec::new(),
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
