//! The list of a trace folder: copies to the device and kernels, in order.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::field::{decimal, hexadecimal};
use super::lines::Lines;
use super::{io, line_error, quote};
use crate::trace::error::{TraceError, TraceErrorKind};
use crate::trace::record::Command;

/// Reads a `kernelslist.g` of at least one kernel; the files that it names are there. Copies from the device and comments (`#`)
/// are passed over.
pub fn read_list(path: &Path) -> Result<Vec<Command>, TraceError> {
    let file = File::open(path).map_err(|error| io(&error).at(path, 0))?;
    let mut has_kernels = false;
    let commands = commands(Box::new(file), path, |command| {
        if let Command::Kernel(name) = command {
            has_kernels = true;
            look_for(name, path)?;
        }
        Ok(())
    })?;
    match has_kernels {
        true => Ok(commands),
        false => Err(TraceErrorKind::NoKernels.at(path, 0)),
    }
}

/// Reads a list from any reader; `path` only names it in errors.
pub fn list_of(source: Box<dyn Read + Send>, path: &Path) -> Result<Vec<Command>, TraceError> {
    commands(source, path, |_| Ok(()))
}

/// The commands of a list, each of which must pass.
fn commands(
    source: Box<dyn Read + Send>,
    path: &Path,
    mut check: impl FnMut(&Command) -> Result<(), TraceErrorKind>,
) -> Result<Vec<Command>, TraceError> {
    let mut lines = Lines::new(source);
    let mut commands = Vec::new();
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line.trim_ascii(),
            Ok(None) => return Ok(commands),
            Err(error) => return Err(line_error(error, "text").at(path, lines.number())),
        };
        let command = parse(line).and_then(|command| {
            command.as_ref().map_or(Ok(()), &mut check)?;
            Ok(command)
        });
        match command {
            Ok(command) => commands.extend(command),
            Err(kind) => return Err(kind.at(path, lines.number())),
        }
    }
}

/// Whether a kernel lies beside the list.
fn look_for(name: &str, list: &Path) -> Result<(), TraceErrorKind> {
    let message = match std::fs::metadata(list.with_file_name(name)) {
        Ok(found) if found.is_dir() => "it is a folder".to_owned(),
        Ok(_) => return Ok(()),
        Err(error) => error.to_string(),
    };
    Err(TraceErrorKind::NoKernelFile {
        name: name.to_owned(),
        message,
    })
}

fn parse(line: &[u8]) -> Result<Option<Command>, TraceErrorKind> {
    if line.is_empty() || line.starts_with(b"#") || line.starts_with(b"MemcpyDtoH") {
        return Ok(None);
    }
    let unexpected = || TraceErrorKind::Unexpected {
        found: quote(line),
        expected: "`MemcpyHtoD,ADDRESS,BYTES` or the file name of a kernel trace",
    };
    if line.starts_with(b"MemcpyHtoD") {
        let mut fields = line
            .split(|&byte| byte == b',')
            .skip(1)
            .map(<[u8]>::trim_ascii);
        let address = fields.next().and_then(hexadecimal);
        let bytes = fields.next().and_then(decimal);
        return match (address, bytes, fields.next()) {
            (Some(address), Some(bytes), None) => {
                Ok(Some(Command::CopyToDevice { address, bytes }))
            }
            _ => Err(unexpected()),
        };
    }
    let name = std::str::from_utf8(line).map_err(|_| unexpected())?;
    let (begins, is_trace) = (name.starts_with("kernel"), name.contains(".trace"));
    if !begins && !is_trace {
        return Err(unexpected());
    }
    // A name, not a path: a list must not lead out of its folder.
    match begins && is_trace && !name.contains(['/', '\\', '\0']) {
        true => Ok(Some(Command::Kernel(name.into()))),
        false => Err(TraceErrorKind::KernelName { found: quote(line) }),
    }
}
