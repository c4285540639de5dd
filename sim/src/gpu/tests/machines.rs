//! The bundled machine files.

use super::{mixed, replay, trace};
use crate::gpu::{GpuMachine, ReplayOptions};
use crate::machine::Machine;

#[test]
fn machine_file_with_a_wrong_value_is_refused_with_its_key() {
    let text = include_str!("../../../machines/replay/qv100.toml");
    for (from, to, key) in [
        (
            "banks = 16                            # register",
            "banks = 15 # register",
            "collectors.banks",
        ),
        ("sets = 32", "sets = 33", "l2.cache.sets"),
        ("cl = 12", "cl = 0", "dram.cl"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = GpuMachine::from_toml(&text.replace(from, to), "m.toml").expect_err("refused");
        assert!(error.to_string().contains(key), "{error}");
    }
}

/// What both files of a machine state: that of one SM with its register hardware, and that of the whole GPU.
#[test]
fn machines_of_a_name_hold_the_same_and_issue_the_same_way() {
    let mut both = 0;
    for name in GpuMachine::preset_names() {
        let whole = GpuMachine::preset(name).expect("bundled");
        assert_eq!(whole.name, name);
        let Ok(one) = Machine::preset(name) else {
            continue;
        };
        both += 1;
        // Accel-Sim's RTX 3070 has twice the CTA slots, and another scheduler.
        if name == "rtx3070" {
            continue;
        }
        let (held, limits) = (&one.limits, &whole.limits);
        assert_eq!(
            [limits.warps, limits.ctas, limits.threads, limits.registers],
            [
                held.warps_per_sm.into(),
                held.ctas_per_sm.into(),
                held.threads_per_sm,
                u32::from(held.packs_per_sm) * 32,
            ],
            "{name}"
        );
        assert_eq!(limits.scratchpad_bytes, held.scratchpad_bytes, "{name}");
        assert_eq!(whole.chip.sms, u32::from(one.sms), "{name}");
        assert_eq!(
            (whole.issue.schedulers, whole.issue.policy),
            (one.schedulers.count.into(), one.schedulers.policy),
            "{name}"
        );
        let banks = u32::from(one.pipeline.register_banks);
        assert_eq!(whole.collectors.banks, banks, "{name}");
    }
    assert_eq!(both, 6);
}

#[test]
fn machines_of_the_papers_run_traces_and_half_a_register_file_holds_half_the_ctas() {
    let most = |name: &str| {
        let machine = GpuMachine::preset(name).expect("bundled").cut(1, 2);
        let kernel = trace(16, 4, 100, 70, &mixed);
        let result = replay(&machine, &kernel, &ReplayOptions::default()).expect("it runs");
        assert_eq!(result.sm.warp_instructions, 16 * 4 * 102, "{name}");
        result.ctas_per_sm
    };
    let found = ["gtx480", "gtx480-half", "fermi14", "fermi16", "v100"].map(most);
    assert_eq!(found, [4, 2, 4, 4, 8]);
}
