//! One construct at a time: the instructions that come out.

use super::{file, insts, kernel, module};
use crate::kernel::modifier::*;
use crate::kernel::{Dst, Op, Operand, Pred, Reg, Special};

/// The operation of the one instruction before the final `ret`.
fn op(body: &str) -> Op {
    let insts = insts(&format!("{body}\nret;"));
    assert_eq!(insts.len(), 2, "{insts:?}");
    insts[0].op
}

const REGISTERS: &str = ".reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<5>; .reg .f64 %fd<5>;
    .reg .b16 %h<5>; .reg .pred %p<5>;\n";

fn ops(cases: &[(&str, Op)]) {
    for (text, expected) in cases {
        assert_eq!(op(&format!("{REGISTERS}{text}")), *expected, "{text}");
    }
}

const NEAREST: Fp = Fp {
    round: Round::Nearest,
    ftz: false,
    sat: false,
};

#[test]
fn modifiers_reach_the_operation() {
    ops(&[
        (
            "add.sat.s32 %r0, %r1, %r2;",
            Op::Add {
                ty: Ty::S32,
                sat: true,
            },
        ),
        ("add.f32 %f0, %f1, %f2;", Op::FAdd(Ty::F32, NEAREST)),
        (
            "mul.rz.ftz.sat.f32 %f0, %f1, 0f3F800000;",
            Op::FMul(
                Ty::F32,
                Fp {
                    round: Round::Zero,
                    ftz: true,
                    sat: true,
                },
            ),
        ),
        (
            "mul.wide.s16 %r0, %h1, -3;",
            Op::Mul {
                ty: Ty::S16,
                part: Part::Wide,
            },
        ),
        (
            "mad.hi.sat.s32 %r0, %r1, %r2, %r3;",
            Op::Mad {
                ty: Ty::S32,
                part: Part::Hi,
                sat: true,
            },
        ),
        (
            "fma.rm.f64 %fd0, %fd1, %fd2, 1.0;",
            Op::Fma(
                Ty::F64,
                Fp {
                    round: Round::Down,
                    ..NEAREST
                },
            ),
        ),
        (
            "div.full.f32 %f0, %f1, %f2;",
            Op::FDiv {
                ty: Ty::F32,
                precision: Precision::Full,
                ftz: false,
            },
        ),
        (
            "rcp.rn.f32 %f0, %f1;",
            Op::Rcp {
                ty: Ty::F32,
                precision: Precision::Ieee(Round::Nearest),
                ftz: false,
            },
        ),
        (
            "ex2.approx.ftz.f32 %f0, %f1;",
            Op::Ex2 {
                ty: Ty::F32,
                ftz: true,
            },
        ),
        (
            "max.NaN.f32 %f0, %f1, %f2;",
            Op::FMax {
                ty: Ty::F32,
                ftz: false,
                nan: true,
            },
        ),
        (
            "shf.r.clamp.b32 %r0, %r1, %r2, %r3;",
            Op::Shf {
                left: false,
                wrap: false,
            },
        ),
        ("lop3.b32 %r0, %r1, %r2, %r3, 0xE8;", Op::Lop3(0xe8)),
        ("prmt.b32.f4e %r0, %r1, %r2, %r3;", Op::Prmt(PrmtMode::F4e)),
        (
            "bfind.shiftamt.u64 %r0, %rd0;",
            Op::Bfind {
                ty: Ty::U64,
                shiftamt: true,
            },
        ),
        (
            "slct.ftz.u32.f32 %r0, %r1, %r2, %f0;",
            Op::Slct(Ty::U32, Ty::F32, true),
        ),
        (
            "dp2a.hi.s32.u32 %r0, %r1, %r2, %r3;",
            Op::Dp2a {
                a: Ty::S32,
                b: Ty::U32,
                hi: true,
            },
        ),
        (
            "testp.subnormal.f32 %p0, %f0;",
            Op::Testp(Ty::F32, TestProp::Subnormal),
        ),
        (
            "setp.hs.u32 %p0, %r0, %r1;",
            Op::Setp {
                cmp: Cmp::Ge,
                ty: Ty::U32,
                ftz: false,
                combine: None,
            },
        ),
        (
            "set.neu.xor.ftz.f32.f32 %f0, %f1, %f2, !%p0;",
            Op::Set {
                to: Ty::F32,
                cmp: Cmp::Neu,
                ty: Ty::F32,
                ftz: true,
                combine: Some(BoolOp::Xor),
            },
        ),
        ("bar.red.popc.u32 %r0, 0, %p0;", Op::Bar(BarKind::RedPopc)),
        ("barrier.cta.sync.aligned 1, 64;", Op::Bar(BarKind::Sync)),
        ("bar.warp.sync -1;", Op::WarpSync),
        (
            "vote.sync.ballot.b32 %r0, !%p0, -1;",
            Op::Vote(VoteMode::Ballot),
        ),
        ("fence.acq_rel.gpu;", Op::Membar),
        ("trap;", Op::Trap),
    ]);
}

#[test]
fn conversions_keep_rounding_and_saturation() {
    let cvt = |to, from, round, integral, ftz, sat| Op::Cvt {
        to,
        from,
        round,
        integral,
        ftz,
        sat,
    };
    let (nearest, zero) = (Some(Round::Nearest), Some(Round::Zero));
    ops(&[
        (
            "cvt.rzi.s32.f32 %r0, %f0;",
            cvt(Ty::S32, Ty::F32, zero, true, false, false),
        ),
        (
            "cvt.rni.ftz.sat.u8.f32 %r0, %f0;",
            cvt(Ty::U8, Ty::F32, nearest, true, true, true),
        ),
        (
            "cvt.rn.f16.f32 %h0, %f0;",
            cvt(Ty::F16, Ty::F32, nearest, false, false, false),
        ),
        (
            "cvt.sat.f32.f32 %f0, %f1;",
            cvt(Ty::F32, Ty::F32, None, false, false, true),
        ),
        (
            "cvt.f64.f32 %fd0, %f1;",
            cvt(Ty::F64, Ty::F32, None, false, false, false),
        ),
        (
            "cvt.rpi.f64.f64 %fd0, %fd1;",
            cvt(Ty::F64, Ty::F64, Some(Round::Up), true, false, false),
        ),
        (
            "cvt.sat.s16.s32 %h0, %r1;",
            cvt(Ty::S16, Ty::S32, None, false, false, true),
        ),
    ]);
}

#[test]
fn memory_operands_fold_offsets_and_cache_hints() {
    let insts = insts(&format!(
        "{REGISTERS}
        ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {{%f0, _}}, [%rd0+-8];
        st.volatile.shared.v4.b32 [%r0+16], {{%r0, %r1, %r2, 7}};
        ld.acquire.gpu.global.u32 %r0, [%rd0];
        ld.volatile.shared.u32 %r0, [%r1];
        ld.relaxed.sys.global.u32 %r0, [%rd0];
        ld.weak.global.u32 %r0, [%rd0];
        red.release.sys.global.add.f32 [%rd1+4], %f0;
        ld.const.u32 %r0, [4096];
        ret;"
    ));
    let mem = |space, ty, vec, offset| Mem {
        space,
        ty,
        vec,
        offset,
        strong: false,
    };
    let strong = |mem| Mem {
        strong: true,
        ..mem
    };
    let expected = [
        Op::Ld(mem(Space::Global, Ty::F32, 2, -8)),
        Op::St(mem(Space::Shared, Ty::B32, 4, 16)),
        Op::Ld(strong(mem(Space::Global, Ty::U32, 1, 0))),
        Op::Membar,
        Op::Ld(strong(mem(Space::Shared, Ty::U32, 1, 0))),
        Op::Ld(strong(mem(Space::Global, Ty::U32, 1, 0))),
        Op::Ld(mem(Space::Global, Ty::U32, 1, 0)),
        Op::Membar,
        Op::Red {
            space: Space::Global,
            ty: Ty::F32,
            op: AtomOp::Add,
            offset: 4,
        },
        Op::Ld(mem(Space::Const, Ty::U32, 1, 0)),
        Op::Exit,
    ];
    assert_eq!(
        insts.iter().map(|inst| inst.op).collect::<Vec<_>>(),
        expected
    );
    assert_eq!(insts[9].srcs[0], Operand::Imm(4096));
}

#[test]
fn constants_are_bits_of_the_type() {
    let constant = |text: &str| insts(&format!("{REGISTERS}{text} ret;"))[0].srcs[0];
    for (text, bits) in [
        ("mov.u32 %r0, -1;", 0xffff_ffff),
        ("mov.b64 %rd0, -2;", 0xffff_ffff_ffff_fffe),
        ("mov.b16 %h0, 0x12345;", 0x2345),
        ("mov.f32 %f0, 0.5;", 0x3f00_0000),
        ("mov.f64 %fd0, 0d3FF0000000000000;", 0x3ff0_0000_0000_0000),
        ("mov.b32 %r0, 0f3F800000;", 0x3f80_0000),
        ("mov.u32 %r0, 0b101 + 017 - 0x2U;", 18),
        ("mov.s32 %r0, WARP_SZ * 2 << 1;", 128),
        ("mov.s32 %r0, !0 ? ~5 : 1;", 0xffff_fffa),
        ("mov.s64 %rd0, (.s64) 18446744073709551615 >> 1;", u64::MAX),
        ("mov.u64 %rd0, 18446744073709551615 >> 63;", 1),
    ] {
        assert_eq!(constant(text), Operand::Imm(bits), "{text}");
    }
}

#[test]
fn special_registers_are_read_by_mov_and_cvt() {
    let insts = insts(&format!(
        "{REGISTERS} mov.u32 %r0, %ctaid.y; cvt.u64.u32 %rd0, %ntid.z; mov.u64 %rd1, %clock64; ret;"
    ));
    assert_eq!(insts[0].srcs[0], Operand::Special(Special::Ctaid(1)));
    assert_eq!(insts[1].srcs[0], Operand::Special(Special::Ntid(2)));
    assert_eq!(insts[2].srcs[0], insts_dst(insts[1].dsts[0]));
    assert_eq!(insts[3].srcs[0], Operand::Special(Special::Clock64));
}

fn insts_dst(dst: Dst) -> Operand {
    match dst {
        Dst::Reg(reg) => Operand::Reg(reg),
        Dst::Pred(pred) => Operand::Pred {
            pred,
            negated: false,
        },
    }
}

#[test]
fn a_carry_is_one_predicate() {
    let insts = insts(&format!(
        "{REGISTERS} add.cc.u32 %r0, %r1, %r2; addc.cc.u64 %rd0, %rd1, %rd2; madc.hi.u32 %r0, %r1, %r2, %r3; ret;"
    ));
    let carry = Pred(0);
    let read = Operand::Pred {
        pred: carry,
        negated: false,
    };
    assert_eq!(
        (insts[0].dsts[1], insts[0].srcs.len()),
        (Dst::Pred(carry), 2)
    );
    assert_eq!(
        (insts[1].dsts[1], insts[1].srcs[2]),
        (Dst::Pred(carry), read)
    );
    assert_eq!((insts[2].dsts.len(), insts[2].srcs[3]), (1, read));
}

#[test]
fn scopes_hide_outer_registers_and_labels() {
    let insts = insts(
        ".reg .b32 %a; mov.u32 %a, 1;
        { .reg .b64 %a; mov.u64 %a, 2; bra L; L: mov.u64 %a, 3; }
        L: mov.u32 %a, 4; bra L;",
    );
    let widths: Vec<Dst> = insts
        .iter()
        .filter_map(|inst| inst.dsts.first().copied())
        .collect();
    let (outer, inner) = (Dst::Reg(Reg::r32(0)), Dst::Reg(Reg::r64(1)));
    assert_eq!(widths, [outer, inner, inner, outer]);
}

#[test]
fn code_that_cannot_be_reached_and_jumps_to_the_next_block_go() {
    let kernel = kernel(&file(
        "",
        "bra A; B: trap; A: bra C; C: membar.cta; ret; ret;",
    ));
    let ops: Vec<Op> = kernel
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .map(|inst| inst.op)
        .collect();
    assert_eq!(ops, [Op::Membar, Op::Exit]);
    assert_eq!(kernel.blocks.len(), 1);
}

#[test]
fn blocks_keep_the_names_of_their_labels() {
    let kernel = kernel(&file(
        "",
        ".reg .pred %p; $L__BB0_1: @%p bra $L__BB0_1; ret;",
    ));
    let labels: Vec<&str> = kernel
        .blocks
        .iter()
        .map(|block| block.label.as_str())
        .collect();
    assert_eq!(labels, ["entry", "bb"]);
    let kernel = super::kernel(&file(
        "",
        ".reg .pred %p; membar.cta; $L1: @%p bra $L1; ret;",
    ));
    assert_eq!(kernel.blocks[1].label, "$L1");
}

#[test]
fn parameters_lie_at_their_alignment() {
    let source = format!(
        "{}.entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .u16 c, \
         .param .align 16 .b8 d[20], .param .f32 e) {{ ret; }}",
        super::HEADER
    );
    let kernel = kernel(&source);
    let places: Vec<(u32, u32, u32)> = kernel
        .params
        .iter()
        .map(|p| (p.offset_bytes, p.size_bytes, p.align_bytes))
        .collect();
    assert_eq!(
        places,
        [(0, 1, 1), (8, 8, 8), (16, 2, 2), (32, 20, 16), (52, 4, 4)]
    );
}

#[test]
fn performance_directives_and_debug_sections_are_understood() {
    let source = format!(
        "{}.file 1 \"a.cu\", 1, 2\n.weak .entry k()\n.maxntid 128, 2\n.reqntid 64\n.minnctapersm 2\n.maxnreg 32\n\
         {{ .loc 1 2 3, function_name f + 4, inlined_at 1 2 3\n.pragma \"nounroll\"; nanosleep.u32 20; ret; }}\n\
         .section .debug_str {{ L: .b8 1, 2\n .b32 .debug_abbrev + 4 }}",
        super::HEADER
    );
    let module = module(&source);
    assert_eq!((module.version, module.target.as_str()), ((7, 8), "sm_70"));
    let entry = &module.entries[0];
    assert_eq!(entry.bounds.max_threads, Some([128, 2, 1]));
    assert_eq!(entry.bounds.required_threads, Some([64, 1, 1]));
    assert_eq!(
        (entry.bounds.min_ctas_per_sm, entry.bounds.max_registers),
        (Some(2), Some(32))
    );
    assert_eq!(entry.notes.len(), 1);
    assert!(entry.notes[0].text.contains("nanosleep"));
}
