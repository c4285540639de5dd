//! What kernels compute, and how misuse is reported.

mod barriers;
mod divergence;
mod memory;
mod trace;

use super::{InterpError, InterpStats, LaunchDims, Options, run_with};
use crate::kernel::build::{KernelBuilder, imm};
use crate::kernel::op::{Mem, Op, Space, Ty};
use crate::kernel::{Kernel, Operand, Reg, Special};
use crate::memory::image::MemoryImage;

/// A launch on a memory with one buffer of words; `param 0` is its address.
struct Run {
    memory: MemoryImage,
    base: u64,
    result: Result<InterpStats, InterpError>,
}

fn run_on(kernel: &Kernel, grid: u32, block: u32, words: u64, dynamic: u32) -> Run {
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", words * 4).unwrap();
    let dims = LaunchDims {
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        dynamic_scratchpad_bytes: dynamic,
    };
    let options = Options {
        step_limit: 100_000,
        report_unwritten_reads: true,
        ..Options::default()
    };
    let result = run_with(kernel, &dims, &base.to_le_bytes(), &mut memory, &options);
    Run {
        memory,
        base,
        result,
    }
}

impl Run {
    fn word(&self, index: u64) -> u32 {
        self.memory.read_u32(self.base + 4 * index).unwrap()
    }

    fn words(&self, count: u64) -> Vec<u32> {
        assert_eq!(self.result.as_ref().err(), None);
        (0..count).map(|i| self.word(i)).collect()
    }
}

/// r0 = global thread number, r2:3 = address of its word. Leaves r1 in use.
fn prologue(k: &mut KernelBuilder) {
    k.param("out", Ty::U64);
    k.op(Op::Ld(mem(Space::Param, Ty::U64)), [Reg::r64(2)], [imm(0)]);
    k.op(Op::Mov(Ty::U32), [Reg::r32(0)], [Special::Ctaid(0)]);
    k.op(Op::Mov(Ty::U32), [Reg::r32(1)], [Special::Ntid(0)]);
    let mad = Op::Mad {
        ty: Ty::U32,
        part: crate::kernel::op::Part::Lo,
        sat: false,
    };
    let srcs: [Operand; 3] = [
        Reg::r32(0).into(),
        Reg::r32(1).into(),
        Special::Tid(0).into(),
    ];
    k.op(mad, [Reg::r32(0)], srcs);
    let wide = Op::Mad {
        ty: Ty::U32,
        part: crate::kernel::op::Part::Wide,
        sat: false,
    };
    let srcs: [Operand; 3] = [Reg::r32(0).into(), imm(4), Reg::r64(2).into()];
    k.op(wide, [Reg::r64(2)], srcs);
}

fn mem(space: Space, ty: Ty) -> Mem {
    Mem {
        space,
        ty,
        vec: 1,
        offset: 0,
        strong: false,
    }
}

fn store_word(k: &mut KernelBuilder, value: Reg) {
    k.effect(Op::St(mem(Space::Global, Ty::U32)), [Reg::r64(2), value]);
}
