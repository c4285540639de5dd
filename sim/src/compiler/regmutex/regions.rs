//! Where the extended set is held (RegMutex III-A3).
//!
//! An instruction needs the set when more than |Bs| registers are live around it, warp-wide. The state is a
//! function of the program point, so all paths agree on it by construction. Where two points that can follow each
//! other differ, an `acquire` or `release` stands between them: inside a block before the instruction; between
//! blocks at the end of a predecessor that leads nowhere else, which also keeps a loop free of acquires that repeat;
//! else at the start of the block, where it may repeat without effect. No edge is split, so the points of
//! reconvergence stay where they are.
//!
//! The paper's one-bit lock for pairs of warps cannot tell a repeated acquire from the partner's, so it demands that
//! none is ever executed ([`Repeats::Never`]). Then the set is held at the end of more blocks, until all ways into a
//! block agree.

use super::serial::Serialisation;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::compiler::waits::Waits;
use crate::kernel::{BlockId, Inst, Kernel, Op};

/// Gaps of fewer instructions between two regions are held through: giving up and asking again would cost as
/// many issue slots as the gap has. `// assumed`
const MIN_GAP_INSTS: usize = 3;

/// Per block and instruction: whether the set is held while it executes. One more entry stands for an empty block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held(pub Vec<Vec<bool>>);

/// Whether an acquire may execute while the set is held, or a release while it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// They have no effect (RegMutex III).
    Allowed,
    /// The hardware cannot recognise them (the pair's single bit, RegMutex III-C).
    Never,
}

/// Where no warp may hold the set: it waits for other warps, at a barrier or in a loop, or may end.
pub(super) struct Free<'a> {
    kernel: &'a Kernel,
    waits: Waits,
}

impl<'a> Free<'a> {
    pub fn of(kernel: &'a Kernel, cfg: &Cfg) -> Self {
        let waits = Waits::of(kernel, cfg);
        Free { kernel, waits }
    }

    /// Whether it must be so at an instruction; an index behind the last stands for the end of an empty block.
    pub fn at(&self, block: usize, inst: usize) -> bool {
        let inst = self.kernel.blocks[block].insts.get(inst);
        let waits_or_ends = |inst: &Inst| matches!(inst.op, Op::Bar(_) | Op::Exit);
        self.waits.contains(block) || inst.is_some_and(waits_or_ends)
    }
}

/// Most 32-bit registers live, warp-wide, where no warp may hold its set: at CTA barriers (RegMutex III-A2,
/// second hard rule), in loops that wait for other threads, which are barriers of their own, and where lanes exit.
pub fn live_where_free(kernel: &Kernel, cfg: &Cfg, warp: &Liveness) -> u16 {
    let free = Free::of(kernel, cfg);
    (warp.instructions())
        .filter(|p| free.at(p.block.0 as usize, p.inst))
        .map(|p| warp.regs_needed(p.block, p.inst) as u16)
        .max()
        .unwrap_or(0)
}

impl Held {
    /// By the count of live registers.
    pub fn by_pressure(kernel: &Kernel, free: &Free<'_>, warp: &Liveness, bs: u16) -> Held {
        let bs = usize::from(bs);
        let mut held = Held(Vec::new());
        for (b, block) in kernel.blocks.iter().enumerate() {
            let id = BlockId(b as u32);
            held.0.push(if block.insts.is_empty() {
                vec![warp.live_regs_before(id, 0) > bs && !free.at(b, 0)]
            } else {
                (0..block.insts.len())
                    .map(|i| warp.regs_needed(id, i) > bs && !free.at(b, i))
                    .collect()
            });
        }
        held.bridge_gaps(kernel, free);
        held
    }

    /// Holds through short gaps inside blocks.
    pub fn bridge_gaps(&mut self, kernel: &Kernel, free: &Free<'_>) {
        for (b, (block, held)) in kernel.blocks.iter().zip(&mut self.0).enumerate() {
            let mut last = None;
            for i in 0..block.insts.len() {
                if free.at(b, i) {
                    last = None;
                } else if held[i] {
                    if let Some(last) = last
                        && i - last <= MIN_GAP_INSTS
                    {
                        held[last..i].fill(true);
                    }
                    last = Some(i);
                }
            }
        }
    }

    /// State when the block starts.
    pub fn at_start(&self, block: usize) -> bool {
        self.0[block][0]
    }

    /// State when the block's last instruction has executed.
    pub fn at_end(&self, block: usize) -> bool {
        *self.0[block].last().expect("one entry at least")
    }
}

/// Instructions to insert, each before the instruction of that index (or behind the last).
#[derive(Clone, Debug, Default)]
pub(super) struct Transitions {
    /// Per block: index and whether it acquires, ascending.
    pub of_block: Vec<Vec<(usize, bool)>>,
}

impl Transitions {
    /// Finds all transitions. With [`Repeats::Never`], `held` may grow.
    ///
    /// # Errors
    /// The block that lanes may reach both with and without the set, whatever is done.
    pub fn between(
        kernel: &Kernel,
        (cfg, free): (&Cfg, &Free<'_>),
        serial: &Serialisation,
        held: &mut Held,
        repeats: Repeats,
    ) -> Result<Self, usize> {
        loop {
            let mut found = Transitions::default();
            let leaves: Vec<bool> = (0..kernel.blocks.len())
                .map(|b| {
                    let insts = &kernel.blocks[b].insts;
                    let (inside, leaves) = within(b, insts, cfg, serial, held, repeats);
                    found.of_block.push(inside);
                    leaves
                })
                .collect();
            let (mut mixed, mut grown) = (None, false);
            for (b, transitions) in found.of_block.iter_mut().enumerate() {
                let wanted = held.at_start(b);
                let before: Vec<usize> = (cfg.preds(BlockId(b as u32)).iter())
                    .map(|p| p.0 as usize)
                    .chain(serial.after_end_of[b].ones())
                    .collect();
                // A warp starts and exits without the set.
                let after_nothing = b == 0 || serial.after_exit[b];
                let any_free = after_nothing || before.iter().any(|p| !leaves[*p]);
                let any_held = before.iter().any(|p| leaves[*p]);
                if (wanted && any_free) || (!wanted && any_held) {
                    transitions.insert(0, (0, wanted));
                    if repeats == Repeats::Never && any_free && any_held {
                        mixed = Some(b);
                        grown |= !after_nothing && hold_ends(cfg, free, &before, &leaves, held);
                    }
                }
            }
            match mixed {
                None => return Ok(found),
                Some(block) if !grown => return Err(block),
                Some(_) => {}
            }
        }
    }
}

/// Transitions inside a block and at its end, and the state that it leaves behind.
fn within(
    b: usize,
    insts: &[Inst],
    cfg: &Cfg,
    serial: &Serialisation,
    held: &Held,
    repeats: Repeats,
) -> (Vec<(usize, bool)>, bool) {
    let mut inside: Vec<(usize, bool)> = (1..insts.len())
        .filter(|i| held.0[b][*i] != held.0[b][*i - 1])
        .map(|i| (i, held.0[b][i]))
        .collect();
    let mut leaves = held.at_end(b);
    if let [only] = cfg.succs(BlockId(b as u32)) {
        let next = only.0 as usize;
        let wanted = held.at_start(next);
        // A release at the end of a side pins down the values of the waiting lanes; the start of the next block,
        // where nobody waits any more, is better if repeats are allowed there.
        let release_here = || {
            repeats == Repeats::Never || serial.waiting_at[b].is_subset(&serial.waiting_at[next])
        };
        if wanted != leaves && (wanted || release_here()) {
            let at = end_of(insts);
            if inside.last().is_some_and(|(last, _)| *last == at) {
                // The final branch names no register: it need not change the state on its own.
                inside.pop();
            } else {
                inside.push((at, wanted));
            }
            leaves = wanted;
        }
    }
    (inside, leaves)
}

/// Holds the set at the end of those of `blocks` that leave without it; of a block with one successor, whose end
/// follows that successor, at the start of it. False if nothing more can be held.
fn hold_ends(
    cfg: &Cfg,
    free: &Free<'_>,
    blocks: &[usize],
    leaves: &[bool],
    held: &mut Held,
) -> bool {
    let mut grown = false;
    for b in blocks.iter().copied().filter(|b| !leaves[*b]) {
        let (block, inst) = match cfg.succs(BlockId(b as u32)) {
            [only] => (only.0 as usize, 0),
            _ => (b, held.0[b].len() - 1),
        };
        if !free.at(block, inst) {
            grown |= !std::mem::replace(&mut held.0[block][inst], true);
        }
    }
    grown
}

/// Index before the branch that ends a block, or behind the last instruction.
fn end_of(insts: &[Inst]) -> usize {
    match insts.last() {
        Some(last) if matches!(last.op, Op::Bra(_)) => insts.len() - 1,
        _ => insts.len(),
    }
}
