//! Sizes of stacks, and how many CTAs have them.

use super::stacks::NoWatermark;
use super::*;
use crate::compiler::calls::Node;

/// The numbers that the text keeps of Figure 4: kernel 20, largest function 10, watermarks 30 and 56.
fn figure_4() -> CallGraph {
    let node = |fru, sites: &[usize]| Node {
        name: String::new(),
        fru,
        sites: sites.iter().map(|&to| vec![to]).collect(),
    };
    CallGraph::new(vec![
        node(20, &[1]),
        node(10, &[2]),
        node(9, &[3]),
        node(10, &[4]),
        node(7, &[]),
    ])
}

fn stacks(watermark: Watermark, share: u32) -> Stacks {
    let cars = Cars {
        watermark,
        ..Cars::default()
    };
    cars.stacks(&figure_4(), share, 1, 2048)
}

#[test]
fn levels_go_from_low_in_steps_of_it_to_high() {
    assert_eq!((figure_4().low(), figure_4().high()), (30, 56));
    let adaptive = stacks(Watermark::Adaptive, 30);
    assert_eq!(adaptive.capacities, [10, 20, 30, 36, 0, 0, 0, 0]);
    assert_eq!((adaptive.top, adaptive.level), (3, None));
    // What else limits the warps leaves two packs each.
    assert_eq!(
        stacks(Watermark::Adaptive, 32).capacities[..4],
        [12, 20, 30, 36]
    );
}

#[test]
fn who_has_room_for_high_gets_all_the_room() {
    let roomy = stacks(Watermark::Adaptive, 64);
    assert_eq!(
        (roomy.capacities[0], roomy.top, roomy.level),
        (44, 0, Some(0))
    );
    assert_eq!(stacks(Watermark::Adaptive, 200).capacities[0], STACK_PACKS);
}

/// High needs 36, and of 60 packs a warp has 40 behind the kernel's, but 28 in whole granules.
#[test]
fn room_for_high_is_what_there_is_and_not_what_granules_leave() {
    let of = |watermark| {
        let cars = Cars {
            watermark,
            ..Cars::default()
        };
        cars.stacks(&figure_4(), 60, 16, 2048)
    };
    let (low, adaptive) = (of(Watermark::Low), of(Watermark::Adaptive));
    assert_eq!(low.capacities[0], 28);
    assert_eq!((adaptive.capacities[0], adaptive.level), (36, Some(0)));
}

#[test]
fn a_watermark_by_hand_is_the_size_of_every_stack() {
    for (watermark, packs) in [
        (Watermark::Low, 10),
        (Watermark::Times(2), 20),
        (Watermark::Times(9), STACK_PACKS),
        (Watermark::High, 36),
    ] {
        let fixed = stacks(watermark, 30);
        assert_eq!(
            (fixed.capacities[0], fixed.level),
            (packs, Some(0)),
            "{watermark:?}"
        );
    }
}

#[test]
fn a_multiple_of_low_by_hand_has_no_share_of_what_is_left_over() {
    for share in [30, 45, 64] {
        let multiples = [2, 3, 4].map(|n| stacks(Watermark::Times(n), share).capacities[0]);
        assert_eq!(multiples, [20, 30, 40]);
        let low = stacks(Watermark::Low, share).capacities[0];
        assert_eq!(u32::from(low), share - 20);
        assert!(stacks(Watermark::High, share).capacities[0] >= low);
    }
}

#[test]
fn a_recursion_has_packs_in_memory_for_as_many_bytes_as_the_convention_has() {
    let node = |fru, sites: &[usize]| Node {
        name: String::new(),
        fru,
        sites: sites.iter().map(|&to| vec![to]).collect(),
    };
    let words = |stack_bytes, fru| {
        let graph = CallGraph::new(vec![node(20, &[1]), node(fru, &[1])]);
        let cars = Cars {
            stack_bytes,
            ..Cars::default()
        };
        cars.recursion_words(&graph)
    };
    assert_eq!(words(RECURSION_STACK_BYTES, 5), 1024);
    assert_eq!(words(4000, 5), 4000);
    // No more calls can be open.
    assert_eq!(words(512 << 10, 5), 5 * 1024);
    // One iteration is there in any case.
    assert_eq!(words(16, 40), 40);
}

#[test]
fn more_levels_than_the_hardware_has_are_spread() {
    let spread = Stacks::between(2, 2, 40);
    assert_eq!(spread.top, 7);
    assert!(spread.capacities.is_sorted() && spread.capacities[0] == 2);
    assert_eq!(spread.largest(), 40);
}

#[test]
fn watermarks_have_names() {
    let read = |text: &str| text.parse::<Watermark>();
    assert_eq!(read("3xlow"), Ok(Watermark::Times(3)));
    assert_eq!(read("high"), Ok(Watermark::High));
    for wrong in ["", "1xlow", "xlow", "0xlow", "High", "low2", "256xlow"] {
        assert_eq!(read(wrong), Err(NoWatermark), "{wrong}");
    }
}
