//! Loops whose way out a function reads, over the registers of a linked program.

use super::*;
use crate::compiler::calls::{Saves, lower};

const FUNCTIONS: &str = "
.func (.param .b32 r) got(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    ld.volatile.global.u32 %r1, [%a1+4];
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) far(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    { .param .b64 x; .param .b32 y; st.param.b64 [x], %a1; call (y), got, (x); ld.param.b32 %r1, [y]; }
    add.u32 %r1, %r1, 1;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) twice(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    { .param .b64 x; .param .b32 y; st.param.b64 [x], %a1; call (y), got, (x); ld.param.b32 %r1, [y]; }
    { .param .b64 x; .param .b32 y; st.param.b64 [x], %a1; call (y), got, (x); ld.param.b32 %r2, [y]; }
    add.u32 %r1, %r1, %r2;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) taken(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    atom.global.cas.b32 %r1, [%a1], 0, 1;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) next(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    ld.global.u32 %r1, [%a1]; add.u32 %r1, %r1, 1; st.global.u32 [%a1], %r1;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) time(.param .b64 p) {
    .reg .b32 %r<4>;
    mov.u32 %r1, %clock;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) late(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    ld.volatile.global.u32 %r1, [%a1+4]; mov.u32 %r2, %clock; add.u32 %r1, %r1, %r2;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) leaves(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>; .reg .pred %p<2>;
    ld.param.u64 %a1, [p];
    ld.volatile.global.u32 %r1, [%a1+4]; setp.eq.u32 %p1, %r1, 9;
    @%p1 exit;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) own(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    ld.local.u32 %r1, [%a1];
    st.param.b32 [r], %r1; ret;
}
.func (.param .b32 r) noted(.param .b64 p) {
    .reg .b32 %r<4>; .reg .b64 %a<4>;
    ld.param.u64 %a1, [p];
    mov.u32 %r1, 0; st.local.u32 [%a1], %r1;
    st.param.b32 [r], %r1; ret;
}
.func (.param .b64 r) place(.param .b64 p) {
    .reg .b64 %a<4>;
    ld.param.u64 %a1, [p]; add.u64 %a1, %a1, 16;
    st.param.b64 [r], %a1; ret;
}
";

/// A call of a function over an address, into `%r4`.
fn call(function: &str, address: &str) -> String {
    format!(
        "{{ .param .b64 x; .param .b32 y; st.param.b64 [x], {address}; call (y), {function}, (x); ld.param.b32 %r4, [y]; }}\n"
    )
}

/// The text of the line of the widest wait of a kernel of `body`, with calls kept in either way, which must be the same.
fn waited(body: &str) -> Option<(String, Scope, bool)> {
    let source = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n{FUNCTIONS}\n.visible .entry k(.param .u64 p) {{\n\
         .reg .u32 %r<20>; .reg .u64 %a<9>; .reg .pred %p<6>;\n\
         ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 7; mov.u32 %r3, 0;\n{body}\nst.global.u32 [%a1+64], %r1; ret;\n}}"
    );
    let module =
        ptx::read(&source, "waits.ptx").unwrap_or_else(|error| panic!("{error}\n{source}"));
    let program = module.entries[0].program.clone().unwrap().unwrap();
    let [stack, memory] = [Saves::RegisterStack, Saves::LocalMemory].map(|saves| {
        let kernel = lower(&program, saves, &AllocOptions::default())
            .unwrap()
            .kernel;
        let waits = Waits::of(&kernel, &Cfg::new(&kernel).unwrap());
        let widest = waits.widest()?;
        let line = source.lines().nth(widest.line.0 as usize - 1).unwrap();
        Some((line.trim().to_owned(), widest.scope, widest.is_lock))
    });
    assert_eq!(stack, memory);
    stack
}

fn until(condition: &str) -> String {
    format!("setp.{condition} %p1, %r4, %r2;\n@%p1 bra W;\n")
}

#[test]
fn a_flag_that_a_function_reads_is_waited_for() {
    let read = "ld.volatile.global.u32 %r1, [%a1+4];".to_owned();
    // The last needs the registers for itself in which the kernel has the place, and puts them aside.
    for function in ["got", "far", "twice"] {
        let body = format!("W: {}{}", call(function, "%a1"), until("lt.u32"));
        assert_eq!(waited(&body), Some((read.clone(), Scope::Grid, false)));
    }
    // At a place that another function gives, the same each time.
    let place = "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %a1; call (y), place, (x); ld.param.b64 %a2, [y]; }\n";
    let body = format!("W: {place}{}{}", call("got", "%a2"), until("lt.u32"));
    assert_eq!(waited(&body), Some((read, Scope::Grid, false)));
}

/// Its address is in a register that functions leave as it was; what they give back is another.
#[test]
fn a_flag_is_waited_for_beside_calls_that_change_nothing() {
    let read = "ld.volatile.global.u32 %r5, [%a1+8];";
    for function in ["got", "far"] {
        let body = format!(
            "W: {}{read}\nadd.u32 %r3, %r3, %r4;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra W;\nadd.u32 %r1, %r1, %r3;",
            call(function, "%a1")
        );
        let waits = Some((read.to_owned(), Scope::Grid, false));
        assert_eq!(waited(&body), waits, "{function}");
    }
}

#[test]
fn a_lock_that_a_function_takes_is_one() {
    let body = format!(
        "W: {}setp.ne.u32 %p1, %r4, 0;\n@%p1 bra W;\n",
        call("taken", "%a1")
    );
    let take = "atom.global.cas.b32 %r1, [%a1], 0, 1;".to_owned();
    assert_eq!(waited(&body), Some((take, Scope::Grid, true)));
}

#[test]
fn what_a_function_changes_itself_is_not_waited_for() {
    for function in ["next", "time", "late", "leaves"] {
        let body = format!("W: {}{}", call(function, "%a1"), until("lt.u32"));
        assert_eq!(waited(&body), None, "{function}");
    }
    // Memory of the thread's own that is not the function's.
    for function in ["own", "noted"] {
        let body = format!(
            ".local .b32 here[4]; mov.u64 %a3, here;\nW: {}mov.u32 %r5, %r4;\n{}add.u32 %r4, %r4, %r5;\n{}",
            call(function, "%a3"),
            call("got", "%a1"),
            until("lt.u32")
        );
        assert_eq!(waited(&body), None, "{function}");
    }
    // Another place in each round; and a counter beside it.
    let along = format!(
        "W: add.u64 %a1, %a1, 4;\n{}{}",
        call("got", "%a1"),
        until("lt.u32")
    );
    assert_eq!(waited(&along), None);
    let counted = format!(
        "W: {}add.u32 %r3, %r3, 1;\nadd.u32 %r4, %r4, %r3;\n{}",
        call("got", "%a1"),
        until("lt.u32")
    );
    assert_eq!(waited(&counted), None);
    // The loop may store what it reads, itself or in a function.
    let stores = format!(
        "W: {}st.global.u32 [%a1+4], %r1;\nadd.u32 %r1, %r1, 1;\n{}",
        call("got", "%a1"),
        until("lt.u32")
    );
    assert_eq!(waited(&stores), None);
    let called = format!(
        "W: {}{}{}",
        call("next", "%a1"),
        call("got", "%a1"),
        until("lt.u32")
    );
    assert_eq!(waited(&called), None);
}
