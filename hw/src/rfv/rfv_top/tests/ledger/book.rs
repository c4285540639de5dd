//! What the ledger knows, and what must hold in every cycle.

use super::*;

impl Sm {
    pub(super) fn all(&self) -> usize {
        pack_count(256, self.pins.shrink.into(), self.pins.reserved.into())
    }

    pub(super) fn need(&self) -> usize {
        usize::from(self.kernel.renamed) * usize::from(self.kernel.warps_per_cta)
    }

    /// A cycle of both, and what must hold in each.
    pub(super) fn step(&mut self, pins: In) -> Out {
        let before: Vec<_> = self.model.mapped().map(|(_, _, pack)| pack).collect();
        let (returning, used) = (self.model.returning(), self.model.used_packs());
        let out = self.rtl.edge(&pins);
        assert_eq!(out, self.model.edge(&pins), "{pins:?}");
        self.cycle += 1;
        if self.cycle == 1 {
            return out;
        }
        assert_eq!(
            usize::from(out.free_packs) + before.len() + returning,
            self.all(),
            "free + mapped + on the way back = all"
        );
        assert_eq!(
            used,
            before.len() + returning,
            "the free list knows the same"
        );
        let packs: BTreeSet<_> = before.iter().copied().collect();
        assert_eq!(packs.len(), before.len(), "no pack is mapped twice");
        let kept = kept_packs(64)[usize::from(self.pins.shrink)] as u16;
        let may = |pack: &u16| (self.pins.reserved..kept).contains(&(pack / 4));
        assert!(
            packs.iter().all(may),
            "nor one that is reserved or left out"
        );
        out
    }

    /// Books the answer of this cycle.
    pub(super) fn book(&mut self, out: &Out, delay: u8) {
        assert_eq!(out.a_answer || out.b_answer, self.asked.is_some());
        let Some(Asked { warp, x, dead }) = self.asked.take() else {
            return;
        };
        let packs = out.packs();
        for i in 0..3 {
            let Some(reg) = x[i] else { continue };
            let expected = if reg < self.pins.exempt {
                Some(u16::from(self.pins.exempt) * u16::from(warp) + u16::from(reg))
            } else {
                self.mapped.get(&(warp, reg)).copied()
            };
            assert_eq!(packs[i], expected, "register {reg} of warp {warp}");
            let read = self.cycle + usize::from(delay);
            self.unread.extend(expected.map(|pack| (pack, warp, read)));
        }
        let dies = |reg| (0..3).any(|i| dead[i] && x[i] == Some(reg));
        for reg in x[..3].iter().flatten().filter(|&&reg| dies(reg)) {
            self.mapped.remove(&(warp, *reg));
        }
        let Some(reg) = x[3].filter(|&reg| reg >= self.pins.exempt) else {
            return;
        };
        let before = self.mapped.get(&(warp, reg)).copied();
        assert_eq!(out.starved, packs[3].is_none());
        let Some(pack) = packs[3] else {
            assert!(before.is_none() && out.dry >> (reg % 4) & 1 == 1);
            self.starved.insert(warp);
            return;
        };
        if before == Some(pack) {
            return;
        }
        assert_eq!(before, None, "a register that lives keeps its pack");
        assert_eq!(pack % 4, u16::from(reg) % 4, "in its own bank");
        let owner = self.mapped.iter().find(|(_, mapped)| **mapped == pack);
        assert_eq!(owner, None, "of nobody else");
        let reader = self
            .unread
            .iter()
            .find(|(p, _, read)| *p == pack && *read >= self.cycle);
        assert_eq!(reader, None, "nobody is still to read it");
        self.mapped.insert((warp, reg), pack);
    }

    /// The pir that covers the instruction at `at`, and its slot.
    pub(super) fn pir(&self, at: usize) -> (u16, u8) {
        let block = (at / COVERED) as u16;
        (block * self.kernel.distance, (at % COVERED) as u8)
    }

    /// Sources that the instruction releases: what it writes as well lives on.
    pub(super) fn dead(&self, at: usize, again: bool) -> [bool; 3] {
        let (_, slot) = self.pir(at);
        let flags = self.kernel.flags[usize::from(slot)];
        let Some(Word::Instruction(x)) = self.kernel.program.get(at) else {
            panic!("only an instruction has sources");
        };
        std::array::from_fn(|i| !again && flags >> i & 1 == 1 && (x[i] != x[3]))
    }

    /// Of the CTAs that run, the one that may need least needs more than is free: then, and only then.
    pub(super) fn check_spill(&self, out: &Out) {
        if self.running.is_empty() {
            return;
        }
        // What is on its way back is still assigned.
        let size = usize::from(self.kernel.warps_per_cta);
        let mut assigned = BTreeMap::new();
        for (warp, _, _) in self.model.mapped() {
            *assigned.entry((warp / size) as u8).or_insert(0) += 1;
        }
        if let Some(cta) = self.model.giver() {
            *assigned.entry(cta).or_insert(0) += self.model.returning();
        }
        for cta in self.running.keys() {
            let needs = self.need() - assigned.get(cta).copied().unwrap_or(0);
            assert_eq!(
                self.model.balance((*cta).into()),
                Some(needs as i32),
                "of CTA {cta}"
            );
        }
        let may_need = |cta| self.need() - assigned.get(cta).copied().unwrap_or(0);
        let least = self.running.keys().map(may_need).min().unwrap_or(0);
        let free = self.all() - assigned.values().sum::<usize>();
        assert_eq!(out.spill, free < least, "{free} free, {least} needed");
        let fits = self.need() <= self.all();
        assert!(
            !fits || !out.spill,
            "a CTA that fits never runs short: {free} free, {least} needed, {assigned:?} of {:?}, {:?} on their way",
            self.running,
            self.model.giver()
        );
    }
}
