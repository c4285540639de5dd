//! One bank of the table: a memory with one port, whose address comes straight from registers without a power-on value.
//! So Yosys and FPGA tools make a block RAM of it.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// A register without a power-on value: X in Verilog until the first rising edge, 0 here.
#[derive(LogicBlock, Inputs, Default)]
pub struct Address<const W: usize> {
    /// Rising edge takes `d` over.
    pub clock: Signal<In, Clock>,
    /// The next value.
    pub d: Signal<In, Bits<W>>,
    /// The value.
    pub q: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for Address<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clock) q <= d;\n".into())
    }
}

/// `ROWS` words of `PW` bits. The row is `hi` below `warp`, `IW` and `HW` bits. A row that does not exist reads as
/// anything (here 0, X in Verilog) and is never written.
#[derive(LogicBlock, Inputs)]
pub struct Rows<const ROWS: usize, const IW: usize, const HW: usize, const PW: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Upper bits of the row. From an [`Address`].
    pub warp: Signal<In, Bits<IW>>,
    /// Lower bits of the row. From an [`Address`].
    pub hi: Signal<In, Bits<HW>>,
    /// The word in that row.
    pub word: Signal<Out, Bits<PW>>,
    /// Writes that row at the rising edge.
    pub write: Signal<In, bool>,
    /// Word to write.
    pub write_word: Signal<In, Bits<PW>>,
    _power_on: u64,
    _words: Vec<Bits<PW>>,
}

impl<const ROWS: usize, const IW: usize, const HW: usize, const PW: usize> Rows<ROWS, IW, HW, PW> {
    /// A memory in which every word is `power_on`.
    #[must_use]
    pub fn new(power_on: u64) -> Self {
        const { assert!(ROWS <= 1 << (IW + HW)) };
        Self {
            clock: Signal::default(),
            warp: Signal::default(),
            hi: Signal::default(),
            word: Signal::default(),
            write: Signal::default(),
            write_word: Signal::default(),
            _power_on: power_on,
            _words: vec![power_on.into(); ROWS],
        }
    }
}

impl<const ROWS: usize, const IW: usize, const HW: usize, const PW: usize> Logic
    for Rows<ROWS, IW, HW, PW>
{
    fn update(&mut self) {
        let row = self.warp.val().index() << HW | self.hi.val().index();
        if self.clock.pos_edge()
            && self.write.val()
            && let Some(word) = self._words.get_mut(row)
        {
            *word = self.write_word.val();
        }
        self.word.next = self._words.get(row).copied().unwrap_or_default();
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
    for (entry = 0; entry < {ROWS}; entry = entry + 1) rows[entry] = {PW}'d{power_on};
end
`ifdef FORMAL
// A proof looks at two words of its choice.
wire [{address}:0] row_i, row_j;
wire [{msb}:0] word_i = rows[row_i];
wire [{msb}:0] word_j = rows[row_j];
`endif
wire [{address}:0] row = {{warp, hi}};
wire [{msb}:0] read = rows[row];
always @(*) begin
    word = read;
end
always @(posedge clock) begin
    if (write) rows[row] <= write_word;
end
",
            msb = PW - 1,
            last = ROWS - 1,
            address = IW + HW - 1,
            power_on = self._power_on,
        ))
    }
}
