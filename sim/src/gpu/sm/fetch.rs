//! Fetch and decode: two instructions for a warp whose buffer is empty. Warps that have ended leave here.

use super::Sm;
use crate::gpu::cache::{Access, Cache, Outcome};
use crate::gpu::decoded::Decoded;
use crate::gpu::machine::GpuMachine;
use crate::gpu::packet::Origin;
use crate::observe::watch::Event;

/// Instructions of a fetch.
const FETCHED: u32 = 2;
/// Where the program lies, as in GPGPU-Sim: far from all data.
const PROGRAM_BASE: u64 = 0xf000_0000;

/// The empty instruction cache of an SM; `None`: every fetch hits.
pub fn instruction_cache(machine: &GpuMachine) -> Option<Cache<u8>> {
    let parts = machine.l2.parts_of_line();
    (machine.icache.as_ref()).map(|shape| Cache::new(shape, shape.ways, parts))
}

/// State of fetch and decode.
#[derive(Clone, Debug)]
pub struct FrontEnd {
    pub steps: u32,
    /// The warp whose instructions wait for decode.
    fetched: Option<u8>,
    /// The warp that was fetched for last.
    pub last: usize,
    pub icache: Option<Cache<u8>>,
    /// Bits of warps that wait for the instruction cache.
    pub missing: u64,
}

impl FrontEnd {
    /// That of a machine, with the instruction cache as the kernel before left it; `last` was fetched for last.
    pub fn new(machine: &GpuMachine, icache: Option<Cache<u8>>, last: usize) -> Self {
        FrontEnd {
            steps: machine.issue.fetch_steps,
            fetched: None,
            last,
            icache,
            missing: 0,
        }
    }

    /// Whether the next cycle has something to do.
    pub fn is_busy(&self) -> bool {
        self.fetched.is_some()
            || (self.icache.as_ref()).is_some_and(|cache| cache.has_ready() || cache.has_misses())
    }

    /// The instruction cache's line has come.
    pub fn fill(&mut self, address: u64, now: u64) {
        if let Some(cache) = &mut self.icache {
            cache.fill(address, now);
        }
    }
}

impl Sm {
    pub(super) fn decode(&mut self) -> bool {
        let Some(warp) = self.front.fetched.take() else {
            return false;
        };
        let at = usize::from(warp);
        let state = &mut self.warps[at];
        let fetched = FETCHED.min(state.length() - state.fetched);
        state.fetched += fetched;
        state.in_pipeline += fetched;
        self.buffered |= 1 << at;
        self.hazard &= !(1 << at);
        self.can_issue = true;
        self.tell_decoded(at);
        true
    }

    pub(super) fn fetch(&mut self, program: &[Decoded]) -> bool {
        if self.front.fetched.is_some() {
            return true;
        }
        let mut active = false;
        if let Some(cache) = &mut self.front.icache
            && let Some(warp) = cache.next_ready()
        {
            self.front.missing &= !(1 << warp);
            self.front.fetched = Some(warp);
            self.hungry &= !(1 << warp);
            active = true;
        } else {
            // One warp after the other is looked at, behind the last one that was fetched for, until one is hungry.
            let behind = u64::MAX
                .checked_shl(self.front.last as u32 + 1)
                .unwrap_or(0);
            let hungry = self.hungry & !self.front.missing;
            let first = [hungry & behind, hungry & !behind]
                .into_iter()
                .find(|part| *part != 0)
                .map(|part| part.trailing_zeros());
            if self.ending != 0 {
                let before = |warp: u32| !(u64::MAX << warp);
                let seen = match first {
                    None => u64::MAX,
                    Some(warp) if behind >> warp & 1 == 1 => behind & before(warp),
                    Some(warp) => behind | before(warp),
                };
                active |= self.leave(seen);
            }
            if let Some(warp) = first {
                self.fetch_for(warp as usize, program);
                active = true;
            }
        }
        self.send_misses();
        active
    }

    fn fetch_for(&mut self, warp: usize, program: &[Decoded]) {
        let state = &self.warps[warp];
        if let Some(cache) = &mut self.front.icache {
            let inst = state.trace.insts[state.fetched as usize].inst;
            let address = PROGRAM_BASE + program[inst as usize].pc;
            let access = Access {
                address,
                bytes: 16,
                byte_mask: 0,
                write: false,
                atomic: false,
                origin: warp as u8,
            };
            match cache.access(access, address, self.now) {
                Outcome::Hit => {}
                Outcome::Refused => {
                    self.front.last = warp;
                    return;
                }
                Outcome::Miss | Outcome::Pending => {
                    self.front.missing |= 1 << warp;
                    self.front.last = warp;
                    self.tell_fetched(warp, FETCHED);
                    return;
                }
            }
        }
        self.tell_fetched(warp, FETCHED);
        self.front.last = warp;
        self.front.fetched = Some(warp as u8);
        self.hungry &= !(1 << warp);
    }

    fn send_misses(&mut self) {
        let Some(cache) = &mut self.front.icache else {
            return;
        };
        if self.outbox.len() < self.room
            && let Some(sent) = cache.next_miss()
        {
            let request = self
                .ldst
                .request(self.index, sent.address, sent.bytes, Origin::Fetch);
            self.outbox.push(request);
        }
    }

    /// Warps of which nothing is on its way any more give their slots back.
    fn leave(&mut self, seen: u64) -> bool {
        let mut left = self.ending & seen;
        let mut any = false;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let warp = &self.warps[at];
            if warp.in_pipeline > 0 || warp.stores > 0 || !warp.pending.is_empty() {
                continue;
            }
            any = true;
            let bit = !(1u64 << at);
            self.ending &= bit;
            self.resident &= bit;
            self.residents -= 1;
            let scheduler = at % self.schedulers.len();
            self.schedulers[scheduler].forget(at as u8);
            let cta = usize::from(warp.cta);
            self.ctas[cta].running -= 1;
            self.tell(Event::WarpEnded { warp: at });
            if self.ctas[cta].running == 0 {
                self.free_ctas += 1;
                self.counts.ctas += 1;
                self.tell(Event::CtaEnded { slot: cta });
            }
        }
        any
    }
}
