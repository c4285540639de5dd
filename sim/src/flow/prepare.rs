//! A kernel compiled and planned for a scheme, or why it cannot be launched, found without running it.

use super::execute::cannot_wait;
use super::plan::{compiled_for, for_scheme, plan_compiled};
use super::{Compiled, FlowError, Setup, Workload};
use crate::compiler::calls::Saves;
use crate::kernel::{Kernel, Op};
use crate::scheme::{Plan, Refusal, Scheme};

/// Whether the scheme suits so many SMs.
pub(super) fn suits_sms(
    workload: &Workload,
    scheme: &dyn Scheme,
    sms: u16,
) -> Result<(), FlowError> {
    let least = scheme.least_sms();
    if sms >= least {
        return Ok(());
    }
    let reason = format!(
        "SMs are compared with SM 0, and there are none but that; give --sms {least} or more"
    );
    Err(FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause: Refusal::Option {
            scheme: scheme.name().to_owned(),
            reason,
        },
    })
}

/// Whether the functions of a text preserve registers as the scheme can: pushes need a register stack.
fn saves_registers(
    workload: &Workload,
    kernel: &Kernel,
    scheme: &dyn Scheme,
) -> Result<(), FlowError> {
    let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    if scheme.calls() == Some(Saves::RegisterStack) || insts.all(|inst| inst.op != Op::Push) {
        return Ok(());
    }
    Err(FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause: Refusal::Option {
            scheme: scheme.name().to_owned(),
            reason: "the functions of the text push registers, and only cars has register stacks: run it under cars, or give the PTX \
                     file, or the text of `compile --scheme abi-spill`"
                .to_owned(),
        },
    })
}

/// A kernel compiled and planned for a scheme: what comes before its cycles.
pub struct Prepared {
    /// The kernel as the scheme wants it compiled.
    pub(super) compiled: Compiled,
    /// What the scheme made of it.
    pub(super) plan: Plan,
}

/// Compiles and plans, and runs nothing; `None` for a scheme that takes the best of its candidates, which are all planned, too.
///
/// # Errors
/// Those with which [`execute`](super::execute) refuses the launch: [`FlowError::Refused`], and what keeps the kernel from being
/// compiled for the scheme.
pub fn prepare(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Option<Prepared>, FlowError> {
    suits_sms(workload, scheme, setup.options.sms)?;
    let candidates = scheme.candidates();
    if candidates.is_empty() {
        return prepare_one(workload, compiled, scheme, setup).map(Some);
    }
    let (mut runs, mut refused) = (false, None);
    for candidate in &candidates {
        match prepare(workload, compiled, &**candidate, setup) {
            Ok(_) => runs = true,
            Err(error) if cannot_wait(&error) => {
                refused.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    refused.filter(|_| !runs).map_or(Ok(None), Err)
}

/// For a scheme without candidates that suits the SMs.
pub(super) fn prepare_one(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Prepared, FlowError> {
    let Setup { machine, options } = setup;
    let with_calls = for_scheme(workload, compiled, scheme)?;
    let compiled = with_calls.as_ref().unwrap_or(compiled);
    let compiled = compiled_for(workload, compiled, scheme, machine)?.into_owned();
    saves_registers(workload, &compiled.kernel, scheme)?;
    let plan = plan_compiled(workload, &compiled, scheme, machine, options.sms)?;
    Ok(Prepared { compiled, plan })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::find;
    use crate::flow::{compile, execute, scheme};
    use crate::machine::Machine;
    use crate::scheme::SchemeOptions;
    use crate::sm::RunOptions;

    /// Recursion cannot be inlined, dynamic warp execution compares SMs, and this kernel has 68 registers.
    #[test]
    fn refuses_what_a_run_refuses_with_the_same_words() {
        let (machine, options) = (Machine::preset("gtx480").unwrap(), RunOptions::default());
        let setup = Setup {
            machine: &machine,
            options: &options,
        };
        for (kernel, name, can) in [
            ("fibonacci", "abi-spill", true),
            ("fibonacci", "best-swl", true),
            ("fibonacci", "inlined", false),
            ("fibonacci", "shared-lrr-unroll-dyn", false),
            ("histogram", "regmutex", true),
            ("histogram", "shared-lrr-unroll-dyn", false),
            ("transport", "rfv", false),
        ] {
            let workload = Workload::of_bundled(find(kernel).unwrap()).unwrap();
            let compiled = compile(&workload, None).unwrap();
            let scheme = scheme(name, SchemeOptions::default()).unwrap();
            let found = prepare(&workload, &compiled, &*scheme, setup);
            assert_eq!(found.is_ok(), can, "{kernel} under {name}");
            let ran = execute(&workload, &compiled, &*scheme, setup);
            let of = |error: FlowError| error.to_string();
            assert_eq!(found.map(|_| ()).map_err(of), ran.map(|_| ()).map_err(of));
        }
    }
}
