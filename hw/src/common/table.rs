//! Tables of words with combinational reads and one write port: [`Table`] reads one word at a time, [`DualTable`] two;
//! [`MarkedTable`] is told the row to write by a mark, not by its number.
//!
//! All rows power up as 0. A row that does not exist reads as anything (here 0, X in Verilog) and is never written: who
//! reads it must not use it.

use crate::common::lazy::Inputs;
use crate::common::observe::{observed, observed_columns};
use rust_hdl::prelude::*;

/// `ROWS` registers of `DW` bits, addressed with `IW` bits, with one read port.
#[derive(LogicBlock, Inputs)]
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
        if self.clock.pos_edge() && self.write.val() {
            write_row(&mut self._rows, self.write_row.val(), self.write_word.val());
        }
        self.word.next = read_row(&self._rows, self.row.val());
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        memory(ROWS, DW, &[("row", "word", "read")])
    }
}

/// `ROWS` registers of `DW` bits, addressed with `IW` bits, with two read ports.
#[derive(LogicBlock, Inputs)]
pub struct DualTable<const ROWS: usize, const IW: usize, const DW: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Row of port a.
    pub a_row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub a_word: Signal<Out, Bits<DW>>,
    /// Row of port b.
    pub b_row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub b_word: Signal<Out, Bits<DW>>,
    /// Writes at the rising edge.
    pub write: Signal<In, bool>,
    /// Row to write.
    pub write_row: Signal<In, Bits<IW>>,
    /// Word to write.
    pub write_word: Signal<In, Bits<DW>>,
    _rows: Vec<Bits<DW>>,
}

impl<const ROWS: usize, const IW: usize, const DW: usize> Default for DualTable<ROWS, IW, DW> {
    fn default() -> Self {
        const { assert!(ROWS <= 1 << IW) };
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

impl<const ROWS: usize, const IW: usize, const DW: usize> Logic for DualTable<ROWS, IW, DW> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write.val() {
            write_row(&mut self._rows, self.write_row.val(), self.write_word.val());
        }
        self.a_word.next = read_row(&self._rows, self.a_row.val());
        self.b_word.next = read_row(&self._rows, self.b_row.val());
    }

    fn connect(&mut self) {
        self.a_word.connect();
        self.b_word.connect();
    }

    fn hdl(&self) -> Verilog {
        let ports = [("a_row", "a_word", "a_read"), ("b_row", "b_word", "b_read")];
        memory(ROWS, DW, &ports)
    }
}

/// `ROWS` flip-flop words of `DW` bits with one read port, addressed with `IW` bits, of which the marked ones are written. Who
/// has the row decoded, or decodes it in fewer gates than synthesis does, takes this; a memory it never becomes.
#[derive(LogicBlock, Inputs)]
pub struct MarkedTable<const ROWS: usize, const IW: usize, const DW: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Row to read.
    pub row: Signal<In, Bits<IW>>,
    /// The word in that row, combinational.
    pub word: Signal<Out, Bits<DW>>,
    /// Rows to write.
    pub write: Signal<In, Bits<ROWS>>,
    /// Word to write.
    pub write_word: Signal<In, Bits<DW>>,
    _rows: Vec<Bits<DW>>,
}

impl<const ROWS: usize, const IW: usize, const DW: usize> Default for MarkedTable<ROWS, IW, DW> {
    fn default() -> Self {
        const { assert!(ROWS <= 1 << IW) };
        Self {
            clock: Signal::default(),
            row: Signal::default(),
            word: Signal::default(),
            write: Signal::default(),
            write_word: Signal::default(),
            _rows: vec![Bits::default(); ROWS],
        }
    }
}

impl<const ROWS: usize, const IW: usize, const DW: usize> Logic for MarkedTable<ROWS, IW, DW> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write.val().any() {
            for (place, row) in self._rows.iter_mut().enumerate() {
                if self.write.val().get_bit(place) {
                    *row = self.write_word.val();
                }
            }
        }
        self.word.next = read_row(&self._rows, self.row.val());
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        // Bit k of all rows is a register: what selects one of its bits is a multiplexer, and each of its bits has an enable.
        let of_each = |line: &dyn Fn(usize) -> String| -> String { (0..DW).map(line).collect() };
        let last = ROWS - 1;
        Verilog::Custom(format!(
            "\
{registers}integer entry;
initial begin
{starts}end
{observed}always @(*) begin
{reads}end
always @(posedge clock) begin
    for (entry = 0; entry < {ROWS}; entry = entry + 1) begin
        if (write[entry]) begin
{writes}        end
    end
end
",
            registers = of_each(&|k| format!("reg [{last}:0] column${k};\n")),
            starts = of_each(&|k| format!("    column${k} = {ROWS}'d0;\n")),
            reads = of_each(&|k| format!("    word[{k}] = column${k}[row];\n")),
            writes = of_each(&|k| format!("            column${k}[entry] <= write_word[{k}];\n")),
            observed = observed_columns(ROWS, DW),
        ))
    }
}

fn read_row<const IW: usize, const DW: usize>(rows: &[Bits<DW>], row: Bits<IW>) -> Bits<DW> {
    rows.get(row.index()).copied().unwrap_or_default()
}

fn write_row<const IW: usize, const DW: usize>(
    rows: &mut [Bits<DW>],
    row: Bits<IW>,
    word: Bits<DW>,
) {
    if let Some(old) = rows.get_mut(row.index()) {
        *old = word;
    }
}

/// The Verilog of a table: of each read port its row, its word and the name of the wire between.
fn memory(rows: usize, width_bits: usize, ports: &[(&str, &str, &str)]) -> Verilog {
    let msb = width_bits - 1;
    let reads: String = ports
        .iter()
        .map(|(row, _, wire)| format!("wire [{msb}:0] {wire} = rows[{row}];\n"))
        .collect();
    let words: String = ports
        .iter()
        .map(|(_, word, wire)| format!("    {word} = {wire};\n"))
        .collect();
    Verilog::Custom(format!(
        "\
reg [{msb}:0] rows [0:{last}];
integer entry;
initial begin
    for (entry = 0; entry < {rows}; entry = entry + 1) rows[entry] = {width_bits}'d0;
end
{observed}{reads}always @(*) begin
{words}end
always @(posedge clock) begin
    if (write) rows[write_row] <= write_word;
end
",
        last = rows - 1,
        observed = observed(rows, width_bits),
    ))
}
