//! The register manager: one port list for all systems, the system a parameter.

use super::super::stimulus_manager::{baseline_issues, on_ports};
use super::super::{Entry, Param, Value};
use super::{Unit, cars, cases, common, entry, module_name, owf, record, regmutex, rfv, source};
use crate::recording::Recording;
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

/// The module that does the work of a system, or half of it.
fn top_name(system: System) -> &'static str {
    match system {
        System::Baseline => "reg_map_w48_p1024",
        System::Regmutex => "regmutex_top_w48_p1024",
        System::Paired => "paired_top_w48_p1024",
        System::SafePaired => "safe_paired_top_w48_p1024",
        System::Owf => "owf_top_w48_c8_p1024",
        System::Rfv => "rfv_top_w48_r63_p1024",
        System::Cars => "cars_top_w48_p1024_s63",
    }
}

/// Its entry.
pub(crate) fn top_of(system: System) -> Entry {
    let mut entries = Vec::new();
    match system {
        System::Baseline => common::add(&mut entries),
        System::Regmutex | System::Paired | System::SafePaired => regmutex::add(&mut entries),
        System::Owf => owf::add(&mut entries),
        System::Rfv => rfv::add(&mut entries),
        System::Cars => cars::add(&mut entries),
    }
    let name = top_name(system);
    let found = entries.into_iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| panic!("{name} is in the catalog"))
}

fn recording<const SYSTEM: usize>() -> Recording {
    let system = System::ALL[SYSTEM];
    let top = top_of(system).recording();
    record::<Numbered<SYSTEM>>(|pins| match system {
        System::Baseline => baseline_issues(pins, &top),
        _ => on_ports(pins, system, &top),
    })
}

/// One system: storage is that of its top.
fn manager<const SYSTEM: usize, B: Block + Default + 'static>(
    summary: &'static str,
    rtl_source: (&'static str, &'static str),
) -> Entry {
    let system = System::ALL[SYSTEM];
    let unit = Unit {
        name: "register_manager",
        summary,
        pins_source: source!("register_manager/pins.rs").1,
        rtl_source,
    };
    let top = top_of(system);
    let draw =
        |seed, count| cases::<Numbered<SYSTEM>>(&strategy::rows(System::ALL[SYSTEM]), seed, count);
    let sizes = [("warps", 48), ("packs", 1024)];
    let units: &[&str] = match system {
        System::Baseline => &["port_a$map", "port_b$map"],
        _ => &["top"],
    };
    let mut entry =
        entry::<Numbered<SYSTEM>, B>(&unit, &sizes, top.state_bits, recording::<SYSTEM>)
            .with_memory_bits(top.memory_bits)
            .with_units(units)
            .with_clock()
            .with_cases(draw);
    entry.paper_bits = top.paper_bits;
    let system = Param {
        name: "system",
        value: Value::Name(system.name()),
    };
    entry.params.insert(0, system);
    entry.name = module_name(unit.name, &entry.params);
    entry
}

/// The manager with `system`.
pub(crate) fn manager_of(system: System) -> Entry {
    match system {
        System::Baseline => manager::<0, rtl::BaselineManager48>(
            "The register manager of an SM, without sharing: every warp has its registers for life (RegMutex III-B2).",
            source!("register_manager/rtl/baseline.rs"),
        ),
        System::Regmutex => manager::<1, rtl::RegmutexManager48>(
            "The register manager of an SM, with RegMutex's shared pool (III-A, III-B).",
            source!("register_manager/rtl/regmutex.rs"),
        ),
        System::Paired => manager::<2, rtl::PairedManager48>(
            "The register manager of an SM, with RegMutex's paired warps, a bit per pair (III-C).",
            source!("register_manager/rtl/regmutex.rs"),
        ),
        System::SafePaired => manager::<3, rtl::SafePairedManager48>(
            "The register manager of an SM, with paired warps, a bit per warp.",
            source!("register_manager/rtl/regmutex.rs"),
        ),
        System::Owf => manager::<4, rtl::OwfManager48>(
            "The register manager of an SM, with resource sharing and owner-warp-first scheduling (OWF III, IV).",
            source!("register_manager/rtl/owf.rs"),
        ),
        System::Rfv => manager::<5, rtl::RfvManager48>(
            "The register manager of an SM, with register file virtualization (RFV 6 to 8).",
            source!("register_manager/rtl/rfv.rs"),
        ),
        System::Cars => manager::<6, rtl::CarsManager48>(
            "The register manager of an SM, with register stacks for calls (CARS III-A, IV-B).",
            source!("register_manager/rtl/cars.rs"),
        ),
    }
}

pub(super) fn add(entries: &mut Vec<Entry>) {
    entries.extend(System::ALL.into_iter().map(manager_of));
}
