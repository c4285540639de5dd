//! Flip-flops of which each is reset, written or kept, as cell libraries have them: no gates to keep a bit.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// `W` flip-flops, 0 at power-on.
#[derive(LogicBlock, Inputs)]
pub struct WriteBits<const W: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Bits that become 0; wins over `write`.
    pub reset: Signal<In, Bits<W>>,
    /// Bits that become those of `value`.
    pub write: Signal<In, Bits<W>>,
    /// What is written.
    pub value: Signal<In, Bits<W>>,
    /// The state.
    pub q: Signal<Out, Bits<W>>,
}

impl<const W: usize> Default for WriteBits<W> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            write: Signal::default(),
            value: Signal::default(),
            q: Signal::default(),
        }
    }
}

impl<const W: usize> Logic for WriteBits<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (write, value) = (self.write.val(), self.value.val());
            self.q.next = ((self.q.val() & !write) | (value & write)) & !self.reset.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
integer place;
initial begin
    q = {W}'d0;
end
always @(posedge clock) begin
    for (place = 0; place < {W}; place = place + 1) begin
        if (reset[place]) begin
            q[place] <= 1'b0;
        end else if (write[place]) begin
            q[place] <= value[place];
        end
    end
end
"
        ))
    }
}
