//! `regshare trace`: traces in Accel-Sim's format.

mod export;
pub mod replay;

use crate::args::{TraceCheckArgs, TraceCommand, TraceReadArgs};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use regshare_sim::flow::is_list;
use regshare_sim::trace::check::{Summary, summarize};
use regshare_sim::trace::opcode::class_name;
use regshare_sim::trace::record::{Command, Header};
use regshare_sim::trace::{KernelReader, ReadOptions, read_list};
use std::fmt::Write;
use std::path::Path;

/// Checks or writes.
pub fn run(command: &TraceCommand) -> Outcome {
    match command {
        TraceCommand::Check(args) => check(args),
        TraceCommand::Export(args) => export::run(args),
        TraceCommand::Run(args) => replay::run(args),
    }
}

/// The options of a reader.
pub fn read_options(args: &TraceReadArgs) -> Outcome<ReadOptions> {
    let mut options = ReadOptions {
        undeclared_registers: args.undeclared_registers,
        ..ReadOptions::default()
    };
    for mapping in &args.unknown_opcode {
        let added = options.unknown_opcodes.add(mapping);
        added.map_err(|error| {
            Failure::input(
                format!("--unknown-opcode: {error}"),
                "for example `--unknown-opcode alu` or `--unknown-opcode VIADD=int`",
            )
        })?;
    }
    Ok(options)
}

fn check(args: &TraceCheckArgs) -> Outcome {
    let options = read_options(&args.read)?;
    let mut text = String::new();
    for file in &args.files {
        if is_list(file) {
            check_list(file, &options, &mut text)?;
        } else {
            check_kernel(file, &options, &mut text)?;
        }
    }
    output::print(&text)
}

fn check_list(list: &Path, options: &ReadOptions, text: &mut String) -> Outcome {
    let commands = read_list(list).or_input()?;
    let (mut kernels, mut copies, mut copied) = (0, 0, 0_u128);
    for command in &commands {
        match command {
            Command::Kernel(name) => {
                kernels += 1;
                check_kernel(&list.with_file_name(name), options, text)?;
            }
            Command::CopyToDevice { bytes, .. } => {
                copies += 1;
                copied += u128::from(*bytes);
            }
        }
    }
    let _ = writeln!(
        text,
        "{}: {kernels} kernels, {copies} copies to the device of {copied} bytes together",
        list.display()
    );
    Ok(())
}

fn check_kernel(file: &Path, options: &ReadOptions, text: &mut String) -> Outcome {
    let mut reader = KernelReader::open(file, options).or_input()?;
    let summary = summarize(&mut reader).or_input()?;
    describe(file, reader.header(), &summary, text);
    Ok(())
}

fn describe(file: &Path, header: &Header, summary: &Summary, text: &mut String) {
    let dim = |dim: [u32; 3]| format!("{} x {} x {}", dim[0], dim[1], dim[2]);
    let _ = writeln!(text, "{}: {}", file.display(), header.name);
    let _ = writeln!(
        text,
        "  SM{}, grid {}, block {}, {} registers, {} bytes of scratchpad, tracer version {}",
        header.binary_version,
        dim(header.grid),
        dim(header.block),
        header.regs,
        header.scratchpad_bytes,
        header.tracer_version
    );
    let _ = writeln!(
        text,
        "  {} CTAs, {} warps, {} warp instructions ({} of the program), {} thread instructions",
        summary.ctas, summary.warps, summary.insts, summary.static_insts, summary.thread_insts
    );
    let classes: Vec<String> = (summary.classes.iter())
        .map(|&(class, count)| format!("{} {count}", class_name(class)))
        .collect();
    let _ = writeln!(text, "  {}", classes.join(", "));
}
