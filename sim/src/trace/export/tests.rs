//! Traces of our own runs, read back.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use super::*;
use crate::bundled;
use crate::flow::{self, Workload};
use crate::trace::lift::operand::operands;
use crate::trace::operands::Operands;
use crate::trace::record::{Class, CtaTrace, Program, Space};
use crate::trace::{KernelReader, ReadOptions};

struct Exported {
    kernel: Kernel,
    stats: InterpStats,
    text: Vec<u8>,
    program: Program,
    ctas: Vec<CtaTrace>,
    regs: u16,
}

fn exported(name: &str, options: &ExportOptions) -> Exported {
    let workload = Workload::of_bundled(bundled::find(name).unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let mut memory = workload.launch.memory.clone();
    let mut text = Vec::new();
    let dims = LaunchDims {
        grid: workload.launch.grid,
        block: workload.launch.block,
        dynamic_scratchpad_bytes: workload.launch.dynamic_scratchpad_bytes,
    };
    let stats = export(
        &compiled.kernel,
        &dims,
        &workload.params,
        &mut memory,
        options,
        &mut text,
    )
    .unwrap();
    assert_eq!(workload.verdict(&memory), flow::Verdict::Correct);
    let mut reader = KernelReader::new(
        Cursor::new(text.clone()),
        Path::new("own.traceg"),
        &ReadOptions::default(),
    )
    .unwrap();
    let mut ctas = Vec::new();
    while let Some(cta) = reader.next_cta().unwrap() {
        ctas.push(cta);
    }
    Exported {
        kernel: compiled.kernel,
        stats,
        text,
        program: reader.program().clone(),
        ctas,
        regs: compiled.report.regs,
    }
}

#[test]
fn trace_of_a_bundled_kernel_has_every_instruction_that_ran() {
    for name in ["histogram", "bfs"] {
        let run = exported(name, &ExportOptions::default());
        let warps = || run.ctas.iter().flat_map(|cta| &cta.warps);
        let insts: usize = warps().map(|warp| warp.insts.len()).sum();
        let lanes = warps()
            .flat_map(|warp| &warp.insts)
            .map(|inst| u64::from(inst.mask.count_ones()));
        assert_eq!(insts as u64, run.stats.warp_insts, "{name}");
        assert_eq!(lanes.sum::<u64>(), run.stats.thread_insts, "{name}");
        assert_eq!(run.ctas.len() as u64, run.stats.ctas, "{name}");
    }
}

/// In the form that Accel-Sim takes: one destination, four sources.
#[test]
fn instructions_of_the_trace_have_the_registers_of_those_of_the_kernel() {
    for name in ["histogram", "bfs", "convsep", "matmul"] {
        let run = exported(name, &ExportOptions::default());
        let insts: Vec<&Inst> = (run.kernel.blocks.iter())
            .flat_map(|block| &block.insts)
            .collect();
        for traced in &run.program.insts {
            let inst = insts[traced.pc as usize / 16];
            let lifted = operands(traced).unwrap();
            assert_eq!(lifted, Operands::of(inst), "{name}: {}", traced.opcode);
            assert!(traced.dsts.len() <= 1, "{name}: {}", traced.opcode);
            assert!(traced.srcs.len() <= 4, "{name}: {}", traced.opcode);
        }
    }
}

#[test]
fn addresses_of_the_trace_lie_in_their_spaces() {
    let run = exported("histogram", &ExportOptions::default());
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for warp in run.ctas.iter().flat_map(|cta| &cta.warps) {
        for inst in warp.insts.iter().filter(|inst| inst.mask != 0) {
            let class = run.program.insts[inst.inst as usize].class;
            let Some(space) = class.space() else { continue };
            let mut out = [0; 32];
            warp.addresses[inst.addresses as usize].expand(inst.mask, &mut out);
            let first = out[inst.mask.trailing_zeros() as usize];
            let is_scratchpad = (SCRATCHPAD_BASE..LOCAL_BASE).contains(&first);
            assert_eq!(
                is_scratchpad,
                space == Space::Shared,
                "{class:?} {first:#x}"
            );
            *seen
                .entry(if is_scratchpad {
                    "scratchpad"
                } else {
                    "device"
                })
                .or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn head_says_what_was_launched() {
    let run = exported("histogram", &ExportOptions::default());
    let text = String::from_utf8(run.text).unwrap();
    assert!(text.starts_with("-kernel name = histogram\n-kernel id = 1\n-grid dim = ("));
    assert!(text.contains(&format!("\n-nregs = {}\n", run.regs)));
}

#[test]
fn lines_are_named_where_asked_for() {
    let options = ExportOptions {
        lines: true,
        ..ExportOptions::default()
    };
    let run = exported("histogram", &options);
    assert!(
        run.program
            .insts
            .iter()
            .all(|inst| inst.line.is_some_and(|line| line > 0))
    );
}

#[test]
fn barriers_and_branches_are_among_the_classes() {
    let run = exported("histogram", &ExportOptions::default());
    for class in [
        Class::Barrier,
        Class::Branch,
        Class::Exit,
        Class::Atomic(Space::Shared),
    ] {
        assert!(
            run.program.insts.iter().any(|inst| inst.class == class),
            "{class:?}"
        );
    }
}

#[test]
fn kernel_with_virtual_registers_is_refused() {
    let workload = Workload::of_bundled(bundled::find("histogram").unwrap()).unwrap();
    let dims = LaunchDims {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    let mut memory = workload.launch.memory.clone();
    let mut text = Vec::new();
    let refused = export(
        &workload.kernel,
        &dims,
        &workload.params,
        &mut memory,
        &ExportOptions::default(),
        &mut text,
    );
    assert!(matches!(refused, Err(ExportError::NotAllocated)));
    assert!(text.is_empty());
}

#[test]
fn same_launch_gives_the_same_trace() {
    let [once, again] = [(); 2].map(|()| exported("bfs", &ExportOptions::default()).text);
    assert!(once == again);
}

#[test]
fn every_instruction_of_the_bundled_kernels_has_an_opcode_of_the_traced_hardware() {
    for bundled in bundled::all() {
        let workload = Workload::of_bundled(bundled).unwrap();
        for inst in workload.kernel.blocks.iter().flat_map(|block| &block.insts) {
            let name = opcode::name(inst);
            let class = crate::trace::opcode::class(&name, crate::trace::Generation::Ampere);
            let is_access = class.is_some_and(|class| class.space().is_some());
            let has_addresses = Template::new(inst, 0, false).has_addresses();
            assert!(class.is_some(), "{}: {name}", bundled.name);
            assert_eq!(is_access, has_addresses, "{}: {name}", bundled.name);
        }
    }
}
