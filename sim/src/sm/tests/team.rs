//! Several SMs on one launch: the memory of one SM, one clock, CTAs in turn.

use super::programs::{allocated, bundled_launch, generated_launch, interpreted, plan_for};
use super::support::*;
use crate::bundled;
use crate::kernel::op::{AtomOp, BarKind, Space, Ty};
use crate::kernel::{Inst, Kernel, Op, Special};
use crate::observe::stalls::StallTable;
use crate::sm::team::Turn;
use crate::sm::{Launch, LaunchFault, RunError, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use std::sync::{Arc, Mutex};

const CTA: crate::kernel::Operand = crate::kernel::Operand::Special(Special::Ctaid(0));

fn on(sms: u16) -> RunOptions {
    RunOptions {
        sms,
        ..RunOptions::default()
    }
}

fn try_on(kernel: &Kernel, launch: &Launch, options: &RunOptions) -> Result<RunResult, RunError> {
    let threads = launch.block.iter().product();
    run(&plan(kernel, threads), launch, &gtx480(), options)
}

/// Each of its threads gets a ticket from a counter behind the words, and stores it: which one shows the order.
fn tickets(rounds: usize) -> Kernel {
    let mut insts = prologue();
    insts.push(inst(
        Op::Add {
            ty: Ty::U64,
            sat: false,
        },
        &[dd(8)],
        &[rr(0), imm(32768)],
    ));
    let atom = Op::Atom {
        space: Space::Global,
        ty: Ty::U32,
        op: AtomOp::Add,
        offset: 0,
    };
    for _ in 0..rounds {
        insts.push(inst(atom, &[d(6)], &[rr(8), imm(1)]));
    }
    insts.extend([put(6), exit()]);
    kernel(vec![insts])
}

#[test]
fn bundled_kernels_leave_the_memory_of_one_sm_under_the_schemes() {
    let names = ["reduction", "convsep", "histogram", "treescore"];
    for (number, name) in names.into_iter().enumerate() {
        let (kernel, _, launch) = bundled_launch(bundled::find(name).unwrap());
        for scheme in ["baseline", "regmutex", "shared-owf-unroll", "rfv"] {
            let plan = plan_for(scheme, &kernel, &launch);
            let alone = run(&plan, &launch, &gtx480(), &on(1)).unwrap();
            let sms = 2 + (number % 2) as u16;
            let team = run(&plan, &launch, &gtx480(), &on(sms)).unwrap();
            let what = format!("{name} under {scheme} on {sms} SMs");
            assert_eq!(team.memory.first_difference(&alone.memory), None, "{what}");
            let count = |result: &RunResult| {
                let counters = &result.counters;
                (counters.warp_instructions, counters.ctas)
            };
            assert_eq!(count(&team), count(&alone), "{what}");
            let slots = team.counters.slots.total();
            assert_eq!(slots, 2 * u64::from(sms) * team.cycles, "{what}");
            assert_eq!((team.sms, team.counters.cycles), (sms, team.cycles));
            assert!(team.cycles < alone.cycles, "{what}: {}", team.cycles);
        }
    }
}

#[test]
fn generated_kernels_leave_the_memory_that_the_interpreter_leaves_and_skipping_changes_nothing() {
    for seed in 0..16 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let expected = interpreted(&generated.kernel, &launch);
        let plan = plan_for("regmutex", &allocated(&generated.kernel), &launch);
        for sms in [2, 3] {
            let result = run(&plan, &launch, &gtx480(), &on(sms)).unwrap();
            let difference = result.memory.first_difference(&expected);
            assert_eq!(difference, None, "seed {seed} on {sms} SMs");
            let every = RunOptions {
                every_cycle: true,
                ..on(sms)
            };
            let every = run(&plan, &launch, &gtx480(), &every).unwrap();
            assert_eq!(result.counters, every.counters, "seed {seed} on {sms} SMs");
            assert!(result.skipped_cycles > every.skipped_cycles);
        }
    }
}

#[test]
fn atomics_of_all_sms_act_on_one_memory_and_the_same_run_gives_the_same_tickets() {
    let kernel = tickets(3);
    let run_once = || try_on(&kernel, &launch(24, 96), &on(3)).unwrap();
    let first = run_once();
    let mut given = words(&first, 24 * 96);
    assert_eq!(given, words(&run_once(), 24 * 96));
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 24 * 96, "no ticket is given twice");
    let out = first.memory.allocation("out").unwrap();
    assert_eq!(first.memory.read_u32(out.base + 32768), Ok(3 * 24 * 96));
}

#[test]
fn ctas_go_round_robin_to_the_sms_and_each_says_which_it_is() {
    let mut insts = prologue();
    insts.extend([mov(6, crate::kernel::Operand::Special(Special::SmId))]);
    insts.extend([mov(7, crate::kernel::Operand::Special(Special::NsmId))]);
    let op = Op::Mul {
        ty: Ty::U32,
        part: crate::kernel::op::Part::Lo,
    };
    insts.extend([inst(op, &[d(7)], &[r(7), imm(100)]), add(6, r(6), r(7))]);
    insts.extend([put(6), exit()]);
    let kernel = kernel(vec![insts]);
    let result = try_on(&kernel, &launch(9, 32), &on(3)).unwrap();
    let sms: Vec<u32> = words(&result, 9 * 32).into_iter().step_by(32).collect();
    assert_eq!(sms, [300, 301, 302, 300, 301, 302, 300, 301, 302]);
    let alone = try_on(&kernel, &launch(9, 32), &on(1)).unwrap();
    assert_eq!(words(&alone, 9 * 32), vec![100; 9 * 32]);
}

#[test]
fn sms_without_a_cta_have_slots_without_a_warp() {
    let kernel = tickets(1);
    let alone = try_on(&kernel, &launch(2, 64), &on(2)).unwrap();
    let idle = try_on(&kernel, &launch(2, 64), &on(5)).unwrap();
    assert_eq!(idle.cycles, alone.cycles);
    let (few, many) = (alone.counters.slots, idle.counters.slots);
    assert_eq!(many.no_warp - few.no_warp, 3 * 2 * idle.cycles);
    assert_eq!(many.issued, few.issued);
}

#[test]
fn a_table_of_stalls_has_the_slots_of_all_sms() {
    let table = Arc::new(Mutex::new(StallTable::default()));
    let options = RunOptions {
        watchers: vec![table.clone()],
        ..on(3)
    };
    let result = try_on(&tickets(2), &launch(4, 96), &options).unwrap();
    let table = table.lock().unwrap();
    let mut sum = table.without_pc;
    table.by_pc.iter().for_each(|slots| sum.add(slots));
    assert_eq!(sum, result.counters.slots);
}

/// The threads of CTA `cta` run `special`, the others go on counting for a while.
fn one_cta_differs(cta: u64, special: Vec<Inst>) -> Kernel {
    let mut entry = prologue();
    entry.extend([set_less(0, CTA, imm(cta)), when(0, false, bra(3))]);
    let behind = vec![set_less(1, imm(cta), CTA), when(1, false, bra(3))];
    let mut long: Vec<Inst> = (0..300).map(|_| add(6, r(6), imm(1))).collect();
    long.extend([put(6), exit()]);
    kernel(vec![entry, behind, special, long])
}

#[test]
fn a_hang_or_a_fault_is_put_down_to_its_sm() {
    // Of CTA 1, warp 0 waits at barrier 1 and warp 1 at barrier 0.
    let bar = |number: u64| inst(Op::Bar(BarKind::Sync), &[], &[imm(number)]);
    let tid = crate::kernel::Operand::Special(Special::Tid(0));
    let stuck = one_cta_differs(
        1,
        vec![
            set_less(2, tid, imm(32)),
            when(2, false, bar(1)),
            when(2, true, bar(0)),
            exit(),
        ],
    );
    let error = try_on(&stuck, &launch(4, 64), &on(2)).unwrap_err();
    let RunError::OnSm { sm: 1, cause } = &error else {
        panic!("{error}");
    };
    let RunError::Hang(hang) = &**cause else {
        panic!("{error}");
    };
    assert_eq!(hang.warps[0].place.cta, 1);
    assert!(error.to_string().starts_with("SM 1: cycle "), "{error}");

    let wild = one_cta_differs(2, vec![store(Space::Global, imm(64), imm(1)), exit()]);
    let error = try_on(&wild, &launch(4, 64), &on(3)).unwrap_err();
    assert!(
        error.to_string().starts_with("SM 2: memory fault"),
        "{error}"
    );
    let error = try_on(&wild, &launch(4, 64), &on(1)).unwrap_err();
    assert!(matches!(error, RunError::Memory { .. }), "{error}");
}

#[test]
fn an_endless_loop_meets_the_cycle_limit_on_its_sm() {
    let endless = one_cta_differs(1, vec![bra(2)]);
    let options = RunOptions {
        cycle_limit: Some(5000),
        ..on(2)
    };
    let error = try_on(&endless, &launch(2, 32), &options).unwrap_err();
    let RunError::OnSm { sm: 1, cause } = error else {
        panic!("{error}");
    };
    assert!(matches!(*cause, RunError::CycleLimit { limit: 5000, .. }));
}

#[test]
fn more_sms_than_the_machine_has_or_none_are_refused() {
    for sms in [0, 16] {
        let error = try_on(&tickets(1), &launch(1, 32), &on(sms)).unwrap_err();
        assert!(
            matches!(error, RunError::Launch(LaunchFault::Sms(_))),
            "{error}"
        );
    }
}

/// What SM 0 stores, SM 1 sees: it waits for it in a loop.
#[test]
fn a_cta_can_wait_for_a_store_of_another_sm() {
    // CTA 1 spins on the word of CTA 0's first thread, which comes late.
    let mut entry = prologue();
    entry.extend([set_less(0, CTA, imm(1)), when(0, false, bra(3))]);
    let spin = vec![
        load(Space::Global, 6, rr(0)),
        set_less(1, r(6), imm(300)),
        when(1, false, bra(1)),
    ];
    let mut late = vec![mov(6, imm(0))];
    late.extend((0..300).map(|_| add(6, r(6), imm(1))));
    late.extend([put(6), exit()]);
    let kernel = kernel(vec![entry, spin, vec![put(6), exit()], late]);
    let result = try_on(&kernel, &launch(2, 32), &on(2)).unwrap();
    assert_eq!(words(&result, 64), vec![300; 64]);
}

#[test]
fn who_got_a_cta_is_asked_last() {
    let mut turn = Turn { next: 0, count: 3 };
    assert_eq!(turn.order().collect::<Vec<_>>(), [0, 1, 2]);
    // SM 0 alone had a free slot.
    turn.served(0);
    assert_eq!(turn.order().collect::<Vec<_>>(), [1, 2, 0]);
    turn.served(2);
    assert_eq!(turn.order().collect::<Vec<_>>(), [0, 1, 2]);
}
