//! The units of register file virtualization.

use super::super::Entry;

pub(super) fn add(_entries: &mut Vec<Entry>) {}
