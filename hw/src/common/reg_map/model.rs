//! The formula as the paper writes it.

use super::{RegMapIn, RegMapOut};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const PACKS: usize>;

impl<const NW: usize, const PACKS: usize> Clocked for Model<NW, PACKS> {
    type In = RegMapIn<NW, PACKS>;
    type Out = RegMapOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let coeff = u32::from(pins.coeff);
        let locate =
            |x: u8| (u32::from(x) < coeff).then(|| coeff * u32::from(pins.widx) + u32::from(x));
        let inside = |pack: &u32| (*pack as usize) < PACKS;
        RegMapOut::from_packs(
            pins.lookups()
                .map(|x| x.and_then(locate).filter(inside).map(|pack| pack as u16)),
        )
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
