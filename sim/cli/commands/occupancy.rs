//! `regshare occupancy`: launch arithmetic.

use super::{checked, machine, scheme_options};
use crate::args::OccupancyArgs;
use crate::failure::{OrFail, Outcome};
use crate::output;
use crate::report::table::{plain, right_align};
use regshare_sim::bundled;
use regshare_sim::flow::{self, SCHEMES, Workload};

/// Prints occupancies, or the paper's figures.
pub fn run(args: &OccupancyArgs) -> Outcome {
    let machine = machine(&args.machine)?;
    if args.paper {
        return output::print(&super::paper::text()?);
    }
    let options = scheme_options(&args.schemes)?;
    let names: Vec<String> = match &args.source {
        Some(name) => vec![name.clone()],
        None => bundled::all()
            .iter()
            .map(|kernel| kernel.name.to_owned())
            .collect(),
    };
    let mut table = plain(&[
        "kernel",
        "scheme",
        "registers",
        "CTA",
        "CTAs",
        "warps",
        "occupancy",
        "limited by",
        "extended sets",
        "packs",
    ]);
    for name in &names {
        let workload = checked(Workload::open(name, args.kernel.launch.as_deref()))?;
        let compiled = checked(flow::compile(&workload, args.kernel.max_regs))?;
        for (scheme, _) in SCHEMES {
            let scheme = flow::scheme(scheme, options).or_input()?;
            let plan = checked(flow::plan(&workload, &compiled, scheme.as_ref(), &machine))?;
            let rounded = machine.limits.rounded_regs(compiled.report.regs);
            let registers = match plan.shared_from {
                Some(base) => format!(
                    "{} ({rounded}) = {base} + {}",
                    compiled.report.regs,
                    rounded - base
                ),
                None => format!("{} ({rounded})", compiled.report.regs),
            };
            let packs = scheme.machine(&machine).limits.packs_per_sm;
            let cta = flow::cta_shape(&workload, &compiled);
            let scratchpad = match plan.scratchpad {
                Some(pairs) => format!(
                    " = {} + {}",
                    pairs.private_bytes,
                    cta.scratchpad_bytes - pairs.private_bytes
                ),
                None => String::new(),
            };
            table.add_row([
                workload.name.clone(),
                scheme.name().to_owned(),
                registers,
                format!(
                    "{} threads, {} B{scratchpad}",
                    cta.threads, cta.scratchpad_bytes
                ),
                plan.occupancy.ctas.to_string(),
                plan.occupancy.warps.to_string(),
                format!("{:.1} %", 100.0 * plan.occupancy.fraction),
                plan.occupancy.limited_by.to_string(),
                plan.sections
                    .map_or_else(|| "-".to_owned(), |sections| sections.to_string()),
                format!("{} of {packs}", plan.packs_allocated),
            ]);
        }
    }
    right_align(&mut table, &[4, 5, 6, 8]);
    output::print(&format!("{table}\n"))
}
