//! A hand-written file, read and run: what arrives in memory.

use super::{file, run_words};

/// `out` in `%out`, the thread in `%t`, and the address of the thread's word in `%mine`.
const PROLOGUE: &str = "
    .reg .b64 %out, %mine, %rd<20>;
    .reg .b32 %t, %r<20>;
    .reg .b16 %h<8>;
    .reg .f32 %f<8>;
    .reg .pred %p<4>;
    ld.param.u64 %out, [out];
    cvta.to.global.u64 %out, %out;
    mov.u32 %t, %tid.x;
    mad.wide.u32 %mine, %t, 4, %out;
";

fn run(declarations: &str, body: &str, threads: u32, words: u64) -> Vec<u32> {
    run_words(
        &file(declarations, &format!("{PROLOGUE}{body}\nret;")),
        threads,
        words,
    )
}

#[test]
fn scratchpad_variables_pass_values_between_threads() {
    let words = run(
        ".shared .align 16 .b8 pad[20];\n.shared .u32 line[64];",
        "mov.u32 %r0, line;
         shl.b32 %r1, %t, 2;
         add.s32 %r0, %r0, %r1;
         mul.lo.s32 %r2, %t, 3;
         st.shared.u32 [%r0], %r2;
         bar.sync 0;
         xor.b32 %r1, %r1, 252;
         mov.u64 %rd0, line;
         cvta.shared.u64 %rd0, %rd0;
         cvt.u64.u32 %rd1, %r1;
         add.s64 %rd0, %rd0, %rd1;
         ld.u32 %r3, [%rd0];
         st.global.u32 [%mine], %r3;",
        64,
        64,
    );
    assert_eq!(
        words,
        (0..64)
            .map(|thread| (63 - thread) * 3)
            .collect::<Vec<u32>>()
    );
}

#[test]
fn module_variables_start_with_their_values() {
    let words = run(
        ".global .align 4 .b8 text[6] = {104, 101, 108, 108, 111};
         .const .f32 half = 0f3F000000;
         .global .s16 rows[2][3] = {{1, -2}, {3, 4, 5}};
         .global .u64 pointer = generic(half) + 0;
         .global .v2 .f32 pair = {1.0, 2.0};
         .global .u32 sum = (1 << 4 | 3) * (5 > 4 ? 2 : 9);",
        "ld.global.u8 %r0, [text+4];
         ld.const.f32 %f0, [half];
         ld.global.s16 %r1, [rows+2];
         ld.global.s16 %r2, [rows+6];
         ld.global.u64 %rd0, [pointer];
         ld.f32 %f1, [%rd0];
         ld.global.v2.f32 {_, %f2}, [pair];
         ld.global.u32 %r3, [sum];
         ld.global.s16 %r4, [rows+4];
         st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};
         st.global.v2.f32 [%out+16], {%f0, %f1};
         st.global.f32 [%out+24], %f2;
         st.global.u32 [%out+28], %r4;",
        1,
        8,
    );
    let bits = f32::to_bits;
    assert_eq!(
        words,
        [
            111,
            -2_i32 as u32,
            3,
            38,
            bits(0.5),
            bits(0.5),
            bits(2.0),
            0
        ]
    );
}

#[test]
fn stores_reach_module_variables() {
    let words = run(
        ".global .u32 counter = 5;",
        "atom.global.add.u32 %r0, [counter], 2;
         ld.global.u32 %r1, [counter];
         st.global.v2.u32 [%out], {%r0, %r1};",
        1,
        2,
    );
    assert_eq!(words, [5, 7]);
}

#[test]
fn carries_run_through_a_128_bit_sum_and_product() {
    let words = run(
        "",
        "mov.u32 %r0, 0xffffffff;
         add.cc.u32 %r1, %r0, 1;
         addc.cc.u32 %r2, %r0, 0;
         addc.cc.u32 %r3, %r0, 5;
         addc.u32 %r4, 0, 0;
         st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};
         sub.cc.u32 %r1, 0, 1;
         subc.u32 %r2, 7, 0;
         mad.lo.cc.u32 %r3, %r0, %r0, %r0;
         madc.hi.u32 %r4, %r0, %r0, 0;
         st.global.v4.u32 [%out+16], {%r1, %r2, %r3, %r4};",
        1,
        8,
    );
    // 0xffffffff * 0xffffffff + 0xffffffff = 0xffffffff_00000000
    assert_eq!(words, [0, 0, 5, 1, 0xffff_ffff, 6, 0, 0xffff_ffff]);
}

#[test]
fn small_and_wide_values_are_cut_and_extended() {
    let words = run(
        "",
        "mov.u32 %r0, 0x80ff;
         st.global.u32 [%out], %r0;
         ld.global.s8 %r1, [%out];
         ld.global.u8 %r2, [%out];
         ld.global.s16 %rd0, [%out];
         cvt.u32.u64 %r3, %rd0;
         shr.u64 %rd1, %rd0, 32;
         cvt.u32.u64 %r4, %rd1;
         ld.global.b16 %h0, [%out];
         cvt.s32.s16 %r5, %h0;
         mov.b32 %r6, {%h0, 3};
         mov.b32 {%h1, %h2}, %r6;
         cvt.u32.u16 %r7, %h2;
         mov.u64 %rd2, 0x1122334455667788;
         st.global.u32 [%out], %rd2;
         cvt.s64.s8 %rd3, %r0;
         cvt.u32.u64 %r8, %rd3;
         st.global.v4.u32 [%out+16], {%r1, %r2, %r3, %r4};
         st.global.v4.u32 [%out+32], {%r5, %r6, %r7, %r8};",
        1,
        12,
    );
    let minus = |value: i32| value as u32;
    assert_eq!(words[0], 0x5566_7788);
    assert_eq!(words[4..8], [minus(-1), 0xff, minus(-32513), u32::MAX]);
    assert_eq!(words[8..12], [minus(-32513), 0x0003_80ff, 3, minus(-1)]);
}

#[test]
fn predicates_combine_negate_and_guard() {
    let words = run(
        "",
        "setp.lt.and.u32 %p0|%p1, %t, 3, %p2;
         mov.pred %p2, 1;
         setp.lt.and.u32 %p0|%p1, %t, 3, %p2;
         mov.u32 %r0, 10;
         @%p1 mov.u32 %r0, 20;
         @!%p1 add.u32 %r0, %r0, 1;
         setp.eq.or.u32 %p3, %t, 5, !%p1;
         selp.u32 %r1, 100, 0, %p3;
         add.u32 %r0, %r0, %r1;
         st.global.u32 [%mine], %r0;",
        8,
        8,
    );
    assert_eq!(words, [111, 111, 111, 20, 20, 120, 20, 20]);
}

#[test]
fn a_jump_table_takes_its_branches() {
    let words = run(
        "",
        "table: .branchtargets A, B, C;
         and.b32 %r0, %t, 3;
         min.u32 %r0, %r0, 2;
         brx.idx %r0, table;
         A: mov.u32 %r1, 1; bra.uni END;
         B: mov.u32 %r1, 2; bra.uni END;
         C: mov.u32 %r1, 3;
         END: st.global.u32 [%mine], %r1;",
        5,
        5,
    );
    assert_eq!(words, [1, 2, 3, 3, 1]);
}

#[test]
fn local_arrays_of_clang_are_private_to_a_thread() {
    let words = run(
        "",
        ".local .align 8 .b8 __local_depot0[16];
         .reg .b64 %SP, %SPL;
         mov.u64 %SPL, __local_depot0;
         cvta.local.u64 %SP, %SPL;
         add.u64 %rd0, %SP, 8;
         add.u64 %rd1, %SPL, 8;
         st.u32 [%rd0], %t;
         ld.local.u32 %r0, [%rd1];
         st.global.u32 [%mine], %r0;",
        40,
        40,
    );
    assert_eq!(words, (0..40).collect::<Vec<u32>>());
}

#[test]
fn dynamic_scratchpad_lies_behind_the_static_aligned() {
    let words = run(
        ".extern .shared .align 64 .b8 dynamic[];\n.shared .b8 fixed[20];",
        "mov.u32 %r0, dynamic;\nmov.u32 %r1, fixed;\nst.global.v2.u32 [%out], {%r0, %r1};",
        1,
        2,
    );
    assert_eq!(words, [64, 0]);
}

#[test]
fn parameters_can_be_indexed() {
    let words = run(
        "",
        "mov.b64 %rd0, out;
         ld.param.u32 %r0, [%rd0];
         ld.param.u64 %rd1, [%rd0];
         cvt.u32.u64 %r1, %rd1;
         sub.u32 %r0, %r0, %r1;
         st.global.u32 [%out], %r0;",
        1,
        1,
    );
    assert_eq!(words, [0]);
}
