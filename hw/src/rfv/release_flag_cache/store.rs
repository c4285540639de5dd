//! The storage of the cache: a small memory with two combinational read ports and one write port.

use rust_hdl::prelude::*;

/// `ROWS` words of `W` bits, `IW` bits of address. All words power up as 0.
///
/// A row that does not exist reads as anything (here 0, X in Verilog): the cache never asks for one.
#[derive(LogicBlock)]
pub struct Store<const ROWS: usize, const IW: usize, const W: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Row of port a.
    pub a_row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub a_word: Signal<Out, Bits<W>>,
    /// Row of port b.
    pub b_row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub b_word: Signal<Out, Bits<W>>,
    /// Writes at the rising edge.
    pub write: Signal<In, bool>,
    /// Row to write.
    pub write_row: Signal<In, Bits<IW>>,
    /// Word to write.
    pub write_word: Signal<In, Bits<W>>,
    _rows: Vec<Bits<W>>,
}

impl<const ROWS: usize, const IW: usize, const W: usize> Default for Store<ROWS, IW, W> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            a_row: Signal::default(),
            a_word: Signal::default(),
            b_row: Signal::default(),
            b_word: Signal::default(),
            write: Signal::default(),
            write_row: Signal::default(),
            write_word: Signal::default(),
            _rows: vec![Bits::default(); ROWS],
        }
    }
}

impl<const ROWS: usize, const IW: usize, const W: usize> Logic for Store<ROWS, IW, W> {
    fn update(&mut self) {
        if self.clock.pos_edge()
            && self.write.val()
            && let Some(row) = self._rows.get_mut(self.write_row.val().index())
        {
            *row = self.write_word.val();
        }
        let read = |row: usize| self._rows.get(row).copied().unwrap_or_default();
        self.a_word.next = read(self.a_row.val().index());
        self.b_word.next = read(self.b_row.val().index());
    }

    fn connect(&mut self) {
        self.a_word.connect();
        self.b_word.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
reg [{msb}:0] rows [0:{last}];
integer row;
initial begin
    for (row = 0; row < {ROWS}; row = row + 1) rows[row] = {W}'d0;
end
wire [{msb}:0] a_read = rows[a_row];
wire [{msb}:0] b_read = rows[b_row];
always @(*) begin
    a_word = a_read;
    b_word = b_read;
end
always @(posedge clock) begin
    if (write) rows[write_row] <= write_word;
end
",
            msb = W - 1,
            last = ROWS - 1,
        ))
    }
}
