//! What each request does, and what it does if it makes no sense.

use super::*;

fn a(op: Op, warp: u8) -> In {
    In {
        a_op: op.code(),
        a_warp: warp,
        a_first: 100,
        a_capacity: 4,
        ..In::default()
    }
}

fn b(op: Op, warp: u8) -> In {
    let pins = a(op, warp);
    In {
        b_op: pins.a_op,
        b_warp: warp,
        b_first: 100,
        b_capacity: 4,
        ..In::default()
    }
}

/// A unit in which warp 7 runs with four packs of stack from pack 100 on.
fn launched() -> Both {
    let mut unit = Both::default();
    assert!(unit.edge(a(Op::Launch, 7)).grant);
    unit
}

/// The same, in a function that the kernel called.
fn in_function() -> Both {
    let mut unit = launched();
    assert!(unit.edge(a(Op::Call, 7)).grant);
    unit
}

fn refused(unit: &mut Both, pins: In) {
    let warp = if pins.a_op == 0 {
        pins.b_warp
    } else {
        pins.a_warp
    };
    let before = unit.look_up(warp);
    let out = unit.edge(pins);
    assert_eq!(
        (out.grant, out.trap, out.pack, out.count),
        (false, false, 0, 0)
    );
    assert_eq!(unit.look_up(warp), before);
}

#[test]
fn a_launch_gives_an_empty_stack_and_a_finish_takes_it_away() {
    let mut unit = launched();
    assert_eq!(unit.look_up(7), Some((100, 100, 4)));
    assert_eq!(unit.look_up(8), None);
    assert!(unit.edge(a(Op::Finish, 7)).grant);
    assert_eq!(unit.look_up(7), None);
}

#[test]
fn a_warp_may_finish_inside_a_function_and_be_launched_again() {
    let mut unit = in_function();
    assert!(unit.edge(a(Op::Finish, 7)).grant);
    assert!(unit.edge(a(Op::Launch, 7)).grant);
    assert_eq!(unit.look_up(7), Some((100, 100, 4)));
}

#[test]
fn a_launch_into_a_running_warp_is_refused() {
    refused(&mut in_function(), a(Op::Launch, 7));
}

#[test]
fn a_launch_beyond_the_register_file_is_refused() {
    let at = |a_first| In {
        a_first,
        ..a(Op::Launch, 7)
    };
    refused(&mut Both::default(), at(2045));
    assert!(Both::default().edge(at(2044)).grant);
    assert!(Both::default().edge(at(0)).grant);
}

#[test]
fn a_finish_without_a_launch_is_refused() {
    refused(&mut Both::default(), a(Op::Finish, 7));
}

#[test]
fn a_pop_of_an_empty_frame_is_refused() {
    refused(&mut launched(), a(Op::Pop, 7));
    refused(&mut in_function(), a(Op::Pop, 7));
}

#[test]
fn a_pop_gives_back_the_register_pushed_last() {
    let mut unit = in_function();
    assert_eq!(unit.edge(a(Op::Push, 7)).pack, 101);
    assert_eq!(unit.edge(a(Op::Push, 7)).pack, 102);
    assert_eq!(unit.edge(a(Op::Pop, 7)).pack, 102);
    assert_eq!(unit.look_up(7), Some((101, 102, 2)));
}

#[test]
fn a_return_in_the_kernel_is_refused() {
    refused(&mut launched(), a(Op::Return, 7));
}

#[test]
fn a_push_in_the_kernel_is_refused() {
    refused(&mut launched(), a(Op::Push, 7));
}

#[test]
fn a_push_evicts_the_bottom_but_never_its_own_frame() {
    let mut unit = in_function();
    // The caller's frame: a link. The callee's: a link and one register.
    assert!(unit.edge(a(Op::Call, 7)).grant);
    assert_eq!(unit.edge(a(Op::Push, 7)).pack, 102);
    assert_eq!(unit.edge(a(Op::Push, 7)).pack, 103);
    let trap = unit.edge(a(Op::Push, 7));
    assert_eq!(
        (trap.grant, trap.trap, trap.pack, trap.count),
        (false, true, 100, 1)
    );
    let push = In {
        a_evicted: 1,
        ..a(Op::Push, 7)
    };
    assert_eq!(unit.edge(push).pack, 100);
    // Now the frame fills the window.
    assert_eq!(unit.look_up(7), Some((102, 101, 0)));
    refused(&mut unit, a(Op::Push, 7));
    refused(&mut unit, push);
}

#[test]
fn a_call_that_the_whole_window_cannot_hold_is_refused() {
    let call = |a_fru| In {
        a_fru,
        ..a(Op::Call, 7)
    };
    refused(&mut launched(), call(4));
    refused(&mut in_function(), call(4));
    assert!(launched().edge(call(3)).grant);
    let trap = in_function().edge(call(3));
    assert_eq!((trap.trap, trap.pack, trap.count), (true, 100, 1));
}

#[test]
fn a_call_takes_one_pack_and_leaves_the_others_to_the_pushes() {
    let mut unit = launched();
    let call = In {
        a_fru: 3,
        ..a(Op::Call, 7)
    };
    let out = unit.edge(call);
    assert_eq!((out.pack, out.link, out.link_kernel), (100, 100, true));
    assert_eq!(unit.look_up(7), Some((101, 101, 3)));
    let out = unit.edge(a(Op::Call, 7));
    assert_eq!((out.pack, out.link, out.link_kernel), (101, 101, false));
}

#[test]
fn evicting_more_than_there_is_is_refused() {
    let evicting = |op, a_evicted| In {
        a_evicted,
        ..a(op, 7)
    };
    refused(&mut launched(), evicting(Op::Call, 1));
    refused(&mut in_function(), evicting(Op::Call, 2));
    refused(&mut in_function(), evicting(Op::Push, 1));
    assert!(in_function().edge(evicting(Op::Call, 1)).grant);
}

#[test]
fn a_return_with_a_link_that_cannot_be_one_is_refused() {
    let linked = |a_link, a_link_kernel| In {
        a_link,
        a_link_kernel,
        ..a(Op::Return, 7)
    };
    for link in [99, 104] {
        refused(&mut in_function(), linked(link, false));
    }
    // The kernel's frame is empty, and below it lies nothing.
    refused(&mut in_function(), linked(101, true));
    let mut deep = in_function();
    deep.edge(a(Op::Call, 7));
    refused(&mut deep, linked(101, true));
    assert!(in_function().edge(linked(100, true)).grant);
}

#[test]
fn requests_of_a_warp_without_a_stack_are_refused() {
    for op in [Op::Call, Op::Push, Op::Pop, Op::Return] {
        refused(&mut launched(), a(op, 8));
    }
}

#[test]
fn a_window_that_the_row_does_not_suit_is_refused() {
    for (a_first, a_capacity) in [(102, 4), (98, 3), (100, 2), (100, 0)] {
        let pins = In {
            a_first,
            a_capacity,
            ..a(Op::Call, 7)
        };
        refused(&mut in_function(), pins);
    }
}

#[test]
fn a_stack_without_packs_refuses_everything_but_a_finish() {
    let none = |op| In {
        a_capacity: 0,
        ..a(op, 7)
    };
    let mut unit = Both::default();
    assert!(unit.edge(none(Op::Launch)).grant);
    for op in [Op::Call, Op::Push, Op::Pop, Op::Return] {
        refused(&mut unit, none(op));
    }
    assert!(unit.edge(none(Op::Finish)).grant);
}

#[test]
fn code_7_is_refused() {
    let pins = In {
        a_op: 7,
        ..a(Op::Nothing, 7)
    };
    refused(&mut in_function(), pins);
}

#[test]
fn a_warp_that_does_not_exist_is_refused() {
    let pins = RegisterStackIn::<48, 1024, 63> {
        a_op: Op::Launch.code(),
        a_warp: 50,
        a_capacity: 4,
        ..RegisterStackIn::default()
    };
    let mut unit = Rtl::<48, 1024, 63, 6, 10, 6>::default();
    assert!(!unit.edge(&pins).grant);
    assert!(!unit.outputs(&pins).a_launched);
}

#[test]
fn of_two_requests_the_favoured_port_is_served_and_the_other_changes_nothing() {
    for favor_b in [false, true] {
        let mut unit = Both::default();
        let out = unit.edge(In {
            favor_b,
            a_op: Op::Launch.code(),
            a_warp: 1,
            a_capacity: 4,
            ..b(Op::Launch, 2)
        });
        assert_eq!((out.served_b, out.grant), (favor_b, true));
        assert_eq!(unit.look_up(1).is_some(), !favor_b);
        assert_eq!(unit.look_up(2).is_some(), favor_b);
    }
}

#[test]
fn a_port_that_asks_alone_is_served() {
    for favor_b in [false, true] {
        let mut unit = Both::default();
        let out = unit.edge(In {
            favor_b,
            ..b(Op::Launch, 2)
        });
        assert!(out.served_b && out.grant);
        let out = unit.edge(In {
            favor_b,
            ..a(Op::Launch, 1)
        });
        assert!(!out.served_b && out.grant);
    }
}

#[test]
fn clear_ends_all_stacks_and_wins_over_requests() {
    let mut unit = in_function();
    let out = unit.edge(In {
        clear: true,
        ..a(Op::Push, 7)
    });
    assert_eq!((out.grant, out.a_launched), (false, true));
    assert_eq!(unit.look_up(7), None);
    let out = unit.edge(In {
        clear: true,
        ..a(Op::Launch, 7)
    });
    assert!(!out.grant);
    assert_eq!(unit.look_up(7), None);
}

#[test]
fn all_64_warps_keep_stacks_of_their_own() {
    let mut unit = Both::default();
    let window = |op, warp: u8| In {
        a_first: u16::from(warp) * 32,
        a_capacity: 32,
        ..a(op, warp)
    };
    for warp in 0..64 {
        assert!(unit.edge(window(Op::Launch, warp)).grant);
    }
    for warp in 0..64 {
        for _ in 0..=warp % 31 {
            assert!(unit.edge(window(Op::Call, warp)).grant);
        }
    }
    for warp in 0..64 {
        let depth = warp % 31 + 1;
        let top = u16::from(warp) * 32 + u16::from(depth);
        assert_eq!(unit.look_up(warp), Some((top, top, 32 - depth)));
    }
}

#[test]
fn the_protocol_of_the_readme() {
    let mut unit = launched();
    // S1 with two registers, the first function of the kernel.
    for op in [Op::Call, Op::Push, Op::Push] {
        assert!(unit.edge(a(op, 7)).grant);
    }
    let call = |a_evicted| In {
        a_fru: 2,
        a_evicted,
        ..a(Op::Call, 7)
    };
    let trap = unit.edge(call(0));
    assert_eq!((trap.trap, trap.pack, trap.count), (true, 100, 2));
    let out = unit.edge(call(2));
    assert_eq!(
        (out.grant, out.pack, out.count, out.link),
        (true, 103, 0, 101)
    );
    for op in [Op::Push, Op::Push] {
        assert!(unit.edge(a(op, 7)).grant);
    }
    let out = unit.edge(In {
        a_link: 101,
        ..a(Op::Return, 7)
    });
    assert_eq!((out.grant, out.pack, out.count), (true, 100, 2));
    assert_eq!(unit.look_up(7), Some((101, 103, 1)));
}
