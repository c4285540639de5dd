//! A figure: charts with a value per kernel, as tables, Markdown, data.

use crate::report::chart::Series;
use crate::report::table::{plain, right_align};
use serde_json::{Value, json};

/// What a group is called that is a variant of one kernel: of variants there is no mean, and counts of them are printed whole.
pub const VARIANT: &str = "variant";

/// One chart of a figure.
pub struct Panel {
    /// Heading.
    pub title: String,
    /// Unit of the values.
    pub unit: String,
    /// What a group is: a kernel, a variant of one, or a span of cycles.
    pub group: &'static str,
    /// Kernels, or spans.
    pub groups: Vec<String>,
    /// Values per group; NaN where there is none: the run was refused, or is over.
    pub series: Vec<Series>,
    /// The values say by how many percent a run is faster: then the mean is that of the ratios, the geometric one.
    pub is_speed: bool,
}

/// A figure.
pub struct Figure {
    /// Heading.
    pub title: String,
    /// Its charts.
    pub panels: Vec<Panel>,
}

impl Panel {
    fn cell(value: f64) -> String {
        match format!("{value:.1}") {
            _ if !value.is_finite() => "-".to_owned(),
            zero if zero == "-0.0" => "0.0".to_owned(),
            text => text,
        }
    }

    /// Without decimals, where all values of variants are whole.
    fn cell_of(&self, series: &Series, group: usize) -> String {
        let value = series.values[group];
        let whole = self.group == VARIANT && series.values.iter().all(|v| v.fract() == 0.0);
        match whole {
            true => format!("{value:.0}"),
            false => Self::cell(value),
        }
    }

    fn mean(&self, values: &[f64]) -> f64 {
        let known = values.iter().copied().filter(|value| value.is_finite());
        let known: Vec<f64> = match self.is_speed {
            true => known.map(|percent| (1.0 + percent / 100.0).ln()).collect(),
            false => known.collect(),
        };
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        match self.is_speed {
            true => 100.0 * (mean.exp() - 1.0),
            false => mean,
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows: Vec<Vec<String>> = (0..self.groups.len())
            .map(|group| {
                let mut row = vec![self.groups[group].clone()];
                row.extend(self.series.iter().map(|series| self.cell_of(series, group)));
                row
            })
            .collect();
        if self.group == VARIANT || self.groups.len() == 1 {
            return rows;
        }
        let name = if self.is_speed {
            "geometric mean"
        } else {
            "mean"
        };
        let mut mean = vec![name.to_owned()];
        mean.extend(
            self.series
                .iter()
                .map(|series| Self::cell(self.mean(&series.values))),
        );
        rows.push(mean);
        rows
    }

    fn headings(&self) -> Vec<String> {
        let mut headings = vec![self.group.to_owned()];
        headings.extend(self.series.iter().map(|series| series.name.clone()));
        headings
    }
}

impl Figure {
    /// As tables for the terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for panel in &self.panels {
            let headings = panel.headings();
            let mut table = plain(&headings.iter().map(String::as_str).collect::<Vec<_>>());
            for row in panel.rows() {
                table.add_row(row);
            }
            right_align(&mut table, &(1..headings.len()).collect::<Vec<_>>());
            text += &format!("\n{} ({})\n{table}\n", panel.title, panel.unit);
        }
        text + "\n"
    }

    /// As Markdown tables.
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n", self.title);
        for panel in &self.panels {
            let escape = |cell: &String| cell.replace('|', "\\|");
            let line = |cells: &[String]| {
                format!(
                    "| {} |\n",
                    cells.iter().map(escape).collect::<Vec<_>>().join(" | ")
                )
            };
            text += &format!("{} ({}):\n\n", panel.title, panel.unit);
            text += &line(&panel.headings());
            text += &format!("|---|{}\n", "---:|".repeat(panel.series.len()));
            for row in panel.rows() {
                text += &line(&row);
            }
            text.push('\n');
        }
        text
    }

    /// As data; a refused run is `null`.
    pub fn json(&self) -> Value {
        let panels: Vec<Value> = self
            .panels
            .iter()
            .map(|panel| {
                let series: Vec<Value> =
                    panel.series.iter().map(|series| json!({ "name": series.name, "values": series.values })).collect();
                let groups = if panel.group == "kernel" { "kernels" } else { panel.group };
                json!({ "title": panel.title, "unit": panel.unit, (groups): panel.groups, "series": series })
            })
            .collect();
        json!({ "title": self.title, "panels": panels })
    }
}
