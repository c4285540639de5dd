//! Webs: values that must share one place.
//!
//! A web joins all definitions of a register that reach a common use. Webs are made per 32-bit register; those named
//! together by a 64-bit operand form one *group* with two places, an aligned pair. Everything is per thread: lanes
//! hold their registers apart, so what one lane does to its place does not touch another's.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::kernel::{BlockId, Dst, Inst, Kernel, Operand, Reg, Width};
use fixedbitset::FixedBitSet;

/// A web.
pub(super) type Web = u32;
/// A group of webs that move together.
pub(super) type Group = u32;

/// The webs of a kernel.
#[derive(Clone, Debug)]
pub(super) struct Webs {
    /// Per block and register: the web at the start, where live.
    entry: Vec<Vec<Option<Web>>>,
    /// Per block and instruction: web of the first register of each source and destination operand.
    named: Vec<Vec<Named>>,
    /// Per block: what each instruction does to the current webs, as (instruction, register, web).
    defined: Vec<Vec<(usize, u16, Web)>>,
    group_of: Vec<Group>,
    offset_of: Vec<u16>,
    /// Per group.
    pub groups: Vec<GroupInfo>,
}

/// Webs that one instruction names.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub srcs: Vec<Option<Web>>,
    pub dsts: Vec<Option<Web>>,
}

/// A group of webs.
#[derive(Clone, Debug)]
pub(super) struct GroupInfo {
    /// An aligned pair.
    pub wide: bool,
    /// Place in the original kernel: the register, or the even one of the pair.
    pub original: u16,
}

struct UnionFind(Vec<u32>);

impl UnionFind {
    fn fresh(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    fn find(&mut self, mut x: u32) -> u32 {
        while self.0[x as usize] != x {
            let parent = self.0[x as usize];
            self.0[x as usize] = self.0[parent as usize];
            x = parent;
        }
        x
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

impl Webs {
    pub fn of(kernel: &Kernel, cfg: &Cfg, thread: &Liveness) -> Webs {
        let regs = thread.domain().regs();
        let mut ids = UnionFind(Vec::new());
        let mut unit_of: Vec<u16> = Vec::new();
        let mut fresh = |ids: &mut UnionFind, unit: u16| {
            unit_of.push(unit);
            ids.fresh()
        };
        let entry: Vec<Vec<Option<Web>>> = (0..kernel.blocks.len())
            .map(|b| {
                let live = thread.live_in(BlockId(b as u32));
                (0..regs)
                    .map(|u| live.contains(u).then(|| fresh(&mut ids, u as u16)))
                    .collect()
            })
            .collect();
        let mut named: Vec<Vec<Named>> = Vec::new();
        let mut defined = Vec::new();
        let mut pairs = Vec::new();
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut current = entry[b].clone();
            let mut of_block = Vec::new();
            let mut defs = Vec::new();
            for (i, inst) in block.insts.iter().enumerate() {
                let mut webs = Named::default();
                for src in &inst.srcs {
                    let Operand::Reg(reg) = src else {
                        webs.srcs.push(None);
                        continue;
                    };
                    for unit in reg.units() {
                        // What nothing has defined has a place of its own.
                        let slot = &mut current[usize::from(unit)];
                        slot.get_or_insert_with(|| fresh(&mut ids, unit));
                    }
                    webs.srcs.push(current[usize::from(reg.index)]);
                    pairs.extend(pair(*reg, &current));
                }
                let before = thread.before(BlockId(b as u32), i);
                for dst in &inst.dsts {
                    let Dst::Reg(reg) = dst else {
                        webs.dsts.push(None);
                        continue;
                    };
                    for unit in reg.units() {
                        let web = fresh(&mut ids, unit);
                        let old = current[usize::from(unit)].replace(web);
                        // A lane whose guard is false keeps the old value in the same place.
                        if let (true, Some(old)) = (keeps_old(inst, before, unit), old) {
                            ids.union(old, web);
                        }
                        defs.push((i, unit, web));
                    }
                    webs.dsts.push(current[usize::from(reg.index)]);
                    pairs.extend(pair(*reg, &current));
                }
                of_block.push(webs);
            }
            for succ in cfg.succs(BlockId(b as u32)) {
                for (unit, at_entry) in entry[succ.0 as usize].iter().enumerate() {
                    if let (Some(at_entry), Some(here)) = (at_entry, current[unit]) {
                        ids.union(*at_entry, here);
                    }
                }
            }
            named.push(of_block);
            defined.push(defs);
        }
        Webs::numbered(ids, &unit_of, pairs, entry, named, defined)
    }

    /// Replaces provisional ids by dense numbers, and groups pairs.
    fn numbered(
        mut ids: UnionFind,
        unit_of: &[u16],
        pairs: Vec<(u32, u32)>,
        mut entry: Vec<Vec<Option<Web>>>,
        mut named: Vec<Vec<Named>>,
        mut defined: Vec<Vec<(usize, u16, Web)>>,
    ) -> Webs {
        let mut wide = FixedBitSet::with_capacity(unit_of.len());
        let mut together = UnionFind((0..unit_of.len() as u32).collect());
        for (low, high) in pairs {
            let (low, high) = (ids.find(low), ids.find(high));
            together.union(low, high);
            wide.insert(low as usize);
            wide.insert(high as usize);
        }
        let mut group_number = vec![None; unit_of.len()];
        let mut web_number = vec![None; unit_of.len()];
        let (mut group_of, mut offset_of, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for id in 0..unit_of.len() as u32 {
            let root = ids.find(id);
            if web_number[root as usize].is_none() {
                let is_wide = wide.contains(root as usize);
                let unit = unit_of[root as usize];
                let leader = together.find(root) as usize;
                let group = *group_number[leader].get_or_insert_with(|| {
                    groups.push(GroupInfo {
                        wide: is_wide,
                        original: if is_wide { unit & !1 } else { unit },
                    });
                    groups.len() as u32 - 1
                });
                web_number[root as usize] = Some(group_of.len() as u32);
                group_of.push(group);
                offset_of.push(if is_wide { unit & 1 } else { 0 });
            }
        }
        let mut renumber = |web: &mut Web| {
            *web = web_number[ids.find(*web) as usize].expect("every root has a number");
        };
        entry.iter_mut().flatten().flatten().for_each(&mut renumber);
        for webs in named.iter_mut().flatten() {
            (webs.srcs.iter_mut().chain(&mut webs.dsts))
                .flatten()
                .for_each(&mut renumber);
        }
        for (_, _, web) in defined.iter_mut().flatten() {
            renumber(web);
        }
        Webs {
            entry,
            named,
            defined,
            group_of,
            offset_of,
            groups,
        }
    }

    /// Number of webs.
    pub fn len(&self) -> usize {
        self.group_of.len()
    }

    pub fn group(&self, web: Web) -> Group {
        self.group_of[web as usize]
    }

    /// 0, or 1 for the upper half of a pair.
    pub fn offset(&self, web: Web) -> u16 {
        self.offset_of[web as usize]
    }

    pub fn is_wide(&self, web: Web) -> bool {
        self.groups[self.group(web) as usize].wide
    }

    /// Webs that an instruction names.
    pub fn named(&self, block: usize, inst: usize) -> &Named {
        &self.named[block][inst]
    }

    /// Web of each register at the start of a block, where live.
    pub fn at_entry(&self, block: usize) -> &[Option<Web>] {
        &self.entry[block]
    }

    /// Web that each register holds before an instruction. A register whose value is dead may still show its web.
    pub fn current_before(&self, block: usize, inst: usize) -> Vec<Option<Web>> {
        let mut current = self.entry[block].clone();
        for (_, unit, web) in self.defined[block].iter().take_while(|(i, ..)| *i < inst) {
            current[usize::from(*unit)] = Some(*web);
        }
        current
    }

    /// Definitions of a block in order, as (instruction, register, web).
    pub fn definitions(&self, block: usize) -> &[(usize, u16, Web)] {
        &self.defined[block]
    }
}

fn pair(reg: Reg, current: &[Option<Web>]) -> Option<(u32, u32)> {
    let low = usize::from(reg.index);
    match reg.width {
        Width::W64 => Some((current[low]?, current[low + 1]?)),
        Width::W32 => None,
    }
}

fn keeps_old(inst: &Inst, before: &FixedBitSet, unit: u16) -> bool {
    inst.guard.is_some() && before.contains(usize::from(unit))
}
