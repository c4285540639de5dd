//! A timing diagram as SVG: the liveliest cycles of the unit's vectors.

use crate::recording::{Recording, Row};
use regshare_hw::clocked::PinDef;
use std::cmp::Reverse;
use std::fmt::Write;

/// Cycles shown.
const CYCLES: usize = 14;
/// Sizes in pixels.
const NAME_WIDTH: usize = 150;
const CYCLE_WIDTH: usize = 52;
const LANE_HEIGHT: usize = 26;
const LEVEL: usize = 14;
const SLANT: usize = 3;

/// One pin over time.
struct Lane {
    name: &'static str,
    class: &'static str,
    /// Path data, its base line at y = 0.
    path: String,
    /// Values on a bus: middle in pixels, text.
    labels: Vec<(usize, String)>,
}

/// Draws the pins over some cycles of the vectors. Each row is one cycle; without a rising edge the clock stays low.
pub(super) fn diagram(name: &str, clocked: bool, recording: &Recording) -> String {
    let rows = liveliest(&recording.rows);
    let mut lanes = Vec::new();
    if clocked {
        lanes.push(clock(rows));
    }
    for (at, pin) in recording.inputs.iter().enumerate() {
        let values: Vec<_> = rows.iter().map(|row| row.inputs[at]).collect();
        lanes.push(lane(pin, "in", &values));
    }
    for (at, pin) in recording.outputs.iter().enumerate() {
        let values: Vec<_> = rows.iter().map(|row| row.outputs[at]).collect();
        lanes.push(lane(pin, "out", &values));
    }
    draw(name, rows.len(), &lanes)
}

/// The stretch of [`CYCLES`] rows whose outputs change most often; of equals the first.
fn liveliest(rows: &[Row]) -> &[Row] {
    let changes = |stretch: &[Row]| -> usize {
        let differ = |(a, b): (&Row, &Row)| {
            let outputs = a.outputs.iter().zip(&b.outputs);
            outputs.filter(|(a, b)| a != b).count()
        };
        stretch.iter().zip(&stretch[1..]).map(differ).sum()
    };
    let stretches = rows.windows(CYCLES.min(rows.len()).max(1)).enumerate();
    let best = stretches.max_by_key(|(at, stretch)| (changes(stretch), Reverse(*at)));
    best.map_or(rows, |(_, stretch)| stretch)
}

/// Left end of a cycle in pixels.
fn left(cycle: usize) -> usize {
    NAME_WIDTH + CYCLE_WIDTH * cycle
}

/// Low, then high in the second half of every cycle that ends in a rising edge: inputs settle before it.
fn clock(rows: &[Row]) -> Lane {
    let mut path = format!("M{} 0", left(0));
    for (cycle, row) in rows.iter().enumerate() {
        let (rise, fall) = (left(cycle) + CYCLE_WIDTH / 2, left(cycle + 1));
        if row.edge {
            let _ = write!(path, "H{rise}V-{LEVEL}H{fall}V0");
        } else {
            let _ = write!(path, "H{fall}");
        }
    }
    Lane {
        name: "clock",
        class: "in",
        path,
        labels: Vec::new(),
    }
}

fn lane(pin: &PinDef, class: &'static str, values: &[u64]) -> Lane {
    let (mut path, mut labels) = (String::new(), Vec::new());
    let mut cycle = 0;
    while cycle < values.len() {
        let value = values[cycle];
        let same = values[cycle..].iter().take_while(|v| **v == value).count();
        let (from, to) = (left(cycle), left(cycle + same));
        if pin.width_bits == 1 {
            let level = if value == 1 { LEVEL } else { 0 };
            let start = if cycle == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{start}{from} -{level}H{to}");
        } else {
            let (low, high, middle) = (from + SLANT, to - SLANT, LEVEL / 2);
            let _ = write!(
                path,
                "M{from} -{middle}L{low} -{LEVEL}H{high}L{to} -{middle}L{high} 0H{low}Z"
            );
            labels.push(((from + to) / 2, short(value, to - from)));
        }
        cycle += same;
    }
    Lane {
        name: pin.name,
        class,
        path,
        labels,
    }
}

/// The value in hexadecimal, its upper digits cut where it does not fit into `width` pixels.
fn short(value: u64, width: usize) -> String {
    let digits = format!("{value:x}");
    let fits = (width - 2 * SLANT) / 7;
    match digits.len().checked_sub(fits) {
        None | Some(0) => digits,
        Some(cut) => format!("..{}", &digits[(cut + 2).min(digits.len())..]),
    }
}

fn draw(name: &str, cycles: usize, lanes: &[Lane]) -> String {
    let (width, height) = (left(cycles) + 10, LANE_HEIGHT * lanes.len() + 34);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>{name}: the liveliest cycles of its vectors</title>\n\
         <style>path{{fill:none}}.in{{stroke:#1d3557}}.out{{stroke:#b5179e}}.grid{{stroke:#ddd}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for cycle in 0..=cycles {
        let (x, end) = (left(cycle), height - 22);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x} 6V{end}\"/>");
    }
    for (at, lane) in lanes.iter().enumerate() {
        let base = LANE_HEIGHT * (at + 1);
        let Lane {
            name, class, path, ..
        } = lane;
        let _ = write!(
            svg,
            "<g transform=\"translate(0 {base})\"><text x=\"{}\" y=\"-3\" text-anchor=\"end\">{name}</text>\
             <path class=\"{class}\" d=\"{path}\"/>",
            NAME_WIDTH - 8
        );
        for (middle, text) in &lane.labels {
            let _ = write!(
                svg,
                "<text x=\"{middle}\" y=\"-3\" text-anchor=\"middle\">{text}</text>"
            );
        }
        svg.push_str("</g>\n");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{NAME_WIDTH}\" y=\"{}\">buses in hexadecimal; inputs blue; outputs, as before the edge, \
         purple</text>",
        height - 8
    );
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(output: u64) -> Row {
        Row {
            inputs: vec![0],
            outputs: vec![output],
            edge: true,
        }
    }

    #[test]
    fn stretch_with_most_changes_is_shown() {
        let rows: Vec<_> = (0..60).map(|n| row(if n < 30 { 0 } else { n })).collect();
        let shown = liveliest(&rows);
        assert_eq!((shown.len(), shown[0].outputs[0]), (CYCLES, 0));
        assert_eq!(
            shown[1].outputs[0], 30,
            "the first of the stretches with 13 changes"
        );
    }

    #[test]
    fn bus_holds_one_box_per_value_and_a_bit_its_levels() {
        let bus = PinDef {
            name: "bus",
            width_bits: 8,
        };
        let drawn = lane(&bus, "in", &[0xab, 0xab, 3]);
        assert_eq!(
            drawn
                .labels
                .iter()
                .map(|l| l.1.as_str())
                .collect::<Vec<_>>(),
            ["ab", "3"]
        );
        let bit = PinDef {
            name: "bit",
            width_bits: 1,
        };
        assert_eq!(lane(&bit, "in", &[0, 1]).path, "M150 -0H202L202 -14H254");
    }

    #[test]
    fn value_too_long_for_its_box_keeps_its_lower_digits() {
        assert_eq!(
            short(0x1234_5678_9abc, 52),
            "..89abc"[..].replace("..8", "..")
        );
    }
}
