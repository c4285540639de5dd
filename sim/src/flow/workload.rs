//! A kernel with everything it runs on.

use super::source::{
    KernelSource, folder, kernel_of, read, read_kernel, refuse_list, refuse_other_text,
};
use super::{FlowError, TraceFile, is_trace};
use crate::bundled::{self, Bundled};
use crate::compiler::calls::RECURSION_STACK_BYTES;
use crate::kernel::interp::{self, LaunchDims, ThreadTrace};
use crate::kernel::program::Program;
use crate::kernel::ptx::{Files, LaunchBounds, PtxError};
use crate::kernel::{Kernel, ptx};
use crate::launch::{LaunchSpec, PreparedLaunch};
use crate::memory::image::MemoryImage;
use crate::trace::ReadOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Warp instructions after which a trace is cut. // assumed: some seconds
const TRACE_WARP_INSTS: u64 = 1 << 26;

/// A kernel in virtual registers, its launch, its data.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Name in tables: the bundled name or the entry name.
    pub name: String,
    /// The kernel as read.
    pub kernel: Kernel,
    /// Grid, CTA and memory before the run, module-level variables included.
    pub launch: PreparedLaunch,
    /// The parameter space.
    pub params: Vec<u8>,
    /// The kernel's performance directives; none in the text form.
    pub bounds: LaunchBounds,
    /// What the reader left out because it changes only timing: file, line, what.
    pub notes: Vec<String>,
    /// The kernel with its functions, calls kept; `None`: it calls none.
    pub program: Option<Result<Program, PtxError>>,
    /// Why its calls cannot be inlined; then `kernel` is only the part before linking.
    pub not_inlined: Option<PtxError>,
    /// The text that the kernel was read from; source lines are its lines.
    pub source: String,
    /// The files that this text is made of, if it is of several.
    pub files: Files,
    /// The trace that it was lifted from.
    pub trace: Option<Arc<TraceFile>>,
    /// Bytes of stack that a thread has where functions that are called recurse, one of
    /// [`STACK_BYTES`](crate::compiler::calls::STACK_BYTES).
    pub stack_bytes: u32,
    bundled: Option<&'static Bundled>,
}

/// What a check of the final memory found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Equal to the CPU reference, or all checks of the launch file passed.
    Correct,
    /// There was nothing to check against.
    Unchecked,
    /// The first difference, in words.
    Wrong(String),
}

impl Workload {
    /// The workload that `name` stands for: a bundled kernel, or else a file, which needs `launch`.
    ///
    /// # Errors
    /// Unknown names, unreadable or malformed files, a launch that does not fit the kernel.
    pub fn open(name: &str, launch: Option<&Path>) -> Result<Self, FlowError> {
        if let Some(bundled) = bundled::find(name) {
            return match launch {
                None => Self::of_bundled(bundled),
                Some(path) => {
                    let spec = LaunchSpec::parse(&read(path)?, &path.to_string_lossy())?;
                    Self::bring_up(
                        name,
                        bundled.ptx,
                        &format!("{name}.ptx"),
                        &spec,
                        folder(path),
                    )
                }
            };
        }
        let path = PathBuf::from(name);
        if !path.is_file() {
            let known: Vec<&str> = bundled::every().map(|b| b.name).collect();
            return Err(FlowError::UnknownKernel {
                name: name.to_owned(),
                known: known.join(", "),
            });
        }
        refuse_list(&path)?;
        if is_trace(&path) {
            return match launch {
                None => Self::of_trace(&path, &ReadOptions::default()),
                Some(_) => Err(FlowError::TraceLaunch { path }),
            };
        }
        let source = read(&path)?;
        refuse_other_text(&source, name)?;
        let launch = launch.ok_or_else(|| FlowError::NoLaunch { path: path.clone() })?;
        let spec = LaunchSpec::parse(&read(launch)?, &launch.to_string_lossy())?;
        Self::bring_up(&spec.kernel, &source, name, &spec, folder(launch))
    }

    /// Several PTX files, linked into one program, of which `launch` starts a kernel.
    ///
    /// # Errors
    /// As for [`Workload::open`].
    pub fn open_linked(names: &[String], launch: &Path) -> Result<Self, FlowError> {
        let files = names
            .iter()
            .map(|name| Ok((read(Path::new(name))?, name.clone())))
            .collect::<Result<Vec<_>, FlowError>>()?;
        let module = ptx::link(&files)?;
        let spec = LaunchSpec::parse(&read(launch)?, &launch.to_string_lossy())?;
        let prepared = spec.prepare(folder(launch))?;
        let first = names.first().map_or("", |name| name);
        let kernel = kernel_of(&module, first, &prepared)?;
        let mut workload = Self::on(&spec.kernel, kernel, module.text(), prepared)?;
        workload.files = module.files();
        Ok(workload)
    }

    /// A bundled kernel with its own launch.
    ///
    /// # Errors
    /// None for the kernels as they are shipped; tests hold that.
    pub fn of_bundled(bundled: &'static Bundled) -> Result<Self, FlowError> {
        let spec = LaunchSpec::parse(bundled.launch, &format!("{}/launch.toml", bundled.name))?;
        let file = format!("{}.ptx", bundled.name);
        let mut workload = Self::bring_up(bundled.name, bundled.ptx, &file, &spec, Path::new("."))?;
        workload.bundled = Some(bundled);
        Ok(workload)
    }

    fn bring_up(
        name: &str,
        source: &str,
        file: &str,
        spec: &LaunchSpec,
        data: &Path,
    ) -> Result<Self, FlowError> {
        let launch = spec.prepare(data)?;
        let kernel = read_kernel(source, file, &launch)?;
        Self::on(name, kernel, source.to_owned(), launch)
    }

    /// A kernel that was read from `source`, with its launch.
    fn on(
        name: &str,
        kernel: KernelSource,
        source: String,
        mut launch: PreparedLaunch,
    ) -> Result<Self, FlowError> {
        let KernelSource {
            kernel,
            bounds,
            notes,
            program,
            not_inlined,
        } = kernel;
        check_bounds(&kernel.name, &bounds, launch.block)?;
        let params = launch.param_space(&kernel)?;
        for variable in &kernel.globals {
            launch.memory.place_variable(
                &variable.name,
                variable.address,
                &variable.init,
                variable.size_bytes,
            )?;
        }
        Ok(Workload {
            name: name.to_owned(),
            kernel,
            launch,
            params,
            bounds,
            notes,
            program,
            not_inlined,
            source,
            files: Files::default(),
            trace: None,
            stack_bytes: RECURSION_STACK_BYTES,
            bundled: None,
        })
    }

    /// The trace of a kernel, lifted; it is named after the file.
    ///
    /// # Errors
    /// A file that is no whole trace, or has what cannot be lifted.
    pub fn of_trace(path: &Path, options: &ReadOptions) -> Result<Self, FlowError> {
        let trace = TraceFile::open(path, options)?;
        let lifted = &trace.lifted;
        let (grid, block) = (lifted.header.grid, lifted.header.block);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name = file.split(".trace").next().unwrap_or(&file).to_owned();
        Ok(Workload {
            name,
            launch: PreparedLaunch::without_data(&lifted.kernel.name, grid, block),
            kernel: lifted.kernel.clone(),
            params: Vec::new(),
            bounds: LaunchBounds::default(),
            notes: Vec::new(),
            program: None,
            not_inlined: None,
            source: lifted.listing.clone(),
            files: Files::default(),
            trace: Some(Arc::new(trace)),
            stack_bytes: RECURSION_STACK_BYTES,
            bundled: None,
        })
    }

    /// What thread number `thread` of the grid runs of `kernel`, this workload's kernel as some pass left it; without
    /// any timing.
    ///
    /// # Errors
    /// [`FlowError::Thread`]. A run that fails is the end of the trace.
    pub fn trace_thread(&self, kernel: &Kernel, thread: u64) -> Result<ThreadTrace, FlowError> {
        let dims = LaunchDims {
            grid: self.launch.grid,
            block: self.launch.block,
            dynamic_scratchpad_bytes: self.launch.dynamic_scratchpad_bytes,
        };
        let options = interp::Options {
            step_limit: TRACE_WARP_INSTS,
            ..interp::Options::default()
        };
        let mut memory = self.launch.memory.clone();
        interp::trace_thread(kernel, &dims, &self.params, &mut memory, thread, &options).map_err(
            |cause| FlowError::Thread {
                kernel: self.name.clone(),
                cause: Box::new(cause),
            },
        )
    }

    /// Checks memory after a run.
    pub fn verdict(&self, memory: &MemoryImage) -> Verdict {
        if let Some(bundled) = self.bundled {
            return match bundled.verify(&self.launch, memory) {
                Ok(()) => Verdict::Correct,
                Err(mismatch) => Verdict::Wrong(mismatch.to_string()),
            };
        }
        let results = self.launch.check(memory);
        match results.iter().find(|result| !result.passed()) {
            Some(failed) => Verdict::Wrong(failed.to_string()),
            None if results.is_empty() => Verdict::Unchecked,
            None => Verdict::Correct,
        }
    }
}

/// A CTA of exactly `.reqntid` and of at most the product of `.maxntid` threads (PTX ISA, performance directives).
fn check_bounds(kernel: &str, bounds: &LaunchBounds, block: [u32; 3]) -> Result<(), FlowError> {
    let threads = |extents: [u32; 3]| {
        extents
            .iter()
            .fold(1, |n: u64, &x| n.saturating_mul(x.into()))
    };
    let (directive, limit) = match (bounds.required_threads, bounds.max_threads) {
        (Some(required), _) if required != block => (".reqntid", required),
        (_, Some(most)) if threads(block) > threads(most) => (".maxntid", most),
        _ => return Ok(()),
    };
    Err(FlowError::LaunchBounds {
        kernel: kernel.to_owned(),
        directive,
        limit,
        block,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::compile;

    fn workload(directives: &str, block: &str) -> Result<Workload, FlowError> {
        let bundled = bundled::find("montecarlo").unwrap();
        let entry = bundled.ptx.find(".entry").unwrap();
        let body = entry + bundled.ptx[entry..].find('{').unwrap();
        let source = format!(
            "{}{directives}\n{}",
            &bundled.ptx[..body],
            &bundled.ptx[body..]
        );
        let line = bundled.launch.lines().find(|l| l.starts_with("block"));
        let launch = bundled
            .launch
            .replace(line.unwrap(), &format!("block = {block}"));
        let spec = LaunchSpec::parse(&launch, "launch.toml")?;
        Workload::bring_up("montecarlo", &source, "test.ptx", &spec, Path::new("."))
    }

    #[test]
    fn cta_must_fit_reqntid_and_maxntid() {
        let outcome = |directives, block| workload(directives, block).map(|_| ());
        assert!(outcome(".reqntid 64, 2", "[64, 2, 1]").is_ok());
        assert!(matches!(
            outcome(".reqntid 64, 2", "[128, 1, 1]"),
            Err(FlowError::LaunchBounds {
                directive: ".reqntid",
                limit: [64, 2, 1],
                block: [128, 1, 1],
                ..
            })
        ));
        assert!(outcome(".maxntid 32, 4", "[128, 1, 1]").is_ok());
        assert!(matches!(
            outcome(".maxntid 32, 4", "[160, 1, 1]"),
            Err(FlowError::LaunchBounds {
                directive: ".maxntid",
                ..
            })
        ));
    }

    #[test]
    fn maxnreg_caps_registers_unless_the_user_does() {
        let regs = |directives, cap| {
            let workload = workload(directives, "[128, 1, 1]").unwrap();
            compile(&workload, cap).unwrap().report.regs
        };
        let free = regs("", None);
        assert!(free > 18, "{free}");
        assert!(regs(".maxnreg 18", None) <= 18);
        assert_eq!(regs(".maxnreg 18", Some(255)), free);
        assert_eq!(regs(".maxnreg 4000", None), free);
    }
}
