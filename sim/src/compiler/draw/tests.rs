use super::*;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::{Point, WarpOptions};

/// Figure 3 in small: r1 lives within one side only; r2 is written on the other and read behind; r3 is read on the
/// other side only.
const FIGURE_3: &str = "
.kernel figure3;
.regs architected 4, 1;
entry:
    mov.u32 r0, %tid.x;
    mov.u32 r3, 7;
    setp.lt.u32 p0, r0, 5;
@p0 bra s2;
s1:
    add.u32 r1, r0, 1;
    st.global.u32 [64], r1;
    mov.u32 r2, 1;
    bra join;
s2:
    add.u32 r2, r3, r0;
join:
    st.global.u32 [128], r2;
    exit;
";

fn figure_3() -> (Kernel, Liveness) {
    let kernel = text::parse(FIGURE_3, "figure3").unwrap();
    let cfg = Cfg::new(&kernel).unwrap();
    let liveness = Liveness::warp_wide(&kernel, &cfg, WarpOptions::default());
    (kernel, liveness)
}

fn marks_of(shown: &str, text: &str) -> String {
    let line = shown.lines().find(|line| line.contains(text)).unwrap();
    line.chars().skip(51).take(4).collect()
}

#[test]
fn figure_3_draws_r3_through_the_side_that_does_not_read_it() {
    let (kernel, liveness) = figure_3();
    let shown = terminal(&kernel, &liveness, None);
    // r0 r1 r2 r3 in the store of r1, on the side s1.
    assert_eq!(marks_of(&shown, "[64]"), ":v::");
}

#[test]
fn figure_3_draws_r1_on_one_side_only() {
    let (kernel, liveness) = figure_3();
    let shown = terminal(&kernel, &liveness, None);
    assert_eq!(&marks_of(&shown, "r2, r3, r0")[1..2], " ");
    assert_eq!(&marks_of(&shown, "r1, r0, 1")[1..2], "^");
}

#[test]
fn rows_above_the_base_set_are_marked() {
    let (kernel, liveness) = figure_3();
    let shown = terminal(&kernel, &liveness, Some(3));
    let marked: Vec<_> = shown.lines().filter(|line| line.ends_with('#')).collect();
    assert_eq!(marked.len(), 2, "{shown}");
    assert!(shown.contains("012|3"), "{shown}");
}

#[test]
fn svg_has_a_cell_per_live_register_and_a_point_per_instruction() {
    let (kernel, liveness) = figure_3();
    let picture = svg(&kernel, &liveness, None, None);
    let cells = picture.matches("fill-opacity").count();
    let live: usize = (rows(&kernel, &liveness, None).iter())
        .map(|row| row.marks.iter().filter(|m| **m != Mark::Dead).count())
        .sum();
    assert_eq!(cells, live);
    let points = picture.split("points=\"").nth(1).unwrap();
    let points = points.split('"').next().unwrap().split(' ').count();
    assert_eq!(points, 11);
    assert!(!picture.contains("<bra"), "text is escaped");
}

#[test]
fn curve_follows_the_executed_instructions() {
    let (kernel, liveness) = figure_3();
    let executed = [Point {
        block: BlockId(0),
        inst: 0,
    }; 5];
    let picture = svg(&kernel, &liveness, Some(3), Some(&executed));
    let points = picture.split("points=\"").nth(1).unwrap();
    assert_eq!(points.split('"').next().unwrap().split(' ').count(), 5);
    assert!(picture.contains("instructions executed"));
}

#[test]
fn colour_changes_no_letter() {
    let (kernel, liveness) = figure_3();
    let plain = terminal(&kernel, &liveness, Some(2));
    let mut colored = terminal_colored(&kernel, &liveness, Some(2));
    for code in ["\x1b[31m", "\x1b[1m", "\x1b[0m"] {
        colored = colored.replace(code, "");
    }
    assert_eq!(colored, plain);
}
