//! Sentences and examples of the paper.

use super::machine::{Content, Machine};

#[test]
fn figure_3_a_call_pushes_the_rfp_and_three_pushes_rename_r16_to_r18() {
    let mut sm = Machine::default();
    // 20 registers of the kernel from pack 100 on, then ten packs of stack.
    sm.launch(0, 120, 10);
    assert_eq!(sm.unit.look_up(0), Some((120, 120, 10)));
    assert_eq!(sm.call(0, 3, 0).pack, 120);
    assert_eq!(sm.packs[120], Content::Link(120, true));
    assert_eq!(sm.unit.look_up(0), Some((121, 121, 9)));
    assert_eq!([0; 3].map(|_| sm.push(0).pack), [121, 122, 123]);
    assert_eq!(sm.unit.look_up(0), Some((121, 124, 6)));
    sm.check(0);
    sm.unwind(0);
    assert_eq!(sm.unit.look_up(0), Some((120, 120, 10)));
}

#[test]
fn figure_4_a_stack_of_10_holds_one_call_of_the_largest_function_and_traps_on_the_next() {
    // FRU 10, the packs that a call of the largest function takes: its link and nine registers. Low-watermark is 20 + 10.
    let mut sm = Machine::default();
    sm.launch(0, 20, 30 - 20);
    assert_eq!(sm.function(0, 9).evicted, 0);
    assert_eq!(sm.free(0), 0);
    let next = sm.function(0, 9);
    assert_eq!((next.grant, next.evicted), (true, 10));
    assert_eq!(sm.unwind(0).filled, 10);
    sm.check(0);
}

#[test]
fn figure_4_a_stack_of_36_holds_a_chain_of_that_depth_without_a_trap() {
    // High-watermark is 20 + 36. The figure's chain is lost; any of functions that take 36 packs together will do.
    let mut sm = Machine::default();
    sm.launch(0, 20, 56 - 20);
    let chain = [10, 10, 9, 7];
    assert_eq!(chain.iter().sum::<u8>(), 36);
    for packs in chain {
        assert_eq!(sm.function(0, packs - 1).evicted, 0);
    }
    assert_eq!(sm.free(0), 0);
    for _ in chain {
        sm.check(0);
        assert_eq!(sm.unwind(0).filled, 0);
    }
    assert_eq!(sm.unit.look_up(0), Some((20, 20, 36)));
}

#[test]
fn figure_6_the_eighth_function_evicts_the_bottom_and_goes_around() {
    let mut sm = Machine::default();
    sm.launch(5, 1000, 32);
    // Seven functions of four packs each; S8 takes eight, and four are free.
    for _ in 1..=7 {
        assert_eq!(sm.function(5, 3).evicted, 0);
    }
    let s8 = sm.function(5, 7);
    assert_eq!((s8.evicted, s8.pack), (4, 1028));
    assert_eq!(sm.programs[5].memory.len(), 4, "S1 is in memory");
    // It lies on the last four packs of the window and on the four that S1 left.
    assert_eq!(sm.unit.look_up(5), Some((1029, 1004, 0)));
    sm.check(5);
    assert_eq!(sm.unwind(5).filled, 0);
    for function in (1..=6).rev() {
        // S1 is filled when it is in control again, not before.
        let filled = sm.unwind(5).filled;
        assert_eq!(filled, if function == 1 { 4 } else { 0 });
        sm.check(5);
    }
    assert_eq!(sm.unwind(5).filled, 0);
    assert!(sm.programs[5].memory.is_empty());
    assert_eq!(sm.unit.look_up(5), Some((1000, 1000, 32)));
}

#[test]
fn if_s1_is_not_enough_more_frames_are_evicted() {
    let mut sm = Machine::default();
    sm.launch(5, 0, 32);
    for _ in 1..=7 {
        sm.function(5, 3);
    }
    assert_eq!(sm.function(5, 14).evicted, 15 - 4);
    sm.check(5);
    for _ in 0..7 {
        sm.unwind(5);
        sm.check(5);
    }
}

#[test]
fn the_trap_handler_may_save_the_whole_bottom_frame() {
    let mut sm = Machine::default();
    sm.launch(5, 0, 16);
    for _ in 1..=4 {
        sm.function(5, 3);
    }
    // One pack is missing, the frame at the bottom has four.
    assert_eq!(sm.call(5, 0, 3).evicted, 4);
    assert_eq!(sm.free(5), 3);
    for expected in [0, 0, 0, 4] {
        assert_eq!(sm.unwind(5).filled, expected);
        sm.check(5);
    }
}

#[test]
fn a_recursion_of_200_calls_comes_back_with_every_register() {
    for capacity in [3, 4, 7, 63] {
        let mut sm = Machine::default();
        sm.launch(63, 2048 - u16::from(capacity), capacity);
        for _ in 0..200 {
            assert!(sm.function(63, 2).grant);
            sm.check(63);
        }
        assert_eq!(
            sm.programs[63].memory.len(),
            600 - 600.min(usize::from(capacity))
        );
        for _ in 0..199 {
            assert!(sm.unwind(63).grant);
            sm.check(63);
        }
        assert!(sm.unwind(63).grant && sm.programs[63].memory.is_empty());
        assert_eq!(sm.free(63), capacity);
    }
}

#[test]
fn fibonacci_that_calls_twice_finds_its_registers_after_both() {
    fn fib(sm: &mut Machine, n: u32) -> u32 {
        assert!(sm.function(1, 2).grant);
        let value = if n < 2 {
            n
        } else {
            fib(sm, n - 1) + fib(sm, n - 2)
        };
        sm.check(1);
        assert!(sm.unwind(1).grant);
        value
    }
    let mut sm = Machine::default();
    sm.launch(1, 700, 5);
    assert_eq!(fib(&mut sm, 8), 21);
    assert_eq!(sm.unit.look_up(1).map(|(_, _, free)| free), Some(5));
}
