//! Generated kernels whose warps want more packs than the register file has: pending warps are spilled and filled again (RFV 8.1), and
//! the memory is that of the interpreter, from all backends in the same cycles. 60 of them; 1200 in the soak run. As many whose CTAs
//! wait for each other's packs, by the banker's rule, and by the paper's comparison alone, where warps of several CTAs are spilled.

use rayon::prelude::*;
use regshare_hw::manager::{Backend, ManagerSpec};
use regshare_sim::compiler::regalloc::{AllocOptions, allocate};
use regshare_sim::machine::{Machine, SchedulerPolicy};
use regshare_sim::scheme::{
    CtaShape, CtaThrottle, Plan, PlanInput, Resident, SchemeOptions, Shrink, by_name,
};
use regshare_sim::sm::{Launch, RunOptions, RunResult, run};
use regshare_sim::testing::{GenOptions, Generated, generate};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Four warps of 128 packs; two of five have four schedulers.
fn machine(seed: u64) -> Machine {
    let mut machine = Machine::preset("gtx480").expect("exists");
    let limits = &mut machine.limits;
    (limits.packs_per_sm, limits.warps_per_sm) = (256, 4);
    limits.ctas_per_sm = 4;
    if seed % 5 >= 3 {
        machine.schedulers.count = 4;
    }
    machine
}

/// Up to 60 registers live at once.
fn case(seed: u64) -> Generated {
    let options = GenOptions {
        vars_32: 16 + (seed % 18) as u16,
        vars_64: (seed / 2 % 7) as u16,
        statements: 6,
        max_depth: 2,
        barriers: !seed.is_multiple_of(3),
        ..GenOptions::default()
    };
    let mut generated = generate(seed, &options).with_ctas(2 + (seed % 3) as u32);
    if !options.barriers {
        // Its threads know nothing of each other: four warps.
        generated.buffer_bytes = generated.buffer_bytes / u64::from(generated.block[0]) * 128;
        generated.block[0] = 128;
    }
    generated
}

/// Of half the packs.
fn plan(
    generated: &Generated,
    machine: &Machine,
    seed: u64,
    (resident, cta_throttle): (Resident, CtaThrottle),
) -> Plan {
    let limits = AllocOptions {
        max_regs: 63,
        ..AllocOptions::default()
    };
    let kernel = allocate(&generated.kernel, &limits)
        .expect("allocates")
        .kernel;
    let options = SchemeOptions {
        shrink: Shrink::By50,
        table_bytes: (!seed.is_multiple_of(3)).then_some(128),
        resident,
        cta_throttle,
        ..SchemeOptions::default()
    };
    let threads = generated.block[0];
    let input = PlanInput {
        kernel: &kernel,
        machine,
        cta: CtaShape {
            threads,
            scratchpad_bytes: kernel.shared_bytes,
        },
        shares_sm: false,
    };
    let scheme = by_name("gpu-shrink", options).expect("exists");
    scheme.plan(&input).expect("a warp alone fits")
}

/// The same from all backends.
fn is_the_same_on_verilog(
    seed: u64,
    generated: &Generated,
    plan: &Plan,
    machine: &Machine,
    model: &RunResult,
    options: RunOptions,
) {
    if cfg!(feature = "verilog") {
        let backend = Backend::Verilog;
        let verilog = run_on(
            seed,
            generated,
            plan,
            machine,
            RunOptions { backend, ..options },
        );
        assert_eq!(model.counters, verilog.counters);
        assert_eq!(model.renaming, verilog.renaming);
        assert_eq!(model.memory, verilog.memory);
    }
}

fn policy(seed: u64) -> SchedulerPolicy {
    use SchedulerPolicy::{Gto, Lrr, Oldest, TwoLevel};
    [Gto, Lrr, Oldest, TwoLevel(1), TwoLevel(4)][(seed / 2 % 5) as usize]
}

/// # Panics
/// If the run does not end.
fn run_on(
    seed: u64,
    generated: &Generated,
    plan: &Plan,
    machine: &Machine,
    options: RunOptions,
) -> RunResult {
    let (memory, params) = generated.inputs();
    let launch = Launch {
        grid: generated.grid,
        block: generated.block,
        dynamic_scratchpad_bytes: 0,
        params,
        memory,
    };
    let options = RunOptions {
        cycle_limit: Some(2_000_000),
        ..options
    };
    run(plan, &launch, machine, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"))
}

#[test]
fn generated_kernels_that_spill_leave_the_memory_that_the_interpreter_leaves() {
    let cases = cases();
    let (may, spilled) = (AtomicUsize::new(0), AtomicUsize::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (generated, machine) = (case(seed), machine(seed));
        let plan = plan(&generated, &machine, seed, <_>::default());
        let spills = matches!(plan.manager, ManagerSpec::Renaming { spills: true, .. });
        let scheduler = Some(policy(seed));
        let options = RunOptions {
            scheduler,
            ..RunOptions::default()
        };
        let model = run_on(seed, &generated, &plan, &machine, options.clone());
        let expected = generated.run(&generated.kernel).expect("runs");
        let difference = model.memory.first_difference(&expected);
        assert_eq!(difference, None, "seed {seed}");
        let counts = model.renaming.expect("renames");
        assert_eq!(counts.spilled_packs, counts.filled_packs, "seed {seed}");
        spilled.fetch_add((counts.spills > 0).into(), Relaxed);
        assert!(spills || counts.spills == 0, "seed {seed}");
        may.fetch_add(spills.into(), Relaxed);
        if seed % 10 == 0 {
            is_the_same_on_verilog(seed, &generated, &plan, &machine, &model, options);
        }
    });
    let (may, spilled) = (may.into_inner(), spilled.into_inner());
    assert!(
        spilled >= cases as usize / 10 && may > spilled,
        "{spilled} of {may} runs spill"
    );
}

/// A machine and a kernel of which a CTA fits alone, mostly, and all of them do not.
fn many_ctas(seed: u64) -> (Machine, Generated) {
    let mut machine = machine(seed);
    let limits = &mut machine.limits;
    (limits.packs_per_sm, limits.warps_per_sm, limits.ctas_per_sm) = (512, 16, 8);
    let generated = case(seed);
    (machine, generated.with_ctas(6 + (seed % 5) as u32))
}

/// What becomes of those that `concerned` says are of interest: in how many runs some instruction waits, the throttle acts, and a
/// warp is spilled. The memory is the interpreter's.
fn all_resident(
    cta_throttle: CtaThrottle,
    cases: u64,
    concerned: fn(&ManagerSpec) -> bool,
) -> [usize; 3] {
    let counters = [(); 3].map(|()| AtomicUsize::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (machine, generated) = many_ctas(seed);
        let plan = plan(&generated, &machine, seed, (Resident::All, cta_throttle));
        if !concerned(&plan.manager) {
            return;
        }
        let scheduler = Some(policy(seed));
        let options = RunOptions {
            scheduler,
            ..RunOptions::default()
        };
        let model = run_on(seed, &generated, &plan, &machine, options.clone());
        let expected = generated.run(&generated.kernel).expect("runs");
        let difference = model.memory.first_difference(&expected);
        assert_eq!(difference, None, "seed {seed}");
        let counts = model.renaming.expect("renames");
        assert_eq!(counts.spilled_packs, counts.filled_packs, "seed {seed}");
        let happened = [counts.short, counts.throttled_cycles, counts.spills];
        for (counter, happened) in counters.iter().zip(happened) {
            counter.fetch_add((happened > 0).into(), Relaxed);
        }
        if seed % 10 == 0 {
            is_the_same_on_verilog(seed, &generated, &plan, &machine, &model, options);
        }
    });
    counters.map(AtomicUsize::into_inner)
}

fn cases() -> u64 {
    match std::env::var_os("REGSHARE_SOAK") {
        Some(_) => 1200,
        None => 60,
    }
}

/// Many warps would wait for ever if packs were given to whoever asks.
#[test]
fn generated_kernels_whose_ctas_wait_for_packs_leave_the_memory_that_the_interpreter_leaves() {
    let waits =
        |manager: &ManagerSpec| matches!(manager, ManagerSpec::Renaming { most: Some(_), .. });
    let [short, throttled, spilled] = all_resident(CtaThrottle::Banker, cases(), waits);
    assert!(
        short >= cases() as usize / 4,
        "in {short} runs some instruction waits"
    );
    assert_eq!((throttled, spilled), (0, 0));
}

/// And so they do by the paper's comparison alone, until warps are spilled.
#[test]
fn generated_kernels_whose_ctas_are_throttled_as_in_the_paper_leave_the_memory_that_the_interpreter_leaves()
 {
    let several = |manager: &ManagerSpec| {
        matches!(
            manager,
            ManagerSpec::Renaming {
                spills: true,
                ctas: 2..,
                ..
            }
        )
    };
    let happened = all_resident(CtaThrottle::Balance, cases(), several);
    let at_least = [4, 4, 10].map(|part| cases() as usize / part);
    assert!(
        happened
            .iter()
            .zip(at_least)
            .all(|(runs, least)| *runs >= least),
        "runs in which some instruction waits, the throttle acts, a warp is spilled: {happened:?}"
    );
}
