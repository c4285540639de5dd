//! The file that a waveform goes into: text (VCD) or compressed (FST, by the name of the file).

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use std::fs::File;
use std::io::{BufWriter, Error, Result, Write};
use std::path::Path;
use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// Who wrote the file.
const VERSION: &str = "regshare";
/// Changes of an FST file that are kept before they are compressed, bytes. // assumed: some million changes
const FST_BLOCK_BYTES: usize = 1 << 26;

/// What the file calls a variable.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// In VCD.
    Vcd(IdCode),
    /// In FST.
    Fst(FstSignalId),
}

/// A variable as it is declared.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    pub name: &'a str,
    pub kind: VarType,
    pub width_bits: u32,
    pub range: Option<ReferenceIndex>,
}

type FstFile = BufWriter<File>;

/// FST declares all variables before the first value.
enum Fst {
    Head(Box<FstHeaderWriter<FstFile>>),
    Body(Box<FstBodyWriter<FstFile>>),
    /// Being changed from one into the other, or ended.
    Closed,
}

enum Format<W: Write> {
    Vcd(Writer<W>),
    Fst(Fst),
}

/// The file.
pub struct Sink<W: Write> {
    format: Format<W>,
    /// The time that was written last.
    time: Option<u64>,
}

fn fst<T>(result: std::result::Result<T, FstWriteError>) -> Result<T> {
    result.map_err(|error| match error {
        FstWriteError::Io(error) => error,
        other => Error::other(other),
    })
}

fn closed() -> Error {
    Error::other("the waveform was ended before")
}

/// Whether a file of that name is FST.
pub fn is_fst(path: &Path) -> bool {
    (path.extension()).is_some_and(|extension| extension.eq_ignore_ascii_case("fst"))
}

impl Sink<BufWriter<File>> {
    /// An FST file. It carries no date: the same run gives the same bytes.
    pub fn fst(file: File) -> Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -9,
            version: VERSION.to_owned(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let head = fst(FstHeaderWriter::new(BufWriter::new(file), &info))?;
        Ok(Sink {
            format: Format::Fst(Fst::Head(Box::new(head))),
            time: None,
        })
    }
}

impl<W: Write> Sink<W> {
    /// VCD into `writer`.
    pub fn vcd(writer: W) -> Self {
        Sink {
            format: Format::Vcd(Writer::new(writer)),
            time: None,
        }
    }

    /// Before the declarations.
    pub fn begin(&mut self) -> Result<()> {
        match &mut self.format {
            Format::Vcd(writer) => {
                writer.version(VERSION)?;
                writer.timescale(1, TimescaleUnit::NS)
            }
            Format::Fst(_) => Ok(()),
        }
    }

    pub fn open_scope(&mut self, name: &str) -> Result<()> {
        match &mut self.format {
            Format::Vcd(writer) => writer.add_module(name),
            Format::Fst(Fst::Head(head)) => fst(head.scope(name, "", FstScopeType::Module)),
            Format::Fst(_) => Err(closed()),
        }
    }

    pub fn close_scope(&mut self) -> Result<()> {
        match &mut self.format {
            Format::Vcd(writer) => writer.upscope(),
            Format::Fst(Fst::Head(head)) => fst(head.up_scope()),
            Format::Fst(_) => Err(closed()),
        }
    }

    pub fn declare(&mut self, variable: Declared<'_>) -> Result<Code> {
        let Declared {
            name,
            kind,
            width_bits,
            range,
        } = variable;
        match &mut self.format {
            Format::Vcd(writer) => Ok(Code::Vcd(writer.add_var(kind, width_bits, name, range)?)),
            Format::Fst(Fst::Head(head)) => {
                let name = match range {
                    // As tools that write FST put it, and readers take it apart.
                    Some(range) => format!("{name} {range}"),
                    None => name.to_owned(),
                };
                let kind = match kind {
                    VarType::Integer => FstVarType::Integer,
                    _ => FstVarType::Wire,
                };
                let bits = FstSignalType::bit_vec(width_bits);
                let id = head.var(name, bits, kind, FstVarDirection::Implicit, None);
                Ok(Code::Fst(fst(id)?))
            }
            Format::Fst(_) => Err(closed()),
        }
    }

    /// Ends the declarations: nothing is known of `variables` at time `start`.
    pub fn end_declarations(
        &mut self,
        start: u64,
        variables: impl Iterator<Item = (Code, u32)>,
    ) -> Result<()> {
        match &mut self.format {
            Format::Vcd(writer) => {
                writer.enddefinitions()?;
                writer.timestamp(start)?;
                writer.begin(SimulationCommand::Dumpvars)?;
                for (code, bits) in variables {
                    match (code, bits) {
                        (Code::Vcd(id), 1) => writer.change_scalar(id, Value::X)?,
                        (Code::Vcd(id), bits) => {
                            writer.change_vector(id, (0..bits).map(|_| Value::X))?;
                        }
                        (Code::Fst(_), _) => return Err(closed()),
                    }
                }
                writer.end()
            }
            Format::Fst(state) => {
                let Fst::Head(head) = std::mem::replace(state, Fst::Closed) else {
                    return Err(closed());
                };
                let mut body = fst(head.finish())?;
                fst(body.time_change(start))?;
                self.time = Some(start);
                for (code, bits) in variables {
                    if let Code::Fst(id) = code {
                        fst(body.signal_change(id, &vec![b'x'; bits as usize]))?;
                    }
                }
                *state = Fst::Body(Box::new(body));
                Ok(())
            }
        }
    }

    /// From here on, values are of `time`, which does not fall.
    pub fn at(&mut self, time: u64) -> Result<()> {
        if self.time == Some(time) {
            return Ok(());
        }
        self.time = Some(time);
        match &mut self.format {
            Format::Vcd(writer) => writer.timestamp(time),
            Format::Fst(Fst::Body(body)) => {
                if body.size() > FST_BLOCK_BYTES {
                    fst(body.flush())?;
                }
                fst(body.time_change(time))
            }
            Format::Fst(_) => Err(closed()),
        }
    }

    pub fn change(&mut self, code: Code, width_bits: u32, value: u64) -> Result<()> {
        let bit = |at: u32| value >> at & 1 == 1;
        let bits = (0..width_bits).rev();
        match (&mut self.format, code) {
            (Format::Vcd(writer), Code::Vcd(id)) if width_bits == 1 => {
                writer.change_scalar(id, Value::from(bit(0)))
            }
            (Format::Vcd(writer), Code::Vcd(id)) => {
                writer.change_vector(id, bits.map(|at| Value::from(bit(at))))
            }
            (Format::Fst(Fst::Body(body)), Code::Fst(id)) => {
                let mut digits = [b'0'; 64];
                for (digit, at) in digits.iter_mut().zip(bits) {
                    *digit = b'0' + u8::from(bit(at));
                }
                fst(body.signal_change(id, &digits[..width_bits as usize]))
            }
            _ => Err(closed()),
        }
    }

    /// Ends the waveform at `time`.
    pub fn end(&mut self, time: u64) -> Result<()> {
        self.at(time)?;
        match &mut self.format {
            Format::Vcd(writer) => writer.flush(),
            Format::Fst(state) => match std::mem::replace(state, Fst::Closed) {
                Fst::Body(body) => fst(body.finish())?.flush(),
                _ => Err(closed()),
            },
        }
    }
}
