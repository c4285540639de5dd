//! Every lint rule, on a tiny block: the rule flags it, and the mistranslation it names is real.
//!
//! Each block runs in Rust and, as emitted Verilog, under Icarus, on the same inputs. The faulty one must be flagged
//! and must differ (or be refused by Icarus); its repaired twin must be clean and agree.

#[macro_use]
#[path = "lint/blocks.rs"]
mod blocks;
mod common;
#[path = "lint/structure.rs"]
mod structure;
#[path = "lint/trial.rs"]
mod trial;

use blocks::*;
use regshare_gen::export::{ExportError, export};
use regshare_gen::lint::{RULES, lint_source};
use regshare_gen::tools::Tool;
use structure::*;
use trial::{Trial, Verdict, trial};

const SIMULATOR: &[Tool] = &[Tool::Iverilog, Tool::Vvp];

/// The faulty block is flagged by exactly `rule` and goes wrong as `verdict` says; the repaired one does neither.
fn faulty_and_repaired(rule: &str, faulty: Trial, verdict: Verdict, repaired: Trial) {
    assert_eq!(faulty.rules(), [rule], "findings in the faulty block");
    assert_eq!(
        repaired.rules(),
        [] as [&str; 0],
        "findings in the repaired block"
    );
    if common::have(SIMULATOR, &format!("showing that `{rule}` is real")) {
        assert_eq!(faulty.verdict(), verdict, "{}", faulty.verilog);
        assert_eq!(repaired.verdict(), Verdict::Agrees, "{}", repaired.verilog);
    }
}

#[test]
fn mask_compared_without_parentheses_is_a_precedence_slip() {
    let faulty = trial!(MaskCompare { a: 8, b: 8 } => { o: 1 });
    let repaired = trial!(MaskCompareRepaired { a: 8, b: 8 } => { o: 1 });
    faulty_and_repaired("precedence", faulty, Verdict::Differs, repaired);
}

#[test]
fn comparison_on_the_left_of_a_mask_is_a_precedence_slip() {
    let faulty = trial!(OrGreater { a: 8, b: 8 } => { o: 1 });
    let repaired = trial!(OrGreaterRepaired { a: 8, b: 8 } => { o: 1 });
    faulty_and_repaired("precedence", faulty, Verdict::Differs, repaired);
}

#[test]
fn incremented_value_compared_with_zero_does_not_wrap() {
    let faulty = trial!(IncrementIsZero { a: 8 } => { o: 1 });
    let repaired = trial!(IncrementIsZeroRepaired { a: 8 } => { o: 1 });
    faulty_and_repaired(
        "comparison-does-not-wrap",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn decremented_value_compared_with_another_does_not_wrap() {
    let faulty = trial!(DecrementGreater { a: 4, b: 4 } => { o: 1 });
    let repaired = trial!(DecrementGreaterRepaired { a: 4, b: 4 } => { o: 1 });
    faulty_and_repaired(
        "comparison-does-not-wrap",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn inverted_value_compared_with_zero_is_never_zero() {
    let faulty = trial!(InvertedIsZero { a: 8 } => { o: 1 });
    let repaired = trial!(InvertedIsZeroRepaired { a: 8 } => { o: 1 });
    faulty_and_repaired(
        "comparison-does-not-wrap",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn widening_cast_of_a_sum_keeps_the_carry() {
    let faulty = trial!(CastSum { a: 8, b: 8 } => { o: 16 });
    let repaired = trial!(CastSumRepaired { a: 8, b: 8 } => { o: 16 });
    faulty_and_repaired("cast-keeps-carry", faulty, Verdict::Differs, repaired);
}

#[test]
fn widening_cast_of_a_difference_keeps_the_borrow() {
    let faulty = trial!(CastDifference { a: 8, b: 8 } => { o: 16 });
    faulty_and_repaired("cast-keeps-carry", faulty, Verdict::Differs, clean());
}

#[test]
fn widening_cast_of_an_inversion_sets_the_upper_bits() {
    let faulty = trial!(CastInversion { a: 8 } => { o: 16 });
    faulty_and_repaired("cast-keeps-carry", faulty, Verdict::Differs, clean());
}

#[test]
fn widening_cast_of_a_left_shift_keeps_what_was_shifted_out() {
    let faulty = trial!(CastShift { a: 8, b: 3 } => { o: 16 });
    faulty_and_repaired("cast-keeps-carry", faulty, Verdict::Differs, clean());
}

#[test]
fn sum_with_a_literal_shifted_right_brings_the_carry_down() {
    let faulty = trial!(AverageWithOne { a: 8 } => { o: 8 });
    let repaired = trial!(AverageWithOneRepaired { a: 8 } => { o: 8 });
    faulty_and_repaired(
        "shift-right-keeps-carry",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn replacing_a_bit_by_an_inverted_flag_corrupts_the_bits_above() {
    let faulty = trial!(ReplaceInverted { a: 8, f: 1 } => { o: 8 });
    let repaired = trial!(ReplaceInvertedRepaired { a: 8, f: 1 } => { o: 8 });
    faulty_and_repaired("replace-bit-spills", faulty, Verdict::Differs, repaired);
}

#[test]
fn shift_amount_with_a_literal_does_not_wrap() {
    let faulty = trial!(ShiftByIncrement { a: 8, b: 3 } => { o: 8 });
    let repaired = trial!(ShiftByIncrementRepaired { a: 8, b: 3 } => { o: 8 });
    faulty_and_repaired(
        "operand-has-other-width",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn reduction_of_a_sum_with_a_literal_sees_the_carry() {
    let faulty = trial!(AnyOfIncrement { a: 8 } => { o: 1 });
    let repaired = trial!(AnyOfIncrementRepaired { a: 8 } => { o: 1 });
    faulty_and_repaired(
        "operand-has-other-width",
        faulty,
        Verdict::Differs,
        repaired,
    );
}

#[test]
fn index_wider_than_the_vector_reads_x_where_rust_panics() {
    let faulty = trial!(WideIndex { a: 5, i: 3 } => { o: 1 });
    let repaired = trial!(WideIndexRepaired { a: 5, i: 3 } => { o: 1 });
    faulty_and_repaired(
        "index-out-of-range",
        faulty,
        Verdict::PanicsWhereVerilogReadsX,
        repaired,
    );
}

#[test]
fn bit_of_an_expression_is_refused_by_icarus() {
    let faulty = trial!(BitOfSum { a: 8, b: 8 } => { o: 1 });
    let repaired = trial!(BitOfSumRepaired { a: 8, b: 8 } => { o: 1 });
    faulty_and_repaired("select-of-expression", faulty, Verdict::Refused, repaired);
}

#[test]
fn bit_of_a_one_bit_signal_is_refused_by_icarus() {
    let faulty = trial!(BitOfScalar { a: 1 } => { o: 1 });
    let repaired = trial!(BitOfScalarRepaired { a: 1 } => { o: 1 });
    faulty_and_repaired("select-of-scalar", faulty, Verdict::Refused, repaired);
}

#[test]
fn match_on_truth_is_refused_by_icarus() {
    let faulty = trial!(MatchTruth { f: 1 } => { o: 1 });
    let repaired = trial!(MatchTruthRepaired { f: 1 } => { o: 1 });
    faulty_and_repaired("match-label", faulty, Verdict::Refused, repaired);
}

#[test]
fn bare_const_generic_is_refused_by_icarus() {
    let faulty = trial!(BareGeneric<3> { a: 8 } => { o: 1 });
    let repaired = trial!(BareGenericRepaired<3> { a: 8 } => { o: 1 });
    faulty_and_repaired("unknown-name", faulty, Verdict::Refused, repaired);
}

#[test]
fn two_dimensional_array_stops_the_generator() {
    let faulty = trial!(TwoDimensions { a: 8 } => { o: 8 });
    let repaired = trial!(OneDimension { a: 8 } => { o: 8 });
    faulty_and_repaired("two-dimensional-index", faulty, Verdict::Refused, repaired);
}

#[test]
fn dynamic_array_index_stops_the_generator() {
    let faulty = trial!(DynamicIndex { a: 8, i: 1 } => { o: 8 });
    let repaired = trial!(DynamicIndexRepaired { a: 8, i: 1 } => { o: 8 });
    faulty_and_repaired("dynamic-array-index", faulty, Verdict::Refused, repaired);
}

#[test]
fn port_named_release_is_refused_by_icarus() {
    let faulty = trial!(KeywordPort { release: 1 } => { o: 1 });
    let repaired = trial!(KeywordPortRepaired { release_now: 1 } => { o: 1 });
    faulty_and_repaired("keyword", faulty, Verdict::Refused, repaired);
}

#[test]
fn instance_named_table_is_refused_by_icarus() {
    let faulty = trial!(KeywordInstance { a: 8 } => { o: 8 });
    let repaired = trial!(KeywordInstanceRepaired { a: 8 } => { o: 8 });
    faulty_and_repaired("keyword", faulty, Verdict::Refused, repaired);
}

#[test]
fn port_with_an_accent_is_refused_by_icarus() {
    let faulty = trial!(AccentPort { clé: 1 } => { o: 1 });
    faulty_and_repaired("identifier", faulty, Verdict::Refused, clean());
}

#[test]
fn unassigned_path_is_a_latch() {
    let faulty = trial!(Latch { a: 8, f: 1 } => { o: 8 });
    let repaired = trial!(LatchRepaired { a: 8, f: 1 } => { o: 8 });
    assert_eq!(faulty.rules(), ["latch"]);
    assert_eq!(repaired.rules(), [] as [&str; 0]);
    if common::have(&[Tool::Yosys], "showing that `latch` is real") {
        assert!(faulty.yosys_infers_a_latch());
        assert!(!repaired.yosys_infers_a_latch());
    }
}

#[test]
fn match_on_three_variants_without_a_default_arm_is_a_latch() {
    let faulty = trial!(ThreeWay { a: 2 } => { o: 8 });
    let repaired = trial!(ThreeWayRepaired { a: 2 } => { o: 8 });
    assert_eq!(faulty.rules(), ["latch"]);
    assert_eq!(repaired.rules(), [] as [&str; 0]);
    if common::have(&[Tool::Yosys], "showing that a match with a gap is a latch") {
        assert!(faulty.yosys_infers_a_latch());
        assert!(!repaired.yosys_infers_a_latch());
    }
}

#[test]
fn signal_read_above_its_assignment_is_one_step_late() {
    let faulty = trial!(ReadFirst { a: 8 } => { o: 8 });
    let repaired = trial!(ReadFirstRepaired { a: 8 } => { o: 8 });
    faulty_and_repaired("read-before-assignment", faulty, Verdict::Differs, repaired);
}

#[test]
fn signal_read_above_its_assignment_in_one_arm_is_one_step_late() {
    let faulty = trial!(ReadInOneArm { a: 8, f: 1 } => { o: 8 });
    faulty_and_repaired("read-before-assignment", faulty, Verdict::Differs, clean());
}

#[test]
fn update_of_constants_only_never_fires() {
    let faulty = trial!(ConstantOnly { a: 8 } => { o: 8 });
    let repaired = trial!(ConstantOnlyRepaired { a: 8 } => { o: 8 });
    faulty_and_repaired("constant-only-update", faulty, Verdict::Differs, repaired);
}

#[test]
fn library_memory_reads_x_before_it_is_written() {
    let faulty = trial!(LibraryRam { clock: 1, address: 2 } => { o: 8 });
    let repaired = trial!(FilledRam { clock: 1, address: 2 } => { o: 8 });
    faulty_and_repaired("uninitialised-memory", faulty, Verdict::Differs, repaired);
}

#[test]
fn inclusive_range_loses_its_last_iteration() {
    let faulty = trial!(InclusiveLoop { a: 8 } => { o: 1 });
    let repaired = trial!(InclusiveLoopRepaired { a: 8 } => { o: 1 });
    // The tree keeps no trace of it: this rule reads the source.
    assert_eq!(faulty.rules(), [] as [&str; 0]);
    let found = lint_source("structure.rs", include_str!("lint/structure.rs"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].rule.id, "inclusive-range");
    if common::have(SIMULATOR, "showing that `inclusive-range` is real") {
        assert_eq!(faulty.verdict(), Verdict::Differs, "{}", faulty.verilog);
        assert_eq!(repaired.verdict(), Verdict::Agrees);
    }
}

#[test]
fn faulty_block_is_not_exported() {
    let mut block = MaskCompare::default();
    rust_hdl::prelude::Block::connect_all(&mut block);
    let error = export(&block, "mask_compare").expect_err("refused");
    let ExportError::Lint { findings, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(findings[0].rule.id, "precedence");
    assert!(error.to_string().contains("cure: parenthesise"), "{error}");
}

#[test]
fn every_rule_has_a_trial() {
    let page = include_str!("lint.rs");
    for rule in RULES {
        assert!(
            page.contains(&format!("\"{}\"", rule.id)),
            "no trial for `{}`",
            rule.id
        );
    }
}

/// A block without fault, for faults whose cure another trial shows already.
fn clean() -> Trial {
    trial!(CastSumRepaired { a: 8, b: 8 } => { o: 16 })
}
