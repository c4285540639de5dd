//! The part of a line that is the same whenever the instruction executes: registers, opcode, access size.

use arrayvec::ArrayVec;

use super::ReadOptions;
use super::field::{Fields, decimal};
use super::quote;
use crate::kernel::Reg;
use crate::trace::error::TraceErrorKind;
use crate::trace::lift::operand::surely_wide;
use crate::trace::opcode::{self, Generation};
use crate::trace::operands::{self, Operands};
use crate::trace::record::{Class, Header, OtherRegisters, StaticInst, ZERO_REGISTER};

/// What the head and the options say about every line.
#[derive(Clone)]
pub struct Rules {
    /// The hardware traced.
    pub generation: Generation,
    /// Registers of the kernel.
    pub regs: u16,
    /// What passes.
    pub options: ReadOptions,
}

/// The words from the destinations to the access size, and how many bytes of the line they take.
pub struct Statics {
    /// The instruction; address, immediate and line are still to be filled in.
    pub inst: StaticInst,
    /// Whether addresses follow.
    pub has_addresses: bool,
}

/// A register as a line names it.
enum Register {
    /// By number; 255 is the one that is zero.
    Vector(u8),
    /// By number.
    Uniform(u8),
    /// By its bit in [`OtherRegisters::flags`].
    Flag(u8),
    /// One that always is zero or true.
    Constant,
}

impl Rules {
    /// For the trace of that head.
    pub fn new(header: &Header, options: &ReadOptions) -> Rules {
        Rules {
            generation: Generation::of(header.binary_version).expect("the head was checked"),
            regs: header.regs,
            options: options.clone(),
        }
    }

    /// Reads destinations, opcode, sources and access size.
    pub fn statics(&self, fields: &mut Fields) -> Result<Statics, TraceErrorKind> {
        let (dsts, other_dsts) = self.registers(fields, "the number of destinations")?;
        let opcode = fields.word();
        let is_name = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_';
        if !opcode.first().is_some_and(u8::is_ascii_uppercase) || !opcode.iter().all(is_name) {
            return Err(bad("the opcode", opcode, "a name such as `LDG.E.64`"));
        }
        let opcode = String::from_utf8_lossy(opcode).into_owned();
        if let Some(word) = operands::word(&opcode) {
            self.check_all_registers(word)?;
        }
        let (srcs, other_srcs) = self.registers(fields, "the number of sources")?;
        let word = fields.word();
        let width =
            decimal(word).filter(|&width| width <= 16 && (width == 0 || width.is_power_of_two()));
        let width =
            width.ok_or_else(|| bad("the access size", word, "0, 1, 2, 4, 8 or 16 bytes"))?;
        let class = self.class(&opcode)?;
        let accesses = class.space().is_some();
        if accesses && width == 0 {
            return Err(TraceErrorKind::NoAddresses { opcode });
        }
        let inst = StaticInst {
            pc: 0,
            opcode,
            class,
            dsts,
            srcs,
            other_dsts,
            other_srcs,
            // Constant loads, cache control and the like have addresses, but take no memory's time.
            width_bytes: if accesses { width as u8 } else { 0 },
            immediate: 0,
            line: None,
        };
        self.check_wide(&inst)?;
        Ok(Statics {
            inst,
            has_addresses: width != 0,
        })
    }

    /// Whether the kernel has all registers of operands that are surely wide; an opcode that names all has been looked at.
    fn check_wide(&self, inst: &StaticInst) -> Result<(), TraceErrorKind> {
        if self.options.undeclared_registers || operands::word(&inst.opcode).is_some() {
            return Ok(());
        }
        // Uniform registers came with Turing.
        let mut wide = surely_wide(inst, self.generation < Generation::Turing);
        let beyond = wide.find(|&(first, width)| u16::from(first) + width > self.regs);
        match beyond {
            None => Ok(()),
            Some((first, width)) => Err(TraceErrorKind::WideRange {
                opcode: inst.opcode.clone(),
                first,
                last: u16::from(first) + width - 1,
                registers: self.regs,
            }),
        }
    }

    /// The word of an opcode that names all registers.
    fn check_all_registers(&self, word: &str) -> Result<(), TraceErrorKind> {
        let named = Operands::parse(word).ok_or_else(|| {
            let expected = "a list such as `REGS_W4_R2P`: R0 to R254, pairs at even numbers";
            bad(
                "the list of registers in the opcode",
                word.as_bytes(),
                expected,
            )
        })?;
        let units = named.written().chain(named.read()).flat_map(Reg::units);
        units
            .map(u64::from)
            .try_for_each(|register| self.check_declared(register))
    }

    /// Whether the kernel has that register, or may name it nevertheless.
    fn check_declared(&self, register: u64) -> Result<(), TraceErrorKind> {
        if register < u64::from(self.regs) || self.options.undeclared_registers {
            return Ok(());
        }
        Err(TraceErrorKind::RegisterRange {
            register,
            registers: self.regs,
        })
    }

    fn class(&self, name: &str) -> Result<Class, TraceErrorKind> {
        let known = opcode::class(name, self.generation);
        let class = known.or_else(|| self.options.unknown_opcodes.class(name));
        class.ok_or_else(|| TraceErrorKind::UnknownOpcode {
            opcode: opcode::base(name).into(),
            generation: self.generation,
        })
    }

    /// A count and as many registers: the vector registers in their order, and the others.
    fn registers<const N: usize>(
        &self,
        fields: &mut Fields,
        what: &str,
    ) -> Result<(ArrayVec<u8, N>, OtherRegisters), TraceErrorKind> {
        let word = fields.word();
        let most = 2 * N as u64;
        let count = decimal(word).filter(|&count| count <= most);
        let count = count.ok_or_else(|| bad(what, word, &format!("a number from 0 to {most}")))?;
        let (mut kept, mut others) = (ArrayVec::new(), OtherRegisters::default());
        for _ in 0..count {
            match self.register(fields.word())? {
                Register::Vector(number) if kept.try_push(number).is_err() => {
                    return Err(bad(what, word, &format!("at most {N} vector registers")));
                }
                Register::Uniform(number) => others.uniform |= 1 << number,
                Register::Flag(bit) => others.flags |= 1 << bit,
                Register::Vector(_) | Register::Constant => {}
            }
        }
        Ok((kept, others))
    }

    fn register(&self, word: &[u8]) -> Result<Register, TraceErrorKind> {
        let wrong = || {
            bad(
                "a register",
                word,
                "R0 to R255, RZ, P0 to P7, PT, UR0 to UR63, URZ, UP0 to UP7, UPT or B0 to B15",
            )
        };
        let letters = word
            .iter()
            .take_while(|byte| byte.is_ascii_uppercase())
            .count();
        let (file, number) = word.split_at(letters);
        let below = |limit: u64| decimal(number).filter(|&number| number < limit);
        let flag = |limit: u64, first: u8| {
            let number = below(limit).ok_or_else(wrong)?;
            Ok(Register::Flag(first + number as u8))
        };
        match file {
            b"R" => {
                let number = decimal(number).ok_or_else(wrong)?;
                let zero = u64::from(ZERO_REGISTER);
                if number > zero {
                    return Err(TraceErrorKind::NoSuchRegister { register: number });
                }
                if number != zero {
                    self.check_declared(number)?;
                }
                Ok(Register::Vector(number as u8))
            }
            b"RZ" if number.is_empty() => Ok(Register::Vector(ZERO_REGISTER)),
            b"PT" | b"UPT" | b"URZ" if number.is_empty() => Ok(Register::Constant),
            b"UR" => match below(64) {
                Some(number) => Ok(Register::Uniform(number as u8)),
                None => Err(wrong()),
            },
            b"P" => flag(8, 0),
            b"UP" => flag(8, 8),
            b"B" => flag(16, 16),
            _ => Err(wrong()),
        }
    }
}

/// A word that is not what it should be.
pub fn bad(what: &str, word: &[u8], expected: &str) -> TraceErrorKind {
    TraceErrorKind::BadValue {
        what: what.into(),
        found: quote(word),
        expected: expected.into(),
    }
}
