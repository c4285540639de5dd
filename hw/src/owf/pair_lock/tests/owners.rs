//! Who is owner, and to whom that passes (IV).

use super::*;

#[test]
fn the_cta_that_its_partner_waits_for_is_owner() {
    // IV: "at least one of the warps of TBi waits for shared resources from TBj, we call TBj as Owner Block".
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(32);
    assert_eq!(unit.now().owner, 0, "nobody waits yet");
    unit.access(2, 0);
    assert_eq!(unit.now().owner, 0);
    unit.lock(2);
    assert_eq!(unit.now().owner, warps(30, 40));
    unit.end_warp(32);
    unit.lock(2);
    unit.lock(33);
    assert_eq!(unit.now().owner, warps(0, 10), "now CTA 3 waits");
}

#[test]
fn ownership_passes_to_the_partner_when_the_owner_cta_ends_and_the_new_one_has_it_not() {
    let mut unit = Both::with(10, &[(0, 3), (1, 2)]);
    unit.lock(32);
    unit.lock(2);
    unit.end_warp(32);
    unit.end_cta(2);
    assert_eq!(unit.now().owner, warps(30, 40), "CTA 2 was not owner");
    unit.end_cta(3);
    assert_eq!(unit.now().owner, warps(0, 10));
    // A new CTA starts in slot 3: it shares with CTA 0 and is not owner.
    assert!(unit.lock(2) && !unit.lock(32));
    assert_eq!(unit.now().owner, warps(0, 10));
    unit.end_cta(3);
    assert_eq!(
        unit.now().owner,
        warps(0, 10),
        "a non-owner has nothing to pass"
    );
}

#[test]
fn two_pairs_that_wait_change_their_owners_one_after_the_other() {
    let mut unit = Both::with(6, &[(0, 7), (1, 6)]);
    unit.lock(0);
    unit.lock(6);
    let wait = both_lock(42, 36);
    unit.edge(In {
        favor_b: true,
        ..wait
    });
    assert_eq!(unit.now().owner, warps(6, 12));
    unit.edge(wait);
    assert_eq!(unit.now().owner, warps(0, 12));
}

#[test]
fn the_end_of_a_cta_comes_before_warps_that_wait() {
    let mut unit = Both::with(6, &[(0, 7), (1, 6)]);
    unit.lock(0);
    unit.lock(42);
    unit.lock(6);
    assert_eq!(unit.now().owner, warps(0, 6));
    unit.edge(In {
        exit: true,
        ..access(36, PRIVATE)
    });
    assert_eq!(unit.now().owner, warps(42, 48));
}

#[test]
fn a_pair_that_is_made_again_has_no_owner() {
    let mut unit = Both::with(6, &[(1, 4), (0, 5)]);
    for (first, then) in [(6, 24), (0, 30)] {
        unit.lock(first);
        unit.lock(then);
    }
    assert!(unit.pair(1, 4));
    assert_eq!(unit.now().owner, warps(0, 6));
    assert!(unit.holds(6), "locks stay");
}
