//! Kernels with calls on register stacks (CARS).

use super::calls::launch as calls_launch;
use super::support::{gtx480, launch, words};
use crate::compiler::calls::Saves;
use crate::compiler::calls::tests::{expected, linked};
use crate::kernel::Kernel;
use crate::kernel::text::parse;
use crate::scheme::{Cars, CtaShape, Plan, PlanInput, Scheme, Watermark};
use crate::sm::{Launch, RunError, RunOptions, RunResult, run};
use regshare_hw::manager::{Backend, ManagerSpec};

pub(super) const WATERMARKS: [Watermark; 5] = [
    Watermark::Adaptive,
    Watermark::Low,
    Watermark::Times(2),
    Watermark::Times(3),
    Watermark::High,
];

pub(super) fn plan(kernel: &Kernel, threads: u32, watermark: Watermark) -> Plan {
    let cars = Cars {
        watermark,
        ..Cars::default()
    };
    let input = PlanInput {
        kernel,
        machine: &gtx480(),
        cta: CtaShape {
            threads,
            scratchpad_bytes: kernel.shared_bytes,
        },
        shares_sm: false,
    };
    cars.plan(&input).unwrap()
}

pub(super) fn run_plan(
    plan: &Plan,
    launch: &Launch,
    backend: Backend,
) -> Result<RunResult, RunError> {
    let options = RunOptions {
        backend,
        cycle_limit: Some(10_000_000),
        ..RunOptions::default()
    };
    run(plan, launch, &gtx480(), &options)
}

pub(super) fn run_ok(plan: &Plan, launch: &Launch) -> RunResult {
    run_plan(plan, launch, Backend::Model).unwrap_or_else(|error| panic!("{error}"))
}

/// Fibonacci by recursion, guarded and divergent calls: the result is that of the source, whatever the stacks hold.
#[test]
fn divergent_recursive_and_guarded_calls_compute_what_the_source_says() {
    let kernel = linked(Saves::RegisterStack);
    for watermark in WATERMARKS {
        let result = run_ok(&plan(&kernel, 64, watermark), &calls_launch());
        for (thread, word) in words(&result, 64).into_iter().enumerate() {
            assert_eq!(
                word,
                expected(thread as u32),
                "{watermark:?}, thread {thread}"
            );
        }
        let calls = result.counters.calls;
        assert_eq!(calls.calls, calls.returns, "{watermark:?}");
        assert_eq!(calls.spilled_packs, calls.filled_packs, "{watermark:?}");
        assert!(calls.deepest >= 7, "{watermark:?}: {calls:?}");
    }
}

/// A plan with so few packs that recursion does not fit.
pub(super) fn tight(kernel: &Kernel, packs: u16) -> Plan {
    let mut plan = plan(kernel, 64, Watermark::Low);
    if let ManagerSpec::Stacks { capacities, .. } = &mut plan.manager {
        capacities[0] = packs;
    }
    plan
}

#[test]
fn a_stack_that_is_full_saves_its_bottom_and_the_results_stay() {
    let kernel = linked(Saves::RegisterStack);
    let roomy = run_ok(&tight(&kernel, 63), &calls_launch());
    assert_eq!(roomy.counters.calls.traps, 0);
    assert_eq!(roomy.counters.calls.spill_fill_accesses, 0);
    let largest = plan(&kernel, 64, Watermark::Low)
        .stacks
        .unwrap()
        .graph
        .largest_fru() as u16;
    let mut saved = Vec::new();
    for packs in [largest, largest + 1, 2 * largest, 3 * largest - 1] {
        let result = run_ok(&tight(&kernel, packs), &calls_launch());
        let calls = result.counters.calls;
        assert!(
            calls.traps > 0 && calls.fill_traps > 0,
            "{packs}: {calls:?}"
        );
        assert_eq!(calls.spilled_packs, calls.filled_packs, "{packs}");
        assert_eq!(words(&result, 64), words(&roomy, 64), "{packs}");
        assert!(calls.spill_fill_accesses >= calls.spilled_packs + calls.filled_packs);
        saved.push(calls.spilled_packs);
    }
    assert!(
        saved.is_sorted_by(|a, b| a >= b),
        "more room, fewer packs: {saved:?}"
    );
}

#[test]
fn backends_agree_in_every_cycle() {
    let kernel = linked(Saves::RegisterStack);
    let plan = tight(&kernel, 9);
    let [model, rtl, lockstep] = [Backend::Model, Backend::Rtl, Backend::Lockstep]
        .map(|backend| run_plan(&plan, &calls_launch(), backend).unwrap());
    assert_eq!(model.counters, rtl.counters);
    assert_eq!(model.counters, lockstep.counters);
    assert_eq!(words(&model, 64), words(&rtl, 64));
}

#[test]
fn recursion_beyond_the_stack_of_a_thread_ends_with_a_place() {
    let kernel = linked(Saves::RegisterStack);
    let mut plan = tight(&kernel, 9);
    plan.stacks.as_mut().unwrap().spill_words = 4;
    let error = run_plan(&plan, &calls_launch(), Backend::Model).unwrap_err();
    assert!(
        error.to_string().contains("recursion is too deep"),
        "{error}"
    );
}

#[test]
fn the_extra_cycles_cost_time_and_change_nothing_else() {
    let kernel = linked(Saves::RegisterStack);
    let mut plan = plan(&kernel, 64, Watermark::High);
    let with = run_ok(&plan, &calls_launch());
    plan.stacks.as_mut().unwrap().extra_cycles = 0;
    let without = run_ok(&plan, &calls_launch());
    assert!(
        with.cycles > without.cycles,
        "{} {}",
        with.cycles,
        without.cycles
    );
    let (a, b) = (with.counters, without.counters);
    assert_eq!(
        (a.warp_instructions, a.calls),
        (b.warp_instructions, b.calls)
    );
}

pub(super) fn text(body: &str) -> Kernel {
    let head = ".kernel test;\n.regs architected 24, 2;\n.shared 4096;\n\
        .param u64 buffer, offset 0, size 8, align 8;\n";
    parse(&format!("{head}{body}"), "test").unwrap_or_else(|error| panic!("{error:?}"))
}

/// Lanes of a warp return at different places, without pops; one side has called something meanwhile.
const EARLY_RETURNS: &str = "
entry:
    ld.param.u64 r4:5, [0];
    mov.u32 r6, %tid.x;
    add.u32 r16, r6, 1000;
    call fun;
    add.u32 r7, r7, r16;
    mad.wide.u32 r4:5, r6, 4, r4:5;
    st.global.u32 [r4:5], r7;
    exit;
fun:
    push r16;
    push r17;
    mov.u32 r16, 5;
    mov.u32 r17, r6;
    and.b32 r8, r6, 1;
    setp.eq.u32 p0, r8, 0;
@p0 bra even;
odd:
    call deeper;
    add.u32 r7, r16, r17;
    ret;
even:
    add.u32 r7, r17, r17;
    ret;
deeper:
    push r16;
    add.u32 r16, r6, 77;
    ret;
";

#[test]
fn registers_come_back_when_the_last_lane_has_returned() {
    let kernel = text(EARLY_RETURNS);
    for watermark in WATERMARKS {
        let result = run_ok(&plan(&kernel, 64, watermark), &launch(1, 64));
        for (thread, word) in words(&result, 64).into_iter().enumerate() {
            let thread = thread as u32;
            let returned = if thread % 2 == 1 {
                5 + thread
            } else {
                2 * thread
            };
            assert_eq!(
                word,
                returned + 1000 + thread,
                "{watermark:?}, thread {thread}"
            );
        }
        let calls = result.counters.calls;
        assert_eq!((calls.calls, calls.returns), (4, 4), "of two warps");
    }
}

/// The load of a register that is given back arrives when another link lies in its pack.
#[test]
fn a_return_waits_for_what_is_still_to_be_written() {
    let kernel = text(
        "
entry:
    ld.param.u64 r4:5, [0];
    mov.u32 r6, %tid.x;
    mad.wide.u32 r4:5, r6, 4, r4:5;
    mov.u32 r16, 9;
    call loads;
    call nested;
    add.u32 r7, r7, r16;
    st.global.u32 [r4:5], r7;
    exit;
loads:
    push r16;
    ld.global.u32 r16, [r4:5];
    ret;
nested:
    call waits;
    ret;
waits:
    ld.global.u32 r7, [r4:5];
    add.u32 r7, r7, r6;
    ret;
",
    );
    let result = run_ok(&plan(&kernel, 32, Watermark::High), &launch(1, 32));
    let wanted: Vec<u32> = (0..32).map(|thread| thread + 9).collect();
    assert_eq!(words(&result, 32), wanted);
}

/// All warps of a CTA meet inside a function, and again in the kernel; what they have in registers must survive.
const BARRIERS: &str = "
entry:
    ld.param.u64 r4:5, [0];
    mov.u32 r6, %tid.x;
    mov.u32 r7, %ctaid.x;
    mov.u32 r8, %ntid.x;
    mad.lo.u32 r16, r7, r8, r6;
    mul.lo.u32 r17, r6, 3;
    mul.lo.u32 r0, r6, 5;
    call fun;
    bar.sync 0;
    add.u32 r9, r9, r0;
    add.u32 r9, r9, r17;
    add.u32 r9, r9, r16;
    mad.wide.u32 r4:5, r16, 4, r4:5;
    st.global.u32 [r4:5], r9;
    exit;
fun:
    push r16;
    push r17;
    mul.lo.u32 r16, r6, 7;
    shl.b32 r17, r6, 2;
    st.shared.u32 [r17], r16;
    call inner;
    ld.shared.u32 r9, [r10];
    add.u32 r9, r9, r16;
    pop r17;
    pop r16;
    ret;
inner:
    push r16;
    xor.b32 r10, r6, 32;
    shl.b32 r16, r10, 2;
    bar.sync 0;
    mov.u32 r10, r16;
    pop r16;
    ret;
";

/// Stacks so large that few of the 32 warps of a CTA have registers at once.
fn crowded(kernel: &Kernel, packs: u16) -> Plan {
    let mut plan = plan(kernel, 1024, Watermark::High);
    if let ManagerSpec::Stacks {
        base_regs,
        capacities,
        ..
    } = &mut plan.manager
    {
        capacities[0] = packs;
        plan.stacks.as_mut().unwrap().switch_words = u32::from(*base_regs + packs);
    }
    plan
}

#[test]
fn warps_give_their_registers_up_at_barriers_so_that_the_others_come_there() {
    let kernel = text(BARRIERS);
    for (packs, backend) in [
        (63, Backend::Model),
        (40, Backend::Model),
        (33, Backend::Model),
        (63, Backend::Lockstep),
    ] {
        let result = run_plan(&crowded(&kernel, packs), &launch(3, 1024), backend)
            .unwrap_or_else(|error| panic!("{packs}: {error}"));
        for (thread, word) in words(&result, 3 * 1024).into_iter().enumerate() {
            let (thread, local) = (thread as u32, thread as u32 % 1024);
            let wanted = 7 * (local ^ 32) + 7 * local + 3 * local + 5 * local + thread;
            assert_eq!(word, wanted, "{packs}: thread {thread}");
        }
        let stacks = result.stacks.unwrap();
        assert!(
            stacks.context_switches > 0 && stacks.stalls > 0,
            "{packs}: {stacks:?}"
        );
        assert_eq!(
            result.counters.calls.context_switches,
            stacks.context_switches
        );
    }
}

/// With room for all warps nobody waits.
#[test]
fn nobody_gives_registers_up_where_all_have_them() {
    let kernel = text(BARRIERS);
    let result = run_ok(&plan(&kernel, 256, Watermark::High), &launch(3, 256));
    let stacks = result.stacks.unwrap();
    assert_eq!((stacks.context_switches, stacks.stalls), (0, 0));
}
