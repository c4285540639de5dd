//! The [choice of the level](crate::cars::reservation_fsm) of each CTA: one unit for all SMs that run a launch, beside the
//! dispatcher. Whoever launches or finishes a CTA clocks it; SMs do so in the order of their numbers, so a run is deterministic.

use crate::cars::reservation_fsm::{ReservationFsmIn, model, rtl};
use crate::manager::unit::{Sink, Unit};
use crate::manager::{Backend, ManagerFault, UnitPins};
use crate::verilog::VerilogError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Levels of the choice.
pub(super) const LEVELS: usize = 8;

type Choice = Unit<model::Model<LEVELS>, rtl::Rtl8>;

/// What all SMs of a launch have in common.
struct Shared {
    choice: Choice,
    /// The averages of the unit, which has no outputs for them; 0: nothing was measured.
    took: [u32; LEVELS],
}

/// The average of a level, in the arithmetic of the unit, with a CTA more.
fn average(before: u32, cycles: u32) -> u32 {
    match before {
        0 => cycles.max(1),
        _ => ((7 * u64::from(before)).div_ceil(8) as u32 + cycles / 8).max(1),
    }
}

/// Half of the SMs begin Low, the other half High (III-B).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    /// The SM is of the half that began High, or of the other: odd numbers, and even ones. // assumed: the paper does not say which
    Of(bool),
    /// One SM stands for both: every other CTA is of the half that began High. // assumed
    Both { launched: u64 },
}

/// The choice as one SM sees it.
pub(crate) struct Levels {
    shared: Arc<Mutex<Shared>>,
    half: Half,
    share: Share,
}

impl Levels {
    /// For each of so many SMs, 1 or more.
    pub(crate) fn for_sms(sms: u16, backend: Backend) -> Result<Vec<Self>, VerilogError> {
        let levels = &[("levels", LEVELS as u64)];
        let choice = Choice::new("reservation_fsm", "reservation_fsm", 1, levels, backend)?;
        let shared = Arc::new(Mutex::new(Shared {
            choice,
            took: [0; LEVELS],
        }));
        let of_sm = |sm: u16| Self {
            shared: Arc::clone(&shared),
            half: match sms {
                1 => Half::Both { launched: 0 },
                _ => Half::Of(sm % 2 == 1),
            },
            share: Share::default(),
        };
        Ok((0..sms).map(of_sm).collect())
    }

    /// A panic elsewhere does not make the unit worse.
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A kernel whose highest level is `top`; `level`: that of all CTAs; `known`: what CTAs of each level took in earlier launches, or 0.
    /// All SMs place it before the first launches a CTA. What is known is told as the first CTA of each level is, which counts as it is.
    pub(super) fn place(
        &mut self,
        top: u8,
        level: Option<u8>,
        known: [u32; LEVELS],
        sink: &mut Sink,
    ) -> Result<(), ManagerFault> {
        let earlier = (0..)
            .zip(known)
            .filter(|&(level, cycles)| level <= top && cycles > 0);
        let best = earlier.clone().min_by_key(|&(_, cycles)| cycles);
        let begin = level.or(best.map(|(level, _)| level));
        let kernel = ReservationFsmIn {
            clear: true,
            top,
            known: begin.is_some(),
            known_level: begin.unwrap_or(0),
            ..ReservationFsmIn::default()
        };
        let mut shared = self.shared();
        shared.took = known;
        shared.choice.clock(&kernel, sink)?;
        for (done_level, done_cycles) in earlier.filter(|_| level.is_none()) {
            let told = ReservationFsmIn {
                done: true,
                done_level,
                done_cycles,
                ..ReservationFsmIn::default()
            };
            shared.choice.clock(&told, sink)?;
        }
        Ok(())
    }

    /// The CTA in this slot, of this level, has ended: it took its share of the SM's cycles.
    pub(super) fn done(
        &mut self,
        slot: usize,
        level: u8,
        cycle: u64,
        sink: &mut Sink,
    ) -> Result<(), ManagerFault> {
        let done_cycles = self.share.ended(slot, cycle);
        let pins = ReservationFsmIn {
            done: true,
            done_level: level,
            done_cycles,
            ..ReservationFsmIn::default()
        };
        let mut shared = self.shared();
        let took = &mut shared.took[usize::from(level) % LEVELS];
        *took = average(*took, done_cycles);
        shared.choice.clock(&pins, sink)?;
        Ok(())
    }

    /// A CTA is launched into this slot: its level.
    pub(super) fn launch(
        &mut self,
        slot: usize,
        cycle: u64,
        sink: &mut Sink,
    ) -> Result<u8, ManagerFault> {
        self.share.launched(slot, cycle);
        let launch_high = match &mut self.half {
            Half::Of(high) => *high,
            Half::Both { launched } => {
                *launched += 1;
                *launched % 2 == 0
            }
        };
        let pins = ReservationFsmIn {
            launch: true,
            launch_high,
            ..ReservationFsmIn::default()
        };
        Ok(self.shared().choice.clock(&pins, sink)?.level)
    }

    /// The level whose CTAs took least, if any was measured.
    pub(super) fn best(&self) -> Option<u8> {
        let out = self
            .shared()
            .choice
            .look_up(&ReservationFsmIn::default(), &mut None)
            .ok()?;
        out.best_valid.then_some(out.best)
    }

    /// The averages of the levels, of earlier launches too; 0: none was measured.
    pub(super) fn took(&self) -> [u32; LEVELS] {
        self.shared().took
    }

    pub(super) fn describe(&self) -> UnitPins {
        self.shared().choice.describe()
    }
}

/// What part of an SM's cycles each of its CTAs has: a cycle is shared alike by the CTAs that are resident in it. So the parts of
/// all add up to the time of the SM, and their mean is the time per CTA: neither many nor few at once are favoured, nor those
/// that end first. // assumed: the paper does not say what the performance of a CTA is
#[derive(Clone, Copy, Debug)]
struct Share {
    /// What one that had been resident from the beginning would have by now, in parts of a cycle.
    so_far: u64,
    /// Up to which cycle.
    until: u64,
    resident: u64,
    /// By CTA slot: what had been so far when its CTA was launched.
    begun: [u64; 64],
}

/// Parts of a cycle.
const PARTS: u64 = 1 << 12;

impl Default for Share {
    fn default() -> Self {
        Share {
            so_far: 0,
            until: 0,
            resident: 0,
            begun: [0; 64],
        }
    }
}

impl Share {
    fn go_on(&mut self, cycle: u64) {
        if let Some(each) = ((cycle - self.until) * PARTS).checked_div(self.resident) {
            self.so_far += each;
        }
        self.until = cycle;
    }

    fn launched(&mut self, slot: usize, cycle: u64) {
        self.go_on(cycle);
        self.resident += 1;
        self.begun[slot % 64] = self.so_far;
    }

    /// What it had, in cycles.
    fn ended(&mut self, slot: usize, cycle: u64) -> u32 {
        self.go_on(cycle);
        self.resident -= 1;
        let cycles = (self.so_far - self.begun[slot % 64]) / PARTS;
        cycles.min(u32::MAX.into()) as u32
    }
}
