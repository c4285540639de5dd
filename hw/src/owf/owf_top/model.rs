//! The SM's view: each unit's plain model is asked in turn, and registers are placed by the arithmetic of the README.

use super::{Answer, Issue, OwfTopIn, OwfTopOut, PERIOD, SCHEDULERS};
use crate::clocked::Clocked;
use crate::owf::dynamic_throttle::{DynamicThrottleIn, model::Model as Throttle};
use crate::owf::pair_lock::{PairLockIn, PairLockOut, model::Model as RegisterLocks};
use crate::owf::scratchpad_lock::{ScratchpadLockIn, model::Model as ScratchpadLocks};
use crate::owf::warp_priority::{WarpPriorityIn, model::Model as Priority};

/// Plain model of resource sharing in one SM.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const T: usize, const PACKS: usize> {
    registers: RegisterLocks<NW, T>,
    scratchpad: ScratchpadLocks<NW, T>,
    priority: Priority<NW, SCHEDULERS>,
    throttle: Throttle<PERIOD>,
}

/// Classes of the warps, a bit each, and who may go to memory.
struct Classes {
    shared: u64,
    owner: u64,
    memory_allowed: bool,
}

impl Classes {
    /// Whether the instruction has to wait because its warp is not an owner (IV-C).
    fn refuse(&self, issue: &Issue) -> bool {
        let bit = |mask: u64| mask.checked_shr(issue.warp.into()).unwrap_or(0) & 1 == 1;
        let non_owner = bit(self.shared) && !bit(self.owner);
        issue.memory && !issue.exit && non_owner && !self.memory_allowed
    }
}

impl<const NW: usize, const T: usize, const PACKS: usize> Model<NW, T, PACKS> {
    /// The pack of register `reg`, or none. `home` is the lower warp of the pair of an upper one.
    fn pack(pins: &OwfTopIn<NW, T, PACKS>, warp: u8, home: Option<u8>, reg: u8) -> Option<u16> {
        let [warp, reg, base, ext] = [warp, reg, pins.base_regs, pins.ext_regs].map(usize::from);
        if reg >= base + ext {
            return None;
        }
        let first = match home.map(usize::from) {
            Some(_) if reg < base => usize::from(pins.upper_offset) + warp * base,
            Some(home) => home * (base + ext),
            None => warp * (base + ext),
        };
        u16::try_from(first + reg)
            .ok()
            .filter(|&pack| usize::from(pack) < PACKS)
    }

    /// The pins of the registers' locks. What an instruction needs of them is told as one of two registers: the first private
    /// one, 0, or the first shared one, 1.
    fn lock_pins(pins: &OwfTopIn<NW, T, PACKS>, [a, b]: [Option<Issue>; 2]) -> PairLockIn<NW, T> {
        let needs = |issue: Option<Issue>| {
            let mut regs = issue.into_iter().flat_map(|issue| issue.regs).flatten();
            u8::from(regs.any(|reg| reg >= pins.base_regs))
        };
        PairLockIn {
            clear: pins.clear,
            share: pins.share_regs,
            warps_per_cta: pins.warps_per_cta,
            private_regs: 1,
            pair: pins.pair,
            exit: pins.exit,
            cta: pins.cta,
            partner: pins.partner,
            favor_b: pins.favor_b,
            a_valid: a.is_some(),
            a_exit: pins.a_exit,
            a_warp: pins.a_warp,
            a_reg: needs(a),
            b_valid: b.is_some(),
            b_exit: pins.b_exit,
            b_warp: pins.b_warp,
            b_reg: needs(b),
        }
    }

    fn scratchpad_pins(
        pins: &OwfTopIn<NW, T, PACKS>,
        [a, b]: [Option<Issue>; 2],
    ) -> ScratchpadLockIn<NW, T> {
        ScratchpadLockIn {
            clear: pins.clear,
            share: pins.share_scratchpad && !pins.share_regs,
            warps_per_cta: pins.warps_per_cta,
            private_bytes: pins.private_bytes,
            pair: pins.pair,
            exit: pins.exit,
            cta: pins.cta,
            partner: pins.partner,
            favor_b: pins.favor_b,
            a_valid: a.is_some_and(|a| accesses(&a)),
            a_warp: pins.a_warp,
            a_address: pins.a_address,
            b_valid: b.is_some_and(|b| accesses(&b)),
            b_warp: pins.b_warp,
            b_address: pins.b_address,
        }
    }

    /// The outputs; with `edge`, the state moves on.
    fn respond(&mut self, pins: &OwfTopIn<NW, T, PACKS>, edge: bool) -> OwfTopOut<NW, T, PACKS> {
        fn ask<M: Clocked>(model: &mut M, pins: &M::In, edge: bool) -> M::Out {
            match edge {
                true => model.edge(pins),
                false => model.outputs(pins),
            }
        }
        let throttle_pins = DynamicThrottleIn {
            clear: pins.clear,
            sm_zero: pins.sm_zero,
            stall: pins.stall,
            zero_stalls: pins.zero_stalls,
        };
        let throttle = ask(&mut self.throttle, &throttle_pins, edge);
        // Classes do not depend on what is asked.
        let (registers, scratchpad) = (
            self.registers.classes(),
            self.scratchpad.classes(pins.warps_per_cta.into()),
        );
        let classes = Classes {
            shared: registers.0 | scratchpad.0,
            owner: registers.1 | scratchpad.1,
            memory_allowed: throttle.memory_allowed,
        };
        let asked = [pins.a(), pins.b()].map(|issue| issue.filter(|issue| !classes.refuse(issue)));
        let registers = ask(&mut self.registers, &Self::lock_pins(pins, asked), edge);
        let scratchpad_pins = Self::scratchpad_pins(pins, asked);
        let scratchpad = ask(&mut self.scratchpad, &scratchpad_pins, edge);
        let priority_pins = WarpPriorityIn {
            clear: pins.clear,
            launch: pins.launch,
            ready: pins.ready,
            shared: classes.shared,
            owner: classes.owner,
        };
        let priority = ask(&mut self.priority, &priority_pins, edge);

        let PairLockOut {
            a_upper, b_upper, ..
        } = registers;
        let held = [
            registers.a_held | scratchpad.a_held,
            registers.b_held | scratchpad.b_held,
        ];
        let granted = [
            (registers.a_grant, scratchpad.a_grant),
            (registers.b_grant, scratchpad.b_grant),
        ];
        let home = [
            a_upper.then_some(registers.a_home),
            b_upper.then_some(registers.b_home),
        ];
        let answer = |port: usize| {
            let (registers, scratchpad) = granted[port];
            let goes = |issue: &Issue| registers && (scratchpad || !accesses(issue));
            let Some(issue) = asked[port].filter(goes) else {
                return Answer {
                    held: held[port],
                    ..Answer::default()
                };
            };
            let pack = |reg| Self::pack(pins, issue.warp, home[port], reg);
            Answer {
                grant: true,
                held: held[port],
                packs: issue
                    .regs
                    .map(|reg| reg.filter(|_| !issue.exit).and_then(pack)),
            }
        };
        let mut out = OwfTopOut {
            pair_grant: registers.pair_grant || scratchpad.pair_grant,
            sharing: registers.sharing || scratchpad.sharing,
            shared: classes.shared,
            owner: classes.owner,
            chosen_valid: priority.chosen_valid,
            chosen: priority.chosen as u16,
            ..OwfTopOut::default()
        }
        .throttled(throttle);
        out.set_a(answer(0));
        out.set_b(answer(1));
        out
    }
}

/// Whether the scratchpad's lock is asked.
fn accesses(issue: &Issue) -> bool {
    issue.address.is_some() && !issue.exit
}

impl<const NW: usize, const T: usize, const PACKS: usize> Clocked for Model<NW, T, PACKS> {
    type In = OwfTopIn<NW, T, PACKS>;
    type Out = OwfTopOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins, false)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins, true)
    }
}
