//! Products of narrow numbers.
//!
//! rust-hdl multiplies 16 bits by 16 bits only. Who widens to that in logic hides from synthesis that the upper bits are 0, and pays
//! for a wider multiplier: a tenth more gates and a third more depth in a `reg_map`.

use crate::common::lazy::Inputs;
use rust_hdl::prelude::*;

/// `AW` bits times `BW` bits, unsigned and whole.
#[derive(LogicBlock, Inputs)]
pub struct Product<const AW: usize, const BW: usize> {
    /// One factor.
    pub a: Signal<In, Bits<AW>>,
    /// The other.
    pub b: Signal<In, Bits<BW>>,
    /// `a * b`, combinational.
    pub product: Signal<Out, Bits<16>>,
}

impl<const AW: usize, const BW: usize> Default for Product<AW, BW> {
    fn default() -> Self {
        const { assert!(AW + BW <= 16) };
        Self {
            a: Signal::default(),
            b: Signal::default(),
            product: Signal::default(),
        }
    }
}

impl<const AW: usize, const BW: usize> Product<AW, BW> {
    /// Multiplies what the block around it drives, without settling that as a whole.
    pub fn evaluate(&mut self) {
        self.a.update_all();
        self.b.update_all();
        self.update();
    }
}

impl<const AW: usize, const BW: usize> Logic for Product<AW, BW> {
    fn update(&mut self) {
        let product = u64::from(self.a.val()) * u64::from(self.b.val());
        self.product.next = product.into();
    }

    fn connect(&mut self) {
        self.product.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
always @(*) begin
    product = {{{}'d0, a}} * {{{}'d0, b}};
end
",
            16 - AW,
            16 - BW,
        ))
    }
}
