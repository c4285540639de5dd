use super::*;
use crate::compiler::regdem::checker::Violation;
use crate::kernel::text;
use crate::kernel::{Dst, Operand};
use crate::testing::{GenOptions, generate};

fn kernel(body: &str, regs: u16) -> Kernel {
    let text = format!(".kernel k;\n.regs architected {regs}, 2;\nentry:\n{body}    exit;\n");
    text::parse(&text, "k").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn respilled(kernel: &Kernel, max_regs: u16) -> (Respilled, String) {
    let done = respill(kernel, max_regs).unwrap_or_else(|error| panic!("{error}"));
    let printed = text::print(&done.kernel);
    checker::check(kernel, &done).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert!(done.report.regs <= max_regs, "{printed}");
    (done, printed)
}

/// Six values of which four are live at once, in six registers: nothing need be spilled.
#[test]
fn values_that_are_apart_share_a_register() {
    let body = "    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    add.u32 r2, r0, r1;\n    add.u32 r3, r2, r1;\n    add.u32 r4, r3, r2;\n    add.u32 r5, r4, r3;\n    st.global.u32 [8], r5;\n";
    let (done, printed) = respilled(&kernel(body, 6), 2);
    assert_eq!(done.report.spill_loads, 0, "{printed}");
    assert_eq!(done.report.regs, 2);
}

/// The same register has two values of which one is long: each gets what it needs.
#[test]
fn only_the_value_that_does_not_fit_is_spilled() {
    let body = "    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    mov.u32 r2, 3;\n    add.u32 r1, r1, r2;\n    st.global.u32 [8], r1;\n    st.global.u32 [12], r0;\n    mov.u32 r0, 5;\n    st.global.u32 [16], r0;\n";
    let (done, printed) = respilled(&kernel(body, 3), 2);
    assert_eq!(
        (done.report.spill_stores, done.report.spill_loads),
        (1, 1),
        "{printed}"
    );
    assert_eq!(done.report.spilled_bytes, 4);
}

/// A pair is written half by half, and read so, while others need its registers. Of the first store the other half holds nothing yet.
#[test]
fn of_a_spilled_pair_only_the_half_in_question_is_moved() {
    let body = "    mov.u32 r0, 1;\n    mov.u32 r2, 3;\n    mov.u32 r3, 4;\n    add.u32 r2, r2, r3;\n    mov.u32 r1, 2;\n    mov.u32 r4, 5;\n    add.u32 r4, r4, r2;\n    mul.lo.u32 r4, r4, r2;\n    st.global.u32 [24], r4;\n    st.global.u32 [28], r2;\n    add.u32 r3, r1, r3;\n    st.global.u32 [20], r3;\n    st.global.u64 [8], r0:1;\n";
    let (done, printed) = respilled(&kernel(body, 6), 3);
    let accesses: Vec<&str> = (printed.lines().filter(|line| line.contains(".local.")))
        .filter_map(|line| line.trim().split(';').next())
        .filter(|access| !access.contains("[0 + 8]"))
        .collect();
    let expected = [
        "st.local.b32 [0], r0",
        "st.local.b32 [0 + 4], r1",
        "ld.local.b32 r1, [0 + 4]",
        "ld.local.b64 r0:1, [0]",
    ];
    assert_eq!(accesses, expected, "{printed}");
    assert_eq!(done.report.spilled_bytes, 12, "{printed}");
}

#[test]
fn a_cap_below_one_instruction_is_refused() {
    let body = "    mov.u64 r2:3, 1;\n    mov.u64 r4:5, 2;\n    add.u64 r0:1, r2:3, r4:5;\n    st.global.u64 [8], r0:1;\n";
    let error = respill(&kernel(body, 6), 3).unwrap_err();
    assert!(matches!(error, AllocError::CapTooSmall { .. }), "{error}");
}

#[test]
fn what_names_registers_in_words_of_its_own_is_refused() {
    for inst in ["acquire", "release"] {
        let body = format!("    {inst};\n    mov.u32 r0, 1;\n    st.global.u32 [8], r0;\n");
        let error = respill(&kernel(&body, 3), 2).unwrap_err();
        assert!(matches!(error, AllocError::NotVirtual(_)), "{error}");
    }
}

/// Compiled, and respilled to three quarters, half and the least: proved, and the same results.
#[test]
fn generated_kernels_compute_the_same_with_fewer_registers() {
    let mut spilled = 0;
    for seed in 0..80 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let allocated = allocate(&generated.kernel, &AllocOptions::default()).unwrap();
        let expected = generated.run(&generated.kernel).unwrap();
        let regs = allocated.report.regs;
        for cap in [regs * 3 / 4, regs / 2, 10] {
            let done = match respill(&allocated.kernel, cap) {
                Ok(done) => done,
                Err(AllocError::CapTooSmall { .. }) => continue,
                Err(error) => panic!("seed {seed}, {cap}: {error}"),
            };
            checker::check(&allocated.kernel, &done)
                .unwrap_or_else(|error| panic!("seed {seed}, {cap}: {error}"));
            assert!(done.report.regs <= cap, "seed {seed}");
            let result = generated
                .run(&done.kernel)
                .unwrap_or_else(|error| panic!("seed {seed}, {cap}: {error}"));
            assert_eq!(
                expected.first_difference(&result),
                None,
                "seed {seed}, {cap}"
            );
            spilled += u32::from(done.report.spill_loads > 0);
        }
    }
    assert!(spilled > 100, "{spilled}");
}

/// What has registers enough needs about as many as the compiler gave it.
#[test]
fn values_are_no_more_than_they_were() {
    let (mut before, mut after) = (0u32, 0u32);
    for seed in 0..60 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let allocated = allocate(&generated.kernel, &AllocOptions::default()).unwrap();
        let done = respill(&allocated.kernel, 255).unwrap();
        assert_eq!(done.report.spill_loads, 0, "seed {seed}");
        before += u32::from(allocated.report.regs);
        after += u32::from(done.report.regs);
    }
    assert!(
        after * 100 <= before * 101,
        "{after} registers for {before}"
    );
}

/// Damage of each kind to a right result.
#[test]
fn the_checker_finds_what_is_wrong() {
    let body = "    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    mov.u32 r2, 3;\n    mov.u32 r3, 3;\n    add.u32 r2, r1, r2;\n    add.u32 r2, r2, r3;\n    st.global.u32 [8], r2;\n    st.global.u32 [12], r0;\n    st.global.u32 [16], r1;\n    st.global.u32 [20], r3;\n";
    let kernel = kernel(body, 4);
    let right = respilled(&kernel, 2).0;
    let inserted = |wanted: fn(&Op) -> bool| {
        let all = right.kernel.blocks[0].insts.iter().zip(&right.origins[0]);
        let mut found = all
            .enumerate()
            .filter(|(_, (inst, origin))| **origin == Origin::Inserted && wanted(&inst.op));
        found.next().map(|(at, _)| at).expect("there is one")
    };
    let (load, store) = (
        inserted(|op| matches!(op, Op::Ld(_))),
        inserted(|op| matches!(op, Op::St(_))),
    );
    let damaged = |damage: &dyn Fn(&mut Respilled)| {
        let mut wrong = right.clone();
        damage(&mut wrong);
        let error = checker::check(&kernel, &wrong).expect_err("the checker sees it");
        error.violation
    };
    let without = |at: usize| {
        damaged(&|wrong| {
            wrong.kernel.blocks[0].insts.remove(at);
            wrong.origins[0].remove(at);
        })
    };
    assert!(matches!(without(load), Violation::WrongValue { .. }));
    assert!(matches!(without(store), Violation::WrongValue { .. }));
    let moved = |at: usize, by: i64| {
        damaged(&|wrong| {
            if let Op::Ld(mem) | Op::St(mem) = &mut wrong.kernel.blocks[0].insts[at].op {
                mem.offset += by;
            }
        })
    };
    assert!(matches!(moved(load, 4), Violation::WrongValue { .. }));
    assert!(matches!(
        moved(load, 1 << 10),
        Violation::Outside { offset: 1024.. }
    ));
    assert!(matches!(moved(store, -64), Violation::Outside { .. }));
    assert!(matches!(moved(store, 2), Violation::Outside { .. }));
    let other_register = damaged(&|wrong| {
        for src in &mut wrong.kernel.blocks[0].insts[store].srcs {
            if let Operand::Reg(reg) = src {
                reg.index ^= 1;
            }
        }
    });
    assert!(matches!(other_register, Violation::WrongValue { .. }));
    let beyond = damaged(&|wrong| {
        if let Some(Dst::Reg(reg)) = wrong.kernel.blocks[0].insts[load].dsts.first_mut() {
            reg.index = 2;
        }
    });
    assert_eq!(beyond, Violation::Register { reg: 2 });
    let twice = damaged(&|wrong| {
        let inst = wrong.kernel.blocks[0].insts[0].clone();
        wrong.kernel.blocks[0].insts.insert(0, inst);
        wrong.origins[0].insert(0, Origin::Inst(0));
    });
    assert!(matches!(twice, Violation::Shape(_)));
}
