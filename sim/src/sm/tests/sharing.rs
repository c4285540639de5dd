//! What warps do that share registers: acquire, hold, release.

use super::support::*;
use crate::kernel::op::Ty;
use crate::kernel::{Kernel, Op};
use crate::machine::SchedulerPolicy;
use crate::sm::{RunError, RunOptions, RunResult, run};
use regshare_hw::manager::ManagerSpec;

/// Every warp takes the extended set, writes and reads a register of it, and gives it back, `rounds` times.
pub(super) fn sharing_kernel(rounds: usize) -> Kernel {
    let mut insts = prologue();
    insts.push(mov(6, imm(0)));
    for _ in 0..rounds {
        insts.extend([
            inst(Op::Acquire, &[], &[]),
            add(20, r(6), imm(1)),
            add(6, r(20), imm(0)),
            inst(Op::Release, &[], &[]),
        ]);
    }
    insts.extend([put(6), exit()]);
    kernel(vec![insts])
}

fn run_sharing(kernel: &Kernel, sections: u16, policy: SchedulerPolicy) -> RunResult {
    let options = RunOptions {
        scheduler: Some(policy),
        ..RunOptions::default()
    };
    let plan = sharing_plan(kernel, 256, 16, 8, sections);
    run(&plan, &launch(5, 256), &gtx480(), &options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn forty_warps_share_one_section_under_both_schedulers() {
    for policy in [SchedulerPolicy::Gto, SchedulerPolicy::Lrr] {
        let result = run_sharing(&sharing_kernel(3), 1, policy);
        assert_eq!(words(&result, 1280), vec![3; 1280]);
        let acquire = result.counters.acquire;
        assert_eq!((acquire.executed, acquire.released), (120, 120));
        assert!(acquire.first_try < acquire.executed);
        assert!(acquire.attempts > acquire.executed);
        assert!(acquire.wait_cycles > 0);
        assert!(result.counters.slots.acquire_wait > 0);
    }
}

#[test]
fn with_a_section_for_every_warp_each_acquire_is_granted_at_once() {
    let result = run_sharing(&sharing_kernel(2), 32, SchedulerPolicy::Gto);
    let acquire = result.counters.acquire;
    assert!(result.counters.peak_warps > 32);
    let few = run_sharing(&sharing_kernel(2), 2, SchedulerPolicy::Gto);
    assert!(few.counters.acquire.first_try < acquire.first_try);
    assert!(few.cycles > result.cycles);
}

#[test]
fn cta_may_end_while_the_other_half_of_its_pair_in_the_next_cta_holds_the_set() {
    // CTAs of one warp: slots 0 and 1 are a pair. Warp 1 takes the set when warp 0 gives it back, and holds it for
    // much longer than warp 0 takes to end.
    let mut insts = prologue();
    insts.extend([mov(6, imm(1)), inst(Op::Acquire, &[], &[]), mov(20, imm(7))]);
    for _ in 0..40 {
        insts.push(inst(Op::Div(Ty::U32), &[d(20)], &[r(20), r(6)]));
    }
    insts.extend([
        add(6, r(20), imm(0)),
        inst(Op::Release, &[], &[]),
        put(6),
        exit(),
    ]);
    for safe in [false, true] {
        let mut plan = plan(&kernel(vec![insts.clone()]), 32);
        plan.shared_from = Some(16);
        plan.manager = ManagerSpec::Paired {
            base_regs: 16,
            ext_regs: 8,
            safe,
            owner_first: false,
        };
        let result = run(&plan, &launch(3, 32), &gtx480(), &RunOptions::default());
        let result = result.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(words(&result, 96), vec![7; 96]);
        assert!(
            result.counters.acquire.first_try < 3,
            "the set was fought for"
        );
    }
}

#[test]
fn release_waits_for_the_last_write_of_the_extended_set() {
    // Without the wait, the write-back of the long division would land in somebody else's section.
    let mut insts = prologue();
    insts.extend([
        mov(6, imm(9)),
        inst(Op::Acquire, &[], &[]),
        inst(Op::Div(Ty::U32), &[d(20)], &[imm(100), r(6)]),
        inst(Op::Release, &[], &[]),
        inst(Op::Acquire, &[], &[]),
        mov(20, r(2)),
        add(6, r(20), imm(0)),
        inst(Op::Release, &[], &[]),
        put(6),
        exit(),
    ]);
    let result = run_sharing(&kernel(vec![insts]), 1, SchedulerPolicy::Gto);
    assert_eq!(words(&result, 1280), (0..1280).collect::<Vec<_>>());
}

#[test]
fn value_lost_at_a_release_reads_as_zero_and_is_counted() {
    let mut insts = prologue();
    insts.extend([
        inst(Op::Acquire, &[], &[]),
        mov(20, imm(7)),
        inst(Op::Release, &[], &[]),
        inst(Op::Acquire, &[], &[]),
        add(6, r(20), imm(0)),
        inst(Op::Release, &[], &[]),
        put(6),
        exit(),
    ]);
    let result = run_sharing(&kernel(vec![insts]), 8, SchedulerPolicy::Gto);
    assert_eq!(words(&result, 1280), vec![0; 1280]);
    assert_eq!(result.counters.registers.reads_after_release, 40);
}

#[test]
fn warp_that_ends_with_its_extended_set_is_reported() {
    let mut insts = prologue();
    insts.extend([inst(Op::Acquire, &[], &[]), exit()]);
    let kernel = kernel(vec![insts]);
    let plan = sharing_plan(&kernel, 64, 16, 8, 8);
    let outcome = run(&plan, &launch(1, 64), &gtx480(), &RunOptions::default());
    let Err(RunError::Held { cta: 0, held }) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(held.len(), 2);
}
