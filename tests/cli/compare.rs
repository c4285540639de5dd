//! Several schemes on one kernel: what is said of what each made of it, and of those that fail.

use super::{regshare, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a kernel, and the paths of kernel and launch file.
fn folder(ptx: &str, launch: &str) -> (TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let (kernel, launch) = (write("k.ptx", ptx), write("k.toml", launch));
    (folder, kernel, launch)
}

const LAUNCH: &str = "kernel = \"k\"\ngrid = 4\nblock = 64\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 256\n";

/// Writes 256 words; `body` computes %r1 from the thread's number in %r0.
fn kernel(functions: &str, body: &str) -> String {
    format!(
        ".version 6.3\n.target sm_70\n.address_size 64\n{functions}
        .visible .entry k(.param .u64 out)
        {{
            .reg .b32 %r<200>; .reg .b64 %d<4>; .reg .pred %p<4>;
            mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r0, %tid.x;
            mad.lo.u32 %r0, %r2, %r3, %r0;
            ld.param.u64 %d0, [out];
            {body}
            mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;
            st.global.u32 [%d1], %r1;
            ret;
        }}\n"
    )
}

/// Calls itself `depth` times and keeps no register across the call.
fn deep(depth: u32) -> String {
    kernel(
        ".visible .func (.param .b32 value) down(.param .b32 n)
        {
            .reg .b32 %r<6>; .reg .pred %p;
            ld.param.u32 %r0, [n];
            setp.eq.u32 %p, %r0, 0;
            @%p bra DONE;
            sub.u32 %r1, %r0, 1;
            { .param .b32 less; .param .b32 got; st.param.b32 [less], %r1; call (got), down, (less); ld.param.b32 %r0, [got]; }
            add.u32 %r0, %r0, 3;
        DONE:
            st.param.b32 [value], %r0;
            ret;
        }",
        &format!(
            "mov.u32 %r4, {depth};
            {{ .param .b32 n; .param .b32 value; st.param.b32 [n], %r4; call (value), down, (n); ld.param.b32 %r1, [value]; }}
            add.u32 %r1, %r1, %r0;"
        ),
    )
}

#[test]
fn a_scheme_that_fails_leaves_the_table_of_the_others() {
    // It takes cars twelve times the cycles of the others.
    let (_folder, kernel, launch) = folder(&deep(900), LAUNCH);
    let schemes = ["--scheme", "cars,abi-spill,l1-10mb"];
    let args = [
        "run",
        &kernel,
        "--launch",
        &launch,
        "--cycle-limit",
        "60000",
    ];
    let output = regshare(&[&args[..], &schemes].concat());
    assert_eq!(output.status.code(), Some(1));
    let table = stdout(&output);
    for row in [" abi-spill ", " l1-10mb ", "failed: k under cars: "] {
        assert!(table.contains(row), "`{row}` is missing in\n{table}");
    }
    assert!(table.contains("after 60000 cycles"), "{table}");
    assert!(
        stderr(&output).contains("k under cars: "),
        "{}",
        stderr(&output)
    );
    let json = regshare(&[&args[..], &schemes, &["--json", "-"]].concat());
    let json: Value = serde_json::from_str(&stdout(&json)).expect("JSON");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["failed"][0]["scheme"], "cars");
}

/// A scheme for several SMs, behind one under which the kernel would run for minutes.
#[test]
fn a_scheme_that_cannot_launch_is_refused_before_others_have_run() {
    let endless = "mov.u32 %r1, 1;\nL: add.u32 %r1, %r1, 2; setp.ne.u32 %p0, %r1, 0; @%p0 bra L;";
    let (_folder, kernel, launch) = folder(&kernel("", endless), LAUNCH);
    let begun = std::time::Instant::now();
    let output = regshare(&[
        "run",
        &kernel,
        "--launch",
        &launch,
        "--cycle-limit",
        "500000000",
        "--scheme",
        "baseline,shared-lrr-unroll-dyn",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains("give --sms 2"), "{message}");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// The calling convention has a stack of 1024 bytes; a frame of CARS is a word larger.
#[test]
fn recursion_goes_as_deep_under_cars_as_with_spills() {
    let (_folder, kernel, launch) = folder(&deep(900), LAUNCH);
    let args = ["run", &kernel, "--launch", &launch];
    let output = regshare(&[&args[..], &["--scheme", "abi-spill,cars"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("as abi-spill"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_function_that_saves_more_than_a_stack_holds_is_refused_before_the_run() {
    let mut function = String::from(
        ".visible .func (.param .b32 value) inner(.param .b32 n)
        { .reg .b32 %r<2>; ld.param.u32 %r0, [n]; add.u32 %r0, %r0, 1; st.param.b32 [value], %r0; ret; }
        .visible .func (.param .b32 value) fat(.param .b32 n)
        {
            .reg .b32 %r<80>;
            ld.param.u32 %r0, [n];\n",
    );
    for i in 1..80 {
        function += &format!("mad.lo.u32 %r{i}, %r{}, {}, {i};\n", i - 1, 2 * i + 1);
    }
    function += "{ .param .b32 n; .param .b32 value; st.param.b32 [n], %r79; call (value), inner, (n); ld.param.b32 %r0, [value]; }\n";
    for i in 1..80 {
        function += &format!("xor.b32 %r0, %r0, %r{i};\n");
    }
    function += "st.param.b32 [value], %r0;\nret;\n}";
    let body = "{ .param .b32 n; .param .b32 value; st.param.b32 [n], %r0; call (value), fat, (n); ld.param.b32 %r1, [value]; }";
    let (_folder, kernel, launch) = folder(&kernel(&function, body), LAUNCH);
    let args = ["run", &kernel, "--launch", &launch];
    let alone = regshare(&[&args[..], &["--scheme", "cars"]].concat());
    assert_eq!(alone.status.code(), Some(2), "{}", stderr(&alone));
    assert!(
        stderr(&alone).contains("the largest register stack of the hardware has"),
        "{}",
        stderr(&alone)
    );
    let spills = regshare(&[&args[..], &["--scheme", "abi-spill"]].concat());
    assert!(spills.status.success(), "{}", stderr(&spills));
}

#[test]
fn memory_that_nothing_checks_is_compared_with_that_of_the_first_scheme() {
    let simple = kernel("", "mul.lo.u32 %r1, %r0, 7;");
    let (_folder, path, launch) = folder(&simple, LAUNCH);
    let schemes = ["--scheme", "baseline,regmutex,rfv"];
    let output = regshare(&[&["run", &path, "--launch", &launch][..], &schemes].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output).matches("as baseline").count(),
        2,
        "{}",
        stdout(&output)
    );

    // The last value that all exchange says who ran last.
    let racy = kernel("", "atom.global.exch.b32 %r1, [%d0], %r0; mov.u32 %r0, 0;");
    let (_folder, path, launch) = folder(&racy, LAUNCH);
    let schemes = ["--scheme", "baseline,abi-spill,swl-1"];
    let output = regshare(&[&["run", &path, "--launch", &launch][..], &schemes].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("differs from baseline"));
    assert!(
        stderr(&output).contains("order of threads"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_was_made_of_a_kernel_is_said_and_its_registers_are_those_that_ran() {
    let run = |scheme: &str| -> Value {
        let args = [
            "run",
            "treescore",
            "--machine",
            "gtx480",
            "--scheme",
            scheme,
            "--json",
            "-",
        ];
        let json: Value = serde_json::from_str(&stdout(&regshare(&args))).expect("JSON");
        json["runs"][0].clone()
    };
    let (baseline, spilled) = (run("baseline"), run("local-spill"));
    assert_eq!(baseline["variant"], Value::Null);
    let cap = spilled["registers"]["per_thread"]
        .as_u64()
        .expect("a count");
    assert!(
        cap < baseline["registers"]["per_thread"]
            .as_u64()
            .expect("a count")
    );
    assert_eq!(
        spilled["variant"],
        format!("local spill, at most {cap} registers")
    );

    let args = [
        "run",
        "reduction",
        "--scheme",
        "regdem",
        "--demote",
        "200",
        "--json",
        "-",
    ];
    let json: Value = serde_json::from_str(&stdout(&regshare(&args))).expect("JSON");
    let variant = json["runs"][0]["variant"].as_str().expect("words");
    let count: u64 = variant
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a count");
    assert!(count < 200, "{variant}");

    let text = stdout(&regshare(&["run", "reduction", "--scheme", "regdem"]));
    assert!(text.contains("reduction under regdem: "), "{text}");
}

#[test]
fn schemes_that_do_not_work_together_are_refused_with_the_reason() {
    for (name, said) in [
        ("cars+regmutex", "one register file"),
        ("regdem+abi-spill", "keeps calls"),
        ("regdem+regdem", "itself"),
        ("baseline+owf", "no owners"),
        ("rfv+owf", "any warp may give back"),
    ] {
        let output = regshare(&["run", "gemm", "--scheme", name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert!(stderr(&output).contains("help: "), "{}", stderr(&output));
    }
}

/// Warps of a large CTA wait for memory with their registers mapped, and then want more than there are, one pir each: who has its
/// pir goes on although it is not in the ready queue, or nobody does.
#[test]
fn warps_that_are_spilled_under_two_levels_go_on() {
    let mut body = String::from("mul.wide.u32 %d2, %r0, 4; add.s64 %d2, %d0, %d2;\n");
    for i in 0..20 {
        body += &format!("ld.global.u32 %r{}, [%d2+{}];\n", 10 + i, 4 * i);
    }
    body += "bar.sync 0;\nmov.u32 %r1, 0;\n";
    for i in 0..20 {
        body += &format!("mad.lo.u32 %r1, %r1, 3, %r{};\n", 10 + i);
    }
    body += "bar.sync 0;\n";
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 1024\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 1100\n\
                  contents = \"iota\"\n";
    let (_folder, kernel, launch) = folder(&kernel("", &body), launch);
    let output = regshare(&[
        "run",
        &kernel,
        "--launch",
        &launch,
        "--machine",
        "fermi16",
        "--flag-cache",
        "1",
        "--scheme",
        "baseline,gpu-shrink",
        "--cycle-limit",
        "1000000",
        "--json",
        "-",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let shrunk = &json["runs"][1];
    assert_eq!(shrunk["result"], "as baseline");
    assert_eq!(shrunk["scheduler"], "two-level:6");
    assert!(
        shrunk["renaming"]["counts"]["spills"].as_u64() > Some(0),
        "{}",
        shrunk["renaming"]
    );
}
