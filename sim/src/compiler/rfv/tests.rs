use super::operands::{flags, places};
use super::*;
use crate::kernel::text;
use regshare_hw::rfv::flag_decoder::pbr_registers;

const HEAD: &str =
    ".kernel k;\n.regs architected 16, 2;\n.param u64 a, offset 0, size 8, align 8;\n";

fn kernel(body: &str) -> Kernel {
    text::parse(&format!("{HEAD}{body}"), "test").expect("parses")
}

/// The flags of the instructions of a block, in order.
fn flags_of(flagged: &Flagged, label: &str) -> Vec<u8> {
    let block = (flagged.kernel.blocks.iter())
        .find(|block| block.label == label)
        .expect("is there");
    let (mut found, mut word) = (Vec::new(), 0);
    for inst in &block.insts {
        match (inst.op, &inst.srcs[..]) {
            (Op::Pir, [Operand::Imm(bits)]) => word = *bits >> 4,
            (Op::Pbr, _) => {}
            _ => {
                found.push((word & 7) as u8);
                word >>= 3;
            }
        }
    }
    found
}

/// The registers that the pbr words of a block release.
fn released_at(flagged: &Flagged, label: &str) -> Vec<u8> {
    let block = (flagged.kernel.blocks.iter())
        .find(|block| block.label == label)
        .expect("is there");
    let words = block.insts.iter().filter(|inst| inst.op == Op::Pbr);
    words
        .flat_map(|inst| match inst.srcs[..] {
            [Operand::Imm(bits)] => pbr_registers(bits).collect::<Vec<_>>(),
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn the_last_reader_has_the_flag_of_the_operand() {
    let flagged = flag(&kernel(
        "entry:\n mov.u32 r0, 1;\n mov.u32 r1, 2;\n add.u32 r2, r0, r1;\n add.u32 r3, r2, r0;\n exit;\n",
    ), 0)
    .expect("flags");
    assert_eq!(flags_of(&flagged, "entry"), [0, 0, 0b10, 0b11, 0]);
}

#[test]
fn a_register_that_is_read_and_written_keeps_its_pack() {
    let flagged = flag(
        &kernel("entry:\n mov.u32 r0, 1;\n add.u32 r0, r0, 1;\n add.u32 r1, r0, 1;\n exit;\n"),
        0,
    )
    .expect("flags");
    assert_eq!(flags_of(&flagged, "entry"), [0, 0, 1, 0]);
}

/// One side reads r1, the other r2; r3 belongs to one side alone.
#[test]
fn sides_release_only_what_is_their_own_and_the_rest_dies_where_they_meet() {
    let flagged = flag(&kernel(
        "entry:\n mov.u32 r0, %tid.x;\n mov.u32 r1, 1;\n mov.u32 r2, 2;\n setp.lt.u32 p0, r0, 9;\n@p0 bra right;\n\
         left:\n mov.u32 r3, 5;\n add.u32 r4, r1, r3;\n bra meet;\n\
         right:\n add.u32 r4, r2, 1;\n\
         meet:\n st.global.u32 [r4 + 0], r4;\n exit;\n",
    ), 0)
    .expect("flags");
    assert_eq!(flags_of(&flagged, "left"), [0, 0b10, 0]);
    assert_eq!(flags_of(&flagged, "right"), [0]);
    assert_eq!(released_at(&flagged, "meet"), [1, 2]);
    assert!(released_at(&flagged, "right").is_empty());
}

/// r1 is carried round the loop, r2 is not, r3 is only read in it.
#[test]
fn a_loop_releases_in_its_body_what_no_round_leaves_to_the_next() {
    let flagged = flag(&kernel(
        "entry:\n mov.u32 r1, 0;\n mov.u32 r3, 7;\n\
         loop:\n mov.u32 r2, %tid.x;\n add.u32 r1, r1, r2;\n add.u32 r1, r1, r3;\n setp.lt.u32 p0, r1, 99;\n@p0 bra loop;\n\
         done:\n st.global.u32 [r1 + 0], r1;\n exit;\n",
    ), 0)
    .expect("flags");
    assert_eq!(flags_of(&flagged, "loop"), [0, 0b10, 0, 0, 0]);
    assert_eq!(released_at(&flagged, "done"), [3]);
}

#[test]
fn both_halves_of_a_pair_share_the_flag_of_their_operand() {
    let kernel = kernel(
        "entry:\n mov.u64 r2:3, 1;\n mov.u64 r4:5, 2;\n add.u64 r6:7, r2:3, r4:5;\n st.global.v2.u64 [r6:7 + 0], {r2:3, r4:5};\n exit;\n",
    );
    let add = &kernel.blocks[0].insts[2];
    let at: Vec<(u16, u8, u8)> = (places(add).iter())
        .map(|l| (l.reg, l.place.step, l.place.pin))
        .collect();
    assert_eq!(
        at,
        [
            (2, 0, 0),
            (3, 1, 0),
            (4, 0, 1),
            (5, 1, 1),
            (6, 0, 3),
            (7, 1, 3)
        ]
    );
    assert_eq!(flags(add, |reg| reg == 2), 0);
    assert_eq!(flags(add, |reg| reg < 4), 1);
    // The values of a vector are one operand of four registers.
    let store = &kernel.blocks[0].insts[3];
    let steps: Vec<u8> = places(store).iter().map(|l| l.place.step).collect();
    assert_eq!(steps, [0, 1, 0, 1, 2, 3]);
    assert_eq!(flags(store, |_| true), 0b11);
    assert_eq!(flags(store, |reg| reg != 5), 0b01);
}

#[test]
fn a_register_that_comes_again_in_a_later_step_has_no_flag() {
    let kernel = kernel("entry:\n st.global.v2.u32 [r0:1 + 0], {r1, r4};\n exit;\n");
    assert_eq!(flags(&kernel.blocks[0].insts[0], |_| true), 0);
}

#[test]
fn a_pir_covers_eighteen_instructions_and_a_pbr_nine_registers() {
    let mut body = "entry:\n mov.u32 r0, %tid.x;\n setp.lt.u32 p0, r0, 9;\n".to_owned();
    for reg in 1..12 {
        body += &format!(" mov.u32 r{reg}, {reg};\n");
    }
    body += "@p0 bra meet;\nleft:\n";
    for reg in 1..12 {
        body += &format!(" add.u32 r12, r{reg}, 1;\n st.global.u32 [r12 + 0], r12;\n");
    }
    body += "meet:\n exit;\n";
    let flagged = flag(&kernel(&body), 0).expect("flags");
    assert_eq!(released_at(&flagged, "meet"), (1..12).collect::<Vec<u8>>());
    // 14, 22 and 1 instructions; eleven registers.
    assert_eq!((flagged.insts, flagged.pirs, flagged.pbrs), (37, 4, 2));
    assert_eq!(flagged.static_increase(), 6.0 / 37.0);
}

/// Branches of a trace that was lifted are none of its instructions: no pir is there for them alone, and none counts.
#[test]
fn free_branches_have_no_pir_and_do_not_count() {
    let traced = " traced.int {r0}, r1;\n".repeat(18);
    let body = format!("entry:\n{traced}@p0 bra end;\nnext:\n bra end;\nend:\n exit;\n");
    let flagged = flag(&kernel(&body), 0).expect("flags");
    // What nobody reads dies at the meeting point, and again before the exit.
    assert_eq!((flagged.insts, flagged.pirs, flagged.pbrs), (19, 2, 2));
    let pirs = |label: &str| {
        let mut blocks = flagged.kernel.blocks.iter();
        let block = blocks.find(|block| block.label == label).expect("is there");
        block.insts.iter().filter(|inst| inst.op == Op::Pir).count()
    };
    assert_eq!(["entry", "next", "end"].map(pirs), [1, 0, 1]);
    assert_eq!(insts_of(&flagged.kernel), 19);
    // Of a kernel that is no trace they are instructions like others.
    let plain = body.replace("traced.int {r0}, r1", "mov.u32 r0, r1");
    let flagged = flag(&kernel(&plain), 0).expect("flags");
    assert_eq!((flagged.insts, flagged.pirs), (21, 4));
}

#[test]
fn what_is_mapped_is_counted_by_bank() {
    let flagged = flag(&kernel(
        "entry:\n mov.u32 r0, 1;\n mov.u32 r4, 1;\n add.u32 r8, r0, r4;\n add.u32 r1, r8, 1;\n st.global.u32 [r1 + 0], r1;\n exit;\n",
    ), 0)
    .expect("flags");
    assert_eq!(flagged.most_mapped, [3, 1, 0, 0]);
    assert_eq!(flagged.most_mapped_in_all, 3);
    // 1, 2, 3, 2, 1 and none at the exit.
    assert_eq!(flagged.mean_mapped, 9.0 / 6.0);
}

/// Whether the exit of a block is marked.
fn is_marked(flagged: &Flagged, label: &str) -> bool {
    let mut blocks = flagged.kernel.blocks.iter();
    let block = blocks.find(|block| block.label == label).expect("is there");
    let mut marks = block.insts.iter().filter_map(Inst::exit_marks);
    marks.next().expect("has an exit") & MAPS_NOTHING != 0
}

#[test]
fn exits_are_marked_behind_which_nothing_is_mapped() {
    let of = |body: &str, exempt| flag(&kernel(body), exempt).expect("flags");
    let clean = "entry:\n mov.u32 r0, 1;\n st.global.u32 [r0 + 0], r0;\n exit;\n";
    assert!(is_marked(&of(clean, 0), "entry"));
    assert!(released_at(&of(clean, 0), "entry").is_empty());
    // A pbr before the exit gives back r1, which is never read; one that is exempt is not in the table.
    let never_read =
        "entry:\n mov.u32 r0, 1;\n mov.u32 r1, 2;\n st.global.u32 [r0 + 0], r0;\n exit 1;\n";
    let flagged = of(never_read, 0);
    assert!(is_marked(&flagged, "entry"));
    assert_eq!(released_at(&flagged, "entry"), [1]);
    let ends: Vec<Op> = flagged.kernel.blocks[0].insts[4..]
        .iter()
        .map(|i| i.op)
        .collect();
    assert_eq!(ends, [Op::Pbr, Op::Exit]);
    assert_eq!(flagged.kernel.blocks[0].insts[5].exit_marks(), Some(3));
    let flagged = of(
        &never_read
            .replace("r1", "r2")
            .replace("r0", "r1")
            .replace("r2", "r0"),
        1,
    );
    assert!(is_marked(&flagged, "entry"));
    assert!(released_at(&flagged, "entry").is_empty());
    // Ten are more than a word can name.
    let many: String = (0..10)
        .map(|reg| format!(" mov.u32 r{reg}, 1;\n"))
        .collect();
    let flagged = of(&format!("entry:\n{many} exit;\n"), 0);
    assert!(!is_marked(&flagged, "entry"));
    assert_eq!(flagged.pbrs, 0);
}

/// Where an exit ends only some lanes, or one side of a branch, what the others read is mapped.
#[test]
fn exits_of_some_lanes_are_not_marked_while_others_read() {
    let of = |body: &str| flag(&kernel(body), 0).expect("flags");
    let early = "entry:\n mov.u32 r2, %tid.x;\n setp.lt.u32 p0, r2, 9;\n@p0 exit;\n\
         rest:\n st.global.u32 [r2 + 0], r2;\n exit;\n";
    let flagged = of(early);
    assert!(!is_marked(&flagged, "entry") && is_marked(&flagged, "rest"));
    assert_eq!(flagged.pbrs, 0);
    // Either side may come last, with what the other leaves.
    let sides = "entry:\n mov.u32 r2, %tid.x;\n setp.lt.u32 p0, r2, 9;\n@p0 bra right;\n\
         left:\n mov.u32 r3, 1;\n exit;\nright:\n st.global.u32 [r2 + 0], r2;\n exit;\n";
    let flagged = of(sides);
    assert!(!is_marked(&flagged, "left") && !is_marked(&flagged, "right"));
    // All lanes of a side may leave in the middle of it, with r3 mapped; those of the other go on with that.
    let sides = |exit: &str| {
        format!(
            "entry:\n mov.u32 r2, %tid.x;\n setp.lt.u32 p0, r2, 9;\n setp.lt.u32 p1, r2, 5;\n@p0 bra right;\n\
             left:\n mov.u32 r3, 1;\n{exit} add.u32 r4, r3, 1;\n st.global.u32 [r4 + 0], r4;\n bra meet;\n\
             right:\n mov.u32 r5, 1;\n st.global.u32 [r5 + 0], r5;\n bra meet;\nmeet:\n mov.u32 r6, 1;\n exit;\n"
        )
    };
    assert_eq!(released_at(&of(&sides("")), "meet"), [6]);
    let flagged = of(&sides("@p1 exit;\n"));
    assert_eq!(released_at(&flagged, "meet"), [3, 6]);
    assert!(is_marked(&flagged, "meet") && !is_marked(&flagged, "left"));
}

/// Lanes that a trace has parted take turns as they like: at its exits everything is released that may be mapped anywhere.
#[test]
fn of_a_trace_an_exit_releases_all_that_is_ever_written() {
    let body =
        "entry:\n traced.int {r0}, r1;\n traced.int {r2}, r0;\n traced.int {}, r2;\n exit;\n";
    let flagged = flag(&kernel(body), 0).expect("flags");
    assert_eq!(released_at(&flagged, "entry"), [0, 2]);
    assert!(is_marked(&flagged, "entry"));
}

#[test]
fn too_many_registers_are_refused_with_the_cure() {
    let many = text::parse(
        ".kernel k;\n.regs architected 64, 0;\nentry:\n mov.u32 r63, 1;\n exit;\n",
        "test",
    );
    let error = flag(&many.expect("parses"), 0).expect_err("refuses");
    assert_eq!(error, FlagError::Registers(64));
    assert!(error.to_string().contains("--max-regs 63"));
}

#[test]
fn the_words_survive_the_text_form() {
    let flagged = flag(
        &kernel("entry:\n mov.u32 r0, 1;\n add.u32 r1, r0, 1;\n exit;\n"),
        0,
    );
    let kernel = flagged.expect("flags").kernel;
    assert_eq!(
        text::parse(&text::print(&kernel), "test").expect("parses"),
        kernel
    );
}
