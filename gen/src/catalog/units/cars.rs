//! The units of CARS.

use super::super::Entry;

pub(super) fn add(_entries: &mut Vec<Entry>) {}
