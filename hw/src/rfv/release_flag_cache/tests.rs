use super::line::LineOf;
use super::model::Model;
use super::rtl::{ReleaseFlagCache, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::common::eval::{drive_bits, read_bits};
use crate::testing::{agree, check_block, check_ports, check_readme, verilog, yosys};
use proptest::prelude::*;
use rust_hdl::prelude::{Block, Logic};
use std::collections::BTreeSet;

mod fewer;
mod stateful;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model, Rtl);

impl Both {
    fn edge(&mut self, pins: ReleaseFlagCacheIn) -> ReleaseFlagCacheOut {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn fill(&mut self, fill_pc: u16, fill_payload: u64) {
        self.edge(ReleaseFlagCacheIn {
            fill: true,
            fill_pc,
            fill_payload,
            ..Default::default()
        });
    }
    fn look_up(&mut self, pc: u16, slot: u8) -> Option<u8> {
        let out = self.edge(ReleaseFlagCacheIn {
            a_pc: pc,
            a_slot: slot,
            b_pc: pc,
            b_slot: slot,
            ..Default::default()
        });
        assert_eq!((out.a_hit, out.a_flags), (out.b_hit, out.b_flags));
        out.a_hit.then_some(out.a_flags)
    }
}

#[test]
fn a_filled_pir_answers_for_each_of_its_18_instructions() {
    let mut unit = Both::default();
    let payload = (0..18).fold(0, |payload, slot| payload | (slot % 8) << (3 * slot));
    unit.fill(19, payload);
    let flags: Vec<_> = (0..18).filter_map(|slot| unit.look_up(19, slot)).collect();
    assert_eq!(flags, (0..18).map(|slot| slot % 8).collect::<Vec<_>>());
}

#[test]
fn ten_successive_program_counters_all_stay() {
    let mut unit = Both::default();
    (60_000..60_010).for_each(|pc| unit.fill(pc, u64::from(pc) % 8));
    assert!((60_000..60_010).all(|pc| unit.look_up(pc, 0) == Some((pc % 8) as u8)));
}

#[test]
fn a_pir_ten_words_on_takes_the_entry() {
    let mut unit = Both::default();
    unit.fill(38, 1);
    unit.fill(48, 2);
    assert_eq!((unit.look_up(38, 0), unit.look_up(48, 0)), (None, Some(2)));
}

#[test]
fn no_two_program_counters_share_entry_and_tag() {
    let mut line = LineOf::<10>::default();
    line.connect_all();
    let mut seen = BTreeSet::new();
    for pc in 0..=u16::MAX {
        drive_bits(&mut line.pc, pc.into());
        line.update();
        let entry = read_bits(&line.line);
        assert_eq!(entry, u64::from(pc) % ENTRIES as u64);
        assert!(seen.insert((entry, pc >> 3)), "{pc}");
    }
}

#[test]
fn a_pir_is_there_one_cycle_after_it_was_filled() {
    let mut unit = Both::default();
    let fill = ReleaseFlagCacheIn {
        fill: true,
        fill_pc: 5,
        fill_payload: 7,
        a_pc: 5,
        ..Default::default()
    };
    assert!(!unit.edge(fill).a_hit);
    assert_eq!(unit.look_up(5, 0), Some(7));
}

#[test]
fn clear_empties_the_cache_and_wins_over_a_fill() {
    let mut unit = Both::default();
    unit.fill(5, 7);
    unit.edge(ReleaseFlagCacheIn {
        clear: true,
        fill: true,
        fill_pc: 6,
        ..Default::default()
    });
    assert_eq!([5, 6, 0].map(|pc| unit.look_up(pc, 0)), [None; 3]);
}

#[test]
fn an_empty_cache_misses_program_counter_zero() {
    assert_eq!(Both::default().look_up(0, 0), None);
}

#[test]
fn yosys_infers_flags_and_tags_as_memories() {
    let verilog = verilog(ReleaseFlagCache::<10, 4, 13>::new(), "top");
    let Some(log) = yosys(
        &verilog,
        "hierarchy -top top; proc; flatten; opt; memory -nomap; opt_clean; stat -width",
    ) else {
        return;
    };
    // 540 flag bits in one memory, 130 tag bits in the other, and only the valid bits beside them.
    assert!(log.contains("Number of memories:"), "{log}");
    let memories = log.matches("$mem_v2").count();
    assert!(memories > 0, "{log}");
    let cells = log.rsplit("Number of cells:").next().unwrap_or_default();
    let count = |cell: &str| {
        let line = cells.lines().find(|line| line.contains(cell))?;
        line.split_whitespace().last()?.parse::<usize>().ok()
    };
    assert_eq!(count("$mem_v2"), Some(2), "{cells}");
    let flip_flops: Vec<_> = cells.lines().filter(|line| line.contains("dff")).collect();
    assert!(
        matches!(flip_flops[..], [line] if line.contains("_10 ")),
        "{cells}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows()) {
        agree(Model::<10>::default(), Rtl::<10, 4, 13>::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_the_block() {
    check_block(ReleaseFlagCache::<10, 4, 13>::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model, _>(ReleaseFlagCache::<10, 4, 13>::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model>(include_str!("README.md"));
}
