//! The obvious way: cut the word into fields, make lists of them, look up.

use super::{
    FlagDecoderIn, FlagDecoderOut, NO_REGISTER, OPERANDS, PBR_IDS, PBR_OPCODE, PIR_OPCODE,
    PIR_SLOTS,
};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model; has no state.
#[derive(Clone, Debug, Default)]
pub struct Model;

impl Clocked for Model {
    type In = FlagDecoderIn;
    type Out = FlagDecoderOut;

    fn outputs(&mut self, pins: &FlagDecoderIn) -> FlagDecoderOut {
        let bits = pins.word.view_bits::<Lsb0>();
        let opcode = bits[..4].load_le::<u16>() + 16 * bits[58..].load_le::<u16>();
        let payload = &bits[4..58];
        let mut out = FlagDecoderOut {
            pir: opcode == PIR_OPCODE,
            pbr: opcode == PBR_OPCODE,
            ..FlagDecoderOut::default()
        };
        if out.pir {
            let slots: Vec<u8> = payload
                .chunks(OPERANDS)
                .map(|slot| slot.load_le())
                .collect();
            assert_eq!(slots.len(), PIR_SLOTS);
            out.payload = payload.load_le();
            out.flags = slots.get(usize::from(pins.slot)).copied().unwrap_or(0);
        }
        if out.pbr {
            let ids: Vec<Option<u8>> = payload
                .chunks(6)
                .map(|id| Some(id.load_le()).filter(|&id| id != NO_REGISTER))
                .collect();
            assert_eq!(ids.len(), PBR_IDS);
            let used = ids.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
            out.turns = used.div_ceil(OPERANDS) as u8;
            let [x0, x1, x2] = [0, 1, 2].map(|port| {
                let at = usize::from(pins.turn) * OPERANDS + port;
                ids.get(at).copied().flatten()
            });
            (out.x0, out.x0_valid) = (x0.unwrap_or(0), x0.is_some());
            (out.x1, out.x1_valid) = (x1.unwrap_or(0), x1.is_some());
            (out.x2, out.x2_valid) = (x2.unwrap_or(0), x2.is_some());
        }
        out
    }

    fn edge(&mut self, pins: &FlagDecoderIn) -> FlagDecoderOut {
        self.outputs(pins)
    }
}
