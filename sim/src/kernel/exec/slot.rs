//! Places for operands.

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::kernel::MAX_SOURCES;
use crate::kernel::op::Op;
use crate::kernel::reg::Width;

/// What may stand at an operand's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A general register of this width; as a source also a constant or a special register.
    Reg(Width),
    /// An address: a general register of either width (32 bits are zero-extended), or a constant.
    Address,
    /// A predicate.
    Pred,
}

impl Kind {
    /// Width in 32-bit registers; 2 for an address (as a register it can be narrower), 0 for a predicate.
    pub fn regs(self) -> u16 {
        match self {
            Kind::Reg(width) => width.regs(),
            Kind::Address => 2,
            Kind::Pred => 0,
        }
    }
}

/// A place for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What may stand here.
    pub kind: Kind,
    /// Whether it may be left out.
    pub optional: bool,
}

/// The places of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Signature {
    /// Destinations in order.
    pub dsts: ArrayVec<Slot, 4>,
    /// Sources in order.
    pub srcs: ArrayVec<Slot, MAX_SOURCES>,
}

/// An operation that the instruction set does not have: a type, space or modifier that does not go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{op:?} is not an operation: {reason}")]
pub struct IllegalOp {
    /// The operation.
    pub op: Op,
    /// What does not fit.
    pub reason: &'static str,
}

impl Signature {
    /// Up to so many destinations and sources, of either width.
    pub(super) fn any(dsts: usize, srcs: usize) -> Self {
        let slot = Slot {
            kind: Kind::Address,
            optional: true,
        };
        Signature {
            dsts: std::iter::repeat_n(slot, dsts).collect(),
            srcs: std::iter::repeat_n(slot, srcs).collect(),
        }
    }

    pub(super) fn new(dsts: &[Kind], srcs: &[Kind]) -> Self {
        let slot = |&kind: &Kind| Slot {
            kind,
            optional: false,
        };
        Signature {
            dsts: dsts.iter().map(slot).collect(),
            srcs: srcs.iter().map(slot).collect(),
        }
    }

    pub(super) fn maybe_dst(mut self, kind: Kind) -> Self {
        self.dsts.push(Slot {
            kind,
            optional: true,
        });
        self
    }

    pub(super) fn maybe_src(mut self, kind: Kind) -> Self {
        self.srcs.push(Slot {
            kind,
            optional: true,
        });
        self
    }

    pub(super) fn maybe(self, condition: bool, kind: Kind) -> Self {
        if condition {
            let mut with = self;
            with.srcs.push(Slot {
                kind,
                optional: false,
            });
            with
        } else {
            self
        }
    }
}
