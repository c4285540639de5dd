//! The obvious way: remember for each warp which section it holds, and search.

use super::{SrpAllocatorIn, SrpAllocatorOut};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model of the allocator.
#[derive(Clone, Debug)]
pub struct Model<const NW: usize> {
    section_of: [Option<u8>; NW],
    /// Sections that are held or do not exist.
    taken: BitArr!(for 64),
}

impl<const NW: usize> Default for Model<NW> {
    fn default() -> Self {
        Self {
            section_of: [None; NW],
            taken: BitArray::ZERO,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    Acquire,
    Release,
}

#[derive(Clone, Copy)]
struct Request {
    warp: usize,
    change: Change,
}

impl<const NW: usize> Model<NW> {
    /// The section that `warp` holds.
    #[must_use]
    pub fn section_of(&self, warp: usize) -> Option<u8> {
        self.section_of.get(warp).copied().flatten()
    }

    /// The state as the RTL's registers keep it: status mask, SRP mask.
    #[must_use]
    pub fn masks(&self) -> (u64, u64) {
        let mut status = 0;
        for (warp, section) in self.section_of.iter().enumerate() {
            status |= u64::from(section.is_some()) << warp;
        }
        (status, self.taken.load_le())
    }

    fn request(valid: bool, release: bool, warp: u8) -> Option<Request> {
        let change = if release {
            Change::Release
        } else {
            Change::Acquire
        };
        (valid && usize::from(warp) < NW).then_some(Request {
            warp: usize::from(warp),
            change,
        })
    }

    fn changes_state(&self, request: Request) -> bool {
        self.section_of[request.warp].is_some() == (request.change == Change::Release)
    }

    /// Outputs, and the one change of state that is served: request and section.
    fn respond(&self, pins: &SrpAllocatorIn<NW>) -> (SrpAllocatorOut<NW>, Option<(Request, u8)>) {
        let held = [
            self.section_of(pins.a_warp.into()),
            self.section_of(pins.b_warp.into()),
        ];
        let mut grant = [false; 2];
        let mut section = held.map(|held| held.unwrap_or(0));
        let mut served = None;
        if !pins.clear && (pins.a_valid || pins.b_valid) {
            let a = Self::request(pins.a_valid, pins.a_release, pins.a_warp);
            let b = Self::request(pins.b_valid, pins.b_release, pins.b_warp)
                .filter(|_| !(pins.a_valid && pins.a_warp == pins.b_warp));
            let order = if pins.favor_b {
                [(1, b), (0, a)]
            } else {
                [(0, a), (1, b)]
            };
            let mut waiting = order
                .iter()
                .filter_map(|&(port, request)| request.map(|request| (port, request)));
            // Releases come first whichever port is favoured; `min_by_key` keeps the order among equals.
            let first = waiting
                .clone()
                .filter(|&(_, request)| self.changes_state(request))
                .min_by_key(|(_, request)| request.change != Change::Release);
            for (port, request) in &mut waiting {
                grant[port] = !self.changes_state(request);
            }
            if let Some((port, request)) = first {
                let found = match request.change {
                    Change::Release => held[port],
                    Change::Acquire => self.taken[..NW].first_zero().map(|free| free as u8),
                };
                if let Some(found) = found {
                    grant[port] = true;
                    section[port] = found;
                    served = Some((request, found));
                }
            }
        }
        let out = SrpAllocatorOut {
            a_grant: grant[0],
            a_held: held[0].is_some(),
            a_section: section[0],
            b_grant: grant[1],
            b_held: held[1].is_some(),
            b_section: section[1],
        };
        (out, served)
    }
}

impl<const NW: usize> Clocked for Model<NW> {
    type In = SrpAllocatorIn<NW>;
    type Out = SrpAllocatorOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, served) = self.respond(pins);
        if pins.clear {
            *self = Self::default();
            self.taken[usize::from(pins.section_count).min(NW)..NW].fill(true);
        }
        if let Some((request, section)) = served {
            let acquired = request.change == Change::Acquire;
            self.section_of[request.warp] = acquired.then_some(section);
            self.taken.set(section.into(), acquired);
        }
        out
    }
}
