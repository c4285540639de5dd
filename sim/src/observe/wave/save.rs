//! What viewers need to show a waveform at once: a GTKWave save file, a Surfer command file.

use super::TIME_PER_CYCLE;
use super::layout::{Layout, Variable};
use crate::observe::probe::Radix;
use std::fmt::Write;
use vcd::VarType;

/// Warps that the views open with; the others are in the file. // assumed: what fits on a screen
const WARPS_SHOWN: usize = 8;
/// GTKWave's zoom: 2^9 units of time take 200 pixels, so eight cycles do. // assumed: numbers can be read
const GTKWAVE_ZOOM: &str = "-9.0";

/// The variables of the opening view, in order of scope.
fn opening_view(layout: &Layout) -> impl Iterator<Item = &Variable> {
    layout.variables().filter(|variable| {
        let warp = variable.scope.strip_prefix("sm.warps.warp");
        let late = warp.and_then(|number| number.parse::<usize>().ok());
        variable.shown && late.is_none_or(|number| number < WARPS_SHOWN)
    })
}

/// A GTKWave save file for the waveform `name`, opened at time `start`.
pub fn gtkwave(layout: &Layout, name: &str, start: u64) -> String {
    let mut text = String::new();
    let mut scope = "";
    let _ = writeln!(text, "[dumpfile] \"{name}\"");
    let _ = writeln!(text, "[timestart] {start}");
    // Zoom, then the marker: at the first cycle that is whole, because GTKWave hides one at the start.
    let _ = writeln!(text, "*{GTKWAVE_ZOOM} {}", start + TIME_PER_CYCLE);
    text.push_str("[treeopen] sm.\n[treeopen] sm.manager.\n");
    for variable in opening_view(layout) {
        if variable.scope != scope {
            scope = &variable.scope;
            let _ = writeln!(text, "@200\n-{scope}");
        }
        // GTKWave's display flags: right-justified, and binary, decimal or hexadecimal.
        let flags = match variable.radix {
            Radix::Bit => "28",
            Radix::Decimal => "24",
            Radix::Hexadecimal => "22",
        };
        let _ = writeln!(text, "@{flags}\n{}", variable.full_name());
    }
    text
}

/// A Surfer command file. Each `_add` makes one item of the list. Surfer shows integers in decimal by itself; buses
/// that are numbers are told to, once all are there: focusing earlier would change where the next item goes.
pub fn surfer(layout: &Layout) -> String {
    let mut text = String::new();
    let mut scope = "";
    let mut items = 0;
    let mut numbers = Vec::new();
    for variable in opening_view(layout) {
        if variable.scope != scope {
            scope = &variable.scope;
            // The name of a divider is one word, and a point ends it.
            let _ = writeln!(text, "divider_add {}", scope.replace('.', "_"));
            items += 1;
        }
        let _ = writeln!(text, "variable_add {scope}.{}", variable.name);
        if variable.radix == Radix::Decimal && variable.kind != VarType::Integer {
            numbers.push(items);
        }
        items += 1;
    }
    for &item in &numbers {
        let _ = writeln!(
            text,
            "item_focus {}\nitem_set_format Unsigned",
            item_letters(item)
        );
    }
    if !numbers.is_empty() {
        text.push_str("item_unfocus\n");
    }
    text.push_str("zoom_fit\n");
    text
}

/// How Surfer names the item at an index: hexadecimal with the digits a to p.
fn item_letters(index: usize) -> String {
    let letter = |digit: char| {
        digit
            .to_digit(16)
            .map_or(digit, |d| (b'a' + d as u8) as char)
    };
    format!("{index:x}").chars().map(letter).collect()
}
