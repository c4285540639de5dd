//! Events at known cycles in the near future: a ring of buckets, one per cycle.

/// Cycles that the wheel looks ahead.
pub const SPAN: usize = 2048;
const NONE: u16 = u16::MAX;

/// The wheel. An item is in at most one bucket.
#[derive(Clone, Debug)]
pub struct Wheel {
    first: Box<[u16; SPAN]>,
    last: Box<[u16; SPAN]>,
    next: Vec<u16>,
    occupied: [u64; SPAN / 64],
    now: u64,
    waiting: usize,
}

impl Wheel {
    /// An empty wheel at cycle 0.
    pub fn new() -> Self {
        Wheel {
            first: Box::new([NONE; SPAN]),
            last: Box::new([NONE; SPAN]),
            next: Vec::new(),
            occupied: [0; SPAN / 64],
            now: 0,
            waiting: 0,
        }
    }

    /// Puts `item` (below 65535) into the bucket of `cycle`, which is later than now by less than [`SPAN`].
    /// A cycle out of that range is moved to its nearer end.
    pub fn schedule(&mut self, cycle: u64, item: u16) {
        let cycle = cycle.clamp(self.now + 1, self.now + SPAN as u64 - 1);
        let bucket = cycle as usize % SPAN;
        if self.next.len() <= usize::from(item) {
            self.next.resize(usize::from(item) + 1, NONE);
        }
        self.next[usize::from(item)] = NONE;
        if self.first[bucket] == NONE {
            self.first[bucket] = item;
            self.occupied[bucket / 64] |= 1 << (bucket % 64);
        } else {
            self.next[usize::from(self.last[bucket])] = item;
        }
        self.last[bucket] = item;
        self.waiting += 1;
    }

    /// The clock is at `cycle`, not past the next event.
    pub fn advance_to(&mut self, cycle: u64) {
        self.now = cycle;
    }

    /// An item of the present cycle, in the order in which they were put in.
    #[inline]
    pub fn pop(&mut self) -> Option<u16> {
        let bucket = self.now as usize % SPAN;
        let item = self.first[bucket];
        if item == NONE {
            return None;
        }
        self.first[bucket] = self.next[usize::from(item)];
        if self.first[bucket] == NONE {
            self.occupied[bucket / 64] &= !(1 << (bucket % 64));
        }
        self.waiting -= 1;
        Some(item)
    }

    /// The cycle of the next event after now.
    pub fn next_event(&self) -> Option<u64> {
        if self.waiting == 0 {
            return None;
        }
        let start = (self.now as usize + 1) % SPAN;
        let words = self.occupied.len();
        // The first word is looked at twice: from the start on, and last, up to the start.
        for step in 0..=words {
            let word = (start / 64 + step) % words;
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= !0 << (start % 64);
            }
            if bits != 0 {
                let bucket = word * 64 + bits.trailing_zeros() as usize;
                let ahead = (bucket + SPAN - start) % SPAN;
                return Some(self.now + 1 + ahead as u64);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_at_their_cycle_in_the_order_they_went_in() {
        let mut wheel = Wheel::new();
        wheel.schedule(3, 7);
        wheel.schedule(3, 2);
        wheel.schedule(1, 5);
        assert_eq!(wheel.next_event(), Some(1));
        wheel.advance_to(1);
        assert_eq!(wheel.pop(), Some(5));
        assert_eq!(wheel.pop(), None);
        assert_eq!(wheel.next_event(), Some(3));
        wheel.advance_to(3);
        assert_eq!(
            (wheel.pop(), wheel.pop(), wheel.pop()),
            (Some(7), Some(2), None)
        );
        assert_eq!(wheel.next_event(), None);
    }

    #[test]
    fn next_event_is_found_all_round_the_wheel() {
        for now in [0, 1, 63, 64, 2000, 2047, 5000] {
            for ahead in [1, 2, 63, 64, 65, 1000, 2047] {
                let mut wheel = Wheel::new();
                wheel.advance_to(now);
                wheel.schedule(now + ahead, 0);
                assert_eq!(wheel.next_event(), Some(now + ahead), "{now} {ahead}");
            }
        }
    }
}
