//! The folders in `verilog-out`, as the build tools of the people who take them see them.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use rayon::prelude::*;
use regshare_gen::catalog::{catalog, select};
use regshare_gen::cost::CostTable;
use regshare_gen::lint::dataflow::dataflow;
use regshare_gen::package::write_all;
use regshare_gen::proof::proofs;
use regshare_gen::runs::{RunTable, run_vectors_name};
use regshare_gen::tools::{Tool, run};
use std::io::Write;
use std::path::{Path, PathBuf};

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("verilog-out")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Words of a file that could be names of files, by their extension.
fn files_named_in(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "[]{}:,()=".contains(c))
        .filter(|word| [".v", ".sv", ".txt"].iter().any(|end| word.ends_with(end)))
        .filter(|word| !word.contains('$'))
        .collect()
}

#[test]
fn every_file_that_a_manifest_names_is_in_its_folder() {
    for entry in catalog() {
        let folder = committed().join(&entry.name);
        for manifest in [
            "Bender.yml".into(),
            format!("{}.core", entry.name),
            format!("{}.f", entry.name),
        ] {
            let text = read(&folder.join(&manifest));
            let named = files_named_in(&text);
            assert!(!named.is_empty(), "{}/{manifest} names no file", entry.name);
            for file in named {
                assert!(
                    folder.join(file).is_file(),
                    "{}/{manifest}: {file}",
                    entry.name
                );
            }
        }
    }
}

/// Gates of the largest module that FuseSoC simulates: Icarus, which does it, is busy with a larger one for a minute.
const LARGEST_SIMULATED: usize = 1000; // assumed

#[test]
fn fusesoc_simulates_and_lints_every_unit_of_gtx480() {
    let here = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join("fusesoc").is_file()));
    if !here {
        // Not a Debian package: `tests/run` installs it from PyPI where it can.
        let _ = writeln!(
            std::io::stderr(),
            "left out: FuseSoC's view of the cores (needs fusesoc)"
        );
        return;
    }
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp, Tool::Verilator],
        "FuseSoC's view of the cores",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let entries: Vec<_> = catalog().into_iter().filter(common::is_gtx480).collect();
    let runs = RunTable::committed();
    write_all(dir.path(), &entries, &CostTable::committed(), &runs).expect("written");
    let fusesoc = |target: &str, name: &str| {
        let target = format!("--target={target}");
        let args = ["--cores-root", ".", "run", &target, name];
        let ran = run(Path::new("fusesoc"), dir.path(), args, &[0]);
        ran.unwrap_or_else(|error| panic!("{name}: {error}")).log
    };
    if !common::soak() {
        let _ = writeln!(
            std::io::stderr(),
            "left out: simulation by FuseSoC of modules of more than {LARGEST_SIMULATED} gates (tests/run --soak simulates all)"
        );
    }
    entries.par_iter().for_each(|entry| {
        let name = &entry.name;
        let simulates = common::soak() || !common::has_more_gates(entry, LARGEST_SIMULATED);
        if simulates {
            let log = fusesoc("sim", name);
            assert!(log.contains(&format!("PASS {name}: ")), "{log}");
        }
        if let Some(run) = runs.get(name).filter(|_| simulates) {
            let log = fusesoc("sim_run", name);
            let passed = format!("PASS {name}: {} rows", run.rows());
            assert!(log.contains(&passed), "{log}");
        }
        let log = fusesoc("lint", name);
        assert!(
            !log.contains("%Warning") && !log.contains("%Error"),
            "{log}"
        );
    });
    // A bench that does not pass fails the run, too.
    let vectors = dir.path().join("flag_decoder/flag_decoder_vectors.txt");
    let of_run = dir
        .path()
        .join("flag_decoder")
        .join(run_vectors_name("flag_decoder"));
    for (file, target) in [(vectors, "--target=sim"), (of_run, "--target=sim_run")] {
        corrupt(&file);
        let args = ["--cores-root", ".", "run", target, "flag_decoder"];
        run(Path::new("fusesoc"), dir.path(), args, &[1])
            .expect("one row is wrong, so the run must fail");
    }
}

/// Inverts the lowest bit of the last output in the first row.
fn corrupt(vectors: &Path) {
    let good = read(vectors);
    let (first, rest) = good.split_once('\n').expect("rows");
    let last = first.chars().last().and_then(|digit| digit.to_digit(16));
    let turned = last.expect("a hexadecimal digit") ^ 1;
    let bad = format!("{}{turned:x}\n{rest}", &first[..first.len() - 1]);
    std::fs::write(vectors, bad).expect("written");
}

#[test]
fn make_simulates_the_rows_of_a_run_too_and_fails_on_a_wrong_one_in_either_file() {
    let needed = [Tool::Iverilog, Tool::Vvp, Tool::Verilator];
    if !common::have(&needed, "simulating with the Makefiles of the folders") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let runs = RunTable::committed();
    let entries = ["paired_lock_w48", "power_gate_l3"].map(|name| {
        select(&[name.into()], &[])
            .expect("in the catalog")
            .remove(0)
    });
    write_all(dir.path(), &entries, &CostTable::committed(), &runs).expect("written");
    for entry in &entries {
        let name = &entry.name;
        let folder = dir.path().join(name);
        let make = |target: &str, accepted| {
            let ran = run(Path::new("make"), &folder, [target], &[accepted]);
            ran.unwrap_or_else(|error| panic!("{name}: {error}")).log
        };
        let files = [
            (format!("{name}_vectors.txt"), entry.recording().rows.len()),
            (
                run_vectors_name(name),
                runs.get(name).expect("recorded").rows(),
            ),
        ];
        for target in ["sim", "sim-verilator"] {
            let log = make(target, 0);
            for (_, rows) in &files {
                assert!(log.contains(&format!("PASS {name}: {rows} rows")), "{log}");
            }
        }
        for (file, _) in &files {
            let good = read(&folder.join(file));
            corrupt(&folder.join(file));
            assert!(
                make("sim", 2).contains(&format!("FAIL {name}: 1 of ")),
                "{file}"
            );
            // Verilator compiles a folder twice in several seconds.
            if entry.unit == "paired_lock" {
                assert!(
                    make("sim-verilator", 2).contains(&format!("FAIL {name}: 1 of ")),
                    "{file}"
                );
            }
            std::fs::write(folder.join(file), good).expect("written");
        }
    }
}

#[test]
fn a_folder_has_rows_of_a_run_exactly_if_some_were_recorded_and_its_page_says_of_what() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let runs = RunTable::committed();
    common::take_committed_verilog();
    for name in ["paired_lock_w16", "stalled_warps_w8"] {
        let entries = select(&[name.into()], &[]).expect("in the catalog");
        write_all(dir.path(), &entries, &CostTable::committed(), &runs).expect("written");
        let folder = dir.path().join(name);
        let file = run_vectors_name(name);
        let (page, makefile) = (
            read(&folder.join("README.md")),
            read(&folder.join("Makefile")),
        );
        match runs.get(name) {
            Some(run) => {
                assert_eq!(read(&folder.join(&file)), run.vectors);
                for word in [
                    &run.origin.kernel,
                    &run.origin.scheme,
                    &run.origin.machine,
                    &run.rows().to_string(),
                ] {
                    assert!(page.contains(word), "{name}: {word}");
                }
                assert!(makefile.contains("$(NAME)_run_vectors.txt"));
                assert!(read(&folder.join(format!("{name}.core"))).contains(&file));
            }
            None => {
                assert!(!folder.join(&file).exists(), "{name}");
                assert!(page.contains("No run drives this module"), "{page}");
                assert!(!makefile.contains("_run_vectors"));
            }
        }
        let mut there: Vec<_> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|file| {
                file.expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|file| file.ends_with(".txt"))
            .collect();
        there.sort();
        let expected = [run_vectors_name(name), format!("{name}_vectors.txt")];
        let from = usize::from(runs.get(name).is_none());
        assert_eq!(there, expected[from..]);
    }
}

#[test]
fn make_synth_counts_what_the_page_says() {
    if !common::have(
        &[Tool::Yosys],
        "synthesis with the Makefiles of the folders",
    ) {
        return;
    }
    let costs = CostTable::committed();
    let dir = tempfile::tempdir().expect("temporary folder");
    // One keeps memories, the other has none.
    for name in ["rename_table_w4_r63_p256_h1", "paired_lock_w16"] {
        let entries = select(&[name.into()], &[]).expect("in the catalog");
        write_all(dir.path(), &entries, &costs, &RunTable::committed()).expect("written");
        let ran = run(Path::new("make"), &dir.path().join(name), ["synth"], &[0]);
        let log = ran.unwrap_or_else(|error| panic!("{name}: {error}")).log;
        let counted = log
            .rsplit("Printing statistics.")
            .next()
            .unwrap_or_default();
        let sum = |word: &str| -> usize {
            let lines = counted.lines().filter(|line| line.contains(word));
            lines
                .filter_map(|line| line.split_whitespace().last()?.parse::<usize>().ok())
                .sum()
        };
        let cost = costs.get(name).expect("measured");
        assert_eq!(sum("DFF"), cost.flip_flops, "{name}");
        assert_eq!(sum("Number of memory bits:"), cost.memory_bits, "{name}");
        assert!(
            counted.contains(&format!("(length={})", cost.gate_depth)),
            "{name}: {counted}"
        );
    }
}

#[test]
fn make_proves_a_unit_and_fails_on_a_broken_one() {
    let needed = [Tool::Yosys, Tool::Abc, Tool::Cadical];
    if !common::have(&needed, "proving a unit with the Makefile of its folder") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let entries = select(&["paired_lock_w48".into()], &[]).expect("in the catalog");
    write_all(
        dir.path(),
        &entries,
        &CostTable::committed(),
        &RunTable::committed(),
    )
    .expect("written");
    let folder = dir.path().join("paired_lock_w48");
    let make = |accepted| run(Path::new("make"), &folder, ["prove"], &[accepted]);
    let proved = make(0).unwrap_or_else(|error| panic!("{error}")).log;
    for claim in [
        "paired_lock",
        "paired_lock POWER_ON",
        "paired_lock_undisciplined",
    ] {
        assert!(
            proved.contains(&format!("as claimed: {claim}\n")),
            "{claim}: {proved}"
        );
    }
    let file = folder.join("paired_lock_w48.v");
    let good = read(&file);
    let from = "(~(rivals & (~favor_b)))";
    assert_eq!(good.matches(from).count(), 1);
    std::fs::write(&file, good.replace(from, "1'b1")).expect("written");
    make(2).expect("both warps of a pair win, so the proof must fail");
}

#[test]
fn make_proves_units_with_lists_of_registers_memories_and_units_inside() {
    let needed = [Tool::Yosys, Tool::Abc, Tool::Cadical];
    if !common::have(&needed, "proving other units with their Makefiles") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for (name, from, to) in [
        (
            "free_list_p64",
            "bank_1$awake = split$bank_awake$1;",
            "bank_1$awake = 4'hf;",
        ),
        (
            "rename_table_w4_r63_p256_h1",
            "minus$b = less;",
            "minus$b = no_row;",
        ),
        (
            "register_manager_paired_w16_p512",
            "top$a_warp = a_warp;",
            "top$a_warp = b_warp;",
        ),
    ] {
        let entries = select(&[name.into()], &[]).expect("in the catalog");
        write_all(
            dir.path(),
            &entries,
            &CostTable::committed(),
            &RunTable::committed(),
        )
        .expect("written");
        let folder = dir.path().join(name);
        let make = |accepted| run(Path::new("make"), &folder, ["prove"], &[accepted]);
        let proved = make(0)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .log;
        let claims = proofs()
            .into_iter()
            .filter(|proof| proof.is_needed_for(&entries[0]));
        for claim in claims {
            let line = format!("as claimed: {}\n", claim.name);
            assert!(proved.contains(&line), "{line}: {proved}");
        }
        let file = folder.join(format!("{name}.v"));
        let good = read(&file);
        assert_eq!(good.matches(from).count(), 1, "{name}");
        std::fs::write(&file, good.replace(from, to)).expect("written");
        make(2).unwrap_or_else(|error| panic!("{name} is broken, so the proof must fail: {error}"));
    }
}

#[test]
fn schematic_of_the_lock_shows_what_feeds_the_grant() {
    let entry = select(&["paired_lock_w48".into()], &[])
        .expect("in the catalog")
        .remove(0);
    let flow = dataflow(&*entry.block(), &entry.name);
    let nodes: Vec<_> = flow
        .nodes
        .iter()
        .map(|node| (node.name.as_str(), node.what.as_str()))
        .collect();
    assert_eq!(nodes, [("taken", "24-bit register")]);
    let feeding: Vec<_> = (flow.edges.iter())
        .filter(|(_, sinks)| sinks.contains("b_held"))
        .map(|(source, _)| source.as_str())
        .collect();
    assert_eq!(feeding, ["b_warp", "taken"]);
    let svg = read(&committed().join("paired_lock_w48/paired_lock_w48_schematic.svg"));
    assert!(svg.contains(">taken<") && svg.contains(">b_held<"), "{svg}");
}
