//! RegDem's variants of a program of several files.

use super::calls::told;
use super::{regshare_in, stderr, stdout};

const MAIN: &str = "\
.version 6.3
.target sm_70
.address_size 64
.extern .func (.param .b32 v) there(.param .b32 a);
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<2>; .reg .b64 %d<2>;
    mov.u32 %r0, %tid.x;
    { .param .b32 a; .param .b32 v; st.param.b32 [a], %r0; call (v), there, (a); ld.param.b32 %r1, [v]; }
    ld.param.u64 %d0, [out];
    mad.wide.u32 %d1, %r0, 4, %d0;
    st.global.u32 [%d1], %r1;
    ret;
}
";
const OTHER: &str = "\
.version 6.3
.target sm_70
.address_size 64
.visible .func (.param .b32 v) there(.param .b32 a)
{
    .reg .b32 %r<2>;
    ld.param.u32 %r0, [a]; add.u32 %r1, %r0, 1; st.param.b32 [v], %r1;
    ret;
}
";

#[test]
fn variants_of_linked_files_stand_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 64\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 64\n";
    for (name, text) in [("main.ptx", MAIN), ("lib.ptx", OTHER), ("k.toml", launch)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let repro = |args: &[&str]| regshare_in(folder.path(), &[&["repro"], args].concat());
    let of_main = ["regdem:main.ptx", "--launch", "k.toml"];
    let alone = repro(&of_main);
    assert_eq!(alone.status.code(), Some(2));
    assert!(told(&alone).contains("no given file defines the function"));
    let output = repro(&[&of_main[..], &["--link", "lib.ptx"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("variants of k"),
        "{}",
        stdout(&output)
    );
    // Without a file or a launch there is nothing to link with.
    for args in [
        &["regdem:main.ptx", "--link", "lib.ptx"][..],
        &["fig7", "--link", "lib.ptx", "--launch", "k.toml"],
    ] {
        assert_eq!(repro(args).status.code(), Some(2), "{args:?}");
    }
}
