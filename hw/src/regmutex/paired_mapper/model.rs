//! The formula as the paper writes it.

use super::{PairedMapperIn, PairedMapperOut};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const PACKS: usize>;

impl<const NW: usize, const PACKS: usize> Clocked for Model<NW, PACKS> {
    type In = PairedMapperIn<NW, PACKS>;
    type Out = PairedMapperOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let (widx, base, ext) = (
            u32::from(pins.widx),
            u32::from(pins.base_regs),
            u32::from(pins.ext_regs),
        );
        let pair = (widx / 2) * (2 * base + ext);
        let locate = |x: u8| {
            let x = u32::from(x);
            if x < base {
                Some(pair + (widx % 2) * base + x)
            } else if x < base + ext && pins.ext_held {
                Some(pair + 2 * base + (x - base))
            } else {
                None
            }
        };
        let inside = |pack: &u32| (*pack as usize) < PACKS;
        PairedMapperOut::from_packs(
            pins.lookups()
                .map(|x| x.and_then(locate).filter(inside).map(|pack| pack as u16)),
        )
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
