//! The command clock of the memory beside the core's.

/// Counts command cycles. A command cycle belongs to the first core cycle that begins with it or after it.
#[derive(Clone, Debug)]
pub struct CommandClock {
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
        self.core < now
    }

    /// Whether it begins with core cycle `now`.
    pub fn is_with(&self, now: u64) -> bool {
        self.core == now && self.rest == 0
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
    }

    /// Passes over the command cycles that belong to core cycles before `now`.
    pub fn catch_up(&mut self, now: u64) {
        if now == 0 || !self.is_before(now - 1) && !self.is_with(now - 1) {
            return;
        }
        let past = u128::from(now - 1) * u128::from(self.dram_khz) / u128::from(self.core_khz);
        self.cycle = past as u64 + 1;
        let at = u128::from(self.cycle) * u128::from(self.core_khz);
        self.core = (at / u128::from(self.dram_khz)) as u64;
        self.rest = (at % u128::from(self.dram_khz)) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_that_catches_up_is_where_the_one_that_counts_is() {
        for (core, dram) in [(1132, 850), (1320, 3500), (700, 924), (3, 3)] {
            let mut counting = CommandClock::new(core, dram);
            for now in 0..3000 {
                while counting.is_before(now) {
                    counting.advance();
                }
                let mut jumping = CommandClock::new(core, dram);
                jumping.catch_up(now);
                while jumping.is_before(now) {
                    jumping.advance();
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
