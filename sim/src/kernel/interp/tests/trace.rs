//! What one thread runs.

use super::super::{InterpError, LaunchDims, Options, ThreadTrace, TraceEnd, trace_thread};
use crate::compiler::liveness::Point;
use crate::kernel::{BlockId, text};
use crate::memory::image::MemoryImage;

/// Each thread goes through `body` as often as its number in the CTA says, and once more.
const LOOP: &str = "
.kernel turns;
.regs architected 2, 1;
entry:
    mov.u32 r0, %tid.x;
    mov.u32 r1, 0;
body:
    setp.ge.u32 p0, r1, r0;
    add.u32 r1, r1, 1;
@!p0 bra body;
end:
    exit;
";

fn trace(source: &str, thread: u64) -> Result<ThreadTrace, InterpError> {
    let kernel = text::parse(source, "test").unwrap();
    let dims = LaunchDims {
        grid: [3, 2, 1],
        block: [40, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    let options = Options {
        step_limit: 1_000_000,
        ..Options::default()
    };
    let mut memory = MemoryImage::new();
    trace_thread(&kernel, &dims, &[], &mut memory, thread, &options)
}

fn blocks(trace: &ThreadTrace) -> Vec<(u32, usize)> {
    let place = |point: &Point| (point.block.0, point.inst);
    trace.points.iter().map(place).collect()
}

#[test]
fn thread_runs_its_own_turns_of_a_loop_and_not_those_of_its_warp() {
    let entry = [(0, 0), (0, 1)];
    let turn = [(1, 0), (1, 1), (1, 2)];
    for (thread, turns) in [(0, 1), (2, 3), (33, 34), (40 * 5 + 1, 2)] {
        let traced = trace(LOOP, thread).unwrap();
        let wanted = [&entry[..], &turn.repeat(turns), &[(2, 0)]].concat();
        assert_eq!(blocks(&traced), wanted, "thread {thread}");
        assert_eq!(traced.end, TraceEnd::Exited);
    }
}

#[test]
fn thread_that_the_grid_does_not_have_is_refused_with_those_it_has() {
    let error = trace(LOOP, 240).unwrap_err();
    assert!(error.to_string().contains("0 to 239"), "{error}");
}

#[test]
fn trace_of_a_run_that_fails_ends_at_the_failure() {
    let traced = trace(&LOOP.replace("    exit;", "    trap;\n    exit;"), 0).unwrap();
    assert_eq!(blocks(&traced).last(), Some(&(2, 0)));
    assert!(matches!(
        traced.end,
        TraceEnd::Failed(InterpError::Trap { .. })
    ));
}

#[test]
fn trace_of_an_endless_loop_is_cut() {
    let endless = LOOP.replace("@!p0 bra body;", "bra body;");
    let traced = trace(&endless, 0).unwrap();
    assert!(matches!(
        traced.end,
        TraceEnd::Failed(InterpError::StepLimit { .. })
    ));
    let last = traced.points.last().unwrap();
    assert_eq!(last.block, BlockId(1));
}
