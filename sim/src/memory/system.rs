//! What lies behind the first-level cache: an interface that a full hierarchy can take over, and the simplest
//! memory that is limited in latency and bandwidth.

use std::collections::VecDeque;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Brings a line.
    Read,
    /// Writes through; the answer says that it is done.
    Write,
    /// Reads, modifies and writes at the memory; the answer brings the old values.
    Atomic,
}

/// A request of one SM. Memory deals in time only; values are read and written when the load/store unit takes
/// the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it does.
    pub kind: RequestKind,
    /// Address of the line.
    pub address: u64,
    /// Bytes that travel.
    pub bytes: u32,
    /// Sectors of the line that are meant; bit n is bytes 32 n to 32 n + 31.
    pub sectors: u8,
    /// Comes back with the answer; means something to the sender only.
    pub token: u32,
}

/// Memory as one SM sees it. Cycles are SM cycles and never go back.
pub trait MemorySystem: Send {
    /// The first cycle, `cycle` or later, at which it takes another request if none is sent before.
    fn accepts_from(&self, cycle: u64) -> u64;

    /// Takes a request in `cycle`; only when [`MemorySystem::accepts_from`] allows it.
    fn send(&mut self, cycle: u64, request: Request);

    /// An answer that has arrived by `cycle`, in order of arrival; call until it gives none.
    fn receive(&mut self, cycle: u64) -> Option<u32>;

    /// The first cycle at which something arrives; `None` when nothing is on its way.
    fn next_arrival(&self) -> Option<u64>;

    /// Requests without an answer yet.
    fn in_flight(&self) -> usize;
}

/// A bus of fixed width in front of a memory of fixed latency. Answers come in the order of the requests.
#[derive(Clone, Debug)]
pub struct LatencyBandwidth {
    latency_cycles: u64,
    bytes_per_cycle: u64,
    backlog_cycles: u64,
    bus_free_at: u64,
    answers: VecDeque<(u64, u32)>,
}

impl LatencyBandwidth {
    /// Memory that answers `latency_cycles` after a request has passed the bus of `bytes_per_cycle`, and lets
    /// `queue_entries` line requests wait for the bus.
    pub fn new(latency_cycles: u16, bytes_per_cycle: u16, queue_entries: u16) -> Self {
        let bytes_per_cycle = u64::from(bytes_per_cycle);
        let line_cycles = super::coalescer::LINE_BYTES.div_ceil(bytes_per_cycle);
        LatencyBandwidth {
            latency_cycles: latency_cycles.into(),
            bytes_per_cycle,
            backlog_cycles: line_cycles * u64::from(queue_entries),
            bus_free_at: 0,
            answers: VecDeque::with_capacity(256),
        }
    }
}

impl MemorySystem for LatencyBandwidth {
    fn accepts_from(&self, cycle: u64) -> u64 {
        cycle.max(self.bus_free_at.saturating_sub(self.backlog_cycles))
    }

    fn send(&mut self, cycle: u64, request: Request) {
        let bus_cycles = u64::from(request.bytes).div_ceil(self.bytes_per_cycle);
        self.bus_free_at = cycle.max(self.bus_free_at) + bus_cycles;
        // The latency of an unloaded memory includes one line's way over the bus.
        let line_cycles = super::coalescer::LINE_BYTES.div_ceil(self.bytes_per_cycle);
        let arrival = self.bus_free_at + self.latency_cycles.saturating_sub(line_cycles);
        self.answers.push_back((arrival, request.token));
    }

    fn receive(&mut self, cycle: u64) -> Option<u32> {
        let arrived = self
            .answers
            .front()
            .is_some_and(|&(arrival, _)| arrival <= cycle);
        arrived
            .then(|| self.answers.pop_front())?
            .map(|(_, token)| token)
    }

    fn next_arrival(&self) -> Option<u64> {
        self.answers.front().map(|&(arrival, _)| arrival)
    }

    fn in_flight(&self) -> usize {
        self.answers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(token: u32) -> Request {
        Request {
            kind: RequestKind::Read,
            address: 0,
            bytes: 128,
            sectors: 0xf,
            token,
        }
    }

    #[test]
    fn lone_line_arrives_after_the_latency() {
        let mut memory = LatencyBandwidth::new(200, 16, 8);
        memory.send(1000, read(7));
        assert_eq!(memory.next_arrival(), Some(1200));
        assert_eq!(memory.receive(1199), None);
        assert_eq!(memory.receive(1200), Some(7));
        assert_eq!(memory.in_flight(), 0);
    }

    #[test]
    fn lines_sent_together_arrive_at_the_pace_of_the_bus() {
        let mut memory = LatencyBandwidth::new(200, 16, 8);
        for token in 0..3 {
            memory.send(0, read(token));
        }
        let arrivals: Vec<_> = (0..=300)
            .filter(|&cycle| memory.receive(cycle).is_some())
            .collect();
        assert_eq!(arrivals, [200, 208, 216]);
    }

    #[test]
    fn full_queue_refuses_until_the_bus_has_moved_a_line() {
        let mut memory = LatencyBandwidth::new(200, 16, 2);
        memory.send(0, read(0));
        memory.send(0, read(1));
        assert_eq!(memory.accepts_from(0), 0);
        memory.send(0, read(2));
        assert_eq!(memory.accepts_from(0), 8);
    }
}
