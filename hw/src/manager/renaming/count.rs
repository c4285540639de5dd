//! What is told by what is asked and answered: which registers have a pack, for the counts, and, where there is no flag cache,
//! whose flags a warp has with it.

use super::Renaming;
use crate::ids::{ArchReg, WarpSlot};
use crate::manager::{FlagWord, IssueRequest};
use crate::rfv::flag_decoder::{OPERANDS, pbr_registers};

/// Registers, a bit each, that the operands in `served` of a step release: those with a flag that the step does not write.
pub(super) fn released(request: &IssueRequest, step: u8, served: u8) -> u64 {
    let Some(flags) = request.flags else {
        return 0;
    };
    let dies = flags.flags();
    let here = || {
        let places = request.places.iter().zip(&request.regs);
        places.filter(move |(place, _)| place.step == step)
    };
    let written = here()
        .filter(|(place, _)| usize::from(place.pin) == OPERANDS)
        .fold(0u64, |written, (_, reg)| written | 1 << reg.0);
    let dead = here()
        .filter(|(place, _)| {
            place.flagged && dies >> place.pin & 1 == 1 && served >> place.pin & 1 == 1
        })
        .fold(0u64, |dead, (_, reg)| dead | 1 << reg.0);
    dead & !written
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    /// A register has a pack now; `renews`: a new one, if it had one before.
    pub(super) fn assigned(&mut self, warp: WarpSlot, reg: ArchReg, renews: bool) {
        if reg.0 < self.placement.exempt {
            return;
        }
        let mapped = &mut self.mapped[warp.index()];
        let is_new = *mapped >> reg.0 & 1 == 0;
        *mapped |= 1 << reg.0;
        self.counts.updates += u64::from(is_new || renews);
        self.counts.filled_packs += u64::from(self.spilling.assigned(warp, reg));
    }

    /// A word has been decoded.
    pub(super) fn decoded(&mut self, is_pbr: bool, word: Option<FlagWord>) {
        let Some(word) = word else { return };
        if is_pbr {
            let named = pbr_registers(word.word).fold(0u64, |named, reg| named | 1 << reg);
            let mapped = &mut self.mapped[word.warp.index()];
            self.counts.lookups += u64::from(named.count_ones());
            let freed = (*mapped & named).count_ones();
            *mapped &= !named;
            self.counts.updates += u64::from(freed);
            if self.waits_for_packs() && freed > 0 {
                self.spilling.free();
            }
        } else {
            self.carried[word.warp.index()] = Some((word.pc, 0));
        }
    }

    /// Whether a warp need not wait for the flags of its instruction. Without a cache it has those of a pir once, from the
    /// instruction behind it on.
    pub(super) fn carries_flags(&self, request: &IssueRequest) -> bool {
        let flagged = (request.places.iter()).any(|place| place.step == 0 && place.flagged);
        match request.flags {
            Some(flags) if flagged && self.placement.flag_entries == 0 => {
                let carried = self.carried[request.warp.index()];
                carried.is_some_and(|(pc, next)| pc == flags.pc && flags.slot >= next)
            }
            _ => true,
        }
    }

    /// The instruction has begun: its flags are used.
    pub(super) fn use_flags(&mut self, request: &IssueRequest) {
        if let Some(flags) = request.flags
            && let Some((pc, next)) = &mut self.carried[request.warp.index()]
            && *pc == flags.pc
        {
            *next = flags.slot + 1;
        }
    }
}
