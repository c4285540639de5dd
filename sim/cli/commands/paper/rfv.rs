//! Register file virtualization: Table 1, storage, and what its renaming table has room for.

use super::figures::{self, Figure, Paper};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::table::{plain, right_align};
use regshare_hw::cost::index_bits;
use regshare_hw::rfv::cost::{FlagCacheBits, RenameTableBits, availability_bits};
use regshare_hw::rfv::release_flag_cache::{ENTRIES, PC_BITS};
use regshare_sim::compiler::rfv::exempt::renamed_registers;
use regshare_sim::compiler::rfv::{BANKS, MAX_REGS};
use regshare_sim::machine::{Limits, Machine};
use regshare_sim::scheme::occupancy::LANES;
use regshare_sim::scheme::paper::{RFV_TABLE_1, RFV_TABLE_1_SLIPS};
use regshare_sim::scheme::{CtaShape, Occupancy};

/// The constrained renaming table (7.1), bytes.
const TABLE_BYTES: u32 = 1024;

/// The section.
pub fn text() -> Outcome<String> {
    let figures = figures::table("RFV, on fermi16", &figures()?);
    Ok([table_1()?, figures].join("\n"))
}

fn limits() -> Outcome<Limits> {
    Ok(Machine::preset("fermi16").or_input()?.limits)
}

/// What an SM holds of such a kernel.
fn resident(limits: &Limits, threads: u32, regs: u16) -> Outcome<Occupancy> {
    let cta = CtaShape {
        threads,
        scratchpad_bytes: 0,
    };
    Occupancy::with_regs(limits, cta, limits.rounded_regs(regs)).map_err(Failure::run)
}

/// Table 1: resident CTAs by threads, registers and CTA slots.
fn table_1() -> Outcome<String> {
    let limits = limits()?;
    let mut table = plain(&[
        "kernel",
        "threads",
        "registers",
        "CTAs",
        "limited by",
        "printed",
        "",
    ]);
    let mut equal = 0;
    for (kernel, threads, regs, printed) in RFV_TABLE_1 {
        let found = resident(&limits, threads, regs)?;
        let slip = RFV_TABLE_1_SLIPS.iter().find(|slip| slip.0 == kernel);
        let verdict = match (found.ctas == printed, slip) {
            (true, _) => "as printed".to_owned(),
            (false, None) => "NOT as in the paper".to_owned(),
            (false, Some(&(_, threads, regs))) => {
                let other = resident(&limits, threads, regs)?;
                format!(
                    "slip of the paper: {threads} threads and {regs} registers would give {}",
                    other.ctas
                )
            }
        };
        equal += usize::from(found.ctas == printed);
        table.add_row([
            kernel.to_owned(),
            threads.to_string(),
            regs.to_string(),
            found.ctas.to_string(),
            found.limited_by.to_string(),
            printed.to_string(),
            verdict,
        ]);
    }
    right_align(&mut table, &[1, 2, 3, 5]);
    Ok(format!(
        "RFV, Table 1: CTAs of an SM by threads, registers and CTA slots\n{table}\nas printed: {equal} of {}\n",
        RFV_TABLE_1.len()
    ))
}

/// Storage (7), and numbers of the text that follow from Table 1.
pub fn figures() -> Outcome<Vec<Figure>> {
    let limits = limits()?;
    let mut figures = copies(&limits)?;
    figures.extend(storage(&limits));
    figures.extend(exempt(&limits)?);
    Ok(figures)
}

/// The row of Table 1 of a kernel: threads and registers.
fn row(kernel: &str) -> Outcome<(u32, u16)> {
    let row = RFV_TABLE_1.iter().find(|row| row.0 == kernel);
    row.map(|&(_, threads, regs, _)| (threads, regs))
        .ok_or_else(|| Failure::run(format!("Table 1 has no {kernel}")))
}

/// Copies of one register of MatrixMul (4).
fn copies(limits: &Limits) -> Outcome<Vec<Figure>> {
    let (threads, regs) = row("MatrixMul")?;
    let found = resident(limits, threads, regs)?;
    Ok(vec![Figure {
        place: "4",
        what: format!(
            "copies of a register in MatrixMul: {} CTAs x {} warps x {LANES} lanes",
            found.ctas,
            found.warps / found.ctas
        ),
        computed: (u32::from(found.warps) * LANES).to_string(),
        paper: Paper::Slip {
            prints: "1280",
            why: "6 x 8 x 32 is more",
        },
    }])
}

/// Renaming table, availability vectors and release flag cache (7.1, 7.2).
fn storage(limits: &Limits) -> Vec<Figure> {
    let (warps, packs) = (
        u64::from(limits.warps_per_sm),
        u64::from(limits.packs_per_sm),
    );
    let names = RenameTableBits::new(warps, MAX_REGS.into(), packs, false).names;
    let available = availability_bits(packs);
    let cache = FlagCacheBits::new(ENTRIES as u64, PC_BITS.into());
    let figure = |place, what: String, computed, paper| Figure {
        place,
        what,
        computed,
        paper,
    };
    vec![
        figure(
            "7.1",
            format!(
                "renaming table: {warps} warps x {MAX_REGS} registers x {} bits",
                index_bits(packs)
            ),
            format!("{names} bits"),
            Paper::Formula("30240 bits"),
        ),
        figure(
            "7.1",
            "the same in bytes".to_owned(),
            format!("{:.1} KB", names as f64 / 8000.0),
            Paper::Prints("3.8 KB"),
        ),
        figure(
            "7.1",
            format!(
                "availability vectors: {BANKS} banks x {}",
                available / BANKS as u64
            ),
            format!("{available} bits"),
            Paper::Prints("1024 bits"),
        ),
        figure(
            "7.1",
            format!("a renaming table of {TABLE_BYTES} bytes, of the full one"),
            format!("{} %", (u64::from(TABLE_BYTES) * 8 * 100) / names),
            Paper::Slip {
                prints: "25 %",
                why: "1024 of 3780 bytes",
            },
        ),
        figure(
            "7.2",
            format!(
                "release flag cache: {ENTRIES} entries x {} bits",
                cache.flags / ENTRIES as u64
            ),
            format!("{} bits", cache.flags),
            Paper::Formula("540 bits"),
        ),
        figure(
            "7.2",
            "the same in bytes".to_owned(),
            format!("{} B", cache.flags.div_ceil(8)),
            Paper::Prints("68 B"),
        ),
        figure(
            "7.2",
            format!("its tags and valid bits: {} + {}", cache.tags, cache.valid),
            format!("{} bits", cache.tags + cache.valid),
            Paper::Silent("not counted by the paper"),
        ),
    ]
}

/// Registers that a constrained renaming table has no room for (7.1, 9.4).
fn exempt(limits: &Limits) -> Outcome<Vec<Figure>> {
    let name_bits = index_bits(limits.packs_per_sm.into()) as u32;
    let left = |threads, regs: u16, bytes| -> Outcome<String> {
        let warps = resident(limits, threads, regs)?.warps;
        let exempt = regs.saturating_sub(renamed_registers(bytes, warps, name_bits));
        Ok(format!("{exempt} of {regs}"))
    };
    let figure = |place, what: &str, computed, paper| Figure {
        place,
        what: format!("exempt from renaming with {TABLE_BYTES} bytes: {what}"),
        computed,
        paper,
    };
    let (threads, regs) = row("MUM")?;
    let mum = left(threads, regs, TABLE_BYTES)?;
    let (threads, regs) = row("Heartwall")?;
    let heartwall = left(threads, regs, TABLE_BYTES)?;
    // Four bytes to a name are a quarter of the table.
    let by_formula = left(threads, regs, TABLE_BYTES / 4)?;
    let (threads, regs) = row("LUD")?;
    let lud = left(threads, regs, TABLE_BYTES)?;
    let mut figures = vec![
        figure("9.4", "MUM", mum, Paper::Prints("2 of 19")),
        figure("9.4", "Heartwall", heartwall, Paper::Prints("4 of 29")),
        figure(
            "7.1",
            "Heartwall, with the formula's \"x 4 B\"",
            by_formula,
            Paper::Slip {
                prints: "4 of 29",
                why: "the factor has no unit that fits; 9.4 counts without it",
            },
        ),
        figure(
            "9.4",
            "LUD, as in Table 1",
            lud,
            Paper::Slip {
                prints: "2 of 19",
                why: "Table 1 has too few threads",
            },
        ),
    ];
    for &(kernel, threads, regs) in RFV_TABLE_1_SLIPS.iter().filter(|slip| slip.0 == "LUD") {
        figures.push(figure(
            "9.4",
            &format!("{kernel}, CTAs of {threads} threads"),
            left(threads, regs, TABLE_BYTES)?,
            Paper::Prints("2 of 19"),
        ));
    }
    Ok(figures)
}
