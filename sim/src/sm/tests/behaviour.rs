//! What the pipeline does: divergence, barriers, faults, hangs.

use super::sharing::sharing_kernel;
use super::support::*;
use crate::kernel::op::{AtomOp, BarKind, Space, Ty};
use crate::kernel::{Kernel, Line, Op, Operand, Special};
use crate::sm::error::AccessFault;
use crate::sm::{Launch, RunError, RunOptions, WaitsFor, run};

const TID: Operand = Operand::Special(Special::Tid(0));

fn barrier(number: u64) -> crate::kernel::Inst {
    inst(Op::Bar(BarKind::Sync), &[], &[imm(number)])
}

/// Lanes below 8 add 100 and the others 200; afterwards all add 1.
fn divergent_kernel() -> Kernel {
    let mut entry = prologue();
    entry.extend([
        mov(6, TID),
        set_less(0, r(6), imm(8)),
        when(0, false, bra(2)),
    ]);
    kernel(vec![
        entry,
        vec![add(6, r(6), imm(200)), bra(3)],
        vec![add(6, r(6), imm(100))],
        vec![add(6, r(6), imm(1)), put(6), exit()],
    ])
}

#[test]
fn lanes_that_part_meet_again_at_the_post_dominator() {
    let result = run_ok(&divergent_kernel(), 1, 32);
    let expected: Vec<u32> = (0..32)
        .map(|lane| lane + if lane < 8 { 101 } else { 201 })
        .collect();
    assert_eq!(words(&result, 32), expected);
    assert_eq!(result.counters.divergent_branches, 1);
    // The branch acts in the 8 lanes that jump; both sides run once with their lanes, two instructions in 24 and one
    // in 8; everything else runs with all 32.
    let all = result.counters.warp_instructions - 4;
    let threads = result.counters.thread_instructions;
    assert_eq!(threads, all * 32 + 8 + 2 * 24 + 8);
}

#[test]
fn lanes_that_exit_under_a_guard_do_nothing_afterwards() {
    let mut entry = prologue();
    entry.extend([
        mov(6, imm(5)),
        set_less(0, TID, imm(8)),
        when(0, false, exit()),
        put(6),
        exit(),
    ]);
    let result = run_ok(&kernel(vec![entry]), 1, 32);
    let expected: Vec<u32> = (0..32).map(|lane| if lane < 8 { 0 } else { 5 }).collect();
    assert_eq!(words(&result, 32), expected);
}

/// Warp 0 stores late; all wait at a barrier and read what it stored.
#[test]
fn warps_wait_at_a_barrier_for_the_last() {
    let mut entry = prologue();
    entry.extend([
        mov(6, TID),
        set_less(0, r(6), imm(32)),
        when(0, true, bra(2)),
    ]);
    let mut slow = vec![mov(7, imm(0))];
    slow.extend((0..20).map(|_| add(7, r(7), imm(3))));
    slow.push(store(Space::Shared, imm(64), r(7)));
    let meet = vec![barrier(0), load(Space::Shared, 8, imm(64)), put(8), exit()];
    let result = run_ok(&kernel(vec![entry, slow, meet]), 1, 128);
    assert_eq!(words(&result, 128), [60; 128]);
    assert_eq!(result.counters.barriers, 4);
    assert!(result.counters.slots.barrier > 0);
}

#[test]
fn reduction_at_a_barrier_counts_the_lanes_of_all_warps() {
    let mut entry = prologue();
    let reduce = inst(
        Op::Bar(BarKind::RedPopc),
        &[d(6)],
        &[
            imm(1),
            crate::kernel::Operand::Pred {
                pred: crate::kernel::Pred(0),
                negated: false,
            },
        ],
    );
    entry.extend([set_less(0, TID, imm(40)), reduce, put(6), exit()]);
    let result = run_ok(&kernel(vec![entry]), 1, 64);
    assert_eq!(words(&result, 64), [40; 64]);
}

#[test]
fn atomics_of_all_warps_and_ctas_add_up() {
    let mut entry = prologue();
    let atomic = |space, address| {
        let op = Op::Red {
            space,
            ty: Ty::U32,
            op: AtomOp::Add,
            offset: 0,
        };
        inst(op, &[], &[address, imm(1)])
    };
    entry.extend([
        atomic(Space::Shared, imm(0)),
        atomic(Space::Global, rr(0)),
        barrier(0),
        load(Space::Shared, 6, imm(0)),
        set_less(0, TID, imm(1)),
        when(0, true, put(6)),
        exit(),
    ]);
    let result = run_ok(&kernel(vec![entry]), 3, 64);
    let words = words(&result, 192);
    assert_eq!(words[0], 192);
    assert_eq!(words[1..64], [64; 63]);
    assert_eq!(result.counters.memory.atomic_accesses, 6);
}

#[test]
fn access_outside_every_buffer_names_line_warp_lane_and_address() {
    let mut entry = prologue();
    entry.push(load(Space::Global, 6, imm(0x10)));
    entry.push(exit());
    let error = try_run(&kernel(vec![entry]), 1, 32).unwrap_err();
    let RunError::Memory {
        place,
        lane,
        address,
        fault: AccessFault::Global(_),
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((place.line, lane, address), (Line(6), 0, 0x10));
}

#[test]
fn access_behind_the_scratchpad_is_refused() {
    let mut entry = prologue();
    entry.push(store(Space::Shared, imm(4096), imm(1)));
    entry.push(exit());
    let error = try_run(&kernel(vec![entry]), 1, 32).unwrap_err();
    assert!(
        error.to_string().contains("4096 bytes of scratchpad"),
        "{error}"
    );
}

#[test]
fn warp_that_waits_at_a_barrier_for_nobody_is_a_hang_that_names_it() {
    // Warp 0 goes to barrier 1, the others to barrier 0: nobody ever comes.
    let mut entry = prologue();
    entry.extend([set_less(0, TID, imm(32)), when(0, false, bra(2))]);
    let behind_entry = entry.len() as u32;
    let stuck = kernel(vec![
        entry,
        vec![barrier(0), exit()],
        vec![barrier(1), exit()],
    ]);
    let RunError::Hang(hang) = try_run(&stuck, 1, 64).unwrap_err() else {
        panic!("no hang");
    };
    assert_eq!(hang.warps.len(), 2);
    let barriers: Vec<_> = hang
        .warps
        .iter()
        .map(|warp| match &warp.waits_for {
            WaitsFor::Barrier {
                number, missing, ..
            } => (*number, missing[0].0),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(barriers, [(1, 1), (0, 0)]);
    let places: Vec<u32> = hang.warps.iter().map(|warp| warp.place.index).collect();
    assert_eq!(places, [behind_entry + 2, behind_entry]);
    assert!(hang.cycle < 1000, "found in cycle {}", hang.cycle);
}

#[test]
fn barrier_of_a_bad_number_in_a_register_is_named_and_not_what_follows_it() {
    let mut code = prologue();
    code.push(mov(6, imm(16)));
    let at = code.len() as u32;
    code.extend([
        inst(Op::Bar(BarKind::Sync), &[], &[r(6)]),
        add(6, r(6), imm(1)),
        put(6),
        exit(),
    ]);
    match try_run(&kernel(vec![code]), 1, 32) {
        Err(RunError::Barrier { place, number, .. }) => {
            assert_eq!((place.index, number), (at, 16));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn endless_loop_meets_the_cycle_limit() {
    let endless = kernel(vec![prologue(), vec![bra(1)]]);
    let options = RunOptions {
        cycle_limit: Some(5000),
        ..RunOptions::default()
    };
    let outcome = run(&plan(&endless, 32), &launch(1, 32), &gtx480(), &options);
    assert!(matches!(
        outcome,
        Err(RunError::CycleLimit { limit: 5000, .. })
    ));
}

#[test]
fn grid_larger_than_the_sm_runs_in_turns() {
    let mut insts = prologue();
    insts.extend([add(6, r(2), imm(1)), put(6), exit()]);
    let result = run_ok(&kernel(vec![insts]), 40, 96);
    assert_eq!(words(&result, 3840), (1..=3840).collect::<Vec<_>>());
    assert_eq!(result.counters.ctas, 40);
    assert_eq!(result.counters.peak_warps, 24, "8 CTA slots of 3 warps");
}

#[test]
fn launch_that_cannot_be_is_refused() {
    let kernel = kernel(vec![prologue()]);
    let with = |change: fn(&mut Launch)| {
        let mut launch = launch(1, 32);
        change(&mut launch);
        run(
            &plan(&kernel, 32),
            &launch,
            &gtx480(),
            &RunOptions::default(),
        )
    };
    assert!(with(|_| ()).is_ok(), "the end of the last block is an exit");
    assert!(matches!(with(|l| l.grid[1] = 0), Err(RunError::Launch(_))));
    assert!(matches!(
        with(|l| l.block[1] = 64),
        Err(RunError::Launch(_))
    ));
    assert!(matches!(
        with(|l| l.params.clear()),
        Err(RunError::Launch(_))
    ));
}

#[test]
fn waveform_of_a_run_has_the_units_of_the_register_hardware() {
    use crate::observe::wave::{Wave, WaveOptions};
    use std::sync::{Arc, Mutex};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let wave = Wave::create(&path, WaveOptions::default()).unwrap();
    let kernel = sharing_kernel(1);
    let plan = sharing_plan(&kernel, 64, 16, 8, 1);
    let options = RunOptions {
        probe: Some(Arc::new(Mutex::new(wave))),
        ..RunOptions::default()
    };
    let watched = run(&plan, &launch(1, 64), &gtx480(), &options).unwrap();
    let plain = run(&plan, &launch(1, 64), &gtx480(), &RunOptions::default()).unwrap();
    assert_eq!(watched.counters, plain.counters);
    let bytes = std::fs::read(&path).unwrap();
    let mut parser = vcd::Parser::new(&bytes[..]);
    let header = parser.parse_header().unwrap();
    for path in [
        &["sm", "cycle"][..],
        &["sm", "scheduler1", "valid"],
        &["sm", "warps", "warp47", "pc"],
        &["sm", "manager", "srp_allocator", "active"],
    ] {
        assert!(header.find_var(path).is_some(), "{path:?}");
    }
    assert!(parser.all(|command| command.is_ok()));
    assert!(path.with_extension("gtkw").exists() && path.with_extension("sucl").exists());
}
