//! RFV on the bundled kernels: the data of its Figures 10 to 15.

use super::super::checked;
use super::figure::{Figure, Panel};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::report::chart::Series;
use rayon::prelude::*;
use regshare_sim::bundled::{self, Bundled};
use regshare_sim::flow::{self, FlowError, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::report::RunRecord;
use regshare_sim::scheme::{CtaThrottle, Resident, SchemeOptions};
use regshare_sim::sm::RunOptions;

const MACHINE: &str = "fermi16";
/// Runs of renaming take as long on these as on all others.
const LEFT_OUT: [&str; 3] = ["spmv", "matmul", "nbody"];
/// The constrained table (RFV 7.1).
const TABLE_BYTES: u32 = 1024;
/// Bits of a pack's number in the table (RFV 7.1).
const ENTRY_BITS: f64 = 10.0;

/// How a kernel is run.
#[derive(Clone, Copy)]
struct Way {
    scheme: &'static str,
    /// Percent of the file that is not there.
    shrink: u8,
    flag_entries: u8,
    wake_up: u8,
    table_clocks: Option<u8>,
    table_bytes: Option<u32>,
    resident: Resident,
    cta_throttle: CtaThrottle,
}

const fn way(scheme: &'static str) -> Way {
    Way {
        scheme,
        shrink: 50,
        flag_entries: 10,
        wake_up: 1,
        table_clocks: None,
        table_bytes: None,
        resident: Resident::Auto,
        cta_throttle: CtaThrottle::Banker,
    }
}

/// Half the file, for so many CTAs.
const fn filled(resident: Resident) -> Way {
    Way {
        resident,
        ..way("gpu-shrink")
    }
}

const fn shrunk(shrink: u8) -> Way {
    Way {
        shrink,
        ..way("gpu-shrink")
    }
}

const fn cached(flag_entries: u8) -> Way {
    Way {
        flag_entries,
        ..way("rfv")
    }
}

/// The hardware is clocked once in a cycle of the SM, so that it wakes in so many of those.
const fn waking(wake_up: u8) -> Way {
    Way {
        wake_up,
        table_clocks: Some(1),
        ..way("rfv")
    }
}

const BASELINE: usize = 0;
const RENAMED: usize = 1;
const SHRUNK: usize = 2;
const SPILLED: usize = 5;
const HARDWARE: usize = 6;
/// Caches of 0, 1, 2 and 5 entries.
const CACHED: usize = 7;
const CONSTRAINED: usize = 11;
/// Sub-arrays that never sleep, and that wake in 1, 3 and 10 cycles.
const WAKING: usize = 12;

/// As many CTAs as fit, and all.
const FILLED: usize = 16;

/// By the paper's comparison alone, for as many CTAs as under `auto`.
const BALANCED: usize = 18;

const WAYS: [Way; 19] = [
    way("baseline"),
    way("rfv"),
    shrunk(50),
    shrunk(40),
    shrunk(30),
    way("compiler-spill"),
    way("rfv-hardware-only"),
    cached(0),
    cached(1),
    cached(2),
    cached(5),
    Way {
        table_bytes: Some(TABLE_BYTES),
        ..way("rfv")
    },
    waking(0),
    waking(1),
    waking(3),
    waking(10),
    filled(Resident::Fit),
    filled(Resident::All),
    Way {
        cta_throttle: CtaThrottle::Balance,
        ..way("gpu-shrink")
    },
];

/// The runs of a kernel; `None` where one was refused.
struct Measured {
    name: &'static str,
    packs_allocated: f64,
    runs: Vec<Option<RunRecord>>,
}

fn run(bundled: &'static Bundled, way: Way) -> Outcome<Option<(RunRecord, u32)>> {
    let machine = Machine::preset(MACHINE).or_input()?;
    let workload = checked(Workload::of_bundled(bundled))?;
    let compiled = checked(flow::compile(&workload, None))?;
    let shrink = flow::shrink(&way.shrink.to_string()).or_input()?;
    let options = SchemeOptions {
        shrink,
        flag_entries: way.flag_entries,
        wake_up: way.wake_up,
        table_clocks: way.table_clocks,
        table_bytes: way.table_bytes,
        resident: way.resident,
        cta_throttle: way.cta_throttle,
        ..SchemeOptions::default()
    };
    let scheme = flow::scheme(way.scheme, options).or_input()?;
    let setup = Setup {
        machine: &machine,
        options: &RunOptions::default(),
    };
    let ran = match flow::execute(&workload, &compiled, scheme.as_ref(), setup) {
        Err(FlowError::Refused { .. }) => return Ok(None),
        ran => checked(ran)?,
    };
    match ran.verdict {
        Verdict::Wrong(why) => Err(Failure::run(format!(
            "{} under {}: {why}",
            bundled.name, way.scheme
        ))),
        _ => Ok(Some((ran.record, ran.plan.packs_allocated))),
    }
}

fn measure(kernels: &[&'static Bundled]) -> Outcome<Vec<Measured>> {
    let jobs: Vec<_> = (kernels.iter())
        .flat_map(|kernel| WAYS.map(|way| (*kernel, way)))
        .collect();
    let bar = output::progress(jobs.len() as u64);
    let all: Vec<_> = (jobs.par_iter())
        .map(|(kernel, way)| {
            let done = run(kernel, *way);
            bar.inc(1);
            done
        })
        .collect();
    bar.finish_and_clear();
    let mut all = all.into_iter();
    let mut measured = Vec::new();
    for kernel in kernels {
        let runs = all.by_ref().take(WAYS.len()).collect::<Outcome<Vec<_>>>()?;
        let allocated = runs[BASELINE].as_ref().map_or(f64::NAN, |run| run.1.into());
        measured.push(Measured {
            name: kernel.name,
            packs_allocated: allocated,
            runs: (runs.into_iter())
                .map(|run| run.map(|(record, _)| record))
                .collect(),
        });
    }
    Ok(measured)
}

/// Packs of the baseline that renaming never has in use at once, percent of them (RFV 9.1: those that are touched are the most that
/// are mapped at once).
fn saved(m: &Measured, run: &RunRecord) -> f64 {
    let Some(renaming) = &run.renaming else {
        return f64::NAN;
    };
    100.0 * (1.0 - renaming.peak_packs as f64 / m.packs_allocated)
}

/// Packs of the baseline that are not in use, mean over all cycles, percent of them.
fn free(m: &Measured, run: &RunRecord) -> f64 {
    let Some(renaming) = &run.renaming else {
        return f64::NAN;
    };
    100.0 * (1.0 - renaming.mean_packs / m.packs_allocated)
}

/// Less leakage because of sub-arrays that sleep, percent of that of the same file.
fn static_saved(_: &Measured, run: &RunRecord) -> f64 {
    100.0 * (1.0 - run.energy.static_nj / run.energy.static_ungated_nj)
}

/// What a run saves beside the baseline, percent.
type Saved<'a> = &'a dyn Fn(&Measured, &RunRecord) -> f64;

/// A ratio in percent; NaN where it would be of nothing.
fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        f64::NAN
    }
}

/// The figures, of the named kernel or of all that are run.
pub fn figure(only: Option<&str>) -> Outcome<Figure> {
    let all = bundled::all().iter();
    let wanted = |kernel: &&Bundled| match only {
        Some(name) => kernel.name == name,
        None => !LEFT_OUT.contains(&kernel.name),
    };
    let kernels: Vec<&'static Bundled> = all.filter(wanted).collect();
    if kernels.is_empty() {
        let known: Vec<&str> = bundled::all().iter().map(|kernel| kernel.name).collect();
        return Err(Failure::input(
            format!("there is no kernel `{}`", only.unwrap_or_default()),
            format!("after `rfv:` one of {}", known.join(", ")),
        ));
    }
    let all = measure(&kernels)?;
    let values = |of: &dyn Fn(&Measured) -> f64| all.iter().map(of).collect();
    let series = |name: &str, run: usize, of: &dyn Fn(&Measured, &RunRecord) -> f64| Series {
        name: name.to_owned(),
        values: values(&|m| {
            m.runs[run]
                .as_ref()
                .map_or(f64::NAN, |record| of(m, record))
        }),
    };
    let beside = |name: &str, (run, of_run): (usize, usize), of: Saved| Series {
        name: name.to_owned(),
        values: values(&|m| match (&m.runs[run], &m.runs[of_run]) {
            // With fewer CTAs packs are free that nobody saved.
            (Some(part), Some(whole)) if part.occupancy.ctas == whole.occupancy.ctas => {
                percent(of(m, part), of(m, whole))
            }
            _ => f64::NAN,
        }),
    };
    let panel = |title: &str, unit: &str, series| Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        group: "kernel",
        groups: all.iter().map(|m| m.name.to_owned()).collect(),
        series,
        is_speed: false,
    };
    let baseline = |m: &Measured| m.runs[BASELINE].clone();
    let slower_than = |before: usize, name: &str, run: usize| {
        series(name, run, &|m, record| match &m.runs[before] {
            Some(before) => 100.0 * (record.cycles as f64 / before.cycles as f64 - 1.0),
            None => f64::NAN,
        })
    };
    let slower = |name: &str, run: usize| slower_than(BASELINE, name, run);
    // Parts of a bar of Figure 12, of the energy of the whole file without renaming.
    let energy = |run: usize, gated: bool| {
        let part = |name: &str, of: &dyn Fn(&RunRecord) -> f64| {
            series(name, run, &|m, record| match baseline(m) {
                Some(before) => percent(of(record), before.energy.total_nj),
                None => f64::NAN,
            })
        };
        let leaked = move |run: &RunRecord| match gated {
            true => run.energy.static_nj,
            false => run.energy.static_ungated_nj,
        };
        vec![
            part("dynamic", &|run| run.energy.dynamic_nj),
            part("static", &leaked),
            part("table", &|run| run.energy.table_nj),
            part("flags", &|run| run.energy.flags_nj),
            part("all", &|run| {
                run.energy.total_nj - run.energy.static_nj + leaked(run)
            }),
        ]
    };
    let decoded = |name: &str, run: usize| {
        series(name, run, &|_, record| match &record.renaming {
            Some(renaming) => 100.0 * renaming.dynamic_increase,
            None => f64::NAN,
        })
    };
    let resident =
        |name: &str, run: usize| series(name, run, &|_, record| record.occupancy.ctas.into());
    let table_bytes = series("table", RENAMED, &|_, record| {
        let entries = f64::from(record.occupancy.warps) * f64::from(record.registers.per_thread);
        entries * ENTRY_BITS / 8.0
    });
    Ok(Figure {
        title: "RFV and GPU-shrink".to_owned(),
        panels: vec![
            panel(
                "Packs that the baseline allocates and renaming does not use (Figure 10)",
                "% of those",
                vec![
                    series("never", RENAMED, &saved),
                    series("on average", RENAMED, &free),
                ],
            ),
            panel(
                "Slower than with the whole file and no renaming (Figure 11a)",
                "% more cycles",
                vec![
                    slower("rfv", RENAMED),
                    slower("gpu-shrink 30", SHRUNK + 2),
                    slower("40", SHRUNK + 1),
                    slower("50", SHRUNK),
                    slower("compiler-spill", SPILLED),
                ],
            ),
            panel(
                "Slower with half the file, by which CTAs are resident: those that fit, `auto` and all",
                "% more cycles",
                vec![
                    slower("fit", FILLED),
                    slower("auto", SHRUNK),
                    slower("all", FILLED + 1),
                ],
            ),
            panel(
                "Slower with half the file, by who may issue when packs run short: `banker` and the paper's `balance` (8.1)",
                "% more cycles",
                vec![slower("banker", SHRUNK), slower("balance", BALANCED)],
            ),
            panel(
                "Cycles in which `balance` lets one CTA issue alone",
                "% of its cycles",
                vec![series(
                    "balance",
                    BALANCED,
                    &|_, record| match &record.renaming {
                        Some(renaming) => {
                            100.0 * renaming.counts.throttled_cycles as f64 / record.cycles as f64
                        }
                        None => f64::NAN,
                    },
                )],
            ),
            panel(
                "CTAs that are resident with half the file",
                "CTAs",
                vec![
                    resident("baseline", BASELINE),
                    resident("fit", FILLED),
                    resident("auto", SHRUNK),
                    resident("all", FILLED + 1),
                ],
            ),
            panel(
                "Slower than with renaming and no power gating, by cycles to wake a sub-array (Figure 11b)",
                "% more cycles",
                vec![
                    slower_than(WAKING, "1", WAKING + 1),
                    slower_than(WAKING, "3", WAKING + 2),
                    slower_than(WAKING, "10", WAKING + 3),
                ],
            ),
            panel(
                "Energy of the whole file with sleeping sub-arrays (Figure 12, first bar)",
                "% of that without renaming",
                energy(RENAMED, true),
            ),
            panel(
                "Energy of half the file, nothing sleeps (Figure 12, second bar)",
                "% of that without renaming",
                energy(SHRUNK, false),
            ),
            panel(
                "Energy of half the file with sleeping sub-arrays (Figure 12, third bar)",
                "% of that without renaming",
                energy(SHRUNK, true),
            ),
            panel(
                "More code, static and decoded, by entries of the flag cache (Figure 13)",
                "% of the instructions",
                vec![
                    series("static", RENAMED, &|_, record| match &record.renaming {
                        Some(renaming) => 100.0 * renaming.static_increase,
                        None => f64::NAN,
                    }),
                    decoded("decoded, 0", CACHED),
                    decoded("1", CACHED + 1),
                    decoded("2", CACHED + 2),
                    decoded("5", CACHED + 3),
                    decoded("10", RENAMED),
                ],
            ),
            panel(
                "Renaming table without limit (Figure 14, left)",
                "bytes for the resident warps",
                vec![table_bytes],
            ),
            panel(
                "Packs saved with a table of 1 KiB (Figure 14, right)",
                "% of those saved without limit",
                vec![
                    beside("never in use", (CONSTRAINED, RENAMED), &saved),
                    beside("on average", (CONSTRAINED, RENAMED), &free),
                ],
            ),
            panel(
                "Renaming by hardware alone (Figure 15)",
                "% of what `rfv` saves",
                vec![
                    beside("packs never in use", (HARDWARE, RENAMED), &saved),
                    beside("on average", (HARDWARE, RENAMED), &free),
                    beside("leakage", (HARDWARE, RENAMED), &static_saved),
                ],
            ),
        ],
    })
}
