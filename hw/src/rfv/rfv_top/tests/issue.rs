//! Who goes through the table, and when.

use super::*;

#[test]
fn names_are_known_one_cycle_after_an_instruction_goes_on() {
    // RFV 7.1: "one extra cycle pipeline latency may be taken for the renaming process".
    let mut sm = Both::new();
    let (packs, cycles) = sm.issue(false, names(2, [None, None, None, Some(6)]));
    assert_eq!((packs[3], cycles), (Some(2), 1), "the first of bank 2");
    let (packs, cycles) = sm.issue(true, names(2, [Some(6), None, None, Some(7)]));
    assert_eq!((packs, cycles), ([Some(2), None, None, Some(3)], 1));
    assert_eq!(sm.read(3, 6), None, "of another warp");
}

#[test]
fn operands_in_one_bank_keep_the_stage_until_all_are_looked_up() {
    // RFV 7.1: "When there is a bank conflict, the name lookup may be serialized."
    let mut sm = Both::new();
    let [first, second, third] = [0, 4, 8].map(|reg| sm.write(1, reg));
    let regs = [Some(0), Some(4), Some(8), Some(1)];
    let (packs, cycles) = sm.issue(false, names(1, regs));
    assert_eq!(cycles, 3);
    assert_eq!(packs[..3], [first, second, third]);
    // Whatever is favoured, the other port waits.
    let both = sm.kernel.with_a(names(1, regs));
    let both = both.with_b(names(2, [None, None, None, Some(1)]));
    for turn in 0..3 {
        let out = sm.edge(In {
            favor_b: turn > 0,
            ..both
        });
        assert_eq!((out.a_grant, out.b_served), (turn == 2, 0));
    }
    assert!(sm.edge(both).b_progress().served == 0, "a asks again");
}

#[test]
fn one_port_goes_at_a_time_and_favor_b_says_which() {
    let mut sm = Both::new();
    let write = |warp| names(warp, [None, None, None, Some(9)]);
    let both = sm.kernel.with_a(write(0)).with_b(write(1));
    let out = sm.edge(In {
        favor_b: true,
        ..both
    });
    assert_eq!((out.a_grant, out.b_grant), (false, true));
    let out = sm.edge(both);
    assert_eq!(
        (out.a_grant, out.b_grant, out.b_answer),
        (true, false, true)
    );
    assert_eq!(out.packs()[3], Some(1));
    let out = sm.idle();
    assert_eq!((out.a_answer, out.b_answer, out.y3), (true, false, 5));
}

#[test]
fn a_start_or_an_end_goes_before_ports_and_pbr_and_keeps_them_out() {
    let mut sm = Both::new();
    let issue = names(0, [None, None, None, Some(1)]);
    let pins = word_pins(sm.kernel, pbr_word(&[1]).expect("fits"), 0, 0).with_a(issue);
    let ends = In {
        exit: true,
        warp: 3,
        warp_cta: 3,
        ..pins
    };
    assert!(sm.edge(ends).walk_grant);
    for _ in 0..16 {
        let out = sm.edge(pins);
        assert_eq!((out.busy, out.word_done, out.a_grant), (true, false, false));
    }
    let out = sm.edge(pins);
    assert_eq!((out.busy, out.word_done, out.a_grant), (false, true, false));
    assert!(sm.edge(sm.kernel.with_a(issue)).a_grant);
}

#[test]
fn an_instruction_that_is_withdrawn_is_forgotten() {
    let mut sm = Both::new();
    sm.write(1, 0);
    sm.write(1, 4);
    let pins = sm.kernel.with_a(names(1, [Some(0), Some(4), None, None]));
    assert_eq!(sm.edge(pins).a_served, 1);
    sm.idle();
    assert_eq!(sm.edge(pins).a_served, 1, "from the start again");
    assert_eq!(sm.edge(pins).a_served, 2);
    // So is a pbr, with its turn.
    let word = pbr_word(&[0, 1, 2, 4, 5, 6]).expect("fits");
    let pins = word_pins(sm.kernel, word, 0, 1);
    assert!(!sm.edge(pins).word_done);
    sm.idle();
    assert!(!sm.edge(pins).word_done);
    assert!(sm.edge(pins).word_done);
}

#[test]
fn instructions_without_operands_and_of_nobody_go_on() {
    let mut sm = Both::new();
    assert!(sm.edge(sm.kernel.with_a(names(0, [None; 4]))).a_grant);
    sm.idle();
    let none = names(0, [Some(63), None, None, Some(63)]);
    assert_eq!(sm.issue(true, none).0, [None; 4]);
    let mut big = Rtl48x63x1024::default();
    let pins = RfvTopIn {
        clear: true,
        pack_count: 1024,
        ..RfvTopIn::default()
    };
    big.edge(&pins);
    let pins = RfvTopIn {
        cta_launch: true,
        need: 9,
        ..RfvTopIn::default()
    };
    big.edge(&pins);
    let nobody = Issue {
        warp: 50,
        regs: [Some(1), None, None, Some(2)],
        ..Issue::default()
    };
    assert!(big.edge(&RfvTopIn::default().with_a(nobody)).a_grant);
    let out = big.edge(&RfvTopIn::default());
    assert_eq!(
        (out.packs(), out.free_packs, out.starved),
        ([None; 4], 1024, false)
    );
}

#[test]
fn a_kernel_start_grants_nothing_and_forgets_all() {
    let mut sm = Both::new();
    sm.write(0, 1);
    sm.decode(pir(1), 3, 0);
    let issue = Issue {
        pir: Some((3, 0)),
        ..names(0, [Some(1), None, None, Some(2)])
    };
    assert!(sm.edge(sm.kernel.with_a(issue)).a_grant);
    let pins = word_pins(sm.kernel, pbr_word(&[1]).expect("fits"), 0, 0).with_a(issue);
    let start = In {
        clear: true,
        pack_count: 200,
        launch: true,
        exit: true,
        ..pins
    };
    let out = sm.edge(start.with_b(names(1, [None; 4])));
    assert!(!(out.a_grant || out.b_grant || out.word_done || out.walk_grant));
    let out = sm.edge(sm.kernel.with_a(issue));
    assert_eq!((out.free_packs, out.may_issue, out.a_miss), (200, 0, true));
    assert_eq!((out.busy, out.awake, sm.model.used_packs()), (false, 0, 0));
}
