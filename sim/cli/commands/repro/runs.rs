//! The runs behind the figures, each made once, two or more at a time.

use super::super::checked;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use rayon::prelude::*;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Compiled, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::report::RunRecord;
use regshare_sim::scheme::EsSize;
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;
use std::collections::BTreeMap;

/// One run: kernel, machine, scheme, |Es| (0: chosen by policy).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Bundled kernel.
    pub kernel: &'static str,
    /// Machine preset.
    pub machine: &'static str,
    /// Scheme.
    pub scheme: &'static str,
    /// |Es| by hand; 0 for the policy's choice.
    pub es: u16,
}

/// Finished runs. A run that was refused at launch is there with its reason.
pub struct Runs(BTreeMap<Key, Result<RunRecord, String>>);

impl Runs {
    /// Makes the wanted runs. The order and the number of threads change nothing in the results.
    pub fn make(wanted: &[Key]) -> Outcome<Runs> {
        let bar = output::progress(wanted.len() as u64);
        let mut workloads: BTreeMap<&str, (Workload, Compiled)> = BTreeMap::new();
        for kernel in bundled::all()
            .iter()
            .filter(|kernel| wanted.iter().any(|key| key.kernel == kernel.name))
        {
            let workload = checked(Workload::of_bundled(kernel))?;
            let compiled = checked(flow::compile(&workload, None))?;
            workloads.insert(kernel.name, (workload, compiled));
        }
        let outcomes: Vec<Outcome<Result<RunRecord, String>>> = wanted
            .par_iter()
            .map(|key| {
                let (workload, compiled) = &workloads[key.kernel];
                let outcome = one(key, workload, compiled);
                bar.inc(1);
                outcome
            })
            .collect();
        bar.finish_and_clear();
        let mut done = BTreeMap::new();
        for (key, outcome) in wanted.iter().zip(outcomes) {
            done.insert(key.clone(), outcome?);
        }
        Ok(Runs(done))
    }

    /// Memory bandwidth of one SM of a machine, bytes per cycle.
    pub fn bytes_per_cycle(&self, machine: &str) -> Option<u64> {
        Machine::preset(machine)
            .ok()
            .map(|machine| u64::from(machine.memory.bytes_per_cycle))
    }

    /// The run of `key`; `None` where it was refused at launch.
    pub fn get(
        &self,
        kernel: &'static str,
        machine: &'static str,
        scheme: &'static str,
        es: u16,
    ) -> Option<&RunRecord> {
        self.0
            .get(&Key {
                kernel,
                machine,
                scheme,
                es,
            })?
            .as_ref()
            .ok()
    }
}

fn one(key: &Key, workload: &Workload, compiled: &Compiled) -> Outcome<Result<RunRecord, String>> {
    let machine = Machine::preset(key.machine).or_input()?;
    let size = if key.es == 0 {
        EsSize::default()
    } else {
        EsSize::Fixed(key.es)
    };
    let scheme = flow::scheme(
        key.scheme,
        SchemeOptions {
            es: size,
            ..SchemeOptions::default()
        },
    )
    .or_input()?;
    let options = RunOptions::default();
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
