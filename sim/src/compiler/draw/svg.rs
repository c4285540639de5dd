//! The map and the curve as SVG. Every coordinate is a whole number or rounded to a tenth, so that the picture is
//! the same on every machine.

use super::curve::Curve;
use super::{Mark, Row, rows};
use crate::compiler::liveness::{Liveness, Point};
use crate::kernel::Kernel;
use std::fmt::Write;

const ROW_PX: usize = 12;
const CELL_PX: usize = 8;
const TEXT_PX: usize = 340;
const MARGIN_PX: usize = 20;
const HEADER_PX: usize = 60;
const CURVE_PX: usize = 160;
const BASE_COLOR: &str = "#3b6fb6";
const EXTENDED_COLOR: &str = "#c8502e";
const REGION_COLOR: &str = "#f6e3c5";

/// Figure 3, live registers against the code, and below it Figure 1, the share of the kernel's registers that is
/// live. The curve follows `executed`, instructions in the order in which a thread ran them, or the text. With `bs`,
/// extended registers have another colour and rows that need the set a ground of their own.
pub fn svg(
    kernel: &Kernel,
    liveness: &Liveness,
    bs: Option<u16>,
    executed: Option<&[Point]>,
) -> String {
    let rows = rows(kernel, liveness, bs);
    let regs = liveness.domain().regs();
    let map_px = rows.len() * ROW_PX;
    let width = 2 * MARGIN_PX + TEXT_PX + (regs * CELL_PX).max(320) + 40;
    let height = HEADER_PX + map_px + 60 + CURVE_PX + MARGIN_PX + 20;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"10\">"
    );
    let _ = writeln!(
        out,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
    );
    let title = format!(
        "{}: {regs} registers, at most {} live",
        kernel.name,
        liveness.max_live_regs()
    );
    text(&mut out, MARGIN_PX, 24, &title, " font-size=\"14\"");
    for reg in (0..regs).step_by(4) {
        let x = MARGIN_PX + TEXT_PX + reg * CELL_PX;
        text(&mut out, x, HEADER_PX - 8, &reg.to_string(), "");
    }
    for (at, row) in rows.iter().enumerate() {
        draw_row(&mut out, row, HEADER_PX + at * ROW_PX, regs, bs);
    }
    let curve = Curve::new(kernel, liveness, executed);
    draw_curve(&mut out, &curve, bs, HEADER_PX + map_px + 50, width);
    out.push_str("</svg>\n");
    out
}

fn draw_row(out: &mut String, row: &Row, y: usize, regs: usize, bs: Option<u16>) {
    let left = MARGIN_PX + TEXT_PX;
    if row.needs_set {
        let width = TEXT_PX + regs * CELL_PX + 30;
        let _ = writeln!(
            out,
            "<rect x=\"{MARGIN_PX}\" y=\"{y}\" width=\"{width}\" height=\"{ROW_PX}\" \
             fill=\"{REGION_COLOR}\"/>"
        );
    }
    if let Some(label) = &row.label {
        let _ = writeln!(
            out,
            "<line x1=\"{MARGIN_PX}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#999\"><title>{}\
             </title></line>",
            left + regs * CELL_PX,
            escaped(label)
        );
    }
    let code: String = format!("{:4} {}", row.number, row.text)
        .chars()
        .take(54)
        .collect();
    text(out, MARGIN_PX, y + ROW_PX - 3, &code, "");
    for (reg, mark) in row.marks.iter().enumerate() {
        let (inset, opacity) = match mark {
            Mark::Dead => continue,
            Mark::Live => (2, "0.55"),
            Mark::Read | Mark::Written | Mark::Both => (0, "1"),
        };
        let extended = bs.is_some_and(|bs| reg >= usize::from(bs));
        let color = if extended { EXTENDED_COLOR } else { BASE_COLOR };
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{ROW_PX}\" fill=\"{color}\" \
             fill-opacity=\"{opacity}\"/>",
            left + reg * CELL_PX + inset,
            CELL_PX - 1 - 2 * inset
        );
    }
    let x = left + regs * CELL_PX + 8;
    text(out, x, y + ROW_PX - 3, &row.needed.to_string(), "");
}

fn draw_curve(out: &mut String, curve: &Curve, bs: Option<u16>, top: usize, width: usize) {
    let (left, right) = (MARGIN_PX + 40, width - MARGIN_PX);
    let bottom = top + CURVE_PX;
    let (count, allocated) = (curve.live.len(), curve.allocated);
    let title = format!(
        "live registers, % of {allocated}; {count} instructions {}",
        curve.order
    );
    text(out, left, top - 10, &title, "");
    for percent in [0, 25, 50, 75, 100] {
        let y = bottom - CURVE_PX * percent / 100;
        let _ = writeln!(
            out,
            "<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"#ddd\"/>"
        );
        text(out, MARGIN_PX, y + 3, &percent.to_string(), "");
    }
    let y_of = |live: usize| bottom * 10 - CURVE_PX * 10 * live / allocated;
    if let Some(bs) = bs {
        let y = y_of(usize::from(bs));
        let (whole, tenth) = (y / 10, y % 10);
        let _ = writeln!(
            out,
            "<line x1=\"{left}\" y1=\"{whole}.{tenth}\" x2=\"{right}\" y2=\"{whole}.{tenth}\" \
             stroke=\"{EXTENDED_COLOR}\" stroke-dasharray=\"4 3\"/>"
        );
    }
    let steps = count.max(2) - 1;
    let points: Vec<String> = (curve.line(right - left).into_iter())
        .map(|(at, live)| {
            let x = left * 10 + (right - left) * 10 * at / steps;
            let y = y_of(live);
            format!("{}.{},{}.{}", x / 10, x % 10, y / 10, y % 10)
        })
        .collect();
    let _ = writeln!(
        out,
        "<polyline fill=\"none\" stroke=\"{BASE_COLOR}\" points=\"{}\"/>",
        points.join(" ")
    );
    text(out, left, bottom + 14, "0", "");
    let last = count.saturating_sub(1).to_string();
    text(out, right, bottom + 14, &last, " text-anchor=\"end\"");
}

fn text(out: &mut String, x: usize, y: usize, what: &str, more: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" xml:space=\"preserve\"{more}>{}</text>",
        escaped(what)
    );
}

fn escaped(text: &str) -> String {
    (text.replace('&', "&amp;").replace('<', "&lt;"))
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
