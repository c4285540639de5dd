//! The comparison table on the terminal.

use super::stalls::by_cause;
use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use regshare_sim::observe::cause::Cause;
use regshare_sim::report::{RunRecord, RunReport};
use std::collections::BTreeMap;

/// Column headings, in order; the HTML report uses the same.
pub const HEADINGS: [&str; 15] = [
    "kernel",
    "scheme",
    "scheduler",
    "registers",
    "occupancy",
    "limited by",
    "cycles",
    "speed-up",
    "issued",
    "idle",
    "stalled",
    "stalls by cause",
    "acquire success",
    "storage bits",
    "result",
];

/// The cells of one record, in the order of [`HEADINGS`].
pub fn cells(run: &RunRecord) -> [String; 15] {
    let slots = &run.counters.slots;
    let part = |of: u64| percent(of, slots.total());
    [
        run.kernel.clone(),
        run.scheme.clone(),
        run.scheduler.clone(),
        registers(run),
        format!(
            "{} warps ({:.0} %)",
            run.occupancy.warps,
            100.0 * run.occupancy.fraction
        ),
        run.occupancy.limited_by.clone(),
        run.cycles.to_string(),
        format!("{:.3}", run.speedup),
        part(slots.issued),
        part(slots.idle()),
        part(slots.stalled()),
        most(&run.slots),
        run.acquire
            .as_ref()
            .map_or_else(|| "-".into(), |a| format!("{:.1} %", 100.0 * a.success)),
        run.storage_bits.to_string(),
        run.result.clone(),
    ]
}

/// The causes that took most of the slots in which nothing issued, three at most: `memory data 12 %, no warp 3 %`.
fn most(slots: &BTreeMap<String, u64>) -> String {
    let all: u64 = slots.values().sum();
    let parts =
        (slots.iter()).map(|(cause, &slots)| (100.0 * slots as f64 / all.max(1) as f64, cause));
    let mut lost: Vec<_> = parts
        .filter(|(part, cause)| *part >= 0.5 && *cause != Cause::Issued.name())
        .collect();
    lost.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let shown = lost.iter().take(3);
    let shown: Vec<_> = shown
        .map(|(part, cause)| format!("{cause} {part:.0} %"))
        .collect();
    match shown.is_empty() {
        true => "-".into(),
        false => shown.join(", "),
    }
}

/// That part of all, as a table shows it.
pub fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

/// `32` or `24 = 18 + 6`: the rounded count, split where the scheme splits it.
fn registers(run: &RunRecord) -> String {
    let regs = &run.registers;
    if regs.extended == 0 {
        regs.rounded.to_string()
    } else {
        format!(
            "{} = {} + {}",
            regs.base + regs.extended,
            regs.base,
            regs.extended
        )
    }
}

/// The whole comparison.
pub fn comparison(report: &RunReport) -> String {
    let mut table = plain(&HEADINGS);
    for run in &report.runs {
        table.add_row(cells(run));
    }
    right_align(&mut table, &[6, 7, 8, 9, 10, 12, 13]);
    let sms = report.runs.iter().map(|run| run.sms).max().unwrap_or(1);
    if sms == 1 {
        return format!("{table}\n");
    }
    format!(
        "{table}\non {sms} SMs: registers, occupancy and storage bits of each; issued, idle and stalled of the slots of all\n"
    )
}

/// Where the scheduler slots of each run went: the causes that any of them has.
pub fn stalls(report: &RunReport) -> String {
    let runs: Vec<_> = (report.runs.iter())
        .map(|run| (vec![run.kernel.clone(), run.scheme.clone()], &run.slots))
        .collect();
    by_cause(&["kernel", "scheme"], &runs)
}

/// How registers were renamed, of the runs in which they were.
pub fn renaming(report: &RunReport) -> String {
    let headings = [
        "kernel",
        "scheme",
        "packs",
        "mean",
        "peak",
        "sub-arrays on",
        "table conflicts",
        "walks",
        "held",
        "throttled",
        "short",
        "starved",
        "static words",
        "decoded",
    ];
    let mut table = plain(&headings);
    for run in &report.runs {
        let Some(renaming) = &run.renaming else {
            continue;
        };
        let counts = &renaming.counts;
        let of_cycles = |cycles| percent(cycles, run.cycles * u64::from(run.sms));
        let increase = |part: f64| format!("{:.1} %", 100.0 * part);
        table.add_row([
            run.kernel.clone(),
            run.scheme.clone(),
            renaming.packs.to_string(),
            format!("{:.1}", renaming.mean_packs),
            renaming.peak_packs.to_string(),
            format!("{:.1}", renaming.mean_powered),
            of_cycles(counts.bank_conflict_cycles),
            of_cycles(counts.walk_cycles),
            of_cycles(counts.hold_cycles),
            of_cycles(counts.throttled_cycles),
            counts.short.to_string(),
            counts.starved.to_string(),
            increase(renaming.static_increase),
            increase(renaming.dynamic_increase),
        ]);
    }
    right_align(&mut table, &(2..headings.len()).collect::<Vec<_>>());
    format!("{table}\n{}", spills(report))
}

/// The warps that were spilled, of the runs in which some were; nothing if there is none.
fn spills(report: &RunReport) -> String {
    let headings = [
        "kernel",
        "scheme",
        "warps spilled",
        "filled",
        "packs stored",
        "loaded",
        "KiB moved",
        "cycles",
    ];
    let mut table = plain(&headings);
    for run in &report.runs {
        let counts = run.renaming.as_ref().map(|renaming| &renaming.counts);
        let Some(counts) = counts.filter(|counts| counts.spills > 0) else {
            continue;
        };
        // A pack is 128 bytes.
        let kib = (counts.spilled_packs + counts.filled_packs) as f64 / 8.0;
        table.add_row([
            run.kernel.clone(),
            run.scheme.clone(),
            counts.spills.to_string(),
            counts.refills.to_string(),
            counts.spilled_packs.to_string(),
            counts.filled_packs.to_string(),
            format!("{kib:.1}"),
            percent(counts.spill_cycles, run.cycles * u64::from(run.sms)),
        ]);
    }
    if table.row_count() == 0 {
        return String::new();
    }
    right_align(&mut table, &(2..headings.len()).collect::<Vec<_>>());
    format!("{table}\n")
}

/// Energy of the register file by what uses it, and against the first run of the same kernel.
pub fn energy(report: &RunReport) -> String {
    let headings = [
        "kernel",
        "scheme",
        "dynamic nJ",
        "static nJ",
        "table nJ",
        "flags nJ",
        "total nJ",
        "of the first",
    ];
    let mut table = plain(&headings);
    for run in &report.runs {
        let energy = &run.energy;
        let first = (report.runs.iter())
            .find(|other| other.kernel == run.kernel)
            .map_or(energy.total_nj, |other| other.energy.total_nj);
        let parts = [
            energy.dynamic_nj,
            energy.static_nj,
            energy.table_nj,
            energy.flags_nj,
            energy.total_nj,
        ];
        let cells = parts.map(|nanojoule| format!("{nanojoule:.1}"));
        let share = format!(
            "{:.1} %",
            100.0 * energy.total_nj / first.max(f64::MIN_POSITIVE)
        );
        table.add_row(
            [run.kernel.clone(), run.scheme.clone()]
                .into_iter()
                .chain(cells)
                .chain([share]),
        );
    }
    right_align(&mut table, &(2..headings.len()).collect::<Vec<_>>());
    format!("{table}\n")
}

/// Second level and memory of the chip that the SMs of each run shared; nothing where none did.
pub fn chip(report: &RunReport) -> String {
    let headings = [
        "kernel",
        "scheme",
        "chip",
        "L2 accesses",
        "misses",
        "on their way",
        "memory KiB",
        "bytes/cycle",
        "rows opened",
    ];
    let mut table = plain(&headings);
    for run in &report.runs {
        let Some(chip) = &run.chip else {
            continue;
        };
        table.add_row([
            run.kernel.clone(),
            run.scheme.clone(),
            chip.name.clone(),
            chip.l2_accesses.to_string(),
            percent(chip.l2_misses, chip.l2_accesses),
            percent(chip.l2_pending_hits, chip.l2_accesses),
            format!("{:.1}", chip.dram_bytes as f64 / 1024.0),
            format!("{:.2}", chip.dram_bytes as f64 / run.cycles.max(1) as f64),
            chip.dram_activations.to_string(),
        ]);
    }
    if table.row_count() == 0 {
        return String::new();
    }
    right_align(&mut table, &(3..headings.len()).collect::<Vec<_>>());
    format!("\n{table}\n")
}

/// An empty table in the project's look: no colours, width by contents, the same in a pipe.
pub fn plain(headings: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::UTF8_NO_BORDERS)
        .remove_style(TableComponent::HorizontalLines)
        .remove_style(TableComponent::MiddleIntersections)
        .remove_style(TableComponent::VerticalLines)
        .remove_style(TableComponent::MiddleHeaderIntersections)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(headings.iter().copied());
    table
}

/// Right-aligns the numeric columns.
pub fn right_align(table: &mut Table, columns: &[usize]) {
    for &index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
