use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::owf::cost::{DynamicThrottleBits, PairLockBits, ScratchpadLockBits, warp_priority_bits};
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod ledger;

type In = OwfTopIn<48, 8, 1024>;
type Out = OwfTopOut<48, 8, 1024>;
type Rtl48 = Rtl<48, 8, 24, 6, 3, 5, 5, 4, 24, 23, 12, 47, 12, 1024, 10>;
type Rtl64 = Rtl<64, 32, 32, 6, 5, 6, 5, 16, 32, 31, 16, 63, 12, 2048, 11>;
type Rtl16 = Rtl<16, 8, 8, 4, 3, 4, 3, 4, 8, 7, 4, 15, 8, 512, 9>;

/// Model and RTL side by side, in hotspot with 4 of 36 registers private: CTAs 0 and 1 share with 3 and 4, CTA 2 with nobody.
struct Both(Model<48, 8, 1024>, Rtl48);

impl Both {
    fn with(start: In) -> Self {
        let mut both = Self(Model::default(), Rtl48::default());
        both.edge(In {
            clear: true,
            ..start
        });
        for (cta, partner) in [(0, 3), (1, 4)] {
            both.edge(In {
                pair: true,
                cta,
                partner,
                ..pins()
            });
        }
        both
    }

    fn sharing_registers() -> Self {
        Self::with(In {
            share_regs: true,
            ..pins()
        })
    }

    fn sharing_scratchpad() -> Self {
        Self::with(In {
            share_scratchpad: true,
            ..pins()
        })
    }

    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    fn a(&mut self, issue: Issue) -> Answer {
        self.edge(pins().with_a(issue)).a_answer()
    }

    fn b(&mut self, issue: Issue) -> Answer {
        self.edge(pins().with_b(issue)).b_answer()
    }
}

fn pins() -> In {
    In {
        warps_per_cta: 8,
        base_regs: 4,
        ext_regs: 32,
        upper_offset: 24 * 32,
        private_bytes: 1000,
        ..In::default()
    }
}

fn names(warp: u8, reg: u8) -> Issue {
    Issue {
        warp,
        regs: [None, Some(reg), None, None],
        ..Issue::default()
    }
}

fn stores(warp: u8, address: u32) -> Issue {
    Issue {
        address: Some(address),
        ..names(warp, 0)
    }
}

fn ends(warp: u8) -> Issue {
    Issue {
        exit: true,
        ..names(warp, 0)
    }
}

fn warps(from: u8, to: u8) -> u64 {
    (from..to).fold(0, |mask, warp| mask | 1 << warp)
}

#[test]
fn an_upper_warp_has_its_own_private_registers_and_the_shared_ones_of_its_lower_warp() {
    let mut sm = Both::sharing_registers();
    assert_eq!(sm.a(names(17, 35)).packs[1], Some(17 * 36 + 35), "unshared");
    assert_eq!(sm.b(names(9, 3)).packs[1], Some(9 * 36 + 3), "lower");
    assert_eq!(
        sm.a(names(33, 3)).packs[1],
        Some(24 * 32 + 33 * 4 + 3),
        "upper"
    );
    // The upper warps' private registers begin where the others' end.
    assert_eq!(sm.b(names(24, 0)).packs[1], Some(24 * 36));
    let shared = sm.a(names(33, 35));
    assert_eq!(
        (shared.grant, shared.packs[1]),
        (true, Some(9 * 36 + 35)),
        "of warp 9"
    );
    assert_eq!(sm.a(names(33, 36)).packs[1], None, "there is none");
}

#[test]
fn a_shared_register_waits_for_the_lock_and_has_no_pack_until_then() {
    let mut sm = Both::sharing_registers();
    assert!(sm.a(names(33, 4)).grant);
    let refused = sm.b(names(9, 4));
    assert_eq!((refused.grant, refused.packs), (false, [None; 4]));
    // III-A, Figure 5: nor any other warp of that CTA.
    assert!(!sm.b(names(8, 4)).grant);
    assert!(sm.a(names(33, 3)).held);
    let end = sm.b(ends(33));
    assert_eq!((end.grant, end.packs), (true, [None; 4]));
    assert_eq!(sm.b(names(9, 4)).packs[1], Some(9 * 36 + 4));
}

#[test]
fn an_instruction_without_registers_needs_no_lock() {
    let mut sm = Both::sharing_registers();
    assert!(sm.a(names(33, 4)).grant);
    let all_shared = In {
        base_regs: 0,
        ext_regs: 36,
        ..pins()
    };
    let nothing = Issue {
        warp: 9,
        ..Issue::default()
    };
    assert!(sm.edge(all_shared.with_a(nothing)).a_grant);
    assert!(!sm.edge(all_shared.with_a(names(9, 0))).a_grant);
}

#[test]
fn scratchpad_is_locked_for_the_cta_and_registers_stay_open() {
    let mut sm = Both::sharing_scratchpad();
    assert!(sm.a(stores(33, 1000)).grant, "takes CTA 1's lock for CTA 4");
    assert!(!sm.a(stores(9, 1000)).grant);
    assert!(!sm.b(stores(8, 1000)).grant);
    assert!(sm.b(stores(9, 999)).grant, "private");
    assert!(sm.b(stores(34, 4000)).grant, "another warp of CTA 4");
    let open = sm.a(names(9, 35));
    assert_eq!((open.grant, open.packs[1]), (true, Some(9 * 36 + 35)));
    // An upper warp's registers lie where an unshared one's do.
    assert_eq!(sm.a(names(27, 3)).packs[1], Some(27 * 36 + 3));
    // The CTA's end frees the lock, its warp's end does not.
    sm.a(ends(33));
    assert!(!sm.a(stores(9, 1000)).grant);
    sm.edge(In {
        exit: true,
        cta: 4,
        ..pins()
    });
    assert!(sm.a(stores(9, 1000)).grant);
}

#[test]
fn a_kernel_shares_one_of_the_two() {
    let mut sm = Both::with(In {
        share_regs: true,
        share_scratchpad: true,
        ..pins()
    });
    assert!(sm.a(stores(33, 5000)).grant && sm.a(stores(9, 5000)).grant);
    assert!(sm.a(names(33, 5)).grant && !sm.a(names(9, 5)).grant);
}

#[test]
fn owners_issue_before_unshared_warps_and_those_before_non_owners() {
    // IV-A.
    let mut sm = Both::sharing_registers();
    let ready = |mask| In {
        ready: mask,
        ..pins()
    };
    // Warps 9, 17 and 33 are of scheduler 1, and no CTA is owner: CTA 2 is the unshared one.
    let all = ready(1 << 9 | 1 << 17 | 1 << 33);
    assert_eq!(sm.edge(all).warp(1), Some(17));
    assert_eq!(sm.edge(all).warp(0), None);
    sm.a(names(33, 4));
    sm.a(names(9, 4));
    let out = sm.edge(all);
    assert_eq!((out.owner, out.warp(1)), (warps(32, 40), Some(33)));
    assert_eq!(sm.edge(ready(1 << 9 | 1 << 17)).warp(1), Some(17));
    assert_eq!(sm.edge(ready(1 << 9)).warp(1), Some(9));
}

#[test]
fn who_was_launched_first_goes_first() {
    let mut sm = Both::sharing_registers();
    sm.edge(In {
        launch: warps(16, 18),
        ..pins()
    });
    let out = sm.edge(In {
        ready: warps(16, 24),
        ..pins()
    });
    assert_eq!((out.warp(0), out.warp(1)), (Some(18), Some(19)));
}

#[test]
fn on_sm_0_no_memory_instruction_of_a_non_owner_goes_on_and_it_takes_no_lock() {
    // IV-C.
    let mut sm = Both::sharing_registers();
    let load = |warp, reg| Issue {
        memory: true,
        ..names(warp, reg)
    };
    let zero = In {
        sm_zero: true,
        ..pins()
    };
    for on_b in [false, true] {
        let port = |issue| {
            if on_b {
                zero.with_b(issue)
            } else {
                zero.with_a(issue)
            }
        };
        let mut granted = |issue| {
            let out = sm.edge(port(issue));
            assert!(!out.memory_allowed);
            out.a_grant || out.b_grant
        };
        assert!(!granted(load(9, 4)) && !granted(load(33, 0)));
        assert!(granted(load(17, 35)), "unshared");
        assert!(granted(names(33, 3)), "no memory instruction");
        let end = Issue {
            exit: true,
            ..load(9, 4)
        };
        assert!(granted(end), "the end of a warp");
    }
    assert!(!sm.a(names(9, 0)).held, "a refused one has taken no lock");
    // CTA 4 holds, CTA 1 waits: CTA 4 is owner.
    sm.a(names(33, 4));
    sm.a(names(9, 4));
    assert!(sm.edge(zero.with_a(load(33, 4))).a_grant);
    assert!(!sm.edge(zero.with_a(load(9, 0))).a_grant);
}

#[test]
fn a_period_with_more_stalls_than_sm_0_lets_fewer_of_them_go_on() {
    let mut sm = Both::sharing_registers();
    for _ in 2..PERIOD - 1 {
        sm.edge(In {
            stall: true,
            ..pins()
        });
    }
    let out = sm.edge(In {
        zero_stalls: 0,
        ..pins()
    });
    assert!(out.tenths == 10);
    let out = sm.edge(In {
        zero_stalls: 700,
        ..pins()
    });
    assert_eq!((out.compares, out.stalls), (true, 997));
    assert_eq!(sm.edge(pins()).tenths, 9);
}

#[test]
fn a_kernel_that_shares_nothing_runs_as_without_sharing() {
    // Set-3: kernels that are not limited by the resource.
    let mut sm = Both::with(pins());
    for warp in 0..28 {
        let load = Issue {
            memory: true,
            address: Some(40_000),
            ..names(warp, 35)
        };
        let out = sm.edge(
            In {
                sm_zero: true,
                ..pins()
            }
            .with_a(load),
        );
        assert_eq!(out.a_answer().packs[1], Some(u16::from(warp) * 36 + 35));
        assert_eq!((out.shared, out.owner, out.a_held), (0, 0, false));
    }
}

#[test]
fn a_kernel_start_grants_nothing_and_frees_all() {
    let mut sm = Both::sharing_registers();
    sm.a(names(33, 4));
    let start = In {
        clear: true,
        share_regs: true,
        ..pins()
    };
    let out = sm.edge(start.with_a(names(33, 0)).with_b(names(17, 0)));
    assert_eq!(out.a_answer(), Answer::default());
    assert_eq!(out.b_answer(), Answer::default());
    let out = sm.edge(pins().with_a(names(9, 4)));
    assert_eq!((out.shared, out.a_grant, out.a_held), (0, true, false));
}

#[test]
fn flip_flops_are_those_of_the_units() {
    let bits = |warps, ctas| {
        PairLockBits::new(warps, ctas).total()
            + ScratchpadLockBits::new(warps, ctas).total()
            + warp_priority_bits(warps, SCHEDULERS as u64)
            + DynamicThrottleBits::new(PERIOD as u64).total()
    };
    assert_eq!(bits(48, 8), 273 + 93 + 552 + 40);
    assert_eq!(bits(16, 8), 254);
    let (counted, bits) = (flip_flops(OwfTop16x8x512::default()), bits(16, 8));
    assert!(
        counted.is_none_or(|counted| counted as u64 == bits),
        "{bits}: {counted:?}"
    );
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(OwfTop48x8x1024::default());
    check_block(OwfTop64x32x2048::default());
    check_block(OwfTop16x8x512::default());
}

#[test]
fn pins_are_the_ports_of_the_blocks() {
    check_ports::<Model<48, 8, 1024>, _>(OwfTop48x8x1024::default());
    check_ports::<Model<64, 32, 2048>, _>(OwfTop64x32x2048::default());
    check_ports::<Model<16, 8, 512>, _>(OwfTop16x8x512::default());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 8, 1024>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48, 8, 1024>()) {
        agree(Model::default(), Rtl48::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in rows::<16, 8, 512>()) {
        agree(Model::default(), Rtl16::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in rows::<64, 32, 2048>()) {
        agree(Model::default(), Rtl64::default(), &rows)?;
    }
}
