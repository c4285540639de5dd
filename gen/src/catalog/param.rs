//! What a unit is offered with.

use std::fmt;

/// A named value, such as `warps = 48` or `system = rfv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name, as in `-P name=value`.
    pub name: &'static str,
    /// Value.
    pub value: Value,
}

/// What a parameter can be. Numbers come before names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(u64),
    /// One of a few names.
    Name(&'static str),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Name(_) => None,
        }
    }

    /// Whether `text` means this value.
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        match self {
            Self::Number(number) => text.parse() == Ok(number),
            Self::Name(name) => text == name,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl Param {
    /// What it adds to the name of the module: `_w48`, `_rfv`.
    pub(super) fn suffix(&self) -> String {
        match self.value {
            Value::Number(number) => format!("_{}{number}", &self.name[..1]),
            Value::Name(name) => format!("_{name}"),
        }
    }
}
