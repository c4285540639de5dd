//! The exported Verilog inside Rust: what Verilator makes of `verilog-out`, behind the same interface as the models.
//!
//! Only with the cargo feature `verilog`, which needs Verilator and a C++ compiler when it is built, and when it is run for modules
//! that are not in `verilog-out` (`on_demand`). Without it every module is [`VerilogError::NotBuilt`].

use crate::clocked::{Clocked, PinDef, Pins};
use std::marker::PhantomData;
use std::path::Path;

#[cfg(feature = "verilog")]
mod linked;
#[cfg(feature = "verilog")]
pub mod on_demand;
#[cfg(not(feature = "verilog"))]
mod linked {
    //! Nothing is linked in.
    use super::VerilogError;
    use crate::clocked::PinDef;

    /// Does not exist.
    pub(super) enum Device {}

    impl Device {
        pub(super) fn find(_: &str, _: &[PinDef], _: &[PinDef]) -> Result<Device, VerilogError> {
            Err(VerilogError::NotBuilt)
        }

        pub(super) fn step(&mut self, _: &[u64], _: &mut [u64], _: bool) {
            match *self {}
        }
    }
}

/// What Verilator said of a module of `verilog-out` with all warnings when it was linked in; `None` where it was not.
#[must_use]
pub fn lint_log(module: &str) -> Option<String> {
    let folder = Path::new(env!("OUT_DIR")).join(module);
    std::fs::read_to_string(folder.join("lint.log")).ok()
}

/// How a module that is linked in computes a cycle: `direct`, or `eval: REASON` where Verilator's own schedule does it, which is
/// slower (`build/cycle.rs`). `None` where it is not linked in.
#[must_use]
pub fn cycle_log(module: &str) -> Option<String> {
    let folder = Path::new(env!("OUT_DIR")).join(module);
    std::fs::read_to_string(folder.join("cycle.log")).ok()
}

/// Why a module cannot run as Verilog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerilogError {
    /// This program was built without the feature.
    #[error(
        "this program was built without the exported Verilog; build it with `--features verilog` (needs Verilator and g++)"
    )]
    NotBuilt,
    /// `verilog-out` has no such module, nor can it be exported now.
    #[error("`{0}` is not among the exported Verilog modules (see `regshare list units`)")]
    NoModule(String),
    /// It is not linked in, and what exports it refused.
    #[error(
        "Verilog of `{module}` is not linked in, and it cannot be exported now: {reason}; use --backend rtl or lockstep"
    )]
    NotExported {
        /// The module.
        module: String,
        /// What the exporter says.
        reason: String,
    },
    /// It is not linked in, and Verilator, the compiler or the system failed.
    #[error(
        "Verilog of `{module}` is not linked in, and it cannot be compiled now: {reason}; {cure}. Without it: --backend rtl or lockstep"
    )]
    NotMade {
        /// The module.
        module: String,
        /// What failed, in one line.
        reason: String,
        /// What would help.
        cure: &'static str,
    },
    /// Verilog and model have different pins.
    #[error(
        "the exported Verilog of `{0}` has other ports than its model; regenerate it with `cargo bless`"
    )]
    Ports(String),
}

/// An exported module whose pins are numbers, in port order, without the clock.
pub struct Module {
    device: linked::Device,
    masks: Vec<u64>,
    values: Vec<u64>,
}

impl Module {
    /// The module with this name in its power-on state, such as `srp_allocator_w48`.
    ///
    /// # Errors
    /// [`VerilogError`] if it is not linked in and cannot be made now, or has other ports.
    pub fn new(name: &str, inputs: &[PinDef], outputs: &[PinDef]) -> Result<Self, VerilogError> {
        let device = linked::Device::find(name, inputs, outputs);
        device.map(|device| Self::with(device, inputs))
    }

    /// The module with this name of this Verilog, compiled now, whether one with its name is linked in or not.
    ///
    /// # Errors
    /// [`VerilogError`] if that fails, or it has other ports.
    #[cfg(feature = "verilog")]
    pub fn of_verilog(
        name: &str,
        verilog: &str,
        inputs: &[PinDef],
        outputs: &[PinDef],
    ) -> Result<Self, VerilogError> {
        let loaded = on_demand::make(name, verilog, tempfile::tempdir)?;
        let device = linked::Device::of(&loaded, inputs, outputs)?;
        Ok(Self::with(device, inputs))
    }

    fn with(device: linked::Device, inputs: &[PinDef]) -> Self {
        let mask = |pin: &PinDef| u64::MAX >> (64 - pin.width_bits);
        Self {
            device,
            masks: inputs.iter().map(mask).collect(),
            values: vec![0; inputs.len()],
        }
    }

    /// The outputs with these inputs before the edge, and with `edge` the rising edge. Bits that a pin does not have are
    /// dropped.
    ///
    /// # Panics
    /// If there are more or fewer values than pins.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64], edge: bool) {
        assert_eq!(inputs.len(), self.masks.len(), "a value per input");
        for ((value, input), mask) in self.values.iter_mut().zip(inputs).zip(&self.masks) {
            *value = input & mask;
        }
        self.device.step(&self.values, outputs, edge);
    }
}

/// An exported module that answers for unit with inputs `I` and outputs `O`.
pub struct Verilated<I, O> {
    module: Module,
    input_values: Vec<u64>,
    output_values: Vec<u64>,
    pins: PhantomData<(I, O)>,
}

impl<I: Pins, O: Pins> Verilated<I, O> {
    /// The module with this name in its power-on state, such as `srp_allocator_w48`.
    ///
    /// # Errors
    /// [`VerilogError`] if it is not linked in or has other ports.
    pub fn new(module: &str) -> Result<Self, VerilogError> {
        let (inputs, outputs): (Vec<PinDef>, Vec<PinDef>) = (I::pins(), O::pins());
        Ok(Self {
            module: Module::new(module, &inputs, &outputs)?,
            input_values: Vec::with_capacity(inputs.len()),
            output_values: vec![0; outputs.len()],
            pins: PhantomData,
        })
    }

    fn step(&mut self, pins: &I, edge: bool) -> O {
        self.input_values.clear();
        pins.values(&mut self.input_values);
        self.module
            .step(&self.input_values, &mut self.output_values, edge);
        O::from_values(&self.output_values)
    }
}

impl<I: Pins, O: Pins> Clocked for Verilated<I, O> {
    type In = I;
    type Out = O;

    fn outputs(&mut self, pins: &I) -> O {
        self.step(pins, false)
    }

    fn edge(&mut self, pins: &I) -> O {
        self.step(pins, true)
    }
}
