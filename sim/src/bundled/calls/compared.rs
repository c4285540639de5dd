//! What CARS is compared with differs from its baseline in the one thing that its name says.

use crate::bundled::find;
use crate::flow::{self, Ran, Setup, Verdict, Workload};
use crate::machine::Machine;
use crate::scheme::{
    AbiSpill, BestLevels, CtaShape, Plan, PlanInput, SWL_LIMITS, Scheme, SchemeOptions,
};
use crate::sm::RunOptions;
use regshare_hw::manager::{Backend, ManagerSpec};

fn ran(kernel: &str, scheme: &str) -> Ran {
    ran_with(kernel, scheme, &RunOptions::default())
}

fn ran_with(kernel: &str, scheme: &str, options: &RunOptions) -> Ran {
    let machine = Machine::preset("gtx480").unwrap();
    let workload = Workload::of_bundled(find(kernel).unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let scheme = flow::scheme(scheme, SchemeOptions::default()).unwrap();
    let setup = Setup {
        machine: &machine,
        options,
    };
    let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup).unwrap();
    assert_eq!(ran.verdict, Verdict::Correct, "{kernel}");
    ran
}

#[test]
fn all_hit_takes_spills_and_fills_and_nothing_else_out_of_the_misses_and_the_traffic() {
    // Nearly all that it accesses are spills and fills.
    let (plain, hits) = (ran("life", "abi-spill"), ran("life", "all-hit"));
    let (a, b) = (plain.result.counters, hits.result.counters);
    assert_eq!(a.warp_instructions, b.warp_instructions);
    assert_eq!(a.calls, b.calls);
    assert_eq!(
        (a.memory.l1_loads, a.memory.l1_stores),
        (b.memory.l1_loads, b.memory.l1_stores)
    );
    let others = a.memory.l1_loads + a.memory.l1_stores - a.calls.spill_fill_accesses;
    assert!(b.memory.l1_misses <= others, "{:?}", b.memory);
    assert!(b.memory.l1_misses * 4 < a.memory.l1_misses);
    assert!(b.memory.bytes_written * 4 < a.memory.bytes_written);
    assert!(b.cycles < a.cycles);
}

#[test]
fn ten_mebibytes_hold_every_line_that_comes_back() {
    let (plain, large) = (ran("reach", "abi-spill"), ran("reach", "l1-10mb"));
    let (a, b) = (plain.result.counters.memory, large.result.counters.memory);
    assert_eq!(a.l1_loads, b.l1_loads);
    assert!(
        b.l1_misses * 2 < a.l1_misses,
        "{} {}",
        b.l1_misses,
        a.l1_misses
    );
    // A line is 128 bytes; no line misses twice.
    assert!(b.bytes_read <= 10 << 20);
}

#[test]
fn best_swl_is_the_fewest_cycles_of_all_limits_and_one_warp_hides_least() {
    let limited = SWL_LIMITS.map(|limit| ran("gemm", &format!("swl-{limit}")).result.cycles);
    let best = ran("gemm", "best-swl");
    assert_eq!(Some(&best.result.cycles), limited.iter().min());
    assert_eq!(best.record.scheme, "best-swl");
    let plain = ran("gemm", "abi-spill").result.cycles;
    // The limit is of the SM, not of each scheduler: of 32 warps the last one leaves half.
    assert_ne!(limited[5], plain);
    assert!(limited[0] > limited[5], "{limited:?}");
    let which = limited
        .iter()
        .position(|cycles| *cycles == best.result.cycles);
    let which = which.map(|at| format!("swl-{}", SWL_LIMITS[at]));
    assert_eq!(best.record.variant, which);
}

#[test]
fn virtual_warps_are_not_limited_by_registers_scratchpad_or_cta_slots() {
    let text = |regs: u16| {
        let body = format!(".kernel k;\n.regs architected {regs}, 1;\nentry:\n    exit;\n");
        crate::kernel::text::parse(&body, "k").unwrap()
    };
    let warps = |scheme: AbiSpill, regs: u16, threads: u32, scratchpad_bytes: u32| {
        let machine = scheme.machine(&Machine::preset("gtx480").unwrap());
        let cta = CtaShape {
            threads,
            scratchpad_bytes,
        };
        let plan = scheme.plan(&PlanInput {
            kernel: &text(regs),
            machine: &machine,
            cta,
            shares_sm: false,
        });
        plan.map(|plan| plan.occupancy.warps)
    };
    for (regs, threads, scratchpad, plain) in [
        (36, 256, 0, 24),
        (16, 64, 0, 16),
        (16, 256, 20_000, 16),
        (60, 256, 0, 16),
        (255, 64, 0, 4),
    ] {
        let limited = warps(AbiSpill::Plain, regs, threads, scratchpad);
        assert_eq!(limited, Ok(plain));
        assert_eq!(
            warps(AbiSpill::VirtualWarps, regs, threads, scratchpad),
            Ok(48)
        );
    }
}

/// CARS III-B: what limits the warps "is known at kernel launch", thread blocks among it; what that leaves is divided.
#[test]
fn few_ctas_of_a_launch_share_the_whole_register_file() {
    let workload = Workload::of_bundled(find("reach").unwrap()).unwrap();
    assert_eq!(workload.launch.grid, [4, 1, 1]);
    let scheme = flow::scheme("cars", SchemeOptions::default()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let kept = flow::for_scheme(&workload, &compiled, &*scheme)
        .unwrap()
        .unwrap();
    let capacities = |machine: &str| {
        let machine = Machine::preset(machine).unwrap();
        let plan = flow::plan(&workload, &kept, &*scheme, &machine).unwrap();
        let ManagerSpec::Stacks {
            base_regs,
            capacities,
            ..
        } = plan.manager
        else {
            panic!("{:?}", plan.manager);
        };
        assert_eq!(base_regs, 20);
        capacities
    };
    // 16 warps, of 1024 packs 64 each, of 2048 more than the largest stack.
    assert_eq!(capacities("gtx480")[0], 64 - 20);
    assert_eq!(capacities("v100")[0], 63);
}

/// CARS III-B: half of the SMs begin Low, the other half High, and what any of them measures counts for all.
#[test]
fn the_size_of_stacks_is_chosen_by_all_sms_together() {
    let workload = Workload::of_bundled(find("gemm").unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let scheme = flow::scheme("cars", SchemeOptions::default()).unwrap();
    // With the whole register file each SM has room for High.
    let machine = Machine::preset("gtx480-half").unwrap();
    let setup = Setup {
        machine: &machine,
        options: &RunOptions {
            sms: 2,
            ..RunOptions::default()
        },
    };
    let team = flow::execute(&workload, &compiled, &*scheme, setup).unwrap();
    assert_eq!(team.verdict, Verdict::Correct);
    let stacks = team.record.stacks.unwrap();
    assert_eq!(stacks.ctas_at_level.iter().sum::<u64>(), 8);
    // SM 0 is of the half that began Low, SM 1 of the other; all CTAs are resident before one has ended.
    assert_eq!(stacks.ctas_at_level[0], 4);
    assert_eq!(*stacks.ctas_at_level.last().unwrap(), 4);
    assert!(stacks.best_level.is_some());
}

#[test]
fn the_size_of_stacks_is_chosen_among_levels_by_what_ctas_took() {
    let stacks = ran("gemm", "cars").record.stacks.unwrap();
    assert!(
        stacks.is_adaptive && stacks.capacities.len() > 1,
        "{stacks:?}"
    );
    assert_eq!(stacks.ctas_at_level.iter().sum::<u64>(), 8);
    // Every other CTA begins High.
    assert!(*stacks.ctas_at_level.last().unwrap() > 0 && stacks.ctas_at_level[0] > 0);
    assert!(
        stacks
            .best_level
            .is_some_and(|best| usize::from(best) < stacks.capacities.len())
    );
}

/// A launch that remembers, on a backend.
fn launch(kernel: &str, known: &BestLevels, backend: Backend) -> Ran {
    let options = RunOptions {
        backend,
        best_levels: Some(known.clone()),
        ..RunOptions::default()
    };
    ran_with(kernel, "cars", &options)
}

#[test]
fn the_best_size_of_stacks_is_remembered_for_the_next_launch_of_a_kernel() {
    let known = BestLevels::default();
    let first = launch("gemm", &known, Backend::Model);
    assert_eq!(first.result.counters, ran("gemm", "cars").result.counters);
    let chosen = first.record.stacks.unwrap();
    assert_eq!(chosen.remembered, None);
    // Another kernel learns for itself.
    let other = launch("collide", &known, Backend::Model)
        .record
        .stacks
        .unwrap();
    assert_eq!(other.remembered, None);
    let second = launch("gemm", &known, Backend::Model);
    let stacks = second.record.stacks.clone().unwrap();
    // It begins with the best, and goes on measuring; all CTAs are resident before one has ended.
    assert!(stacks.is_adaptive);
    assert_eq!(stacks.remembered, chosen.best_level);
    let best = usize::from(chosen.best_level.unwrap());
    assert_eq!(stacks.ctas_at_level[best], 8, "{stacks:?}");
    assert_eq!(stacks.ctas_at_level.iter().sum::<u64>(), 8);
    // What is best is so: High for all is faster than for every other CTA, and Low is not.
    assert_eq!(best, stacks.capacities.len() - 1);
    assert!(second.result.cycles < first.result.cycles);
    // A third launch knows it still, and the hardware agrees.
    let third = launch("gemm", &known, Backend::Lockstep);
    assert_eq!(third.result.counters, second.result.counters);
    // Where stacks have other sizes it means nothing.
    let (mut same, mut other) = (first.plan.clone(), first.plan.clone());
    if let ManagerSpec::Stacks { capacities, .. } = &mut other.manager {
        capacities[1] += 1;
    }
    known.apply(&mut same);
    known.apply(&mut other);
    let remembered = |plan: Plan| plan.stacks.unwrap().remembered;
    assert_eq!(remembered(same), chosen.best_level);
    assert_eq!(remembered(other), None);
}
