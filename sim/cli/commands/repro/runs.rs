//! The runs behind the figures, each made once, two or more at a time.

use super::super::checked;
use super::recipe::Run;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use rayon::prelude::*;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Compiled, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::report::RunRecord;
use regshare_sim::scheme::{EsSize, Percent, SchemeOptions};
use regshare_sim::sm::RunOptions;
use std::collections::BTreeMap;

/// The bundled kernels, compiled.
pub struct Compilations(pub BTreeMap<&'static str, (Workload, Compiled)>);

impl Compilations {
    /// All of them.
    pub fn make() -> Outcome<Compilations> {
        let mut kernels = BTreeMap::new();
        for kernel in bundled::all() {
            let workload = checked(Workload::of_bundled(kernel))?;
            let compiled = checked(flow::compile(&workload, None))?;
            kernels.insert(kernel.name, (workload, compiled));
        }
        Ok(Compilations(kernels))
    }
}

/// A kernel and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Bundled kernel.
    pub kernel: &'static str,
    /// Machine, scheme, options.
    pub run: Run,
}

/// Finished runs. A run that was refused at launch is there with its reason.
pub struct Runs {
    /// The kernels.
    pub kernels: Compilations,
    done: BTreeMap<Key, Result<RunRecord, String>>,
}

impl Runs {
    /// Makes the wanted runs. The order and the number of threads change nothing in the results.
    pub fn make(kernels: Compilations, wanted: &[Key]) -> Outcome<Runs> {
        let bar = output::progress(wanted.len() as u64);
        let outcomes: Vec<Outcome<Result<RunRecord, String>>> = wanted
            .par_iter()
            .map(|key| {
                let (workload, compiled) = &kernels.0[key.kernel];
                let outcome = one(key, workload, compiled);
                bar.inc(1);
                outcome
            })
            .collect();
        bar.finish_and_clear();
        let mut done = BTreeMap::new();
        for (key, outcome) in wanted.iter().zip(outcomes) {
            done.insert(*key, outcome?);
        }
        Ok(Runs { kernels, done })
    }

    /// Memory bandwidth of one SM of a machine, bytes per cycle.
    pub fn bytes_per_cycle(&self, machine: &str) -> Option<u64> {
        Machine::preset(machine)
            .ok()
            .map(|machine| u64::from(machine.memory.bytes_per_cycle))
    }

    /// The run; `None` where it was refused at launch.
    pub fn get(&self, kernel: &'static str, run: Run) -> Option<&RunRecord> {
        self.done.get(&Key { kernel, run })?.as_ref().ok()
    }
}

fn one(key: &Key, workload: &Workload, compiled: &Compiled) -> Outcome<Result<RunRecord, String>> {
    let run = key.run;
    let machine = Machine::preset(run.machine).or_input()?;
    let es = match run.es {
        0 => EsSize::default(),
        es => EsSize::Fixed(es),
    };
    let sharing = run.sharing.and_then(Percent::new).unwrap_or_default();
    let scheme = flow::scheme(
        run.scheme,
        SchemeOptions {
            es,
            sharing,
            ..SchemeOptions::default()
        },
    )
    .or_input()?;
    let options = RunOptions {
        scheduler: run.scheduler,
        sms: run.sms,
        ..RunOptions::default()
    };
    match flow::execute(
        workload,
        compiled,
        scheme.as_ref(),
        Setup {
            machine: &machine,
            options: &options,
        },
    ) {
        Ok(ran) => match ran.verdict {
            Verdict::Wrong(why) => Err(Failure::run(format!("{key:?}: {why}"))),
            _ => Ok(Ok(ran.record)),
        },
        Err(error) if error.is_run_failure() => Err(Failure::Run(error.into())),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}
