//! `register_manager` is not in the catalog yet. What an export of it would give is held against the model all the same.

use super::{Unit, cases, entry, source};
use crate::catalog::Entry;
use crate::export::export;
use crate::package::{bench_for, port_meaning};
use crate::replay::{Design, Simulator};
use crate::tools::{Tool, missing};
use regshare_hw::clocked::Clocked;
use regshare_hw::register_manager::{
    RegisterManagerIn, RegisterManagerOut, System, model::Model, rtl, strategy,
};
use rust_hdl::prelude::Block;

/// The model of the system with this number in [`System::ALL`].
struct Numbered<const SYSTEM: usize>(Model);

impl<const SYSTEM: usize> Default for Numbered<SYSTEM> {
    fn default() -> Self {
        Self(Model::new(System::ALL[SYSTEM]))
    }
}

impl<const SYSTEM: usize> Clocked for Numbered<SYSTEM> {
    type In = RegisterManagerIn;
    type Out = RegisterManagerOut;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.0.outputs(pins)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.0.edge(pins)
    }
}

/// What an entry of the catalog would be; the baseline has a clock, though no state.
fn manager<const SYSTEM: usize, B: Block + Default + 'static>(state_bits: usize) -> Entry {
    let unit = Unit {
        name: "register_manager",
        summary: "The register manager of an SM.",
        pins_source: source!("register_manager/pins.rs").1,
        rtl_source: source!("register_manager/rtl/block.rs"),
    };
    let draw = |seed, count| {
        let rows = strategy::rows(System::ALL[SYSTEM]);
        cases::<Numbered<SYSTEM>>(&rows, seed, count)
    };
    let mut entry = entry::<Numbered<SYSTEM>, B>(&unit, &[("warps", 48)], state_bits, || {
        unreachable!("only the cases of the property tests are replayed")
    })
    .with_cases(draw);
    entry.name = format!("register_manager_{}_w48", System::ALL[SYSTEM]);
    entry
}

fn managers() -> [Entry; 7] {
    [
        manager::<0, rtl::BaselineManager48>(1),
        manager::<1, rtl::RegmutexManager48>(384),
        manager::<2, rtl::PairedManager48>(24),
        manager::<3, rtl::SafePairedManager48>(48),
        manager::<4, rtl::OwfManager48>(958),
        manager::<5, rtl::RfvManager48>(30_910 + 1281),
        manager::<6, rtl::CarsManager48>(1644),
    ]
}

#[test]
fn the_exporter_accepts_every_system() {
    for entry in managers() {
        let exported = export(&*entry.block(), &entry.name);
        assert!(exported.is_ok(), "{}", exported.unwrap_err());
    }
}

#[test]
fn every_pin_has_a_meaning() {
    let [entry, ..] = managers();
    for pin in entry.inputs.iter().chain(&entry.outputs) {
        let meaning = port_meaning(entry.pins_source, pin.name);
        assert!(!meaning.is_empty(), "{}", pin.name);
    }
}

#[test]
fn icarus_agrees_with_the_model_and_notices_one_wrong_bit() {
    if !missing(&[Tool::Iverilog, Tool::Vvp]).is_empty() {
        let required = std::env::var_os("REGSHARE_REQUIRE_TOOLS");
        assert!(
            required.is_none_or(|value| value != "1"),
            "a tool is missing"
        );
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for entry in managers() {
        for recording in entry.property_cases(1, 4) {
            let design = Design {
                name: entry.name.clone(),
                verilog: export(&*entry.block(), &entry.name).expect("exports"),
                bench: bench_for(&entry, &recording).0,
            };
            let simulator = Simulator::icarus(dir.path(), &design).expect("compiles");
            let replay = |vectors: &str| simulator.replay(&entry.name, vectors).expect("runs");
            let good = replay(&recording.vectors());
            assert!(good.passed(), "{good:?}");
            let middle = recording.rows.len() / 2;
            let bad = replay(&recording.corrupted(middle).vectors());
            assert!(!bad.passed(), "{}: row {middle}", entry.name);
        }
    }
}
