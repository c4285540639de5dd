//! The command clock of the memory beside the core's.
//!
//! GPGPU-Sim adds up the periods of both in double precision and compares the sums. Where the exact times are equal, rounding
//! decides which clock is first, and with that the order of what both do; so it does here.

use std::cmp::Ordering;

/// Time of a clock after a number of cycles, as repeated addition in double precision makes it.
#[derive(Clone, Debug)]
struct Sum {
    period: f64,
    cycles: u64,
    time: f64,
}

impl Sum {
    fn new(khz: u64) -> Self {
        Sum {
            period: 1.0 / (khz as f64 * 1000.0),
            cycles: 0,
            time: 0.0,
        }
    }

    /// Seconds after `cycles` additions, no fewer than asked for before.
    ///
    /// Between two powers of two the same addend is rounded in the same way each time, but for the first time after such a power
    /// where it lies just between two doubles. So the sum is a straight line there, which needs no loop.
    fn after(&mut self, cycles: u64) -> f64 {
        while self.cycles < cycles {
            let first = self.time + self.period;
            let step = (first + self.period) - first;
            // The next power of two: above it doubles lie further apart.
            let exponent = first.to_bits() >> 52;
            let limit = f64::from_bits((exponent + 1) << 52);
            let more = ((limit - first) / step) as u64;
            let more = more.min(cycles - self.cycles - 1);
            self.time = first + more as f64 * step;
            self.cycles += 1 + more;
        }
        self.time
    }
}

/// Counts command cycles. A command cycle belongs to the first core cycle that begins with it or after it.
#[derive(Clone, Debug)]
pub struct CommandClock {
    core_sum: Sum,
    dram_sum: Sum,
    /// Of a command cycle that begins with a core cycle: whether it comes before, with or behind it.
    tie: Ordering,
    core_khz: u64,
    dram_khz: u64,
    /// The next command cycle, and when it is: core cycles, and a rest in units of one over `dram_khz`.
    cycle: u64,
    core: u64,
    rest: u64,
}

impl CommandClock {
    /// Both clocks at 0.
    pub fn new(core_khz: u64, dram_khz: u64) -> Self {
        CommandClock {
            core_sum: Sum::new(core_khz),
            dram_sum: Sum::new(dram_khz),
            tie: Ordering::Equal,
            core_khz,
            dram_khz,
            cycle: 0,
            core: 0,
            rest: 0,
        }
    }

    /// The next command cycle.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether the next command cycle comes before core cycle `now`.
    pub fn is_before(&self, now: u64) -> bool {
        self.core < now || self.core == now && self.rest == 0 && self.tie == Ordering::Less
    }

    /// Whether it begins with core cycle `now`.
    pub fn is_with(&self, now: u64) -> bool {
        self.core == now && self.rest == 0 && self.tie == Ordering::Equal
    }

    fn look_at_tie(&mut self) {
        if self.rest == 0 {
            let dram = self.dram_sum.after(self.cycle);
            self.tie = dram.total_cmp(&self.core_sum.after(self.core));
        }
    }

    /// Core cycles that so many command cycles take at least, the next one not counted whole.
    pub fn core_cycles(&self, command_cycles: u64) -> u64 {
        command_cycles.saturating_sub(1) * self.core_khz / self.dram_khz
    }

    /// That command cycle is over.
    pub fn advance(&mut self) {
        self.cycle += 1;
        self.core += self.core_khz / self.dram_khz;
        self.rest += self.core_khz % self.dram_khz;
        if self.rest >= self.dram_khz {
            self.rest -= self.dram_khz;
            self.core += 1;
        }
        self.look_at_tie();
    }

    /// Passes over the command cycles that belong to core cycles before `now`.
    pub fn catch_up(&mut self, now: u64) {
        if now == 0 || !self.is_before(now - 1) && !self.is_with(now - 1) {
            return;
        }
        let until = u128::from(now - 1) * u128::from(self.dram_khz);
        let last = (until / u128::from(self.core_khz)) as u64;
        if until % u128::from(self.core_khz) == 0 {
            // It begins with the core cycle before, and is not over if that one was first.
            (self.cycle, self.core, self.rest) = (last, now - 1, 0);
            self.look_at_tie();
            if self.tie == Ordering::Greater {
                return;
            }
        }
        self.cycle = last + 1;
        let at = u128::from(self.cycle) * u128::from(self.core_khz);
        self.core = (at / u128::from(self.dram_khz)) as u64;
        self.rest = (at % u128::from(self.dram_khz)) as u64;
        self.look_at_tie();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_repeated_addition() {
        for khz in [1_132_000, 850_000, 3_500_500, 700_000, 924_000, 1 << 20, 3] {
            let mut jumping = Sum::new(khz);
            let mut time = 0.0;
            for cycles in 0..200_000u64 {
                // Some are asked for, others passed over.
                if cycles % 7 == 0 || cycles % 1000 < 3 {
                    assert_eq!(jumping.after(cycles), time, "{khz} {cycles}");
                }
                time += jumping.period;
            }
            let mut at_once = Sum::new(khz);
            assert_eq!(at_once.after(200_000), time, "{khz}");
        }
    }

    #[test]
    fn clock_that_catches_up_is_where_the_one_that_counts_is() {
        for (core, dram) in [(1132, 850), (1320, 3500), (700, 924), (3, 3)] {
            let mut counting = CommandClock::new(core, dram);
            for now in 0..3000 {
                let mut jumping = CommandClock::new(core, dram);
                jumping.catch_up(now);
                assert_eq!(jumping.cycle(), counting.cycle(), "{core} {dram} {now}");
                for clock in [&mut counting, &mut jumping] {
                    while clock.is_before(now) {
                        clock.advance();
                    }
                }
                assert_eq!(jumping.cycle(), counting.cycle(), "{core} {dram} {now}");
                assert_eq!(jumping.is_with(now), counting.is_with(now));
                if counting.is_with(now) {
                    counting.advance();
                }
            }
        }
    }
}
