//! The last warp, CTA slot and pack of each system, with 16 and with 64 warps, which have 32 packs each.

use super::*;
use crate::cars::register_stack::Op;
use crate::rfv::rfv_top::pack_count;

type In<const NW: usize, const T: usize, const FILE: usize> = RegisterManagerIn<NW, T, FILE>;
type Made<const NW: usize, const T: usize, const FILE: usize> = fn(System) -> Both<NW, T, FILE>;

/// `pins` with an instruction of the last warp on port a.
fn last<const NW: usize, const T: usize, const FILE: usize>(
    pins: In<NW, T, FILE>,
    regs: [Option<u8>; 4],
) -> In<NW, T, FILE> {
    let mut pins = In {
        a_valid: true,
        a_warp: NW as u8 - 1,
        a_cta: T as u8 - 1,
        ..pins
    };
    pins.set_a_regs(regs);
    pins
}

/// A system in a kernel that has begun.
fn begun<const NW: usize, const T: usize, const FILE: usize>(
    made: Made<NW, T, FILE>,
    system: System,
    kernel: In<NW, T, FILE>,
) -> Both<NW, T, FILE> {
    let mut sm = made(system);
    let start = In {
        clear: true,
        ..last(kernel, [Some(0); 4])
    };
    assert!(!sm.edge(start).a_grant, "{system}");
    sm
}

fn last_register<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let kernel = In {
        base_regs: 32,
        ..In::default()
    };
    let regs = [Some(0), Some(31), Some(32), None];
    let out = begun(made, System::Baseline, kernel).edge(last(kernel, regs));
    let file = FILE as u16;
    assert_eq!(out.a_packs(), [Some(file - 32), Some(file - 1), None, None]);
}

#[test]
fn regmutex_figure_6a_the_last_register_of_the_last_warp_is_in_the_last_pack() {
    last_register(Both::w16);
    last_register(Both::w64);
}

fn permissions<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    for system in System::ALL {
        let out = begun(made, system, In::default()).edge(In::default());
        assert!(out.memory_allowed && out.none_stalled, "{system}");
        let all = out.may_issue == u64::MAX >> (64 - T) && out.powered == 65535;
        assert_eq!(all, system != System::Rfv, "{system}");
        assert_eq!((out.shared, out.owner), (0, 0), "{system}");
    }
}

#[test]
fn a_system_permits_all_ctas_and_warps_what_it_does_not_decide() {
    permissions(Both::w16);
    permissions(Both::w64);
}

fn all_sections<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let kernel = In {
        section_count: NW as u8,
        base_regs: 16,
        ext_regs: 16,
        offset: FILE as u16 / 2,
        ..In::default()
    };
    let mut sm = begun(made, System::Regmutex, kernel);
    for warp in 0..NW as u8 {
        let out = sm.edge(In {
            a_change: true,
            a_warp: warp,
            ..last(kernel, [Some(31), None, None, None])
        });
        let pack = kernel.offset + 16 * u16::from(warp) + 15;
        assert_eq!((out.a_grant, out.a_packs()[0]), (true, Some(pack)));
    }
}

#[test]
fn regmutex_iii_b_there_can_be_a_section_for_every_warp() {
    all_sections(Both::w16);
    all_sections(Both::w64);
}

fn last_pair<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let kernel = In {
        base_regs: 24,
        ext_regs: 16,
        ..In::default()
    };
    for system in [System::Paired, System::SafePaired] {
        let out = begun(made, system, kernel).edge(In {
            a_change: true,
            ..last(kernel, [Some(23), Some(24), Some(39), None])
        });
        // A pair has 64 packs: 24 of either warp and 16 for one of them.
        let first = FILE as u16 - 64;
        let packs = [first + 24 + 23, first + 48, first + 63].map(Some);
        assert_eq!(out.a_packs()[..3], packs, "{system}");
    }
}

#[test]
fn regmutex_iii_c_the_last_pair_has_its_set_behind_its_own_registers() {
    last_pair(Both::w16);
    last_pair(Both::w64);
}

fn last_cta<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let kernel = In {
        warps_per_cta: 2,
        base_regs: 4,
        ext_regs: 32,
        offset: FILE as u16 / 2,
        share_regs: true,
        ..In::default()
    };
    let mut sm = begun(made, System::Owf, kernel);
    // The lower CTA of a pair is in the lower half of the slots.
    let pair = In {
        pair: true,
        exit_cta: T as u8 / 2 - 1,
        partner: T as u8 - 1,
        ..kernel
    };
    assert!(sm.edge(pair).pair_grant);
    let out = sm.edge(In {
        ready: 3 << (NW - 2),
        ..kernel
    });
    assert_eq!(out.shared, 0b11 << (NW - 2) | 0b11 << (NW / 2 - 2));
    let chosen = (NW as u16 - 1) << NW.ilog2() | (NW as u16 - 2);
    assert_eq!((out.chosen_valid, out.chosen), (3, chosen));
}

#[test]
fn owf_iii_a_the_last_cta_can_be_paired_and_iv_a_its_warps_chosen() {
    last_cta(Both::w16);
    last_cta(Both::w64);
}

fn last_pack<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let (cta, reserved) = (T as u8 - 1, FILE / 4 - 1);
    let kernel = In {
        exempt: 2,
        reserved: reserved as u16,
        pack_count: pack_count(FILE, 0, reserved) as u16,
        need: 4,
        ..In::default()
    };
    let mut sm = begun(made, System::Rfv, kernel);
    sm.edge(In {
        cta_launch: true,
        launch_cta: cta,
        ..kernel
    });
    let launch = In {
        launch: true,
        warp: NW as u8 - 1,
        warp_cta: cta,
        ..kernel
    };
    assert!(sm.edge(launch).walk_grant);
    while sm.edge(kernel).busy {}
    let out = sm.edge(last(kernel, [Some(1), None, None, Some(7)]));
    assert_eq!(
        (out.may_issue, out.chosen_cta, out.free_packs),
        (1 << cta, cta, 4)
    );
    assert!(out.a_grant && !out.a_answer);
    let packs = [2 * NW, FILE].map(|end| Some(end as u16 - 1));
    assert_eq!(sm.edge(kernel).a_packs(), [packs[0], None, None, packs[1]]);
}

#[test]
fn rfv_7_1_packs_are_numbered_to_the_last_and_8_1_the_last_cta_may_issue() {
    last_pack(Both::w16);
    last_pack(Both::w64);
}

fn last_stack<const NW: usize, const T: usize, const FILE: usize>(made: Made<NW, T, FILE>) {
    let (warp, file) = (NW as u8 - 1, FILE as u16);
    let mut sm = begun(made, System::Cars, In::default());
    let asking = |op: Op, fru| In {
        a_op: op.code(),
        a_fru: fru,
        a_base: file - 88,
        a_first: file - 63,
        a_capacity: 63,
        ..last(In::default(), [Some(16), None, None, None])
    };
    assert!(sm.edge(asking(Op::Launch, 0)).a_grant);
    assert_eq!(sm.edge(asking(Op::Call, 62)).pack, file - 63);
    for pack in file - 62..file {
        assert_eq!(sm.edge(asking(Op::Push, 0)).pack, pack);
    }
    let stall = In {
        stall: true,
        stall_warp: warp,
        ..asking(Op::Nothing, 0)
    };
    let out = sm.edge(stall);
    assert_eq!((out.a_packs()[0], out.a_free), (Some(file - 62), 0));
    let freed = In {
        freed: true,
        ..In::default()
    };
    let out = sm.edge(freed);
    assert_eq!((out.woken_valid, out.woken), (true, warp));
}

#[test]
fn cars_figure_3_the_last_stack_can_end_at_the_last_pack() {
    last_stack(Both::w16);
    last_stack(Both::w64);
}
