//! Generated kernels under every scheme: the memory that the interpreter leaves, which knows no timing, nothing held at the end,
//! and the same from all backends. 500 of them; 10,000 in the soak run. One that fails is shortened before it is shown.

use rayon::prelude::*;
use regshare_hw::manager::Backend;
use regshare_sim::compiler::regalloc::{AllocOptions, allocate};
use regshare_sim::kernel::{Kernel, RegSpace, text};
use regshare_sim::machine::{Machine, SchedulerPolicy};
use regshare_sim::memory::image::MemoryImage;
use regshare_sim::scheme::{
    CtaShape, CtaThrottle, NAMES, OWF_NAMES, Plan, PlanInput, Resident, SchemeOptions, Shrink,
    by_name,
};
use regshare_sim::sm::{Launch, RunOptions, RunResult, run};
use regshare_sim::testing::shrink::{count, shrink};
use regshare_sim::testing::{GenOptions, Generated, generate};
use std::io::Write;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Whether the scheme renames registers.
fn renames(scheme: &str) -> bool {
    ["rfv", "gpu-shrink", "rfv-hardware-only"].contains(&scheme)
}

/// Entries of the flag cache and cycles of a wake-up of which there is Verilog.
const VARIANTS: [(u8, u8); 7] = [(10, 1), (5, 1), (10, 3), (2, 1), (10, 10), (1, 1), (0, 1)];

/// What goes with a kernel: sizes and options that follow from its seed.
struct Case {
    seed: u64,
    /// Flag cache and wake-up of hardware that renames.
    variant: (u8, u8),
    /// Wake-up of hardware-only renaming.
    wake_up_alone: u8,
    generated: Generated,
}

impl Case {
    fn new(seed: u64) -> Case {
        let generated = generate(seed, &GenOptions::varied(seed));
        Case {
            seed,
            variant: VARIANTS[(seed % 7) as usize],
            wake_up_alone: 1,
            generated: generated.with_ctas(2 + (seed % 6) as u32),
        }
    }

    fn policy(&self) -> SchedulerPolicy {
        use SchedulerPolicy::{Gto, Lrr, Oldest, TwoLevel};
        [Gto, Lrr, Oldest, TwoLevel(1), TwoLevel(4)][(self.seed / 2 % 5) as usize]
    }

    /// A machine of which the double still has hardware, and on which, by turns, registers or scratchpad suffice for one or two CTAs and a little more;
    /// two of five have four schedulers.
    fn machine(&self, kernel: &Kernel, renames: bool) -> Machine {
        let mut machine = Machine::preset("gtx480").expect("exists");
        if self.seed % 5 >= 3 {
            machine.schedulers.count = 4;
        }
        if renames {
            // The renaming hardware comes for whole register files, or half of one.
            machine.limits.packs_per_sm = if self.seed % 4 == 1 { 512 } else { 1024 };
            return machine;
        }
        let limits = &mut machine.limits;
        let RegSpace::Architected { regs, .. } = kernel.regs else {
            unreachable!("allocated")
        };
        let regs = limits.rounded_regs(regs.max(1));
        let warps = self.generated.block[0].div_ceil(32) as u16;
        let ctas = 1 + (self.seed / 3 % 2) as u16;
        if self.seed % 2 == 1 && kernel.shared_bytes > 0 {
            limits.scratchpad_bytes = u32::from(ctas) * (kernel.shared_bytes + 64);
        } else {
            limits.packs_per_sm = (warps * ctas * (regs + regs.div_ceil(4))).min(1024);
        }
        machine
    }

    fn plan(&self, scheme: &str, kernel: &Kernel) -> Option<(Plan, Machine)> {
        let renames = renames(scheme);
        let (flag_entries, wake_up) = match scheme {
            "rfv-hardware-only" => (10, self.wake_up_alone),
            _ => self.variant,
        };
        let options = SchemeOptions {
            shrink: Shrink::ALL[(self.seed % 3) as usize],
            flag_entries,
            wake_up,
            resident: match self.seed / 2 % 3 {
                0 => Resident::All,
                _ => Resident::Auto,
            },
            cta_throttle: match self.seed / 6 % 3 {
                0 => CtaThrottle::Balance,
                _ => CtaThrottle::Banker,
            },
            // Four schedulers have two.
            table_clocks: Some(if self.seed % 5 >= 3 {
                2
            } else {
                1 + (self.seed / 2 % 2) as u8
            }),
            ..SchemeOptions::default()
        };
        let scheme = by_name(scheme, options).expect("exists");
        let machine = scheme.machine(&self.machine(kernel, renames));
        let cta = CtaShape {
            threads: self.generated.block[0],
            scratchpad_bytes: kernel.shared_bytes,
        };
        let input = PlanInput {
            kernel,
            machine: &machine,
            cta,
            shares_sm: false,
        };
        // A refusal has a reason, and is no fault.
        let plan = scheme.plan(&input).ok()?;
        Some((plan, machine))
    }

    fn run(&self, plan: &Plan, machine: &Machine, backend: Backend) -> Result<RunResult, String> {
        let (memory, params) = self.generated.inputs();
        let launch = Launch {
            grid: self.generated.grid,
            block: self.generated.block,
            dynamic_scratchpad_bytes: 0,
            params,
            memory,
        };
        let options = RunOptions {
            backend,
            scheduler: Some(self.policy()),
            cycle_limit: Some(10_000_000),
            ..RunOptions::default()
        };
        run(plan, &launch, machine, &options).map_err(|error| error.to_string())
    }

    /// What is wrong with `kernel`, in virtual registers, under `scheme`; `spoil` may spoil the plan.
    fn fault(&self, scheme: &str, kernel: &Kernel, spoil: &dyn Fn(&mut Plan)) -> Option<String> {
        let expected = self.generated.run(kernel).ok()?;
        let allocated = allocate(kernel, &AllocOptions::default()).ok()?.kernel;
        let (mut plan, machine) = self.plan(scheme, &allocated)?;
        spoil(&mut plan);
        let result = match self.run(&plan, &machine, Backend::Model) {
            Ok(result) => result,
            Err(error) => return Some(error),
        };
        difference(&result, &expected)
    }

    /// The fault of the kernel, and the shortest kernel that has one while the baseline has none.
    fn report(&self, scheme: &str, spoil: &dyn Fn(&mut Plan)) -> Option<(String, Kernel)> {
        let fault = self.fault(scheme, &self.generated.kernel, spoil)?;
        let small = shrink(&self.generated.kernel, 3000, |kernel| {
            self.fault("baseline", kernel, &|_| {}).is_none()
                && self.fault(scheme, kernel, spoil).is_some()
        });
        Some((fault, small))
    }
}

fn difference(result: &RunResult, expected: &MemoryImage) -> Option<String> {
    (result.memory.first_difference(expected)).map(|difference| format!("memory: {difference:?}"))
}

fn soak() -> bool {
    std::env::var_os("REGSHARE_SOAK").is_some()
}

#[test]
fn every_scheme_leaves_the_memory_that_the_interpreter_leaves() {
    let cases = if soak() { 10_000 } else { 300 };
    let (most_regs, shared) = (AtomicU32::new(0), AtomicUsize::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let case = Case::new(seed);
        let kernel = &case.generated.kernel;
        let allocated = allocate(kernel, &AllocOptions::default())
            .expect("allocates")
            .kernel;
        if let RegSpace::Architected { regs, .. } = allocated.regs {
            most_regs.fetch_max(regs.into(), Relaxed);
        }
        let expected = case.generated.run(kernel).expect("runs");
        let mut refused = 0;
        for scheme in NAMES {
            let Some((plan, machine)) = case.plan(scheme, &allocated) else {
                assert_ne!(scheme, "baseline", "seed {seed}");
                refused += 1;
                continue;
            };
            shared.fetch_add(plan.sections.is_some().into(), Relaxed);
            let outcome = case.run(&plan, &machine, Backend::Model);
            let fault = match &outcome {
                Ok(result) => difference(result, &expected),
                Err(error) => Some(error.clone()),
            };
            if fault.is_some() {
                let (fault, small) = case.report(scheme, &|_| {}).expect("happens again");
                panic!(
                    "seed {seed}, {scheme}, {}: {fault}\nshortened to {} instructions:\n{}",
                    case.policy(),
                    count(&small),
                    text::print(&small)
                );
            }
        }
        assert!(refused < NAMES.len() / 2, "seed {seed}: {refused} refused");
    });
    let (most_regs, shared) = (most_regs.into_inner(), shared.into_inner());
    assert!(most_regs >= 240, "at most {most_regs} registers");
    assert!(
        shared >= cases as usize,
        "only {shared} runs share something"
    );
}

/// The RTL of what is small, the Verilog of all, on a part of the kernels.
#[test]
fn every_backend_gives_the_same_cycles_counters_and_memory() {
    let cases: u64 = if soak() { 400 } else { 40 };
    if !cfg!(feature = "verilog") {
        let _ = writeln!(
            std::io::stderr(),
            "left out: generated kernels on Verilog (tests/run has them)"
        );
    }
    let (shared_on_rtl, renamed_on_rtl) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let owners_first = AtomicUsize::new(0);
    (0..cases).into_par_iter().for_each(|seed| {
        let case = Case::new(seed);
        let allocated = allocate(&case.generated.kernel, &AllocOptions::default())
            .expect("allocates")
            .kernel;
        // Of them the hardware is that of RegMutex and a choice of the warp: where nothing is shared, the baseline's.
        let first = OWF_NAMES.into_iter().filter(|_| seed < 24 || soak());
        for scheme in NAMES.into_iter().chain(first) {
            let Some((plan, machine)) = case.plan(scheme, &allocated) else {
                continue;
            };
            let owner_first = scheme.ends_with("+owf");
            if owner_first && plan.sections.is_none() {
                continue;
            }
            owners_first.fetch_add(owner_first.into(), Relaxed);
            let model = case.run(&plan, &machine, Backend::Model).expect("runs");
            let mut backends = Vec::new();
            if cfg!(feature = "verilog") {
                backends.push(Backend::Verilog);
            }
            // The RTL of all pair locks, and of the renaming stage, takes several times as long as that of the others.
            if !scheme.starts_with("shared") && !renames(scheme) || model.cycles < 9000 {
                backends.extend([Backend::Rtl, Backend::Lockstep]);
                let sharing = scheme.starts_with("shared") && plan.sections.is_some();
                shared_on_rtl.fetch_add(sharing.into(), Relaxed);
                renamed_on_rtl.fetch_add(renames(scheme).into(), Relaxed);
            }
            for backend in backends {
                let other = case.run(&plan, &machine, backend).expect("runs");
                assert_eq!(
                    model.counters, other.counters,
                    "seed {seed}, {scheme}, {backend}"
                );
                assert_eq!(
                    model.memory, other.memory,
                    "seed {seed}, {scheme}, {backend}"
                );
            }
        }
    });
    let (shared, renamed) = (shared_on_rtl.into_inner(), renamed_on_rtl.into_inner());
    assert!(shared >= 10, "only {shared} runs share on the RTL");
    let owners_first = owners_first.into_inner();
    assert!(owners_first >= 3, "only {owners_first} runs have owners");
    assert!(renamed >= 5, "only {renamed} runs rename on the RTL");
}

/// Most kernels are too long for the RTL of the renaming stage; this one is not.
#[test]
fn the_rtl_of_every_variant_of_renaming_gives_the_cycles_of_the_model() {
    let all = [0, 1, 2, 5, 10].map(|entries| [1, 3, 10].map(|wake_up| ("rfv", (entries, wake_up))));
    let alone = [1, 3, 10].map(|wake_up| ("rfv-hardware-only", (10, wake_up)));
    let runs: Vec<_> = all.into_iter().flatten().chain(alone).collect();
    let cycles: Vec<_> = (runs.into_par_iter())
        .map(|(scheme, variant)| {
            let mut case = Case::new(168);
            (case.variant, case.wake_up_alone) = (variant, variant.1);
            let allocated = allocate(&case.generated.kernel, &AllocOptions::default())
                .expect("allocates")
                .kernel;
            let (plan, machine) = case.plan(scheme, &allocated).expect("fits");
            let model = case.run(&plan, &machine, Backend::Model).expect("runs");
            let rtl = case.run(&plan, &machine, Backend::Rtl).expect("runs");
            let place = format!("{scheme} {variant:?}");
            assert_eq!(model.counters, rtl.counters, "{place}");
            assert_eq!(model.memory, rtl.memory, "{place}");
            model.cycles
        })
        .collect();
    // Each runs as itself; packs of several sub-arrays are in use only in longer kernels (`tests/agreement`).
    let mut different = cycles.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 6, "{cycles:?}");
}

/// What a compiler or hardware at fault would look like: shared registers are used without an acquire.
#[test]
fn a_fault_is_found_and_shortened_to_a_few_instructions() {
    use regshare_sim::kernel::Op;
    let never_acquire = |plan: &mut Plan| {
        for block in &mut plan.kernel.blocks {
            block.insts.retain(|inst| !matches!(inst.op, Op::Acquire));
        }
    };
    let found = (0..50).find_map(|seed| Case::new(seed).report("regmutex", &never_acquire));
    let (fault, small) = found.expect("is found");
    assert!(fault.contains("no physical register"), "{fault}");
    assert!(count(&small) <= 40, "{}", text::print(&small));
}

/// A register that is released too early is not read as if nothing had happened.
#[test]
fn a_wrong_release_is_found_and_shortened() {
    use regshare_hw::rfv::flag_decoder::{PIR_SLOTS, pir_word};
    use regshare_sim::kernel::{Op, Operand};
    let release_everything = |plan: &mut Plan| {
        for inst in plan
            .kernel
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.insts)
        {
            if inst.op == Op::Pir {
                inst.srcs[0] = Operand::Imm(pir_word(&[7; PIR_SLOTS]));
            }
        }
    };
    let found = (0..50).find_map(|seed| Case::new(seed).report("rfv", &release_everything));
    let (fault, small) = found.expect("is found");
    assert!(
        ["has no pack any more", "which belongs to", "given back"]
            .iter()
            .any(|words| fault.contains(words)),
        "{fault}"
    );
    assert!(count(&small) <= 40, "{}", text::print(&small));
}
