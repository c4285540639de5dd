//! The comparators of resource sharing (VI, Figure 11): no sharing, but twice as much of what runs short.

use super::baseline::exclusive_plan;
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::machine::Machine;

/// What an SM has twice of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubled {
    /// The register file.
    Registers,
    /// The scratchpad.
    Scratchpad,
}

impl Scheme for Doubled {
    fn name(&self) -> &str {
        match self {
            Doubled::Registers => "double-registers",
            Doubled::Scratchpad => "double-scratchpad",
        }
    }

    fn machine(&self, machine: &Machine) -> Machine {
        let mut doubled = machine.clone();
        match self {
            Doubled::Registers => doubled.limits.packs_per_sm *= 2,
            Doubled::Scratchpad => doubled.limits.scratchpad_bytes *= 2,
        }
        doubled
    }

    /// The plan of the baseline; `input.machine` has everything twice already ([`Scheme::machine`]).
    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let limits = &input.machine.limits;
        let added = match self {
            Doubled::Registers => u32::from(limits.packs_per_sm) / 2 * 32 * 32,
            Doubled::Scratchpad => limits.scratchpad_bytes / 2 * 8,
        };
        exclusive_plan(self.name(), input, added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::text;
    use crate::scheme::CtaShape;

    fn ctas(
        scheme: &dyn Scheme,
        machine: &str,
        regs: u16,
        cta: CtaShape,
    ) -> Result<(u16, u32), Refusal> {
        let body = ".kernel k;\n.regs architected REGS, 1;\nentry:\n    exit;\n";
        let kernel = text::parse(&body.replace("REGS", &regs.to_string()), "k").unwrap();
        let machine = scheme.machine(&Machine::preset(machine).unwrap());
        let plan = scheme.plan(&PlanInput {
            kernel: &kernel,
            machine: &machine,
            cta,
            shares_sm: false,
        })?;
        Ok((plan.occupancy.ctas, plan.storage_bits))
    }

    #[test]
    fn twice_the_registers_hold_hotspot_six_times_and_twice_the_scratchpad_lava_md_four_times() {
        let hotspot = CtaShape {
            threads: 256,
            scratchpad_bytes: 0,
        };
        let registers = ctas(&Doubled::Registers, "fermi14", 36, hotspot);
        assert_eq!(registers, Ok((6, 1024 * 1024)));
        let scratchpad = ctas(&Doubled::Scratchpad, "fermi14", 36, hotspot);
        assert_eq!(scratchpad, Ok((3, 131_072)));
        let lava_md = CtaShape {
            threads: 128,
            scratchpad_bytes: 7200,
        };
        assert_eq!(
            ctas(&Doubled::Scratchpad, "fermi14", 37, lava_md),
            Ok((4, 131_072))
        );
    }
}
