//! Million cycles per second of the exported modules inside Rust, as Verilator compiles them, on the rows of their benches:
//! `cargo run --release -p regshare-gen --features regshare-hw/verilog --example cycles [UNIT..]`. Medians of five runs.

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
        "{:40} {:>10} {:>24}",
        "module", "state bits", "million cycles per second"
    );
    for entry in select(&units, &[])? {
        let mut runs = [0.0; 5];
        for run in &mut runs {
            *run = speed(&entry)?;
        }
        runs.sort_by(f64::total_cmp);
        println!(
            "{:40} {:>10} {:>24.1}",
            entry.name, entry.state_bits, runs[2]
        );
    }
    Ok(())
}

/// Million cycles per second, with outputs read in each.
fn speed(entry: &Entry) -> Result<f64, VerilogError> {
    let rows = entry.recording().rows;
    let mut module = Module::new(&entry.name, &entry.inputs, &entry.outputs)?;
    let mut out = vec![0; entry.outputs.len()];
    let epoch = Instant::now();
    let (start, mut cycles) = (cpu_time(epoch), 0usize);
    while cpu_time(epoch) - start < RUN {
        for row in &rows {
            module.step(&row.inputs, &mut out, true);
        }
        cycles += rows.len();
    }
    Ok(cycles as f64 / (cpu_time(epoch) - start).as_secs_f64() / 1e6)
}
