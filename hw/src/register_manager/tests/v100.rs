//! With 64 warps, 32 CTAs and 2048 packs: the last warp, CTA slot and pack of each system.

use super::*;
use crate::cars::register_stack::Op;
use crate::rfv::rfv_top::pack_count;

type In = RegisterManagerIn<64, 32, 2048>;

/// `pins` with an instruction of warp 63 on port a.
fn last(pins: In, regs: [Option<u8>; 4]) -> In {
    let mut pins = In {
        a_valid: true,
        a_warp: 63,
        a_cta: 31,
        ..pins
    };
    pins.set_a_regs(regs);
    pins
}

/// A system in a kernel that has begun.
fn begun(system: System, kernel: In) -> Both<64, 32, 2048> {
    let mut sm = Both::w64(system);
    let start = In {
        clear: true,
        ..last(kernel, [Some(0); 4])
    };
    assert!(!sm.edge(start).a_grant, "{system}");
    sm
}

#[test]
fn regmutex_figure_6a_the_last_register_of_the_last_warp_is_in_the_last_pack() {
    let kernel = In {
        base_regs: 32,
        ..In::default()
    };
    let out =
        begun(System::Baseline, kernel).edge(last(kernel, [Some(0), Some(31), Some(32), None]));
    assert_eq!(out.a_packs(), [Some(2016), Some(2047), None, None]);
}

#[test]
fn a_system_permits_32_ctas_and_64_warps_what_it_does_not_decide() {
    for system in System::ALL {
        let out = begun(system, In::default()).edge(In::default());
        assert!(out.memory_allowed && out.none_stalled, "{system}");
        let all = out.may_issue == u64::from(u32::MAX) && out.powered == 65535;
        assert_eq!(all, system != System::Rfv, "{system}");
        assert_eq!((out.shared, out.owner), (0, 0), "{system}");
    }
}

#[test]
fn regmutex_iii_b_there_can_be_a_section_for_every_warp() {
    let kernel = In {
        section_count: 64,
        base_regs: 16,
        ext_regs: 16,
        offset: 1024,
        ..In::default()
    };
    let mut sm = begun(System::Regmutex, kernel);
    for warp in 0..64 {
        let out = sm.edge(In {
            a_change: true,
            a_warp: warp,
            ..last(kernel, [Some(31), None, None, None])
        });
        let pack = 1024 + 16 * u16::from(warp) + 15;
        assert_eq!((out.a_grant, out.a_packs()[0]), (true, Some(pack)));
    }
}

#[test]
fn regmutex_iii_c_the_last_pair_has_its_set_behind_its_own_registers() {
    let kernel = In {
        base_regs: 24,
        ext_regs: 16,
        ..In::default()
    };
    for system in [System::Paired, System::SafePaired] {
        let out = begun(system, kernel).edge(In {
            a_change: true,
            ..last(kernel, [Some(23), Some(24), Some(39), None])
        });
        // A pair has 64 packs: 24 of either warp and 16 for one of them.
        let first = 31 * 64;
        let packs = [first + 24 + 23, first + 48, first + 63].map(Some);
        assert_eq!(out.a_packs()[..3], packs, "{system}");
    }
}

#[test]
fn owf_iii_a_the_last_cta_can_be_paired_and_iv_a_its_warps_chosen() {
    let kernel = In {
        warps_per_cta: 2,
        base_regs: 4,
        ext_regs: 32,
        offset: 32 * 32,
        share_regs: true,
        ..In::default()
    };
    let mut sm = begun(System::Owf, kernel);
    // The lower CTA of a pair is in the lower half of the slots.
    let pair = In {
        pair: true,
        exit_cta: 15,
        partner: 31,
        ..kernel
    };
    assert!(sm.edge(pair).pair_grant);
    let out = sm.edge(In {
        ready: 3 << 62,
        ..kernel
    });
    assert_eq!(out.shared, 0b11 << 62 | 0b11 << 30);
    assert_eq!((out.chosen_valid, out.chosen), (3, 63 << 6 | 62));
}

#[test]
fn rfv_7_1_packs_are_numbered_up_to_2047_and_8_1_the_last_of_32_ctas_may_issue() {
    let kernel = In {
        exempt: 2,
        reserved: 511,
        pack_count: pack_count(2048, 0, 511) as u16,
        need: 4,
        ..In::default()
    };
    let mut sm = begun(System::Rfv, kernel);
    sm.edge(In {
        cta_launch: true,
        launch_cta: 31,
        ..kernel
    });
    let launch = In {
        launch: true,
        warp: 63,
        warp_cta: 31,
        ..kernel
    };
    assert!(sm.edge(launch).walk_grant);
    while sm.edge(kernel).busy {}
    let out = sm.edge(last(kernel, [Some(1), None, None, Some(7)]));
    assert_eq!(
        (out.may_issue, out.chosen_cta, out.free_packs),
        (1 << 31, 31, 4)
    );
    assert!(out.a_grant && !out.a_answer);
    let out = sm.edge(kernel);
    assert_eq!(out.a_packs(), [Some(127), None, None, Some(2047)]);
}

#[test]
fn cars_figure_3_the_last_stack_can_end_at_the_last_pack() {
    let mut sm = begun(System::Cars, In::default());
    let asking = |op: Op, fru| In {
        a_op: op.code(),
        a_fru: fru,
        a_base: 1960,
        a_first: 1985,
        a_capacity: 63,
        ..last(In::default(), [Some(16), None, None, None])
    };
    assert!(sm.edge(asking(Op::Launch, 0)).a_grant);
    assert_eq!(sm.edge(asking(Op::Call, 62)).pack, 1985);
    for pack in 1986..2048 {
        assert_eq!(sm.edge(asking(Op::Push, 0)).pack, pack);
    }
    let stall = In {
        stall: true,
        stall_warp: 63,
        ..asking(Op::Nothing, 0)
    };
    let out = sm.edge(stall);
    assert_eq!((out.a_packs()[0], out.a_free), (Some(1986), 0));
    let freed = In {
        freed: true,
        ..In::default()
    };
    let out = sm.edge(freed);
    assert_eq!((out.woken_valid, out.woken), (true, 63));
}
