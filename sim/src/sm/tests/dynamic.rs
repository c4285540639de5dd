//! Dynamic warp execution: non-owners wait for memory, and nobody for ever.

use super::pairs::{Case, plan_on};
use super::programs::interpreted;
use super::support::*;
use crate::kernel::op::{BarKind, Space};
use crate::kernel::{Inst, Kernel, Op, Operand, Special};
use crate::machine::Machine;
use crate::scheme::{Plan, SharingVariant};
use crate::sm::{Hang, Launch, RunError, RunOptions, RunResult, WaitsFor, run};
use regshare_hw::manager::{Backend, ManagerSpec};

/// CTAs of two warps with 24 registers, of which 10 are private. The first warp takes its lock at once: so the first CTA of a pair is
/// owner as soon as the other comes. The second warp loads `loads` times before it needs a lock; `last` ends both.
fn loads_first(loads: usize, last: Vec<Inst>) -> Kernel {
    let mut insts = prologue();
    insts.push(set_less(0, Operand::Special(Special::WarpId), imm(1)));
    insts.extend([mov(7, imm(5)), when(0, true, bra(2))]);
    let mut rest = Vec::new();
    for _ in 0..loads {
        rest.push(load(Space::Global, 6, rr(4)));
        rest.push(add(7, r(6), r(7)));
    }
    rest.push(add(21, r(7), imm(1)));
    rest.extend(last);
    kernel(vec![insts, vec![mov(20, imm(7))], rest])
}

fn ends() -> Vec<Inst> {
    vec![add(7, r(21), imm(0)), put(7), exit()]
}

/// The small machine with two pairs of these CTAs, and the plan.
fn planned(variant: SharingVariant, kernel: &Kernel, launch: &Launch) -> (Machine, Plan) {
    let mut machine = gtx480();
    machine.limits.warps_per_sm = 16;
    machine.limits.threads_per_sm = 512;
    machine.limits.packs_per_sm = 2 * (2 * 24 + 2 * 3);
    let mut plan = plan_on(&machine, variant.name(), kernel, launch);
    let ManagerSpec::Sharing {
        pairs: 2,
        private_regs,
        shared_regs,
        ..
    } = &mut plan.manager
    else {
        panic!("{:?}", plan.manager);
    };
    (*private_regs, *shared_regs) = (10, 14);
    plan.kernel = kernel.clone();
    machine.limits.packs_per_sm = 2 * (2 * 24 + 2 * 10);
    (machine, plan)
}

fn try_on(
    variant: SharingVariant,
    kernel: &Kernel,
    launch: &Launch,
    sms: u16,
    backend: Backend,
) -> Result<RunResult, RunError> {
    let (machine, plan) = planned(variant, kernel, launch);
    let options = RunOptions {
        sms,
        backend,
        cycle_limit: Some(1_000_000),
        ..RunOptions::default()
    };
    run(&plan, launch, &machine, &options)
}

fn on(variant: SharingVariant, kernel: &Kernel, launch: &Launch, sms: u16) -> RunResult {
    try_on(variant, kernel, launch, sms, Backend::Model).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_non_owner_that_waits_for_memory_on_sm_0_gets_its_turn_when_its_owner_has_ended() {
    let kernel = loads_first(30, ends());
    for ctas in [4, 13] {
        let launch = launch(ctas, 64);
        for (plain, dynamic) in [
            (SharingVariant::LrrUnroll, SharingVariant::LrrUnrollDyn),
            (SharingVariant::OwfUnroll, SharingVariant::OwfUnrollDyn),
        ] {
            // One SM is SM 0, on which no warp behind an owner ever goes to memory.
            for sms in [1, 2, 3] {
                let freely = on(plain, &kernel, &launch, sms);
                let held = on(dynamic, &kernel, &launch, sms);
                let what = format!("{dynamic:?}, {ctas} CTAs on {sms} SMs");
                assert_eq!(
                    words(&held, ctas as usize * 64),
                    vec![6; ctas as usize * 64]
                );
                assert_eq!(held.memory, freely.memory, "{what}");
                let issued = |result: &RunResult| result.counters.warp_instructions;
                assert_eq!(issued(&held), issued(&freely), "{what}");
                let slots = held.counters.slots;
                assert_eq!(slots.total(), 2 * u64::from(sms) * held.cycles, "{what}");
                // Where all is SM 0, the loads of one CTA of a pair come behind those of the other.
                if sms == 1 {
                    let waited = |result: &RunResult| result.counters.slots.acquire_wait;
                    assert!(waited(&held) > waited(&freely), "{what}");
                    assert!(held.cycles > freely.cycles, "{what}");
                }
                assert_eq!(held.counters, on(dynamic, &kernel, &launch, sms).counters);
            }
        }
    }
}

/// The throttle stands beside the hardware there.
#[test]
fn with_four_schedulers_warps_behind_owners_wait_as_well() {
    let (kernel, launch) = (loads_first(12, ends()), launch(13, 64));
    let on_four = |variant| {
        let (mut machine, plan) = planned(variant, &kernel, &launch);
        machine.schedulers.count = 4;
        let options = RunOptions {
            sms: 2,
            ..RunOptions::default()
        };
        run(&plan, &launch, &machine, &options).unwrap()
    };
    for (plain, dynamic) in [
        (SharingVariant::LrrUnroll, SharingVariant::LrrUnrollDyn),
        (SharingVariant::OwfUnroll, SharingVariant::OwfUnrollDyn),
    ] {
        let (freely, held) = (on_four(plain), on_four(dynamic));
        assert_eq!(held.memory, freely.memory, "{dynamic:?}");
        assert_ne!(held.counters.slots, freely.counters.slots, "{dynamic:?}");
        assert_eq!(held.counters.slots.total(), 4 * 2 * held.cycles);
    }
}

#[test]
fn model_and_rtl_agree_in_every_cycle_on_two_sms() {
    let (kernel, launch) = (loads_first(4, ends()), launch(10, 64));
    for variant in SharingVariant::DYNAMIC {
        let model = on(variant, &kernel, &launch, 2);
        assert!(model.cycles > 2200, "two periods: {}", model.cycles);
        let other = try_on(variant, &kernel, &launch, 2, Backend::Lockstep).unwrap();
        assert_eq!(model.counters, other.counters, "{variant:?}");
        assert_eq!(model.memory, other.memory, "{variant:?}");
    }
}

#[test]
fn generated_kernels_leave_the_memory_that_the_interpreter_leaves() {
    let mut shared = 0;
    for seed in 0..12 {
        let case = Case::new(seed);
        let (kernel, launch, machine) = (case.kernel, case.launch, case.machine);
        let expected = interpreted(&case.virtual_kernel, &launch);
        for (number, variant) in SharingVariant::DYNAMIC.into_iter().enumerate() {
            let plan = plan_on(&machine, variant.name(), &kernel, &launch);
            shared += u32::from(plan.sections.is_some());
            for sms in [1, 2 + number as u16] {
                let options = RunOptions {
                    sms,
                    cycle_limit: Some(3_000_000),
                    ..RunOptions::default()
                };
                let result = run(&plan, &launch, &machine, &options).unwrap();
                let difference = result.memory.first_difference(&expected);
                assert_eq!(difference, None, "seed {seed}, {variant:?}, {sms} SMs");
            }
        }
    }
    assert!(shared >= 20, "only {shared} of 24 plans share");
}

#[test]
fn a_hang_is_found_although_others_wait_for_memory() {
    // Behind its loads, warp 0 waits at barrier 1 and warp 1 at barrier 0, for ever.
    let bar = |number: u64| inst(Op::Bar(BarKind::Sync), &[], &[imm(number)]);
    let last = vec![when(0, false, bar(1)), when(0, true, bar(0)), exit()];
    let kernel = loads_first(3, last);
    let error = try_on(
        SharingVariant::LrrUnrollDyn,
        &kernel,
        &launch(8, 64),
        2,
        Backend::Model,
    )
    .unwrap_err();
    let RunError::OnSm { cause, .. } = &error else {
        panic!("{error}");
    };
    let RunError::Hang(hang) = &**cause else {
        panic!("{error}");
    };
    let hang: &Hang = hang;
    assert!(hang.cycle < 10_000);
    let behind = (hang.warps.iter()).filter(|warp| warp.waits_for == WaitsFor::Owner);
    assert_eq!(behind.count(), 2, "{error}");
    assert!(error.to_string().contains("no warp can ever go on"));
    assert!(error.to_string().contains("may not access memory before"));
}

/// The paper's law for kernels of set 3, on several SMs.
#[test]
fn a_kernel_that_nothing_limits_runs_cycle_for_cycle_as_without() {
    let (kernel, launch) = (loads_first(5, ends()), launch(9, 64));
    for (plain, dynamic) in [
        (SharingVariant::LrrUnroll, SharingVariant::LrrUnrollDyn),
        (SharingVariant::OwfUnroll, SharingVariant::OwfUnrollDyn),
    ] {
        let [plain, dynamic] = [plain, dynamic].map(|variant| {
            let plan = plan_on(&gtx480(), variant.name(), &kernel, &launch);
            let options = RunOptions {
                sms: 2,
                ..RunOptions::default()
            };
            run(&plan, &launch, &gtx480(), &options).unwrap()
        });
        assert_eq!(plain.counters, dynamic.counters);
        assert!(dynamic.skipped_cycles > 0);
    }
}
