//! How many registers an operand has. Traces name the first one only; the opcode tells the rest (NVIDIA, CUDA Binary Utilities,
//! and the PTX ISA for the fragments of matrix products).
//!
//! Where the opcode leaves a choice, a source has the more registers: a register too many is only kept longer. Of textures the
//! opcode does not tell how many coordinates and components there are: one register each. // assumed

use crate::trace::opcode::base;
use crate::trace::record::{Class, Space, StaticInst};

/// Registers of each destination, and of each source by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Of a destination.
    pub dst: u16,
    /// Of the sources, in their order.
    pub srcs: [u16; 8],
}

impl Widths {
    const fn all(dst: u16, src: u16) -> Widths {
        Widths {
            dst,
            srcs: [src; 8],
        }
    }

    /// The first source has a width of its own.
    const fn first(dst: u16, first: u16, others: u16) -> Widths {
        let mut srcs = [others; 8];
        srcs[0] = first;
        Widths { dst, srcs }
    }
}

/// The words behind the base of an opcode.
#[derive(Clone, Copy)]
struct Modifiers<'a>(&'a str);

impl<'a> Modifiers<'a> {
    fn words(self) -> impl Iterator<Item = &'a str> {
        self.0.split('.').skip(1)
    }

    fn has(self, word: &str) -> bool {
        self.words().any(|other| other == word)
    }

    /// The number of the first of these words that is there, or 1.
    fn size(self, sizes: &[(&str, u16)]) -> u16 {
        let found = sizes.iter().find(|(word, _)| self.has(word));
        found.map_or(1, |&(_, size)| size)
    }
}

/// The widths of an instruction whose sources begin with these registers.
pub fn widths(inst: &StaticInst, srcs: &[u8]) -> Widths {
    let name = base(&inst.opcode);
    let modifiers = Modifiers(&inst.opcode);
    let data = u16::from(inst.width_bytes).div_ceil(4).max(1);
    // `.E`: an address of 64 bits.
    let address = if modifiers.has("E") { 2 } else { 1 };
    let device = match inst.class.space() {
        Some(Space::Global | Space::Generic) => address,
        _ => 1,
    };
    match inst.class {
        Class::Load(_) if name == "LDSM" => Widths::all(modifiers.size(MATRICES), 1),
        Class::Store(_) if name == "STSM" => Widths::first(1, 1, modifiers.size(MATRICES)),
        Class::Load(_) => Widths::first(data, device, 1),
        Class::Store(_) | Class::Atomic(_) => Widths::first(data, device, data),
        // The address in scratchpad, and the one in device memory.
        Class::AsyncCopy => Widths::first(1, 1, 2),
        Class::Dp if name == "DSETP" || name == "DSET" => Widths::all(1, 2),
        Class::Dp => Widths::all(2, 2),
        Class::Tensor => super::matrix::widths(name, &inst.opcode),
        Class::Branch => match name {
            // A return address, or a target.
            "BRX" | "CALL" | "JMX" | "RET" => Widths::all(1, 2),
            "BMOV" | "RPCMOV" if modifiers.has("64") => Widths::all(2, 2),
            _ => Widths::all(1, 1),
        },
        Class::Fence => Widths::all(1, address),
        _ => match name {
            "CCTL" | "CCTLL" | "CCTLT" => Widths::all(1, address),
            "IMAD" | "IMAD32I" | "IMUL" | "IMUL32I" => multiplied(modifiers, srcs),
            "CS2R" if !modifiers.has("32") => Widths::all(2, 1),
            "GETLMEMBASE" | "LEPC" => Widths::all(2, 1),
            "SETLMEMBASE" => Widths::all(1, 2),
            "LDC" => Widths::all(modifiers.size(&[("64", 2), ("128", 4)]), 1),
            "MATCH" if modifiers.has("U64") || modifiers.has("S64") => Widths::all(1, 2),
            "QSPC" => Widths::all(1, address),
            "F2F" | "F2I" | "I2F" | "I2I" | "FRND" => converted(name, modifiers),
            _ => Widths::all(1, 1),
        },
    }
}

/// The least widths that the opcode leaves no doubt about; 1 where it does. Of addresses there is some where uniform registers can be
/// part of them.
pub fn least(inst: &StaticInst, addresses_are_whole: bool) -> Widths {
    // Without sources no factor is taken for an addend.
    let sure = widths(inst, &[]);
    match inst.class {
        Class::Load(_) | Class::Store(_) | Class::Atomic(_) if addresses_are_whole => sure,
        Class::Load(_) | Class::Store(_) | Class::Atomic(_) => {
            Widths::first(sure.dst, 1, sure.srcs[1])
        }
        Class::AsyncCopy | Class::Tensor | Class::Branch | Class::Fence => Widths::all(1, 1),
        Class::Alu if base(&inst.opcode).starts_with("CCTL") => Widths::all(1, 1),
        _ => sure,
    }
}

/// Matrices of 8 x 8 halves, a register each.
const MATRICES: &[(&str, u16)] = &[("4", 4), ("2", 2)];

/// Products. `.WIDE` has a result of 64 bits; it and `.HI` have an addend of 64 bits: the last source, if that is a register.
fn multiplied(modifiers: Modifiers<'_>, srcs: &[u8]) -> Widths {
    let wide = modifiers.has("WIDE");
    let mut widths = Widths::all(if wide { 2 } else { 1 }, 1);
    if (wide || modifiers.has("HI"))
        && let [_, .., last] = srcs
        && last % 2 == 0
    {
        widths.srcs[srcs.len() - 1] = 2;
    }
    widths
}

/// Conversions: of two types the first is that of the result.
fn converted(name: &str, modifiers: Modifiers<'_>) -> Widths {
    let types = modifiers.words().filter_map(|word| match word {
        "F64" | "S64" | "U64" => Some(2),
        "F32" | "F16" | "BF16" | "S32" | "U32" | "S16" | "U16" | "S8" | "U8" => Some(1),
        _ => None,
    });
    let types: Vec<u16> = types.collect();
    let real = modifiers.size(&[("F64", 2)]);
    let whole = modifiers.size(&[("S64", 2), ("U64", 2)]);
    match (name, &types[..]) {
        ("F2F" | "I2I", [dst, src, ..]) => Widths::all(*dst, *src),
        ("F2F" | "I2I", [one]) => Widths::all(*one, *one),
        ("FRND", _) => Widths::all(real, real),
        ("F2I", _) => Widths::all(whole, real),
        ("I2F", _) => Widths::all(real, whole),
        _ => Widths::all(1, 1),
    }
}
