use super::*;
use crate::trace::record::{Addresses, Class, Command, OtherRegisters, Space, ZERO_REGISTER};

#[test]
fn head_gives_every_field() {
    let (reader, _) = read(&trace(&[EXIT])).unwrap();
    let expected = Header {
        name: "k".into(),
        id: 1,
        grid: [1; 3],
        block: [32, 1, 1],
        scratchpad_bytes: 0,
        regs: 16,
        binary_version: 80,
        stream: 0,
        scratchpad_base: 0x10,
        local_base: 0x20,
        nvbit_version: "1.7".into(),
        tracer_version: 5,
        has_lines: false,
    };
    assert_eq!(*reader.header(), expected);
}

#[test]
fn line_of_version_five_gives_registers_addresses_and_immediate() {
    let (reader, ctas) = read(&trace(&[
        "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 7 ",
        EXIT,
    ]))
    .unwrap();
    let load = &reader.program().insts[0];
    assert_eq!(
        (load.pc, load.opcode.as_str(), load.immediate),
        (0xa0, "LDG.E", 7)
    );
    assert_eq!(
        (load.dsts.as_slice(), load.srcs.as_slice()),
        (&[4][..], &[5][..])
    );
    assert_eq!(
        (load.class, load.width_bytes),
        (Class::Load(Space::Global), 4)
    );
    let stride = Addresses::Strided {
        base: 0x100,
        stride: 4,
    };
    assert_eq!(ctas[0].warps[0].addresses, [stride]);
}

#[test]
fn the_three_address_modes_give_the_same_addresses() {
    let expand = |text: &str| {
        let line = format!("00a0 000000f0 1 R4 LDG.E 1 R5 4 {text} 0");
        let (_, ctas) = read(&trace(&[&line, EXIT])).unwrap();
        let mut out = [0; 32];
        ctas[0].warps[0].addresses[0].expand(0xf0, &mut out);
        out
    };
    let listed = expand("0 0x100 0xf8 0xf0 0xe8");
    assert_eq!(listed[3..9], [0, 0x100, 0xf8, 0xf0, 0xe8, 0]);
    assert_eq!(expand("1 0x100 -8"), listed);
    assert_eq!(expand("2 0x100 -8 -8 -8"), listed);
}

#[test]
fn guarded_off_access_has_no_lanes_and_no_addresses() {
    for addresses in ["1 0x0 0", "0", "2 0x0"] {
        let line = format!("00a0 00000000 1 R4 LDG.E 1 R5 4 {addresses} 0");
        let (_, ctas) = read(&trace(&[&line, EXIT])).unwrap();
        let first = ctas[0].warps[0].insts[0];
        assert_eq!(
            (first.mask, first.addresses),
            (0, crate::trace::record::NO_ADDRESSES)
        );
    }
}

#[test]
fn first_two_versions_repeat_cta_and_warp_in_each_line() {
    for version in [1, 2] {
        let text = head(version) + &cta("0,0,0", &warp(0, &["0 0 0 0 00f0 ffffffff 0 EXIT 0 0 "]));
        let (reader, _) = read(&text).unwrap();
        assert_eq!(reader.program().insts[0].pc, 0xf0);
    }
}

#[test]
fn version_three_has_no_immediate() {
    let text = head(3) + &cta("0,0,0", &warp(0, &["00f0 ffffffff 0 EXIT 0 0 "]));
    assert!(read(&text).is_ok());
}

#[test]
fn version_six_names_clusters() {
    let clusters = "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n";
    let text = head(6) + &cta("0,0,0", &(clusters.to_owned() + &warp(0, &[EXIT])));
    assert!(read(&text).is_ok());
}

#[test]
fn head_without_tracer_version_is_of_the_first_one() {
    let old = head(1).replace("-accelsim tracer version = 1\n", "");
    let (reader, _) =
        read(&(old + &cta("0,0,0", &warp(0, &["0 0 0 0 00f0 ffffffff 0 EXIT 0 0 "])))).unwrap();
    assert_eq!(reader.header().tracer_version, 1);
}

#[test]
fn source_line_is_kept_and_tells_instructions_apart() {
    let text = trace(&[
        "7 0000 ffffffff 0 NOP 0 0 0",
        "8 0000 ffffffff 0 NOP 0 0 0",
        "9 00f0 ffffffff 0 EXIT 0 0 0",
    ]);
    let (reader, _) = read(&text.replace("lineinfo = 0", "lineinfo = 1")).unwrap();
    let lines: Vec<_> = reader
        .program()
        .insts
        .iter()
        .map(|inst| inst.line)
        .collect();
    assert_eq!(lines, [Some(7), Some(8), Some(9)]);
}

#[test]
fn vector_registers_are_kept_in_order_and_the_others_apart() {
    let (reader, _) = read(&trace(&[
        "0000 ffffffff 4 P7 R1 B15 UR63 IADD3 6 R2 RZ UR4 !"
            .replace(" !", " URZ PT UP1 0 0")
            .as_str(),
        EXIT,
    ]))
    .unwrap();
    let inst = &reader.program().insts[0];
    assert_eq!(
        (inst.dsts.as_slice(), inst.srcs.as_slice()),
        (&[1][..], &[2, ZERO_REGISTER][..])
    );
    let others = |uniform, flags| OtherRegisters { uniform, flags };
    assert_eq!(inst.other_dsts, others(1 << 63, 1 << 7 | 1 << 31));
    assert_eq!(inst.other_srcs, others(1 << 4, 1 << 9));
    let names = |others: OtherRegisters| others.names().collect::<Vec<_>>();
    assert_eq!(names(inst.other_dsts), ["UR63", "P7", "B15"]);
    assert_eq!(names(inst.other_srcs), ["UR4", "UP1"]);
}

#[test]
fn the_same_instruction_is_one_whatever_mask_and_addresses() {
    let lines = [
        "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 0",
        "00b0 ffffffff 0 NOP 0 0 0",
        "00a0 0000ffff 1 R4 LDG.E 1 R5 4 1 0x900 8 0",
        "00b0 00000001 0 NOP 0 0 0",
        "00a0 00000001 1 R4 LDG.E 1 R5 4 2 0x900 0",
        EXIT,
    ];
    let (reader, ctas) = read(&trace(&lines)).unwrap();
    let of: Vec<_> = ctas[0].warps[0]
        .insts
        .iter()
        .map(|inst| inst.inst)
        .collect();
    assert_eq!(of, [0, 1, 0, 1, 0, 2]);
    assert_eq!(reader.program().insts.len(), 3);
}

#[test]
fn another_field_makes_another_instruction() {
    let lines = [
        "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 0",
        "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 9",
        "00a0 ffffffff 1 R4 LDG.E 1 R6 4 1 0x100 4 0",
        "00b0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 0",
        "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 9",
        EXIT,
    ];
    let (_, ctas) = read(&trace(&lines)).unwrap();
    let of: Vec<_> = ctas[0].warps[0]
        .insts
        .iter()
        .map(|inst| inst.inst)
        .collect();
    assert_eq!(of, [0, 1, 2, 3, 1, 4]);
}

#[test]
fn warps_come_out_in_order_and_a_missing_one_executed_nothing() {
    let text = head(5).replace("(32,1,1)", "(128,1,1)")
        + &cta(
            "0,0,0",
            &(warp(3, &[EXIT]) + &warp(1, &[EXIT]) + &warp(0, &[])),
        );
    let (_, ctas) = read(&text).unwrap();
    let warps: Vec<_> = ctas[0]
        .warps
        .iter()
        .map(|warp| (warp.warp, warp.insts.len()))
        .collect();
    assert_eq!(warps, [(0, 0), (1, 1), (3, 1)]);
}

#[test]
fn ctas_may_come_in_any_order() {
    let text = ["1,1,0", "0,0,0", "0,1,0", "1,0,0"].map(|index| cta(index, &warp(0, &[EXIT])));
    let (_, ctas) =
        read(&(head(5).replace("grid dim = (1,1,1)", "grid dim = (2,2,1)") + &text.concat()))
            .unwrap();
    assert_eq!(ctas[0].index, [1, 1, 0]);
    assert_eq!(ctas.len(), 4);
}

#[test]
fn mapped_opcode_is_read_as_its_class() {
    let mut options = ReadOptions::default();
    options.unknown_opcodes.add("VIADD=int").unwrap();
    let text = trace(&["0000 ffffffff 1 R1 VIADD.U32 1 R2 0 0", EXIT]);
    let (reader, _) = read_bytes(text.into_bytes(), &options).unwrap();
    assert_eq!(reader.program().insts[0].class, Class::Int);
}

#[test]
fn undeclared_registers_pass_where_allowed() {
    let options = ReadOptions {
        undeclared_registers: true,
        ..ReadOptions::default()
    };
    let wide = "0010 ffffffff 1 R15 LDG.E.64 1 R2 8 1 0x0 8 0";
    let text = trace(&["0000 ffffffff 1 R200 MOV 1 R254 0 0", wide, EXIT]);
    let (reader, _) = read_bytes(text.into_bytes(), &options).unwrap();
    assert_eq!(reader.program().insts[0].dsts[0], 200);
}

/// The head says 16 registers.
#[test]
fn operands_that_the_opcode_leaves_narrow_or_in_doubt_may_be_the_last_register() {
    for line in [
        "0000 ffffffff 1 R14 LDG.E.64 1 R2 8 1 0x0 8 0",
        "0000 ffffffff 1 R15 LDG.E.U8 1 R15 1 1 0x0 1 0",
        // A factor, or an addend of 64 bits.
        "0000 ffffffff 1 R2 IMAD.WIDE 2 R4 R15 0 0",
        "0000 ffffffff 1 R15 I2F.F32.S32 1 R15 0 0",
        "0000 ffffffff 1 R255 LDG.E.64 1 R2 8 1 0x0 8 0",
    ] {
        let read = read(&trace(&[line, EXIT]));
        assert!(read.is_ok(), "{line}: {:?}", read.err());
    }
}

#[test]
fn lines_longer_than_a_piece_are_read_whole() {
    let name = "x".repeat(700_000);
    let text = trace(&[EXIT]).replace("name = k", &format!("name = {name}"));
    let (reader, _) = read(&text).unwrap();
    assert_eq!(reader.header().name, name);
}

#[test]
fn windows_line_ends_do_not_matter() {
    let (reader, _) = read(&trace(&[EXIT]).replace('\n', "\r\n")).unwrap();
    assert_eq!(reader.header().name, "k");
}

#[test]
fn list_names_copies_and_kernels_in_order() {
    let text = "MemcpyHtoD,0x00007fb0fc400000,200000\n\nkernel-1.traceg\nMemcpyDtoH,0x1,2\nkernel-2.traceg.xz\n";
    let list = list_of(Box::new(text.as_bytes()), Path::new("kernelslist.g")).unwrap();
    let copy = Command::CopyToDevice {
        address: 0x7fb0_fc40_0000,
        bytes: 200_000,
    };
    let kernel = |name: &str| Command::Kernel(name.into());
    assert_eq!(
        list,
        [
            copy,
            kernel("kernel-1.traceg"),
            kernel("kernel-2.traceg.xz")
        ]
    );
}
