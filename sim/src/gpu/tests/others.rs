//! Registers besides the vector registers, which newer tracers name.

use super::{cycles, replay, slope};
use crate::gpu::{GpuMachine, ReplayOptions};

const MACHINES: [&str; 3] = ["qv100", "rtx3070", "gtx480"];

/// One warp whose instructions all write `dst(n)` and read `src(n)`.
fn chain(
    opcode: &'static str,
    dst: impl Fn(u64) -> String,
    src: impl Fn(u64) -> String,
) -> impl Fn(u64, u64) -> String {
    move |_, n| format!("ffffffff 1 {} {opcode} 1 {} 0 0", dst(n), src(n))
}

#[test]
fn who_reads_a_predicate_or_uniform_register_waits_until_it_is_written() {
    for name in MACHINES {
        for (opcode, file) in [
            ("ISETP", "P"),
            ("ISETP", "UP"),
            ("IADD3", "UR"),
            ("IADD3", "B"),
        ] {
            let same = move |_| format!("{file}3");
            let other = move |n: u64| format!("{file}{}", n % 3);
            let apart = move |n: u64| format!("{file}{}", 3 + n % 3);
            let waits = slope(name, &chain(opcode, same, same));
            let goes_on = slope(name, &chain(opcode, other, apart));
            assert!(waits > goes_on, "{name}, {file}: {waits} and {goes_on}");
            // As for a vector register that only such an instruction writes, but for reading it from its bank.
            let vector = slope(name, &chain(opcode, |_| "R4".into(), |_| "R4".into()));
            assert!(
                waits <= vector && waits + 300 >= vector,
                "{name}, {file}: {waits}, as a vector register {vector}"
            );
        }
    }
}

#[test]
fn registers_of_one_number_in_two_files_are_two() {
    // Written in turn; read is what the instruction before wrote, if it is of that file.
    let turns = |dst: &'static str, src: &'static str| {
        let written = move |n: u64| format!("{dst}{}", n % 6);
        let read = move |n: u64| format!("{src}{}", (n + 5) % 6);
        chain("ISETP", written, read)
    };
    for name in MACHINES {
        let files = ["P", "UP", "B", "UR", "R"];
        for (dst, src) in files
            .into_iter()
            .flat_map(|dst| files.map(|src| (dst, src)))
        {
            let (found, same) = (slope(name, &turns(dst, src)), slope(name, &turns(dst, dst)));
            assert_eq!(found < same, dst != src, "{name}: {dst} and {src}");
        }
    }
}

#[test]
fn what_is_always_true_or_zero_is_never_waited_for() {
    for name in MACHINES {
        let nothing = slope(name, &|_, _| "ffffffff 0 ISETP 0 0 0".to_owned());
        for constant in ["PT", "UPT", "URZ"] {
            let named = move |_| constant.to_owned();
            let found = slope(name, &chain("ISETP", named, named));
            assert_eq!(found, nothing, "{name}: {constant}");
        }
    }
}

#[test]
fn load_into_a_uniform_register_is_waited_for_as_memory() {
    let body = |to: &'static str| {
        move |_: u64, n: u64| match n % 2 {
            0 => format!(
                "ffffffff 1 {to} LDG.E 1 R2 4 1 0x{:x} 4 0",
                0x7f00_0000_0000 + 4096 * n
            ),
            _ => format!("ffffffff 1 R6 IADD3 1 {to} 0 0"),
        }
    };
    for name in MACHINES {
        let vector = cycles(name, 1, 64, &body("R4"));
        let uniform = cycles(name, 1, 64, &body("UR4"));
        let nobody = cycles(name, 1, 64, &body("URZ"));
        assert!(nobody * 3 < uniform, "{name}: {nobody} and {uniform}");
        assert!(
            uniform.abs_diff(vector) * 20 < vector,
            "{name}: {uniform} and {vector}"
        );
    }
}

#[test]
fn stalls_by_instruction_name_what_is_waited_for() {
    let machine = GpuMachine::preset("rtx3070").expect("bundled").cut(1, 2);
    let body = chain("ISETP", |_| "P2".into(), |_| "UR7".into());
    let options = ReplayOptions {
        stalls: true,
        ..ReplayOptions::default()
    };
    let text = super::trace(1, 1, 4, 86, &body);
    let result = replay(&machine, &text, &options).expect("it runs");
    let found = format!("{:?}", result.stalls);
    assert!(found.contains("ISETP P2, UR7"), "{found}");
}

#[test]
fn store_that_names_a_destination_does_not_hold_up_its_warp() {
    let machine = GpuMachine::preset("qv100").expect("bundled").cut(1, 2);
    let body = |_: u64, n: u64| match n % 2 {
        0 => "ffffffff 2 UR4 R6 STS 2 R2 R3 4 1 0x7efe00000000 4 0".to_owned(),
        _ => "ffffffff 1 R6 IADD3 1 UR4 0 0".to_owned(),
    };
    let text = super::trace(1, 1, 16, 70, &body);
    let result = replay(&machine, &text, &ReplayOptions::default()).expect("it runs");
    assert_eq!(result.sm.warp_instructions, 18);
}
