//! Registers of instructions: how many, and on which side.

use crate::kernel::{Dst, Operand, Reg};
use crate::trace::lift::operand::operands;
use crate::trace::opcode::{Generation, class};
use crate::trace::record::{OtherRegisters, StaticInst};

/// `OPCODE dsts <- srcs`, as text: which registers.
fn named(opcode: &str, dsts: &[u8], srcs: &[u8], width_bytes: u8) -> String {
    let known = [Generation::Ampere, Generation::Hopper].map(|of| class(opcode, of));
    let known = known[0].or(known[1]);
    let found = operands(&StaticInst {
        pc: 0,
        opcode: opcode.into(),
        class: known.expect("known"),
        dsts: dsts.iter().copied().collect(),
        srcs: srcs.iter().copied().collect(),
        other_dsts: OtherRegisters::default(),
        other_srcs: OtherRegisters::default(),
        width_bytes,
        immediate: 0,
        line: None,
    });
    let Ok(found) = found else {
        return "too wide".into();
    };
    let name = |reg: Reg| match reg.width.regs() {
        1 => format!("{} ", reg.index),
        _ => format!("{}:{} ", reg.index, reg.index + 1),
    };
    let dsts = found.dsts.iter().map(|dst| match dst {
        Dst::Reg(reg) => name(*reg),
        Dst::Pred(_) => "?".into(),
    });
    let srcs = found.srcs.iter().map(|src| match src {
        Operand::Reg(reg) => name(*reg),
        _ => "?".into(),
    });
    dsts.chain(["< ".to_owned()]).chain(srcs).collect()
}

/// Opcode, destinations, sources and bytes of an access, and what is named.
type Row<'a> = (&'a str, &'a [u8], &'a [u8], u8, &'a str);

fn all_named(rows: &[Row]) {
    for &(opcode, dsts, srcs, bytes, expected) in rows {
        assert_eq!(named(opcode, dsts, srcs, bytes), expected, "{opcode}");
    }
}

#[test]
fn accesses_are_as_wide_as_their_bytes_and_addresses_as_the_opcode_says() {
    all_named(&[
        ("LDG.E", &[4], &[4], 4, "4 < 4:5 "),
        ("LDG.E.128", &[4], &[2], 16, "4:5 6:7 < 2:3 "),
        ("LDG.E.U8", &[0], &[4], 1, "0 < 4:5 "),
        ("LDS.64", &[6], &[3], 8, "6:7 < 3 "),
        ("STG.E.64", &[], &[2, 8], 8, "< 2:3 8:9 "),
        ("STG.E", &[], &[2, 255], 4, "< 2:3 "),
        ("ATOMG.E.CAS.64", &[0], &[2, 4, 6], 8, "0:1 < 2:3 4:5 6:7 "),
        ("RED.E.ADD.64.STRONG.GPU", &[], &[2, 4], 8, "< 2:3 4:5 "),
        ("ATOMS.CAS.64", &[8], &[3, 4, 6], 8, "8:9 < 3 4:5 6:7 "),
        ("LDGSTS.E.BYPASS.128", &[], &[3, 6], 16, "< 3 6:7 "),
        ("LDSM.16.M88", &[8], &[1], 4, "8 < 1 "),
        ("LDSM.16.M88.2", &[8], &[1], 8, "8:9 < 1 "),
        ("LDSM.16.M88.4", &[8], &[1], 16, "8:9 10:11 < 1 "),
        ("LDC.64", &[2], &[9], 0, "2:3 < 9 "),
        ("ULDC.64", &[], &[], 0, "< "),
        ("QSPC.E.S", &[], &[255, 2], 0, "< 2:3 "),
        ("CCTL.E.PF1", &[], &[2], 0, "< 2:3 "),
    ]);
}

#[test]
fn arithmetic_of_64_bits_names_pairs() {
    all_named(&[
        ("IMAD.WIDE", &[4], &[6, 7], 0, "4:5 < 6 7 "),
        ("IMAD.WIDE.U32", &[4], &[6, 7, 2], 0, "4:5 < 6 7 2:3 "),
        ("IMAD.HI.U32", &[3], &[3, 7, 2], 0, "3 < 3 7 2:3 "),
        ("IMAD.HI.U32", &[3], &[3, 7, 255], 0, "3 < 3 7 "),
        ("IMAD", &[4], &[6, 7, 2], 0, "4 < 6 7 2 "),
        ("SHF.R.U64", &[4], &[6, 7, 2], 0, "4 < 6 7 2 "),
        ("SHF.L.U64.HI", &[4], &[6, 7], 0, "4 < 6 7 "),
        ("DADD", &[0], &[2, 4], 0, "0:1 < 2:3 4:5 "),
        ("DFMA", &[0], &[2, 4, 6], 0, "0:1 < 2:3 4:5 6:7 "),
        ("DSETP.GE.AND", &[], &[2, 4], 0, "< 2:3 4:5 "),
        ("MUFU.RCP64H", &[3], &[5], 0, "3 < 5 "),
        ("F2F.F64.F32", &[2], &[5], 0, "2:3 < 5 "),
        ("F2F.F32.F64", &[2], &[4], 0, "2 < 4:5 "),
        ("FRND.F64.FLOOR", &[2], &[4], 0, "2:3 < 4:5 "),
        ("I2F.F64", &[2], &[4], 0, "2:3 < 4 "),
        ("I2F.F64.S64", &[2], &[4], 0, "2:3 < 4:5 "),
        ("I2F.U64.RP", &[2], &[4], 0, "2 < 4:5 "),
        ("F2I.TRUNC.NTZ", &[2], &[5], 0, "2 < 5 "),
        ("F2I.F64.TRUNC", &[2], &[4], 0, "2 < 4:5 "),
        ("F2I.U64.TRUNC", &[2], &[5], 0, "2:3 < 5 "),
        ("FFMA", &[1], &[2, 3, 1], 0, "1 < 2 3 1 "),
    ]);
}

#[test]
fn clocks_addresses_and_matched_values_of_64_bits_are_pairs() {
    all_named(&[
        ("CS2R", &[2], &[], 0, "2:3 < "),
        ("CS2R.32", &[2], &[], 0, "2 < "),
        ("S2R", &[2], &[], 0, "2 < "),
        ("LEPC", &[20], &[], 0, "20:21 < "),
        ("GETLMEMBASE", &[4], &[], 0, "4:5 < "),
        ("MATCH.ANY", &[3], &[4], 0, "3 < 4 "),
        ("MATCH.ANY.U64", &[3], &[4], 0, "3 < 4:5 "),
        ("MATCH.ALL.U64", &[3], &[4], 0, "3 < 4:5 "),
        ("BMOV.32.CLEAR", &[4], &[], 0, "4 < "),
        ("BMOV.32", &[], &[4], 0, "< 4 "),
        ("BMOV.64", &[4], &[], 0, "4:5 < "),
        ("RET.REL.NODEC", &[], &[20], 0, "< 20:21 "),
        ("CALL.REL.NOINC", &[], &[], 0, "< "),
        ("WARPSYNC", &[], &[4], 0, "< 4 "),
        ("R2UR", &[], &[4], 0, "< 4 "),
        ("SHFL.IDX", &[3], &[4, 6], 0, "3 < 4 6 "),
        ("TEX.SCR.LL", &[2], &[4, 6], 0, "2 < 4 6 "),
    ]);
}

/// As its tracer writes them: the first operand is the destination if it is a register.
#[test]
fn register_is_on_the_side_where_the_opcode_has_it_not_where_the_tracer_puts_it() {
    all_named(&[
        ("RET.REL.NODEC", &[20], &[], 0, "< 20:21 "),
        ("CALL.ABS.NOINC", &[4], &[], 0, "< 4:5 "),
        ("BRX", &[2], &[], 0, "< 2:3 "),
        ("WARPSYNC", &[5], &[], 0, "< 5 "),
        ("SETLMEMBASE", &[4], &[], 0, "< 4:5 "),
        ("SHFL.BFLY", &[], &[3, 4], 0, "3 < 4 "),
        ("SHFL.IDX", &[], &[3, 4, 255], 0, "3 < 4 "),
        ("MATCH.ALL.U64", &[], &[3, 4], 0, "3 < 4:5 "),
        ("LOP3.LUT", &[], &[255, 4, 255], 0, "< 4 "),
        ("ATOMG.E.ADD.STRONG.GPU", &[], &[3, 6, 5], 4, "3 < 6:7 5 "),
        (
            "ATOMG.E.CAS.64.STRONG.GPU",
            &[],
            &[8, 6, 2, 4],
            8,
            "8:9 < 6:7 2:3 4:5 ",
        ),
    ]);
}

#[test]
fn fragments_of_matrix_products_are_those_of_their_shape() {
    all_named(&[
        (
            "HMMA.884.F32.F32.STEP0",
            &[8],
            &[2, 4, 8],
            0,
            "8:9 < 2:3 4:5 8:9 ",
        ),
        (
            "HMMA.1688.F32",
            &[4],
            &[8, 10, 4],
            0,
            "4:5 6:7 < 8:9 10 4:5 6:7 ",
        ),
        (
            "HMMA.16816.F16",
            &[4],
            &[8, 12, 4],
            0,
            "4:5 < 8:9 10:11 12:13 4:5 ",
        ),
        ("IMMA.8816.S8.S8", &[4], &[8, 9, 4], 0, "4:5 < 8 9 4:5 "),
        (
            "IMMA.16832.S4.S4",
            &[4],
            &[8, 10, 4],
            0,
            "4:5 6:7 < 8:9 10 4:5 6:7 ",
        ),
        (
            "HMMA.SP.16816.F16",
            &[4],
            &[8, 10, 4, 2],
            0,
            "4:5 < 8:9 10:11 4:5 2 ",
        ),
        (
            "DMMA.884",
            &[4],
            &[8, 10, 4],
            0,
            "4:5 6:7 < 8:9 10:11 4:5 6:7 ",
        ),
        (
            "QMMA.16816.F16.E4M3.E4M3",
            &[4],
            &[8, 10, 4],
            0,
            "4:5 < 8:9 10 4:5 ",
        ),
    ]);
}

#[test]
fn odd_pair_is_two_registers_and_none_lies_behind_the_last() {
    assert_eq!(named("LDG.E.128", &[5], &[2], 16), "5 6:7 8 < 2:3 ");
    assert_eq!(named("LDG.E.64", &[254], &[2], 8), "254 < 2:3 ");
}

/// As our exports write them; beside each what the line tells without the list.
#[test]
fn opcode_that_names_all_registers_has_those_and_no_others() {
    all_named(&[
        (
            "STG.E.128.REGS_R0P_R2_R3_R6_R2",
            &[],
            &[0, 2, 3, 6],
            16,
            "< 0:1 2 3 6 2 ",
        ),
        ("STG.E.128", &[], &[0, 2], 16, "< 0:1 2:3 4:5 "),
        ("STG.E.64.REGS_R0P_R2_R3", &[], &[0, 2, 3], 8, "< 0:1 2 3 "),
        ("STG.E.64", &[], &[0, 2], 8, "< 0:1 2:3 "),
        (
            "LDG.E.128.REGS_W7_W2_W6_W3_R0P",
            &[7],
            &[0],
            16,
            "7 2 6 3 < 0:1 ",
        ),
        ("LDG.E.128", &[7], &[0], 16, "7 8:9 10 < 0:1 "),
        ("STS.64.REGS_R4P", &[], &[4], 8, "< 4:5 "),
        ("IMAD.WIDE.REGS_W4P_R6_R8", &[4], &[6, 8], 0, "4:5 < 6 8 "),
        ("IMAD.WIDE", &[4], &[6, 8], 0, "4:5 < 6 8:9 "),
        ("IADD3.REGS_W4P_R6P_R8P", &[4], &[6, 8], 0, "4:5 < 6:7 8:9 "),
        (
            "IADD3.REGS_R1_R2_R3_R4_R5_R6",
            &[],
            &[1, 2, 3, 4],
            0,
            "too wide",
        ),
    ]);
}

#[test]
fn more_registers_than_the_pipeline_takes_are_refused() {
    assert_eq!(named("IADD3", &[0], &[1, 2, 3, 4, 5, 6], 0), "too wide");
    // 32 registers of each thread for a tile of 64 x 64.
    assert_eq!(named("HGMMA.64x64x16.F32", &[24], &[24], 0), "too wide");
    let product = named("HMMA.16816.F32", &[4], &[8, 12, 4], 0);
    assert_eq!(product, "4:5 6:7 < 8:9 10:11 12:13 4:5 6:7 ");
}
