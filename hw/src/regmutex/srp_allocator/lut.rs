//! The look-up table of the allocator: which section each warp holds.

use crate::common::observe::observed;
use rust_hdl::prelude::*;

/// `ROWS` registers of `IW` bits, two combinational read ports, one write port. All rows power up as 0.
///
/// A row that does not exist reads as anything (here 0, X in Verilog): the allocator looks at a row only if the
/// warp's status bit is set, and a warp that does not exist has none.
#[derive(LogicBlock)]
pub struct SectionLut<const ROWS: usize, const IW: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Row of port a.
    pub a_row: Signal<In, Bits<IW>>,
    /// The section in that row, combinational.
    pub a_section: Signal<Out, Bits<IW>>,
    /// Row of port b.
    pub b_row: Signal<In, Bits<IW>>,
    /// The section in that row, combinational.
    pub b_section: Signal<Out, Bits<IW>>,
    /// Writes at the rising edge.
    pub write: Signal<In, bool>,
    /// Row to write.
    pub write_row: Signal<In, Bits<IW>>,
    /// Section to write.
    pub write_section: Signal<In, Bits<IW>>,
    _rows: Vec<Bits<IW>>,
}

impl<const ROWS: usize, const IW: usize> Default for SectionLut<ROWS, IW> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            a_row: Signal::default(),
            a_section: Signal::default(),
            b_row: Signal::default(),
            b_section: Signal::default(),
            write: Signal::default(),
            write_row: Signal::default(),
            write_section: Signal::default(),
            _rows: vec![Bits::default(); ROWS],
        }
    }
}

impl<const ROWS: usize, const IW: usize> Logic for SectionLut<ROWS, IW> {
    fn update(&mut self) {
        if self.clock.pos_edge()
            && self.write.val()
            && let Some(row) = self._rows.get_mut(self.write_row.val().index())
        {
            *row = self.write_section.val();
        }
        self.a_section.next = self
            ._rows
            .get(self.a_row.val().index())
            .copied()
            .unwrap_or_default();
        self.b_section.next = self
            ._rows
            .get(self.b_row.val().index())
            .copied()
            .unwrap_or_default();
    }

    fn connect(&mut self) {
        self.a_section.connect();
        self.b_section.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
reg [{msb}:0] rows [0:{last}];
integer row;
initial begin
    for (row = 0; row < {ROWS}; row = row + 1) rows[row] = {IW}'d0;
end
{observed}wire [{msb}:0] a_word = rows[a_row];
wire [{msb}:0] b_word = rows[b_row];
always @(*) begin
    a_section = a_word;
    b_section = b_word;
end
always @(posedge clock) begin
    if (write) rows[write_row] <= write_section;
end
",
            msb = IW - 1,
            last = ROWS - 1,
            observed = observed(ROWS, IW),
        ))
    }
}
