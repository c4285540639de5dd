//! Flip-flops of which each is set or reset, as cell libraries have them: no gates between the bit and its next value.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// `W` flip-flops, 0 at power-on.
#[derive(LogicBlock, Inputs)]
pub struct SetReset<const W: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Bits that become 1.
    pub set: Signal<In, Bits<W>>,
    /// Bits that become 0.
    pub reset: Signal<In, Bits<W>>,
    /// The state.
    pub q: Signal<Out, Bits<W>>,
    _set_wins: bool,
}

impl<const W: usize> SetReset<W> {
    /// What is set and reset becomes 0.
    #[must_use]
    pub fn reset_wins() -> Self {
        Self::new(false)
    }

    /// What is set and reset becomes 1.
    #[must_use]
    pub fn set_wins() -> Self {
        Self::new(true)
    }

    fn new(set_wins: bool) -> Self {
        Self {
            clock: Signal::default(),
            set: Signal::default(),
            reset: Signal::default(),
            q: Signal::default(),
            _set_wins: set_wins,
        }
    }
}

impl<const W: usize> Logic for SetReset<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (set, reset) = (self.set.val(), self.reset.val());
            self.q.next = if self._set_wins {
                (self.q.val() & !reset) | set
            } else {
                (self.q.val() | set) & !reset
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let (set, reset) = (("set", "1'b1"), ("reset", "1'b0"));
        let ((first, wins), (second, loses)) = if self._set_wins {
            (set, reset)
        } else {
            (reset, set)
        };
        Verilog::Custom(format!(
            "\
integer place;
initial begin
    q = {W}'d0;
end
always @(posedge clock) begin
    for (place = 0; place < {W}; place = place + 1) begin
        if ({first}[place]) begin
            q[place] <= {wins};
        end else if ({second}[place]) begin
            q[place] <= {loses};
        end
    end
end
"
        ))
    }
}
