//! Keeps the pins of every unit, row by row, for replay on the exported Verilog and for waveforms.

use super::PinSink;
use std::sync::{Arc, Mutex, PoisonError};

/// One evaluation of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index into [`super::RegisterManager::units`].
    pub unit: usize,
    /// Input pins, in the order of the unit's pin list.
    pub inputs: Box<[u64]>,
    /// Output pins as they were before the edge.
    pub outputs: Box<[u64]>,
    /// True if a rising edge ended the row; false for a look-up.
    pub edge: bool,
}

/// What a [`Recorder`] has seen so far, in order.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The rows that were kept.
    pub rows: Vec<Row>,
    /// Rows dropped because the recorder was full.
    pub dropped: u64,
}

impl Recording {
    /// The rows of one unit.
    pub fn of_unit(&self, unit: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.unit == unit)
    }
}

/// A sink that remembers. Clones share what they saw: give one to the manager and keep the other.
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Arc<Mutex<Recording>>,
    capacity_rows: usize,
}

impl Recorder {
    /// Keeps the first `capacity_rows` rows and counts the rest.
    #[must_use]
    pub fn new(capacity_rows: usize) -> Self {
        Self {
            recording: Arc::default(),
            capacity_rows,
        }
    }

    /// Takes what was recorded so far; the recorder goes on empty.
    #[must_use]
    pub fn take(&self) -> Recording {
        std::mem::take(
            &mut *self
                .recording
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

impl PinSink for Recorder {
    fn row(&mut self, unit: usize, inputs: &[u64], outputs: &[u64], edge: bool) {
        let mut recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if recording.rows.len() < self.capacity_rows {
            recording.rows.push(Row {
                unit,
                inputs: inputs.into(),
                outputs: outputs.into(),
                edge,
            });
        } else {
            recording.dropped += 1;
        }
    }
}
