//! One definition of a clock cycle, and of the pins that every unit shows.
//!
//! A cycle has two halves. With the clock low, the unit's outputs are a function of its state and of the
//! inputs ([`Clocked::outputs`]); at the rising edge the state changes ([`Clocked::edge`]). Inputs never
//! change together with the rising edge.

use std::fmt;

/// One pin (or bus) of a unit: its Verilog port name and its width in bits (1 ..= 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinDef {
    /// Name of the Verilog port.
    pub name: &'static str,
    /// Width in bits, 1 ..= 64.
    pub width_bits: u32,
}

/// A struct of pins: all inputs or all outputs of a unit, in the order of the Verilog ports.
pub trait Pins: Copy + Default + PartialEq + fmt::Debug {
    /// Names and widths, in a fixed order. They may depend on the unit's parameters.
    fn pins() -> Vec<PinDef>;
    /// Appends one value per pin, in the order of [`Pins::pins`].
    fn values(&self, out: &mut Vec<u64>);
    /// The pins from one value each, in the order of [`Pins::pins`]; bits beyond a pin's width are dropped and
    /// missing values are 0.
    fn from_values(values: &[u64]) -> Self;
}

/// A synchronous unit with one clock: its plain model, its rust-hdl block and both in lockstep.
pub trait Clocked {
    /// Input pins.
    type In: Pins;
    /// Output pins.
    type Out: Pins;

    /// Outputs for these inputs in the present state; changes nothing.
    fn outputs(&mut self, pins: &Self::In) -> Self::Out;

    /// The rising edge with these inputs. Returns the outputs as they were just before the edge.
    fn edge(&mut self, pins: &Self::In) -> Self::Out;
}

impl<C: Clocked + ?Sized> Clocked for Box<C> {
    type In = C::In;
    type Out = C::Out;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        (**self).outputs(pins)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        (**self).edge(pins)
    }
}
