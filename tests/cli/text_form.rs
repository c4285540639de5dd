//! The text form that `compile --emit kernel` writes, read again.

use super::{regshare, stderr, stdout};

/// The text form has the functions behind the kernel: what they push is written there.
#[test]
fn call_graph_is_read_from_the_text_form_of_register_stacks_and_not_from_that_of_spills() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |scheme: &str, emit: &str, source: &str| {
        let launch = "docs/examples/calls/figure4.toml";
        let args = ["compile", source, "--launch", launch, "--scheme", scheme];
        regshare(&[&args[..], &["--emit", emit]].concat())
    };
    let text_of = |scheme: &str| {
        let path = folder.path().join(format!("{scheme}.txt"));
        let text = program(scheme, "kernel", "docs/examples/calls/figure4.ptx");
        std::fs::write(&path, text.stdout).expect("written");
        path.to_str().expect("text").to_owned()
    };
    let of_ptx = stdout(&program("cars", "calls", "docs/examples/calls/figure4.ptx"));
    let of_text = stdout(&program("cars", "calls", &text_of("cars")));
    for mark in ["Low-watermark 30", "High-watermark 56"] {
        assert!(of_ptx.contains(mark) && of_text.contains(mark), "{of_text}");
    }
    let refused = program("abi-spill", "calls", &text_of("abi-spill"));
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    assert!(
        message.contains("the text form says what functions push"),
        "{message}"
    );
}

/// Each scheme puts its own words in, so those of another are left out.
#[test]
fn words_of_a_scheme_are_left_out_and_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = ["--launch", "docs/examples/pressure.toml"];
    let run = |source: &str| {
        let args = [
            "run",
            source,
            "--scheme",
            "baseline,rfv,gpu-shrink,regmutex,shared-lrr-noopt",
        ];
        regshare(&[&args[..], &launch].concat())
    };
    let text_under = |scheme: &str| {
        let args = ["compile", "docs/examples/pressure.ptx", "--scheme", scheme];
        stdout(&regshare(&[&args[..], &launch].concat()))
    };
    let store = "    st.global.u32";
    let acquires =
        text_under("baseline").replace(store, &format!("    acquire;\n    release;\n{store}"));
    for (word, text) in [("acquire", acquires), ("pir", text_under("rfv"))] {
        assert!(text.contains(word), "{text}");
        let path = folder.path().join(format!("{word}.txt"));
        std::fs::write(&path, text).expect("written");
        let output = run(path.to_str().expect("text"));
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(
            said.contains("words of a scheme") && said.contains("are left out"),
            "{said}"
        );
        assert_eq!(stdout(&output).matches("as baseline").count(), 4);
    }
    let plain = run("docs/examples/pressure.ptx");
    assert!(!stderr(&plain).contains("words of a scheme"));
}
