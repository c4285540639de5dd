//! Variants that the catalog does not offer, and `regshare run --backend verilog` makes when it runs them.

use super::common;
use rayon::prelude::*;
use regshare_gen::catalog::{by_name, uncataloged};
use regshare_gen::tools::Tool;
use regshare_hw::manager::RenamingVariant;
use std::collections::BTreeSet;

/// The Verilog of a module.
fn exported(name: &str) -> String {
    let text = by_name(name).unwrap_or_else(|| panic!("{name} is unknown"));
    text.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_variant_passes_the_lint_and_is_none_of_the_others() {
    let texts: BTreeSet<_> = RenamingVariant::all()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|variant| {
            let name = variant.module();
            let text = exported(&name);
            assert!(text.contains(&format!("module {name}(")), "{name}");
            // But for the name.
            text.replace(&name, "this")
        })
        .collect();
    assert_eq!(texts.len(), 36);
    assert_eq!(uncataloged().len(), 27);
    assert!(by_name("rfv_top_w48_r63_p1024_e3").is_none());
}

#[test]
fn verilator_and_icarus_find_nothing_to_warn_of_in_two_changes_and_in_one_of_64_warps() {
    let tools = [Tool::Verilator, Tool::Iverilog];
    if !common::have(&tools, "linting variants that are not exported") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for name in ["rfv_top_w48_r63_p1024_e0_l10", "rfv_top_w64_r63_p2048_h1"] {
        let file = format!("{name}.v");
        std::fs::write(dir.path().join(&file), exported(name)).expect("written");
        let lint = ["--lint-only", "-Wall", "--top-module", name, &file];
        let read = ["-g2005", "-Wall", "-t", "null", "-s", name, &file];
        for ran in [
            Tool::Verilator.run(dir.path(), lint, &[0]),
            Tool::Iverilog.run(dir.path(), read, &[0]),
        ] {
            let ran = ran.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(ran.log, "", "{name}");
        }
    }
}
