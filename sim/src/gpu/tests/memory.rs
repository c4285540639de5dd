//! Accesses that end in another place than most: generic ones in scratchpad, stores that stay in the first level, the end of a
//! file.

use super::{Body, GLOBAL, SHARED, replay, trace};
use crate::gpu::cache::WritePolicy;
use crate::gpu::{GpuMachine, ReplayOptions};

/// Machines, and the architecture of their traces.
const MACHINES: [(&str, u32); 3] = [("qv100", 70), ("rtx3070", 80), ("gtx480", 70)];

/// Cycles of one warp with 20 of such instructions.
fn cycles(machine: &GpuMachine, binary: u32, body: &Body) -> u64 {
    let text = trace(1, 1, 20, binary, body);
    let options = ReplayOptions {
        cycle_limit: Some(1_000_000),
        ..ReplayOptions::default()
    };
    replay(machine, &text, &options).expect("ends").cycles
}

#[test]
fn a_generic_access_of_scratchpad_takes_as_long_as_one_that_names_it() {
    for (name, binary) in MACHINES {
        let machine = GpuMachine::preset(name).expect("exists");
        for (generic, named) in [
            ("LD.E", "LDS"),
            ("ST.E", "STS"),
            ("ATOM.E.ADD", "ATOMS.ADD"),
        ] {
            let of = |opcode: &'static str, base: u64| {
                cycles(
                    &machine,
                    binary,
                    &move |_, n| match opcode.starts_with("ST") {
                        true => {
                            format!("ffffffff 0 {opcode} 2 R2 R3 4 1 {:#x} 4 0", base + 128 * n)
                        }
                        false => format!(
                            "ffffffff 1 R{} {opcode} 2 R2 R3 4 1 {:#x} 4 0",
                            4 + n,
                            base + 128 * n
                        ),
                    },
                )
            };
            assert_eq!(of(generic, SHARED), of(named, 0), "{name}, {generic}");
        }
    }
}

#[test]
fn stores_that_stay_in_the_first_level_end_and_dirty_lines_leave_it() {
    for (name, binary) in MACHINES {
        let mut machine = GpuMachine::preset(name).expect("exists");
        machine.l1.cache.write = WritePolicy::Back;
        for dirty_percent in [0, 25, 100] {
            machine.l1.cache.dirty_percent = dirty_percent;
            // Each to a line of its own, in few sets, and then the same lines are read.
            let text = trace(1, 2, 2000, binary, &|warp, n| {
                let address = GLOBAL + 128 * 1024 * (n % 1000) + 4096 * warp;
                match n < 1000 {
                    true => format!("ffffffff 0 STG.E 2 R2 R3 4 1 {address:#x} 4 0"),
                    false => format!("ffffffff 1 R4 LDG.E 1 R2 4 1 {address:#x} 4 0"),
                }
            });
            let options = ReplayOptions {
                cycle_limit: Some(10_000_000),
                ..ReplayOptions::default()
            };
            let result = replay(&machine, &text, &options).expect("ends");
            assert!(result.cycles > 2000, "{name}, {dirty_percent}");
        }
    }
}

/// A first level of two lines. The answer to what was evicted must not pass for the data of a line that is loaded anew.
#[test]
fn a_line_that_was_evicted_comes_back_no_sooner_than_another() {
    let mut machine = GpuMachine::preset("qv100").expect("exists");
    (machine.l1.unified_bytes, machine.l1.carve_outs) = (0, Vec::new());
    (machine.l1.cache.sets, machine.l1.cache.ways) = (1, 2);
    machine.l1.cache.write = WritePolicy::Back;
    let cycles_of = |written: u64| {
        // Lines 0 to 3 are in the second level. One is written, line 3 is used after it, so that line 1 evicts it; line 0 is
        // asked for while the data of the other are on their way.
        let load = |line: u64, register: u64| {
            let address = GLOBAL + 128 * line;
            format!("ffffffff 1 R{register} LDG.E 1 R2 4 1 {address:#x} 4 0")
        };
        let text = trace(1, 1, 8, 70, &move |_, n| match n {
            0..4 => load(n, 4),
            4 => format!(
                "ffffffff 0 STG.E 2 R2 R4 4 1 {:#x} 4 0",
                GLOBAL + 128 * written
            ),
            5 => load(3, 5),
            6 => load(1, 6),
            _ => load(0, 7),
        });
        replay(&machine, &text, &ReplayOptions::default())
            .expect("ends")
            .cycles
    };
    assert_eq!(cycles_of(0), cycles_of(2));
}

/// A pair of lines shares a row; lines 4 KiB apart open one each.
#[test]
fn loads_from_memory_take_as_long_on_the_whole_chip_as_on_the_peer() {
    let machine = GpuMachine::preset("qv100").expect("exists");
    let of = |step: u64, count: u64| {
        let text = trace(1, 1, count, 70, &move |_, n| {
            let address = GLOBAL + n * step;
            format!("ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 {address:#x} 4 0")
        });
        let result = replay(&machine, &text, &ReplayOptions::default());
        result.expect("ends").cycles
    };
    assert_eq!([of(128, 16), of(128, 64)], [5297, 21181]);
    assert_eq!([of(4096, 16), of(4096, 64)], [5425, 21687]);
}

#[test]
fn what_is_wrong_behind_the_last_cta_is_said() {
    let machine = GpuMachine::preset("qv100").expect("exists");
    let text = trace(2, 1, 4, 70, &|_, _| "ffffffff 1 R4 MOV 1 R2 0 0".to_owned());
    let again = &text[text.find("#BEGIN_TB").expect("is there")..];
    for behind in ["tail\n", "#BEGIN_TB\n", again] {
        let damaged = format!("{text}\n{behind}");
        let error = replay(&machine, &damaged, &ReplayOptions::default()).unwrap_err();
        assert!(error.to_string().contains("k.traceg"), "{error}");
    }
}
