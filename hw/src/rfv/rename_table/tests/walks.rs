//! Starts and ends of warps, and `clear`.

use super::*;

#[test]
fn end_of_a_warp_gives_all_its_packs_back_in_sixteen_cycles() {
    let mut unit: Both = Both::default();
    for x in [0, 1, 2, 3, 31, 59, 60, 61, 62] {
        unit.map(47, x, 500 + u16::from(x));
    }
    unit.map(46, 5, 405);
    let exit = In {
        exit: true,
        warp: 47,
        ..In::default()
    };
    let (given, cycles) = unit.walk(exit);
    assert_eq!((given.len(), cycles), (9, 16));
    assert_eq!((given.first(), given.last()), (Some(&500), Some(&562)));
    assert!((0..63).all(|x| unit.look_up(47, x).is_none()));
    assert_eq!(unit.look_up(46, 5), Some(405));
}

#[test]
fn last_row_of_one_warp_in_the_short_bank_is_not_the_first_of_the_next() {
    let mut unit: Both = Both::default();
    unit.map(10, 59, 403);
    unit.map(11, 3, 407);
    let exit = In {
        exit: true,
        warp: 10,
        ..In::default()
    };
    assert_eq!(unit.walk(exit).0, [403].into());
    assert_eq!(unit.look_up(11, 3), Some(407));
}

#[test]
fn start_of_a_warp_forgets_its_packs() {
    let mut unit: Both = Both::default();
    unit.map(5, 40, 400);
    let launch = In {
        launch: true,
        exit: true,
        warp: 5,
        ..In::default()
    };
    assert_eq!(unit.walk(launch), (BTreeSet::new(), 16));
    assert_eq!(unit.look_up(5, 40), None);
}

#[test]
fn the_request_after_a_walk_is_served_while_it_ends() {
    let mut unit: Both = Both::default();
    unit.edge(In {
        exit: true,
        warp: 9,
        ..In::default()
    });
    let ask = In::default().with_operands([Some((1, false)), None, None, None]);
    let served: Vec<_> = (0..16).map(|_| unit.edge(ask).served).collect();
    assert_eq!((served[14], served[15]), (0, 1));
}

#[test]
fn clear_ends_a_walk_and_drops_the_request() {
    let mut unit: Both = Both::default();
    unit.map(0, 1, 401);
    unit.edge(In {
        exit: true,
        ..In::default()
    });
    let ask = In::default().with_operands([Some((1, false)); 4]);
    let out = unit.edge(In { clear: true, ..ask });
    assert!(out.busy && out.served == 0);
    let out = unit.idle();
    assert!(!out.busy && out.packs() == [None; 4]);
}
