//! The causes of issue slots, as names that tables and files share.

use super::counters::IssueSlots;
use std::ops::{Index, IndexMut};

/// Where an issue slot went; [`IssueSlots`] says what each means. The order is that of "came furthest".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// An instruction issued.
    Issued,
    /// The register hardware refused.
    Refused,
    /// Ready, but the renaming hardware still takes in another instruction.
    RenamingBusy,
    /// No collector unit is free.
    CollectorFull,
    /// The execution unit is busy.
    UnitBusy,
    /// No MSHR, or no room towards memory.
    MemoryStructural,
    /// Waits for a load or atomic.
    MemoryData,
    /// Waits for another result, an operand read or a fence.
    Scoreboard,
    /// Refused before.
    AcquireWait,
    /// Waits at a barrier.
    Barrier,
    /// The instruction buffer is empty.
    Fetch,
    /// Ended, but not all of its accesses.
    Draining,
    /// There is no warp.
    NoWarp,
}

impl Cause {
    /// All of them, in order.
    pub const ALL: [Cause; 13] = [
        Cause::Issued,
        Cause::Refused,
        Cause::RenamingBusy,
        Cause::CollectorFull,
        Cause::UnitBusy,
        Cause::MemoryStructural,
        Cause::MemoryData,
        Cause::Scoreboard,
        Cause::AcquireWait,
        Cause::Barrier,
        Cause::Fetch,
        Cause::Draining,
        Cause::NoWarp,
    ];

    /// The name that tables show, as in [`IssueSlots::named`].
    pub fn name(self) -> &'static str {
        IssueSlots::default().named()[self as usize].0
    }
}

impl Index<Cause> for IssueSlots {
    type Output = u64;

    fn index(&self, cause: Cause) -> &u64 {
        match cause {
            Cause::Issued => &self.issued,
            Cause::Refused => &self.refused,
            Cause::RenamingBusy => &self.renaming_busy,
            Cause::CollectorFull => &self.collector_full,
            Cause::UnitBusy => &self.unit_busy,
            Cause::MemoryStructural => &self.memory_structural,
            Cause::MemoryData => &self.memory_data,
            Cause::Scoreboard => &self.scoreboard,
            Cause::AcquireWait => &self.acquire_wait,
            Cause::Barrier => &self.barrier,
            Cause::Fetch => &self.fetch,
            Cause::Draining => &self.draining,
            Cause::NoWarp => &self.no_warp,
        }
    }
}

impl IndexMut<Cause> for IssueSlots {
    fn index_mut(&mut self, cause: Cause) -> &mut u64 {
        match cause {
            Cause::Issued => &mut self.issued,
            Cause::Refused => &mut self.refused,
            Cause::RenamingBusy => &mut self.renaming_busy,
            Cause::CollectorFull => &mut self.collector_full,
            Cause::UnitBusy => &mut self.unit_busy,
            Cause::MemoryStructural => &mut self.memory_structural,
            Cause::MemoryData => &mut self.memory_data,
            Cause::Scoreboard => &mut self.scoreboard,
            Cause::AcquireWait => &mut self.acquire_wait,
            Cause::Barrier => &mut self.barrier,
            Cause::Fetch => &mut self.fetch,
            Cause::Draining => &mut self.draining,
            Cause::NoWarp => &mut self.no_warp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_stands_for_the_counter_of_its_name() {
        for cause in Cause::ALL {
            let mut slots = IssueSlots::default();
            slots[cause] = 7;
            let counted = slots.named().into_iter().find(|&(_, slots)| slots == 7);
            assert_eq!(counted, Some((cause.name(), 7)));
            assert_eq!(slots[cause], 7);
        }
    }
}
