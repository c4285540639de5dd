//! Traces of single instructions, as one wrote them by hand, against the distances that Accel-Sim (dev 73f9fac) reports for
//! them; and laws that hold whatever the numbers are.

mod barriers;
mod exact;
mod kernels;
mod laws;
mod looping;
mod machines;
mod memory;
mod others;
mod slices;
mod stalls;
mod threads;
mod two_level;
mod watch;

use super::{Gpu, GpuMachine, KernelResult, ReplayError, ReplayOptions};
use crate::machine::SchedulerPolicy;
use crate::trace::{KernelReader, ReadOptions};
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

const GLOBAL: u64 = 0x7f00_0000_0000;
const SHARED: u64 = 0x7efe_0000_0000;

/// The lines of one warp.
type Body = dyn Fn(u64, u64) -> String;

/// A kernel of `ctas` CTAs with `warps` warps; `body(warp of the grid, n)` is the n-th of `count` instructions.
fn trace(ctas: u64, warps: u64, count: u64, binary: u32, body: &Body) -> String {
    let mut text = format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = ({ctas},1,1)\n-block dim = ({},1,1)\n-shmem = 4096\n-nregs = 64\n\
         -binary version = {binary}\n-cuda stream id = 0\n-shmem base_addr = {SHARED:#018x}\n-local mem base_addr = \
         0x00007efd00000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n\n",
        warps * 32
    );
    for cta in 0..ctas {
        let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
        for warp in 0..warps {
            let _ = write!(
                text,
                "\nwarp = {warp}\ninsts = {}\n0000 ffffffff 1 R0 S2R 0 0 0 \n",
                count + 2
            );
            for n in 0..count {
                let _ = writeln!(
                    text,
                    "{:04x} {} ",
                    16 * (n + 1),
                    body(cta * warps + warp, n)
                );
            }
            let _ = writeln!(text, "{:04x} ffffffff 0 EXIT 0 0 0 ", 16 * (count + 1));
        }
        text.push_str("\n#END_TB\n");
    }
    text
}

fn replay(
    machine: &GpuMachine,
    text: &str,
    options: &ReplayOptions,
) -> Result<KernelResult, ReplayError> {
    let source = Box::new(Cursor::new(text.to_owned().into_bytes()));
    let mut reader = KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default())?;
    Gpu::new(machine).run(&mut reader, options)
}

/// One SM with two channels of that machine, with an instruction cache that always hits.
fn one_sm(name: &str) -> (GpuMachine, u32) {
    let mut machine = GpuMachine::preset(name).expect("bundled").cut(1, 2);
    machine.icache = None;
    (machine, if name == "rtx3070" { 80 } else { 70 })
}

fn cycles(name: &str, warps: u64, count: u64, body: &Body) -> u64 {
    let (machine, binary) = one_sm(name);
    let text = trace(1, warps, count, binary, body);
    let result = replay(&machine, &text, &ReplayOptions::default());
    result.expect("it runs").cycles
}

/// Cycles per instruction of one warp, in hundredths.
fn slope(name: &str, body: &Body) -> u64 {
    ((cycles(name, 1, 256, body) - cycles(name, 1, 64, body)) * 100 + 96) / 192
}

fn plain(opcode: &'static str, srcs: &'static str) -> impl Fn(u64, u64) -> String {
    move |_, _| format!("ffffffff 1 R4 {opcode} {srcs} 0 0")
}

fn independent(opcode: &'static str, srcs: &'static str) -> impl Fn(u64, u64) -> String {
    move |_, n| format!("ffffffff 1 R{} {opcode} {srcs} 0 0", 4 + n % 16)
}

fn load(opcode: &'static str, step: u64) -> impl Fn(u64, u64) -> String {
    move |_, n| {
        format!(
            "ffffffff 1 R4 {opcode} 1 R4 4 1 {:#x} 4 0",
            GLOBAL + n * step
        )
    }
}

/// The three machines' distances, in hundredths of a cycle, must be these, but for a twentieth of a cycle.
fn distances(body: &Body, expected: [u64; 3]) {
    let found = ["qv100", "rtx3070", "gtx480"].map(|name| slope(name, body));
    let close =
        (found.iter().zip(&expected)).all(|(found, expected)| found.abs_diff(*expected) <= 5);
    assert!(close, "{found:?}, on the peer {expected:?}");
}

#[test]
fn dependent_arithmetic_is_as_far_apart_as_on_the_peer() {
    distances(&plain("FFMA", "3 R4 R5 R6"), [700, 700, 800]);
    distances(&plain("IMAD", "3 R4 R5 R6"), [700, 700, 800]);
    distances(&plain("MUFU.RCP", "1 R4"), [2500, 2600, 2600]);
    distances(&plain("DFMA", "3 R4 R6 R8"), [1300, 7000, 1400]);
}

#[test]
fn independent_arithmetic_issues_as_often_as_on_the_peer() {
    distances(&independent("FFMA", "3 R20 R21 R22"), [226, 125, 150]);
    distances(&independent("IMAD", "3 R20 R21 R22"), [226, 226, 150]);
    distances(&independent("MUFU.RCP", "1 R20"), [889, 894, 884]);
    distances(&independent("FFMA", "3 R20 R36 R52"), [228, 175, 306]);
}

#[test]
fn barriers_and_branches_take_what_they_take_on_the_peer() {
    distances(
        &|_, _| "ffffffff 0 BAR.SYNC 0 0 0".to_owned(),
        [100, 100, 150],
    );
    distances(&|_, _| "ffffffff 0 BRA 0 0 0".to_owned(), [400, 400, 150]);
}

#[test]
fn scratchpad_takes_a_cycle_more_for_each_further_word_of_a_bank() {
    let stride = |bytes: u64| {
        move |_: u64, _: u64| format!("ffffffff 1 R4 LDS.U 1 R4 4 1 {SHARED:#x} {bytes} 0")
    };
    distances(&stride(4), [2500, 3400, 3200]);
    distances(&stride(8), [2600, 3500, 3300]);
    distances(&stride(128), [5600, 6500, 6300]);
}

#[test]
fn dependent_loads_are_as_far_apart_as_on_the_peer() {
    distances(&load("LDG.E.SYS", 0), [2400, 4300, 4000]);
    distances(&load("LDG.E.STRONG.GPU", 0), [17500, 20200, 13600]);
    distances(&load("LDG.E.SYS", 128), [32388, 51049, 28947]);
    distances(&load("LDG.E.SYS", 4096), [33883, 51762, 29375]);
}

#[test]
fn warps_share_the_units_as_on_the_peer() {
    let body = independent("IMAD", "3 R20 R21 R22");
    let found = [4, 8, 16, 32].map(|warps| cycles("qv100", warps, 128, &body));
    assert_eq!(found, [297, 556, 1074, 2080]);
    let body = plain("FFMA", "3 R4 R5 R6");
    let found = [4, 8, 16, 32].map(|warps| cycles("qv100", warps, 128, &body));
    assert_eq!(found, [901, 904, 1037, 2700]);
}

/// Loads, stores, scratchpad, barriers and arithmetic mixed, by a number per instruction.
fn mixed(warp: u64, n: u64) -> String {
    let dst = 4 + (warp * 7 + n * 5) % 24;
    let at = GLOBAL + (warp * 37 + n * 13) % 512 * 128;
    match (warp * 5 + n * 3) % 7 {
        0 => format!("ffffffff 1 R{dst} LDG.E.SYS 1 R2 4 1 {at:#x} 4 0"),
        1 => format!("0000ffff 0 STG.E.SYS 2 R2 R{dst} 4 1 {at:#x} 4 0"),
        2 => format!("ffffffff 1 R{dst} LDS.U 1 R3 4 1 {SHARED:#x} 8 0"),
        3 => format!("ffffffff 1 R{dst} ATOMG.E.ADD.STRONG.GPU 2 R2 R{dst} 4 1 {at:#x} 0 0"),
        4 => format!("ffffffff 1 R{dst} MUFU.RCP 1 R{dst} 0 0"),
        _ => format!("ffffffff 1 R{dst} FFMA 3 R{dst} R{} R30 0 0", 4 + n % 24),
    }
}

fn policies() -> [SchedulerPolicy; 4] {
    [
        SchedulerPolicy::Lrr,
        SchedulerPolicy::Gto,
        SchedulerPolicy::Oldest,
        SchedulerPolicy::TwoLevel(3),
    ]
}

#[test]
fn skipped_cycles_change_nothing() {
    for name in ["qv100", "rtx3070", "gtx480"] {
        for policy in policies() {
            let mut machine = GpuMachine::preset(name).expect("bundled").cut(3, 2);
            machine.chip.launch_latency = 17;
            let text = trace(7, 5, 40, if name == "rtx3070" { 80 } else { 70 }, &mixed);
            let options = |every_cycle| ReplayOptions {
                scheduler: Some(policy),
                every_cycle,
                ..ReplayOptions::default()
            };
            let skipping = replay(&machine, &text, &options(false)).expect("it runs");
            let mut whole = replay(&machine, &text, &options(true)).expect("it runs");
            assert!(skipping.simulated_sm_cycles <= whole.simulated_sm_cycles);
            whole.simulated_sm_cycles = skipping.simulated_sm_cycles;
            whole.simulated_channel_cycles = skipping.simulated_channel_cycles;
            assert_eq!(skipping, whole, "{name} {policy}");
        }
    }
}

#[test]
fn every_instruction_issues_once_and_every_cta_ends() {
    for policy in policies() {
        let machine = GpuMachine::preset("qv100").expect("bundled").cut(2, 2);
        let text = trace(9, 3, 25, 70, &mixed);
        let options = ReplayOptions {
            scheduler: Some(policy),
            ..ReplayOptions::default()
        };
        let result = replay(&machine, &text, &options).expect("it runs");
        assert_eq!(
            (result.sm.warp_instructions, result.sm.ctas),
            (9 * 3 * 27, 9)
        );
    }
}

#[test]
fn no_kernel_is_faster_than_its_busiest_unit() {
    // Four units take an instruction every two cycles.
    let body = independent("IMAD", "3 R20 R21 R22");
    let (machine, binary) = one_sm("qv100");
    let result = replay(
        &machine,
        &trace(2, 16, 100, binary, &body),
        &ReplayOptions::default(),
    );
    let result = result.expect("it runs");
    assert!(result.cycles >= 2 * 16 * 100 * 2 / 4, "{}", result.cycles);
}

#[test]
fn cta_that_does_not_fit_is_refused_with_what_it_lacks() {
    let mut machine = GpuMachine::preset("qv100").expect("bundled");
    machine.limits.registers = 1024;
    let error = replay(
        &machine,
        &trace(1, 4, 1, 70, &mixed),
        &ReplayOptions::default(),
    );
    let text = error.expect_err("too large").to_string();
    assert!(text.contains("8192 registers, an SM has 1024"), "{text}");
    assert!(text.contains("k.traceg"), "{text}");
}

#[test]
fn kernel_that_takes_too_long_is_stopped() {
    let machine = GpuMachine::preset("qv100").expect("bundled");
    let options = ReplayOptions {
        cycle_limit: Some(50),
        ..ReplayOptions::default()
    };
    let error = replay(&machine, &trace(1, 4, 90, 70, &mixed), &options);
    assert!(matches!(
        error,
        Err(ReplayError::CycleLimit { limit: 50, .. })
    ));
}

#[test]
fn barrier_that_a_warp_never_reaches_is_left_when_that_warp_has_ended() {
    let body = |warp: u64, n: u64| match (warp, n) {
        (0, 5) => "ffffffff 0 BAR.SYNC 0 0 0".to_owned(),
        _ => mixed(warp, n),
    };
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(1, 2);
    let result = replay(
        &machine,
        &trace(1, 2, 12, 70, &body),
        &ReplayOptions::default(),
    );
    assert!(result.is_ok());
}
