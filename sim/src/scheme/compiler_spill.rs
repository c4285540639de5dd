//! The comparator of GPU-shrink (RFV 9.2): a smaller register file without renaming. The compiler gives a kernel so few registers
//! that as many CTAs fit as on the whole file, and spills the others to local memory.

use super::baseline::exclusive_plan;
use super::{Occupancy, Plan, PlanInput, Refusal, Scheme, Shrink};
use crate::machine::Machine;
use regshare_hw::rfv::free_list::{BANKS, kept_packs};

/// A smaller register file and a compiler that spills.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompilerSpill {
    /// By how much the file is smaller.
    pub shrink: Shrink,
}

impl CompilerSpill {
    fn packs(self, packs: u16) -> u16 {
        let per_bank = usize::from(packs) / BANKS;
        (BANKS * kept_packs(per_bank)[usize::from(self.shrink.pin())]) as u16
    }
}

impl Scheme for CompilerSpill {
    fn name(&self) -> &str {
        "compiler-spill"
    }

    fn machine(&self, machine: &Machine) -> Machine {
        let mut smaller = machine.clone();
        smaller.limits.packs_per_sm = self.packs(machine.limits.packs_per_sm).max(1);
        smaller
    }

    /// The registers with which the warps of the baseline fit the smaller file; `input.machine` has the whole one.
    fn max_regs(&self, input: &PlanInput<'_>) -> Result<Option<u16>, Refusal> {
        let limits = &input.machine.limits;
        let regs = limits.rounded_regs(input.regs()?);
        let warps = Occupancy::with_regs(limits, input.cta, regs)?.warps.max(1);
        let granularity = limits.register_allocation_granularity;
        let fit = self.packs(limits.packs_per_sm) / warps / granularity * granularity;
        Ok((fit < regs).then_some(fit))
    }

    /// The plan of the baseline; `input.machine` has the smaller file already ([`Scheme::machine`]).
    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        exclusive_plan(self.name(), input, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::text;
    use crate::scheme::CtaShape;

    fn cap(regs: u16, threads: u32) -> Option<u16> {
        let body = ".kernel k;\n.regs architected REGS, 1;\nentry:\n    exit;\n";
        let kernel = text::parse(&body.replace("REGS", &regs.to_string()), "k").expect("parses");
        let cap = CompilerSpill::default().max_regs(&PlanInput {
            kernel: &kernel,
            machine: &Machine::preset("fermi16").expect("exists"),
            cta: CtaShape {
                threads,
                scratchpad_bytes: 0,
            },
            shares_sm: false,
        });
        cap.expect("one CTA fits")
    }

    /// 36 registers leave room for 3 CTAs of 8 warps in 1024 packs; in 512 these have 21 each, in steps of four 20.
    #[test]
    fn the_warps_of_the_baseline_fit_half_the_file() {
        assert_eq!(cap(36, 256), Some(20));
        assert_eq!(cap(8, 256), None);
    }
}
