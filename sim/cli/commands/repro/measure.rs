//! What a bar says about a run.

use super::recipe::{FULL_FILE, Run, on};
use super::runs::Runs;

/// A number per run, in percent.
#[derive(Clone, Copy)]
pub enum Measure {
    /// Fewer cycles than the baseline on the full register file.
    Reduction,
    /// More cycles than the baseline on the full register file.
    Increase,
    /// Fewer cycles than the baseline on the same machine.
    ReductionOnSameFile,
    /// Resident warps of warp slots.
    Occupancy,
    /// Acquires granted at the first attempt.
    AcquireSuccess,
    /// Scheduler slots with this cause.
    Slots(&'static str),
    /// Bytes moved of those that the memory could have moved.
    Bandwidth,
    /// Sections of resident warps.
    Sections,
    /// Warp-cycles that waited for a section of those that were resident.
    WaitingForSection,
    /// More instructions per cycle than another run, which executes the same.
    Faster(Run),
    /// Fewer slots in which no warp was ready than in another run.
    LessIdle(Run),
    /// Fewer slots in which the pipeline took nothing than in another run.
    LessStalled(Run),
    /// Resident CTAs; a number, no percentage.
    Ctas,
}

impl Measure {
    /// The run that the measure compares with.
    pub fn reference(self, run: Run) -> Option<Run> {
        match self {
            Measure::Reduction | Measure::Increase => Some(on(FULL_FILE, "baseline")),
            Measure::ReductionOnSameFile => Some(on(run.machine, "baseline")),
            Measure::Faster(other) | Measure::LessIdle(other) | Measure::LessStalled(other) => {
                Some(other)
            }
            _ => None,
        }
    }

    /// The measure of a kernel's run; `None` where there is none, or where the run was refused.
    pub fn of(self, runs: &Runs, kernel: &'static str, run: Run) -> Option<f64> {
        let reference = match self.reference(run) {
            Some(reference) => Some(runs.get(kernel, reference)?),
            None => None,
        };
        let cycles = reference.map(|reference| reference.cycles as f64);
        let record = runs.get(kernel, run)?;
        // Of nothing there cannot be less.
        let less = |was: u64, is: u64| (was > 0).then(|| 1.0 - is as f64 / was as f64);
        let counters = &record.counters;
        let share = match self {
            Measure::Reduction | Measure::ReductionOnSameFile => {
                1.0 - record.cycles as f64 / cycles?
            }
            Measure::Increase => return Some(-Measure::Reduction.of(runs, kernel, run)?),
            Measure::Faster(_) => cycles? / record.cycles as f64 - 1.0,
            Measure::LessIdle(_) => less(reference?.idle_slots, record.idle_slots)?,
            Measure::LessStalled(_) => less(reference?.stall_slots, record.stall_slots)?,
            Measure::Ctas => return Some(record.occupancy.ctas.into()),
            Measure::Occupancy => record.occupancy.fraction,
            Measure::AcquireSuccess => record.acquire.as_ref()?.success,
            Measure::Slots(cause) => {
                let slots = record.slots.get(cause).copied().unwrap_or(0);
                return Some(100.0 * slots as f64 / record.slots.values().sum::<u64>() as f64);
            }
            Measure::Bandwidth => {
                let moved = counters.memory.bytes_read + counters.memory.bytes_written;
                let most = runs.bytes_per_cycle(run.machine)? * record.cycles;
                return Some(100.0 * moved as f64 / most as f64);
            }
            Measure::Sections => {
                let sections = record.occupancy.sections;
                let warps = f64::from(record.occupancy.warps);
                return (sections > 0).then(|| 100.0 * f64::from(sections) / warps);
            }
            Measure::WaitingForSection => {
                let resident = counters.resident_warp_cycles.max(1) as f64;
                return Some(100.0 * counters.acquire.wait_cycles as f64 / resident);
            }
        };
        Some(100.0 * share)
    }
}
