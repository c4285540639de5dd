//! The worked examples and tables of the papers, computed by the code that plans kernels.

use crate::failure::{Failure, OrFail, Outcome};
use crate::report::table::{plain, right_align};
use regshare_hw::cost;
use regshare_sim::kernel::text;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::es::{EsChoice, EsInput, Policy, Sharing as EsSharing};
use regshare_sim::scheme::paper::{SHARING_STEPS, SHARING_TABLE_6, SHARING_TABLE_8, TABLE_1};
use regshare_sim::scheme::{CtaShape, Percent, PlanInput, Scheme, Sharing, SharingVariant};

/// Everything, as text.
pub fn text() -> Outcome<String> {
    Ok(format!(
        "{}\n{}\n{}\n{}\n{}\n{}",
        worked_example()?,
        table_1()?,
        figure_2(),
        storage(),
        sharing_table_6()?,
        sharing_table_8()?
    ))
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
        sharing: EsSharing::Pool,
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
fn figure_2() -> String {
    let (needed, hardware, bs, es) = (31, 48, 16, 16);
    let (static_need, shared_need) = (2 * needed, 2 * bs + es);
    format!(
        "RegMutex Figure 2: two warps of {needed} registers need {static_need} > {hardware} without sharing, \
         2 x {bs} + {es} = {shared_need} <= {hardware} with it\n",
    )
}

fn storage() -> String {
    format!(
        "RegMutex III-B1, III-C: storage for 48 warps: {} bits; paired warps: {} bits; with a bit per warp: {} bits\n",
        cost::RegMutexBits::new(48).total(),
        cost::paired_bits(48),
        cost::paired_safe_bits(48),
    )
}

/// CTAs of the plan of a kernel of this size, at each of [`SHARING_STEPS`].
fn sharing_ctas(machine: &Machine, regs: u16, cta: CtaShape) -> Outcome<[u32; 6]> {
    let text = format!(
        ".kernel k;\n.regs architected {regs}, 1;\nentry:\n    mov.u32 r0, 1;\n    exit;\n"
    );
    let kernel = text::parse(&text, "k").or_input()?;
    steps(|percent| {
        let scheme = Sharing {
            variant: SharingVariant::OwfUnroll,
            percent,
        };
        let input = PlanInput {
            kernel: &kernel,
            machine,
            cta,
            shares_sm: false,
        };
        let plan = scheme.plan(&input).map_err(Failure::run)?;
        Ok(u32::from(plan.occupancy.ctas))
    })
}

/// Resource sharing, Table VI.
fn sharing_table_6() -> Outcome<String> {
    let machine = Machine::preset("fermi14").or_input()?;
    let rows = SHARING_TABLE_6.map(|(name, threads, regs, printed)| {
        let cta = CtaShape {
            threads,
            scratchpad_bytes: 0,
        };
        let ctas = sharing_ctas(&machine, regs, cta)?;
        let what = format!("{name}, {threads} threads, {regs} registers");
        Ok((what, ctas, printed))
    });
    sharing_table("VI: CTAs by shared registers", rows)
}

/// Resource sharing, Table VIII. The registers of its kernels are not in the paper; here they never limit.
fn sharing_table_8() -> Outcome<String> {
    let machine = Machine::preset("fermi14").or_input()?;
    let rows = SHARING_TABLE_8.map(|(name, threads, bytes, printed)| {
        let cta = CtaShape {
            threads,
            scratchpad_bytes: bytes,
        };
        let ctas = sharing_ctas(&machine, 4, cta)?;
        let what = format!("{name}, {threads} threads, {bytes} B");
        Ok((what, ctas, printed))
    });
    sharing_table("VIII: CTAs by shared scratchpad", rows)
}

/// A kernel, its CTAs at each of [`SHARING_STEPS`], and what is printed.
type Row = (String, [u32; 6], [u16; 6]);

/// One value for each of [`SHARING_STEPS`].
fn steps(mut at: impl FnMut(Percent) -> Outcome<u32>) -> Outcome<[u32; 6]> {
    let mut values = [0; 6];
    for (value, step) in values.iter_mut().zip(SHARING_STEPS) {
        *value = at(Percent::new(step).unwrap_or_default())?;
    }
    Ok(values)
}

fn sharing_table<const N: usize>(title: &str, rows: [Outcome<Row>; N]) -> Outcome<String> {
    let mut headings = vec!["kernel".to_owned()];
    headings.extend(SHARING_STEPS.map(|step| format!("{step} %")));
    headings.push(String::new());
    let mut table = plain(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    let mut equal = 0;
    for row in rows {
        let (what, ctas, printed) = row?;
        let hits = (ctas.iter().zip(printed)).filter(|(got, wanted)| **got == u32::from(*wanted));
        let hits = hits.count();
        equal += hits;
        let mut cells = vec![what];
        cells.extend(ctas.map(|ctas| ctas.to_string()));
        cells.push(if hits == ctas.len() {
            "as printed".to_owned()
        } else {
            format!("printed: {printed:?}")
        });
        table.add_row(cells);
    }
    right_align(&mut table, &[1, 2, 3, 4, 5, 6]);
    Ok(format!(
        "Resource sharing, Table {title}\n{table}\nas printed: {equal} of {}\n",
        6 * N
    ))
}
