//! Every exported unit, as the tools of people who take it see it.

#[path = "../../gen/tests/common/mod.rs"]
mod common;
mod counts;
mod simulators;
mod variants;

use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog, select};
use regshare_gen::cost::CostTable;
use regshare_gen::package::{
    Stale, as_child, check, files, generate, modules, units_inside, verilog, write_all,
};
use regshare_gen::runs::RunTable;
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

#[test]
fn committed_verilog_is_what_the_generator_writes_now() {
    LazyLock::force(&TEXTS);
    let stale = check(
        &committed_folder(),
        &catalog(),
        &CostTable::committed(),
        &RunTable::committed(),
        true,
    )
    .expect("readable");
    let list: Vec<_> = stale.iter().map(Stale::to_string).collect();
    assert!(list.is_empty(), "run `cargo bless`:\n{}", list.join("\n"));
}

/// A line without what stands in brackets: indices, which are known when it is read.
fn outside_brackets(line: &str) -> String {
    let mut depth = 0;
    let outside = line.chars().filter(|&c| {
        depth += i32::from(c == '[');
        let is_outside = depth == 0;
        depth -= i32::from(c == ']');
        is_outside
    });
    outside.collect()
}

#[test]
fn no_module_has_a_multiplier_or_divider() {
    assert_eq!(outside_brackets("a[(i * 4)] = b[c[d / 2]];"), "a = b;");
    for entry in catalog() {
        for line in text(&entry).lines() {
            let code = line.split("//").next().unwrap_or(line);
            let code = outside_brackets(code);
            for operator in [" * ", " / ", " % "] {
                assert!(!code.contains(operator), "{}: {line}", entry.name);
            }
        }
    }
}

#[test]
fn repeated_export_is_byte_identical() {
    // That all of it is what another run wrote is checked above; here, one size of each unit twice in one run.
    let mut entries = catalog();
    entries.dedup_by_key(|entry| entry.unit);
    for entry in entries {
        // What the other tests have, and what is in the files, was generated in this run, too.
        assert_eq!(generate(&entry).expect("exports"), text(&entry));
        let (costs, runs) = (CostTable::committed(), RunTable::committed());
        assert_eq!(
            files(&entry, &costs, &runs).expect("exports"),
            files(&entry, &costs, &runs).expect("exports")
        );
    }
}

#[test]
fn changed_missing_and_foreign_files_are_found() {
    let out = tempfile::tempdir().expect("temporary folder");
    let (entries, costs) = (vec![one("find_first_zero_w48")], CostTable::committed());
    let runs = RunTable::committed();
    write_all(out.path(), &entries, &costs, &runs).expect("written");
    assert_eq!(
        check(out.path(), &entries, &costs, &runs, true).expect("readable"),
        []
    );

    let folder = out.path().join("find_first_zero_w48");
    std::fs::write(folder.join("find_first_zero_w48.v"), "module m; endmodule").expect("written");
    std::fs::remove_file(folder.join("Makefile")).expect("removed");
    std::fs::write(folder.join("notes.txt"), "mine").expect("written");
    let path = |file: &str| Path::new("find_first_zero_w48").join(file);
    assert_eq!(
        check(out.path(), &entries, &costs, &runs, true).expect("readable"),
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
        let all: Vec<_> = modules(text(manager)).collect();
        let children = units_inside(manager).expect("lint-clean");
        let top = children.iter().find_map(|(field, name)| {
            let unit = tops.iter().find(|top| top.name == *name)?;
            Some((field, unit))
        });
        let inside = top.map(|(field, unit)| {
            held.insert(unit.unit);
            as_child(unit, &format!("{}${field}", manager.name)).expect("lint-clean")
        });
        assert!(
            top.is_some() || manager.state_bits == 0,
            "{} holds no top",
            manager.name
        );
        let inside: Vec<_> = inside.iter().flat_map(|text| modules(text)).collect();
        let own = all.iter().filter(|module| !inside.contains(*module));
        for module in own {
            let remembers = ["posedge", "negedge", "latch"].map(|word| module.contains(word));
            assert_eq!(remembers, [false; 3], "{}: {module}", manager.name);
        }
    }
    assert_eq!(held, tops.iter().map(|top| top.unit).collect());
}
