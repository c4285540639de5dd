//! Resource sharing: what stays unused without it, the CTAs of Tables VI and VIII, and storage.

use super::figures::{self, Figure, Paper};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::table::{plain, right_align};
use regshare_hw::owf::cost::{PairLockBits, ScratchpadLockBits};
use regshare_sim::kernel::text;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::occupancy::LANES;
use regshare_sim::scheme::paper::{
    SHARING_STEPS, SHARING_TABLE_6, SHARING_TABLE_8, sharing_equation_4,
};
use regshare_sim::scheme::{
    CtaShape, Occupancy, Percent, Plan, PlanInput, Scheme, SharedCtas, Sharing, SharingVariant,
};

/// Registers of a kernel that only scratchpad limits: Table VIII does not print them.
const FEW_REGS: u16 = 4;

/// The section.
pub fn text() -> Outcome<String> {
    let figures = figures::table("Resource sharing, on fermi14", &figures()?);
    Ok([sharing_table_6()?, sharing_table_8()?, figures].join("\n"))
}

/// The plan of a kernel of this size.
fn plan(machine: &Machine, regs: u16, cta: CtaShape, percent: Percent) -> Outcome<Plan> {
    let text = format!(
        ".kernel k;\n.regs architected {regs}, 1;\nentry:\n    mov.u32 r0, 1;\n    exit;\n"
    );
    let kernel = text::parse(&text, "k").or_input()?;
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
    scheme.plan(&input).map_err(Failure::run)
}

/// CTAs of the plan of a kernel of this size, at each of [`SHARING_STEPS`].
fn sharing_ctas(machine: &Machine, regs: u16, cta: CtaShape) -> Outcome<[u32; 6]> {
    steps(|percent| {
        let plan = plan(machine, regs, cta, percent)?;
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

/// Resource sharing, Table VIII.
fn sharing_table_8() -> Outcome<String> {
    let machine = Machine::preset("fermi14").or_input()?;
    let rows = SHARING_TABLE_8.map(|(name, threads, bytes, printed)| {
        let cta = CtaShape {
            threads,
            scratchpad_bytes: bytes,
        };
        let ctas = sharing_ctas(&machine, FEW_REGS, cta)?;
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

/// Per cent of sharing.
fn percent(number: u8) -> Outcome<Percent> {
    Percent::new(number).ok_or_else(|| Failure::run(format!("{number} % cannot be shared")))
}

/// A row of a table, by the kernel's name.
fn row<T: Copy>(rows: &[T], is: impl Fn(&T) -> bool) -> Outcome<T> {
    let found = rows.iter().copied().find(is);
    found.ok_or_else(|| Failure::run("the table has no such kernel"))
}

/// Worked examples of sections II and III.
fn examples(machine: &Machine) -> Outcome<Vec<Figure>> {
    let limits = &machine.limits;
    let (_, threads, regs, _) = row(&SHARING_TABLE_6, |row| row.0 == "hotspot")?;
    let of = |threads, scratchpad_bytes| CtaShape {
        threads,
        scratchpad_bytes,
    };
    let hotspot = plan(machine, regs, of(threads, 0), percent(0)?)?;
    let packs = u32::from(limits.packs_per_sm) - hotspot.packs_allocated;
    let (_, threads, bytes, _) = row(&SHARING_TABLE_8, |row| row.0 == "lavaMD")?;
    let lavamd = plan(machine, FEW_REGS, of(threads, bytes), percent(0)?)?;
    let used = u32::from(lavamd.occupancy.ctas) * bytes;
    // Units of 1 K: 35 of an SM, 10 of a CTA, half of them private in a pair.
    let slots = u32::from(limits.ctas_per_sm);
    let alone = SharedCtas::new(35, 10, percent(0)?, slots);
    let pairs = SharedCtas::new(35, 10, percent(50)?, slots);
    let (_, threads, bytes, _) = row(&SHARING_TABLE_8, |row| row.0 == "SRAD1")?;
    let most = Occupancy::fit(limits, of(threads, 0), |_| 0).map_err(Failure::run)?;
    let equation = sharing_equation_4(limits.scratchpad_bytes, bytes, percent(90)?);
    let srad1 = plan(machine, FEW_REGS, of(threads, bytes), percent(90)?)?;
    let ctas = |number: u32| format!("{number} CTAs");
    Ok(vec![
        Figure {
            place: "II",
            what: "unused beside the CTAs of hotspot".to_owned(),
            computed: format!("{} registers", packs * LANES),
            paper: Paper::Prints("5120 registers"),
        },
        Figure {
            place: "II",
            what: "unused beside the CTAs of lavaMD".to_owned(),
            computed: format!("{} bytes", limits.scratchpad_bytes - used),
            paper: Paper::Prints("1984 bytes"),
        },
        Figure {
            place: "III",
            what: "35 K for CTAs of 10 K, not shared".to_owned(),
            computed: ctas(alone.total()),
            paper: Paper::Prints("3 CTAs"),
        },
        Figure {
            place: "III-A",
            what: format!(
                "35 K for CTAs of 10 K, t = 0.5: {} alone, {} pair",
                pairs.unshared, pairs.pairs
            ),
            computed: ctas(pairs.total()),
            paper: Paper::Prints("4 CTAs"),
        },
        Figure {
            place: "III-C",
            what: format!("SRAD1 at 90 %: Equation 4 ({equation}) and threads"),
            computed: ctas(equation.min(most.ctas.into())),
            paper: Paper::Slip {
                prints: "4 CTAs",
                why: "Equation 4 lacks S <= floor(R / Rtb)",
            },
        },
        Figure {
            place: "Table VIII",
            what: "SRAD1 at 90 %: with that bound".to_owned(),
            computed: ctas(srad1.occupancy.ctas.into()),
            paper: Paper::Prints("4 CTAs"),
        },
    ])
}

/// Worked examples, and storage (V).
pub fn figures() -> Outcome<Vec<Figure>> {
    let machine = Machine::preset("fermi14").or_input()?;
    let (warps, ctas) = (
        u64::from(machine.limits.warps_per_sm),
        u64::from(machine.limits.ctas_per_sm),
    );
    let regs = PairLockBits::new(warps, ctas);
    let bytes = ScratchpadLockBits::new(warps, ctas);
    let sms = u64::from(machine.sms);
    let storage = |what: String, bits: u64, paper| Figure {
        place: "V",
        what,
        computed: format!("{bits} bits"),
        paper,
    };
    let mut figures = examples(&machine)?;
    figures.extend([
        storage(
            format!(
                "sharing of registers: {} + {} + {} + {} + {}",
                regs.mode, regs.partners, regs.shared, regs.owner, regs.locks
            ),
            regs.total(),
            Paper::Formula("273 bits"),
        ),
        storage(
            format!("the same on {sms} SMs"),
            sms * regs.total(),
            Paper::Formula("3822 bits"),
        ),
        storage(
            format!(
                "sharing of scratchpad: {} + {} + {} + {}",
                bytes.mode, bytes.partners, bytes.owner, bytes.locks
            ),
            bytes.total(),
            Paper::Formula("93 bits"),
        ),
        storage(
            format!("the same on {sms} SMs"),
            sms * bytes.total(),
            Paper::Formula("1302 bits"),
        ),
    ]);
    Ok(figures)
}
