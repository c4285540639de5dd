//! The kernel with `acquire`, `release` and identity copies, before registers are renamed.
//!
//! A copy `mov r, r` ends one value's claim on its place and starts another, so that recolouring may move the value
//! there. Copies stand before every release (values come down into the base set) and, where asked for, behind every
//! acquire. A copy only executes in active lanes: a register in which other lanes wait with a value is not copied.
//! Copies that end up with one place for source and destination are dropped.

use super::regions::{Held, Transitions};
use super::serial::Serialisation;
use super::webs::Webs;
use crate::compiler::liveness::Liveness;
use crate::kernel::op::Ty;
use crate::kernel::{BlockId, Dst, Inst, Kernel, Line, Op, Operand, Reg};
use fixedbitset::FixedBitSet;

/// Where values may change place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// Nowhere.
    None,
    /// Before releases.
    AtRelease,
    /// Before releases and behind acquires.
    AtBoth,
}

/// A kernel with transitions, and how it corresponds to the original.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    /// The kernel; registers are the original ones.
    pub kernel: Kernel,
    /// Per block and instruction: index of the original instruction, `None` for inserted ones.
    pub origin: Vec<Vec<Option<usize>>>,
    /// Per block and instruction: whether the warp holds the set before it; last entry: behind the last. Copies at
    /// the start of a block count as holding, whatever the predecessor: what is live in a predecessor without the
    /// set is low for that reason.
    pub held: Vec<Vec<bool>>,
}

impl Marked {
    pub fn new(
        kernel: &Kernel,
        transitions: &Transitions,
        held: &Held,
        copies: Copies,
        context: &CopyContext<'_>,
    ) -> Marked {
        let mut marked = Marked {
            kernel: kernel.clone(),
            origin: Vec::new(),
            held: Vec::new(),
        };
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut out = BlockWriter::default();
            let mut state = held.at_start(b);
            if let Some((0, wanted)) = transitions.of_block[b].first() {
                state = !wanted;
            }
            let mut due = transitions.of_block[b].iter().peekable();
            for i in 0..=block.insts.len() {
                while let Some((_, acquire)) = due.next_if(|(at, _)| *at == i) {
                    let wanted = if *acquire {
                        copies == Copies::AtBoth
                    } else {
                        copies != Copies::None
                    };
                    let moves = if wanted {
                        context.copies_before(b, i)
                    } else {
                        Vec::new()
                    };
                    if *acquire {
                        out.push(pass_made(Op::Acquire), None, false);
                        moves.into_iter().for_each(|m| out.push(m, None, true));
                    } else {
                        moves.into_iter().for_each(|m| out.push(m, None, true));
                        out.push(pass_made(Op::Release), None, true);
                    }
                    state = *acquire;
                }
                if let Some(inst) = block.insts.get(i) {
                    out.push(inst.clone(), Some(i), state);
                    // The state changes only at transitions.
                }
            }
            out.held.push(state);
            marked.kernel.blocks[b].insts = out.insts;
            marked.origin.push(out.origin);
            marked.held.push(out.held);
        }
        marked
    }
}

#[derive(Default)]
struct BlockWriter {
    insts: Vec<Inst>,
    origin: Vec<Option<usize>>,
    held: Vec<bool>,
}

impl BlockWriter {
    fn push(&mut self, inst: Inst, origin: Option<usize>, held: bool) {
        self.insts.push(inst);
        self.origin.push(origin);
        self.held.push(held);
    }
}

/// What decides which registers are copied at a point of the original kernel.
pub(super) struct CopyContext<'a> {
    /// Liveness of a thread.
    pub thread: &'a Liveness,
    /// Values of the original kernel.
    pub webs: &'a Webs,
    /// Per block: registers in which lanes wait elsewhere.
    pub waiting: Vec<FixedBitSet>,
}

impl<'a> CopyContext<'a> {
    pub fn new(serial: &Serialisation, thread: &'a Liveness, webs: &'a Webs) -> Self {
        let waiting = (serial.waiting_at.iter())
            .map(|places| {
                let mut units = thread.domain().empty_set();
                for place in places.ones() {
                    units.union_with(thread.live_in(BlockId(place as u32)));
                }
                units
            })
            .collect();
        CopyContext {
            thread,
            webs,
            waiting,
        }
    }

    /// Identity copies of what may move before instruction `inst`, ascending by register.
    fn copies_before(&self, block: usize, inst: usize) -> Vec<Inst> {
        let live = self.thread.before(BlockId(block as u32), inst);
        let current = self.webs.current_before(block, inst);
        let movable = |unit: u16| {
            let bit = usize::from(unit);
            live.contains(bit) && !self.waiting[block].contains(bit)
        };
        let wide_at =
            |unit: u16| current[usize::from(unit)].is_some_and(|web| self.webs.is_wide(web));
        let mut copies = Vec::new();
        for unit in self.thread.domain().reg_indices(live) {
            let partner = unit ^ 1;
            let partner_live = usize::from(partner) < self.thread.domain().regs()
                && live.contains(usize::from(partner))
                && wide_at(partner);
            if !movable(unit) {
                continue;
            }
            if wide_at(unit) && partner_live {
                if unit & 1 == 0 && movable(partner) {
                    copies.push(identity(Reg::r64(unit), Ty::B64));
                }
            } else {
                copies.push(identity(Reg::r32(unit), Ty::B32));
            }
        }
        copies
    }
}

fn identity(reg: Reg, ty: Ty) -> Inst {
    let mut inst = pass_made(Op::Mov(ty));
    inst.dsts.push(Dst::Reg(reg));
    inst.srcs.push(Operand::Reg(reg));
    inst
}

fn pass_made(op: Op) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: Default::default(),
        srcs: Default::default(),
        line: Line(0),
    }
}
