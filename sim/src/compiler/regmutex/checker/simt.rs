//! State of the extended set under every order in which the SIMT stack can run a warp.
//!
//! While a block runs, lanes may wait in *frames*: a frame waits at the start of a block until the running lanes
//! reach the meeting point (or exit), and then runs on from there, in the state that it finds. Frames flow along the
//! edges of the graph until their meeting point; so does the state, and from a side's end to where its frame waits.

use super::{CheckError, Repeats, Violation, fail};
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::Waits;
use crate::kernel::{BlockId, Kernel, Op};
use std::collections::BTreeSet;

/// Lanes that wait at the start of `place` until the others reach `meet` (`None`: until they exit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    place: usize,
    meet: Option<usize>,
}

/// Frames that may wait while a block runs.
pub(super) struct Simt {
    frames: Vec<BTreeSet<Frame>>,
}

/// Possible states at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct States {
    pub free: bool,
    pub held: bool,
}

impl States {
    const FREE: States = States {
        free: true,
        held: false,
    };
    const HELD: States = States {
        free: false,
        held: true,
    };

    fn join(&mut self, other: States) -> bool {
        let before = *self;
        self.free |= other.free;
        self.held |= other.held;
        *self != before
    }

    fn after(self, op: &Op) -> States {
        match op {
            Op::Acquire => States::HELD,
            Op::Release => States::FREE,
            _ => self,
        }
    }
}

impl Simt {
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Simt {
        let n = kernel.blocks.len();
        let mut frames: Vec<BTreeSet<Frame>> = vec![BTreeSet::new(); n];
        let mut changed = true;
        while changed {
            changed = false;
            for b in 0..n {
                let id = BlockId(b as u32);
                let meet = cfg.reconvergence(id).map(|m| m.0 as usize);
                let parts = cfg.is_conditional(id);
                for next in cfg.succs(id).iter().map(|s| s.0 as usize) {
                    let mut flow: Vec<Frame> = frames[b].iter().copied().collect();
                    if parts {
                        let others = cfg.succs(id).iter().map(|s| s.0 as usize);
                        let places = others.filter(|s| *s != next).chain(meet);
                        flow.extend(places.map(|place| Frame { place, meet }));
                    }
                    for frame in flow {
                        // Lanes at the meeting point do not wait for lanes that are there too.
                        if frame.meet != Some(next) {
                            changed |= frames[next].insert(frame);
                        }
                    }
                }
            }
        }
        Simt { frames }
    }

    /// States in which each block may start.
    pub fn states(&self, kernel: &Kernel, cfg: &Cfg) -> Vec<States> {
        let n = kernel.blocks.len();
        let mut at_start = vec![States::default(); n];
        at_start[0] = States::FREE;
        let mut changed = true;
        while changed {
            changed = false;
            for b in 0..n {
                let mut state = at_start[b];
                if state == States::default() {
                    continue;
                }
                let succs = cfg.succs(BlockId(b as u32));
                for inst in &kernel.blocks[b].insts {
                    if inst.op == Op::Exit {
                        for frame in &self.frames[b] {
                            changed |= at_start[frame.place].join(state);
                        }
                    }
                    state = state.after(&inst.op);
                }
                for next in succs {
                    changed |= at_start[next.0 as usize].join(state);
                }
                for frame in &self.frames[b] {
                    let ends = match frame.meet {
                        Some(meet) => succs.contains(&BlockId(meet as u32)),
                        None => false,
                    };
                    if ends || succs.is_empty() {
                        changed |= at_start[frame.place].join(state);
                    }
                }
            }
        }
        at_start
    }

    /// Blocks at whose start lanes may have waited while the set was given back.
    pub fn emptied_while_waiting(&self, kernel: &Kernel, states: &[States]) -> Vec<bool> {
        let mut emptied = vec![false; states.len()];
        for (b, frames) in self.frames.iter().enumerate() {
            let mut state = states[b];
            let mut free = state.free;
            for inst in &kernel.blocks[b].insts {
                state = state.after(&inst.op);
                free |= state.free;
            }
            if free {
                for frame in frames {
                    emptied[frame.place] = true;
                }
            }
        }
        emptied
    }
}

pub(super) fn check(
    kernel: &Kernel,
    (cfg, waits): (&Cfg, &Waits),
    states: &[States],
    bs: u16,
    repeats: Repeats,
) -> Result<(), CheckError> {
    for (b, block) in kernel.blocks.iter().enumerate() {
        let mut state = states[b];
        if state == States::default() {
            // Never runs.
            continue;
        }
        for (i, inst) in block.insts.iter().enumerate() {
            let named = inst.src_regs().chain(inst.dst_regs());
            if let Some(reg) = named.flat_map(|reg| reg.units()).find(|reg| *reg >= bs)
                && state.free
            {
                return fail(b, i, Violation::NotHeld { reg });
            }
            match inst.op {
                Op::Bar(_) if state.held => return fail(b, i, Violation::HeldAtBarrier),
                Op::Exit if state.held => return fail(b, i, Violation::HeldAtExit),
                Op::Acquire if state.held && repeats == Repeats::Never => {
                    return fail(b, i, Violation::Repeats);
                }
                Op::Release if state.free && repeats == Repeats::Never => {
                    return fail(b, i, Violation::Repeats);
                }
                Op::Ld(_) | Op::Atom { .. } | Op::Bra(_) if state.held && waits.contains(b) => {
                    return fail(b, i, Violation::HeldInWait);
                }
                _ => {}
            }
            state = state.after(&inst.op);
        }
        if cfg.succs(BlockId(b as u32)).is_empty() && state.held {
            return fail(b, block.insts.len(), Violation::HeldAtExit);
        }
    }
    Ok(())
}
