//! Which packs are assigned, given back and awake.

use super::*;

#[test]
fn a_pack_is_offered_again_only_two_cycles_after_it_was_read_last() {
    let mut sm = Both::new();
    assert_eq!(sm.write(0, 1), Some(1));
    sm.decode(pir(1), 3, 0);
    let last = Issue {
        pir: Some((3, 0)),
        ..names(0, [Some(1), None, None, None])
    };
    let write = sm.kernel.with_b(names(1, [None, None, None, Some(1)]));
    assert!(sm.edge(sm.kernel.with_a(last)).a_grant);
    let out = sm.edge(write);
    assert_eq!((out.y0, out.a_answer), (1, true));
    assert_eq!(sm.edge(write).y3, 5, "while pack 1 is being read");
    assert_eq!(sm.idle().y3, 5);
    let out = [sm.write(2, 1), sm.write(2, 5)];
    assert_eq!(out, [Some(1), Some(9)]);
}

#[test]
fn hold_keeps_what_is_still_to_be_read() {
    let mut sm = Both::new();
    sm.write(0, 1);
    sm.decode(pir(1), 3, 0);
    let last = Issue {
        pir: Some((3, 0)),
        ..names(0, [Some(1), None, None, None])
    };
    assert!(sm.edge(sm.kernel.with_a(last)).a_grant);
    let write = sm.kernel.with_b(names(1, [None, None, None, Some(1)]));
    let held = In {
        hold: true,
        ..write
    };
    for _ in 0..5 {
        let out = sm.edge(held);
        assert_eq!((out.b_grant, out.free_packs), (false, 255));
        sm.check_count();
    }
    assert!(
        !sm.edge(In {
            launch: true,
            ..held
        })
        .walk_grant
    );
    assert!(sm.edge(write).b_grant, "it is free after this cycle");
    let out = sm.idle();
    assert_eq!((out.y3, out.free_packs), (5, 255));
    assert_eq!(sm.idle().free_packs, 255, "one came, one went");
    assert_eq!(sm.write(2, 1), Some(1));
}

#[test]
fn the_end_of_a_warp_gives_its_packs_back() {
    let mut sm = Both::new();
    for reg in 0..63 {
        assert!(sm.write(1, reg).is_some());
        sm.check_count();
    }
    let kept = sm.write(2, 62);
    assert_eq!(sm.walk(1, false), 17);
    assert_eq!(sm.idle().free_packs, 255);
    sm.check_count();
    assert_eq!((sm.read(1, 30), sm.read(2, 62)), (None, kept));
}

#[test]
fn exempt_registers_lie_at_n_times_warp_plus_id_and_nobody_else_gets_their_packs() {
    // RFV 7.1.
    let exempt = 5;
    let kernel = In {
        exempt,
        reserved: reserved_packs(exempt.into(), 4) as u16,
        ..In::default()
    };
    let mut sm = Both::kernel(kernel, 20);
    let (packs, _) = sm.issue(false, names(3, [Some(0), Some(4), None, Some(2)]));
    assert_eq!(packs, [Some(15), Some(19), None, Some(17)]);
    for reg in 5..63 {
        let pack = sm.write(0, reg).expect("there are enough");
        assert!(pack >= 20 && pack % 4 == u16::from(reg) % 4);
    }
    sm.check_count();
    assert_eq!(sm.idle().free_packs, 236 - 58);
    // 8.2: their sub-arrays never sleep.
    sm.walk(0, false);
    assert_eq!(sm.idle().awake & 0x1111, 0x1111);
}

#[test]
fn a_pack_in_a_sub_array_that_sleeps_waits_for_it() {
    // RFV 8.2 and 9.2; this file wakes in three cycles, ahead of the first pack.
    let mut sm = Both {
        model: Model::default(),
        rtl: Rtl4x63x256::default(),
        kernel: In::default(),
    };
    sm.edge(In {
        clear: true,
        pack_count: 256,
        ..In::default()
    });
    let powered: Vec<_> = (0..5).map(|_| sm.idle().awake).collect();
    assert_eq!(powered, [0, 0, 0, 0x1111, 0x1111]);
    sm.edge(In {
        cta_launch: true,
        need: 100,
        ..In::default()
    });
    // 16 packs of bank 0 fill its first sub-array. The second wakes when the last was taken.
    for warp in 0..4 {
        sm.walk(warp, true);
    }
    let mut write = |warp, reg| {
        let issue = Issue {
            cta: 0,
            ..names(warp, [None, None, None, Some(reg)])
        };
        assert!(sm.edge(sm.kernel.with_a(issue)).a_grant);
        let out = sm.idle();
        (out.y3_valid, out.y3_awake)
    };
    for reg in (0..63).step_by(4) {
        assert_eq!(write(0, reg), (true, true));
    }
    assert_eq!(write(1, 0), (true, false));
    assert_eq!(write(1, 0), (true, true));
}

#[test]
fn a_destination_whose_bank_is_empty_asks_again_alone() {
    let kernel = In {
        reserved: 63,
        ..In::default()
    };
    let mut sm = Both::kernel(kernel, 1);
    assert_eq!(sm.write(0, 4), Some(252));
    assert_eq!(sm.idle().dry, 1);
    let write = sm.kernel.with_a(names(1, [None, None, None, Some(8)]));
    assert!(sm.edge(write).a_grant);
    let out = sm.idle();
    assert_eq!(
        (out.starved, out.y3_valid, out.free_packs),
        (true, false, 3)
    );
    // Others go on, and what they release is there for it.
    assert_eq!(sm.write(2, 1), Some(253));
    sm.walk(0, false);
    assert_eq!(sm.write(1, 8), Some(252));
    sm.check_count();
}

#[test]
fn the_table_of_1_kib_names_any_16_registers_from_the_first_renamed_one_on() {
    // RFV 7.1.
    let mut sm = Rtl48x16x1024::default();
    let kernel = RfvTopIn {
        exempt: 4,
        reserved: reserved_packs(4, 48) as u16,
        ..RfvTopIn::default()
    };
    let all = pack_count(1024, 0, 48) as u16;
    sm.edge(&RfvTopIn {
        clear: true,
        pack_count: all,
        ..kernel
    });
    sm.edge(&RfvTopIn {
        cta_launch: true,
        need: 16,
        ..kernel
    });
    assert!(
        sm.edge(&RfvTopIn {
            launch: true,
            warp: 47,
            ..kernel
        })
        .walk_grant
    );
    let cycles = (1..).find(|_| !sm.edge(&kernel).busy);
    assert_eq!(cycles, Some(5), "four rows");
    let mut write = |reg| {
        let issue = Issue {
            warp: 47,
            regs: [None, None, None, Some(reg)],
            ..Issue::default()
        };
        assert!(sm.edge(&kernel.with_a(issue)).a_grant);
        sm.edge(&kernel).packs()[3]
    };
    assert_eq!(
        [3, 4, 19, 20].map(&mut write),
        [Some(4 * 47 + 3), Some(192), Some(195), None]
    );
    for reg in 5..19 {
        assert!(write(reg).is_some());
    }
    // A row gives four packs back at once: all 16 are counted.
    assert_eq!(sm.edge(&kernel).free_packs, all - 16);
    sm.edge(&RfvTopIn {
        exit: true,
        warp: 47,
        ..kernel
    });
    while sm.edge(&kernel).busy {}
    assert_eq!(sm.edge(&kernel).free_packs, all);
}

#[test]
fn a_smaller_file_has_512_packs_to_assign() {
    // RFV 8.1: GPU-shrink.
    assert_eq!(
        [0, 1, 2, 3].map(|shrink| pack_count(1024, shrink, 0)),
        [1024, 716, 612, 512]
    );
    assert_eq!(pack_count(1024, 3, reserved_packs(2, 48)), 512 - 96);
    assert_eq!(pack_count(1024, 3, 200), 0);
}
