//! Following a trace on the register hardware.

use super::*;
use regshare_hw::manager::Backend;

/// A loop that lanes leave one by one, in eight warps of three CTAs; lanes that leave go on at once.
fn looping() -> Trace {
    let mut lines = vec![
        "0000 ffffffff 1 R1 S2R 0 0 0".to_owned(),
        "0010 ffffffff 1 R2 IMAD.WIDE 2 R1 R1 0 0".to_owned(),
        "0020 ffffffff 1 R30 IADD3 1 R1 0 0".to_owned(),
    ];
    let mut lanes = u32::MAX;
    for trip in 0..6 {
        let leave = lanes & 0xf << (4 * trip);
        lines.push(format!(
            "0030 {lanes:08x} 1 R4 LDG.E 1 R2 4 0 {}0",
            "0x100 ".repeat(lanes.count_ones() as usize)
        ));
        lines.push(format!("0040 {lanes:08x} 1 R30 FFMA 3 R4 R30 R1 0 0"));
        lines.push(format!("0050 {:08x} 0 BRA 0 0 0", lanes & !leave));
        lines.push(format!(
            "0060 {leave:08x} 0 STG.E 2 R2 R30 4 0 {}0",
            "0x200 ".repeat(leave.count_ones() as usize)
        ));
        lines.push(format!("0070 {leave:08x} 0 EXIT 0 0 0"));
        lanes &= !leave;
    }
    lines.push(format!(
        "0060 {lanes:08x} 0 STG.E 2 R2 R30 4 0 {}0",
        "0x200 ".repeat(lanes.count_ones() as usize)
    ));
    lines.push(format!("0070 {lanes:08x} 0 EXIT 0 0 0"));
    let warps = vec![lines; 8];
    let ctas: String = [2, 0, 1].map(|x| cta(&format!("{x},0,0"), &warps)).concat();
    Trace::new(head([3, 1, 1], 256, 32) + &ctas)
}

#[test]
fn backends_agree_on_a_trace() {
    let trace = looping();
    for scheme in [
        "baseline",
        "regmutex",
        "paired",
        "paired-safe",
        "shared-lrr-unroll",
        "rfv",
    ] {
        let [model, rtl, lockstep] =
            [Backend::Model, Backend::Rtl, Backend::Lockstep].map(|backend| {
                let options = RunOptions {
                    backend,
                    ..RunOptions::default()
                };
                trace.run(scheme, &options)
            });
        assert_eq!(model.counters, rtl.counters, "{scheme}");
        assert_eq!(model.counters, lockstep.counters, "{scheme}");
    }
}

#[test]
fn cycles_in_which_nothing_changes_need_no_simulation() {
    let trace = looping();
    for scheme in ["baseline", "rfv"] {
        let every_cycle = RunOptions {
            every_cycle: true,
            ..RunOptions::default()
        };
        let skipping = trace.run(scheme, &RunOptions::default());
        assert_eq!(skipping.counters, trace.run(scheme, &every_cycle).counters);
        assert!(skipping.skipped_cycles > 0);
    }
}

#[test]
fn warps_that_the_trace_leaves_out_end_at_once() {
    let lines = [
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 ffffffff 0 BAR.SYNC 0 0 0",
        "0020 ffffffff 0 EXIT 0 0 0",
    ];
    let whole = cta("0,0,0", &[&lines[..]; 2]);
    let text = head([1, 1, 1], 96, 16) + &whole.replace("warp = 1", "warp = 2");
    let trace = Trace::new(text);
    assert_eq!(trace.lifted.expected.insts, 6);
    trace.run("baseline", &RunOptions::default());
    trace.run("rfv", &RunOptions::default());
}

#[test]
fn lanes_that_come_to_a_barrier_apart_arrive_once() {
    let apart = [
        "0000 0000ffff 0 BAR.SYNC 0 0 0",
        "0000 ffff0000 0 BAR.SYNC 0 0 0",
        "0000 ffffffff 0 BAR.SYNC 0 0 0",
        "0010 ffffffff 0 EXIT 0 0 0",
    ];
    let together = [
        "0000 ffffffff 0 BAR.SYNC 0 0 0",
        "0000 ffffffff 0 BAR.SYNC 0 0 0",
        "0010 ffffffff 0 EXIT 0 0 0",
    ];
    let text = head([1, 1, 1], 64, 16) + &cta("0,0,0", &[&apart[..], &together[..]]);
    let result = Trace::new(text).run("baseline", &RunOptions::default());
    assert_eq!(result.counters.barriers, 4);
}

#[test]
fn trace_that_has_changed_since_stops_the_run() {
    let mut trace = Trace::of_warp(&["0000 ffffffff 1 R1 S2R 0 0 0", "0010 ffffffff 0 EXIT 0 0 0"]);
    let scheme = by_name("baseline", SchemeOptions::default()).expect("exists");
    let plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
    let run = |trace: &Trace| trace.follow(&plan, &gtx480(), &RunOptions::default());
    assert!(run(&trace).is_ok());
    let good = trace.text.clone();
    trace.text = good.replace("insts = 2\n0000 ffffffff 1 R1 S2R 0 0 0\n", "insts = 1\n");
    assert!(matches!(run(&trace), Err(RunError::Trace { .. })));
    trace.text = good.replace("1 R1 S2R", "1 R99 S2R");
    assert!(matches!(run(&trace), Err(RunError::Trace { .. })));
}

#[test]
fn traced_instruction_does_not_run_without_its_trace() {
    let trace = Trace::of_warp(&["0000 ffffffff 1 R1 S2R 0 0 0", "0010 ffffffff 0 EXIT 0 0 0"]);
    let scheme = by_name("baseline", SchemeOptions::default()).expect("exists");
    let plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
    let launch = crate::sm::Launch {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamic_scratchpad_bytes: 0,
        params: Vec::new(),
        memory: Default::default(),
    };
    let error = crate::sm::run(&plan, &launch, &gtx480(), &RunOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("only along its trace"),
        "{error}"
    );
}
