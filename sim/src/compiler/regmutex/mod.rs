//! RegMutex: `acquire`, `release`, and registers that stay inside their set (RegMutex III-A3 and III-A4).
//!
//! 1. [`regions`]: at which program points the extended set is held, from the warp-wide count of live registers.
//! 2. [`marked`]: the kernel with transitions and with identity copies where values may change place.
//! 3. [`webs`], [`constraints`], [`coloring`]: places for all values, such that whatever is live without the set,
//!    also in lanes that wait elsewhere, lies below |Bs|. Copies that move nothing go away; the others are the MOVs
//!    of the paper.
//! 4. Where no such places exist, the set is held longer, at the points that cost least.
//!
//! [`checker`] proves the result without any of this.

pub mod checker;
mod coloring;
mod constraints;
mod marked;
mod regions;
mod serial;
mod webs;

pub use regions::{Repeats, live_where_free};

use crate::compiler::cfg::{Cfg, CfgError};
use crate::compiler::liveness::{Liveness, WarpOptions};
use crate::kernel::{Dst, Inst, Kernel, Op, Operand, Reg, RegSpace};
use coloring::Ranges;
use constraints::Constraints;
use marked::{Copies, CopyContext, Marked};
use regions::{Free, Held, Transitions};
use serial::Serialisation;
use webs::{Group, Webs};

/// Rounds of holding the set longer before giving up.
const MAX_ROUNDS: usize = 64; // assumed
/// Rounds in which the set is held longer for one value without a place; from then on every second round for twice as many. If some
/// value finds no place then, all rounds are for one. // assumed
const PATIENCE: usize = 16;

/// A kernel rewritten for an extended set.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The kernel; it names registers 0 .. |Bs| + |Es|.
    pub kernel: Kernel,
    /// Per block and instruction: index of the original instruction in its block; `None` for inserted ones.
    pub origin: Vec<Vec<Option<usize>>>,
    /// `acquire` instructions in the text.
    pub acquires: usize,
    /// `release` instructions in the text.
    pub releases: usize,
    /// MOVs that bring values down, or up, in the text.
    pub moves: usize,
}

/// Why a kernel cannot live with this |Bs|.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The kernel has no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// Run register allocation first.
    #[error("kernel `{0}` has no architected registers yet")]
    NotAllocated(String),
    /// |Bs| + |Es| must hold the kernel's registers.
    #[error("the kernel names {regs} registers, |Bs| + |Es| is {total}")]
    TooFewRegisters {
        /// Registers that the kernel names.
        regs: u16,
        /// |Bs| + |Es|.
        total: u16,
    },
    /// Second hard rule.
    #[error("{live} registers are live where no warp may hold its extended set, |Bs| is {bs}")]
    LiveAtBarrier {
        /// Most live registers at a barrier or exit.
        live: u16,
        /// |Bs|.
        bs: u16,
    },
    /// With [`Repeats::Never`] only.
    #[error("block {block} is reached both with and without the extended set")]
    Repeats {
        /// The block.
        block: usize,
    },
    /// The value of a register has no place below |Bs| although the count of live registers fits.
    #[error("the value in r{reg} finds no place among {bs} base registers")]
    NoPlace {
        /// Register of the original kernel.
        reg: u16,
        /// |Bs|.
        bs: u16,
    },
}

/// Rewrites `kernel` for base registers 0 .. `bs` and extended registers `bs` .. `bs + es`.
///
/// # Errors
/// See [`RewriteError`]. The result computes what the kernel computed; [`checker::check`] proves it.
pub fn rewrite(
    kernel: &Kernel,
    bs: u16,
    es: u16,
    repeats: Repeats,
) -> Result<Rewritten, RewriteError> {
    let RegSpace::Architected { regs, .. } = kernel.regs else {
        return Err(RewriteError::NotAllocated(kernel.name.clone()));
    };
    let ranges = Ranges { bs, total: bs + es };
    if regs > ranges.total {
        let total = ranges.total;
        return Err(RewriteError::TooFewRegisters { regs, total });
    }
    let cfg = Cfg::new(kernel)?;
    let warp = Liveness::warp_wide(kernel, &cfg, WarpOptions::default());
    let live = live_where_free(kernel, &cfg, &warp);
    if live > bs {
        return Err(RewriteError::LiveAtBarrier { live, bs });
    }
    let serial = Serialisation::of(kernel, &cfg);
    let thread = Liveness::per_thread(kernel, &cfg);
    let webs = Webs::of(kernel, &cfg, &thread);
    let context = CopyContext::new(&serial, &thread, &webs);
    let free = Free::of(kernel, &cfg);
    let held = Held::by_pressure(kernel, &free, &warp, bs);
    let search = Search {
        kernel,
        cfg: &cfg,
        free: &free,
        serial: &serial,
        context: &context,
        ranges,
        repeats,
    };
    match search.places(held.clone(), PATIENCE) {
        // Sets that are held for many values at once can leave another no place.
        Err((_, rounds)) if rounds > PATIENCE => search.places(held, MAX_ROUNDS),
        found => found,
    }
    .map_err(|(error, _)| error)
}

/// What the search for places goes on.
struct Search<'k> {
    kernel: &'k Kernel,
    cfg: &'k Cfg,
    free: &'k Free<'k>,
    serial: &'k Serialisation,
    context: &'k CopyContext<'k>,
    ranges: Ranges,
    repeats: Repeats,
}

impl Search<'_> {
    /// Places for all values; in round after round the set is held longer than in `held`, in the first `patience` rounds for one
    /// value.
    ///
    /// # Errors
    /// The reason, and in which round.
    fn places(&self, mut held: Held, patience: usize) -> Result<Rewritten, (RewriteError, usize)> {
        let (kernel, bs) = (self.kernel, self.ranges.bs);
        let flow = (self.cfg, self.free);
        for round in 0..MAX_ROUNDS {
            let transitions =
                Transitions::between(kernel, flow, self.serial, &mut held, self.repeats)
                    .map_err(|block| (RewriteError::Repeats { block }, round))?;
            let mut failed = None;
            for copies in [Copies::None, Copies::AtRelease, Copies::AtBoth] {
                let marked = Marked::new(kernel, &transitions, &held, copies, self.context);
                let attempt = Attempt::new(marked, self.cfg, self.serial);
                match coloring::color(&attempt.webs.groups, &attempt.constraints, self.ranges) {
                    Ok(places) => return Ok(attempt.finish(&places, self.ranges.total)),
                    Err(groups) => failed = Some((attempt, groups)),
                }
            }
            let (attempt, groups) = failed.expect("every attempt failed");
            let most = 1 << (round.saturating_sub(patience) / 2);
            for (number, &group) in groups.iter().take(most).enumerate() {
                let done = attempt.hold_longer(group, flow, &mut held);
                if number == 0 && !done {
                    let reg = attempt.webs.groups[group as usize].original;
                    return Err((RewriteError::NoPlace { reg, bs }, round));
                }
            }
            held.bridge_gaps(kernel, self.free);
        }
        Err((RewriteError::NoPlace { reg: 0, bs }, MAX_ROUNDS))
    }
}

/// One marked kernel with what its places must satisfy.
struct Attempt {
    marked: Marked,
    webs: Webs,
    constraints: Constraints,
}

impl Attempt {
    fn new(marked: Marked, cfg: &Cfg, serial: &Serialisation) -> Self {
        let thread = Liveness::per_thread(&marked.kernel, cfg);
        let webs = Webs::of(&marked.kernel, cfg, &thread);
        let constraints = Constraints::of(&marked, serial, &thread, &webs);
        Attempt {
            marked,
            webs,
            constraints,
        }
    }

    /// Renames all registers and drops copies that move nothing.
    fn finish(self, places: &[u16], total: u16) -> Rewritten {
        let mut kernel = self.marked.kernel;
        let mut origin = self.marked.origin;
        let place = |web: Option<u32>, reg: &mut Reg| {
            let web = web.expect("register operands have webs");
            reg.index = places[self.webs.group(web) as usize] + self.webs.offset(web);
        };
        for (b, block) in kernel.blocks.iter_mut().enumerate() {
            for (i, inst) in block.insts.iter_mut().enumerate() {
                let named = self.webs.named(b, i);
                for (src, web) in inst.srcs.iter_mut().zip(&named.srcs) {
                    if let Operand::Reg(reg) = src {
                        place(*web, reg);
                    }
                }
                for (dst, web) in inst.dsts.iter_mut().zip(&named.dsts) {
                    if let Dst::Reg(reg) = dst {
                        place(*web, reg);
                    }
                }
            }
            let keep: Vec<bool> = (block.insts.iter().zip(&origin[b]))
                .map(|(inst, from)| from.is_some() || !moves_nothing(inst))
                .collect();
            let mut kept = keep.iter();
            block
                .insts
                .retain(|_| *kept.next().expect("one per instruction"));
            let mut kept = keep.iter();
            origin[b].retain(|_| *kept.next().expect("one per instruction"));
        }
        if let RegSpace::Architected { regs, .. } = &mut kernel.regs {
            *regs = total;
        }
        let inserted = |wanted: fn(&Op) -> bool| {
            (kernel.blocks.iter().zip(&origin))
                .flat_map(|(block, origin)| block.insts.iter().zip(origin))
                .filter(|(inst, from)| from.is_none() && wanted(&inst.op))
                .count()
        };
        Rewritten {
            acquires: inserted(|op| *op == Op::Acquire),
            releases: inserted(|op| *op == Op::Release),
            moves: inserted(|op| matches!(op, Op::Mov(_))),
            kernel,
            origin,
        }
    }

    /// Holds the set at the points that confine `failed` or one of its low neighbours, whichever is cheapest.
    /// False when nothing can be done.
    fn hold_longer(&self, failed: Group, flow: (&Cfg, &Free<'_>), held: &mut Held) -> bool {
        let neighbours = self.constraints.conflicts[failed as usize].iter();
        let mut candidates: Vec<Group> = neighbours.map(|c| c.other).chain([failed]).collect();
        candidates.sort_unstable();
        candidates.dedup();
        (candidates.into_iter())
            .filter_map(|group| self.points_to_hold(group, flow, held))
            .min_by_key(|points| points.len())
            .map(|points| {
                for (block, inst) in points {
                    held.0[block][inst] = true;
                }
            })
            .is_some()
    }

    /// Points of the original kernel that must hold the set for `group` to be free; `None` where it must be low
    /// for good, or is free already.
    fn points_to_hold(
        &self,
        group: Group,
        (cfg, free): (&Cfg, &Free<'_>),
        held: &Held,
    ) -> Option<Vec<(usize, usize)>> {
        let mut points = Vec::new();
        for (block, inst) in &self.constraints.low_at[group as usize] {
            let origin = &self.marked.origin[*block];
            match inst {
                None => points.extend((0..held.0[*block].len()).map(|i| (*block, i))),
                Some(inst) => match origin[*inst..].iter().flatten().next() {
                    Some(original) => points.push((*block, *original)),
                    None => {
                        let last = held.0[*block].len() - 1;
                        let next = cfg.succs(crate::kernel::BlockId(*block as u32));
                        points.push((*block, last));
                        points.extend(next.iter().map(|s| (s.0 as usize, 0)));
                    }
                },
            }
        }
        points.retain(|(block, inst)| !held.0[*block][*inst]);
        points.sort_unstable();
        points.dedup();
        let may_be_held = |&(block, inst): &(usize, usize)| !free.at(block, inst);
        (!points.is_empty() && points.iter().all(may_be_held)).then_some(points)
    }
}

fn moves_nothing(inst: &Inst) -> bool {
    matches!(
        (&inst.op, inst.dsts.first(), inst.srcs.first()),
        (Op::Mov(_), Some(Dst::Reg(to)), Some(Operand::Reg(from))) if to == from
    )
}

#[cfg(test)]
mod sweep;
#[cfg(test)]
mod tests;
