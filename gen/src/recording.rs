//! What a unit's pins did, cycle by cycle: the neutral form in which a run reaches a Verilog test bench.

use regshare_hw::clocked::{Clocked, PinDef, Pins};
use std::fmt::Write;

/// One evaluation of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A value per input pin.
    pub inputs: Vec<u64>,
    /// The value of each output pin before the edge.
    pub outputs: Vec<u64>,
    /// Whether the row ends in a rising edge; otherwise it is a look-up that changes nothing.
    pub edge: bool,
}

/// The pins of one unit over time. Comes from a model here, or from a real kernel run elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Input pins, without the clock.
    pub inputs: Vec<PinDef>,
    /// Output pins.
    pub outputs: Vec<PinDef>,
    /// In order of time; the unit is in its power-on state before the first.
    pub rows: Vec<Row>,
}

impl Recording {
    /// What `unit`, in its present state, answers to `inputs`. A row whose flag is false is a look-up.
    pub fn of<C: Clocked>(unit: &mut C, inputs: &[(Vec<u64>, bool)]) -> Recording {
        let rows = inputs.iter().map(|(values, edge)| {
            let pins = C::In::from_values(values);
            let out = if *edge {
                unit.edge(&pins)
            } else {
                unit.outputs(&pins)
            };
            let mut row = Row {
                inputs: Vec::new(),
                outputs: Vec::new(),
                edge: *edge,
            };
            pins.values(&mut row.inputs);
            out.values(&mut row.outputs);
            row
        });
        Recording {
            inputs: C::In::pins(),
            outputs: C::Out::pins(),
            rows: rows.collect(),
        }
    }

    /// The text that the exported benches read: a line per row, hexadecimal, the edge flag, then inputs, then
    /// expected outputs, each in the order of the ports.
    #[must_use]
    pub fn vectors(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let _ = write!(text, "{}", u8::from(row.edge));
            for value in row.inputs.iter().chain(&row.outputs) {
                let _ = write!(text, " {value:x}");
            }
            text.push('\n');
        }
        text
    }

    /// Its first `most` rows.
    #[must_use]
    pub fn first(&self, most: usize) -> Recording {
        Recording {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            rows: self.rows.iter().take(most).cloned().collect(),
        }
    }

    /// The same with the lowest bit of the last output of row `at` inverted: a bench must fail on it.
    #[must_use]
    pub fn corrupted(&self, at: usize) -> Recording {
        let mut copy = self.clone();
        if let Some(value) = copy.rows.get_mut(at).and_then(|row| row.outputs.last_mut()) {
            *value ^= 1;
        }
        copy
    }
}
