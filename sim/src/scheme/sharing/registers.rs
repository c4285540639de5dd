//! Sharing of registers (III-A).

use super::{Limiting, SharedCtas, Sharing, SharingVariant, register_bits};
use crate::compiler::first_use;
use crate::kernel::Kernel;
use crate::scheme::baseline::named_regs;
use crate::scheme::{LimitedBy, Occupancy, Plan, PlanInput, Refusal, Scheme};
use regshare_hw::manager::ManagerSpec;

/// The kernel with registers in the order of first use, if the variant says so.
fn unrolled(scheme: &Sharing, kernel: &Kernel) -> Result<Kernel, Refusal> {
    if scheme.variant == SharingVariant::LrrNoOpt {
        return Ok(kernel.clone());
    }
    let mut renumbered = first_use::by_first_use(kernel);
    first_use::check(kernel, &renumbered).map_err(|error| Refusal::Option {
        scheme: scheme.name().to_owned(),
        reason: format!("refused by the checker: {error}"),
    })?;
    // A kernel that leaves numbers out is launched with as many registers as before.
    renumbered.regs = kernel.regs;
    Ok(renumbered)
}

/// The plan, if one more CTA lacks only registers and pairs make room for it.
pub(super) fn plan(scheme: &Sharing, input: &PlanInput<'_>) -> Result<Option<Plan>, Refusal> {
    let limits = &input.machine.limits;
    let (warps_per_cta, packs) = (input.cta.warps(), u32::from(limits.packs_per_sm));
    let regs = input.regs()?;
    let rounded = limits.rounded_regs(regs);
    let most = Occupancy::fit(limits, input.cta, |_| 0)?;
    let per_cta = warps_per_cta * u32::from(rounded);
    let ctas = SharedCtas::new(packs, per_cta, scheme.percent, most.ctas.into());
    if ctas.pairs == 0 {
        return Ok(None);
    }
    // Registers below Rw t are private. Where that is no whole number and a register too many for the file, the one at
    // the bound is shared.
    let lower = (ctas.unshared + ctas.pairs) * per_cta;
    let packs_for = |private: u32| lower + ctas.pairs * warps_per_cta * private;
    let private = scheme.percent.private(rounded.into());
    let private = (private - u32::from(packs_for(private) > packs)) as u16;
    Ok(Some(Plan {
        scheme: scheme.name().to_owned(),
        kernel: unrolled(scheme, input.kernel)?,
        regs,
        manager: ManagerSpec::Sharing {
            warps_per_cta: warps_per_cta as u16,
            private_regs: private,
            shared_regs: named_regs(rounded) - private,
            private_bytes: None,
            pairs: ctas.pairs as u16,
            unshared: ctas.unshared as u16,
            owner_first: scheme.variant.owner_first(),
            dynamic: scheme.variant.dynamic(),
        },
        occupancy: scheme.occupancy(
            input,
            ctas,
            Limiting {
                resource: LimitedBy::Registers,
                most,
            },
        ),
        packs_allocated: packs_for(private.into()),
        shared_from: Some(private),
        sections: Some(ctas.pairs as u16 * warps_per_cta as u16),
        scratchpad: None,
        es: None,
        scheduler: Some(scheme.variant.scheduler()),
        storage_bits: register_bits(input),
        stacks: None,
        idealised: Default::default(),
        variant: None,
    }))
}
