//! Which rows are written: of each module the first in which it did something, as many as a file has.

use super::{RecordError, did_something};
use regshare_gen::catalog::Entry;
use regshare_gen::recording::{Recording, Row};
use regshare_gen::runs::{Origin, Run, RunTable, first_disputed};
use std::sync::Arc;

/// Bytes of the rows of a module.
pub const MOST_BYTES: usize = 60_000; // assumed: about a tenth of the directed ones of a large module

/// Rows of a module, in a file.
pub const MOST_ROWS: usize = 2400; // assumed

/// Rows of a module as a run gives them, more than are written.
#[derive(Clone)]
pub struct Candidate {
    /// The module.
    pub entry: Arc<Entry>,
    /// All rows.
    pub recording: Recording,
    /// What they were recorded of.
    pub origin: Origin,
}

impl Candidate {
    /// The name of the module.
    pub fn name(&self) -> &str {
        &self.entry.name
    }

    /// The rows that are written.
    pub fn written(&self) -> Recording {
        first(&self.entry, &self.recording)
    }
}

/// The rows of each module: the first in which it did something.
#[derive(Default)]
pub struct Chosen(RunTable);

impl Chosen {
    /// Whether the module has rows.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// All of them.
    pub fn table(self) -> RunTable {
        self.0
    }

    /// Takes rows, if they are the first of the module in which it does something.
    ///
    /// # Errors
    /// [`RecordError::Disputed`]
    pub fn offer(&mut self, candidate: &Candidate) -> Result<(), RecordError> {
        let name = candidate.name();
        if self.has(name) {
            return Ok(());
        }
        let rows = candidate.written();
        if !did_something(&candidate.entry, &rows) {
            return Ok(());
        }
        if let Some(row) = first_disputed(&candidate.entry, &rows) {
            return Err(RecordError::Disputed {
                module: name.to_owned(),
                row,
                source_of_rows: candidate.origin.source.clone(),
            });
        }
        let run = Run::of(candidate.origin.clone(), &rows);
        self.0.insert(name, run);
        Ok(())
    }
}

/// As many rows as a file has. What changes nothing and is as the row before is left out.
fn first(entry: &Entry, recording: &Recording) -> Recording {
    let mut rows: Vec<Row> = Vec::new();
    let mut bytes = 0;
    for row in &recording.rows {
        let row = Row {
            edge: row.edge && entry.is_clocked(),
            ..row.clone()
        };
        if !row.edge && rows.last() == Some(&row) {
            continue;
        }
        let values = row.inputs.iter().chain(&row.outputs);
        let digits = values.map(|value| 2 + value.checked_ilog2().unwrap_or(0) as usize / 4);
        bytes += 2 + digits.sum::<usize>();
        if bytes > MOST_BYTES || rows.len() == MOST_ROWS {
            break;
        }
        rows.push(row);
    }
    Recording {
        inputs: recording.inputs.clone(),
        outputs: recording.outputs.clone(),
        rows,
    }
}
