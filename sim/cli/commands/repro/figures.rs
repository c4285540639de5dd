//! What each figure of the RegMutex paper shows, drawn from runs of the bundled kernels.
//!
//! The paper's kernels are not ours, so the shape is to be compared, not the digits. Its first eight kernels are
//! limited by registers on the full register file, its other eight only on half of it; here the same test sorts the
//! bundled kernels: does the baseline lose CTAs to registers on `gtx480`?

use super::figure::{Figure, Panel};
use super::runs::{Key, Runs};
use crate::report::chart::Series;
use regshare_sim::bundled;

const FULL: &str = "gtx480";
const HALF: &str = "gtx480-half";
/// |Es| that the paper sweeps (IV-D).
const SWEEP: [u16; 6] = [2, 4, 6, 8, 10, 12];

/// A value per kernel; `None` where the run was refused.
type PerKernel<'a> = dyn Fn(&'static str) -> Option<f64> + 'a;
/// A named value: one colour of bars.
type Named<'a> = (String, &'a PerKernel<'a>);

/// How to make a figure.
pub struct Recipe {
    /// Name on the command line.
    pub name: &'static str,
    /// Runs that it needs.
    pub needs: fn() -> Vec<Key>,
    /// Makes it from them.
    pub draw: fn(&Runs) -> Figure,
}

/// All that can be reproduced with the systems that are built.
pub static FIGURES: [Recipe; 10] = [
    Recipe {
        name: "fig7",
        needs: || keys(&[(FULL, "baseline", &[0]), (FULL, "regmutex", &[0])]),
        draw: fig7,
    },
    Recipe {
        name: "fig8",
        needs: || {
            keys(&[
                (FULL, "baseline", &[0]),
                (HALF, "baseline", &[0]),
                (HALF, "regmutex", &[0]),
            ])
        },
        draw: fig8,
    },
    Recipe {
        name: "fig10",
        needs: || {
            keys(&[
                (FULL, "baseline", &[0]),
                (FULL, "regmutex", &[0]),
                (FULL, "regmutex", &SWEEP),
            ])
        },
        draw: fig10,
    },
    Recipe {
        name: "fig11",
        needs: || keys(&[(FULL, "baseline", &[0]), (FULL, "regmutex", &SWEEP)]),
        draw: fig11,
    },
    Recipe {
        name: "fig12",
        needs: || {
            keys(&[
                (FULL, "baseline", &[0]),
                (FULL, "regmutex", &[0]),
                (FULL, "paired", &[0]),
                (HALF, "baseline", &[0]),
                (HALF, "regmutex", &[0]),
                (HALF, "paired", &[0]),
            ])
        },
        draw: fig12,
    },
    Recipe {
        name: "fig13",
        needs: || {
            keys(&[
                (FULL, "baseline", &[0]),
                (FULL, "regmutex", &[0]),
                (FULL, "paired", &[0]),
                (HALF, "regmutex", &[0]),
                (HALF, "paired", &[0]),
            ])
        },
        draw: fig13,
    },
    Recipe {
        name: "sweep-half",
        needs: || sweep_needs(HALF, "regmutex"),
        draw: |runs| {
            sweep(
                runs,
                HALF,
                "regmutex",
                "RegMutex on half the register file, by |Es|",
            )
        },
    },
    Recipe {
        name: "sweep-paired",
        needs: || sweep_needs(FULL, "paired"),
        draw: |runs| {
            sweep(
                runs,
                FULL,
                "paired",
                "Paired warps on the full register file, by |Es|",
            )
        },
    },
    Recipe {
        name: "sweep-paired-half",
        needs: || sweep_needs(HALF, "paired"),
        draw: |runs| {
            sweep(
                runs,
                HALF,
                "paired",
                "Paired warps on half the register file, by |Es|",
            )
        },
    },
    Recipe {
        name: "why",
        needs: || keys(&[(FULL, "baseline", &[0]), (FULL, "regmutex", &[0])]),
        draw: why,
    },
];

fn keys(runs: &[(&'static str, &'static str, &[u16])]) -> Vec<Key> {
    let mut keys = Vec::new();
    for kernel in bundled::all() {
        for (machine, scheme, sizes) in runs {
            keys.extend(sizes.iter().map(|&es| Key {
                kernel: kernel.name,
                machine,
                scheme,
                es,
            }));
        }
    }
    keys
}

/// Bundled kernels that lose CTAs to registers on the full register file, or those that do not.
fn kernels(runs: &Runs, limited: bool) -> Vec<&'static str> {
    let by_registers = |kernel: &&'static str| {
        let baseline = runs.get(kernel, FULL, "baseline", 0);
        baseline.is_some_and(|run| run.occupancy.limited_by == "registers")
    };
    bundled::all()
        .iter()
        .map(|kernel| kernel.name)
        .filter(|kernel| by_registers(kernel) == limited)
        .collect()
}

fn panel(title: &str, unit: &str, kernels: &[&'static str], series: &[Named<'_>]) -> Panel {
    Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        groups: kernels.iter().map(|kernel| (*kernel).to_owned()).collect(),
        series: series
            .iter()
            .map(|(name, value)| Series {
                name: name.clone(),
                values: kernels
                    .iter()
                    .map(|kernel| value(kernel).unwrap_or(f64::NAN))
                    .collect(),
            })
            .collect(),
    }
}

/// Percent fewer cycles than the baseline on the full register file.
fn reduction(
    runs: &Runs,
    machine: &'static str,
    scheme: &'static str,
    es: u16,
) -> impl Fn(&'static str) -> Option<f64> {
    move |kernel| {
        let reference = runs.get(kernel, FULL, "baseline", 0)?.cycles as f64;
        Some(100.0 * (1.0 - runs.get(kernel, machine, scheme, es)?.cycles as f64 / reference))
    }
}

fn occupancy(
    runs: &Runs,
    machine: &'static str,
    scheme: &'static str,
    es: u16,
) -> impl Fn(&'static str) -> Option<f64> {
    move |kernel| Some(100.0 * runs.get(kernel, machine, scheme, es)?.occupancy.fraction)
}

fn success(
    runs: &Runs,
    machine: &'static str,
    scheme: &'static str,
    es: u16,
) -> impl Fn(&'static str) -> Option<f64> {
    move |kernel| {
        Some(
            100.0
                * runs
                    .get(kernel, machine, scheme, es)?
                    .acquire
                    .as_ref()?
                    .success,
        )
    }
}

fn fig7(runs: &Runs) -> Figure {
    let limited = kernels(runs, true);
    Figure {
        title: "Figure 7: RegMutex on the baseline architecture, kernels limited by registers"
            .into(),
        panels: vec![
            panel(
                "Cycle reduction against the baseline",
                "% fewer cycles",
                &limited,
                &[("RegMutex".into(), &reduction(runs, FULL, "regmutex", 0))],
            ),
            panel(
                "Theoretical occupancy",
                "% of warp slots",
                &limited,
                &[
                    ("baseline".into(), &occupancy(runs, FULL, "baseline", 0)),
                    ("RegMutex".into(), &occupancy(runs, FULL, "regmutex", 0)),
                ],
            ),
        ],
    }
}

fn fig8(runs: &Runs) -> Figure {
    let others = kernels(runs, false);
    let increase = |scheme| {
        let reduction = reduction(runs, HALF, scheme, 0);
        move |kernel| reduction(kernel).map(|percent| -percent)
    };
    Figure {
        title: "Figure 8: half the register file, kernels not limited by registers on the full one"
            .into(),
        panels: vec![
            panel(
                "Cycle increase against the baseline on the full register file",
                "% more cycles",
                &others,
                &[
                    ("baseline, half file".into(), &increase("baseline")),
                    ("RegMutex, half file".into(), &increase("regmutex")),
                ],
            ),
            panel(
                "Theoretical occupancy on half the register file",
                "% of warp slots",
                &others,
                &[
                    ("baseline".into(), &occupancy(runs, HALF, "baseline", 0)),
                    ("RegMutex".into(), &occupancy(runs, HALF, "regmutex", 0)),
                ],
            ),
        ],
    }
}

fn fig10(runs: &Runs) -> Figure {
    let limited = kernels(runs, true);
    let chosen = reduction(runs, FULL, "regmutex", 0);
    let sizes = SWEEP.map(|es| {
        (
            format!("|Es| = {es}"),
            reduction(runs, FULL, "regmutex", es),
        )
    });
    let mut series: Vec<Named<'_>> = vec![("chosen".into(), &chosen)];
    series.extend(sizes.iter().map(|(name, value)| (name.clone(), value as _)));
    Figure {
        title: "Figure 10: cycles by |Es|".into(),
        panels: vec![panel(
            "Cycle reduction against the baseline",
            "% fewer cycles",
            &limited,
            &series,
        )],
    }
}

fn fig11(runs: &Runs) -> Figure {
    let limited = kernels(runs, true);
    let occupancies = SWEEP.map(|es| {
        (
            format!("|Es| = {es}"),
            occupancy(runs, FULL, "regmutex", es),
        )
    });
    let successes = SWEEP.map(|es| (format!("|Es| = {es}"), success(runs, FULL, "regmutex", es)));
    let mut first: Vec<Named<'_>> = Vec::new();
    first.extend(
        occupancies
            .iter()
            .map(|(name, value)| (name.clone(), value as _)),
    );
    let mut second: Vec<Named<'_>> = Vec::new();
    second.extend(
        successes
            .iter()
            .map(|(name, value)| (name.clone(), value as _)),
    );
    Figure {
        title: "Figure 11: occupancy and acquire success by |Es|".into(),
        panels: vec![
            panel("Theoretical occupancy", "% of warp slots", &limited, &first),
            panel(
                "Acquires granted at the first attempt",
                "% of acquires",
                &limited,
                &second,
            ),
        ],
    }
}

fn fig12(runs: &Runs) -> Figure {
    let (limited, others) = (kernels(runs, true), kernels(runs, false));
    let increase = |scheme| {
        let reduction = reduction(runs, HALF, scheme, 0);
        move |kernel| reduction(kernel).map(|percent| -percent)
    };
    Figure {
        title: "Figure 12: paired warps".into(),
        panels: vec![
            panel(
                "(a) Cycle reduction on the full register file, kernels limited by registers",
                "% fewer cycles",
                &limited,
                &[
                    ("paired".into(), &reduction(runs, FULL, "paired", 0)),
                    ("RegMutex".into(), &reduction(runs, FULL, "regmutex", 0)),
                ],
            ),
            panel(
                "(a) Theoretical occupancy on the full register file",
                "% of warp slots",
                &limited,
                &[
                    ("baseline".into(), &occupancy(runs, FULL, "baseline", 0)),
                    ("paired".into(), &occupancy(runs, FULL, "paired", 0)),
                    ("RegMutex".into(), &occupancy(runs, FULL, "regmutex", 0)),
                ],
            ),
            panel(
                "(b) Cycle increase on half the register file, the other kernels",
                "% more cycles",
                &others,
                &[
                    ("baseline".into(), &increase("baseline")),
                    ("paired".into(), &increase("paired")),
                    ("RegMutex".into(), &increase("regmutex")),
                ],
            ),
        ],
    }
}

fn fig13(runs: &Runs) -> Figure {
    let (limited, others) = (kernels(runs, true), kernels(runs, false));
    let panel_on = |machine, title: &str, kernels: &[&'static str]| {
        panel(
            title,
            "% of acquires",
            kernels,
            &[
                ("RegMutex".into(), &success(runs, machine, "regmutex", 0)),
                ("paired".into(), &success(runs, machine, "paired", 0)),
            ],
        )
    };
    Figure {
        title: "Figure 13: acquires granted at the first attempt".into(),
        panels: vec![
            panel_on(
                FULL,
                "Full register file, kernels limited by registers",
                &limited,
            ),
            panel_on(HALF, "Half the register file, the other kernels", &others),
        ],
    }
}

fn sweep_needs(machine: &'static str, scheme: &'static str) -> Vec<Key> {
    keys(&[
        (FULL, "baseline", &[0]),
        (machine, "baseline", &[0]),
        (machine, scheme, &SWEEP),
    ])
}

/// All kernels that lose CTAs to registers on `machine`, for every |Es|.
fn sweep(runs: &Runs, machine: &'static str, scheme: &'static str, title: &str) -> Figure {
    let limited: Vec<&'static str> = (bundled::all().iter().map(|kernel| kernel.name))
        .filter(|kernel| {
            let baseline = runs.get(kernel, machine, "baseline", 0);
            baseline.is_some_and(|run| run.occupancy.limited_by == "registers")
        })
        .collect();
    let same_file = |es| {
        move |kernel| {
            let reference = runs.get(kernel, machine, "baseline", 0)?.cycles as f64;
            Some(100.0 * (1.0 - runs.get(kernel, machine, scheme, es)?.cycles as f64 / reference))
        }
    };
    let named = |es: u16| format!("|Es| = {es}");
    let cycles = SWEEP.map(|es| (named(es), same_file(es)));
    let occupancies = SWEEP.map(|es| (named(es), occupancy(runs, machine, scheme, es)));
    let successes = SWEEP.map(|es| (named(es), success(runs, machine, scheme, es)));
    let (mut first, mut second, mut third): (Vec<Named<'_>>, Vec<Named<'_>>, Vec<Named<'_>>) =
        Default::default();
    first.extend(
        cycles
            .iter()
            .map(|(name, value)| (name.clone(), value as _)),
    );
    let base = occupancy(runs, machine, "baseline", 0);
    second.push(("baseline".into(), &base));
    second.extend(
        occupancies
            .iter()
            .map(|(name, value)| (name.clone(), value as _)),
    );
    third.extend(
        successes
            .iter()
            .map(|(name, value)| (name.clone(), value as _)),
    );
    Figure {
        title: title.into(),
        panels: vec![
            panel(
                "Cycle reduction against the baseline on the same register file",
                "% fewer cycles",
                &limited,
                &first,
            ),
            panel(
                "Theoretical occupancy",
                "% of warp slots",
                &limited,
                &second,
            ),
            panel(
                "Acquires granted at the first attempt",
                "% of acquires",
                &limited,
                &third,
            ),
        ],
    }
}

/// What keeps cycles from following occupancy.
fn why(runs: &Runs) -> Figure {
    let limited = kernels(runs, true);
    let share = |scheme: &'static str, causes: &'static [&'static str]| {
        move |kernel| {
            let run = runs.get(kernel, FULL, scheme, 0)?;
            let slots: u64 = causes
                .iter()
                .filter_map(|cause| run.slots.get(*cause))
                .sum();
            Some(100.0 * slots as f64 / run.slots.values().sum::<u64>() as f64)
        }
    };
    let bandwidth = |kernel| {
        let run = runs.get(kernel, FULL, "baseline", 0)?;
        let memory = &run.counters.memory;
        let most = runs.bytes_per_cycle(FULL)? * run.cycles;
        Some(100.0 * (memory.bytes_read + memory.bytes_written) as f64 / most as f64)
    };
    let sections = |kernel| {
        let run = runs.get(kernel, FULL, "regmutex", 0)?;
        (run.occupancy.sections > 0)
            .then(|| 100.0 * f64::from(run.occupancy.sections) / f64::from(run.occupancy.warps))
    };
    let waiting = |kernel| {
        let counters = &runs.get(kernel, FULL, "regmutex", 0)?.counters;
        let waited = counters.acquire.wait_cycles as f64;
        Some(100.0 * waited / counters.resident_warp_cycles.max(1) as f64)
    };
    Figure {
        title: "What limits the kernels".into(),
        panels: vec![panel(
            "Issue slots, memory bandwidth and sections, kernels limited by registers",
            "%",
            &limited,
            &[
                (
                    "issue slots used, baseline".into(),
                    &share("baseline", &["issued"]),
                ),
                ("memory bandwidth used, baseline".into(), &bandwidth),
                (
                    "slots that waited for memory data, baseline".into(),
                    &share("baseline", &["memory data"]),
                ),
                ("sections per resident warp, RegMutex".into(), &sections),
                (
                    "resident warps that waited for a section, RegMutex".into(),
                    &waiting,
                ),
            ],
        )],
    }
}
