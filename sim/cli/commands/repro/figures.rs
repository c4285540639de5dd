//! What each figure of the RegMutex paper shows, as a table: panels, kernels, bars.
//!
//! The paper's kernels are not ours, so the shape is to be compared, not the digits. Its first eight kernels are
//! limited by registers on the full register file, its other eight only on half of it; here the same test sorts the
//! bundled kernels: does the baseline lose CTAs to registers on `gtx480`?

use super::measure::Measure::{self, *};
use super::recipe::{Bars, Bars::*, Kernels::*, PanelSpec, Recipe, Run, on};
use regshare_sim::machine::SchedulerPolicy;

const FULL: &str = "gtx480";
const HALF: &str = "gtx480-half";

const FEWER: &str = "% fewer cycles";
const MORE: &str = "% more cycles";
const SLOTS: &str = "% of warp slots";
const ACQUIRES: &str = "% of acquires";
const FASTER: &str = "% more instructions per cycle";

/// All of it.
pub static REGMUTEX: [Recipe; 11] = [
    Recipe {
        name: "fig7",
        title: "Figure 7: RegMutex on the baseline architecture, kernels limited by registers",
        panels: fig7,
    },
    Recipe {
        name: "fig8",
        title: "Figure 8: half the register file, kernels not limited by registers on the full one",
        panels: fig8,
    },
    Recipe {
        name: "fig10",
        title: "Figure 10: cycles by |Es|",
        panels: fig10,
    },
    Recipe {
        name: "fig11",
        title: "Figure 11: occupancy and acquire success by |Es|",
        panels: fig11,
    },
    Recipe {
        name: "fig12",
        title: "Figure 12: paired warps",
        panels: fig12,
    },
    Recipe {
        name: "fig13",
        title: "Figure 13: acquires granted at the first attempt",
        panels: fig13,
    },
    Recipe {
        name: "sweep-half",
        title: "RegMutex on half the register file, by |Es|",
        panels: || sweep(HALF, "regmutex"),
    },
    Recipe {
        name: "sweep-paired",
        title: "Paired warps on the full register file, by |Es|",
        panels: || sweep(FULL, "paired"),
    },
    Recipe {
        name: "sweep-paired-half",
        title: "Paired warps on half the register file, by |Es|",
        panels: || sweep(HALF, "paired"),
    },
    Recipe {
        name: "owf",
        title: "Owner warps first on RegMutex's hardware",
        panels: owner_first,
    },
    Recipe {
        name: "why",
        title: "What limits the kernels",
        panels: why,
    },
];

fn fig7() -> Vec<PanelSpec> {
    vec![
        PanelSpec {
            title: "Cycle reduction against the baseline",
            unit: FEWER,
            kernels: ShortOfRegisters(FULL),
            bars: vec![One("RegMutex", Reduction, on(FULL, "regmutex"))],
        },
        PanelSpec {
            title: "Theoretical occupancy",
            unit: SLOTS,
            kernels: ShortOfRegisters(FULL),
            bars: schemes(Occupancy, FULL, &["baseline", "regmutex"]),
        },
    ]
}

fn fig8() -> Vec<PanelSpec> {
    vec![
        PanelSpec {
            title: "Cycle increase against the baseline on the full register file",
            unit: MORE,
            kernels: EnoughRegisters(FULL),
            bars: vec![
                One("baseline, half file", Increase, on(HALF, "baseline")),
                One("RegMutex, half file", Increase, on(HALF, "regmutex")),
            ],
        },
        PanelSpec {
            title: "Theoretical occupancy on half the register file",
            unit: SLOTS,
            kernels: EnoughRegisters(FULL),
            bars: schemes(Occupancy, HALF, &["baseline", "regmutex"]),
        },
    ]
}

fn fig10() -> Vec<PanelSpec> {
    vec![PanelSpec {
        title: "Cycle reduction against the baseline",
        unit: FEWER,
        kernels: ShortOfRegisters(FULL),
        bars: vec![
            One("chosen", Reduction, on(FULL, "regmutex")),
            BySize(Reduction, on(FULL, "regmutex")),
        ],
    }]
}

fn fig11() -> Vec<PanelSpec> {
    vec![
        PanelSpec {
            title: "Theoretical occupancy",
            unit: SLOTS,
            kernels: ShortOfRegisters(FULL),
            bars: vec![BySize(Occupancy, on(FULL, "regmutex"))],
        },
        PanelSpec {
            title: "Acquires granted at the first attempt",
            unit: ACQUIRES,
            kernels: ShortOfRegisters(FULL),
            bars: vec![BySize(AcquireSuccess, on(FULL, "regmutex"))],
        },
    ]
}

fn fig12() -> Vec<PanelSpec> {
    let all = ["baseline", "paired", "regmutex"];
    vec![
        PanelSpec {
            title: "(a) Cycle reduction on the full register file, kernels limited by registers",
            unit: FEWER,
            kernels: ShortOfRegisters(FULL),
            bars: schemes(Reduction, FULL, &all[1..]),
        },
        PanelSpec {
            title: "(a) Theoretical occupancy on the full register file",
            unit: SLOTS,
            kernels: ShortOfRegisters(FULL),
            bars: schemes(Occupancy, FULL, &all),
        },
        PanelSpec {
            title: "(b) Cycle increase on half the register file, the other kernels",
            unit: MORE,
            kernels: EnoughRegisters(FULL),
            bars: schemes(Increase, HALF, &all),
        },
    ]
}

fn fig13() -> Vec<PanelSpec> {
    let both = ["regmutex", "paired"];
    vec![
        PanelSpec {
            title: "Full register file, kernels limited by registers",
            unit: ACQUIRES,
            kernels: ShortOfRegisters(FULL),
            bars: schemes(AcquireSuccess, FULL, &both),
        },
        PanelSpec {
            title: "Half the register file, the other kernels",
            unit: ACQUIRES,
            kernels: EnoughRegisters(FULL),
            bars: schemes(AcquireSuccess, HALF, &both),
        },
    ]
}

/// All kernels that lose CTAs to registers on `machine`, for every |Es|.
fn sweep(machine: &'static str, scheme: &'static str) -> Vec<PanelSpec> {
    let run = on(machine, scheme);
    vec![
        PanelSpec {
            title: "Cycle reduction against the baseline on the same register file",
            unit: FEWER,
            kernels: ShortOfRegisters(machine),
            bars: vec![BySize(ReductionOnSameFile, run)],
        },
        PanelSpec {
            title: "Theoretical occupancy",
            unit: SLOTS,
            kernels: ShortOfRegisters(machine),
            bars: vec![
                One("baseline", Occupancy, on(machine, "baseline")),
                BySize(Occupancy, run),
            ],
        },
        PanelSpec {
            title: "Acquires granted at the first attempt",
            unit: ACQUIRES,
            kernels: ShortOfRegisters(machine),
            bars: vec![BySize(AcquireSuccess, run)],
        },
    ]
}

/// RegMutex under the scheduler of resource sharing, which neither paper describes: `docs/regmutex.md`.
fn owner_first() -> Vec<PanelSpec> {
    const GTO: Run = on(FULL, "regmutex");
    const PAIRED: Run = on(FULL, "paired-safe");
    let under = |scheduler| Run {
        scheduler: Some(scheduler),
        ..GTO
    };
    let two_level = SchedulerPolicy::TwoLevel(SchedulerPolicy::READY_QUEUE);
    let (owf, paired_owf) = (on(FULL, "regmutex+owf"), on(FULL, "paired-safe+owf"));
    vec![
        PanelSpec {
            title: "RegMutex, against GTO",
            unit: FASTER,
            kernels: ShortOfRegisters(FULL),
            bars: vec![
                One("LRR", Faster(GTO), under(SchedulerPolicy::Lrr)),
                One("two levels", Faster(GTO), under(two_level)),
                One("oldest", Faster(GTO), under(SchedulerPolicy::Oldest)),
                One("OWF", Faster(GTO), owf),
            ],
        },
        PanelSpec {
            title: "Safe pairs, against GTO",
            unit: FASTER,
            kernels: ShortOfRegisters(FULL),
            bars: vec![One("OWF", Faster(PAIRED), paired_owf)],
        },
        PanelSpec {
            title: "Acquires granted at the first attempt, RegMutex",
            unit: ACQUIRES,
            kernels: ShortOfRegisters(FULL),
            bars: vec![
                One("GTO", AcquireSuccess, GTO),
                One("OWF", AcquireSuccess, owf),
            ],
        },
    ]
}

/// What keeps cycles from following occupancy.
fn why() -> Vec<PanelSpec> {
    let (baseline, regmutex) = (on(FULL, "baseline"), on(FULL, "regmutex"));
    let waited = "resident warps that waited for a section, RegMutex";
    vec![PanelSpec {
        title: "Issue slots, memory bandwidth and sections, kernels limited by registers",
        unit: "%",
        kernels: ShortOfRegisters(FULL),
        bars: vec![
            One("issue slots used, baseline", Slots("issued"), baseline),
            One("memory bandwidth used, baseline", Bandwidth, baseline),
            One(
                "slots that waited for memory data, baseline",
                Slots("memory data"),
                baseline,
            ),
            One("sections per resident warp, RegMutex", Sections, regmutex),
            One(waited, WaitingForSection, regmutex),
        ],
    }]
}

/// A bar per scheme, under the name that the paper gives it.
fn schemes(measure: Measure, machine: &'static str, schemes: &[&'static str]) -> Vec<Bars> {
    let name = |scheme| match scheme {
        "regmutex" => "RegMutex",
        other => other,
    };
    let bar = |&scheme| One(name(scheme), measure, on(machine, scheme));
    schemes.iter().map(bar).collect()
}
