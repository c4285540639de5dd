//! The map as text.

use super::{Mark, Row, rows};
use crate::compiler::liveness::Liveness;
use crate::kernel::Kernel;
use std::fmt::Write;

/// Columns of instruction text; longer ones are cut.
const TEXT_COLUMNS: usize = 44;

/// The map in plain text. With `bs`, a bar stands between base and extended registers, and `#` where a warp needs
/// its extended set.
pub fn terminal(kernel: &Kernel, liveness: &Liveness, bs: Option<u16>) -> String {
    draw(kernel, liveness, bs, false)
}

/// The map with ANSI colours: extended registers and rows that need the set stand out.
pub fn terminal_colored(kernel: &Kernel, liveness: &Liveness, bs: Option<u16>) -> String {
    draw(kernel, liveness, bs, true)
}

fn draw(kernel: &Kernel, liveness: &Liveness, bs: Option<u16>, color: bool) -> String {
    let regs = liveness.domain().regs();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {regs} registers, at most {} live, {:.1} on average",
        kernel.name,
        liveness.max_live_regs(),
        liveness.mean_live_regs()
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
