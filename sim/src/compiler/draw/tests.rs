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
    let shown = terminal(&kernel, &liveness, None, None);
    // r0 r1 r2 r3 in the store of r1, on the side s1.
    assert_eq!(marks_of(&shown, "[64]"), ":v::");
}

#[test]
fn figure_3_draws_r1_on_one_side_only() {
    let (kernel, liveness) = figure_3();
    let shown = terminal(&kernel, &liveness, None, None);
    assert_eq!(&marks_of(&shown, "r2, r3, r0")[1..2], " ");
    assert_eq!(&marks_of(&shown, "r1, r0, 1")[1..2], "^");
}

#[test]
fn rows_above_the_base_set_are_marked() {
    let (kernel, liveness) = figure_3();
    let shown = terminal(&kernel, &liveness, Some(3), None);
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
    let plain = terminal(&kernel, &liveness, Some(2), None);
    let mut colored = terminal_colored(&kernel, &liveness, Some(2), None);
    for code in ["\x1b[31m", "\x1b[1m", "\x1b[0m"] {
        colored = colored.replace(code, "");
    }
    assert_eq!(colored, plain);
}

/// By hand: r0 lives from the first instruction to the end of the loop, r1 from the second, r2 from its addition to the
/// store.
const TURNS: &str = "
.kernel turns;
.regs architected 4, 1;
entry:
    mov.u32 r0, %tid.x;
    mov.u32 r1, 0;
body:
    add.u32 r2, r0, r1;
    st.global.u32 [64], r2;
    add.u32 r1, r1, 1;
    setp.lt.u32 p0, r1, 2;
@p0 bra body;
end:
    exit;
";

#[test]
fn curve_of_a_loop_repeats_its_live_registers_at_every_turn() {
    let kernel = text::parse(TURNS, "turns").unwrap();
    let cfg = Cfg::new(&kernel).unwrap();
    let liveness = Liveness::warp_wide(&kernel, &cfg, WarpOptions::default());
    let turn = (0..5).map(|inst| (1, inst));
    let places = [(0, 0), (0, 1)].into_iter().chain(turn.clone());
    let executed: Vec<Point> = (places.chain(turn).chain([(2, 0)]))
        .map(|(block, inst)| Point {
            block: BlockId(block),
            inst,
        })
        .collect();
    let curve = curve::Curve::new(&kernel, &liveness, Some(&executed));
    assert_eq!(curve.live, [1, 2, 3, 3, 2, 2, 2, 3, 3, 2, 2, 2, 0]);
    assert_eq!(curve.allocated, 4);
    assert_eq!(curve.columns(2), [(1, 3), (0, 3)]);
    // In the text the loop stands once.
    let text = curve::Curve::new(&kernel, &liveness, None);
    assert_eq!(text.live, [1, 2, 3, 3, 2, 2, 2, 0]);
    let shown = terminal(&kernel, &liveness, Some(2), Some(&executed));
    let rows: Vec<&str> = shown
        .lines()
        .skip_while(|l| !l.starts_with("live"))
        .collect();
    assert_eq!(
        rows[0],
        "live registers, % of 4; 13 instructions executed, 2.1 live on average (52 %)"
    );
    // Of ten rows 3 of 4 registers begin 8, 2 reach 5, 1 begins 3.
    assert_eq!(rows[3], "     |  \u{2588}\u{2588}   \u{2588}\u{2588}");
    let five = "\u{2588}".repeat(11);
    assert!(rows[6].starts_with(&format!("  50 | {five} ")), "{shown}");
    assert!(rows[6].ends_with("|Bs| = 2"), "{shown}");
    assert_eq!(rows[8], format!("     |{}", "\u{2588}".repeat(12)));
}

#[test]
fn long_curve_keeps_the_least_and_the_most_of_every_part() {
    let mut live = vec![5; 100_000];
    live[70_000] = 9;
    live[70_001] = 1;
    let curve = curve::Curve {
        live,
        allocated: 10,
        order: "executed",
    };
    assert_eq!(curve.columns(10)[7], (1, 9));
    assert_eq!(curve.columns(10)[6], (5, 5));
    let line = curve.line(100);
    assert!(line.len() <= 200, "{} points", line.len());
    assert!(line.contains(&(70_000, 9)) && line.contains(&(70_001, 1)));
    assert!(line.is_sorted());
}
