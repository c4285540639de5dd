#![doc = include_str!("README.md")]

mod adapter;
pub mod answers;
pub mod bank;
pub mod direct;
pub mod gate;
pub mod model;
pub mod operand;
pub mod orders;
pub mod place;
pub mod rows;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;
pub mod turn;

use crate::pins::{bits_for, pins};

/// Banks of the register file and of the table (RFV 7.1).
pub const BANKS: usize = 4;
/// Operands of a request: three sources and a destination.
pub const OPERANDS: usize = 4;
/// Registers of a warp at most; the id 63 names none (RFV 6.2).
pub const REGISTERS: usize = 63;

pins! {
    /// Inputs of the table for `WARPS` warps, `PACKS` packs and `RENAMED` registers of each warp, in port order.
    pub struct RenameTableIn<const WARPS, const RENAMED, const PACKS> {
        /// Ends a walk and drops the request of this cycle. The words stay: launch each warp before it asks.
        clear: bool = 1,
        /// N, registers that are not renamed: those below it. Constant while a kernel runs.
        exempt: u8 = 6,
        /// The warp that asks, starts or ends.
        warp: u8 = bits_for(WARPS),
        /// The warp starts: its words are made unmapped, row by row. Wins over `exit` and over operands.
        launch: bool = 1,
        /// The warp ends: its packs are given back and its words made unmapped, row by row. Wins over operands.
        exit: bool = 1,
        /// First source register.
        x0: u8 = 6,
        /// It is wanted. Keep it high until its bit in `served` is.
        x0_valid: bool = 1,
        /// Its value is dead after this instruction (pir), or it is released alone (pbr).
        x0_release: bool = 1,
        /// Second source register.
        x1: u8 = 6,
        /// As `x0_valid`.
        x1_valid: bool = 1,
        /// As `x0_release`.
        x1_release: bool = 1,
        /// Third source register.
        x2: u8 = 6,
        /// As `x0_valid`.
        x2_valid: bool = 1,
        /// As `x0_release`.
        x2_release: bool = 1,
        /// Destination register.
        x3: u8 = 6,
        /// As `x0_valid`.
        x3_valid: bool = 1,
        /// Only some lanes are written, so the others must keep their old value and the register its pack. Only the
        /// hardware-only variant asks.
        x3_partial: bool = 1,
        /// Banks with a free pack, as `free_list` offers it. Offers are read in the cycle of the answer.
        offer_valid: u8 = BANKS as u32,
        /// A free pack of bank 0: its number in the bank, that is the pack's number divided by four.
        offer0: u16 = bits_for(PACKS / BANKS),
        /// A free pack of bank 1.
        offer1: u16 = bits_for(PACKS / BANKS),
        /// A free pack of bank 2.
        offer2: u16 = bits_for(PACKS / BANKS),
        /// A free pack of bank 3.
        offer3: u16 = bits_for(PACKS / BANKS),
    }
}

pins! {
    /// Outputs in port order. `served` belongs to the request of this cycle, all others to that of the cycle before.
    pub struct RenameTableOut<const WARPS, const RENAMED, const PACKS> {
        /// A walk goes on: nothing is served.
        busy: bool = 1,
        /// Operands that are looked up now, bit 0 the first source, bit 3 the destination.
        served: u8 = OPERANDS as u32,
        /// Pack of the first source.
        y0: u16 = bits_for(PACKS),
        /// It has one.
        y0_valid: bool = 1,
        /// Pack of the second source.
        y1: u16 = bits_for(PACKS),
        /// It has one.
        y1_valid: bool = 1,
        /// Pack of the third source.
        y2: u16 = bits_for(PACKS),
        /// It has one.
        y2_valid: bool = 1,
        /// Pack of the destination.
        y3: u16 = bits_for(PACKS),
        /// It has one.
        y3_valid: bool = 1,
        /// The destination has no pack and none is free in its bank: ask again.
        starved: bool = 1,
        /// Offers that are taken, a bit per bank.
        take: u8 = BANKS as u32,
        /// Banks to which a pack is given back, a bit per bank.
        give: u8 = BANKS as u32,
        /// The pack that is given back to bank 0, by its number in the bank; 0 if none is.
        give0: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 1.
        give1: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 2.
        give2: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 3.
        give3: u16 = bits_for(PACKS / BANKS),
    }
}

impl<const WARPS: usize, const RENAMED: usize, const PACKS: usize>
    RenameTableIn<WARPS, RENAMED, PACKS>
{
    /// Operands that are wanted: sources, then the destination. The flag of a source is that of a release; that of the
    /// destination that only some lanes are written.
    #[must_use]
    pub fn operands(&self) -> [Option<(u8, bool)>; OPERANDS] {
        [
            self.x0_valid.then_some((self.x0, self.x0_release)),
            self.x1_valid.then_some((self.x1, self.x1_release)),
            self.x2_valid.then_some((self.x2, self.x2_release)),
            self.x3_valid.then_some((self.x3, self.x3_partial)),
        ]
    }

    /// These pins with other operands, as [`operands`](Self::operands) lists them.
    #[must_use]
    pub fn with_operands(self, x: [Option<(u8, bool)>; OPERANDS]) -> Self {
        let [x0_valid, x1_valid, x2_valid, x3_valid] = x.map(|x| x.is_some());
        let [
            (x0, x0_release),
            (x1, x1_release),
            (x2, x2_release),
            (x3, x3_partial),
        ] = x.map(Option::unwrap_or_default);
        Self {
            x0,
            x0_valid,
            x0_release,
            x1,
            x1_valid,
            x1_release,
            x2,
            x2_valid,
            x2_release,
            x3,
            x3_valid,
            x3_partial,
            ..self
        }
    }

    /// Free packs that are offered, a bank each, as pack numbers.
    #[must_use]
    pub fn offers(&self) -> [Option<u16>; BANKS] {
        let numbers = [self.offer0, self.offer1, self.offer2, self.offer3];
        packs_of(numbers, self.offer_valid)
    }

    /// These pins with other offers, as [`offers`](Self::offers) lists them.
    #[must_use]
    pub fn with_offers(self, offers: [Option<u16>; BANKS]) -> Self {
        let [offer0, offer1, offer2, offer3] = offers.map(|pack| pack.unwrap_or(0) / BANKS as u16);
        let offer_valid = (0..BANKS).fold(0, |mask, bank| {
            mask | u8::from(offers[bank].is_some()) << bank
        });
        Self {
            offer_valid,
            offer0,
            offer1,
            offer2,
            offer3,
            ..self
        }
    }
}

/// The packs with these numbers in their banks, where the bit of `mask` is set.
fn packs_of(numbers: [u16; BANKS], mask: u8) -> [Option<u16>; BANKS] {
    std::array::from_fn(|bank| {
        (mask >> bank & 1 == 1).then_some(BANKS as u16 * numbers[bank] + bank as u16)
    })
}

impl<const WARPS: usize, const RENAMED: usize, const PACKS: usize>
    RenameTableOut<WARPS, RENAMED, PACKS>
{
    /// Packs of the operands that have one.
    #[must_use]
    pub fn packs(&self) -> [Option<u16>; OPERANDS] {
        [
            self.y0_valid.then_some(self.y0),
            self.y1_valid.then_some(self.y1),
            self.y2_valid.then_some(self.y2),
            self.y3_valid.then_some(self.y3),
        ]
    }

    /// Packs that are given back, a bank each.
    #[must_use]
    pub fn given(&self) -> [Option<u16>; BANKS] {
        packs_of([self.give0, self.give1, self.give2, self.give3], self.give)
    }
}
