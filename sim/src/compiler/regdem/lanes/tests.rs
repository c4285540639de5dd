use super::*;
use crate::compiler::cfg::Cfg;
use crate::kernel::text;

/// The address of the last access of `body`.
fn address(body: &str) -> Value {
    let text = format!(".kernel k;\n.regs architected 16, 2;\nentry:\n{body}    exit;\n");
    let kernel = text::parse(&text, "k").unwrap();
    let found = addresses(&kernel, &Cfg::new(&kernel).unwrap());
    found.into_iter().flatten().flatten().next_back().unwrap()
}

/// Of a load from the address that `body` leaves in r1.
fn of_r1(body: &str) -> Value {
    address(&format!("{body}    ld.global.b32 r9, [r1];\n"))
}

fn stride(body: &str) -> i64 {
    let value = of_r1(body);
    assert!(value.is_affine(), "{value:?}");
    value.stride
}

#[test]
fn multiples_of_the_thread_number_have_a_stride() {
    let tid = "    mov.u32 r0, %tid.x;\n";
    assert_eq!(stride(&format!("{tid}    mul.lo.u32 r1, r0, 4;\n")), 4);
    assert_eq!(stride(&format!("{tid}    shl.b32 r1, r0, 7;\n")), 128);
    assert_eq!(stride(&format!("{tid}    mov.u32 r1, r0;\n")), 1);
    assert_eq!(stride(&format!("{tid}    neg.s32 r1, r0;\n")), -1);
}

#[test]
fn a_product_with_a_number_and_a_base_keeps_the_stride() {
    let body = "    mov.u32 r0, %ctaid.x;\n    mov.u32 r2, %ntid.x;\n    mov.u32 r3, %tid.x;\n    mad.lo.u32 r0, r0, r2, r3;\n    ld.param.u32 r4, [0];\n    mad.lo.u32 r1, r0, 12, r4;\n";
    assert_eq!(stride(body), 12);
}

#[test]
fn sixty_four_bits_keep_the_stride_through_conversion_and_a_wide_product() {
    let body = "    mov.u32 r0, %tid.x;\n    ld.param.u64 r2:3, [0];\n    mul.wide.u32 r4:5, r0, 4;\n    add.s64 r2:3, r2:3, r4:5;\n    ld.global.b32 r9, [r2:3];\n";
    assert_eq!(address(body), Value::per_lane(4));
    let body = "    mov.u32 r0, %tid.x;\n    cvt.u64.u32 r2:3, r0;\n    shl.b64 r2:3, r2:3, 3;\n    cvt.u32.u64 r1, r2:3;\n";
    assert_eq!(stride(body), 8);
}

#[test]
fn what_all_lanes_know_is_uniform_and_so_is_what_they_load_from_there() {
    assert!(of_r1("    ld.param.u32 r1, [0];\n").is_uniform());
    assert!(of_r1("    mov.u32 r0, %ctaid.x;\n    ld.global.u32 r1, [r0];\n").is_uniform());
    // Each warp has one number, as 32 threads divided by 32.
    assert!(of_r1("    mov.u32 r0, %tid.x;\n    shr.u32 r1, r0, 5;\n").is_uniform());
}

#[test]
fn a_loaded_index_is_scattered_and_its_lowest_bits_are_not() {
    let index = "    mov.u32 r0, %tid.x;\n    ld.global.u32 r1, [r0];\n";
    assert_eq!(
        of_r1(&format!("{index}    shl.b32 r1, r1, 2;\n")),
        Value::SCATTERED
    );
    let low = of_r1(&format!(
        "{index}    and.b32 r1, r1, 15;\n    mul.lo.u32 r1, r1, 4;\n"
    ));
    assert_eq!((low.kinds, low.span), (16, 60));
    let high = of_r1(&format!("{index}    shr.u32 r1, r1, 29;\n"));
    assert_eq!((high.kinds, high.span), (8, 7));
    let near = of_r1(&format!(
        "{index}    and.b32 r1, r1, 3;\n    add.u32 r1, r1, r0;\n"
    ));
    assert_eq!((near.stride, near.kinds, near.span), (1, 4, 3));
}

#[test]
fn rows_of_unknown_length_lie_far_apart_and_what_is_in_them_does_not() {
    let body = "    mov.u32 r0, %tid.x;\n    ld.param.u32 r2, [0];\n    shr.u32 r1, r0, 4;\n    and.b32 r3, r0, 15;\n    mad.lo.u32 r1, r1, r2, r3;\n";
    let two = of_r1(body);
    assert_eq!((two.stride, two.far, two.kinds, two.span), (0, 2, 16, 15));
}

#[test]
fn a_pointer_that_goes_on_in_a_loop_keeps_its_stride() {
    let body = "    mov.u32 r0, %tid.x;\n    mul.lo.u32 r1, r0, 4;\n    mov.u32 r2, 0;\n    ld.param.u32 r3, [0];\nloop:\n    ld.global.b32 r9, [r1];\n    add.u32 r1, r1, 512;\n    add.u32 r2, r2, 1;\n    setp.lt.u32 p0, r2, r3;\n    @p0 bra loop;\nend:\n";
    assert_eq!(address(body), Value::per_lane(4));
}

#[test]
fn a_chain_of_loads_is_as_scattered_as_its_first_address() {
    let chain = |first: &str| {
        address(&format!(
            "    mov.u32 r1, {first};\n    mov.u32 r2, 9;\nloop:\n    ld.global.b32 r1, [r1];\n    sub.u32 r2, r2, 1;\n    setp.gt.u32 p0, r2, 0;\n    @p0 bra loop;\nend:\n"
        ))
    };
    assert_eq!(chain("%tid.x"), Value::SCATTERED);
    assert!(chain("%ctaid.x").is_uniform());
}

#[test]
fn lanes_that_choose_or_go_ways_of_their_own_have_different_numbers() {
    let own = "    mov.u32 r0, %tid.x;\n    ld.global.u32 r2, [r0];\n    setp.gt.u32 p0, r2, 7;\n    mov.u32 r1, 64;\n";
    let chosen = of_r1(&format!("{own}    selp.b32 r1, 192, 64, p0;\n"));
    assert_eq!(
        (chosen.kinds, chosen.least, chosen.span),
        (2, Some(64), 128)
    );
    assert_eq!(of_r1(&format!("{own}    @p0 mov.u32 r1, 192;\n")), chosen);
    let ways = of_r1(&format!(
        "{own}    @p0 bra on;\nskip:\n    mov.u32 r1, 192;\non:\n"
    ));
    assert_eq!(ways, chosen);
    // All lanes go the same way.
    let together = "    ld.param.u32 r2, [0];\n    setp.gt.u32 p0, r2, 7;\n    mov.u32 r1, 64;\n    @p0 bra on;\nskip:\n    mov.u32 r1, 192;\non:\n";
    assert!(of_r1(together).is_uniform());
}

#[test]
fn a_loop_within_a_branch_of_some_lanes_is_the_same_for_those() {
    let body = "    mov.u32 r0, %tid.x;\n    setp.gt.u32 p0, r0, 7;\n    @p0 bra end;\nbegin:\n    mov.u32 r1, 0;\nloop:\n    ld.global.b32 r9, [r1];\n    add.u32 r1, r1, 4;\n    setp.lt.u32 p0, r1, 64;\n    @p0 bra loop;\nend:\n";
    assert!(address(body).is_uniform());
}

#[test]
fn what_lanes_take_out_of_a_loop_that_they_leave_one_by_one_is_scattered() {
    let body = "    mov.u32 r0, %tid.x;\n    mov.u32 r1, 0;\nloop:\n    add.u32 r1, r1, 4;\n    setp.lt.u32 p0, r1, r0;\n    @p0 bra loop;\nend:\n";
    assert_eq!(of_r1(body), Value::SCATTERED);
}

#[test]
fn an_address_that_was_spilled_or_demoted_is_known_when_it_comes_back() {
    let spilled = "    mov.u32 r1, %tid.x;\n    st.local.b32 [8], r1;\n    mov.u32 r1, 0;\n    ld.local.b32 r1, [8];\n";
    assert_eq!(stride(spilled), 1);
    let demoted = "    mad.lo.u32 r5, %tid.x, 4, 64;\n    mov.u32 r1, %tid.x;\n    st.shared.b32 [r5+128], r1;\n    mov.u32 r1, 0;\nnext:\n    ld.shared.b32 r1, [r5+128];\n";
    assert_eq!(stride(demoted), 1);
}
