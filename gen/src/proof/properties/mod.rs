//! The theorems, with the faults that each must find.

mod cars;
mod common;
mod manager;
mod manager_faults;
mod owf;
mod regmutex;
mod rfv;

use super::Verdict;
use crate::catalog::Entry;

/// A change of the Verilog that breaks it.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What goes wrong.
    pub name: &'static str,
    /// Text that occurs exactly once in the exported Verilog.
    pub from: &'static str,
    /// What takes its place.
    pub to: &'static str,
}

/// A theorem about one unit, or a lemma of arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Its name.
    pub name: &'static str,
    /// The claims in words.
    pub claims: &'static str,
    /// The unit; none for a lemma.
    pub unit: Option<&'static str>,
    /// Of a lemma, the units whose theorems rest on it.
    pub under: &'static [&'static str],
    /// Parameters of the unit besides the number of warps: the size in which it is asked for events and faults too.
    pub params: &'static [(&'static str, u64)],
    /// Parameters whose values are names: with others it is another theorem.
    pub named: &'static [(&'static str, &'static str)],
    /// Faults that must be found.
    pub faults: &'static [Fault],
    /// `Refuted` if the point is that it fails.
    pub expected: Verdict,
    /// Name and text of the property file.
    pub(in crate::proof) source: (&'static str, &'static str),
    /// Writes the text of the property file, where it depends on the ports.
    pub(in crate::proof) written: Option<fn(&Entry) -> String>,
    pub(in crate::proof) defines: &'static [&'static str],
    pub(in crate::proof) frames: u32,
    pub(in crate::proof) events: usize,
    pub(in crate::proof) power_on: bool,
    /// Whether the main run may cut products (`hw/src/common/product.rs`) out, after another has shown what they compute.
    pub(in crate::proof) cut_products: bool,
    /// Instances whose outputs may be anything in the main run: units with theorems of their own, of which the property file
    /// assumes what it needs.
    pub(in crate::proof) cut_units: &'static [&'static str],
    /// Whether memories are taken as what arrays are (`array.v`), not as flip-flops. For at most two frames.
    pub(crate) arrays: bool,
    /// Whether another run shows what the main run assumes of the unit's inner signals.
    pub(in crate::proof) lemmas: bool,
    /// Whether another run, with the same cut out, shows where a register lies, on which the main run builds: it would find
    /// that out by itself, in ten times the time.
    pub(in crate::proof) places: bool,
}

/// A step of two frames without anything special.
pub(in crate::proof) const PLAIN: Proof = Proof {
    name: "",
    claims: "",
    unit: None,
    under: &[],
    params: &[],
    named: &[],
    faults: &[],
    expected: Verdict::Proved,
    source: ("", ""),
    written: None,
    defines: &[],
    frames: 2,
    events: 0,
    power_on: false,
    cut_products: false,
    cut_units: &[],
    arrays: false,
    lemmas: false,
    places: false,
};

/// A combinational unit that computes with products.
const MAPPING: Proof = Proof {
    params: &[("packs", 1024)],
    frames: 1,
    cut_products: true,
    ..PLAIN
};

macro_rules! property {
    ($file:literal) => {
        ($file, include_str!(concat!("../../../proofs/", $file)))
    };
}
use property;

const fn fault(name: &'static str, from: &'static str, to: &'static str) -> Fault {
    Fault { name, from, to }
}

/// Every theorem.
#[must_use]
pub fn proofs() -> Vec<Proof> {
    [
        regmutex::proofs(),
        common::proofs(),
        owf::proofs(),
        rfv::proofs(),
        cars::proofs(),
        manager::proofs(),
    ]
    .concat()
}
