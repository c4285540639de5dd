//! Paths that end between a branch and what all lanes do together: the lanes that go on do it together all the same.

use super::{regshare, regshare_in, stderr};

/// Odd threads may return before the barrier, and do so where `y` is `LEAVES`; then each writes what its neighbour has. `RETURN` ends a thread.
const BARRIER: &str = "
.version 6.0
.target sm_20
.address_size 64
.visible .entry k(.param .u64 y)
{
.reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<3>;
.shared .align 4 .b8 S[256];
mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [y]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
ld.global.u32 %r2, [%rd1];
mov.u32 %r3, S; shl.b32 %r4, %r1, 2; add.s32 %r4, %r3, %r4;
xor.b32 %r5, %r1, 1; shl.b32 %r5, %r5, 2; add.s32 %r5, %r3, %r5;
and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra JOIN;
setp.ne.u32 %p2, %r2, LEAVES; RETURN
JOIN:
st.shared.u32 [%r4], %r2;
bar.sync 0;
ld.shared.u32 %r7, [%r5];
st.global.u32 [%rd1], %r7;
END: ret;
}
";

/// The words of `y`, 100 and up before, after a run under `scheme`; the thread that finds `leaves` there returns early.
fn neighbours(text: &str, scheme: &str, leaves: u32) -> Vec<u32> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("k.ptx"), text.replace("LEAVES", &leaves.to_string())).expect("written");
    let launch = format!(
        "kernel = \"k\"\ngrid = 1\nblock = 64\n[[arg]]\nbuffer = \"y\"\ntype = \"u32\"\nlength = 64\n\
         contents = {{ iota = {{ start = 100, step = 1 }} }}\n[[save]]\nbuffer = \"y\"\nnpy = {:?}\n",
        path("out.npy")
    );
    std::fs::write(path("k.toml"), launch).expect("written");
    let (ptx, toml) = (path("k.ptx"), path("k.toml"));
    let output = regshare(&["run", &ptx, "--launch", &toml, "--scheme", scheme]);
    assert!(output.status.success(), "{}", stderr(&output));
    let saved = std::fs::read(path("out.npy")).expect("saved");
    (saved[saved.len() - 256..].chunks_exact(4))
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}

#[test]
fn lanes_come_to_a_barrier_together_although_a_path_before_it_ends() {
    let own_return = BARRIER.replace("RETURN", "@%p2 bra JOIN; ret;");
    // As clang writes it: one return for all.
    let one_return = BARRIER.replace("RETURN", "@%p2 bra JOIN; bra END;");
    for text in [own_return, one_return] {
        for scheme in ["baseline", "rfv", "regmutex", "shared-owf-unroll"] {
            let all: Vec<u32> = (0..64).map(|thread: u32| 100 + (thread ^ 1)).collect();
            assert_eq!(neighbours(&text, scheme, 0), all, "{scheme}");
            // Thread 5 keeps what it has, and writes nothing for thread 4.
            let mut without = all;
            (without[4], without[5]) = (0, 105);
            assert_eq!(neighbours(&text, scheme, 105), without, "{scheme}");
        }
    }
}

/// In a function whose call is kept all that return do it together: a note says that lanes come to its barrier apart.
#[test]
fn a_barrier_of_a_function_that_lanes_come_to_apart_is_said_with_the_line_of_the_branch() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |early: &str| {
        format!(
            ".version 6.0\n.target sm_20\n.address_size 64\n.func f(.reg .u32 x)\n{{\n.reg .pred %p<2>;\n\
             setp.lt.u32 %p0, x, 7;\n@%p0 bra JOIN;\nsetp.eq.u32 %p1, x, 9;\n@%p1 bra JOIN;\n{early}\nJOIN:\nbar.sync 0;\nret;\n}}\n\
             .visible .entry k()\n{{\n.reg .b32 %r;\nmov.u32 %r, %tid.x;\ncall f, (%r);\nret;\n}}\n"
        )
    };
    std::fs::write(
        folder.path().join("k.toml"),
        "kernel = \"k\"\ngrid = 1\nblock = 64\n",
    )
    .expect("written");
    let said = |early: &str| {
        std::fs::write(folder.path().join("k.ptx"), text(early)).expect("written");
        let args = [
            "run",
            "k.ptx",
            "--launch",
            "k.toml",
            "--scheme",
            "abi-spill",
        ];
        let output = regshare_in(folder.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let returns = said("ret;");
    for line in [
        "k.ptx:8: where calls are kept",
        "k.ptx:10: where calls are kept",
    ] {
        assert!(returns.contains(line), "{returns}");
    }
    assert!(!said("").contains("where calls are kept"));
}
