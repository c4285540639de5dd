//! CTAs in pairs that share scratchpad.

use super::pairs::{plan_on, run_on};
use super::programs::{allocated, generated_launch, interpreted};
use super::support::*;
use crate::kernel::op::{BarKind, Space};
use crate::kernel::{Kernel, Op, Operand, Special};
use crate::machine::{Machine, SchedulerPolicy};
use crate::memory::scratchpad::Pairs;
use crate::scheme::{LimitedBy, SharingVariant};
use crate::sm::{RunError, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use regshare_hw::manager::{Backend, ManagerSpec};

/// A machine on which so many CTAs with this much scratchpad fit alone, and twice as many in pairs.
fn tight(pairs: u32, bytes_per_cta: u32) -> Machine {
    let mut machine = gtx480();
    let private = bytes_per_cta.div_ceil(10).next_multiple_of(16);
    machine.limits.scratchpad_bytes = pairs * (bytes_per_cta + private);
    machine
}

#[test]
fn generated_kernels_leave_the_memory_that_the_interpreter_leaves() {
    let (mut shared, mut refused) = (0, 0);
    for seed in 0..40 {
        let generated = generate(seed, &GenOptions::varied(seed));
        if generated.kernel.shared_bytes == 0 {
            continue;
        }
        let launch = generated_launch(&generated);
        let expected = interpreted(&generated.kernel, &launch);
        let kernel = allocated(&generated.kernel);
        let machine = tight(1, kernel.shared_bytes);
        for variant in SharingVariant::ALL {
            let plan = plan_on(&machine, variant.name(), &kernel, &launch);
            shared += u32::from(plan.scratchpad.is_some());
            let result = run_on(&machine, &plan, &launch, Backend::Model);
            refused += result.counters.slots.refused;
            let difference = result.memory.first_difference(&expected);
            assert_eq!(difference, None, "seed {seed}, {variant:?}");
        }
    }
    assert!(shared >= 40, "only {shared} runs share");
    assert!(refused > 0, "nobody ever waits");
}

#[test]
fn backends_agree_in_cycles_counters_and_memory() {
    let mut shared = 0;
    for seed in 0..16 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let kernel = allocated(&generated.kernel);
        let warps = launch.block.iter().product::<u32>().div_ceil(32);
        if kernel.shared_bytes == 0 || warps > 4 {
            continue;
        }
        let mut machine = tight(1, kernel.shared_bytes);
        // The small hardware, which is fast as RTL.
        machine.limits.packs_per_sm = 512;
        machine.limits.warps_per_sm = 16;
        machine.limits.threads_per_sm = 512;
        for variant in [SharingVariant::LrrUnroll, SharingVariant::OwfUnroll] {
            let plan = plan_on(&machine, variant.name(), &kernel, &launch);
            shared += u32::from(plan.scratchpad.is_some());
            let [model, lockstep] = [Backend::Model, Backend::Lockstep]
                .map(|backend| run_on(&machine, &plan, &launch, backend));
            assert_eq!(model.counters, lockstep.counters, "seed {seed}");
            assert_eq!(model.memory, lockstep.memory, "seed {seed}");
        }
    }
    assert!(shared >= 2, "only {shared} runs share");
}

/// CTAs of 64 threads with 1024 bytes of scratchpad: each thread writes a word `from` on and reads that of its neighbour
/// behind a barrier, some hundred times.
fn exchange(from: u64) -> Kernel {
    let mut insts = prologue();
    let tid = Operand::Special(Special::Tid(0));
    insts.push(mov(6, tid));
    for _ in 0..2 {
        insts.push(add(6, r(6), r(6)));
    }
    insts.push(add(6, r(6), imm(from)));
    insts.push(mov(7, r(2)));
    insts.push(store(Space::Shared, r(6), r(7)));
    insts.push(inst(Op::Bar(BarKind::Sync), &[], &[imm(0)]));
    for _ in 0..100 {
        insts.push(load(Space::Shared, 8, r(6)));
        insts.push(add(7, r(8), r(7)));
    }
    insts.extend([put(7), exit()]);
    let mut kernel = kernel(vec![insts]);
    kernel.shared_bytes = 1024;
    kernel
}

/// Of `exchange(from)`, with two pairs of CTAs of which each has 512 bytes for itself.
fn exchanged(from: u64, variant: SharingVariant) -> RunResult {
    let (kernel, launch) = (exchange(from), launch(12, 64));
    let machine = tight(2, kernel.shared_bytes);
    let mut plan = plan_on(&machine, variant.name(), &kernel, &launch);
    let ManagerSpec::Sharing {
        pairs: 2,
        private_bytes: Some(bytes),
        ..
    } = &mut plan.manager
    else {
        panic!("{:?}", plan.manager);
    };
    *bytes = 512;
    plan.scratchpad.as_mut().unwrap().private_bytes = 512;
    let result = run_on(&machine, &plan, &launch, Backend::Model);
    let expected: Vec<u32> = (0..768).map(|thread| 101 * thread).collect();
    assert_eq!(words(&result, 768), expected, "{variant:?}");
    result
}

/// 64 words from byte 256 on end with byte 511.
#[test]
fn only_who_goes_beyond_the_private_bytes_waits() {
    for variant in SharingVariant::ALL {
        let private = exchanged(256, variant);
        assert_eq!(private.counters.slots.refused, 0, "{variant:?}");
        let shared = exchanged(260, variant);
        assert!(shared.counters.slots.refused > 0, "{variant:?}");
        assert!(shared.cycles > private.cycles + private.cycles / 2);
    }
}

#[test]
fn locks_that_let_everybody_in_are_found_out() {
    let (kernel, launch) = (exchange(512), launch(12, 64));
    let machine = tight(2, kernel.shared_bytes);
    let mut plan = plan_on(&machine, "shared-lrr-noopt", &kernel, &launch);
    plan.manager = ManagerSpec::Baseline { regs_per_warp: 24 };
    plan.scratchpad = Some(Pairs {
        pairs: 2,
        distance: 2,
        private_bytes: 112,
    });
    let error = run(&plan, &launch, &machine, &RunOptions::default()).unwrap_err();
    let RunError::ForeignScratchpad { place, cta } = error else {
        panic!("{error}");
    };
    assert_ne!(place.cta, cta);
}

/// The paper's law for kernels of set 3.
#[test]
fn a_kernel_that_scratchpad_does_not_limit_runs_cycle_for_cycle_as_without_sharing() {
    let (kernel, launch) = (exchange(512), launch(12, 64));
    let machine = gtx480();
    let baseline = plan_on(&machine, "baseline", &kernel, &launch);
    assert_ne!(baseline.occupancy.limited_by, LimitedBy::Scratchpad);
    for (variant, policy) in [
        (SharingVariant::LrrNoOpt, SchedulerPolicy::Lrr),
        (SharingVariant::LrrUnroll, SchedulerPolicy::Lrr),
        (SharingVariant::GtoUnroll, SchedulerPolicy::Gto),
        (SharingVariant::OwfUnroll, SchedulerPolicy::Oldest),
    ] {
        let options = RunOptions {
            scheduler: Some(policy),
            ..RunOptions::default()
        };
        let expected = run(&baseline, &launch, &machine, &options).unwrap();
        let plan = plan_on(&machine, variant.name(), &kernel, &launch);
        assert_eq!(plan.scratchpad, None);
        let got = run(&plan, &launch, &machine, &RunOptions::default()).unwrap();
        assert_eq!(got.counters, expected.counters, "{variant:?}");
    }
}

#[test]
fn idle_cycles_that_are_skipped_change_nothing() {
    let (kernel, launch) = (exchange(512), launch(12, 64));
    let machine = tight(2, kernel.shared_bytes);
    for variant in SharingVariant::ALL {
        let plan = plan_on(&machine, variant.name(), &kernel, &launch);
        let [skipped, every] = [false, true].map(|every_cycle| {
            let options = RunOptions {
                every_cycle,
                ..RunOptions::default()
            };
            run(&plan, &launch, &machine, &options).unwrap()
        });
        assert!(skipped.skipped_cycles > 0 && every.skipped_cycles == 0);
        assert_eq!(skipped.counters, every.counters);
        assert_eq!(skipped.memory, every.memory);
    }
}
