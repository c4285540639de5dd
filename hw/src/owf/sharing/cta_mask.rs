//! The warps of one CTA.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// Which of the first `N` warps a CTA has. Warp w is of CTA c if there are more than w / (c + 1) warps in each, and not
/// more than w / c.
#[derive(LogicBlock, Inputs)]
pub struct CtaMask<const N: usize> {
    /// Bit k: CTAs have k warps at most.
    pub at_most: Signal<In, Bits<N>>,
    /// The warps, combinational.
    pub warps: Signal<Out, Bits<N>>,
    _cta: usize,
}

impl<const N: usize> CtaMask<N> {
    /// Of this CTA.
    #[must_use]
    pub fn new(cta: usize) -> Self {
        Self {
            at_most: Signal::default(),
            warps: Signal::default(),
            _cta: cta,
        }
    }
}

impl<const N: usize> Logic for CtaMask<N> {
    fn update(&mut self) {
        let at_most: u64 = self.at_most.val().into();
        let limit = |warp: usize, ctas: usize| at_most >> (warp / ctas) & 1;
        let bit = |warp: usize| match self._cta {
            0 => 1 - limit(warp, 1),
            cta => limit(warp, cta) & (1 - limit(warp, cta + 1)),
        };
        let warps: u64 = (0..N).map(|warp| bit(warp) << warp).sum();
        self.warps.next = warps.into();
    }

    fn connect(&mut self) {
        self.warps.connect();
    }

    fn hdl(&self) -> Verilog {
        let next = self._cta + 1;
        let from = match self._cta {
            0 => String::new(),
            cta => format!(" & at_most[warp / {cta}]"),
        };
        Verilog::Custom(format!(
            "\
integer warp;
always @(*) begin
    for (warp = 0; warp < {N}; warp = warp + 1) begin
        warps[warp] = (~at_most[warp / {next}]){from};
    end
end
"
        ))
    }
}
