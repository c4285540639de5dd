//! Kernels that wait in loops for other threads: what ends under the baseline ends under every scheme with the same memory, or is
//! refused at launch with the line of the loop; and what never ends is found, with who waits for whom.

mod hidden;
mod kernels;

use kernels::{KINDS, Kind, TURNS, launch, source};
use rayon::prelude::*;
use regshare_sim::flow::{FlowError, Ran, Setup, Verdict, Workload, compile, execute, scheme};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{
    CALL_NAMES, Cars, CtaThrottle, NAMES, OWF_NAMES, Percent, Refusal, Resident, SchemeOptions,
    TEAM_NAMES, Watermark,
};
use regshare_sim::sm::{RunError, RunOptions};
use std::collections::BTreeMap;

/// One of the kernels, and where it runs.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    words: u32,
    ctas: u32,
    threads: u32,
    machine: &'static str,
}

impl Case {
    /// A run under a scheme; `-dyn` on two SMs.
    fn run(self, name: &str, options: SchemeOptions) -> Result<Ran, FlowError> {
        self.run_text(&source(self.kind, self.words), name, options)
    }

    /// As [`Case::run`], of another text of the kernel.
    fn run_text(self, text: &str, name: &str, options: SchemeOptions) -> Result<Ran, FlowError> {
        let machine = Machine::preset(self.machine).unwrap();
        let run_options = RunOptions {
            sms: 1 + u16::from(TEAM_NAMES.contains(&name)),
            cycle_limit: Some(3_000_000),
            ..RunOptions::default()
        };
        let setup = Setup {
            machine: &machine,
            options: &run_options,
        };
        let workload = workload(text, &launch(self.words, self.ctas, self.threads));
        let compiled = compile(&workload, None)?;
        execute(
            &workload,
            &compiled,
            &*scheme(name, options).unwrap(),
            setup,
        )
    }
}

fn workload(source: &str, launch: &str) -> Workload {
    let folder = tempfile::tempdir().unwrap();
    let [kernel, toml] = ["k.ptx", "k.toml"].map(|name| folder.path().join(name));
    std::fs::write(&kernel, source).unwrap();
    std::fs::write(&toml, launch).unwrap();
    Workload::open(kernel.to_str().unwrap(), Some(&toml)).unwrap()
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS {
        for words in [8, 20, 32] {
            for (ctas, threads) in [
                (1, 768),
                (3, 64),
                (3, 256),
                (6, 128),
                (6, 256),
                (20, 64),
                (20, 256),
            ] {
                for machine in ["gtx480", "v100"] {
                    cases.push(Case {
                        kind,
                        words,
                        ctas,
                        threads,
                        machine,
                    });
                }
            }
        }
    }
    cases
}

/// Names of all schemes.
fn names() -> impl Iterator<Item = &'static str> {
    let more = OWF_NAMES.iter().chain(&TEAM_NAMES).chain(&CALL_NAMES);
    NAMES.iter().chain(more).copied()
}

/// The line of the loop, as a refusal names it, is that of `SPIN`.
fn names_the_loop(case: Case, refusal: &Refusal) -> bool {
    let text = source(case.kind, case.words);
    let spin = text
        .lines()
        .position(|line| line.starts_with("SPIN"))
        .unwrap();
    matches!(refusal, Refusal::Waits { line, .. } if line.0 as usize == spin + 1)
}

#[test]
fn what_ends_under_the_baseline_ends_under_every_scheme_or_is_refused_with_the_loop() {
    let outcomes: Vec<(Case, &str, Option<Ran>)> = (cases().into_par_iter())
        .flat_map_iter(|case| {
            let ends = match case.run("baseline", SchemeOptions::default()) {
                Ok(ran) => {
                    assert_eq!(ran.verdict, Verdict::Correct, "{case:?}");
                    true
                }
                Err(FlowError::Run { cause, .. }) => {
                    assert!(matches!(*cause, RunError::WaitsForEver { .. }), "{cause}");
                    false
                }
                Err(error) => panic!("{case:?}: {error}"),
            };
            let names = names().filter(move |_| ends);
            names.map(move |name| match case.run(name, SchemeOptions::default()) {
                Ok(ran) => {
                    assert_eq!(ran.verdict, Verdict::Correct, "{case:?} under {name}");
                    (case, name, Some(ran))
                }
                Err(FlowError::Refused { cause, .. }) => {
                    if matches!(cause, Refusal::Waits { .. }) {
                        assert!(
                            names_the_loop(case, &cause),
                            "{case:?} under {name}: {cause}"
                        );
                    }
                    (case, name, None)
                }
                Err(error) => panic!("{case:?} under {name}: {error}"),
            })
        })
        .collect();
    // Of how many each scheme has run.
    let mut ran: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (_, name, outcome) in &outcomes {
        ran.entry(name).or_default()[usize::from(outcome.is_some())] += 1;
    }
    let all = ran["baseline"][1];
    assert!((60..cases().len()).contains(&all), "some never end: {all}");
    for name in [
        "regmutex",
        "paired",
        "paired+owf",
        "compiler-spill",
        "local-spill",
    ] {
        assert_eq!(ran[name], [0, all], "{name} has run them all");
    }
    // With calls kept a thread has more registers than inlined: fewer CTAs can be resident, which matters where CTAs wait for others.
    assert!(ran["abi-spill"].iter().all(|&count| count > 0));
    for (case, name, outcome) in &outcomes {
        if *name == "abi-spill" && outcome.is_none() {
            assert!(source(case.kind, case.words).contains("call "), "{case:?}");
        }
    }
    // A CTA less than under the baseline is resident where packs on their way back would be wanted; where not all warps of a CTA have a
    // stack at once, it is refused.
    for name in ["rfv", "cars"] {
        assert!(
            (all * 9 / 10..=all).contains(&ran[name][1]),
            "{name}: {:?}",
            ran[name]
        );
    }
    for name in [
        "shared-owf-unroll",
        "shared-lrr-unroll-dyn",
        "gpu-shrink",
        "best-swl",
    ] {
        assert!(
            ran[name].iter().all(|&count| count > 0),
            "{name}: {:?}",
            ran[name]
        );
    }
    // They are not all as under the baseline.
    let shares = |name| {
        let of = outcomes.iter().filter(move |(_, of, _)| *of == name);
        of.filter_map(|(_, _, ran)| ran.as_ref())
    };
    let acquires = |ran: &Ran| ran.result.counters.acquire.attempts > 0;
    assert!(shares("regmutex").any(acquires));
}

/// A barrier of the grid under GPU-shrink: with all CTAs resident, packs may run short; with those that fit, it may wait for ever.
#[test]
fn how_few_ctas_are_resident_is_refused_or_found_in_the_run() {
    let case = Case {
        kind: Kind::GridBarrier,
        words: 20,
        ctas: 6,
        threads: 128,
        machine: "gtx480",
    };
    let with = |resident| {
        case.run(
            "gpu-shrink",
            SchemeOptions {
                resident,
                ..SchemeOptions::default()
            },
        )
    };
    for resident in [Resident::Auto, Resident::All] {
        let Err(FlowError::Refused { cause, .. }) = with(resident) else {
            panic!("{resident:?}");
        };
        assert!(names_the_loop(case, &cause), "{cause}");
    }
    let Err(FlowError::Run { cause, .. }) = with(Resident::AtMost(2)) else {
        panic!("two CTAs wait for six");
    };
    let RunError::WaitsForEver { state, .. } = &*cause else {
        panic!("{cause}");
    };
    let text = state.to_string();
    assert_eq!(
        text.matches("waits in a loop for what another thread writes")
            .count(),
        2,
        "{text}"
    );
    assert_eq!(
        text.matches("waits at barrier 0, 3 of 4").count(),
        6,
        "{text}"
    );
}

/// Where warps are spilled to let others go on, none may go round in a loop.
#[test]
fn a_kernel_that_waits_in_a_loop_is_refused_where_ctas_are_throttled_by_their_balance_alone() {
    let case = Case {
        kind: Kind::NextWarp,
        words: 28,
        ctas: 20,
        threads: 256,
        machine: "gtx480",
    };
    let options = SchemeOptions {
        cta_throttle: CtaThrottle::Balance,
        resident: Resident::All,
        ..SchemeOptions::default()
    };
    // With those that fit it runs, as none waits for packs.
    let fit = SchemeOptions {
        resident: Resident::Fit,
        ..options
    };
    assert_eq!(
        case.run("gpu-shrink", fit).unwrap().verdict,
        Verdict::Correct
    );
    let Err(FlowError::Refused { cause, .. }) = case.run("gpu-shrink", options) else {
        panic!("it may go round for ever");
    };
    assert!(names_the_loop(case, &cause), "{cause}");
    assert!(cause.to_string().contains("--resident fit"), "{cause}");
}

/// A lock needs none but those that have been launched.
#[test]
fn a_lock_runs_with_the_ctas_that_fit() {
    let case = Case {
        kind: Kind::Lock,
        words: 28,
        ctas: 20,
        threads: 256,
        machine: "gtx480",
    };
    let baseline = case.run("baseline", SchemeOptions::default()).unwrap();
    let shrunk = case.run("gpu-shrink", SchemeOptions::default()).unwrap();
    assert_eq!(shrunk.verdict, Verdict::Correct);
    assert!(shrunk.plan.occupancy.ctas < baseline.plan.occupancy.ctas);
}

/// Two warps that wait for a third value and take turns meanwhile: what the atomics of their loops change another may wait for, so only
/// the limit ends this.
#[test]
fn loops_whose_atomics_change_memory_are_left_to_the_limit() {
    let machine = Machine::preset("gtx480").unwrap();
    let options = RunOptions {
        cycle_limit: Some(500_000),
        ..RunOptions::default()
    };
    let setup = Setup {
        machine: &machine,
        options: &options,
    };
    let turns = workload(TURNS, &launch(1, 1, 64));
    let compiled = compile(&turns, None).unwrap();
    let baseline = scheme("baseline", SchemeOptions::default()).unwrap();
    let Err(FlowError::Run { cause, .. }) = execute(&turns, &compiled, &*baseline, setup) else {
        panic!("it never ends");
    };
    assert!(matches!(*cause, RunError::CycleLimit { .. }), "{cause}");
}

/// Where a non-owner has registers enough of its own to take a lock, its owner may wait for that, and it for its owner.
#[test]
fn a_lock_that_a_non_owner_may_take_is_refused() {
    let case = Case {
        kind: Kind::Lock,
        words: 20,
        ctas: 20,
        threads: 256,
        machine: "gtx480",
    };
    let with = |percent| {
        let sharing = Percent::new(percent).unwrap();
        let options = SchemeOptions {
            sharing,
            ..SchemeOptions::default()
        };
        case.run("shared-owf-unroll", options)
    };
    let outcome = with(70);
    let Err(FlowError::Refused { cause, .. }) = outcome else {
        panic!("{:?}", outcome.map(|ran| ran.plan.occupancy));
    };
    assert!(names_the_loop(case, &cause), "{cause}");
    assert!(cause.to_string().ends_with("give --sharing 0"), "{cause}");
    assert_eq!(with(0).unwrap().verdict, Verdict::Correct);
}

/// # Panics
/// If the run has ended, or other than as one that waits for ever.
fn goes_round(scheme: &str, outcome: Result<Ran, FlowError>) {
    let Err(FlowError::Run { cause, .. }) = outcome else {
        panic!("{scheme} never ends");
    };
    assert!(
        matches!(*cause, RunError::WaitsForEver { .. }),
        "{scheme}: {cause}"
    );
}

/// A lock that nobody gives back, asked for in a function: with calls inlined, and with calls kept.
#[test]
fn a_lock_that_is_never_given_back_is_found_in_a_function_too() {
    let free = "buffer = \"flag\"\ntype = \"u32\"\nlength = 5\ncontents = { constant = 0 }";
    let launch = launch(8, 2, 64);
    assert!(launch.contains(free));
    let taken = launch.replace(free, &free.replace("constant = 0", "constant = 1"));
    let machine = Machine::preset("gtx480").unwrap();
    let options = RunOptions {
        cycle_limit: Some(3_000_000),
        ..RunOptions::default()
    };
    let setup = Setup {
        machine: &machine,
        options: &options,
    };
    let asks = workload(&source(Kind::CalledLock, 8), &taken);
    let compiled = compile(&asks, None).unwrap();
    for name in ["baseline", "abi-spill"] {
        let scheme = scheme(name, SchemeOptions::default()).unwrap();
        goes_round(name, execute(&asks, &compiled, &*scheme, setup));
    }
}

/// What only the loop calls is a part of waiting: the counter that the function reads stays as it is.
#[test]
fn a_wait_by_a_function_that_never_ends_is_found() {
    let text = source(Kind::ReadNextWarp, 8);
    let counts = "atom.global.add.u32 %r6, [%rd7], 1;";
    assert_eq!(text.matches(counts).count(), 1);
    let stays = text.replace(counts, "");
    let case = Case {
        kind: Kind::ReadNextWarp,
        words: 8,
        ctas: 3,
        threads: 64,
        machine: "gtx480",
    };
    for name in ["baseline", "abi-spill", "cars"] {
        goes_round(name, case.run_text(&stays, name, SchemeOptions::default()));
    }
}

/// CTAs that wait for each other, of which fewer are resident where calls are kept, as their registers are more.
#[test]
fn where_calls_are_kept_as_many_ctas_are_resident_as_inlined_or_it_is_refused() {
    let case = Case {
        kind: Kind::CalledNextCta,
        words: 8,
        ctas: 6,
        threads: 256,
        machine: "gtx480",
    };
    let inlined = case.run("baseline", SchemeOptions::default()).unwrap();
    assert_eq!(inlined.verdict, Verdict::Correct);
    assert_eq!(inlined.plan.occupancy.ctas, 6);
    for name in ["abi-spill", "cars"] {
        let Err(FlowError::Refused { cause, .. }) = case.run(name, SchemeOptions::default()) else {
            panic!("{name}: CTA 0 waits for one that is not resident");
        };
        assert!(names_the_loop(case, &cause), "{cause}");
        let reason = "5 CTAs are resident, 6 without the scheme";
        assert!(cause.to_string().contains(reason), "{cause}");
    }
}

/// Warps that find no registers for a larger stack would be waited for by those that have some.
#[test]
fn stacks_for_which_not_all_warps_of_a_cta_find_registers_are_refused() {
    let case = Case {
        kind: Kind::CalledNextWarp,
        words: 40,
        ctas: 1,
        threads: 768,
        machine: "gtx480",
    };
    let with = |watermark| {
        let cars = Cars {
            watermark,
            ..Cars::default()
        };
        let options = SchemeOptions {
            cars,
            ..SchemeOptions::default()
        };
        case.run("cars", options)
    };
    assert_eq!(with(Watermark::Low).unwrap().verdict, Verdict::Correct);
    let Err(FlowError::Refused { cause, .. }) = with(Watermark::Times(2)) else {
        panic!("24 warps with stacks of two calls");
    };
    assert!(names_the_loop(case, &cause), "{cause}");
}
