//! What the figures and tables of the resource sharing paper show, as tables: panels, kernels, bars.
//!
//! The paper's kernels are not ours, so the shape is to be compared, not the digits. Its set 1 is limited by registers, its set 2
//! by scratchpad; here the baseline on `fermi14` sorts the bundled kernels. The figures are of one SM. Dynamic warp execution compares
//! SMs and has a table of its own, on two and four of them.

use super::measure::Measure::{self, *};
use super::recipe::{Bars, Bars::*, Kernels::*, PanelSpec, Recipe, Run, on};
use regshare_sim::machine::SchedulerPolicy;

const MACHINE: &str = "fermi14";
const FASTER: &str = "% more instructions per cycle";

const LRR: Run = on(MACHINE, "baseline");
const GTO: Run = Run {
    scheduler: Some(SchedulerPolicy::Gto),
    ..LRR
};
const TWO_LEVEL: Run = Run {
    scheduler: Some(SchedulerPolicy::TwoLevel(SchedulerPolicy::READY_QUEUE)),
    ..LRR
};
const OWF: Run = on(MACHINE, "shared-owf-unroll");

/// All of it.
pub static SHARING: [Recipe; 6] = [
    Recipe {
        name: "sharing-fig8",
        title: "Figure 8: resident CTAs",
        panels: fig8,
    },
    Recipe {
        name: "sharing-fig9",
        title: "Figure 9: against loose round robin",
        panels: fig9,
    },
    Recipe {
        name: "sharing-fig10",
        title: "Figure 10: against other schedulers",
        panels: fig10,
    },
    Recipe {
        name: "sharing-fig11",
        title: "Figure 11: against twice the resource",
        panels: fig11,
    },
    Recipe {
        name: "sharing-tables",
        title: "Tables V to VIII: by how much is shared",
        panels: tables,
    },
    Recipe {
        name: "sharing-dyn",
        title: "Dynamic warp execution, against loose round robin on as many SMs",
        panels: dynamic,
    },
];

/// The same for the kernels that registers and that scratchpad limit.
fn both(titles: [&'static str; 2], unit: &'static str, bars: [Vec<Bars>; 2]) -> Vec<PanelSpec> {
    let kernels = [ShortOfRegisters(MACHINE), ShortOfScratchpad(MACHINE)];
    (titles.into_iter().zip(kernels).zip(bars))
        .map(|((title, kernels), bars)| PanelSpec {
            title,
            unit,
            kernels,
            bars,
        })
        .collect()
}

fn fig8() -> Vec<PanelSpec> {
    let bars = || vec![One("baseline", Ctas, LRR), One("shared", Ctas, OWF)];
    both(
        [
            "(a) Kernels limited by registers",
            "(c) Kernels limited by scratchpad",
        ],
        "CTAs of one SM",
        [bars(), bars()],
    )
}

/// A bar per variant; where scratchpad is shared the order of registers does not matter.
fn variants(measure: Measure, registers: bool) -> Vec<Bars> {
    let bar = |name, scheme| One(name, measure, on(MACHINE, scheme));
    let mut bars = vec![bar("LRR-NoOpt", "shared-lrr-noopt")];
    if registers {
        bars.push(bar("LRR-Unroll", "shared-lrr-unroll"));
    }
    bars.push(bar("GTO", "shared-gto-unroll"));
    bars.push(bar("OWF", "shared-owf-unroll"));
    bars
}

fn fig9() -> Vec<PanelSpec> {
    let mut panels = both(
        ["(a) Registers shared", "(b) Scratchpad shared"],
        FASTER,
        [variants(Faster(LRR), true), variants(Faster(LRR), false)],
    );
    let slots = || {
        vec![
            One("fewer idle", LessIdle(LRR), OWF),
            One("fewer stalled", LessStalled(LRR), OWF),
        ]
    };
    panels.extend(both(
        ["(c) Registers shared, OWF", "(d) Scratchpad shared, OWF"],
        "% fewer scheduler slots",
        [slots(), slots()],
    ));
    panels
}

fn fig10() -> Vec<PanelSpec> {
    let bars = || {
        vec![
            One("OWF against GTO", Faster(GTO), OWF),
            One("OWF against two levels", Faster(TWO_LEVEL), OWF),
        ]
    };
    both(
        ["(a, c) Registers shared", "(b, d) Scratchpad shared"],
        FASTER,
        [bars(), bars()],
    )
}

fn fig11() -> Vec<PanelSpec> {
    let bars = |doubled| {
        vec![
            One("twice the resource, LRR", Faster(LRR), on(MACHINE, doubled)),
            One("shared, OWF", Faster(LRR), OWF),
        ]
    };
    both(
        ["(a) Registers", "(b) Scratchpad"],
        FASTER,
        [bars("double-registers"), bars("double-scratchpad")],
    )
}

fn tables() -> Vec<PanelSpec> {
    let faster = || vec![ByPercent(Faster(LRR), OWF)];
    let ctas = || vec![ByPercent(Ctas, OWF)];
    let mut panels = both(
        [
            "V: registers shared, OWF, against LRR without",
            "VII: scratchpad shared, OWF, against LRR without",
        ],
        FASTER,
        [faster(), faster()],
    );
    panels.extend(both(
        ["VI: registers shared", "VIII: scratchpad shared"],
        "CTAs of one SM",
        [ctas(), ctas()],
    ));
    panels
}

/// Each variant with dynamic warp execution beside the same without.
fn dynamic() -> Vec<PanelSpec> {
    let bars = |sms| {
        let measure = Faster(Run { sms, ..LRR });
        let bar = |name, scheme| {
            One(
                name,
                measure,
                Run {
                    sms,
                    ..on(MACHINE, scheme)
                },
            )
        };
        vec![
            bar("LRR-Unroll", "shared-lrr-unroll"),
            bar("LRR-Unroll-Dyn", "shared-lrr-unroll-dyn"),
            bar("OWF-Unroll", "shared-owf-unroll"),
            bar("OWF-Unroll-Dyn", "shared-owf-unroll-dyn"),
        ]
    };
    let mut panels = both(
        [
            "(a) Registers shared, two SMs",
            "(b) Scratchpad shared, two SMs",
        ],
        FASTER,
        [bars(2), bars(2)],
    );
    panels.extend(both(
        [
            "(c) Registers shared, four SMs",
            "(d) Scratchpad shared, four SMs",
        ],
        FASTER,
        [bars(4), bars(4)],
    ));
    panels
}
