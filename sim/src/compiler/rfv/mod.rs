//! Release flags for register file virtualization (RFV 6): each instruction says which of its sources are dead after it, and
//! each reconvergence point which registers have died on the way to it.
//!
//! What is dead is told by the liveness of a warp ([`Liveness::warp_wide`]), which keeps a register of one side of a branch
//! until lanes that wait elsewhere cannot read it any more: so divergent sides release only what is their own, and a value
//! that is carried round a loop lives until the loop is left (RFV 6.1).
//!
//! The flags are words of the program (RFV 6.2): a `pir` at the start of each block and after every 18 instructions, with
//! three flags for each of the 18 that follow; a `pbr` of up to nine registers before the first pir of a reconvergence point.
//! What is mapped at an exit and read by nobody is released by a `pbr` before it, if one can name all; an exit behind which nothing is
//! mapped says so ([`MAPS_NOTHING`]), and the table need not be walked for the end of the warp. // assumed: the paper does not
//! say what that costs
//!
//! The branches of a program that was lifted from a trace are no instructions of it ([`crate::trace::lift`]): they cost nothing,
//! take no place in a pir, and a block of nothing else has none.

pub mod exempt;
mod mapped;
pub mod operands;
#[cfg(test)]
mod tests;

use fixedbitset::FixedBitSet;
use regshare_hw::rfv::flag_decoder::{PBR_IDS, PIR_SLOTS, pbr_word, pir_word};
use thiserror::Error;

use super::cfg::{Cfg, CfgError};
use super::liveness::{Liveness, WarpOptions};
use crate::kernel::exit::MAPS_NOTHING;
use crate::kernel::{Block, BlockId, Inst, Kernel, Line, Op, Operand, RegSpace};
use arrayvec::ArrayVec;

/// Banks of the renaming table and of the register file (RFV 7.1).
pub const BANKS: usize = 4;
/// Registers of a warp that the renaming table has words for (Fermi's 63).
pub const MAX_REGS: u16 = 63;

/// A kernel with flag words.
#[derive(Clone, Debug)]
pub struct Flagged {
    /// The kernel.
    pub kernel: Kernel,
    /// pir words in it.
    pub pirs: usize,
    /// pbr words in it.
    pub pbrs: usize,
    /// Instructions without the words, as [`insts_of`] counts them.
    pub insts: usize,
    /// Most registers of each bank that a warp has mapped at once, exempt ones left out.
    pub most_mapped: [u16; BANKS],
    /// Most registers that it has mapped at once.
    pub most_mapped_in_all: u16,
    /// Registers that it has mapped in the mean over its instructions, each counted ten times for each loop around it.
    pub mean_mapped: f64,
}

impl Flagged {
    /// Words per instruction of the kernel without them: the static code increase (RFV 9.4).
    #[must_use]
    pub fn static_increase(&self) -> f64 {
        (self.pirs + self.pbrs) as f64 / self.insts.max(1) as f64
    }
}

/// Why a kernel gets no flags.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FlagError {
    /// The kernel has no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// The kernel is not allocated.
    #[error("kernel {0} has no architected registers yet; run register allocation first")]
    NotAllocated(String),
    /// More than the table has.
    #[error(
        "{0} registers per thread: the renaming table has {MAX_REGS}; compile with --max-regs {MAX_REGS} or demote some (regdem+rfv)"
    )]
    Registers(u16),
    /// Words of the program are counted with 16 bits.
    #[error(
        "{0} instructions and flag words: the program counter of the flag cache counts to 65535"
    )]
    Long(usize),
}

/// Whether a kernel was lifted from a trace, so that its branches are no instructions.
fn is_lifted(kernel: &Kernel) -> bool {
    let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.op, Op::Traced(_)))
}

/// Instructions of a kernel, without words of release flags, and without branches if it was lifted from a trace.
#[must_use]
pub fn insts_of(kernel: &Kernel) -> usize {
    let lifted = is_lifted(kernel);
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let counts = |inst: &&Inst| match inst.op {
        Op::Pir | Op::Pbr => false,
        Op::Bra(_) => !lifted,
        _ => true,
    };
    insts.filter(counts).count()
}

/// Per instruction of a block, the flags of its three sources; per block, the registers that its pbr words release at its start.
#[derive(Clone, Debug)]
struct Flags {
    sources: Vec<Vec<u8>>,
    at_start: Vec<FixedBitSet>,
    /// Of the exits behind which nothing is mapped, by number of instruction, the registers that a pbr releases before them.
    at_exit: Vec<Vec<(usize, Vec<u8>)>>,
}

/// Puts the words into a kernel in architected registers. Those below `exempt` are never released (RFV 7.1).
///
/// # Errors
/// [`FlagError`].
pub fn flag(kernel: &Kernel, exempt: u16) -> Result<Flagged, FlagError> {
    let RegSpace::Architected { regs, .. } = kernel.regs else {
        return Err(FlagError::NotAllocated(kernel.name.clone()));
    };
    if regs > MAX_REGS {
        return Err(FlagError::Registers(regs));
    }
    let cfg = Cfg::new(kernel)?;
    let live = Liveness::warp_wide(kernel, &cfg, WarpOptions::default());
    let sources: Vec<Vec<u8>> = (kernel.blocks.iter().enumerate())
        .map(|(number, block)| {
            let dies = |inst: usize, reg: u16| {
                reg >= exempt
                    && !live
                        .after(BlockId(number as u32), inst)
                        .contains(usize::from(reg))
            };
            (block.insts.iter().enumerate())
                .map(|(i, inst)| operands::flags(inst, |reg| dies(i, reg)))
                .collect()
        })
        .collect();
    let mapped = mapped::solve(kernel, &cfg, &live, &sources, exempt);
    // Lanes that a trace has parted take turns as they like.
    let lifted = is_lifted(kernel);
    let anything = mapped::written(kernel, exempt);
    let mut at_exit: Vec<Vec<(usize, Vec<u8>)>> = vec![Vec::new(); cfg.len()];
    for (number, exits) in mapped.exits.iter().enumerate() {
        for (at, left) in exits {
            let left = match lifted {
                true => &anything,
                false => left,
            };
            let after = live.after(BlockId(number as u32), *at);
            let is_read = left.ones().any(|reg| after.contains(reg));
            // One word costs fewer cycles than the walk that it saves.
            if !is_read && left.count_ones(..) <= PBR_IDS {
                at_exit[number].push((*at, left.ones().map(|reg| reg as u8).collect()));
            }
        }
    }
    let flags = Flags {
        sources,
        at_start: mapped.released_at_start,
        at_exit,
    };
    let mut flagged = Flagged {
        kernel: kernel.clone(),
        pirs: 0,
        pbrs: 0,
        insts: insts_of(kernel),
        most_mapped: mapped.most_in_bank,
        most_mapped_in_all: mapped.most,
        mean_mapped: mapped.mean,
    };
    for (number, block) in flagged.kernel.blocks.iter_mut().enumerate() {
        // A branch is the last instruction of its block.
        let is_free = |inst: &Inst| lifted && matches!(inst.op, Op::Bra(_));
        let free = block.insts.pop_if(|last| is_free(last));
        let (pirs, pbrs) = insert(block, &flags, number);
        block.insts.extend(free);
        flagged.pirs += pirs;
        flagged.pbrs += pbrs;
    }
    let words = (flagged.kernel.blocks.iter())
        .map(|block| block.insts.len())
        .sum();
    if words >= 1 << 16 {
        return Err(FlagError::Long(words));
    }
    Ok(flagged)
}

fn word(op: Op, bits: u64) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: ArrayVec::new(),
        srcs: [Operand::Imm(bits)].into_iter().collect(),
        line: Line(0),
    }
}

/// The pbr words that release the registers.
fn releasing(regs: &[u8]) -> impl Iterator<Item = Inst> {
    // A chunk has at most as many registers as fit.
    let words = regs.chunks(PBR_IDS).filter_map(pbr_word);
    words.map(|bits| word(Op::Pbr, bits))
}

/// The block of that number with its words; how many pir and pbr words these are.
fn insert(block: &mut Block, flags: &Flags, number: usize) -> (usize, usize) {
    let mut out = Vec::with_capacity(block.insts.len() + 2);
    let dead: Vec<u8> = (flags.at_start[number].ones())
        .map(|reg| reg as u8)
        .collect();
    out.extend(releasing(&dead));
    let mut pbrs = out.len();
    let mut pirs = 0;
    let mut exits = flags.at_exit[number].iter().peekable();
    for (at, mut inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
        if let Some((_, regs)) = exits.next_if(|(exit, _)| *exit == at) {
            let before = out.len();
            out.extend(releasing(regs));
            pbrs += out.len() - before;
            inst.mark_exit(inst.exit_marks().unwrap_or(0) | MAPS_NOTHING);
        }
        if at % PIR_SLOTS == 0 {
            let mut covered = [0; PIR_SLOTS];
            let sources = flags.sources[number][at..].iter();
            covered
                .iter_mut()
                .zip(sources)
                .for_each(|(flag, source)| *flag = *source);
            out.push(word(Op::Pir, pir_word(&covered)));
            pirs += 1;
        }
        out.push(inst);
    }
    block.insts = out;
    (pirs, pbrs)
}
