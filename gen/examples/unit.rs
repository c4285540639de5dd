//! Everything that one unit owes beside its own tests, for who works on it:
//! `cargo run --release -p regshare-gen --example unit -- UNIT [lint|count|fpga|replay|proof|sizes|mutate ...]`.
//!
//! The tests of the root package judge the same of all units; this stops at nothing and prints what it finds.

use regshare_gen::catalog::{Entry, select};
use regshare_gen::cost::measure;
use regshare_gen::ice40;
use regshare_gen::mutate::{Draw, reasons, score, subjects};
use regshare_gen::package::verilog;
use regshare_gen::proof::{self, proofs, subject};
use regshare_gen::replay::{Design, Simulator};
use regshare_gen::tools::Tool;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Warp slots of `gtx480`.
const WARPS: u64 = 48;

type Step = Result<(), Box<dyn Error>>;
type Run = fn(&[Entry], &Path) -> Step;

const STEPS: [(&str, Run); 7] = [
    ("lint", lint),
    ("count", count),
    ("fpga", fpga),
    ("replay", replay),
    ("proof", prove),
    ("sizes", prove_sizes),
    ("mutate", mutate),
];

fn main() -> Step {
    let mut args = std::env::args().skip(1);
    let usage = "usage: unit UNIT [lint|count|fpga|replay|proof|sizes|mutate ...]";
    let unit = args.next().ok_or(usage)?;
    let wanted: Vec<_> = args.collect();
    if let Some(unknown) = wanted
        .iter()
        .find(|name| !STEPS.iter().any(|(step, _)| step == name))
    {
        return Err(format!("there is no step `{unknown}`; {usage}").into());
    }
    let entries = select(std::slice::from_ref(&unit), &[])?;
    let folder = tempfile::tempdir()?;
    for (name, step) in STEPS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let start = Instant::now();
            if let Err(error) = step(&entries, folder.path()) {
                println!("{name} FAILED: {error}");
            }
            println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// The exporter's own lint, Verilator with all warnings, Icarus as Verilog-2005.
fn lint(entries: &[Entry], dir: &Path) -> Step {
    for entry in entries {
        let file = format!("{}.v", entry.name);
        std::fs::write(dir.join(&file), verilog(entry)?)?;
        let verilator = ["--lint-only", "-Wall", "--top-module", &entry.name, &file];
        let icarus = ["-g2005", "-Wall", "-t", "null", "-s", &entry.name, &file];
        for (tool, args) in [
            (Tool::Verilator, &verilator[..]),
            (Tool::Iverilog, &icarus[..]),
        ] {
            let ran = tool.run(dir, args, &[0]);
            let log = ran.map_or_else(|error| error.to_string(), |ran| ran.log);
            let said = if log.is_empty() { "clean" } else { &log };
            println!("{} {}: {said}", entry.name, tool.name());
        }
    }
    Ok(())
}

/// State bits by formula and by Yosys, gates, depth.
fn count(entries: &[Entry], dir: &Path) -> Step {
    for entry in entries {
        let cost = measure(dir, &entry.name, &verilog(entry)?, entry.memory_bits > 0)?;
        println!(
            "{}: {} bits by formula, {cost:?}",
            entry.name, entry.state_bits
        );
    }
    Ok(())
}

/// Tables and clock on an iCE40.
fn fpga(entries: &[Entry], dir: &Path) -> Step {
    for entry in entries {
        let cost = ice40::measure(dir, entry, &verilog(entry)?)?;
        println!("{}: {cost:?}", entry.name);
    }
    Ok(())
}

/// What is replayed, and the vectors of the recording.
fn design(entry: &Entry, verilog: String) -> (Design, String) {
    let recording = entry.recording();
    let design = Design::new(entry, verilog, &recording);
    (design, recording.vectors())
}

/// The recording under both simulators, and every fault of a proof under Icarus, where it must be noticed.
fn replay(entries: &[Entry], dir: &Path) -> Step {
    for entry in entries {
        let (design, vectors) = design(entry, verilog(entry)?);
        let icarus = Simulator::icarus(dir, &design)?.replay(&entry.name, &vectors)?;
        println!("{}: icarus {icarus:?}", entry.name);
        let verilator = Simulator::verilator(dir, &[design])?.replay(&entry.name, &vectors)?;
        println!("{}: verilator {verilator:?}", entry.name);
    }
    for proof in proofs() {
        let Some(entry) = subject(&proof, WARPS)?.filter(|own| own.unit == entries[0].unit) else {
            continue;
        };
        for fault in proof.faults {
            let (design, vectors) = design(&entry, fault.apply(&entry.name, &verilog(&entry)?)?);
            let outcome = Simulator::icarus(dir, &design)?.replay(&entry.name, &vectors)?;
            let found = if outcome.passed() {
                "MISSED"
            } else {
                "noticed"
            };
            println!("{}, recording: {found} {}", proof.name, fault.name);
        }
    }
    Ok(())
}

/// The proofs about the unit, with events and faults.
fn prove(entries: &[Entry], dir: &Path) -> Step {
    for proof in proofs() {
        if proof.unit == Some(entries[0].unit) {
            let result = proof::run(&proof, WARPS, dir, None)?;
            let word = if result.holds() { "holds" } else { "FAILS" };
            println!("{word}: {result:#?}");
        }
    }
    Ok(())
}

/// The proofs of its other sizes.
fn prove_sizes(entries: &[Entry], dir: &Path) -> Step {
    for proof in proofs() {
        if proof.unit != Some(entries[0].unit) {
            continue;
        }
        for entry in proof::other_sizes(&proof, WARPS)? {
            match proof::run_in_size(&proof, &entry, dir) {
                Ok(result) => {
                    let word = if result.holds() { "holds" } else { "FAILS" };
                    let (verdict, seconds) = (result.verdict, result.seconds);
                    let met = result.events_reached;
                    println!(
                        "{word}: {} of {}: {verdict:?}, {met:?}, {seconds:.0} s",
                        proof.name, entry.name
                    );
                }
                Err(error) => println!("ERROR: {} of {}: {error}", proof.name, entry.name),
            }
        }
    }
    Ok(())
}

/// The mutation score, and what is left.
fn mutate(entries: &[Entry], dir: &Path) -> Step {
    let reasons = reasons();
    for (entry, faults) in subjects(WARPS)? {
        if entry.unit != entries[0].unit {
            continue;
        }
        let score = score(&entry, &faults, Draw::COMMITTED, dir)?;
        println!("{score}; faults missed: {:?}", score.faults_missed);
        for survivor in score.survivors.iter().filter(|left| !left.equivalent) {
            let fits = reasons
                .iter()
                .any(|reason| reason.fits(&score.unit, survivor));
            let word = if fits { "left, with a reason" } else { "left" };
            let mutant = &survivor.mutant;
            println!(
                "  {word}: line {} {} | {}",
                mutant.line,
                mutant.id(),
                mutant.code
            );
        }
    }
    Ok(())
}
