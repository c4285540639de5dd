//! One launch of a kernel under all schemes that suit it.

use crate::args::RunArgs;
use crate::commands::{checked, chosen::Chosen};
use crate::failure::{OrFail, Outcome};
use crate::output;
use crate::timeline::Timeline;
use crate::wave::Recording;
use indicatif::ProgressBar;
use regshare_sim::flow::{self, Compiled, FlowError, Ran, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::memory::image::MemoryImage;
use regshare_sim::observe::stalls::StallTable;
use regshare_sim::report::{RefusedRecord, RunReport, StallRecord};
use regshare_sim::sm::RunOptions;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What a run by hand is seen through: files that are written while it goes.
#[derive(Default)]
pub(super) struct Recorders {
    pub wave: Option<Recording>,
    pub timeline: Option<Timeline>,
}

impl Recorders {
    fn is_none(&self) -> bool {
        self.wave.is_none() && self.timeline.is_none()
    }

    /// Their files are complete.
    fn keep(self) -> Outcome {
        self.wave.map_or(Ok(()), Recording::keep)?;
        self.timeline.map_or(Ok(()), Timeline::keep)
    }
}

/// Runs launches, one after another, and gathers what came of them.
pub(super) struct Runner<'a> {
    pub args: &'a RunArgs,
    pub machine: &'a Machine,
    pub options: RunOptions,
    /// They see the last scheme.
    pub recorders: Recorders,
    pub bar: ProgressBar,
    pub report: RunReport,
    /// What was computed is shown, even if it cannot be saved.
    pub unsaved: Outcome,
    /// Runs that left another memory than they should.
    pub wrong: Vec<String>,
    pub warp_insts: u64,
    pub seconds: f64,
}

impl Runner<'_> {
    /// One launch under each of `schemes` that suits it.
    pub fn launch(&mut self, workload: &Workload, schemes: &[Chosen]) -> Outcome {
        output::notes(&workload.notes);
        let compiled = checked(flow::compile(workload, self.args.kernel.max_regs))?;
        let suited: Vec<_> = (schemes.iter())
            .filter(|chosen| chosen.suits(workload))
            .collect();
        self.bar.inc((schemes.len() - suited.len()) as u64);
        let (begun_with, mut first_refusal) = (self.report.runs.len(), None);
        let mut last = None;
        for (index, chosen) in suited.iter().enumerate() {
            let recorders = if index + 1 == suited.len() {
                std::mem::take(&mut self.recorders)
            } else {
                Recorders::default()
            };
            match self.scheme(workload, &compiled, chosen, recorders)? {
                Ok(memory) => last = memory,
                Err(refusal) => {
                    first_refusal.get_or_insert(refusal);
                }
            }
            self.bar.inc(1);
        }
        if let (Some(error), true) = (first_refusal, self.report.runs.len() == begun_with) {
            return checked(Err(error));
        }
        if let Some(memory) = last {
            let saved = workload.launch.save(&memory, Path::new("."));
            let unsaved = std::mem::replace(&mut self.unsaved, Ok(()));
            self.unsaved = unsaved.and(saved.map(|_| ()).or_input());
        }
        Ok(())
    }

    /// The memory that a scheme leaves, none if it is wrong; or that it cannot launch what others can.
    fn scheme(
        &mut self,
        workload: &Workload,
        compiled: &Compiled,
        chosen: &Chosen,
        recorders: Recorders,
    ) -> Outcome<Result<Option<MemoryImage>, FlowError>> {
        let scheme = &chosen.scheme;
        let run = format!("{} under {}", workload.name, scheme.name());
        self.bar.set_message(run.clone());
        let mut options = self.options.clone();
        let stalls = Arc::new(Mutex::new(StallTable::default()));
        if self.args.stalls_by.is_some() {
            options.watchers.push(stalls.clone());
        }
        (options.watchers).extend(recorders.timeline.as_ref().map(Timeline::watcher));
        options.probe = recorders.wave.as_ref().map(Recording::probe);
        let begun = Instant::now();
        let setup = Setup {
            machine: self.machine,
            options: &options,
        };
        let ran = match flow::execute(workload, compiled, scheme.as_ref(), setup) {
            // The waveform up to a hang or fault is what one wants to look at.
            Err(error) if error.is_run_failure() => {
                drop(options);
                recorders.keep()?;
                if !self.recorders.is_none() {
                    output::note(&format!(
                        "nothing was recorded: that is done under the last scheme; --scheme {} records this run",
                        scheme.name()
                    ));
                }
                return checked(Err(error));
            }
            // Of all schemes, what one can launch another need not be able to.
            Err(error) if chosen.may_be_refused && recorders.is_none() => {
                self.report.refused.push(RefusedRecord {
                    kernel: workload.name.clone(),
                    scheme: scheme.name().to_owned(),
                    reason: error.cause(),
                });
                return Ok(Err(error));
            }
            other => checked(other)?,
        };
        self.seconds += begun.elapsed().as_secs_f64();
        drop(options);
        recorders.keep()?;
        let Ran {
            mut record,
            verdict,
            result,
            ..
        } = ran;
        self.warp_insts += record.warp_insts;
        if self.args.stalls_by.is_some() {
            let table = stalls.lock().unwrap_or_else(PoisonError::into_inner);
            record.stalls = Some(StallRecord::new(&table, &workload.source));
        }
        self.report.runs.push(record);
        Ok(Ok(match verdict {
            Verdict::Wrong(why) => {
                self.wrong.push(format!("{run}: {why}"));
                None
            }
            _ => Some(result.memory),
        }))
    }
}
