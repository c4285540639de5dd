//! Reads traces line by line; at any time one CTA and the static instructions are in memory.

mod addresses;
mod ahead;
mod cta;
mod field;
mod header;
mod inst;
mod lines;
mod list;
mod statics;
#[cfg(test)]
mod tests;
mod unpack;

pub(crate) use ahead::{Ahead, InOrder, Limits};
pub use lines::LONGEST_LINE;
pub use list::{list_of, read_list};

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::{TraceError, TraceErrorKind};
use super::opcode::UnknownOpcodes;
use super::record::{CtaTrace, Header, Program};
use cta::Ctas;
use header::HeadBuilder;
use lines::{LineError, Lines};

/// What a reader lets pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Classes of opcodes that the hardware of the trace does not know; without one such an opcode is refused.
    pub unknown_opcodes: UnknownOpcodes,
    /// Lets pass registers beyond `-nregs`, up to R254.
    pub undeclared_registers: bool,
}

/// Reads the trace of a kernel, CTA by CTA.
pub struct KernelReader {
    path: PathBuf,
    lines: Lines,
    format: &'static str,
    header: Header,
    ctas: Ctas,
    ended: bool,
}

impl KernelReader {
    /// Opens a file, plain or packed (told by its content), and reads its head.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<KernelReader, TraceError> {
        let file = File::open(path).map_err(|error| io(&error).at(path, 0))?;
        KernelReader::new(file, path, options)
    }

    /// Reads from anything, plain or packed; `path` only names it in errors. No buffer is needed around the source.
    pub fn new(
        source: impl Read + Send + 'static,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<KernelReader, TraceError> {
        let (packing, plain) =
            unpack::unpack(Box::new(source)).map_err(|error| io(&error).at(path, 0))?;
        let mut lines = Lines::new(plain);
        let format = packing.name();
        match read_head(&mut lines, format) {
            Ok((header, begun)) => Ok(KernelReader {
                path: path.to_owned(),
                format,
                ctas: Ctas::new(&header, options, begun),
                header,
                lines,
                ended: false,
            }),
            Err(kind) => Err(cut_off(kind, &lines).at(path, lines.number())),
        }
    }

    /// The file, as it was named to the reader.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The static instructions met so far; it grows with every CTA. Two executions are of the same instruction if all
    /// fields are equal, so an address can have several: functions start at address 0 as the kernel does.
    pub fn program(&self) -> &Program {
        self.ctas.program()
    }

    /// To read from several threads.
    pub(crate) fn ahead(&mut self, is_shared: bool, limits: Limits) -> (InOrder<'_>, Ahead<'_>) {
        let left = is_shared.then(|| self.header.ctas());
        let ahead = Ahead::new(&mut self.lines, self.format, left, limits);
        (InOrder::new(&self.path, &mut self.ctas), ahead)
    }

    /// Reads the next CTA of the file, or none at its end. After an error it gives none.
    pub fn next_cta(&mut self) -> Result<Option<CtaTrace>, TraceError> {
        if self.ended {
            return Ok(None);
        }
        match self.ctas.next(&mut self.lines, self.format) {
            Ok(Some(cta)) => Ok(Some(cta)),
            Ok(None) => {
                self.ended = true;
                Ok(None)
            }
            Err(kind) => {
                self.ended = true;
                Err(cut_off(kind, &self.lines).at(&self.path, self.lines.number()))
            }
        }
    }
}

/// Reads up to the first line that starts with `#`; true: that line begins the first CTA.
fn read_head(lines: &mut Lines, format: &'static str) -> Result<(Header, bool), TraceErrorKind> {
    let mut head = HeadBuilder::default();
    loop {
        let line = lines.next().map_err(|error| line_error(error, format))?;
        match line {
            None => {
                let place = "inside the head".into();
                return Err(TraceErrorKind::Truncated { place });
            }
            Some([]) => {}
            Some(line @ [b'#', ..]) => {
                let begun = line.trim_ascii() == b"#BEGIN_TB";
                return Ok((head.finish()?, begun));
            }
            Some(line @ [b'-', ..]) => head.take(line)?,
            Some(line) => {
                return Err(TraceErrorKind::Unexpected {
                    found: quote(line),
                    expected: "`-field = value` or `#` at the end of the head",
                });
            }
        }
    }
}

/// A wrong last line without a line end is a sign of a file cut off.
fn cut_off(kind: TraceErrorKind, lines: &Lines) -> TraceErrorKind {
    match kind {
        TraceErrorKind::Unexpected { .. } | TraceErrorKind::BadValue { .. }
            if lines.last_is_open() =>
        {
            let place = "in the middle of a line".into();
            TraceErrorKind::Truncated { place }
        }
        kind => kind,
    }
}

fn io(error: &std::io::Error) -> TraceErrorKind {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => TraceErrorKind::Folder,
        _ => TraceErrorKind::Io {
            message: error.to_string(),
        },
    }
}

fn line_error(error: LineError, format: &'static str) -> TraceErrorKind {
    match error {
        LineError::TooLong => TraceErrorKind::LongLine {
            limit: LONGEST_LINE,
        },
        LineError::Io(error) if format == "text" => io(&error),
        LineError::Io(error) => TraceErrorKind::Unpack {
            format,
            message: error.to_string(),
        },
    }
}

/// A line or word as an error shows it: not longer than a screen line.
fn quote(text: &[u8]) -> String {
    let mut shown: String = String::from_utf8_lossy(text).chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push_str("..");
    }
    shown
}
