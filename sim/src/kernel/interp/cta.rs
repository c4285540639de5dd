//! One CTA: its warps take turns until all have ended.

use std::collections::BTreeSet;

use super::barrier::{BARRIERS, Barrier};
use super::error::{InterpError, RunPlace, WaitingWarp};
use super::memory::{GlobalMemory, ModuleMemory};
use super::record::Recorder;
use super::trace::Watched;
use super::warp::{Warp, WarpSpaces, addresses, is_memory};
use super::{InterpStats, Options, UnwrittenRead};
use crate::compiler::calls::MOST_OPEN_CALLS;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Point;
use crate::kernel::exec::{Value, is_alu};
use crate::kernel::op::{BarKind, Op};
use crate::kernel::{BlockId, Inst, Kernel, Operand};

/// Instructions that a warp runs before the next one gets its turn. // assumed: any number serves
const TURN_INSTS: u32 = 128;

/// What a whole launch shares.
pub(super) struct Launch<'a, M> {
    pub kernel: &'a Kernel,
    pub cfg: &'a Cfg,
    pub options: &'a Options,
    /// Warp instructions of the launch at which the CTA that runs is stopped.
    pub cta_limit: u64,
    pub params: &'a [u8],
    pub global: &'a mut M,
    pub module: ModuleMemory,
    pub stats: InterpStats,
    pub unwritten: BTreeSet<UnwrittenRead>,
    /// A thread whose instructions are kept.
    pub watched: Option<Watched>,
    /// Sees every instruction.
    pub recorder: Option<&'a mut dyn Recorder>,
}

pub(super) struct Cta {
    pub warps: Vec<Warp>,
    pub shared: Vec<u8>,
    pub barriers: [Barrier; BARRIERS],
    /// The barrier at which each warp waits.
    pub waits: Vec<Option<usize>>,
}

impl Cta {
    pub fn new(warps: Vec<Warp>, shared_bytes: usize) -> Self {
        Cta {
            waits: vec![None; warps.len()],
            warps,
            shared: vec![0; shared_bytes],
            barriers: Default::default(),
        }
    }

    fn has_ended(&self, warp: usize) -> bool {
        self.warps[warp].stack.top().is_none()
    }

    fn live_warps(&self) -> u32 {
        (0..self.warps.len())
            .filter(|&w| !self.has_ended(w))
            .count() as u32
    }

    /// Runs all warps to their end, or until the watched thread has run more than is kept.
    pub fn run<M: GlobalMemory>(&mut self, launch: &mut Launch<'_, M>) -> Result<(), InterpError> {
        let full = |launch: &Launch<'_, M>| launch.watched.as_ref().is_some_and(Watched::is_full);
        while self.live_warps() > 0 && !full(launch) {
            let mut went_on = false;
            for warp in 0..self.warps.len() {
                for _ in 0..TURN_INSTS {
                    if self.waits[warp].is_some() || self.has_ended(warp) {
                        break;
                    }
                    self.step(warp, launch)?;
                    went_on = true;
                }
            }
            if !went_on {
                return Err(InterpError::Hang {
                    waiting: self.waiting(launch.kernel),
                });
            }
        }
        Ok(())
    }

    fn waiting(&self, kernel: &Kernel) -> Vec<WaitingWarp> {
        let describe = |warp: usize| {
            let barrier = self.waits[warp]?;
            let state = &self.barriers[barrier];
            Some(WaitingWarp {
                place: self.place(kernel, warp),
                barrier: barrier as u32,
                arrived_warps: state.arrived_warps,
                expected_warps: state.expected_warps(self.live_warps()),
            })
        };
        (0..self.warps.len()).filter_map(describe).collect()
    }

    fn place(&self, kernel: &Kernel, warp: usize) -> RunPlace {
        let state = &self.warps[warp];
        let place = state.stack.top().map(|(place, _)| place);
        let block = place.and_then(|place| kernel.blocks.get(place.block.0 as usize));
        let inst = place.map_or(0, |place| place.inst);
        RunPlace {
            file: None,
            line: block
                .and_then(|block| block.insts.get(inst))
                .map(|inst| inst.line)
                .unwrap_or_default(),
            block: block.map(|block| block.label.clone()).unwrap_or_default(),
            inst,
            cta: state.identity.cta,
            warp,
        }
    }

    /// Runs one instruction of a warp that has not ended and does not wait.
    fn step<M: GlobalMemory>(
        &mut self,
        warp: usize,
        launch: &mut Launch<'_, M>,
    ) -> Result<(), InterpError> {
        let kernel = launch.kernel;
        let Some((place, running)) = self.warps[warp].stack.top() else {
            return Ok(());
        };
        let block = &kernel.blocks[place.block.0 as usize];
        let Some(inst) = block.insts.get(place.inst) else {
            self.warps[warp].stack.jump(BlockId(place.block.0 + 1));
            return Ok(());
        };
        if launch.stats.warp_insts >= launch.options.step_limit {
            return Err(InterpError::StepLimit {
                place: self.place(kernel, warp),
                limit: launch.options.step_limit,
            });
        }
        if launch.stats.warp_insts >= launch.cta_limit {
            return Err(InterpError::CtaLimit {
                place: self.place(kernel, warp),
                limit: launch.options.cta_step_limit,
            });
        }
        let active = inst.guard.map_or(running, |guard| {
            running & self.warps[warp].pred(guard.pred, guard.negated)
        });
        if let Some(watched) = &mut launch.watched {
            let point = Point {
                block: place.block,
                inst: place.inst,
            };
            watched.see(self.warps[warp].identity.cta, warp, running, point);
        }
        let clock = launch.stats.warp_insts;
        if let Some(recorder) = &mut launch.recorder {
            let addresses = addresses(&self.warps[warp], inst, clock);
            recorder.executes(warp, place.block, place.inst, active, addresses.as_ref());
        }
        launch.stats.warp_insts += 1;
        launch.stats.thread_insts += u64::from(active.count_ones());
        if launch.options.report_unwritten_reads {
            for register in self.warps[warp].unwritten_reads(inst, running, active) {
                launch.unwritten.insert(UnwrittenRead {
                    line: inst.line,
                    block: place.block,
                    inst: place.inst,
                    register,
                });
            }
        }
        if let Op::Bra(target) = inst.op {
            self.branch(warp, launch.cfg, place.block, target, running, active);
            return Ok(());
        }
        match inst.op {
            Op::Call(target) if active != 0 => {
                if self.warps[warp].stack.calls() >= MOST_OPEN_CALLS {
                    let place = self.place(kernel, warp);
                    return Err(InterpError::TooManyCalls { place });
                }
                self.warps[warp].stack.call(target, active);
                self.warps[warp].enter(active);
                return Ok(());
            }
            Op::Ret if active != 0 => {
                self.warps[warp].leave(active);
                return match self.warps[warp].stack.ret(active) {
                    true => Ok(()),
                    false => Err(InterpError::Return {
                        place: self.place(kernel, warp),
                    }),
                };
            }
            _ => {}
        }
        if active != 0 {
            self.execute(warp, inst, active, clock, launch)?;
        }
        if inst.op == Op::Exit {
            // The lanes that stay go on; those that end leave the stack, the running entry perhaps with them.
            if active != running {
                self.warps[warp].stack.advance();
            }
            self.warps[warp].stack.exit(active);
            if self.has_ended(warp) {
                self.complete_barriers(kernel);
            }
        } else if !matches!(inst.op, Op::Bar(_)) || active == 0 {
            self.warps[warp].stack.advance();
        }
        Ok(())
    }

    fn branch(
        &mut self,
        warp: usize,
        cfg: &Cfg,
        block: BlockId,
        target: BlockId,
        running: u32,
        taken: u32,
    ) {
        let next = BlockId(block.0 + 1);
        let stack = &mut self.warps[warp].stack;
        if taken == running {
            stack.jump(target);
        } else if taken == 0 || target == next {
            stack.jump(next);
        } else {
            stack.part(taken, target, next, cfg.reconvergence(block));
        }
    }

    fn execute<M: GlobalMemory>(
        &mut self,
        warp: usize,
        inst: &Inst,
        active: u32,
        clock: u64,
        launch: &mut Launch<'_, M>,
    ) -> Result<(), InterpError> {
        if is_alu(&inst.op) {
            self.warps[warp].run_alu(inst, active, clock);
        } else if is_memory(&inst.op) {
            let mut spaces = WarpSpaces {
                global: &mut *launch.global,
                module: &mut launch.module,
                shared: &mut self.shared,
                params: launch.params,
            };
            spaces
                .run(&mut self.warps[warp], inst, active, clock)
                .map_err(|(lane, fault)| InterpError::Memory {
                    place: self.place(launch.kernel, warp),
                    lane,
                    fault,
                })?;
        } else {
            match inst.op {
                Op::Shfl(_) | Op::Vote(_) | Op::Activemask => {
                    self.warps[warp].run_across_lanes(inst, active, clock);
                }
                Op::Bar(kind) => {
                    self.arrive(warp, kind, inst, active, clock, launch.kernel)?;
                }
                Op::Trap if !inst.srcs.is_empty() => {
                    let lane = active.trailing_zeros() as usize;
                    let target = self.warps[warp].value(inst.srcs[0], clock);
                    return Err(InterpError::NoFunction {
                        place: self.place(launch.kernel, warp),
                        lane,
                        address: target.get(lane),
                    });
                }
                Op::Trap => {
                    return Err(InterpError::Trap {
                        place: self.place(launch.kernel, warp),
                    });
                }
                Op::Acquire | Op::Release => {
                    if let Some(first) = launch.options.extended_from {
                        let acquires = inst.op == Op::Acquire;
                        self.warps[warp].change_extended_set(first, acquires);
                    }
                }
                Op::Push | Op::Pop => {
                    let pops = inst.op == Op::Pop;
                    if !self.warps[warp].put_aside(inst, pops, active) {
                        return Err(InterpError::Pop {
                            place: self.place(launch.kernel, warp),
                        });
                    }
                }
                // Without timing there is nothing to order.
                _ => {}
            }
        }
        Ok(())
    }

    fn arrive(
        &mut self,
        warp: usize,
        kind: BarKind,
        inst: &Inst,
        active: u32,
        clock: u64,
        kernel: &Kernel,
    ) -> Result<(), InterpError> {
        let state = &self.warps[warp];
        let lane = active.trailing_zeros().min(31) as usize;
        let mut numbers = inst.srcs.iter().filter_map(|&src| match src {
            Operand::Pred { .. } => None,
            _ => Some(state.value(src, clock).lo[lane]),
        });
        let barrier = numbers.next().unwrap_or(0);
        let threads = numbers.next();
        let holds = inst.srcs.iter().find_map(|&src| match src {
            Operand::Pred { pred, negated } => Some(state.pred(pred, negated)),
            _ => None,
        });
        let misuse = |cta: &Self| InterpError::Barrier {
            place: cta.place(kernel, warp),
            barrier,
            threads: threads.unwrap_or(0),
        };
        let count_is_legal = threads.is_none_or(|count| count > 0 && count % 32 == 0);
        if barrier as usize >= BARRIERS || !count_is_legal {
            return Err(misuse(self));
        }
        let at = &mut self.barriers[barrier as usize];
        if at
            .arrive(warp, kind, threads, active, holds.unwrap_or(0))
            .is_err()
        {
            return Err(misuse(self));
        }
        if kind == BarKind::Arrive {
            self.warps[warp].stack.advance();
        } else {
            self.waits[warp] = Some(barrier as usize);
        }
        self.complete_barriers(kernel);
        Ok(())
    }

    /// Lets the warps of complete barriers go on behind their `bar`.
    fn complete_barriers(&mut self, kernel: &Kernel) {
        let live = self.live_warps();
        for number in 0..BARRIERS {
            if !self.barriers[number].is_complete(live) {
                continue;
            }
            let done = std::mem::take(&mut self.barriers[number]);
            for &warp in &done.waiting {
                self.waits[warp] = None;
                let state = &mut self.warps[warp];
                let Some((place, running)) = state.stack.top() else {
                    continue;
                };
                let inst = &kernel.blocks[place.block.0 as usize].insts[place.inst];
                let active = inst.guard.map_or(running, |guard| {
                    running & state.pred(guard.pred, guard.negated)
                });
                if let (Op::Bar(kind), Some(&dst)) = (inst.op, inst.dsts.first()) {
                    let result = done.result(kind);
                    state.write(dst, &Value::splat(u64::from(result)), active);
                    state.write_pred(dst, result, active);
                }
                state.stack.advance();
            }
        }
    }
}
