//! The obvious way: look at one bit after another.

use super::{FindFirstZeroIn, FindFirstZeroOut};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize>;

impl<const NW: usize> Clocked for Model<NW> {
    type In = FindFirstZeroIn<NW>;
    type Out = FindFirstZeroOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let first = pins.mask.view_bits::<Lsb0>()[..NW].first_zero();
        FindFirstZeroOut {
            found: first.is_some(),
            index: first.unwrap_or(0) as u8,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
