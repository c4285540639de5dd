//! Small kernels written by hand, and how tests run them.

use crate::kernel::op::{Cmp, Fp, Mem, Round, Space, Ty};
use crate::kernel::{
    Block, BlockId, Dst, Guard, Inst, Kernel, Line, Op, Operand, Param, Pred, Reg, RegSpace,
    Special,
};
use crate::machine::Machine;
use crate::memory::image::MemoryImage;
use crate::scheme::{Baseline, CtaShape, Plan, PlanInput, Scheme};
use crate::sm::{Launch, RunError, RunOptions, RunResult, run};
use regshare_hw::manager::ManagerSpec;

pub fn r(index: u16) -> Operand {
    Operand::Reg(Reg::r32(index))
}

pub fn rr(index: u16) -> Operand {
    Operand::Reg(Reg::r64(index))
}

pub fn imm(value: u64) -> Operand {
    Operand::Imm(value)
}

pub fn d(index: u16) -> Dst {
    Dst::Reg(Reg::r32(index))
}

pub fn dd(index: u16) -> Dst {
    Dst::Reg(Reg::r64(index))
}

pub fn p(index: u16) -> Dst {
    Dst::Pred(Pred(index))
}

pub fn inst(op: Op, dsts: &[Dst], srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dsts.iter().copied().collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    }
}

pub fn when(pred: u16, negated: bool, mut inst: Inst) -> Inst {
    inst.guard = Some(Guard {
        pred: Pred(pred),
        negated,
    });
    inst
}

pub fn mov(to: u16, from: Operand) -> Inst {
    inst(Op::Mov(Ty::U32), &[d(to)], &[from])
}

pub fn add(to: u16, a: Operand, b: Operand) -> Inst {
    inst(
        Op::Add {
            ty: Ty::U32,
            sat: false,
        },
        &[d(to)],
        &[a, b],
    )
}

pub fn fma(to: u16, a: u16, b: u16, c: u16) -> Inst {
    let fp = Fp {
        round: Round::Nearest,
        ftz: false,
        sat: false,
    };
    inst(Op::Fma(Ty::F32, fp), &[d(to)], &[r(a), r(b), r(c)])
}

pub fn set_less(to: u16, a: Operand, b: Operand) -> Inst {
    let op = Op::Setp {
        cmp: Cmp::Lt,
        ty: Ty::U32,
        ftz: false,
        combine: None,
    };
    inst(op, &[p(to)], &[a, b])
}

pub fn bra(block: u32) -> Inst {
    inst(Op::Bra(BlockId(block)), &[], &[])
}

pub fn exit() -> Inst {
    inst(Op::Exit, &[], &[])
}

fn mem(space: Space, ty: Ty, offset: i64) -> Mem {
    Mem {
        space,
        ty,
        vec: 1,
        offset,
        strong: false,
    }
}

pub fn load(space: Space, to: u16, address: Operand) -> Inst {
    inst(Op::Ld(mem(space, Ty::U32, 0)), &[d(to)], &[address])
}

pub fn store(space: Space, address: Operand, value: Operand) -> Inst {
    inst(Op::St(mem(space, Ty::U32, 0)), &[], &[address, value])
}

/// r0:r1 is the address of the buffer, r2 the thread in the grid, r4:r5 the address of its word in the buffer.
pub fn prologue() -> Vec<Inst> {
    let wide = |to, a, b, c| {
        let op = Op::Mad {
            ty: Ty::U32,
            part: crate::kernel::op::Part::Wide,
            sat: false,
        };
        inst(op, &[dd(to)], &[a, b, c])
    };
    let low = |to, a, b, c| {
        let op = Op::Mad {
            ty: Ty::U32,
            part: crate::kernel::op::Part::Lo,
            sat: false,
        };
        inst(op, &[d(to)], &[a, b, c])
    };
    let special = |special| Operand::Special(special);
    vec![
        inst(Op::Ld(mem(Space::Param, Ty::U64, 0)), &[dd(0)], &[imm(0)]),
        mov(2, special(Special::Ctaid(0))),
        mov(3, special(Special::Ntid(0))),
        low(2, r(2), r(3), special(Special::Tid(0))),
        wide(4, r(2), imm(4), rr(0)),
    ]
}

/// Stores register `value` to the thread's word.
pub fn put(value: u16) -> Inst {
    store(Space::Global, rr(4), r(value))
}

/// A kernel of these blocks; every instruction gets its number, from 1, as its line.
pub fn kernel(blocks: Vec<Vec<Inst>>) -> Kernel {
    let mut line = 0;
    let blocks = blocks.into_iter().enumerate().map(|(number, mut insts)| {
        for inst in &mut insts {
            line += 1;
            inst.line = Line(line);
        }
        Block {
            label: format!("b{number}"),
            insts,
        }
    });
    Kernel {
        name: "test".to_owned(),
        params: vec![Param {
            name: "buffer".to_owned(),
            ty: Ty::U64,
            offset_bytes: 0,
            size_bytes: 8,
            align_bytes: 8,
        }],
        globals: Vec::new(),
        shared_bytes: 4096,
        local_bytes: 64,
        regs: RegSpace::Architected { regs: 24, preds: 4 },
        blocks: blocks.collect(),
        rounds: Vec::new(),
    }
}

pub fn gtx480() -> Machine {
    Machine::preset("gtx480").unwrap()
}

/// A launch of a kernel with one buffer of a word per thread, and 64 KiB more.
pub fn launch(ctas: u32, threads: u32) -> Launch {
    let mut memory = MemoryImage::new();
    let bytes = u64::from(ctas * threads) * 4 + 65536;
    let base = memory.allocate("out", bytes).unwrap();
    Launch {
        grid: [ctas, 1, 1],
        block: [threads, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: base.to_le_bytes().to_vec(),
        memory,
    }
}

pub fn plan(kernel: &Kernel, threads: u32) -> Plan {
    Baseline
        .plan(&PlanInput {
            kernel,
            machine: &gtx480(),
            cta: CtaShape {
                threads,
                scratchpad_bytes: kernel.shared_bytes,
            },
            shares_sm: false,
        })
        .unwrap()
}

/// The plan of a kernel of 24 registers with `base` of its own per warp and `ext` shared in `sections` sections.
pub fn sharing_plan(kernel: &Kernel, threads: u32, base: u16, ext: u16, sections: u16) -> Plan {
    let mut plan = plan(kernel, threads);
    plan.shared_from = Some(base);
    plan.manager = ManagerSpec::RegMutex {
        base_regs: base,
        ext_regs: ext,
        sections,
        srp_offset: 48 * base,
        owner_first: false,
    };
    plan
}

pub fn try_run(kernel: &Kernel, ctas: u32, threads: u32) -> Result<RunResult, RunError> {
    run(
        &plan(kernel, threads),
        &launch(ctas, threads),
        &gtx480(),
        &RunOptions::default(),
    )
}

pub fn run_ok(kernel: &Kernel, ctas: u32, threads: u32) -> RunResult {
    try_run(kernel, ctas, threads).unwrap_or_else(|error| panic!("{error}"))
}

/// The words that the threads have stored.
pub fn words(result: &RunResult, threads: usize) -> Vec<u32> {
    let out = result.memory.allocation("out").unwrap();
    let bytes = result.memory.contents(out);
    let word = |chunk: &[u8]| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    bytes.chunks_exact(4).take(threads).map(word).collect()
}

/// Cycles that each further `body` takes: (cycles with `b` copies - cycles with `a`) / (b - a), of one warp.
pub fn cycles_each(before: &[Inst], body: &[Inst], a: usize, b: usize) -> f64 {
    let cycles = |copies: usize| {
        let mut insts = prologue();
        insts.extend_from_slice(before);
        for _ in 0..copies {
            insts.extend_from_slice(body);
        }
        insts.push(exit());
        run_ok(&kernel(vec![insts]), 1, 32).cycles as f64
    };
    (cycles(b) - cycles(a)) / (b - a) as f64
}
