use proptest::prelude::*;

use super::super::{parse, print, print_without_lines};
use crate::kernel::op::Ty;
use crate::kernel::testing::{all_ops, inst_of, kernel_of, kernels};
use crate::kernel::verify::verify;
use crate::kernel::{GlobalVar, Kernel, Line, Param, RegSpace};

#[test]
fn every_operation_reads_back_as_it_was_printed() {
    let mut seed = 1_u64;
    let insts = all_ops()
        .into_iter()
        .map(|op| {
            let random = std::array::from_fn(|_| {
                seed = seed
                    .wrapping_mul(0x5851_F42D_4C95_7F2D)
                    .wrapping_add(0x1405_7B7E_F767_814F);
                seed ^ seed >> 29
            });
            inst_of(op, &random)
        })
        .collect();
    let kernel = kernel_of(insts);
    assert_eq!(verify(&kernel), Ok(()));
    let text = print(&kernel);
    let back = parse(&text, "all").unwrap_or_else(|error| panic!("{error}"));
    for (ours, theirs) in kernel.blocks.iter().zip(&back.blocks) {
        for (a, b) in ours.insts.iter().zip(&theirs.insts) {
            assert_eq!(a, b);
        }
    }
    assert_eq!(kernel, back);
}

/// The ids of a pbr are bits, whatever number they make together.
#[test]
fn words_of_release_flags_are_printed_as_bits() {
    let kernel = parse(
        ".kernel k; .regs architected 8, 0; a: pbr -1; pbr 0xffffffffffffff01; pir 0x1f; exit;",
        "k",
    )
    .unwrap();
    let text = print(&kernel);
    assert!(text.contains("pbr 0xffffffffffffffff;"), "{text}");
    assert!(text.contains("pbr 0xffffffffffffff01;"), "{text}");
    assert!(text.contains("pir 0x1f;"), "{text}");
    assert_eq!(parse(&text, "again").unwrap(), kernel);
}

#[test]
fn sections_and_strange_names_survive() {
    let kernel = Kernel {
        name: "_Z3addPf \"quoted\" \\ and\nbroken".to_owned(),
        params: vec![Param {
            name: "in".to_owned(),
            ty: Ty::B8,
            offset_bytes: 8,
            size_bytes: 24,
            align_bytes: 8,
        }],
        globals: vec![GlobalVar {
            name: ".odd".to_owned(),
            address: 0x4000_0000,
            size_bytes: 5,
            init: vec![0, 255, 16],
            constant: true,
        }],
        shared_bytes: 48,
        local_bytes: 4,
        regs: RegSpace::Virtual { regs: 3, preds: 1 },
        ..kernel_of(Vec::new())
    };
    assert_eq!(parse(&print(&kernel), "names").unwrap(), kernel);
}

#[test]
fn without_printed_lines_instructions_get_those_of_the_text() {
    let kernel = parse(
        ".kernel k;\n.regs virtual 1, 0;\n\na:\n\n mov.u32 r0, 1; exit;",
        "k",
    )
    .unwrap();
    let lines: Vec<Line> = kernel.blocks[0].insts.iter().map(|i| i.line).collect();
    assert_eq!(lines, [Line(6), Line(6)]);
    assert!(!print_without_lines(&kernel).contains('#'));
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let documentation = include_str!("../mod.rs");
    let text: String = documentation
        .lines()
        .skip_while(|line| !line.contains("```text"))
        .skip(1)
        .take_while(|line| !line.contains("```"))
        .map(|line| line.trim_start_matches("//!").to_owned() + "\n")
        .collect();
    let kernel = parse(&text, "documentation").unwrap();
    assert_eq!(kernel.blocks[0].insts.len(), 9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_kernel_reads_back_as_it_was_printed(kernel in kernels()) {
        let text = print(&kernel);
        let back = parse(&text, "generated").map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(back, kernel);
    }

    #[test]
    fn any_text_is_read_or_refused_without_panic(text in "\\PC{0,80}") {
        let _ = parse(&text, "any");
        let _ = parse(&format!(".kernel k; .regs virtual 4, 4; a: {text}"), "any");
    }

    #[test]
    fn a_damaged_kernel_is_read_or_refused_without_panic(
        kernel in kernels(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3), 1..4),
    ) {
        let mut text: Vec<char> = print(&kernel).chars().collect();
        for (at, c, kind) in damage {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = c,
                1 => text.insert(at, c),
                _ => { text.remove(at); }
            }
        }
        let _ = parse(&text.into_iter().collect::<String>(), "damaged");
    }
}
