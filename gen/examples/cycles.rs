//! Million cycles per second of the exported modules inside Rust, as Verilator compiles them, on the rows of their benches, alone
//! and in lockstep with their models: `cargo run --release -p regshare-gen --features regshare-hw/verilog --example cycles [UNIT..]`. Medians of five runs.

#[path = "../../hw/examples/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::cpu_time;
use regshare_gen::catalog::{Entry, select};
use regshare_hw::verilog::{Module, VerilogError};
use std::time::{Duration, Instant};

/// How long a run takes at least.
const RUN: Duration = Duration::from_millis(100); // assumed

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let units: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:40} {:>10} {:>16} {:>16}",
        "module", "state bits", "million/s alone", "in lockstep"
    );
    for entry in select(&units, &[])? {
        let (mut alone, mut both) = ([0.0; 5], [0.0; 5]);
        for (alone, both) in alone.iter_mut().zip(&mut both) {
            *alone = speed(&entry, false)?;
            *both = speed(&entry, true)?;
        }
        alone.sort_by(f64::total_cmp);
        both.sort_by(f64::total_cmp);
        println!(
            "{:40} {:>10} {:>16.1} {:>16.1}",
            entry.name, entry.state_bits, alone[2], both[2]
        );
    }
    Ok(())
}

/// Million cycles per second, with outputs read in each, and with `lockstep` compared with the model's.
///
/// # Panics
/// If they differ.
fn speed(entry: &Entry, lockstep: bool) -> Result<f64, VerilogError> {
    let rows = entry.recording().rows;
    let mut module = Module::new(&entry.name, &entry.inputs, &entry.outputs)?;
    let mut model = entry.model();
    let mut out = vec![0; entry.outputs.len()];
    let mut expected = Vec::with_capacity(out.len());
    let epoch = Instant::now();
    let (start, mut cycles) = (cpu_time(epoch), 0usize);
    while cpu_time(epoch) - start < RUN {
        for row in &rows {
            module.step(&row.inputs, &mut out, true);
            if lockstep {
                model.cycle(&row.inputs, &mut expected);
                assert_eq!(out, expected, "{}", entry.name);
            }
        }
        cycles += rows.len();
    }
    Ok(cycles as f64 / (cpu_time(epoch) - start).as_secs_f64() / 1e6)
}
