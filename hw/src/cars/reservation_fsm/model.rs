//! The obvious way: an average per level, the least of them, and a step towards it.

use super::{ReservationFsmIn, ReservationFsmOut};
use crate::clocked::Clocked;
use std::cmp::Ordering;

/// Plain model of the state machine.
#[derive(Clone, Debug)]
pub struct Model<const LEVELS: usize> {
    /// Average of each level that was measured, in cycles.
    averages: [Option<u64>; LEVELS],
    /// Levels of the two halves: the one that began Low, the one that began High.
    halves: [u8; 2],
    top: u8,
}

impl<const LEVELS: usize> Default for Model<LEVELS> {
    fn default() -> Self {
        Self {
            averages: [None; LEVELS],
            halves: [0; 2],
            top: 0,
        }
    }
}

impl<const LEVELS: usize> Model<LEVELS> {
    /// Average of a level in cycles, if it was measured.
    #[must_use]
    pub fn average_cycles(&self, level: u8) -> Option<u64> {
        self.averages[usize::from(level)]
    }

    fn best(&self) -> Option<u8> {
        (0..LEVELS as u8)
            .filter_map(|level| self.average_cycles(level).map(|average| (average, level)))
            .min()
            .map(|(_, level)| level)
    }

    /// The level of the next CTA of a half.
    fn next(&self, half: usize) -> u8 {
        let level = self.halves[half];
        let best = self.best().filter(|_| self.average_cycles(level).is_some());
        match best.map(|best| best.cmp(&level)) {
            Some(Ordering::Less) => level - 1,
            Some(Ordering::Greater) => level + 1,
            _ => level,
        }
    }
}

impl<const LEVELS: usize> Clocked for Model<LEVELS> {
    type In = ReservationFsmIn<LEVELS>;
    type Out = ReservationFsmOut<LEVELS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        ReservationFsmOut {
            level: self.next(usize::from(pins.launch_high)),
            best_valid: self.best().is_some(),
            best: self.best().unwrap_or(0),
            low_level: self.halves[0],
            high_level: self.halves[1],
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            let halves = if pins.known {
                [pins.known_level.min(pins.top); 2]
            } else {
                [0, pins.top]
            };
            *self = Self {
                averages: [None; LEVELS],
                halves,
                top: pins.top,
            };
            return out;
        }
        if pins.again {
            if let Some(best) = self.best() {
                self.halves = [best; 2];
            }
        } else if pins.launch {
            self.halves[usize::from(pins.launch_high)] = out.level;
        }
        if pins.done && pins.done_level <= self.top {
            let average = &mut self.averages[usize::from(pins.done_level)];
            let cycles = u64::from(pins.done_cycles);
            // Seven eighths of what was, rounded up, and an eighth of what is new, rounded down.
            *average =
                Some(average.map_or(cycles, |average| (7 * average).div_ceil(8) + cycles / 8));
        }
        out
    }
}
