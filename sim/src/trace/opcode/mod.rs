//! Opcodes of the hardware generations SM60 to SM90, and what each does.

mod name;
mod table;
mod unknown;

pub use name::{CLASS_NAMES, class_name, parse_class};
pub use unknown::{BadMapping, UnknownOpcodes};

use std::fmt;

use super::record::Class;

/// A generation of hardware with an instruction set of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Generation {
    /// SM60 to SM62.
    Pascal,
    /// SM70 and SM72.
    Volta,
    /// SM75.
    Turing,
    /// SM80 to SM89; SM89 (Ada) shares the instruction set.
    Ampere,
    /// SM90.
    Hopper,
}

impl Generation {
    /// All, oldest first.
    pub const ALL: [Generation; 5] = [
        Generation::Pascal,
        Generation::Volta,
        Generation::Turing,
        Generation::Ampere,
        Generation::Hopper,
    ];

    /// The generation of a binary version (compute capability times ten), if one here.
    pub fn of(binary_version: u16) -> Option<Generation> {
        Some(match binary_version {
            60..=62 => Generation::Pascal,
            70 | 72 => Generation::Volta,
            75 => Generation::Turing,
            80 | 86 | 87 | 89 => Generation::Ampere,
            90 => Generation::Hopper,
            _ => return None,
        })
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Generation::Pascal => "Pascal (SM60)",
            Generation::Volta => "Volta (SM70)",
            Generation::Turing => "Turing (SM75)",
            Generation::Ampere => "Ampere (SM80)",
            Generation::Hopper => "Hopper (SM90)",
        })
    }
}

/// The opcode without its modifiers.
pub fn base(opcode: &str) -> &str {
    opcode.split('.').next().unwrap_or(opcode)
}

/// What `opcode`, with or without modifiers, does on that hardware; none: it does not know it.
pub fn class(opcode: &str, generation: Generation) -> Option<Class> {
    let entry = table::find(base(opcode))?;
    entry
        .generations
        .contains(generation)
        .then_some(entry.class)
}

#[cfg(test)]
mod tests;
