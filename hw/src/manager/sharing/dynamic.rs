//! Dynamic warp execution (IV-C): the stall pins of the throttle, and who is behind an owner.
//!
//! The throttle inside the hardware sees one SM cycle per clock cycle. Where the clock goes round twice, for three or four
//! schedulers, that one is left at probability 1, and a throttle of its own beside the hardware is clocked once per SM cycle.

use super::{Placement, Sharing};
use crate::clocked::Clocked;
use crate::manager::unit::Unit;
use crate::manager::{Backend, IssueRequest, ManagerFault, StallWatch, Throttle};
use crate::owf::dynamic_throttle::{DynamicThrottleIn, model, rtl};
use crate::owf::owf_top::{OwfTopIn, OwfTopOut, PERIOD, SCHEDULERS};
use crate::verilog::VerilogError;

const PARAMETERS: &[(&str, u64)] = &[("period", PERIOD as u64)];

type ThrottleUnit = Unit<model::Model<PERIOD>, rtl::Rtl<PERIOD, 10>>;

/// What dynamic warp execution adds to the manager.
pub(super) struct Dynamic {
    sm_zero: bool,
    /// The throttle beside the hardware, where that is clocked twice in a cycle.
    pub(super) beside: Option<ThrottleUnit>,
    /// Non-owners whose partner is owner, and those of them that may not access memory in this cycle.
    behind: u64,
    held_back: u64,
    /// What was said of this SM cycle, and whether something has gone on in it.
    watch: Option<StallWatch>,
    granted: bool,
}

impl Dynamic {
    /// For the SM of that number, of so many schedulers.
    pub(super) fn new(sm: u16, schedulers: u8, backend: Backend) -> Result<Self, VerilogError> {
        let name = "dynamic_throttle";
        let beside = match usize::from(schedulers) > SCHEDULERS {
            true => Some(Unit::new(name, name, 1, PARAMETERS, backend)?),
            false => None,
        };
        Ok(Self {
            sm_zero: sm == 0,
            beside,
            behind: 0,
            held_back: 0,
            watch: None,
            granted: false,
        })
    }

    /// The hardware's pin: it is told that this is SM 0 if its throttle is the one that counts.
    pub(super) fn sm_zero(&self) -> bool {
        self.sm_zero && self.beside.is_none()
    }

    fn is(mask: u64, request: &IssueRequest) -> bool {
        request.memory && mask >> request.warp.0 & 1 == 1
    }

    /// Whether the hardware is told that the instruction accesses memory: not of pairs that have no owner.
    pub(super) fn is_behind(&self, request: &IssueRequest) -> bool {
        Self::is(self.behind, request)
    }

    /// Whether the instruction may not issue in this cycle.
    pub(super) fn holds_back(&self, request: &IssueRequest) -> bool {
        Self::is(self.held_back, request)
    }
}

impl Placement {
    /// Of the non-owners in sharing mode, those whose partner is owner.
    fn behind_owners(self, shared: u64, owner: u64) -> u64 {
        let is_behind = |warp: &u16| {
            let partner = self.partner(*warp);
            partner.is_some_and(|partner| owner >> partner & 1 == 1)
        };
        (0..64)
            .filter(|warp| (shared & !owner) >> warp & 1 == 1)
            .filter(is_behind)
            .fold(0, |mask, warp| mask | 1 << warp)
    }
}

impl<R, const NW: usize, const T: usize, const PACKS: usize> Sharing<R, NW, T, PACKS>
where
    R: Clocked<In = OwfTopIn<NW, T, PACKS>, Out = OwfTopOut<NW, T, PACKS>> + Default,
{
    /// A new kernel, for the throttle beside the hardware.
    pub(super) fn clear_throttle(&mut self) -> Result<(), ManagerFault> {
        let Some(dynamic) = &mut self.dynamic else {
            return Ok(());
        };
        (dynamic.behind, dynamic.held_back) = (0, 0);
        (dynamic.watch, dynamic.granted) = (None, false);
        if let Some(throttle) = &mut dynamic.beside {
            let clear = DynamicThrottleIn {
                clear: true,
                sm_zero: dynamic.sm_zero,
                ..DynamicThrottleIn::default()
            };
            throttle.clock(&clear, &mut self.sink)?;
        }
        Ok(())
    }

    /// Sets the stall pins: a stall cycle is one in which no scheduler issues.
    pub(super) fn set_stall(
        &mut self,
        pins: &mut OwfTopIn<NW, T, PACKS>,
        asks: [bool; SCHEDULERS],
    ) -> Result<(), ManagerFault> {
        let Some(dynamic) = &mut self.dynamic else {
            return Ok(());
        };
        if dynamic.beside.is_some() {
            return Ok(());
        }
        let watch = dynamic.watch.take().unwrap_or_default();
        pins.zero_stalls = watch.zero_stalls;
        pins.stall = !watch.issues;
        // Whether an instruction goes on does not depend on these pins.
        if pins.stall && asks.contains(&true) {
            let out = self.top.get_mut().look_up(pins, &mut self.sink)?;
            pins.stall = !(asks[0] && out.a_grant || asks[1] && out.b_grant);
        }
        Ok(())
    }

    /// An instruction goes on.
    pub(super) fn note_grant(&mut self) {
        if let Some(dynamic) = &mut self.dynamic {
            dynamic.granted = true;
        }
    }

    pub(super) fn watch(&mut self, watch: StallWatch) {
        if let Some(dynamic) = &mut self.dynamic {
            dynamic.watch = Some(watch);
        }
    }

    /// The state of the throttle behind the last SM cycle.
    pub(super) fn read_throttle(&mut self) -> Result<Option<Throttle>, ManagerFault> {
        let idle = self.idle();
        let Some(dynamic) = &mut self.dynamic else {
            return Ok(None);
        };
        let out = self.top.get_mut().look_up(&idle, &mut self.sink)?;
        dynamic.behind = self.placement.behind_owners(out.shared, out.owner);
        let (mut allowed, mut stalls) = (out.memory_allowed, out.stalls);
        let granted = std::mem::take(&mut dynamic.granted);
        if let Some(throttle) = &mut dynamic.beside {
            let mut pins = DynamicThrottleIn {
                sm_zero: dynamic.sm_zero,
                ..DynamicThrottleIn::default()
            };
            if let Some(watch) = dynamic.watch.take() {
                pins.zero_stalls = watch.zero_stalls;
                pins.stall = !watch.issues && !granted;
                throttle.clock(&pins, &mut self.sink)?;
            }
            let out = throttle.look_up(&pins, &mut self.sink)?;
            (allowed, stalls) = (out.memory_allowed, out.stalls);
        }
        dynamic.held_back = if allowed { 0 } else { dynamic.behind };
        Ok(Some(Throttle {
            held_back: dynamic.held_back,
            stalls,
        }))
    }
}
