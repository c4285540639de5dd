use super::*;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::text;
use crate::testing::{GenOptions, generate};

fn kernel(body: &str, regs: u16) -> Kernel {
    let text = format!(".kernel k;\n.regs architected {regs}, 2;\nentry:\n{body}    exit;\n");
    text::parse(&text, "k").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const CTA: Cta = Cta {
    threads: 64,
    scratchpad_bytes: 0,
};

fn options(count: u16, cleanup: Cleanup) -> Options {
    Options {
        amount: Amount::Count(count),
        strategy: Strategy::Static,
        compaction: Compaction::Plain,
        cleanup,
    }
}

fn demoted(body: &str, regs: u16, count: u16, cleanup: Cleanup) -> (Demoted, String) {
    let kernel = kernel(body, regs);
    let demoted = demote(&kernel, CTA, options(count, cleanup)).unwrap();
    checker::check(&kernel, &demoted, CTA).unwrap();
    let printed = text::print(&demoted.kernel);
    (demoted, printed)
}

/// Every way to demote.
fn all_options() -> impl Iterator<Item = Options> {
    Strategy::ALL.into_iter().flat_map(|strategy| {
        Cleanup::ALL.into_iter().flat_map(move |cleanup| {
            [Compaction::Plain, Compaction::BankAware].map(|compaction| Options {
                amount: Amount::Count(1),
                strategy,
                compaction,
                cleanup,
            })
        })
    })
}

#[test]
fn a_store_follows_each_definition_and_a_load_precedes_each_use() {
    let body = "    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    add.u32 r2, r0, r1;\n    add.u32 r2, r2, r1;\n    add.u32 r2, r2, r1;\n";
    let (demoted, printed) = demoted(body, 3, 1, Cleanup::None);
    // r0 is accessed twice, the others more often.
    assert_eq!(demoted.demoted, [0]);
    assert_eq!(demoted.accesses(), (1, 1));
    assert_eq!(demoted.scratchpad_bytes, 256);
    assert!(printed.contains("st.shared.b32"), "{printed}");
    assert!(printed.contains("ld.shared.b32"), "{printed}");
}

#[test]
fn a_guarded_definition_is_stored_under_its_guard() {
    let body = "    mov.u32 r0, 1;\n    setp.eq.u32 p0, r1, 1;\n    @p0 mov.u32 r0, 2;\n    add.u32 r1, r0, r1;\n    add.u32 r1, r1, r1;\n    add.u32 r1, r1, r1;\n";
    for cleanup in Cleanup::ALL {
        let (demoted, printed) = demoted(body, 2, 1, cleanup);
        assert_eq!(demoted.demoted, [0]);
        if cleanup == Cleanup::None {
            assert!(printed.contains("@p0 st.shared.b32"), "{printed}");
        }
    }
}

#[test]
fn both_words_of_a_pair_go_through_an_even_pair() {
    let body = "    mov.u64 r0:1, 7;\n    mov.u32 r2, 1;\n    add.u64 r4:5, r0:1, r0:1;\n    add.u64 r4:5, r4:5, r4:5;\n    add.u32 r2, r2, r2;\n    add.u32 r2, r2, r2;\n";
    let (demoted, printed) = demoted(body, 6, 2, Cleanup::None);
    assert_eq!(demoted.demoted, [0, 1]);
    assert_eq!(demoted.accesses(), (2, 2), "{printed}");
}

#[test]
fn no_two_demoted_registers_are_operands_of_one_instruction() {
    let generated = generate(3, &GenOptions::default());
    let kernel = allocate(&generated.kernel, &AllocOptions::default())
        .unwrap()
        .kernel;
    let cfg = Cfg::new(&kernel).unwrap();
    let groups = Groups::of(&kernel, &cfg);
    for strategy in Strategy::ALL {
        let chosen = groups.choose(strategy, |_| false);
        assert!(!chosen.is_empty());
        for inst in kernel.blocks.iter().flat_map(|b| &b.insts) {
            let named: BTreeSet<usize> = (inst.src_regs().chain(inst.dst_regs()))
                .filter_map(|reg| groups.index(reg.index))
                .filter(|group| chosen.contains(group))
                .collect();
            assert!(named.len() <= 1, "{strategy:?}: {inst:?}");
        }
    }
}

#[test]
fn loops_weigh_ten_times_and_change_the_first_candidate() {
    let text = ".kernel k;\n.regs architected 3, 1;\nentry:\n    mov.u32 r0, 1;\n    mov.u32 r1, 1;\n    mov.u32 r2, r0;\n    mov.u32 r2, r0;\n    mov.u32 r2, r0;\nloop:\n    add.u32 r2, r2, r1;\n    setp.lt.u32 p0, r2, 100;\n    @p0 bra loop;\nend:\n    exit;\n";
    let kernel = text::parse(text, "k").unwrap();
    let cfg = Cfg::new(&kernel).unwrap();
    let groups = Groups::of(&kernel, &cfg);
    let first = |strategy| groups.all[groups.candidates(strategy)[0]].base;
    assert_eq!(first(Strategy::Static), 1);
    assert_eq!(first(Strategy::LoopWeighted), 0);
}

#[test]
fn a_second_load_and_a_store_that_nobody_reads_go_away() {
    let body = "    mov.u32 r0, 1;\n    add.u32 r1, r0, 1;\n    add.u32 r1, r0, r1;\n    add.u32 r1, r1, r1;\n    add.u32 r1, r1, r1;\n";
    assert_eq!(demoted(body, 2, 1, Cleanup::None).0.accesses(), (2, 1));
    let (demoted, printed) = demoted(body, 2, 1, Cleanup::Redundant);
    assert_eq!(demoted.accesses(), (0, 0), "{printed}");
    assert_eq!(demoted.slots, 0);
}

#[test]
fn a_load_moves_up_to_where_its_register_is_free() {
    // What comes from the barrier on must load again; it can do so right behind the barrier.
    let body = "    mov.u32 r0, 1;\n    mov.u32 r1, 1;\n    mov.u32 r2, 1;\n    mov.u32 r2, r2;\n    mov.u32 r1, r1;\nnext:\n    mov.u32 r1, r1;\n    mov.u32 r2, r2;\n    mov.u32 r2, r0;\n    mov.u32 r1, r1;\n";
    let late = demoted(body, 3, 1, Cleanup::Redundant).0;
    let early = demoted(body, 3, 1, Cleanup::Hoist).0;
    let at = |demoted: &Demoted| {
        let mut origins = demoted.origins[1].iter();
        origins.position(|origin| matches!(origin, Origin::Load(_)))
    };
    assert_eq!((at(&late), at(&early)), (Some(2), Some(0)));
}

#[test]
fn registers_that_a_block_leaves_free_carry_further_values() {
    // r3 is free in the second block; r0 and r1 alternate there.
    let text = ".kernel k;\n.regs architected 5, 1;\nentry:\n    mov.u32 r0, 1;\n    mov.u32 r1, 2;\n    mov.u32 r3, 3;\n    mov.u32 r2, r3;\n    add.u32 r2, r3, r2;\n    add.u32 r2, r3, r2;\n    add.u32 r2, r3, r2;\n    add.u32 r2, r3, r2;\n    add.u32 r2, r3, r2;\n    add.u32 r2, r3, r2;\nnext:\n    add.u32 r2, r2, r0;\n    add.u32 r2, r2, r1;\n    add.u32 r2, r2, r0;\n    add.u32 r2, r2, r1;\n    exit;\n";
    let kernel = text::parse(text, "k").unwrap();
    let loads = |cleanup| {
        let demoted = demote(&kernel, CTA, options(2, cleanup)).unwrap();
        checker::check(&kernel, &demoted, CTA).unwrap();
        assert_eq!(demoted.demoted, [0, 1]);
        demoted.accesses().0
    };
    assert_eq!((loads(Cleanup::Hoist), loads(Cleanup::Substitute)), (4, 2));
}

#[test]
fn what_cannot_be_demoted_is_refused_with_the_reason() {
    let kernel = kernel("    mov.u32 r0, 1;\n", 1);
    let until = |target| Options {
        amount: Amount::Until(target),
        ..options(0, Cleanup::None)
    };
    assert!(matches!(
        demote(&kernel, CTA, until(1)),
        Err(DemoteError::TooFew {
            wanted: 1,
            reached: 2,
            ..
        })
    ));
    assert!(matches!(
        demote(&kernel, CTA, options(0, Cleanup::None)),
        Err(DemoteError::Nothing(_))
    ));
    let nobody = Cta { threads: 0, ..CTA };
    assert!(matches!(
        demote(&kernel, nobody, options(1, Cleanup::None)),
        Err(DemoteError::CtaTooLarge { .. })
    ));
}

/// Kernels from branches, loops, guards, pairs, vectors, barriers, shuffles: the interpreter knows neither registers' numbers
/// nor time, and the checker nothing of the pass.
#[test]
fn generated_kernels_compute_the_same_demoted_in_every_way_and_pass_the_checker() {
    let seeds = match std::env::var_os("REGSHARE_SOAK") {
        Some(_) => 0..1000,
        None => 0..30,
    };
    for seed in seeds {
        let generated = generate(seed, &GenOptions::varied(seed));
        let kernel = allocate(&generated.kernel, &AllocOptions::default())
            .unwrap()
            .kernel;
        let cta = Cta {
            threads: generated.block[0],
            scratchpad_bytes: kernel.shared_bytes,
        };
        let expected = generated.run(&kernel).unwrap();
        for (number, options) in all_options().enumerate() {
            let amount = Amount::Count(1 + (seed as u16 * 7 + number as u16) % 23);
            let options = Options { amount, ..options };
            let demoted = match demote(&kernel, cta, options) {
                Ok(demoted) => demoted,
                Err(DemoteError::TooManyRegisters { .. }) => continue,
                Err(error) => panic!("seed {seed}: {error}"),
            };
            crate::kernel::verify::verify(&demoted.kernel).unwrap();
            if let Err(error) = checker::check(&kernel, &demoted, cta) {
                let text = text::print(&demoted.kernel);
                panic!("seed {seed}, {options:?}: {error}\n{text}");
            }
            // Running takes long; every seed runs some.
            if (number + seed as usize).is_multiple_of(8) {
                let memory = generated.run(&demoted.kernel).unwrap();
                let difference = memory.first_difference(&expected);
                assert_eq!(difference, None, "seed {seed}, {options:?}");
            }
        }
    }
}

/// Ways to be wrong, each of which the checker must find in some kernel and the pass never makes.
#[test]
fn checker_kills_every_wrong_variant() {
    type Wrong = fn(&mut Demoted, usize) -> bool;
    fn nth(demoted: &Demoted, n: usize, wanted: fn(&Origin) -> bool) -> Option<(usize, usize)> {
        let all = demoted.origins.iter().enumerate().flat_map(|(b, origins)| {
            origins
                .iter()
                .enumerate()
                .map(move |(i, origin)| (b, i, origin))
        });
        all.filter(|(.., origin)| wanted(origin))
            .map(|(b, i, _)| (b, i))
            .nth(n)
    }
    fn load(origin: &Origin) -> bool {
        matches!(origin, Origin::Load(_))
    }
    fn store(origin: &Origin) -> bool {
        matches!(origin, Origin::Store(_))
    }
    fn remove(demoted: &mut Demoted, at: Option<(usize, usize)>) -> bool {
        at.map(|(b, i)| {
            demoted.kernel.blocks[b].insts.remove(i);
            demoted.origins[b].remove(i);
        })
        .is_some()
    }
    fn offset(demoted: &mut Demoted, at: Option<(usize, usize)>, by: i64) -> bool {
        at.map(|(b, i)| {
            if let Op::Ld(mem) | Op::St(mem) = &mut demoted.kernel.blocks[b].insts[i].op {
                mem.offset += by;
            }
        })
        .is_some()
    }
    let wrong: [(&str, Wrong); 9] = [
        ("a load is missing", |d, n| {
            let at = nth(d, n, load);
            remove(d, at)
        }),
        ("a store is missing", |d, n| {
            let at = nth(d, n, store);
            remove(d, at)
        }),
        ("a load reads the next slot", |d, n| {
            let (at, by) = (nth(d, n, load), i64::from(d.layout.register_bytes()));
            offset(d, at, by)
        }),
        ("two registers have one slot", |d, n| {
            let (at, by) = (nth(d, n, store), i64::from(d.layout.register_bytes()));
            offset(d, at, -by)
        }),
        ("an access is between two registers", |d, n| {
            let at = nth(d, n, store);
            offset(d, at, 4)
        }),
        ("an access lies behind the CTA's scratchpad", |d, n| {
            let by = i64::from(d.layout.register_bytes()) * i64::from(d.slots);
            let at = nth(d, n, load);
            offset(d, at, by)
        }),
        ("the scratchpad is one register short", |d, _| {
            d.kernel.shared_bytes -= d.layout.register_bytes();
            true
        }),
        (
            "a guarded store loses its guard, or gets the other",
            |d, n| {
                let guarded = (d.kernel.blocks.iter().zip(&d.origins).enumerate())
                    .flat_map(|(b, (block, origins))| {
                        let pairs = block.insts.iter().zip(origins).enumerate();
                        pairs
                            .filter(|(_, (inst, origin))| store(origin) && inst.guard.is_some())
                            .map(move |(i, _)| (b, i))
                            .collect::<Vec<_>>()
                    })
                    .nth(n);
                guarded
                    .map(|(b, i)| {
                        let guard = &mut d.kernel.blocks[b].insts[i].guard;
                        if n % 2 == 0 {
                            *guard = None;
                        } else if let Some(guard) = guard {
                            guard.negated = !guard.negated;
                        }
                    })
                    .is_some()
            },
        ),
        ("the thread's address is overwritten", |d, n| {
            let rda = d.kernel.blocks[0].insts[0].dst_regs().next().unwrap();
            let at = nth(d, n, load);
            at.map(|(b, i)| d.kernel.blocks[b].insts[i].dsts[0] = crate::kernel::Dst::Reg(rda))
                .is_some()
        }),
    ];
    for (name, spoil) in wrong {
        let (mut made, mut killed) = (0, 0);
        for seed in 0..12 {
            let generated = generate(seed, &GenOptions::varied(seed));
            let kernel = allocate(&generated.kernel, &AllocOptions::default())
                .unwrap()
                .kernel;
            let cta = Cta {
                threads: generated.block[0],
                scratchpad_bytes: kernel.shared_bytes,
            };
            let demoted = demote(&kernel, cta, options(6, Cleanup::Redundant)).unwrap();
            for n in 0..4 {
                let mut spoilt = demoted.clone();
                if spoilt.slots < 2 || !spoil(&mut spoilt, n) {
                    continue;
                }
                made += 1;
                if checker::check(&kernel, &spoilt, cta).is_err() {
                    killed += 1;
                    continue;
                }
                // What no path executes, or a value that nobody reads, does no harm: then nothing must come of it.
                let memory = generated.run(&spoilt.kernel).unwrap();
                let harm = memory.first_difference(&generated.run(&kernel).unwrap());
                assert_eq!(harm, None, "{name}, seed {seed}");
            }
        }
        assert!(killed * 4 >= made * 3, "{name}: {killed} of {made}");
    }
}
