//! What viewers need to show a waveform at once: a GTKWave save file, a Surfer command file.

use super::layout::{Layout, Variable};
use crate::observe::probe::Radix;
use std::fmt::Write;

/// Warps that the views open with; the others are in the file. // assumed: what fits on a screen
const WARPS_SHOWN: usize = 8;

/// The variables of the opening view, in order of scope.
fn opening_view(layout: &Layout) -> impl Iterator<Item = &Variable> {
    layout.variables().filter(|variable| {
        let warp = variable.scope.strip_prefix("sm.warps.warp");
        let late = warp.and_then(|number| number.parse::<usize>().ok());
        variable.shown && late.is_none_or(|number| number < WARPS_SHOWN)
    })
}

/// A GTKWave save file for the waveform `name`, with the marker at time `marker`.
pub fn gtkwave(layout: &Layout, name: &str, marker: u64) -> String {
    let mut text = String::new();
    let mut scope = "";
    let _ = writeln!(text, "[dumpfile] \"{name}\"");
    let _ = writeln!(text, "[timestart] {marker}");
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

/// A Surfer command file. Surfer shows integer variables in decimal by itself.
pub fn surfer(layout: &Layout) -> String {
    let mut text = String::new();
    let mut scope = "";
    for variable in opening_view(layout) {
        if variable.scope != scope {
            scope = &variable.scope;
            let _ = writeln!(text, "divider_add {scope}");
        }
        let _ = writeln!(text, "variable_add {scope}.{}", variable.name);
    }
    text.push_str("zoom_fit\n");
    text
}
