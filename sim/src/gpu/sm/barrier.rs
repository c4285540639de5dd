//! Barriers of a CTA: who has come, who waits.
//!
//! A barrier without a count is complete when all warps of the CTA that have not ended have come; with one, when so many threads
//! have, 32 for each warp. Where a trace names a count it does not name the number ([`crate::trace::barrier`]). So barriers with
//! the same count are told apart by who comes: a warp comes once to each, one instruction is always the same barrier, and warps
//! that only arrive at one instruction belong with those that wait at another. // assumed
//! As that can be wrong, a CTA whose warps all wait in vain goes on with the barrier that has waited longest: on the hardware that
//! was traced it did go on. Where nothing of this had to be assumed, it never goes on, and the replay ends with a report.

use crate::trace::barrier::BarrierUse;
use arrayvec::ArrayVec;

/// Instructions that a barrier remembers.
const REMEMBERED: usize = 4;

/// A barrier at which a warp is.
#[derive(Clone, Debug)]
pub struct Open {
    /// Which, if that is known.
    pub number: Option<u8>,
    /// How many threads it waits for; `None`: the CTA.
    pub threads: Option<u16>,
    /// Bits of warps that have come.
    pub arrived: u64,
    /// Those of them that wait.
    pub waiting: u64,
    /// With a count: where they have come, by index in the program.
    insts: ArrayVec<u32, REMEMBERED>,
}

/// The barriers of a CTA.
#[derive(Clone, Debug, Default)]
pub struct Barriers {
    /// Oldest first.
    open: Vec<Open>,
    /// The first instruction with a count.
    counted: Option<u32>,
    /// Which barrier is which had to be assumed.
    assumed: bool,
}

impl Barriers {
    /// The warp with that bit comes to a barrier, at that instruction of the program; `apart`: without some of its lanes.
    pub fn arrive(&mut self, bit: u64, inst: u32, at: BarrierUse, apart: bool) {
        self.assumed |= apart || at.threads.is_some() && *self.counted.get_or_insert(inst) != inst;
        let found = match at.threads {
            None => self.open.iter().position(|open| {
                let same = open.number == at.number || open.number.is_none() || at.number.is_none();
                open.threads.is_none() && same
            }),
            Some(_) => self.counted(bit, inst, at),
        };
        let found = found.unwrap_or_else(|| {
            self.open.push(Open {
                number: at.number,
                threads: at.threads,
                arrived: 0,
                waiting: 0,
                insts: ArrayVec::new(),
            });
            self.open.len() - 1
        });
        let open = &mut self.open[found];
        open.number = open.number.or(at.number);
        open.arrived |= bit;
        open.waiting |= if at.waits { bit } else { 0 };
        if at.threads.is_some() && !open.insts.contains(&inst) {
            // One more than it can remember is only found by who waits there.
            let _ = open.insts.try_push(inst);
        }
    }

    /// The barrier with that count that a warp comes to.
    fn counted(&self, bit: u64, inst: u32, at: BarrierUse) -> Option<usize> {
        let fits = |open: &Open| open.threads == at.threads && open.arrived & bit == 0;
        let same = |open: &Open| fits(open) && open.insts.contains(&inst);
        let other_side = |open: &Open| match at.waits {
            true => open.arrived & !open.waiting != 0,
            false => open.waiting != 0,
        };
        let place = self.open.iter().position(same);
        place.or_else(|| {
            let mut open = self.open.iter();
            open.position(|open| fits(open) && other_side(open))
        })
    }

    /// Bits of warps that go on, as barriers are complete, when those of `live` have not ended.
    pub fn complete(&mut self, live: u64) -> u64 {
        let mut released = 0;
        self.open.retain(|open| {
            let complete = match open.threads {
                None => live & !open.arrived == 0,
                Some(threads) => open.arrived.count_ones() * 32 >= threads.into(),
            };
            released |= if complete { open.waiting } else { 0 };
            !complete
        });
        if released != 0 || live == 0 || !self.assumed {
            return released;
        }
        let waiting = self.open.iter().fold(0, |bits, open| bits | open.waiting);
        if live & !waiting != 0 {
            return 0;
        }
        let longest = self.open.iter().position(|open| open.waiting != 0);
        longest.map_or(0, |longest| self.open.remove(longest).waiting)
    }

    /// Where a warp waits.
    pub fn of(&self, bit: u64) -> Option<&Open> {
        self.open.iter().find(|open| open.waiting & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u64 = 0b1111;

    fn sync(number: u8) -> BarrierUse {
        BarrierUse {
            number: Some(number),
            threads: None,
            waits: true,
        }
    }

    fn counted(threads: u16, waits: bool) -> BarrierUse {
        BarrierUse {
            number: None,
            threads: Some(threads),
            waits,
        }
    }

    /// Warp, instruction, what it does; then which warps go on.
    fn go_on(barriers: &mut Barriers, warp: u32, inst: u32, at: BarrierUse) -> u64 {
        barriers.arrive(1 << warp, inst, at, false);
        barriers.complete(ALL)
    }

    #[test]
    fn barrier_without_a_count_waits_for_all_that_have_not_ended() {
        let mut barriers = Barriers::default();
        for warp in 0..3 {
            assert_eq!(go_on(&mut barriers, warp, 0, sync(0)), 0);
        }
        assert_eq!(barriers.complete(0b0111), 0b0111);
        assert_eq!(barriers.complete(0b0111), 0, "it is open no more");
    }

    #[test]
    fn warps_at_two_numbers_wait_for_ever() {
        let mut barriers = Barriers::default();
        for warp in 0..4 {
            let number = (warp % 2) as u8;
            assert_eq!(go_on(&mut barriers, warp, warp % 2, sync(number)), 0);
        }
        assert_eq!(barriers.of(0b10).map(|open| open.arrived), Some(0b1010));
        // With lanes that have come apart, who knows what belongs together.
        barriers.arrive(1, 0, sync(0), true);
        assert_eq!(barriers.complete(ALL), 0b0101);
    }

    #[test]
    fn barrier_with_a_count_opens_when_so_many_threads_have_come() {
        let mut barriers = Barriers::default();
        assert_eq!(go_on(&mut barriers, 2, 5, counted(64, true)), 0);
        assert_eq!(go_on(&mut barriers, 0, 5, counted(64, true)), 0b0101);
    }

    #[test]
    fn groups_that_wait_at_instructions_of_their_own_do_not_meet() {
        let mut barriers = Barriers::default();
        assert_eq!(go_on(&mut barriers, 0, 1, counted(64, true)), 0);
        assert_eq!(go_on(&mut barriers, 2, 2, counted(64, true)), 0);
        assert_eq!(go_on(&mut barriers, 3, 2, counted(64, true)), 0b1100);
        assert_eq!(go_on(&mut barriers, 1, 1, counted(64, true)), 0b0011);
    }

    /// A buffer that warp 0 fills and warp 1 empties: `full` and `empty`, each with 64 threads.
    #[test]
    fn producer_and_consumer_take_turns() {
        let (wait_empty, tell_full, tell_empty, wait_full) = (0, 1, 2, 3);
        let mut barriers = Barriers::default();
        let wait = counted(64, true);
        let tell = counted(64, false);
        for _ in 0..3 {
            // The consumer comes first, says that the buffer is empty, and waits until it is full.
            assert_eq!(go_on(&mut barriers, 1, tell_empty, tell), 0);
            assert_eq!(go_on(&mut barriers, 1, wait_full, wait), 0);
            assert_eq!(go_on(&mut barriers, 0, wait_empty, wait), 0b01);
            assert_eq!(go_on(&mut barriers, 0, tell_full, tell), 0b10);
            // The producer comes first.
            assert_eq!(go_on(&mut barriers, 0, wait_empty, wait), 0);
            assert_eq!(go_on(&mut barriers, 1, tell_empty, tell), 0b01);
            assert_eq!(go_on(&mut barriers, 0, tell_full, tell), 0);
            assert_eq!(go_on(&mut barriers, 1, wait_full, wait), 0b10);
        }
    }

    #[test]
    fn warp_that_arrived_and_ended_counts() {
        let mut barriers = Barriers::default();
        barriers.arrive(1, 0, counted(64, false), false);
        barriers.arrive(2, 1, counted(64, true), false);
        assert_eq!(barriers.complete(0b1110), 0b10);
    }

    #[test]
    fn count_that_one_instruction_never_reaches_keeps_its_warps_for_ever() {
        let mut barriers = Barriers::default();
        for warp in 0..4 {
            assert_eq!(go_on(&mut barriers, warp, 7, counted(256, true)), 0);
        }
        // At two instructions it may be two barriers.
        let mut barriers = Barriers::default();
        for warp in 0..3 {
            assert_eq!(go_on(&mut barriers, warp, 7, counted(256, true)), 0);
        }
        assert_eq!(go_on(&mut barriers, 3, 8, counted(256, true)), 0b0111);
    }
}
