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
struct Numbered<const SYSTEM: usize, const NW: usize, const T: usize, const PACKS: usize>(
    Model<NW, T, PACKS>,
);

impl<const SYSTEM: usize, const NW: usize, const T: usize, const PACKS: usize> Default
    for Numbered<SYSTEM, NW, T, PACKS>
{
    fn default() -> Self {
        Self(Model::new(System::ALL[SYSTEM]))
    }
}

impl<const SYSTEM: usize, const NW: usize, const T: usize, const PACKS: usize> Clocked
    for Numbered<SYSTEM, NW, T, PACKS>
{
    type In = RegisterManagerIn<NW, T, PACKS>;
    type Out = RegisterManagerOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.0.outputs(pins)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.0.edge(pins)
    }
}

/// The entry of the module that does the work of a system, or half of it.
fn top_of(system: System, warps: u64, packs: u64) -> Entry {
    let mut entries = Vec::new();
    let unit = match system {
        System::Baseline => {
            common::add(&mut entries);
            "reg_map".to_owned()
        }
        System::Regmutex | System::Paired | System::SafePaired => {
            regmutex::add(&mut entries);
            format!("{system}_top")
        }
        System::Owf => {
            owf::add(&mut entries);
            "owf_top".to_owned()
        }
        System::Rfv => {
            rfv::add(&mut entries);
            "rfv_top".to_owned()
        }
        System::Cars => {
            cars::add(&mut entries);
            "cars_top".to_owned()
        }
    };
    let is_wanted = |entry: &Entry| {
        let has = |name, value| entry.param(name) == Some(value);
        entry.unit == unit
            && has("warps", warps)
            && has("packs", packs)
            && entry.param("registers").is_none_or(|count| count == 63)
    };
    let found = entries.into_iter().find(is_wanted);
    found.unwrap_or_else(|| panic!("{unit} is offered with {warps} warps, {packs} packs"))
}

fn recording<const SYSTEM: usize, const NW: usize, const T: usize, const PACKS: usize>() -> Recording
{
    let system = System::ALL[SYSTEM];
    let top = top_of(system, NW as u64, PACKS as u64).recording();
    record::<Numbered<SYSTEM, NW, T, PACKS>>(|pins| match system {
        System::Baseline => baseline_issues(pins, &top),
        _ => on_ports(pins, system, &top),
    })
}

/// One system in one size: storage is that of its top.
fn manager<const SYSTEM: usize, const NW: usize, const T: usize, const PACKS: usize, B>(
    unit: &Unit,
) -> Entry
where
    B: Block + Default + 'static,
{
    let system = System::ALL[SYSTEM];
    let top = top_of(system, NW as u64, PACKS as u64);
    let draw = |seed, count| {
        let rows = strategy::rows::<NW, T, PACKS>(System::ALL[SYSTEM]);
        cases::<Numbered<SYSTEM, NW, T, PACKS>>(&rows, seed, count)
    };
    let units: &[&str] = match system {
        System::Baseline => &["port_a$map", "port_b$map"],
        _ => &["top"],
    };
    let mut entry = entry::<Numbered<SYSTEM, NW, T, PACKS>, B>(
        unit,
        &[("warps", NW as u64), ("packs", PACKS as u64)],
        top.state_bits,
        recording::<SYSTEM, NW, T, PACKS>,
    )
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

/// One system in the sizes of `gtx480` and `v100`, and small.
fn sizes<const SYSTEM: usize, A, B, C>(
    summary: &'static str,
    rtl_source: (&'static str, &'static str),
) -> [Entry; 3]
where
    A: Block + Default + 'static,
    B: Block + Default + 'static,
    C: Block + Default + 'static,
{
    let unit = Unit {
        name: "register_manager",
        summary,
        pins_source: source!("register_manager/pins.rs").1,
        rtl_source,
    };
    [
        manager::<SYSTEM, 48, 8, 1024, A>(&unit),
        manager::<SYSTEM, 64, 32, 2048, B>(&unit),
        manager::<SYSTEM, 16, 8, 512, C>(&unit),
    ]
}

fn managers_of(system: System) -> [Entry; 3] {
    match system {
        System::Baseline => {
            sizes::<0, rtl::BaselineManager48, rtl::BaselineManager64, rtl::BaselineManager16>(
                "The register manager of an SM, without sharing: every warp has its registers for life (RegMutex III-B2).",
                source!("register_manager/rtl/baseline.rs"),
            )
        }
        System::Regmutex => {
            sizes::<1, rtl::RegmutexManager48, rtl::RegmutexManager64, rtl::RegmutexManager16>(
                "The register manager of an SM, with RegMutex's shared pool (III-A, III-B).",
                source!("register_manager/rtl/regmutex.rs"),
            )
        }
        System::Paired => {
            sizes::<2, rtl::PairedManager48, rtl::PairedManager64, rtl::PairedManager16>(
                "The register manager of an SM, with RegMutex's paired warps, a bit per pair (III-C).",
                source!("register_manager/rtl/regmutex.rs"),
            )
        }
        System::SafePaired => {
            sizes::<3, rtl::SafePairedManager48, rtl::SafePairedManager64, rtl::SafePairedManager16>(
                "The register manager of an SM, with paired warps, a bit per warp.",
                source!("register_manager/rtl/regmutex.rs"),
            )
        }
        System::Owf => sizes::<4, rtl::OwfManager48, rtl::OwfManager64, rtl::OwfManager16>(
            "The register manager of an SM, with resource sharing and owner-warp-first scheduling (OWF III, IV).",
            source!("register_manager/rtl/owf.rs"),
        ),
        System::Rfv => sizes::<5, rtl::RfvManager48, rtl::RfvManager64, rtl::RfvManager16>(
            "The register manager of an SM, with register file virtualization (RFV 6 to 8).",
            source!("register_manager/rtl/rfv.rs"),
        ),
        System::Cars => sizes::<6, rtl::CarsManager48, rtl::CarsManager64, rtl::CarsManager16>(
            "The register manager of an SM, with register stacks for calls (CARS III-A, IV-B).",
            source!("register_manager/rtl/cars.rs"),
        ),
    }
}

/// The system of a manager, and the top that is in it.
pub(crate) fn system_and_top(manager: &Entry) -> (System, Entry) {
    let named = |system: &System| {
        let mut params = manager.params.iter();
        params.any(|param| param.value == Value::Name(system.name()))
    };
    let system = System::ALL.into_iter().find(named);
    let system = system.unwrap_or_else(|| panic!("{} has a system", manager.name));
    let size = |name| manager.param(name).unwrap_or(0);
    (system, top_of(system, size("warps"), size("packs")))
}

pub(super) fn add(entries: &mut Vec<Entry>) {
    entries.extend(System::ALL.into_iter().flat_map(managers_of));
}
