//! What the SM owes to hardware that renames: a register is read before its pack can have another value.

use super::programs::{bundled_launch, generated_launch, interpreted};
use crate::bundled;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::{Kernel, Op, text};
use crate::machine::{Machine, SchedulerPolicy};
use crate::memory::image::MemoryImage;
use crate::observe::probe::ProbeError;
use crate::observe::stalls::StallTable;
use crate::observe::watch::{Event, Listing, Slots, Watcher};
use crate::scheme::{CtaShape, Plan, PlanInput, SchemeOptions, by_name};
use crate::sm::{Launch, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A machine on which all registers lie in `banks` banks: with one, reads queue for long.
fn with_banks(banks: u8) -> Machine {
    let mut machine = Machine::preset("fermi16").unwrap();
    machine.pipeline.register_banks = banks;
    machine
}

fn plan(scheme: &str, clocks: u8, kernel: &Kernel, launch: &Launch, machine: &Machine) -> Plan {
    let options = SchemeOptions {
        table_clocks: Some(clocks),
        ..SchemeOptions::default()
    };
    plan_with(scheme, options, kernel, launch, machine)
}

fn plan_with(
    scheme: &str,
    options: SchemeOptions,
    kernel: &Kernel,
    launch: &Launch,
    machine: &Machine,
) -> Plan {
    let input = PlanInput {
        kernel,
        machine,
        cta: CtaShape {
            threads: launch.block.iter().product(),
            scratchpad_bytes: kernel.shared_bytes,
        },
        shares_sm: false,
    };
    by_name(scheme, options).unwrap().plan(&input).unwrap()
}

fn ran(plan: &Plan, launch: &Launch, machine: &Machine, policy: SchedulerPolicy) -> RunResult {
    let options = RunOptions {
        scheduler: Some(policy),
        ..RunOptions::default()
    };
    run(plan, launch, machine, &options)
        .unwrap_or_else(|error| panic!("{} on {}: {error}", plan.kernel.name, plan.scheme))
}

/// A read that came too late would find the value of another register, and end the run.
#[test]
fn reads_that_queue_for_one_bank_come_before_their_packs_are_written_anew() {
    for (name, scheme, clocks) in [
        ("bfs", "rfv", 1),
        ("reduction", "rfv", 2),
        ("reduction", "rfv-hardware-only", 2),
    ] {
        let bundled = bundled::find(name).unwrap();
        let (kernel, prepared, launch) = bundled_launch(bundled);
        let machine = with_banks(1);
        let plan = plan(scheme, clocks, &kernel, &launch, &machine);
        let result = ran(&plan, &launch, &machine, SchedulerPolicy::TwoLevel(6));
        let right = bundled.verify(&prepared, &result.memory);
        right.unwrap_or_else(|wrong| panic!("{name} under {scheme}: {wrong}"));
        let held = result.renaming.expect("renames").hold_cycles;
        assert!(held > 0, "{name} under {scheme} with {clocks} clocks");
    }
}

/// A generated kernel with few enough registers for the table, its launch, and the memory that the interpreter leaves.
fn of_seed(seed: u64) -> (Kernel, Launch, MemoryImage) {
    let generated = generate(seed, &GenOptions::varied(seed));
    let launch = generated_launch(&generated);
    let expected = interpreted(&generated.kernel, &launch);
    let few = AllocOptions {
        max_regs: 63,
        ..AllocOptions::default()
    };
    let kernel = allocate(&generated.kernel, &few).unwrap().kernel;
    (kernel, launch, expected)
}

#[test]
fn generated_kernels_lose_no_register_whatever_the_banks_and_clocks() {
    for seed in 0..8 {
        let (kernel, launch, expected) = of_seed(seed);
        for (banks, clocks) in [(1, 2), (4, 1), (32, 2)] {
            let machine = with_banks(banks);
            let plan = plan("rfv", clocks, &kernel, &launch, &machine);
            let result = ran(&plan, &launch, &machine, SchedulerPolicy::Gto);
            assert!(
                result.memory == expected,
                "seed {seed}: {banks} banks, {clocks} clocks"
            );
        }
    }
}

/// The table is walked, 16 cycles, for warps that end with more mapped than a pbr can name, and for no others.
#[test]
fn the_table_is_walked_for_warps_that_have_not_given_back_all() {
    let walks = |regs: u16, scheme: &str| {
        let mut text = ".kernel k;\n.regs architected 16, 0;\nentry:\n".to_owned();
        for reg in 0..regs {
            text += &format!(" mov.u32 r{reg}, {reg};\n");
        }
        let kernel = text::parse(&(text + " exit;\n"), "walks").unwrap();
        let launch = Launch {
            grid: [5, 1, 1],
            block: [64, 1, 1],
            dynamic_scratchpad_bytes: 0,
            params: Vec::new(),
            memory: MemoryImage::default(),
        };
        let machine = with_banks(16);
        let plan = plan(scheme, 2, &kernel, &launch, &machine);
        let result = ran(&plan, &launch, &machine, SchedulerPolicy::Gto);
        result.renaming.expect("renames").walk_cycles
    };
    assert_eq!(walks(9, "rfv"), 0);
    // Two clocks a cycle, ten warps.
    assert_eq!(walks(10, "rfv"), 10 * 16 / 2);
    assert_eq!(walks(9, "rfv-hardware-only"), 10 * 16 / 2);
}

/// A flag of an exit that is wrong ends the run.
#[test]
fn a_warp_that_ends_with_more_than_its_exit_says_is_told() {
    let kernel = text::parse(
        ".kernel k;\n.regs architected 16, 0;\nentry:\n mov.u32 r3, 1;\n exit;\n",
        "wrong",
    )
    .unwrap();
    let launch = Launch {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: Vec::new(),
        memory: MemoryImage::default(),
    };
    let machine = with_banks(16);
    let mut plan = plan("rfv", 2, &kernel, &launch, &machine);
    plan.kernel.blocks[0]
        .insts
        .retain(|inst| inst.op != Op::Pbr);
    let error = run(&plan, &launch, &machine, &RunOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("ends with register r3 mapped"),
        "{error}"
    );
}

/// SPEC: a pir is not fetched or decoded on a hit; without a cache nothing hits, also where no instruction reads a register.
#[test]
fn without_a_flag_cache_each_warp_decodes_each_pir_that_it_comes_to() {
    for seed in 0..12 {
        let (kernel, launch, expected) = of_seed(seed);
        let machine = with_banks(16);
        let options = SchemeOptions {
            flag_entries: 0,
            ..SchemeOptions::default()
        };
        let plan = plan_with("rfv", options, &kernel, &launch, &machine);
        let table = Arc::new(Mutex::new(StallTable::default()));
        let buffers = Arc::new(Mutex::new(Buffers::default()));
        let options = RunOptions {
            watchers: vec![table.clone(), buffers.clone()],
            ..RunOptions::default()
        };
        let result = run(&plan, &launch, &machine, &options).unwrap();
        assert!(result.memory == expected, "seed {seed}");
        assert_eq!(buffers.lock().unwrap().unfetched, 0, "seed {seed}");
        let decoded = result.renaming.expect("renames").pir_decoded;
        let passed = issued_behind_pirs(&plan, &table.lock().unwrap());
        assert_eq!(decoded, passed, "seed {seed}");
    }
}

/// What each warp has fetched and not used, and how often one used what it had not fetched.
#[derive(Default)]
struct Buffers {
    left: BTreeMap<usize, usize>,
    unfetched: usize,
}

impl Watcher for Buffers {
    fn begin(&mut self, _: &Listing) -> Result<(), ProbeError> {
        Ok(())
    }

    fn wants_pipeline(&self) -> bool {
        true
    }

    fn event(&mut self, _: u64, event: &Event) {
        match *event {
            Event::Fetched { warp, pcs } => {
                self.left.insert(warp, pcs.len());
            }
            Event::Issued { warp, .. } | Event::WordDecoded { warp, .. } => {
                match self.left.get_mut(&warp).filter(|left| **left > 0) {
                    Some(left) => *left -= 1,
                    None => self.unfetched += 1,
                }
            }
            _ => {}
        }
    }

    fn slots(&mut self, _: u64, _: Slots) {}

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// How often the instruction behind each pir issues.
fn issued_behind_pirs(plan: &Plan, table: &StallTable) -> u64 {
    let insts = plan.kernel.blocks.iter().flat_map(|block| &block.insts);
    let behind = insts.zip(table.by_pc.iter().skip(1));
    let behind = behind.filter(|(inst, _)| inst.op == Op::Pir);
    behind.map(|(_, slots)| slots.issued).sum()
}

/// Two schedulers issue more than one instruction in a cycle only where the table takes more than one.
#[test]
fn a_table_that_is_clocked_twice_costs_far_less_than_one_that_is_clocked_once() {
    let bundled = bundled::find("dct8x8").unwrap();
    let (kernel, _, launch) = bundled_launch(bundled);
    let machine = with_banks(4);
    let cycles = |scheme, clocks| {
        let plan = plan(scheme, clocks, &kernel, &launch, &machine);
        ran(&plan, &launch, &machine, SchedulerPolicy::TwoLevel(6)).cycles as f64
    };
    let baseline = cycles("baseline", 1);
    let (once, twice) = (cycles("rfv", 1) / baseline, cycles("rfv", 2) / baseline);
    assert!(once > 1.1 && twice < 1.05, "{once:.3} and {twice:.3}");
}
