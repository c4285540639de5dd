//! The C functions of the verilated modules.
#![allow(unsafe_code, reason = "calls C++ that Verilator wrote")]

use super::VerilogError;
use crate::clocked::PinDef;
use std::ffi::c_void;

/// A module that is linked in.
struct Linked {
    module: &'static str,
    new: unsafe extern "C" fn() -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    step: unsafe extern "C" fn(*mut c_void, *const u64, *mut u64, bool),
    /// Names and widths in bits, in port order, without the clock.
    inputs: &'static [(&'static str, u32)],
    outputs: &'static [(&'static str, u32)],
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// One instance of a module.
pub(super) struct Device {
    linked: &'static Linked,
    unit: *mut c_void,
}

// SAFETY: the C++ object has a context of its own, shares nothing and is used by one thread at a time.
unsafe impl Send for Device {}

impl Device {
    pub(super) fn find(
        module: &str,
        inputs: &[PinDef],
        outputs: &[PinDef],
    ) -> Result<Device, VerilogError> {
        let linked = LINKED
            .iter()
            .find(|linked| linked.module == module)
            .ok_or_else(|| VerilogError::NoModule(module.to_owned()))?;
        let same = |pins: &[PinDef], ports: &[(&str, u32)]| {
            pins.len() == ports.len()
                && (pins.iter().zip(ports)).all(|(pin, port)| (pin.name, pin.width_bits) == *port)
        };
        if !same(inputs, linked.inputs) || !same(outputs, linked.outputs) {
            return Err(VerilogError::Ports(module.to_owned()));
        }
        // SAFETY: the function takes nothing and returns a new object, freed in `drop`.
        let unit = unsafe { (linked.new)() };
        Ok(Device { linked, unit })
    }

    /// The low half of a cycle, the outputs that it leaves, and with `edge` the rising edge. Values must fit their
    /// ports.
    pub(super) fn step(&mut self, inputs: &[u64], outputs: &mut [u64], edge: bool) {
        assert!(inputs.len() == self.linked.inputs.len());
        assert!(outputs.len() == self.linked.outputs.len());
        // SAFETY: `unit` came from `new` of the same module; the function reads one value per input and writes one
        // per output, and there are as many.
        unsafe { (self.linked.step)(self.unit, inputs.as_ptr(), outputs.as_mut_ptr(), edge) }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: `unit` came from `new` of the same module and is not used again.
        unsafe { (self.linked.free)(self.unit) }
    }
}
