//! The demoted kernel as it is first written: RDA at the entry, a load before each use, a store behind each definition
//! (RegDem 3.2, Figure 3).
//!
//! Lanes have their words apart, so everything is per thread: which lanes run when does not matter. A guarded
//! definition is followed by a store under the same guard; where the instruction itself changes its guard, the old
//! value is loaded before and all lanes store.

use super::groups::Groups;
use super::layout::{Layout, WORD_BYTES};
use super::{Origin, Selection};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::kernel::op::{Mem, Part, Space, Ty};
use crate::kernel::{BlockId, Dst, Guard, Inst, Kernel, Line, Op, Operand, Reg, RegSpace, Special};
use std::collections::{BTreeMap, BTreeSet};

/// A demoted kernel in the making.
pub(super) struct Emission {
    pub kernel: Kernel,
    pub origins: Vec<Vec<Origin>>,
}

/// What the rewriting of one block needs to know.
struct Names<'a> {
    groups: &'a Groups,
    selection: &'a Selection,
    slots: &'a BTreeMap<u16, u16>,
    /// First register that carries the values of a group in this block.
    carriers: BTreeMap<usize, u16>,
    own_bytes: u32,
}

impl Names<'_> {
    fn group(&self, unit: u16) -> Option<usize> {
        let group = self.groups.index(unit)?;
        self.selection.chosen.contains(&group).then_some(group)
    }

    fn place(&self, unit: u16) -> u16 {
        match self.group(unit) {
            Some(group) => {
                let carrier = self.carriers.get(&group);
                carrier.copied().unwrap_or(self.selection.rdv) + unit - self.groups.all[group].base
            }
            None => self.selection.place[&unit],
        }
    }

    fn rename(&self, inst: &Inst) -> Inst {
        let mut inst = inst.clone();
        for src in &mut inst.srcs {
            match src {
                Operand::Reg(reg) => reg.index = self.place(reg.index),
                // What the program can see of its scratchpad stays what it was.
                Operand::Special(Special::TotalScratchpadBytes) => {
                    *src = Operand::Imm(self.own_bytes.into());
                }
                _ => {}
            }
        }
        for dst in &mut inst.dsts {
            if let Dst::Reg(reg) = dst {
                reg.index = self.place(reg.index);
            }
        }
        inst
    }
}

/// Demoted registers among those named, each once.
fn demoted_units(names: &Names<'_>, regs: impl Iterator<Item = Reg>) -> BTreeSet<u16> {
    regs.flat_map(Reg::units)
        .filter(|&unit| names.group(unit).is_some())
        .collect()
}

fn access(op: fn(Mem) -> Op, offset: u32) -> Op {
    op(Mem {
        space: Space::Shared,
        ty: Ty::B32,
        vec: 1,
        offset: offset.into(),
        strong: false,
    })
}

fn inst(guard: Option<Guard>, op: Op, dst: Option<u16>, srcs: &[Operand]) -> Inst {
    Inst {
        guard,
        op,
        dsts: dst.map(|d| Dst::Reg(Reg::r32(d))).into_iter().collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    }
}

/// RDA <- base + 4 * number of the thread in its CTA.
pub(super) fn base(rda: u16, layout: Layout) -> [Inst; 3] {
    let mad = |a: Operand, b: Operand, c: Operand| {
        let op = Op::Mad {
            ty: Ty::U32,
            part: Part::Lo,
            sat: false,
        };
        inst(None, op, Some(rda), &[a, b, c])
    };
    let special = Operand::Special;
    let so_far = Operand::Reg(Reg::r32(rda));
    [
        mad(
            special(Special::Tid(2)),
            special(Special::Ntid(1)),
            special(Special::Tid(1)),
        ),
        mad(so_far, special(Special::Ntid(0)), special(Special::Tid(0))),
        mad(
            so_far,
            Operand::Imm(WORD_BYTES.into()),
            Operand::Imm(layout.base_bytes.into()),
        ),
    ]
}

impl Emission {
    pub fn new(
        kernel: &Kernel,
        cfg: &Cfg,
        groups: &Groups,
        selection: &Selection,
        layout: Layout,
        own_bytes: u32,
        substitute: bool,
    ) -> Emission {
        let units = selection.chosen.iter().flat_map(|&g| groups.all[g].units());
        let slots: BTreeMap<u16, u16> = units.zip(0..).collect();
        let liveness = substitute.then(|| Liveness::per_thread(kernel, cfg));
        let mut emission = Emission {
            kernel: kernel.clone(),
            origins: Vec::new(),
        };
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut names = Names {
                groups,
                selection,
                slots: &slots,
                carriers: BTreeMap::new(),
                own_bytes,
            };
            if let Some(liveness) = &liveness {
                names.carriers = carriers(kernel, b, &names, liveness);
            }
            let (mut insts, mut origins) = (Vec::new(), Vec::new());
            if b == 0 {
                insts.extend(base(selection.rda, layout));
                origins.extend([Origin::Base; 3]);
            }
            for (i, original) in block.insts.iter().enumerate() {
                one(original, i, &names, layout, &mut insts, &mut origins);
            }
            emission.kernel.blocks[b].insts = insts;
            emission.origins.push(origins);
        }
        if let RegSpace::Architected { regs, .. } = &mut emission.kernel.regs {
            *regs = selection.regs;
        }
        emission
    }

    /// Numbers the slots that are still accessed from 0 on; returns how many there are.
    pub fn number_slots(&mut self, layout: Layout) -> u16 {
        let used: BTreeSet<u16> = (self.origins.iter().flatten())
            .filter_map(|origin| match origin {
                Origin::Load(slot) | Origin::Store(slot) => Some(*slot),
                _ => None,
            })
            .collect();
        let number: BTreeMap<u16, u16> = used.into_iter().zip(0..).collect();
        for (block, origins) in self.kernel.blocks.iter_mut().zip(&mut self.origins) {
            for (inst, origin) in block.insts.iter_mut().zip(origins) {
                if let Origin::Load(slot) | Origin::Store(slot) = origin {
                    *slot = number[slot];
                    if let Op::Ld(mem) | Op::St(mem) = &mut inst.op {
                        mem.offset = layout.offset_bytes(*slot).into();
                    }
                }
            }
        }
        number.len() as u16
    }
}

/// One instruction with its loads and stores.
fn one(
    original: &Inst,
    index: usize,
    names: &Names<'_>,
    layout: Layout,
    insts: &mut Vec<Inst>,
    origins: &mut Vec<Origin>,
) {
    let rda = Operand::Reg(Reg::r32(names.selection.rda));
    let mut read = demoted_units(names, original.src_regs());
    let written = demoted_units(names, original.dst_regs());
    let mut guard = original.guard;
    if guard.is_some_and(|guard| original.dst_preds().any(|pred| pred == guard.pred)) {
        read.extend(&written);
        guard = None;
    }
    for &unit in &read {
        let slot = names.slots[&unit];
        let op = access(Op::Ld, layout.offset_bytes(slot));
        insts.push(inst(None, op, Some(names.place(unit)), &[rda]));
        origins.push(Origin::Load(slot));
    }
    insts.push(names.rename(original));
    origins.push(Origin::Inst(index));
    for &unit in &written {
        let slot = names.slots[&unit];
        let op = access(Op::St, layout.offset_bytes(slot));
        let value = Operand::Reg(Reg::r32(names.place(unit)));
        insts.push(inst(guard, op, None, &[rda, value]));
        origins.push(Origin::Store(slot));
    }
}

/// Registers that hold nothing in a block, for the demoted registers that the block accesses most (RegDem 3.4.2,
/// "substituting value register"). RDV serves the others.
fn carriers(
    kernel: &Kernel,
    block: usize,
    names: &Names<'_>,
    liveness: &Liveness,
) -> BTreeMap<usize, u16> {
    let id = BlockId(block as u32);
    let insts = &kernel.blocks[block].insts;
    let mut accesses: BTreeMap<usize, usize> = BTreeMap::new();
    let mut busy: BTreeSet<u16> = BTreeSet::from([names.selection.rda]);
    let mut rdv_width = 1;
    for &group in &names.selection.chosen {
        rdv_width = rdv_width.max(names.groups.all[group].width);
    }
    busy.extend(names.selection.rdv..names.selection.rdv + rdv_width);
    for unit in insts
        .iter()
        .flat_map(|i| i.src_regs().chain(i.dst_regs()))
        .flat_map(Reg::units)
    {
        match names.group(unit) {
            Some(group) => *accesses.entry(group).or_default() += 1,
            None => {
                busy.insert(names.selection.place[&unit]);
            }
        }
    }
    for (&unit, &place) in &names.selection.place {
        let live = |set: &fixedbitset::FixedBitSet| set.contains(usize::from(unit));
        if live(liveness.live_in(id)) || live(liveness.live_out(id)) {
            busy.insert(place);
        }
    }
    let mut order: Vec<(usize, usize)> = accesses.into_iter().collect();
    order.sort_by_key(|&(group, count)| (std::cmp::Reverse(count), group));
    let mut carriers = BTreeMap::new();
    // The last keeps RDV, and so do those for which nothing is free.
    for (group, _) in order.into_iter().rev().skip(1).rev() {
        let width = names.groups.all[group].width;
        let free = (0..names.selection.regs)
            .step_by(usize::from(width))
            .find(|&first| {
                first + width <= names.selection.regs
                    && (first..first + width).all(|unit| !busy.contains(&unit))
            });
        if let Some(free) = free {
            busy.extend(free..free + width);
            carriers.insert(group, free);
        }
    }
    carriers
}
