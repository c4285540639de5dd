use super::*;
use crate::kernel::text;
use proptest::prelude::*;

fn kernel(body: &str, regs: u16) -> Kernel {
    let text = format!(".kernel k;\n.regs architected {regs}, 1;\nentry:\n{body}    exit;\n");
    text::parse(&text, "k").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn renumbered(body: &str, regs: u16) -> (Kernel, String) {
    let kernel = kernel(body, regs);
    let after = by_first_use(&kernel);
    check(&kernel, &after).unwrap();
    let printed = text::print(&after);
    (after, printed)
}

#[test]
fn registers_are_numbered_in_the_order_of_their_first_use() {
    // As p0 and r124 of Figure 7: what comes first in the code gets the first numbers.
    let (after, printed) = renumbered(
        "    mov.u32 r7, 1;\n    mov.u32 r3, 2;\n    add.u32 r7, r3, r7;\n",
        8,
    );
    assert!(printed.contains("mov.u32 r0, 1"), "{printed}");
    assert!(printed.contains("mov.u32 r1, 2"), "{printed}");
    assert!(printed.contains("add.u32 r0, r1, r0"), "{printed}");
    assert_eq!(after.regs, RegSpace::Architected { regs: 2, preds: 1 });
}

#[test]
fn pairs_stay_aligned_and_the_gap_before_one_is_filled() {
    let body = "    mov.u32 r9, 1;\n    mov.u64 r4:5, 2;\n    mov.u32 r8, 3;\n    mov.u32 r5, 4;\n";
    let (after, printed) = renumbered(body, 10);
    assert!(printed.contains("mov.u64 r2:3, 2"), "{printed}");
    assert!(printed.contains("mov.u32 r1, 3"), "{printed}");
    assert!(printed.contains("mov.u32 r3, 4"), "{printed}");
    assert_eq!(after.regs, RegSpace::Architected { regs: 4, preds: 1 });
}

#[test]
fn a_gap_that_nobody_fills_does_not_cost_a_register() {
    let (after, printed) = renumbered("    mov.u32 r2, 1;\n    mov.u64 r0:1, 2;\n", 3);
    assert!(printed.contains("mov.u32 r2, 1"), "{printed}");
    assert_eq!(after.regs, RegSpace::Architected { regs: 3, preds: 1 });
    // With a register to spare the order is kept.
    let (after, printed) = renumbered("    mov.u32 r3, 1;\n    mov.u64 r0:1, 2;\n", 4);
    assert!(printed.contains("mov.u32 r0, 1"), "{printed}");
    assert_eq!(after.regs, RegSpace::Architected { regs: 4, preds: 1 });
}

#[test]
fn checker_finds_a_register_with_two_numbers_and_two_with_one() {
    let before = kernel(
        "    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    add.u32 r2, r0, r1;\n",
        3,
    );
    let wrong = |body| check(&before, &kernel(body, 3)).unwrap_err();
    let merged = wrong("    mov.u32 r0, 1;\n    mov.u32 r0, 2;\n    add.u32 r2, r0, r0;\n");
    assert!(matches!(
        merged,
        RenumberError::Numbers {
            inst: 1,
            from: 1,
            to: 0,
            ..
        }
    ));
    let split = wrong("    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    add.u32 r2, r2, r1;\n");
    assert!(matches!(
        split,
        RenumberError::Numbers {
            inst: 2,
            from: 0,
            to: 2,
            ..
        }
    ));
    let other = wrong("    mov.u32 r0, 1;\n    mov.u32 r1, 3;\n    add.u32 r2, r0, r1;\n");
    assert_eq!(other, RenumberError::Differs { block: 0, inst: 1 });
    let shorter = wrong("    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n");
    assert!(matches!(shorter, RenumberError::Differs { .. }));
}

#[test]
fn checker_finds_a_pair_that_is_not_aligned() {
    let before = kernel("    mov.u64 r2:3, 1;\n", 4);
    let mut after = before.clone();
    after.blocks[0].insts[0].dsts[0] = Dst::Reg(Reg::r64(1));
    let found = check(&before, &after).unwrap_err();
    assert_eq!(
        found,
        RenumberError::Place {
            block: 0,
            inst: 0,
            to: 1
        }
    );
}

proptest! {
    #[test]
    fn any_instructions_stay_the_same_but_for_numbers(
        writes in proptest::collection::vec((0u16..12, any::<bool>()), 1..30),
    ) {
        let body: String = writes
            .iter()
            .map(|&(reg, wide)| match wide {
                true => format!("    mov.u64 r{}:{}, 1;\n", reg & !1, reg | 1),
                false => format!("    mov.u32 r{reg}, 1;\n"),
            })
            .collect();
        let before = kernel(&body, 12);
        let after = by_first_use(&before);
        prop_assert_eq!(check(&before, &after), Ok(()));
        let RegSpace::Architected { regs, .. } = after.regs else { unreachable!() };
        prop_assert!(regs <= 12);
        // Done again, nothing changes.
        prop_assert_eq!(by_first_use(&after), after);
    }
}
