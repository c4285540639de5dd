//! Latencies by the numbers of a machine, bandwidths, and that nothing is lost or depends on how cycles are passed over.

use super::*;
use proptest::prelude::*;

fn chip(name: &str) -> ChipMemory {
    ChipMemory::new(&GpuMachine::preset(name).expect("a preset"))
}

/// When each answer comes to an SM that looks every cycle from `from` on; until nothing has come for long.
fn answers(chip: &mut ChipMemory, sm: usize, from: u64) -> Vec<(u64, u32)> {
    let mut answers = Vec::new();
    let mut last = from;
    for cycle in from.. {
        while let Some(id) = chip.receive(sm, cycle) {
            answers.push((cycle, id));
            last = cycle;
        }
        if cycle > last + 5000 {
            break;
        }
    }
    answers
}

/// 35 cycles of the first level; into the interconnect, through it, out of it; 120 cycles to the slice, a cycle each to its
/// queue, its cache and back, and on the way back a cycle: 160. A sector takes the slice's port for a cycle.
#[test]
fn sectors_that_the_second_level_has_come_after_the_latencies_one_per_cycle() {
    let mut chip = chip("gtx480");
    assert_eq!(chip.send(0, 0, 0x1000, Asked::Line, 7), 4);
    let first = answers(&mut chip, 0, 0);
    assert_eq!(first.len(), 4);
    assert!(first[0].0 > 260, "memory is farther than that: {first:?}");
    let at = 20_000;
    chip.send(0, at, 0x1000, Asked::Line, 8);
    let times: Vec<_> = answers(&mut chip, 0, at)
        .iter()
        .map(|&(cycle, id)| (cycle - at, id))
        .collect();
    assert_eq!(times, [(160, 8), (161, 8), (162, 8), (163, 8)]);
    let counts = chip.counts();
    assert_eq!((counts.l2.accesses, counts.l2.misses), (8, 4));
    assert_eq!((counts.dram_bursts, counts.dram_activations), (4, 1));
}

/// A miss of one SM is a hit of the next.
#[test]
fn all_sms_share_the_second_level() {
    let mut chip = chip("qv100");
    chip.send(3, 0, 0x2_0000, Asked::Write(0b0110), 1);
    assert_eq!(answers(&mut chip, 3, 0).len(), 2);
    assert_eq!(chip.send(70, 50_000, 0x2_0000, Asked::Atomic(0b0010), 2), 1);
    assert_eq!(answers(&mut chip, 70, 50_000).len(), 1);
    let counts = chip.counts();
    assert_eq!(counts.l2.accesses, 3);
    // A store allocates without fetching, and the atomic finds what it left.
    assert_eq!(counts.dram_bursts, 0);
}

/// Lines of one slice come no faster than its port gives sectors, whoever asks for them.
#[test]
fn a_slice_gives_a_sector_per_cycle() {
    let mut chip = chip("gtx480");
    // Six channels of two slices, spread by 256 bytes.
    let in_slice_0 = |n: u64| n * 12 * 256;
    for (round, sms) in [(0, 1), (1, 1), (2, 4)] {
        let at = 100_000 * round;
        for n in 0..8 {
            chip.send(n as usize % sms, at, in_slice_0(n), Asked::Line, n as u32);
        }
        let mut times = Vec::new();
        for cycle in at..at + 5000 {
            for sm in 0..sms {
                times.extend(std::iter::from_fn(|| chip.receive(sm, cycle)).map(|_| cycle));
            }
        }
        assert_eq!(times.len(), 32);
        let took = times[31] - times[0];
        match round {
            0 => assert!(took > 31, "memory gives them as fast: {took}"),
            _ => assert_eq!(took, 31),
        }
    }
}

/// An interconnect that holds less than the sectors of a line at each input and output.
#[test]
fn an_interconnect_that_holds_one_packet_takes_a_line() {
    let mut machine = GpuMachine::preset("qv100").expect("a preset");
    machine.interconnect.input_packets = 1;
    machine.interconnect.output_packets = 1;
    let mut chip = ChipMemory::new(&machine);
    for round in 0..3 {
        let at = 10_000 * round;
        assert!(chip.has_room(5));
        chip.send(5, at, 0x4000 * round, Asked::Line, round as u32);
        assert!(!chip.has_room(5));
        assert_eq!(answers(&mut chip, 5, at).len(), 4);
    }
}

#[derive(Clone, Debug)]
struct Access {
    sm: usize,
    gap: u64,
    line: u64,
    asked: Asked,
}

fn access() -> impl Strategy<Value = Access> {
    let asked = prop_oneof![
        3 => Just(Asked::Line),
        1 => (1u8..16).prop_map(Asked::Write),
        1 => (1u8..16).prop_map(Asked::Atomic),
    ];
    let gap = prop_oneof![4 => 0u64..3, 1 => 0u64..2000];
    (0usize..3, gap, 0u64..300, asked).prop_map(|(sm, gap, line, asked)| Access {
        sm,
        gap,
        line: line * 128,
        asked,
    })
}

/// Runs the accesses, each as soon as its gap has passed and there is room. `every`: SMs look in every cycle, else only when
/// something can have come or they send.
fn run(machine: &str, accesses: &[Access], every: bool) -> (Vec<(u64, usize, u32)>, ChipCounts) {
    let mut chip = chip(machine);
    let mut got = Vec::new();
    let (mut left, mut at, mut cycle) = (0u32, 0, 0);
    let mut due = accesses.first().map_or(0, |access| access.gap);
    while at < accesses.len() || left > 0 {
        for sm in 0..3 {
            if every || chip.next_arrival(sm) <= cycle {
                while let Some(id) = chip.receive(sm, cycle) {
                    got.push((cycle, sm, id));
                    left -= 1;
                }
            }
        }
        while at < accesses.len() && due <= cycle {
            let Access {
                sm, line, asked, ..
            } = accesses[at];
            // What the memory has done until now shows in its room.
            while let Some(id) = chip.receive(sm, cycle) {
                got.push((cycle, sm, id));
                left -= 1;
            }
            if !chip.has_room(sm) {
                break;
            }
            left += chip.send(sm, cycle, line, asked, at as u32);
            at += 1;
            due = cycle + accesses.get(at).map_or(0, |access| access.gap);
        }
        let arrival = (0..3)
            .map(|sm| chip.next_arrival(sm))
            .min()
            .unwrap_or(u64::MAX);
        let next = if at < accesses.len() {
            arrival.min(due)
        } else {
            arrival
        };
        cycle = if every {
            cycle + 1
        } else {
            next.max(cycle + 1)
        };
        assert!(
            left == 0 || cycle < 10_000_000,
            "{left} answers do not come"
        );
    }
    (got, chip.counts())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_part_is_answered_once_however_cycles_are_passed_over(
        accesses in prop::collection::vec(access(), 1..250),
        machine in prop::sample::select(vec!["gtx480", "qv100", "rtx3070"]),
    ) {
        let (got, counts) = run(machine, &accesses, true);
        let (skipping, same_counts) = run(machine, &accesses, false);
        prop_assert_eq!(&got, &skipping);
        prop_assert_eq!(counts, same_counts);
        let mut answers = vec![0; accesses.len()];
        got.iter().for_each(|&(_, _, id)| answers[id as usize] += 1);
        for (access, answers) in accesses.iter().zip(answers) {
            let sectors = match access.asked {
                Asked::Line => 4,
                Asked::Write(sectors) | Asked::Atomic(sectors) => sectors.count_ones(),
            };
            prop_assert_eq!(answers, sectors);
        }
        prop_assert_eq!(u64::from(got.len() as u32), counts.l2.accesses);
    }
}
