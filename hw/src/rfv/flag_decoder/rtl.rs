//! Compares the opcode, selects the slot in a tree and the turn by its two bits.

use super::slot::SlotSelect;
use super::{FlagDecoderIn, FlagDecoderOut, PBR_OPCODE, PIR_OPCODE};
use crate::clocked::Clocked;
use crate::common::eval::{drive_bits, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Decoder of the two flag instructions. The ports are documented at [`FlagDecoderIn`] and [`FlagDecoderOut`].
#[derive(LogicBlock, Inputs)]
pub struct FlagDecoder {
    /// An instruction word.
    pub word: Signal<In, Bits<64>>,
    /// Instruction that a pir covers.
    pub slot: Signal<In, Bits<5>>,
    /// Three ids of a pbr.
    pub turn: Signal<In, Bits<2>>,
    /// The word is a pir.
    pub pir: Signal<Out, bool>,
    /// The word is a pbr.
    pub pbr: Signal<Out, bool>,
    /// Flags of a pir.
    pub payload: Signal<Out, Bits<54>>,
    /// Flags of the instruction in `slot`.
    pub flags: Signal<Out, Bits<3>>,
    /// First register of the turn.
    pub x0: Signal<Out, Bits<6>>,
    /// It is one.
    pub x0_valid: Signal<Out, bool>,
    /// Second register of the turn.
    pub x1: Signal<Out, Bits<6>>,
    /// It is one.
    pub x1_valid: Signal<Out, bool>,
    /// Third register of the turn.
    pub x2: Signal<Out, Bits<6>>,
    /// It is one.
    pub x2_valid: Signal<Out, bool>,
    /// Turns that the pbr needs.
    pub turns: Signal<Out, Bits<2>>,
    is_pir: Signal<Local, bool>,
    is_pbr: Signal<Local, bool>,
    select: Lazy<SlotSelect>,
    triple: Signal<Local, Bits<18>>,
    used: [Signal<Local, bool>; 3],
    id: [Signal<Local, Bits<6>>; 3],
    id_valid: [Signal<Local, bool>; 3],
    opcode_low: Constant<Bits<4>>,
    pir_high: Constant<Bits<6>>,
    pbr_high: Constant<Bits<6>>,
    no_payload: Constant<Bits<54>>,
    no_flags: Constant<Bits<3>>,
    no_id: Constant<Bits<6>>,
    no_register: Constant<Bits<6>>,
    unused: Constant<Bits<18>>,
    count: [Constant<Bits<2>>; 4],
}

impl FlagDecoder {
    /// A decoder.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(PIR_OPCODE & 0xf == PBR_OPCODE & 0xf) };
        Self {
            word: Signal::default(),
            slot: Signal::default(),
            turn: Signal::default(),
            pir: Signal::default(),
            pbr: Signal::default(),
            payload: Signal::default(),
            flags: Signal::default(),
            x0: Signal::default(),
            x0_valid: Signal::default(),
            x1: Signal::default(),
            x1_valid: Signal::default(),
            x2: Signal::default(),
            x2_valid: Signal::default(),
            turns: Signal::default(),
            is_pir: Signal::default(),
            is_pbr: Signal::default(),
            select: Lazy::default(),
            triple: Signal::default(),
            used: Default::default(),
            id: Default::default(),
            id_valid: Default::default(),
            opcode_low: Constant::new(u64::from(PIR_OPCODE & 0xf).into()),
            pir_high: Constant::new(u64::from(PIR_OPCODE >> 4).into()),
            pbr_high: Constant::new(u64::from(PBR_OPCODE >> 4).into()),
            no_payload: Constant::new(0u64.into()),
            no_flags: Constant::new(0u64.into()),
            no_id: Constant::new(0u64.into()),
            no_register: Constant::new(Bits::mask()),
            unused: Constant::new(Bits::mask()),
            count: std::array::from_fn(|i| Constant::new((i as u64).into())),
        }
    }
}

impl Default for FlagDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for FlagDecoder {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.is_pir.next = (self.word.val().get_bits::<4>(0) == self.opcode_low.val())
            & (self.word.val().get_bits::<6>(58) == self.pir_high.val());
        self.is_pbr.next = (self.word.val().get_bits::<4>(0) == self.opcode_low.val())
            & (self.word.val().get_bits::<6>(58) == self.pbr_high.val());
        self.pir.next = self.is_pir.val();
        self.pbr.next = self.is_pbr.val();

        self.select.payload.next = self.word.val().get_bits::<54>(4);
        self.select.slot.next = self.slot.val();
        self.payload.next = self.no_payload.val();
        self.flags.next = self.no_flags.val();
        if self.is_pir.val() {
            self.payload.next = self.word.val().get_bits::<54>(4);
        }
        if self.is_pir.val() & self.select.exists.val() {
            self.flags.next = self.select.flags.val();
        }

        // A turn that does not exist has no registers.
        self.triple.next = self.unused.val();
        if self.turn.val().get_bit(1) {
            if !self.turn.val().get_bit(0) {
                self.triple.next = self.word.val().get_bits::<18>(40);
            }
        } else if self.turn.val().get_bit(0) {
            self.triple.next = self.word.val().get_bits::<18>(22);
        } else {
            self.triple.next = self.word.val().get_bits::<18>(4);
        }
        for i in 0..3 {
            self.id_valid[i].next = self.is_pbr.val()
                & (self.triple.val().get_bits::<6>(6 * i) != self.no_register.val());
            self.id[i].next = self.no_id.val();
            if self.id_valid[i].val() {
                self.id[i].next = self.triple.val().get_bits::<6>(6 * i);
            }
            self.used[i].next = self.word.val().get_bits::<18>((18 * i) + 4) != self.unused.val();
        }
        self.x0.next = self.id[0].val();
        self.x1.next = self.id[1].val();
        self.x2.next = self.id[2].val();
        self.x0_valid.next = self.id_valid[0].val();
        self.x1_valid.next = self.id_valid[1].val();
        self.x2_valid.next = self.id_valid[2].val();
        self.turns.next = self.count[0].val();
        if self.is_pbr.val() {
            if self.used[2].val() {
                self.turns.next = self.count[3].val();
            } else if self.used[1].val() {
                self.turns.next = self.count[2].val();
            } else if self.used[0].val() {
                self.turns.next = self.count[1].val();
            }
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl {
    block: Box<FlagDecoder>,
}

impl Default for Rtl {
    fn default() -> Self {
        let mut block = Box::new(FlagDecoder::new());
        block.connect_all();
        Self { block }
    }
}

impl Clocked for Rtl {
    type In = FlagDecoderIn;
    type Out = FlagDecoderOut;

    fn outputs(&mut self, pins: &FlagDecoderIn) -> FlagDecoderOut {
        let block = &mut *self.block;
        drive_bits(&mut block.word, pins.word);
        drive_bits(&mut block.slot, pins.slot.into());
        drive_bits(&mut block.turn, pins.turn.into());
        settle(block);
        FlagDecoderOut {
            pir: block.pir.val(),
            pbr: block.pbr.val(),
            payload: read_bits(&block.payload),
            flags: read_bits(&block.flags) as u8,
            x0: read_bits(&block.x0) as u8,
            x0_valid: block.x0_valid.val(),
            x1: read_bits(&block.x1) as u8,
            x1_valid: block.x1_valid.val(),
            x2: read_bits(&block.x2) as u8,
            x2_valid: block.x2_valid.val(),
            turns: read_bits(&block.turns) as u8,
        }
    }

    fn edge(&mut self, pins: &FlagDecoderIn) -> FlagDecoderOut {
        self.outputs(pins)
    }
}
