//! Bad files: the message names the place, the text and what was expected.

use miette::Diagnostic;

use super::{HEADER, file};
use crate::kernel::ptx::{Problem, PtxError, read};

/// The problem of a kernel with this body, which must be the only one.
fn refused(body: &str) -> Problem {
    let error = error(&file("", body));
    assert_eq!(error.problems().len(), 1, "{:?}", error.problems());
    error.first().clone()
}

fn error(source: &str) -> PtxError {
    match read(source, "test.ptx") {
        Err(error) => error,
        Ok(module) => module.kernel("k").expect_err("must be refused"),
    }
}

/// Bodies, each with what the message must contain and the text that must be pointed at.
fn check(cases: &[(&str, &str, &str)]) {
    for (body, message, text) in cases {
        let problem = refused(body);
        assert!(problem.message.contains(message), "{body}\n{problem:?}");
        assert_eq!(problem.text, *text, "{body}\n{problem:?}");
    }
}

#[test]
fn a_message_has_file_line_column_text_and_expectation() {
    let error = error(&file("", ".reg .b32 %r<2>;\n  add.s32 %r0, %r1, %f9;"));
    assert_eq!(
        error.to_string(),
        "test.ptx:8:21: register `%f9` is not declared"
    );
    let problem = error.first();
    assert_eq!(
        (problem.line, problem.column, problem.text.as_str()),
        (8, 21, "%f9")
    );
    assert_eq!(problem.expected, "no `.reg` declares it in this scope");
    assert!(error.source_code().is_some());
    assert_eq!(error.labels().map(Iterator::count), Some(1));
}

#[test]
fn an_unknown_instruction_has_a_cure() {
    let problem = refused("addd.s32 %r0, %r0, 1;");
    assert_eq!(problem.message, "unknown instruction `addd`");
    assert!(problem.help.is_some_and(|help| help.contains("spelling")));
}

#[test]
fn more_local_memory_than_a_thread_has_is_refused() {
    let with = |bytes: u32| {
        file(
            "",
            &format!(".local .align 8 .b8 l[{bytes}]; st.local.u32 [l], 1;"),
        )
    };
    let problem = error(&with(524_296));
    let problem = problem.first();
    assert_eq!(
        problem.message,
        "524296 bytes of local memory per thread are too many"
    );
    assert_eq!(problem.expected, "a thread has at most 524288");
    assert!(
        problem
            .help
            .as_ref()
            .is_some_and(|help| help.contains("global memory"))
    );
    let most = read(&with(524_288), "test.ptx").expect("reads");
    assert!(most.kernel("k").is_ok());
}

#[test]
fn every_problem_has_a_cure() {
    let cure = |body| refused(body).help.unwrap_or_default();
    assert!(cure("rem.s32 %r0, %r0;").contains("PTX ISA manual"));
    assert!(cure("mov.u32 %r0, %gridid.x;").contains("rewrite"));
}

#[test]
fn several_problems_are_reported_at_once() {
    let error = error(&file("", "add.s32 %a, %a, 1;\nfoo %b;\nbra L;"));
    let messages: Vec<&str> = error
        .problems()
        .iter()
        .map(|p| p.message.as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "register `%a` is not declared",
            "unknown instruction `foo`",
            "label `L` is not defined"
        ]
    );
    assert!(error.to_string().ends_with("(and 2 more problems)"));
    assert_eq!(error.related().map(Iterator::count), Some(2));
}

#[test]
fn the_same_problem_on_many_lines_is_told_once_with_its_lines() {
    let uses = |count| "add.s32 %a, %a, 1;\n".repeat(count) + "foo;\n";
    let shown = |count: usize| {
        let error = error(&file("", &uses(count)));
        let first = error.first();
        let help = Diagnostic::help(first).map(|help| help.to_string());
        let help = help.unwrap_or_default();
        let also = help
            .split_once("; the same in ")
            .map(|(_, also)| also.to_owned());
        (error.to_string(), first.line, also, error.problems().len())
    };
    let (text, line, also, problems) = shown(1);
    assert!(
        text.contains("is not declared (and one more problem)"),
        "{text}"
    );
    assert_eq!((also, problems), (None, 2));
    let lines = |count: u32| (line + 1..line + count).map(|line| line.to_string());
    let (_, _, also, _) = shown(2);
    assert_eq!(also, Some(format!("line {}", line + 1)));
    let (text, _, also, problems) = shown(4);
    let [second, third, fourth] = &lines(4).collect::<Vec<_>>()[..] else {
        panic!("three lines");
    };
    assert_eq!(also, Some(format!("lines {second}, {third} and {fourth}")));
    assert_eq!(problems, 2);
    assert!(text.ends_with("(and 4 more problems)"), "{text}");
    let (text, _, also, problems) = shown(50);
    assert!(text.ends_with("(and at least 19 more problems)"), "{text}");
    let last = lines(20).next_back().expect("twenty");
    assert!(also.is_some_and(|also| also.ends_with(&format!(" and {last}"))));
    assert_eq!(problems, 1);
}

#[test]
fn syntax_errors_do_not_hide_later_ones() {
    let error = error(&file(
        "",
        ".reg .b32 %r<2>;\nadd.s32 %r0 %r1;\nmov.u32 , %r1;",
    ));
    let places: Vec<(u32, &str)> = error
        .problems()
        .iter()
        .map(|p| (p.line, p.text.as_str()))
        .collect();
    assert_eq!(places, [(8, "%r1"), (9, ",")]);
}

#[test]
fn textures_are_refused_with_place_and_name() {
    let problem = refused(".reg .f32 %f<5>;\ntex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%f4,%f4}];");
    assert_eq!(problem.message, "instruction `tex` is not supported");
    assert_eq!(
        (problem.line, problem.column, problem.text.as_str()),
        (8, 1, "tex")
    );
    assert!(problem.help.is_some_and(|help| help.contains("textures")));
}

#[test]
fn instructions_that_ptx_has_are_not_called_unknown() {
    for inst in [
        "match.any.sync.b32 %r0, %r1, -1;",
        "fns.b32 %r0, %r1, %r2, 1;",
        "szext.clamp.u32 %r0, %r1, %r2;",
        "bmsk.wrap.b32 %r0, %r1, %r2;",
        "vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r0;",
        "vavrg2.s32.s32.s32 %r0, %r1, %r2, %r0;",
    ] {
        let problem = refused(&format!(".reg .b32 %r<3>;\n{inst}"));
        let name = inst.split('.').next().expect("a name");
        assert_eq!(
            problem.message,
            format!("instruction `{name}` is not supported")
        );
    }
}

#[test]
fn an_unsupported_kernel_leaves_the_others_usable() {
    let source = format!("{HEADER}.entry bad() {{ wmma.mma; }}\n.entry good() {{ ret; }}");
    let module = read(&source, "two.ptx").expect("readable");
    assert!(module.kernel("good").is_ok());
    let error = module.kernel("bad").expect_err("refused");
    assert_eq!(error.first().message, "instruction `wmma` is not supported");
    let error = module.kernel("ugly").expect_err("not there");
    assert_eq!(error.first().help.as_deref(), Some("it has: bad, good"));
}

#[test]
fn modifiers_that_are_not_understood_are_refused() {
    check(&[
        (
            ".reg .f32 %f<2>; add.rn.f32.relu %f0, %f1, %f1;",
            "`.relu` is not supported",
            ".relu",
        ),
        (
            ".reg .f32 %f<2>; add.f32.rn %f0, %f1, %f1;",
            "`.rn` is not supported",
            ".rn",
        ),
        (
            ".reg .b32 %r<2>; add.ftz.s32 %r0, %r1, %r1;",
            "takes no rounding",
            "add",
        ),
        (
            ".reg .b32 %r<2>; add.sat.u32 %r0, %r1, %r1;",
            "`.sat` on integers",
            "add",
        ),
        (
            ".reg .f32 %f<2>; fma.f32 %f0, %f1, %f1, %f1;",
            "not supported",
            ".f32",
        ),
        (
            ".reg .f32 %f<2>; sin.f32 %f0, %f1;",
            "not supported",
            ".f32",
        ),
        (
            ".reg .b64 %rd<2>; .reg .b32 %r<2>; ld.global.L3::x.u32 %r0, [%rd0];",
            "not supported",
            ".L3::x",
        ),
        (
            ".reg .b32 %r<2>; mul.s32 %r0, %r1, %r1;",
            "not supported",
            ".s32",
        ),
        (
            ".reg .b32 %r<2>; .reg .f32 %f; cvt.s32.f32 %r0, %f;",
            "does not exist",
            "cvt",
        ),
        (
            ".reg .b32 %r<2>; .reg .f32 %f; cvt.f32.s32 %f, %r0;",
            "does not exist",
            "cvt",
        ),
        (
            ".reg .pred %p; .reg .b32 %r; setp.lo.s32 %p, %r, 1;",
            "comparison",
            "setp",
        ),
        (
            ".reg .pred %p; .reg .b32 %r; setp.lt.b32 %p, %r, 1;",
            "comparison",
            "setp",
        ),
        ("bar;", "lacks a modifier", "bar"),
    ]);
}

#[test]
fn a_wrong_modifier_is_answered_with_all_that_could_stand_there() {
    for (body, expected) in [
        (
            ".reg .b64 %d; .reg .b32 %r; mul.wyde.u32 %d, %r, 4;",
            "expected one of .lo .hi .wide .rn .rz .rm .rp .ftz .sat .f32 .f64 .f16 .f16x2 .bf16 .bf16x2",
        ),
        (
            ".reg .f32 %f; fma.ftz.f32 %f, %f, %f, %f;",
            "expected one of .rn .rz .rm .rp",
        ),
        (
            ".reg .f32 %f; fma.rn.sta.f32 %f, %f, %f, %f;",
            "expected one of .ftz .sat .f32 .f64 .f16 .f16x2 .bf16 .bf16x2",
        ),
        (
            ".reg .f32 %f; rcp.aprox.f32 %f, %f;",
            "expected one of .approx .rn .rz .rm .rp",
        ),
        (".reg .f32 %f; sin.ftz.f32 %f, %f;", "expected `.approx`"),
        (
            ".reg .b32 %r; add.s32.sat %r, %r, %r;",
            "expected no further modifier",
        ),
    ] {
        assert_eq!(refused(body).expected, expected, "{body}");
    }
    let problem = refused(".reg .b32 %r; .reg .b64 %d; ld.globl.u32 %r, [%d];");
    assert!(problem.expected.contains(" .global "), "{problem:?}");
}

#[test]
fn register_types_are_checked_as_ptxas_does() {
    check(&[
        (
            ".reg .f32 %f; .reg .b32 %r; add.s32 %r, %r, %f;",
            "declared .f32",
            "%f",
        ),
        (
            ".reg .b64 %rd; .reg .b32 %r; add.s32 %r, %r, %rd;",
            "declared .b64",
            "%rd",
        ),
        (
            ".reg .b32 %r; .reg .pred %p; add.s32 %r, %r, %p;",
            "declared .pred",
            "%p",
        ),
        (".reg .b32 %r; @%r ret;", "declared .b32", "%r"),
        (
            ".reg .f32 %f; .reg .b64 %rd; ld.global.u32 %f, [%rd];",
            "declared .f32",
            "%f",
        ),
        (
            ".reg .b16 %h; .reg .b64 %rd; ld.global.u32 %h, [%rd];",
            "declared .b16",
            "%h",
        ),
        (
            ".reg .b32 %r; .reg .f32 %f; ld.global.u32 %r, [%f];",
            "declared .f32",
            "%f",
        ),
        (
            ".reg .f32 %f; mov.f32 %f, 1;",
            "constant of the wrong kind",
            "1",
        ),
        (
            ".reg .b32 %r; mov.u32 %r, 1.5;",
            "constant of the wrong kind",
            "1.5",
        ),
        (
            ".reg .b32 %r; add.u32 %r, %r, %tid.x;",
            "special register",
            "%tid.x",
        ),
        (
            ".reg .b32 %r; add.u32 %r, %r, %laneid;",
            "special register",
            "%laneid",
        ),
    ]);
}

#[test]
fn names_and_operands_are_checked() {
    check(&[
        (
            ".reg .b32 %r; .reg .b32 %r;",
            "`%r` is declared twice",
            "%r",
        ),
        (
            ".reg .b32 %r<4>; .reg .b32 %r<2>;",
            "`%r` is declared twice",
            "%r",
        ),
        (
            ".reg .b32 %r<4>; mov.u32 %r4, 1;",
            "`%r4` is not declared",
            "%r4",
        ),
        (
            "{ .reg .b32 %a; }\nmov.u32 %a, 1;",
            "`%a` is not declared",
            "%a",
        ),
        ("L: ret; L: ret;", "label `L` is defined twice", "L"),
        ("{ L: ret; }\nbra L;", "label `L` is not defined", "L"),
        (
            ".reg .b32 %r; add.s32 %r, %r;",
            "`add` has 2 operands",
            "add.s32 %r, %r",
        ),
        (".reg .v4 .f32 %v;", "vector registers", "%v"),
        (
            ".reg .b64 %a; ld.param.u64 %a, [nothing];",
            "`nothing` is not declared",
            "nothing",
        ),
        (
            ".reg .b64 %a; ld.param.u64 %a, [out+8];",
            "outside of `out`",
            "out",
        ),
        (
            ".reg .b64 %a; st.param.u64 [out], %a;",
            "read-only",
            "[out]",
        ),
        (
            ".shared .b32 s; .reg .b32 %a; ld.global.u32 %a, [s];",
            "another state space",
            "s",
        ),
        (
            ".local .b32 l; .reg .b32 %a; ld.local.u32 %a, [l+4];",
            "outside of `l`",
            "l",
        ),
        ("call nothing;", "`nothing` is not declared", "nothing"),
        (".reg .b32 %r; mov.u32 %r, 1/0;", "division by zero", "1/0"),
    ]);
}

#[test]
fn headers_are_checked() {
    for (source, text) in [
        ("", ""),
        (".target sm_70", ".target"),
        (".version 7.8 .target sm_70 .entry k() { ret; }", ".entry"),
        (".version 7.8 .target sm_70 .address_size 32", "32"),
        (".version 1.4 .target sm_13 .address_size 64", "sm_13"),
        (
            ".version 7.8 .target sm_70, map_f64_to_f32",
            "map_f64_to_f32",
        ),
    ] {
        let error = read(source, "x").expect_err("refused");
        assert_eq!(error.first().text, text);
    }
}

#[test]
fn declarations_at_module_level_are_checked() {
    for (declarations, message) in [
        (".global .u32 a; .global .u32 a;", "declared twice"),
        (".global .u32 a[1000000000000];", "too large"),
        (".global .u32 a[4294967296][4294967296];", "too large"),
        (".global .align 3 .u32 a;", "power of two"),
        (".global .u32 a[];", "size of `a` is not known"),
        (".global .texref t;", "`.texref` is not supported"),
        (".func f() { ret; } .func f() { ret; }", "defined twice"),
    ] {
        let error = error(&file(declarations, "ret;"));
        assert!(
            error.first().message.contains(message),
            "{declarations}: {error}"
        );
    }
}
