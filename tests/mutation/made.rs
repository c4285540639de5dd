//! The run that all tests judge.

use super::{RECORD, common};
use common::{is_large, soak};
use regshare_gen::catalog::Entry;
use regshare_gen::mutate::{Draw, TOOLS, UnitScore, equivalence, origin, score, subjects};
use regshare_gen::proof::Fault;
use regshare_gen::record::Record;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// Warp slots of `gtx480`.
const WARPS: u64 = 48;

/// Scores in the order of [`subjects`], and the record of them.
pub struct Made {
    pub scores: Vec<UnitScore>,
    pub record: Record<UnitScore>,
}

/// The scores of `subjects`, two at a time, the largest first so that none is left to run alone; a line for each is printed.
pub fn run(subjects: &[(Entry, Vec<Fault>)], draw: Draw) -> Vec<UnitScore> {
    let size = |at: &usize| {
        let name = &subjects[*at].0.name;
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("verilog-out/{name}/{name}.v"));
        std::cmp::Reverse(std::fs::metadata(file).map_or(0, |file| file.len()))
    };
    let mut order: Vec<_> = (0..subjects.len()).collect();
    order.sort_by_cached_key(size);
    let next = AtomicUsize::new(0);
    let scores = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let dir = tempfile::tempdir().expect("temporary folder");
                while let Some(&at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (entry, faults) = &subjects[at];
                    let start = Instant::now();
                    let score = score(entry, faults, draw, dir.path())
                        .unwrap_or_else(|error| panic!("{error}"));
                    let seconds = start.elapsed().as_secs_f64();
                    let _ = writeln!(std::io::stderr(), "{score}, {seconds:.0} s");
                    scores.lock().expect("no panic").push((at, score));
                }
            });
        }
    });
    let mut scores = scores.into_inner().expect("no panic");
    scores.sort_by_key(|(at, _)| *at);
    scores.into_iter().map(|(_, score)| score).collect()
}

/// All scores; `None` (said aloud) where a tool is missing. What is recorded of large modules for just this Verilog, these faults and
/// these cases is taken from there; the soak run makes all anew.
pub fn made() -> Option<&'static Made> {
    static MADE: OnceLock<Option<Made>> = OnceLock::new();
    let all = || {
        common::take_committed_verilog();
        let tools = [TOOLS, equivalence::TOOLS].concat();
        common::have(&tools, "mutation tests of the hardware").then(make)
    };
    MADE.get_or_init(all).as_ref()
}

pub fn scores() -> Option<&'static [UnitScore]> {
    made().map(|made| made.scores.as_slice())
}

fn make() -> Made {
    let committed =
        Record::<UnitScore>::from_json(&std::fs::read_to_string(RECORD).unwrap_or_default());
    let subjects = subjects(WARPS).expect("in the catalog");
    let origins: Vec<_> = (subjects.iter())
        .map(|(entry, faults)| origin(entry, faults, Draw::COMMITTED).expect("lint-clean"))
        .collect();
    let recorded = |entry: &Entry, origin: &str| {
        let known = committed.get(&entry.name, origin);
        known.filter(|_| is_large(entry) && !soak())
    };
    let mut scores: Vec<_> = (subjects.iter().zip(&origins))
        .map(|((entry, _), origin)| recorded(entry, origin).cloned())
        .collect();
    let known: Vec<_> = scores.iter().flatten().map(|score| &score.name).collect();
    if !known.is_empty() {
        let _ = writeln!(
            std::io::stderr(),
            "left out: mutants of {known:?}, recorded for this Verilog and these cases (tests/run --soak makes all)"
        );
    }
    let (open, to_make): (Vec<_>, Vec<_>) = (scores.iter_mut().zip(subjects))
        .filter(|(score, _)| score.is_none())
        .unzip();
    for (score, made) in open.into_iter().zip(run(&to_make, Draw::COMMITTED)) {
        *score = Some(made);
    }
    let scores: Vec<_> = scores.into_iter().flatten().collect();
    let mut record = Record::default();
    for (origin, score) in origins.into_iter().zip(&scores) {
        record.insert(score.name.clone(), origin, score.clone());
    }
    Made { scores, record }
}
