//! The stall table of a run on the terminal: scheduler slots by instruction beside its source line, or by warp.

use super::table::{percent, plain, right_align};
use crate::args::StallsBy;
use regshare_sim::observe::cause::Cause;
use regshare_sim::report::StallRecord;
use std::collections::BTreeMap;

/// Longest text of a line that is shown. // assumed: the table fits a wide terminal
const LONGEST: usize = 48;

type Slots = BTreeMap<String, u64>;

/// The causes to which any of the rows puts slots down.
fn causes<'a>(rows: impl Iterator<Item = &'a Slots> + Clone) -> Vec<&'static str> {
    let has = |slots: &Slots, name: &str| slots.get(name).is_some_and(|&slots| slots > 0);
    (Cause::ALL.iter().map(|cause| cause.name()))
        .filter(|name| rows.clone().any(|slots| has(slots, name)))
        .collect()
}

/// Where the scheduler slots of several runs went, each named under the headings `first`.
pub fn by_cause(first: &[&str], runs: &[(Vec<String>, &Slots)]) -> String {
    let causes = causes(runs.iter().map(|(_, slots)| *slots));
    let mut table = plain(&[first, &causes].concat());
    for (names, slots) in runs {
        let all = slots.values().sum();
        let parts =
            (causes.iter()).map(|cause| percent(slots.get(*cause).copied().unwrap_or(0), all));
        table.add_row(names.iter().cloned().chain(parts));
    }
    let numbers: Vec<usize> = (first.len()..first.len() + causes.len()).collect();
    right_align(&mut table, &numbers);
    format!("{table}\n")
}

/// One run to be shown.
pub struct Shown<'a> {
    /// Kernel, and scheme or machine.
    pub title: String,
    /// Slots by cause.
    pub slots: &'a Slots,
    /// The same by instruction and by warp.
    pub stalls: &'a StallRecord,
    /// Program counters are addresses, which one knows in hexadecimal.
    pub has_addresses: bool,
}

/// The table of one run, with a row of sums.
pub fn stalls_by(run: &Shown, by: StallsBy) -> String {
    let stalls = run.stalls;
    let causes = causes(std::iter::once(run.slots));
    let (title, first): (&str, &[&str]) = match by {
        StallsBy::Pc => ("instruction", &["pc", "line", "code"]),
        StallsBy::Warp => ("warp slot", &["warp"]),
    };
    let mut table = plain(&[first, &["all"], &causes].concat());
    let mut add = |first: Vec<String>, slots: &Slots| {
        let of = |cause: &&str| slots.get(*cause).copied().unwrap_or(0);
        let number = |slots: u64| match slots {
            0 => String::new(),
            slots => slots.to_string(),
        };
        let all = number(slots.values().sum());
        let cells = causes.iter().map(|cause| number(of(cause)));
        table.add_row(first.into_iter().chain([all]).chain(cells));
    };
    match by {
        StallsBy::Pc => {
            for row in stalls.by_pc.iter().filter(|row| !row.slots.is_empty()) {
                let code = match (row.inserted || row.source.is_empty(), row.pc) {
                    (_, None) => "(no instruction)",
                    (true, _) => &row.instruction,
                    (false, _) => &row.source,
                };
                let line = match (row.line, &row.file) {
                    (0, _) => String::new(),
                    (line, None) => line.to_string(),
                    (line, Some(file)) => format!("{file}:{line}"),
                };
                let pc = row
                    .pc
                    .map_or_else(String::new, |pc| match run.has_addresses {
                        true => format!("{pc:04x}"),
                        false => pc.to_string(),
                    });
                add(
                    vec![pc, line, code.chars().take(LONGEST).collect()],
                    &row.slots,
                );
            }
            add(
                vec![String::new(), String::new(), "(all)".to_owned()],
                run.slots,
            );
        }
        StallsBy::Warp => {
            for row in stalls.by_warp.iter().filter(|row| !row.slots.is_empty()) {
                let warp = row
                    .warp
                    .map_or_else(|| "(none)".to_owned(), |w| w.to_string());
                add(vec![warp], &row.slots);
            }
            add(vec!["(all)".to_owned()], run.slots);
        }
    }
    let text = usize::from(by == StallsBy::Pc) * 2;
    let columns = first.len() + 1 + causes.len();
    let numbers: Vec<usize> = (0..columns).filter(|&c| text == 0 || c != text).collect();
    right_align(&mut table, &numbers);
    format!("{}: scheduler slots by {title}\n{table}\n", run.title)
}
