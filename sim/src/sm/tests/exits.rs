//! Threads that end in functions, on register stacks: whoever goes on finds the registers of its caller.

use super::stacks::{WATERMARKS, plan, run_ok, run_plan, text, tight};
use super::support::{launch, words};
use regshare_hw::manager::Backend;

/// Of warp 0 only lanes with bit 3 call, warp 1 as a whole: two calls deep; `ENDS` is where threads end. The barrier is for
/// those that are left.
const TWO_DEEP: &str = "
entry:
    ld.param.u64 r4:5, [0];
    mov.u32 r6, %tid.x;
    mad.wide.u32 r4:5, r6, 4, r4:5;
    mul.lo.u32 r16, r6, 3;
    mul.lo.u32 r17, r6, 5;
    and.b32 r8, r6, 40;
    setp.eq.u32 p0, r8, 0;
@p0 bra after;
calls:
    call outer;
after:
    bar.sync 0;
    add.u32 r7, r16, r17;
    st.global.u32 [r4:5], r7;
    exit;
outer:
    push r16;
    push r17;
    mov.u32 r16, 1;
    mov.u32 r17, 2;
    call inner;
    pop r17;
    pop r16;
    ret;
inner:
    push r16;
    add.u32 r16, r6, 1000;
    st.global.u32 [r4:5], r16;
    ENDS
    pop r16;
    ret;
";

/// By parity of the thread's number, in a block of its own or under a guard.
const ODD_IN_A_BLOCK: &str = "and.b32 r8, r6, 1;
    setp.ne.u32 p1, r8, 0;
@p1 bra ends;
stays:
    bra goes_on;
ends:
    exit;
goes_on:";
/// The same for lanes without bit 1; the others go on at once.
const NESTED: &str = "and.b32 r8, r6, 2;
    setp.ne.u32 p1, r8, 0;
@p1 bra goes_on;
nested:
    and.b32 r8, r6, 1;
    setp.eq.u32 p1, r8, 0;
@p1 bra goes_on;
ends:
    exit;
goes_on:";
const ODD_GUARDED: &str = "and.b32 r8, r6, 1;
    setp.ne.u32 p1, r8, 0;
@p1 exit;";

#[test]
fn who_goes_on_finds_its_registers_whoever_ends_in_a_call() {
    type Ends = fn(u32) -> bool;
    let cases: [(&str, Ends); 5] = [
        ("exit;", |_| true),
        ("setp.eq.u32 p1, r6, r6;\n@p1 exit;", |_| true),
        (ODD_IN_A_BLOCK, |thread| thread % 2 == 1),
        (ODD_GUARDED, |thread| thread % 2 == 1),
        (NESTED, |thread| thread % 4 == 1),
    ];
    for (ends, is_end) in cases {
        let kernel = text(&TWO_DEEP.replace("ENDS", ends));
        let mut plans: Vec<_> = WATERMARKS.map(|w| plan(&kernel, 64, w)).into();
        // Nothing but the frame in control has room.
        plans.push(tight(&kernel, 3));
        for plan in plans {
            let result = run_ok(&plan, &launch(1, 64));
            for (word, thread) in words(&result, 64).into_iter().zip(0..) {
                let expected = match thread & 40 != 0 && is_end(thread) {
                    true => 1000 + thread,
                    false => 8 * thread,
                };
                assert_eq!(word, expected, "{ends}: thread {thread}");
            }
            let calls = result.counters.calls;
            assert_eq!((calls.calls, calls.returns), (4, 4), "{ends}");
        }
    }
}

/// Warp 0 gets back what it had saved, because lanes of it go on; warp 1 ends with it.
#[test]
fn what_a_full_stack_saved_comes_back_for_the_caller_alone() {
    let kernel = text(&TWO_DEEP.replace("ENDS", "exit;"));
    let plan = tight(&kernel, 3);
    let [model, rtl, lockstep] = [Backend::Model, Backend::Rtl, Backend::Lockstep]
        .map(|backend| run_plan(&plan, &launch(1, 64), backend).unwrap());
    let calls = model.counters.calls;
    assert!(calls.spilled_packs > 0, "{calls:?}");
    assert_eq!(calls.spilled_packs, 2 * calls.filled_packs, "{calls:?}");
    assert_eq!(model.counters, rtl.counters);
    assert_eq!(model.counters, lockstep.counters);
    assert_eq!(words(&model, 64), words(&rtl, 64));
}

/// One lane after the other calls, recurses as deep as its number is large, and ends there.
const ONE_BY_ONE: &str = "
entry:
    ld.param.u64 r4:5, [0];
    mov.u32 r6, %tid.x;
    mad.wide.u32 r4:5, r6, 4, r4:5;
    and.b32 r9, r6, 31;
    mov.u32 r16, 0;
    mov.u32 r17, 77;
loop:
    setp.ne.u32 p0, r9, r16;
@p0 bra skip;
calls:
    mov.u32 r10, r16;
    call fun;
skip:
    add.u32 r16, r16, 1;
    setp.lt.u32 p0, r16, 31;
@p0 bra loop;
rest:
    st.global.u32 [r4:5], r17;
    exit;
fun:
    push r16;
    push r17;
    add.u32 r16, r10, r6;
    mov.u32 r17, r10;
    setp.eq.u32 p0, r10, 0;
@p0 bra ends;
deeper:
    sub.u32 r10, r10, 1;
    call fun;
    pop r17;
    pop r16;
    ret;
ends:
    st.global.u32 [r4:5], r16;
    exit;
";

#[test]
fn lanes_that_end_one_by_one_leave_nothing_on_the_stack() {
    let kernel = text(ONE_BY_ONE);
    for packs in [3, 4, 7, 63] {
        for backend in [Backend::Model, Backend::Lockstep] {
            let result = run_plan(&tight(&kernel, packs), &launch(1, 64), backend)
                .unwrap_or_else(|error| panic!("{packs}: {error}"));
            for (word, thread) in words(&result, 64).into_iter().zip(0..) {
                let expected = if thread % 32 == 31 { 77 } else { thread };
                assert_eq!(word, expected, "{packs}: thread {thread}");
            }
            let calls = result.counters.calls;
            // 1 + 2 + ... + 31 of each warp.
            assert_eq!((calls.calls, calls.returns), (2 * 496, 2 * 496), "{packs}");
            assert_eq!(calls.spilled_packs, calls.filled_packs, "{packs}");
        }
    }
}
