use super::*;

/// What the reader says of a text that it must refuse, without the file name.
fn complaint(text: &str) -> String {
    let error = read(text).err().expect("the text must be refused");
    assert!(!error.kind().cure().is_empty());
    let message = error.to_string();
    let rest = message
        .strip_prefix("k.traceg:")
        .expect("the file comes first");
    rest.to_owned()
}

#[test]
fn line_with_something_wrong_is_refused_with_place_and_cause() {
    for (line, expected) in [
        (
            "xyz ffffffff 0 NOP 0 0 0",
            "the address of the instruction is \"xyz\"",
        ),
        ("0000 1ffffffff 0 NOP 0 0 0", "the mask is \"1ffffffff\""),
        (
            "0000 ffffffff x NOP 0 0 0",
            "the number of destinations is \"x\"",
        ),
        (
            "0000 ffffffff 99 NOP 0 0 0",
            "the number of destinations is \"99\"",
        ),
        ("0000 ffffffff 0 nop 0 0 0", "the opcode is \"nop\""),
        ("0000 ffffffff 0 NOP 1 X3 0 0", "a register is \"X3\""),
        ("0000 ffffffff 0 NOP 1 P9 0 0", "a register is \"P9\""),
        (
            "0000 ffffffff 0 VIADD 0 0 0",
            "unknown opcode VIADD for Ampere (SM80)",
        ),
        (
            "0000 ffffffff 1 R16 MOV 0 0 0",
            "register R16 is out of range: the kernel has 16 registers",
        ),
        (
            "0000 ffffffff 1 R256 MOV 0 0 0",
            "register R256 is out of range: registers are R0 to R254, and R255 or RZ for zero",
        ),
        (
            "0000 ffffffff 1 R4 LDG.E.64.REGS_W4_W16_R2 1 R2 8 1 0x0 8 0",
            "register R16 is out of range: the kernel has 16 registers",
        ),
        (
            "0000 ffffffff 1 R4 IADD3.REGS_W4P_R14P_R15P 2 R14 R15 0 0",
            "the list of registers in the opcode is \"REGS_W4P_R14P_R15P\"",
        ),
        (
            "0000 ffffffff 1 R15 LDG.E.64 1 R2 8 1 0x0 8 0",
            "LDG.E.64 has R15 to R16, and R16 is out of range: the kernel has 16 registers",
        ),
        (
            "0000 ffffffff 1 R13 LDS.128 1 R2 16 1 0x0 16 0",
            "LDS.128 has R13 to R16",
        ),
        (
            "0000 ffffffff 0 STG.E.128 2 R2 R14 16 1 0x0 16 0",
            "STG.E.128 has R14 to R17",
        ),
        (
            "0000 ffffffff 1 R15 DADD 2 R2 R4 0 0",
            "DADD has R15 to R16",
        ),
        (
            "0000 ffffffff 1 R15 IMAD.WIDE 3 R2 R4 R6 0 0",
            "IMAD.WIDE has R15 to R16",
        ),
        ("0000 ffffffff 0 NOP 0 3 0", "the access size is \"3\""),
        (
            "0000 ffffffff 1 R1 LDG.E 1 R2 0 0",
            "LDG.E accesses memory, but the line has no addresses",
        ),
        (
            "0000 ffffffff 1 R1 LDG.E 1 R2 4 5 0x0 0 0",
            "the address mode is \"5\"",
        ),
        (
            "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 zz 0 0",
            "an address is \"zz\"",
        ),
        (
            "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x0 - 0",
            "the stride is \"-\"",
        ),
        (
            "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x0 -4 0",
            "the stride is \"-4\", not one that stays within",
        ),
        (
            "0000 00000005 1 R1 LDG.E 1 R2 4 1 0x0 4 0",
            "lanes 0x00000005, which are not side by side",
        ),
        (
            "0000 00000003 1 R1 LDG.E 1 R2 4 0 0x0 ",
            "an address is \"\"",
        ),
        (
            "0000 00000007 1 R1 LDG.E 1 R2 4 2 0x0 4 ",
            "an address difference is \"\"",
        ),
        (
            "0000 00000001 1 R1 LDG.E 1 R2 4 2 0x0 ",
            "the immediate is \"\"",
        ),
        ("0000 ffffffff 0 NOP 0 0 ", "the immediate is \"\""),
        (
            "0000 ffffffff 0 NOP 0 0 0 1",
            "\" 1\" where the end of the line should be",
        ),
    ] {
        let said = complaint(&trace(&[EXIT_OF_NONE, line, EXIT]));
        assert!(
            said.starts_with("24: ") && said.contains(expected),
            "{line}: {said}"
        );
    }
}

const EXIT_OF_NONE: &str = "00e0 00000000 0 EXIT 0 0 0";

#[test]
fn text_cut_off_anywhere_is_refused() {
    let text = trace(&["00a0 0000000f 1 R4 LDG.E 1 R5 4 2 0x100 4 4 4 0 ", EXIT]);
    let whole = text.trim_end().len();
    for length in 0..whole {
        assert!(
            read(&text[..length]).is_err(),
            "cut to {:?}",
            &text[..length]
        );
    }
    assert!(read(&text[..whole]).is_ok());
}

#[test]
fn cut_inside_a_line_is_called_so() {
    let text = trace(&["00a0 0000000f 1 R4 LDG.E 1 R5 4 2 0x100 4 4 4 0 ", EXIT]);
    let cut = text.find("0x100").unwrap() + 3;
    assert_eq!(
        complaint(&text[..cut]),
        "23: the file ends in the middle of a line"
    );
}

#[test]
fn missing_end_of_the_last_cta_is_called_so() {
    assert_eq!(
        complaint(&trace(&[EXIT]).replace("#END_TB", "")),
        "26: the file ends inside CTA 0,0,0"
    );
}

#[test]
fn fewer_ctas_than_the_grid_are_refused() {
    let text = trace(&[EXIT]).replace("grid dim = (1,1,1)", "grid dim = (1,3,1)");
    assert!(complaint(&text).ends_with("the file ends after 1 of 3 CTAs"));
}

#[test]
fn too_few_instructions_are_refused() {
    let text = trace(&[EXIT]).replace("insts = 1", "insts = 2");
    assert!(
        complaint(&text).ends_with("warp 0 has 1 instructions, not the 2 of its `insts =` line")
    );
}

#[test]
fn too_many_instructions_are_refused() {
    let text = trace(&["0000 ffffffff 0 NOP 0 0 0", EXIT]).replace("insts = 2", "insts = 1");
    assert!(
        complaint(&text).ends_with("warp 0 has 2 instructions, not the 1 of its `insts =` line")
    );
}

#[test]
fn huge_instruction_count_takes_no_memory() {
    let text = trace(&[EXIT]).replace("insts = 1", "insts = 18446744073709551615");
    assert!(complaint(&text).contains("not the 18446744073709551615"));
}

#[test]
fn warp_without_exit_is_refused() {
    let said = complaint(&trace(&["0000 ffffffff 0 NOP 0 0 0"]));
    assert_eq!(said, "23: warp 0 ends without EXIT of lanes 0xffffffff");
}

#[test]
fn lanes_that_never_end_are_refused() {
    let said = complaint(&trace(&[
        "0000 ffffffff 0 NOP 0 0 0",
        "00f0 0000ffff 0 EXIT 0 0 0",
    ]));
    assert!(said.ends_with("warp 0 ends without EXIT of lanes 0xffff0000"));
}

#[test]
fn instruction_after_the_exit_of_its_lanes_is_refused() {
    let said = complaint(&trace(&[
        "00f0 0000ffff 0 EXIT 0 0 0",
        "0000 ffffffff 0 NOP 0 0 0",
        EXIT,
    ]));
    assert_eq!(
        said,
        "24: lanes 0x0000ffff of warp 0 execute after their EXIT"
    );
}

#[test]
fn lanes_beyond_the_threads_are_refused() {
    let text = trace(&[EXIT]).replace("block dim = (32,1,1)", "block dim = (20,1,1)");
    assert!(
        complaint(&text).ends_with("the mask has lanes 0xfff00000, beyond the threads of the CTA")
    );
}

#[test]
fn repeated_ctas_and_warps_are_refused() {
    let twice = cta("0,0,0", &warp(0, &[EXIT])).repeat(2);
    assert!(complaint(&(head(5) + &twice)).ends_with("CTA 0,0,0 comes a second time"));
    let twice = warp(0, &[EXIT]).repeat(2);
    assert!(complaint(&(head(5) + &cta("0,0,0", &twice))).ends_with("warp 0 comes a second time"));
}

#[test]
fn ctas_and_warps_outside_the_launch_are_refused() {
    let text = head(5) + &cta("1,0,0", &warp(0, &[EXIT]));
    assert!(complaint(&text).contains("`thread block = x,y,z` within the grid"));
    let text = head(5) + &cta("0,0,0", &warp(1, &[EXIT]));
    assert!(complaint(&text).contains("not `warp = N`, N below 1"));
}

#[test]
fn line_of_another_cta_is_refused_in_old_versions() {
    let text = head(2) + &cta("0,0,0", &warp(0, &["0 0 1 0 00f0 ffffffff 0 EXIT 0 0 "]));
    assert!(complaint(&text).ends_with("z of the CTA is \"1\", not 0, as above the lines"));
}

#[test]
fn each_needed_field_of_the_head_is_missed() {
    let whole = trace(&[EXIT]);
    for field in [
        "kernel name",
        "kernel id",
        "grid dim",
        "block dim",
        "shmem",
        "nregs",
        "binary version",
    ] {
        let kept = whole
            .lines()
            .filter(|line| !line.starts_with(&format!("-{field} =")));
        let text: String = kept.map(|line| format!("{line}\n")).collect();
        assert!(complaint(&text).ends_with(&format!("the head lacks `-{field} = ..`")));
    }
}

#[test]
fn wrong_values_in_the_head_are_refused() {
    for (right, wrong) in [
        ("name = k", "name ="),
        ("id = 1", "id = one"),
        ("grid dim = (1,1,1)", "grid dim = (1,0,1)"),
        ("grid dim = (1,1,1)", "grid dim = (1,65536,1)"),
        ("grid dim = (1,1,1)", "grid dim = (1,1)"),
        ("block dim = (32,1,1)", "block dim = (32,33,1)"),
        ("shmem = 0", "shmem = 232449"),
        ("nregs = 16", "nregs = 0"),
        ("nregs = 16", "nregs = 256"),
        ("version = 80", "version = 35"),
        ("base_addr = 0x10", "base_addr = 0xg"),
        ("tracer version = 5", "tracer version = 7"),
        ("lineinfo = 0", "lineinfo = 2"),
        ("-nregs = 16", "-nregs = 16\n-nregs = 16"),
        ("-nregs = 16", "-nregs 16"),
        ("-nregs = 16", "nregs = 16"),
    ] {
        let said = complaint(&trace(&[EXIT]).replacen(right, wrong, 1));
        let line: usize = said.split(':').next().unwrap().parse().unwrap();
        assert!((1..=14).contains(&line), "{wrong}: {said}");
    }
}

#[test]
fn trace_before_grouping_is_refused_with_the_step_left_out() {
    let said = complaint(&(head(5) + "0 0 0 0 00f0 ffffffff 0 EXIT 0 0 0\n"));
    assert!(said.contains("post-traces-processing"), "{said}");
}

#[test]
fn missing_file_is_refused_by_name() {
    let error = KernelReader::open(Path::new("no/such.traceg"), &ReadOptions::default())
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .starts_with("no/such.traceg: cannot be read: ")
    );
}

/// It can be opened as a file, but not read.
#[test]
fn folder_is_refused_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let of_kernel = KernelReader::open(folder.path(), &ReadOptions::default()).err();
    let of_list = crate::trace::read_list(folder.path()).err();
    for error in [of_kernel, of_list] {
        let error = error.expect("refused");
        let said = format!("{}: is a folder", folder.path().display());
        assert_eq!(error.to_string(), said);
        assert!(error.kind().cure().contains("`kernelslist.g`"));
    }
}

#[test]
fn endless_line_is_refused() {
    let error = read(&"-".repeat(LONGEST_LINE + (1 << 20))).err().unwrap();
    assert_eq!(
        error.to_string(),
        "k.traceg:1: the line is longer than 1048576 bytes"
    );
}

#[test]
fn list_with_anything_else_is_refused() {
    for line in [
        "MemcpyHtoD,0x1",
        "MemcpyHtoD,zz,1",
        "MemcpyHtoD,0x1,1,1",
        "kernel",
        "../kernel-1.traceg",
        "kernel-1/../../x.traceg",
        "what",
    ] {
        let text = format!("kernel-1.traceg\n{line}\n");
        let error = list_of(Box::new(Cursor::new(text)), Path::new("l")).unwrap_err();
        assert!(error.to_string().starts_with("l:2: "), "{line}: {error}");
    }
}

#[test]
fn register_beyond_all_is_refused_without_an_option_that_would_let_it_pass() {
    let options = ReadOptions {
        undeclared_registers: true,
        ..ReadOptions::default()
    };
    let text = trace(&["0000 ffffffff 1 R256 MOV 0 0 0", EXIT]);
    let error = read_bytes(text.into_bytes(), &options).err().unwrap();
    let said = format!("{error} {}", error.kind().cure());
    assert!(said.contains("registers are R0 to R254"), "{said}");
    assert!(!said.contains("undeclared"), "{said}");
}

#[test]
fn name_that_is_none_of_a_kernel_is_refused_with_the_rule() {
    for name in [
        "k1.traceg",
        "sub/kernel-1.traceg",
        "kernel-1",
        "kernel-1.xz",
    ] {
        let error = list_of(Box::new(Cursor::new(name)), Path::new("l")).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains(name) && said.contains("begins with `kernel`"),
            "{said}"
        );
    }
}

#[test]
fn kernel_that_is_not_there_is_refused_with_the_line_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("kernelslist.g");
    std::fs::write(folder.path().join("kernel-1.traceg"), "").unwrap();
    std::fs::create_dir(folder.path().join("kernel-2.traceg")).unwrap();
    std::fs::write(&list, "kernel-1.traceg\n").unwrap();
    assert_eq!(read_list(&list).unwrap().len(), 1);
    for (name, why) in [
        ("kernel-2.traceg", "it is a folder"),
        ("kernel-3.traceg.xz", ""),
    ] {
        std::fs::write(&list, format!("\nkernel-1.traceg\n{name}\n")).unwrap();
        let said = read_list(&list).unwrap_err().to_string();
        let place = format!("kernelslist.g:3: {name}: cannot be read: ");
        assert!(said.contains(&place) && said.contains(why), "{said}");
    }
}

#[test]
fn list_without_a_kernel_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("kernelslist.g");
    for text in ["", "# nothing\nMemcpyHtoD,0x10,4\n"] {
        std::fs::write(&list, text).unwrap();
        let error = read_list(&list).unwrap_err();
        assert!(matches!(error.kind(), TraceErrorKind::NoKernels), "{error}");
        assert!(error.kind().cure().contains("kernel-1.traceg"));
    }
}

#[test]
fn reader_gives_nothing_more_after_an_error() {
    let text = trace(&["0000 ffffffff 0 NOP 0 0 0"]);
    let mut reader =
        KernelReader::new(Cursor::new(text), Path::new("k"), &ReadOptions::default()).unwrap();
    assert!(reader.next_cta().is_err());
    assert!(reader.next_cta().unwrap().is_none());
}
