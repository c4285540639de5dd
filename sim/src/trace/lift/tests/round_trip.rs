//! Runs of ours, exported, lifted and followed: as long as the runs themselves.

use super::*;
use crate::bundled;
use crate::flow::{self, Setup, Workload};
use crate::kernel::interp::LaunchDims;
use crate::kernel::{Kernel, Op, text};
use crate::memory::image::MemoryImage;
use crate::sm::Launch;
use crate::trace::export::{ExportOptions, export};
use crate::trace::operands::Operands;

pub(super) fn exported(kernel: &Kernel, launch: &Launch) -> Trace {
    let dims = LaunchDims {
        grid: launch.grid,
        block: launch.block,
        dynamic_scratchpad_bytes: launch.dynamic_scratchpad_bytes,
    };
    let mut out = Vec::new();
    let mut memory = launch.memory.clone();
    let options = ExportOptions::default();
    export(
        kernel,
        &dims,
        &launch.params,
        &mut memory,
        &options,
        &mut out,
    )
    .expect("runs");
    Trace::new(String::from_utf8(out).expect("is text"))
}

/// Static instructions that are not branches of ours.
fn originals(kernel: &Kernel) -> usize {
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    insts.filter(|inst| !matches!(inst.op, Op::Bra(_))).count()
}

/// No predicates, no divisions, no products of 64 bits: all that a trace does not tell is not there.
const PLAIN: &str = ".kernel k;
.regs architected 12, 1;
.shared 1024;
.param u64 out, offset 0, size 8, align 8;
entry:
    mov.u32 r0, %tid.x;
    mov.u32 r1, %ctaid.x;
    mad.lo.u32 r2, r1, 256, r0;
    ld.param.u64 r4:5, [0];
    mad.wide.u32 r6:7, r2, 4, r4:5;
    ld.global.u32 r8, [r6:7];
    shl.b32 r9, r0, 2;
    st.shared.u32 [r9], r8;
    bar.sync 0;
    xor.b32 r9, r9, 124;
    ld.shared.u32 r10, [r9];
    mad.lo.u32 r11, r10, r8, r2;
    min.u32 r10, r11, r8;
    st.global.u32 [r6:7], r10;
    exit;
";

/// That kernel with so many registers, and a launch of 40 CTAs.
pub(super) fn plain(regs: u16) -> (Kernel, Launch) {
    let regs = format!("architected {regs}");
    let kernel = text::parse(&PLAIN.replace("architected 12", &regs), "k").expect("parses");
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", 40 * 1024).expect("fits");
    let launch = Launch {
        grid: [40, 1, 1],
        block: [256, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: base.to_le_bytes().to_vec(),
        memory,
    };
    (kernel, launch)
}

/// The plan for such a kernel itself, not for its trace.
pub(super) fn plan_of_plain(kernel: &Kernel, name: &str) -> Plan {
    let scheme = by_name(name, SchemeOptions::default()).expect("exists");
    let plan = scheme.plan(&PlanInput {
        kernel,
        machine: &gtx480(),
        cta: CtaShape {
            threads: 256,
            scratchpad_bytes: 1024,
        },
        shares_sm: false,
    });
    plan.expect("is planned")
}

#[test]
fn run_without_predicates_takes_as_many_cycles_as_its_trace() {
    let (kernel, launch) = plain(12);
    let trace = exported(&kernel, &launch);
    assert_eq!(originals(&trace.lifted.kernel), originals(&kernel));
    for name in ["baseline", "shared-lrr-unroll", "rfv-hardware-only"] {
        let (plan, options) = (plan_of_plain(&kernel, name), RunOptions::default());
        let own = crate::sm::run(&plan, &launch, &gtx480(), &options);
        let own = own.expect("runs");
        let followed = trace.run(name, &options);
        assert_eq!(followed.cycles, own.cycles, "{name}");
        assert_eq!(followed.counters, own.counters, "{name}");
    }
}

/// What makes a difference: nothing waits for predicates, and products of 64 bits and divisions cost what one instruction does.
#[test]
fn traces_of_bundled_kernels_take_nearly_as_many_cycles_as_the_kernels() {
    for name in ["histogram", "reduction", "convsep"] {
        let workload = Workload::of_bundled(bundled::find(name).expect("exists")).expect("opens");
        let compiled = flow::compile(&workload, None).expect("compiles");
        let launch = Launch {
            grid: workload.launch.grid,
            block: workload.launch.block,
            dynamic_scratchpad_bytes: workload.launch.dynamic_scratchpad_bytes,
            params: workload.params.clone(),
            memory: workload.launch.memory.clone(),
        };
        let trace = exported(&compiled.kernel, &launch);
        for scheme in ["baseline", "regmutex", "shared-gto-unroll"] {
            let machine = gtx480();
            let by_name = by_name(scheme, SchemeOptions::default()).expect("exists");
            let options = RunOptions::default();
            let setup = Setup {
                machine: &machine,
                options: &options,
            };
            let own = flow::execute(&workload, &compiled, by_name.as_ref(), setup);
            let own = own.expect("runs").result;
            let followed = trace.run(scheme, &options);
            if scheme == "baseline" {
                let counts = [own.counters, followed.counters].map(|c| c.warp_instructions);
                assert_eq!(counts[0], counts[1], "{name}");
            }
            let ratio = followed.cycles as f64 / own.cycles as f64;
            assert!(
                (0.95..1.05).contains(&ratio),
                "{name} under {scheme}: {ratio}"
            );
        }
    }
}

/// Vectors in shuffled, repeated and consecutive registers, the address among the data, constants for an address or an element; and
/// arithmetic of which an opcode of real hardware tells other registers.
const VECTORS: &str = ".kernel k;
.regs architected 32, 1;
.shared 1024;
.local 64;
.param u64 out, offset 0, size 8, align 8;
entry:
    mov.u32 r0, %tid.x;
    ld.param.u64 r4:5, [0];
    mul.wide.u32 r6:7, r0, 16;
    add.u64 r6:7, r4:5, r6:7;
    shl.b32 r9, r0, 4;
    mul.hi.u32 r1, r9, r6;
    mad.hi.u32 r10, r9, r1, r6;
    ld.global.v4.u32 {r13, r2, r11, r8}, [r6:7];
    st.global.v4.u32 [r6:7], {r8, r11, r8, r13};
    ld.global.v2.u32 {r3, r12}, [r6:7 + 8];
    st.global.v2.u32 [r6:7], {r7, r6};
    ld.global.v4.u32 {r16, r17, r18, r19}, [r6:7];
    ld.global.v2.u64 {r16:17, r18:19}, [r6:7];
    ld.global.v2.u64 {r22:23, r14:15}, [r6:7];
    st.global.v2.f64 [r6:7], {r14:15, r22:23};
    st.global.v2.u64 [r6:7], {r6:7, r6:7};
    ld.global.v4.u8 {r24, r25, r1, r27}, [r6:7];
    st.global.v4.u8 [r6:7], {r1, r24, r27, r24};
    ld.v2.u32 {r24, r13}, [r6:7];
    st.v2.u32 [r6:7], {r13, r24};
    atom.global.cas.b64 r18:19, [r6:7], 0, r4:5;
    atom.shared.cas.b64 r18:19, [16], r14:15, r4:5;
    ld.global.v2.u64 {r6:7, r20:21}, [r6:7];
    st.shared.v4.u32 [r9], {r9, r2, r11, r8};
    ld.shared.v4.f32 {r2, r8, r11, r13}, [r9];
    st.shared.v2.u64 [r9], {r22:23, r14:15};
    ld.shared.v2.u64 {r14:15, r22:23}, [r9];
    st.shared.v2.u32 [16], {r13, 5};
    st.shared.u64 [16], r14:15;
    ld.shared.v2.u32 {r29, r13}, [16];
    mov.u32 r28, 16;
    st.local.v4.u32 [r28], {r3, r3, r12, r28};
    ld.local.v4.u32 {r25, r3, r12, r24}, [r28];
    st.local.v2.f64 [32], {r22:23, r4:5};
    ld.local.v2.u64 {r22:23, r16:17}, [r28 + 16];
    st.local.v2.u32 [r28], {r28, r25};
    ld.local.v2.u32 {r28, r2}, [r28];
    exit;
";

#[test]
fn exported_instructions_have_the_registers_that_they_had() {
    let kernel = text::parse(VECTORS, "k").expect("parses");
    crate::kernel::verify::verify(&kernel).expect("is well formed");
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", 64 * 16).expect("fits");
    let launch = Launch {
        grid: [1, 1, 1],
        block: [64, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: base.to_le_bytes().to_vec(),
        memory,
    };
    let trace = exported(&kernel, &launch);
    let all = |kernel: &Kernel| -> Vec<Operands> {
        let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        insts.map(Operands::of).collect()
    };
    assert_eq!(all(&trace.lifted.kernel), all(&kernel), "{}", trace.text);
    for line in [
        // What an opcode of real hardware tells stands there in its words.
        "1 R4 LDC.64 0 0 ",
        "1 R16 LDG.E.128 1 R6 16 ",
        // Accel-Sim takes one destination and four sources.
        "1 R13 LDG.E.128.REGS_W13_W2_W11_W8_R6P 1 R6 16 ",
        "0 STG.E.128.REGS_R6P_R8_R11_R8_R13 4 R6 R8 R11 R8 16 ",
    ] {
        assert!(trace.text.contains(&format!(" {line}")), "{line}");
    }
    for scheme in ["baseline", "rfv"] {
        trace.run(scheme, &RunOptions::default());
    }
}
