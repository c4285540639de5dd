//! The head of a kernel trace.

use super::field::{decimal, hexadecimal};
use super::quote;
use crate::trace::error::TraceErrorKind;
use crate::trace::opcode::Generation;
use crate::trace::record::Header;

/// The most threads of a CTA, and CTAs of a grid in x, y, z (CUDA C++ Programming Guide, Technical Specifications).
const MAX_THREADS: u64 = 1024;
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// The most scratchpad of a CTA, bytes: that of an SM90 (same table).
const MAX_SCRATCHPAD: u64 = 227 << 10;

/// The tracer versions that can be read.
const VERSIONS: std::ops::RangeInclusive<u64> = 1..=6;

/// Collects the lines `-name = value`.
#[derive(Default)]
pub struct HeadBuilder {
    header: Header,
    seen: u16,
}

/// The fields known, in the order of a tracer. A head without the optional ones stems from an old tracer.
const FIELDS: [(&str, bool); 13] = [
    ("kernel name", true),
    ("kernel id", true),
    ("grid dim", true),
    ("block dim", true),
    ("shmem", true),
    ("nregs", true),
    ("binary version", true),
    ("cuda stream id", false),
    ("shmem base_addr", false),
    ("local mem base_addr", false),
    ("nvbit version", false),
    ("accelsim tracer version", false),
    ("enable lineinfo", false),
];

impl HeadBuilder {
    /// Takes a line that starts with `-`. Fields of later tracers are passed over.
    pub fn take(&mut self, line: &[u8]) -> Result<(), TraceErrorKind> {
        let unexpected = || TraceErrorKind::Unexpected {
            found: quote(line),
            expected: "`-field = value`",
        };
        let text = std::str::from_utf8(line).map_err(|_| unexpected())?;
        let (name, value) = text[1..].split_once('=').ok_or_else(unexpected)?;
        let (name, value) = (name.trim(), value.trim());
        let Some(index) = FIELDS.iter().position(|&(known, _)| known == name) else {
            return Ok(());
        };
        let field = FIELDS[index].0;
        if self.seen >> index & 1 == 1 {
            return Err(TraceErrorKind::RepeatedField { field });
        }
        self.seen |= 1 << index;
        self.set(field, value)
    }

    fn set(&mut self, field: &'static str, value: &str) -> Result<(), TraceErrorKind> {
        let bad = |expected: &str| TraceErrorKind::BadValue {
            what: format!("`-{field}`"),
            found: quote(value.as_bytes()),
            expected: expected.into(),
        };
        let number = |from: u64, to: u64| {
            let number = decimal(value.as_bytes()).filter(|number| (from..=to).contains(number));
            number.ok_or_else(|| match to {
                u64::MAX => bad("a number"),
                _ => bad(&format!("a number from {from} to {to}")),
            })
        };
        let address = || hexadecimal(value.as_bytes()).ok_or_else(|| bad("a hexadecimal address"));
        let header = &mut self.header;
        match field {
            "kernel name" if value.is_empty() => return Err(bad("a name")),
            "kernel name" => header.name = value.into(),
            "kernel id" => header.id = number(0, u64::MAX)?,
            "grid dim" => {
                let fits = |dim: &[u32; 3]| (0..3).all(|axis| dim[axis] <= MAX_GRID[axis]);
                let dim = triple(value).filter(fits);
                header.grid = dim.ok_or_else(|| {
                    bad("`(x,y,z)`, each 1 or more, at most 2147483647, 65535, 65535")
                })?;
            }
            "block dim" => {
                let fits = |dim: &[u32; 3]| {
                    let threads = dim
                        .iter()
                        .try_fold(1u64, |product, &n| product.checked_mul(n.into()));
                    threads.is_some_and(|threads| threads <= MAX_THREADS)
                };
                let dim = triple(value).filter(fits);
                header.block = dim.ok_or_else(|| {
                    bad("`(x,y,z)`, each 1 or more, at most 1024 threads together")
                })?;
            }
            "shmem" => header.scratchpad_bytes = number(0, MAX_SCRATCHPAD)? as u32,
            "nregs" => header.regs = number(1, 255)? as u16,
            "binary version" => {
                let version = number(0, u16::MAX.into())? as u16;
                if Generation::of(version).is_none() {
                    return Err(bad("one of 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90"));
                }
                header.binary_version = version;
            }
            "cuda stream id" => header.stream = number(0, u64::MAX)?,
            "shmem base_addr" => header.scratchpad_base = address()?,
            "local mem base_addr" => header.local_base = address()?,
            "nvbit version" => header.nvbit_version = value.into(),
            "accelsim tracer version" => {
                header.tracer_version = number(*VERSIONS.start(), *VERSIONS.end())? as u8;
            }
            "enable lineinfo" => header.has_lines = number(0, 1)? == 1,
            _ => unreachable!("every field is named above"),
        }
        Ok(())
    }

    /// The whole head.
    pub fn finish(mut self) -> Result<Header, TraceErrorKind> {
        for (index, &(field, needed)) in FIELDS.iter().enumerate() {
            if needed && self.seen >> index & 1 == 0 {
                return Err(TraceErrorKind::MissingField { field });
            }
        }
        // The first tracers did not write their version.
        self.header.tracer_version = self.header.tracer_version.max(1);
        Ok(self.header)
    }
}

/// `(x,y,z)`, each 1 or more.
fn triple(text: &str) -> Option<[u32; 3]> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    numbers(inner).filter(|dim| !dim.contains(&0))
}

/// `x,y,z`.
pub fn numbers(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split(',').map(|part| decimal(part.trim().as_bytes()));
    let mut next = || u32::try_from(parts.next()??).ok();
    let dim = [next()?, next()?, next()?];
    parts.next().is_none().then_some(dim)
}
