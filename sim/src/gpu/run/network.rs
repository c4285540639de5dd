//! The interconnect between two spans.

use crate::gpu::crossbar::{Crossbar, Outputs};
use crate::gpu::machine::GpuMachine;
use crate::gpu::packet::{Reply, Request};
use std::collections::VecDeque;

/// The interconnect, and the requests that have come out of it.
pub struct Network {
    /// From SMs to slices.
    pub requests: Crossbar<Request>,
    /// From slices to SMs.
    pub replies: Crossbar<Reply>,
    /// At each slice.
    pub outputs: Vec<VecDeque<Request>>,
    /// Bits of slices with any.
    pub waiting: u128,
}

impl Network {
    /// An empty one.
    pub fn new(machine: &GpuMachine) -> Self {
        let sms = machine.chip.sms as usize;
        let slices = (machine.l2.channels * machine.l2.slices_per_channel) as usize;
        let input = machine.interconnect.input_packets as usize;
        Network {
            requests: Crossbar::new(sms, slices, 0, input),
            replies: Crossbar::new(slices, sms, sms, input),
            outputs: (0..slices).map(|_| VecDeque::new()).collect(),
            waiting: 0,
        }
    }

    /// Whether anything is in it.
    pub fn is_busy(&self) -> bool {
        self.waiting != 0 || self.requests.is_busy() || self.replies.is_busy()
    }

    /// A cycle of the requests; a slice holds `limit` of them.
    pub fn advance_requests(&mut self, limit: usize) {
        self.requests.advance(&mut AtSlices {
            queues: &mut self.outputs,
            waiting: &mut self.waiting,
            limit,
        });
    }
}

/// Slices at the outputs of the crossbar of requests.
struct AtSlices<'a> {
    queues: &'a mut [VecDeque<Request>],
    waiting: &'a mut u128,
    limit: usize,
}

impl Outputs<Request> for AtSlices<'_> {
    fn is_full(&self, slice: usize) -> bool {
        self.queues[slice].len() >= self.limit
    }

    fn take(&mut self, slice: usize, request: Request) {
        self.queues[slice].push_back(request);
        *self.waiting |= 1 << slice;
    }
}
