use super::*;
use crate::ids::{ArchReg, Pack};
use crate::ids::{CtaSlot, WarpSlot};
use std::collections::HashMap;

mod backends;
mod banker;
mod divergence;
mod dynamic;
mod levels;
mod owner_first;
mod renaming;
mod rounds;
mod sharing;
mod stackless;
mod variants;

const GTX480: Geometry = Geometry {
    warps: 48,
    packs: 1024,
    schedulers: 2,
};
/// The worked example of RegMutex III-A2: 24 registers, |Bs| 18, |Es| 6, 26 sections behind 48 base sets.
const EXAMPLE: ManagerSpec = ManagerSpec::RegMutex {
    base_regs: 18,
    ext_regs: 6,
    sections: 26,
    srp_offset: 48 * 18,
    owner_first: false,
};

fn placed(spec: ManagerSpec, backend: Backend) -> Box<dyn RegisterManager> {
    let mut manager = build(spec, GTX480, backend).expect("the manager fits the machine");
    manager.place();
    manager
}

fn request(warp: u16, op: RegOp, regs: &[u8]) -> Option<IssueRequest> {
    Some(IssueRequest {
        warp: WarpSlot(warp),
        op,
        regs: regs.iter().map(|&reg| ArchReg(reg)).collect(),
        scratchpad: None,
        ..IssueRequest::default()
    })
}

/// One request alone, in an even cycle.
fn ask(
    manager: &mut dyn RegisterManager,
    warp: u16,
    op: RegOp,
    regs: &[u8],
) -> Result<IssueReply, ManagerFault> {
    let mut replies = [IssueReply::default(), IssueReply::default()];
    manager.cycle(0, &[request(warp, op, regs), None], &mut replies)?;
    let [reply, _] = replies;
    Ok(reply)
}

fn granted(manager: &mut dyn RegisterManager, warp: u16, op: RegOp) -> bool {
    ask(manager, warp, op, &[]).expect("no fault").granted
}

#[test]
fn baseline_lays_warps_one_behind_the_other() {
    let mut manager = placed(
        ManagerSpec::Baseline { regs_per_warp: 21 },
        Backend::Lockstep,
    );
    let reply = ask(&mut *manager, 47, RegOp::Access, &[0, 20]).expect("both registers exist");
    assert_eq!(reply.packs.as_slice(), [Pack(47 * 21), Pack(47 * 21 + 20)]);
}

/// Twice the registers of the largest machine, for comparison.
#[test]
fn a_doubled_register_file_has_4096_packs() {
    let geometry = Geometry {
        warps: 64,
        packs: 4096,
        schedulers: 2,
    };
    let spec = ManagerSpec::Baseline { regs_per_warp: 64 };
    let mut manager = build(spec, geometry, Backend::Lockstep).expect("fits");
    manager.place();
    let reply = ask(&mut *manager, 63, RegOp::Access, &[0, 63]).expect("both registers exist");
    assert_eq!(reply.packs.as_slice(), [Pack(63 * 64), Pack(4095)]);
}

/// All registers that 64 warps can have, for the comparators to which registers are no limit.
#[test]
fn the_largest_baseline_has_255_registers_for_each_of_64_warps() {
    let geometry = Geometry {
        warps: 64,
        packs: MOST_BASELINE_PACKS,
        schedulers: 2,
    };
    let spec = ManagerSpec::Baseline { regs_per_warp: 255 };
    let mut manager = build(spec, geometry, Backend::Lockstep).expect("fits");
    manager.place();
    let reply = ask(&mut *manager, 63, RegOp::Access, &[0, 254]).expect("both registers exist");
    assert_eq!(
        reply.packs.as_slice(),
        [Pack(63 * 255), Pack(63 * 255 + 254)]
    );
}

#[test]
fn a_register_beyond_the_kernel_is_a_fault() {
    let mut manager = placed(
        ManagerSpec::Baseline { regs_per_warp: 21 },
        Backend::Lockstep,
    );
    let fault = ask(&mut *manager, 3, RegOp::Access, &[21]).expect_err("r21 does not exist");
    assert_eq!(
        fault,
        ManagerFault::Unmapped {
            warp: WarpSlot(3),
            reg: ArchReg(21)
        }
    );
}

#[test]
fn worked_example_lets_26_of_48_warps_acquire() {
    for backend in [Backend::Model, Backend::Rtl, Backend::Lockstep] {
        let mut manager = placed(EXAMPLE, backend);
        let holders = (0..48)
            .filter(|&warp| granted(&mut *manager, warp, RegOp::Acquire))
            .count();
        assert_eq!((holders, manager.held().len()), (26, 26), "{backend:?}");
    }
}

#[test]
fn worked_example_gives_every_register_a_pack_of_its_own() {
    let mut manager = placed(EXAMPLE, Backend::Lockstep);
    let mut owner = HashMap::new();
    for warp in 0..48 {
        let regs = if granted(&mut *manager, warp, RegOp::Acquire) {
            24
        } else {
            18
        };
        for reg in 0..regs {
            let reply = ask(&mut *manager, warp, RegOp::Access, &[reg]).expect("mapped");
            assert_eq!(owner.insert(reply.packs[0], (warp, reg)), None);
        }
    }
    assert_eq!(owner.len(), 48 * 18 + 26 * 6);
}

#[test]
fn an_extended_register_outside_the_acquire_state_is_a_fault() {
    let mut manager = placed(EXAMPLE, Backend::Lockstep);
    let fault =
        ask(&mut *manager, 5, RegOp::Access, &[17, 18]).expect_err("r18 is in the extended set");
    assert_eq!(
        fault,
        ManagerFault::Unmapped {
            warp: WarpSlot(5),
            reg: ArchReg(18)
        }
    );
}

#[test]
fn released_section_is_granted_one_cycle_later() {
    let mut manager = placed(EXAMPLE, Backend::Lockstep);
    for warp in 0..26 {
        assert!(granted(&mut *manager, warp, RegOp::Acquire));
    }
    let mut replies = [IssueReply::default(), IssueReply::default()];
    let requests = [
        request(40, RegOp::Acquire, &[]),
        request(7, RegOp::Release, &[]),
    ];
    let reply = manager.cycle(0, &requests, &mut replies).expect("no fault");
    assert_eq!(
        (replies[0].granted, replies[1].granted, reply.wake),
        (false, true, true)
    );
    assert!(granted(&mut *manager, 40, RegOp::Acquire));
    assert_eq!(
        manager
            .held()
            .last()
            .map(|held| (held.warp, held.what.clone())),
        Some((WarpSlot(40), "section 7".into()))
    );
}

#[test]
fn a_warp_refused_only_by_the_other_scheduler_is_woken() {
    let mut manager = placed(EXAMPLE, Backend::Lockstep);
    let mut replies = [IssueReply::default(), IssueReply::default()];
    let requests = [
        request(0, RegOp::Acquire, &[]),
        request(1, RegOp::Acquire, &[]),
    ];
    let reply = manager.cycle(1, &requests, &mut replies).expect("no fault");
    assert_eq!(
        (replies[0].granted, replies[1].granted, reply.wake),
        (false, true, true)
    );
}

#[test]
fn figure_2_fits_two_warps_into_48_packs() {
    // 2 x 31 = 62 packs do not fit; 2 x 16 base registers and one extended set of 16 do (section II).
    let geometry = Geometry {
        warps: 2,
        packs: 48,
        schedulers: 1,
    };
    let spec = ManagerSpec::RegMutex {
        base_regs: 16,
        ext_regs: 16,
        sections: 1,
        srp_offset: 32,
        owner_first: false,
    };
    let mut manager = build(spec, geometry, Backend::Lockstep).expect("2 x 16 + 16 = 48");
    manager.place();
    assert!(granted(&mut *manager, 0, RegOp::Acquire));
    assert!(!granted(&mut *manager, 1, RegOp::Acquire));
    assert_eq!(
        ask(&mut *manager, 0, RegOp::Access, &[31])
            .expect("mapped")
            .packs[0],
        Pack(47)
    );
    let spec = ManagerSpec::Baseline { regs_per_warp: 31 };
    let mut manager = build(spec, geometry, Backend::Lockstep).expect("builds");
    manager.place();
    assert!(ask(&mut *manager, 1, RegOp::Access, &[30]).is_err());
}

#[test]
fn partners_share_one_extended_set() {
    for safe in [false, true] {
        let spec = ManagerSpec::Paired {
            base_regs: 18,
            ext_regs: 6,
            safe,
            owner_first: false,
        };
        let mut manager = placed(spec, Backend::Lockstep);
        assert!(granted(&mut *manager, 6, RegOp::Acquire));
        assert!(!granted(&mut *manager, 7, RegOp::Acquire));
        let even = ask(&mut *manager, 6, RegOp::Access, &[18])
            .expect("mapped")
            .packs[0];
        assert!(granted(&mut *manager, 6, RegOp::Release));
        assert!(granted(&mut *manager, 7, RegOp::Acquire));
        let odd = ask(&mut *manager, 7, RegOp::Access, &[18])
            .expect("mapped")
            .packs[0];
        assert_eq!((even, odd), (Pack(3 * 42 + 36), Pack(3 * 42 + 36)));
        assert_eq!(manager.held().len(), 1);
    }
}

#[test]
fn safe_lock_ignores_a_release_by_the_partner_and_the_papers_does_not() {
    for (safe, still_held) in [(true, true), (false, false)] {
        let mut manager = placed(
            ManagerSpec::Paired {
                base_regs: 18,
                ext_regs: 6,
                safe,
                owner_first: false,
            },
            Backend::Lockstep,
        );
        assert!(granted(&mut *manager, 6, RegOp::Acquire));
        assert!(granted(&mut *manager, 7, RegOp::Release));
        assert_eq!(!manager.held().is_empty(), still_held);
    }
}

#[test]
fn placing_a_kernel_frees_everything() {
    for spec in [
        EXAMPLE,
        ManagerSpec::Paired {
            base_regs: 18,
            ext_regs: 6,
            safe: true,
            owner_first: false,
        },
    ] {
        let mut manager = placed(spec, Backend::Lockstep);
        assert!(granted(&mut *manager, 0, RegOp::Acquire));
        manager.place();
        assert_eq!(manager.held(), []);
    }
}

#[test]
fn a_recording_has_a_row_per_evaluation_and_values_for_each_pin() {
    let mut manager = placed(EXAMPLE, Backend::Model);
    let recorder = Recorder::new(100);
    manager.set_sink(Some(Box::new(recorder.clone())));
    assert!(granted(&mut *manager, 0, RegOp::Acquire));
    ask(&mut *manager, 0, RegOp::Access, &[0, 1, 2, 3, 18]).expect("mapped");
    let recording = recorder.take();
    let units = manager.units();
    let seen: Vec<_> = recording
        .rows
        .iter()
        .map(|row| (units[row.unit].path.as_str(), row.edge))
        .collect();
    let mapper = ("register_mapper_a", false);
    assert_eq!(
        seen,
        [
            ("srp_allocator", true),
            ("srp_allocator", false),
            mapper,
            mapper
        ]
    );
    for row in &recording.rows {
        let unit = &units[row.unit];
        assert_eq!(
            (row.inputs.len(), row.outputs.len()),
            (unit.inputs.len(), unit.outputs.len())
        );
    }
}

#[test]
fn a_machine_or_plan_that_does_not_fit_is_refused() {
    let refused = |spec, geometry| build(spec, geometry, Backend::Model).err();
    let baseline = ManagerSpec::Baseline { regs_per_warp: 20 };
    assert_eq!(
        refused(
            baseline,
            Geometry {
                warps: 65,
                ..GTX480
            }
        ),
        Some(BuildError::Warps(65))
    );
    assert_eq!(
        refused(
            baseline,
            Geometry {
                packs: 16385,
                ..GTX480
            }
        ),
        Some(BuildError::Packs {
            packs: 16385,
            most: MOST_BASELINE_PACKS
        })
    );
    assert_eq!(
        refused(
            EXAMPLE,
            Geometry {
                packs: 4096,
                ..GTX480
            }
        ),
        Some(BuildError::Packs {
            packs: 4096,
            most: 2048
        })
    );
    assert_eq!(
        refused(
            baseline,
            Geometry {
                schedulers: 5,
                ..GTX480
            }
        ),
        Some(BuildError::Schedulers(5))
    );
    let spec = ManagerSpec::RegMutex {
        base_regs: 18,
        ext_regs: 6,
        sections: 27,
        srp_offset: 48 * 18,
        owner_first: false,
    };
    assert_eq!(
        refused(spec, GTX480),
        Some(BuildError::Pool {
            end: 1026,
            packs: 1024
        })
    );
    let spec = ManagerSpec::RegMutex {
        base_regs: 18,
        ext_regs: 6,
        sections: 0,
        srp_offset: 48 * 18,
        owner_first: false,
    };
    assert_eq!(
        refused(spec, GTX480),
        Some(BuildError::Sections {
            sections: 0,
            warps: 48
        })
    );
}
