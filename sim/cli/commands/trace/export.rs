//! `regshare trace export`: a run of ours as a trace folder.

use crate::args::TraceExportArgs;
use crate::commands::{check_used, checked, machine, scheme_options, workload};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::unfinished;
use regshare_sim::flow::{self, Verdict, Workload};
use regshare_sim::kernel::Kernel;
use regshare_sim::kernel::interp::{InterpError, LaunchDims};
use regshare_sim::trace::export::{ExportError, ExportOptions, export};
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

const LIST: &str = "kernelslist.g";
const KERNEL: &str = "kernel-1.traceg";

/// Runs, writes, and says what was written.
pub fn run(args: &TraceExportArgs) -> Outcome {
    let mut workload = workload(&args.source, &args.link, args.kernel.launch.as_deref())?;
    workload.stack_bytes = args.schemes.stack_bytes();
    output::notes(&workload.notes);
    let kernel = kernel(args, &workload)?;
    let is_new = !args.out.exists();
    let done = write(args, &workload, &kernel);
    if done.is_err() && is_new {
        // Only an empty folder goes.
        let _ = std::fs::remove_dir(&args.out);
    }
    output::print(&done?)
}

/// What is executed: the kernel as it was compiled, or what a scheme makes of it.
fn kernel(args: &TraceExportArgs, workload: &Workload) -> Outcome<Kernel> {
    let compiled = checked(flow::compile(workload, args.kernel.max_regs))?;
    let Some(name) = &args.scheme else {
        check_used(&args.schemes, &["baseline"])?;
        return Ok(compiled.kernel);
    };
    let machine = machine(&args.machine)?;
    let scheme = flow::scheme(name, scheme_options(&args.schemes)?).or_input()?;
    check_used(&args.schemes, &[name])?;
    let with_calls = checked(flow::for_scheme(workload, &compiled, scheme.as_ref()))?;
    let compiled = with_calls.unwrap_or(compiled);
    Ok(checked(flow::plan(workload, &compiled, scheme.as_ref(), &machine))?.kernel)
}

fn write(args: &TraceExportArgs, workload: &Workload, kernel: &Kernel) -> Outcome<String> {
    let failed = |error: std::io::Error| cannot_write(&args.out, &error);
    unfinished::make_folder(&args.out).map_err(failed)?;
    let mut file = BufWriter::new(unfinished::file_in(&args.out).map_err(failed)?);
    let dims = LaunchDims {
        grid: workload.launch.grid,
        block: workload.launch.block,
        dynamic_scratchpad_bytes: workload.launch.dynamic_scratchpad_bytes,
    };
    let options = ExportOptions {
        lines: args.lines,
        cta_insts: args.cta_instructions,
        ..ExportOptions::default()
    };
    let mut memory = workload.launch.memory.clone();
    let stats = export(
        kernel,
        &dims,
        &workload.params,
        &mut memory,
        &options,
        &mut file,
    )
    .map_err(|error| match error {
        ExportError::Write(error) => cannot_write(&args.out, &error),
        ExportError::NotAllocated => {
            Failure::input(error, "give a kernel of at most 255 registers")
        }
        ExportError::Run(error) => {
            let cure = match &error {
                InterpError::CtaLimit { .. } => {
                    "; a CTA that only takes long ends with a higher --cta-instructions"
                }
                _ => "",
            };
            let error = error.in_files(&workload.files);
            Failure::run(format!("{}: {error}{cure}", workload.name))
        }
    })?;
    if let Verdict::Wrong(what) = workload.verdict(&memory) {
        return Err(Failure::run(format!("{}: {what}", workload.name)));
    }
    file.flush().map_err(failed)?;
    let file = file
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    let path = args.out.join(KERNEL);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(failed)?;
    }
    file.persist(&path).map_err(|error| failed(error.error))?;
    let mut list = String::new();
    for buffer in &workload.launch.buffers {
        let _ = writeln!(
            list,
            "MemcpyHtoD,{:#018x},{}",
            buffer.base,
            buffer.size_bytes()
        );
    }
    let _ = writeln!(list, "{KERNEL}");
    output::write_file(&args.out.join(LIST), list.as_bytes())?;
    let bytes = std::fs::metadata(&path).map_err(failed)?.len();
    Ok(format!(
        "{}: {} CTAs, {} warp instructions, {bytes} bytes\n{}: {} copies to the device, 1 kernel\n",
        path.display(),
        stats.ctas,
        stats.warp_insts,
        args.out.join(LIST).display(),
        workload.launch.buffers.len(),
    ))
}

fn cannot_write(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::input(
        format!("cannot write to {}: {error}", folder.display()),
        "give a folder with --out that can be written to",
    )
}
