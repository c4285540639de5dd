//! The stall table: where the issue slots went, by instruction and by warp.

use super::counters::IssueSlots;
use super::probe::ProbeError;
use super::watch::{InstDef, Listing, Slots, Watcher};

/// Issue slots by program counter and by warp slot. Over all program counters, and over all warps, they sum to those of the run:
/// cycles x schedulers x SMs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StallTable {
    /// The program.
    pub insts: Vec<InstDef>,
    /// Of each instruction: slots in which it issued, or its warp could not issue it.
    pub by_pc: Vec<IssueSlots>,
    /// Slots without an instruction: all warps had ended, or there was none.
    pub without_pc: IssueSlots,
    /// Of each warp slot.
    pub by_warp: Vec<IssueSlots>,
    /// Slots without a warp.
    pub without_warp: IssueSlots,
}

impl Watcher for StallTable {
    fn begin(&mut self, listing: &Listing) -> Result<(), ProbeError> {
        *self = StallTable {
            by_pc: vec![IssueSlots::default(); listing.insts.len()],
            by_warp: vec![IssueSlots::default(); listing.warp_slots],
            insts: listing.insts.clone(),
            ..StallTable::default()
        };
        Ok(())
    }

    /// The same slots of all SMs together.
    fn sees_all_sms(&self) -> bool {
        true
    }

    fn slots(&mut self, _cycle: u64, slots: Slots) {
        let by_pc = match slots.pc {
            Some(pc) => &mut self.by_pc[pc as usize],
            None => &mut self.without_pc,
        };
        by_pc[slots.cause] += slots.cycles;
        let by_warp = match slots.warp {
            Some(warp) => &mut self.by_warp[warp],
            None => &mut self.without_warp,
        };
        by_warp[slots.cause] += slots.cycles;
    }

    fn end(&mut self, _cycles: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}
