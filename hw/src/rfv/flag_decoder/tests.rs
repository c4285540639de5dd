use super::model::Model;
use super::rtl::{FlagDecoder, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

fn decode(word: u64, slot: u8, turn: u8) -> FlagDecoderOut {
    let pins = FlagDecoderIn { word, slot, turn };
    let out = Rtl::default().outputs(&pins);
    assert_eq!(out, Model.outputs(&pins));
    out
}

/// What a pbr releases, turn by turn.
fn released(word: u64) -> Vec<u8> {
    let turns = decode(word, 0, 0).turns;
    (0..turns)
        .flat_map(|turn| {
            let out = decode(word, 0, turn);
            [
                out.x0_valid.then_some(out.x0),
                out.x1_valid.then_some(out.x1),
                out.x2_valid.then_some(out.x2),
            ]
        })
        .flatten()
        .collect()
}

#[test]
fn first_add_of_figure_5_releases_its_first_operand_only() {
    // Figure 5 (a): `add $r4 $r5 $r0` has the flags 001, `mov $r0 $r2` 000, ..., the last slot 110.
    let mut flags = [0; PIR_SLOTS];
    (flags[0], flags[17]) = (0b001, 0b110);
    let word = pir_word(&flags);
    let read: Vec<u8> = (0..18).map(|slot| decode(word, slot, 0).flags).collect();
    assert_eq!(read, flags);
    assert_eq!(decode(word, 0, 0).payload, 0b110 << 51 | 0b001);
}

#[test]
fn a_word_covers_18_instructions_of_3_operands_or_9_registers() {
    assert_eq!((PIR_SLOTS * OPERANDS, PBR_IDS * 6, 64 - 10), (54, 54, 54));
    assert!(pbr_word(&[0; 9]).is_some() && pbr_word(&[0; 10]).is_none());
}

#[test]
fn opcode_is_split_into_four_low_and_six_high_bits() {
    let word = flag_word(PIR_OPCODE, 0);
    assert_eq!((word & 0xf, word >> 58), (0xf, 0x3e));
    assert!(decode(word, 0, 0).pir && decode(flag_word(PBR_OPCODE, 0), 0, 0).pbr);
    for bit in (0..4).chain(58..64) {
        let out = decode(word ^ 1 << bit, 0, 0);
        assert_eq!((out.pir, out.pbr), (false, bit == 58));
    }
}

#[test]
fn words_are_told_by_their_opcode() {
    assert!(is_pbr(pbr_word(&[1, 2]).expect("fits")));
    assert!(is_pbr(flag_word(PBR_OPCODE, 0)));
    assert!(!is_pbr(pir_word(&[7; PIR_SLOTS])));
    for bit in 0..10 {
        assert!(
            !is_pbr(flag_word(PBR_OPCODE ^ 1 << bit, u64::MAX)),
            "bit {bit}"
        );
    }
}

#[test]
fn a_pbr_takes_as_many_turns_as_it_has_threes_of_registers() {
    let turns = |count: u8| {
        let registers: Vec<u8> = (0..count).collect();
        decode(pbr_word(&registers).expect("fits"), 0, 0).turns
    };
    assert_eq!([0, 1, 3, 4, 6, 7, 9].map(turns), [0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn slots_and_turns_that_do_not_exist_release_nothing() {
    let pir = pir_word(&[7; PIR_SLOTS]);
    assert!((18..32).all(|slot| decode(pir, slot, 0).flags == 0));
    let out = decode(pbr_word(&[1; 9]).expect("fits"), 0, 3);
    assert!(!(out.x0_valid || out.x1_valid || out.x2_valid));
}

#[test]
fn other_instructions_release_nothing() {
    let out = decode(flag_word(0x155, u64::MAX), 3, 0);
    assert_eq!(out, FlagDecoderOut::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn model_and_rtl_agree_on_any_word(rows in strategy::rows()) {
        agree(Model, Rtl::default(), &rows)?;
    }
    #[test]
    fn a_pbr_releases_the_registers_it_was_written_with(registers in prop::collection::vec(0u8..63, 0..=9)) {
        prop_assert_eq!(released(pbr_word(&registers).expect("fits")), registers);
    }
}

#[test]
fn rust_hdl_accepts_the_block() {
    check_block(FlagDecoder::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model, _>(FlagDecoder::new());
}

#[test]
fn the_decoder_remembers_nothing() {
    assert!(flip_flops(FlagDecoder::new()).is_none_or(|bits| bits == 0));
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model>(include_str!("README.md"));
}
