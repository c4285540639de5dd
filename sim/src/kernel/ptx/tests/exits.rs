//! Threads that end in functions, inlined and with calls kept.

use super::indirect::kept;
use super::{file, run_words};
use crate::compiler::calls::Saves;

/// Stores 1, and what the function gives if the thread comes back.
const BODY: &str = "
    .reg .b64 %out; .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u64 %out, [out];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %out, %r0, 4, %out;
    mov.u32 %r1, 1;
    st.global.u32 [%out], %r1;
    setp.gt.u32 %p0, %r0, 23;
    @%p0 bra SKIP;
    { .param .b32 p; .param .b32 q; st.param.b32 [p], %r0; call (q), f, (p); ld.param.b32 %r1, [q]; }
SKIP:
    activemask.b32 %r2;
    popc.b32 %r2, %r2;
    mad.lo.u32 %r1, %r2, 1000, %r1;
    st.global.u32 [%out], %r1;
    ret;";

/// What 32 threads store if `inside` is in `f`, which counts in `%a1` who votes, inlined and kept.
fn stored(inside: &str) -> Vec<u32> {
    let function = format!(
        ".func (.param .b32 r) f(.param .b32 n) {{
            .reg .b32 %a<4>; .reg .pred %p<3>;
            ld.param.u32 %a0, [n];
            and.b32 %a1, %a0, 1;
            setp.eq.u32 %p1, %a1, 0;
            and.b32 %a1, %a0, 2;
            setp.eq.u32 %p2, %a1, 0;
            mov.u32 %a1, 0;
            {inside}
            st.param.b32 [r], %a1;
            ret;
        }}\n"
    );
    let source = file(&function, BODY);
    let words = run_words(&source, 32, 32);
    for saves in [Saves::LocalMemory, Saves::RegisterStack] {
        assert_eq!(kept(&source, saves).unwrap(), words, "{saves:?}\n{source}");
    }
    words
}

#[test]
fn votes_behind_a_nested_exit_see_all_lanes_that_live() {
    let exits = [
        "@%p1 bra Y; @%p2 bra X; exit; X: add.u32 %a0, %a0, 1; Y:",
        "@%p1 bra Y; @!%p2 exit; add.u32 %a0, %a0, 1; Y:",
        "@%p1 bra Y; @%p2 bra X; add.u32 %a0, %a0, 1; bra END; X: add.u32 %a0, %a0, 1; Y:",
    ];
    for exit in exits {
        let end = if exit.contains("END") {
            "bra OUT; END: exit; OUT:"
        } else {
            ""
        };
        let words = stored(&format!(
            "{exit} activemask.b32 %a1; popc.b32 %a1, %a1; {end}"
        ));
        for (word, thread) in words.into_iter().zip(0..32) {
            // Of 24 that call, a quarter ends; with those that do not call they are 26.
            let expected = match (thread > 23, thread & 3 == 3) {
                (true, _) => 26_001,
                (false, true) => 1,
                (false, false) => 26_018,
            };
            assert_eq!(word, expected, "{exit}: thread {thread}");
        }
    }
}

#[test]
fn a_call_from_which_nobody_comes_back_leaves_the_others_of_the_warp() {
    for exit in ["exit;", "setp.eq.u32 %p1, %a0, %a0; @%p1 exit;"] {
        for (word, thread) in stored(exit).into_iter().zip(0..) {
            assert_eq!(word, if thread > 23 { 8001 } else { 1 }, "thread {thread}");
        }
    }
}
