use super::*;
use crate::bundled;
use crate::compiler::cfg::Cfg;
use crate::compiler::regdem::lanes::addresses;
use crate::compiler::regdem::transactions::transactions;
use crate::compiler::regdem::{Cta, Origin, checker, demote};
use crate::flow::{self, Setup, Verdict, Workload};
use crate::machine::Machine;
use crate::scheme::{CtaShape, SchemeOptions, by_name};
use crate::sm::RunOptions;

fn with_count(count: u16, name: &str) -> Box<dyn Scheme> {
    let options = SchemeOptions {
        demote: Demote::Count(count),
        ..SchemeOptions::default()
    };
    by_name(name, options).unwrap()
}

/// Runs a bundled kernel on `gtx480`.
fn run(kernel: &'static bundled::Bundled, scheme: &dyn Scheme) -> flow::Ran {
    run_on("gtx480", kernel, scheme)
}

/// Runs a bundled kernel and returns its cycles and plan; the result must be the reference's.
fn run_on(machine: &str, kernel: &'static bundled::Bundled, scheme: &dyn Scheme) -> flow::Ran {
    let workload = Workload::of_bundled(kernel).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let machine = Machine::preset(machine).unwrap();
    let options = RunOptions::default();
    let setup = Setup {
        machine: &machine,
        options: &options,
    };
    let ran = flow::execute(&workload, &compiled, scheme, setup)
        .unwrap_or_else(|error| panic!("{} under {}: {error}", kernel.name, scheme.name()));
    assert_eq!(ran.verdict, Verdict::Correct, "{}", kernel.name);
    ran
}

#[test]
fn every_bundled_kernel_leaves_the_memory_of_the_baseline_with_registers_demoted_by_hand() {
    for kernel in bundled::all().iter().filter(|k| k.name != "spmv") {
        let demoted = run(kernel, with_count(4, "regdem").as_ref());
        let baseline = run(kernel, &Baseline);
        let difference = (demoted.result.memory).first_difference(&baseline.result.memory);
        assert_eq!(difference, None, "{}", kernel.name);
        assert!(demoted.plan.kernel.shared_bytes > baseline.plan.kernel.shared_bytes);
    }
}

/// On half a register file `convsep` could have a fourth CTA by registers, for which there is no scratchpad.
#[test]
fn a_step_whose_ctas_do_not_fit_into_the_scratchpad_is_none() {
    let machine = Machine::preset("gtx480-half").unwrap();
    let workload = Workload::of_bundled(bundled::find("convsep").unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let input = PlanInput {
        kernel: &compiled.kernel,
        machine: &machine,
        cta: flow::cta_shape(&workload, &compiled),
        shares_sm: false,
    };
    let found = RegDem::new(Demote::Auto).candidates(&input, &[]).unwrap();
    let mut reached: Vec<(u16, u16)> = (found.iter())
        .filter_map(|candidate| match candidate.variant {
            Variant::Demoted(Options {
                amount: Amount::Until(regs),
                ..
            }) => Some((regs, candidate.plan.occupancy.ctas)),
            _ => None,
        })
        .collect();
    reached.sort_unstable();
    reached.dedup();
    assert_eq!(reached, [(20, 3)]);
}

#[test]
fn every_variant_of_every_bundled_kernel_passes_the_checker_and_fits() {
    let machine = Machine::preset("gtx480").unwrap();
    for kernel in bundled::all() {
        let workload = Workload::of_bundled(kernel).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let cta = flow::cta_shape(&workload, &compiled);
        let shape = Cta {
            threads: cta.threads,
            scratchpad_bytes: cta.scratchpad_bytes,
        };
        let input = PlanInput {
            kernel: &compiled.kernel,
            machine: &machine,
            cta,
            shares_sm: false,
        };
        let before = Baseline.plan(&input).unwrap().occupancy.ctas;
        for candidate in RegDem::new(Demote::Auto).candidates(&input, &[]).unwrap() {
            let Variant::Demoted(options) = candidate.variant else {
                continue;
            };
            let demoted = demote(&compiled.kernel, shape, options).unwrap();
            checker::check(&compiled.kernel, &demoted, shape).unwrap();
            assert!(candidate.plan.occupancy.ctas >= before.min(1));
        }
    }
}

#[test]
fn kernels_that_registers_limit_gain_ctas_by_demotion() {
    let machine = Machine::preset("gtx480").unwrap();
    let mut gained = 0;
    for kernel in bundled::all() {
        let workload = Workload::of_bundled(kernel).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let input = PlanInput {
            kernel: &compiled.kernel,
            machine: &machine,
            cta: flow::cta_shape(&workload, &compiled),
            shares_sm: false,
        };
        let before = Baseline.plan(&input).unwrap().occupancy.ctas;
        let all = RegDem::new(Demote::Auto).candidates(&input, &[]).unwrap();
        gained += usize::from((all.iter()).any(|c| c.plan.occupancy.ctas > before));
    }
    // The others are a register or two above the next step, and RDA and RDV cost two.
    assert!(gained >= 4, "{gained} kernels");
}

/// What the paper is about, on the paper's kind of machine; the whole table is docs/results-regdem.md.
#[test]
fn kernels_of_many_registers_lose_ctas_on_maxwell_and_gain_them_by_demotion() {
    let machine = Machine::preset("maxwell").unwrap();
    for kernel in bundled::demanding() {
        let workload = Workload::of_bundled(kernel).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let cta = flow::cta_shape(&workload, &compiled);
        let input = PlanInput {
            kernel: &compiled.kernel,
            machine: &machine,
            cta,
            shares_sm: false,
        };
        assert!((50..=90).contains(&compiled.report.regs), "{}", kernel.name);
        let before = Baseline.plan(&input).unwrap().occupancy;
        assert_eq!(before.limited_by, crate::scheme::LimitedBy::Registers);
        let all = RegDem::new(Demote::Auto).candidates(&input, &[]).unwrap();
        let Variant::Demoted(options) = all[0].variant else {
            panic!("{}: {:?} is picked", kernel.name, all[0].variant);
        };
        assert!(all[0].plan.occupancy.ctas > before.ctas, "{}", kernel.name);
        let shape = Cta {
            threads: cta.threads,
            scratchpad_bytes: cta.scratchpad_bytes,
        };
        let demoted = demote(&compiled.kernel, shape, options).unwrap();
        checker::check(&compiled.kernel, &demoted, shape).unwrap();
    }
    let transport = bundled::find("transport").unwrap();
    let on = |scheme: &dyn Scheme| run_on("maxwell", transport, scheme).result.cycles;
    let (demoted, before) = (on(&RegDem::new(Demote::Auto)), on(&Baseline));
    assert!(demoted * 100 < before * 95, "{demoted} of {before} cycles");
}

#[test]
fn demotion_works_under_other_register_hardware() {
    let kernel = bundled::find("convsep").unwrap();
    for name in ["regdem+regmutex", "regdem+paired-safe", "regdem+rfv"] {
        let scheme = with_count(3, name);
        assert_eq!(scheme.name(), name);
        run(kernel, scheme.as_ref());
    }
    assert!(by_name("regdem+nothing", SchemeOptions::default()).is_none());
    assert!(by_name("regdem+regdem", SchemeOptions::default()).is_none());
}

#[test]
fn local_spill_reaches_the_next_step_of_occupancy_by_the_allocator() {
    let kernel = bundled::find("montecarlo").unwrap();
    let (spilt, baseline) = (run(kernel, &LocalSpill), run(kernel, &Baseline));
    assert!(spilt.plan.occupancy.ctas > baseline.plan.occupancy.ctas);
}

#[test]
fn a_cta_of_maxwell_has_at_most_48_of_the_96_kib() {
    let limits = Machine::preset("maxwell").unwrap().limits;
    let cta = |scratchpad_bytes| CtaShape {
        threads: 64,
        scratchpad_bytes,
    };
    let with = |bytes| crate::scheme::Occupancy::with_regs(&limits, cta(bytes), 32);
    assert_eq!(with(48 * 1024).unwrap().ctas, 2);
    assert!(matches!(
        with(48 * 1024 + 4),
        Err(Refusal::CtaScratchpad {
            available: 49152,
            ..
        })
    ));
}

#[test]
fn a_small_promise_is_not_worth_a_try() {
    let machine = Machine::preset("gtx480").unwrap();
    let (mut passed_over, mut picked) = (0, 0);
    for kernel in bundled::all() {
        let workload = Workload::of_bundled(kernel).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let scheme = RegDem::new(Demote::Auto);
        let found = flow::alternatives(&workload, &compiled, &scheme, &machine).unwrap();
        let cycles: Vec<f64> = found.iter().map(|a| a.predicted.cycles_per_warp).collect();
        let untouched = found.iter().position(|a| a.what == "untouched").unwrap();
        let least = cycles.iter().copied().fold(f64::INFINITY, f64::min);
        let promises = least <= 0.94 * cycles[untouched];
        assert_eq!(promises, untouched != 0, "{}: {found:?}", kernel.name);
        assert_eq!(cycles[0], if promises { least } else { cycles[untouched] });
        assert!(cycles[1..].is_sorted(), "{}: {cycles:?}", kernel.name);
        picked += usize::from(promises);
        passed_over += usize::from(!promises && least < cycles[untouched]);
    }
    assert!(picked > 0 && passed_over > 0, "{picked}, {passed_over}");
}

/// Addresses that are demoted themselves come back from scratchpad as what they were.
#[test]
fn an_access_costs_a_demoted_kernel_what_it_costs_the_untouched_one() {
    let machine = Machine::preset("maxwell").unwrap();
    let mut compared = 0;
    for kernel in bundled::all().iter().chain(bundled::demanding()) {
        let workload = Workload::of_bundled(kernel).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let cta = flow::cta_shape(&workload, &compiled);
        let shape = Cta {
            threads: cta.threads,
            scratchpad_bytes: cta.scratchpad_bytes,
        };
        let costs = |kernel: &Kernel| -> Vec<Vec<_>> {
            let addresses = addresses(kernel, &Cfg::new(kernel).unwrap());
            (kernel.blocks.iter().zip(addresses))
                .map(|(block, addresses)| {
                    let pairs = block.insts.iter().zip(addresses);
                    pairs
                        .map(|(inst, address)| transactions(&inst.op, address, &machine))
                        .collect()
                })
                .collect()
        };
        let before = costs(&compiled.kernel);
        for strategy in Strategy::ALL {
            let options = Options {
                amount: Amount::Count(12),
                strategy,
                compaction: Compaction::Plain,
                cleanup: Cleanup::Substitute,
            };
            let demoted = demote(&compiled.kernel, shape, options).unwrap();
            let after = costs(&demoted.kernel);
            for (b, origins) in demoted.origins.iter().enumerate() {
                for (i, origin) in origins.iter().enumerate() {
                    if let Origin::Inst(original) = *origin {
                        assert_eq!(after[b][i], before[b][original], "{}", kernel.name);
                        compared += usize::from(after[b][i].is_some());
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared} accesses");
}
