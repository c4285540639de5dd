//! Plans: the kernel compiled as a scheme wants it, and what the scheme makes of it.

use super::{Compiled, FlowError, Workload, compile, compile_calls};
use crate::kernel::{Inst, Kernel, Op};
use crate::machine::Machine;
use crate::scheme::{
    AbiSpill, Alternative, Baseline, CtaShape, Plan, PlanInput, Refusal, Scheme, run_together,
};
use std::borrow::Cow;

/// Size of the workload's CTAs for a kernel.
pub fn cta_shape(workload: &Workload, compiled: &Compiled) -> CtaShape {
    let [x, y, z] = workload.launch.block;
    CtaShape {
        threads: x * y * z,
        scratchpad_bytes: scratchpad_bytes(workload, &compiled.kernel),
    }
}

/// What a scheme is asked about on a machine.
fn input<'a>(workload: &Workload, compiled: &'a Compiled, machine: &'a Machine) -> PlanInput<'a> {
    PlanInput {
        kernel: &compiled.kernel,
        machine,
        cta: cta_shape(workload, compiled),
        shares_sm: false,
    }
}

/// Dynamic scratchpad starts 16-byte aligned behind the declared one.
pub(super) fn scratchpad_bytes(workload: &Workload, kernel: &Kernel) -> u32 {
    match workload.launch.dynamic_scratchpad_bytes {
        0 => kernel.shared_bytes,
        dynamic => kernel.shared_bytes.next_multiple_of(16) + dynamic,
    }
}

/// Asks the scheme, for one SM.
///
/// # Errors
/// [`FlowError::Refused`].
pub fn plan(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
) -> Result<Plan, FlowError> {
    let compiled = compiled_for(workload, compiled, scheme, machine)?;
    plan_compiled(workload, &compiled, scheme, machine, 1)
}

/// What [`compile`](super::compile) gave as the scheme has it: compiled anew where it asks for fewer registers. A cap below which
/// nothing can be compiled is raised until something can.
///
/// # Errors
/// [`FlowError::Refused`], also where calls are left that the scheme does not keep; [`FlowError::NotInlined`] where they could not be inlined.
pub fn compiled_for<'a>(
    workload: &Workload,
    compiled: &'a Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
) -> Result<Cow<'a, Compiled>, FlowError> {
    if let Some(cause) = &workload.not_inlined
        && scheme.calls().is_none()
    {
        return Err(FlowError::NotInlined {
            kernel: workload.name.clone(),
            scheme: scheme.name().to_owned(),
            cause: Box::new(cause.clone()),
        });
    }
    let calls = |inst: &Inst| matches!(inst.op, Op::Call(_) | Op::Ret);
    let mut insts = compiled.kernel.blocks.iter().flat_map(|b| &b.insts);
    if scheme.calls().is_none() && insts.any(calls) {
        return Err(FlowError::Refused {
            kernel: workload.name.clone(),
            scheme: scheme.name().to_owned(),
            cause: Refusal::Option {
                scheme: scheme.name().to_owned(),
                reason: "the kernel has calls; run it under abi-spill or cars".to_owned(),
            },
        });
    }
    let refused = |cause| FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause: Refusal::in_files(cause, &workload.files),
    };
    let input = input(workload, compiled, machine);
    let Some(cap) = scheme.max_regs(&input).map_err(refused)? else {
        return Ok(Cow::Borrowed(compiled));
    };
    let step = machine.limits.register_allocation_granularity;
    let caps = (cap.max(1)..compiled.report.regs).step_by(step.into());
    let anew = caps
        .filter_map(|cap| compile(workload, Some(cap)).ok())
        .next();
    Ok(anew.map_or(Cow::Borrowed(compiled), Cow::Owned))
}

/// Asks the scheme about a kernel compiled for it, for a launch on `sms` SMs.
pub(super) fn plan_compiled(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
    sms: u16,
) -> Result<Plan, FlowError> {
    let grid = workload.launch.grid.into_iter();
    let ctas = grid.fold(1, |ctas: u64, n| ctas.saturating_mul(n.into()));
    let of_an_sm = ctas.div_ceil(u64::from(sms.max(1))).max(1);
    let launched = scheme.for_launch(of_an_sm);
    let scheme = launched.as_deref().unwrap_or(scheme);
    ask(workload, compiled, scheme, machine, |input, capped| {
        let plan = scheme.plan_with(input, capped)?;
        if !scheme.has_fewer_ctas_by_hand() {
            run_together(&plan, input, of_an_sm, || {
                resident_without(workload, compiled, scheme, machine)
            })?;
        }
        Ok(plan)
    })
}

/// CTAs of the workload that are resident without a scheme; where it keeps calls, of the program that keeps them, too, or inlined,
/// whichever are more. `compiled` is as the scheme has it.
fn resident_without(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
) -> u16 {
    let has_cap = !matches!(
        scheme.max_regs(&input(workload, compiled, machine)),
        Ok(None)
    );
    let resident = |without: &dyn Scheme, anew: Result<Option<Compiled>, FlowError>| {
        let anew = anew.ok().flatten();
        let compiled = anew.as_ref().unwrap_or(compiled);
        let plan = without.plan(&input(workload, compiled, machine));
        plan.map_or(0, |plan| plan.occupancy.ctas)
    };
    match scheme.calls() {
        Some(_) => {
            let kept = for_scheme(workload, compiled, &AbiSpill::Plain);
            let kept = resident(&AbiSpill::Plain, kept);
            match workload.not_inlined {
                None => {
                    let inlined = compile(workload, compiled.max_regs).map(Some);
                    kept.max(resident(&Baseline, inlined))
                }
                Some(_) => kept,
            }
        }
        None if has_cap => resident(&Baseline, compile(workload, None).map(Some)),
        None => resident(&Baseline, Ok(None)),
    }
}

/// What a scheme chooses among by a prediction, the one that it picks first; empty: it chooses nothing.
///
/// # Errors
/// As for [`plan`].
pub fn alternatives(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
) -> Result<Vec<Alternative>, FlowError> {
    let compiled = compiled_for(workload, compiled, scheme, machine)?;
    ask(workload, &compiled, scheme, machine, |input, capped| {
        scheme.alternatives(input, capped)
    })
}

/// Asks the scheme a question about a kernel, with its allocations under the caps that it wants.
fn ask<T>(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
    question: impl FnOnce(&PlanInput<'_>, &[Kernel]) -> Result<T, Refusal>,
) -> Result<T, FlowError> {
    let machine = scheme.machine(machine);
    let input = input(workload, compiled, &machine);
    let capped = capped(workload, scheme, &input)?;
    question(&input, &capped).map_err(|cause| FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause: cause.in_files(&workload.files),
    })
}

/// The kernel's allocations under the caps that the scheme wants.
fn capped(
    workload: &Workload,
    scheme: &dyn Scheme,
    input: &PlanInput<'_>,
) -> Result<Vec<Kernel>, FlowError> {
    let mut capped = Vec::new();
    let caps = scheme.caps(input);
    for cap in caps {
        // A cap that is too tight leaves nothing to choose.
        if let Ok(other) = super::compile(workload, Some(cap)) {
            capped.push(other.kernel);
        }
    }
    Ok(capped)
}

/// The kernel as the scheme runs it, where that is not `compiled`: with calls.
///
/// # Errors
/// As for [`compile_calls`].
pub fn for_scheme(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
) -> Result<Option<Compiled>, FlowError> {
    let Some(saves) = scheme.calls() else {
        return Ok(None);
    };
    let with_calls = compile_calls(workload, saves, compiled.max_regs)?;
    Ok(with_calls.map(|(compiled, _)| compiled))
}
