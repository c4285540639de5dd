//! Traces without any structure: each warp goes where it likes with the lanes it likes. Whatever a warp does, the lifted program
//! has every value where it belongs, under every scheme; and liveness that misses one is seen.

use super::*;
use crate::kernel::{Inst, Op, Operand};
use crate::scheme::{Demote, EsSize, NAMES};
use crate::trace::lift::observe::{Observed, observe};
use std::collections::BTreeMap;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

const REGS: u64 = 36;
const WARPS: usize = 8;

/// Opcode, whether it has a destination, sources, bytes.
const OPCODES: [(&str, bool, u64, u64); 10] = [
    ("IADD3", true, 2, 0),
    ("FFMA", true, 3, 0),
    ("IMAD.WIDE", true, 2, 0),
    ("MUFU.RCP", true, 1, 0),
    ("DADD", true, 2, 0),
    ("LDG.E", true, 1, 4),
    ("LDG.E.64", true, 1, 8),
    ("STG.E", false, 2, 4),
    ("LDS", true, 1, 4),
    ("ISETP.GE", false, 2, 0),
];

/// Text of an instruction behind the mask, up to the addresses; and whether these follow, from where.
fn instruction(random: &mut Random) -> (String, Option<u64>) {
    let (opcode, writes, srcs, bytes) = OPCODES[random.below(OPCODES.len() as u64) as usize];
    let mut register = || random.below(REGS);
    let dst = if writes {
        format!("1 R{}", register())
    } else {
        "0".to_owned()
    };
    let srcs: Vec<String> = (0..srcs).map(|_| format!("R{}", register())).collect();
    let text = format!("{dst} {opcode} {} {} {bytes}", srcs.len(), srcs.join(" "));
    let base = if opcode == "LDS" {
        0x7f00_0000_0000
    } else {
        0x1000
    };
    (text, (bytes > 0).then_some(base))
}

/// A mask of some sort: mostly all, or few, one side, none.
fn mask(random: &mut Random, lanes: u32) -> u32 {
    lanes
        & match random.below(12) {
            0 => random.next() as u32,
            1 => 0xffff,
            2 => !0xffff,
            3 => (random.next() & random.next() & random.next()) as u32,
            4 => 0,
            _ => u32::MAX,
        }
}

/// Instructions, and where some of them may lead but to the next.
struct Program {
    insts: Vec<(String, Option<u64>)>,
    targets: Vec<Option<u64>>,
    /// Lanes end on the way.
    exits: bool,
}

fn program(random: &mut Random) -> Program {
    let count = 16 + random.below(24);
    Program {
        exits: random.below(3) == 0,
        insts: (0..count).map(|_| instruction(random)).collect(),
        targets: (0..count)
            .map(|at| {
                let branches = random.below(4) == 0;
                let target = (at + random.below(12)).saturating_sub(5);
                branches.then_some(target.min(count - 1))
            })
            .collect(),
    }
}

fn warp(random: &mut Random, program: &Program) -> Vec<String> {
    let count = program.insts.len() as u64;
    let (mut at, mut lanes) = (0, u32::MAX);
    let mut lines = Vec::new();
    while at < count && lines.len() < 80 {
        let (text, base) = &program.insts[at as usize];
        let mask = mask(random, lanes);
        let addresses = match base {
            Some(base) => format!(
                " 2 {base:#x} {}",
                "4 ".repeat(mask.count_ones().saturating_sub(1) as usize)
            ),
            None => String::new(),
        };
        lines.push(format!("{:04x} {mask:08x} {text}{addresses} 0", 16 * at));
        if program.exits && random.below(12) == 0 && lanes.count_ones() > 8 {
            let ended = lanes & (random.next() & random.next()) as u32;
            lines.push(format!("{:04x} {ended:08x} 0 EXIT 0 0 0", 16 * at + 8));
            lanes &= !ended;
        }
        at = match program.targets[at as usize] {
            Some(target) if random.below(2) == 0 => target,
            _ => at + 1,
        };
    }
    lines.push(format!("{:04x} {lanes:08x} 0 EXIT 0 0 0", 16 * count));
    lines
}

pub(super) fn text(seed: u64) -> String {
    let random = &mut Random(seed);
    let program = program(random);
    let ctas = 1 + random.below(5) as u32;
    text_of(random, &program, &(0..ctas).collect::<Vec<_>>())
}

/// As many CTAs as `order` has, in this order in the file.
pub(super) fn text_in_order(seed: u64, order: &[u32]) -> String {
    let random = &mut Random(seed);
    let program = program(random);
    text_of(random, &program, order)
}

fn text_of(random: &mut Random, program: &Program, order: &[u32]) -> String {
    let mut text = head([order.len() as u32, 1, 1], 32 * WARPS as u32, 40);
    for index in order {
        let warps: Vec<Vec<String>> = (0..WARPS).map(|_| warp(random, program)).collect();
        text += &cta(&format!("{index},0,0"), &warps);
    }
    text
}

fn schemes() -> impl Iterator<Item = Box<dyn Scheme>> {
    let by_hand = SchemeOptions {
        es: EsSize::Fixed(12),
        demote: Demote::Count(3),
        ..SchemeOptions::default()
    };
    let handed = ["regmutex", "paired", "paired-safe", "regdem", "regdem+rfv"];
    (NAMES
        .into_iter()
        .map(|name| (name, SchemeOptions::default())))
    .chain(handed.map(|name| (name, by_hand)))
    .filter_map(|(name, options)| by_name(name, options))
}

/// The plan, unless the scheme refuses or wants the kernel compiled anew.
fn planned(trace: &Trace, scheme: &dyn Scheme) -> Option<Plan> {
    let anew = scheme.max_regs(&PlanInput {
        kernel: &trace.lifted.kernel,
        machine: &gtx480(),
        cta: CtaShape {
            threads: 32 * WARPS as u32,
            scratchpad_bytes: 1024,
        },
        shares_sm: false,
    });
    let anew = anew.is_ok_and(|cap| cap.is_some());
    trace.plan(scheme, &gtx480()).ok().filter(|_| !anew)
}

#[test]
fn every_scheme_has_every_value_where_it_belongs() {
    let machine = gtx480();
    let mut ran: BTreeMap<String, u32> = BTreeMap::new();
    let mut inserted = 0;
    for seed in 0..24 {
        let trace = Trace::new(text(seed));
        for scheme in schemes() {
            let Some(plan) = planned(&trace, scheme.as_ref()) else {
                continue;
            };
            let name = scheme.name().to_owned();
            let result = trace
                .follow(&plan, &scheme.machine(&machine), &RunOptions::default())
                .unwrap_or_else(|error| panic!("seed {seed}, {name}: {error}"));
            let followed = result.followed.expect("follows");
            assert_eq!(followed, trace.lifted.expected, "seed {seed}, {name}");
            inserted += result.counters.warp_instructions - followed.insts;
            *ran.entry(name).or_default() += 1;
        }
    }
    assert!(inserted > 0, "no scheme inserted anything");
    for scheme in schemes().filter(|scheme| scheme.name() != "compiler-spill") {
        assert!(
            ran.contains_key(scheme.name()),
            "{} never ran",
            scheme.name()
        );
    }
}

/// How a mutant was seen.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) by_tags: u32,
    pub(super) by_the_sum: u32,
    pub(super) by_the_hardware: u32,
    pub(super) not: u32,
}

impl Seen {
    pub(super) fn count(&mut self, trace: &Trace, plan: &Plan) {
        match trace.follow(plan, &gtx480(), &RunOptions::default()) {
            Err(
                RunError::LostRegister { .. }
                | RunError::LostLane { .. }
                | RunError::ForeignRegister { .. },
            ) => self.by_tags += 1,
            Err(RunError::Manager { .. }) => self.by_the_hardware += 1,
            Err(error) => panic!("{error}"),
            Ok(result) if result.followed != Some(trace.lifted.expected) => self.by_the_sum += 1,
            Ok(_) => self.not += 1,
        }
    }
}

fn observed(text: &str) -> Observed {
    let mut source = reader(text);
    let header = source.header().clone();
    observe(&mut source, &header, Path::new("k.traceg")).expect("is read")
}

#[test]
fn partial_result_that_is_taken_for_a_whole_one_is_seen() {
    let scheme = by_name("rfv", SchemeOptions::default()).expect("exists");
    let mut seen = Seen::default();
    for seed in 0..12 {
        let mut trace = Trace::new(text(seed));
        let mut mutant = observed(&trace.text);
        mutant.partial.fill(false);
        trace.lifted.kernel = blocks::kernel(&mutant, &trace.lifted.header);
        if let Ok(plan) = trace.plan(scheme.as_ref(), &gtx480()) {
            seen.count(&trace, &plan);
        }
    }
    assert!(seen.by_tags + seen.by_the_sum > 0, "{seen:?}");
}

/// The lanes of the first result that the second one leaves alone are lost if nobody is thought to need them.
#[test]
fn partial_result_keeps_the_lanes_that_it_does_not_write() {
    let scheme = by_name("rfv", SchemeOptions::default()).expect("exists");
    let mut trace = Trace::of_warp(&[
        "0000 ffffffff 1 R2 S2R 0 0 0",
        "0010 ffffffff 0 ISETP 1 R2 0 0",
        // Gets the pack if the first result is given back: it belongs to the same bank.
        "0020 ffffffff 1 R6 S2R 0 0 0",
        "0030 0000ffff 1 R2 S2R 0 0 0",
        "0040 ffffffff 0 ISETP 2 R2 R6 0 0",
        "0050 ffffffff 0 EXIT 0 0 0",
    ]);
    trace.run("rfv", &RunOptions::default());
    let mut mutant = observed(&trace.text);
    mutant.partial.fill(false);
    trace.lifted.kernel = blocks::kernel(&mutant, &trace.lifted.header);
    let plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
    let mut seen = Seen::default();
    seen.count(&trace, &plan);
    assert_eq!(seen.not, 0);
}

#[test]
fn register_that_is_released_while_it_lives_is_seen_by_the_tags() {
    let scheme = by_name("rfv", SchemeOptions::default()).expect("exists");
    let mut seen = Seen::default();
    for seed in 0..12 {
        let trace = Trace::new(text(seed));
        let Ok(mut plan) = trace.plan(scheme.as_ref(), &gtx480()) else {
            continue;
        };
        // Every source is given back behind every instruction.
        for inst in plan
            .kernel
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.insts)
        {
            if let (Op::Pir, Some(Operand::Imm(word))) = (inst.op, inst.srcs.first_mut()) {
                *word |= (1 << 54) - 1;
            }
        }
        seen.count(&trace, &plan);
    }
    assert!(seen.by_tags > 6, "{seen:?}");
}

/// Thirty values at once, of which twenty have a place without the extended set.
#[test]
fn set_that_is_not_acquired_is_seen_by_the_hardware() {
    let options = SchemeOptions {
        es: EsSize::Fixed(12),
        ..SchemeOptions::default()
    };
    let scheme = by_name("regmutex", options).expect("exists");
    let writes = (0..30).map(|reg| format!("{:04x} ffffffff 1 R{reg} S2R 0 0 0", 16 * reg));
    let reads = (0..30).map(|reg| format!("{:04x} ffffffff 0 ISETP 1 R{reg} 0 0", 480 + 16 * reg));
    let exit = "0400 ffffffff 0 EXIT 0 0 0".to_owned();
    let lines: Vec<String> = writes.chain(reads).chain([exit]).collect();
    let trace = Trace::new(head([1, 1, 1], 32, 32) + &cta("0,0,0", &[lines]));
    let mut plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
    let mut whole = Seen::default();
    whole.count(&trace, &plan);
    assert_eq!(whole.not, 1, "{whole:?}");
    let is_acquire = |inst: &Inst| inst.op == Op::Acquire;
    for block in &mut plan.kernel.blocks {
        block.insts.retain(|inst| !is_acquire(inst));
    }
    let mut mutant = Seen::default();
    mutant.count(&trace, &plan);
    assert_eq!(mutant.by_the_hardware, 1, "{mutant:?}");
}
