use super::model::{PairBitModel, WarpBitModel};
use super::strategy::rows;
use super::{PairedLockIn, pair_bit, warp_bit};
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod stateful;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pair_bit_model_and_rtl_agree_on_any_pins(rows in rows::<48>()) {
        agree(PairBitModel::<48>::default(), pair_bit::Rtl::<48, 24, 6, 6>::default(), &rows)?;
    }
    #[test]
    fn pair_bit_model_and_rtl_agree_with_8_warps(rows in rows::<8>()) {
        agree(PairBitModel::<8>::default(), pair_bit::Rtl::<8, 4, 1, 3>::default(), &rows)?;
    }
    #[test]
    fn warp_bit_model_and_rtl_agree_on_any_pins(rows in rows::<48>()) {
        agree(WarpBitModel::<48>::default(), warp_bit::Rtl::<48, 24, 6, 6>::default(), &rows)?;
    }
    #[test]
    fn warp_bit_model_and_rtl_agree_with_8_warps(rows in rows::<8>()) {
        agree(WarpBitModel::<8>::default(), warp_bit::Rtl::<8, 4, 1, 3>::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(pair_bit::PairedLock48::new());
    check_block(pair_bit::PairedLock64::new());
    check_block(pair_bit::PairedLock16::new());
    check_block(pair_bit::PairedLock8::new());
    check_block(warp_bit::SafePairedLock48::new());
    check_block(warp_bit::SafePairedLock64::new());
    check_block(warp_bit::SafePairedLock16::new());
    check_block(warp_bit::SafePairedLock8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<PairBitModel<48>, _>(pair_bit::PairedLock48::new());
    check_ports::<WarpBitModel<48>, _>(warp_bit::SafePairedLock48::new());
}

type In = PairedLockIn<48>;

fn a(warp: u8, release: bool) -> In {
    In {
        a_valid: true,
        a_release: release,
        a_warp: warp,
        ..In::default()
    }
}

fn and_b(pins: In, warp: u8, release: bool) -> In {
    In {
        b_valid: true,
        b_release: release,
        b_warp: warp,
        ..pins
    }
}

#[test]
fn partner_waits_until_the_set_is_released() {
    let mut lock = warp_bit::Rtl::<48, 24, 6, 6>::default();
    assert!(lock.edge(&a(10, false)).a_grant);
    assert!(!lock.edge(&a(11, false)).a_grant);
    assert!(lock.edge(&a(10, true)).a_grant);
    assert!(lock.edge(&a(11, false)).a_grant);
}

#[test]
fn pairs_do_not_disturb_each_other() {
    let mut lock = pair_bit::Rtl::<48, 24, 6, 6>::default();
    let out = lock.edge(&and_b(a(10, false), 12, false));
    assert_eq!((out.a_grant, out.b_grant), (true, true));
}

#[test]
fn favoured_port_wins_when_both_warps_of_a_pair_acquire() {
    for favor_b in [false, true] {
        let pins = In {
            favor_b,
            ..and_b(a(10, false), 11, false)
        };
        let safe = warp_bit::Rtl::<48, 24, 6, 6>::default().edge(&pins);
        let paper = pair_bit::Rtl::<48, 24, 6, 6>::default().edge(&pins);
        assert_eq!((safe.a_grant, safe.b_grant), (!favor_b, favor_b));
        assert_eq!((paper.a_grant, paper.b_grant), (!favor_b, favor_b));
    }
}

#[test]
fn a_set_is_never_granted_in_the_cycle_that_frees_it() {
    let mut safe = warp_bit::Rtl::<48, 24, 6, 6>::default();
    let mut paper = pair_bit::Rtl::<48, 24, 6, 6>::default();
    for lock in [
        &mut safe as &mut dyn Clocked<In = In, Out = super::PairedLockOut<48>>,
        &mut paper,
    ] {
        lock.edge(&a(10, false));
        let out = lock.edge(&and_b(a(10, true), 11, false));
        assert_eq!((out.a_grant, out.b_grant), (true, false));
        assert!(lock.edge(&a(11, false)).a_grant);
    }
}

#[test]
fn two_releases_of_one_pair_in_one_cycle_free_its_set() {
    let mut lock = pair_bit::Rtl::<48, 24, 6, 6>::default();
    lock.edge(&a(10, false));
    let out = lock.edge(&and_b(a(10, true), 11, true));
    assert_eq!((out.a_grant, out.b_grant), (true, true));
    assert!(lock.edge(&a(11, false)).a_grant);
}

#[test]
fn the_papers_bit_does_not_know_the_holder() {
    let mut lock = pair_bit::Rtl::<48, 24, 6, 6>::default();
    lock.edge(&a(10, false));
    assert!(
        !lock.edge(&a(10, false)).a_grant,
        "a second acquire by the holder waits for itself"
    );
    assert!(
        lock.edge(&a(11, true)).a_grant,
        "a release by the partner frees what it never held"
    );
    assert!(lock.edge(&a(11, false)).a_grant);
}

#[test]
fn the_safe_lock_knows_the_holder() {
    let mut lock = warp_bit::Rtl::<48, 24, 6, 6>::default();
    lock.edge(&a(10, false));
    assert!(
        lock.edge(&a(10, false)).a_grant,
        "a second acquire has no effect"
    );
    assert!(
        lock.edge(&a(11, true)).a_grant,
        "a release by another warp has no effect"
    );
    assert!(!lock.edge(&a(11, false)).a_grant);
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<WarpBitModel<48>>(include_str!("README.md"));
}
