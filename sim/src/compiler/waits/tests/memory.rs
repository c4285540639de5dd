//! Variables that a compiler without optimisation keeps in memory.

use super::{Scope, found};
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::Waits;
use crate::kernel::text;

/// `%a4` is the address of 32 bytes of the thread's own memory, as of any memory; it is one line.
const STACK: &str = ".local .align 8 .b8 stack[32]; mov.u64 %a4, stack; cvta.local.u64 %a4, %a4; st.u32 [%a4], 0; \
                     st.u32 [%a4+8], %r2; st.u64 [%a4+16], %a1;\n";

fn found_with_stack(body: &str) -> Option<(u32, Scope, bool)> {
    found(&format!("{STACK}{body}"))
}

#[test]
fn a_counter_in_memory_is_one_as_in_a_register() {
    let loops = [
        // As clang -O0 writes `for (i = 0; i < n; i++)`: the bound is read in each round and not stored.
        "W: ld.u32 %r4, [%a4];\nld.u32 %r5, [%a4+8];\nsetp.ge.s32 %p1, %r4, %r5;\n@%p1 bra D;\n\
         ld.u32 %r6, [%a4];\nadd.s32 %r6, %r6, 1;\nst.u32 [%a4], %r6;\nbra W;\nD:",
        // Beside a flag.
        "W: ld.u32 %r4, [%a4];\nadd.s32 %r4, %r4, 1;\nst.u32 [%a4], %r4;\nsetp.ge.s32 %p1, %r4, %r2;\n@%p1 bra D;\n\
         ld.volatile.global.u32 %r5, [%a1];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra W;\nD:",
        // The address is made anew, twice, and the counter is stored together with something else.
        "W: add.u64 %a5, %a4, 12;\nld.u32 %r4, [%a5+-8];\nld.global.u32 %r5, [%a1];\nsetp.ge.s32 %p1, %r4, %r5;\n\
         @%p1 bra D;\nadd.s32 %r6, %r4, 1;\nadd.u64 %a6, %a4, 12;\nst.v2.u32 [%a6+-12], {%r2, %r6};\nbra W;\nD:",
        // It counts in some rounds, by what is no counter.
        "W: ld.u32 %r4, [%a4];\nld.global.u32 %r5, [%a1];\nsetp.ge.s32 %p1, %r4, %r5;\n@%p1 bra D;\n\
         setp.ne.u32 %p2, %r1, 3;\n@%p2 add.s32 %r4, %r4, 1;\nst.u32 [%a4], %r4;\nbra W;\nD:",
        // A list up to where another pointer in memory says.
        "W: ld.u64 %a5, [%a4];\nld.u64 %a6, [%a4+16];\nsetp.eq.u64 %p1, %a5, %a6;\n@%p1 bra D;\n\
         ld.u64 %a7, [%a5+8];\nst.u64 [%a4], %a7;\nbra W;\nD:",
        // What is stored depends on the time.
        "W: ld.u32 %r4, [%a4];\nld.global.u32 %r5, [%a1];\nsetp.ge.u32 %p1, %r4, %r5;\n@%p1 bra D;\n\
         mov.u32 %r6, %clock;\nst.u32 [%a4], %r6;\nbra W;\nD:",
    ];
    for body in loops {
        assert_eq!(found_with_stack(body), None, "{body}");
    }
}

/// The counter changes in each round, but does not lead out.
#[test]
fn a_spin_that_counts_its_rounds_in_memory_is_found() {
    let flag = "W: ld.u32 %r6, [%a4];\nadd.u32 %r6, %r6, 1;\nst.u32 [%a4], %r6;\n\
                ld.volatile.global.u32 %r4, [%a1];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found_with_stack(flag), Some((4, Scope::Grid, false)));
    // The barrier of a grid, with a pause in each round as long as the counter says.
    let barrier = "W: ld.u32 %r6, [%a4];\nshl.b32 %r6, %r6, 1;\nst.u32 [%a4], %r6;\n\
                   P: sub.u32 %r6, %r6, 1;\nsetp.gt.s32 %p2, %r6, 0;\n@%p2 bra P;\n\
                   atom.global.add.u32 %r4, [%a1], 0;\nld.u32 %r5, [%a4+8];\nsetp.lt.u32 %p1, %r4, %r5;\n@%p1 bra W;";
    assert_eq!(found_with_stack(barrier), Some((7, Scope::Grid, false)));
    let lock = "W: ld.u32 %r6, [%a4];\nadd.u32 %r6, %r6, 1;\nst.u32 [%a4], %r6;\n\
                atom.global.cas.b32 %r4, [%a1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found_with_stack(lock), Some((4, Scope::Grid, true)));
}

/// What is stored and read again leads out together with a flag, but it does not count.
#[test]
fn what_is_stored_anew_and_does_not_count_leaves_a_wait_one() {
    let flag = |line, rest: &str| {
        let body = format!(
            "{rest}\nld.volatile.global.u32 %r4, [%a1];\nsetp.lt.u32 %p1, %r4, %r7;\n@%p1 bra W;"
        );
        assert_eq!(
            found_with_stack(&body),
            Some((line, Scope::Grid, false)),
            "{body}"
        );
    };
    // It begins again in each round.
    flag(
        6,
        "W: st.u32 [%a4], 0;\nld.u32 %r6, [%a4];\nadd.u32 %r6, %r6, 1;\nst.u32 [%a4], %r6;\nld.u32 %r7, [%a4];",
    );
    // It is stored back.
    flag(3, "W: ld.u32 %r7, [%a4];\nst.u32 [%a4], %r7;");
    // What counts lies beside it.
    flag(
        5,
        "W: ld.u32 %r7, [%a4+4];\nld.u32 %r6, [%a4];\nadd.u32 %r6, %r6, 1;\nst.v2.u32 [%a4], {%r6, %r2};",
    );
}

/// `while (!done && !stop)`, where `done` says that the lock was taken and lies in memory, with or without the lock's address.
#[test]
fn a_lock_whose_success_is_written_down_leaves_a_wait_one() {
    for address in ["mov.u64 %a5, %a1;", "ld.u64 %a5, [%a4+16];"] {
        let body = format!(
            "W: {address}\natom.global.cas.b32 %r4, [%a5], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra B;\n\
             atom.global.exch.b32 %r6, [%a5], 0;\nst.u32 [%a4], 1;\n\
             B: ld.u32 %r7, [%a4];\nld.volatile.global.u32 %r8, [%a1+8];\nor.b32 %r7, %r7, %r8;\n\
             setp.eq.u32 %p2, %r7, 0;\n@%p2 bra W;"
        );
        assert_eq!(
            found_with_stack(&body),
            Some((8, Scope::Grid, false)),
            "{body}"
        );
    }
}

/// One register, but not one address: the thread does not store where it reads.
#[test]
fn a_store_at_another_address_in_the_same_register_is_not_that_of_the_flag() {
    let body = "W: add.u64 %a5, %a1, 8;\nld.volatile.global.u32 %r4, [%a5];\nadd.u64 %a5, %a1, 16;\n\
                st.global.u32 [%a5], %r1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found(body), Some((1, Scope::Grid, false)));
}

/// Kernels with registers that were spilled: places of the thread's own memory at fixed addresses, which are as registers.
fn found_with_spills(body: &str) -> bool {
    let text = format!(
        ".kernel k;\n.regs architected 32, 2;\n.local 16;\n.param u64 x, offset 0, size 8, align 8;\nentry:\n    ld.param.u64 r0:1, [0];\n    \
         st.local.u64 [0], r0:1;\n    mov.u32 r6, 0;\n    st.local.u32 [8], r6;\n{body}done:\n    exit;\n"
    );
    let kernel = text::parse(&text, "k").unwrap();
    let cfg = Cfg::new(&kernel).unwrap();
    Waits::of(&kernel, &cfg).widest().is_some()
}

#[test]
fn a_register_that_was_spilled_hides_no_wait_and_no_counter() {
    // The flag, and where it lies.
    assert!(found_with_spills(
        "loop:\n    ld.local.u64 r2:3, [0];\n    ld.global.u32 r4, [r2:3];\n    st.local.u32 [12], r4;\n    ld.local.u32 r5, [12];\n    \
         setp.eq.u32 p0, r5, 0;\n    @p0 bra loop;\n"
    ));
    // Rounds are counted, and do not lead out.
    assert!(found_with_spills(
        "loop:\n    ld.local.u32 r6, [8];\n    add.u32 r6, r6, 1;\n    st.local.u32 [8], r6;\n    ld.global.u32 r4, [r0:1];\n    \
         st.local.u32 [12], r4;\n    ld.local.u32 r5, [12];\n    setp.eq.u32 p0, r5, 0;\n    @p0 bra loop;\n"
    ));
    // They lead out.
    assert!(!found_with_spills(
        "loop:\n    ld.local.u32 r6, [8];\n    add.u32 r6, r6, 1;\n    st.local.u32 [8], r6;\n    ld.global.u32 r4, [r0:1];\n    \
         ld.local.u32 r5, [8];\n    setp.lt.u32 p0, r5, r4;\n    @p0 bra loop;\n"
    ));
    // A list, by a pointer that was spilled.
    assert!(!found_with_spills(
        "loop:\n    ld.local.u64 r2:3, [0];\n    ld.global.u64 r2:3, [r2:3];\n    st.local.u64 [0], r2:3;\n    \
         setp.ne.u64 p0, r2:3, 0;\n    @p0 bra loop;\n"
    ));
}
