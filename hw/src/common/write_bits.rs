//! Flip-flops of which each is reset, written or kept, as cell libraries have them: no gates to keep a bit.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// `W` flip-flops, 0 at power-on and after a reset, or all 1 ([`resting_high`](Self::resting_high)).
#[derive(LogicBlock, Inputs)]
pub struct WriteBits<const W: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Bits that become as at power-on; wins over `write`.
    pub reset: Signal<In, Bits<W>>,
    /// Bits that become those of `value`.
    pub write: Signal<In, Bits<W>>,
    /// What is written.
    pub value: Signal<In, Bits<W>>,
    /// The state.
    pub q: Signal<Out, Bits<W>>,
    _high: bool,
}

impl<const W: usize> WriteBits<W> {
    /// `W` flip-flops, 1 at power-on and after a reset.
    #[must_use]
    pub fn resting_high() -> Self {
        Self {
            q: Signal::new_with_default(Bits::mask()),
            _high: true,
            ..Self::default()
        }
    }
}

impl<const W: usize> Default for WriteBits<W> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            write: Signal::default(),
            value: Signal::default(),
            q: Signal::default(),
            _high: false,
        }
    }
}

impl<const W: usize> Logic for WriteBits<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (write, value) = (self.write.val(), self.value.val());
            let next = (self.q.val() & !write) | (value & write);
            self.q.next = if self._high {
                next | self.reset.val()
            } else {
                next & !self.reset.val()
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let (rest, all) = match self._high {
            true => (1, format!("{{{W}{{1'b1}}}}")),
            false => (0, format!("{W}'d0")),
        };
        Verilog::Custom(format!(
            "\
integer place;
initial begin
    q = {all};
end
always @(posedge clock) begin
    for (place = 0; place < {W}; place = place + 1) begin
        if (reset[place]) begin
            q[place] <= 1'b{rest};
        end else if (write[place]) begin
            q[place] <= value[place];
        end
    end
end
"
        ))
    }
}
