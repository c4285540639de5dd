use super::model::Model;
use super::rtl::{PairLock16x8, PairLock48x8, PairLock64x32, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod deadlock;
mod owners;
mod stateful;

type In = PairLockIn<48, 8>;
type Rtl48x8 = Rtl<48, 8, 24, 6, 3, 5, 5, 4>;
type Rtl64x32 = Rtl<64, 32, 32, 6, 5, 6, 5, 16>;
type Rtl16x8 = Rtl<16, 8, 8, 4, 3, 4, 3, 4>;

/// Model and RTL side by side; every answer is the one both give.
struct Both {
    model: Model<48, 8>,
    rtl: Rtl48x8,
    warps_per_cta: u8,
}

/// Of 20 registers 5 are private, as with t = 0.25.
const PRIVATE: u8 = 5;

impl Both {
    /// A kernel that shares registers, with these pairs.
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
    fn edge(&mut self, pins: In) -> PairLockOut<48, 8> {
        let pins = In {
            warps_per_cta: self.warps_per_cta,
            private_regs: PRIVATE,
            ..pins
        };
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn now(&mut self) -> PairLockOut<48, 8> {
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
    /// Access to a register on port a: may it go on?
    fn access(&mut self, warp: u8, reg: u8) -> bool {
        self.edge(access(warp, reg)).a_grant
    }
    /// Access to the first shared register.
    fn lock(&mut self, warp: u8) -> bool {
        self.access(warp, PRIVATE)
    }
    fn holds(&mut self, warp: u8) -> bool {
        let out = self.edge(In {
            a_warp: warp,
            b_warp: warp,
            ..In::default()
        });
        assert_eq!(out.a_held, out.b_held);
        out.a_held
    }
    fn end_warp(&mut self, warp: u8) {
        let out = self.edge(In {
            b_valid: true,
            b_exit: true,
            b_warp: warp,
            ..In::default()
        });
        assert!(out.b_grant, "a warp may always end");
    }
    fn end_cta(&mut self, cta: u8) {
        self.edge(In {
            exit: true,
            cta,
            ..In::default()
        });
    }
}

fn access(a_warp: u8, a_reg: u8) -> In {
    In {
        a_valid: true,
        a_warp,
        a_reg,
        ..In::default()
    }
}

/// Both ports access the first shared register.
fn both_lock(a_warp: u8, b_warp: u8) -> In {
    In {
        b_valid: true,
        b_warp,
        b_reg: PRIVATE,
        ..access(a_warp, PRIVATE)
    }
}

/// Bits of the warps `from .. to`.
fn warps(from: u8, to: u8) -> u64 {
    (from..to).fold(0, |mask, warp| mask | 1 << warp)
}

#[test]
fn an_unshared_warp_accesses_every_register_directly() {
    // Figure 3, step (b).
    let mut unit = Both::with(6, &[(0, 7)]);
    for warp in [6, 41] {
        assert!(unit.access(warp, 0) && unit.access(warp, 255));
        assert!(!unit.holds(warp));
    }
}

#[test]
fn a_shared_warp_accesses_its_private_registers_without_a_lock() {
    // Figure 3, step (c).
    let mut unit = Both::with(6, &[(0, 7)]);
    assert!(unit.lock(2));
    assert!(unit.access(44, 0) && unit.access(44, PRIVATE - 1));
    assert!(!unit.holds(44) && !unit.access(44, PRIVATE) && !unit.access(44, 255));
}

#[test]
fn a_shared_register_needs_the_lock_of_the_pair_which_is_held_until_the_warp_ends() {
    // III-A: "if warp W20 accesses any of the shared registers first ... W30 is prevented ... till W20 finishes".
    let mut unit = Both::with(10, &[(0, 3)]);
    assert!(unit.lock(2) && unit.holds(2));
    assert!(!unit.lock(32) && !unit.holds(32));
    assert!(unit.access(2, 19), "the holder goes on");
    unit.end_warp(2);
    assert!(!unit.holds(2));
    assert!(unit.lock(32) && unit.holds(32) && !unit.lock(2));
}

#[test]
fn warps_share_with_the_warp_at_the_same_place_of_the_partner() {
    let mut unit = Both::with(6, &[(2, 5)]);
    assert!(unit.lock(13) && unit.lock(17));
    unit.end_warp(13);
    unit.end_warp(17);
    assert!(unit.lock(31), "place 1 of CTA 5");
    unit.end_warp(31);
    assert!(unit.lock(13) && unit.holds(13) && !unit.holds(31));
}

#[test]
fn the_first_warp_and_the_last_can_hold_a_lock() {
    // Warp 0 is not to be mistaken for a lock that is free.
    let mut unit = Both::with(6, &[(0, 7)]);
    assert!(unit.lock(0) && unit.holds(0) && !unit.lock(42));
    unit.end_warp(0);
    assert!(unit.lock(42) && unit.holds(42) && !unit.holds(0) && !unit.lock(0));
    assert!(unit.lock(47) && unit.holds(47));
    unit.end_warp(42);
    assert!(!unit.lock(0), "warp 47 still holds");
    unit.end_warp(47);
    assert!(unit.lock(0));
}

#[test]
fn a_cta_takes_no_lock_while_its_partner_holds_any() {
    let mut unit = Both::with(10, &[(0, 3)]);
    assert!(unit.lock(32));
    assert!(!unit.lock(5), "its own lock is free");
    assert!(unit.lock(35), "the other CTA goes on");
    unit.end_warp(32);
    assert!(!unit.lock(2));
    unit.end_warp(35);
    assert!(unit.lock(5));
}

#[test]
fn pairs_do_not_hinder_each_other() {
    let mut unit = Both::with(6, &[(0, 7), (1, 4), (2, 3)]);
    assert!(unit.lock(42) && unit.lock(7) && unit.lock(12));
    assert!(!unit.lock(0) && !unit.lock(24) && !unit.lock(18));
}

#[test]
fn the_shared_registers_of_a_pair_are_those_of_its_lower_warp() {
    let mut unit = Both::with(6, &[(0, 7), (1, 4)]);
    let mut home = |a_warp, b_warp| {
        let out = unit.edge(In {
            a_warp,
            b_warp,
            ..In::default()
        });
        [(out.a_upper, out.a_home), (out.b_upper, out.b_home)]
    };
    assert_eq!(home(42, 47), [(true, 0), (true, 5)]);
    assert_eq!(home(26, 8), [(true, 8), (false, 8)]);
    assert_eq!(
        home(20, 63),
        [(false, 20), (false, 63)],
        "they share with nobody"
    );
}

#[test]
fn of_two_ctas_that_want_their_first_lock_the_favoured_port_gets_its() {
    for favor_b in [false, true] {
        let mut unit = Both::with(10, &[(0, 3)]);
        let out = unit.edge(In {
            favor_b,
            ..both_lock(2, 35)
        });
        assert_eq!((out.a_grant, out.b_grant), (!favor_b, favor_b));
        assert_eq!((unit.holds(2), unit.holds(35)), (!favor_b, favor_b));
        assert_eq!((unit.lock(1), unit.lock(30)), (!favor_b, favor_b));
    }
}

#[test]
fn warps_of_one_cta_take_their_locks_side_by_side() {
    let mut unit = Both::with(10, &[(0, 3)]);
    let out = unit.edge(both_lock(30, 39));
    assert!(out.a_grant && out.b_grant);
    assert!(unit.holds(30) && unit.holds(39));
}

#[test]
fn no_lock_is_given_in_the_cycle_that_frees_it() {
    let mut unit = Both::with(10, &[(0, 3)]);
    unit.lock(2);
    let out = unit.edge(In {
        b_valid: true,
        b_exit: true,
        b_warp: 2,
        ..access(32, PRIVATE)
    });
    assert_eq!((out.a_grant, out.b_grant), (false, true));
    assert!(unit.lock(32));
}

#[test]
fn sharing_bits_are_those_of_the_warps_in_pairs() {
    let mut unit = Both::with(6, &[(1, 4)]);
    assert_eq!(unit.now().shared, warps(6, 12) | warps(24, 30));
    assert!(unit.pair(0, 7));
    let all = warps(0, 12) | warps(24, 30) | warps(42, 48);
    assert_eq!(unit.now().shared, all);
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
    assert_eq!(unit.now().shared, warps(0, 6) | warps(42, 48));
    let mut unit = Both::with(7, &[]);
    assert!(!unit.pair(0, 6), "warps 42 to 48: there is no warp 48");
    assert!(!unit.pair(3, 5), "warps 21 to 27: there are 24 locks");
    assert!(unit.pair(0, 5));
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
        b_valid: true,
        b_exit: true,
        ..access(0, 0)
    });
    assert!(!out.pair_grant && !out.a_grant && !out.b_grant && !out.a_held);
    let out = unit.now();
    assert_eq!((out.shared, out.owner, out.sharing), (0, 0, true));
    assert!(unit.pair(0, 7) && unit.lock(42));
}

#[test]
fn a_warp_that_does_not_exist_gets_nothing() {
    let mut unit = Both::with(6, &[(0, 7)]);
    let out = unit.edge(In {
        b_valid: true,
        b_exit: true,
        b_warp: 48,
        ..access(63, 0)
    });
    assert_eq!(
        (out.a_grant, out.b_grant, out.a_held),
        (false, false, false)
    );
}

#[test]
fn both_ports_may_ask_for_the_same_warp() {
    let mut unit = Both::with(10, &[(0, 3)]);
    let out = unit.edge(both_lock(2, 2));
    assert!(out.a_grant && out.b_grant && unit.holds(2));
}

#[test]
fn every_lock_can_be_held_at_once() {
    let mut unit = Both::with(6, &[(0, 7), (1, 6), (2, 5), (3, 4)]);
    for warp in (0..6).chain(36..42).chain(12..18).chain(24..30) {
        assert!(unit.lock(warp));
    }
    for warp in 0..48 {
        let cta = warp / 6;
        assert_eq!(unit.holds(warp), [0, 6, 2, 4].contains(&cta), "warp {warp}");
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(PairLock48x8::new());
    check_block(PairLock64x32::new());
    check_block(PairLock16x8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48, 8>, _>(PairLock48x8::new());
    check_ports::<Model<64, 32>, _>(PairLock64x32::new());
    check_ports::<Model<16, 8>, _>(PairLock16x8::new());
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
