//! Generated programs of functions on register stacks: whatever a stack holds, memory is what the plain interpreter makes of it.

use super::stacks::{plan, run_plan, text};
use super::support::launch;
use crate::kernel::Kernel;
use crate::kernel::interp::{LaunchDims, run as interpret};
use crate::scheme::Watermark;
use proptest::collection::vec;
use proptest::prelude::*;
use regshare_hw::manager::{Backend, ManagerSpec};
use std::fmt::Write;

/// A statement of a function.
#[derive(Clone, Debug)]
enum Step {
    /// Mixes one of its registers into the result.
    Mix(u8),
    /// Changes one of its registers.
    Change(u8, u16),
    /// Calls a later function.
    Call(u8),
    /// Lanes whose number has none of these bits call a later function.
    CallSome(u8, u8),
    /// Calls itself, as often as is left.
    Recurse,
    /// Lanes whose number has none of these bits return.
    ReturnSome(u8),
    /// Lanes whose number has, of the first bits, the second, leave their result and end: in a block of their own, or under a guard.
    EndSome(u8, u8, bool),
    /// All warps of the CTA meet; only where all lanes are.
    Meet,
}

#[derive(Clone, Debug)]
struct Function {
    pushes: u8,
    pops: bool,
    steps: Vec<Step>,
}

/// Often one bit, so that those who call and those who end are the same lanes.
fn bits() -> impl Strategy<Value = u8> {
    prop_oneof![(0u8..5).prop_map(|bit| 1 << bit), 0u8..32]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0u8..8).prop_map(Step::Mix),
        3 => (0u8..8, any::<u16>()).prop_map(|(reg, by)| Step::Change(reg, by)),
        3 => (0u8..8).prop_map(Step::Call),
        2 => (0u8..8, bits()).prop_map(|(to, bits)| Step::CallSome(to, bits)),
        1 => Just(Step::Recurse),
        1 => (1u8..32).prop_map(Step::ReturnSome),
        2 => (bits(), any::<u8>(), any::<bool>())
            .prop_map(|(bits, set, guards)| Step::EndSome(bits, bits & set, guards)),
        1 => Just(Step::Meet),
    ]
}

fn functions() -> impl Strategy<Value = Vec<Function>> {
    let function = (0u8..6, any::<bool>(), vec(step(), 1..6));
    let function = function.prop_map(|(pushes, pops, steps)| Function {
        pushes,
        pops,
        steps,
    });
    vec(function, 1..5)
}

/// R4 is the result, R6 the lane's number in the CTA, R7 how often recursion may go on, R8 and R9 are spare.
fn source(functions: &[Function]) -> String {
    let mut out = String::from(
        "entry:\n ld.param.u64 r10:11, [0];\n mov.u32 r6, %tid.x;\n mov.u32 r8, %ctaid.x;\n mov.u32 r9, %ntid.x;\n \
         mad.lo.u32 r16, r8, r9, r6;\n add.u32 r4, r16, 1;\n mov.u32 r7, 3;\n mul.lo.u32 r0, r6, 7;\n mad.wide.u32 r10:11, r16, 4, r10:11;\n \
         call f0;\n add.u32 r4, r4, r0;\n add.u32 r4, r4, r16;\n st.global.u32 [r10:11], r4;\n exit;\n",
    );
    for (number, function) in functions.iter().enumerate() {
        write_function(&mut out, number, function, functions.len());
    }
    out
}

fn write_function(out: &mut String, number: usize, function: &Function, count: usize) {
    let name = format!("f{number}");
    let own = |reg: u8| match function.pushes {
        0 => "r4".to_owned(),
        pushes => format!("r{}", 16 + reg % pushes),
    };
    let later = |to: u8| match count - number - 1 {
        0 => None,
        left => Some(format!("f{}", number + 1 + usize::from(to) % left)),
    };
    // All lanes are in the first function, unless it calls itself when some have returned.
    let parts = |step: &Step| matches!(step, Step::ReturnSome(_));
    let may_meet = number == 0 && !function.steps.iter().any(parts);
    let mut w = |line: String| writeln!(out, "{line}").unwrap();
    w(format!("{name}:"));
    for push in 0..function.pushes {
        w(format!(" push r{};", 16 + push));
    }
    for push in 0..function.pushes {
        w(format!(
            " add.u32 r{}, r4, {};",
            16 + push,
            17 * (u32::from(push) + 1)
        ));
    }
    let (mut together, mut label) = (may_meet, 0);
    let mut ends = String::new();
    let part = |w: &mut dyn FnMut(String), (bits, set): (u8, u8), target: &str, label: usize| {
        w(format!(" and.b32 r8, r6, {bits};"));
        w(format!(" setp.eq.u32 p0, r8, {set};"));
        w(format!("@p0 bra {target};\n{name}.{label}:"));
    };
    for step in &function.steps {
        label += 1;
        match step {
            Step::Mix(reg) => w(format!(" mad.lo.u32 r4, r4, 3, {};", own(*reg))),
            Step::Change(reg, by) => w(format!(" add.u32 {0}, {0}, {by};", own(*reg))),
            Step::Call(to) => {
                if let Some(callee) = later(*to) {
                    w(format!(" call {callee};"));
                }
            }
            Step::CallSome(to, bits) => {
                if let Some(callee) = later(*to) {
                    part(&mut w, (*bits, 0), &format!("{name}.skip{label}"), label);
                    w(format!(" call {callee};\n{name}.skip{label}:"));
                }
            }
            Step::Recurse => {
                w(" setp.eq.u32 p1, r7, 0;".to_owned());
                w(format!("@p1 bra {name}.skip{label};\n{name}.{label}:"));
                w(format!(
                    " sub.u32 r7, r7, 1;\n call {name};\n{name}.skip{label}:"
                ));
                // The lanes of the function are those of the caller: all return to there.
                together = false;
            }
            Step::ReturnSome(bits) => {
                part(&mut w, (*bits, 0), &format!("{name}.end"), label);
                together = false;
            }
            Step::EndSome(bits, set, true) => {
                w(format!(" and.b32 r8, r6, {bits};"));
                w(format!(" setp.eq.u32 p0, r8, {set};"));
                w("@p0 st.global.u32 [r10:11], r4;\n@p0 exit;".to_owned());
            }
            Step::EndSome(bits, set, false) => {
                part(&mut w, (*bits, *set), &format!("{name}.ends{label}"), label);
                ends += &format!("{name}.ends{label}:\n st.global.u32 [r10:11], r4;\n exit;\n");
            }
            Step::Meet if together => w(" bar.sync 0;".to_owned()),
            Step::Meet => {}
        }
    }
    w(format!(" add.u32 r4, r4, {number};\n{name}.end:"));
    // Lanes that return early meet the others at the end, and pops are for all of them; returns without pops are as good.
    if function.pops {
        for push in (0..function.pushes).rev() {
            w(format!(" pop r{};", 16 + push));
        }
    }
    w(format!(" ret;\n{ends}"));
}

fn interpreted(kernel: &Kernel, ctas: u32, threads: u32) -> Vec<u8> {
    let launch = launch(ctas, threads);
    let mut memory = launch.memory.clone();
    let dims = LaunchDims {
        grid: launch.grid,
        block: launch.block,
        dynamic_scratchpad_bytes: 0,
    };
    interpret(kernel, &dims, &launch.params, &mut memory).unwrap();
    memory.contents(memory.allocation("out").unwrap()).to_vec()
}

fn check(
    functions: &[Function],
    warps: u32,
    room: u16,
    backend: Backend,
) -> Result<(), TestCaseError> {
    let kernel = text(&source(functions));
    let (ctas, threads) = (3, 32 * warps);
    let mut plan = plan(&kernel, threads, Watermark::Low);
    let Some(stacks) = &mut plan.stacks else {
        return Err(TestCaseError::fail("no stacks"));
    };
    let largest = stacks.graph.largest_fru() as u16;
    if let ManagerSpec::Stacks {
        capacities,
        base_regs,
        ..
    } = &mut plan.manager
    {
        capacities[0] = (largest + room).min(63);
        stacks.switch_words = u32::from(*base_regs + capacities[0]);
    }
    let result = run_plan(&plan, &launch(ctas, threads), backend)
        .map_err(|error| TestCaseError::fail(format!("{error}\n{}", source(functions))))?;
    let memory = &result.memory;
    let got = memory.contents(memory.allocation("out").unwrap());
    prop_assert!(
        got == interpreted(&kernel, ctas, threads),
        "another result\n{}",
        source(functions)
    );
    let calls = result.counters.calls;
    prop_assert_eq!(calls.calls, calls.returns);
    let ends = |function: &Function| {
        let mut steps = function.steps.iter();
        steps.any(|step| matches!(step, Step::EndSome(..)))
    };
    // A warp that ends in a function leaves there what it has saved.
    match functions.iter().any(ends) {
        true => prop_assert!(calls.spilled_packs >= calls.filled_packs),
        false => prop_assert_eq!(calls.spilled_packs, calls.filled_packs),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn generated_programs_of_functions_compute_the_same_with_little_room_and_with_much(
        functions in functions(),
        warps in prop_oneof![Just(1u32), Just(2), Just(8), Just(24)],
        room in prop_oneof![2 => Just(0u16), 2 => 0u16..12, 1 => Just(63)],
    ) {
        check(&functions, warps, room, Backend::Model)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn generated_programs_run_in_lockstep(functions in functions(), room in 0u16..8) {
        check(&functions, 2, room, Backend::Lockstep)?;
    }
}
