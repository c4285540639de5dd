//! A trace on several SMs: its CTAs go to them in the order of the file, as those of a kernel do in that of the grid.

use super::random::text_in_order;
use super::round_trip::{exported, plain, plan_of_plain};
use super::*;
use crate::flow::{self, FlowError, Setup, Verdict, Workload};
use crate::kernel::{Kernel, RegSpace};
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, Listing, SharedWatcher, Slots, Watcher};
use crate::scheme::TEAM_NAMES;
use crate::trace::error::TraceError;
use crate::trace::record::{CtaTrace, StaticInst};
use regshare_hw::manager::Backend;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

fn on(sms: u16) -> RunOptions {
    RunOptions {
        sms,
        ..RunOptions::default()
    }
}

/// The CTAs of one SM or of all: when each started, and its number in the grid.
#[derive(Default)]
struct Ctas {
    all: bool,
    started: Vec<(u64, u64)>,
    ended: u64,
    /// Of a source that counts, how many it has given.
    given: Arc<AtomicU64>,
    /// The most that were given and had not ended.
    most: u64,
}

impl Watcher for Ctas {
    fn begin(&mut self, _: &Listing) -> Result<(), ProbeError> {
        Ok(())
    }

    fn wants_pipeline(&self) -> bool {
        true
    }

    fn sees_all_sms(&self) -> bool {
        self.all
    }

    fn event(&mut self, cycle: u64, event: &Event) {
        match event {
            Event::CtaStarted { number, .. } => self.started.push((cycle, *number)),
            Event::CtaEnded { .. } => self.ended += 1,
            _ => {}
        }
        let given = self.given.load(Relaxed);
        self.most = self.most.max(given.saturating_sub(self.ended));
    }

    fn slots(&mut self, _: u64, _: Slots) {}

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// What `run` gives with the CTAs of SM 0, and of all SMs.
fn watched(
    options: &RunOptions,
    run: impl FnOnce(&RunOptions) -> RunResult,
) -> (RunResult, [Vec<(u64, u64)>; 2]) {
    let watchers = [false, true].map(|all| {
        Arc::new(Mutex::new(Ctas {
            all,
            ..Ctas::default()
        }))
    });
    let shared = |watcher: &Arc<Mutex<Ctas>>| Arc::clone(watcher) as SharedWatcher;
    let result = run(&RunOptions {
        watchers: watchers.iter().map(shared).collect(),
        ..options.clone()
    });
    let started = watchers.map(|watcher| watcher.lock().expect("is whole").started.clone());
    (result, started)
}

/// A permutation of so many CTAs in which hardly any stands in its place.
fn shuffled(ctas: u32) -> Vec<u32> {
    (0..ctas).map(|at| (at * 7 + 5) % ctas).collect()
}

#[test]
fn a_kernel_and_its_trace_give_every_sm_the_same_ctas_at_the_same_time() {
    let mut shared = 0;
    for (regs, names) in [
        (12, &["rfv-hardware-only"][..]),
        (36, &["baseline", "shared-owf-unroll"]),
        (36, &TEAM_NAMES),
    ] {
        let (kernel, mut launch) = plain(regs);
        launch.grid = [26, 1, 1];
        let trace = exported(&kernel, &launch);
        for (&name, sms) in names.iter().flat_map(|name| [(name, 2), (name, 3)]) {
            let what = format!("{name} on {sms} SMs");
            let plan = plan_of_plain(&kernel, name);
            let (own, of_own) = watched(&on(sms), |options| {
                crate::sm::run(&plan, &launch, &gtx480(), options).expect("runs")
            });
            let (followed, of_trace) = watched(&on(sms), |options| trace.run(name, options));
            assert_eq!(of_trace, of_own, "{what}");
            let counts = of_own.map(|ctas| ctas.len());
            assert!(counts[1] == 26 && (1..26).contains(&counts[0]), "{what}");
            assert_eq!(followed.cycles, own.cycles, "{what}");
            assert_eq!(followed.counters, own.counters, "{what}");
            assert_eq!(followed.skipped_cycles, own.skipped_cycles, "{what}");
            shared += u64::from(name.starts_with("shared")) * own.counters.slots.acquire_wait;
        }
    }
    assert!(shared > 0, "no CTA shared");
}

#[test]
fn ctas_start_in_the_order_of_the_file_and_go_round_robin() {
    let order = shuffled(23);
    let trace = Trace::new(text_in_order(1, &order));
    for sms in [1, 2, 3] {
        let (result, [first, all]) = watched(&on(sms), |options| trace.run("baseline", options));
        let numbers = |ctas: &[(u64, u64)]| ctas.iter().map(|cta| cta.1).collect::<Vec<_>>();
        let order: Vec<u64> = order.iter().map(|&cta| cta.into()).collect();
        assert_eq!(numbers(&all), order, "{sms} SMs");
        // One on each SM in a cycle, as long as all have a free slot.
        let at_once = all.iter().take_while(|cta| cta.0 <= 1).count();
        let in_turn: Vec<u64> = order.iter().copied().step_by(sms.into()).take(2).collect();
        assert_eq!(at_once, 2 * usize::from(sms));
        assert_eq!(numbers(&first)[..2], in_turn, "{sms} SMs");
        assert_eq!((result.sms, result.counters.ctas), (sms, 23));
        let slots = result.counters.slots.total();
        assert_eq!(slots, 2 * u64::from(sms) * result.cycles);
    }
}

/// Also a run twice, and one that simulates every cycle.
#[test]
fn traces_without_structure_have_every_value_where_it_belongs_on_several_sms() {
    for seed in 0..5 {
        let trace = Trace::new(text_in_order(seed, &shuffled(11)));
        for name in ["regmutex", "rfv", "shared-lrr-unroll-dyn"] {
            let sms = 2 + (seed % 3) as u16;
            let result = trace.run(name, &on(sms));
            let again = trace.run(name, &on(sms));
            let every = RunOptions {
                every_cycle: true,
                ..on(sms)
            };
            let every = trace.run(name, &every);
            let what = format!("seed {seed}, {name} on {sms} SMs");
            assert_eq!(result.counters, again.counters, "{what}");
            assert_eq!(result.counters, every.counters, "{what}");
            assert!(!TEAM_NAMES.contains(&name) || result.skipped_cycles == 0);
        }
    }
}

#[test]
fn backends_agree_on_a_trace_that_sms_are_compared_on() {
    let trace = Trace::new(text_in_order(3, &shuffled(8)));
    let [model, lockstep] = [Backend::Model, Backend::Lockstep].map(|backend| {
        let options = RunOptions { backend, ..on(2) };
        trace.run("shared-lrr-unroll-dyn", &options)
    });
    assert_eq!(model.counters, lockstep.counters);
    let free = trace.run("shared-lrr-unroll", &on(2));
    assert_ne!(model.cycles, free.cycles, "nobody was held back");
}

/// As on the command line. Two schemes give the kernel fewer registers, because these limit the CTAs.
#[test]
fn every_scheme_follows_a_trace_on_one_two_and_three_sms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kernel-1.traceg");
    std::fs::write(&path, text_in_order(7, &shuffled(13))).expect("written");
    let workload = Workload::of_trace(&path, &ReadOptions::default()).expect("lifts");
    let compiled = flow::compile(&workload, None).expect("is compiled already");
    let machine = gtx480();
    for (name, _) in flow::all_schemes() {
        let scheme = flow::scheme(name, SchemeOptions::default()).expect("exists");
        for sms in [1, 2, 3] {
            let setup = Setup {
                machine: &machine,
                options: &on(sms),
            };
            let can = flow::prepare(&workload, &compiled, scheme.as_ref(), setup);
            let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup);
            let what = format!("{name} on {sms} SMs");
            let reason = if sms == 1 && TEAM_NAMES.contains(&name) {
                "give --sms 2 or more"
            } else {
                can.unwrap_or_else(|error| panic!("{what}: {error}"));
                let ran = ran.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(ran.verdict, Verdict::Correct, "{what}");
                assert_eq!(
                    (ran.record.sms, ran.record.counters.ctas),
                    (sms, 13),
                    "{what}"
                );
                let fewer = ["compiler-spill", "local-spill"].contains(&name);
                let regs = |kernel: &Kernel| match kernel.regs {
                    RegSpace::Architected { regs, .. } | RegSpace::Virtual { regs, .. } => regs,
                };
                let has_fewer = regs(&ran.plan.kernel) < regs(&compiled.kernel);
                assert!(!fewer || has_fewer, "{what}");
                continue;
            };
            for error in [can.err(), ran.err()] {
                let error = error.expect("is refused");
                assert!(
                    matches!(error, FlowError::Refused { .. }),
                    "{what}: {error}"
                );
                assert!(error.to_string().contains(reason), "{what}: {error}");
            }
        }
    }
}

/// Counts what it gives, and ends early if told to.
struct Counting {
    reader: KernelReader,
    given: Arc<AtomicU64>,
    ends_after: u64,
}

impl CtaSource for Counting {
    fn next_cta(&mut self) -> Result<Option<CtaTrace>, TraceError> {
        if self.given.load(Relaxed) == self.ends_after {
            return Ok(None);
        }
        self.given.fetch_add(1, Relaxed);
        self.reader.next_cta()
    }

    fn static_insts(&self) -> &[StaticInst] {
        CtaSource::static_insts(&self.reader)
    }
}

/// Follows a trace on SMs that take two CTAs each.
fn counted(trace: &Trace, sms: u16, ends_after: u64) -> (Result<RunResult, RunError>, Ctas) {
    let scheme = by_name("baseline", SchemeOptions::default()).expect("exists");
    let mut plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
    plan.occupancy.ctas = 2;
    let ctas = Arc::new(Mutex::new(Ctas {
        all: true,
        ..Ctas::default()
    }));
    let options = RunOptions {
        watchers: vec![ctas.clone()],
        ..on(sms)
    };
    let source = Counting {
        reader: reader(&trace.text),
        given: Arc::clone(&ctas.lock().expect("is whole").given),
        ends_after,
    };
    let ran = run_traced(&plan, &trace.lifted, Box::new(source), &gtx480(), &options);
    let ctas = std::mem::take(&mut *ctas.lock().expect("is whole"));
    (ran, ctas)
}

#[test]
fn ctas_are_read_when_they_are_launched() {
    let trace = Trace::new(text_in_order(2, &shuffled(31)));
    for sms in [1, 2, 3] {
        let (ran, ctas) = counted(&trace, sms, u64::MAX);
        assert_eq!(ran.expect("runs").followed, Some(trace.lifted.expected));
        assert_eq!(ctas.given.load(Relaxed), 31);
        assert_eq!(ctas.most, 2 * u64::from(sms), "{sms} SMs");
    }
}

/// What is wrong with the file is said as on one SM; where a warp cannot go on, on which SM.
#[test]
fn trace_that_has_changed_since_stops_the_run_on_several_sms() {
    let mut trace = Trace::new(text_in_order(2, &shuffled(31)));
    let early = [1, 2, 3].map(|sms| counted(&trace, sms, 12).0.expect_err("ends early"));
    for error in early {
        assert!(matches!(error, RunError::Trace { .. }), "{error}");
        assert!(error.to_string().contains("after 12 CTAs"), "{error}");
    }

    let good = trace.text.clone();
    let at = good.find("thread block = 25,0,0").expect("is one");
    trace.text = good[..at].to_owned() + &good[at..].replacen("thread block", "thread clock", 1);
    let error = counted(&trace, 3, u64::MAX).0.expect_err("is damaged");
    assert!(matches!(error, RunError::Trace { .. }), "{error}");

    // The second CTA, and so on SM 1.
    let second = "thread block = 12,0,0";
    let at = good.find(second).expect("is one");
    let (line, other) = ("0000 ", "0008 ");
    trace.text = good[..at].to_owned() + &good[at..].replacen(line, other, 1);
    let error = counted(&trace, 3, u64::MAX)
        .0
        .expect_err("goes on elsewhere");
    let RunError::OnSm { sm: 1, cause } = &error else {
        panic!("{error}");
    };
    assert!(matches!(**cause, RunError::Trace { .. }), "{error}");
    assert!(error.to_string().starts_with("SM 1: "), "{error}");
}
