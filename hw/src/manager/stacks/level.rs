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
    choice: Arc<Mutex<Choice>>,
    half: Half,
    last_done: u64,
}

impl Levels {
    /// For each of so many SMs, 1 or more.
    pub(crate) fn for_sms(sms: u16, backend: Backend) -> Result<Vec<Self>, VerilogError> {
        let levels = &[("levels", LEVELS as u64)];
        let choice = Choice::new("reservation_fsm", "reservation_fsm", 1, levels, backend)?;
        let choice = Arc::new(Mutex::new(choice));
        let of_sm = |sm: u16| Self {
            choice: Arc::clone(&choice),
            half: match sms {
                1 => Half::Both { launched: 0 },
                _ => Half::Of(sm % 2 == 1),
            },
            last_done: 0,
        };
        Ok((0..sms).map(of_sm).collect())
    }

    /// A panic elsewhere does not make the unit worse.
    fn unit(&self) -> MutexGuard<'_, Choice> {
        self.choice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A kernel whose highest level is `top`; `level`: that of all CTAs. All SMs place it before the first launches a CTA.
    pub(super) fn place(
        &mut self,
        top: u8,
        level: Option<u8>,
        sink: &mut Sink,
    ) -> Result<(), ManagerFault> {
        let kernel = ReservationFsmIn {
            clear: true,
            top,
            known: level.is_some(),
            known_level: level.unwrap_or(0),
            ..ReservationFsmIn::default()
        };
        self.unit().clock(&kernel, sink)?;
        Ok(())
    }

    /// A CTA of this level has ended: it took as long as it is since the SM last finished one.
    pub(super) fn done(
        &mut self,
        level: u8,
        cycle: u64,
        sink: &mut Sink,
    ) -> Result<(), ManagerFault> {
        let taken = (cycle - self.last_done).min(u32::MAX.into()) as u32;
        self.last_done = cycle;
        let pins = ReservationFsmIn {
            done: true,
            done_level: level,
            done_cycles: taken,
            ..ReservationFsmIn::default()
        };
        self.unit().clock(&pins, sink)?;
        Ok(())
    }

    /// A CTA is launched: its level.
    pub(super) fn launch(&mut self, sink: &mut Sink) -> Result<u8, ManagerFault> {
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
        Ok(self.unit().clock(&pins, sink)?.level)
    }

    /// The level whose CTAs took least, if any was measured.
    pub(super) fn best(&self) -> Option<u8> {
        let out = self
            .unit()
            .look_up(&ReservationFsmIn::default(), &mut None)
            .ok()?;
        out.best_valid.then_some(out.best)
    }

    pub(super) fn describe(&self) -> UnitPins {
        self.unit().describe()
    }
}
