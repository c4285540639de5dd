#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
pub mod slot;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::pins;

/// Instructions that one pir covers (RFV 6.2: 54 flag bits, 3 per instruction).
pub const PIR_SLOTS: usize = 18;
/// Source operands of an instruction, and so flags per instruction (RFV 6.2).
pub const OPERANDS: usize = 3;
/// Register ids in one pbr (RFV 6.2: 54 bits, 6 per id).
pub const PBR_IDS: usize = 9;
/// An unused id of a pbr: Fermi has registers 0 ..= 62, and 63 reads as zero.
pub const NO_REGISTER: u8 = 63;
/// Opcode of a pir: bits 3..0 are word bits 3..0, bits 9..4 are word bits 63..58.
pub const PIR_OPCODE: u16 = 0x3ef; // assumed: the paper reserves a value and does not name it
/// Opcode of a pbr, split in the same way.
pub const PBR_OPCODE: u16 = 0x3ff; // assumed, as PIR_OPCODE

/// The word with this opcode (10 bits) around this payload (54 bits); higher bits are dropped.
#[must_use]
pub const fn flag_word(opcode: u16, payload: u64) -> u64 {
    let opcode = opcode as u64;
    (opcode >> 4 & 0x3f) << 58 | (payload & (u64::MAX >> 10)) << 4 | opcode & 0xf
}

/// The pir whose slot `i` (the `i`-th instruction after it) has the flags `flags[i]`, bit 0 for the first source
/// operand.
#[must_use]
pub fn pir_word(flags: &[u8; PIR_SLOTS]) -> u64 {
    let payload = flags.iter().rev().fold(0, |payload, flags| {
        payload << OPERANDS | u64::from(flags & 7)
    });
    flag_word(PIR_OPCODE, payload)
}

/// The pbr that releases `registers` (0 ..= 62 each), in this order.
///
/// `None` if there are more than nine: those need a further pbr.
#[must_use]
pub fn pbr_word(registers: &[u8]) -> Option<u64> {
    let mut ids = [NO_REGISTER; PBR_IDS];
    ids.get_mut(..registers.len())?.copy_from_slice(registers);
    let payload = ids
        .iter()
        .rev()
        .fold(0, |payload, id| payload << 6 | u64::from(id & 63));
    Some(flag_word(PBR_OPCODE, payload))
}

/// Whether a word is a pbr.
#[must_use]
pub const fn is_pbr(word: u64) -> bool {
    (word >> 58 << 4 | word & 0xf) as u16 == PBR_OPCODE
}

/// The registers that a pbr releases, in order.
pub fn pbr_registers(word: u64) -> impl Iterator<Item = u8> {
    (0..PBR_IDS)
        .map(move |id| (word >> (4 + 6 * id) & 63) as u8)
        .filter(|&id| id != NO_REGISTER)
}

pins! {
    /// Inputs.
    pub struct FlagDecoderIn {
        /// An instruction word of 64 bits.
        word: u64 = 64,
        /// Which of the 18 instructions that follow a pir: 0 the next one.
        slot: u8 = 5,
        /// Which three ids of a pbr: 0 the first three, 1 the next, 2 the last.
        turn: u8 = 2,
    }
}

pins! {
    /// Outputs, combinational.
    pub struct FlagDecoderOut {
        /// The word is a pir.
        pir: bool = 1,
        /// The word is a pbr.
        pbr: bool = 1,
        /// The 54 flag bits of a pir, as the release flag cache keeps them; 0 for any other word.
        payload: u64 = 54,
        /// Source operands that the instruction in `slot` releases, bit 0 the first; 0 unless the word is a pir.
        flags: u8 = 3,
        /// First register that the pbr releases in this turn; 0 while not valid.
        x0: u8 = 6,
        /// `x0` is a register to release.
        x0_valid: bool = 1,
        /// Second register.
        x1: u8 = 6,
        /// `x1` is a register to release.
        x1_valid: bool = 1,
        /// Third register.
        x2: u8 = 6,
        /// `x2` is a register to release.
        x2_valid: bool = 1,
        /// Turns that the pbr needs, 0 ..= 3: those up to its last used id. 0 unless the word is a pbr.
        turns: u8 = 2,
    }
}
