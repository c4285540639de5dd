//! How many registers an operand has. Traces name the first one only; the opcode tells the rest (NVIDIA, CUDA Binary Utilities,
//! and the PTX ISA for the fragments of matrix products).
//!
//! Where the opcode leaves a choice, a source has the more registers: a register too many is only kept longer.

use super::TooWide;
use crate::kernel::{Dst, MAX_SOURCES, Operand, Reg};
use crate::trace::opcode::base;
use crate::trace::record::{Class, Space, StaticInst, ZERO_REGISTER};
use arrayvec::ArrayVec;

/// Most registers that an instruction names, each half of a pair on its own.
const MOST: usize = regshare_hw::manager::MAX_REGS_PER_INST;
/// Most sources that the pipeline takes.
const MOST_SOURCES: usize = 5;

/// Registers of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// Written.
    pub dsts: ArrayVec<Dst, 4>,
    /// Read.
    pub srcs: ArrayVec<Operand, MAX_SOURCES>,
}

/// Registers of each destination, and of each source by its place.
struct Widths {
    dst: u16,
    srcs: [u16; 8],
}

/// The registers of an instruction, pairs at even numbers as such.
///
/// # Errors
/// [`TooWide`] for more than the pipeline takes.
pub fn operands(inst: &StaticInst) -> Result<Operands, TooWide> {
    let widths = widths(inst);
    let mut found = Operands::default();
    let too_wide = || TooWide {
        pc: inst.pc,
        opcode: inst.opcode.clone(),
    };
    for &dst in &inst.dsts {
        for reg in parts(dst, widths.dst) {
            let dst = Dst::Reg(reg);
            found.dsts.try_push(dst).map_err(|_| too_wide())?;
        }
    }
    for (&src, width) in inst.srcs.iter().zip(widths.srcs) {
        for reg in parts(src, width) {
            let src = Operand::Reg(reg);
            found.srcs.try_push(src).map_err(|_| too_wide())?;
        }
    }
    let dsts = found.dsts.iter().map(|dst| match dst {
        Dst::Reg(reg) => reg.width.regs(),
        Dst::Pred(_) => 0,
    });
    let srcs = found.srcs.iter().map(|src| match src {
        Operand::Reg(reg) => reg.width.regs(),
        _ => 0,
    });
    let units: u16 = dsts.chain(srcs).sum();
    if usize::from(units) > MOST || found.srcs.len() > MOST_SOURCES {
        return Err(too_wide());
    }
    Ok(found)
}

/// `width` registers from `first` on, none of the register that reads zero.
fn parts(first: u8, width: u16) -> impl Iterator<Item = Reg> {
    let end = (u16::from(first) + width).min(ZERO_REGISTER.into());
    let mut next = u16::from(first);
    std::iter::from_fn(move || {
        let reg = match end.saturating_sub(next) {
            0 => return None,
            2.. if next.is_multiple_of(2) => Reg::r64(next),
            _ => Reg::r32(next),
        };
        next += reg.width.regs();
        Some(reg)
    })
}

fn widths(inst: &StaticInst) -> Widths {
    let opcode = inst.opcode.as_str();
    let name = base(opcode);
    let has = |modifier: &str| opcode.split('.').skip(1).any(|word| word == modifier);
    let data = u16::from(inst.width_bytes).div_ceil(4).max(1);
    // `.E`: an address of 64 bits.
    let address = match (inst.class.space(), has("E")) {
        (Some(Space::Global | Space::Generic), true) => 2,
        _ => 1,
    };
    let all = |dst, src| Widths {
        dst,
        srcs: [src; 8],
    };
    let accessed = |first| {
        let mut srcs = [data; 8];
        srcs[0] = first;
        Widths { dst: data, srcs }
    };
    match inst.class {
        Class::Load(_) if name == "LDSM" => {
            let matrices = [("4", 4), ("2", 2)].into_iter().find(|(word, _)| has(word));
            all(matrices.map_or(1, |(_, count)| count), 1)
        }
        Class::Load(_) => Widths {
            dst: data,
            srcs: [address, 1, 1, 1, 1, 1, 1, 1],
        },
        Class::Store(_) | Class::Atomic(_) => accessed(address),
        Class::AsyncCopy => Widths {
            dst: 1,
            srcs: [1, 2, 1, 1, 1, 1, 1, 1],
        },
        Class::Dp if name == "DSETP" || name == "DSET" => all(1, 2),
        Class::Dp => all(2, 2),
        Class::Tensor => matrix(name, opcode),
        // A return address, or a target.
        Class::Branch => {
            let pair = inst.srcs.first().is_some_and(|reg| reg % 2 == 0);
            all(1, if pair { 2 } else { 1 })
        }
        _ => match name {
            // The addend is the last source, if it is a register; it is a pair then.
            "IMAD" if has("WIDE") => {
                let mut srcs = [1; 8];
                if let [.., last] = inst.srcs[..]
                    && inst.srcs.len() > 1
                    && last % 2 == 0
                {
                    srcs[inst.srcs.len() - 1] = 2;
                }
                Widths { dst: 2, srcs }
            }
            "CS2R" if !has("32") => all(2, 1),
            "LDC" => {
                let dst = [("64", 2), ("128", 4)]
                    .into_iter()
                    .find(|(word, _)| has(word));
                all(dst.map_or(1, |(_, width)| width), 1)
            }
            "F2F" | "F2I" | "I2F" | "FRND" => converted(name, opcode),
            _ => all(1, 1),
        },
    }
}

/// Conversions: of two types the first is that of the result.
fn converted(name: &str, opcode: &str) -> Widths {
    let wide: Vec<bool> = opcode
        .split('.')
        .skip(1)
        .filter_map(|word| match word {
            "F64" => Some(true),
            "F32" | "F16" | "BF16" => Some(false),
            "S64" | "U64" => Some(true),
            "S32" | "U32" | "S16" | "U16" | "S8" | "U8" => Some(false),
            _ => None,
        })
        .collect();
    let width = |wide: bool| if wide { 2 } else { 1 };
    let has = |word: &str| opcode.split('.').any(|other| other == word);
    let (dst, src) = match (name, &wide[..]) {
        ("F2F", [dst, src, ..]) => (width(*dst), width(*src)),
        ("FRND", _) => (width(has("F64")), width(has("F64"))),
        ("F2I", _) => (width(has("S64") || has("U64")), width(has("F64"))),
        ("I2F", _) => (width(has("F64")), width(has("S64") || has("U64"))),
        (_, [one]) => (width(*one), width(*one)),
        _ => (1, 1),
    };
    Widths {
        dst,
        srcs: [src; 8],
    }
}

/// Matrix products: A, B, and an accumulator as large as the result.
fn matrix(name: &str, opcode: &str) -> Widths {
    let shape = opcode.split('.').nth(1).unwrap_or("");
    let half = opcode.split('.').nth(2) == Some("F16");
    let sum = if half { 2 } else { 4 };
    let [a, b, c] = match (name, shape) {
        ("HMMA", "884") => [2, 2, 2],
        ("HMMA", "1684") => [2, 1, sum],
        ("HMMA", "1688") if opcode.contains("TF32") => [4, 2, sum],
        ("HMMA", "1688") => [2, 1, sum],
        ("HMMA", "16816") => [4, 2, sum],
        ("IMMA", "8816" | "8832") | ("BMMA", "88128") => [1, 1, 2],
        ("IMMA", "16816") | ("BMMA", "168128") => [2, 1, 4],
        ("IMMA", "16832" | "16864") | ("BMMA", "168256") => [4, 2, 4],
        ("DMMA", _) => [2, 2, 4],
        _ => [1, 1, 1],
    };
    Widths {
        dst: c,
        srcs: [a, b, c, 1, 1, 1, 1, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::opcode::{Generation, class};
    use crate::trace::record::OtherRegisters;

    /// `OPCODE dsts <- srcs`, as text: which registers.
    fn named(opcode: &str, dsts: &[u8], srcs: &[u8], width_bytes: u8) -> String {
        let found = operands(&StaticInst {
            pc: 0,
            opcode: opcode.into(),
            class: class(opcode, Generation::Ampere).expect("known"),
            dsts: dsts.iter().copied().collect(),
            srcs: srcs.iter().copied().collect(),
            other_dsts: OtherRegisters::default(),
            other_srcs: OtherRegisters::default(),
            width_bytes,
            immediate: 0,
            line: None,
        });
        let Ok(found) = found else {
            return "too wide".into();
        };
        let name = |reg: Reg| match reg.width.regs() {
            1 => format!("{} ", reg.index),
            _ => format!("{}:{} ", reg.index, reg.index + 1),
        };
        let dsts = found.dsts.iter().map(|dst| match dst {
            Dst::Reg(reg) => name(*reg),
            Dst::Pred(_) => "?".into(),
        });
        let srcs = found.srcs.iter().map(|src| match src {
            Operand::Reg(reg) => name(*reg),
            _ => "?".into(),
        });
        dsts.chain(["< ".to_owned()]).chain(srcs).collect()
    }

    #[test]
    fn opcode_tells_how_many_registers_an_operand_has() {
        for (opcode, dsts, srcs, bytes, expected) in [
            ("LDG.E", &[4][..], &[4][..], 4, "4 < 4:5 "),
            ("LDG.E.128", &[4], &[2], 16, "4:5 6:7 < 2:3 "),
            ("LDG.E.U8", &[0], &[4], 1, "0 < 4:5 "),
            ("LDS.64", &[6], &[3], 8, "6:7 < 3 "),
            ("STG.E.64", &[], &[2, 8], 8, "< 2:3 8:9 "),
            ("STG.E", &[], &[2, 255], 4, "< 2:3 "),
            ("ATOMG.E.CAS.64", &[0], &[2, 4, 6], 8, "0:1 < 2:3 4:5 6:7 "),
            ("LDGSTS.E.BYPASS.128", &[], &[3, 6], 16, "< 3 6:7 "),
            ("LDSM.16.M88.4", &[8], &[1], 16, "8:9 10:11 < 1 "),
            ("IMAD.WIDE", &[4], &[6, 7], 0, "4:5 < 6 7 "),
            ("IMAD.WIDE", &[4], &[6, 7, 2], 0, "4:5 < 6 7 2:3 "),
            ("IMAD", &[4], &[6, 7, 2], 0, "4 < 6 7 2 "),
            ("DFMA", &[0], &[2, 4, 6], 0, "0:1 < 2:3 4:5 6:7 "),
            ("DSETP.GE.AND", &[], &[2, 4], 0, "< 2:3 4:5 "),
            ("F2F.F64.F32", &[2], &[5], 0, "2:3 < 5 "),
            ("F2F.F32.F64", &[2], &[4], 0, "2 < 4:5 "),
            ("I2F.F64.S64", &[2], &[4], 0, "2:3 < 4:5 "),
            ("F2I.TRUNC.NTZ", &[2], &[5], 0, "2 < 5 "),
            ("CS2R", &[2], &[], 0, "2:3 < "),
            ("CS2R.32", &[2], &[], 0, "2 < "),
            ("LDC.64", &[2], &[9], 0, "2:3 < 9 "),
            (
                "HMMA.1688.F32",
                &[4],
                &[8, 10, 4],
                0,
                "4:5 6:7 < 8:9 10 4:5 6:7 ",
            ),
            (
                "HMMA.16816.F16",
                &[4],
                &[8, 12, 4],
                0,
                "4:5 < 8:9 10:11 12:13 4:5 ",
            ),
            ("RET.REL.NODEC", &[], &[20], 0, "< 20:21 "),
            ("FFMA", &[1], &[2, 3, 1], 0, "1 < 2 3 1 "),
        ] {
            assert_eq!(named(opcode, dsts, srcs, bytes), expected, "{opcode}");
        }
    }

    #[test]
    fn odd_pair_is_two_registers_and_none_lies_behind_the_last() {
        assert_eq!(named("LDG.E.128", &[5], &[2], 16), "5 6:7 8 < 2:3 ");
        assert_eq!(named("LDG.E.64", &[254], &[2], 8), "254 < 2:3 ");
    }

    #[test]
    fn more_registers_than_the_pipeline_takes_are_refused() {
        assert_eq!(named("IADD3", &[0], &[1, 2, 3, 4, 5, 6], 0), "too wide");
        let product = named("HMMA.16816.F32", &[4], &[8, 12, 4], 0);
        assert_eq!(product, "4:5 6:7 < 8:9 10:11 12:13 4:5 6:7 ");
    }
}
