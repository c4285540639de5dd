//! `regshare occupancy`: launch arithmetic.

use super::compile::plan::packs_kept;
use super::{checked, machine, scheme_options};
use crate::args::OccupancyArgs;
use crate::failure::{OrFail, Outcome};
use crate::output;
use crate::report::table::{plain, right_align};
use comfy_table::Table;
use indicatif::ProgressBar;
use regshare_hw::manager::ManagerSpec;
use regshare_sim::bundled;
use regshare_sim::flow::{self, CALL_SCHEMES, Compiled, FlowError, OWF_SCHEMES, SCHEMES, Workload};
use regshare_sim::kernel::RegSpace;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{Plan, Scheme, SchemeOptions};
use std::fmt::Write;

/// Prints occupancies, or the paper's figures.
pub fn run(args: &OccupancyArgs) -> Outcome {
    let machine = machine(&args.machine)?;
    if args.paper {
        return output::print(&super::paper::text()?);
    }
    let options = scheme_options(&args.schemes)?;
    let names: Vec<String> = match &args.source {
        Some(name) => vec![name.clone()],
        None => bundled::every()
            .map(|kernel| kernel.name.to_owned())
            .collect(),
    };
    let mut listing = Listing::new(&machine, options);
    listing.bar = output::progress(names.len() as u64);
    for name in &names {
        let mut workload = checked(Workload::open(name, args.kernel.launch.as_deref()))?;
        workload.stack_bytes = args.schemes.stack_bytes();
        let compiled = checked(flow::compile(&workload, args.kernel.max_regs))?;
        listing.add(&workload, &compiled)?;
        listing.bar.inc(1);
    }
    listing.bar.finish_and_clear();
    output::print(&listing.text()?)
}

/// Kernels under the schemes that suit them.
struct Listing<'a> {
    machine: &'a Machine,
    options: SchemeOptions,
    table: Table,
    /// What register stacks get.
    stacks: String,
    /// Who cannot run what, and why.
    refused: String,
    first_refusal: Option<FlowError>,
    /// How far it is.
    bar: ProgressBar,
}

impl<'a> Listing<'a> {
    fn new(machine: &'a Machine, options: SchemeOptions) -> Self {
        let table = plain(&[
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
        Listing {
            machine,
            options,
            table,
            stacks: String::new(),
            refused: String::new(),
            first_refusal: None,
            bar: ProgressBar::hidden(),
        }
    }

    /// A row for each scheme that can run the kernel; those that keep calls are for kernels that call functions.
    fn add(&mut self, workload: &Workload, compiled: &Compiled) -> Outcome {
        let for_calls = CALL_SCHEMES.iter().filter(|_| workload.program.is_some());
        let mut refusals: Vec<(String, Vec<String>)> = Vec::new();
        for (name, _) in SCHEMES.iter().chain(&OWF_SCHEMES).chain(for_calls) {
            self.bar
                .set_message(format!("{} under {name}", workload.name));
            let scheme = flow::scheme(name, self.options).or_input()?;
            match Planned::new(workload, compiled, scheme.as_ref(), self.machine) {
                Ok(planned) => {
                    let machine = scheme.machine(self.machine);
                    self.table.add_row(planned.cells(workload, &machine));
                    self.stacks += &stacks(&workload.name, &planned.plan).unwrap_or_default();
                }
                Err(error) => {
                    let reason = error.cause();
                    match refusals.iter_mut().find(|(known, _)| *known == reason) {
                        Some((_, schemes)) => schemes.push((*name).to_owned()),
                        None => refusals.push((reason, vec![(*name).to_owned()])),
                    }
                    self.first_refusal.get_or_insert(error);
                }
            }
        }
        for (reason, schemes) in refusals {
            let schemes = schemes.join(", ");
            // Writing to a string cannot fail.
            let _ = writeln!(
                self.refused,
                "refused: {} under {schemes}: {reason}",
                workload.name
            );
        }
        Ok(())
    }

    /// The table and what there is to say of it.
    ///
    /// # Errors
    /// The first refusal where nothing can run.
    fn text(mut self) -> Outcome<String> {
        if self.table.row_count() == 0
            && let Some(error) = self.first_refusal
        {
            return checked(Err(error));
        }
        right_align(&mut self.table, &[4, 5, 6, 8]);
        let notes = [self.stacks, self.refused].concat();
        let gap = if notes.is_empty() { "" } else { "\n" };
        Ok(format!("{}\n{gap}{notes}", self.table))
    }
}

/// A kernel as a scheme runs it.
struct Planned {
    compiled: Compiled,
    plan: Plan,
}

impl Planned {
    fn new(
        workload: &Workload,
        compiled: &Compiled,
        scheme: &dyn Scheme,
        machine: &Machine,
    ) -> Result<Self, FlowError> {
        let with_calls = flow::for_scheme(workload, compiled, scheme)?;
        let compiled = with_calls.as_ref().unwrap_or(compiled);
        let plan = flow::plan(workload, compiled, scheme, machine)?;
        let compiled = flow::compiled_for(workload, compiled, scheme, machine)?.into_owned();
        Ok(Planned { compiled, plan })
    }

    /// The row; `machine` is the scheme's.
    fn cells(&self, workload: &Workload, machine: &Machine) -> [String; 10] {
        let Planned { compiled, plan } = self;
        let limits = &machine.limits;
        let (RegSpace::Architected { regs: named, .. } | RegSpace::Virtual { regs: named, .. }) =
            plan.kernel.regs;
        // A scheme may have spilled or demoted some; where it renumbers them it leaves gaps.
        let regs = match plan.shared_from {
            Some(_) => compiled.report.regs,
            None => compiled.report.regs.min(named),
        };
        let rounded = limits.rounded_regs(regs);
        let registers = match (&plan.manager, plan.shared_from) {
            (
                ManagerSpec::Stacks {
                    base_regs,
                    capacities,
                    top,
                    ..
                },
                _,
            ) => {
                let (least, most) = (capacities[0], capacities[usize::from(*top)]);
                match least == most {
                    true => format!("{base_regs} + {most}"),
                    false => format!("{base_regs} + {least}..{most}"),
                }
            }
            (_, Some(base)) => format!("{regs} ({rounded}) = {base} + {}", rounded - base),
            (_, None) => format!("{regs} ({rounded})"),
        };
        let as_run = Compiled {
            kernel: plan.kernel.clone(),
            ..compiled.clone()
        };
        let cta = flow::cta_shape(workload, &as_run);
        let scratchpad = match plan.scratchpad {
            Some(pairs) => format!(
                " = {} + {}",
                pairs.private_bytes,
                cta.scratchpad_bytes - pairs.private_bytes
            ),
            None => String::new(),
        };
        [
            workload.name.clone(),
            plan.scheme.clone(),
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
            format!(
                "{} of {}",
                plan.packs_allocated,
                packs_kept(&plan.manager, limits.packs_per_sm)
            ),
        ]
    }
}

/// The watermarks of a plan with register stacks, and what a warp gets.
fn stacks(kernel: &str, plan: &Plan) -> Option<String> {
    let graph = &plan.stacks.as_ref()?.graph;
    let ManagerSpec::Stacks {
        base_regs,
        capacities,
        top,
        level,
        ..
    } = plan.manager
    else {
        return None;
    };
    let size = |level: u8| base_regs + capacities[usize::from(level)];
    let given = match level {
        Some(level) => format!("each gets {} packs", size(level)),
        None => {
            let sizes: Vec<String> = (0..top).map(|level| size(level).to_string()).collect();
            format!(
                "each gets {} or {} packs, chosen CTA by CTA while the kernel runs",
                sizes.join(", "),
                size(top)
            )
        }
    };
    let largest = size(level.unwrap_or(top));
    let once = plan.packs_allocated / u32::from(largest).max(1);
    let smaller = super::compile::plan::smaller(plan);
    Some(format!(
        "{kernel} under {}: a warp needs {} packs at the Low-watermark (kernel {} + largest function {}) and {} at the \
         High-watermark{}; {given}; {once} of {} warps have {largest} at once{}\n",
        plan.scheme,
        graph.low(),
        graph.times_low(0),
        graph.largest_fru(),
        graph.high(),
        match graph.has_recursion() {
            true => ", for one iteration of what is recursive",
            false => "",
        },
        plan.occupancy.warps,
        smaller.map_or_else(String::new, |why| format!("; {why}")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use regshare_sim::compiler::calls::Saves;

    fn listed(kernel: &str, machine: &Machine) -> Outcome<String> {
        let workload = checked(Workload::open(kernel, None))?;
        let compiled = checked(flow::compile(&workload, None))?;
        let mut listing = Listing::new(machine, SchemeOptions::default());
        listing.add(&workload, &compiled)?;
        listing.text()
    }

    fn listing(kernel: &str) -> String {
        let machine = Machine::preset("gtx480").expect("exists");
        listed(kernel, &machine).ok().expect("lists")
    }

    /// Schemes with a row.
    fn rows(text: &str) -> Vec<&str> {
        let rows = text.lines().skip(2).take_while(|line| !line.is_empty());
        rows.filter_map(|line| line.split_whitespace().nth(1))
            .collect()
    }

    fn names<'a>(
        schemes: impl IntoIterator<Item = &'a (&'static str, &'static str)>,
    ) -> Vec<&'a str> {
        schemes.into_iter().map(|(name, _)| *name).collect()
    }

    #[test]
    fn a_kernel_without_calls_is_listed_under_the_schemes_for_any_kernel_alone() {
        let text = listing("montecarlo");
        let expected = names(SCHEMES.iter().chain(&OWF_SCHEMES));
        assert_eq!(rows(&text), expected, "{text}");
        assert!(!text.contains("refused") && !text.contains("watermark"));
    }

    #[test]
    fn a_kernel_that_calls_functions_is_listed_under_what_keeps_calls_too_with_its_watermarks() {
        let text = listing("gemm");
        assert_eq!(
            rows(&text),
            names(SCHEMES.iter().chain(&OWF_SCHEMES).chain(&CALL_SCHEMES)),
            "{text}"
        );
        let workload = checked(Workload::open("gemm", None)).ok().expect("opens");
        let kept = flow::compile_calls(&workload, Saves::RegisterStack, None).expect("compiles");
        let (_, graph) = kept.expect("calls functions");
        let words = text
            .lines()
            .find(|line| line.starts_with("gemm under cars"));
        let words = words.expect("is told");
        for number in [
            format!("{} packs at the Low-watermark", graph.low()),
            format!("{} at the High-watermark", graph.high()),
            format!("or {} packs", graph.high()),
        ] {
            assert!(words.contains(&number), "{words}: {number}");
        }
    }

    #[test]
    fn what_cannot_be_inlined_is_listed_where_calls_are_kept_and_refused_elsewhere_in_one_line() {
        let text = listing("fibonacci");
        let kept = names(CALL_SCHEMES.iter().filter(|(name, _)| *name != "inlined"));
        assert_eq!(rows(&text), kept, "{text}");
        let refused: Vec<&str> = (text.lines())
            .filter(|line| line.starts_with("refused: "))
            .collect();
        let [line] = refused[..] else {
            panic!("{refused:?}")
        };
        assert!(
            line.starts_with("refused: fibonacci under baseline, regmutex, "),
            "{line}"
        );
        assert!(
            line.contains("inlined: its calls cannot be inlined: "),
            "{line}"
        );
        assert!(text.contains("for one iteration of what is recursive"));
    }

    #[test]
    fn a_kernel_that_nothing_can_run_is_an_error() {
        let mut machine = Machine::preset("gtx480").expect("exists");
        machine.limits.threads_per_sm = 32;
        assert!(listed("fibonacci", &machine).is_err());
    }
}
