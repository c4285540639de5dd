//! Live registers as in Figures 1 and 3 of RegMutex: in the terminal and as SVG.
//!
//! Figure 3 is the map, live registers against the code. One row per instruction, one column per 32-bit register. Marks are those of `nvdisasm`: `^` written, `v` read,
//! `x` both, `:` live and not named. The count beside them is what the instruction needs
//! ([`Liveness::regs_needed`]); where it exceeds |Bs| the warp must hold its extended set.
//!
//! Figure 1 is the curve below it: that count in percent of the kernel's registers, over the instructions that a thread
//! executed, or over the text where nothing was run.

mod curve;
mod svg;
mod terminal;

pub use svg::svg;
pub use terminal::{terminal, terminal_colored};

use crate::compiler::liveness::Liveness;
use crate::kernel::{BlockId, Inst, Kernel, text};

/// What a register is to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Dead,
    Live,
    Read,
    Written,
    Both,
}

/// One line of the map.
struct Row {
    /// Number of the instruction in program order, from 0.
    number: usize,
    /// Label of the block, on its first instruction.
    label: Option<String>,
    text: String,
    marks: Vec<Mark>,
    needed: usize,
    /// Whether it needs more than |Bs|.
    needs_set: bool,
}

fn rows(kernel: &Kernel, liveness: &Liveness, bs: Option<u16>) -> Vec<Row> {
    let regs = liveness.domain().regs();
    let mut rows = Vec::new();
    for (b, block) in kernel.blocks.iter().enumerate() {
        let id = BlockId(b as u32);
        for (i, inst) in block.insts.iter().enumerate() {
            let needed = liveness.regs_needed(id, i);
            rows.push(Row {
                number: rows.len(),
                label: (i == 0).then(|| block.label.clone()),
                text: text::print_inst(kernel, inst).trim().to_owned(),
                marks: marks(inst, liveness, id, i, regs),
                needed,
                needs_set: bs.is_some_and(|bs| needed > usize::from(bs)),
            });
        }
    }
    rows
}

fn marks(inst: &Inst, liveness: &Liveness, block: BlockId, i: usize, regs: usize) -> Vec<Mark> {
    let mut marks = vec![Mark::Dead; regs];
    // Live through the instruction: a value that only starts or ends here is named by it.
    for unit in liveness.reg_indices_before(block, i) {
        marks[usize::from(unit)] = Mark::Live;
    }
    let domain = liveness.domain();
    for bit in inst.src_regs().flat_map(|reg| domain.reg_bits(reg)) {
        marks[bit] = Mark::Read;
    }
    for bit in inst.dst_regs().flat_map(|reg| domain.reg_bits(reg)) {
        marks[bit] = match marks[bit] {
            Mark::Read | Mark::Both => Mark::Both,
            _ => Mark::Written,
        };
    }
    marks
}

#[cfg(test)]
mod tests;
