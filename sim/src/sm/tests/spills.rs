//! A CTA that needs more packs at one time than the register file has: pending warps are spilled (RFV 8.1).

use super::support::*;
use crate::kernel::op::BarKind;
use crate::kernel::{Inst, Kernel, Op, Operand, Pred, RegSpace, Special};
use crate::machine::{Machine, SchedulerPolicy};
use crate::scheme::{CtaShape, Plan, PlanInput, SchemeOptions, Shrink, by_name};
use crate::sm::{RunOptions, RunResult, run};
use regshare_hw::manager::{Backend, ManagerSpec, RenamingCounts};

/// First of the registers that are live at once.
const FIRST: u16 = 8;

fn constant(i: u16) -> u32 {
    u32::from(i).wrapping_mul(0x9e37_79b9) >> 7
}

/// `r(8 + i) = thread + constant(i)` for `i` in `from .. to`.
fn fill(from: u16, to: u16) -> Vec<Inst> {
    let value = |i| add(FIRST + i, r(2), imm(constant(i).into()));
    (from..to).map(value).collect()
}

/// Adds them to r6.
fn sum(from: u16, to: u16) -> Vec<Inst> {
    (from..to).map(|i| add(6, r(6), r(FIRST + i))).collect()
}

fn summed(thread: u32, from: u16, to: u16) -> u32 {
    (from..to).fold(0, |sum, i| {
        sum.wrapping_add(thread).wrapping_add(constant(i))
    })
}

fn barrier() -> Inst {
    inst(Op::Bar(BarKind::Sync), &[], &[imm(0)])
}

fn of_blocks(blocks: Vec<Vec<Inst>>, live: u16) -> Kernel {
    let mut kernel = kernel(blocks);
    kernel.regs = RegSpace::Architected {
        regs: FIRST + live,
        preds: 4,
    };
    kernel
}

/// All of `live` registers, then `between`, then their sum.
fn straight(live: u16, between: Vec<Inst>) -> Kernel {
    let mut body = prologue();
    body.push(mov(6, imm(0)));
    body.extend(fill(0, live));
    body.extend(between);
    body.extend(sum(0, live));
    body.extend([put(6), exit()]);
    of_blocks(vec![body], live)
}

/// 24 warps of 716, 612 and 512 packs, or 4 of 128.
fn machines() -> [(Machine, u32, u16, Shrink); 4] {
    let mut small = gtx480();
    let limits = &mut small.limits;
    (limits.packs_per_sm, limits.warps_per_sm, limits.ctas_per_sm) = (256, 4, 4);
    [
        (gtx480(), 768, 32, Shrink::By30),
        (gtx480(), 768, 28, Shrink::By40),
        (gtx480(), 768, 24, Shrink::By50),
        (small, 128, 32, Shrink::By50),
    ]
}

fn small() -> (Machine, u32, u16, Shrink) {
    let [.., small] = machines();
    small
}

fn plan_with(kernel: &Kernel, machine: &Machine, threads: u32, options: SchemeOptions) -> Plan {
    let input = PlanInput {
        kernel,
        machine,
        cta: CtaShape {
            threads,
            scratchpad_bytes: kernel.shared_bytes,
        },
        shares_sm: false,
    };
    let scheme = by_name("gpu-shrink", options).unwrap();
    scheme
        .plan(&input)
        .unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn shrunk(kernel: &Kernel, machine: &Machine, threads: u32, shrink: Shrink) -> Plan {
    let options = SchemeOptions {
        shrink,
        ..SchemeOptions::default()
    };
    plan_with(kernel, machine, threads, options)
}

fn run_plan(
    plan: &Plan,
    machine: &Machine,
    ctas: u32,
    threads: u32,
    options: RunOptions,
) -> RunResult {
    let options = RunOptions {
        cycle_limit: Some(2_000_000),
        ..options
    };
    run(plan, &launch(ctas, threads), machine, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// All warps at the same place at the same time, as far as they get.
fn in_step() -> RunOptions {
    RunOptions {
        scheduler: Some(SchedulerPolicy::Lrr),
        ..RunOptions::default()
    }
}

/// Everything that went to memory has come back, and something has.
fn assert_spilled(result: &RunResult) -> RenamingCounts {
    let counts = result.renaming.expect("renames");
    assert!(counts.spills > 0, "{counts:?}");
    assert_eq!(counts.spilled_packs, counts.filled_packs, "{counts:?}");
    assert!(counts.spilled_packs >= counts.spills);
    assert!(counts.peak_packs <= counts.packs, "{counts:?}");
    assert!(counts.spill_cycles > 0 && counts.spill_cycles < result.cycles);
    counts
}

fn assert_words(result: &RunResult, threads: u32, expected: impl Fn(u32) -> u32) {
    let words = words(result, threads as usize);
    for (thread, word) in words.into_iter().enumerate() {
        assert_eq!(word, expected(thread as u32), "thread {thread}");
    }
}

#[test]
fn warps_that_want_more_packs_than_there_are_take_turns() {
    for (machine, threads, live, shrink) in machines() {
        let kernel = straight(live, Vec::new());
        let plan = shrunk(&kernel, &machine, threads, shrink);
        assert_eq!(plan.occupancy.ctas, 1);
        let result = run_plan(&plan, &machine, 3, threads, in_step());
        assert_words(&result, 3 * threads, |thread| summed(thread, 0, live));
        assert_spilled(&result);
    }
}

/// The warps that are at the barrier hold what those need that have not come.
#[test]
fn warps_at_a_barrier_make_room_for_those_that_it_waits_for() {
    for (machine, threads, live, shrink) in machines() {
        let kernel = straight(live, vec![barrier()]);
        let plan = shrunk(&kernel, &machine, threads, shrink);
        let result = run_plan(&plan, &machine, 2, threads, RunOptions::default());
        assert_words(&result, 2 * threads, |thread| summed(thread, 0, live));
        assert_spilled(&result);
        assert_eq!(result.counters.barriers, u64::from(2 * threads / 32));
    }
}

/// `shared` registers live in all lanes, also while only the lower half warp runs, which needs the others of `live`. With
/// `meets`, all warps meet before that.
fn divergent(live: u16, shared: u16, meets: bool) -> Kernel {
    let mut first = prologue();
    first.push(mov(6, imm(0)));
    first.push(mov(7, Operand::Special(Special::LaneId)));
    first.push(set_less(0, r(7), imm(16)));
    first.extend(fill(0, shared));
    first.extend(meets.then(barrier));
    first.push(when(0, true, bra(2)));
    let mut lower = fill(shared, live);
    lower.extend(sum(shared, live));
    let mut all = sum(0, shared);
    all.extend([put(6), exit()]);
    of_blocks(vec![first, lower, all], live)
}

fn of_divergent(thread: u32, live: u16, shared: u16) -> u32 {
    let is_upper = thread % 32 >= 16;
    summed(thread, 0, if is_upper { shared } else { live })
}

#[test]
fn registers_of_lanes_that_do_not_run_are_saved_too() {
    for (machine, threads, live, shrink) in machines() {
        let kernel = divergent(live, live / 2, false);
        let plan = shrunk(&kernel, &machine, threads, shrink);
        let result = run_plan(&plan, &machine, 2, threads, in_step());
        let expected = |thread| of_divergent(thread, live, live / 2);
        assert_words(&result, 2 * threads, expected);
        assert_spilled(&result);
    }
}

/// The result of a barrier comes while the other registers of its warp are in memory.
#[test]
fn a_result_that_is_still_to_be_written_keeps_its_pack() {
    let (machine, threads, live, shrink) = small();
    let mut body = prologue();
    body.extend([mov(6, imm(0)), set_less(0, r(2), imm(70))]);
    body.extend(fill(0, live));
    let votes = Operand::Pred {
        pred: Pred(0),
        negated: false,
    };
    body.push(inst(Op::Bar(BarKind::RedPopc), &[d(7)], &[imm(0), votes]));
    body.extend(sum(0, live));
    body.extend([add(6, r(6), r(7)), put(6), exit()]);
    let kernel = of_blocks(vec![body], live);
    let plan = shrunk(&kernel, &machine, threads, shrink);
    let result = run_plan(&plan, &machine, 1, threads, RunOptions::default());
    assert_words(&result, threads, |thread| summed(thread, 0, live) + 70);
    assert_spilled(&result);
}

#[test]
fn exempt_registers_stay_where_they_are() {
    let (machine, threads, live, shrink) = small();
    let kernel = straight(live, vec![barrier()]);
    let options = SchemeOptions {
        shrink,
        // 32 of the 40 registers of four warps, of 8 bits each.
        table_bytes: Some(128),
        ..SchemeOptions::default()
    };
    let plan = plan_with(&kernel, &machine, threads, options);
    let ManagerSpec::Renaming { exempt, spills, .. } = plan.manager else {
        panic!("renames");
    };
    assert!(exempt >= 4 && spills, "{exempt} {spills}");
    let result = run_plan(&plan, &machine, 2, threads, RunOptions::default());
    assert_words(&result, 2 * threads, |thread| summed(thread, 0, live));
    assert_spilled(&result);
}

/// Whoever chooses the warps, and whether cycles in which nothing changes are left out or not.
#[test]
fn every_scheduler_and_every_cycle() {
    use SchedulerPolicy::{Gto, Lrr, Oldest, TwoLevel};
    let (mut machine, threads, live, shrink) = small();
    let shared = live / 8 * 7;
    let kernel = divergent(live, shared, true);
    for schedulers in [2, 4] {
        machine.schedulers.count = schedulers;
        let plan = shrunk(&kernel, &machine, threads, shrink);
        for policy in [Gto, Lrr, Oldest, TwoLevel(1), TwoLevel(3)] {
            let options = |every_cycle| RunOptions {
                scheduler: Some(policy),
                every_cycle,
                ..RunOptions::default()
            };
            let skipping = run_plan(&plan, &machine, 2, threads, options(false));
            let every = run_plan(&plan, &machine, 2, threads, options(true));
            assert_spilled(&skipping);
            let expected = |thread| of_divergent(thread, live, shared);
            assert_words(&skipping, 2 * threads, expected);
            assert_eq!(skipping.counters, every.counters, "{policy} {schedulers}");
            assert_eq!(skipping.renaming, every.renaming, "{policy} {schedulers}");
            assert_eq!(skipping.memory, every.memory, "{policy} {schedulers}");
        }
    }
}

#[test]
fn model_and_rtl_spill_in_the_same_cycles() {
    let (machine, threads, live, shrink) = small();
    let kernel = straight(live, vec![barrier()]);
    let plan = shrunk(&kernel, &machine, threads, shrink);
    let on = |backend| {
        let options = RunOptions {
            backend,
            ..RunOptions::default()
        };
        run_plan(&plan, &machine, 1, threads, options)
    };
    let model = on(Backend::Model);
    assert_spilled(&model);
    for backend in [Backend::Rtl, Backend::Lockstep] {
        let other = on(backend);
        assert_eq!(model.counters, other.counters, "{backend}");
        assert_eq!(model.renaming, other.renaming, "{backend}");
        assert_eq!(model.memory, other.memory, "{backend}");
    }
}

/// A barrier that some warp never comes to is reported as before: moving registers would not help.
#[test]
fn a_hang_that_is_not_for_lack_of_packs_is_reported() {
    let (machine, threads, live, shrink) = small();
    let mut body = prologue();
    body.push(mov(6, imm(0)));
    body.extend(fill(0, live));
    body.push(inst(Op::Bar(BarKind::Sync), &[], &[imm(0), imm(256)]));
    body.extend(sum(0, live));
    body.extend([put(6), exit()]);
    let kernel = of_blocks(vec![body], live);
    let plan = shrunk(&kernel, &machine, threads, shrink);
    let options = RunOptions {
        cycle_limit: Some(2_000_000),
        ..RunOptions::default()
    };
    let error = run(&plan, &launch(1, threads), &machine, &options).expect_err("hangs");
    let message = error.to_string();
    assert!(message.contains("no warp can ever go on"), "{message}");
    assert!(
        message.contains("waits at barrier 0, 4 of 8 warps"),
        "{message}"
    );
}
