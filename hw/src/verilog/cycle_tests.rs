//! Of the build script: what it takes from Verilator's text, and what it leaves to `eval`.

#[path = "../../build/cycle.rs"]
mod cycle;

#[path = "bits_tests.rs"]
mod bits_tests;

use cycle::{Cycle, direct};

const HEADER: &str = "
    VlTriggerVec<1> __VstlTriggered;
    VlTriggerVec<1> __VicoTriggered;
    VlTriggerVec<1> __VactTriggered;
    VlTriggerVec<1> __VnbaTriggered;
";

/// A function `name` with this body.
fn function(name: &str, body: &str) -> String {
    format!(
        "void Vu___{name}(Vu* vlSelf) {{\n    VL_DEBUG_IF(VL_DBG_MSGF(\"+    Vu___{name}\\n\"); );\n{body}}}\n\n"
    )
}

/// A region that calls a function when it is triggered.
fn region(name: &str, called: &str) -> String {
    let calls = format!(
        "    if (vlSelf->__V{name}Triggered.at(0U)) {{\n        Vu___{called}(vlSelf);\n    }}\n"
    );
    function(&format!("eval_{name}"), &calls)
}

/// What a module has whose registers and logic are computed by `nba` at an edge, and whose logic by `stl`.
fn parts(stl: &str, nba: &str) -> Vec<String> {
    let regions = [
        region("stl", "stl_all"),
        region("ico", "ico_all"),
        function("eval_act", ""),
        region("nba", "nba_all"),
    ];
    let logic = [
        format!("VL_ATTR_COLD {}", function("stl_all", stl)),
        function("ico_all", "    vlSelf->sum = vlSelf->a;\n"),
        function("nba_all", nba),
    ];
    vec![logic.concat(), regions.concat()]
}

/// The body of a function in the text.
fn body<'a>(parts: &'a [String], name: &str) -> &'a str {
    let (_, rest) = parts[0]
        .split_once(&format!("Vu___{name}(Vu* vlSelf) {{\n"))
        .expect("there");
    rest.split_once("\n}\n").map_or("", |(body, _)| body)
}

const STL: &str = "    vlSelf->sum = (vlSelf->a + vlSelf->q);\n    vlSelf->top = 0U;\n    if ((1U == vlSelf->sum)) {\n        \
                   vlSelf->top = 1U;\n    } else {\n        vlSelf->half[1U] = 0U;\n    }\n";

#[test]
fn at_the_edge_only_registers_and_what_they_need_are_computed() {
    let nba = "    CData/*0:0*/ __Vtemp;\n    CData/*0:0*/ unread;\n    \
               __Vtemp = (vlSelf->sum & 3U);\n    if (vlSelf->top) {\n        vlSelf->q = __Vtemp;\n    }\n    \
               vlSelf->memory[vlSelf->a] = 1U;\n    unread = vlSelf->q;\n    vlSelf->sum = unread;\n    \
               if (vlSelf->q) {\n        vlSelf->half[1U] = 2U;\n    }\n";
    let mut parts = parts(STL, nba);
    let cycle = direct("Vu___", HEADER, &mut parts).expect("one clock");
    let named = |name: &str| vec![name.to_owned()];
    assert_eq!(
        cycle,
        Cycle {
            settle: named("stl_all"),
            edge: named("nba_all"),
        }
    );
    let left = body(&parts, "nba_all");
    for kept in [
        "__Vtemp = (vlSelf->sum & 3U);",
        "vlSelf->q = __Vtemp;",
        "vlSelf->memory[vlSelf->a] = 1U;",
    ] {
        assert!(left.contains(kept), "{kept} is missing in {left}");
    }
    for gone in ["unread = ", "vlSelf->sum = ", "vlSelf->half["] {
        assert!(!left.contains(gone), "{gone} is left in {left}");
    }
    assert!(body(&parts, "stl_all").ends_with(STL.trim_end()));
    assert!(body(&parts, "ico_all").contains("abort"));
    assert!(!parts[0].contains("VL_ATTR_COLD"));
}

#[test]
fn logic_that_a_register_takes_at_the_edge_is_left() {
    // Never so for one clock, but then nothing is lost either.
    let nba = "    vlSelf->sum = 2U;\n    vlSelf->q = vlSelf->sum;\n    vlSelf->sum = 3U;\n";
    let mut parts = parts(STL, nba);
    direct("Vu___", HEADER, &mut parts).expect("one clock");
    let left = body(&parts, "nba_all");
    assert!(
        left.contains("vlSelf->sum = 2U;") && !left.contains("vlSelf->sum = 3U;"),
        "{left}"
    );
}

#[test]
fn a_condition_is_left_with_both_its_branches() {
    let nba = "    if (vlSelf->a) {\n        vlSelf->sum = 1U;\n    } else {\n        vlSelf->q = 1U;\n    }\n";
    let mut parts = parts(STL, nba);
    direct("Vu___", HEADER, &mut parts).expect("one clock");
    assert!(body(&parts, "nba_all").ends_with(nba.trim_end()));
}

#[test]
fn what_a_call_may_write_is_left() {
    let nba = "    VL_ADD_W(3, vlSelf->wide, vlSelf->sum, vlSelf->top);\n    vlSelf->q = 1U;\n";
    let mut parts = parts(STL, nba);
    direct("Vu___", HEADER, &mut parts).expect("one clock");
    assert!(body(&parts, "nba_all").contains("VL_ADD_W"));
}

#[test]
fn other_text_is_left_to_eval_as_it_is() {
    let nba = "    vlSelf->q = vlSelf->sum;\n";
    let whole = parts(STL, nba);
    let refused = |header: &str, parts: &[String], reason: &str| {
        let mut parts = parts.to_vec();
        let before = parts.clone();
        let error = direct("Vu___", header, &mut parts).expect_err("other text");
        assert!(error.contains(reason), "{error}");
        assert_eq!(parts, before);
    };
    refused(
        &HEADER.replace("<1> __Vnba", "<2> __Vnba"),
        &whole,
        "more than one clock",
    );
    refused(
        &HEADER.replace("<1> __Vstl", "<2> __Vstl"),
        &whole,
        "more than one pass",
    );
    refused(HEADER, &whole[..1], "no function `eval_stl`");
    refused(HEADER, &whole[1..], "no function `stl_all`");
    let other = whole[1].replace(
        "        Vu___nba_all(vlSelf);",
        "        Vu___nba_all(vlSelf, 1U);",
    );
    refused(
        HEADER,
        &[whole[0].clone(), other],
        "`eval_nba` has `Vu___nba_all(vlSelf, 1U);`",
    );
}
