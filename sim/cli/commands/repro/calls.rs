//! The bundled kernels that call functions: how deep and how often, what saving registers costs, beside what CARS measured.

use super::super::checked;
use super::figure::{Figure, Panel};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::chart::Series;
use rayon::prelude::*;
use regshare_sim::bundled::{self, Bundled};
use regshare_sim::compiler::calls::{CallGraph, Saves};
use regshare_sim::flow::{self, CallProfile, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;

const MACHINE: &str = "gtx480";

/// Call depth and calls per thousand instructions of the application that a kernel stands for (CARS, Table I).
fn table_1(kernel: &str) -> (f64, f64) {
    match kernel {
        "raytrace" => (4.0, 19.71),
        "gravity" => (2.0, 21.40),
        "life" => (1.0, 7.05),
        "collide" => (3.0, 19.54),
        "reach" => (9.0, 46.11),
        "fibonacci" => (8.0, 22.41),
        "gemm" => (5.0, 17.01),
        _ => (f64::NAN, f64::NAN),
    }
}

/// What was found about a kernel.
struct Measured {
    name: &'static str,
    graph: CallGraph,
    profile: CallProfile,
    /// Cycles with calls kept and with calls inlined, the second if they can be.
    cycles: (u64, Option<u64>),
}

fn measure(bundled: &'static Bundled) -> Outcome<Measured> {
    let machine = Machine::preset(MACHINE).or_input()?;
    let workload = checked(Workload::of_bundled(bundled))?;
    let compiled = checked(flow::compile(&workload, None))?;
    let kept = checked(flow::compile_calls(&workload, Saves::LocalMemory, None))?;
    let Some((with_calls, graph)) = kept else {
        let name = bundled.name;
        return Err(Failure::run(format!("{name} calls no function")));
    };
    let cycles = |scheme: &str| -> Outcome<u64> {
        let scheme = flow::scheme(scheme, SchemeOptions::default()).or_input()?;
        let setup = Setup {
            machine: &machine,
            options: &RunOptions::default(),
        };
        let ran = checked(flow::execute(&workload, &compiled, scheme.as_ref(), setup))?;
        match ran.verdict {
            Verdict::Wrong(why) => Err(Failure::run(format!("{}: {why}", bundled.name))),
            _ => Ok(ran.result.cycles),
        }
    };
    let inlined = bundled.calls.can_inline().then(|| cycles("baseline"));
    Ok(Measured {
        name: bundled.name,
        graph,
        profile: checked(flow::profile(&workload, &with_calls.kernel))?,
        cycles: (cycles("abi-spill")?, inlined.transpose()?),
    })
}

/// The tables of all kernels with calls.
pub fn figure() -> Outcome<Figure> {
    let kernels: Vec<&'static Bundled> = bundled::calling().iter().collect();
    let all: Vec<Outcome<Measured>> = kernels.into_par_iter().map(measure).collect();
    let all = all.into_iter().collect::<Outcome<Vec<_>>>()?;
    let series = |name: &str, of: &dyn Fn(&Measured) -> f64| Series {
        name: name.to_owned(),
        values: all.iter().map(of).collect(),
    };
    let panel = |title: &str, unit: &str, series| Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        group: "kernel",
        groups: all.iter().map(|m| m.name.to_owned()).collect(),
        series,
        is_speed: false,
    };
    let count = |count: u32| f64::from(count);
    Ok(Figure {
        title: "Kernels that call functions".to_owned(),
        panels: vec![
            panel(
                "How deep and how often they call, beside Table I of CARS",
                "calls open at once; warp calls per 1000 warp instructions",
                vec![
                    series("depth", &|m| count(m.profile.depth)),
                    series("depth in Table I", &|m| table_1(m.name).0),
                    series("CPKI", &|m| m.profile.cpki()),
                    series("CPKI in Table I", &|m| table_1(m.name).1),
                ],
            ),
            panel(
                "Accesses to local and global memory under `abi-spill`",
                "% of all",
                vec![
                    series("spills and fills", &|m| {
                        m.profile.percent(m.profile.spill_accesses)
                    }),
                    series("global", &|m| m.profile.percent(m.profile.global_accesses)),
                    series("other local", &|m| {
                        m.profile.percent(m.profile.local_accesses)
                    }),
                ],
            ),
            panel(
                "Registers of a warp's stack",
                "registers",
                vec![
                    series("kernel", &|m| count(m.graph.nodes()[0].fru)),
                    series("largest FRU", &|m| count(m.graph.largest_fru())),
                    series("Low-watermark", &|m| count(m.graph.low())),
                    series("High-watermark", &|m| count(m.graph.high())),
                ],
            ),
            panel(
                "Cycles with calls, and inlined",
                "cycles; times faster",
                vec![
                    series("abi-spill", &|m| m.cycles.0 as f64),
                    series("inlined", &|m| {
                        m.cycles.1.map_or(f64::NAN, |cycles| cycles as f64)
                    }),
                    series("speed-up", &|m| {
                        m.cycles
                            .1
                            .map_or(f64::NAN, |inlined| m.cycles.0 as f64 / inlined as f64)
                    }),
                ],
            ),
        ],
    })
}
