//! A table of words: one combinational read port, one write port.
//!
//! All rows power up as 0. A row that does not exist reads as anything (here 0, X in Verilog) and is never written: who
//! reads it must not use it.

use crate::common::observe::observed;
use rust_hdl::prelude::*;

/// `ROWS` registers of `DW` bits, addressed with `IW` bits, with one read port.
#[derive(LogicBlock)]
pub struct Table<const ROWS: usize, const IW: usize, const DW: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Row to read.
    pub row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub word: Signal<Out, Bits<DW>>,
    /// Writes at the rising edge.
    pub write: Signal<In, bool>,
    /// Row to write.
    pub write_row: Signal<In, Bits<IW>>,
    /// Word to write.
    pub write_word: Signal<In, Bits<DW>>,
    _rows: Vec<Bits<DW>>,
}

impl<const ROWS: usize, const IW: usize, const DW: usize> Default for Table<ROWS, IW, DW> {
    fn default() -> Self {
        const { assert!(ROWS <= 1 << IW) };
        Self {
            clock: Signal::default(),
            row: Signal::default(),
            word: Signal::default(),
            write: Signal::default(),
            write_row: Signal::default(),
            write_word: Signal::default(),
            _rows: vec![Bits::default(); ROWS],
        }
    }
}

impl<const ROWS: usize, const IW: usize, const DW: usize> Logic for Table<ROWS, IW, DW> {
    fn update(&mut self) {
        if self.clock.pos_edge()
            && self.write.val()
            && let Some(row) = self._rows.get_mut(self.write_row.val().index())
        {
            *row = self.write_word.val();
        }
        let row = self._rows.get(self.row.val().index());
        self.word.next = row.copied().unwrap_or_default();
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
reg [{msb}:0] rows [0:{last}];
integer entry;
initial begin
    for (entry = 0; entry < {ROWS}; entry = entry + 1) rows[entry] = {DW}'d0;
end
{observed}wire [{msb}:0] read = rows[row];
always @(*) begin
    word = read;
end
always @(posedge clock) begin
    if (write) rows[write_row] <= write_word;
end
",
            msb = DW - 1,
            last = ROWS - 1,
            observed = observed(ROWS, DW),
        ))
    }
}
