//! Kernels that come as traces: lifted to a program in a first pass, followed in a second one for each run.

use super::{FlowError, Verdict};
use crate::machine::Machine;
use crate::scheme::Plan;
use crate::sm::{self, RunError, RunOptions, RunResult};
use crate::trace::lift::{LiftError, Lifted, lift};
use crate::trace::{KernelReader, ReadOptions};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A trace and what was lifted from it.
#[derive(Clone, Debug)]
pub struct TraceFile {
    path: PathBuf,
    options: ReadOptions,
    /// The program.
    pub lifted: Lifted,
}

/// Whether the file is the trace of a kernel, packed or not, by how it begins.
pub fn is_trace(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    let text = head.trim_ascii_start();
    if text.is_empty() {
        // A trace that was cut off before its first byte.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return read.is_ok() && name.contains(".trace");
    }
    let packed: [&[u8]; 2] = [b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"];
    read.is_ok()
        && (packed.iter().any(|magic| head.starts_with(magic))
            || text.first() == Some(&b'-') && text.get(1).is_some_and(u8::is_ascii_alphabetic))
}

/// Whether the file is the list of a trace folder, by its name.
pub fn is_list(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".g") || name.starts_with("kernelslist")
}

impl TraceFile {
    /// Reads and lifts a trace.
    ///
    /// # Errors
    /// [`FlowError::Lift`].
    pub fn open(path: &Path, options: &ReadOptions) -> Result<TraceFile, FlowError> {
        let mut reader = KernelReader::open(path, options).map_err(LiftError::from)?;
        let header = reader.header().clone();
        let lifted = lift(&mut reader, &header, path)?;
        Ok(TraceFile {
            path: path.to_owned(),
            options: options.clone(),
            lifted,
        })
    }

    /// Follows the trace through a plan made of its program.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run(
        &self,
        plan: &Plan,
        machine: &Machine,
        options: &RunOptions,
    ) -> Result<RunResult, RunError> {
        let reader = KernelReader::open(&self.path, &self.options);
        let reader = reader.map_err(|error| RunError::Trace {
            message: error.to_string(),
        })?;
        sm::run_traced(plan, &self.lifted, Box::new(reader), machine, options)
    }

    /// Whether every instruction of the trace was executed and read what it should have.
    pub fn verdict(&self, result: &RunResult) -> Verdict {
        let expected = self.lifted.expected;
        match result.followed {
            Some(followed) if followed == expected => Verdict::Correct,
            Some(followed) if followed.insts != expected.insts => Verdict::Wrong(format!(
                "{} instructions of the trace were executed, of {}",
                followed.insts, expected.insts
            )),
            Some(_) => Verdict::Wrong(
                "an instruction read a register that did not hold what was written last".to_owned(),
            ),
            None => Verdict::Unchecked,
        }
    }
}
