//! Kernels that wait in loops for other threads. Each sums as many words as it holds live at once, over the wait or behind it.

/// What it waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// All CTAs, at a barrier of the whole grid: a counter in device memory.
    GridBarrier,
    /// The CTA behind it in the grid, the last one for none: a counter in device memory.
    NextCta,
    /// The same, behind which a function is called that sums.
    CalledNextCta,
    /// The warp behind it in its CTA, the last one for none: a counter in scratchpad.
    NextWarp,
    /// The same without a barrier before it: a counter for each CTA in device memory. Behind it a function is called that sums.
    CalledNextWarp,
    /// The same, where a function that is called in the loop reads the counter.
    ReadNextWarp,
    /// A lock in device memory, taken by a thread of each CTA, which sums in the section.
    Lock,
    /// The same in a function that is called, with another one called in the section.
    CalledLock,
    /// All warps behind it in its CTA: the sum of their flags, in device memory.
    AllFlags,
    /// The same, one flag after the other, in one loop. Behind it a function is called that sums.
    EachFlag,
    /// The same, by a counter that is read in two places in turn.
    InTurn,
}

pub const KINDS: [Kind; 8] = [
    Kind::GridBarrier,
    Kind::NextCta,
    Kind::CalledNextCta,
    Kind::NextWarp,
    Kind::CalledNextWarp,
    Kind::ReadNextWarp,
    Kind::Lock,
    Kind::CalledLock,
];

/// Those of which only a run shows that they wait.
pub const HIDDEN: [Kind; 3] = [Kind::AllFlags, Kind::EachFlag, Kind::InTurn];

fn each(words: u32, line: impl Fn(u32) -> String) -> String {
    (0..words).map(|word| line(word) + "\n").collect()
}

/// The kernel over `words` words, in PTX.
pub fn source(kind: Kind, words: u32) -> String {
    let load = each(words, |n| format!("ld.global.u32 %w{n}, [%rd4+{}];", 4 * n));
    let sum = each(words, |n| format!("add.u32 %s, %s, %w{n};"));
    let spin = |bound: &str| {
        format!(
            "SPIN: ld.volatile.global.u32 %r7, [%rd3];\nsetp.lt.u32 %p2, %r7, {bound};\n@%p2 bra SPIN;\nDONE: bar.sync 0;"
        )
    };
    let take =
        "SPIN: atom.global.cas.b32 %r7, [%rd3], 0, 1;\nsetp.ne.u32 %p2, %r7, 0;\n@%p2 bra SPIN;";
    let give = "membar.gl;\natom.global.exch.b32 %r7, [%rd3], 0;";
    let call = "{ .param .b64 to; .param .b32 back; st.param.b64 [to], %rd4; call (back), summed, (to); ld.param.b32 %s, [back]; }\n";
    let behind = "shr.u32 %r6, %r1, 5;\nshr.u32 %r8, %r3, 5;\nsub.u32 %r8, %r8, 1;\nsub.u32 %r8, %r8, %r6;\n\
                  and.b32 %r11, %r1, 31;\nsetp.ne.u32 %p1, %r11, 0;";
    let first = "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;";
    // Words of the warps of a CTA, the one of a warp, and how this one raises its own.
    let flags = "shr.u32 %r12, %r3, 5;\nmul.lo.u32 %r13, %r2, %r12;\nmul.wide.u32 %rd8, %r13, 4;\nadd.u64 %rd8, %rd3, %rd8;\n";
    let at = "mul.wide.u32 %rd7, %r14, 4;\nadd.u64 %rd7, %rd8, %rd7;\n";
    let raise = format!(
        "@%p1 bra OUT;\nmov.u32 %r14, %r6;\nmov.u32 %r9, 1;\n{at}st.volatile.global.u32 [%rd7], %r9;\nOUT:"
    );
    let body = match kind {
        Kind::GridBarrier => format!(
            "{load}bar.sync 0;\n{first}\natom.global.add.u32 %r6, [%rd3], 1;\n{}\n{sum}",
            spin("%r4")
        ),
        Kind::CalledNextCta => format!(
            "sub.u32 %r8, %r4, 1;\nsub.u32 %r8, %r8, %r2;\n{first}\n{}\n{call}bar.sync 0;\n@%p1 bra OUT;\n\
             atom.global.add.u32 %r6, [%rd3], 1;\nOUT:",
            spin("%r8")
        ),
        Kind::NextCta => format!(
            "{load}sub.u32 %r8, %r4, 1;\nsub.u32 %r8, %r8, %r2;\n{first}\n{}\n{sum}bar.sync 0;\n@%p1 bra OUT;\n\
             atom.global.add.u32 %r6, [%rd3], 1;\nOUT:",
            spin("%r8")
        ),
        Kind::ReadNextWarp => format!(
            "{behind}\nmul.wide.u32 %rd7, %r2, 4;\nadd.u64 %rd7, %rd3, %rd7;\n@%p1 bra DONE;\n\
             AGAIN: {{ .param .b64 of; .param .b32 count; st.param.b64 [of], %rd7; call (count), counted, (of); ld.param.b32 %r7, [count]; }}\n\
             setp.lt.u32 %p2, %r7, %r8;\n@%p2 bra AGAIN;\n\
             DONE: bar.warp.sync 0xffffffff;\n{call}@%p1 bra OUT;\natom.global.add.u32 %r6, [%rd7], 1;\nOUT:"
        ),
        Kind::CalledNextWarp => format!(
            "{behind}\nmul.wide.u32 %rd7, %r2, 4;\nadd.u64 %rd7, %rd3, %rd7;\n@%p1 bra DONE;\n\
             SPIN: ld.volatile.global.u32 %r7, [%rd7];\nsetp.lt.u32 %p2, %r7, %r8;\n@%p2 bra SPIN;\n\
             DONE: bar.warp.sync 0xffffffff;\n{call}@%p1 bra OUT;\natom.global.add.u32 %r6, [%rd7], 1;\nOUT:"
        ),
        Kind::NextWarp => format!(
            "{behind}\nmov.u32 %r9, sh;\n\
             setp.ne.u32 %p3, %r1, 0;\n@%p3 bra A;\nmov.u32 %r10, 0;\nst.shared.u32 [%r9], %r10;\nA: bar.sync 0;\n{load}@%p1 bra DONE;\n\
             SPIN: ld.volatile.shared.u32 %r7, [%r9];\nsetp.lt.u32 %p2, %r7, %r8;\n@%p2 bra SPIN;\n\
             DONE: bar.warp.sync 0xffffffff;\n{sum}@%p1 bra OUT;\natom.shared.add.u32 %r6, [%r9], 1;\nOUT:"
        ),
        Kind::AllFlags => format!(
            "{load}{behind}\n{flags}@%p1 bra DONE;\nROUND: mov.u32 %r7, 0;\nadd.u32 %r14, %r6, 1;\n\
             NEXT: setp.ge.u32 %p3, %r14, %r12;\n@%p3 bra ALL;\n{at}SPIN: ld.volatile.global.u32 %r9, [%rd7];\n\
             add.u32 %r7, %r7, %r9;\nadd.u32 %r14, %r14, 1;\nbra NEXT;\n\
             ALL: setp.lt.u32 %p2, %r7, %r8;\n@%p2 bra ROUND;\nDONE: bar.warp.sync 0xffffffff;\n{sum}{raise}"
        ),
        Kind::EachFlag => format!(
            "{load}{behind}\n{flags}add.u32 %r14, %r6, 1;\n@%p1 bra DONE;\n\
             NEXT: setp.ge.u32 %p3, %r14, %r12;\n@%p3 bra DONE;\n{at}SPIN: ld.volatile.global.u32 %r9, [%rd7];\n\
             setp.eq.u32 %p2, %r9, 0;\n@%p2 bra NEXT;\nadd.u32 %r14, %r14, 1;\nbra NEXT;\n\
             DONE: bar.warp.sync 0xffffffff;\n{call}mov.u32 %s, 0;\n{sum}{raise}"
        ),
        Kind::InTurn => format!(
            "{load}{behind}\n{flags}mov.u32 %r14, 0;\n@%p1 bra DONE;\nROUND: xor.b32 %r14, %r14, 1;\n{at}\
             SPIN: ld.volatile.global.u32 %r7, [%rd7];\nsetp.lt.u32 %p2, %r7, %r8;\n@%p2 bra ROUND;\n\
             DONE: bar.warp.sync 0xffffffff;\n{sum}@%p1 bra OUT;\n\
             atom.global.add.u32 %r6, [%rd8], 1;\natom.global.add.u32 %r6, [%rd8+4], 1;\nOUT:"
        ),
        Kind::Lock => format!(
            "{first}\n{take}\n{load}{sum}{give}\nmov.u32 %s, 0;\nDONE: bar.sync 0;\n{load}{sum}"
        ),
        Kind::CalledLock => format!(
            "{{ .param .b64 lock; .param .b64 to; st.param.b64 [lock], %rd3; st.param.b64 [to], %rd4;\n\
             call locked, (lock, to); }}\nbar.sync 0;\n{load}{sum}"
        ),
    };
    let summed = format!(
        ".func (.param .b32 sum) summed(.param .b64 words)\n{{\n.reg .b64 %rd<5>;\n.reg .b32 %s, %w<{words}>;\n\
         ld.param.u64 %rd4, [words];\nmov.u32 %s, 0;\n{load}{sum}st.param.b32 [sum], %s;\nret;\n}}\n"
    );
    let functions = match kind {
        Kind::CalledNextCta | Kind::CalledNextWarp | Kind::EachFlag => summed,
        Kind::ReadNextWarp => format!(
            "{summed}.func (.param .b32 count) counted(.param .b64 of)\n{{\n.reg .b64 %rd<8>;\n.reg .b32 %r<8>;\n\
             ld.param.u64 %rd7, [of];\nSPIN: ld.volatile.global.u32 %r7, [%rd7];\nst.param.b32 [count], %r7;\nret;\n}}\n"
        ),
        Kind::CalledLock => format!(
            "{summed}.func locked(.param .b64 lock, .param .b64 words)\n{{\n.reg .b64 %rd<5>;\n.reg .b32 %r<8>, %s;\n.reg .pred %p<3>;\n\
             ld.param.u64 %rd3, [lock];\nld.param.u64 %rd4, [words];\nmov.u32 %r1, %tid.x;\n{first}\n{take}\n{call}{give}\n\
             DONE: ret;\n}}\n"
        ),
        _ => String::new(),
    };
    format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n{functions}\
         .visible .entry k(.param .u64 in, .param .u64 out, .param .u64 flag, .param .u64 expected)\n{{\n.reg .u32 %w<{words}>, %r<20>, %s;\n\
         .reg .u64 %rd<12>;\n.reg .pred %p<4>;\n.shared .align 4 .u32 sh[4];\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n\
         ld.param.u64 %rd3, [flag];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %nctaid.x;\n\
         mad.lo.u32 %r5, %r2, %r3, %r1;\nmul.wide.u32 %rd5, %r5, 4;\nadd.u64 %rd4, %rd1, %rd5;\nadd.u64 %rd6, %rd2, %rd5;\n\
         mov.u32 %s, 0;\n{body}\nst.global.u32 [%rd6], %s;\nret;\n}}\n"
    )
}

/// Its launch: all words are 1, so that each thread counts them.
pub fn launch(words: u32, ctas: u32, threads: u32) -> String {
    let out = ctas * threads;
    let buffer = |name: &str, length: u32, value: u32| {
        format!(
            "[[arg]]\nbuffer = \"{name}\"\ntype = \"u32\"\nlength = {length}\ncontents = {{ constant = {value} }}\n"
        )
    };
    format!(
        "kernel = \"k\"\ngrid = {ctas}\nblock = {threads}\n{}{}{}{}[[check]]\nbuffer = \"out\"\nequals_buffer = \"expected\"\n",
        buffer("in", out + words, 1),
        buffer("out", out, 0),
        buffer("flag", ctas * threads.div_ceil(32) + 1, 0),
        buffer("expected", out, words),
    )
}

/// The first lane of warp 0 makes a word 1 when it is 0, that of warp 1 makes it 0 when it is 1, until they find 7.
pub const TURNS: &str = "\
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 flag, .param .u64 expected)
{
    .reg .u32 %r<9>;
    .reg .u64 %rd<4>;
    .reg .pred %p<4>;
    ld.param.u64 %rd1, [flag];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 31;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra DONE;
    shr.u32 %r3, %r1, 5;
    sub.u32 %r4, 1, %r3;
TURN:
    atom.global.cas.b32 %r5, [%rd1], %r3, %r4;
    setp.ne.u32 %p2, %r5, 7;
    @%p2 bra TURN;
DONE:
    ret;
}
";
