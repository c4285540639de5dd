//! The kernel as the pipeline sees it: one micro-operation per instruction, decoded once.

mod calls;
mod decode;
mod flags;
mod spills;

pub use calls::StackOps;
use calls::{concern_stack, moves, unwinding};
use decode::decode;
use flags::Covered;
pub use spills::SpillOps;
use spills::concern_spill;

use crate::compiler::calls::saves;
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::Waits;
use crate::kernel::op::Op;
use crate::kernel::ptx::Files;
use crate::kernel::text::print_inst;
use crate::kernel::{BlockId, Inst, Kernel, Line, RegSpace, Special};
use crate::machine::{Machine, Timing};
use crate::observe::watch::{InstDef, Listing};
use crate::sm::Launch;
use crate::sm::error::LaunchFault;
use crate::sm::scoreboard::RegMask;
use crate::sm::simt::NEVER;
use arrayvec::ArrayVec;
use regshare_hw::manager::IssueRequest;

/// Most predicates of a thread. // assumed: far above what kernels use
pub const MAX_PREDS: usize = 64;
/// Most 32-bit registers that one instruction writes.
pub const MAX_WRITES: usize = 4;
/// Most general sources of one instruction: an address and four values.
pub const MAX_SOURCES: usize = 5;

/// Where an instruction goes after issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nowhere: it is done at issue.
    Issue,
    /// Arithmetic.
    Sp,
    /// Special functions and double precision.
    Sfu,
    /// Loads, stores, atomics.
    Ldst,
}

/// A general source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The `first`-th register that the instruction reads, and the next if `wide`; with `extend`, a 32-bit one is
    /// taken as the low half of a 64-bit value.
    Register { first: u8, wide: bool, extend: bool },
    /// A constant; the upper half matters if `wide`.
    Constant { value: u64, wide: bool },
    /// A special register.
    Special(Special),
}

/// An instruction, decoded.
#[derive(Clone, Debug)]
pub struct MicroOp {
    pub op: Op,
    pub unit: Unit,
    pub timing: Timing,
    /// Predicate of the guard, and whether it is read inverted.
    pub guard: Option<(u8, bool)>,
    /// What the register hardware is asked: the registers read, in order, then those written.
    pub request: IssueRequest,
    /// Whether it must be asked at all.
    pub asks: bool,
    /// How many of the registers are read.
    pub reads: u8,
    pub sources: ArrayVec<Source, MAX_SOURCES>,
    /// Predicate sources, and whether they are read inverted.
    pub pred_sources: ArrayVec<(u8, bool), 2>,
    pub pred_dsts: ArrayVec<u8, 2>,
    /// Of each register written: which general result it takes, and whether its upper half.
    pub results: ArrayVec<(u8, bool), MAX_WRITES>,
    pub read_mask: RegMask,
    pub write_mask: RegMask,
    pub pred_reads: u64,
    pub pred_writes: u64,
    /// A move of the trap handler.
    pub moves: bool,
    /// A register spill or fill: of a trap handler, or relative to the stack pointer in a kernel with calls.
    pub spills: bool,
    /// A word of release flags: it goes to the register hardware, not to a scheduler.
    pub word: Option<Word>,
    /// An exit behind which no register of the warp is mapped.
    pub empties: bool,
    /// Stands in a loop that waits for another thread, and does nothing else ([`Waits::idle`]).
    pub idle: bool,
    /// Waits until nothing of its warp is on its way.
    pub drains: bool,
    /// Target of a branch or call.
    pub target: u32,
    /// Where the lanes that a branch parts meet.
    pub meet: u32,
    pub line: Line,
}

/// A word of release flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Flags of the instructions behind it. It is passed over, and fetched only when the register hardware has not got it.
    Pir,
    /// Registers that have died.
    Pbr(u64),
}

/// What the register hardware wants to know about instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// It renames, with words of release flags or without.
    pub renames: bool,
    /// It keeps no flags of a pir: each warp decodes every one that it comes to.
    pub every_pir: bool,
    /// It has register stacks.
    pub stacks: bool,
    /// It may spill a pending warp.
    pub spills: bool,
}

/// A decoded kernel.
#[derive(Clone, Debug)]
pub struct Program {
    pub ops: Vec<MicroOp>,
    /// Registers are renamed.
    pub renames: bool,
    /// Every pir is decoded that a warp comes to.
    pub every_pir: bool,
    /// Fewest cycles from the start of an instruction in its unit to its result, if there is one that writes a register.
    pub least_latency: u16,
    /// Functions are called.
    pub has_calls: bool,
    /// The trap handler and the return after an `exit`, behind the kernel, if there are register stacks.
    pub stacks: Option<StackOps>,
    /// The moves of registers of a pending warp, behind the kernel, if it may be spilled.
    pub spills: Option<SpillOps>,
}

impl Program {
    /// Decodes `kernel` for `machine`. Registers from `shared_from` on are valid only while acquired.
    pub fn new(
        kernel: &Kernel,
        machine: &Machine,
        shared_from: Option<u16>,
        wants: Wants,
    ) -> Result<Program, LaunchFault> {
        let Wants {
            renames,
            every_pir,
            stacks,
            spills,
        } = wants;
        let RegSpace::Architected { regs, preds } = kernel.regs else {
            return Err(LaunchFault::NotAllocated(kernel.name.clone()));
        };
        limit("registers of a thread", regs.into(), 255)?;
        limit("predicates of a thread", preds.into(), MAX_PREDS)?;
        let cfg = Cfg::new(kernel)?;
        let mut starts = Vec::with_capacity(kernel.blocks.len());
        let mut count = 0u32;
        for block in &kernel.blocks {
            starts.push(count);
            count += block.insts.len() as u32;
        }
        let at = |block: BlockId| starts[block.0 as usize];
        let mut ops = Vec::with_capacity(count as usize + 4);
        let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        let has_calls = insts.any(|inst| matches!(inst.op, Op::Call(_)));
        let preserving = saves(kernel);
        let waits = Waits::of(kernel, &cfg);
        for (number, block) in kernel.blocks.iter().enumerate() {
            let mut covered = Covered::default();
            for (place, inst) in block.insts.iter().enumerate() {
                if matches!(inst.op, Op::Push | Op::Pop) && !stacks {
                    return Err(LaunchFault::Instruction {
                        line: inst.line,
                        problem: "push and pop need a register stack; run the kernel under cars"
                            .to_owned(),
                    });
                }
                let mut op = decode(inst, machine, shared_from)?;
                // What is stored may be what another one waits for.
                op.idle =
                    waits.idle.contains(number) && !matches!(inst.op, Op::St(_) | Op::Red { .. });
                op.spills = preserving.contains(&(number as u32, place));
                if stacks {
                    concern_stack(kernel, inst, &mut op);
                }
                if renames {
                    covered.by_pir(inst, ops.len(), &mut op);
                }
                if let Op::Call(target) = inst.op {
                    op.target = at(target);
                }
                if let Op::Bra(target) = inst.op {
                    op.target = at(target);
                    op.meet = cfg.reconvergence(BlockId(number as u32)).map_or(NEVER, at);
                }
                ops.push(op);
            }
        }
        // The end of the last block is an exit.
        ops.push(decode(&implied_exit(), machine, shared_from)?);
        let stack_ops = match stacks {
            true => {
                let save = ops.len() as u32;
                for inst in moves() {
                    let mut op = decode(&inst, machine, shared_from)?;
                    (op.moves, op.spills, op.asks) = (true, true, false);
                    op.request.regs.clear();
                    (op.read_mask, op.write_mask) = (RegMask::default(), RegMask::default());
                    op.reads = 0;
                    ops.push(op);
                }
                let mut unwind = decode(&unwinding(), machine, shared_from)?;
                concern_stack(kernel, &unwinding(), &mut unwind);
                ops.push(unwind);
                Some(StackOps {
                    save,
                    fill: save + 1,
                    unwind: save + 2,
                })
            }
            false => None,
        };
        let first_move = ops.len() as u32;
        for inst in spill_moves(kernel).filter(|_| spills) {
            let mut op = decode(&inst, machine, shared_from)?;
            concern_spill(&mut op);
            ops.push(op);
        }
        let name_range = |op: &MicroOp| {
            let reg = op.request.regs.iter().map(|r| u16::from(r.0) + 1).max();
            let pred = 64 - (op.pred_reads | op.pred_writes).leading_zeros();
            (reg.unwrap_or(0), pred)
        };
        for op in &ops {
            let (reg, pred) = name_range(op);
            if reg > regs || pred > u32::from(preds) {
                return Err(LaunchFault::Instruction {
                    line: op.line,
                    problem: "a register behind the last one of the kernel".to_owned(),
                });
            }
        }
        let memory = &machine.memory;
        let latency = |op: &MicroOp| match (op.op, op.unit) {
            (Op::Bar(_), _) => 1,
            (_, Unit::Ldst) => (memory.scratchpad_latency)
                .min(memory.constant_latency)
                .min(memory.l1_hit_latency),
            _ => op.timing.latency,
        };
        let results = ops.iter().filter(|op| !op.results.is_empty());
        Ok(Program {
            least_latency: results.map(latency).min().unwrap_or(1),
            ops,
            renames,
            every_pir,
            has_calls,
            stacks: stack_ops,
            spills: spills.then_some(SpillOps { first: first_move }),
        })
    }
}

impl Program {
    /// The program as watchers of a run see it.
    pub fn listing(&self, kernel: &Kernel, launch: &Launch, machine: &Machine) -> Listing {
        let mut behind = vec![implied_exit()];
        if self.stacks.is_some() {
            behind.extend(moves());
            behind.push(unwinding());
        }
        if self.spills.is_some() {
            behind.extend(spill_moves(kernel));
        }
        let insts = (kernel.blocks.iter().flat_map(|block| &block.insts)).chain(&behind);
        let def = |inst: &Inst| InstDef {
            line: inst.line,
            text: print_inst(kernel, inst),
            inserted: matches!(
                inst.op,
                Op::Acquire | Op::Release | Op::Pir | Op::Pbr | Op::Push | Op::Pop
            ),
            address: None,
        };
        let threads: u32 = launch.block.iter().product();
        Listing {
            insts: insts.map(def).collect(),
            files: Files::default(),
            schedulers: machine.schedulers.count.into(),
            warp_slots: machine.limits.warps_per_sm.into(),
            warps_per_cta: threads.div_ceil(32) as usize,
        }
    }
}

/// The moves of all registers of an allocated kernel.
fn spill_moves(kernel: &Kernel) -> impl Iterator<Item = Inst> {
    let regs = match kernel.regs {
        RegSpace::Architected { regs, .. } => regs,
        RegSpace::Virtual { .. } => 0,
    };
    (0..regs).flat_map(spills::moves)
}

fn implied_exit() -> Inst {
    Inst {
        guard: None,
        op: Op::Exit,
        dsts: ArrayVec::new(),
        srcs: ArrayVec::new(),
        line: Line(0),
    }
}

fn limit(what: &'static str, found: usize, limit: usize) -> Result<(), LaunchFault> {
    if found > limit {
        return Err(LaunchFault::TooMany { what, found, limit });
    }
    Ok(())
}
