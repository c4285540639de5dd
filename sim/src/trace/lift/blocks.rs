//! Basic blocks and branches from what followed what.
//!
//! Blocks stand in the order of addresses. Which way a warp goes the trace says, so branches cost nothing: whatever ends a block,
//! a branch of the trace with it, is an instruction like others, and behind it stands one of our branches for each block that may
//! follow but the next in the text. All have the predicate that no instruction writes, or none.

use super::observe::Observed;
use crate::kernel::verify::MAX_ARCHITECTED_REGS;
use crate::kernel::{Block, BlockId, Dst, Guard, Inst, Kernel, Line, Op, Pred, Reg, RegSpace};
use crate::trace::record::Header;
use arrayvec::ArrayVec;

/// The predicate that stands for the mask of a line. Nothing writes it.
pub const MASK: Guard = Guard {
    pred: Pred(0),
    negated: false,
};

/// Instructions that stand behind each other, by number.
struct Piece {
    insts: Vec<u32>,
    /// First instructions of the blocks that may follow, without the next piece's.
    jumps: Vec<u32>,
    /// The next piece may follow.
    falls: bool,
    label: String,
}

impl Piece {
    /// Blocks that it takes: a branch is the last of its block.
    fn blocks(&self) -> u32 {
        self.jumps.len().max(1) as u32
    }
}

/// The kernel.
pub fn kernel(observed: &Observed, header: &Header) -> Kernel {
    let pieces = pieces(observed);
    let mut block_of = vec![0; observed.insts.len()];
    let mut count = 0;
    for piece in &pieces {
        if let Some(&first) = piece.insts.first() {
            block_of[first as usize] = count;
        }
        count += piece.blocks();
    }
    let mut blocks = Vec::with_capacity(count as usize);
    for piece in &pieces {
        let mut insts: Vec<Inst> = (piece.insts.iter())
            .map(|&number| lifted(observed, number))
            .collect();
        let last = piece.jumps.len().saturating_sub(1);
        for (index, &to) in piece.jumps.iter().enumerate() {
            let always = index == last && !piece.falls;
            let target = BlockId(block_of[to as usize]);
            insts.push(bra(target, (!always).then_some(MASK)));
            blocks.push(Block {
                label: match index {
                    0 => piece.label.clone(),
                    _ => format!("{}_{index}", piece.label),
                },
                insts: std::mem::take(&mut insts),
            });
        }
        if piece.jumps.is_empty() {
            blocks.push(Block {
                label: piece.label.clone(),
                insts,
            });
        }
    }
    let named = |inst: &Inst| {
        let units = inst.src_regs().chain(inst.dst_regs()).flat_map(Reg::units);
        units.map(|unit| unit + 1).max().unwrap_or(0)
    };
    let regs = observed.insts.iter().map(named).max().unwrap_or(0);
    Kernel {
        name: header.name.clone(),
        params: Vec::new(),
        globals: Vec::new(),
        shared_bytes: header.scratchpad_bytes,
        local_bytes: observed.local_bytes.next_multiple_of(16) as u32,
        regs: RegSpace::Architected {
            regs: regs.max(header.regs).min(MAX_ARCHITECTED_REGS),
            preds: 1,
        },
        blocks,
        rounds: Vec::new(),
    }
}

/// The instruction as it stands in the kernel. A result that leaves lanes alone which still need theirs is guarded, and so is an
/// exit behind which some warps went on.
fn lifted(observed: &Observed, number: u32) -> Inst {
    let at = number as usize;
    let mut inst = observed.insts[at].clone();
    let goes_on = inst.op == Op::Exit && !observed.followers[at].is_empty();
    let writes = inst.dsts.iter().any(|dst| matches!(dst, Dst::Reg(_)));
    if goes_on || writes && observed.partial[at] {
        inst.guard = Some(MASK);
    }
    inst
}

fn bra(target: BlockId, guard: Option<Guard>) -> Inst {
    Inst {
        guard,
        op: Op::Bra(target),
        dsts: ArrayVec::new(),
        srcs: ArrayVec::new(),
        line: Line(0),
    }
}

fn pieces(observed: &Observed) -> Vec<Piece> {
    let count = observed.insts.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|&number| (observed.pcs[number as usize], number));
    let mut place = vec![0; count];
    for (at, &number) in order.iter().enumerate() {
        place[number as usize] = at;
    }
    let leads = leaders(observed, &place);
    let mut pieces: Vec<Piece> = Vec::new();
    let entry = order.first().copied();
    let is_entry = |&start: &u32| Some(start) == entry;
    let reached = |start: u32| observed.followers.iter().any(|f| f.contains(&start));
    if !observed.starts.iter().all(is_entry) || entry.is_some_and(reached) {
        pieces.push(Piece {
            insts: Vec::new(),
            jumps: observed.starts.iter().copied().collect(),
            falls: false,
            label: "start".to_owned(),
        });
    }
    for &number in &order {
        if leads[number as usize] || pieces.is_empty() {
            // Functions start at address 0 as the kernel does.
            let again = place[number as usize].checked_sub(1).is_some_and(|before| {
                observed.pcs[order[before] as usize] == observed.pcs[number as usize]
            });
            let pc = observed.pcs[number as usize];
            pieces.push(Piece {
                insts: Vec::new(),
                jumps: Vec::new(),
                falls: false,
                label: match again {
                    true => format!("at_{pc:04x}_{number}"),
                    false => format!("at_{pc:04x}"),
                },
            });
        }
        if let Some(piece) = pieces.last_mut() {
            piece.insts.push(number);
        }
    }
    let firsts: Vec<Option<u32>> = (pieces.iter())
        .map(|piece| piece.insts.first().copied())
        .collect();
    for (index, piece) in pieces.iter_mut().enumerate() {
        let Some(&last) = piece.insts.last() else {
            continue;
        };
        let next = firsts.get(index + 1).copied().flatten();
        let mut jumps = observed.followers[last as usize].clone();
        jumps.sort_unstable();
        piece.falls = jumps.iter().any(|&to| Some(to) == next);
        jumps.retain(|&to| Some(to) != next);
        piece.jumps = jumps;
    }
    pieces
}

/// Which instructions start a block: those that do not simply come behind the one before them in the text.
fn leaders(observed: &Observed, place: &[usize]) -> Vec<bool> {
    let count = observed.insts.len();
    let mut simply = vec![0u32; count];
    let mut ways = vec![0u32; count];
    for (from, followers) in observed.followers.iter().enumerate() {
        for &to in followers {
            ways[to as usize] += 1;
            if followers.len() == 1 && place[to as usize] == place[from] + 1 {
                simply[to as usize] += 1;
            }
        }
    }
    (0..count)
        .map(|number| {
            ways[number] != 1 || simply[number] != 1 || observed.starts.contains(&(number as u32))
        })
        .collect()
}
