//! The formula as the paper writes it.

use super::{RegisterMapperIn, RegisterMapperOut};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const PACKS: usize>;

impl<const NW: usize, const PACKS: usize> Clocked for Model<NW, PACKS> {
    type In = RegisterMapperIn<NW, PACKS>;
    type Out = RegisterMapperOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let locate = |x: u8| {
            let (x, base, ext) = (
                u32::from(x),
                u32::from(pins.base_regs),
                u32::from(pins.ext_regs),
            );
            if x < base {
                Some(u32::from(pins.widx) * base + x)
            } else if x < base + ext && pins.section_valid {
                Some(u32::from(pins.section) * ext + (x - base) + u32::from(pins.srp_offset))
            } else {
                None
            }
        };
        let inside = |pack: &u32| (*pack as usize) < PACKS;
        RegisterMapperOut::from_packs(
            pins.lookups()
                .map(|x| x.and_then(locate).filter(inside).map(|pack| pack as u16)),
        )
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
