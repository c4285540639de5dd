//! Sharing of scratchpad (III-B).

use super::{Limiting, SharedCtas, Sharing};
use crate::memory::scratchpad::Pairs;
use crate::scheme::baseline::{exclusive_plan, named_regs};
use crate::scheme::{CtaShape, LimitedBy, Occupancy, Plan, PlanInput, Refusal, Scheme};
use regshare_hw::manager::ManagerSpec;
use regshare_hw::owf::cost::ScratchpadLockBits;

/// No access is wider, and all are aligned: at a multiple of this none lies on both sides.
const WIDEST_ACCESS_BYTES: u32 = 16;

/// The plan, if one more CTA lacks only scratchpad and pairs make room for it.
pub(super) fn plan(scheme: &Sharing, input: &PlanInput<'_>) -> Result<Option<Plan>, Refusal> {
    let limits = &input.machine.limits;
    let (per_cta, bytes) = (input.cta.scratchpad_bytes, limits.scratchpad_bytes);
    let rounded = limits.rounded_regs(input.regs()?);
    let without = CtaShape {
        scratchpad_bytes: 0,
        ..input.cta
    };
    let most = Occupancy::with_regs(limits, without, rounded)?;
    let ctas = SharedCtas::new(bytes, per_cta, scheme.percent, most.ctas.into());
    if ctas.pairs == 0 {
        return Ok(None);
    }
    // Bytes below Rtb t are private, up to the next multiple where the scratchpad has them, else down to one.
    let lower = (ctas.unshared + ctas.pairs) * per_cta;
    let fits = |private: &u32| lower + ctas.pairs * private <= bytes && *private <= per_cta;
    let private = Some(scheme.percent.private(per_cta))
        .map(|private| private.next_multiple_of(WIDEST_ACCESS_BYTES))
        .filter(fits)
        .unwrap_or_else(|| {
            let whole = scheme.percent.private_floor(per_cta);
            whole - whole % WIDEST_ACCESS_BYTES
        });
    let occupancy = scheme.occupancy(
        input,
        ctas,
        Limiting {
            resource: LimitedBy::Scratchpad,
            most,
        },
    );
    let bits = ScratchpadLockBits::new(limits.warps_per_sm.into(), limits.ctas_per_sm.into());
    let mut plan = exclusive_plan(scheme.name(), input, bits.total() as u32)?;
    plan.manager = ManagerSpec::Sharing {
        warps_per_cta: input.cta.warps() as u16,
        private_regs: named_regs(rounded),
        shared_regs: 0,
        private_bytes: Some(private),
        pairs: ctas.pairs as u16,
        unshared: ctas.unshared as u16,
        owner_first: scheme.variant.owner_first(),
        dynamic: scheme.variant.dynamic(),
    };
    plan.packs_allocated = u32::from(occupancy.warps) * u32::from(rounded);
    plan.occupancy = occupancy;
    plan.sections = Some(ctas.pairs as u16);
    plan.scratchpad = Some(Pairs {
        pairs: ctas.pairs as u16,
        distance: (ctas.pairs + ctas.unshared) as u16,
        private_bytes: private,
    });
    plan.scheduler = Some(scheme.variant.scheduler());
    Ok(Some(plan))
}
