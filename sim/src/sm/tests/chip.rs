//! SMs that share the memory of a chip.

use crate::bundled::find;
use crate::flow::{self, Ran, Setup, Verdict, Workload};
use crate::gpu::GpuMachine;
use crate::machine::Machine;
use crate::scheme::SchemeOptions;
use crate::sm::RunOptions;
use std::sync::Arc;

fn ran(kernel: &str, scheme: &str, machine: &str, options: &RunOptions) -> Ran {
    let workload = Workload::of_bundled(find(kernel).unwrap()).unwrap();
    let compiled = flow::compile(&workload, None).unwrap();
    let scheme = flow::scheme(scheme, SchemeOptions::default()).unwrap();
    let machine = Machine::preset(machine).unwrap();
    let setup = Setup {
        machine: &machine,
        options,
    };
    let ran = flow::execute(&workload, &compiled, &*scheme, setup).unwrap();
    assert_eq!(ran.verdict, Verdict::Correct);
    ran
}

fn on(chip: &str, sms: u16) -> RunOptions {
    RunOptions {
        sms,
        chip: Some(Arc::new(GpuMachine::preset(chip).unwrap())),
        ..RunOptions::default()
    }
}

/// What SMs pass over changes nothing, in the memory neither.
#[test]
fn cycles_that_are_passed_over_change_nothing() {
    for (kernel, scheme, machine) in [
        ("spmv", "baseline", "gtx480"),
        ("fibonacci", "cars", "gtx480"),
        ("reduction", "gpu-shrink", "v100"),
    ] {
        for sms in [1, 3] {
            let skipping = ran(kernel, scheme, machine, &on(machine, sms));
            let stepping = RunOptions {
                every_cycle: true,
                ..on(machine, sms)
            };
            let stepping = ran(kernel, scheme, machine, &stepping);
            assert_eq!(
                skipping.result.counters, stepping.result.counters,
                "{kernel}"
            );
            assert_eq!(skipping.result.chip, stepping.result.chip, "{kernel}");
            assert!(skipping.result.skipped_cycles > 0, "{kernel}");
        }
    }
}

/// SMs that share a second level find there what others brought: with all CTAs on one SM as many sectors miss.
#[test]
fn what_one_sm_brought_another_finds_in_the_second_level() {
    let misses = |sms| {
        let ran = ran("matmul", "baseline", "gtx480", &on("gtx480", sms));
        ran.result.chip.unwrap().l2.misses
    };
    let (one, four) = (misses(1), misses(4));
    assert!(
        four <= one + one / 10,
        "{one} misses on one SM, {four} on four"
    );
}

/// The channels are a bound: no run moves more than they can.
#[test]
fn memory_moves_no_more_than_its_channels_can() {
    let chip = GpuMachine::preset("gtx480").unwrap();
    let ran = ran("spmv", "baseline", "gtx480", &on("gtx480", 4));
    let counts = ran.result.chip.unwrap();
    let command_cycles = ran.result.cycles * chip.chip.dram_khz / chip.chip.core_khz + 1;
    let most = command_cycles / u64::from(chip.dram.burst_cycles) * u64::from(chip.l2.channels);
    assert!(counts.dram_bursts > 0 && counts.dram_bursts <= most);
}
