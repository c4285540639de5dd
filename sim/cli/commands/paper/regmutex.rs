//! RegMutex: its worked example, Table I, Figure 2 and storage.

use super::figures::{self, Figure, Paper};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::table::{plain, right_align};
use regshare_hw::cost::{RegMutexBits, paired_bits, paired_safe_bits};
use regshare_hw::rfv::cost::{RenameTableBits, availability_bits};
use regshare_sim::compiler::rfv::MAX_REGS;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::es::{EsChoice, EsInput, Policy, Sharing};
use regshare_sim::scheme::paper::TABLE_1;
use regshare_sim::scheme::{CtaShape, Occupancy};

/// The section.
pub fn text() -> Outcome<String> {
    let figures = figures::table("RegMutex, storage of an SM of gtx480", &figures()?);
    Ok([worked_example()?, table_1()?, figure_2()?, figures].join("\n"))
}

/// "Assume the kernel asks for 24 registers" (III-A2): 48 warps, 1024 packs, registers the only limit.
fn worked_example() -> Outcome<String> {
    let limits = Machine::preset("gtx480").or_input()?.limits;
    let input = EsInput {
        regs: 24,
        limits: &limits,
        cta: CtaShape {
            threads: 192,
            scratchpad_bytes: 0,
        },
        live_at_barriers: 0,
        sharing: Sharing::Pool,
    };
    let mut out =
        "RegMutex III-A2, worked example: 24 registers, 48 warps, 1024 packs\n".to_owned();
    for (name, policy) in Policy::ALL {
        let choice = EsChoice::by_policy(&input, policy, |_| Ok(()));
        out += &format!("\npolicy {name}\n{}\n", candidates(&choice));
    }
    Ok(out)
}

/// The candidates of a choice as a table.
pub fn candidates(choice: &EsChoice) -> String {
    let mut table = plain(&["|Es|", "|Bs|", "CTAs", "warps", "sections", "verdict"]);
    for (index, candidate) in choice.candidates.iter().enumerate() {
        let verdict = match (&candidate.rejected, choice.chosen == Some(index)) {
            (_, true) => "chosen".to_owned(),
            (Some(reason), _) => reason.to_string(),
            (None, _) => String::new(),
        };
        table.add_row([
            candidate.es.to_string(),
            candidate.bs.to_string(),
            candidate.ctas.to_string(),
            candidate.warps.to_string(),
            candidate.sections.to_string(),
            verdict,
        ]);
    }
    right_align(&mut table, &[0, 1, 2, 3, 4]);
    table.to_string()
}

fn table_1() -> Outcome<String> {
    let limits = Machine::preset("gtx480").or_input()?.limits;
    let mut table = plain(&[
        "kernel",
        "registers",
        "rounded",
        "|Bs| printed",
        "round-up-even |Bs|",
        "",
        "paper-text |Bs|",
        "",
    ]);
    let mut reached = [0, 0];
    for (name, regs, printed_rounded, bs) in TABLE_1 {
        let rounded = limits.rounded_regs(regs);
        let offers = [Policy::RoundUpEven, Policy::PaperText].map(|policy| {
            policy
                .sizes(regs, rounded)
                .iter()
                .map(|es| rounded - es)
                .collect::<Vec<_>>()
        });
        let mut row = vec![
            name.to_owned(),
            regs.to_string(),
            format!(
                "{rounded}{}",
                if rounded == printed_rounded {
                    ""
                } else {
                    " (printed otherwise)"
                }
            ),
            bs.to_string(),
        ];
        for (count, offer) in reached.iter_mut().zip(&offers) {
            let hit = offer.contains(&bs);
            *count += u32::from(hit);
            row.push(
                offer
                    .iter()
                    .map(u16::to_string)
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            row.push(if hit { "reached" } else { "missed" }.to_owned());
        }
        table.add_row(row);
    }
    right_align(&mut table, &[1, 2, 3]);
    Ok(format!(
        "RegMutex Table I: the |Bs| that each policy can choose from\n{table}\nreached: round-up-even {} of 16, paper-text {} of 16\n",
        reached[0], reached[1]
    ))
}

/// Figure 2: two warps that need 31 registers each, 48 registers per thread in the hardware, |Bs| = |Es| = 16.
fn figure_2() -> Outcome<String> {
    let mut limits = Machine::preset("gtx480").or_input()?.limits;
    limits.packs_per_sm = 48;
    let (regs, es) = (31, 16);
    let cta = CtaShape {
        threads: 32,
        scratchpad_bytes: 0,
    };
    let input = EsInput {
        regs,
        limits: &limits,
        cta,
        live_at_barriers: 0,
        sharing: Sharing::Pool,
    };
    let without = Occupancy::with_regs(&limits, cta, regs).map_err(Failure::run)?;
    let (choice, with) = EsChoice::fixed(&input, es).map_err(Failure::run)?;
    let taken = (choice.candidate()).ok_or_else(|| Failure::run("no extended set"))?;
    let packs = with.warps * taken.bs + taken.es;
    Ok(format!(
        "RegMutex Figure 2: of warps of {regs} registers {} fits into {} registers per thread without sharing, {} do with it: \
         {} x {} + {} = {packs}\n",
        without.warps, limits.packs_per_sm, with.warps, with.warps, taken.bs, taken.es,
    ))
}

/// Storage (III-B1, III-C), and what the paper says of it.
pub fn figures() -> Outcome<Vec<Figure>> {
    let limits = Machine::preset("gtx480").or_input()?.limits;
    let (warps, packs) = (
        u64::from(limits.warps_per_sm),
        u64::from(limits.packs_per_sm),
    );
    let bits = RegMutexBits::new(warps);
    let renaming = RenameTableBits::new(warps, MAX_REGS.into(), packs, false).names;
    let renaming = renaming + availability_bits(packs);
    Ok(vec![
        Figure {
            place: "III-B1",
            what: format!("look-up table of {warps} warps"),
            computed: format!("{} bits", bits.lut),
            paper: Paper::Prints("288 bits"),
        },
        Figure {
            place: "III-B1",
            what: format!(
                "with warp status and SRP mask: {} + {} + {}",
                bits.warp_status, bits.srp, bits.lut
            ),
            computed: format!("{} bits", bits.total()),
            paper: Paper::Prints("384 bits"),
        },
        Figure {
            place: "III-B1",
            what: "bits of RFV, without its flag cache, over these".to_owned(),
            computed: format!("{} x", renaming / bits.total()),
            paper: Paper::Prints("81 x"),
        },
        Figure {
            place: "III-C",
            what: "paired warps: a bit per pair".to_owned(),
            computed: format!("{} bits", paired_bits(warps)),
            paper: Paper::Formula("24 bits"),
        },
        Figure {
            place: "IV-E",
            what: "bits of RegMutex over those of paired warps".to_owned(),
            computed: format!("{} x", bits.total() / paired_bits(warps)),
            paper: Paper::Slip {
                prints: "more than 20 x",
                why: "its own bits are 384 and 24",
            },
        },
        Figure {
            place: "III-C",
            what: "paired warps, safe: a bit per warp".to_owned(),
            computed: format!("{} bits", paired_safe_bits(warps)),
            paper: Paper::Silent("not in the paper"),
        },
    ])
}
