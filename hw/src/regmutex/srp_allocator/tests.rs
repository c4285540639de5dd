use super::model::Model;
use super::rtl::{Rtl, SrpAllocator8, SrpAllocator48, SrpAllocator64};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod settled;
mod stateful;

type In = SrpAllocatorIn<48>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<48>, Rtl<48, 12, 6, 6>);

impl Both {
    fn cleared(section_count: u8) -> Self {
        let mut both = Self::default();
        both.edge(In {
            clear: true,
            section_count,
            ..In::default()
        });
        both
    }
    fn edge(&mut self, pins: In) -> SrpAllocatorOut<48> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn look_up(&mut self, warp: u8) -> (bool, u8) {
        let pins = In {
            a_warp: warp,
            ..In::default()
        };
        assert_eq!(self.0.outputs(&pins), self.1.outputs(&pins));
        let out = self.1.outputs(&pins);
        (out.a_held, out.a_section)
    }
    /// Port a alone; the section if granted.
    fn acquire(&mut self, warp: u8) -> Option<u8> {
        let out = self.edge(a(warp, false));
        out.a_grant.then_some(out.a_section)
    }
    fn release(&mut self, warp: u8) -> bool {
        self.edge(a(warp, true)).a_grant
    }
}

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
fn lowest_free_section_is_granted() {
    let mut unit = Both::cleared(26);
    assert_eq!(
        [7, 40, 3].map(|warp| unit.acquire(warp)),
        [Some(0), Some(1), Some(2)]
    );
    assert!(unit.release(40));
    assert_eq!(unit.acquire(47), Some(1));
}

#[test]
fn released_section_is_granted_one_cycle_later() {
    let mut unit = Both::cleared(1);
    assert_eq!(unit.acquire(5), Some(0));
    let out = unit.edge(and_b(a(6, false), 5, true));
    assert_eq!((out.a_grant, out.b_grant), (false, true));
    assert_eq!(unit.acquire(6), Some(0));
}

#[test]
fn worked_example_of_24_registers_serves_26_of_48_warps() {
    // (1024 - 48 * 18) / 6 = 26 sections (RegMutex III-A2).
    let mut unit = Both::cleared(26);
    let granted: Vec<_> = (0..48).filter_map(|warp| unit.acquire(warp)).collect();
    assert_eq!(granted, (0..26).collect::<Vec<_>>());
}

#[test]
fn second_acquire_is_granted_and_changes_nothing() {
    let mut unit = Both::cleared(2);
    assert_eq!([unit.acquire(9), unit.acquire(9)], [Some(0), Some(0)]);
    assert_eq!([unit.acquire(10), unit.acquire(11)], [Some(1), None]);
}

#[test]
fn second_release_is_granted_and_changes_nothing() {
    let mut unit = Both::cleared(1);
    assert_eq!(unit.acquire(9), Some(0));
    assert_eq!(
        [unit.release(9), unit.release(9), unit.release(30)],
        [true, true, true]
    );
    assert_eq!([unit.acquire(10), unit.acquire(11)], [Some(0), None]);
}

#[test]
fn sections_beyond_the_count_stay_reserved() {
    let mut unit = Both::cleared(3);
    for round in 0..3 {
        let warps = [round, 20 + round, 40 + round];
        assert_eq!(
            warps.map(|warp| unit.acquire(warp)),
            [Some(0), Some(1), Some(2)]
        );
        assert_eq!(unit.acquire(47), None);
        assert_eq!(warps.map(|warp| unit.release(warp)), [true; 3]);
    }
}

#[test]
fn release_is_served_before_an_acquire_whichever_port_is_favoured() {
    for favor_b in [false, true] {
        let mut unit = Both::cleared(2);
        unit.acquire(1);
        let out = unit.edge(In {
            favor_b,
            ..and_b(a(2, false), 1, true)
        });
        assert_eq!((out.a_grant, out.b_grant), (false, true));
    }
}

#[test]
fn favoured_port_wins_a_tie_of_acquires() {
    for favor_b in [false, true] {
        let mut unit = Both::cleared(2);
        let out = unit.edge(In {
            favor_b,
            ..and_b(a(2, false), 3, false)
        });
        assert_eq!((out.a_grant, out.b_grant), (!favor_b, favor_b));
    }
}

#[test]
fn favoured_port_wins_a_tie_of_releases() {
    for favor_b in [false, true] {
        let mut unit = Both::cleared(2);
        unit.acquire(2);
        unit.acquire(3);
        let out = unit.edge(In {
            favor_b,
            ..and_b(a(2, true), 3, true)
        });
        assert_eq!((out.a_grant, out.b_grant), (!favor_b, favor_b));
        assert_eq!((unit.look_up(2).0, unit.look_up(3).0), (favor_b, !favor_b));
    }
}

#[test]
fn a_request_that_changes_nothing_is_granted_beside_one_that_does() {
    let mut unit = Both::cleared(2);
    unit.acquire(2);
    let out = unit.edge(and_b(a(2, false), 3, false));
    assert_eq!((out.a_grant, out.b_grant, out.b_section), (true, true, 1));
}

#[test]
fn port_b_is_refused_while_port_a_asks_for_the_same_warp() {
    let mut unit = Both::cleared(2);
    unit.acquire(2);
    for (a_release, b_release) in [(false, true), (true, false), (true, true)] {
        let out = unit.edge(In {
            favor_b: true,
            ..and_b(a(2, a_release), 2, b_release)
        });
        assert!(!out.b_grant);
        assert_eq!(unit.look_up(2).0, !a_release);
        unit.acquire(2);
    }
}

#[test]
fn clear_wins_over_requests() {
    let mut unit = Both::cleared(48);
    unit.acquire(2);
    let out = unit.edge(In {
        clear: true,
        section_count: 1,
        ..and_b(a(2, true), 3, false)
    });
    assert_eq!((out.a_grant, out.b_grant, out.a_held), (false, false, true));
    assert_eq!((unit.look_up(2).0, unit.look_up(3).0), (false, false));
    assert_eq!([unit.acquire(9), unit.acquire(10)], [Some(0), None]);
}

#[test]
fn a_section_count_above_the_warps_means_all() {
    let mut unit = Both::cleared(63);
    assert!((0..48).all(|warp| unit.acquire(warp) == Some(warp)));
}

#[test]
fn a_warp_that_does_not_exist_holds_nothing_and_is_refused() {
    let mut unit = Both::cleared(48);
    assert_eq!(
        (unit.acquire(48), unit.release(63), unit.look_up(50)),
        (None, false, (false, 0))
    );
}

#[test]
fn all_48_sections_are_free_at_power_on() {
    let mut unit = Both::default();
    assert!((0..48).all(|warp| unit.acquire(warp) == Some(warp)));
}

#[test]
fn a_lookup_changes_nothing() {
    let mut unit = Both::cleared(2);
    unit.acquire(5);
    assert_eq!(
        [unit.look_up(5), unit.look_up(6), unit.look_up(5)],
        [(true, 0), (false, 0), (true, 0)]
    );
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(SrpAllocator48::new());
    check_block(SrpAllocator64::new());
    check_block(SrpAllocator8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48>, _>(SrpAllocator48::new());
    check_ports::<Model<64>, _>(SrpAllocator64::new());
    check_ports::<Model<8>, _>(SrpAllocator8::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows::<48>()) {
        agree(Model::<48>::default(), Rtl::<48, 12, 6, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in strategy::rows::<64>()) {
        agree(Model::<64>::default(), Rtl::<64, 16, 6, 7>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in strategy::rows::<8>()) {
        agree(Model::<8>::default(), Rtl::<8, 2, 3, 4>::default(), &rows)?;
    }
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48>>(include_str!("README.md"));
}
