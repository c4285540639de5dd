//! The static program.

use super::*;
use crate::kernel::text;

/// The kernel as text, without its head and line numbers.
fn printed(trace: &Trace) -> String {
    let text = text::print(&trace.lifted.kernel);
    let lines = text.lines().skip(3);
    let shown = lines.map(|line| line.split(" #").next().unwrap_or(line).trim_end());
    shown.fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn straight_code_is_one_block() {
    let trace = Trace::of_warp(&[
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 ffffffff 1 R2 IMAD.WIDE 2 R1 R1 0 0",
        "0020 ffffffff 1 R4 LDG.E.64 1 R2 8 1 0x100 8 0",
        "0030 ffffffff 0 BAR.SYNC 0 0 0",
        "0040 ffffffff 0 STG.E 2 R2 R5 4 1 0x100 4 0",
        "0050 ffffffff 0 EXIT 0 0 0",
    ]);
    assert_eq!(
        printed(&trace),
        "at_0000:\n    traced.int {r1};\n    traced.intmadwide {r2:3}, r1, r1;\n    traced.load.global.8 {r4:5}, r2:3;\n    \
         bar.sync 0;\n    traced.store.global.4 {}, r2:3, r5;\n    exit;\n"
    );
}

#[test]
fn sides_of_a_branch_follow_each_other_as_the_warp_ran_them() {
    let trace = Trace::of_warp(&[
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 0000ffff 0 BRA 0 0 0",
        "0020 ffff0000 1 R2 IADD3 1 R1 0 0",
        "0030 ffff0000 0 BRA 0 0 0",
        "0040 0000ffff 1 R2 IADD3 1 R1 0 0",
        "0050 ffffffff 0 STG.E 2 R1 R2 4 1 0x100 4 0",
        "0060 ffffffff 0 EXIT 0 0 0",
    ]);
    // What the first side wrote is still needed when the second one writes its lanes.
    assert_eq!(
        printed(&trace),
        "at_0000:\n    traced.int {r1};\n    traced.issue {};\n    traced.int {r2}, r1;\n    traced.issue {};\n\
         @p0 traced.int {r2}, r1;\n    traced.store.global.4 {}, r1, r2, r2;\n    exit;\n"
    );
}

#[test]
fn result_that_leaves_lanes_without_need_is_not_guarded() {
    let trace = Trace::of_warp(&[
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 0000ffff 1 R1 IADD3 1 R1 0 0",
        "0020 0000ffff 0 ISETP 1 R1 0 0",
        "0030 ffffffff 1 R1 S2R 0 0 0",
        "0040 00000000 1 R1 S2R 0 0 0",
        "0050 ffffffff 0 ISETP 1 R1 0 0",
        "0060 ffffffff 0 EXIT 0 0 0",
    ]);
    let guards: Vec<bool> = (trace.lifted.kernel.blocks[0].insts.iter())
        .map(|inst| inst.guard.is_some())
        .collect();
    assert_eq!(guards, [false, false, false, false, true, false, false]);
}

#[test]
fn every_way_on_has_a_branch_and_exits_that_not_all_take_are_guarded() {
    let lines = [
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 0000000f 0 EXIT 0 0 0",
        "0020 fffffff0 0 BRA 0 0 0",
        "0010 00000000 0 EXIT 0 0 0",
        "0020 fffffff0 0 BRA 0 0 0",
        "0000 fffffff0 1 R1 S2R 0 0 0",
        "0010 fffffff0 0 EXIT 0 0 0",
    ];
    let trace = Trace::of_warp(&lines);
    assert_eq!(
        printed(&trace),
        "start:\n    bra at_0000;\nat_0000:\n    traced.int {r1};\nat_0010:\n@p0 exit;\n    traced.issue {};\n\
         @p0 bra at_0000;\nat_0010_1:\n    bra at_0010;\n"
    );
    trace.run("baseline", &RunOptions::default());
}

#[test]
fn wide_instruction_is_refused_with_its_place() {
    let lines = [
        "0000 ffffffff 1 R0 IADD3 6 R1 R2 R3 R4 R5 R6 0 0",
        "0010 ffffffff 0 EXIT 0 0 0",
    ];
    let text = head([1, 1, 1], 32, 40) + &cta("0,0,0", &[lines]);
    let mut source = reader(&text);
    let header = source.header().clone();
    let error = lift(&mut source, &header, Path::new("k.traceg")).unwrap_err();
    let told = error.to_string();
    assert!(told.starts_with("k.traceg: IADD3 at 0x0000"), "{told}");
}

#[test]
fn text_form_of_a_lifted_kernel_is_read_back() {
    let trace = Trace::of_warp(&[
        "0000 ffffffff 1 R1 LDG.E.128 1 R2 16 1 0x100 16 0",
        "0010 0000ffff 0 BRA 0 0 0",
        "0000 0000ffff 1 R1 LDG.E.128 1 R2 16 1 0x100 16 0",
        "0020 ffffffff 0 EXIT 0 0 0",
    ]);
    let kernel = &trace.lifted.kernel;
    let again = text::parse(&text::print(kernel), "k").expect("parses");
    assert_eq!(text::print(&again), text::print(kernel));
}
