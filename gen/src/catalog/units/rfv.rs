//! The units of register file virtualization (RFV 6.2, 7 and 8).

use super::super::Entry;
use super::super::stimulus_rfv::flag_words;
use super::{Unit, cases, entry, record, source};

pub(super) fn add(entries: &mut Vec<Entry>) {
    flag_decoder(entries);
}

fn flag_decoder(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::flag_decoder::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "flag_decoder",
        summary: "Takes apart RFV's release flag instructions, pir and pbr (6.2, 7.2).",
        pins_source: source!("rfv/flag_decoder/mod.rs").1,
        rtl_source: source!("rfv/flag_decoder/rtl.rs"),
    };
    entries.push(
        entry::<Model, rtl::FlagDecoder>(&unit, &[], 0, || {
            record::<Model>(|pins| flag_words(pins, 400))
        })
        .with_cases(|seed, count| cases::<Model>(&strategy::rows(), seed, count)),
    );
}
