//! The variables of a waveform and their scopes.

use super::glob::Glob;
use crate::observe::probe::{Radix, SignalDef};
use regshare_hw::manager::UnitPins;
use std::io::{Result, Write};
use vcd::{IdCode, ReferenceIndex, VarType, Writer};

/// One variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub scope: String,
    pub name: String,
    pub width_bits: u32,
    pub radix: Radix,
    /// Whether it is shown.
    pub shown: bool,
    /// Its code in the file, once declared.
    pub id: Option<IdCode>,
    /// What was written last.
    pub last: Option<u64>,
}

impl Variable {
    fn new(scope: &str, name: &str, width_bits: u32, radix: Radix, glob: Option<&Glob>) -> Self {
        let always = scope == "sm" && name == "cycle";
        Variable {
            scope: scope.to_owned(),
            name: name.to_owned(),
            width_bits,
            radix,
            shown: always || glob.is_none_or(|glob| glob.selects(scope, name)),
            id: None,
            last: None,
        }
    }

    /// Full name as viewers show it, with the range of a bus.
    pub fn full_name(&self) -> String {
        match self.width_bits {
            1 => format!("{}.{}", self.scope, self.name),
            bits => format!("{}.{}[{}:0]", self.scope, self.name, bits - 1),
        }
    }
}

/// Variables of a unit of the register hardware.
#[derive(Clone, Debug)]
pub struct UnitVariables {
    /// Evaluated at this time.
    pub active: Variable,
    /// The evaluation ends in a rising edge.
    pub edge: Variable,
    /// Input pins, then output pins.
    pub pins: Vec<Variable>,
}

/// All variables.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub signals: Vec<Variable>,
    pub units: Vec<UnitVariables>,
}

impl Layout {
    /// The variables of a run; those outside of `glob` are not shown.
    pub fn new(signals: &[SignalDef], units: &[UnitPins], glob: Option<&Glob>) -> Self {
        let signals = signals
            .iter()
            .map(|s| Variable::new(&s.scope, &s.name, s.width_bits, s.radix, glob))
            .collect();
        let units = units
            .iter()
            .map(|unit| {
                let scope = format!("sm.manager.{}", unit.path);
                let variable = |name: &str, width_bits| {
                    let radix = if width_bits == 1 {
                        Radix::Bit
                    } else if width_bits <= 16 {
                        Radix::Decimal
                    } else {
                        Radix::Hexadecimal
                    };
                    Variable::new(&scope, name, width_bits, radix, glob)
                };
                let pins = unit.inputs.iter().chain(&unit.outputs);
                UnitVariables {
                    active: variable("active", 1),
                    edge: variable("edge", 1),
                    pins: pins.map(|pin| variable(pin.name, pin.width_bits)).collect(),
                }
            })
            .collect();
        Layout { signals, units }
    }

    /// All variables, in the order of declaration within each scope.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        let units = self.units.iter().flat_map(|unit| {
            [&unit.active, &unit.edge]
                .into_iter()
                .chain(unit.pins.iter())
        });
        self.signals.iter().chain(units)
    }

    fn variables_mut(&mut self) -> impl Iterator<Item = &mut Variable> {
        let units = self.units.iter_mut().flat_map(|unit| {
            [&mut unit.active, &mut unit.edge]
                .into_iter()
                .chain(unit.pins.iter_mut())
        });
        self.signals.iter_mut().chain(units)
    }

    /// Writes the declarations of the variables that are shown.
    pub fn declare<W: Write>(&mut self, writer: &mut Writer<W>) -> Result<()> {
        let mut shown: Vec<&mut Variable> = self.variables_mut().filter(|v| v.shown).collect();
        // Scopes are opened once: variables of a scope together, a scope before those inside it.
        shown.sort_by_key(|variable| {
            let path = variable.scope.split('.').map(str::to_owned);
            path.collect::<Vec<_>>()
        });
        let mut open: Vec<String> = Vec::new();
        for variable in shown {
            let path: Vec<&str> = variable.scope.split('.').collect();
            let common = open.iter().zip(&path).take_while(|(a, b)| a == *b).count();
            for _ in common..open.len() {
                writer.upscope()?;
            }
            open.truncate(common);
            for scope in &path[common..] {
                writer.add_module(scope)?;
                open.push((*scope).to_owned());
            }
            let kind = match variable.radix {
                Radix::Decimal => VarType::Integer,
                Radix::Bit | Radix::Hexadecimal => VarType::Wire,
            };
            let range = match variable.width_bits {
                1 => None,
                bits => Some(ReferenceIndex::Range(bits as i32 - 1, 0)),
            };
            let id = writer.add_var(kind, variable.width_bits, &variable.name, range)?;
            variable.id = Some(id);
        }
        for _ in open {
            writer.upscope()?;
        }
        Ok(())
    }
}
