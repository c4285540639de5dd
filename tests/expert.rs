//! The exported hardware beside Verilog as one writes it by hand: the same pins, the same answers, no more gates, hardly
//! more depth.
//!
//! The modules in `tests/expert` are written for this comparison, each the short way that an RTL engineer would take. That
//! they do the same is held by the benches of the units, which replay the recorded vectors on them.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::cost::{Cost, CostTable, digest, measure, yosys_version};
use regshare_gen::package::verilog;
use regshare_gen::record::Record;
use regshare_gen::replay::{Design, Simulator};
use regshare_gen::tools::Tool;
use std::collections::BTreeMap;
use std::path::Path;

/// The short way that an RTL engineer would take.
const FOLDER: &str = "tests/expert";
/// Smaller ways than ours that are known.
const GOALS: &str = "tests/expert/goals";
/// What they cost.
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gen/data/expert.json");

/// Modules by hand, by name, with their entries in the catalog.
fn by_hand(folder: &str) -> Vec<(Entry, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("readable").path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("readable");
        found.insert(name.into_owned(), text);
    }
    assert!(!found.is_empty());
    let mut pairs = Vec::new();
    for entry in catalog() {
        if let Some(text) = found.remove(&entry.name) {
            pairs.push((entry, text));
        }
    }
    assert!(found.is_empty(), "not in the catalog: {:?}", found.keys());
    pairs
}

fn replays(dir: &Path, entry: &Entry, verilog: String) -> bool {
    let recording = entry.recording();
    let design = Design::new(entry, verilog, &recording);
    let simulator = Simulator::icarus(dir, &design).unwrap_or_else(|error| panic!("{error}"));
    let outcome = simulator
        .replay(&entry.name, &recording.vectors())
        .expect("runs");
    outcome.passed()
}

#[test]
fn what_is_written_by_hand_answers_as_the_unit() {
    let tools = [Tool::Iverilog, Tool::Vvp];
    if !common::have(&tools, "replaying vectors on Verilog by hand") {
        return;
    }
    let all: Vec<_> = [FOLDER, GOALS].into_iter().flat_map(by_hand).collect();
    all.par_iter().for_each(|(entry, text)| {
        let dir = tempfile::tempdir().expect("temporary folder");
        assert!(replays(dir.path(), entry, text.clone()), "{}", entry.name);
    });
}

#[test]
fn units_have_no_more_gates_and_depth_than_what_is_written_by_hand() {
    if !common::have(&[Tool::Yosys], "comparing with Verilog by hand") {
        return;
    }
    common::take_committed_verilog();
    let version = yosys_version().expect("yosys runs");
    let mut worse = Vec::new();
    let experts = costs(FOLDER, &version);
    for (name, ours, by_hand) in &experts {
        println!(
            "{name}: {} gates, depth {}; by hand {}, {}",
            ours.gates, ours.gate_depth, by_hand.gates, by_hand.gate_depth
        );
        assert_eq!(ours.flip_flops, by_hand.flip_flops, "{name}");
        assert_eq!(ours.memory_bits, by_hand.memory_bits, "{name}");
        // One gate in a hundred is the mapper's mood, and so is one in ten on the longest path.
        if ours.gates * 100 > by_hand.gates * 101 || ours.gate_depth * 10 > by_hand.gate_depth * 11
        {
            worse.push(name.as_str().to_owned());
        }
    }
    assert!(worse.is_empty(), "{worse:?}");
    // One that we have reached belongs to the others.
    let goals = costs(GOALS, &version);
    for (name, ours, goal) in &goals {
        println!(
            "{name}: {} gates, depth {}; the goal {}, {}",
            ours.gates, ours.gate_depth, goal.gates, goal.gate_depth
        );
        assert_eq!(ours.flip_flops, goal.flip_flops, "{name}");
        assert!(ours.gates * 100 > goal.gates * 101, "{name} is reached");
    }
    let mut record = Record::default();
    keep(FOLDER, &experts, &mut record);
    keep(GOALS, &goals, &mut record);
    if common::is_blessed_now() {
        std::fs::write(RECORD, record.to_json()).expect("gen/data is writable");
        return;
    }
    let committed = std::fs::read_to_string(RECORD).unwrap_or_default();
    assert!(
        record == Record::from_json(&committed),
        "gen/data/expert.json is stale (`cargo bless` writes it)"
    );
}

/// Of a folder ours and the one by hand, side by side.
fn costs(folder: &str, version: &str) -> Vec<(String, Cost, Cost)> {
    let committed = CostTable::committed();
    let recorded = Record::from_json(&std::fs::read_to_string(RECORD).unwrap_or_default());
    (by_hand(folder).par_iter())
        .map(|(entry, by_hand)| {
            let dir = tempfile::tempdir().expect("temporary folder");
            let name = &entry.name;
            let cost = |text: &str| {
                let memories = entry.memory_bits > 0;
                measure(dir.path(), name, text, memories).unwrap_or_else(|error| panic!("{error}"))
            };
            // What was committed of this Verilog by this Yosys is counted again in `tests/export`, or by `cargo bless`.
            let text = verilog(entry).expect("lint-clean");
            let known = committed.get(name).filter(|known| {
                known.yosys == version && known.verilog_sha256 == digest(&text) && !common::soak()
            });
            let ours = known.cloned().unwrap_or_else(|| cost(&text));
            // So is what was recorded of a larger module by hand, in the soak run.
            let place = format!("{folder}/{name}");
            let known: Option<&Cost> = (recorded.get(&place, &origin(&digest(by_hand), version)))
                .filter(|_| common::is_large(entry) && !common::soak());
            let by_hand = known.cloned().unwrap_or_else(|| cost(by_hand));
            (name.clone(), ours, by_hand)
        })
        .collect()
}

/// What a cost follows from: the digest of the Verilog, and the version of Yosys.
fn origin(verilog_sha256: &str, version: &str) -> String {
    format!("{verilog_sha256}, Yosys {version}")
}

/// Puts what the modules by hand cost into a record.
fn keep(folder: &str, costs: &[(String, Cost, Cost)], record: &mut Record<Cost>) {
    for (name, _, by_hand) in costs {
        let place = format!("{folder}/{name}");
        let origin = origin(&by_hand.verilog_sha256, &by_hand.yosys);
        record.insert(place, origin, by_hand.clone());
    }
}
