//! Every bundled kernel under every scheme: the reference's result, the baseline's memory, and the same cycles and
//! counters from the plain models and from the RTL.

mod calls;
mod soak;

use rayon::prelude::*;
use regshare_hw::manager::Backend;
use regshare_sim::bundled::{self, Bundled};
use regshare_sim::flow::{self, OWF_SCHEMES, Ran, SCHEMES, Setup, TEAM_SCHEMES, Verdict, Workload};
use regshare_sim::machine::{Machine, SchedulerPolicy};
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;
use soak::{
    LONG, LONG_ON_V100, ON_BASELINE, ON_HALF, QUICK, RENAMES, has_backends,
    has_hardware_of_its_own, has_rtl, kernels, too_long, too_slow,
};

fn run(kernel: &'static Bundled, scheme: &str, machine: &str, options: &RunOptions) -> Ran {
    run_with(kernel, scheme, SchemeOptions::default(), machine, options)
}

fn run_with(
    kernel: &'static Bundled,
    scheme: &str,
    with: SchemeOptions,
    machine: &str,
    options: &RunOptions,
) -> Ran {
    let workload = Workload::of_bundled(kernel).expect("opens");
    let compiled = flow::compile(&workload, None).expect("allocates");
    let scheme = flow::scheme(scheme, with).expect("exists");
    let machine = Machine::preset(machine).expect("exists");
    let ran = flow::execute(
        &workload,
        &compiled,
        scheme.as_ref(),
        Setup {
            machine: &machine,
            options,
        },
    )
    .unwrap_or_else(|error| panic!("{} under {}: {error}", kernel.name, scheme.name()));
    assert_eq!(
        ran.verdict,
        Verdict::Correct,
        "{} under {}",
        kernel.name,
        scheme.name()
    );
    ran
}

#[test]
fn every_scheme_leaves_the_memory_of_the_baseline_on_models_and_on_rtl() {
    kernels().into_par_iter().for_each(|kernel| {
        let baseline = run(kernel, "baseline", "gtx480", &RunOptions::default());
        for (scheme, _) in SCHEMES.iter().filter(|(name, _)| !too_long(kernel, name)) {
            let with = |backend| RunOptions {
                backend,
                ..RunOptions::default()
            };
            let model = run(kernel, scheme, "gtx480", &with(Backend::Model));
            let rtl =
                has_rtl(kernel, scheme).then(|| run(kernel, scheme, "gtx480", &with(Backend::Rtl)));
            assert_eq!(
                model
                    .result
                    .memory
                    .first_difference(&baseline.result.memory),
                None,
                "{} {scheme}",
                kernel.name
            );
            if let Some(rtl) = rtl {
                assert_eq!(
                    rtl.result.memory.first_difference(&baseline.result.memory),
                    None,
                    "{} {scheme}",
                    kernel.name
                );
                assert_eq!(
                    model.result.counters, rtl.result.counters,
                    "{} {scheme}",
                    kernel.name
                );
            }
            if cfg!(feature = "verilog") && has_backends(kernel, scheme) {
                let verilog = run(kernel, scheme, "gtx480", &with(Backend::Verilog));
                assert_eq!(
                    (verilog.result.counters, verilog.result.memory),
                    (model.result.counters, model.result.memory),
                    "{} {scheme}",
                    kernel.name
                );
            }
        }
    });
}

#[test]
fn half_the_register_file_and_loose_round_robin_give_the_same_memory_too() {
    let known = |name: &&str| SCHEMES.iter().any(|(scheme, _)| scheme == name);
    assert!(ON_HALF.iter().chain(&ON_BASELINE).all(known));
    let soak = std::env::var_os("REGSHARE_SOAK").is_some();
    let mut chosen = kernels();
    chosen.retain(|kernel| soak || !LONG.contains(&kernel.name));
    chosen.into_par_iter().for_each(|kernel| {
        let baseline = run(kernel, "baseline", "gtx480", &RunOptions::default());
        let options = RunOptions {
            scheduler: Some(SchedulerPolicy::Lrr),
            ..RunOptions::default()
        };
        // Half a file is the shrunk hardware already: GPU-shrink is refused there. A quarter is too little for some kernels.
        let all = soak || QUICK.contains(&kernel.name);
        let fits = |name: &str| {
            !["gpu-shrink", "compiler-spill"].contains(&name) && (all || ON_HALF.contains(&name))
        };
        for (scheme, _) in SCHEMES.iter().filter(|(name, _)| fits(name)) {
            let half = run(kernel, scheme, "gtx480-half", &options);
            assert_eq!(
                half.result.memory.first_difference(&baseline.result.memory),
                None,
                "{} {scheme}",
                kernel.name
            );
        }
    });
}

/// On machines of four schedulers, whose register hardware is clocked twice in a cycle.
#[test]
fn four_schedulers_leave_the_memory_of_the_baseline_in_every_backend() {
    let soak = std::env::var_os("REGSHARE_SOAK").is_some();
    // The register hardware of `maxwell` is that of `v100`, and that of `rtx3070` the same with fewer warps.
    let machines = ["v100", "rtx3070", "maxwell"];
    let machines = &machines[..if soak { 3 } else { 1 }];
    let kernels = kernels().into_iter();
    let chosen = kernels.filter(|kernel| soak || QUICK.contains(&kernel.name));
    let pairs: Vec<_> = chosen
        .flat_map(|kernel| machines.iter().map(move |&machine| (kernel, machine)))
        .filter(|(kernel, _)| soak || kernel.name != LONG_ON_V100)
        .collect();
    pairs.into_par_iter().for_each(|(kernel, machine)| {
        let baseline = run(kernel, "baseline", machine, &RunOptions::default());
        let shrinks = |scheme: &str| RENAMES.contains(&scheme) && scheme != "rfv";
        for (scheme, _) in SCHEMES.iter().filter(|(name, _)| soak || !shrinks(name)) {
            let model = run(kernel, scheme, machine, &RunOptions::default());
            let (memory, expected) = (&model.result.memory, &baseline.result.memory);
            let place = format!("{} {scheme} on {machine}", kernel.name);
            assert_eq!(memory.first_difference(expected), None, "{place}");
            let issued = model.result.counters.slots.issued;
            assert_eq!(issued, model.result.counters.warp_instructions, "{place}");
            let backend = match *scheme {
                // Its Verilog is made by a program that can export it (`tests/cli/verilog_made_now.rs`), and its RTL is slow.
                "rfv-hardware-only" if soak => Backend::Lockstep,
                _ if !soak && !has_hardware_of_its_own(scheme) => continue,
                _ if cfg!(feature = "verilog") => Backend::Verilog,
                _ if !too_slow(scheme) => Backend::Lockstep,
                _ => continue,
            };
            let options = RunOptions {
                backend,
                ..RunOptions::default()
            };
            let other = run(kernel, scheme, machine, &options);
            assert_eq!(
                (other.result.counters, &other.result.memory),
                (model.result.counters, memory),
                "{place}, {backend}"
            );
        }
    });
}

/// RFV, Figure 11 (b): sub-arrays wake in this kernel, and it shows how long they take.
#[test]
fn a_wake_up_of_ten_cycles_costs_cycles_and_as_many_on_verilog() {
    let kernel = bundled::find("hotspot").expect("bundled");
    let cycles = |wake_up, backend| {
        let with = SchemeOptions {
            wake_up,
            table_clocks: Some(1),
            ..SchemeOptions::default()
        };
        let options = RunOptions {
            backend,
            ..RunOptions::default()
        };
        run_with(kernel, "rfv", with, "fermi16", &options)
            .result
            .counters
    };
    let at_once = cycles(1, Backend::Model);
    let later = cycles(10, Backend::Model);
    assert!(later.cycles > at_once.cycles);
    if cfg!(feature = "verilog") {
        assert_eq!(cycles(10, Backend::Verilog), later);
    }
}

/// On `fermi14`, with 16 KiB: CTAs in pairs share scratchpad.
#[test]
fn kernels_that_scratchpad_limits_leave_the_memory_of_the_baseline_and_share_it_in_every_backend() {
    let limited: Vec<_> = (kernels().into_par_iter())
        .filter(|kernel| {
            let baseline = run(kernel, "baseline", "fermi14", &RunOptions::default());
            if baseline.record.occupancy.limited_by != "bytes of scratchpad" {
                return false;
            }
            for (scheme, _) in SCHEMES
                .iter()
                .filter(|(name, _)| name.starts_with("shared"))
            {
                let model = run(kernel, scheme, "fermi14", &RunOptions::default());
                let occupancy = &model.record.occupancy;
                assert!(occupancy.ctas > baseline.record.occupancy.ctas);
                assert!(occupancy.private_scratchpad_bytes < occupancy.scratchpad_bytes);
                let memory = &model.result.memory;
                let difference = memory.first_difference(&baseline.result.memory);
                assert_eq!(difference, None, "{} {scheme}", kernel.name);
                if cfg!(feature = "verilog") && has_backends(kernel, scheme) {
                    let options = RunOptions {
                        backend: Backend::Verilog,
                        ..RunOptions::default()
                    };
                    let verilog = run(kernel, scheme, "fermi14", &options);
                    assert_eq!(
                        (verilog.result.counters, &verilog.result.memory),
                        (model.result.counters, memory),
                        "{} {scheme}",
                        kernel.name
                    );
                }
            }
            true
        })
        .collect();
    assert!(!limited.is_empty());
}

/// Kernels whose warps acquire and release, without the longest of them.
const OWNERS: [&str; 4] = ["convsep", "dct8x8", "particlefilter", "treescore"];

/// Owner warps first on the hardware of RegMutex: the memory of the baseline, and the same from Verilog. All four backends run
/// generated kernels (`tests/generated.rs`).
#[test]
fn owner_warps_first_leave_the_memory_of_the_baseline() {
    let soak = std::env::var_os("REGSHARE_SOAK").is_some();
    let chosen: Vec<_> = (kernels().into_iter())
        .filter(|kernel| soak || OWNERS.contains(&kernel.name))
        .collect();
    chosen.into_par_iter().for_each(|kernel| {
        let baseline = run(kernel, "baseline", "gtx480", &RunOptions::default());
        let other = match soak {
            true => &OWF_SCHEMES[..],
            false => &OWF_SCHEMES[..1],
        };
        for (scheme, _) in other {
            let with = |backend| RunOptions {
                backend,
                ..RunOptions::default()
            };
            let model = run(kernel, scheme, "gtx480", &with(Backend::Model));
            let difference = (model.result.memory).first_difference(&baseline.result.memory);
            assert_eq!(difference, None, "{} {scheme}", kernel.name);
            let chooses = model.plan.manager.owner_first();
            assert_eq!(chooses, model.plan.sections.is_some(), "{}", kernel.name);
            assert!(soak || chooses, "{}", kernel.name);
            let name = if chooses { "owf" } else { "oldest" };
            assert_eq!(model.record.scheduler, name);
            if cfg!(feature = "verilog") && chooses {
                let verilog = run(kernel, scheme, "gtx480", &with(Backend::Verilog));
                assert_eq!(
                    (verilog.result.counters, verilog.result.memory),
                    (model.result.counters, model.result.memory),
                    "{} {scheme}",
                    kernel.name
                );
            }
        }
    });
}

/// RegMutex IV-A: occupancy is what sharing is for.
#[test]
fn kernels_that_registers_limit_gain_warps_and_the_others_run_as_before() {
    for kernel in kernels() {
        let before = run(kernel, "baseline", "gtx480", &RunOptions::default());
        let after = run(kernel, "regmutex", "gtx480", &RunOptions::default());
        if before.record.occupancy.limited_by == "registers" {
            assert!(
                after.record.occupancy.warps > before.record.occupancy.warps,
                "{}",
                kernel.name
            );
        } else {
            assert_eq!(
                before.result.counters, after.result.counters,
                "{}",
                kernel.name
            );
        }
    }
}

/// One launch on several SMs: the memory and the work of one, under every scheme; of what SMs are compared in, also every backend.
#[test]
fn several_sms_leave_the_memory_of_one_and_agree_in_every_backend() {
    let on = |sms, backend| RunOptions {
        sms,
        backend,
        ..RunOptions::default()
    };
    let chosen: Vec<_> = (kernels().into_iter())
        .filter(|kernel| [QUICK[0], QUICK[1], "dct8x8", "treescore"].contains(&kernel.name))
        .collect();
    chosen.into_par_iter().for_each(|kernel| {
        for (number, (scheme, _)) in SCHEMES.into_iter().chain(TEAM_SCHEMES).enumerate() {
            // Of kernels that take longer, what compares SMs: they share, and would hang if a CTA that has ended stayed owner.
            if !QUICK.contains(&kernel.name) && !scheme.ends_with("-dyn") {
                continue;
            }
            let sms = 2 + (number % 2) as u16;
            let alone = run(
                kernel,
                scheme.trim_end_matches("-dyn"),
                "fermi14",
                &on(1, Backend::Model),
            );
            let team = run(kernel, scheme, "fermi14", &on(sms, Backend::Model));
            let place = format!("{} {scheme} on {sms} SMs", kernel.name);
            let (memory, expected) = (&team.result.memory, &alone.result.memory);
            assert_eq!(memory.first_difference(expected), None, "{place}");
            assert_eq!(team.record.warp_insts, alone.record.warp_insts, "{place}");
            let slots: u64 = team.record.slots.values().sum();
            assert_eq!(slots, 2 * u64::from(sms) * team.record.cycles, "{place}");
            if cfg!(feature = "verilog") && scheme.ends_with("-dyn") {
                let verilog = run(kernel, scheme, "fermi14", &on(sms, Backend::Verilog));
                assert_eq!(
                    (verilog.result.counters, &verilog.result.memory),
                    (team.result.counters, memory),
                    "{place}"
                );
            }
        }
    });
}
