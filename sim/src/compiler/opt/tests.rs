use super::*;
use crate::compiler::liveness::Liveness;
use crate::kernel::interp::{self, LaunchDims};
use crate::kernel::op::{Space, Ty};
use crate::kernel::{Dst, Inst, Op, Operand, Reg, Special, Width, ptx};
use crate::memory::image::MemoryImage;
use crate::testing::emit::{Builder, inst, mem};
use crate::testing::{GenOptions, generate};

#[test]
fn optimised_kernels_compute_the_same() {
    for seed in 0..200 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let options = OptOptions {
            schedule_regs: [None, Some(16), Some(32), Some(64)][seed as usize % 4],
            remat_above_regs: [None, Some(0), Some(12)][seed as usize % 3],
        };
        let optimised = optimise_with(&generated.kernel, &options);
        let before = generated.run(&generated.kernel).unwrap();
        let after = generated
            .run(&optimised)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(before.first_difference(&after), None, "seed {seed}");
    }
}

#[test]
fn scheduling_raises_the_most_live_to_its_limit_at_most() {
    for seed in 0..100 {
        let kernel = generate(seed, &GenOptions::varied(seed)).kernel;
        let cfg = Cfg::new(&kernel).unwrap();
        let most = |schedule_regs| {
            let options = OptOptions {
                schedule_regs,
                remat_above_regs: None,
            };
            Liveness::per_thread(&optimise_with(&kernel, &options), &cfg).max_live_regs()
        };
        assert!(most(Some(24)) <= most(None).max(24), "seed {seed}");
    }
}

#[test]
fn second_load_is_started_before_the_first_is_used() {
    let load = |d, offset| {
        let op = Op::Ld(mem(Space::Global, Ty::U32, 1, offset));
        inst(op, &[Dst::Reg(single(d))], &[Operand::Reg(wide(0))])
    };
    let kernel = kernel(&[
        load_param(wide(0), 0),
        load(4, 0),
        add(Ty::U32, single(5), single(4), Operand::Imm(1)),
        load(6, 4),
        add(Ty::U32, single(7), single(5), Operand::Reg(single(6))),
        store(wide(0), Operand::Reg(single(7))),
    ]);
    let loads: Vec<usize> = ops(&optimise(&kernel))
        .iter()
        .enumerate()
        .filter(|(_, op)| matches!(op, Op::Ld(m) if m.space == Space::Global))
        .map(|(i, _)| i)
        .collect();
    assert_eq!(loads, [1, 2]);
}

fn kernel(insts: &[Inst]) -> Kernel {
    let mut builder = Builder::new();
    for index in 0..8 {
        builder.reg(if index < 4 { Width::W64 } else { Width::W32 });
    }
    insts.iter().for_each(|i| builder.push(i.clone()));
    builder.push(inst(Op::Exit, &[], &[]));
    builder.finish("test".into(), 0, 0)
}

fn wide(index: u16) -> Reg {
    Reg::r64(index)
}

fn single(index: u16) -> Reg {
    Reg::r32(index)
}

fn load_param(dst: Reg, offset: i64) -> Inst {
    let ty = if dst.width == Width::W64 {
        Ty::U64
    } else {
        Ty::U32
    };
    let op = Op::Ld(mem(Space::Param, ty, 1, offset));
    inst(op, &[Dst::Reg(dst)], &[Operand::Imm(0)])
}

fn store(address: Reg, value: Operand) -> Inst {
    let op = Op::St(mem(Space::Global, Ty::U32, 1, 0));
    inst(op, &[], &[Operand::Reg(address), value])
}

fn add(ty: Ty, dst: Reg, a: Reg, b: Operand) -> Inst {
    let op = Op::Add { ty, sat: false };
    inst(op, &[Dst::Reg(dst)], &[Operand::Reg(a), b])
}

fn mov(ty: Ty, dst: Reg, src: Operand) -> Inst {
    inst(Op::Mov(ty), &[Dst::Reg(dst)], &[src])
}

fn ops(kernel: &Kernel) -> Vec<Op> {
    kernel.blocks[0].insts.iter().map(|i| i.op).collect()
}

#[test]
fn value_that_nobody_reads_goes_away_with_what_it_was_made_from() {
    let kernel = kernel(&[
        load_param(single(4), 0),
        add(Ty::U32, single(5), single(4), Operand::Imm(1)),
        add(Ty::U32, single(6), single(5), Operand::Imm(1)),
    ]);
    assert_eq!(ops(&optimise(&kernel)), [Op::Exit]);
}

#[test]
fn strong_load_is_performed_though_nobody_reads_its_result_and_in_order() {
    let load = |d, offset, strong| {
        let op = Op::Ld(crate::kernel::op::Mem {
            strong,
            ..mem(Space::Global, Ty::U32, 1, offset)
        });
        inst(op, &[Dst::Reg(single(d))], &[Operand::Reg(wide(0))])
    };
    let kernel = kernel(&[
        load_param(wide(0), 0),
        load(4, 4, true),
        load(5, 8, false),
        load(6, 0, true),
        add(Ty::U32, single(7), single(6), Operand::Imm(1)),
        add(Ty::U32, single(6), single(7), Operand::Reg(single(7))),
        store(wide(0), Operand::Reg(single(6))),
    ]);
    // The second one has more behind it, so the scheduler would take it first.
    let options = OptOptions {
        schedule_regs: Some(16),
        remat_above_regs: None,
    };
    let offsets: Vec<i64> = (ops(&optimise_with(&kernel, &options)).iter())
        .filter_map(|op| match op {
            Op::Ld(m) if m.space == Space::Global => Some(m.offset),
            _ => None,
        })
        .collect();
    assert_eq!(offsets, [4, 0]);
}

#[test]
fn constant_address_offset_goes_into_the_store() {
    let kernel = kernel(&[
        load_param(wide(0), 0),
        inst(
            Op::CvtaToGeneric(Space::Global),
            &[Dst::Reg(wide(1))],
            &[Operand::Reg(wide(0))],
        ),
        add(Ty::S64, wide(2), wide(1), Operand::Imm(12)),
        load_param(single(4), 8),
        store(wide(2), Operand::Reg(single(4))),
    ]);
    let optimised = optimise(&kernel);
    let expected = Op::St(mem(Space::Global, Ty::U32, 1, 12));
    assert_eq!(optimised.blocks[0].insts.len(), 4);
    assert_eq!(optimised.blocks[0].insts[2].op, expected);
}

#[test]
fn offset_of_a_32_bit_address_stays_an_addition_because_it_may_wrap() {
    let kernel = kernel(&[
        load_param(single(4), 0),
        add(Ty::U32, single(5), single(4), Operand::Imm(12)),
        inst(
            Op::St(mem(Space::Shared, Ty::U32, 1, 0)),
            &[],
            &[Operand::Reg(single(5)), Operand::Reg(single(4))],
        ),
    ]);
    assert_eq!(ops(&optimise(&kernel)), ops(&kernel));
}

#[test]
fn constant_operation_is_computed() {
    let kernel = kernel(&[
        load_param(wide(0), 0),
        mov(Ty::U32, single(4), Operand::Imm(20)),
        add(Ty::U32, single(5), single(4), Operand::Imm(22)),
        inst(
            Op::Sub {
                ty: Ty::U32,
                sat: false,
            },
            &[Dst::Reg(single(6))],
            &[Operand::Reg(single(5)), Operand::Reg(single(4))],
        ),
        store(wide(0), Operand::Reg(single(6))),
    ]);
    let optimised = optimise(&kernel);
    assert_eq!(
        optimised.blocks[0].insts[1].srcs.as_slice(),
        [Operand::Imm(22)]
    );
    assert_eq!(optimised.blocks[0].insts.len(), 4);
}

#[test]
fn parameter_is_loaded_again_rather_than_held_where_registers_are_short() {
    // Registers 4 and 5 are special registers and register 6 a parameter, all read at the end only.
    let special = |r, s| mov(Ty::U32, single(r), Operand::Special(s));
    let kernel = kernel(&[
        load_param(single(6), 8),
        load_param(wide(0), 0),
        special(4, Special::Tid(0)),
        store(wide(0), Operand::Reg(single(4))),
        special(5, Special::LaneId),
        store(wide(0), Operand::Reg(single(5))),
        store(wide(0), Operand::Reg(single(6))),
    ]);
    let options = OptOptions {
        schedule_regs: None,
        remat_above_regs: Some(0),
    };
    let optimised = optimise_with(&kernel, &options);
    let cfg = Cfg::new(&optimised).unwrap();
    assert_eq!(Liveness::per_thread(&kernel, &cfg).max_live_regs(), 4);
    assert_eq!(Liveness::per_thread(&optimised, &cfg).max_live_regs(), 3);
}

/// Three rounds of a loop in which `%r2` and `%rd4` hold what `%r3` and `%rd6` were in the round before.
const ROTATION: &str = ".version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
    .reg .b32 %r<4>; .reg .b64 %rd<7>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 0;
L:
    mov.u32 %r2, %r3;
    add.s64 %rd4, %rd6, 4;
    add.u32 %r3, %r1, 100;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd6, %rd1, %rd3;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 st.global.u32 [%rd4], %r2;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 3;
    @%p2 bra L;
    ret;
}";

#[test]
fn copy_and_address_from_the_round_before_stay_what_they_were() {
    let module = ptx::read(ROTATION, "rotation.ptx").unwrap();
    let optimised = optimise(module.kernel("k").unwrap());
    let mut memory = MemoryImage::new();
    let out = memory.allocate("out", 24).unwrap();
    let dims = LaunchDims {
        grid: [1, 1, 1],
        block: [1, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    interp::run(&optimised, &dims, &out.to_le_bytes(), &mut memory).unwrap();
    let words: Vec<u32> = (0..6)
        .map(|i| memory.read_u32(out + 4 * i).unwrap())
        .collect();
    assert_eq!(words, [0, 100, 0, 101, 0, 0]);
}
