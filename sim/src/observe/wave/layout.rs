//! The variables of a waveform and their scopes.

use super::glob::Glob;
use super::sink::{Code, Declared, Sink};
use crate::observe::probe::{Radix, SignalDef};
use regshare_hw::clocked::PinDef;
use regshare_hw::manager::UnitPins;
use std::io::{Result, Write};
use vcd::{ReferenceIndex, VarType};

/// One variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub scope: String,
    pub name: String,
    /// As in the file.
    pub width_bits: u32,
    pub radix: Radix,
    /// What it is declared as.
    pub kind: VarType,
    /// Place among the variables of its scope.
    place: usize,
    /// Whether it is shown.
    pub shown: bool,
    /// Its code in the file, once declared.
    pub id: Option<Code>,
    /// What was written last.
    pub last: Option<u64>,
}

impl Variable {
    fn new(scope: &str, name: &str, width_bits: u32, radix: Radix, glob: Option<&Glob>) -> Self {
        Variable {
            scope: scope.to_owned(),
            name: name.to_owned(),
            width_bits,
            radix,
            kind: VarType::Wire,
            place: 0,
            shown: is_cycle(scope, name) || glob.is_none_or(|glob| glob.selects(scope, name)),
            id: None,
            last: None,
        }
    }

    /// A signal of the pipeline. A number becomes an integer, which viewers show in decimal by themselves. They take
    /// integers as signed: so it gets 32 bits, or 64, of which no value needs the last.
    fn of_signal(signal: &SignalDef, glob: Option<&Glob>) -> Self {
        let mut variable = Variable::new(
            &signal.scope,
            &signal.name,
            signal.width_bits,
            signal.radix,
            glob,
        );
        if signal.radix == Radix::Decimal {
            variable.kind = VarType::Integer;
            variable.width_bits = if signal.width_bits <= 32 { 32 } else { 64 };
        }
        variable
    }

    /// The bits of a bus. An integer has none: GTKWave looks for its plain name.
    pub fn range(&self) -> Option<ReferenceIndex> {
        match (self.kind, self.width_bits) {
            (VarType::Integer, _) | (_, 1) => None,
            (_, bits) => Some(ReferenceIndex::Range(bits as i32 - 1, 0)),
        }
    }

    /// Full name, with the range of a bus as GTKWave wants it.
    pub fn full_name(&self) -> String {
        match self.range() {
            None => format!("{}.{}", self.scope, self.name),
            Some(range) => format!("{}.{}{range}", self.scope, self.name),
        }
    }
}

/// The one signal that every waveform has.
fn is_cycle(scope: &str, name: &str) -> bool {
    scope == "sm" && name == "cycle"
}

/// The place of each pin: as in the unit, but what validates comes before what it validates (`x0_valid` before `x0`).
fn valid_first(pins: &[&PinDef]) -> Vec<usize> {
    let is_payload = |pin: &PinDef, stem: &str| {
        let rest = pin.name.strip_prefix(stem);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    (pins.iter().enumerate())
        .map(|(at, pin)| {
            let stem = pin.name.strip_suffix("_valid");
            let payload = stem.and_then(|stem| pins[..at].iter().position(|p| is_payload(p, stem)));
            payload.map_or(2 * at + 1, |payload| 2 * payload)
        })
        .collect()
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

impl UnitVariables {
    fn new(unit: &UnitPins, glob: Option<&Glob>) -> Self {
        let scope = format!("sm.manager.{}", unit.path);
        let variable = |name: &str, width_bits| {
            let radix = match width_bits {
                1 => Radix::Bit,
                2..=16 => Radix::Decimal,
                _ => Radix::Hexadecimal,
            };
            Variable::new(&scope, name, width_bits, radix, glob)
        };
        let pins: Vec<&PinDef> = unit.inputs.iter().chain(&unit.outputs).collect();
        let pin = |(pin, place): (&&PinDef, usize)| Variable {
            place: place + 2,
            ..variable(pin.name, pin.width_bits)
        };
        UnitVariables {
            active: variable("active", 1),
            edge: Variable {
                place: 1,
                ..variable("edge", 1)
            },
            pins: pins.iter().zip(valid_first(&pins)).map(pin).collect(),
        }
    }
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
        Layout {
            signals: (signals.iter())
                .map(|signal| Variable::of_signal(signal, glob))
                .collect(),
            units: (units.iter())
                .map(|unit| UnitVariables::new(unit, glob))
                .collect(),
        }
    }

    /// All variables: the pipeline, then unit by unit; a valid bit before what it validates.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        let units = self.units.iter().flat_map(|unit| {
            let mut all: Vec<&Variable> = [&unit.active, &unit.edge]
                .into_iter()
                .chain(&unit.pins)
                .collect();
            all.sort_by_key(|variable| variable.place);
            all
        });
        self.signals.iter().chain(units)
    }

    fn variables_mut(&mut self) -> impl Iterator<Item = &mut Variable> {
        let units = self.units.iter_mut().flat_map(|unit| {
            [&mut unit.active, &mut unit.edge]
                .into_iter()
                .chain(&mut unit.pins)
        });
        self.signals.iter_mut().chain(units)
    }

    /// Whether anything but the cycle is shown.
    pub fn shows_something(&self) -> bool {
        let mut others = self.variables().filter(|v| !is_cycle(&v.scope, &v.name));
        others.any(|variable| variable.shown)
    }

    /// The scopes in order, without those of single warps.
    pub fn scopes(&self) -> Vec<&str> {
        let mut scopes: Vec<&str> = self.variables().map(|v| v.scope.as_str()).collect();
        scopes.retain(|scope| !scope.starts_with("sm.warps."));
        scopes.dedup();
        scopes
    }

    /// Writes the declarations of the variables that are shown.
    pub fn declare<W: Write>(&mut self, sink: &mut Sink<W>) -> Result<()> {
        let mut shown: Vec<&mut Variable> = self.variables_mut().filter(|v| v.shown).collect();
        // Scopes are opened once: variables of a scope together, a scope before those inside it.
        shown.sort_by_cached_key(|variable| {
            let path = variable.scope.split('.').map(str::to_owned);
            (path.collect::<Vec<_>>(), variable.place)
        });
        let mut open: Vec<String> = Vec::new();
        for variable in shown {
            let path: Vec<&str> = variable.scope.split('.').collect();
            let common = open.iter().zip(&path).take_while(|(a, b)| a == *b).count();
            for _ in common..open.len() {
                sink.close_scope()?;
            }
            open.truncate(common);
            for scope in &path[common..] {
                sink.open_scope(scope)?;
                open.push((*scope).to_owned());
            }
            let id = sink.declare(Declared {
                name: &variable.name,
                kind: variable.kind,
                width_bits: variable.width_bits,
                range: variable.range(),
            })?;
            variable.id = Some(id);
        }
        for _ in open {
            sink.close_scope()?;
        }
        Ok(())
    }
}
