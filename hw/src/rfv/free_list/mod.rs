#![doc = include_str!("README.md")]

mod adapter;
mod bank;
mod first;
mod hidden;
pub mod model;
pub mod rtl;
mod search;
mod split;
#[cfg(feature = "strategies")]
pub mod strategy;
mod update;

use crate::pins::{bits_for, pins};

/// Banks of the register file (RFV, 7.1).
pub const BANKS: usize = 4;
/// Sub-arrays of a bank, each switched on and off as a whole (RFV, Figure 8).
pub const SUB_ARRAYS_PER_BANK: usize = 4;

/// Packs at the bottom of each bank that hold the `exempt` registers of `warps` warps that are not renamed: pack N x warp +
/// id is number n of bank b if it is 4n + b (RFV, 7.1), so these are a quarter of N x `warps`, rounded up.
#[must_use]
pub const fn reserved_packs(exempt: usize, warps: usize) -> usize {
    (exempt * warps).div_ceil(BANKS)
}

/// Packs that a bank keeps of `bank_packs`, for each value of the pin `shrink`: all of them, or as many as a register
/// file that is 30, 40 or 50 % smaller has (RFV, 8.1 and 9.1), rounded down.
#[must_use]
pub const fn kept_packs(bank_packs: usize) -> [usize; 4] {
    [
        bank_packs,
        bank_packs * 7 / 10,
        bank_packs * 6 / 10,
        bank_packs / 2,
    ]
}

pins! {
    /// Inputs for `PACKS` packs, in port order. Bit b of a mask of 4 is bank b, bit 4b + s of one of 16 is sub-array s
    /// of bank b. A pack is named by its number in its bank, 0 .. `PACKS` / 4. The outputs of the same cycle depend on
    /// `shrink`, `reserved` and `awake`; the rest is sampled at the rising edge.
    pub struct FreeListIn<const PACKS> {
        /// All packs are free: start of a kernel. Wins over `take` and `give`.
        clear: bool = 1,
        /// How many packs are offered: all (0), or of a file that is 30 (1), 40 (2) or 50 (3) % smaller:
        /// of each bank the lowest, rounded down. To be held from one `clear` to the next.
        shrink: u8 = 2,
        /// Packs at the bottom of each bank that are not offered, because registers that are not renamed lie there: the packs
        /// with lower numbers in the bank. All of them where it is beyond the bank. To be held from one `clear` to the next.
        reserved: u16 = bits_for(PACKS / BANKS + 1),
        /// Sub-arrays that can be read and written, from `power_gate`.
        awake: u16 = (BANKS * SUB_ARRAYS_PER_BANK) as u32,
        /// Banks whose offer is taken.
        take: u8 = BANKS as u32,
        /// Banks to which a pack is given back.
        give: u8 = BANKS as u32,
        /// The pack that is given back to bank 0.
        give0: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 1.
        give1: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 2.
        give2: u16 = bits_for(PACKS / BANKS),
        /// The pack that is given back to bank 3.
        give3: u16 = bits_for(PACKS / BANKS),
    }
}

pins! {
    /// Outputs, combinational, in port order.
    pub struct FreeListOut<const PACKS> {
        /// Banks that offer a pack.
        offer_valid: u8 = BANKS as u32,
        /// The pack that bank 0 offers; 0 without an offer.
        offer0: u16 = bits_for(PACKS / BANKS),
        /// The pack that bank 1 offers.
        offer1: u16 = bits_for(PACKS / BANKS),
        /// The pack that bank 2 offers.
        offer2: u16 = bits_for(PACKS / BANKS),
        /// The pack that bank 3 offers.
        offer3: u16 = bits_for(PACKS / BANKS),
        /// Sub-arrays with a pack in use (before the edge) or a reserved one, for `power_gate`.
        occupied: u16 = (BANKS * SUB_ARRAYS_PER_BANK) as u32,
        /// Sub-arrays of the offers, for `power_gate`: the next allocation of the bank happens there.
        request: u16 = (BANKS * SUB_ARRAYS_PER_BANK) as u32,
    }
}

impl<const PACKS: usize> FreeListIn<PACKS> {
    /// The packs that are given back, by bank; `None` where the bit of `give` is low.
    #[must_use]
    pub fn given(&self) -> [Option<u16>; BANKS] {
        let packs = [self.give0, self.give1, self.give2, self.give3];
        std::array::from_fn(|bank| (self.give >> bank & 1 == 1).then_some(packs[bank]))
    }

    /// Gives these packs back, one per bank at most.
    pub fn set_given(&mut self, packs: [Option<u16>; BANKS]) {
        self.give = (0..BANKS).fold(0, |mask, bank| {
            mask | u8::from(packs[bank].is_some()) << bank
        });
        [self.give0, self.give1, self.give2, self.give3] = packs.map(|pack| pack.unwrap_or(0));
    }
}

impl<const PACKS: usize> FreeListOut<PACKS> {
    /// The packs that are offered, by bank.
    #[must_use]
    pub fn offers(&self) -> [Option<u16>; BANKS] {
        let packs = [self.offer0, self.offer1, self.offer2, self.offer3];
        std::array::from_fn(|bank| (self.offer_valid >> bank & 1 == 1).then_some(packs[bank]))
    }
}
