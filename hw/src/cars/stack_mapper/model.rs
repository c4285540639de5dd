//! The obvious way: lay out the frame in control as a list of packs, R16 first, and look into it.

use super::{FIRST_CALLEE_SAVED, StackMapperIn, StackMapperOut};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model<const PACKS: usize, const STACK: usize>;

impl<const PACKS: usize, const STACK: usize> Clocked for Model<PACKS, STACK> {
    type In = StackMapperIn<PACKS, STACK>;
    type Out = StackMapperOut<PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let circle: Vec<u16> = (0..usize::from(pins.capacity))
            .map(|place| ((usize::from(pins.first) + place) % PACKS) as u16)
            .collect();
        let mut frame = Vec::new();
        let mut link_pack = 0;
        let start = circle.iter().position(|&pack| pack == pins.rfp);
        if let Some(mut at) = start.filter(|_| pins.launched && circle.contains(&pins.rsp)) {
            link_pack = circle[(at + circle.len() - 1) % circle.len()];
            while circle[at] != pins.rsp {
                frame.push(circle[at]);
                at = (at + 1) % circle.len();
            }
        }
        let locate = |x: u8| {
            let pushed = x.checked_sub(FIRST_CALLEE_SAVED);
            let renamed = pushed.and_then(|number| frame.get(usize::from(number)).copied());
            let base = pins.base + u16::from(x);
            renamed.or((base < pins.first).then_some(base))
        };
        let packs = pins.lookups().map(|x| x.and_then(locate));
        Self::Out {
            link_pack,
            ..Self::Out::from_packs(packs)
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
