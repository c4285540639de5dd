//! Accesses to the first-level cache over time (CARS, Figure 11).

use super::probe::ProbeError;
use super::watch::{Event, Listing, Purpose, Slots, Watcher};
use std::num::NonZeroU64;

/// Lines that the first-level cache took, by span of cycles and by what they were for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bandwidth {
    /// Cycles of a span.
    pub span: NonZeroU64,
    /// By span, from cycle 0 on; spans after the last access are missing.
    pub lines: Vec<Lines>,
    /// Cycles of the run.
    pub cycles: u64,
}

/// Lines of a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Of global memory.
    pub global: u64,
    /// Registers saved and restored.
    pub spill_fill: u64,
    /// Other data in local memory.
    pub other_local: u64,
}

impl Bandwidth {
    /// Nothing yet.
    pub fn new(span: NonZeroU64) -> Self {
        Bandwidth {
            span,
            lines: Vec::new(),
            cycles: 0,
        }
    }

    /// The same in spans that are `times` as long.
    #[must_use]
    pub fn widened(&self, times: NonZeroU64) -> Self {
        let sum = |lines: &[Lines]| {
            let add = |sum: Lines, next: &Lines| Lines {
                global: sum.global + next.global,
                spill_fill: sum.spill_fill + next.spill_fill,
                other_local: sum.other_local + next.other_local,
            };
            lines.iter().fold(Lines::default(), add)
        };
        Bandwidth {
            span: self.span.saturating_mul(times),
            lines: self.lines.chunks(times.get() as usize).map(sum).collect(),
            cycles: self.cycles,
        }
    }

    /// Lines per cycle of a span, by `of`; `None` after the run. The last span is as long as the run lasts.
    pub fn rate(&self, span: usize, of: impl Fn(&Lines) -> u64) -> Option<f64> {
        let from = span as u64 * self.span.get();
        let cycles = self.cycles.checked_sub(from).filter(|&left| left > 0)?;
        let lines = self.lines.get(span).map_or(0, of);
        Some(lines as f64 / cycles.min(self.span.get()) as f64)
    }
}

impl Watcher for Bandwidth {
    fn begin(&mut self, _listing: &Listing) -> Result<(), ProbeError> {
        *self = Bandwidth::new(self.span);
        Ok(())
    }

    fn wants_pipeline(&self) -> bool {
        true
    }

    fn sees_all_sms(&self) -> bool {
        true
    }

    fn event(&mut self, cycle: u64, event: &Event) {
        let Event::LineAccessed { purpose } = *event else {
            return;
        };
        let span = (cycle / self.span) as usize;
        if span >= self.lines.len() {
            self.lines.resize(span + 1, Lines::default());
        }
        let lines = &mut self.lines[span];
        match purpose {
            Purpose::Global => lines.global += 1,
            Purpose::SpillFill => lines.spill_fill += 1,
            Purpose::OtherLocal => lines.other_local += 1,
        }
    }

    fn slots(&mut self, _cycle: u64, _slots: Slots) {}

    fn end(&mut self, cycles: u64) -> Result<(), ProbeError> {
        self.cycles = self.cycles.max(cycles);
        Ok(())
    }
}
