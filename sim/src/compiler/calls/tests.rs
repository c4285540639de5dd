//! Programs with calls compute what they compute inlined.

use super::{CallError, Linked, RECURSION_STACK_BYTES, Saves, lower, lower_with_stack};
use crate::compiler::regalloc::AllocOptions;
use crate::kernel::interp::{LaunchDims, run};
use crate::kernel::op::Op;
use crate::kernel::{Kernel, RegSpace, ptx};
use crate::memory::image::MemoryImage;

/// A program with a call in a loop, a call in one side of a branch, a predicate over a call, and recursion.
pub const SOURCE: &str = "
.version 6.3
.target sm_70
.address_size 64
.func (.param .b32 r) fib(.param .b32 n) {
    .reg .b32 %a<6>; .reg .pred %p;
    ld.param.u32 %a0, [n];
    setp.lt.u32 %p, %a0, 2;
    @%p bra DONE;
    sub.u32 %a1, %a0, 1;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %a1; call (y), fib, (x); ld.param.b32 %a2, [y]; }
    sub.u32 %a3, %a0, 2;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %a3; call (y), fib, (x); ld.param.b32 %a4, [y]; }
    add.u32 %a0, %a2, %a4;
DONE:
    st.param.b32 [r], %a0;
    ret;
}
.func (.param .b64 r) wide(.param .b32 a, .param .b64 b, .param .b32 c) {
    .reg .b32 %a<4>; .reg .b64 %d<3>;
    ld.param.u32 %a0, [a]; ld.param.u64 %d0, [b]; ld.param.u32 %a1, [c];
    mad.wide.u32 %d1, %a0, %a1, %d0;
    st.param.b64 [r], %d1;
    ret;
}
.func (.reg .u32 %y) twice(.reg .u32 %x) {
    .reg .b32 %a<3>; .reg .pred %p;
    setp.gt.u32 %p, %x, 5;
    mov.u32 %a2, 3;
    @%p call (%a1), fib, (%a2);
    @%p add.u32 %x, %x, %a1;
    add.u32 %y, %x, %x;
    ret;
}
.visible .entry k(.param .u64 out) {
    .reg .b32 %r<12>; .reg .b64 %d<8>; .reg .pred %p<2>;
    ld.param.u64 %d0, [out];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
LOOP:
    and.b32 %r3, %r0, 7;
    setp.eq.u32 %p0, %r3, 3;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), fib, (x); ld.param.b32 %r4, [y]; }
    @%p0 bra SKIP;
    call (%r5), twice, (%r0);
    add.u32 %r1, %r1, %r5;
SKIP:
    add.u32 %r1, %r1, %r4;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r3;
    @%p1 bra LOOP;
    { .param .b32 x; .param .b64 z; .param .b32 w; .param .b64 y; st.param.b32 [x], %r1; st.param.b64 [z], 5;
      st.param.b32 [w], %r2; call (y), wide, (x, z, w); ld.param.b64 %d1, [y]; }
    cvt.u32.u64 %r6, %d1;
    mad.wide.u32 %d2, %r0, 4, %d0;
    st.global.u32 [%d2], %r6;
    ret;
}";

/// The kernel of [`SOURCE`] in architected registers.
pub fn linked(saves: Saves) -> Kernel {
    let module = ptx::read(SOURCE, "calls.ptx").unwrap();
    assert!(module.kernel("k").is_err(), "recursion cannot be inlined");
    let program = module.entries[0].program.clone().unwrap().unwrap();
    lower(&program, saves, &AllocOptions::default())
        .unwrap()
        .kernel
}

/// Functions that call the next twice, ten deep, around 20 additions.
fn doubling() -> String {
    let mut text = ".version 7.0\n.target sm_70\n.address_size 64\n".to_owned();
    let function = |name: usize, body: &str| {
        format!(
            ".func (.reg .b32 %y) f{name} (.reg .b32 %x) {{\n  .reg .b32 %r<3>;\n{body}  mov.u32 %y, %x;\n  ret;\n}}\n"
        )
    };
    text += &function(0, &"  add.u32 %x, %x, 3;\n".repeat(20));
    for level in 1..=10 {
        let call = format!("  call (%x), f{}, (%x);\n", level - 1);
        text += &function(level, &call.repeat(2));
    }
    text + ".visible .entry k(.param .u64 out) {\n  .reg .b32 %r<2>; .reg .b64 %d<2>;\n  ld.param.u64 %d0, [out];\n  \
            mov.u32 %r0, 1;\n  call (%r1), f10, (%r0);\n  st.global.u32 [%d0], %r1;\n  ret;\n}\n"
}

#[test]
fn what_would_be_too_large_inlined_keeps_its_calls() {
    let module = ptx::read(&doubling(), "doubling.ptx").unwrap();
    let error = module.kernel("k").unwrap_err().to_string();
    assert!(error.contains("8192 instructions"), "{error}");
    let program = module.entries[0].program.clone().unwrap().unwrap();
    let kept = lower(&program, Saves::RegisterStack, &AllocOptions::default()).unwrap();
    let insts: usize = kept
        .kernel
        .blocks
        .iter()
        .map(|block| block.insts.len())
        .sum();
    assert!(insts < 500, "{insts}");
}

/// What thread `t` stores, from the source.
pub fn expected(t: u32) -> u32 {
    fn fib(n: u32) -> u32 {
        if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
    }
    let twice = |x: u32| 2 * if x > 5 { x + fib(3) } else { x };
    let n = t & 7;
    let rounds = n.max(1);
    let each = fib(n) + if n == 3 { 0 } else { twice(t) };
    (rounds * each) * rounds + 5
}

fn results(kernel: &Kernel) -> Vec<u32> {
    let mut memory = MemoryImage::new();
    let out = memory.allocate("out", 4 * 64).unwrap();
    let dims = LaunchDims {
        grid: [1; 3],
        block: [64, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    run(kernel, &dims, &out.to_le_bytes(), &mut memory).unwrap();
    let bytes = memory.contents(memory.allocation("out").unwrap());
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

#[test]
fn divergent_recursive_and_guarded_calls_compute_what_the_source_says() {
    for saves in [Saves::LocalMemory, Saves::RegisterStack] {
        let wanted: Vec<u32> = (0..64).map(expected).collect();
        assert_eq!(results(&linked(saves)), wanted, "{saves:?}");
    }
}

#[test]
fn registers_are_saved_in_memory_or_on_the_register_stack() {
    let count = |kernel: &Kernel, wanted: fn(&Op) -> bool| {
        let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        insts.filter(|inst| wanted(&inst.op)).count()
    };
    let (spills, pushes) = (linked(Saves::LocalMemory), linked(Saves::RegisterStack));
    assert_eq!(count(&spills, |op| matches!(op, Op::Push | Op::Pop)), 0);
    assert_eq!(
        count(
            &pushes,
            |op| matches!(op, Op::Ld(m) | Op::St(m) if m.space == crate::kernel::op::Space::Local)
        ),
        0
    );
    assert!(count(&pushes, |op| *op == Op::Push) > 0);
    assert_eq!(pushes.local_bytes, 0);
}

#[test]
fn a_recursion_has_the_stack_that_is_asked_for_and_room_for_one_iteration() {
    let module = ptx::read(SOURCE, "calls.ptx").unwrap();
    let program = module.entries[0].program.clone().unwrap().unwrap();
    let options = AllocOptions::default();
    let bytes = |asked| {
        let linked = lower_with_stack(&program, Saves::LocalMemory, &options, asked);
        linked.unwrap().kernel.local_bytes
    };
    assert_eq!(bytes(RECURSION_STACK_BYTES), 1024);
    assert_eq!(linked(Saves::LocalMemory).local_bytes, 1024);
    assert_eq!(bytes(4000), 4000);
    assert!((4001..4017).contains(&bytes(4001)) && bytes(4001).is_multiple_of(8));
    // Fewer than one iteration takes are not given.
    assert!((16..1024).contains(&bytes(16)), "{}", bytes(16));
}

#[test]
fn text_form_has_calls() {
    let kernel = linked(Saves::RegisterStack);
    let text = crate::kernel::text::print(&kernel);
    assert!(text.contains("call fib;") && text.contains("push r16;"));
    assert_eq!(crate::kernel::text::parse(&text, "k").unwrap(), kernel);
}

#[test]
fn calls_between_virtual_registers_and_guarded_pushes_are_malformed() {
    let message = |regs: &str, inst: &str| {
        let text = format!(".kernel k;\n.regs {regs} 20, 1;\nentry:\n{inst}\nexit;\n");
        let error = crate::kernel::text::parse(&text, "k").unwrap_err();
        error.to_string() + &format!("{error:?}")
    };
    assert!(message("virtual", "call entry;").contains("architected registers"));
    assert!(message("architected", "@p0 push r16;").contains("take no guard"));
}

#[test]
fn return_outside_of_a_function_is_refused_before_the_run() {
    let text = ".kernel k;\n.regs architected 20, 1;\nentry:\nexit;\n";
    let mut kernel = crate::kernel::text::parse(text, "k").unwrap();
    kernel.blocks[0].insts[0].op = Op::Ret;
    let dims = LaunchDims {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    let error = run(&kernel, &dims, &[], &mut MemoryImage::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("line 4: a return stands in functions"),
        "{error}"
    );
}

/// The kernel `k` of a source with no more registers than `max_regs`.
fn capped(source: &str, saves: Saves, max_regs: u16) -> Result<Linked, CallError> {
    let module = ptx::read(source, "calls.ptx").unwrap();
    let program = module.entries[0].program.clone().unwrap().unwrap();
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    lower(&program, saves, &options)
}

/// R4 to R15 are for what is live over no call; so few are left of R16 and up that the rest is put aside in memory.
#[test]
fn every_cap_from_sixteen_on_is_met_and_computes_the_same() {
    let wanted: Vec<u32> = (0..64).map(expected).collect();
    for saves in [Saves::LocalMemory, Saves::RegisterStack] {
        for cap in 16..=40 {
            let kernel = capped(SOURCE, saves, cap)
                .unwrap_or_else(|error| panic!("{cap} {saves:?}: {error}"))
                .kernel;
            let RegSpace::Architected { regs, .. } = kernel.regs else {
                panic!("{cap} {saves:?}: not allocated");
            };
            assert!(regs <= cap, "{cap} {saves:?}: {regs}");
            assert_eq!(results(&kernel), wanted, "{cap} {saves:?}");
        }
    }
}

#[test]
fn a_cap_below_what_the_convention_has_is_refused_with_the_least_that_does() {
    for cap in [1, 12, 15] {
        let error = capped(SOURCE, Saves::LocalMemory, cap).unwrap_err();
        let wanted = CallError::Cap {
            function: "k".to_owned(),
            needed: 16,
            cap,
        };
        assert_eq!(error, wanted);
    }
}

/// Two values, one of them a pair, that are live over three calls and read behind the last.
#[test]
fn what_is_put_aside_over_calls_in_a_row_is_stored_and_loaded_once() {
    let source = ".version 7.0\n.target sm_70\n.address_size 64\n
        .func (.reg .b32 %y) f (.reg .b32 %x) { xor.b32 %y, %x, 5; ret; }
        .visible .entry k(.param .u64 out) {
            .reg .b32 %r<6>; .reg .b64 %d<4>;
            ld.param.u64 %d0, [out];
            mov.u32 %r0, %tid.x;
            mad.wide.u32 %d1, %r0, 4, %d0;
            mul.lo.u32 %r1, %r0, %r0;
            call (%r2), f, (%r0);
            call (%r2), f, (%r2);
            call (%r2), f, (%r2);
            mad.lo.u32 %r3, %r1, 100, %r2;
            st.global.u32 [%d1], %r3;
            ret;
        }";
    let free = capped(source, Saves::LocalMemory, 255).unwrap();
    assert_eq!((free.spilled.loads, free.spilled.stores), (0, 0));
    let tight = capped(source, Saves::LocalMemory, 16).unwrap();
    let wanted: Vec<u32> = (0..64).map(|t| t * t * 100 + (t ^ 5)).collect();
    for linked in [&free, &tight] {
        assert_eq!(results(&linked.kernel), wanted);
    }
    let spilled = tight.spilled;
    assert!((1..=2).contains(&spilled.loads), "{spilled:?}");
    assert!((1..=2).contains(&spilled.stores), "{spilled:?}");
    assert!((4..=16).contains(&spilled.bytes), "{spilled:?}");
}

/// More values than there are registers, arguments among them, which go to memory as they arrive.
#[test]
fn arguments_that_are_spilled_leave_the_others_their_registers() {
    let values: String = (0..14)
        .map(|i| format!("mad.lo.u32 %v{i}, %a, {}, %b;\n", i + 1))
        .collect();
    let sums: String = (0..14)
        .map(|i| format!("mad.lo.u32 %y, %v{i}, {}, %y;\n", i + 2))
        .collect();
    let source = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n
        .func (.reg .b32 %y) leaf (.reg .b32 %x) {{ xor.b32 %y, %x, 5; ret; }}
        .func (.reg .b64 %z) many (.reg .b32 %a, .reg .b64 %w, .reg .b32 %b, .reg .b32 %c, .reg .b64 %d) {{
            .reg .b32 %v<14>; .reg .b32 %y;
            {values}
            call (%y), leaf, (%a);
            {sums}
            call (%c), leaf, (%c);
            mad.lo.u32 %y, %c, %b, %y;
            mad.wide.u32 %z, %y, 3, %d;
            add.u64 %z, %z, %w;
            ret;
        }}
        .visible .entry k(.param .u64 out) {{
            .reg .b32 %r<6>; .reg .b64 %d<6>;
            ld.param.u64 %d0, [out];
            mov.u32 %r0, %tid.x;
            mad.wide.u32 %d1, %r0, 4, %d0;
            add.u32 %r1, %r0, 11;
            mul.wide.u32 %d2, %r0, 7;
            call (%d3), many, (%r0, %d2, %r1, %r1, %d2);
            cvt.u32.u64 %r2, %d3;
            st.global.u32 [%d1], %r2;
            ret;
        }}"
    );
    let wanted = |t: u32| {
        let b = t + 11;
        let sum: u32 = (0..14).map(|i| (t * (i + 1) + b) * (i + 2)).sum();
        3 * (sum + (t ^ 5) + (b ^ 5) * b) + 14 * t
    };
    let wanted: Vec<u32> = (0..64).map(wanted).collect();
    for saves in [Saves::LocalMemory, Saves::RegisterStack] {
        for cap in (16..=30).chain([255]) {
            let linked = capped(&source, saves, cap)
                .unwrap_or_else(|error| panic!("{cap} {saves:?}: {error}"));
            assert_eq!(results(&linked.kernel), wanted, "{cap} {saves:?}");
        }
    }
}
