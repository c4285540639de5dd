use super::*;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::{Kernel, RegSpace};
use crate::machine::Machine;
use crate::scheme::{Baseline, CtaShape};
use crate::testing::{GenOptions, generate};

const POOL: RegMutex = RegMutex {
    variant: Variant::Pool,
    size: EsSize::Auto(Policy::RoundUpEven),
    owner_first: false,
};

fn allocated(seed: u64) -> Kernel {
    let options = GenOptions {
        vars_32: 16,
        barriers: false,
        ..GenOptions::default()
    };
    let kernel = generate(seed, &options).kernel;
    allocate(&kernel, &AllocOptions::default()).unwrap().kernel
}

/// A kernel that registers limit on `machine` and that a size chosen automatically helps.
fn limited(machine: &Machine) -> (Kernel, Plan) {
    for seed in 0..30 {
        let kernel = allocated(seed);
        let plan = POOL.plan(&input(&kernel, machine)).unwrap();
        if plan.sections.is_some() {
            return (kernel, plan);
        }
    }
    panic!("no generated kernel gains");
}

fn input<'a>(kernel: &'a Kernel, machine: &'a Machine) -> PlanInput<'a> {
    PlanInput {
        kernel,
        machine,
        cta: CtaShape {
            threads: 256,
            scratchpad_bytes: 0,
        },
        shares_sm: false,
    }
}

#[test]
fn pool_hardware_costs_384_bits_and_pairs_24_or_48() {
    let bits = |variant| RegMutex { variant, ..POOL }.storage_bits(48);
    assert_eq!(bits(Variant::Pool), 384);
    assert_eq!(bits(Variant::Paired), 24);
    assert_eq!(bits(Variant::PairedSafe), 48);
}

#[test]
fn limited_kernel_gains_ctas_and_its_packs_fit() {
    let machine = Machine::preset("gtx480").unwrap();
    let (kernel, plan) = limited(&machine);
    let before = Baseline.plan(&input(&kernel, &machine)).unwrap();
    assert!(plan.occupancy.ctas > before.occupancy.ctas);
    assert!(plan.packs_allocated <= 1024);
    let ManagerSpec::RegMutex {
        base_regs,
        ext_regs,
        sections,
        srp_offset,
        owner_first: false,
    } = plan.manager
    else {
        panic!("{:?}", plan.manager);
    };
    assert_eq!(srp_offset, plan.occupancy.warps * base_regs);
    assert!(sections >= 1 && srp_offset + sections * ext_regs <= 1024);
    assert_eq!(plan.shared_from, Some(base_regs));
}

/// Owner warp first changes who chooses the warps, and nothing else; where nothing is shared, it is the oldest first.
#[test]
fn owner_first_is_the_same_plan_with_the_choice_in_the_hardware() {
    let machine = Machine::preset("gtx480").unwrap();
    let (kernel, plain) = limited(&machine);
    let owf = RegMutex {
        owner_first: true,
        ..POOL
    };
    let plan = owf.plan(&input(&kernel, &machine)).unwrap();
    assert!(plan.manager.owner_first() && !plain.manager.owner_first());
    assert_eq!(plan.scheduler, Some(SchedulerPolicy::Oldest));
    assert_eq!(
        (&plan.kernel, plan.sections),
        (&plain.kernel, plain.sections)
    );
    assert_eq!(plan.storage_bits, 384);
    let shares_sm = PlanInput {
        shares_sm: true,
        ..input(&kernel, &machine)
    };
    let untouched = owf.plan(&shares_sm).unwrap();
    assert_eq!(untouched.scheduler, Some(SchedulerPolicy::Oldest));
    assert_eq!(POOL.plan(&shares_sm).unwrap().scheduler, None);
}

#[test]
fn kernel_that_shares_the_sm_with_another_is_left_untouched() {
    let machine = Machine::preset("gtx480").unwrap();
    let (kernel, _) = limited(&machine);
    let shared = PlanInput {
        shares_sm: true,
        ..input(&kernel, &machine)
    };
    let plan = POOL.plan(&shared).unwrap();
    assert_eq!(plan.kernel, kernel);
    assert_eq!(plan.sections, None);
}

#[test]
fn kernel_that_nothing_helps_is_left_untouched() {
    let machine = Machine::preset("gtx480").unwrap();
    let options = GenOptions {
        vars_32: 2,
        vars_64: 0,
        ..GenOptions::default()
    };
    let kernel = generate(1, &options).kernel;
    let kernel = allocate(&kernel, &AllocOptions::default()).unwrap().kernel;
    let plan = POOL.plan(&input(&kernel, &machine)).unwrap();
    assert_eq!(plan.kernel, kernel);
    assert!(matches!(plan.manager, ManagerSpec::Baseline { .. }));
}

#[test]
fn size_fixed_by_hand_is_taken_by_every_variant() {
    let machine = Machine::preset("gtx480").unwrap();
    let (kernel, _) = limited(&machine);
    for variant in [Variant::Pool, Variant::Paired, Variant::PairedSafe] {
        let size = EsSize::Fixed(4);
        let plan = RegMutex {
            variant,
            size,
            ..POOL
        }
        .plan(&input(&kernel, &machine))
        .unwrap();
        let RegSpace::Architected { regs, .. } = plan.kernel.regs else {
            panic!("not allocated");
        };
        assert_eq!(plan.shared_from, Some(regs - 4));
    }
}

#[test]
fn odd_size_is_refused_with_the_sizes_that_exist() {
    let machine = Machine::preset("gtx480").unwrap();
    let (kernel, _) = limited(&machine);
    let size = EsSize::Fixed(5);
    let refusal = RegMutex { size, ..POOL }
        .plan(&input(&kernel, &machine))
        .unwrap_err();
    assert!(
        refusal.to_string().contains("[2, 4, 6, 8, 10, 12]"),
        "{refusal}"
    );
}
