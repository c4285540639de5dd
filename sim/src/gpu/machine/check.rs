//! Which values a machine file may have: the range of each field, and what fields must say together.

mod memory;
mod sm;
#[cfg(test)]
mod tests;

use super::GpuMachine;
use std::ops::RangeInclusive;

/// Section, key, and what is wrong with the value.
pub type Problem = (&'static str, &'static str, String);

type Checked = Result<(), Problem>;

/// A section of the file.
#[derive(Clone, Copy)]
struct Section(&'static str);

impl Section {
    /// `holds`, or the field is refused with what `problem` says: the value, what is expected, and why.
    fn demand(self, holds: bool, key: &'static str, problem: impl FnOnce() -> String) -> Checked {
        match holds {
            true => Ok(()),
            false => Err((self.0, key, problem())),
        }
    }

    /// The value must be one of `allowed`.
    fn range(
        self,
        key: &'static str,
        value: impl Into<u64>,
        allowed: RangeInclusive<u64>,
    ) -> Checked {
        let value = value.into();
        self.demand(allowed.contains(&value), key, || {
            format!("{value}; expected {}", in_words(&allowed))
        })
    }

    /// The same, with the reason.
    fn limit(
        self,
        key: &'static str,
        value: impl Into<u64>,
        allowed: RangeInclusive<u64>,
        why: &str,
    ) -> Checked {
        let value = value.into();
        self.demand(allowed.contains(&value), key, || {
            format!("{value}; expected {}: {why}", in_words(&allowed))
        })
    }

    /// The same of `part` of an inline table.
    fn part(
        self,
        key: &'static str,
        part: &str,
        value: u32,
        allowed: RangeInclusive<u64>,
        why: &str,
    ) -> Checked {
        self.demand(allowed.contains(&u64::from(value)), key, || {
            format!("{part} = {value}; expected {}: {why}", in_words(&allowed))
        })
    }
}

fn in_words(allowed: &RangeInclusive<u64>) -> String {
    match (allowed.start(), allowed.end()) {
        (low, high) if low == high => low.to_string(),
        (low, high) => format!("{low} to {high}"),
    }
}

impl GpuMachine {
    /// The first field with a value that makes no sense.
    pub(super) fn problem(&self) -> Option<Problem> {
        self.check_sm().and_then(|()| self.check_memory()).err()
    }
}
