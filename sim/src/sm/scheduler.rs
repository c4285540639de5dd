//! Which of its warps a scheduler tries.

use crate::machine::SchedulerPolicy;

/// One warp scheduler.
#[derive(Clone, Debug)]
pub struct Scheduler {
    policy: SchedulerPolicy,
    /// Warp slots of this scheduler: slot mod schedulers.
    pub warps: u64,
    last: usize,
    /// Two levels: the warps of the ready queue, and the last one that came into it.
    queue: u64,
    promoted: usize,
}

impl Scheduler {
    /// Scheduler `index` of `count`.
    pub fn new(policy: SchedulerPolicy, index: usize, count: usize) -> Self {
        Scheduler {
            policy,
            warps: (0..64)
                .filter(|slot| slot % count == index)
                .fold(0, |mask, slot| mask | 1 << slot),
            last: 63,
            queue: 0,
            promoted: 63,
        }
    }

    /// The warps among which it chooses: all of its own, or those of the ready queue. If that is empty all of them wait.
    pub fn in_reach(&self) -> u64 {
        match self.policy {
            SchedulerPolicy::TwoLevel(_) if self.queue != 0 => self.queue,
            _ => self.warps,
        }
    }

    /// Of the `running` warps those that are `waiting` long leave the ready queue, and others take their places in turn. Once
    /// done, the same again changes nothing.
    pub fn refill(&mut self, running: u64, waiting: u64) {
        let SchedulerPolicy::TwoLevel(size) = self.policy else {
            return;
        };
        let able = self.warps & running & !waiting;
        self.queue &= able;
        while self.queue.count_ones() < size.into() {
            let Some(next) = after(self.promoted, able & !self.queue) else {
                return;
            };
            self.queue |= 1 << next;
            self.promoted = next;
        }
    }

    /// The warp to try among the `candidates` of this scheduler. `age` is smaller for older warps.
    #[inline]
    pub fn pick(&self, candidates: u64, age: &[u64]) -> Option<usize> {
        if candidates == 0 {
            return None;
        }
        match self.policy {
            SchedulerPolicy::Gto if candidates >> self.last & 1 == 1 => Some(self.last),
            SchedulerPolicy::Gto | SchedulerPolicy::Oldest => {
                ones(candidates).min_by_key(|&slot| age[slot])
            }
            SchedulerPolicy::Lrr => after(self.last, candidates),
            SchedulerPolicy::TwoLevel(_) => after(self.last, candidates & self.queue),
        }
    }

    /// As [`Scheduler::pick`], but any of the candidates, whether they are in the ready queue or not.
    #[inline]
    pub fn pick_urgent(&self, candidates: u64, age: &[u64]) -> Option<usize> {
        match self.policy {
            SchedulerPolicy::TwoLevel(_) if candidates != 0 => after(self.last, candidates),
            _ => self.pick(candidates, age),
        }
    }

    /// The warp has issued.
    #[inline]
    pub fn issued(&mut self, slot: usize) {
        self.last = slot;
    }
}

/// The next of `slots` behind `last`, and behind the highest slot the lowest.
#[inline]
fn after(last: usize, slots: u64) -> Option<usize> {
    // The shift by 63 leaves none.
    let behind = slots & (!1u64 << last);
    let chosen = if behind != 0 { behind } else { slots };
    (chosen != 0).then(|| chosen.trailing_zeros() as usize)
}

/// The set bits, lowest first.
#[inline]
pub fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGE: [u64; 64] = {
        let mut age = [0; 64];
        let mut slot = 0;
        while slot < 64 {
            age[slot] = 100 - slot as u64;
            slot += 1;
        }
        age
    };

    #[test]
    fn greedy_then_oldest_stays_with_its_warp_and_then_takes_the_oldest() {
        let mut gto = Scheduler::new(SchedulerPolicy::Gto, 0, 2);
        assert_eq!(gto.pick(0b1_0101, &AGE), Some(4));
        gto.issued(2);
        assert_eq!(gto.pick(0b1_0101, &AGE), Some(2));
        assert_eq!(gto.pick(0b1_0001, &AGE), Some(4));
    }

    #[test]
    fn oldest_first_leaves_its_warp_for_an_older_one() {
        let mut oldest = Scheduler::new(SchedulerPolicy::Oldest, 0, 2);
        oldest.issued(2);
        assert_eq!(oldest.pick(0b1_0101, &AGE), Some(4));
        assert_eq!(oldest.pick(0, &AGE), None);
    }

    #[test]
    fn loose_round_robin_goes_on_behind_the_last_warp() {
        let mut lrr = Scheduler::new(SchedulerPolicy::Lrr, 0, 1);
        let mut order = Vec::new();
        for _ in 0..4 {
            let slot = lrr.pick(1 << 63 | 0b101, &AGE).unwrap();
            lrr.issued(slot);
            order.push(slot);
        }
        assert_eq!(order, [0, 2, 63, 0]);
    }

    #[test]
    fn two_levels_stay_with_the_ready_queue_while_its_warps_need_not_wait_long() {
        let mut two = Scheduler::new(SchedulerPolicy::TwoLevel(2), 0, 1);
        two.refill(0b11111, 0);
        let picked = |two: &mut Scheduler, candidates| {
            let slot = two.pick(candidates, &AGE);
            slot.inspect(|&slot| two.issued(slot))
        };
        let order: Vec<_> = (0..3).map(|_| picked(&mut two, 0b11111)).collect();
        assert_eq!(order, [Some(0), Some(1), Some(0)]);
        // What is ready outside has to wait.
        assert_eq!(picked(&mut two, 0b11100), None);
        // Unless nobody else can go on before it has.
        assert_eq!(two.pick_urgent(0b11100, &AGE), Some(2));
        assert_eq!(two.pick_urgent(0, &AGE), None);
        assert_eq!(two.in_reach(), 0b11);
        // Warp 0 waits for memory: 2 comes, and 0 does not come back for itself.
        two.refill(0b11111, 0b1);
        assert_eq!(two.in_reach(), 0b110);
        two.refill(0b11111, 0);
        assert_eq!(two.in_reach(), 0b110);
        // All others come before it does.
        two.refill(0b11111, 0b110);
        assert_eq!(two.in_reach(), 0b11000);
        two.refill(0b11111, 0b1000);
        assert_eq!(two.in_reach(), 0b10001);
        // When all wait, all are looked at for the cause.
        two.refill(0b11111, 0b11111);
        assert_eq!((two.in_reach(), picked(&mut two, 0)), (!0, None));
    }

    #[test]
    fn each_warp_belongs_to_one_scheduler() {
        let [a, b] = [0, 1].map(|i| Scheduler::new(SchedulerPolicy::Gto, i, 2).warps);
        assert_eq!(a ^ b, !0);
        assert_eq!(b >> 5 & 1, 1);
    }
}
