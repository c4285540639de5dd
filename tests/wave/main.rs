//! Waveforms of real runs, as the files a viewer gets: save files against the waveform, the waveform against the
//! exported Verilog.

mod formats;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use vcd::{Parser, ReferenceIndex, ScopeItem, Var, VarType};

const SCHEMES: [&str; 6] = [
    "baseline",
    "regmutex",
    "paired",
    "paired-safe",
    "shared-owf-unroll",
    "rfv",
];

/// The three files of a run, read back.
struct Files {
    waveform: String,
    /// Scope and variable, in the order of declaration.
    variables: Vec<(String, Var)>,
    gtkw: String,
    sucl: String,
}

/// Records a run of `kernel` under `scheme` on `machine`.
fn record(kernel: &str, scheme: &str, machine: &str, more: &[&str]) -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_regshare"))
        .args(["run", kernel, "--scheme", scheme, "--machine", machine])
        .args(["--wave", "w.vcd"])
        .args(more)
        .current_dir(folder.path())
        .output()
        .expect("starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("there");
    let waveform = text("w.vcd");
    let header = Parser::new(waveform.as_bytes())
        .parse_header()
        .expect("a VCD header");
    let mut variables = Vec::new();
    collect(&header.items, "", &mut variables);
    Files {
        waveform,
        variables,
        gtkw: text("w.gtkw"),
        sucl: text("w.sucl"),
    }
}

fn collect(items: &[ScopeItem], scope: &str, variables: &mut Vec<(String, Var)>) {
    for item in items {
        match item {
            ScopeItem::Scope(inner) if scope.is_empty() => {
                collect(&inner.items, &inner.identifier, variables);
            }
            ScopeItem::Scope(inner) => {
                let path = format!("{scope}.{}", inner.identifier);
                collect(&inner.items, &path, variables);
            }
            ScopeItem::Var(var) => variables.push((scope.to_owned(), var.clone())),
            _ => {}
        }
    }
}

impl Files {
    /// As GTKWave names them: a bus with its range.
    fn gtkwave_names(&self) -> BTreeSet<String> {
        let name = |(scope, var): &(String, Var)| match var.index {
            Some(range) => format!("{scope}.{}{range}", var.reference),
            None => format!("{scope}.{}", var.reference),
        };
        self.variables.iter().map(name).collect()
    }

    /// As Surfer names them.
    fn plain_names(&self) -> BTreeMap<String, &Var> {
        let name = |(scope, var): &'_ (String, Var)| format!("{scope}.{}", var.reference);
        self.variables.iter().map(|v| (name(v), &v.1)).collect()
    }
}

#[test]
fn every_signal_of_the_gtkwave_save_file_is_in_the_waveform() {
    for scheme in SCHEMES {
        let files = record("treescore", scheme, "gtx480", &["--wave-window", "0:20"]);
        let known = files.gtkwave_names();
        let is_signal = |line: &&str| !line.starts_with(['@', '[', '*', '-']);
        let shown: Vec<&str> = files.gtkw.lines().filter(is_signal).collect();
        assert!(shown.len() > 80, "{scheme}: {} signals", shown.len());
        for name in shown {
            assert!(known.contains(name), "{scheme}: {name} is not in the VCD");
        }
    }
}

/// The commands, and what each takes, are those of Surfer's command parser.
#[test]
fn every_command_for_surfer_is_one_and_names_what_is_in_the_waveform() {
    for scheme in SCHEMES {
        let files = record("treescore", scheme, "gtx480", &["--wave-window", "0:20"]);
        let known = files.plain_names();
        let (mut items, mut focused) = (Vec::new(), None);
        for line in files.sucl.lines() {
            let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
            match command {
                "divider_add" => {
                    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    assert!(argument.chars().all(is_word), "{scheme}: {line}");
                    items.push(None);
                }
                "variable_add" => {
                    assert!(known.contains_key(argument), "{scheme}: {line}");
                    items.push(Some(known[argument]));
                }
                "item_focus" => {
                    let digit = |letter: u8| usize::from(letter - b'a');
                    let index = argument.bytes().fold(0, |sum, c| sum * 16 + digit(c));
                    focused = items[index];
                }
                "item_set_format" => {
                    let var = focused.expect("a variable has the focus");
                    assert_eq!((argument, var.var_type), ("Unsigned", VarType::Wire));
                    assert!(var.size > 1, "{scheme}: {} is a bit", var.reference);
                }
                "item_unfocus" | "zoom_fit" => assert_eq!(argument, "", "{line}"),
                _ => panic!("{scheme}: Surfer has no `{command}`"),
            }
        }
        assert!(items.len() > 80, "{scheme}: {} items", items.len());
    }
}

/// The ports of an exported module: name and width.
fn ports(module: &str) -> BTreeMap<String, u32> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("verilog-out");
    let text = std::fs::read_to_string(root.join(module).join(format!("{module}.v")))
        .unwrap_or_else(|error| panic!("{module}: {error}"));
    let start = text.find(&format!("module {module}(")).expect("the module");
    let body = &text[start..];
    let body = &body[..body.find("endmodule").expect("its end")];
    let declarations = body.lines().filter_map(|line| {
        let line = line.trim().trim_end_matches(';');
        let line = line
            .strip_prefix("input wire ")
            .or_else(|| line.strip_prefix("output reg "))
            .or_else(|| line.strip_prefix("output wire "))?;
        let (width, name) = match line.strip_prefix('[') {
            None => (1, line),
            Some(range) => {
                let (msb, name) = range.split_once(":0] ")?;
                (msb.parse::<u32>().ok()? + 1, name)
            }
        };
        Some((name.to_owned(), width))
    });
    declarations.collect()
}

#[test]
fn scopes_of_the_register_hardware_have_the_ports_of_the_exported_modules() {
    for (machine, packs) in [("gtx480", 1024), ("gtx480-half", 512)] {
        for scheme in SCHEMES {
            let files = record("treescore", scheme, machine, &["--wave-window", "0:20"]);
            let mut units: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
            for (scope, var) in &files.variables {
                let Some(path) = scope.strip_prefix("sm.manager.") else {
                    continue;
                };
                let pins = units.entry(path).or_default();
                pins.insert(var.reference.clone(), var.size);
                if let Some(ReferenceIndex::Range(msb, lsb)) = var.index {
                    assert_eq!((msb as u32 + 1, lsb), (var.size, 0), "{path}");
                }
            }
            // One for the whole system, or several units.
            let whole = ["owf_top", "rfv_top"]
                .iter()
                .any(|top| units.contains_key(top));
            let least = if whole { 1 } else { 2 };
            assert!(units.len() >= least, "{scheme}: {:?}", units.keys());
            for (path, mut pins) in units {
                // One mapper per operand collector.
                let unit = path.trim_end_matches("_a").trim_end_matches("_b");
                let packs = match unit.ends_with("_map") || unit.ends_with("_mapper") {
                    true => format!("_p{packs}"),
                    false => String::new(),
                };
                for ours in ["active", "edge"] {
                    assert_eq!(pins.remove(ours), Some(1), "{path}.{ours}");
                }
                let size = match unit {
                    "owf_top" => "_c8_p1024",
                    "rfv_top" => "_r63_p1024",
                    _ => &packs,
                };
                let mut wanted = ports(&format!("{unit}_w48{size}"));
                wanted.remove("clock");
                assert_eq!(pins, wanted, "{scheme} on {machine}: {path}");
            }
        }
    }
}

#[test]
fn valid_is_declared_before_its_payload_in_every_scope() {
    for scheme in SCHEMES {
        let files = record("convsep", scheme, "gtx480", &["--wave-window", "0:20"]);
        let mut scopes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (scope, var) in &files.variables {
            scopes.entry(scope).or_default().push(&var.reference);
        }
        let mut seen = 0;
        for (scope, names) in scopes {
            for (at, name) in names.iter().enumerate() {
                let payload = match name.strip_suffix("valid") {
                    Some("") => String::new(),
                    Some(stem) => stem.trim_end_matches('_').to_owned(),
                    None => continue,
                };
                seen += 1;
                let before = &names[..at];
                let early = before.iter().filter(|other| {
                    let rest = other.strip_prefix(payload.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
                        && !other.ends_with("valid")
                });
                let early: Vec<_> = early.collect();
                assert!(early.is_empty(), "{scheme}: {scope}.{name} after {early:?}");
            }
        }
        assert!(seen > 50, "{scheme}: {seen} valid bits");
    }
}

#[test]
fn cycle_is_a_decimal_number_and_warps_have_two_digits() {
    let files = record("convsep", "regmutex", "gtx480", &["--wave-window", "7:9"]);
    let names = files.plain_names();
    assert_eq!(names["sm.cycle"].var_type, VarType::Integer);
    for slot in 0..48 {
        let pc = format!("sm.warps.warp{slot:02}.pc");
        assert!(names.contains_key(&pc), "{pc}");
    }
    assert!(!names.contains_key("sm.warps.warp48.pc"));
    // GTKWave opens at the window, with all numbers decimal.
    assert!(files.gtkw.contains("[timestart] 448\n"), "{}", files.gtkw);
    assert!(files.gtkw.contains("@24\nsm.cycle\n"));
}

#[test]
fn waveform_is_the_same_with_models_and_with_rtl() {
    let record = |backend: &str| {
        let more = ["--wave-window", "100:400", "--backend", backend];
        let files = record("convsep", "paired", "gtx480", &more);
        (files.waveform, files.gtkw, files.sucl)
    };
    let model = record("model");
    assert!(model == record("rtl"), "model and RTL differ");
    assert!(model == record("lockstep"), "model and lockstep differ");
}

#[test]
fn scope_pattern_keeps_what_it_matches_and_the_cycle() {
    let files = record(
        "convsep",
        "regmutex",
        "gtx480",
        &["--wave-window", ":50", "--wave-scope", "*srp_allocator*"],
    );
    let scopes: BTreeSet<&str> = files.variables.iter().map(|v| v.0.as_str()).collect();
    assert_eq!(
        scopes.into_iter().collect::<Vec<_>>(),
        ["sm", "sm.manager.srp_allocator"]
    );
    assert!(!files.gtkw.contains("sm.fetch") && !files.sucl.contains("sm.fetch"));
}
