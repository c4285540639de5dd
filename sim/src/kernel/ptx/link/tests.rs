//! Programs of several files: which definition is meant, what is refused, and where.

use miette::{Diagnostic, SourceSpan};

use super::{as_written, link, own_name, written};
use crate::kernel::interp::{LaunchDims, run};
use crate::kernel::ptx::{Module, PtxError};
use crate::memory::image::MemoryImage;

const HEADER: &str = ".version 7.8\n.target sm_70\n.address_size 64\n";

/// A kernel that stores what `there` gives for 1, and 1000 times what `here` gives.
const MAIN: &str = "
    .extern .func (.reg .u32 y) there(.reg .u32 x);
    .visible .entry k(.param .u64 out) {
        .reg .b64 %out; .reg .b32 %r<4>;
        ld.param.u64 %out, [out];
        call (%r1), there, (1);
        call (%r2), here, (1);
        mad.lo.u32 %r0, %r2, 1000, %r1;
        st.global.u32 [%out], %r0;
        ret;
    }";

/// A function that adds a number.
fn adds(directive: &str, name: &str, number: u32) -> String {
    format!(
        "{directive} .func (.reg .u32 y) {name}(.reg .u32 x) {{ add.u32 y, x, {number}; ret; }}\n"
    )
}

/// Links files with the header before each; the first is `1.ptx`.
fn linked(files: &[&str]) -> Result<Module, PtxError> {
    let named = files
        .iter()
        .enumerate()
        .map(|(index, text)| (format!("{HEADER}{text}"), format!("{}.ptx", index + 1)));
    link(&named.collect::<Vec<_>>())
}

/// What the kernel `k` stores first.
fn stored(files: &[&str]) -> u32 {
    let module = linked(files).unwrap_or_else(|e| panic!("{e}: {:?}", e.problems()));
    let kernel = match module.kernel("k") {
        Ok(kernel) => kernel,
        Err(error) => panic!("{error}: {:?}", error.problems()),
    };
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", 4).expect("room");
    let dims = LaunchDims {
        grid: [1, 1, 1],
        block: [1, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    run(kernel, &dims, &base.to_le_bytes(), &mut memory).unwrap_or_else(|e| panic!("{e}"));
    memory.read_u32(base).expect("inside")
}

/// Why the files, or the kernel `k` of them, are refused.
fn refusal(files: &[&str]) -> PtxError {
    match linked(files) {
        Err(error) => error,
        Ok(module) => module.kernel("k").expect_err("must be refused").clone(),
    }
}

/// The file that is shown with a problem, and the text that is pointed at.
fn shown(problem: &dyn Diagnostic) -> (String, String) {
    let label = problem
        .labels()
        .and_then(|mut labels| labels.next())
        .expect("a label");
    let span = SourceSpan::from((label.offset(), label.len()));
    let source = problem.source_code().expect("a source");
    let contents = source.read_span(&span, 0, 0).expect("inside");
    let text = String::from_utf8_lossy(contents.data()).into_owned();
    (contents.name().expect("a name").to_owned(), text)
}

#[test]
fn file_local_functions_of_one_name_serve_their_own_file() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let calls_here = "
        .visible .func (.reg .u32 y) there(.reg .u32 x) { call (y), here, (x); ret; }";
    let other = format!("{}{calls_here}", adds("", "here", 99));
    assert_eq!(stored(&[&main, &other]), 7_100);
    assert_eq!(stored(&[&other, &main]), 7_100);
    // One that a third file shows to all is none of theirs.
    let visible = adds(".visible", "here", 500);
    assert_eq!(stored(&[&visible, &main, &other]), 7_100);
    assert_eq!(stored(&[&main, &other, &visible]), 7_100);
}

#[test]
fn file_local_variables_of_one_name_are_apart() {
    let of = |directive: &str, name: &str, a: u32, b: u32| {
        format!(
            ".global .u32 a = {a}; .const .u32 b = {b}; .shared .u32 s;
            {directive} .func (.reg .u32 y) {name}(.reg .u32 x) {{
                .reg .b32 %r<3>;
                ld.global.u32 %r0, [a]; ld.const.u32 %r1, [b]; ld.shared.u32 %r2, [s];
                add.u32 y, %r0, %r1; add.u32 y, y, %r2;
                st.shared.u32 [s], 400;
                ret;
            }}"
        )
    };
    let main = format!("{}{MAIN}", of("", "here", 10, 1));
    let other = of(".visible", "there", 30, 2);
    // Scratchpad that the other file wrote would add 400.
    assert_eq!(stored(&[&main, &other]), 11_032);
}

#[test]
fn names_that_a_function_declares_are_not_those_of_the_module() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let other = "
        .func (.reg .u32 y) here(.reg .u32 x) { add.u32 y, x, 99; ret; }
        .global .u32 n1 = 3;
        .visible .func (.reg .u32 y) there(.reg .u32 x) {
            .reg .b32 n<2>; .reg .b32 z; .reg .pred p;
            call (y), here, (x);
            setp.eq.u32 p, y, 100;
            @p bra here;
            mov.u32 y, 0;
        here:
            { .reg .b32 here; mov.u32 here, 11; add.u32 y, y, here; }
            mov.u32 n1, 5;
            add.u32 y, y, n1;
            ret;
        }";
    // The first file has `n1`, too, so that it would be renamed.
    let main = format!(".global .u32 n1 = 1;\n{main}");
    assert_eq!(stored(&[&main, other]), 7_116);
}

#[test]
fn addresses_and_tables_mean_the_functions_of_their_file() {
    let body = "
            .reg .b64 %d<4>;
            mov.u64 %d0, here;
            cvta.global.u64 %d1, table;
            ld.u64 %d2, [%d1];
            P: .callprototype (.reg .u32 _) _ (.reg .u32 _);
            T: .calltargets here;
            call (y), %d0, (x), P;
            call (y), %d0, (y), T;
            call (y), %d2, (y), table;
            ret;";
    let of = |directive: &str, name: &str, number| {
        format!(
            "{} .global .u64 table[1] = {{here}};
            {directive} .func (.reg .u32 y) {name}(.reg .u32 x) {{ {body} }}",
            adds("", "here", number)
        )
    };
    let main = format!(
        "{}{}",
        of("", "twice", 6),
        MAIN.replace(" here, (1)", " twice, (1)")
    );
    let other = of(".visible", "there", 100);
    assert_eq!(stored(&[&main, &other]), 19_301);
}

#[test]
fn one_of_several_weak_definitions_is_kept_and_a_visible_one_wins() {
    let main = |directive| format!("{}{MAIN}", adds(directive, "here", 6));
    let there = adds(".visible", "there", 0);
    let other = |directive| format!("{there}{}", adds(directive, "here", 99));
    assert_eq!(stored(&[&main(".weak"), &other(".weak")]), 7_001);
    assert_eq!(stored(&[&other(".weak"), &main(".weak")]), 100_001);
    assert_eq!(stored(&[&main(".weak"), &other(".visible")]), 100_001);
    assert_eq!(stored(&[&main(".visible"), &other(".weak")]), 7_001);
    assert_eq!(stored(&[&other(".weak"), &main(".visible")]), 7_001);
    // A declaration says it for the definition.
    let declared = format!(
        ".visible .func (.reg .u32 y) here(.reg .u32 x);\n{}",
        other("")
    );
    assert_eq!(stored(&[&main(".weak"), &declared]), 100_001);
}

#[test]
fn of_common_variables_the_largest_is_kept() {
    let main = ".common .global .u32 c; .visible .entry k(.param .u64 out) {
        .reg .b64 %d; .reg .b32 %r;
        ld.param.u64 %d, [out]; ld.global.u32 %r, [c]; st.global.u32 [%d], 1; ret; }";
    let module = linked(&[main, ".common .global .u32 c[4];"]).expect("linked");
    let kernel = module.kernel("k").expect("usable");
    let sizes: Vec<u64> = kernel.globals.iter().map(|v| v.size_bytes).collect();
    assert_eq!(sizes, [16]);
}

#[test]
fn two_visible_definitions_are_refused_with_both_places() {
    let main = format!("{}{MAIN}", adds(".visible", "here", 6));
    let other = adds(".visible", "here", 9);
    let error = refusal(&[&main, &other]);
    assert_eq!(
        error.to_string(),
        "2.ptx:4:30: function `here` is defined twice"
    );
    let problem = error.first();
    assert_eq!(problem.expected, "the first is at 1.ptx:4:30");
    let help = problem.help.as_deref().unwrap_or_default();
    assert!(
        help.contains("another name") && help.contains("file-local"),
        "{help}"
    );

    let error = refusal(&[
        ".visible .global .u32 v = 1;",
        ".visible .global .u32 v = 1;",
    ]);
    assert_eq!(error.first().message, "variable `v` is defined twice");
    let error = refusal(&[".entry k() { ret; }", ".entry k() { ret; }"]);
    assert_eq!(error.first().message, "kernel `k` is defined twice");
}

#[test]
fn declarations_that_differ_from_the_definition_are_refused_with_both_places() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let of = |definition: &str| {
        let error = refusal(&[&main, definition]);
        let problem = error.first();
        assert_eq!((error.file.as_str(), problem.line), ("1.ptx", 6), "{error}");
        assert_eq!(problem.text, "there");
        assert!(problem.message.contains("2.ptx:4:"), "{error}");
        problem.expected.clone()
    };
    let more = ".visible .func (.reg .u32 y) there(.reg .u32 x, .reg .u32 z) { ret; }";
    assert_eq!(of(more), "1 argument here, there 2");
    let wider = ".visible .func (.reg .u64 y) there(.reg .u32 x) { ret; }";
    assert_eq!(of(wider), "result 1 has 4 bytes here, there 8");
    assert_eq!(
        of(".visible .global .u32 there;"),
        "a function here, there a variable"
    );
    assert_eq!(
        of(".visible .entry there() { ret; }"),
        "a function here, there a kernel"
    );

    let error = refusal(&[".extern .global .u32 v;", ".visible .const .u32 v = 1;"]);
    assert_eq!(
        error.first().expected,
        "in global memory here, there in constant"
    );
    let error = refusal(&[".extern .global .u32 v;", ".visible .global .u32 v[2];"]);
    assert_eq!(error.first().expected, "4 bytes here, there 8");
}

#[test]
fn what_stands_beside_a_directive_on_its_line_is_read() {
    let main = format!("{HEADER}{}{MAIN}", adds("", "here", 6));
    let other = format!(
        "/* a */ .version 7.8 .target sm_70 .address_size 64 {}",
        adds(".visible", "there", 99)
    );
    let files = [(main, "main".to_owned()), (other, "other".to_owned())];
    let module = link(&files).expect("linked");
    assert!(module.kernel("k").is_ok());
}

#[test]
fn each_file_needs_a_header_that_is_supported() {
    let main = format!("{HEADER}{}{MAIN}", adds("", "here", 6));
    let of = |header: &str| {
        let other = format!("\n{header} {}", adds(".visible", "there", 99));
        let files = [
            (main.clone(), "main".to_owned()),
            (other, "other".to_owned()),
        ];
        let later = link(&files).expect_err("refused").to_string();
        let first = link(&[files[1].clone(), files[0].clone()]).expect_err("refused");
        assert_eq!(later, first.to_string());
        later
    };
    assert_eq!(
        of(".version 99.0\n.target sm_70\n.address_size 64"),
        "other:2:10: PTX ISA version 99.0 is not supported"
    );
    assert!(of(".version 7.8\n.target sm_13\n.address_size 64").starts_with("other:3:9: target"));
    assert!(of(".version 7.8\n.target sm_70\n.address_size 32").starts_with("other:4:15: only"));
}

#[test]
fn problems_have_the_place_and_the_text_of_their_file() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let other = ".visible .func (.reg .u32 y) there(.reg .u32 x)\n{\n  frob y;\n  ret;\n}";
    let error = refusal(&[&main, other]);
    assert_eq!(error.to_string(), "2.ptx:6:3: unknown instruction `frob`");
    assert_eq!(shown(&error), ("2.ptx".to_owned(), "frob".to_owned()));

    // One in each: the second is shown in its own file.
    let broken = main.replace("ld.param.u64 %out", "grab %out");
    let error = refusal(&[other, &broken]);
    let mut places = vec![shown(&error)];
    places.extend(error.related().expect("two").map(shown));
    places.sort();
    let expected = [("1.ptx", "frob"), ("2.ptx", "grab")];
    assert_eq!(
        places,
        expected.map(|(file, text)| (file.to_owned(), text.to_owned()))
    );

    let error = refusal(&[&main, ".visible .func there() { add }"]);
    assert_eq!(shown(&error).0, "2.ptx");
}

#[test]
fn messages_have_names_as_they_were_written() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let other = "
        .func (.reg .u32 y) here(.reg .u32 x) { ret; }
        .visible .func (.reg .u32 y) there(.reg .u32 x) { call (y), here, (x, x); ret; }";
    let error = refusal(&[&main, other]);
    assert_eq!(error.first().message, "`here` is called with 2 arguments");
    assert_eq!(error.file, "2.ptx");
    assert_eq!(written(&own_name("a$b", 12)), "a$b");
    for name in ["7.8", "a.b", ".2", "a b.2", "%tid.x"] {
        assert_eq!(written(name), name);
    }
    assert_eq!(
        as_written("`f.2` at 1.ptx:4:2, `7.8`"),
        "`f` at 1.ptx:4:2, `7.8`"
    );
}

#[test]
fn a_missing_function_is_named_once_with_the_cure() {
    let main = MAIN.replace("call (%r2), here", "call (%r2), there");
    let missing = |files: &[&str]| {
        let error = refusal(files);
        assert_eq!(error.problems().len(), 1, "{:?}", error.problems());
        let problem = error.first();
        assert_eq!(
            problem.message,
            "no given file defines the function `there`"
        );
        assert_eq!((error.file.as_str(), problem.line), ("1.ptx", 9));
        problem.help.clone().unwrap_or_default()
    };
    assert!(missing(&[&main]).contains("`regshare run a.ptx b.ptx`"));
    assert!(missing(&[&main, ".global .u32 v;"]).contains("`regshare run a.ptx b.ptx`"));
    assert!(missing(&[&main, &adds("", "there", 1)]).contains("`.visible`"));

    let kept = linked(&[&main]).expect("readable");
    let Some(Err(error)) = &kept.entries[0].program else {
        panic!("must be refused where calls are kept");
    };
    assert_eq!(error.problems().len(), 1);
    assert!(error.first().message.contains("`there`"));

    let reads = ".extern .global .u32 v; .visible .entry k() {
        .reg .b32 %r; ld.global.u32 %r, [v]; ret; }";
    let message = &refusal(&[reads, ".global .u32 v = 1;"])
        .first()
        .message
        .clone();
    assert_eq!(message, "no given file defines the variable `v`");
    assert!(linked(&[reads, ".visible .global .u32 v = 1;"]).is_ok_and(|m| m.kernel("k").is_ok()));
}

#[test]
fn lines_of_instructions_lead_to_their_file() {
    let main = format!("{}{MAIN}", adds("", "here", 6));
    let other = format!("\n\n{}", adds(".visible", "there", 99));
    let module = linked(&[&main, &other]).expect("linked");
    let Some(Ok(program)) = &module.entries[0].program else {
        panic!("{:?}", module.entries[0].program);
    };
    let files = module.files();
    let names: Vec<&str> = program.units.iter().map(|u| u.code.name.as_str()).collect();
    assert_eq!(names, ["k", "there", "here"]);
    let places = program.units.iter().map(|unit| {
        let insts = unit.code.blocks.iter().flat_map(|block| &block.insts);
        let add = insts.rev().find(|inst| inst.line.0 > 0).expect("a line");
        let (file, line) = files.place(add.line).expect("of a file");
        format!("{file}:{}", line.0)
    });
    let places: Vec<String> = places.collect();
    assert_eq!(places[1], "2.ptx:6");
    assert_eq!(places[2], "1.ptx:4");
}

/// Nobody defines or calls `f`; what is called and defined nowhere is refused anyway.
#[test]
fn declarations_of_a_function_that_is_not_defined_are_all_the_same() {
    let one = ".extern .func (.reg .u32 y) f(.reg .u32 x);";
    let other = ".extern .func (.reg .u32 y) f(.reg .u32 x, .reg .u32 z);";
    let kernel = ".visible .entry k(.param .u64 out) { ret; }";
    for files in [
        &[&*format!("{one}\n{other}\n{kernel}")][..],
        &[&*format!("{one}\n{kernel}"), other],
    ] {
        let error = refusal(files);
        let message = error.to_string();
        assert!(message.contains("`f` is not what 1.ptx:4:"), "{message}");
        assert!(message.contains("declares"), "{message}");
        assert_eq!(error.first().expected, "2 arguments here, there 1");
        assert_eq!(shown(&error).1, "f");
    }
    assert!(linked(&[&format!("{one}\n{one}\n{kernel}"), one]).is_ok());
}
