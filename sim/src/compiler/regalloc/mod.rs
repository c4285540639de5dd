//! Register allocation: from virtual registers to architected ones.
//!
//! Virtual registers are split into webs ([`webs`]), the webs' interference graph is coloured with the fewest
//! registers for which a colouring is found, starting at the most that are live at once ([`colour`]), and what does
//! not fit under a cap is kept in local memory ([`choose`], [`spill`]). 64-bit values take aligned pairs. Predicates are
//! apart: seven of them, P0..P6, as on NVIDIA hardware; more that are live at once are kept as 0 or 1 in general
//! registers. [`checker`] proves the result without knowing how it was made.

pub mod checker;
mod choose;
mod colour;
mod interference;
mod spill;
mod webs;

pub use spill::{is_load, is_store};

pub(crate) use webs::split as split_webs;

use fixedbitset::FixedBitSet;
use thiserror::Error;

use super::cfg::{Cfg, CfgError};
use super::liveness::Liveness;
use crate::kernel::{Dst, Inst, Kernel, Operand, Reg, RegSpace};
use colour::{Colours, Problem};
use interference::Interference;

/// Most 32-bit registers of a thread: 8-bit names, one of which reads as zero (Fermi to Hopper).
pub const MAX_REGS: u16 = 255;
/// Predicate registers of a thread: P0..P6 (3-bit names, one of which is always true).
pub const MAX_PREDS: u16 = 7;
/// Bound on rounds of spilling and colouring. // assumed: real kernels need under ten
const MAX_ROUNDS: usize = 200;

/// What the allocator may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocOptions {
    /// Most 32-bit registers per thread, up to [`MAX_REGS`]; what does not fit goes to local memory.
    pub max_regs: u16,
    /// Most predicates per thread, 1 to [`MAX_PREDS`]; what does not fit goes to general registers.
    pub max_preds: u16,
}

impl Default for AllocOptions {
    fn default() -> Self {
        AllocOptions {
            max_regs: MAX_REGS,
            max_preds: MAX_PREDS,
        }
    }
}

/// Where an instruction of the allocated kernel comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The instruction with this index in the same block of the virtual kernel.
    Inst(usize),
    /// A spill load or store, or a predicate moved to or from a general register.
    Inserted,
}

/// Figures of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocReport {
    /// 32-bit registers per thread.
    pub regs: u16,
    /// Predicates per thread.
    pub preds: u16,
    /// Most 32-bit registers live at once in the allocated kernel; `regs` is never less.
    pub max_live: u16,
    /// Local memory for spilled values, bytes per thread.
    pub spilled_bytes: u32,
    /// Spill loads in the code.
    pub spill_loads: u32,
    /// Spill stores in the code.
    pub spill_stores: u32,
    /// Copies that went away because both ends have one register.
    pub coalesced_copies: u32,
}

/// An allocated kernel.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// The kernel over architected registers.
    pub kernel: Kernel,
    /// For every block and instruction of [`Allocation::kernel`], where it comes from. A copy of the virtual kernel
    /// that is missing was coalesced.
    pub origins: Vec<Vec<Origin>>,
    /// Figures.
    pub report: AllocReport,
}

/// Why there is no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocError {
    /// The kernel has no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// The kernel has been allocated before; start from the one that was read.
    #[error("kernel `{0}` is over architected registers already")]
    NotVirtual(String),
    /// A bound is outside of what the instruction encoding has.
    #[error(
        "at most 1..={MAX_REGS} registers and 1..={MAX_PREDS} predicates, not {regs} and {preds}"
    )]
    BadBounds {
        /// Registers asked for.
        regs: u16,
        /// Predicates asked for.
        preds: u16,
    },
    /// Some instruction needs more registers at once than the cap; raise it.
    #[error(
        "kernel `{kernel}` does not fit into {max_regs} registers even with every value spilled; \
         a single instruction needs {needed}"
    )]
    CapTooSmall {
        /// Entry name.
        kernel: String,
        /// The cap.
        max_regs: u16,
        /// A bound that may do.
        needed: usize,
    },
    /// A fault of ours: [`super::respill::checker`] found the result wrong.
    #[error("refused by the checker: {0}")]
    Unproved(String),
    /// Register numbers have 16 bits.
    #[error("the kernel has {values} values; the compiler numbers at most 65535")]
    TooManyValues {
        /// Values to number.
        values: usize,
    },
}

/// Gives every value of `kernel` an architected register.
///
/// # Errors
/// See [`AllocError`].
pub fn allocate(kernel: &Kernel, options: &AllocOptions) -> Result<Allocation, AllocError> {
    let (regs, preds) = (options.max_regs, options.max_preds);
    if !(1..=MAX_REGS).contains(&regs) || !(1..=MAX_PREDS).contains(&preds) {
        return Err(AllocError::BadBounds { regs, preds });
    }
    if !matches!(kernel.regs, RegSpace::Virtual { .. }) {
        return Err(AllocError::NotVirtual(kernel.name.clone()));
    }
    let cfg = Cfg::new(kernel)?;
    let mut work = Work::new(kernel);
    webs::split(&mut work.kernel, &cfg)?;

    let mut stuck = 0;
    for _ in 0..MAX_ROUNDS {
        let liveness = Liveness::per_thread(&work.kernel, &cfg);
        let graph = Interference::new(&work.kernel, &cfg, &liveness);
        let reg_nodes = 0..liveness.domain().regs();
        let pred_nodes = reg_nodes.end..liveness.domain().len();

        let pred_start = liveness.max_live_preds().max(1) as u16;
        let pred_colours = fewest(&Problem::new(&graph, pred_nodes), pred_start, preds);
        let pred_colours = match pred_colours {
            Ok(colours) => colours,
            Err(failed) => {
                let chosen = choose::choose_preds(&work, &liveness, &graph, preds, &failed);
                if chosen.is_clear() {
                    return Err(too_small(&work, regs, &liveness));
                }
                work.spill_preds(&liveness, &chosen)?;
                continue;
            }
        };
        let start = liveness.max_live_regs().max(1) as u16;
        match fewest(&Problem::new(&graph, reg_nodes), start, regs) {
            Ok(reg_colours) => return work.finish(&cfg, &liveness, &reg_colours, &pred_colours),
            Err(failed) => {
                let chosen = choose::choose_regs(&work, &liveness, &graph, regs, &failed, stuck);
                stuck += usize::from(liveness.max_live_regs() <= usize::from(regs));
                if chosen.is_clear() {
                    return Err(too_small(&work, regs, &liveness));
                }
                work.spill_regs(&liveness, &chosen)?;
            }
        }
    }
    let liveness = Liveness::per_thread(&work.kernel, &cfg);
    Err(too_small(&work, regs, &liveness))
}

fn too_small(work: &Work, max_regs: u16, liveness: &Liveness) -> AllocError {
    AllocError::CapTooSmall {
        kernel: work.kernel.name.clone(),
        max_regs,
        needed: liveness.max_live_regs().max(usize::from(max_regs) + 1),
    }
}

/// The colouring with the fewest registers, from `start` to `cap`.
fn fewest(problem: &Problem, start: u16, cap: u16) -> Result<Colours, Vec<usize>> {
    let with_all = problem.colour(cap)?;
    let with_fewer = (start..cap).find_map(|limit| problem.colour(limit).ok());
    Ok(with_fewer.unwrap_or(with_all))
}

/// The kernel while it is rewritten, still over virtual registers.
struct Work {
    kernel: Kernel,
    origins: Vec<Vec<Origin>>,
    /// Registers and predicates that only carry a spilled value to its instruction: spilling them is no use.
    short_regs: FixedBitSet,
    short_preds: FixedBitSet,
    first_spill_byte: u32,
}

impl Work {
    fn new(kernel: &Kernel) -> Self {
        Work {
            origins: kernel
                .blocks
                .iter()
                .map(|b| (0..b.insts.len()).map(Origin::Inst).collect())
                .collect(),
            first_spill_byte: kernel.local_bytes.next_multiple_of(8),
            kernel: kernel.clone(),
            short_regs: FixedBitSet::new(),
            short_preds: FixedBitSet::new(),
        }
    }

    fn finish(
        mut self,
        cfg: &Cfg,
        liveness: &Liveness,
        regs: &Colours,
        preds: &Colours,
    ) -> Result<Allocation, AllocError> {
        let first_pred = liveness.domain().regs();
        let mut used = [0u16; 2];
        let mut coalesced = 0;
        for (block, origins) in self.kernel.blocks.iter_mut().zip(&mut self.origins) {
            let mut kept = Vec::with_capacity(block.insts.len());
            let mut kept_origins = Vec::with_capacity(origins.len());
            for (inst, origin) in block.insts.drain(..).zip(origins.drain(..)) {
                let mut renamed = inst.clone();
                rename(&mut renamed, &mut used, |is_pred, index| {
                    let node = usize::from(index);
                    let colour = match is_pred {
                        false => regs[node],
                        true => preds[first_pred + node],
                    };
                    colour.expect("every named node has a colour")
                });
                if let Some((dst, src)) = webs::copy_of(&renamed)
                    && same_place(dst, src)
                {
                    coalesced += 1;
                    continue;
                }
                kept.push(renamed);
                kept_origins.push(origin);
            }
            block.insts = kept;
            *origins = kept_origins;
        }
        let inserted = |wanted: fn(&Inst) -> bool| {
            let all = self.kernel.blocks.iter().zip(&self.origins);
            all.flat_map(|(b, o)| b.insts.iter().zip(o))
                .filter(|(inst, origin)| **origin == Origin::Inserted && wanted(inst))
                .count() as u32
        };
        let (spill_loads, spill_stores) = (inserted(spill::is_load), inserted(spill::is_store));
        let spilled_bytes = match spill_loads + spill_stores {
            0 => 0,
            _ => self.kernel.local_bytes - self.first_spill_byte,
        };
        self.kernel.regs = RegSpace::Architected {
            regs: used[0],
            preds: used[1],
        };
        let max_live = Liveness::per_thread(&self.kernel, cfg).max_live_regs();
        let report = AllocReport {
            regs: used[0],
            preds: used[1],
            max_live: max_live as u16,
            spilled_bytes,
            spill_loads,
            spill_stores,
            coalesced_copies: coalesced,
        };
        Ok(Allocation {
            kernel: self.kernel,
            origins: self.origins,
            report,
        })
    }
}

fn same_place(dst: Dst, src: Operand) -> bool {
    match (dst, src) {
        (Dst::Reg(d), Operand::Reg(s)) => d == s,
        (Dst::Pred(d), Operand::Pred { pred, .. }) => d == pred,
        _ => false,
    }
}

/// Renames every register and predicate; `used` keeps one more than the largest number of each.
fn rename(inst: &mut Inst, used: &mut [u16; 2], mut name: impl FnMut(bool, u16) -> u16) {
    let mut reg = |r: &mut Reg, used: &mut [u16; 2]| {
        r.index = name(false, r.index);
        used[0] = used[0].max(r.index + r.width.regs());
    };
    for src in &mut inst.srcs {
        if let Operand::Reg(r) = src {
            reg(r, used);
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Reg(r) = dst {
            reg(r, used);
        }
    }
    let mut pred = |p: &mut crate::kernel::Pred| {
        p.0 = name(true, p.0);
        used[1] = used[1].max(p.0 + 1);
    };
    for src in &mut inst.srcs {
        if let Operand::Pred { pred: p, .. } = src {
            pred(p);
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Pred(p) = dst {
            pred(p);
        }
    }
    if let Some(guard) = &mut inst.guard {
        pred(&mut guard.pred);
    }
}

#[cfg(test)]
mod tests;
