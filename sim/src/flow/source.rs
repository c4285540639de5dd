//! A kernel as it stands in a file: PTX, text form or trace.

use super::{FlowError, Workload, is_list, is_trace};
use crate::compiler::cfg::Cfg;
use crate::kernel::exit::MAPS_NOTHING;
use crate::kernel::program::Program;
use crate::kernel::ptx::{LaunchBounds, PtxError};
use crate::kernel::{BlockId, Kernel, Line, Op, ptx, text};
use crate::launch::PreparedLaunch;
use crate::trace::lift::LiftError;
use crate::trace::record::Command;
use crate::trace::{ReadOptions, read_list};
use std::collections::BTreeSet;
use std::path::Path;

/// A kernel as it was read.
#[derive(Clone, Debug)]
pub struct KernelSource {
    /// The kernel.
    pub kernel: Kernel,
    /// Its performance directives.
    pub bounds: LaunchBounds,
    /// What was left out because it changes only timing: file, line, what.
    pub notes: Vec<String>,
    /// The kernel with its functions, calls kept; `None`: it calls none.
    pub program: Option<Result<Program, PtxError>>,
    /// Why its calls cannot be inlined; then `kernel` is only the part before linking.
    pub not_inlined: Option<PtxError>,
}

impl KernelSource {
    /// The kernel `name` of a module that was read from `file`.
    fn of(module: &ptx::Module, name: &str, file: &str) -> Result<Self, FlowError> {
        let entry = module.entries.iter().find(|entry| entry.name == name);
        let program = entry.and_then(|entry| entry.program.clone());
        let (kernel, not_inlined) = match (module.kernel(name), &program) {
            (Ok(kernel), _) => (kernel.clone(), None),
            // Recursion, for one, can only be called.
            (Err(cause), Some(Ok(program))) => (program.units[0].code.clone(), Some(cause)),
            // What is wrong even where calls are kept is wrong; that they cannot be inlined is not.
            (Err(_), Some(Err(cause))) => return Err(cause.clone().into()),
            (Err(cause), _) => return Err(cause.into()),
        };
        let notes = entry.map_or(&[][..], |entry| &entry.notes);
        let parted = program.iter().flatten().flat_map(parted);
        let notes = notes.iter().cloned().chain(parted);
        let files = module.files();
        let told = |note: ptx::Note| match files.place(note.line) {
            Some((file, line)) => format!("{file}:{}: {}", line.0, note.text),
            None => format!("{file}:{}: {}", note.line.0, note.text),
        };
        Ok(KernelSource {
            kernel,
            bounds: entry.map(|entry| entry.bounds).unwrap_or_default(),
            notes: notes.map(told).collect(),
            program,
            not_inlined,
        })
    }

    /// The kernel of a file in the text form. Words that a scheme has put in are left out: each puts in its own.
    fn of_text(source: &str, file: &str) -> Result<Self, FlowError> {
        let mut kernel = parse_text(source, file)?;
        let is_word = |op: Op| matches!(op, Op::Acquire | Op::Release | Op::Pir | Op::Pbr);
        let mut words = 0;
        for block in &mut kernel.blocks {
            let before = block.insts.len();
            block.insts.retain(|inst| !is_word(inst.op));
            words += before - block.insts.len();
            for inst in &mut block.insts {
                if let Some(marks) = inst.exit_marks() {
                    inst.mark_exit(marks & !MAPS_NOTHING);
                }
            }
        }
        let note = format!(
            "{file}: {words} words of a scheme (acquire, release, pir, pbr) are left out; each scheme puts in its own"
        );
        Ok(KernelSource {
            kernel,
            bounds: LaunchBounds::default(),
            notes: (words > 0).then_some(note).into_iter().collect(),
            program: None,
            not_inlined: None,
        })
    }
}

/// What to know of branches whose sides come apart to a barrier where calls are kept.
fn parted(program: &Program) -> Vec<ptx::Note> {
    let of_unit = |code: &Kernel| {
        // Without a graph it is refused later.
        let branches = Cfg::parted_by_returns(code).unwrap_or_default();
        let last = |block: BlockId| code.blocks[block.0 as usize].insts.last();
        let lines = branches.into_iter().filter_map(last).map(|inst| inst.line);
        lines.collect::<BTreeSet<Line>>()
    };
    let lines = program.units.iter().flat_map(|unit| of_unit(&unit.code));
    let note = |line| {
        ptx::Note {
        line,
        text: "where calls are kept, lanes that part here come to a barrier, vote or shuffle one side after the other, as a path between \
               returns; write that return as a condition around what follows (docs/cars.md)"
            .to_owned(),
    }
    };
    lines.map(note).collect()
}

/// Reads the only kernel of a file, PTX, text form or trace, without a launch.
///
/// # Errors
/// An unreadable or malformed file, or one with another number of kernels: a launch file says which is meant.
pub fn read_only_kernel(path: &Path) -> Result<KernelSource, FlowError> {
    refuse_list(path)?;
    if is_trace(path) {
        let workload = Workload::of_trace(path, &ReadOptions::default())?;
        return Ok(KernelSource {
            kernel: workload.kernel,
            bounds: workload.bounds,
            notes: workload.notes,
            program: None,
            not_inlined: None,
        });
    }
    let (source, file) = (read(path)?, path.to_string_lossy());
    if !ptx::looks_like_ptx(&source) {
        return KernelSource::of_text(&source, &file);
    }
    let module = ptx::read(&source, &file)?;
    let names: Vec<&str> = module.names().collect();
    match &module.entries[..] {
        [entry] => KernelSource::of(&module, &entry.name, &file),
        _ => Err(FlowError::WhichKernel {
            path: path.to_owned(),
            names: names.join(", "),
        }),
    }
}

/// Reads the kernel that `launch` starts, from PTX or from the text form, told apart by content.
///
/// # Errors
/// A malformed file, or no such kernel in it.
pub fn read_kernel(
    source: &str,
    file: &str,
    launch: &PreparedLaunch,
) -> Result<KernelSource, FlowError> {
    if ptx::looks_like_ptx(source) {
        return kernel_of(&ptx::read(source, file)?, file, launch);
    }
    let source = KernelSource::of_text(source, file)?;
    launch.check_kernel_name([source.kernel.name.as_str()])?;
    Ok(source)
}

/// The kernel of a module that `launch` starts.
pub(super) fn kernel_of(
    module: &ptx::Module,
    file: &str,
    launch: &PreparedLaunch,
) -> Result<KernelSource, FlowError> {
    launch.check_kernel_name(module.names())?;
    KernelSource::of(module, &launch.kernel, file)
}

/// Reads the text form; a file that does not even begin like it is no kernel at all.
fn parse_text(source: &str, file: &str) -> Result<Kernel, FlowError> {
    if text::is_kernel_text(source) {
        return Ok(text::parse(source, file)?);
    }
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let first = (source.lines().enumerate()).find(|(_, line)| is_code(line));
    Err(FlowError::NotAKernel {
        file: file.to_owned(),
        line: first.map_or(1, |(at, _)| at + 1),
        found: match first {
            Some((_, line)) => format!("`{}`", line.trim().chars().take(40).collect::<String>()),
            None => "nothing".to_owned(),
        },
    })
}

/// Refuses the list of a trace folder, which is known by its name.
pub(super) fn refuse_list(path: &Path) -> Result<(), FlowError> {
    if !is_list(path) {
        return Ok(());
    }
    let commands = read_list(path).map_err(LiftError::from)?;
    let example = commands.iter().find_map(|command| match command {
        Command::Kernel(name) => Some(path.with_file_name(name)),
        Command::CopyToDevice { .. } => None,
    });
    Err(FlowError::TraceList {
        path: path.to_owned(),
        example: example.map_or_else(String::new, |path| format!("`{}`", path.display())),
    })
}

/// What begins neither like PTX nor like the text form is no kernel, whatever it is launched with.
pub(super) fn refuse_other_text(source: &str, file: &str) -> Result<(), FlowError> {
    match ptx::looks_like_ptx(source) || text::is_kernel_text(source) {
        true => Ok(()),
        false => parse_text(source, file).map(drop),
    }
}

pub(super) fn read(path: &Path) -> Result<String, FlowError> {
    std::fs::read_to_string(path).map_err(|cause| FlowError::File {
        path: path.to_owned(),
        cause,
    })
}

pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
