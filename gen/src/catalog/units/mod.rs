//! The units, one file per system, one function per unit.

mod cars;
mod common;
mod owf;
pub(super) mod register_manager;
mod regmutex;
mod rfv;

use super::stimulus::Rows;
use super::{Entry, Param, Value};
use crate::recording::Recording;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use regshare_hw::clocked::{Clocked, PinDef, Pins};
use regshare_hw::strategies::any_rows;
use rust_hdl::prelude::Block;

pub(super) fn all() -> Vec<Entry> {
    let mut entries = Vec::new();
    common::add(&mut entries);
    regmutex::add(&mut entries);
    owf::add(&mut entries);
    rfv::add(&mut entries);
    cars::add(&mut entries);
    register_manager::add(&mut entries);
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

pub(super) fn connected<B: Block + Default + 'static>() -> Box<dyn Block> {
    let mut block = Box::new(B::default());
    block.connect_all();
    block
}

/// The unit and its parameters, each in short.
fn module_name(unit: &str, params: &[Param]) -> String {
    let suffixes: String = params.iter().map(Param::suffix).collect();
    format!("{unit}{suffixes}")
}

/// One parameter set: model `M` answers for block `B`.
fn entry<M, B>(
    unit: &Unit,
    params: &[(&'static str, u64)],
    state_bits: usize,
    record: fn() -> Recording,
) -> Entry
where
    M: Clocked + Default + 'static,
    B: Block + Default + 'static,
{
    let number = |&(name, value)| Param {
        name,
        value: Value::Number(value),
    };
    let params: Vec<Param> = params.iter().map(number).collect();
    Entry {
        unit: unit.name,
        name: module_name(unit.name, &params),
        params,
        summary: unit.summary,
        inputs: M::In::pins(),
        outputs: M::Out::pins(),
        state_bits,
        memory_bits: 0,
        paper_bits: None,
        pins_source: unit.pins_source,
        rtl_source: unit.rtl_source,
        joins: &[],
        clocked: false,
        block: connected::<B>,
        record,
        model: || Box::new(M::default()),
        cases: |seed, count| cases::<M>(&any_rows(150), seed, count),
    }
}

/// Cases drawn from a strategy of `hw`, with the answers of model `M`.
fn cases<M: Clocked + Default>(
    strategy: &impl Strategy<Value = Vec<M::In>>,
    seed: u64,
    count: usize,
) -> Vec<Recording> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    // A strategy that refuses a draw gives a case less.
    let trees = (0..count).filter_map(|_| strategy.new_tree(&mut runner).ok());
    let record = |rows: Vec<M::In>| {
        let values = rows.iter().map(|pins| {
            let mut values = Vec::new();
            pins.values(&mut values);
            (values, true)
        });
        Recording::of(&mut M::default(), &values.collect::<Vec<_>>())
    };
    trees.map(|tree| record(tree.current())).collect()
}

fn record<M: Clocked + Default>(rows: impl Fn(&[PinDef]) -> Rows) -> Recording {
    Recording::of(&mut M::default(), &rows(&M::In::pins()))
}
