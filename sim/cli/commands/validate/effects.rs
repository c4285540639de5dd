//! What changes when one thing of a run changes: whether our cycles go where the peer's go.

use super::compare::Compared;
use crate::report::table;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a pair of runs differs in.
const EFFECTS: [(&str, &str); 3] = [
    ("scheduler", ""),
    ("registers per thread", "--nregs"),
    ("CTAs", "--ctas"),
];

/// By how much the peer's cycles move when only the phase of its clocks does, percent: span over eight start phases of each kind of
/// generated kernel, as measured with the peer's cycles (the file beside them says how). // assumed: other kinds move as `mix` does
const NOISE_PERCENT: [(&str, f64); 4] = [("mix", 15.5), ("ffma", 0.0), ("mem", 0.5), ("div", 1.0)];
const OTHER_NOISE_PERCENT: f64 = 15.5;

/// A run, as far as effects go.
#[derive(Clone, Debug)]
struct Run {
    config: String,
    scheduler: String,
    /// The generator's words, and the position of the kernel.
    words: Vec<String>,
    kernel_index: usize,
    launch_latency: u64,
    ours: u64,
    peer: u64,
}

/// Two runs that differ in one thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    config: String,
    /// What differs.
    effect: &'static str,
    /// What is the same.
    kernel: String,
    from: String,
    to: String,
    /// Cycles of the second by those of the first, of the peer and ours.
    peer_ratio: f64,
    ratio: f64,
    /// Percent; what the peer moves without a reason.
    noise: f64,
    /// Whether the peer's difference is larger than that.
    beyond_noise: bool,
    /// Whether ours goes the same way.
    same_direction: bool,
}

fn option<'a>(words: &'a [String], name: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word == name)?;
    words.get(at + 1).map(String::as_str)
}

fn noise(words: &[String]) -> f64 {
    let kind = option(words, "--kind").unwrap_or_default();
    let known = NOISE_PERCENT.iter().find(|(name, _)| *name == kind);
    known.map_or(OTHER_NOISE_PERCENT, |(_, percent)| *percent)
}

/// What differs in `effect`, and all else as one text.
fn split(run: &Run, option_name: &str) -> Option<(String, String)> {
    let mut rest = run.words.clone();
    let value = if option_name.is_empty() {
        run.scheduler.clone()
    } else {
        let at = rest.iter().position(|word| word == option_name)?;
        let value = rest.get(at + 1)?.clone();
        rest.drain(at..at + 2);
        rest.push(run.scheduler.clone());
        value
    };
    let rest = rest.join(" ");
    let index = run.kernel_index;
    let same = format!(
        "{rest}, kernel {index}, launch latency {}",
        run.launch_latency
    );
    Some((value, same))
}

/// Runs by what they differ in: as a number, if it is one, and as text.
type ByValue<'a> = BTreeMap<(u64, String), &'a Run>;

fn of(runs: &[Run]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (effect, option_name) in EFFECTS {
        // By what is the same, the runs by what differs: numbers by size.
        let mut alike: BTreeMap<(&str, String), ByValue<'_>> = BTreeMap::new();
        for run in runs {
            if let Some((value, same)) = split(run, option_name) {
                let number = value.parse().unwrap_or(0);
                let group = alike.entry((&run.config, same)).or_default();
                group.entry((number, value)).or_insert(run);
            }
        }
        for ((config, same), group) in alike {
            let group: Vec<_> = group.into_iter().collect();
            for (at, ((_, from), first)) in group.iter().enumerate() {
                for ((_, to), second) in &group[at + 1..] {
                    let ratio =
                        |of: &dyn Fn(&Run) -> u64| of(second) as f64 / of(first).max(1) as f64;
                    let (peer_ratio, ratio) = (ratio(&|run| run.peer), ratio(&|run| run.ours));
                    let noise = noise(&first.words);
                    effects.push(Effect {
                        config: config.to_owned(),
                        effect,
                        kernel: same.clone(),
                        from: from.clone(),
                        to: to.clone(),
                        peer_ratio,
                        ratio,
                        noise,
                        beyond_noise: (peer_ratio - 1.0).abs() * 100.0 > noise,
                        same_direction: (peer_ratio > 1.0) == (ratio > 1.0)
                            && (peer_ratio < 1.0) == (ratio < 1.0),
                    });
                }
            }
        }
    }
    effects
}

/// The effects in what was compared: of generated kernels that are no micro kernels.
pub fn effects(compared: &[Compared]) -> Vec<Effect> {
    let runs: Vec<Run> = (compared.iter())
        .filter(|both| both.peer.group != "micro")
        .map(|both| {
            let words = both.peer.trace.split_whitespace();
            Run {
                config: both.peer.config.clone(),
                scheduler: both.peer.scheduler.clone(),
                words: words
                    .filter(|word| *word != "DIR")
                    .map(str::to_owned)
                    .collect(),
                kernel_index: both.peer.kernel_index,
                launch_latency: both.peer.launch_latency,
                ours: both.ours.cycles,
                peer: both.peer.cycles,
            }
        })
        .collect();
    of(&runs)
}

/// Counts per configuration and effect; then the pairs beyond the noise that go another way or, with `all`, every pair.
pub fn text(effects: &[Effect], all: bool) -> String {
    if effects.is_empty() {
        return String::new();
    }
    let mut groups: BTreeMap<(&str, &str), Vec<&Effect>> = BTreeMap::new();
    for effect in effects {
        let key = (effect.config.as_str(), effect.effect);
        groups.entry(key).or_default().push(effect);
    }
    let headings = [
        "configuration",
        "what differs",
        "pairs",
        "beyond noise",
        "same direction",
    ];
    let mut rows = table::plain(&headings);
    for ((config, what), list) in &groups {
        let beyond = list.iter().filter(|effect| effect.beyond_noise);
        let same = beyond.clone().filter(|effect| effect.same_direction);
        rows.add_row([
            (*config).to_owned(),
            (*what).to_owned(),
            list.len().to_string(),
            beyond.count().to_string(),
            same.count().to_string(),
        ]);
    }
    table::right_align(&mut rows, &[2, 3, 4]);
    let mut text = format!("\nEffects, where runs differ in one thing:\n\n{rows}\n");
    let shown = |effect: &&Effect| all || effect.beyond_noise && !effect.same_direction;
    if effects.iter().any(|effect| shown(&effect)) {
        let headings = [
            "configuration",
            "kernel",
            "from",
            "to",
            "cycles",
            "peer",
            "noise",
        ];
        let mut rows = table::plain(&headings);
        let change = |ratio: f64| format!("{:+.1} %", (ratio - 1.0) * 100.0);
        for effect in effects.iter().filter(shown) {
            rows.add_row([
                effect.config.clone(),
                effect.kernel.clone(),
                effect.from.clone(),
                effect.to.clone(),
                change(effect.ratio),
                change(effect.peer_ratio),
                format!("{:.1} %", effect.noise),
            ]);
        }
        table::right_align(&mut rows, &[4, 5, 6]);
        let what = if all {
            "All effects"
        } else {
            "Another direction"
        };
        text += &format!("\n{what}:\n\n{rows}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(scheduler: &str, trace: &str, ours: u64, peer: u64) -> Run {
        Run {
            config: "C".to_owned(),
            scheduler: scheduler.to_owned(),
            words: trace.split_whitespace().map(str::to_owned).collect(),
            kernel_index: 1,
            launch_latency: 0,
            ours,
            peer,
        }
    }

    #[test]
    fn pairs_differ_in_one_thing_and_are_judged_beyond_the_noise_of_their_kind() {
        let runs = [
            run("lrr", "g --kind mix --ctas 9 --nregs 32", 100, 100),
            run("gto", "g --kind mix --ctas 9 --nregs 32", 120, 110),
            run("lrr", "g --kind mix --ctas 16 --nregs 32", 90, 200),
            run("gto", "g --kind mix --ctas 16 --nregs 64", 1, 1),
            run("lrr", "g --kind mem --ctas 9 --nregs 32", 300, 300),
            run("lrr", "g --kind mem --ctas 9 --nregs 64", 300, 306),
        ];
        let found = of(&runs);
        let brief: Vec<_> = (found.iter())
            .map(|e| {
                (
                    e.effect,
                    e.from.as_str(),
                    e.to.as_str(),
                    e.beyond_noise,
                    e.same_direction,
                )
            })
            .collect();
        assert_eq!(
            brief,
            [
                // 10 % less for lrr: within what `mix` moves by itself.
                ("scheduler", "gto", "lrr", false, true),
                // 2 % is beyond it for `mem`, and ours does not move.
                ("registers per thread", "32", "64", true, false),
                // 9 before 16: twice as many cycles, of ours fewer.
                ("CTAs", "9", "16", true, false),
            ]
        );
        let text = text(&found, false);
        assert!(
            text.contains("+100.0 %") && text.contains("-10.0 %"),
            "{text}"
        );
        assert!(!text.contains("-9.1 %"), "{text}");
    }
}
