//! The list of a trace folder: copies to the device and kernels, in order.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::field::{decimal, hexadecimal};
use super::lines::Lines;
use super::{line_error, quote};
use crate::trace::error::{TraceError, TraceErrorKind};
use crate::trace::record::Command;

/// Reads a `kernelslist.g`. Copies from the device and comments (`#`) are passed over.
pub fn read_list(path: &Path) -> Result<Vec<Command>, TraceError> {
    let file = File::open(path).map_err(|error| {
        let message = error.to_string();
        TraceErrorKind::Io { message }.at(path, 0)
    })?;
    list_of(Box::new(file), path)
}

/// Reads a list from any reader; `path` only names it in errors.
pub fn list_of(source: Box<dyn Read + Send>, path: &Path) -> Result<Vec<Command>, TraceError> {
    let mut lines = Lines::new(source);
    let mut commands = Vec::new();
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line.trim_ascii(),
            Ok(None) => return Ok(commands),
            Err(error) => return Err(line_error(error, "text").at(path, lines.number())),
        };
        let command = parse(line);
        match command {
            Ok(command) => commands.extend(command),
            Err(kind) => return Err(kind.at(path, lines.number())),
        }
    }
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
    let name = std::str::from_utf8(line)
        .ok()
        .filter(|name| name.starts_with("kernel"));
    // A name, not a path: a list must not lead out of its folder.
    let name = name.filter(|name| !name.contains(['/', '\\', '\0']) && name.contains(".trace"));
    Ok(Some(Command::Kernel(name.ok_or_else(unexpected)?.into())))
}
