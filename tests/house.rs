//! The house is in order: the arrows between crates, the rooms' rules, and links in the docs.

use regshare_hw::register_manager::System;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("a readable entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Lines of code of `path` (comments left out) in which one of `words` stands, as `file:line: text`.
fn lines_naming(path: &Path, words: &[&str]) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable source file");
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .filter(|(_, line)| {
            let line = line.to_lowercase();
            words.iter().any(|word| line.contains(word))
        })
        .map(|(index, line)| format!("{}:{}: {}", path.display(), index + 1, line.trim()))
        .collect()
}

#[test]
fn the_sm_never_names_a_scheme() {
    let words = [
        "regmutex",
        "scheme::baseline",
        "scheme::paired",
        "crate::scheme::regmutex",
    ];
    let hits: Vec<String> = files(&root().join("sim/src/sm"), "rs")
        .iter()
        .filter(|path| !path.to_string_lossy().contains("tests"))
        .flat_map(|path| lines_naming(path, &words))
        .collect();
    assert!(hits.is_empty(), "{}", hits.join("\n"));
}

#[test]
fn the_exporter_and_the_simulator_never_meet() {
    for (manifest, stranger) in [
        ("gen/Cargo.toml", "regshare-sim"),
        ("sim/Cargo.toml", "regshare-gen"),
        ("hw/Cargo.toml", "regshare-sim"),
        ("hw/Cargo.toml", "regshare-gen"),
    ] {
        let text = std::fs::read_to_string(root().join(manifest)).expect("a manifest");
        assert!(!text.contains(stranger), "{manifest} depends on {stranger}");
    }
}

#[test]
fn models_never_import_rust_hdl() {
    let hits: Vec<String> = files(&root().join("hw/src"), "rs")
        .iter()
        .filter(|path| path.file_name().is_some_and(|name| name == "model.rs"))
        .flat_map(|path| lines_naming(path, &["rust_hdl"]))
        .collect();
    assert!(hits.is_empty(), "{}", hits.join("\n"));
}

/// Compiled together with its tests, the library would be compiled twice, which takes longer than all other builds.
#[test]
fn tests_of_the_hardware_are_a_crate_of_their_own_and_none_is_left_out() {
    let sources = files(&root().join("hw/src"), "rs");
    let inside: Vec<_> = (sources.iter())
        .flat_map(|path| lines_naming(path, &["cfg(test", "any(test", "all(test"]))
        .collect();
    assert!(inside.is_empty(), "{}", inside.join("\n"));
    let folders = (sources.iter())
        .filter(|path| path.ends_with("tests.rs"))
        .count();
    let crate_root = root().join("hw/src/unit_tests.rs");
    let named = lines_naming(&crate_root, &["mod tests;"]).len();
    assert!(folders > 30);
    assert_eq!(
        named, folders,
        "modules of unit_tests.rs and files tests.rs"
    );
}

/// The types of the fields of the struct with which `text` begins, also one in a macro; those whose names begin with `_` excepted.
fn field_types(text: &str) -> Vec<String> {
    let head = text.lines().find(|line| line.ends_with('{'));
    let head = head.expect("a struct has braces");
    let indent = &head[..head.len() - head.trim_start().len()];
    let body = text.split_once("{\n").map_or("", |(_, body)| body);
    let body = body.split(&format!("\n{indent}}}")).next();
    let code: Vec<_> = (body.unwrap_or_default().lines().map(str::trim))
        .filter(|line| !line.starts_with("//") && !line.starts_with('#'))
        .collect();
    let (mut depth, mut field, mut types) = (0i32, String::new(), Vec::new());
    for letter in code.join(" ").chars() {
        depth += i32::from("<[".contains(letter)) - i32::from(">]".contains(letter));
        if letter == ',' && depth == 0 {
            let (name, of) = field.split_once(": ").unwrap_or_default();
            let name = name.rsplit([' ', '(']).next().unwrap_or_default();
            if !name.starts_with('_') {
                types.push(of.trim().to_owned());
            }
            field.clear();
        } else {
            field.push(letter);
        }
    }
    types
}

/// Where rust-hdl is slow, what stands beside it does the same (`hw/src/common/word.rs`, `lazy.rs`). `Inputs` knows inputs by the
/// name of their type.
#[test]
fn every_block_is_computed_in_machine_words_and_within_others_only_when_something_changed() {
    let (mut updates, mut blocks) = (0, 0);
    for path in files(&root().join("hw/src"), "rs") {
        if path.to_string_lossy().contains("tests") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        let place = path.display();
        for (at, _) in text.match_indices("#[hdl_gen]\n") {
            let next = text[at..].lines().nth(1).unwrap_or_default();
            assert!(next.contains("machine_words]"), "{place}: {next}");
            updates += 1;
        }
        for block in text.split("#[derive(LogicBlock").skip(1) {
            for of in field_types(block) {
                let name = of.trim_start_matches('[').split('<').next();
                let name = name.and_then(|path| path.rsplit("::").next());
                let known = ["Signal", "Constant", "DFF", "Lazy"];
                assert!(known.contains(&name.unwrap_or_default()), "{place}: {of}");
            }
            blocks += 1;
        }
    }
    assert!(updates > 80 && blocks > 80, "{updates} {blocks}");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut broken = Vec::new();
    let mut documents = files(&root().join("docs"), "md");
    documents.extend(["README.md", "CHANGELOG.md"].map(|name| root().join(name)));
    documents.extend(files(&root().join("hw/src"), "md"));
    for document in documents {
        let text = std::fs::read_to_string(&document).expect("a readable document");
        for (start, _) in text.match_indices("](") {
            let rest = &text[start + 2..];
            let target = &rest[..rest.find(')').unwrap_or(0)];
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") || path.contains(' ') {
                continue;
            }
            let here = document.parent().expect("a document lies in a folder");
            if !here.join(path).exists() {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// In the unit tables of `docs/hardware.md` the first column names units and the last one the ends of their folders' names;
/// `SYSTEM` stands for each system.
#[test]
fn the_documentation_names_exactly_the_sizes_that_are_exported() {
    let text = std::fs::read_to_string(root().join("docs/hardware.md")).expect("a page");
    let quoted = |column: &str| -> Vec<String> {
        let words = column.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect()
    };
    let units = regshare_gen::catalog::units();
    let mut documented = BTreeSet::new();
    for line in text.lines().filter(|line| line.contains("[page](../hw/")) {
        let columns: Vec<_> = line.trim_matches('|').split('|').collect();
        let [first, .., last] = columns[..] else {
            panic!("no row of units: {line}");
        };
        for unit in quoted(first)
            .iter()
            .filter(|unit| units.contains(&unit.as_str()))
        {
            for end in quoted(last) {
                let name = if end == *unit {
                    end
                } else {
                    format!("{unit}{end}")
                };
                let systems = System::ALL
                    .iter()
                    .map(|system| name.replace("SYSTEM", system.name()));
                documented.extend(systems);
            }
        }
    }
    let catalog = regshare_gen::catalog::catalog();
    let exported: BTreeSet<_> = catalog.into_iter().map(|entry| entry.name).collect();
    assert_eq!(documented, exported);
}

/// A command that stops reading early (`head`, `grep -q`) kills the one that writes into it when the pipe is full, and
/// `pipefail` makes that the script's end, now and then, without a word.
#[test]
fn no_script_under_pipefail_reads_only_the_start_of_a_pipe() {
    let scripts = [".ci/run", "tests/run", "tests/fuzz/run"];
    for script in scripts {
        let text = std::fs::read_to_string(root().join(script)).expect("a script");
        let early: Vec<_> = text
            .replace("|\n", "| ")
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split('|').skip(1))
            .map(|command| command.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|command| command.starts_with("head") || command.starts_with("grep -q"))
            .collect();
        assert!(
            early.is_empty() || !text.contains("pipefail"),
            "{script}: {early:?}"
        );
    }
}

/// What is committed at the top level is there for a reason; whatever a command leaves lying about is not.
#[test]
fn nothing_lies_at_the_top_level_that_does_not_belong_there() {
    const BELONGS: [&str; 13] = [
        ".cargo",
        ".ci",
        ".gitignore",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "README.md",
        "docs",
        "gen",
        "hw",
        "sim",
        "tests",
        "verilog-out",
    ];
    let listed = Command::new("git")
        .current_dir(root())
        .arg("ls-files")
        .output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else {
        eprintln!("left out: what is committed at the top level (git does not know this folder)");
        return;
    };
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let top: BTreeSet<&str> = (listed.lines())
        .map(|path| path.split('/').next().expect("a name"))
        .collect();
    assert!(top.contains("Cargo.toml"), "{top:?}");
    let foreign: Vec<_> = top.iter().filter(|name| !BELONGS.contains(name)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}
