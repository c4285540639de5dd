//! Kernels with calls on the SM.

use crate::compiler::calls::Saves;
use crate::compiler::calls::tests::{expected, linked};
use crate::machine::Machine;
use crate::memory::image::MemoryImage;
use crate::scheme::{AbiSpill, CtaShape, PlanInput, Scheme};
use crate::sm::{Launch, RunError, RunOptions, run};

pub(super) fn launch() -> Launch {
    let mut memory = MemoryImage::new();
    let out = memory.allocate("out", 4 * 64).unwrap();
    Launch {
        grid: [1; 3],
        block: [64, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: out.to_le_bytes().to_vec(),
        memory,
    }
}

fn run_linked(saves: Saves) -> Result<crate::sm::RunResult, RunError> {
    let machine = Machine::preset("gtx480").unwrap();
    let kernel = linked(saves);
    let plan = AbiSpill::Plain.plan(&PlanInput {
        kernel: &kernel,
        machine: &machine,
        cta: CtaShape {
            threads: 64,
            scratchpad_bytes: 0,
        },
        shares_sm: false,
    });
    run(&plan.unwrap(), &launch(), &machine, &RunOptions::default())
}

#[test]
fn divergent_recursive_and_guarded_calls_compute_what_the_source_says() {
    let result = run_linked(Saves::LocalMemory).unwrap();
    let memory = &result.memory;
    let bytes = memory.contents(memory.allocation("out").unwrap());
    for (thread, word) in bytes.chunks_exact(4).enumerate() {
        let word = u32::from_le_bytes(word.try_into().unwrap());
        assert_eq!(word, expected(thread as u32), "thread {thread}");
    }
    assert!(result.counters.memory.l1_stores > 64, "registers are saved");
    assert!(result.counters.calls.deepest >= 7, "of each warp");
}

#[test]
fn pushes_are_refused_by_hardware_without_a_register_stack() {
    let error = run_linked(Saves::RegisterStack).unwrap_err();
    assert!(error.to_string().contains("register stack"), "{error}");
}
