//! What a trace tells of the barriers of a CTA.
//!
//! `BAR.SYNC a` waits at barrier `a` for all warps of the CTA; `BAR.SYNC a, b` waits for `b` threads, and `BAR.ARV a, b` counts for
//! them and goes on (PTX ISA, `bar`). Tracers from version 4 on write one immediate of an instruction, the last one: the number
//! or, where there are both, the count. Which of them it is its value tells, as numbers are below 16 and counts are multiples of a
//! warp. What lies in a register no tracer writes.

use super::opcode::base;
use super::record::{Class, StaticInst};

/// Barriers of a CTA.
const NUMBERS: u64 = 16;
/// Threads of a warp, and of the largest CTA.
const WARP: u64 = 32;
const MOST_THREADS: u64 = 1024;

/// A warp comes to a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierUse {
    /// Which of the 16; `None`: the trace does not tell.
    pub number: Option<u8>,
    /// For how many threads the barrier waits, a multiple of 32, 32 ..= 1024; `None`: for the whole CTA, or it is not told.
    pub threads: Option<u16>,
    /// Whether the warp waits; one that only arrives goes on.
    pub waits: bool,
}

impl StaticInst {
    /// What it does at a barrier, if it is one. Traces of versions before 4 have no immediates: their barriers are all number 0.
    pub fn barrier(&self) -> Option<BarrierUse> {
        if self.class != Class::Barrier {
            return None;
        }
        let modifiers: Vec<&str> = self.opcode.split('.').skip(1).collect();
        let waits = base(&self.opcode) != "BAR" || modifiers.first() != Some(&"ARV");
        // A register is the number, the count, or both; tracers take one that comes first for a destination.
        let in_register = !self.srcs.is_empty() || !self.dsts.is_empty();
        let (number, threads) = match self.immediate {
            number @ 0..NUMBERS if !in_register => (Some(number as u8), None),
            count @ WARP..=MOST_THREADS if count % WARP == 0 => (None, Some(count as u16)),
            _ => (None, None),
        };
        Some(BarrierUse {
            number,
            threads,
            waits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::record::OtherRegisters;

    /// Number, threads, whether it waits.
    fn told(opcode: &str, srcs: &[u8], immediate: u64) -> (Option<u8>, Option<u16>, bool) {
        let inst = StaticInst {
            pc: 0,
            opcode: opcode.into(),
            class: Class::Barrier,
            dsts: arrayvec::ArrayVec::new(),
            srcs: srcs.iter().copied().collect(),
            other_dsts: OtherRegisters::default(),
            other_srcs: OtherRegisters::default(),
            width_bytes: 0,
            immediate,
            line: None,
        };
        let barrier = inst.barrier().expect("a barrier");
        (barrier.number, barrier.threads, barrier.waits)
    }

    #[test]
    fn immediate_is_the_number_or_the_count() {
        assert_eq!(told("BAR.SYNC", &[], 0), (Some(0), None, true));
        assert_eq!(
            told("BAR.SYNC.DEFER_BLOCKING", &[], 3),
            (Some(3), None, true)
        );
        assert_eq!(told("BAR.SYNC", &[], 64), (None, Some(64), true));
        assert_eq!(told("BAR.ARV", &[], 256), (None, Some(256), false));
        assert_eq!(told("BAR.RED.POPC", &[], 1), (Some(1), None, true));
    }

    #[test]
    fn what_is_in_a_register_or_makes_no_sense_is_not_told() {
        assert_eq!(told("BAR.SYNC", &[5], 0), (None, None, true));
        assert_eq!(told("BAR.ARV", &[5], 96), (None, Some(96), false));
        assert_eq!(told("BAR.ARV", &[5, 6], 0), (None, None, false));
        for immediate in [16, 33, 1056] {
            assert_eq!(told("BAR.SYNC", &[], immediate), (None, None, true));
        }
    }
}
