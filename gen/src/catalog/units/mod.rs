//! The units, one file per system, one function per unit.

mod cars;
mod common;
mod owf;
mod regmutex;
mod rfv;

use super::stimulus::Rows;
use super::{Entry, Param};
use crate::recording::Recording;
use regshare_hw::clocked::{Clocked, PinDef, Pins};
use rust_hdl::prelude::Block;

pub(super) fn all() -> Vec<Entry> {
    let mut entries = Vec::new();
    common::add(&mut entries);
    regmutex::add(&mut entries);
    owf::add(&mut entries);
    rfv::add(&mut entries);
    cars::add(&mut entries);
    entries
}

/// What all parameter sets of a unit share.
pub(super) struct Unit {
    pub name: &'static str,
    pub summary: &'static str,
    pub pins_source: &'static str,
    pub rtl_source: (&'static str, &'static str),
}

/// The source of a file of `regshare-hw`, with its path from the root.
macro_rules! source {
    ($path:literal) => {
        (
            concat!("hw/src/", $path),
            include_str!(concat!("../../../../hw/src/", $path)),
        )
    };
}
use source;

fn connected<B: Block + Default + 'static>() -> Box<dyn Block> {
    let mut block = Box::new(B::default());
    block.connect_all();
    block
}

/// One parameter set: model `M` answers for block `B`.
fn entry<M, B>(
    unit: &Unit,
    params: &[(&'static str, u64)],
    state_bits: usize,
    record: fn() -> Recording,
) -> Entry
where
    M: Clocked,
    B: Block + Default + 'static,
{
    let mut name = String::from(unit.name);
    for (param, value) in params {
        name.push_str(&format!("_{}{value}", &param[..1]));
    }
    Entry {
        unit: unit.name,
        params: params
            .iter()
            .map(|&(name, value)| Param { name, value })
            .collect(),
        name,
        summary: unit.summary,
        inputs: M::In::pins(),
        outputs: M::Out::pins(),
        state_bits,
        paper_bits: None,
        pins_source: unit.pins_source,
        rtl_source: unit.rtl_source,
        block: connected::<B>,
        record,
    }
}

fn record<M: Clocked + Default>(rows: impl Fn(&[PinDef]) -> Rows) -> Recording {
    Recording::of(&mut M::default(), &rows(&M::In::pins()))
}
