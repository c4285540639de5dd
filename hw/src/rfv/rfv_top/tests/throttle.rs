//! GPU-shrink, 8.1: who may issue when packs are short.

use super::*;

/// Four CTAs that need 8 packs each, of 16: 5 are free, and CTA 3 may need 4 more, CTA 0 5.
fn short() -> Both {
    let mut sm = Both::kernel(
        In {
            reserved: 60,
            ..In::default()
        },
        8,
    );
    for (warp, regs) in [(0, 1..4), (1, 1..3), (2, 2..4), (3, 0..4)] {
        for reg in regs {
            assert!(sm.write(warp, reg).is_some());
        }
    }
    let out = sm.idle();
    assert_eq!(
        (out.free_packs, out.may_issue, out.throttled),
        (5, 0xf, false)
    );
    sm
}

fn write(warp: u8, reg: u8) -> Issue {
    names(warp, [None, None, None, Some(reg)])
}

#[test]
fn only_the_cta_with_the_smallest_balance_issues_once_packs_are_short() {
    let mut sm = short();
    sm.write(0, 0);
    let out = sm.idle();
    assert_eq!((out.free_packs, out.chosen, out.throttled), (4, 0, true));
    assert_eq!(out.may_issue, 0b0001);
    let both = sm
        .kernel
        .with_a(write(1, 5))
        .with_b(names(2, [Some(2), None, None, None]));
    for favor_b in [false, true] {
        let out = sm.edge(In { favor_b, ..both });
        assert!(!out.a_grant && !out.b_grant && !out.a_miss);
    }
    assert!(sm.edge(sm.kernel.with_b(write(0, 5))).b_grant);
    assert!(!sm.idle().spill);
}

#[test]
fn what_a_pbr_releases_opens_the_throttle_though_its_cta_is_held_back() {
    let mut sm = short();
    sm.write(0, 0);
    assert_eq!(sm.idle().may_issue, 0b0001);
    sm.decode(pbr_word(&[1, 2]).expect("fits"), 9, 1);
    sm.idle();
    sm.idle();
    let out = sm.idle();
    assert_eq!(
        (out.free_packs, out.may_issue, out.throttled),
        (6, 0xf, false)
    );
    sm.check_count();
}

#[test]
fn a_pack_that_is_being_assigned_is_counted_in_the_next_cycle_already() {
    let mut sm = short();
    let out = sm.edge(sm.kernel.with_a(write(0, 0)).with_b(write(1, 5)));
    assert_eq!((out.may_issue, out.a_grant), (0xf, true));
    // 5 packs are free still, and CTA 3 may need 4; but one is on its way to CTA 0.
    let out = sm.edge(sm.kernel.with_b(write(1, 5)));
    assert_eq!(
        (out.free_packs, out.may_issue, out.b_grant),
        (5, 0b1000, false)
    );
    // An instruction without destination takes none.
    let mut sm = short();
    assert!(
        sm.edge(sm.kernel.with_a(names(0, [Some(1), None, None, None])))
            .a_grant
    );
    let out = sm.edge(sm.kernel.with_b(write(1, 5)));
    assert_eq!((out.may_issue, out.b_grant), (0xf, true));
}

#[test]
fn a_cta_that_is_chosen_only_until_a_pack_on_its_way_is_counted_does_not_issue() {
    let kernel = In {
        reserved: 62,
        ..In::default()
    };
    // Of 8 packs CTA 3 has 2 and CTA 1 one; CTA 3 gives one back, and takes one.
    let mut sm = Both::kernel(kernel, 7);
    for (warp, reg) in [(3, 0), (3, 1), (1, 2)] {
        assert!(sm.write(warp, reg).is_some());
    }
    sm.decode(pir(0b001), 40, 3);
    let last = Issue {
        pir: Some((40, 0)),
        ..names(3, [Some(0), None, None, None])
    };
    assert!(sm.edge(sm.kernel.with_a(last)).a_grant);
    sm.idle();
    let out = sm.edge(sm.kernel.with_a(write(3, 4)));
    assert_eq!(
        (out.free_packs, out.may_issue, out.a_grant),
        (5, 0b1000, true)
    );
    // Both have one pack now; with the one on its way it is CTA 3 that may need least.
    let out = sm.edge(sm.kernel.with_a(write(1, 3)));
    assert_eq!((out.free_packs, out.chosen, out.throttled), (6, 1, true));
    assert_eq!((out.may_issue, out.a_grant), (0, false));
    let out = sm.edge(sm.kernel.with_a(write(1, 3)));
    assert_eq!(
        (out.may_issue, out.a_grant, out.spill),
        (0b1000, false, false)
    );
    sm.check_count();
}

#[test]
fn a_register_that_dies_and_is_written_keeps_its_pack_so_that_nobody_takes_more_than_it_needs() {
    let kernel = In {
        reserved: 62,
        ..In::default()
    };
    // Of 8 packs CTA 0 has the 6 that it needs: one of bank 2 and one of bank 3 are free.
    let mut sm = Both::kernel(kernel, 6);
    let packs = [0, 1, 2, 3, 4, 5].map(|reg| sm.write(0, reg));
    sm.decode(pir(0b010), 40, 0);
    for reg in [2, 3] {
        let increment = Issue {
            pir: Some((40, 0)),
            ..names(0, [Some(0), Some(reg), None, Some(reg)])
        };
        let out = sm.edge(sm.kernel.with_b(increment));
        assert!(out.b_grant);
        let out = sm.idle();
        let pack = packs[usize::from(reg)];
        assert_eq!(out.packs(), [packs[0], pack, None, pack]);
        assert_eq!(sm.idle().free_packs, 2);
    }
    // All of its packs are released: it may need six again, and not more.
    sm.decode(pbr_word(&[0, 1, 2, 3, 4, 5]).expect("fits"), 9, 0);
    let out = (0..4).map(|_| sm.idle()).last().expect("four");
    assert_eq!((out.free_packs, out.spill), (8, false));
    sm.check_count();
}

#[test]
fn a_cta_that_needs_more_than_there_is_asks_for_a_spill_and_the_end_of_a_warp_helps() {
    let kernel = In {
        reserved: 62,
        ..In::default()
    };
    assert!(!Both::kernel(kernel, 8).idle().spill);
    let mut sm = Both::kernel(kernel, 9);
    assert!(sm.idle().spill);
    // The SM stores what warp 3 has and ends it; its CTA, slot 0, goes on with the packs.
    let of_cta_0 = |issue: Issue| Issue { cta: 0, ..issue };
    for (warp, reg) in [(3, 0), (0, 0), (3, 1), (0, 1)] {
        assert!(
            sm.edge(sm.kernel.with_a(of_cta_0(write(warp, reg))))
                .a_grant
        );
    }
    assert!(sm.edge(sm.kernel.with_a(of_cta_0(write(0, 4)))).a_grant);
    assert!(sm.idle().starved);
    let ends = In {
        exit: true,
        warp: 3,
        warp_cta: 0,
        ..sm.kernel
    };
    assert!(sm.edge(ends).walk_grant);
    while sm.idle().busy {}
    assert!(sm.edge(sm.kernel.with_a(of_cta_0(write(0, 4)))).a_grant);
    let out = sm.idle();
    assert!(out.y3_valid && !out.starved);
    sm.check_count();
}

#[test]
fn what_is_urgent_goes_on_whatever_its_cta_and_is_counted_as_any() {
    for on_b in [false, true] {
        let mut sm = short();
        sm.write(0, 0);
        assert_eq!(sm.idle().may_issue, 0b0001);
        let urgent = Issue {
            urgent: true,
            ..write(1, 5)
        };
        let (pins, held) = match on_b {
            true => (sm.kernel.with_b(urgent), sm.kernel.with_b(write(1, 5))),
            false => (sm.kernel.with_a(urgent), sm.kernel.with_a(write(1, 5))),
        };
        let out = sm.edge(held);
        assert!(!out.a_grant && !out.b_grant);
        // Said of the other port, it is of no account.
        let other = match on_b {
            true => In {
                a_urgent: true,
                ..held
            },
            false => In {
                b_urgent: true,
                ..held
            },
        };
        let out = sm.edge(other);
        assert!(!out.a_grant && !out.b_grant);
        let out = sm.edge(pins);
        assert_eq!((out.a_grant, out.b_grant), (!on_b, on_b));
        let out = sm.idle();
        assert!(out.y3_valid);
        let out = sm.idle();
        assert_eq!((out.free_packs, out.throttled), (3, true));
        sm.check_count();
        // It still waits for its pir.
        let unknown = Issue {
            pir: Some((70, 0)),
            ..urgent
        };
        let out = sm.edge(sm.kernel.with_a(unknown));
        assert_eq!((out.a_grant, out.a_miss), (false, true));
    }
}
