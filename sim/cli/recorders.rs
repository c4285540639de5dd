//! What a run is seen through: files that are written while it goes.

use crate::args::RecordArgs;
use crate::failure::{Failure, Outcome};
use crate::timeline::Timeline;
use crate::wave::Recording;
use regshare_sim::observe::probe::SharedProbe;
use regshare_sim::observe::watch::SharedWatcher;
use regshare_sim::observe::wave::{
    Condition, Glob, KEPT_CYCLES, Trigger, TriggerError, WaveOptions, Window, WindowError,
};
use std::num::NonZeroUsize;

/// A waveform and a timeline, where they were asked for.
#[derive(Default)]
pub struct Recorders {
    wave: Option<Recording>,
    timeline: Option<Timeline>,
}

impl Recorders {
    /// Begins what was asked for.
    pub fn begin(args: &RecordArgs) -> Outcome<Self> {
        let wave = match (&args.wave, wave(args)?) {
            (Some(path), Some(options)) => Some(Recording::begin(path, options)?),
            _ => None,
        };
        let timeline = match &args.timeline {
            Some(path) => {
                let window = window(args.timeline_window.as_deref())?;
                Some(Timeline::begin(path, window)?)
            }
            None => None,
        };
        Ok(Recorders { wave, timeline })
    }

    /// Whether nothing was asked for.
    pub fn is_none(&self) -> bool {
        self.wave.is_none() && self.timeline.is_none()
    }

    /// Who sees the events of the pipeline.
    pub fn watcher(&self) -> Option<SharedWatcher> {
        self.timeline.as_ref().map(Timeline::watcher)
    }

    /// Who sees the signals.
    pub fn probe(&self) -> Option<SharedProbe> {
        self.wave.as_ref().map(Recording::probe)
    }

    /// Their files are complete. Nobody else has a watcher or probe any more.
    pub fn keep(self) -> Outcome {
        self.wave.map_or(Ok(()), Recording::keep)?;
        self.timeline.map_or(Ok(()), Timeline::keep)
    }
}

/// What records one run of one kernel cannot record several.
pub fn check_single(args: &RecordArgs, kernels: usize) -> Outcome {
    match args.option() {
        Some(option) if kernels > 1 => Err(Failure::input(
            format!("{option} records one kernel, {kernels} are given"),
            "run each kernel on its own",
        )),
        _ => Ok(()),
    }
}

fn window(text: Option<&str>) -> Outcome<Option<Window>> {
    let bad = |error: WindowError| {
        Failure::input(
            error,
            "give for example 100:500, or 100: for all from cycle 100 on",
        )
    };
    text.map(str::parse).transpose().map_err(bad)
}

fn wave(args: &RecordArgs) -> Outcome<Option<WaveOptions>> {
    if args.wave.is_none() {
        return Ok(None);
    }
    let window = window(args.wave_window.as_deref())?;
    let scope = args.wave_scope.as_deref().map(Glob::from);
    let condition = args.wave_trigger.as_deref().map(str::parse).transpose();
    let condition: Option<Condition> = condition.map_err(|error: TriggerError| {
        Failure::input(
            format!("--wave-trigger: {error}"),
            "docs/see-inside.md has the expressions",
        )
    })?;
    let trigger = condition.map(|condition| Trigger {
        condition,
        kept_cycles: args.wave_last.map_or(KEPT_CYCLES, NonZeroUsize::get),
    });
    Ok(Some(WaveOptions {
        window,
        scope,
        trigger,
    }))
}
