//! Every exported unit, as the tools of people who take it see it.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use common::{is_gtx480, soak};
use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog, select};
use regshare_gen::cost::{CostTable, digest, measure, storage, yosys_version};
use regshare_gen::ice40;
use regshare_gen::package::{Stale, check, files, generate, verilog, write_all};
use regshare_gen::recording::Recording;
use regshare_gen::replay::{Design, Simulator};
use regshare_gen::tools::{Tool, run};
use regshare_hw::verilog::lint_log;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn committed_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("verilog-out")
}

fn one(name: &str) -> Entry {
    select(&[name.to_owned()], &[])
        .expect("in the catalog")
        .remove(0)
}

/// The Verilog of every module, exported once for all tests here.
static TEXTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let texts = catalog()
        .into_par_iter()
        .map(|entry| (entry.name.clone(), verilog(&entry).expect("lint-clean")));
    texts.collect()
});

fn text(entry: &Entry) -> &'static str {
    &TEXTS[&entry.name]
}

/// The sizes of `gtx480`; the others too when the tools are demanded.
fn counted_entries() -> Vec<Entry> {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    catalog()
        .into_iter()
        .filter(|entry| all || is_gtx480(entry))
        .collect()
}

/// Gates of the largest module whose cells and depth are measured again, and whose bench Verilator compiles; of larger ones the storage is
/// counted.
const LARGEST_MEASURED: usize = 2500; // assumed: half of the time

fn units(entries: &[Entry]) -> BTreeSet<&str> {
    entries.iter().map(|entry| entry.unit).collect()
}

fn design(entry: &Entry, recording: &Recording) -> Design {
    Design::new(entry, text(entry).into(), recording)
}

#[test]
fn committed_verilog_is_what_the_generator_writes_now() {
    LazyLock::force(&TEXTS);
    let stale = check(
        &committed_folder(),
        &catalog(),
        &CostTable::committed(),
        true,
    )
    .expect("readable");
    let list: Vec<_> = stale.iter().map(Stale::to_string).collect();
    assert!(list.is_empty(), "run `cargo bless`:\n{}", list.join("\n"));
}

#[test]
fn repeated_export_is_byte_identical() {
    // That all of it is what another run wrote is checked above; here, one size of each unit twice in one run.
    let mut entries = catalog();
    entries.dedup_by_key(|entry| entry.unit);
    for entry in entries {
        // What the other tests have, and what is in the files, was generated in this run, too.
        assert_eq!(generate(&entry).expect("exports"), text(&entry));
        let costs = CostTable::committed();
        assert_eq!(
            files(&entry, &costs).expect("exports"),
            files(&entry, &costs).expect("exports")
        );
    }
}

#[test]
fn changed_missing_and_foreign_files_are_found() {
    let out = tempfile::tempdir().expect("temporary folder");
    let (entries, costs) = (vec![one("find_first_zero_w48")], CostTable::committed());
    write_all(out.path(), &entries, &costs).expect("written");
    assert_eq!(
        check(out.path(), &entries, &costs, true).expect("readable"),
        []
    );

    let folder = out.path().join("find_first_zero_w48");
    std::fs::write(folder.join("find_first_zero_w48.v"), "module m; endmodule").expect("written");
    std::fs::remove_file(folder.join("Makefile")).expect("removed");
    std::fs::write(folder.join("notes.txt"), "mine").expect("written");
    let path = |file: &str| Path::new("find_first_zero_w48").join(file);
    assert_eq!(
        check(out.path(), &entries, &costs, true).expect("readable"),
        [
            Stale::Missing(path("Makefile")),
            Stale::Differs(path("find_first_zero_w48.v")),
            Stale::Extra(path("notes.txt")),
        ]
    );
}

#[test]
fn every_port_has_a_meaning_in_its_table() {
    for entry in catalog() {
        for pin in entry.inputs.iter().chain(&entry.outputs) {
            let meaning = regshare_gen::package::port_meaning(entry.pins_source, pin.name);
            assert!(
                !meaning.is_empty(),
                "{}: port {} has no documentation",
                entry.name,
                pin.name
            );
        }
    }
}

#[test]
fn pins_are_the_ports_of_the_verilog() {
    for entry in catalog() {
        let text = text(&entry);
        let heading = text
            .split("\nmodule ")
            .nth(1)
            .and_then(|rest| rest.split(");").next())
            .expect("a module");
        let (name, ports) = heading.split_once('(').expect("ports");
        let clock = entry.is_clocked().then_some("clock");
        let pins: Vec<_> = clock
            .into_iter()
            .chain(entry.inputs.iter().chain(&entry.outputs).map(|p| p.name))
            .collect();
        assert_eq!(
            (name, ports),
            (entry.name.as_str(), pins.join(",").as_str())
        );
    }
}

#[test]
fn verilator_finds_nothing_to_warn_of() {
    if !common::have(&[Tool::Verilator], "linting the exported Verilog") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for entry in catalog() {
        let file = format!("{}.v", entry.name);
        // What is linked in has been looked at already, when it was built.
        let committed = committed_folder().join(&entry.name).join(&file);
        let linked_in =
            std::fs::read_to_string(committed).is_ok_and(|linked| linked == text(&entry));
        if let Some(log) = lint_log(&entry.name).filter(|_| linked_in) {
            assert_eq!(log, "", "{}", entry.name);
            continue;
        }
        std::fs::write(dir.path().join(&file), text(&entry)).expect("written");
        let args = ["--lint-only", "-Wall", "--top-module", &entry.name, &file];
        let ran = Tool::Verilator
            .run(dir.path(), args, &[0])
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ran.log, "", "{}", entry.name);
    }
}

/// The modules of an exported text, each from its name on.
fn modules(text: &str) -> Vec<&str> {
    text.split("\nmodule ").skip(1).map(str::trim).collect()
}

/// So flip-flops and memories are those of the top, which are counted and proved by themselves.
#[test]
fn a_register_manager_holds_a_top_as_it_is_and_no_state_besides() {
    let entries = catalog();
    let tops: Vec<_> = (entries.iter())
        .filter(|entry| entry.unit.ends_with("_top"))
        .collect();
    let managers = entries
        .iter()
        .filter(|entry| entry.unit == "register_manager");
    let mut held = BTreeSet::new();
    for manager in managers {
        let all = modules(text(manager));
        let as_held = |top: &Entry| {
            let child = format!("{}$top", manager.name);
            text(top).replace(&top.name, &child)
        };
        let holds = |top: &&&Entry| {
            let text = as_held(top);
            let inside = modules(&text);
            !inside.is_empty() && inside.iter().all(|module| all.contains(module))
        };
        let top = tops.iter().find(holds);
        let inside = top.map(|top| as_held(top)).unwrap_or_default();
        held.extend(top.map(|top| top.unit));
        assert!(
            top.is_some() || manager.state_bits == 0,
            "{} holds no top",
            manager.name
        );
        let own = all
            .iter()
            .filter(|module| !modules(&inside).contains(*module));
        for module in own {
            let remembers = ["posedge", "negedge", "latch"].map(|word| module.contains(word));
            assert_eq!(remembers, [false; 3], "{}: {module}", manager.name);
        }
    }
    assert_eq!(held, tops.iter().map(|top| top.unit).collect());
}

#[test]
fn icarus_accepts_each_unit_as_verilog_2005() {
    if !common::have(
        &[Tool::Iverilog],
        "compiling the exported Verilog as Verilog-2005",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for entry in catalog() {
        let file = format!("{}.v", entry.name);
        std::fs::write(dir.path().join(&file), text(&entry)).expect("written");
        let args = ["-g2005", "-Wall", "-t", "null", "-s", &entry.name, &file];
        let ran = Tool::Iverilog
            .run(dir.path(), args, &[0])
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ran.log, "", "{}", entry.name);
    }
}

#[test]
fn yosys_counts_the_flip_flops_of_the_formula_and_no_latch() {
    if !common::have(&[Tool::Yosys], "counting flip-flops and cells") {
        return;
    }
    let version = yosys_version().expect("yosys runs");
    let committed = CostTable::committed();
    counted_entries().par_iter().for_each(|entry| {
        let known = committed.get(&entry.name).expect("a committed cost");
        let memories = entry.memory_bits > 0;
        let flip_flops = entry.state_bits - entry.memory_bits;
        let (name, text) = (&entry.name, text(entry));
        assert_eq!(
            known.verilog_sha256,
            digest(text),
            "{name}: the costs are of other Verilog; bless"
        );
        assert_eq!(
            (known.flip_flops, known.memory_bits),
            (flip_flops, entry.memory_bits),
            "{name}"
        );
        // What follows counts the same Verilog again, with the Yosys that is here.
        // A manager has the storage of the top that it holds as it is, which a test above shows.
        let held = entry.unit == "register_manager";
        if (!is_gtx480(entry) || held) && !soak() {
            return;
        }
        let dir = tempfile::tempdir().expect("temporary folder");
        if known.gates > LARGEST_MEASURED && !soak() {
            let counted =
                storage(dir.path(), name, text, memories).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(counted, (flip_flops, entry.memory_bits), "{name}");
            return;
        }
        // `measure` refuses a latch.
        let cost =
            measure(dir.path(), name, text, memories).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cost.memory_bits, entry.memory_bits, "{name}");
        assert_eq!(cost.flip_flops, flip_flops, "{name}");
        if known.yosys == version {
            assert_eq!(&cost, known, "{name}: cells or depth moved; bless");
        }
    });
}

#[test]
fn nextpnr_places_a_clocked_unit_and_a_combinational_one() {
    if !common::have(ice40::TOOLS, "placing and routing") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let mut clocks = Vec::new();
    for name in ["power_gate_l10", "find_first_zero_w48", "flag_decoder"] {
        let entry = one(name);
        let fpga =
            ice40::measure(dir.path(), &entry, text(&entry)).unwrap_or_else(|e| panic!("{e}"));
        // The registers around the unit are not counted.
        assert_eq!(fpga.flip_flops, entry.state_bits, "{name}");
        let table =
            measure(dir.path(), name, text(&entry), false).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            fpga.luts.abs_diff(table.lut4) <= table.lut4 / 2,
            "{name}: {fpga:?} {table:?}"
        );
        clocks.push(fpga.clock_mhz.expect("fits"));
    }
    // A timer of four bits is faster than a search over 48.
    assert!(clocks[0] > clocks[1], "{clocks:?}");
}

#[test]
fn allocator_has_384_flip_flops_and_the_locks_24_and_48() {
    // RegMutex III-B1 and III-C; the figures that Yosys is held to above.
    let bits = |name| one(name).state_bits;
    assert_eq!(
        (
            bits("srp_allocator_w48"),
            bits("paired_lock_w48"),
            bits("safe_paired_lock_w48")
        ),
        (384, 24, 48)
    );
}

/// A find-first-zero as a textbook writes it: `linear` asks bit after bit, otherwise a balanced binary tree.
fn reference_search(warps: usize, linear: bool) -> String {
    let ports = format!(
        "(input wire [{}:0] mask, output wire found, output wire [5:0] index);\n",
        warps - 1
    );
    if linear {
        return format!(
            "module search {ports} reg f; reg [5:0] x; integer i; assign found = f; assign index = x;\n\
             always @(*) begin f = 0; x = 0; for (i = 0; i < {warps}; i = i + 1)\n\
             if (!f && !mask[i]) begin f = 1; x = i[5:0]; end end\nendmodule\n"
        );
    }
    let mut text = format!("module search {ports} wire [127:0] f; wire [5:0] x [127:0];\n");
    for leaf in 0..64 {
        let found = if leaf < warps {
            format!("~mask[{leaf}]")
        } else {
            "1'b0".into()
        };
        text += &format!(
            "assign f[{}] = {found}; assign x[{}] = 6'd{};\n",
            64 + leaf,
            64 + leaf,
            leaf
        );
    }
    for node in 1..64 {
        let (low, high) = (2 * node, 2 * node + 1);
        text += &format!(
            "assign f[{node}] = f[{low}] | f[{high}]; assign x[{node}] = f[{low}] ? x[{low}] : x[{high}];\n"
        );
    }
    text + "assign found = f[1]; assign index = f[1] ? x[1] : 6'd0;\nendmodule\n"
}

#[test]
fn shipped_search_is_no_deeper_than_a_balanced_tree_and_shallower_than_a_linear_one() {
    if !common::have(&[Tool::Yosys], "comparing depths of find-first-zero") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for (name, warps) in [("find_first_zero_w48", 48), ("find_first_zero_w64", 64)] {
        let cost = |module: &str, verilog: &str| {
            measure(dir.path(), module, verilog, false).unwrap_or_else(|e| panic!("{e}"))
        };
        let shipped = cost(name, text(&one(name)));
        let tree = cost("search", &reference_search(warps, false));
        let linear = cost("search", &reference_search(warps, true));
        let depth = |cost: &regshare_gen::cost::Cost| (cost.gate_depth, cost.lut4_depth);
        println!(
            "{name}: shipped {:?}, tree {:?}, linear {:?}",
            depth(&shipped),
            depth(&tree),
            depth(&linear)
        );
        assert!(shipped.gate_depth <= tree.gate_depth && shipped.lut4_depth <= tree.lut4_depth);
        assert!(shipped.gate_depth < linear.gate_depth);
    }
}

#[test]
fn icarus_agrees_with_the_model_and_notices_one_wrong_bit() {
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp],
        "replaying vectors under Icarus",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    // The Verilog of every size runs under Verilator against its model in tests/backend.rs.
    let in_this_run = |entry: &Entry| soak() || is_gtx480(entry);
    let entries: Vec<_> = catalog().into_iter().filter(in_this_run).collect();
    assert_eq!(units(&entries), units(&catalog()));
    for entry in entries {
        let recording = entry.recording();
        let simulator = Simulator::icarus(dir.path(), &design(&entry, &recording))
            .unwrap_or_else(|e| panic!("{e}"));
        let good = simulator
            .replay(&entry.name, &recording.vectors())
            .expect("runs");
        assert!(good.passed(), "{good:?}");
        let middle = recording.rows.len() / 2;
        let bad = simulator
            .replay(&entry.name, &recording.corrupted(middle).vectors())
            .expect("runs");
        assert!(
            !bad.passed(),
            "{}: row {middle} is wrong and passes",
            entry.name
        );
    }
}

#[test]
fn verilator_agrees_with_the_model_and_notices_one_wrong_bit() {
    if !common::have(&[Tool::Verilator], "replaying vectors under Verilator") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    // Inside Rust the vectors of all modules run under Verilator (tests/backend.rs); this is about the benches. Those of large modules take
    // as long to compile as all others, and Icarus runs them above.
    let costs = CostTable::committed();
    let is_small = |entry: &Entry| {
        let cost = costs.get(&entry.name);
        cost.is_some_and(|cost| cost.gates <= LARGEST_MEASURED)
    };
    let in_this_run = |entry: &Entry| soak() || is_gtx480(entry) && is_small(entry);
    let entries: Vec<_> = catalog().into_iter().filter(in_this_run).collect();
    assert!(units(&entries).len() >= 15, "{:?}", units(&entries));
    let recordings: Vec<_> = entries.iter().map(Entry::recording).collect();
    let designs: Vec<_> = entries
        .iter()
        .zip(&recordings)
        .map(|(entry, rec)| design(entry, rec))
        .collect();
    let simulator =
        Simulator::verilator(dir.path(), &designs).unwrap_or_else(|error| panic!("{error}"));
    for (entry, recording) in entries.iter().zip(&recordings) {
        let good = simulator
            .replay(&entry.name, &recording.vectors())
            .expect("runs");
        assert!(good.passed(), "{}: {good:?}", entry.name);
        let middle = recording.rows.len() / 2;
        let bad = simulator
            .replay(&entry.name, &recording.corrupted(middle).vectors())
            .expect("runs");
        assert!(
            !bad.passed(),
            "{}: row {middle} is wrong and passes",
            entry.name
        );
    }
}

#[test]
fn make_in_a_unit_folder_lints_and_simulates_it() {
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp, Tool::Verilator],
        "running the Makefile of a unit",
    ) {
        return;
    }
    let out = tempfile::tempdir().expect("temporary folder");
    write_all(
        out.path(),
        &[one("srp_allocator_w48")],
        &CostTable::committed(),
    )
    .expect("written");
    let ran = run(
        Path::new("make"),
        &out.path().join("srp_allocator_w48"),
        ["lint", "sim"],
        &[0],
    );
    assert!(
        ran.unwrap_or_else(|error| panic!("{error}"))
            .log
            .contains("PASS srp_allocator_w48")
    );
}
