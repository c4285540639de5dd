//! What to do with opcodes that the tables lack.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{CLASS_NAMES, base, parse_class};
use crate::trace::record::Class;

/// Classes for opcodes that the hardware of the trace does not know; empty: such opcodes are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownOpcodes {
    /// By opcode, without modifiers.
    pub named: BTreeMap<String, Class>,
    /// For all others.
    pub others: Option<Class>,
}

/// A mapping that is neither `CLASS` nor `NAME=CLASS`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{text:?} is neither CLASS nor NAME=CLASS; the classes are {}",
    classes()
)]
pub struct BadMapping {
    /// As written.
    pub text: String,
}

fn classes() -> String {
    let names: Vec<_> = CLASS_NAMES.iter().map(|&(name, _)| name).collect();
    names.join(", ")
}

impl UnknownOpcodes {
    /// Adds one mapping: `CLASS` for all unknown opcodes, or `NAME=CLASS` for one, named without modifiers. The last one wins.
    pub fn add(&mut self, text: &str) -> Result<(), BadMapping> {
        let bad = || BadMapping { text: text.into() };
        match text.split_once('=') {
            None => self.others = Some(parse_class(text).ok_or_else(bad)?),
            Some((name, class)) => {
                let class = parse_class(class).ok_or_else(bad)?;
                if name.is_empty() || name.contains(|c: char| c == '.' || c.is_whitespace()) {
                    return Err(bad());
                }
                self.named.insert(name.into(), class);
            }
        }
        Ok(())
    }

    /// The class of an unknown opcode, with or without modifiers.
    pub fn class(&self, opcode: &str) -> Option<Class> {
        self.named.get(base(opcode)).copied().or(self.others)
    }
}
