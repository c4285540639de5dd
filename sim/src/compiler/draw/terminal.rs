//! Map and curve as text.

use super::curve::Curve;
use super::{Mark, Row, rows};
use crate::compiler::liveness::{Liveness, Point};
use crate::kernel::Kernel;
use std::fmt::Write;

/// Columns of instruction text; longer ones are cut.
const TEXT_COLUMNS: usize = 44;
/// Size of the curve, characters. // assumed: fits a terminal of 80 columns
const CURVE_COLUMNS: usize = 72;
const CURVE_ROWS: usize = 10;

/// Map and curve in plain text. With `bs`, a bar stands between base and extended registers, and `#` where a warp
/// needs its extended set. The curve follows `executed`, instructions in the order in which a thread ran them, or the
/// text.
pub fn terminal(
    kernel: &Kernel,
    liveness: &Liveness,
    bs: Option<u16>,
    executed: Option<&[Point]>,
) -> String {
    draw(kernel, liveness, bs, executed, false)
}

/// Map and curve with ANSI colours: extended registers and rows that need the set stand out.
pub fn terminal_colored(
    kernel: &Kernel,
    liveness: &Liveness,
    bs: Option<u16>,
    executed: Option<&[Point]>,
) -> String {
    draw(kernel, liveness, bs, executed, true)
}

fn draw(
    kernel: &Kernel,
    liveness: &Liveness,
    bs: Option<u16>,
    executed: Option<&[Point]>,
    color: bool,
) -> String {
    let regs = liveness.domain().regs();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {regs} registers, at most {} live, {:.1} on average",
        kernel.name,
        liveness.max_live_regs(),
        Curve::new(kernel, liveness, None).mean()
    );
    let split = bs.map(usize::from).filter(|bs| *bs < regs);
    for digit in [100, 10, 1] {
        if digit == 1 || regs > digit {
            let _ = write!(out, "{:width$}", "", width = TEXT_COLUMNS + 7);
            for reg in 0..regs {
                bar(&mut out, split, reg);
                let shown = digit == 1 || (reg >= digit && reg % 10 == 0);
                let mark = if shown {
                    (b'0' + (reg / digit % 10) as u8) as char
                } else {
                    ' '
                };
                out.push(mark);
            }
            let _ = writeln!(out, "{}", if digit == 1 { "  live" } else { "" });
        }
    }
    for row in rows(kernel, liveness, bs) {
        if let Some(label) = &row.label {
            let _ = writeln!(out, "{label}:");
        }
        draw_row(&mut out, &row, split, color);
    }
    draw_curve(&mut out, &Curve::new(kernel, liveness, executed), bs, color);
    // Trailing blanks depend on nothing that a reader sees.
    out.lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

fn draw_row(out: &mut String, row: &Row, split: Option<usize>, color: bool) {
    let mut text: String = row.text.chars().take(TEXT_COLUMNS).collect();
    if row.text.chars().count() > TEXT_COLUMNS {
        text.pop();
        text.push('~');
    }
    let _ = write!(out, "{:5} {text:TEXT_COLUMNS$} ", row.number);
    for (reg, mark) in row.marks.iter().enumerate() {
        bar(out, split, reg);
        let shown = match mark {
            Mark::Dead => ' ',
            Mark::Live => ':',
            Mark::Read => 'v',
            Mark::Written => '^',
            Mark::Both => 'x',
        };
        let extended = split.is_some_and(|bs| reg >= bs);
        if color && extended && shown != ' ' {
            let _ = write!(out, "\x1b[31m{shown}\x1b[0m");
        } else {
            out.push(shown);
        }
    }
    let held = if row.needs_set { " #" } else { "" };
    if color && row.needs_set {
        let _ = writeln!(out, "  \x1b[1m{:4}{held}\x1b[0m", row.needed);
    } else {
        let _ = writeln!(out, "  {:4}{held}", row.needed);
    }
}

/// The bar between base and extended registers.
fn bar(out: &mut String, split: Option<usize>, reg: usize) {
    if split == Some(reg) {
        out.push('|');
    }
}

/// Rows of ten percent each; a cell is full where all instructions of its column reach it, light where some do.
fn draw_curve(out: &mut String, curve: &Curve, bs: Option<u16>, color: bool) {
    let (count, allocated) = (curve.live.len(), curve.allocated);
    let _ = writeln!(
        out,
        "\nlive registers, % of {allocated}; {count} instructions {}, {:.1} live on average ({:.0} %)",
        curve.order,
        curve.mean(),
        100.0 * curve.mean() / allocated as f64
    );
    let columns = curve.columns(CURVE_COLUMNS);
    // Rows that `live` registers reach; one that is only begun counts.
    let height = |live: usize| (live * CURVE_ROWS).div_ceil(allocated);
    let base = bs.map(usize::from).filter(|bs| *bs < allocated);
    for row in (1..=CURVE_ROWS).rev() {
        let label = match row * 100 / CURVE_ROWS {
            percent if percent % 50 == 0 => format!("{percent:4}"),
            _ => String::new(),
        };
        let _ = write!(out, "{label:4} |");
        for (least, most) in &columns {
            let cell = match (row <= height(*least), row <= height(*most)) {
                (true, _) => '\u{2588}',
                (_, true) => '\u{2591}',
                _ => ' ',
            };
            if color && cell != ' ' && base.is_some_and(|bs| row > height(bs)) {
                let _ = write!(out, "\x1b[31m{cell}\x1b[0m");
            } else {
                out.push(cell);
            }
        }
        match base {
            Some(bs) if row == height(bs) => {
                let rest = CURVE_COLUMNS - columns.len();
                let _ = writeln!(out, "{:rest$} |Bs| = {bs}", "");
            }
            _ => out.push('\n'),
        }
    }
    let last = count.saturating_sub(1).to_string();
    let _ = writeln!(out, "   0 +{}", "-".repeat(columns.len()));
    let _ = writeln!(
        out,
        "      0{last:>width$}",
        width = columns.len().max(2) - 1
    );
}
