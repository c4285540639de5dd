//! What a warp's end costs: a walk of the table, or nothing if its flags have given back all.

use super::*;

#[test]
fn a_warp_that_ends_gives_everything_back_and_its_slot_starts_unmapped() {
    let mut sm = Sm::new();
    for reg in 0..12 {
        sm.issue(&instruction(&[(0, 3, reg)], None));
    }
    for warp in 0..2 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.manager.cta_ended(CtaSlot(0));
    sm.settle();
    assert_eq!(sm.packs_in_use(), 0);
    for warp in 0..2 {
        sm.manager.warp_started(WarpSlot(warp));
    }
    sm.settle();
    assert_eq!(sm.issue(&instruction(&[(0, 0, 3)], None)).0, [None]);
    for warp in 0..4 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    assert_eq!(sm.manager.held(), []);
    sm.settle();
    assert_eq!(sm.manager.held(), []);
}

/// The hardware hears nothing of a warp that has nothing mapped: the table is not walked, and its slot starts unmapped.
#[test]
fn a_warp_that_gave_all_back_ends_without_a_walk() {
    let mut sm = Sm::new();
    for reg in 0..5 {
        sm.issue(&instruction(&[(0, 3, reg)], None));
    }
    sm.show(pbr_word(&[0, 1, 2, 3, 4]).expect("fits"), 9);
    for warp in 0..2 {
        sm.manager.gave_all_back(WarpSlot(warp));
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.manager.cta_ended(CtaSlot(0));
    let from = sm.cycle;
    sm.settle();
    // Two cycles until what was given back is free, a warp and a CTA a cycle.
    assert_eq!(sm.cycle - from, 4);
    for warp in 0..2 {
        sm.manager.warp_started(WarpSlot(warp));
    }
    sm.settle();
    assert_eq!(sm.issue(&instruction(&[(0, 0, 3)], None)).0, [None]);
    let counts = sm.manager.renaming_counts(sm.cycle).expect("renames");
    assert_eq!(counts.walk_cycles, 0);
    // The mark is of that end alone.
    sm.issue(&instruction(&[(0, 3, 7)], None));
    for warp in 0..4 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.settle();
    assert_eq!(sm.manager.held(), []);
    let counts = sm.manager.renaming_counts(sm.cycle).expect("renames");
    assert_eq!(counts.walk_cycles, 4 * 16);
}

/// What still lies before its operand is read is given back late: the CTA ends when it is free.
#[test]
fn a_cta_without_walks_ends_when_its_last_pack_is_free() {
    let mut sm = Sm::new();
    sm.issue(&instruction(&[(0, 3, 5)], None));
    let word = pir_word(&[1; PIR_SLOTS]);
    let last = instruction(&[(0, 0, 5)], covered(word));
    sm.show(word, 7);
    let step = |sm: &mut Sm, request: Option<&IssueRequest>, hold| {
        let mut replies = [IssueReply::default(), IssueReply::default()];
        sm.manager.answers().expect("agree");
        sm.manager.decode(Decode { word: None, hold });
        let requests = [request.cloned(), None];
        let reply = sm.manager.cycle(sm.cycle, &requests, &mut replies);
        reply.expect("agree");
        sm.cycle += 1;
        replies[0].granted
    };
    assert!(step(&mut sm, Some(&last), false));
    for warp in 0..2 {
        sm.manager.gave_all_back(WarpSlot(warp));
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.manager.cta_ended(CtaSlot(0));
    for _ in 0..9 {
        step(&mut sm, None, true);
        assert!(sm.manager.has_news());
    }
    while sm.manager.has_news() {
        step(&mut sm, None, false);
    }
    for warp in 2..4 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    while sm.manager.has_news() {
        step(&mut sm, None, false);
    }
    assert_eq!(sm.manager.held(), []);
}

/// What an ended warp could still have mapped is there for others, which were refused and ask again.
#[test]
fn warps_that_wait_for_packs_ask_again_when_one_ends_without_a_walk() {
    let mut sm = Sm::of(true);
    let wakes = |sm: &mut Sm| (0..4).any(|_| sm.step(None, None).2.wake);
    // The CTA may issue from now on.
    assert!(wakes(&mut sm));
    assert!(!wakes(&mut sm));
    sm.manager.gave_all_back(WarpSlot(1));
    sm.manager.warp_ended(WarpSlot(1));
    assert!(wakes(&mut sm));
    assert!(!wakes(&mut sm));
}

/// A wrong flag of an exit cannot hide.
#[test]
fn a_warp_that_says_it_gave_all_back_and_did_not_is_found() {
    let mut sm = Sm::new();
    sm.issue(&instruction(&[(0, 3, 6)], None));
    sm.manager.gave_all_back(WarpSlot(1));
    sm.manager.warp_ended(WarpSlot(1));
    let mut replies = [IssueReply::default(), IssueReply::default()];
    let mut faults = (0..4).filter_map(|at| {
        let cycle = sm.cycle + at;
        (sm.manager.cycle(cycle, &[None, None], &mut replies)).err()
    });
    let fault = faults.next().expect("is found");
    assert_eq!(
        fault.to_string(),
        "warp 1 ends with register r6 mapped, which its release flags were to give back"
    );
}
