//! A bit of every warp's CTA.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// Gives each of `NW` warps the bit of its CTA, of `T`; a warp of no CTA has 0.
///
/// Warp w is of CTA c if there are more than w / (c + 1) warps in each, and not more than w / c. So no warp is compared
/// with anything: what the size of a CTA is compared with selects.
#[derive(LogicBlock, Inputs)]
pub struct CtaBits<const NW: usize, const T: usize> {
    /// Bit k: CTAs have k warps at most.
    pub at_most: Signal<In, Bits<NW>>,
    /// A bit per CTA.
    pub ctas: Signal<In, Bits<T>>,
    /// The same per warp, combinational.
    pub warps: Signal<Out, Bits<NW>>,
}

impl<const NW: usize, const T: usize> Default for CtaBits<NW, T> {
    fn default() -> Self {
        Self {
            at_most: Signal::default(),
            ctas: Signal::default(),
            warps: Signal::default(),
        }
    }
}

impl<const NW: usize, const T: usize> Logic for CtaBits<NW, T> {
    fn update(&mut self) {
        let at_most: u64 = self.at_most.val().into();
        let ctas: u64 = self.ctas.val().into();
        let bit = |warp: usize| -> u64 {
            let above = |cta: &usize| at_most >> (warp / (cta + 1)) & 1 == 0;
            (0..T).find(above).map_or(0, |cta| ctas >> cta & 1)
        };
        let warps: u64 = (0..NW).map(|warp| bit(warp) << warp).sum();
        self.warps.next = warps.into();
    }

    fn connect(&mut self) {
        self.warps.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
integer warp;
integer cta;
always @(*) begin
    for (warp = 0; warp < {NW}; warp = warp + 1) begin
        warps[warp] = 1'b0;
        for (cta = {}; cta >= 0; cta = cta - 1) begin
            if (!at_most[warp / (cta + 1)]) begin
                warps[warp] = ctas[cta];
            end
        end
    end
end
",
            T - 1
        ))
    }
}
