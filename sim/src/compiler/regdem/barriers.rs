//! Scoreboard barriers as Maxwell has them (RegDem 3.2, "barrier tracker").
//!
//! Six barriers synchronise instructions of unknown latency: a load sets one that is cleared when its result is there (write),
//! a store one that is cleared when its operands are read (read); who needs the registers waits for it. All are
//! cleared before a jump, and where one block falls into the next before that, so a block begins with all of them free. The SM of this program has a scoreboard of registers and
//! needs none of this: the assignment is an annotation, from which the predictor takes its stalls.

use crate::kernel::op::{Op, Space, Traced};
use crate::kernel::{Block, Inst, Kernel, Reg};
use crate::machine::Machine;
use crate::sm::timing::timing;

/// Barriers of a warp (RegDem 3.1; Maxwell and Pascal).
pub const BARRIERS: usize = 6;
/// Cycles until a load from device memory has its result (RegDem 3.2, GL_MEM_STALL).
pub const GLOBAL_STALL: u64 = 200;
/// Cycles until an access to scratchpad is done (RegDem 3.2, SH_MEM_STALL).
pub const SCRATCHPAD_STALL: u64 = 24;

/// What is written beside an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// The barrier that this instruction sets until its result is there, or its operands are read.
    pub sets: Option<u8>,
    /// Bit of each barrier that it waits for before it issues.
    pub waits: u8,
    /// Cycles that it waits, for barriers and for results of known latency.
    pub stall_cycles: u64,
}

/// A block with its barriers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// Per instruction.
    pub insts: Vec<Annotation>,
    /// Cycles of one warp alone from the first issue until the last barrier is cleared.
    pub cycles: u64,
    /// Bit of each barrier that is set behind the last instruction, and cycles from there until all of these are cleared.
    left: (u8, u64),
}

#[derive(Clone, Debug, Default)]
struct Barrier {
    /// When it is cleared; 0 while free.
    clear_at: u64,
    /// Registers that may not be read before, and those that may not be written.
    results: Vec<u16>,
    operands: Vec<u16>,
}

/// The stall of an access, if a barrier guards it: whether it is a write barrier, and for how long it is set.
fn access(inst: &Inst) -> Option<(bool, u64)> {
    let stall = |space| match space {
        Space::Shared => Some(SCRATCHPAD_STALL),
        Space::Generic | Space::Global | Space::Local => Some(GLOBAL_STALL),
        // Constants come as operands.
        Space::Param | Space::Const => None,
    };
    match inst.op {
        Op::Ld(mem) => stall(mem.space).map(|cycles| (true, cycles)),
        Op::Atom { space, .. } => stall(space).map(|cycles| (true, cycles)),
        Op::Traced(Traced::Load(space, _)) => stall(space).map(|cycles| (true, cycles)),
        Op::Traced(Traced::Atomic(space, _)) if !inst.dsts.is_empty() => {
            stall(space).map(|cycles| (true, cycles))
        }
        Op::Traced(Traced::Store(..) | Traced::Atomic(..)) => Some((false, SCRATCHPAD_STALL)),
        // Operands are read long before the value has arrived. // assumed: as soon as scratchpad takes it
        Op::St(_) | Op::Red { .. } => Some((false, SCRATCHPAD_STALL)),
        _ => None,
    }
}

/// Whether no barrier is left set behind it: a jump, a call or a return, where others go on with all of them free, and a CTA barrier,
/// behind which others could wait for one.
fn leaves_none(op: Op) -> bool {
    matches!(
        op,
        Op::Bra(_) | Op::Call(_) | Op::Ret | Op::Bar(_) | Op::Membar
    )
}

/// Whether lanes can run past the end of a block.
fn falls_through(block: &Block) -> bool {
    let leaves = |inst: &Inst| matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret | Op::Trap);
    !(block.insts.iter()).any(|inst| inst.guard.is_none() && leaves(inst))
}

/// The annotations of each block. A block that another falls into, where others may jump to, waits first of all for what that one left set.
pub fn annotate_all(kernel: &Kernel, machine: &Machine) -> Vec<Vec<Annotation>> {
    let mut left = (0, 0);
    let mut all = Vec::with_capacity(kernel.blocks.len());
    for block in &kernel.blocks {
        let mut annotated = annotate(block, machine);
        if let Some(first) = annotated.insts.first_mut() {
            first.waits |= left.0;
            first.stall_cycles += left.1;
            left = match falls_through(block) {
                true => annotated.left,
                false => (0, 0),
            };
        }
        all.push(annotated.insts);
    }
    all
}

/// Gives every memory access of a block a barrier: a free one, or else the one that is cleared first.
pub fn annotate(block: &Block, machine: &Machine) -> Annotated {
    let mut barriers: [Barrier; BARRIERS] = Default::default();
    // When the result of an instruction of known latency is there.
    let mut ready = [0u64; 256];
    let latch = u64::from(machine.pipeline.latch_cycles);
    let mut now = 0;
    let mut insts = Vec::with_capacity(block.insts.len());
    for inst in &block.insts {
        let begin = now;
        let read: Vec<u16> = inst.src_regs().flat_map(Reg::units).collect();
        let written: Vec<u16> = inst.dst_regs().flat_map(Reg::units).collect();
        let mut note = Annotation::default();
        let mut wait_for = |number: usize, barrier: &mut Barrier, now: &mut u64| {
            *now = (*now).max(barrier.clear_at);
            note.waits |= 1 << number;
            *barrier = Barrier::default();
        };
        for (number, barrier) in barriers.iter_mut().enumerate() {
            let hazard = |regs: &[u16], unit: &u16| regs.contains(unit);
            let waits = (read.iter().chain(&written)).any(|u| hazard(&barrier.results, u))
                || written.iter().any(|u| hazard(&barrier.operands, u))
                || leaves_none(inst.op) && barrier.clear_at > 0;
            if waits {
                wait_for(number, barrier, &mut now);
            }
        }
        for &unit in read.iter().chain(&written) {
            now = now.max(ready[usize::from(unit) & 255]);
        }
        if let Some((write, cycles)) = access(inst) {
            let number = (0..BARRIERS)
                .min_by_key(|&number| {
                    let until = barriers[number].clear_at;
                    (until.saturating_sub(now), until)
                })
                .unwrap_or(0);
            if barriers[number].clear_at > 0 {
                wait_for(number, &mut barriers[number], &mut now);
            }
            note.sets = Some(number as u8);
            barriers[number] = Barrier {
                clear_at: now + cycles,
                results: if write { written.clone() } else { Vec::new() },
                operands: read.clone(),
            };
        } else {
            let (_, timing) = timing(&inst.op, &machine.pipeline);
            for &unit in &written {
                ready[usize::from(unit) & 255] = now + u64::from(timing.latency) + latch;
            }
        }
        note.stall_cycles = now - begin;
        insts.push(note);
        now += 1;
    }
    let cleared = barriers.iter().map(|b| b.clear_at).fold(now, u64::max);
    let set = |number: &usize| barriers[*number].clear_at > 0;
    let left = (0..BARRIERS).filter(set).fold(0, |bits, n| bits | 1 << n);
    Annotated {
        insts,
        cycles: ready.into_iter().fold(cleared, u64::max),
        left: (left, cleared - now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::text;
    use crate::testing::{GenOptions, generate};

    fn annotated(body: &str) -> Annotated {
        let text = format!(".kernel k;\n.regs architected 32, 1;\nentry:\n{body}    exit;\n");
        let kernel = text::parse(&text, "k").unwrap();
        annotate(&kernel.blocks[0], &Machine::preset("maxwell").unwrap())
    }

    #[test]
    fn calls_and_returns_leave_no_barrier_set() {
        let text = ".kernel k;\n.regs architected 32, 1;\nentry:\n    ld.global.u32 r16, [r4:5];\n    call f;\n    exit;\n\
                    f:\n    ld.global.u32 r20, [r4:5];\n    ret;\n";
        let kernel = text::parse(text, "k").unwrap();
        for (block, at) in [(0, 1), (1, 1)] {
            let notes = annotate(&kernel.blocks[block], &Machine::preset("maxwell").unwrap());
            let note = &notes.insts[at];
            assert!(note.waits == 1 && note.stall_cycles > 0, "{note:?}");
        }
    }

    #[test]
    fn a_block_that_another_falls_into_waits_for_what_that_one_left_set() {
        let text = ".kernel k;\n.regs architected 32, 1;\nentry:\n    ld.global.u32 r3, [r4:5];\nloop:\n    add.u32 r3, r3, r3;\n\
                    @p0 bra loop;\nend:\n    exit;\n";
        let kernel = text::parse(text, "k").unwrap();
        let notes = annotate_all(&kernel, &Machine::preset("maxwell").unwrap());
        assert_eq!(notes[0][0].sets, Some(0));
        assert_eq!((notes[1][0].waits, notes[1][0].stall_cycles), (1, 199));
        assert_eq!(notes[2][0], Annotation::default());
    }

    #[test]
    fn one_that_is_free_goes_before_one_that_time_has_cleared() {
        let store = "    st.shared.u32 [r0], r1;\n";
        let long = "    mov.u32 r9, r8;\n".repeat(200);
        let found = annotated(&format!("{store}{long}{store}{long}{store}"));
        let set: Vec<_> = found.insts.iter().filter_map(|note| note.sets).collect();
        assert_eq!(set, [0, 1, 2]);
        assert!(found.insts.iter().all(|note| note.waits == 0));
    }

    #[test]
    fn a_use_waits_for_the_barrier_of_its_load() {
        let body = "    ld.shared.b32 r1, [r0];\n    add.u32 r2, r1, r1;\n";
        let insts = annotated(body).insts;
        assert_eq!(insts[0].sets, Some(0));
        assert_eq!((insts[1].waits, insts[1].stall_cycles), (1, 23));
    }

    #[test]
    fn the_seventh_access_takes_the_barrier_that_stalls_least() {
        let mut body = "    ld.shared.b32 r1, [r0];\n".to_owned();
        for reg in 2..7 {
            body += &format!("    ld.global.b32 r{reg}, [r0];\n");
        }
        body += "    ld.shared.b32 r8, [r0];\n";
        let insts = annotated(&body).insts;
        let sets: Vec<_> = insts[..7].iter().map(|note| note.sets.unwrap()).collect();
        assert_eq!(sets, [0, 1, 2, 3, 4, 5, 0]);
        // Scratchpad's 24 cycles, of which 6 have passed, and not the 200 of device memory.
        assert_eq!((insts[6].waits, insts[6].stall_cycles), (1, 18));
    }

    #[test]
    fn an_operand_of_a_store_is_not_overwritten_before_it_is_read() {
        let body = "    st.shared.b32 [r0], r1;\n    mov.u32 r1, 5;\n";
        assert_eq!(annotated(body).insts[1].waits, 1);
    }

    #[test]
    fn no_register_is_touched_while_a_barrier_guards_it_and_a_jump_leaves_none_set() {
        let machine = Machine::preset("maxwell").unwrap();
        for seed in 0..30 {
            let kernel = generate(seed, &GenOptions::varied(seed)).kernel;
            let mut set: [Option<&Inst>; BARRIERS] = Default::default();
            for (block, notes) in kernel.blocks.iter().zip(&annotate_all(&kernel, &machine)) {
                for (inst, note) in block.insts.iter().zip(notes) {
                    for (number, guarded) in set.iter_mut().enumerate() {
                        if note.waits >> number & 1 == 1 {
                            *guarded = None;
                        }
                    }
                    for guarded in set.iter().flatten() {
                        let results: Vec<u16> = guarded.dst_regs().flat_map(Reg::units).collect();
                        let operands: Vec<u16> = guarded.src_regs().flat_map(Reg::units).collect();
                        let touched = |reg: Reg| reg.units().any(|u| results.contains(&u));
                        assert!(!inst.src_regs().chain(inst.dst_regs()).any(touched));
                        let over = |reg: Reg| reg.units().any(|u| operands.contains(&u));
                        assert!(!inst.dst_regs().any(over));
                        assert!(!matches!(inst.op, Op::Bra(_)));
                    }
                    if let Some(number) = note.sets {
                        assert!(set[usize::from(number)].is_none());
                        set[usize::from(number)] = Some(inst);
                    }
                }
                if !falls_through(block) {
                    set = Default::default();
                }
            }
        }
    }
}
