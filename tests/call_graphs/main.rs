//! Generated PTX programs with generated call graphs: depth, divergent calls and returns, tables of functions, recursion, threads that
//! end in functions. What they
//! leave is what each thread computes by itself, under every scheme, with calls inlined and kept. 32 of them; 600 in the soak run.

mod draw;
mod program;
mod ptx;

use draw::program;
use program::{Ended, Program};
use proptest::prelude::*;
use rayon::prelude::*;
use regshare_hw::manager::Backend;
use regshare_sim::flow::{self, CALL_SCHEMES, FlowError, Ran, SCHEMES, Setup, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{Cars, SchemeOptions, Watermark};
use regshare_sim::sm::RunOptions;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// CTAs and threads of one: two warps and a part of a third.
const CTAS: u32 = 3;
const THREADS: u32 = 80;

fn soak() -> bool {
    std::env::var_os("REGSHARE_SOAK").is_some()
}

fn launch(kernel: &str) -> String {
    let length = CTAS * THREADS;
    format!(
        "kernel = \"{kernel}\"\ngrid = {CTAS}\nblock = {THREADS}\n\n\
         [[arg]]\nbuffer = \"in\"\ntype = \"u32\"\nlength = {length}\n\
         contents = {{ random = {{ seed = 7, min = 0, max = 4294967295 }} }}\n\n\
         [[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = {length}\n"
    )
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    bytes.chunks_exact(4).map(word).collect()
}

struct Case {
    text: String,
    workload: Workload,
    expected: Vec<u32>,
    /// Threads that end in functions.
    ended: Vec<Option<Ended>>,
}

impl Case {
    /// `None`: a thread would run for too long.
    fn new(program: &Program) -> Option<Case> {
        let ended = RefCell::new(Vec::new());
        let result = |thread, word| {
            let result = program.result(thread, word)?;
            ended.borrow_mut().push(result.err());
            Some(result.unwrap_or_else(|ended| ended.word))
        };
        let mut case = Case::of_text("kernel", ptx::ptx(program), result)?;
        case.ended = ended.into_inner();
        Some(case)
    }

    /// A kernel `name` of which a thread leaves what `result` says of its number and its word.
    fn of_text(name: &str, text: String, result: impl Fn(u32, u32) -> Option<u32>) -> Option<Case> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (kernel, launch_file) = (folder.path().join("k.ptx"), folder.path().join("l.toml"));
        std::fs::write(&kernel, &text).expect("written");
        std::fs::write(&launch_file, launch(name)).expect("written");
        let file = kernel.to_string_lossy();
        let mut workload = Workload::open(&file, Some(&launch_file))
            .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        // Functions of a table with frames of up to a few hundred bytes call each other.
        workload.stack_bytes = 4096;
        let memory = &workload.launch.memory;
        let given = words(memory.contents(memory.allocation("in").expect("an argument")));
        let results = given
            .iter()
            .zip(0..)
            .map(|(word, thread)| result(thread, *word));
        let expected = results.collect::<Option<_>>()?;
        Some(Case {
            text,
            workload,
            expected,
            ended: Vec::new(),
        })
    }

    fn run(&self, scheme: &str, watermark: Watermark, backend: Backend) -> Result<Ran, FlowError> {
        let with = SchemeOptions {
            cars: Cars {
                watermark,
                ..Cars::default()
            },
            ..SchemeOptions::default()
        };
        let scheme = flow::scheme(scheme, with).expect("exists");
        let machine = Machine::preset("gtx480").expect("exists");
        let options = RunOptions {
            backend,
            cycle_limit: Some(20_000_000),
            ..RunOptions::default()
        };
        let compiled = flow::compile(&self.workload, None)?;
        let setup = Setup {
            machine: &machine,
            options: &options,
        };
        flow::execute(&self.workload, &compiled, scheme.as_ref(), setup)
    }

    /// The result that all threads have to leave.
    fn check(&self, scheme: &str, watermark: Watermark) -> Result<Ran, TestCaseError> {
        let what = format!("{scheme}, {watermark:?}");
        let ran = (self.run(scheme, watermark, Backend::Model))
            .map_err(|error| TestCaseError::fail(format!("{what}: {error:?}\n{}", self.text)))?;
        let memory = &ran.result.memory;
        let got = words(memory.contents(memory.allocation("out").expect("an argument")));
        let differs = (0..got.len()).find(|at| got[*at] != self.expected[*at]);
        if let Some(at) = differs {
            let (got, expected) = (got[at], self.expected[at]);
            let fault = format!("{what}: thread {at} leaves {got}, should {expected}");
            return Err(TestCaseError::fail(format!("{fault}\n{}", self.text)));
        }
        Ok(ran)
    }
}

/// Runs that trapped because a stack was full.
static TRAPPED: AtomicUsize = AtomicUsize::new(0);

/// Warps in which threads end in functions, and how.
const ENDS: [&str; 6] = [
    "all threads end at least two calls deep",
    "some end, others go on",
    "some end in a call that not all make, and others return from it",
    "all that make a call end in it, and the others go on",
    "some end in recursion",
    "some end in a function of a table",
];
static ENDED: [AtomicUsize; ENDS.len()] = [const { AtomicUsize::new(0) }; ENDS.len()];

fn count_ends(program: &Program, ended: &[Option<Ended>]) {
    let numbers: Vec<u32> = (0..ended.len() as u32).collect();
    for cta in numbers.chunks(THREADS as usize) {
        for warp in cta.chunks(32) {
            let end = |number: &u32| ended[*number as usize].map(|ended| ended.place);
            let ends: Vec<_> = warp.iter().filter_map(end).collect();
            let stays = ends.len() < warp.len();
            let again = ends.iter().any(|place| place.again);
            let mut callers = warp.iter().filter(|number| program.calls_again(**number));
            let all_callers = callers.all(|number| end(number).is_some());
            let is = [
                !stays && ends.iter().all(|place| place.depth >= 2),
                stays && !ends.is_empty(),
                again && !all_callers,
                again && all_callers && stays,
                ends.iter().any(|place| place.recursed),
                ends.iter().any(|place| place.table),
            ];
            for (count, is) in ENDED.iter().zip(is) {
                count.fetch_add(usize::from(is), Relaxed);
            }
        }
    }
}

fn agrees(program: &Program) -> Result<(), TestCaseError> {
    let Some(case) = Case::new(program) else {
        return Err(TestCaseError::reject("runs for too long"));
    };
    let can_inline = case.workload.not_inlined.is_none();
    prop_assert!(
        can_inline || program.may_recurse(),
        "not inlined: {:?}\n{}",
        case.workload.not_inlined,
        case.text
    );
    count_ends(program, &case.ended);
    let watermarks = [Watermark::Low, Watermark::Times(2), Watermark::High];
    let of_cars = watermarks.map(|watermark| ("cars", watermark));
    let others = SCHEMES.iter().filter(|_| can_inline).chain(&CALL_SCHEMES);
    let others = others.map(|(name, _)| (*name, Watermark::Adaptive));
    let all: Vec<_> = of_cars.into_iter().chain(others).collect();
    all.into_par_iter()
        .filter(|(scheme, _)| can_inline || *scheme != "inlined")
        .try_for_each(|(scheme, watermark)| {
            let ran = case.check(scheme, watermark)?;
            let calls = ran.result.counters.calls;
            prop_assert_eq!(calls.calls, calls.returns, "{} {}", scheme, &case.text);
            let (saved, filled) = (calls.spilled_packs, calls.filled_packs);
            // A warp that ends in a function leaves there what it has saved.
            let is_left = program.exits && filled < saved;
            prop_assert!(
                filled == saved || is_left,
                "{scheme}: {saved} saved, {filled} filled\n{}",
                case.text
            );
            TRAPPED.fetch_add(usize::from(calls.spilled_packs > 0), Relaxed);
            if scheme == "cars" && watermark == Watermark::Low && ran.result.cycles < 4000 {
                let other = (case.run(scheme, watermark, Backend::Lockstep))
                    .map_err(|error| TestCaseError::fail(format!("{error:?}\n{}", case.text)))?;
                prop_assert_eq!(other.result.counters, ran.result.counters, "{}", &case.text);
            }
            Ok(())
        })
}

#[test]
fn generated_call_graphs_compute_what_each_thread_computes_under_every_scheme() {
    let config = ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::with_cases(if soak() { 600 } else { 32 })
    };
    // The same programs in every run.
    let rng = proptest::test_runner::TestRng::deterministic_rng(Default::default());
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&program(), |program| agrees(&program));
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let trapped = TRAPPED.load(Relaxed);
    assert!(trapped >= 8, "only {trapped} runs trap");
    for (count, what) in ENDED.iter().zip(ENDS) {
        assert!(count.load(Relaxed) > 0, "in no warp {what}");
    }
}

#[test]
fn local_variables_and_structures_of_functions_have_addresses() {
    let text = include_str!("pointers.ptx").to_owned();
    let result = |_, word: u32| {
        let three = word.wrapping_add(1).wrapping_mul(3);
        Some(
            three
                .wrapping_add(word.wrapping_mul(2))
                .wrapping_add(word & 3),
        )
    };
    let case = Case::of_text("pointers", text, result).expect("ends");
    let all = SCHEMES.iter().chain(&CALL_SCHEMES).map(|(name, _)| *name);
    for scheme in all {
        for watermark in [Watermark::Low, Watermark::High] {
            case.check(scheme, watermark)
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// What saves registers is counted apart, and `all-hit` idealises nothing else.
#[test]
fn arguments_in_local_memory_do_not_count_as_saved_registers() {
    let text = include_str!("wide.ptx").to_owned();
    let result = |thread: u32, word: u32| Some(word.wrapping_add(20 * thread));
    let case = Case::of_text("wide_kernel", text, result).expect("ends");
    for scheme in ["abi-spill", "all-hit", "cars"] {
        let ran = case.check(scheme, Watermark::Low);
        let calls = ran
            .unwrap_or_else(|error| panic!("{error}"))
            .result
            .counters
            .calls;
        assert_eq!(calls.spill_fill_accesses, 0, "{scheme}");
        assert!(calls.local_accesses > 0, "{scheme}");
    }
}
