//! Release flags, from decode to the table (6.2, 7.2).

use super::*;

#[test]
fn flags_of_a_decoded_pir_release_what_its_instructions_read_last() {
    // RFV 6.2 and 7.2.
    let mut sm = Both::new();
    let packs = [1, 2, 3].map(|reg| sm.write(0, reg));
    assert_eq!(sm.decode(pir(0b101), 77, 0), 1);
    let last = Issue {
        pir: Some((77, 0)),
        ..names(0, [Some(1), Some(2), Some(3), None])
    };
    let (read, _) = sm.issue(true, last);
    assert_eq!(read[..3], packs, "what it reads last it still reads");
    assert_eq!(sm.read(0, 2), packs[1]);
    assert_eq!((sm.read(0, 1), sm.read(0, 3)), (None, None));
    sm.check_count();
    assert_eq!(sm.idle().free_packs, 255);
}

#[test]
fn an_instruction_waits_until_its_pir_was_decoded_again() {
    // RFV 7.2: a pir is fetched and decoded only if it is not in the cache.
    let mut sm = Both::new();
    let issue = Issue {
        pir: Some((40, 0)),
        ..names(1, [Some(5), None, None, Some(6)])
    };
    let pins = sm.kernel.with_b(issue);
    for _ in 0..3 {
        let out = sm.edge(pins);
        assert_eq!((out.b_miss, out.b_grant, out.b_served), (true, false, 0));
    }
    sm.edge(word_pins(pins, pir(0b001), 40, 1));
    let out = sm.edge(pins);
    assert_eq!((out.b_hit, out.b_miss, out.b_grant), (true, false, true));
    // Another pir of the same entry takes its place.
    sm.decode(pir(0), 50, 1);
    assert!(sm.edge(pins).b_miss);
    // One that no pir covers does not wait.
    assert!(sm.edge(sm.kernel.with_b(names(1, issue.regs))).b_grant);
}

#[test]
fn flags_are_kept_while_an_instruction_is_being_looked_up() {
    let mut sm = Both::new();
    sm.write(1, 0);
    sm.write(1, 4);
    sm.decode(pir(0b111), 40, 1);
    let issue = Issue {
        pir: Some((40, 0)),
        ..names(1, [Some(0), Some(4), None, None])
    };
    let pins = sm.kernel.with_a(issue);
    // In its first cycle the entry goes to another pir.
    assert!(!sm.edge(word_pins(pins, pir(0), 50, 1)).a_grant);
    let out = sm.edge(pins);
    assert_eq!((out.a_miss, out.a_grant, out.a_hit), (false, true, false));
    sm.idle();
    assert_eq!((sm.read(1, 0), sm.read(1, 4)), (None, None));
}

#[test]
fn nine_registers_of_a_pbr_are_released_and_it_is_never_cached() {
    // RFV 6.2 and 7.2.
    let mut sm = Both::new();
    let ids = [0, 1, 2, 3, 4, 5, 6, 10, 14];
    for reg in ids {
        sm.write(3, reg);
    }
    assert_eq!(sm.idle().free_packs, 247);
    let word = pbr_word(&ids).expect("nine fit");
    // Three turns, and 6, 10 and 14 share a bank.
    assert_eq!(sm.decode(word, 12, 3), 5);
    sm.idle();
    assert_eq!(sm.model.returning(), 1);
    sm.idle();
    assert_eq!(sm.idle().free_packs, 256);
    sm.check_count();
    for reg in ids {
        assert_eq!(sm.read(3, reg), None);
    }
    let probe = sm.kernel.with_a(Issue {
        pir: Some((12, 0)),
        ..names(3, [None; 4])
    });
    assert!(!sm.edge(probe).a_hit);
    // Words of other kinds, and one that names nobody, are done at once.
    assert_eq!(sm.decode(0x1234, 1, 0), 1);
    assert_eq!(sm.decode(pbr_word(&[]).expect("fits"), 1, 0), 1);
}
