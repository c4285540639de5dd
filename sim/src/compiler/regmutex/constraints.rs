//! What the places of a marked kernel's values must satisfy.
//!
//! Two values interfere, per thread, when one is written while the other is live. A value is *low*, confined to the
//! base set, when at some point without the extended set it is live, named, or held by waiting lanes.

use super::marked::Marked;
use super::serial::Serialisation;
use super::webs::{Group, Web, Webs};
use crate::compiler::liveness::Liveness;
use crate::kernel::{BlockId, Dst, Op};
use fixedbitset::FixedBitSet;

/// Another group with the offsets at which the two would collide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    pub other: Group,
    /// Offset of this group's web.
    pub offset: u16,
    /// Offset of the other group's web.
    pub other_offset: u16,
}

/// A point without the extended set that confines a group: block, and instruction of the marked kernel, or `None`
/// for all points of the block.
pub(super) type LowPoint = (usize, Option<usize>);

/// Interference and confinement.
#[derive(Clone, Debug)]
pub(super) struct Constraints {
    /// Per group.
    pub conflicts: Vec<Vec<Conflict>>,
    /// Per group: where it must be low. Empty: it may be anywhere.
    pub low_at: Vec<Vec<LowPoint>>,
    /// Groups that a copy joins: one place for both saves the copy.
    pub joined: Vec<Vec<Group>>,
}

impl Constraints {
    pub fn of(marked: &Marked, serial: &Serialisation, thread: &Liveness, webs: &Webs) -> Self {
        let groups = webs.groups.len();
        let mut all = Constraints {
            conflicts: vec![Vec::new(); groups],
            low_at: vec![Vec::new(); groups],
            joined: vec![Vec::new(); groups],
        };
        let mut seen = FixedBitSet::with_capacity(webs.len() * webs.len());
        for b in 0..marked.kernel.blocks.len() {
            all.walk_block(marked, thread, webs, b, &mut seen);
            if marked.held[b].iter().any(|held| !held) {
                for place in serial.waiting_at[b].ones() {
                    for web in webs.at_entry(place).iter().flatten() {
                        all.confine(webs, *web, (b, None));
                    }
                }
            }
        }
        all
    }

    fn walk_block(
        &mut self,
        marked: &Marked,
        thread: &Liveness,
        webs: &Webs,
        b: usize,
        seen: &mut FixedBitSet,
    ) {
        let id = BlockId(b as u32);
        let mut current = webs.at_entry(b).to_vec();
        let mut definitions = webs.definitions(b).iter().peekable();
        let insts = &marked.kernel.blocks[b].insts;
        for (i, inst) in insts.iter().enumerate() {
            let free = !marked.held[b][i];
            if free {
                for unit in thread.reg_indices_before(id, i) {
                    self.confine_opt(webs, current[usize::from(unit)], (b, Some(i)));
                }
                for (src, web) in inst.srcs.iter().zip(&webs.named(b, i).srcs) {
                    let _ = src;
                    self.confine_opt(webs, *web, (b, Some(i)));
                }
            }
            let mut written = Vec::new();
            while let Some((_, unit, web)) = definitions.next_if(|(at, ..)| *at == i) {
                current[usize::from(*unit)] = Some(*web);
                written.push((*unit, *web));
                if free {
                    self.confine(webs, *web, (b, Some(i)));
                }
            }
            let after = thread.after(id, i);
            for (unit, web) in &written {
                let live = (thread.domain().reg_indices(after))
                    .filter_map(|other| Some((other, current[usize::from(other)]?)));
                for (other, other_web) in live.chain(written.iter().copied()) {
                    if other != *unit {
                        self.conflict(webs, seen, *web, other_web);
                    }
                }
            }
            if marked.origin[b][i].is_none()
                && matches!(inst.op, Op::Mov(_))
                && let (Some(src), Some(Dst::Reg(_))) =
                    (webs.named(b, i).srcs[0], inst.dsts.first())
                && let Some(dst) = webs.named(b, i).dsts[0]
            {
                let (src, dst) = (webs.group(src), webs.group(dst));
                self.joined[src as usize].push(dst);
                self.joined[dst as usize].push(src);
            }
        }
        if !marked.held[b][insts.len()] {
            for unit in thread.domain().reg_indices(thread.live_out(id)) {
                let point = (b, insts.len().checked_sub(1));
                self.confine_opt(webs, current[usize::from(unit)], point);
            }
        }
    }

    fn confine_opt(&mut self, webs: &Webs, web: Option<Web>, point: LowPoint) {
        if let Some(web) = web {
            self.confine(webs, web, point);
        }
    }

    fn confine(&mut self, webs: &Webs, web: Web, point: LowPoint) {
        let points = &mut self.low_at[webs.group(web) as usize];
        if points.last() != Some(&point) {
            points.push(point);
        }
    }

    fn conflict(&mut self, webs: &Webs, seen: &mut FixedBitSet, a: Web, b: Web) {
        let (group, other) = (webs.group(a), webs.group(b));
        if a == b || group == other || seen.put(a as usize * webs.len() + b as usize) {
            return;
        }
        seen.insert(b as usize * webs.len() + a as usize);
        let (offset, other_offset) = (webs.offset(a), webs.offset(b));
        self.conflicts[group as usize].push(Conflict {
            other,
            offset,
            other_offset,
        });
        self.conflicts[other as usize].push(Conflict {
            other: group,
            offset: other_offset,
            other_offset: offset,
        });
    }
}
