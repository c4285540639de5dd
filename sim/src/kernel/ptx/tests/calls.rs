//! Functions are inlined with the semantics of their parameters; what cannot be is refused.

use super::{file, kernel, module, run_words};
use crate::kernel::Op;
use crate::kernel::op::Space;

const PROLOGUE: &str = "
    .reg .b64 %out; .reg .b32 %r<10>; .reg .f32 %f<4>; .reg .pred %p;
    ld.param.u64 %out, [out];
    mov.u32 %r0, %tid.x;
";

/// What one thread stores from `%r1`.
fn run(functions: &str, body: &str) -> u32 {
    let body = format!("{PROLOGUE}{body}\nst.global.u32 [%out], %r1;\nret;");
    run_words(&file(functions, &body), 1, 1)[0]
}

fn refusal(functions: &str, body: &str) -> String {
    let module = module(&file(functions, &format!("{PROLOGUE}{body}\nret;")));
    let error = module.kernel("k").expect_err("must be refused");
    error.first().message.clone()
}

const ADD: &str = "
    .func (.param .b32 result) sum(.param .b32 a, .param .b32 b) {
        .reg .b32 %r<3>;
        ld.param.u32 %r0, [a];
        ld.param.u32 %r1, [b];
        add.u32 %r2, %r0, %r1;
        st.param.b32 [result+0], %r2;
        ret;
    }";

const CALL: &str = "
    { // as nvcc writes it
        .reg .b32 temp_param_reg;
        .param .b32 param0;
        st.param.b32 [param0+0], 30;
        .param .b32 param1;
        st.param.b32 [param1+0], %r2;
        .param .b32 retval0;
        call.uni (retval0), sum, (param0, param1);
        ld.param.b32 %r1, [retval0+0];
    }";

#[test]
fn parameters_and_results_pass_by_value() {
    assert_eq!(run(ADD, &format!("mov.u32 %r2, 12;{CALL}")), 42);
}

#[test]
fn scalar_parameters_become_registers() {
    let source = file(ADD, &format!("{PROLOGUE} mov.u32 %r2, 12;{CALL} ret;"));
    let kernel = kernel(&source);
    let local = kernel
        .blocks
        .iter()
        .flat_map(|block| &block.insts)
        .any(|inst| matches!(inst.op, Op::Ld(mem) | Op::St(mem) if mem.space == Space::Local));
    assert!(!local);
    assert_eq!((kernel.local_bytes, kernel.blocks.len()), (0, 1));
}

#[test]
fn each_call_has_registers_and_labels_of_its_own() {
    let functions = "
        .func (.reg .u32 %y) count(.reg .u32 %x) {
            .reg .pred %p;
            mov.u32 %y, 0;
            LOOP: add.u32 %y, %y, %x;
            sub.u32 %x, %x, 1;
            setp.ne.u32 %p, %x, 0;
            @%p bra LOOP;
            ret;
        }";
    let body = "
        mov.u32 %r5, 4;
        call (%r2), count, (%r5);
        call (%r3), count, (3);
        mad.lo.u32 %r1, %r2, 100, %r3;
        mad.lo.u32 %r1, %r5, 10000, %r1;";
    assert_eq!(run(functions, body), 41_006);
}

#[test]
fn a_guarded_call_is_skipped_by_the_other_lanes() {
    let body = "
        mov.u32 %r1, 1;
        setp.eq.u32 %p, %r0, 0;
        @!%p call (%r1), sum, (5, 6);
        @%p call (%r2), sum, (7, 8);
        add.u32 %r1, %r1, %r2;";
    assert_eq!(run(ADD, body), 16);
}

#[test]
fn structures_pass_in_pieces_and_overlapping_pieces_stay_in_memory() {
    let functions = "
        .func (.param .align 4 .b8 result[8]) swap(.param .align 4 .b8 s[8]) {
            .reg .b32 %r<3>; .reg .b16 %h;
            ld.param.b32 %r0, [s];
            ld.param.b16 %h, [s+4];
            cvt.u32.u16 %r1, %h;
            st.param.v2.b32 [result], {%r1, %r0};
            ret;
        }";
    let body = "
        { .param .align 4 .b8 s[8]; .param .align 4 .b8 r[8];
          st.param.b32 [s], 3;
          st.param.b32 [s+4], 0x10005;
          call (r), swap, (s);
          ld.param.b32 %r2, [r];
          ld.param.b32 %r3, [r+4];
          mad.lo.u32 %r1, %r2, 10, %r3; }";
    assert_eq!(run(functions, body), 53);
}

#[test]
fn a_parameter_whose_address_is_taken_lies_in_local_memory() {
    let functions = "
        .func (.param .b32 result) pick(.param .align 4 .b8 s[8], .param .b32 i) {
            .reg .b64 %rd<3>; .reg .b32 %r<3>;
            mov.b64 %rd0, s;
            ld.param.u32 %r0, [i];
            mad.wide.u32 %rd1, %r0, 4, %rd0;
            ld.param.u32 %r1, [%rd1];
            st.param.b32 [result], %r1;
            ret;
        }";
    let body = "
        { .param .align 4 .b8 s[8]; .param .b32 i; .param .b32 r;
          st.param.v2.b32 [s], {11, 22};
          st.param.b32 [i], 1;
          call (r), pick, (s, i);
          ld.param.b32 %r1, [r]; }";
    assert_eq!(run(functions, body), 22);
}

#[test]
fn scratchpad_of_a_function_is_one_for_all_its_calls() {
    let functions = "
        .func (.reg .u32 %old) swap(.reg .u32 %new) {
            .shared .u32 cell;
            ld.shared.u32 %old, [cell];
            st.shared.u32 [cell], %new;
            ret;
        }";
    assert_eq!(
        run(functions, "call (%r1), swap, (9); call (%r1), swap, (8);"),
        9
    );
}

#[test]
fn calls_that_cannot_be_inlined_are_refused() {
    let loops = ".func f() { call f; ret; }";
    assert!(refusal(loops, "call f;").contains("a recursive call, `f`"));
    let mutual = ".func g; .func f() { call g; ret; } .func g() { call f; ret; }";
    assert!(refusal(mutual, "call f;").contains("a recursive call"));
    let elsewhere = ".extern .func f;";
    assert!(refusal(elsewhere, "call f;").contains("no given file defines the function `f`"));
    assert!(refusal(ADD, "call (%r1), sum, (1);").contains("called with 1 arguments"));
}

#[test]
fn an_unsupported_function_spoils_only_the_kernels_that_call_it() {
    let functions =
        ".func f() { tex.1d.v4.f32.s32 {%f1}, [t, {%r}]; ret; }\n.entry other() { call f; ret; }";
    let module = module(&file(functions, "ret;"));
    assert!(module.kernel("k").is_ok());
    let error = module.kernel("other").expect_err("uses tex");
    assert_eq!(error.first().text, "tex");
}
