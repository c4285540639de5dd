//! What the papers say of each system, through the common ports.

use super::*;
use crate::cars::register_stack::Op;
use crate::rfv::rfv_top::pack_count;

type In = RegisterManagerIn;

/// `pins` with an instruction of `warp` on port a.
fn a(pins: In, warp: u8, regs: [Option<u8>; 4]) -> In {
    let mut pins = In {
        a_valid: true,
        a_warp: warp,
        ..pins
    };
    pins.set_a_regs(regs);
    pins
}

/// `pins` with an instruction of `warp` on port b.
fn b(pins: In, warp: u8, regs: [Option<u8>; 4]) -> In {
    let mut pins = In {
        b_valid: true,
        b_warp: warp,
        ..pins
    };
    pins.set_b_regs(regs);
    pins
}

fn one(reg: u8) -> [Option<u8>; 4] {
    [Some(reg), None, None, None]
}

/// A system in a kernel that has begun.
fn begun(system: System, kernel: In) -> Both {
    let mut sm = Both::new(system);
    let out = sm.edge(In {
        clear: true,
        ..a(b(kernel, 1, one(0)), 0, one(0))
    });
    assert_eq!((out.a_grant, out.b_grant), (false, false), "{system}");
    assert_eq!(
        (out.a_packs()[0], out.b_packs()[0]),
        (None, None),
        "{system}"
    );
    sm
}

#[test]
fn regmutex_figure_6a_a_warp_of_the_baseline_has_its_registers_in_a_row() {
    let kernel = In {
        base_regs: 21,
        ..In::default()
    };
    let mut sm = begun(System::Baseline, kernel);
    let out = sm.edge(b(
        a(kernel, 47, [Some(0), Some(20), Some(21), None]),
        0,
        one(20),
    ));
    assert!(out.a_grant && out.a_answer && out.a_y0_awake && !out.a_y2_awake);
    assert_eq!(out.a_packs(), [Some(987), Some(1007), None, None]);
    assert_eq!(out.b_packs()[0], Some(20));
    let out = sm.edge(kernel);
    assert!(!out.a_grant && !out.a_answer && !out.b_answer);
}

#[test]
fn a_system_permits_what_it_does_not_decide() {
    // OWF IV-C throttles memory, RFV 8.1 CTAs and 8.2 sub-arrays, CARS IV-B stalls warps: nobody else does.
    for system in System::ALL {
        let mut sm = begun(system, In::default());
        let out = sm.edge(In::default());
        assert!(out.memory_allowed && out.none_stalled, "{system}");
        let renames = system == System::Rfv;
        let idle = (
            out.walk_grant,
            out.word_done,
            out.may_issue,
            out.powered,
            out.awake,
        );
        assert_eq!(
            idle == (true, true, 255, 65535, 65535),
            !renames,
            "{system}: {idle:?}"
        );
    }
}

#[test]
fn regmutex_iii_b_sections_lie_behind_the_base_sets() {
    let kernel = In {
        section_count: 2,
        base_regs: 12,
        ext_regs: 8,
        offset: 576,
        ..In::default()
    };
    let mut sm = begun(System::Regmutex, kernel);
    let acquire = |pins| In {
        a_change: true,
        ..pins
    };
    for (warp, pack) in [(40, 576), (3, 584)] {
        let out = sm.edge(acquire(a(kernel, warp, one(12))));
        assert_eq!((out.a_grant, out.a_packs()[0]), (true, Some(pack)));
    }
    let third = acquire(a(kernel, 9, one(12)));
    assert!(!sm.edge(third).a_grant);
    let releases = In {
        b_change: true,
        b_release: true,
        ..b(kernel, 40, one(12))
    };
    let out = sm.edge(releases);
    assert!(out.b_grant && out.b_held && out.wake);
    assert_eq!(sm.edge(third).a_packs()[0], Some(576));
}

#[test]
fn regmutex_iii_c_only_the_safe_lock_knows_who_of_a_pair_holds_the_set() {
    let kernel = In {
        base_regs: 16,
        ext_regs: 8,
        ..In::default()
    };
    for (system, partner_has_it) in [(System::Paired, true), (System::SafePaired, false)] {
        let mut sm = begun(system, kernel);
        let out = sm.edge(In {
            a_change: true,
            ..a(kernel, 7, one(17))
        });
        assert_eq!(out.a_packs()[0], Some(3 * 40 + 33));
        let out = sm.edge(b(kernel, 6, one(17)));
        assert_eq!(out.b_packs()[0].is_some(), partner_has_it);
        assert_eq!(out.b_held, partner_has_it);
    }
}

#[test]
fn owf_figure_3_the_upper_warp_has_the_registers_of_its_partner_while_it_may() {
    let kernel = In {
        warps_per_cta: 8,
        base_regs: 4,
        ext_regs: 32,
        offset: 24 * 32,
        share_regs: true,
        ..In::default()
    };
    let mut sm = begun(System::Owf, kernel);
    let pair = In {
        pair: true,
        exit_cta: 0,
        partner: 3,
        ..kernel
    };
    assert!(sm.edge(pair).pair_grant);
    let out = sm.edge(b(a(kernel, 26, one(3)), 26, one(4)));
    assert_eq!(out.a_packs()[0], Some(24 * 32 + 26 * 4 + 3));
    assert_eq!(out.b_packs()[0], Some(2 * 36 + 4));
    let waits = a(kernel, 2, one(4));
    let out = sm.edge(waits);
    assert!(out.sharing && !out.a_grant && !out.a_answer);
    // The end of the warp frees the lock (III-A); `starts`, `ready` and the order of the warps are those of IV-A.
    let ends = In {
        b_exit: true,
        ..b(kernel, 26, [None; 4])
    };
    assert!(sm.edge(ends).b_grant);
    assert!(sm.edge(waits).a_grant);
    let out = sm.edge(In {
        ready: 1 << 2 | 1 << 3,
        ..kernel
    });
    assert_eq!((out.chosen_valid, out.chosen), (3, 3 << 6 | 2));
}

#[test]
fn owf_iv_c_memory_of_non_owners_is_never_allowed_on_sm_zero() {
    let kernel = In {
        sm_zero: true,
        share_regs: true,
        warps_per_cta: 8,
        base_regs: 20,
        ..In::default()
    };
    let mut sm = begun(System::Owf, kernel);
    let out = sm.edge(In {
        stall_cycle: true,
        ..kernel
    });
    assert_eq!((out.memory_allowed, out.tenths), (false, 0));
    assert_eq!(sm.edge(kernel).stalls, out.stalls + 1);
}

/// RFV in a kernel whose two lowest registers are exempt, with warp 7 of CTA 1 launched; banks have packs from `reserved` on.
fn renaming(reserved: u16) -> (Both, In) {
    let kernel = In {
        exempt: 2,
        reserved,
        pack_count: pack_count(PACKS, 0, reserved.into()) as u16,
        need: 4,
        a_cta: 1,
        b_cta: 1,
        ..In::default()
    };
    let mut sm = begun(System::Rfv, kernel);
    sm.edge(In {
        cta_launch: true,
        launch_cta: 1,
        ..kernel
    });
    let launch = In {
        launch: true,
        warp: 7,
        warp_cta: 1,
        ..kernel
    };
    assert!(sm.edge(launch).walk_grant);
    while sm.edge(kernel).busy {}
    (sm, kernel)
}

#[test]
fn rfv_7_1_packs_are_known_a_cycle_after_they_are_asked_for_on_the_port_that_asked() {
    let (mut sm, kernel) = renaming(24);
    let regs = [Some(1), None, None, Some(6)];
    let out = sm.edge(b(kernel, 7, regs));
    assert_eq!((out.b_grant, out.b_served), (true, 0b1001));
    assert!(!out.b_answer && out.b_packs() == [None; 4]);
    let out = sm.edge(kernel);
    assert!(out.b_answer && out.b_y3_awake && !out.a_answer);
    assert_eq!(
        out.b_packs(),
        [Some(2 * 7 + 1), None, None, Some(4 * 24 + 2)]
    );
    assert_eq!(out.a_packs(), [None; 4]);
    assert!(!out.a_y0_awake && !out.a_y3_awake);
}

#[test]
fn rfv_renames_registers_below_63_and_has_no_word_for_those_above() {
    let (mut sm, kernel) = renaming(24);
    // Register 6 has a pack; of 70, 134 and 198 the six lowest bits are those of 6.
    assert!(sm.edge(a(kernel, 7, [None, None, None, Some(6)])).a_grant);
    for none in [63, 64, 70, 134, 198, 255] {
        let asks = a(kernel, 7, [Some(none), Some(6), None, None]);
        let granted = (0..4).any(|_| sm.edge(asks).a_grant);
        assert!(granted, "{none}");
        let out = sm.edge(kernel);
        assert!(out.a_answer, "{none}");
        assert_eq!(out.a_packs()[0], None, "{none}");
    }
    let reads = a(kernel, 7, one(62));
    assert!(sm.edge(reads).a_grant && sm.edge(kernel).a_answer);
}

#[test]
fn rfv_8_1_a_destination_in_a_dry_bank_starves_on_its_own_port() {
    // One pack in each bank.
    let (mut sm, kernel) = renaming(255);
    let writes = |reg| [None, None, None, Some(reg)];
    assert!(sm.edge(b(kernel, 7, writes(4))).b_grant);
    let out = sm.edge(kernel);
    assert_eq!((out.b_packs()[3], out.b_starved), (Some(1020), false));
    assert!(sm.edge(a(kernel, 7, writes(8))).a_grant);
    let out = sm.edge(kernel);
    assert_eq!((out.dry, out.free_packs), (1, 3));
    assert_eq!(
        (out.a_starved, out.b_starved, out.a_y3_valid),
        (true, false, false)
    );
}

#[test]
fn cars_figure_3_pushed_registers_are_renamed_until_the_function_returns() {
    let mut sm = begun(System::Cars, In::default());
    let warp = In {
        a_base: 150,
        a_first: 170,
        a_capacity: 10,
        ..a(In::default(), 5, [Some(15), Some(16), Some(18), Some(19)])
    };
    let asking = |op: Op, fru| In {
        a_op: op.code(),
        a_fru: fru,
        ..warp
    };
    assert!(sm.edge(asking(Op::Launch, 0)).a_grant);
    let out = sm.edge(asking(Op::Call, 3));
    assert_eq!((out.pack, out.link, out.link_kernel), (170, 170, true));
    assert_eq!(out.a_packs(), [165, 166, 168, 169].map(Some));
    for pack in [171, 172, 173] {
        assert_eq!(sm.edge(asking(Op::Push, 0)).pack, pack);
    }
    let out = sm.edge(warp);
    assert_eq!(out.a_packs(), [165, 171, 173, 169].map(Some));
    assert_eq!(
        (out.a_rfp, out.a_rsp, out.a_free, out.a_link_pack),
        (171, 174, 6, 170)
    );
    let returns = In {
        a_link: 170,
        a_link_kernel: true,
        ..asking(Op::Return, 0)
    };
    assert!(sm.edge(returns).a_grant);
    assert_eq!(sm.edge(warp).a_packs(), [165, 166, 168, 169].map(Some));
}

#[test]
fn cars_iv_b_a_warp_that_finishes_or_free_registers_wake_the_first_stalled_one() {
    let mut sm = begun(System::Cars, In::default());
    let stall = |stall_warp| In {
        stall: true,
        stall_warp,
        ..In::default()
    };
    for warp in [40, 7] {
        assert!(sm.edge(stall(warp)).stall_grant);
    }
    let out = sm.edge(a(In::default(), 40, one(0)));
    assert!(out.a_stalled && !out.a_grant && !out.none_stalled);
    let freed = In {
        freed: true,
        ..In::default()
    };
    for warp in [40, 7] {
        let out = sm.edge(freed);
        assert_eq!((out.woken_valid, out.woken), (true, warp));
    }
    assert!(sm.edge(a(In::default(), 40, one(0))).a_grant);
}
