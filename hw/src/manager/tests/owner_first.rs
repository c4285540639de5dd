//! Owner warps first on the hardware of RegMutex: who holds an extended set, who needs none, who would have to acquire.

use super::*;

const POOL: ManagerSpec = ManagerSpec::RegMutex {
    base_regs: 18,
    ext_regs: 6,
    sections: 2,
    srp_offset: 48 * 18,
    owner_first: true,
};

fn slots(list: &[u16]) -> u64 {
    list.iter().fold(0, |mask, slot| mask | 1 << slot)
}

/// What scheduler 0 issues.
fn first(manager: &mut dyn RegisterManager, ready: &[u16], acquiring: &[u16]) -> Option<u16> {
    let chosen = manager.choose(slots(ready), slots(acquiring));
    chosen.expect("agree").expect("it chooses")[0].map(|warp| warp.0)
}

#[test]
fn holders_go_first_and_those_that_would_acquire_last() {
    for (schedulers, backend) in [
        (2, Backend::Lockstep),
        (4, Backend::Lockstep),
        (2, Backend::Model),
    ] {
        let geometry = Geometry {
            schedulers,
            ..GTX480
        };
        let mut manager = build(POOL, geometry, backend).expect("fits");
        manager.place();
        let manager = &mut *manager;
        // Nobody holds, nobody asks: the oldest, which a greedy or oldest-first scheduler takes in all that follows.
        assert_eq!(first(manager, &[0, 4, 8], &[]), Some(0));
        assert!(granted(manager, 8, RegOp::Acquire));
        assert_eq!(first(manager, &[0, 4, 8], &[]), Some(8));
        assert_eq!(first(manager, &[0, 4], &[]), Some(0));
        assert_eq!(first(manager, &[0, 4], &[0]), Some(4));
        assert_eq!(first(manager, &[0], &[0]), Some(0));
        assert_eq!(first(manager, &[0, 4], &[0, 4]), Some(0));
        // A second acquire of a holder waits for nothing.
        assert_eq!(first(manager, &[0, 8], &[8]), Some(8));
        // Who is refused does not hold, and the section that is given back makes no owner of anybody.
        assert!(granted(manager, 12, RegOp::Acquire));
        assert!(!granted(manager, 4, RegOp::Acquire));
        assert_eq!(first(manager, &[4, 8, 12], &[4]), Some(8));
        assert!(granted(manager, 8, RegOp::Release));
        assert_eq!(first(manager, &[4, 8, 12], &[4]), Some(12));
        assert_eq!(first(manager, &[4, 8], &[4]), Some(8));
        manager.place();
        assert_eq!(first(manager, &[4, 8, 12], &[]), Some(4));
    }
}

#[test]
fn of_equals_the_one_that_started_first_goes_first() {
    let mut manager = placed(POOL, Backend::Lockstep);
    manager.warp_started(WarpSlot(0));
    assert!(manager.has_news());
    let mut replies = [IssueReply::default(), IssueReply::default()];
    (manager.cycle(7, &[None, None], &mut replies)).expect("no fault");
    assert!(!manager.has_news());
    assert_eq!(first(&mut *manager, &[0, 4], &[]), Some(4));
}

/// Of a pair the partner of who holds the set is a non-owner, in the words of both papers.
#[test]
fn paired_warps_that_hold_the_set_of_their_pair_go_first() {
    for safe in [false, true] {
        let spec = ManagerSpec::Paired {
            base_regs: 18,
            ext_regs: 6,
            safe,
            owner_first: true,
        };
        let mut manager = placed(spec, Backend::Lockstep);
        assert!(granted(&mut *manager, 6, RegOp::Acquire));
        assert!(!granted(&mut *manager, 7, RegOp::Acquire));
        assert_eq!(first(&mut *manager, &[2, 4, 6], &[2]), Some(6));
        assert_eq!(first(&mut *manager, &[2, 4], &[2]), Some(4));
    }
}

#[test]
fn the_unit_stands_behind_those_of_the_system_and_is_recorded_with_them() {
    let mut manager = placed(POOL, Backend::Model);
    let recorder = Recorder::new(10);
    manager.set_sink(Some(Box::new(recorder.clone())));
    let units = manager.units();
    let names: Vec<_> = units.iter().map(|unit| &*unit.unit).collect();
    let expected = [
        "srp_allocator",
        "register_mapper",
        "register_mapper",
        "warp_priority",
    ];
    assert_eq!(names, expected);
    first(&mut *manager, &[0], &[]);
    granted(&mut *manager, 0, RegOp::Acquire);
    let rows = recorder.take().rows;
    let of_units: Vec<_> = rows.iter().map(|row| (row.unit, row.edge)).collect();
    assert_eq!(of_units, [(3, false), (0, true)]);
}

#[test]
fn one_and_three_schedulers_are_refused() {
    for schedulers in [1, 3] {
        let geometry = Geometry {
            schedulers,
            ..GTX480
        };
        let refused = build(POOL, geometry, Backend::Model).err();
        assert_eq!(refused, Some(BuildError::OwnerFirst(schedulers)));
    }
}
