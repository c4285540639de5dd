//! The stall table of a run on the terminal: scheduler slots by instruction beside its source line, or by warp.

use super::table::{plain, right_align};
use crate::args::StallsBy;
use regshare_sim::observe::counters::IssueSlots;
use regshare_sim::report::{RunRecord, StallRecord};
use std::collections::BTreeMap;

/// Longest text of a line that is shown. // assumed: the table fits a wide terminal
const LONGEST: usize = 48;

type Slots = BTreeMap<String, u64>;

/// The table of one run, with a row of sums.
pub fn stalls_by(run: &RunRecord, stalls: &StallRecord, by: StallsBy) -> String {
    let causes: Vec<&str> = (IssueSlots::default().named().iter())
        .map(|&(name, _)| name)
        .filter(|name| run.slots.get(*name).is_some_and(|&slots| slots > 0))
        .collect();
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
                let line = match row.line {
                    0 => String::new(),
                    line => line.to_string(),
                };
                let pc = row.pc.map_or_else(String::new, |pc| pc.to_string());
                add(
                    vec![pc, line, code.chars().take(LONGEST).collect()],
                    &row.slots,
                );
            }
            add(
                vec![String::new(), String::new(), "(all)".to_owned()],
                &run.slots,
            );
        }
        StallsBy::Warp => {
            for row in stalls.by_warp.iter().filter(|row| !row.slots.is_empty()) {
                let warp = row
                    .warp
                    .map_or_else(|| "(none)".to_owned(), |w| w.to_string());
                add(vec![warp], &row.slots);
            }
            add(vec!["(all)".to_owned()], &run.slots);
        }
    }
    let text = usize::from(by == StallsBy::Pc) * 2;
    let columns = first.len() + 1 + causes.len();
    let numbers: Vec<usize> = (0..columns).filter(|&c| text == 0 || c != text).collect();
    right_align(&mut table, &numbers);
    format!(
        "{} under {}: scheduler slots by {title}\n{table}\n",
        run.kernel, run.scheme
    )
}
