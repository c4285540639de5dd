//! The HTML report: one file that opens without a network.

use super::table;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use regshare_sim::observe::cause::Cause;
use regshare_sim::report::{RunRecord, RunReport};

/// A figure made elsewhere in the program.
pub struct Figure {
    /// Heading.
    pub title: String,
    /// What one sees in it.
    pub caption: String,
    /// The picture, as SVG text of our own making.
    pub svg: String,
}

/// A file that lies beside the report.
pub struct Link {
    /// Path relative to the report.
    pub path: String,
    /// What it is and how to open it.
    pub text: String,
}

/// What the report shows.
pub struct Contents<'a> {
    /// The runs.
    pub report: &'a RunReport,
    /// Pictures, in order.
    pub figures: Vec<Figure>,
    /// Plain-text sections: heading and text.
    pub texts: Vec<(String, String)>,
    /// Files beside the report.
    pub links: Vec<Link>,
}

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d8dee4; white-space: nowrap }
th { background: #f6f8fa }
pre { background: #f6f8fa; padding: .8rem; overflow-x: auto; font-size: 12.5px; line-height: 1.35 }
.bar { display: flex; height: 1.4rem; background: #eef1f4; margin: .15rem 0 .6rem; border-radius: 3px; overflow: hidden }
.bar > span { display: block; height: 100% }
.legend span { display: inline-block; margin-right: 1rem; white-space: nowrap }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .35rem; border-radius: 2px }
.scroll { overflow: auto; max-height: 46rem; border: 1px solid #d8dee4 }
.note { color: #57606a }
";

/// Colours of the slot causes, in the order in which the causes appear; told apart by colour-blind readers too.
const PALETTE: [&str; Cause::ALL.len()] = [
    "#009e73", "#e69f00", "#56b4e9", "#d55e00", "#cc79a7", "#0072b2", "#f0e442", "#8c8c8c",
    "#b07aa1", "#9c755f", "#bab0ac", "#4e4e4e", "#84b6a8",
];

/// The report as one HTML document.
pub fn render(contents: &Contents<'_>) -> String {
    let report = contents.report;
    let page: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "regshare report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "regshare report" }
                p {
                    "Machine " b { (report.machine) } ", register hardware: "
                    @for (index, (backend, schemes)) in backends(report).into_iter().enumerate() {
                        @if index > 0 { "; " }
                        "backend " b { (backend) } " for " (schemes.join(", "))
                    }
                    ". regshare " (report.version) "."
                }
                h2 { "Schemes side by side" }
                div style="overflow-x:auto" { (runs_table(report)) }
                p.note { "Speed-up: cycles of the first scheme of the same kernel divided by these. Acquire success: "
                    "acquires granted at the first attempt. Result: the memory image against a CPU reference." }
                h2 { "Where the scheduler slots went" }
                (slots(report))
                @for figure in &contents.figures {
                    h2 { (figure.title) }
                    p { (figure.caption) }
                    div.scroll { (PreEscaped(&figure.svg)) }
                }
                @for (title, text) in &contents.texts {
                    h2 { (title) }
                    pre { (text) }
                }
                h2 { "Files" }
                ul {
                    @for link in &contents.links { li { a href=(link.path) { (link.path) } ": " (link.text) } }
                }
            }
        }
    };
    page.into_string()
}

fn runs_table(report: &RunReport) -> Markup {
    html! {
        table {
            thead { tr { @for heading in table::HEADINGS { th { (heading) } } } }
            tbody {
                @for run in &report.runs { tr { @for cell in table::cells(run) { td { (cell) } } } }
            }
        }
    }
}

/// A stacked bar per run, all of a kernel on the scale of its longest run.
fn slots(report: &RunReport) -> Markup {
    let mut causes: Vec<&str> = Vec::new();
    for run in &report.runs {
        for cause in run.slots.keys() {
            if !causes.contains(&cause.as_str()) {
                causes.push(cause);
            }
        }
    }
    causes.sort_by_key(|cause| (*cause != "issued", *cause));
    let colour =
        |cause: &str| PALETTE[causes.iter().position(|c| *c == cause).unwrap_or(0) % PALETTE.len()];
    html! {
        p.legend { @for cause in &causes { span { i style={"background:" (colour(cause))} {} (cause.replace('_', " ")) } } }
        @for run in &report.runs {
            div { b { (run.kernel) " / " (run.scheme) } " " span.note { (run.cycles) " cycles, " (format!("{:.2}", run.ipc)) " IPC" } }
            div.bar {
                @for cause in &causes {
                    @let share = width(report, run, cause);
                    @if share > 0.0 {
                        span style={"width:" (format!("{share:.3}")) "%;background:" (colour(cause))}
                            title={(cause) ": " (run.slots[*cause]) " slots"} {}
                    }
                }
            }
        }
    }
}

/// The backends of a report, each with the schemes that ran on it.
fn backends(report: &RunReport) -> Vec<(&str, Vec<&str>)> {
    let mut backends: Vec<(&str, Vec<&str>)> = Vec::new();
    for run in &report.runs {
        let index = backends.iter().position(|(name, _)| *name == run.backend);
        let index = index.unwrap_or_else(|| {
            backends.push((&run.backend, Vec::new()));
            backends.len() - 1
        });
        let schemes = &mut backends[index].1;
        if !schemes.contains(&run.scheme.as_str()) {
            schemes.push(&run.scheme);
        }
    }
    backends
}

fn width(report: &RunReport, run: &RunRecord, cause: &str) -> f64 {
    let total = |r: &RunRecord| r.slots.values().sum::<u64>();
    let longest = report
        .runs
        .iter()
        .filter(|other| other.kernel == run.kernel)
        .map(total)
        .max()
        .unwrap_or(0);
    match run.slots.get(cause) {
        Some(&slots) if longest > 0 => 100.0 * slots as f64 / longest as f64,
        _ => 0.0,
    }
}
