mod calls;
mod memory;

use super::*;
use crate::compiler::regalloc::AllocOptions;
use crate::compiler::{Compiled, compile};
use crate::kernel::ptx;

/// Lines before the body.
const BEFORE: u32 = 7;

/// What is found in a kernel of `body`, over virtual and over architected registers, which must be the same.
fn found(body: &str) -> Option<(u32, Scope, bool)> {
    let kernel = kernel_of(body);
    let Compiled { allocation, .. } = compile(&kernel, &AllocOptions::default()).unwrap();
    let [virtual_space, architected] = [&kernel, &allocation.kernel].map(|kernel| {
        let waits = Waits::of(kernel, &Cfg::new(kernel).unwrap());
        let widest = waits.widest()?;
        Some((widest.line.0 - BEFORE, widest.scope, widest.is_lock))
    });
    assert_eq!(virtual_space, architected);
    virtual_space
}

fn kernel_of(body: &str) -> Kernel {
    let source = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .u32 %r<20>; .reg .u64 %a<9>; .reg .pred %p<6>; .shared .align 4 .u32 sh[64];\n\
         ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 7; mov.u32 %r3, 0; mov.u32 %r9, sh;\n\
         {body}\nst.global.u32 [%a1+64], %r1; ret;\n}}"
    );
    let module =
        ptx::read(&source, "waits.ptx").unwrap_or_else(|error| panic!("{error}\n{source}"));
    module.entries[0].kernel.clone().unwrap()
}

#[test]
fn a_flag_in_device_memory_is_waited_for() {
    let volatile = "W: ld.volatile.global.u32 %r4, [%a1];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found(volatile), Some((0, Scope::Grid, false)));
    // Written with the address made anew in each round, the condition turned over and a second way out.
    let apart = "W: add.u64 %a2, %a1, 8;\nld.global.u32 %r4, [%a2];\nsetp.ge.u32 %p1, %r4, %r2;\n@%p1 bra D;\n\
                 ld.global.u32 %r5, [%a2+4];\nsetp.ne.u32 %p2, %r5, 0;\n@!%p2 bra W;\nD:";
    assert_eq!(found(apart), Some((1, Scope::Grid, false)));
}

#[test]
fn a_flag_in_scratchpad_is_waited_for_by_the_cta() {
    let body = "W: ld.volatile.shared.u32 %r4, [%r9];\nsetp.lt.u32 %p1, %r4, %r2;\n@%p1 bra W;";
    assert_eq!(found(body), Some((0, Scope::Cta, false)));
}

#[test]
fn a_lock_is_told_from_a_flag() {
    let cas = "W: atom.global.cas.b32 %r4, [%a1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found(cas), Some((0, Scope::Grid, true)));
    let exch = "W: atom.shared.exch.b32 %r4, [%r9], 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra W;";
    assert_eq!(found(exch), Some((0, Scope::Cta, true)));
}

/// Atomics that only read, or that wait for a turn: who is waited for may not have been launched.
#[test]
fn a_flag_that_is_read_by_an_atomic_is_no_lock() {
    let reads = [
        "atom.global.add.u32 %r4, [%a1], 0;",
        "atom.global.or.b32 %r4, [%a1], 0;",
        "atom.global.max.u32 %r4, [%a1], 0;",
        "atom.global.cas.b32 %r4, [%a1], 0, 0;",
        "atom.global.cas.b32 %r4, [%a1], %r1, %r2;",
        "atom.global.exch.b32 %r4, [%a1], 0;",
    ];
    for read in reads {
        let body = format!("W: {read}\nsetp.ne.u32 %p1, %r4, %r2;\n@%p1 bra W;");
        assert_eq!(found(&body), Some((0, Scope::Grid, false)), "{read}");
    }
}

/// The lock that a warp may take whose lanes all want it: what it guards is in the loop.
#[test]
fn a_lock_whose_section_is_in_the_loop_is_found() {
    let branch = "W: atom.global.cas.b32 %r4, [%a1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra B;\n\
                  ld.global.u32 %r5, [%a1+4];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%a1+4], %r5;\n\
                  atom.global.exch.b32 %r6, [%a1], 0;\nmov.u32 %r3, 1;\n\
                  B: setp.eq.u32 %p2, %r3, 0;\n@%p2 bra W;";
    assert_eq!(found(branch), Some((0, Scope::Grid, true)));
    let guarded = "W: atom.global.cas.b32 %r4, [%a1], 0, 1;\nsetp.eq.u32 %p1, %r4, 0;\n\
                   @%p1 st.global.u32 [%a1+4], %r1;\n@%p1 mov.u32 %r3, 1;\n@%p1 atom.global.exch.b32 %r6, [%a1], 0;\n\
                   setp.eq.u32 %p2, %r3, 0;\n@%p2 bra W;";
    assert_eq!(found(guarded), Some((0, Scope::Grid, true)));
}

/// Each of these ends, or goes on, whatever the others do.
#[test]
fn loops_that_do_something_do_not_wait() {
    let loops = [
        // A counter, alone and beside a flag.
        "W: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra W;",
        "W: add.u32 %r3, %r3, 1;\nsetp.ge.u32 %p1, %r3, %r2;\n@%p1 bra D;\n\
         ld.volatile.global.u32 %r4, [%a1];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra W;\nD:",
        // A bound in memory that is read in each round.
        "W: ld.global.u32 %r4, [%a1];\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r4;\n@%p1 bra W;",
        // A list.
        "mov.u64 %a2, %a1;\nW: ld.global.u64 %a2, [%a2];\nsetp.ne.u64 %p1, %a2, 0;\n@%p1 bra W;",
        // Work taken from a queue.
        "W: atom.global.add.u32 %r4, [%a1], 1;\nsetp.lt.u32 %p1, %r4, %r2;\n@%p1 bra W;",
        // An addition by compare and swap, with what was found as what is expected.
        "ld.global.u32 %r4, [%a1];\nW: mov.u32 %r5, %r4;\nadd.u32 %r6, %r5, %r2;\n\
         atom.global.cas.b32 %r4, [%a1], %r5, %r6;\nsetp.ne.u32 %p1, %r4, %r5;\n@%p1 bra W;",
        // Until nothing changes, which the loop writes down itself.
        "W: st.shared.u32 [%r9], %r3;\nbar.sync 0;\n@%p3 st.shared.u32 [%r9], %r2;\nbar.sync 0;\n\
         ld.shared.u32 %r4, [%r9];\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra W;",
        // Until it is late.
        "W: mov.u32 %r4, %clock;\nsetp.lt.u32 %p1, %r4, %r2;\n@%p1 bra W;",
        // Forever.
        "W: ld.volatile.global.u32 %r4, [%a1];\nbra W;",
    ];
    for body in loops {
        assert_eq!(found(body), None, "{body}");
    }
}

#[test]
fn only_blocks_whose_innermost_loop_waits_are_idle() {
    let body = "O: add.u32 %r3, %r3, 1;\nW: ld.volatile.global.u32 %r4, [%a1];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra W;\n\
                setp.lt.u32 %p2, %r3, %r2;\n@%p2 bra O;";
    assert_eq!(found(body), Some((1, Scope::Grid, false)));
    let kernel = kernel_of(body);
    let cfg = Cfg::new(&kernel).unwrap();
    let waits = Waits::of(&kernel, &cfg);
    let labels = waits.idle.ones().map(|block| &kernel.blocks[block].label);
    assert_eq!(labels.collect::<Vec<_>>(), ["W"]);
}

/// With few registers the address is made anew in each round, and in the same registers as what is read.
#[test]
fn a_pair_that_is_made_anew_and_used_again_is_the_same_address() {
    let body = "W: ld.volatile.global.u32 %r4, [%a1];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra W;";
    let kernel = kernel_of(body);
    let capped = (2..16).map(|max_regs| AllocOptions {
        max_regs,
        ..AllocOptions::default()
    });
    let mut compiled = capped.filter_map(|options| compile(&kernel, &options).ok());
    let kernel = compiled.next().expect("some cap").allocation.kernel;
    let loads = |inst: &&Inst| matches!(inst.op, Op::Ld(mem) if mem.space == Space::Param);
    let waits = Waits::of(&kernel, &Cfg::new(&kernel).unwrap());
    let wait = waits.widest().unwrap();
    let insts = wait
        .blocks
        .ones()
        .flat_map(|block| &kernel.blocks[block].insts);
    assert_eq!(insts.filter(loads).count(), 1, "the loop makes it anew");
    assert_eq!(wait.line.0, BEFORE);
}

/// Deep chains of definitions are followed without a call for each.
#[test]
fn a_way_out_that_depends_on_many_instructions_is_followed() {
    let chain = "add.u32 %r5, %r5, %r2;\nxor.b32 %r5, %r5, %r1;\n".repeat(20_000);
    let body = |read: &str| format!("W: {read}\n{chain}setp.ne.u32 %p1, %r5, 0;\n@%p1 bra W;");
    let waits = |read| {
        let kernel = kernel_of(&body(read));
        Waits::of(&kernel, &Cfg::new(&kernel).unwrap()).loops.len()
    };
    assert_eq!(waits("ld.volatile.global.u32 %r5, [%a1];"), 1);
    assert_eq!(waits(""), 0, "it counts");
}
