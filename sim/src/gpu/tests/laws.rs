//! Laws that hold on any machine and for any kernel, checked on what a watcher of an SM is told.

use super::threads::spread;
use super::{SHARED, policies, replay, trace};
use crate::gpu::{Gpu, GpuMachine, KernelResult, ReplayOptions, Watch};
use crate::machine::SchedulerPolicy;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, Listing, Slots, Watcher};
use crate::trace::record::{Class, StaticInst, ZERO_REGISTER};
use crate::trace::{KernelReader, ReadOptions};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, Mutex};

#[derive(Clone, Copy, Debug)]
enum Told {
    Issued { warp: usize, pc: u32, flight: u16 },
    Started { flight: u16 },
    Finished { flight: u16 },
    WarpEnded { warp: usize },
}

/// Keeps what is told, with its cycle.
#[derive(Default)]
struct Diary(Vec<(u64, Told)>);

impl Watcher for Diary {
    fn begin(&mut self, _: &Listing) -> Result<(), ProbeError> {
        Ok(())
    }

    fn event(&mut self, cycle: u64, event: &Event) {
        self.0.extend(match *event {
            Event::Issued { warp, pc, flight } => {
                let flight = flight.expect("each is on its way");
                Some((cycle, Told::Issued { warp, pc, flight }))
            }
            Event::Started { flight } => Some((cycle, Told::Started { flight })),
            Event::Finished { flight } => Some((cycle, Told::Finished { flight })),
            Event::WarpEnded { warp } => Some((cycle, Told::WarpEnded { warp })),
            _ => None,
        });
    }

    fn slots(&mut self, _: u64, _: Slots) {}

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// An instruction that was executed, with the cycles of its events.
struct Executed {
    inst: StaticInst,
    warp: usize,
    issued: u64,
    started: u64,
    finished: u64,
}

/// What the first SM executed, in the order of issue. Panics if events come out of order, or more than once.
fn executed(
    machine: &GpuMachine,
    text: &str,
    policy: SchedulerPolicy,
) -> (KernelResult, Vec<Executed>) {
    let source = Box::new(Cursor::new(text.to_owned().into_bytes()));
    let mut reader = KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default())
        .expect("has a head");
    let diary = Arc::new(Mutex::new(Diary::default()));
    let options = ReplayOptions {
        scheduler: Some(policy),
        watch: Some(Watch {
            sm: 0,
            watchers: vec![diary.clone()],
            probe: None,
        }),
        ..ReplayOptions::default()
    };
    let result = Gpu::new(machine)
        .run(&mut reader, &options)
        .expect("it runs");
    let insts = &reader.program().insts;
    let mut all: Vec<Executed> = Vec::new();
    let mut flying = BTreeMap::<u16, usize>::new();
    let mut last = 0;
    for &(cycle, told) in &diary.lock().expect("nobody panicked").0 {
        assert!(
            last <= cycle && cycle < result.cycles,
            "cycle {cycle} after {last}"
        );
        last = cycle;
        match told {
            Told::Issued { warp, pc, flight } => {
                assert!(
                    flying.insert(flight, all.len()).is_none(),
                    "flight {flight} twice"
                );
                all.push(Executed {
                    inst: insts[pc as usize].clone(),
                    warp,
                    issued: cycle,
                    started: u64::MAX,
                    finished: u64::MAX,
                });
            }
            Told::Started { flight } => {
                let at = flying[&flight];
                assert_eq!(all[at].started, u64::MAX, "started twice");
                all[at].started = cycle;
            }
            Told::Finished { flight } => {
                let at = flying.remove(&flight).expect("on its way");
                all[at].finished = cycle;
            }
            Told::WarpEnded { warp } => {
                let left = flying.values().any(|&at| all[at].warp == warp);
                assert!(!left, "warp slot {warp} ended before its instructions");
            }
        }
    }
    assert!(flying.is_empty(), "never finished");
    (result, all)
}

/// Registers that the trace names: those that it writes, and those that it reads.
fn registers(inst: &StaticInst) -> (BTreeSet<u8>, BTreeSet<u8>) {
    let named = |regs: &[u8]| {
        let some = regs.iter().filter(|&&reg| reg != ZERO_REGISTER);
        some.copied().collect()
    };
    (named(&inst.dsts), named(&inst.srcs))
}

fn is_memory(inst: &StaticInst) -> bool {
    let class = inst.class;
    class.space().is_some() || matches!(class, Class::Fence | Class::AsyncCopy)
}

/// More than `most` of these cycles in `span` in a row.
fn is_exceeded(mut cycles: Vec<u64>, most: usize, span: u64) -> bool {
    cycles.sort_unstable();
    cycles
        .windows(most + 1)
        .any(|some| some[most] - some[0] < span)
}

/// Loads that wait for one another, doubles, scratchpad and what [`spread`] has.
fn generated(lines: u64, seed: u64) -> impl Fn(u64, u64) -> String {
    let spread = spread(lines, seed);
    move |warp, n| {
        let number = (warp * 131 + n * 17 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let (reg, other) = (4 + number % 12 * 2, 4 + number / 12 % 12 * 2);
        let mask = 0xffff_ffff_u64 >> (number % 32);
        match number % 6 {
            0 => format!("{mask:08x} 1 R{reg} DFMA 3 R{reg} R{other} R28 0 0"),
            1 => format!("{mask:08x} 1 R{reg} LDS.64 1 R{other} 8 1 {SHARED:#x} 8 0"),
            2 => format!("{mask:08x} 1 R{reg} MUFU.RCP 1 R{other} 0 0"),
            3 => format!("{mask:08x} 1 R{reg} IMAD 3 R{reg} R{other} R30 0 0"),
            _ => spread(warp, n),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pipeline_keeps_its_laws(
        name in prop::sample::select(vec!["qv100", "rtx3070", "gtx480"]),
        policy in prop::sample::select(policies().to_vec()),
        sms in 1u32..3,
        ctas in 1u64..20,
        warps in 1u64..9,
        count in 1u64..60,
        lines in 1u64..3000,
        seed in 0u64..1000,
    ) {
        let machine = GpuMachine::preset(name).expect("bundled").cut(sms, 2);
        let binary = if name == "rtx3070" { 80 } else { 70 };
        let text = trace(ctas, warps, count, binary, &generated(lines, seed));
        let (result, all) = executed(&machine, &text, policy);
        if sms == 1 {
            prop_assert_eq!(all.len() as u64, result.sm.warp_instructions);
        }

        // Of a warp: in the order of the trace, and never while a register waits to be written that it reads or writes.
        let mut of_warps = BTreeMap::<usize, Vec<&Executed>>::new();
        for one in &all {
            prop_assert!(one.issued < one.started && one.started < one.finished, "{}", one.inst.opcode);
            of_warps.entry(one.warp).or_default().push(one);
        }
        for insts in of_warps.values() {
            let mut before: Option<&Executed> = None;
            let mut written = Vec::<(BTreeSet<u8>, u64)>::new();
            for one in insts {
                let follows = before.is_none_or(|before| {
                    before.issued < one.issued && (before.inst.pc + 16 == one.inst.pc || one.inst.pc == 0)
                });
                prop_assert!(follows, "not in order: {:#x}", one.inst.pc);
                before = Some(*one);
                let (dsts, srcs) = registers(&one.inst);
                written.retain(|(_, finished)| *finished > one.issued);
                for (pending, _) in &written {
                    prop_assert!(pending.is_disjoint(&dsts) && pending.is_disjoint(&srcs),
                        "{} at {:#x} with a pending operand", one.inst.opcode, one.inst.pc);
                }
                written.push((dsts, one.finished));
            }
        }

        // Nothing takes more than it can.
        let schedulers = machine.issue.schedulers as usize;
        for scheduler in 0..schedulers {
            let mine = all.iter().filter(|one| one.warp % schedulers == scheduler);
            prop_assert!(!is_exceeded(mine.map(|one| one.issued).collect(), 1, 1), "issue");
        }
        let units = &machine.units;
        let started = |opcode: &str| -> Vec<u64> {
            let those = all.iter().filter(|one| one.inst.opcode.starts_with(opcode));
            those.map(|one| one.started).collect()
        };
        for (opcode, unit) in [("MUFU", units.sfu), ("FFMA", units.sp)] {
            let (most, span) = (unit.count as usize, unit.interval.into());
            prop_assert!(!is_exceeded(started(opcode), most, span), "{} unit", opcode);
        }
        let memory: Vec<u64> = (all.iter().filter(|one| is_memory(&one.inst)))
            .map(|one| one.started)
            .collect();
        prop_assert!(!is_exceeded(memory, 1, 1), "load/store unit");
        let results = all.iter().filter(|one| !is_memory(&one.inst)).map(|one| one.finished);
        prop_assert!(!is_exceeded(results.collect(), units.writeback_width as usize, 1), "way out of the units");
    }

    #[test]
    fn no_resource_is_used_more_than_the_cycles_allow_and_more_of_one_loses_nothing(
        name in prop::sample::select(vec!["qv100", "rtx3070", "gtx480"]),
        policy in prop::sample::select(policies().to_vec()),
        ctas in 1u64..40,
        warps in 1u64..9,
        count in 1u64..60,
        lines in 1u64..6000,
        seed in 0u64..1000,
    ) {
        let binary = if name == "rtx3070" { 80 } else { 70 };
        let text = trace(ctas, warps, count, binary, &generated(lines, seed));
        let options = ReplayOptions { scheduler: Some(policy), ..ReplayOptions::default() };
        let whole = GpuMachine::preset(name).expect("bundled");
        let mut first: Option<KernelResult> = None;
        for (sms, channels) in [(1, 1), (1, 4), (4, 1), (whole.chip.sms, whole.l2.channels)] {
            let machine = whole.clone().cut(sms, channels);
            let result = replay(&machine, &text, &options).expect("it runs");
            let (cycles, sms, channels) = (result.cycles, u64::from(sms), u64::from(channels));
            let schedulers = u64::from(machine.issue.schedulers);
            prop_assert!(result.sm.warp_instructions <= cycles * schedulers * sms);
            prop_assert!(result.l1.accesses <= cycles * u64::from(machine.l1.banks) * sms);
            let slices = channels * u64::from(machine.l2.slices_per_channel);
            prop_assert!(result.l2.accesses <= cycles * slices);
            let (dram, core) = (machine.chip.dram_khz, machine.chip.core_khz);
            let commands = cycles * dram / core + 1;
            let bursts = result.dram_bursts * u64::from(machine.dram.burst_cycles);
            prop_assert!(bursts <= commands * channels);
            prop_assert!(result.dram_activations * u64::from(machine.dram.rrd) <= (commands + 1000) * channels);
            // As long as the longest warp, at least.
            prop_assert!(cycles > count + 2);
            match &first {
                None => first = Some(result),
                Some(first) => {
                    let of = |result: &KernelResult| {
                        let sm = result.sm;
                        (sm.warp_instructions, sm.thread_instructions, sm.ctas, sm.scratchpad_conflict_cycles, result.l1.accesses)
                    };
                    prop_assert_eq!(of(first), of(&result));
                }
            }
        }
    }
}

#[test]
fn laws_are_broken_by_what_breaks_them() {
    // The measures of this file see what they are for.
    assert!(is_exceeded(vec![5, 3, 5], 1, 1));
    assert!(!is_exceeded(vec![5, 3, 4], 1, 1));
    assert!(is_exceeded(vec![10, 2, 8], 1, 3) && !is_exceeded(vec![11, 2, 8], 1, 3));
    let machine = GpuMachine::preset("qv100").expect("bundled").cut(1, 1);
    let chain = |_: u64, _: u64| "ffffffff 1 R4 FFMA 3 R4 R5 R6 0 0".to_owned();
    let (_, all) = executed(&machine, &trace(1, 1, 3, 70, &chain), SchedulerPolicy::Lrr);
    let (dsts, srcs) = registers(&all[1].inst);
    assert!(dsts.contains(&4) && srcs.contains(&4));
    assert_eq!(all.len(), 5);
    assert!(all[1].finished <= all[2].issued);
}
