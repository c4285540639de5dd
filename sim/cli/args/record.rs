//! Arguments that say what a run is seen through.

use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Timeline and waveform.
#[derive(Args)]
pub struct RecordArgs {
    /// Write a timeline of the run, of several schemes that of the last (docs/see-inside.md): a name in .json for Perfetto, in .kanata
    /// or .log for Konata.
    #[arg(long, value_name = "FILE")]
    pub timeline: Option<PathBuf>,
    /// Cycles of the timeline: from A on and before B; either may be left out.
    #[arg(long, value_name = "A:B", requires = "timeline")]
    pub timeline_window: Option<String>,
    /// Write a waveform of the run, of several schemes that of the last: FST if the name ends in `.fst`, else VCD, with a GTKWave save
    /// file and a Surfer command file.
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// Cycles to record: from A on and before B; either may be left out.
    #[arg(long, value_name = "A:B", requires = "wave")]
    pub wave_window: Option<String>,
    /// Scopes to record, as a glob over instance paths (for example `*srp_allocator*`).
    #[arg(long, value_name = "GLOB", requires = "wave")]
    pub wave_scope: Option<String>,
    /// Stop recording in the first cycle in which this holds, and write only the last cycles before it, or before the run failed or
    /// ended: comparisons of signals such as `sm.scheduler0.warp == 3`, with `&&`, `||`, `!`.
    #[arg(long, value_name = "EXPR", requires = "wave")]
    pub wave_trigger: Option<String>,
    /// How many cycles a waveform with a trigger keeps; 1000 if not given.
    #[arg(long, value_name = "N", requires = "wave_trigger")]
    pub wave_last: Option<NonZeroUsize>,
}

impl RecordArgs {
    /// The first option that asks for a file.
    pub fn option(&self) -> Option<&'static str> {
        let wave = self.wave.as_ref().map(|_| "--wave");
        wave.or(self.timeline.as_ref().map(|_| "--timeline"))
    }
}
