//! One launch of a kernel under all schemes that suit it.

use crate::args::RunArgs;
use crate::commands::{checked, chosen::Chosen};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::recorders::Recorders;
use indicatif::ProgressBar;
use regshare_sim::flow::{self, Compiled, FlowError, Prepared, Ran, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::memory::image::MemoryImage;
use regshare_sim::observe::bandwidth::Bandwidth;
use regshare_sim::observe::stalls::StallTable;
use regshare_sim::report::traffic::TimeRecord;
use regshare_sim::report::{RefusedRecord, RunReport, StallRecord};
use regshare_sim::sm::RunOptions;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What became of a launch under a scheme.
enum Ended {
    /// It left this memory.
    Done(MemoryImage, Verdict),
    /// The scheme cannot launch what others can.
    Refused(FlowError),
    /// It did not come to its end.
    Failed(FlowError),
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
    /// The first run that did not come to its end, of several.
    pub failure: Option<Failure>,
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
        // Whoever names several hears before the first run which of them cannot launch it.
        let setup = Setup {
            machine: self.machine,
            options: &self.options,
        };
        let mut prepared = Vec::with_capacity(suited.len());
        for chosen in &suited {
            let first = suited.len() > 1 && !chosen.may_be_refused;
            prepared.push(match first {
                true => checked(self.prepare(workload, &compiled, chosen, setup))?,
                false => None,
            });
        }
        let ended = |report: &RunReport| report.runs.len() + report.failed.len();
        let (begun_with, mut first_refusal) = (ended(&self.report), None);
        // What the first scheme left that says nothing itself about what is right.
        let mut reference: Option<(String, MemoryImage)> = None;
        let mut last = None;
        for (index, (chosen, prepared)) in suited.iter().zip(prepared).enumerate() {
            let recorders = if index + 1 == suited.len() {
                std::mem::take(&mut self.recorders)
            } else {
                Recorders::default()
            };
            match self.scheme(workload, &compiled, chosen, prepared, recorders)? {
                Ended::Done(memory, Verdict::Unchecked) => {
                    match &reference {
                        Some((name, expected)) => self.compare(name, expected, &memory),
                        None => {
                            reference = Some((chosen.scheme.name().to_owned(), memory.clone()));
                        }
                    }
                    last = Some(memory);
                }
                Ended::Done(_, Verdict::Wrong(_)) => last = None,
                Ended::Done(memory, Verdict::Correct) => last = Some(memory),
                Ended::Refused(refusal) => {
                    first_refusal.get_or_insert(refusal);
                }
                // Of several, the others are worth a table.
                Ended::Failed(error) if suited.len() > 1 => {
                    self.report.failed.push(RefusedRecord {
                        kernel: workload.name.clone(),
                        scheme: chosen.scheme.name().to_owned(),
                        reason: first_line(&error.cause()),
                    });
                    if let Err(failure) = checked::<()>(Err(error)) {
                        self.failure.get_or_insert(failure);
                    }
                }
                Ended::Failed(error) => return checked(Err(error)),
            }
            self.bar.inc(1);
        }
        if let (Some(error), true) = (first_refusal, ended(&self.report) == begun_with) {
            return checked(Err(error));
        }
        if let Some(memory) = last {
            let saved = workload.launch.save(&memory, Path::new("."));
            let unsaved = std::mem::replace(&mut self.unsaved, Ok(()));
            self.unsaved = unsaved.and(saved.map(|_| ()).or_input());
        }
        Ok(())
    }

    /// Says of the last run, which nothing else checks, whether it left what another scheme did.
    fn compare(&mut self, name: &str, expected: &MemoryImage, memory: &MemoryImage) {
        let Some(record) = self.report.runs.last_mut() else {
            return;
        };
        match memory.first_difference(expected) {
            None => record.result = format!("as {name}"),
            Some(difference) => {
                record.result = format!("differs from {name}");
                self.wrong.push(format!(
                    "{} under {} leaves another memory than under {name}: {difference}; if its result depends on the order of threads, \
                     that is no fault of the scheme",
                    record.kernel, record.scheme
                ));
            }
        }
    }

    /// Compiles and plans for a scheme.
    fn prepare(
        &self,
        workload: &Workload,
        compiled: &Compiled,
        chosen: &Chosen,
        setup: Setup<'_>,
    ) -> Result<Option<Prepared>, FlowError> {
        self.bar
            .set_message(format!("{}: planning", named(workload, chosen)));
        flow::prepare(workload, compiled, &*chosen.scheme, setup)
    }

    /// Runs a scheme, planned or to be planned, and keeps its record.
    fn scheme(
        &mut self,
        workload: &Workload,
        compiled: &Compiled,
        chosen: &Chosen,
        prepared: Option<Prepared>,
        recorders: Recorders,
    ) -> Outcome<Ended> {
        let scheme = chosen.scheme.as_ref();
        let run = named(workload, chosen);
        let mut options = self.options.clone();
        options.files = workload.files.clone();
        let stalls = Arc::new(Mutex::new(StallTable::default()));
        if self.args.stalls_by.is_some() {
            options.watchers.push(stalls.clone());
        }
        let bandwidth = (self.args.l1_span).map(|span| Arc::new(Mutex::new(Bandwidth::new(span))));
        if let Some(bandwidth) = &bandwidth {
            options.watchers.push(bandwidth.clone());
        }
        options.watchers.extend(recorders.watcher());
        options.probe = recorders.probe();
        let setup = Setup {
            machine: self.machine,
            options: &options,
        };
        let prepared = match prepared {
            None => self.prepare(workload, compiled, chosen, setup),
            prepared => Ok(prepared),
        };
        self.bar.set_message(run.clone());
        let ran = prepared.and_then(|prepared| match prepared {
            Some(prepared) => flow::execute_prepared(workload, prepared, scheme, setup),
            None => flow::execute(workload, compiled, scheme, setup),
        });
        let ran = match ran {
            // The waveform up to a hang or fault is what one wants to look at.
            Err(error) if error.is_run_failure() => {
                drop(options);
                recorders.keep()?;
                return Ok(Ended::Failed(error));
            }
            // Of all schemes, what one can launch another need not be able to.
            Err(error) if chosen.may_be_refused && recorders.is_none() => {
                let (name, cause) = (scheme.name(), error.cause());
                let reason = cause.strip_prefix(&format!("{name}: "));
                self.report.refused.push(RefusedRecord {
                    kernel: workload.name.clone(),
                    scheme: name.to_owned(),
                    reason: reason.unwrap_or(&cause).to_owned(),
                });
                return Ok(Ended::Refused(error));
            }
            other => checked(other)?,
        };
        drop(options);
        recorders.keep()?;
        let Ran {
            mut record,
            verdict,
            result,
            took,
            ..
        } = ran;
        self.seconds += took.as_secs_f64();
        self.warp_insts += record.warp_insts;
        if self.args.stalls_by.is_some() {
            let table = stalls.lock().unwrap_or_else(PoisonError::into_inner);
            record.stalls = Some(StallRecord::new(&table, &workload.source, &workload.files));
        }
        if let Some(bandwidth) = bandwidth {
            let bandwidth = bandwidth.lock().unwrap_or_else(PoisonError::into_inner);
            record.traffic.over_time = Some(TimeRecord::new(&bandwidth));
        }
        self.report.runs.push(record);
        if let Verdict::Wrong(why) = &verdict {
            self.wrong.push(format!("{run}: {why}"));
        }
        Ok(Ended::Done(result.memory, verdict))
    }
}

fn named(workload: &Workload, chosen: &Chosen) -> String {
    format!("{} under {}", workload.name, chosen.scheme.name())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
