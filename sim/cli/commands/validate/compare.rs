//! The comparison as text and as rows.

use super::Record;
use crate::report::table;
use regshare_sim::gpu::KernelResult;
use serde::Serialize;
use std::collections::BTreeMap;

/// A kernel of ours and of the peer.
pub struct Compared {
    /// Ours.
    pub ours: KernelResult,
    /// The peer's.
    pub peer: Record,
}

impl Compared {
    /// Our cycles by the peer's, less 1.
    pub fn error(&self) -> f64 {
        self.ours.cycles as f64 / self.peer.cycles.max(1) as f64 - 1.0
    }
}

/// A row of `--json`.
#[derive(Serialize)]
pub struct Row<'a> {
    id: &'a str,
    kernel_index: usize,
    group: &'a str,
    config: &'a str,
    cycles: u64,
    peer_cycles: u64,
    error: f64,
    l1_accesses: [u64; 2],
    l1_misses: [u64; 2],
    l2_accesses: [u64; 2],
    l2_misses: [u64; 2],
}

/// All rows; of the pairs ours is first.
pub fn rows(compared: &[Compared]) -> Vec<Row<'_>> {
    (compared.iter())
        .map(|both| {
            let (ours, peer) = (&both.ours, &both.peer);
            Row {
                id: &peer.id,
                kernel_index: peer.kernel_index,
                group: &peer.group,
                config: &peer.config,
                cycles: ours.cycles,
                peer_cycles: peer.cycles,
                error: both.error(),
                l1_accesses: [ours.l1.accesses, peer.l1.accesses],
                l1_misses: [ours.l1.misses, peer.l1.misses],
                l2_accesses: [ours.l2.accesses, peer.l2.accesses],
                l2_misses: [ours.l2.misses, peer.l2.misses],
            }
        })
        .collect()
}

/// Per configuration and group: errors, correlation, caches; then slopes of the micro kernels, and single kernels that are
/// far off or, with `all`, every one.
pub fn text(compared: &[Compared], all: bool) -> String {
    let mut groups: BTreeMap<(&str, &str), Vec<&Compared>> = BTreeMap::new();
    for both in compared {
        let key = (both.peer.config.as_str(), both.peer.group.as_str());
        groups.entry(key).or_default().push(both);
    }
    let mut rows = table::plain(&[
        "configuration",
        "group",
        "kernels",
        "exact",
        "mean error",
        "worst",
        "correlation",
        "L1 misses",
        "L2 misses",
    ]);
    for ((config, group), list) in &groups {
        let errors: Vec<f64> = list.iter().map(|both| both.error().abs()).collect();
        let exact = list
            .iter()
            .filter(|both| both.ours.cycles == both.peer.cycles)
            .count();
        let total = |of: &dyn Fn(&Compared) -> (u64, u64)| {
            let sums = list.iter().map(|both| of(both));
            let (ours, peer) = sums.fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
            match peer {
                0 => "none".to_owned(),
                _ => format!("{:+.1} %", (ours as f64 / peer as f64 - 1.0) * 100.0),
            }
        };
        rows.add_row([
            (*config).to_owned(),
            (*group).to_owned(),
            list.len().to_string(),
            exact.to_string(),
            percent(errors.iter().sum::<f64>() / errors.len() as f64),
            percent(errors.iter().copied().fold(0.0, f64::max)),
            correlation(list).map_or_else(|| "none".to_owned(), |r| format!("{r:.4}")),
            total(&|both| (both.ours.l1.misses, both.peer.l1.misses)),
            total(&|both| (both.ours.l2.misses, both.peer.l2.misses)),
        ]);
    }
    table::right_align(&mut rows, &[2, 3, 4, 5, 6, 7, 8]);
    let mut text = format!("{rows}\n");
    let slopes = slopes(compared);
    if !slopes.is_empty() {
        let mut rows = table::plain(&["configuration", "kernel", "cycles per instruction", "peer"]);
        let off = slopes
            .iter()
            .filter(|slope| all || (slope.2 - slope.3).abs() > 0.1);
        for (config, kind, ours, peer) in off {
            rows.add_row([
                config.clone(),
                kind.clone(),
                format!("{ours:.2}"),
                format!("{peer:.2}"),
            ]);
        }
        table::right_align(&mut rows, &[2, 3]);
        let same = slopes
            .iter()
            .filter(|slope| (slope.2 - slope.3).abs() <= 0.1)
            .count();
        text += &format!(
            "\nSlopes of one warp: {same} of {} within 0.1 cycle.\n",
            slopes.len()
        );
        if rows.row_iter().next().is_some() {
            text += &format!("\n{rows}\n");
        }
    }
    let far = |both: &&Compared| all || both.error().abs() > 0.1;
    if compared.iter().any(|both| far(&both)) {
        let mut rows = table::plain(&[
            "run",
            "kernel",
            "cycles",
            "peer",
            "error",
            "L2 misses",
            "peer",
        ]);
        for both in compared.iter().filter(far) {
            rows.add_row([
                both.peer.id.clone(),
                both.peer.kernel_index.to_string(),
                both.ours.cycles.to_string(),
                both.peer.cycles.to_string(),
                format!("{:+.1} %", both.error() * 100.0),
                both.ours.l2.misses.to_string(),
                both.peer.l2.misses.to_string(),
            ]);
        }
        table::right_align(&mut rows, &[1, 2, 3, 4, 5, 6]);
        let what = if all {
            "All kernels"
        } else {
            "More than 10 % off"
        };
        text += &format!("\n{what}:\n\n{rows}\n");
    }
    text
}

fn percent(value: f64) -> String {
    format!("{:.2} %", value * 100.0)
}

/// Correlation of the logarithms of cycles; `None` where nothing varies.
fn correlation(list: &[&Compared]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = (list.iter())
        .map(|both| {
            (
                (both.ours.cycles.max(1) as f64).ln(),
                (both.peer.cycles.max(1) as f64).ln(),
            )
        })
        .collect();
    let n = logs.len() as f64;
    let mean = logs.iter().fold((0.0, 0.0), |sum, log| {
        (sum.0 + log.0 / n, sum.1 + log.1 / n)
    });
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in logs {
        let (x, y) = (x - mean.0, y - mean.1);
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// Cycles per instruction of a micro kernel of one warp, from its shortest but one and its longest run.
fn slopes(compared: &[Compared]) -> Vec<(String, String, f64, f64)> {
    let mut runs: BTreeMap<(String, String), Vec<(u64, &Compared)>> = BTreeMap::new();
    for both in compared.iter().filter(|both| both.peer.group == "micro") {
        let words: Vec<&str> = both.peer.trace.split_whitespace().collect();
        let [_, _, kind, count, rest @ ..] = words.as_slice() else {
            continue;
        };
        let one_warp = rest.windows(2).any(|pair| pair == ["--warps", "1"]);
        let default_latency = !both.peer.id.contains("_ll");
        let Ok(count) = count.parse() else { continue };
        if one_warp && default_latency && count > 0 {
            let stride = rest
                .windows(2)
                .find(|pair| pair[0] == "--stride")
                .map(|pair| pair[1]);
            let kind = match stride {
                Some(stride) => format!("{kind}, stride {stride}"),
                None => (*kind).to_owned(),
            };
            let runs = runs.entry((both.peer.config.clone(), kind)).or_default();
            runs.push((count, both));
        }
    }
    let mut slopes = Vec::new();
    for ((config, kind), mut list) in runs {
        list.sort_by_key(|entry| entry.0);
        let Some(&(last, to)) = list.last() else {
            continue;
        };
        let Some(&(first, from)) = list.iter().rev().nth(1) else {
            continue;
        };
        let slope = |of: &dyn Fn(&Compared) -> u64| {
            (of(to) as f64 - of(from) as f64) / (last - first) as f64
        };
        slopes.push((
            config,
            kind,
            slope(&|both| both.ours.cycles),
            slope(&|both| both.peer.cycles),
        ));
    }
    slopes
}
