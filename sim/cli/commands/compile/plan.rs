//! `--emit plan`: what a scheme decided, in words.

use super::super::paper::candidates;
use crate::report::table::{plain, right_align};
use regshare_hw::manager::{ManagerSpec, STACK_PACKS};
use regshare_hw::rfv::free_list::{BANKS, kept_packs};
use regshare_sim::compiler::calls::CallGraph;
use regshare_sim::compiler::rfv::exempt::renamed_in;
use regshare_sim::flow::{self, Compiled};
use regshare_sim::scheme::{Alternative, Plan};
use std::fmt::Write;

/// What a scheme chose among, the choice first.
pub fn alternatives(found: &[Alternative]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let headings = [
        "expected, the first is picked",
        "registers",
        "CTAs",
        "warps",
        "one warp alone",
        "busiest unit per warp",
        "cycles per warp",
    ];
    let mut table = plain(&headings);
    for alternative in found {
        let predicted = &alternative.predicted;
        table.add_row([
            alternative.what.clone(),
            alternative.regs.to_string(),
            alternative.occupancy.ctas.to_string(),
            alternative.occupancy.warps.to_string(),
            format!("{:.0}", predicted.stall_cycles),
            format!("{:.1}", predicted.busy_cycles),
            format!("{:.1}", predicted.cycles_per_warp),
        ]);
    }
    right_align(&mut table, &[1, 2, 3, 4, 5, 6]);
    format!("\n{table}\n")
}

/// The plan, one fact per line.
pub fn text(compiled: &Compiled, plan: &Plan, machine_packs: u16) -> String {
    let report = &compiled.report;
    let occupancy = &plan.occupancy;
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<24}{value}");
    };
    line("kernel", plan.kernel.name.clone());
    line("scheme", plan.scheme.clone());
    let used = flow::used(compiled, plan);
    let before = match used.regs == report.regs {
        true => String::new(),
        false => format!(
            "; {} ({} live at once) before the scheme",
            report.regs, report.max_live
        ),
    };
    line(
        "registers per thread",
        format!("{} ({} live at once){before}", used.regs, used.max_live),
    );
    line(
        "spilled",
        format!(
            "{} bytes per thread, {} loads, {} stores",
            used.spilled_bytes, used.spill_loads, used.spill_stores
        ),
    );
    if let Some(variant) = &plan.variant {
        line("variant", variant.clone());
    }
    for (name, value) in hardware(plan, machine_packs) {
        line(name, value);
    }
    if let Some(stacks) = &plan.stacks {
        for (name, value) in watermarks(&stacks.graph) {
            line(name, value);
        }
        if let Some(why) = smaller(plan) {
            line("stacks are smaller", why);
        }
    }
    line(
        "CTAs, warps per SM",
        format!("{}, {}", occupancy.ctas, occupancy.warps),
    );
    line("occupancy", format!("{:.1} %", 100.0 * occupancy.fraction));
    line("limited by", occupancy.limited_by.to_string());
    line("packs set aside", plan.packs_allocated.to_string());
    line(
        "extended sets",
        plan.sections
            .map_or_else(|| "none".into(), |sections| sections.to_string()),
    );
    line("storage bits per SM", plan.storage_bits.to_string());
    if let Some(choice) = &plan.es {
        let _ = writeln!(out, "\n{}", candidates(choice));
    }
    out
}

/// Why register stacks are smaller than one could think: than the watermark says, or than with a lower one.
pub fn smaller(plan: &Plan) -> Option<String> {
    let stacks = plan.stacks.as_ref()?;
    let ManagerSpec::Stacks {
        base_regs,
        capacities,
        top,
        ..
    } = plan.manager
    else {
        return None;
    };
    let given = capacities[usize::from(top & 7)];
    if let Some(low) = stacks.low_has {
        return Some(format!(
            "stacks of {given} packs, fewer than low has, {low}: a multiple of it by hand has no share of what is left over"
        ));
    }
    let wanted = stacks.cut_from?;
    let most = match given {
        STACK_PACKS => "the most that the hardware counts".to_owned(),
        _ => format!("all that the SM has for a warp behind {base_regs}"),
    };
    Some(format!(
        "largest stack {given} packs, {most}, of {wanted} that the watermark stands for: a warp has {} registers, not {}",
        base_regs + given,
        u32::from(base_regs) + wanted
    ))
}

/// Packs of the register file, of those of the machine: renaming may leave fewer.
pub fn packs_kept(manager: &ManagerSpec, packs: u16) -> usize {
    let packs = usize::from(packs);
    match manager {
        ManagerSpec::Renaming { shrink, .. } => {
            BANKS * kept_packs(packs / BANKS)[usize::from(shrink & 3)]
        }
        _ => packs,
    }
}

/// The register hardware and its sizes.
fn hardware(plan: &Plan, packs: u16) -> Vec<(&'static str, String)> {
    let kind = |text: &str| ("register hardware", text.to_owned());
    let manager = &plan.manager;
    match *manager {
        ManagerSpec::Baseline { regs_per_warp } => {
            vec![
                kind("none"),
                ("registers of a warp", regs_per_warp.to_string()),
            ]
        }
        ManagerSpec::RegMutex {
            base_regs,
            ext_regs,
            sections,
            srp_offset,
            owner_first,
        } => vec![
            kind(match owner_first {
                true => "shared register pool, owner warps first",
                false => "shared register pool",
            }),
            ("base set |Bs|", base_regs.to_string()),
            ("extended set |Es|", ext_regs.to_string()),
            (
                "pool",
                format!("{sections} sections from pack {srp_offset} on"),
            ),
        ],
        ManagerSpec::Paired {
            base_regs,
            ext_regs,
            safe,
            owner_first,
        } => vec![
            kind(match (safe, owner_first) {
                (true, false) => "paired warps, a bit per warp",
                (false, false) => "paired warps, a bit per pair",
                (true, true) => "paired warps, a bit per warp, owner warps first",
                (false, true) => "paired warps, a bit per pair, owner warps first",
            }),
            ("base set |Bs|", base_regs.to_string()),
            ("extended set |Es|", ext_regs.to_string()),
        ],
        ManagerSpec::Sharing {
            private_regs,
            shared_regs,
            private_bytes,
            pairs,
            unshared,
            owner_first,
            dynamic,
            ..
        } => {
            let of = |name, private: String, shared| (name, format!("{private} private{shared}"));
            let mut lines = vec![
                kind(match private_bytes {
                    Some(_) => "pairs of CTAs share scratchpad",
                    None => "pairs of CTAs share registers",
                }),
                of(
                    "registers of a warp",
                    private_regs.to_string(),
                    match private_bytes {
                        Some(_) => String::new(),
                        None => format!(", {shared_regs} shared with the partner"),
                    },
                ),
                ("CTAs", format!("{pairs} pairs, {unshared} alone")),
            ];
            if let Some(bytes) = private_bytes {
                lines.push(("private scratchpad", format!("{bytes} bytes of a CTA")));
            }
            if owner_first {
                lines.push(("warps are chosen", "owners first".to_owned()));
            }
            if dynamic.is_some() {
                let text = "by dynamic warp execution";
                lines.push(("non-owners' memory", text.to_owned()));
            }
            lines
        }
        ManagerSpec::Renaming {
            exempt,
            flag_entries,
            wake_up,
            clocks,
            hardware_only,
            spills,
            most,
            ctas,
            ..
        } => {
            let mut lines = vec![
                kind("renaming table"),
                (
                    "registers renamed",
                    format!("{} of a thread", renamed_in(&plan.kernel, exempt)),
                ),
                ("registers exempt", format!("{exempt} of a thread")),
                (
                    "packs",
                    format!("{} of {packs}", packs_kept(manager, packs)),
                ),
                (
                    "released",
                    match hardware_only {
                        true => "when written anew, by hardware alone".to_owned(),
                        false => format!("by flags, {flag_entries} entries of their cache"),
                    },
                ),
                (
                    "clock cycles",
                    format!("{clocks} of the hardware in one of the SM"),
                ),
                (
                    "sub-arrays wake",
                    match wake_up {
                        0 => "never: none sleeps".to_owned(),
                        cycles => format!("in {cycles} clock cycles"),
                    },
                ),
            ];
            if most.is_some() {
                let text = "for packs that other CTAs may need to end";
                lines.push(("warps wait", text.to_owned()));
            }
            if spills && ctas > 1 {
                let text = "for the CTA with the smallest balance, when few packs are free";
                lines.push(("warps wait", text.to_owned()));
            }
            if spills {
                let text = "of warps that wait, if none could go on";
                lines.push(("spills", text.to_owned()));
            }
            lines
        }
        ManagerSpec::Stacks {
            base_regs,
            capacities,
            top,
            level,
            ..
        } => {
            let levels = &capacities[..=usize::from(top & 7)];
            let of = |level: u8| levels[usize::from(level).min(levels.len() - 1)];
            let all: Vec<String> = levels.iter().map(u16::to_string).collect();
            vec![
                kind("register stacks"),
                ("registers of the kernel", base_regs.to_string()),
                (
                    "packs of a stack",
                    match level {
                        Some(level) => of(level).to_string(),
                        None => format!("{}, chosen for each CTA", all.join(" or ")),
                    },
                ),
            ]
        }
    }
}

/// Both watermarks and what they consist of, as the paper has them for its Figure 4 (CARS III-B).
fn watermarks(graph: &CallGraph) -> Vec<(&'static str, String)> {
    let name = |node: usize| &graph.nodes()[node].name;
    // Of a circle all functions count.
    let high: Vec<usize> = (0..graph.nodes().len())
        .filter(|&node| graph.is_high(node))
        .collect();
    let names: Vec<&str> = high.iter().map(|&node| name(node).as_str()).collect();
    let frus: Vec<String> = (high.iter())
        .map(|&node| graph.nodes()[node].fru.to_string())
        .collect();
    let largest =
        (1..graph.nodes().len()).max_by_key(|&node| (graph.nodes()[node].fru, usize::MAX - node));
    vec![
        (
            "Low-watermark",
            format!(
                "{} = {} + {}: kernel and largest function{}",
                graph.low(),
                graph.times_low(0),
                graph.largest_fru(),
                largest.map_or_else(String::new, |node| format!(", {}", name(node)))
            ),
        ),
        (
            "High-watermark",
            format!(
                "{} = {}: {}",
                graph.high(),
                frus.join(" + "),
                names.join(", ")
            ),
        ),
    ]
}
