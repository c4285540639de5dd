//! Which packs each warp has: one range for each, the first that is free.

use crate::ids::WarpSlot;

/// Packs from `first` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: u16,
    pub(super) count: u16,
}

impl Range {
    fn end(self) -> u16 {
        self.first + self.count
    }

    /// Whether the two have a pack in common.
    pub(super) fn meets(self, other: Range) -> bool {
        self.first < other.end() && other.first < self.end()
    }
}

/// The ranges of all warps.
pub(super) struct Allotments {
    packs: u16,
    ranges: [Option<Range>; 64],
    /// Warps whose range somebody else may have meanwhile, a bit each.
    lent: u64,
}

impl Allotments {
    /// `packs` packs, all free.
    pub(super) fn new(packs: u16) -> Self {
        Allotments {
            packs,
            ranges: [None; 64],
            lent: 0,
        }
    }

    /// The range of a warp, also while it is lent.
    pub(super) fn of(&self, warp: WarpSlot) -> Option<Range> {
        self.ranges[warp.index()]
    }

    fn in_use(&self) -> impl Iterator<Item = Range> + '_ {
        let ranges = self.ranges.iter().enumerate();
        ranges.filter_map(|(warp, range)| range.filter(|_| self.lent >> warp & 1 == 0))
    }

    /// Whether nobody has a pack of this range now.
    pub(super) fn is_free(&self, range: Range) -> bool {
        self.in_use().all(|used| !used.meets(range))
    }

    /// The lowest free range of that size: it begins where another ends, or at 0.
    fn find(&self, count: u16) -> Option<Range> {
        let starts = std::iter::once(0).chain(self.in_use().map(Range::end));
        starts
            .map(|first| Range { first, count })
            .filter(|&range| range.end() <= self.packs && self.is_free(range))
            .min_by_key(|range| range.first)
    }

    /// Whether there is a free range of that size.
    pub(super) fn fits(&self, count: u16) -> bool {
        self.find(count).is_some()
    }

    /// Gives a warp a range, if one is free.
    pub(super) fn give(&mut self, warp: WarpSlot, count: u16) {
        self.ranges[warp.index()] = self.find(count);
    }

    /// The warp has no range any more.
    pub(super) fn give_back(&mut self, warp: WarpSlot) {
        self.ranges[warp.index()] = None;
        self.lent &= !(1 << warp.0);
    }

    /// The range stays the warp's, but others may have it until it is taken back.
    pub(super) fn lend(&mut self, warp: WarpSlot) {
        self.lent |= 1 << warp.0;
    }

    /// The warp has its range again.
    pub(super) fn take_back(&mut self, warp: WarpSlot) {
        self.lent &= !(1 << warp.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
