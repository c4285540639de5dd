//! What holds for the kernels that call functions: inlined and with calls they compute the same.

use crate::bundled::{Bundled, calling};
use crate::compiler::calls::{self, Saves};
use crate::compiler::regalloc::AllocOptions;
use crate::flow::{self, Setup, Verdict, Workload};
use crate::kernel::interp::{self, InterpStats, LaunchDims};
use crate::kernel::op::{Op, Space};
use crate::kernel::{Kernel, ptx};
use crate::machine::Machine;
use crate::scheme::SchemeOptions;
use crate::sm::RunOptions;

fn module(bundled: &Bundled) -> ptx::Module {
    ptx::read(bundled.ptx, bundled.name).unwrap()
}

fn with_calls(bundled: &Bundled, saves: Saves) -> Kernel {
    let program = module(bundled).entries[0].program.clone();
    let program = program.unwrap().unwrap();
    let linked = calls::lower(&program, saves, &AllocOptions::default());
    linked.unwrap().kernel
}

/// CARS plans with the graph of the code, `--emit calls` shows that of the functions.
#[test]
fn code_has_the_call_graph_of_its_functions() {
    for bundled in calling() {
        let program = module(bundled).entries[0].program.clone();
        let program = program.unwrap().unwrap();
        let options = AllocOptions::default();
        let linked = calls::lower(&program, Saves::RegisterStack, &options).unwrap();
        let of_code = calls::graph_of(&linked.kernel);
        let seen = |graph: &calls::CallGraph| {
            let recursive = graph.has_recursion();
            (graph.low(), graph.high(), graph.largest_fru(), recursive)
        };
        assert_eq!(seen(&of_code), seen(&linked.graph), "{}", bundled.name);
        assert_eq!(
            of_code.nodes().len(),
            linked.graph.nodes().len(),
            "{}",
            bundled.name
        );
    }
}

/// Runs in the plain interpreter and checks the result.
fn interpreted(bundled: &Bundled, kernel: &Kernel) -> InterpStats {
    let launch = bundled.prepare().unwrap();
    let dims = LaunchDims {
        grid: launch.grid,
        block: launch.block,
        dynamic_scratchpad_bytes: 0,
    };
    let mut memory = launch.memory.clone();
    for variable in &kernel.globals {
        let (name, address) = (&variable.name, variable.address);
        let placed = memory.place_variable(name, address, &variable.init, variable.size_bytes);
        placed.unwrap();
    }
    let params = launch.param_space(kernel).unwrap();
    let stats = interp::run(kernel, &dims, &params, &mut memory).unwrap();
    assert_eq!(bundled.verify(&launch, &memory), Ok(()), "{}", bundled.name);
    stats
}

#[test]
fn every_kernel_computes_its_reference_with_calls_and_where_it_can_inlined() {
    for bundled in calling() {
        for saves in [Saves::LocalMemory, Saves::RegisterStack] {
            let stats = interpreted(bundled, &with_calls(bundled, saves));
            let size = 20_000..200_000;
            assert!(
                size.contains(&stats.warp_insts),
                "{}: {stats:?}",
                bundled.name
            );
        }
        let module = module(bundled);
        match module.kernel(bundled.name) {
            Ok(kernel) if bundled.calls.can_inline() => {
                interpreted(bundled, kernel);
            }
            Err(error) if !bundled.calls.can_inline() => {
                assert!(error.to_string().contains("recursive call"), "{error}");
            }
            other => panic!("{}: {other:?}", bundled.name),
        }
    }
}

/// Otherwise nothing is measured that CARS is about.
#[test]
fn every_kernel_has_functions_that_save_registers() {
    for bundled in calling() {
        let saved = |saves, wanted: fn(&Op) -> bool| {
            let kernel = with_calls(bundled, saves);
            let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
            insts.filter(|inst| wanted(&inst.op)).count()
        };
        let stores = saved(
            Saves::LocalMemory,
            |op| matches!(op, Op::St(mem) if mem.space == Space::Local),
        );
        let pushes = saved(Saves::RegisterStack, |op| *op == Op::Push);
        assert!(stores > 0 && pushes > 0, "{}", bundled.name);
    }
}

#[test]
fn every_kernel_runs_on_an_sm_under_the_convention_in_some_hundred_thousand_cycles() {
    let machine = Machine::preset("gtx480").unwrap();
    let scheme = flow::scheme("abi-spill", SchemeOptions::default()).unwrap();
    for bundled in calling() {
        let workload = Workload::of_bundled(bundled).unwrap();
        let compiled = flow::compile(&workload, None).unwrap();
        let setup = Setup {
            machine: &machine,
            options: &RunOptions::default(),
        };
        let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup).unwrap();
        assert_eq!(ran.verdict, Verdict::Correct, "{}", bundled.name);
        let cycles = ran.result.cycles;
        assert!(cycles <= 120_000, "{}: {cycles} cycles", bundled.name);
    }
}
