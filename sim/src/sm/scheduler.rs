//! Which of its warps a scheduler tries.

use crate::machine::SchedulerPolicy;

/// One warp scheduler.
#[derive(Clone, Debug)]
pub struct Scheduler {
    policy: SchedulerPolicy,
    /// Warp slots of this scheduler: slot mod schedulers.
    pub warps: u64,
    last: usize,
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
            SchedulerPolicy::Lrr => {
                // Slots behind the last one first; the shift by 63 leaves none.
                let behind = candidates & (!1u64 << self.last);
                let chosen = if behind != 0 { behind } else { candidates };
                Some(chosen.trailing_zeros() as usize)
            }
        }
    }

    /// The warp has issued.
    #[inline]
    pub fn issued(&mut self, slot: usize) {
        self.last = slot;
    }
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
    fn each_warp_belongs_to_one_scheduler() {
        let [a, b] = [0, 1].map(|i| Scheduler::new(SchedulerPolicy::Gto, i, 2).warps);
        assert_eq!(a ^ b, !0);
        assert_eq!(b >> 5 & 1, 1);
    }
}
