//! Calls through addresses: each lane runs what its address is of, inlined and with calls kept.

use super::{HEADER, file, module, read, run_words};
use crate::compiler::calls::{Linked, Saves, lower};
use crate::compiler::regalloc::AllocOptions;
use crate::kernel::interp::{InterpError, LaunchDims, run};
use crate::memory::image::MemoryImage;

const FUNCTIONS: &str = "
    .func (.param .b32 r) twice(.param .b32 x) {
        .reg .b32 %a<3>; ld.param.u32 %a0, [x]; add.u32 %a1, %a0, %a0; st.param.b32 [r], %a1; ret;
    }
    .func (.param .b32 r) plus_one(.param .b32 x) {
        .reg .b32 %a<3>; ld.param.u32 %a0, [x]; add.u32 %a1, %a0, 1; st.param.b32 [r], %a1; ret;
    }
    .func (.param .b32 r) below(.param .b32 x) {
        .reg .b32 %a<5>;
        ld.param.u32 %a0, [x];
        { .param .b32 p; .param .b32 q; st.param.b32 [p], %a0; call (q), twice, (p); ld.param.b32 %a1, [q]; }
        sub.u32 %a2, %a1, %a0; sub.u32 %a3, %a2, 1; st.param.b32 [r], %a3;
        ret;
    }
    .func (.param .b32 r) wider(.param .b64 x) { st.param.b32 [r], 99; ret; }
    .global .u64 others[1] = {wider};
    .global .align 8 .u64 table[4] = {twice, plus_one, below, wider};\n";

const PROLOGUE: &str = "
    .reg .b64 %out, %d<9>; .reg .b32 %r<10>; .reg .pred %p;
    ld.param.u64 %out, [out];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %out, %r0, 4, %out;\n";

/// Calls `%d1` with the thread's number and stores what comes back.
fn call_of(can_be: &str, what: &str) -> String {
    format!(
        "{{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r0;
            {can_be}
            {what} (q), %d1, (p), names; ld.param.b32 %r1, [q]; }}
         st.global.u32 [%out], %r1; ret;"
    )
}

const PROTOTYPE: &str = "names : .callprototype (.param .b32 _) _ (.param .b32 _);";
/// The address of the function with the number that the thread's lowest two bits are.
const FROM_TABLE: &str = "
    and.b32 %r2, %r0, 3; mov.u64 %d2, table; mad.wide.u32 %d3, %r2, 8, %d2; ld.global.u64 %d1, [%d3];\n";
/// The same without the fourth.
const OF_THREE: &str = "
    rem.u32 %r2, %r0, 3; mov.u64 %d2, table; mad.wide.u32 %d3, %r2, 8, %d2; ld.global.u64 %d1, [%d3];\n";

fn expected(thread: u32) -> u32 {
    match thread % 3 {
        0 => 2 * thread,
        1 => thread + 1,
        _ => thread.wrapping_sub(1),
    }
}

fn with_calls(source: &str, saves: Saves) -> Linked {
    let program = module(source).entries[0].program.clone();
    let program = program.unwrap().unwrap_or_else(|error| panic!("{error}"));
    lower(&program, saves, &AllocOptions::default()).unwrap()
}

/// What 32 threads store with calls kept.
pub(super) fn kept(source: &str, saves: Saves) -> Result<Vec<u32>, InterpError> {
    let kernel = with_calls(source, saves).kernel;
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", 128).unwrap();
    let dims = LaunchDims {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    run(&kernel, &dims, &base.to_le_bytes(), &mut memory)?;
    let words = (0..32).map(|word| memory.read_u32(base + word * 4).unwrap());
    Ok(words.collect())
}

#[test]
fn lanes_with_different_targets_each_run_theirs() {
    let wanted: Vec<u32> = (0..32).map(expected).collect();
    let targets = "names : .calltargets below, twice, plus_one;";
    for can_be in [PROTOTYPE, targets] {
        let body = format!("{PROLOGUE}{OF_THREE}{}", call_of(can_be, "call"));
        let source = file(FUNCTIONS, &body);
        assert_eq!(run_words(&source, 32, 32), wanted, "{can_be}");
        for saves in [Saves::LocalMemory, Saves::RegisterStack] {
            assert_eq!(kept(&source, saves).unwrap(), wanted, "{can_be} {saves:?}");
        }
    }
}

#[test]
fn address_of_a_function_is_a_value_like_others() {
    // The choice is made by `selp`, and a table says what can be called.
    let body = "
        mov.u64 %d4, plus_one; mov.u64 %d5, twice;
        setp.lt.u32 %p, %r0, 10;
        selp.b64 %d1, %d4, %d5, %p;\n";
    let call = call_of("", "call").replace("names", "some");
    let functions = format!("{FUNCTIONS}.global .u64 some[2] = {{twice, plus_one}};\n");
    let source = file(&functions, &format!("{PROLOGUE}{body}{call}"));
    let wanted: Vec<u32> = (0..32)
        .map(|t| if t < 10 { t + 1 } else { 2 * t })
        .collect();
    assert_eq!(run_words(&source, 32, 32), wanted);
    assert_eq!(kept(&source, Saves::LocalMemory).unwrap(), wanted);
}

#[test]
fn guarded_call_through_an_address_is_skipped_by_the_other_lanes() {
    let body = format!(
        "setp.lt.u32 %p, %r0, 7; mov.u32 %r1, 5; mov.u64 %d1, 0; @%p mov.u64 %d1, twice; {PROTOTYPE}"
    );
    let call = "@%p call (%r1), %d1, (%r0), names; st.global.u32 [%out], %r1; ret;";
    let source = file(FUNCTIONS, &format!("{PROLOGUE}{body}{call}"));
    let wanted: Vec<u32> = (0..32).map(|t| if t < 7 { 2 * t } else { 5 }).collect();
    assert_eq!(run_words(&source, 32, 32), wanted);
    assert_eq!(kept(&source, Saves::LocalMemory).unwrap(), wanted);
}

#[test]
fn address_of_a_function_that_takes_something_else_ends_the_run_with_its_lane() {
    let body = format!("{PROLOGUE}{FROM_TABLE}{}", call_of(PROTOTYPE, "call"));
    let source = file(FUNCTIONS, &body);
    let error = kept(&source, Saves::LocalMemory).unwrap_err();
    let InterpError::NoFunction { lane, place, .. } = &error else {
        panic!("{error}");
    };
    let call = source[..source.find("call (q), %d1").unwrap()]
        .lines()
        .count();
    assert_eq!((*lane, place.line.0 as usize), (3, call), "{error}");
    assert!(
        error
            .to_string()
            .contains("lane 3: a call of address 0x7d00000000")
    );
}

#[test]
fn call_site_with_several_callees_counts_the_deepest() {
    let body = format!("{PROLOGUE}{OF_THREE}{}", call_of(PROTOTYPE, "call"));
    let graph = with_calls(&file(FUNCTIONS, &body), Saves::RegisterStack).graph;
    let site = &graph.nodes()[0].sites;
    assert_eq!((site.len(), site[0].len()), (1, 3), "{site:?}");
    assert!(
        graph.text().contains("twice|plus_one|below"),
        "{}",
        graph.text()
    );
    let depth = |name: &str| {
        let at = graph.nodes().iter().position(|node| node.name == name);
        graph.max_stack_depth(at.unwrap())
    };
    assert!(depth("below") > depth("twice"));
    assert_eq!(graph.high(), graph.nodes()[0].fru + depth("below"));
}

#[test]
fn program_with_calls_through_addresses_survives_its_text_form() {
    let body = format!("{PROLOGUE}{OF_THREE}{}", call_of(PROTOTYPE, "call"));
    let kernel = with_calls(&file(FUNCTIONS, &body), Saves::LocalMemory).kernel;
    let text = crate::kernel::text::print(&kernel);
    assert_eq!(crate::kernel::text::parse(&text, "k").unwrap(), kernel);
}

#[test]
fn calls_through_addresses_that_cannot_be_are_refused() {
    let refusal = |body: &str| {
        let source = file(FUNCTIONS, &format!("{PROLOGUE}{body} ret;"));
        let error = module(&source).kernel("k").expect_err("must be refused");
        let first = error.first();
        format!("{} {}", first.message, first.expected)
    };
    assert!(refusal("call (%r1), %d1, (%r0);").contains("says what it can call"));
    assert!(refusal("call (%r1), %d1, (%r0), nowhere;").contains("`nowhere` does not say"));
    let wide =
        "names : .callprototype _ (.param .b64 _, .param .b64 _); call %d1, (%d2, %d3), names;";
    assert!(refusal(wide).contains("there is no function that a call with `names`"));
    let kernel = "names : .calltargets k; call %d1, names;";
    assert!(refusal(kernel).contains("`k` is no function"));
    assert!(refusal("mov.u64 %d1, twice+4;").contains("expected it alone"));
    assert!(refusal("mov.u32 %r1, twice;").contains("as 64 bits"));
    let table = format!(
        "{HEADER}{FUNCTIONS}.global .u32 half[1] = {{twice}};\n.entry k() {{ .reg .b64 %d; mov.u64 %d, half; ret; }}"
    );
    let error = read(&table, "t.ptx")
        .unwrap()
        .kernel("k")
        .unwrap_err()
        .clone();
    assert!(
        error.first().message.contains("function `twice`"),
        "{error}"
    );
}
