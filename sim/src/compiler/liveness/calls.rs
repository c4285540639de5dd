//! Liveness of a thread in a kernel that keeps its calls, its functions behind it.
//!
//! A call reads what its callee reads before it writes it, and writes what the callee changes for its caller: all that it or those
//! which it calls write, but for the stack pointer and what it saves. A return reads what is live behind a call of its
//! function. So a register that a function preserves is live over its calls in the caller, and in the function from the load or
//! pop that restores it.

use super::domain::Domain;
use super::thread::step_back;
use crate::compiler::calls::{STACK_POINTER, saves};
use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

/// A function that is called.
struct Function {
    blocks: FixedBitSet,
    /// Registers that it stores or pushes first of all and restores.
    saved: FixedBitSet,
    /// Registers and predicates that are others behind a call of it.
    changed: FixedBitSet,
}

/// The functions of a kernel by their first blocks.
pub(super) struct Functions<'a> {
    kernel: &'a Kernel,
    cfg: &'a Cfg,
    domain: &'a Domain,
    all: BTreeMap<usize, Function>,
}

/// Sets per block: before each instruction, then behind the last.
type Points = Vec<Vec<FixedBitSet>>;
/// Sets by the first block of a function.
type ByFunction = BTreeMap<usize, FixedBitSet>;

fn callee(inst: &Inst) -> Option<usize> {
    match inst.op {
        Op::Call(BlockId(to)) => Some(to as usize),
        _ => None,
    }
}

/// The blocks that `start` leads to, without those of functions that are called there.
fn reached(cfg: &Cfg, start: usize) -> FixedBitSet {
    let mut blocks = FixedBitSet::with_capacity(cfg.len());
    let mut next = vec![start];
    while let Some(block) = next.pop() {
        if !blocks.put(block) {
            let succs = cfg.succs(BlockId(block as u32)).iter();
            next.extend(succs.map(|succ| succ.0 as usize));
        }
    }
    blocks
}

impl<'a> Functions<'a> {
    /// `None`: the kernel calls none.
    pub fn of(kernel: &'a Kernel, cfg: &'a Cfg, domain: &'a Domain) -> Option<Self> {
        let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        let entries: Vec<usize> = insts.filter_map(callee).collect();
        if entries.is_empty() {
            return None;
        }
        let preserving = saves(kernel);
        let mut all = BTreeMap::new();
        for entry in entries {
            all.entry(entry).or_insert_with(|| {
                let (mut saved, mut changed) = (domain.empty_set(), domain.empty_set());
                let blocks = reached(cfg, entry);
                for b in blocks.ones() {
                    for (i, inst) in kernel.blocks[b].insts.iter().enumerate() {
                        let is_store = inst.dsts.is_empty() && preserving.contains(&(b as u32, i));
                        if let (true, Some(Operand::Reg(reg))) =
                            (is_store || inst.op == Op::Push, inst.srcs.last())
                        {
                            saved.extend(domain.reg_bits(*reg));
                        }
                        domain.for_defs(inst, |bit| changed.insert(bit));
                    }
                }
                Function {
                    blocks,
                    saved,
                    changed,
                }
            });
        }
        let mut functions = Functions {
            kernel,
            cfg,
            domain,
            all,
        };
        functions.add_changes_of_callees();
        Some(functions)
    }

    fn add_changes_of_callees(&mut self) {
        let entries: Vec<usize> = self.all.keys().copied().collect();
        loop {
            let mut grown = false;
            for entry in &entries {
                let function = &self.all[entry];
                let mut changed = function.changed.clone();
                let blocks = function.blocks.ones().map(|b| &self.kernel.blocks[b]);
                for callee in blocks.flat_map(|block| &block.insts).filter_map(callee) {
                    changed.union_with(&self.all[&callee].changed);
                }
                changed.difference_with(&function.saved);
                if usize::from(STACK_POINTER) < self.domain.regs() {
                    changed.set(STACK_POINTER.into(), false);
                }
                grown |= changed != function.changed;
                self.all.get_mut(entry).expect("an entry").changed = changed;
            }
            if !grown {
                return;
            }
        }
    }

    /// Whether a block belongs to a function.
    pub fn has(&self, block: BlockId) -> bool {
        let mut all = self.all.values();
        all.any(|function| function.blocks.contains(block.0 as usize))
    }

    /// What is live around every instruction, where a definition may have reached it.
    pub fn points(&self) -> Points {
        let own = self.solve(None);
        let arguments: ByFunction = (self.all.iter())
            .map(|(&entry, function)| {
                let mut read = own[entry][0].clone();
                read.difference_with(&function.saved);
                (entry, read)
            })
            .collect();
        let mut points = self.solve(Some(&arguments));
        self.without_undefined(&mut points);
        points
    }

    /// What is live by functions alone, or if what each reads of its caller's is known, with what callers have in registers over calls.
    fn solve(&self, arguments: Option<&ByFunction>) -> Points {
        let empty = || self.domain.empty_set();
        let blocks = &self.kernel.blocks;
        let mut points: Points = (blocks.iter())
            .map(|block| vec![empty(); block.insts.len() + 1])
            .collect();
        let mut behind_calls: ByFunction = self.all.keys().map(|&f| (f, empty())).collect();
        loop {
            let mut grown = false;
            for b in (0..blocks.len()).rev() {
                let mut live = empty();
                for succ in self.cfg.succs(BlockId(b as u32)) {
                    live.union_with(&points[succ.0 as usize][0]);
                }
                let first = points[b][0].clone();
                points[b][blocks[b].insts.len()] = live.clone();
                for (i, inst) in blocks[b].insts.iter().enumerate().rev() {
                    if let Some(to) = callee(inst) {
                        let behind = behind_calls.get_mut(&to).expect("a function");
                        grown |= !live.is_subset(behind);
                        behind.union_with(&live);
                        let function = &self.all[&to];
                        let mut read = match arguments {
                            Some(known) => known[&to].clone(),
                            None => points[to][0].clone(),
                        };
                        read.difference_with(&function.saved);
                        if inst.guard.is_none() {
                            live.difference_with(&function.changed);
                        }
                        live.union_with(&read);
                    }
                    step_back(self.domain, inst, &mut live);
                    if inst.op == Op::Ret {
                        let of_block = self.all.iter().filter(|(_, f)| f.blocks.contains(b));
                        for (entry, function) in of_block {
                            let mut behind = behind_calls[entry].clone();
                            if arguments.is_none() {
                                behind.intersect_with(&function.changed);
                            }
                            live.union_with(&behind);
                        }
                    }
                    points[b][i] = live.clone();
                }
                grown |= points[b][0] != first;
            }
            if !grown {
                return points;
            }
        }
    }

    /// A register that no definition has reached holds no value.
    fn without_undefined(&self, points: &mut Points) {
        let blocks = &self.kernel.blocks;
        let mut at_start = vec![self.domain.empty_set(); blocks.len()];
        loop {
            let mut grown = false;
            let mut reach = |at_start: &mut [FixedBitSet], to: usize, defined: &FixedBitSet| {
                grown |= !defined.is_subset(&at_start[to]);
                at_start[to].union_with(defined);
            };
            for (b, block) in blocks.iter().enumerate() {
                let mut defined = at_start[b].clone();
                for inst in &block.insts {
                    if let Some(to) = callee(inst) {
                        reach(&mut at_start, to, &defined);
                    }
                    self.define(inst, &mut defined);
                }
                for succ in self.cfg.succs(BlockId(b as u32)) {
                    reach(&mut at_start, succ.0 as usize, &defined);
                }
            }
            if !grown {
                break;
            }
        }
        for ((block, points), mut defined) in blocks.iter().zip(points).zip(at_start) {
            for (point, inst) in points.iter_mut().zip(&block.insts) {
                point.intersect_with(&defined);
                self.define(inst, &mut defined);
            }
            if let Some(end) = points.last_mut() {
                end.intersect_with(&defined);
            }
        }
    }

    fn define(&self, inst: &Inst, defined: &mut FixedBitSet) {
        if let Some(to) = callee(inst) {
            defined.union_with(&self.all[&to].changed);
        }
        self.domain.for_defs(inst, |bit| defined.insert(bit));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Liveness;
    use crate::compiler::cfg::Cfg;
    use crate::kernel::{BlockId, text};

    /// Registers live before an instruction of a block.
    fn live(body: &str, block: u32, inst: usize) -> Vec<u16> {
        let text = format!(".kernel k;\n.regs architected 24, 1;\n{body}");
        let kernel = text::parse(&text, "k").unwrap();
        let cfg = Cfg::new(&kernel).unwrap();
        let liveness = Liveness::with_calls(&kernel, &cfg);
        (liveness.reg_indices_before(BlockId(block), inst)).collect()
    }

    /// Both ways of preserving a register, in a function with a loop round a call.
    fn programs() -> [String; 2] {
        [
            ("push r16;", "pop r16;"),
            ("st.local.b32 [r1], r16;", "ld.local.b32 r16, [r1];"),
        ]
        .map(|(save, restore)| {
            format!(
                "entry:\n mov.b32 r1, 0;\n mov.b32 r16, 7;\n mov.b32 r17, 9;\n mov.b32 r4, 5;\n call f;\n\
                 add.u32 r16, r16, r4;\n st.global.u32 [r16:17], r16;\n exit;\n\
                 f:\n {save}\n mov.b32 r16, r4;\n\
                 loop:\n mov.b32 r4, r16;\n call g;\n add.u32 r16, r16, r4;\n setp.lt.u32 p0, r16, 99;\n @p0 bra loop;\n\
                 end:\n mov.b32 r4, r16;\n {restore}\n ret;\n\
                 g:\n add.u32 r4, r4, 1;\n ret;\n"
            )
        })
    }

    #[test]
    fn values_of_a_function_are_live_round_its_loop_and_over_its_calls() {
        for program in programs() {
            // Round the loop the function's r16, and the caller's r17; the caller's r16 is in memory or on the stack.
            for inst in [0, 2] {
                assert!(live(&program, 2, inst).contains(&16), "{program}");
            }
            assert!(live(&program, 2, 1).contains(&16), "over the call");
        }
    }

    #[test]
    fn arguments_are_live_before_a_call_and_results_behind_it() {
        for program in programs() {
            assert!(live(&program, 0, 4).contains(&4), "{program}");
            assert!(live(&program, 0, 5).contains(&4), "{program}");
            assert!(live(&program, 4, 0).contains(&4) && live(&program, 4, 1).contains(&4));
        }
    }

    #[test]
    fn what_a_caller_holds_over_a_call_is_live_in_the_callee_until_it_is_saved() {
        for program in programs() {
            assert!(live(&program, 0, 4).contains(&16) && live(&program, 0, 4).contains(&17));
            assert!(live(&program, 1, 0).contains(&16), "to be saved");
            assert!(!live(&program, 1, 1).contains(&16), "saved");
            assert!(live(&program, 3, 2).contains(&16), "restored");
            // Nobody touches it.
            for (block, inst) in [(1, 1), (2, 0), (3, 1), (4, 0)] {
                assert!(live(&program, block, inst).contains(&17), "{program}");
            }
        }
    }

    #[test]
    fn what_a_callee_saves_is_not_read_by_the_call() {
        for program in programs() {
            let dead = program.replace(
                "add.u32 r16, r16, r4;\n st.global.u32",
                "mov.b32 r16, r4;\n st.global.u32",
            );
            assert!(!live(&dead, 0, 4).contains(&16), "{dead}");
        }
    }
}
