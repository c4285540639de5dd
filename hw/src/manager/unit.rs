//! A unit with its backend: model, RTL or both in lockstep, and the recording of its pins.

use super::{ManagerFault, PinSink, UnitPins};
use crate::clocked::{Clocked, Pins};
use crate::manager::Backend;
use crate::verilog::{Verilated, VerilogError};
use std::borrow::Cow;
use std::fmt;

/// Model and RTL gave different outputs for the same inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Instance path of the unit.
    pub unit: String,
    /// How many evaluations of the unit came before this one.
    pub cycle: u64,
    /// Input pins with their values.
    pub inputs: Vec<(&'static str, u64)>,
    /// Output pins that differ: name, the model's value, the RTL's value.
    pub differing: Vec<(&'static str, u64, u64)>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, expected, got)) in self.differing.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{name}: model {expected}, RTL {got}")?;
        }
        write!(f, " (with")?;
        for (name, value) in &self.inputs {
            write!(f, " {name}={value}")?;
        }
        write!(f, ")")
    }
}

impl From<Divergence> for ManagerFault {
    fn from(divergence: Divergence) -> Self {
        ManagerFault::Divergence {
            detail: divergence.to_string(),
            unit: divergence.unit,
            cycle: divergence.cycle,
        }
    }
}

/// The sink of a manager, if it records.
pub type Sink = Option<Box<dyn PinSink>>;

enum Implementation<M: Clocked, R> {
    Model(M),
    Rtl(R),
    Lockstep(M, R),
    Verilog(Verilated<M::In, M::Out>),
}

/// Name of a unit's module in the exported Verilog: `srp_allocator_w48`, `reg_map_w48_p1024`.
pub(super) fn module_name(unit: &str, parameters: &[(&str, u64)]) -> String {
    let suffix = |(name, value): &(&str, u64)| format!("_{}{value}", &name[..1]);
    let suffixes: String = parameters.iter().map(suffix).collect();
    format!("{unit}{suffixes}")
}

/// One unit of a manager.
pub struct Unit<M: Clocked, R> {
    /// Instance path inside the manager.
    path: &'static str,
    /// Name of the unit in the catalog, without parameters.
    name: &'static str,
    /// Index in [`super::RegisterManager::units`].
    index: usize,
    parameters: Cow<'static, [(&'static str, u64)]>,
    evaluations: u64,
    implementation: Implementation<M, R>,
    input_values: Vec<u64>,
    output_values: Vec<u64>,
}

impl<M, R> Unit<M, R>
where
    M: Clocked + Default,
    R: Clocked<In = M::In, Out = M::Out> + Default,
{
    pub fn new(
        name: &'static str,
        path: &'static str,
        index: usize,
        parameters: &'static [(&'static str, u64)],
        backend: Backend,
    ) -> Result<Self, VerilogError> {
        Self::with(name, path, index, parameters, backend, R::default())
    }

    /// With a given RTL, so that a test can put a broken one in.
    pub fn with(
        name: &'static str,
        path: &'static str,
        index: usize,
        parameters: &'static [(&'static str, u64)],
        backend: Backend,
        rtl: R,
    ) -> Result<Self, VerilogError> {
        let model = M::default();
        Self::of(name, path, index, parameters, backend, (model, rtl))
    }
}

impl<M, R> Unit<M, R>
where
    M: Clocked,
    R: Clocked<In = M::In, Out = M::Out>,
{
    /// With a given model and RTL.
    pub fn of(
        name: &'static str,
        path: &'static str,
        index: usize,
        parameters: impl Into<Cow<'static, [(&'static str, u64)]>>,
        backend: Backend,
        (model, rtl): (M, R),
    ) -> Result<Self, VerilogError> {
        let parameters = parameters.into();
        let implementation = match backend {
            Backend::Model => Implementation::Model(model),
            Backend::Rtl => Implementation::Rtl(rtl),
            Backend::Lockstep => Implementation::Lockstep(model, rtl),
            Backend::Verilog => {
                Implementation::Verilog(Verilated::new(&module_name(name, &parameters))?)
            }
        };
        Ok(Self {
            path,
            name,
            index,
            parameters,
            evaluations: 0,
            implementation,
            input_values: Vec::new(),
            output_values: Vec::new(),
        })
    }

    /// Outputs for these inputs in the present state.
    #[inline]
    pub fn look_up(&mut self, pins: &M::In, sink: &mut Sink) -> Result<M::Out, Divergence> {
        let (out, rtl) = match &mut self.implementation {
            Implementation::Model(model) => (model.outputs(pins), None),
            Implementation::Rtl(rtl) => (rtl.outputs(pins), None),
            Implementation::Lockstep(model, rtl) => (model.outputs(pins), Some(rtl.outputs(pins))),
            Implementation::Verilog(verilog) => (verilog.outputs(pins), None),
        };
        self.finish(pins, out, rtl, false, sink)
    }

    /// A clock cycle with these inputs; outputs as before the edge.
    #[inline]
    pub fn clock(&mut self, pins: &M::In, sink: &mut Sink) -> Result<M::Out, Divergence> {
        let (out, rtl) = match &mut self.implementation {
            Implementation::Model(model) => (model.edge(pins), None),
            Implementation::Rtl(rtl) => (rtl.edge(pins), None),
            Implementation::Lockstep(model, rtl) => (model.edge(pins), Some(rtl.edge(pins))),
            Implementation::Verilog(verilog) => (verilog.edge(pins), None),
        };
        self.finish(pins, out, rtl, true, sink)
    }

    #[inline]
    fn finish(
        &mut self,
        pins: &M::In,
        out: M::Out,
        rtl: Option<M::Out>,
        edge: bool,
        sink: &mut Sink,
    ) -> Result<M::Out, Divergence> {
        self.evaluations += 1;
        if let Some(sink) = sink {
            self.input_values.clear();
            self.output_values.clear();
            pins.values(&mut self.input_values);
            out.values(&mut self.output_values);
            sink.row(self.index, &self.input_values, &self.output_values, edge);
        }
        match rtl {
            Some(rtl) if rtl != out => Err(self.divergence(pins, &out, &rtl)),
            _ => Ok(out),
        }
    }

    #[cold]
    fn divergence(&self, pins: &M::In, model: &M::Out, rtl: &M::Out) -> Divergence {
        let (mut inputs, mut expected, mut got) = (Vec::new(), Vec::new(), Vec::new());
        pins.values(&mut inputs);
        model.values(&mut expected);
        rtl.values(&mut got);
        Divergence {
            unit: self.path.to_owned(),
            cycle: self.evaluations - 1,
            inputs: M::In::pins()
                .iter()
                .map(|pin| pin.name)
                .zip(inputs)
                .collect(),
            differing: M::Out::pins()
                .iter()
                .zip(expected.into_iter().zip(got))
                .filter(|(_, (expected, got))| expected != got)
                .map(|(pin, (expected, got))| (pin.name, expected, got))
                .collect(),
        }
    }

    /// Name, path and pins.
    pub fn describe(&self) -> UnitPins {
        UnitPins {
            path: self.path.to_owned(),
            unit: self.name.to_owned(),
            parameters: self
                .parameters
                .iter()
                .map(|&(name, value)| (name.to_owned(), value))
                .collect(),
            inputs: M::In::pins(),
            outputs: M::Out::pins(),
        }
    }
}
