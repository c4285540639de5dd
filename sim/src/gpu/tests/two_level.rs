//! The two-level policy, and what it takes for a warp that waits for memory.

use super::{GLOBAL, one_sm, replay, trace};
use crate::gpu::ReplayOptions;
use crate::machine::SchedulerPolicy;

/// Cycles of one warp that loads R10 and then executes 64 instructions, `second` first.
fn cycles(policy: SchedulerPolicy, second: &str, others: &str) -> u64 {
    let (machine, binary) = one_sm("qv100");
    let (second, others) = (second.to_owned(), others.to_owned());
    let body = move |_, n| match n {
        0 => format!("ffffffff 1 R10 LDG.E.SYS 1 R2 4 1 {GLOBAL:#x} 4 0"),
        1 => format!("ffffffff 1 {second} 0 0"),
        _ => format!("ffffffff 1 R{} {others} 0 0", 4 + n % 4),
    };
    let text = trace(1, 1, 65, binary, &body);
    let options = ReplayOptions {
        scheduler: Some(policy),
        ..ReplayOptions::default()
    };
    replay(&machine, &text, &options).expect("it runs").cycles
}

#[test]
fn loaded_register_counts_as_awaited_until_another_instruction_has_written_it() {
    let loaded = "FFMA 3 R10 R11 R12";
    let other = "FFMA 3 R9 R11 R12";
    let of = |policy| {
        [
            cycles(policy, "R9 IADD3 3 R10 R11 R12", other),
            cycles(policy, "R10 IADD3 3 R9 R11 R12", loaded),
            cycles(policy, "R9 IADD3 3 R10 R11 R12", loaded),
        ]
    };
    // All three wait for the load once.
    let [free, written, kept] = of(SchedulerPolicy::Lrr);
    assert!(free.abs_diff(written) <= 8 && free.abs_diff(kept) <= 8);
    // A warp that reads the register leaves the ready queue after each instruction, and comes back when it is its turn among the
    // 16 slots: two go out in each cycle.
    let [free, written, kept] = of(SchedulerPolicy::TwoLevel(2));
    assert!(free.abs_diff(written) <= 8);
    assert!(kept > written + 63 * 4, "{kept} and {written}");
    // With room for all slots it is back at once.
    let [_, written, kept] = of(SchedulerPolicy::TwoLevel(16));
    assert!(kept.abs_diff(written) <= 8);
}
