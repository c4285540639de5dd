//! CTAs in pairs that share registers: results, what must not change, and that nobody waits for ever.

use super::programs::{allocated, generated_launch, interpreted};
use super::support::*;
use crate::kernel::op::BarKind;
use crate::kernel::{Kernel, Op, RegSpace};
use crate::machine::{Machine, SchedulerPolicy};
use crate::scheme::{CtaShape, Plan, PlanInput, SchemeOptions, SharingVariant, by_name};
use crate::sm::{Launch, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use regshare_hw::manager::{Backend, ManagerSpec};

const PAIRED: [SharingVariant; 4] = SharingVariant::ALL;

pub(super) fn plan_on(machine: &Machine, scheme: &str, kernel: &Kernel, launch: &Launch) -> Plan {
    let threads = launch.block.iter().product();
    let scratchpad = crate::kernel::interp::scratchpad_bytes(kernel, 0) as u32;
    let cta = CtaShape {
        threads,
        scratchpad_bytes: scratchpad,
    };
    by_name(scheme, SchemeOptions::default())
        .unwrap()
        .plan(&PlanInput {
            kernel,
            machine,
            cta,
            shares_sm: false,
        })
        .unwrap()
}

pub(super) fn run_on(
    machine: &Machine,
    plan: &Plan,
    launch: &Launch,
    backend: Backend,
) -> RunResult {
    let options = RunOptions {
        backend,
        cycle_limit: Some(3_000_000),
        ..RunOptions::default()
    };
    run(plan, launch, machine, &options)
        .unwrap_or_else(|error| panic!("{} on {}: {error}", plan.kernel.name, plan.scheme))
}

/// A machine on which two CTAs of the kernel fit alone, and a third and fourth in pairs.
pub(super) fn tight(kernel: &Kernel, warps_per_cta: u16) -> Machine {
    let mut machine = gtx480();
    let RegSpace::Architected { regs, .. } = kernel.regs else {
        panic!("not allocated");
    };
    let regs = machine.limits.rounded_regs(regs);
    machine.limits.packs_per_sm = warps_per_cta * (2 * regs + 2 * regs.div_ceil(10));
    machine
}

/// A generated kernel, allocated, on a machine that is [`tight`] for it.
pub(super) struct Case {
    pub virtual_kernel: Kernel,
    pub kernel: Kernel,
    pub launch: Launch,
    pub machine: Machine,
    pub warps_per_cta: u16,
}

impl Case {
    pub(super) fn new(seed: u64) -> Self {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let kernel = allocated(&generated.kernel);
        let threads = launch.block.iter().product::<u32>();
        let warps_per_cta = threads.div_ceil(32) as u16;
        Case {
            virtual_kernel: generated.kernel,
            machine: tight(&kernel, warps_per_cta),
            kernel,
            launch,
            warps_per_cta,
        }
    }
}

#[test]
fn generated_kernels_leave_the_memory_that_the_interpreter_leaves() {
    let mut shared = 0;
    for seed in 0..24 {
        let case = Case::new(seed);
        let (kernel, launch, machine) = (case.kernel, case.launch, case.machine);
        let expected = interpreted(&case.virtual_kernel, &launch);
        for variant in PAIRED {
            let plan = plan_on(&machine, variant.name(), &kernel, &launch);
            shared += u32::from(plan.sections.is_some());
            let result = run_on(&machine, &plan, &launch, Backend::Model);
            let difference = result.memory.first_difference(&expected);
            assert_eq!(difference, None, "seed {seed}, {variant:?}");
            assert_eq!(result.counters.registers.uninitialised_reads, 0);
        }
    }
    assert!(shared >= 48, "only {shared} of 96 runs share");
}

#[test]
fn backends_agree_in_cycles_counters_and_memory() {
    let mut shared = 0;
    for seed in 0..8 {
        let case = Case::new(seed);
        let (kernel, launch, mut machine) = (case.kernel, case.launch, case.machine);
        let warps = case.warps_per_cta;
        if machine.limits.packs_per_sm > 512 || warps > 4 {
            continue;
        }
        // The small hardware, which is fast as RTL.
        machine.limits.warps_per_sm = 16;
        machine.limits.threads_per_sm = 512;
        for variant in [SharingVariant::LrrUnroll, SharingVariant::OwfUnroll] {
            let plan = plan_on(&machine, variant.name(), &kernel, &launch);
            shared += u32::from(plan.sections.is_some());
            let [model, lockstep] = [Backend::Model, Backend::Lockstep]
                .map(|backend| run_on(&machine, &plan, &launch, backend));
            assert_eq!(model.counters, lockstep.counters, "seed {seed}");
            assert_eq!(model.memory, lockstep.memory, "seed {seed}");
        }
    }
    assert!(shared >= 2, "only {shared} runs share");
}

/// A kernel of 24 registers, of which five CTAs of 8 warps fit on a `gtx480`; here with so few CTAs or threads that nothing
/// is shared.
fn unlimited() -> (Kernel, Launch) {
    let mut insts = prologue();
    insts.push(mov(6, imm(1)));
    for round in 0..40 {
        insts.push(add(7 + round % 16, r(6), r(2)));
        insts.push(load(crate::kernel::op::Space::Global, 6, rr(4)));
    }
    insts.extend([put(2), exit()]);
    let mut kernel = kernel(vec![insts]);
    kernel.shared_bytes = 24 * 1024;
    (kernel, launch(7, 256))
}

#[test]
fn a_kernel_that_registers_do_not_limit_runs_cycle_for_cycle_as_without_sharing() {
    let (kernel, launch) = unlimited();
    let machine = gtx480();
    let baseline = plan_on(&machine, "baseline", &kernel, &launch);
    let same = [
        (SharingVariant::LrrNoOpt, SchedulerPolicy::Lrr),
        (SharingVariant::LrrUnroll, SchedulerPolicy::Lrr),
        (SharingVariant::GtoUnroll, SchedulerPolicy::Gto),
        (SharingVariant::OwfUnroll, SchedulerPolicy::Oldest),
    ];
    for (variant, policy) in same {
        let options = RunOptions {
            scheduler: Some(policy),
            ..RunOptions::default()
        };
        let expected = run(&baseline, &launch, &machine, &options).unwrap();
        let plan = plan_on(&machine, variant.name(), &kernel, &launch);
        let got = run_on(&machine, &plan, &launch, Backend::Model);
        assert_eq!(got.counters, expected.counters, "{variant:?}");
        assert_eq!(got.memory, expected.memory, "{variant:?}");
    }
}

/// The same with the hardware of sharing in the loop, and no pairs: unshared warps, oldest first.
#[test]
fn hardware_without_pairs_chooses_the_oldest_and_costs_no_cycle() {
    let (kernel, launch) = unlimited();
    let machine = gtx480();
    for (owner_first, policy) in [
        (true, SchedulerPolicy::Oldest),
        (false, SchedulerPolicy::Gto),
    ] {
        let mut plan = plan_on(&machine, "baseline", &kernel, &launch);
        plan.scheduler = Some(policy);
        let expected = run_on(&machine, &plan, &launch, Backend::Model);
        plan.manager = ManagerSpec::Sharing {
            warps_per_cta: 8,
            private_regs: 24,
            shared_regs: 0,
            private_bytes: None,
            pairs: 0,
            unshared: plan.occupancy.ctas,
            owner_first,
            dynamic: None,
        };
        // Were it not the hardware's choice, this one would show.
        plan.scheduler = Some(match owner_first {
            true => SchedulerPolicy::Lrr,
            false => policy,
        });
        let got = run_on(&machine, &plan, &launch, Backend::Model);
        assert_eq!(got.counters, expected.counters);
        assert_eq!(got.memory, expected.memory);
    }
}

/// Figure 5: warps of both CTAs of a pair that have met at their barriers with locks taken crosswise would wait for ever.
/// Every warp takes its lock at its own time, before and behind a barrier.
#[test]
fn locks_and_barriers_do_not_wait_for_each_other() {
    let mut insts = prologue();
    let bar = inst(Op::Bar(BarKind::Sync), &[], &[imm(0)]);
    insts.push(set_less(
        0,
        crate::kernel::Operand::Special(crate::kernel::Special::WarpId),
        imm(2),
    ));
    insts.push(mov(6, imm(5)));
    // Half the warps need shared registers before the barrier, the others behind it.
    insts.push(when(0, false, mov(20, imm(7))));
    insts.push(bar.clone());
    insts.push(when(0, true, mov(21, imm(8))));
    insts.push(bar);
    insts.extend([mov(22, imm(3)), add(6, r(22), r(6)), put(6), exit()]);
    let kernel = kernel(vec![insts]);
    let launch = launch(12, 128);
    let mut machine = gtx480();
    machine.limits.packs_per_sm = 4 * (2 * 24 + 2 * 3);
    for variant in PAIRED {
        let mut plan = plan_on(&machine, variant.name(), &kernel, &launch);
        // As the kernel is written: the first registers are private.
        plan.kernel = kernel.clone();
        let ManagerSpec::Sharing {
            pairs,
            private_regs,
            ..
        } = &mut plan.manager
        else {
            panic!("{:?}", plan.manager);
        };
        assert_eq!(*pairs, 2);
        *private_regs = 3;
        let result = run_on(&machine, &plan, &launch, Backend::Model);
        assert_eq!(words(&result, 1536), vec![8; 1536], "{variant:?}");
        assert!(result.counters.slots.refused > 0);
    }
}

#[test]
fn idle_cycles_that_are_skipped_change_nothing() {
    let generated = generate(5, &GenOptions::varied(5));
    let launch = generated_launch(&generated);
    let kernel = allocated(&generated.kernel);
    let warps = launch.block.iter().product::<u32>().div_ceil(32);
    let machine = tight(&kernel, warps as u16);
    for variant in PAIRED {
        let plan = plan_on(&machine, variant.name(), &kernel, &launch);
        let options = |every_cycle| RunOptions {
            every_cycle,
            ..RunOptions::default()
        };
        let [skipped, every] =
            [false, true].map(|every| run(&plan, &launch, &machine, &options(every)).unwrap());
        assert_eq!(skipped.counters, every.counters);
        assert_eq!(skipped.memory, every.memory);
    }
}
