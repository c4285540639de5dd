use super::*;
use crate::kernel::{Kernel, text};
use crate::machine::Machine;
use crate::scheme::CtaShape;
use crate::scheme::occupancy::LANES;
use crate::scheme::paper::{SHARING_STEPS, SHARING_TABLE_6, SHARING_TABLE_8};
use regshare_hw::manager::ManagerSpec;

/// A kernel that names `regs` registers, the highest first.
fn kernel(regs: u16) -> Kernel {
    let body: String = (0..regs)
        .rev()
        .map(|r| format!("    mov.u32 r{r}, 1;\n"))
        .collect();
    let text = format!(".kernel k;\n.regs architected {regs}, 1;\nentry:\n{body}    exit;\n");
    text::parse(&text, "k").unwrap()
}

fn plan(variant: SharingVariant, percent: u8, threads: u32, regs: u16) -> Plan {
    plan_with(
        variant,
        percent,
        regs,
        CtaShape {
            threads,
            scratchpad_bytes: 0,
        },
    )
}

fn plan_with(variant: SharingVariant, percent: u8, regs: u16, cta: CtaShape) -> Plan {
    let machine = Machine::preset("fermi14").unwrap();
    let percent = Percent::new(percent).unwrap();
    Sharing { variant, percent }
        .plan(&PlanInput {
            kernel: &kernel(regs),
            machine: &machine,
            cta,
            shares_sm: false,
        })
        .unwrap()
}

#[test]
fn all_48_entries_of_table_6_are_the_ctas_of_plans() {
    let mut entries = 0;
    for (name, threads, regs, printed) in SHARING_TABLE_6 {
        for (percent, ctas) in SHARING_STEPS.into_iter().zip(printed) {
            let plan = plan(SharingVariant::OwfUnroll, percent, threads, regs);
            assert_eq!(plan.occupancy.ctas, ctas, "{name} at {percent} %");
            assert!(plan.packs_allocated <= 1024, "{name} at {percent} %");
            entries += 1;
        }
    }
    assert_eq!(entries, 48);
}

#[test]
fn all_42_entries_of_table_8_are_the_ctas_of_plans() {
    let mut entries = 0;
    for (name, threads, bytes, printed) in SHARING_TABLE_8 {
        let cta = CtaShape {
            threads,
            scratchpad_bytes: bytes,
        };
        for (percent, ctas) in SHARING_STEPS.into_iter().zip(printed) {
            let plan = plan_with(SharingVariant::OwfUnroll, percent, 8, cta);
            assert_eq!(plan.occupancy.ctas, ctas, "{name} at {percent} %");
            let own = plan.scratchpad.map_or(0, |pairs| {
                let upper = ctas - pairs.distance;
                assert_eq!(upper, pairs.pairs, "{name} at {percent} %");
                assert_eq!(pairs.private_bytes % 16, 0);
                u32::from(upper) * pairs.private_bytes
            });
            let whole = plan.scratchpad.map_or(ctas, |pairs| pairs.distance);
            assert!(
                own + u32::from(whole) * bytes <= 16384,
                "{name} at {percent} %"
            );
            entries += 1;
        }
    }
    assert_eq!(entries, 42);
}

/// II: hotspot wastes 5120 registers, lavaMD 1984 bytes.
#[test]
fn what_stays_unused_is_as_the_paper_says() {
    let limits = Machine::preset("fermi14").unwrap().limits;
    let find = |name: &str| SHARING_TABLE_6.into_iter().find(|row| row.0 == name);
    let (_, threads, regs, _) = find("hotspot").unwrap();
    let alone = plan(SharingVariant::OwfUnroll, 0, threads, regs);
    let packs = u32::from(limits.packs_per_sm) - alone.packs_allocated;
    assert_eq!((alone.occupancy.ctas, packs * LANES), (3, 5120));

    let find = |name: &str| SHARING_TABLE_8.into_iter().find(|row| row.0 == name);
    let (_, threads, scratchpad_bytes, _) = find("lavaMD").unwrap();
    let cta = CtaShape {
        threads,
        scratchpad_bytes,
    };
    let alone = plan_with(SharingVariant::OwfUnroll, 0, 8, cta);
    let used = u32::from(alone.occupancy.ctas) * scratchpad_bytes;
    assert_eq!(
        (alone.occupancy.ctas, limits.scratchpad_bytes - used),
        (2, 1984)
    );
}

#[test]
fn hotspot_shares_all_but_four_of_its_registers() {
    let plan = plan(SharingVariant::OwfUnroll, 90, 256, 36);
    let expected = ManagerSpec::Sharing {
        warps_per_cta: 8,
        private_regs: 4,
        shared_regs: 32,
        private_bytes: None,
        pairs: 3,
        unshared: 0,
        owner_first: true,
        dynamic: None,
    };
    assert_eq!(plan.manager, expected);
    assert_eq!((plan.occupancy.warps, plan.packs_allocated), (48, 960));
    assert_eq!(plan.storage_bits, 273);
    assert_eq!(plan.occupancy.limited_by, LimitedBy::Warps);
}

#[test]
fn lava_md_shares_all_but_a_tenth_of_its_scratchpad() {
    let cta = CtaShape {
        threads: 128,
        scratchpad_bytes: 7200,
    };
    let plan = plan_with(SharingVariant::OwfUnroll, 90, 37, cta);
    // 16384 - 2 x 7200 = 1984 bytes hold two times 720.
    let expected = ManagerSpec::Sharing {
        warps_per_cta: 4,
        private_regs: 40,
        shared_regs: 0,
        private_bytes: Some(720),
        pairs: 2,
        unshared: 0,
        owner_first: true,
        dynamic: None,
    };
    assert_eq!(plan.manager, expected);
    assert_eq!((plan.occupancy.warps, plan.packs_allocated), (16, 640));
    assert_eq!(plan.storage_bits, 93);
    assert_eq!(plan.shared_from, None);
    // The order of registers is left alone.
    assert_eq!(plan.kernel, kernel(37));
}

/// Two CTAs of 1000 bytes with 10 % private: 100 bytes, of which 96 or 112 are possible.
#[test]
fn private_bytes_end_between_two_accesses_of_16_bytes() {
    let private = |bytes: u32| {
        let mut machine = Machine::preset("fermi14").unwrap();
        machine.limits.scratchpad_bytes = bytes;
        let scheme = Sharing {
            variant: SharingVariant::GtoUnroll,
            percent: Percent::default(),
        };
        let input = PlanInput {
            kernel: &kernel(8),
            machine: &machine,
            cta: CtaShape {
                threads: 32,
                scratchpad_bytes: 1000,
            },
            shares_sm: false,
        };
        let plan = scheme.plan(&input).unwrap();
        plan.scratchpad.map(|pairs| pairs.private_bytes)
    };
    assert_eq!(private(2224), Some(112));
    assert_eq!(private(2223), Some(96));
    assert_eq!(private(2200), Some(96));
    // For one pair only there is room enough.
    assert_eq!(private(2199), Some(112));
    assert_eq!(private(2099), None);
}

/// Registers allow four CTAs, scratchpad three: scratchpad is shared, for one more.
#[test]
fn the_other_resource_is_a_bound() {
    let cta = CtaShape {
        threads: 256,
        scratchpad_bytes: 5120,
    };
    let shared = plan_with(SharingVariant::OwfUnroll, 90, 32, cta);
    assert_eq!(shared.scratchpad.map(|pairs| pairs.pairs), Some(1));
    assert_eq!(
        (shared.occupancy.ctas, shared.occupancy.limited_by),
        (4, LimitedBy::Registers)
    );
    // Registers allow three, too: neither can give more.
    let both = plan_with(SharingVariant::OwfUnroll, 90, 40, cta);
    assert_eq!(
        (both.scratchpad, both.shared_from, both.occupancy.ctas),
        (None, None, 3)
    );
}

#[test]
fn the_register_at_the_bound_is_shared_where_it_would_not_fit() {
    // CTAs of one warp with 12 registers.
    let private = |packs: u16, percent: u8| {
        let mut machine = Machine::preset("fermi14").unwrap();
        machine.limits.packs_per_sm = packs;
        let scheme = Sharing {
            variant: SharingVariant::LrrNoOpt,
            percent: Percent::new(percent).unwrap(),
        };
        let cta = CtaShape {
            threads: 32,
            scratchpad_bytes: 0,
        };
        let input = PlanInput {
            kernel: &kernel(12),
            machine: &machine,
            cta,
            shares_sm: false,
        };
        let plan = scheme.plan(&input).unwrap();
        assert!(plan.packs_allocated <= packs.into());
        plan.shared_from
    };
    // 12 x 0.25 = 3; 12 x 0.21 = 2.52, and three registers lie below that.
    assert_eq!(private(15, 75), Some(3));
    assert_eq!(private(15, 79), Some(3));
    // Two pairs, 12 x 0.2 = 2.4: the paper's sum is 28.8 of 29 packs, with three private registers it would be 30.
    assert_eq!(private(29, 80), Some(2));
    assert_eq!(private(30, 80), Some(3));
}

/// 253 to 255 registers are rounded up to 256, which the hardware's 8 bits cannot count.
#[test]
fn a_warp_with_all_registers_that_can_be_named_fits_the_hardware() {
    let plan = plan(SharingVariant::OwfUnroll, 70, 96, 255);
    let ManagerSpec::Sharing {
        private_regs,
        shared_regs,
        ..
    } = plan.manager
    else {
        panic!("{:?}", plan.manager);
    };
    // 256 x 0.3 = 76.8.
    assert_eq!((private_regs, shared_regs), (77, 178));
    assert_eq!(plan.packs_allocated, 3 * 256 + 3 * 77);
    let alone = plan_with(
        SharingVariant::OwfUnroll,
        0,
        255,
        CtaShape {
            threads: 64,
            scratchpad_bytes: 0,
        },
    );
    assert_eq!(alone.manager, ManagerSpec::Baseline { regs_per_warp: 255 });
    assert_eq!(alone.packs_allocated, 1024);
}

#[test]
fn only_unrolled_variants_renumber_registers() {
    let first = |variant| plan(variant, 90, 256, 36).kernel.blocks[0].insts[0].clone();
    let name = |inst: crate::kernel::Inst| format!("{:?}", inst.dsts[0]);
    assert!(name(first(SharingVariant::LrrNoOpt)).contains("index: 35"));
    assert!(name(first(SharingVariant::LrrUnroll)).contains("index: 0"));
}

/// Its numbers then have gaps no more, but a CTA is launched with as many registers as before.
#[test]
fn a_kernel_that_leaves_numbers_out_keeps_its_count_of_registers() {
    let machine = Machine::preset("fermi14").unwrap();
    let mut gaps = kernel(36);
    let names_last = |inst: &crate::kernel::Inst| format!("{inst:?}").contains("index: 35");
    for block in &mut gaps.blocks {
        block.insts.retain(|inst| !names_last(inst));
    }
    for variant in [SharingVariant::LrrNoOpt, SharingVariant::OwfUnroll] {
        let scheme = Sharing {
            variant,
            percent: Percent::default(),
        };
        let input = PlanInput {
            kernel: &gaps,
            machine: &machine,
            cta: CtaShape {
                threads: 256,
                scratchpad_bytes: 0,
            },
            shares_sm: false,
        };
        let plan = scheme.plan(&input).unwrap();
        assert!(plan.sections.is_some());
        assert_eq!(plan.kernel.regs, gaps.regs, "{variant:?}");
    }
}

#[test]
fn a_kernel_that_registers_do_not_limit_is_left_alone() {
    for variant in SharingVariant::ALL {
        let plan = plan(variant, 90, 256, 16);
        assert_eq!(plan.manager, ManagerSpec::Baseline { regs_per_warp: 16 });
        assert_eq!(plan.kernel, kernel(16));
        assert_eq!(plan.sections, None);
    }
}

#[test]
fn a_machine_for_which_one_cta_is_too_large_refuses_as_without_sharing() {
    let machine = Machine::preset("fermi14").unwrap();
    let cta = CtaShape {
        threads: 1024,
        scratchpad_bytes: 0,
    };
    let kernel = kernel(64);
    let input = PlanInput {
        kernel: &kernel,
        machine: &machine,
        cta,
        shares_sm: false,
    };
    let scheme = Sharing {
        variant: SharingVariant::OwfUnroll,
        percent: Percent::default(),
    };
    assert!(matches!(
        scheme.plan(&input),
        Err(Refusal::DoesNotFit { .. })
    ));
    let empty = PlanInput {
        cta: CtaShape {
            threads: 0,
            scratchpad_bytes: 0,
        },
        ..input
    };
    assert!(matches!(scheme.plan(&empty), Err(Refusal::EmptyCta)));
}
