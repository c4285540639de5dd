//! Which packs each warp has: one range for each, the first that is free.

use crate::ids::WarpSlot;

/// Packs from `first` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    pub first: u16,
    pub count: u16,
}

impl Range {
    fn end(self) -> u16 {
        self.first + self.count
    }

    /// Whether the two have a pack in common.
    pub fn meets(self, other: Range) -> bool {
        self.first < other.end() && other.first < self.end()
    }
}

/// The ranges of all warps.
pub struct Allotments {
    packs: u16,
    ranges: [Option<Range>; 64],
    /// Warps whose range somebody else may have meanwhile, a bit each.
    lent: u64,
}

impl Allotments {
    /// `packs` packs, all free.
    pub fn new(packs: u16) -> Self {
        Allotments {
            packs,
            ranges: [None; 64],
            lent: 0,
        }
    }

    /// The range of a warp, also while it is lent.
    pub fn of(&self, warp: WarpSlot) -> Option<Range> {
        self.ranges[warp.index()]
    }

    fn in_use(&self) -> impl Iterator<Item = Range> + '_ {
        let ranges = self.ranges.iter().enumerate();
        ranges.filter_map(|(warp, range)| range.filter(|_| self.lent >> warp & 1 == 0))
    }

    /// Whether nobody has a pack of this range now.
    pub fn is_free(&self, range: Range) -> bool {
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
    pub fn fits(&self, count: u16) -> bool {
        self.find(count).is_some()
    }

    /// Gives a warp a range, if one is free.
    pub fn give(&mut self, warp: WarpSlot, count: u16) {
        self.ranges[warp.index()] = self.find(count);
    }

    /// The warp has no range any more.
    pub fn give_back(&mut self, warp: WarpSlot) {
        self.ranges[warp.index()] = None;
        self.lent &= !(1 << warp.0);
    }

    /// The range stays the warp's, but others may have it until it is taken back.
    pub fn lend(&mut self, warp: WarpSlot) {
        self.lent |= 1 << warp.0;
    }

    /// The warp has its range again.
    pub fn take_back(&mut self, warp: WarpSlot) {
        self.lent &= !(1 << warp.0);
    }
}
