//! Whether a kernel can be launched under a scheme, found without running it.

use super::execute::cannot_wait;
use super::plan::{compiled_for, for_scheme, plan_compiled};
use super::{Compiled, FlowError, Setup, Workload};
use crate::scheme::{Refusal, Scheme};

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

/// Whether [`execute`](super::execute) would refuse the launch: it plans, and runs nothing.
///
/// # Errors
/// [`FlowError::Refused`], and what keeps the kernel from being compiled for the scheme.
pub fn launchable(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<(), FlowError> {
    let Setup { machine, options } = setup;
    suits_sms(workload, scheme, options.sms)?;
    let candidates = scheme.candidates();
    let (mut runs, mut refused) = (false, None);
    for candidate in &candidates {
        match launchable(workload, compiled, &**candidate, setup) {
            Ok(()) => runs = true,
            Err(error) if cannot_wait(&error) => {
                refused.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    if !candidates.is_empty() {
        return refused.filter(|_| !runs).map_or(Ok(()), Err);
    }
    let with_calls = for_scheme(workload, compiled, scheme)?;
    let compiled = with_calls.as_ref().unwrap_or(compiled);
    let compiled = &*compiled_for(workload, compiled, scheme, machine)?;
    plan_compiled(workload, compiled, scheme, machine, options.sms).map(|_| ())
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
            let found = launchable(&workload, &compiled, &*scheme, setup);
            assert_eq!(found.is_ok(), can, "{kernel} under {name}");
            let ran = execute(&workload, &compiled, &*scheme, setup);
            let of = |error: FlowError| error.to_string();
            assert_eq!(found.map_err(of), ran.map(|_| ()).map_err(of));
        }
    }
}
