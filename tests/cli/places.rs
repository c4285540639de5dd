//! Places in the source: of recursion that memory ends, and in timelines of programs of several files.

use super::calls::told;
use super::{regshare, regshare_in, stderr};
use serde_json::Value;

/// A function that calls itself as often as its parameter says, and a kernel that has it count from `DEPTH`.
const DEEP: &str = "\
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 r) down (.param .b32 n)
{
    .reg .b32 %r<4>;
    .reg .pred %p;
    ld.param.u32 %r0, [n];
    setp.eq.u32 %p, %r0, 0;
    mov.u32 %r3, 0;
    @%p bra DONE;
    add.u32 %r1, %r0, -1;
    {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r1;
    call (b), down, (a);
    ld.param.b32 %r2, [b];
    }
    add.u32 %r3, %r2, %r0;
DONE:
    st.param.b32 [r], %r3;
    ret;
}
.visible .entry k (.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<1>;
    ld.param.u64 %rd0, [out];
    {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], DEPTH;
    call (b), down, (a);
    ld.param.b32 %r1, [b];
    }
    st.global.u32 [%rd0], %r1;
    ret;
}
";

const DEEP_LAUNCH: &str = "kernel = \"k\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\n\
    [[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 1\n";

#[test]
fn recursion_that_is_too_deep_for_the_stack_is_told_with_the_line_it_was_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = folder.path().join("deep.toml");
    std::fs::write(launch, DEEP_LAUNCH).expect("written");
    let run = |depth: &str, scheme: &str| {
        let ptx = DEEP.replace("DEPTH", depth);
        std::fs::write(folder.path().join("deep.ptx"), ptx).expect("written");
        let args = ["run", "deep.ptx", "--launch", "deep.toml"];
        regshare_in(folder.path(), &[&args[..], &["--scheme", scheme]].concat())
    };
    for scheme in ["abi-spill", "cars"] {
        let output = run("20", scheme);
        assert!(output.status.success(), "{scheme}: {}", stderr(&output));
        let output = run("5000", scheme);
        let message = told(&output);
        assert_eq!(output.status.code(), Some(1), "{scheme}: {message}");
        assert!(message.contains("recursion is too deep"), "{message}");
        assert!(message.contains("line "), "{message}");
    }
    // The function saves its registers before it takes its parameter, which is of the line of its heading.
    let output = run("5000", "abi-spill");
    let message = told(&output);
    let first = DEEP.lines().position(|line| line.contains(".func"));
    let first = first.expect("there") + 1;
    let wanted = format!("before line {first})");
    assert!(message.contains(&wanted), "{message}");
}

#[test]
fn timelines_of_several_files_name_the_file_and_its_own_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (main, other) = (
        "docs/examples/calls/main.ptx",
        "docs/examples/calls/fibonacci.ptx",
    );
    let timeline = |name: &str| {
        let path = folder.path().join(name);
        let path = path.to_str().expect("UTF-8");
        let launch = "docs/examples/calls/launch.toml";
        let args = ["run", main, other, "--launch", launch];
        let more = ["--scheme", "abi-spill", "--timeline", path];
        let output = regshare(&[&args[..], &more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(path).expect("there")
    };
    let lines = |file: &str| {
        let text = std::fs::read_to_string(file).expect("an example");
        text.lines().count() as u64
    };
    let json: Value = serde_json::from_str(&timeline("t.json")).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let issued = events.iter().filter(|event| event["cat"] == "issue");
    let mut seen = [false; 2];
    for event in issued {
        let place = &event["args"];
        // The compiler's own have none.
        if place["line"] == 0 {
            continue;
        }
        let (file, line) = (place["file"].as_str(), place["line"].as_u64());
        let at = [main, other].iter().position(|name| Some(*name) == file);
        let at = at.unwrap_or_else(|| panic!("{event}"));
        assert!(line.is_some_and(|line| line <= lines([main, other][at])));
        seen[at] = true;
    }
    assert_eq!(seen, [true; 2]);
    let kanata = timeline("t.kanata");
    for file in [main, other] {
        assert!(kanata.contains(&format!(" of {file}\n")), "{file}");
    }
}
