//! The C functions of the verilated modules, linked in or loaded.
#![allow(unsafe_code, reason = "calls C++ that Verilator wrote")]

use super::{VerilogError, on_demand};
use crate::clocked::PinDef;
use std::ffi::c_void;
use std::path::Path;

type New = unsafe extern "C" fn() -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Step = unsafe extern "C" fn(*mut c_void, *const u64, *mut u64, bool);

/// What `build/verilate.rs` writes for a module. They are there as long as the program runs.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    new: New,
    free: Free,
    step: Step,
}

/// A module that is linked in.
struct Linked {
    module: &'static str,
    functions: Functions,
    /// Names and widths in bits, in port order, without the clock.
    inputs: &'static [(&'static str, u32)],
    outputs: &'static [(&'static str, u32)],
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The functions of the module in a library that was made of what `build/verilate.rs` wrote. It is never unloaded.
pub(super) fn load(library: &Path, module: &str) -> Result<Functions, libloading::Error> {
    // SAFETY: what runs when the library is loaded are Verilator's own constructors of constants.
    let library = unsafe { libloading::Library::new(library)? };
    // SAFETY: the functions have these types in the text that was compiled. The library is forgotten below, so they stay.
    let functions = unsafe {
        Functions {
            new: *library.get::<New>(format!("{module}_new"))?,
            free: *library.get::<Free>(format!("{module}_free"))?,
            step: *library.get::<Step>(format!("{module}_step"))?,
        }
    };
    std::mem::forget(library);
    Ok(functions)
}

/// One instance of a module.
pub(super) struct Device {
    functions: Functions,
    /// How many values the module reads and writes.
    inputs: usize,
    outputs: usize,
    unit: *mut c_void,
}

// SAFETY: the C++ object has a context of its own, shares nothing and is used by one thread at a time.
unsafe impl Send for Device {}

impl Device {
    /// Of what is linked in, or else of what is made now.
    pub(super) fn find(
        module: &str,
        inputs: &[PinDef],
        outputs: &[PinDef],
    ) -> Result<Device, VerilogError> {
        match LINKED.iter().find(|linked| linked.module == module) {
            Some(linked) => {
                let fits = same(inputs, linked.inputs.iter().copied())
                    && same(outputs, linked.outputs.iter().copied());
                if !fits {
                    return Err(VerilogError::Ports(module.to_owned()));
                }
                Ok(Device::new(linked.functions, inputs.len(), outputs.len()))
            }
            None => Device::of(&*on_demand::loaded(module)?, inputs, outputs),
        }
    }

    /// Of a module that was loaded.
    pub(super) fn of(
        loaded: &on_demand::Loaded,
        inputs: &[PinDef],
        outputs: &[PinDef],
    ) -> Result<Device, VerilogError> {
        let on_demand::Loaded { module, functions } = loaded;
        let ports = |input| {
            let pins = module.pins(input);
            pins.map(|port| (port.name.as_str(), port.width_bits))
        };
        if !same(inputs, ports(true)) || !same(outputs, ports(false)) {
            return Err(VerilogError::Ports(module.name.clone()));
        }
        Ok(Device::new(*functions, inputs.len(), outputs.len()))
    }

    /// Of functions of a module with so many inputs and outputs, each one value.
    fn new(functions: Functions, inputs: usize, outputs: usize) -> Device {
        // SAFETY: the function takes nothing and returns a new object, freed in `drop`.
        let unit = unsafe { (functions.new)() };
        Device {
            functions,
            inputs,
            outputs,
            unit,
        }
    }

    /// The low half of a cycle, the outputs that it leaves, and with `edge` the rising edge. Values must fit their
    /// ports.
    pub(super) fn step(&mut self, inputs: &[u64], outputs: &mut [u64], edge: bool) {
        assert!(inputs.len() == self.inputs);
        assert!(outputs.len() == self.outputs);
        // SAFETY: `unit` came from `new` of the same module; the function reads one value per input and writes one
        // per output, and there are as many: `find` and `of` compared the ports.
        unsafe { (self.functions.step)(self.unit, inputs.as_ptr(), outputs.as_mut_ptr(), edge) }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: `unit` came from `new` of the same module and is not used again.
        unsafe { (self.functions.free)(self.unit) }
    }
}

/// Whether these are the pins.
fn same<'a>(pins: &[PinDef], ports: impl Iterator<Item = (&'a str, u32)>) -> bool {
    ports.eq(pins.iter().map(|pin| (pin.name, pin.width_bits)))
}
