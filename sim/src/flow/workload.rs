//! A kernel with everything it runs on.

use super::FlowError;
use crate::bundled::{self, Bundled};
use crate::kernel::{Kernel, ptx, text};
use crate::launch::{LaunchSpec, PreparedLaunch};
use crate::memory::image::MemoryImage;
use std::path::{Path, PathBuf};

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
            let known: Vec<&str> = bundled::all().iter().map(|b| b.name).collect();
            return Err(FlowError::UnknownKernel {
                name: name.to_owned(),
                known: known.join(", "),
            });
        }
        let source = read(&path)?;
        let launch = launch.ok_or_else(|| FlowError::NoLaunch { path: path.clone() })?;
        let spec = LaunchSpec::parse(&read(launch)?, &launch.to_string_lossy())?;
        Self::bring_up(&spec.kernel, &source, name, &spec, folder(launch))
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
        let mut launch = spec.prepare(data)?;
        let kernel = read_kernel(source, file, &launch)?;
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
            bundled: None,
        })
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

/// Reads the kernel that `launch` starts, from PTX or from the text form, told apart by content.
///
/// # Errors
/// A malformed file, or no such kernel in it.
pub fn read_kernel(source: &str, file: &str, launch: &PreparedLaunch) -> Result<Kernel, FlowError> {
    if ptx::looks_like_ptx(source) {
        let module = ptx::read(source, file)?;
        launch.check_kernel_name(module.names())?;
        return Ok(module.kernel(&launch.kernel)?.clone());
    }
    let kernel = text::parse(source, file)?;
    launch.check_kernel_name([kernel.name.as_str()])?;
    Ok(kernel)
}

fn read(path: &Path) -> Result<String, FlowError> {
    std::fs::read_to_string(path).map_err(|cause| FlowError::File {
        path: path.to_owned(),
        cause,
    })
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
