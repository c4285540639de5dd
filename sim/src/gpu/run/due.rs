//! Which packets enter a crossbar in which cycle of a span.

use crate::gpu::partition::Span;

/// The cycles in which lists of packets have any, so that in a cycle only those lists are looked at.
#[derive(Debug, Default)]
pub struct Due {
    from: u64,
    /// By cycle from `from` on: bits of the lists with packets of that cycle.
    sources: Vec<u128>,
    /// By list: its packets that have been taken.
    taken: Vec<usize>,
}

impl Due {
    /// For at most so many lists.
    pub fn new(lists: usize) -> Self {
        Due {
            taken: vec![0; lists],
            ..Due::default()
        }
    }

    /// No list has packets in the cycles of this span.
    pub fn begin(&mut self, span: Span) {
        self.from = span.from;
        self.sources.clear();
        self.sources.resize((span.until - span.from) as usize, 0);
    }

    /// A list with packets of those cycles, ascending and within the span.
    pub fn add(&mut self, list: usize, cycles: impl Iterator<Item = u64>) {
        self.taken[list] = 0;
        for cycle in cycles {
            self.sources[(cycle - self.from) as usize] |= 1 << list;
        }
    }

    /// The first cycle from `now` on with packets; behind all cycles if there is none.
    pub fn next(&self, now: u64) -> u64 {
        let later = self.sources.get((now - self.from) as usize..);
        let ahead = later.and_then(|later| later.iter().position(|&sources| sources != 0));
        ahead.map_or(u64::MAX, |ahead| now + ahead as u64)
    }

    /// Bits of the lists with packets in cycle `now`.
    pub fn sources(&self, now: u64) -> u128 {
        self.sources[(now - self.from) as usize]
    }

    /// Takes the packets of a list in cycle `now`, which is the first one that has any left.
    pub fn packets<'a, P: Timed>(&mut self, list: usize, now: u64, packets: &'a [P]) -> &'a [P] {
        let left = &packets[self.taken[list]..];
        let count = left.iter().take_while(|packet| packet.cycle() == now);
        let count = count.count();
        self.taken[list] += count;
        &left[..count]
    }
}

/// What has a cycle.
pub trait Timed {
    /// Its cycle.
    fn cycle(&self) -> u64;
}

impl<P> Timed for (u64, P) {
    fn cycle(&self) -> u64 {
        self.0
    }
}

impl<P> Timed for (u64, u32, P) {
    fn cycle(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_come_in_their_cycles() {
        let lists = [vec![(12, 'a'), (12, 'b'), (15, 'c')], vec![(15, 'd')]];
        let mut due = Due::new(2);
        due.begin(Span {
            from: 10,
            until: 16,
            begins: false,
        });
        for (list, packets) in lists.iter().enumerate() {
            due.add(list, packets.iter().map(|packet| packet.0));
        }
        assert_eq!(
            (due.next(10), due.next(13), due.next(16)),
            (12, 15, u64::MAX)
        );
        assert_eq!(
            (due.sources(11), due.sources(12), due.sources(15)),
            (0, 1, 3)
        );
        assert_eq!(due.packets(0, 12, &lists[0]), [(12, 'a'), (12, 'b')]);
        assert_eq!(due.packets(0, 15, &lists[0]), [(15, 'c')]);
        assert_eq!(due.packets(1, 15, &lists[1]), [(15, 'd')]);
    }
}
