//! RegDem: registers of a kernel are demoted to scratchpad, so that more CTAs fit (register demotion).
//!
//! 1. [`groups`]: which registers move together, how often they are accessed, which are operands together; from that the
//!    candidates in three orders.
//! 2. [`layout`]: where a demoted register of a thread lies.
//! 3. [`compact`]: new numbers for the registers that stay, for RDA (the thread's address) and RDV (the value).
//! 4. `emit`: the kernel with a store behind each definition and a load before each use of a demoted register.
//! 5. `cleanup`: loads and stores that change nothing go away, the other loads move up.
//!
//! [`barriers`] annotates scoreboard barriers, [`predict`] estimates how fast a variant is, from what its memory accesses cost
//! ([`transactions`]) by what is known of their addresses ([`lanes`]); [`variants`] lists what there is to choose from.
//! [`checker`] proves a result without any of this.

pub mod barriers;
pub mod checker;
mod cleanup;
pub mod compact;
mod emit;
pub mod groups;
pub mod lanes;
pub mod layout;
pub mod predict;
pub mod transactions;
pub mod variants;

use crate::compiler::cfg::{Cfg, CfgError};
use crate::kernel::{Inst, Kernel, Op, RegSpace};
use compact::{Compaction, Slot};
use emit::Emission;
use groups::Groups;
use layout::Layout;
use std::collections::{BTreeMap, BTreeSet};

/// By what candidates are ordered (RegDem 3.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// Accesses in the text.
    Static,
    /// Accesses in the text, ten times for each loop around them.
    LoopWeighted,
    /// Registers that are operands of an instruction together with it.
    Conflicts,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 3] = [
        Strategy::Static,
        Strategy::LoopWeighted,
        Strategy::Conflicts,
    ];
}

/// What is done to the code behind the demotion (RegDem 3.4.2); each level has what the one before it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cleanup {
    /// Nothing.
    None,
    /// Redundant loads and dead stores go away.
    Redundant,
    /// Loads move up.
    Hoist,
    /// Registers that are free in a block serve as further RDVs.
    Substitute,
}

impl Cleanup {
    /// All of them.
    pub const ALL: [Cleanup; 4] = [
        Cleanup::None,
        Cleanup::Redundant,
        Cleanup::Hoist,
        Cleanup::Substitute,
    ];
}

/// How much is demoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// So many registers, or as many as there are that no instruction names together.
    Count(u16),
    /// Until the kernel has at most so many registers, RDA and RDV among them.
    Until(u16),
}

/// How a kernel is demoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Options {
    /// How much.
    pub amount: Amount,
    /// What first.
    pub strategy: Strategy,
    /// How the rest is renumbered.
    pub compaction: Compaction,
    /// What is done afterwards.
    pub cleanup: Cleanup,
}

/// Where an instruction of a demoted kernel comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The instruction with this index in the same block of the original.
    Inst(usize),
    /// A part of the computation of RDA.
    Base,
    /// A demoted load of this slot.
    Load(u16),
    /// A demoted store to this slot.
    Store(u16),
}

/// A demoted kernel.
#[derive(Clone, Debug)]
pub struct Demoted {
    /// The kernel. It declares the scratchpad of its demoted registers, too.
    pub kernel: Kernel,
    /// Per block and instruction, where it comes from.
    pub origins: Vec<Vec<Origin>>,
    /// Where the demoted registers lie.
    pub layout: Layout,
    /// Demoted registers that have a place in scratchpad.
    pub slots: u16,
    /// Registers of the original that were demoted, ascending.
    pub demoted: Vec<u16>,
    /// Scratchpad of a CTA: the kernel's own, static and dynamic, and that of demoted registers, bytes.
    pub scratchpad_bytes: u32,
}

impl Demoted {
    /// Demoted loads and stores in the text.
    pub fn accesses(&self) -> (usize, usize) {
        let all = || self.origins.iter().flatten();
        (
            all().filter(|o| matches!(o, Origin::Load(_))).count(),
            all().filter(|o| matches!(o, Origin::Store(_))).count(),
        )
    }
}

/// A CTA, as the pass must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cta {
    /// Threads, at least 1.
    pub threads: u32,
    /// The kernel's own scratchpad, static and dynamic, bytes.
    pub scratchpad_bytes: u32,
}

/// Why a kernel cannot be demoted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DemoteError {
    /// The kernel has no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// Run register allocation first.
    #[error("kernel `{0}` has no architected registers yet")]
    NotAllocated(String),
    /// Demote first, then let the other system rewrite the kernel.
    #[error("kernel `{0}` has been rewritten for register hardware already")]
    Rewritten(String),
    /// Nothing can be demoted, or not so much.
    #[error(
        "kernel `{kernel}` of {regs} registers cannot be demoted to {wanted}: {reached} is the fewest"
    )]
    TooFew {
        /// The kernel.
        kernel: String,
        /// Registers before.
        regs: u16,
        /// Registers wanted.
        wanted: u16,
        /// Registers reached.
        reached: u16,
    },
    /// A count that leaves nothing to do.
    #[error(
        "no register of kernel `{0}` is demoted; ask for one at least, of a kernel that has some"
    )]
    Nothing(String),
    /// RDA and RDV need numbers of their own.
    #[error("kernel `{kernel}` would need {regs} registers; 255 is the most")]
    TooManyRegisters {
        /// The kernel.
        kernel: String,
        /// Registers, with RDA and RDV.
        regs: u16,
    },
    /// The scratchpad would be larger than what an address reaches.
    #[error("CTAs of {threads} threads are too large")]
    CtaTooLarge {
        /// Threads.
        threads: u32,
    },
}

/// What was chosen, and the new numbers.
struct Selection {
    chosen: BTreeSet<usize>,
    /// New number of each register that stays.
    place: BTreeMap<u16, u16>,
    rda: u16,
    rdv: u16,
    regs: u16,
}

/// The registers that stay, RDV and RDA behind them, in a relocation space that has gaps where demoted ones were.
fn relocation(groups: &Groups, chosen: &BTreeSet<usize>, regs: u16) -> Vec<Slot> {
    let mut slots: Vec<Slot> = (groups.all.iter().enumerate())
        .filter(|(index, _)| !chosen.contains(index))
        .map(|(_, group)| Slot {
            from: group.base,
            width: group.width,
        })
        .collect();
    let width = chosen
        .iter()
        .map(|&g| groups.all[g].width)
        .max()
        .unwrap_or(1);
    let from = if width == 2 {
        regs.next_multiple_of(2)
    } else {
        regs
    };
    slots.push(Slot { from, width });
    slots.push(Slot {
        from: from + width,
        width: 1,
    });
    slots
}

fn select(
    kernel: &Kernel,
    cfg: &Cfg,
    groups: &Groups,
    regs: u16,
    options: Options,
) -> Result<Selection, DemoteError> {
    let plain = |chosen: &BTreeSet<usize>| {
        let slots = relocation(groups, chosen, regs);
        compact::count(&slots, &compact::compact(&slots, Compaction::Plain, |_| 0))
    };
    let words =
        |chosen: &BTreeSet<usize>| -> u16 { chosen.iter().map(|&g| groups.all[g].width).sum() };
    let chosen = groups.choose(options.strategy, |chosen| match options.amount {
        Amount::Count(count) => words(chosen) >= count,
        Amount::Until(target) => !chosen.is_empty() && plain(chosen) <= target,
    });
    if chosen.is_empty() {
        return Err(DemoteError::Nothing(kernel.name.clone()));
    }
    let reached = plain(&chosen);
    if let Amount::Until(wanted) = options.amount
        && reached > wanted
    {
        return Err(DemoteError::TooFew {
            kernel: kernel.name.clone(),
            regs,
            wanted,
            reached,
        });
    }
    if reached > crate::kernel::verify::MAX_ARCHITECTED_REGS {
        return Err(DemoteError::TooManyRegisters {
            kernel: kernel.name.clone(),
            regs: reached,
        });
    }
    let slots = relocation(groups, &chosen, regs);
    let map = |places: &[u16]| {
        let mut place = BTreeMap::new();
        for (slot, &to) in slots.iter().zip(places) {
            for unit in 0..slot.width {
                place.insert(slot.from + unit, to + unit);
            }
        }
        place
    };
    let [.., rdv, rda] = slots[..] else {
        unreachable!("RDV and RDA are the last two")
    };
    let cost = |places: &[u16]| {
        let place = map(places);
        compact::conflicts(kernel, cfg, |unit| match groups.index(unit) {
            Some(group) if chosen.contains(&group) => {
                place[&rdv.from] + unit - groups.all[group].base
            }
            _ => place[&unit],
        })
    };
    let places = compact::compact(&slots, options.compaction, cost);
    let place = map(&places);
    Ok(Selection {
        rda: place[&rda.from],
        rdv: place[&rdv.from],
        regs: compact::count(&slots, &places),
        chosen,
        place,
    })
}

fn is_for_hardware(inst: &Inst) -> bool {
    matches!(inst.op, Op::Acquire | Op::Release | Op::Pir | Op::Pbr)
}

/// Demotes registers of `kernel`, which is over architected registers, to scratchpad.
///
/// # Errors
/// See [`DemoteError`]. The result computes what the kernel computed; [`checker::check`] proves it.
pub fn demote(kernel: &Kernel, cta: Cta, options: Options) -> Result<Demoted, DemoteError> {
    let RegSpace::Architected { regs, .. } = kernel.regs else {
        return Err(DemoteError::NotAllocated(kernel.name.clone()));
    };
    if kernel
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .any(is_for_hardware)
    {
        return Err(DemoteError::Rewritten(kernel.name.clone()));
    }
    let too_large = DemoteError::CtaTooLarge {
        threads: cta.threads,
    };
    // An SM has no more threads, and scratchpad addresses must fit into 32 bits.
    if !(1..=2048).contains(&cta.threads) || cta.scratchpad_bytes > 1 << 24 {
        return Err(too_large);
    }
    let layout = Layout::behind(cta.scratchpad_bytes, cta.threads).ok_or(too_large)?;
    let cfg = Cfg::new(kernel)?;
    let groups = Groups::of(kernel, &cfg);
    let selection = select(kernel, &cfg, &groups, regs, options)?;
    let mut emission = Emission::new(
        kernel,
        &cfg,
        &groups,
        &selection,
        layout,
        cta.scratchpad_bytes,
        options.cleanup >= Cleanup::Substitute,
    );
    if options.cleanup >= Cleanup::Redundant {
        cleanup::redundant_loads(&mut emission.kernel, &mut emission.origins);
        cleanup::dead_stores(&mut emission.kernel, &mut emission.origins, &cfg);
    }
    if options.cleanup >= Cleanup::Hoist {
        cleanup::hoist(&mut emission.kernel, &mut emission.origins);
    }
    let slots = emission.number_slots(layout);
    let Emission {
        mut kernel,
        origins,
        ..
    } = emission;
    let own_static = kernel.shared_bytes;
    kernel.shared_bytes = layout.declared_bytes(own_static, cta.scratchpad_bytes, slots);
    let dynamic = (cta.scratchpad_bytes > own_static)
        .then(|| cta.scratchpad_bytes - own_static.next_multiple_of(16).min(cta.scratchpad_bytes));
    let scratchpad_bytes = match dynamic {
        Some(dynamic) => kernel.shared_bytes.next_multiple_of(16) + dynamic,
        None => kernel.shared_bytes,
    };
    let demoted = selection.chosen.iter().flat_map(|&g| groups.all[g].units());
    Ok(Demoted {
        kernel,
        origins,
        layout,
        slots,
        demoted: demoted.collect(),
        scratchpad_bytes,
    })
}

#[cfg(test)]
mod tests;
