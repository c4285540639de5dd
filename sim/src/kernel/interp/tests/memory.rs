use super::super::{LaunchDims, Options, Unwritten, run, run_with};
use super::{mem, prologue, run_on, store_word};
use crate::kernel::address::{LOCAL_WINDOW, MODULE_GLOBALS, SHARED_WINDOW};
use crate::kernel::build::{KernelBuilder, imm};
use crate::kernel::op::{AtomOp, Mem, Op, Space, Ty};
use crate::kernel::{GlobalVar, Operand, Reg, Special};
use crate::memory::image::MemoryImage;

#[test]
fn a_store_behind_the_buffer_names_line_cta_warp_and_lane() {
    let mut k = KernelBuilder::architected("outside", 8, 0);
    prologue(&mut k);
    store_word(&mut k, Reg::r32(0));
    k.exit();
    // 100 words for 2 x 64 threads: thread 100 is lane 4 of warp 1 of CTA 1.
    let run = run_on(&k.finish().unwrap(), 2, 64, 100, 0);
    let text = run.result.unwrap_err().to_string();
    assert!(text.starts_with("line 6, block `entry`"), "{text}");
    assert!(text.contains("CTA (1, 0, 0), warp 1, lane 4"), "{text}");
    assert!(text.contains("outside every allocation"), "{text}");
}

#[test]
fn scratchpad_has_the_static_and_the_dynamic_bytes_and_no_more() {
    let store_at = |at: u64| {
        let mut k = KernelBuilder::architected("scratchpad", 8, 0);
        k.shared(20);
        k.param("out", Ty::U64);
        k.effect(Op::St(mem(Space::Shared, Ty::U32)), [imm(at), imm(1)]);
        k.exit();
        run_on(&k.finish().unwrap(), 1, 1, 1, 8).result
    };
    assert!(store_at(36).is_ok());
    let text = store_at(40).unwrap_err().to_string();
    assert!(text.contains("outside the 40 bytes"), "{text}");
}

#[test]
fn a_misaligned_vector_load_faults() {
    let mut k = KernelBuilder::architected("misaligned", 8, 0);
    prologue(&mut k);
    let load = Mem {
        space: Space::Global,
        ty: Ty::U32,
        vec: 2,
        offset: 4,
        strong: false,
    };
    k.op(Op::Ld(load), [Reg::r32(4), Reg::r32(5)], [Reg::r64(2)]);
    k.exit();
    let text = run_on(&k.finish().unwrap(), 1, 1, 8, 0).result.unwrap_err();
    assert!(
        text.to_string().contains("not a multiple of the 8 bytes"),
        "{text}"
    );
}

#[test]
fn generic_addresses_reach_scratchpad_and_local_memory() {
    let mut k = KernelBuilder::architected("generic", 8, 0);
    k.shared(16).local(16);
    prologue(&mut k);
    let generic = mem(Space::Generic, Ty::U32);
    k.effect(Op::St(generic), [imm(SHARED_WINDOW + 4), imm(30)]);
    let srcs: [Operand; 2] = [imm(LOCAL_WINDOW + 8), Reg::r32(0).into()];
    k.effect(Op::St(generic), srcs);
    k.op(Op::Ld(mem(Space::Shared, Ty::U32)), [Reg::r32(4)], [imm(4)]);
    k.op(Op::Ld(mem(Space::Local, Ty::U32)), [Reg::r32(5)], [imm(8)]);
    let add = Op::Add {
        ty: Ty::U32,
        sat: false,
    };
    k.op(add, [Reg::r32(4)], [Reg::r32(4), Reg::r32(5)]);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    assert_eq!(
        run_on(&k.finish().unwrap(), 1, 4, 4, 0).words(4),
        [30, 31, 32, 33]
    );
}

#[test]
fn atomics_of_all_lanes_add_up_and_return_the_old_values() {
    let mut k = KernelBuilder::architected("atomics", 8, 0);
    prologue(&mut k);
    k.op(Op::Ld(mem(Space::Param, Ty::U64)), [Reg::r64(4)], [imm(0)]);
    let atom = Op::Atom {
        space: Space::Global,
        ty: Ty::U32,
        op: AtomOp::Add,
        offset: 4 * 40,
    };
    let srcs: [Operand; 2] = [Reg::r64(4).into(), imm(3)];
    k.op(atom, [Reg::r32(6)], srcs);
    store_word(&mut k, Reg::r32(6));
    k.exit();
    let words = run_on(&k.finish().unwrap(), 1, 40, 41, 0).words(41);
    let mut old = words[..40].to_vec();
    old.sort_unstable();
    assert_eq!(old, (0..40).map(|i| 3 * i).collect::<Vec<_>>());
    assert_eq!(words[40], 120);
}

#[test]
fn signed_bytes_are_sign_extended_and_unsigned_ones_are_not() {
    for (ty, expected) in [(Ty::S8, 0xFFFF_FF80), (Ty::U8, 0x80)] {
        let mut k = KernelBuilder::architected("bytes", 8, 0);
        k.shared(4);
        prologue(&mut k);
        k.effect(Op::St(mem(Space::Shared, Ty::U8)), [imm(1), imm(0x180)]);
        k.op(Op::Ld(mem(Space::Shared, ty)), [Reg::r32(4)], [imm(1)]);
        store_word(&mut k, Reg::r32(4));
        k.exit();
        assert_eq!(
            run_on(&k.finish().unwrap(), 1, 1, 1, 0).words(1),
            [expected]
        );
    }
}

#[test]
fn module_constants_are_read_and_stores_to_them_refused() {
    let kernel = |store: bool| {
        let mut k = KernelBuilder::architected("constants", 8, 0);
        prologue(&mut k);
        k.op(
            Op::Ld(mem(Space::Const, Ty::U32)),
            [Reg::r32(4)],
            [imm(MODULE_GLOBALS + 4)],
        );
        if store {
            k.effect(
                Op::St(mem(Space::Global, Ty::U32)),
                [imm(MODULE_GLOBALS), imm(0)],
            );
        }
        store_word(&mut k, Reg::r32(4));
        k.exit();
        let mut kernel = k.finish().unwrap();
        kernel.globals.push(GlobalVar {
            name: "table".to_owned(),
            address: MODULE_GLOBALS,
            size_bytes: 8,
            init: vec![1, 0, 0, 0, 2],
            constant: true,
        });
        kernel
    };
    assert_eq!(run_on(&kernel(false), 1, 1, 1, 0).words(1), [2]);
    let error = run_on(&kernel(true), 1, 1, 1, 0).result.unwrap_err();
    assert!(error.to_string().contains("read only"), "{error}");
}

#[test]
fn registers_read_before_they_are_written_are_zero_and_reported() {
    let mut k = KernelBuilder::architected("unwritten", 8, 0);
    prologue(&mut k);
    store_word(&mut k, Reg::r32(7));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 2, 2, 0);
    assert_eq!(run.words(2), [0, 0]);
    let reads = run.result.unwrap().unwritten_reads;
    let registers: Vec<_> = reads.iter().map(|r| (r.inst, r.register)).collect();
    assert_eq!(registers, [(5, Unwritten::Reg(Reg::r32(7)))]);
}

#[test]
fn thread_numbers_run_along_x_first() {
    let mut k = KernelBuilder::architected("axes", 8, 0);
    k.param("out", Ty::U64);
    k.op(Op::Ld(mem(Space::Param, Ty::U64)), [Reg::r64(2)], [imm(0)]);
    let mad = |part| Op::Mad {
        ty: Ty::U32,
        part,
        sat: false,
    };
    use crate::kernel::op::Part;
    // r0 = tid.x + 3 * (tid.y + 2 * tid.z), as a block of 3 x 2 x 2 demands
    let srcs: [Operand; 3] = [Special::Tid(2).into(), imm(2), Special::Tid(1).into()];
    k.op(mad(Part::Lo), [Reg::r32(0)], srcs);
    let srcs: [Operand; 3] = [Reg::r32(0).into(), imm(3), Special::Tid(0).into()];
    k.op(mad(Part::Lo), [Reg::r32(0)], srcs);
    let srcs: [Operand; 3] = [Reg::r32(0).into(), imm(4), Reg::r64(2).into()];
    k.op(mad(Part::Wide), [Reg::r64(2)], srcs);
    k.op(Op::Mov(Ty::U32), [Reg::r32(4)], [Special::LaneId]);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", 48).unwrap();
    let dims = LaunchDims {
        grid: [1; 3],
        block: [3, 2, 2],
        dynamic_scratchpad_bytes: 0,
    };
    run(
        &k.finish().unwrap(),
        &dims,
        &base.to_le_bytes(),
        &mut memory,
    )
    .unwrap();
    let words: Vec<u32> = (0..12)
        .map(|i| memory.read_u32(base + 4 * i).unwrap())
        .collect();
    assert_eq!(words, (0..12).collect::<Vec<_>>());
}

#[test]
fn impossible_launches_are_refused() {
    let mut k = KernelBuilder::architected("launch", 8, 0);
    prologue(&mut k);
    k.exit();
    let kernel = k.finish().unwrap();
    let attempt = |block: [u32; 3], params: &[u8]| {
        let dims = LaunchDims {
            grid: [1; 3],
            block,
            dynamic_scratchpad_bytes: 0,
        };
        let memory = &mut MemoryImage::new();
        let result = run_with(&kernel, &dims, params, memory, &Options::default());
        result.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(attempt([32, 32, 1], &[0; 8]), Ok(()));
    assert!(attempt([32, 33, 1], &[0; 8]).unwrap_err().contains("1024"));
    assert!(attempt([0, 1, 1], &[0; 8]).unwrap_err().contains("empty"));
    assert!(
        attempt([1, 1, 1], &[0; 7])
            .unwrap_err()
            .contains("take 8 bytes")
    );
}
