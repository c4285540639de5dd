use super::*;
use crate::ids::WarpSlot;

#[test]
fn a_range_is_the_lowest_that_is_free() {
    let mut packs = Allotments::new(100);
    let [a, b, c, d] = [0, 1, 2, 3].map(WarpSlot);
    packs.give(a, 40);
    packs.give(b, 30);
    packs.give(c, 30);
    assert!(!packs.fits(1));
    packs.give_back(b);
    packs.give(d, 20);
    assert_eq!(
        packs.of(d),
        Some(Range {
            first: 40,
            count: 20
        })
    );
    assert!(packs.fits(10) && !packs.fits(11));
}

#[test]
fn a_lent_range_can_be_had_by_others_and_is_not_free_until_they_leave() {
    let mut packs = Allotments::new(64);
    let [a, b] = [0, 1].map(WarpSlot);
    packs.give(a, 64);
    packs.lend(a);
    packs.give(b, 32);
    let range = packs.of(a).unwrap();
    assert!(!packs.is_free(range));
    packs.give_back(b);
    assert!(packs.is_free(range));
    packs.take_back(a);
    assert!(!packs.fits(1));
}
