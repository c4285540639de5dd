//! CARS on the bundled kernels that call functions: the data of its Figures 8 to 14 and 16, and of Table III.

use super::super::checked;
use super::cars_time;
use super::figure::{Figure, Panel};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::chart::Series;
use rayon::prelude::*;
use regshare_sim::bundled::{self, Bundled};
use regshare_sim::flow::{self, FlowError, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::observe::counters::Counters;
use regshare_sim::scheme::{Cars, SchemeOptions, Watermark};
use regshare_sim::sm::RunOptions;

/// The machine on which the other systems' figures are, and the paper's (V-A).
pub const MACHINES: [&str; 2] = [TIMED_ON, "v100"];
/// Where the figure over time is from.
pub const TIMED_ON: &str = "gtx480";
/// Bytes of a pack: 32 lanes of 4.
const PACK_BYTES: f64 = 128.0;

/// What runs: the first is the reference of the others.
const RUNS: [(&str, Watermark); 10] = [
    ("abi-spill", Watermark::Adaptive),
    ("cars", Watermark::Adaptive),
    ("cars", Watermark::Low),
    ("cars", Watermark::Times(2)),
    ("cars", Watermark::High),
    ("ideal-virtual-warps", Watermark::Adaptive),
    ("l1-10mb", Watermark::Adaptive),
    ("best-swl", Watermark::Adaptive),
    ("all-hit", Watermark::Adaptive),
    ("inlined", Watermark::Adaptive),
];
const CARS: usize = 1;
/// Shown over time: like the paper's it saves and restores registers under CARS, too, and reads global memory all the time.
const TIMED: &str = "gemm";

/// Counters of the runs of a kernel; `None` where one was refused.
struct Measured {
    name: &'static str,
    runs: Vec<Option<Counters>>,
}

fn measure(bundled: &'static Bundled, machine: &Machine) -> Outcome<Measured> {
    let workload = checked(Workload::of_bundled(bundled))?;
    let compiled = checked(flow::compile(&workload, None))?;
    let run = |(name, watermark): (&str, Watermark)| -> Outcome<Option<Counters>> {
        let cars = Cars {
            watermark,
            ..Cars::default()
        };
        let options = SchemeOptions {
            cars,
            ..SchemeOptions::default()
        };
        let scheme = flow::scheme(name, options).or_input()?;
        let setup = Setup {
            machine,
            options: &RunOptions::default(),
        };
        let ran = match flow::execute(&workload, &compiled, scheme.as_ref(), setup) {
            Err(FlowError::Refused { .. } | FlowError::NotInlined { .. }) => return Ok(None),
            ran => checked(ran)?,
        };
        match ran.verdict {
            Verdict::Wrong(why) => Err(Failure::run(format!(
                "{} under {name}: {why}",
                bundled.name
            ))),
            _ => Ok(Some(ran.result.counters)),
        }
    };
    let runs = RUNS.into_iter().map(run).collect::<Outcome<Vec<_>>>()?;
    Ok(Measured {
        name: bundled.name,
        runs,
    })
}

/// Accesses to the first-level cache.
fn accesses(c: &Counters) -> f64 {
    (c.memory.l1_loads + c.memory.l1_stores + c.memory.atomic_accesses) as f64
}

/// The tables of all kernels with calls.
pub fn figure(machine: &Machine) -> Outcome<Figure> {
    let kernels: Vec<&'static Bundled> = bundled::calling().iter().collect();
    let all: Vec<Outcome<Measured>> = kernels
        .into_par_iter()
        .map(|kernel| measure(kernel, machine))
        .collect();
    let all = all.into_iter().collect::<Outcome<Vec<_>>>()?;
    // Of run `run`, beside the reference; NaN where there is none.
    let series = |name: &str, run: usize, of: &dyn Fn(&Counters, &Counters) -> f64| Series {
        name: name.to_owned(),
        values: (all.iter())
            .map(|m| match (&m.runs[run], &m.runs[0]) {
                (Some(counters), Some(reference)) => of(counters, reference),
                _ => f64::NAN,
            })
            .collect(),
    };
    let panel = |title: &str, unit: &str, series| Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        group: "kernel",
        groups: all.iter().map(|m| m.name.to_owned()).collect(),
        series,
        is_speed: title.to_lowercase().contains("faster than"),
    };
    let faster = |name: &str, run: usize| {
        series(name, run, &|c, reference| {
            100.0 * (reference.cycles as f64 / c.cycles as f64 - 1.0)
        })
    };
    let of_accesses = |name: &str, run: usize, of: fn(&Counters) -> f64| {
        series(name, run, &|c, reference| {
            100.0 * of(c) / accesses(reference)
        })
    };
    let preserving = |c: &Counters| c.calls.spill_fill_accesses as f64;
    let local = |c: &Counters| (c.calls.local_accesses - c.calls.spill_fill_accesses) as f64;
    let global = |c: &Counters| accesses(c) - c.calls.local_accesses as f64;
    let mpki = |c: &Counters, _: &Counters| {
        1000.0 * c.memory.l1_misses as f64 / c.warp_instructions as f64
    };
    let of_insts = |name: &str, run: usize, of: fn(&Counters) -> u64| {
        series(name, run, &|c, reference| {
            100.0 * of(c) as f64 / reference.warp_instructions as f64
        })
    };
    let other = |c: &Counters| {
        c.warp_instructions - c.sp_instructions - c.sfu_instructions - c.ldst_instructions
    };
    Ok(Figure {
        title: format!(
            "CARS on {}, beside what the paper compares it with",
            machine.name
        ),
        panels: vec![
            panel(
                "Faster than `abi-spill` (Figures 8, 10 and 16)",
                "%",
                vec![
                    faster("ideal-virtual-warps", 5),
                    faster("l1-10mb", 6),
                    faster("best-swl", 7),
                    faster("all-hit", 8),
                    faster("cars", CARS),
                    faster("inlined", 9),
                ],
            ),
            panel(
                "Accesses to the first-level cache (Figure 9)",
                "% of all under `abi-spill`",
                vec![
                    of_accesses("abi-spill: spills, fills", 0, preserving),
                    of_accesses("global", 0, global),
                    of_accesses("other local", 0, local),
                    of_accesses("cars: spills, fills", CARS, preserving),
                    of_accesses("global", CARS, global),
                    of_accesses("other local", CARS, local),
                ],
            ),
            cars_time::panel(TIMED, machine)?,
            panel(
                "Misses of the first-level cache (Figure 12)",
                "per 1000 warp instructions",
                vec![series("abi-spill", 0, &mpki), series("cars", CARS, &mpki)],
            ),
            panel(
                "Warp instructions (Figure 13)",
                "% of all under `abi-spill`",
                vec![
                    of_insts("abi-spill: memory", 0, |c| c.ldst_instructions),
                    of_insts("arithmetic", 0, |c| c.sp_instructions + c.sfu_instructions),
                    of_insts("at issue", 0, other),
                    of_insts("cars: memory", CARS, |c| c.ldst_instructions),
                    of_insts("arithmetic", CARS, |c| {
                        c.sp_instructions + c.sfu_instructions
                    }),
                    of_insts("at issue", CARS, other),
                ],
            ),
            panel(
                "CARS with stacks of one size, faster than `abi-spill` (Figure 14)",
                "%",
                vec![
                    faster("low", 2),
                    faster("2xlow", 3),
                    faster("high", 4),
                    faster("adaptive", CARS),
                ],
            ),
            panel(
                "Traps of CARS (Table III)",
                "% of the calls; bytes that a warp saves and fills per call",
                vec![
                    series("calls that trap", CARS, &|c, _| {
                        100.0 * c.calls.traps as f64 / c.calls.calls.max(1) as f64
                    }),
                    series("bytes per call", CARS, &|c, _| {
                        let calls = &c.calls;
                        let moved =
                            calls.spilled_packs + calls.filled_packs + calls.context_switch_packs;
                        PACK_BYTES * moved as f64 / calls.calls.max(1) as f64
                    }),
                ],
            ),
        ],
    })
}
