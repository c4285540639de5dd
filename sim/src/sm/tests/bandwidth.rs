//! Accesses over time sum to those of the run.

use crate::bundled;
use crate::flow::{self, Setup, Workload};
use crate::machine::Machine;
use crate::observe::bandwidth::{Bandwidth, Lines};
use crate::scheme::SchemeOptions;
use crate::sm::RunOptions;
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex};

fn watched(kernel: &str, scheme: &str, every_cycle: bool) -> (flow::Ran, Bandwidth) {
    let workload = Workload::of_bundled(bundled::find(kernel).unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let scheme = flow::scheme(scheme, SchemeOptions::default()).unwrap();
    let span = NonZeroU64::new(100).unwrap();
    let bandwidth = Arc::new(Mutex::new(Bandwidth::new(span)));
    let options = RunOptions {
        watchers: vec![bandwidth.clone()],
        every_cycle,
        ..RunOptions::default()
    };
    let setup = Setup {
        machine: &Machine::preset("gtx480").unwrap(),
        options: &options,
    };
    let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup).unwrap();
    let bandwidth = bandwidth.lock().unwrap().clone();
    (ran, bandwidth)
}

#[test]
fn lines_of_all_spans_sum_to_what_the_run_counted() {
    let mut other = 0;
    for (kernel, scheme) in [
        ("interpret", "abi-spill"),
        ("interpret", "cars"),
        ("collide", "cars"),
        ("collide", "all-hit"),
        ("histogram", "baseline"),
    ] {
        let (ran, bandwidth) = watched(kernel, scheme, false);
        let counters = &ran.result.counters;
        let sum = |of: fn(&Lines) -> u64| bandwidth.lines.iter().map(of).sum::<u64>();
        let memory = &counters.memory;
        let all = memory.l1_loads + memory.l1_stores + memory.atomic_accesses;
        let (local, preserving) = (
            counters.calls.local_accesses,
            counters.calls.spill_fill_accesses,
        );
        let what = format!("{kernel} under {scheme}");
        assert_eq!(sum(|l| l.global), all - local, "{what}");
        assert_eq!(sum(|l| l.spill_fill), preserving, "{what}");
        assert_eq!(sum(|l| l.other_local), local - preserving, "{what}");
        assert_eq!(bandwidth.cycles, ran.result.cycles, "{what}");
        // A cycle takes a line at most, and every line is in a cycle of the run.
        let rates = (0..bandwidth.lines.len()).map(|span| {
            bandwidth
                .rate(span, |l| l.global + l.spill_fill + l.other_local)
                .unwrap()
        });
        assert!(rates.clone().all(|rate| rate <= 1.0), "{what}");
        assert_eq!(
            bandwidth.rate(ran.result.cycles.div_ceil(100) as usize, |l| l.global),
            None
        );
        other += sum(|l| l.other_local);
    }
    assert!(other > 0);
}

#[test]
fn skipped_cycles_change_nothing_and_wider_spans_hold_the_same() {
    let (_, skipping) = watched("collide", "cars", false);
    let (_, in_step) = watched("collide", "cars", true);
    assert_eq!(skipping, in_step);
    let wide = skipping.widened(NonZeroU64::new(7).unwrap());
    assert_eq!(wide.span.get(), 700);
    let first: u64 = skipping.lines[..7]
        .iter()
        .map(|lines| lines.spill_fill)
        .sum();
    assert_eq!(wide.lines[0].spill_fill, first);
    let sum = |of: &Bandwidth| of.lines.iter().map(|lines| lines.global).sum::<u64>();
    assert_eq!(sum(&wide), sum(&skipping));
}
