use super::model::Model;
use super::rtl::{Rtl, ScratchpadLock16x8, ScratchpadLock48x8, ScratchpadLock64x32};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod stateful;

type In = ScratchpadLockIn<48, 8>;
type Rtl48x8 = Rtl<48, 8, 6, 3, 5, 17, 4>;
type Rtl64x32 = Rtl<64, 32, 6, 5, 6, 17, 16>;
type Rtl16x8 = Rtl<16, 8, 4, 3, 4, 17, 4>;

/// Model and RTL side by side; every answer is the one both give.
struct Both {
    model: Model<48, 8>,
    rtl: Rtl48x8,
    warps_per_cta: u8,
}

/// lavaMD: of 7200 bytes a tenth is private at t = 0.1.
const PRIVATE: u32 = 720;

impl Both {
    /// A kernel that shares scratchpad, with these pairs.
    fn with(warps_per_cta: u8, pairs: &[(u8, u8)]) -> Self {
        let mut both = Self {
            model: Model::default(),
            rtl: Rtl48x8::default(),
            warps_per_cta,
        };
        both.edge(In {
            clear: true,
            share: true,
            ..In::default()
        });
        for &(cta, partner) in pairs {
            assert!(both.pair(cta, partner), "{cta} with {partner}");
        }
        both
    }
    fn edge(&mut self, pins: In) -> ScratchpadLockOut<48, 8> {
        let pins = In {
            warps_per_cta: self.warps_per_cta,
            private_bytes: PRIVATE,
            ..pins
        };
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn now(&mut self) -> ScratchpadLockOut<48, 8> {
        self.edge(In::default())
    }
    fn pair(&mut self, cta: u8, partner: u8) -> bool {
        let pins = In {
            pair: true,
            cta,
            partner,
            ..In::default()
        };
        self.edge(pins).pair_grant
    }
    /// Access on port a: may it go on?
    fn access(&mut self, warp: u8, address: u32) -> bool {
        self.edge(access(warp, address)).a_grant
    }
    /// Access to the first shared byte.
    fn lock(&mut self, warp: u8) -> bool {
        self.access(warp, PRIVATE)
    }
    /// Whether the CTA of `warp` holds.
    fn holds(&mut self, warp: u8) -> bool {
        let out = self.edge(In {
            a_warp: warp,
            b_warp: warp,
            ..In::default()
        });
        assert_eq!(out.a_held, out.b_held);
        out.a_held
    }
    fn end(&mut self, cta: u8) {
        self.edge(end(cta));
    }
}

fn access(a_warp: u8, a_address: u32) -> In {
    In {
        a_valid: true,
        a_warp,
        a_address,
        ..In::default()
    }
}

fn end(cta: u8) -> In {
    In {
        exit: true,
        cta,
        ..In::default()
    }
}

/// Both ports access the first shared byte.
fn both_lock(a_warp: u8, b_warp: u8) -> In {
    In {
        b_valid: true,
        b_warp,
        b_address: PRIVATE,
        ..access(a_warp, PRIVATE)
    }
}

/// Bits of the warps `from .. to`.
fn warps(from: u8, to: u8) -> u64 {
    (from..to).fold(0, |mask, warp| mask | 1 << warp)
}

#[test]
fn an_unshared_cta_accesses_all_its_scratchpad_directly() {
    // Figure 4, step (b).
    let mut unit = Both::with(6, &[(0, 7)]);
    for warp in [6, 41] {
        assert!(unit.access(warp, 0) && unit.access(warp, 0x1_ffff));
        assert!(!unit.holds(warp));
    }
}

#[test]
fn a_shared_cta_accesses_its_private_bytes_without_the_lock() {
    // Figure 4, step (c).
    let mut unit = Both::with(6, &[(0, 7)]);
    assert!(unit.lock(2));
    assert!(unit.access(44, 0) && unit.access(44, PRIVATE - 1));
    assert!(!unit.holds(44) && !unit.access(44, PRIVATE) && !unit.access(44, 0x1_ffff));
}

#[test]
fn all_threads_of_the_other_cta_wait_until_the_one_that_came_first_has_ended() {
    // III-B: "at which point all threads of TB3 busy-wait till TB2 has finished its execution".
    let mut unit = Both::with(10, &[(0, 3)]);
    assert!(unit.lock(2));
    for warp in 0..10 {
        assert!(
            unit.holds(warp) && unit.lock(warp),
            "the CTA holds, not a warp"
        );
    }
    for warp in 30..40 {
        assert!(!unit.lock(warp) && !unit.holds(warp));
    }
    unit.end(0);
    assert!(!unit.holds(2));
    assert!(unit.lock(32) && unit.holds(39) && !unit.lock(2));
}

#[test]
fn every_pair_can_hold_its_lock_either_way() {
    // Lock 0 must tell CTA 0 from each of the seven that can be its partner, and from nobody.
    for lower in 0..4 {
        for upper in lower + 1..8 {
            for (first, then) in [(lower, upper), (upper, lower)] {
                let mut unit = Both::with(6, &[(lower, upper)]);
                let (one, other) = (6 * first, 6 * then + 5);
                assert!(!unit.holds(one) && !unit.holds(other));
                assert!(unit.lock(one) && unit.holds(one) && !unit.holds(other));
                assert!(!unit.lock(other));
                unit.end(then);
                assert!(unit.holds(one), "who ended held nothing");
                unit.end(first);
                assert!(!unit.holds(one) && !unit.holds(other));
                assert!(unit.lock(other) && unit.holds(other) && !unit.lock(one));
            }
        }
    }
}

#[test]
fn pairs_do_not_hinder_each_other() {
    let mut unit = Both::with(6, &[(0, 7), (1, 4), (2, 3)]);
    assert!(unit.lock(42) && unit.lock(7) && unit.lock(12));
    assert!(!unit.lock(0) && !unit.lock(24) && !unit.lock(18));
    unit.end(1);
    assert!(unit.lock(24) && !unit.lock(0) && !unit.lock(18));
}

#[test]
fn of_two_ctas_that_want_the_lock_the_favoured_port_gets_it() {
    for favor_b in [false, true] {
        let mut unit = Both::with(10, &[(0, 3)]);
        let out = unit.edge(In {
            favor_b,
            ..both_lock(2, 35)
        });
        assert_eq!((out.a_grant, out.b_grant), (!favor_b, favor_b));
        assert_eq!((unit.holds(2), unit.holds(35)), (!favor_b, favor_b));
    }
}

#[test]
fn both_ports_may_ask_for_warps_of_one_cta() {
    let mut unit = Both::with(10, &[(0, 3)]);
    let out = unit.edge(both_lock(30, 39));
    assert!(out.a_grant && out.b_grant && unit.holds(35));
    let mut unit = Both::with(10, &[(0, 3)]);
    let out = unit.edge(both_lock(2, 2));
    assert!(out.a_grant && out.b_grant && unit.holds(2));
}

#[test]
fn two_pairs_take_their_locks_in_one_cycle() {
    let mut unit = Both::with(6, &[(0, 7), (1, 6)]);
    let out = unit.edge(both_lock(0, 36));
    assert!(out.a_grant && out.b_grant && unit.holds(5) && unit.holds(41));
    let mut unit = Both::with(6, &[(0, 7), (1, 6)]);
    let out = unit.edge(both_lock(42, 6));
    assert!(out.a_grant && out.b_grant && unit.holds(47) && unit.holds(11));
}

#[test]
fn the_lock_is_not_given_in_the_cycle_that_frees_it() {
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(2);
    let out = unit.edge(In {
        exit: true,
        ..access(32, PRIVATE)
    });
    assert!(!out.a_grant);
    assert!(unit.lock(32));
}

#[test]
fn a_cta_that_starts_where_one_ends_keeps_the_lock_it_asks_for() {
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(2);
    let out = unit.edge(In {
        exit: true,
        ..access(4, PRIVATE)
    });
    assert!(out.a_grant && unit.holds(4) && !unit.lock(32));
}

#[test]
fn the_end_of_a_cta_beside_a_pair_is_ignored() {
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(2);
    for partner in [2, 3] {
        unit.edge(In {
            pair: true,
            partner,
            ..end(0)
        });
        assert!(unit.holds(2));
    }
}

#[test]
fn the_cta_that_its_partner_waits_for_is_owner_and_hands_over_when_it_ends() {
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(32);
    unit.access(2, 0);
    assert_eq!(unit.now().owner, 0, "nobody waits yet");
    unit.lock(2);
    assert_eq!(unit.now().owner, warps(30, 40));
    unit.end(3);
    assert_eq!(unit.now().owner, warps(0, 10));
    // A new CTA starts in slot 3: it shares with CTA 0 and is not owner.
    assert!(unit.lock(2) && !unit.lock(32));
    assert_eq!(unit.now().owner, warps(0, 10));
    unit.end(3);
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
fn shared_warps_are_those_of_the_ctas_in_pairs() {
    let mut unit = Both::with(6, &[(1, 4)]);
    assert_eq!(unit.now().shared, warps(6, 12) | warps(24, 30));
    assert!(unit.pair(0, 7));
    let all = warps(0, 12) | warps(24, 30) | warps(42, 48);
    assert_eq!(unit.now().shared, all);
}

#[test]
fn a_pair_that_is_made_again_has_no_owner_and_keeps_its_lock() {
    let mut unit = Both::with(6, &[(1, 4), (0, 5)]);
    for (first, then) in [(6, 24), (0, 30)] {
        unit.lock(first);
        unit.lock(then);
    }
    assert!(unit.pair(1, 4));
    assert_eq!(unit.now().owner, warps(0, 6));
    assert!(unit.holds(6));
}

#[test]
fn pairs_that_cannot_be_are_refused() {
    let mut unit = Both::with(6, &[(0, 7)]);
    for (cta, partner, why) in [
        (1, 1, "a CTA and itself"),
        (2, 1, "the upper one first"),
        (0, 3, "CTA 0 has a partner"),
        (1, 7, "CTA 7 has a partner"),
        (4, 5, "both in the upper half"),
    ] {
        assert!(!unit.pair(cta, partner), "{why}");
    }
    let mut unit = Both::with(7, &[]);
    assert!(!unit.pair(0, 6), "warps 42 to 48: there is no warp 48");
    assert!(
        unit.pair(3, 5),
        "locks have the numbers of CTAs, not of warps"
    );
    let mut unit = Both::with(24, &[]);
    assert!(!unit.pair(0, 2) && unit.pair(0, 1));
}

#[test]
fn a_kernel_that_does_not_share_has_no_pairs() {
    let mut unit = Both::with(6, &[(0, 7)]);
    assert!(unit.now().sharing);
    unit.edge(In {
        clear: true,
        ..In::default()
    });
    assert!(!unit.now().sharing && !unit.pair(0, 7));
    assert!(unit.lock(0) && unit.lock(42) && !unit.holds(0));
}

#[test]
fn clear_wins_over_everything() {
    let mut unit = Both::with(6, &[(0, 7)]);
    unit.lock(0);
    unit.lock(42);
    let out = unit.edge(In {
        clear: true,
        share: true,
        pair: true,
        partner: 7,
        ..access(0, 0)
    });
    assert!(!out.pair_grant && !out.a_grant && !out.a_held);
    let out = unit.now();
    assert_eq!((out.shared, out.owner, out.sharing), (0, 0, true));
    assert!(unit.pair(0, 7) && unit.lock(42));
}

#[test]
fn a_warp_that_does_not_exist_gets_nothing() {
    let mut unit = Both::with(6, &[(0, 7)]);
    let out = unit.edge(In {
        b_valid: true,
        b_warp: 48,
        ..access(63, 0)
    });
    assert_eq!(
        (out.a_grant, out.b_grant, out.a_held),
        (false, false, false)
    );
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(ScratchpadLock48x8::new());
    check_block(ScratchpadLock64x32::new());
    check_block(ScratchpadLock16x8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48, 8>, _>(ScratchpadLock48x8::new());
    check_ports::<Model<64, 32>, _>(ScratchpadLock64x32::new());
    check_ports::<Model<16, 8>, _>(ScratchpadLock16x8::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 8>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree(rows in strategy::rows::<48, 8>()) {
        agree(Model::<48, 8>::default(), Rtl48x8::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in strategy::rows::<16, 8>()) {
        agree(Model::<16, 8>::default(), Rtl16x8::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in strategy::rows::<64, 32>()) {
        agree(Model::<64, 32>::default(), Rtl64x32::default(), &rows)?;
    }
}
