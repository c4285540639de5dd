//! The kernels of loops of the generator beside the peer's figures, written again.

use super::{GLOBAL, SHARED, trace};
use std::fmt::Write;

/// What a warp does in each round of its loop.
#[derive(Clone, Copy)]
pub enum Kind {
    /// 20 dependent FFMA in 8 chains.
    Ffma,
    /// Four loads, four FADD, one store.
    Mem,
    /// Half of the lanes load from all over the place and compute, then the others compute.
    Div,
    /// Two loads, an exchange over scratchpad between barriers, arithmetic of all kinds.
    Mix,
}

/// Lines of a warp, with addresses that come back in each round.
struct Lines {
    text: String,
    count: usize,
    pc: u32,
}

impl Lines {
    fn add(&mut self, mask: u32, rest: &str) {
        let _ = writeln!(self.text, "{:04x} {mask:08x} {rest} ", self.pc);
        self.count += 1;
        self.pc += 16;
    }

    fn all(&mut self, rest: &str) {
        self.add(u32::MAX, rest);
    }
}

fn round(kind: Kind, lines: &mut Lines, (warp, of_cta): (u64, u64), round: u64, rounds: u64) {
    let at = (warp * rounds + round) * 128;
    let (far, out) = (GLOBAL + 0x1000_0000, GLOBAL + 0x2000_0000);
    match kind {
        Kind::Ffma => {
            for n in 0..20 {
                let reg = 10 + n % 8;
                lines.all(&format!("1 R{reg} FFMA 3 R{reg} R20 R21 0 0"));
            }
            lines.all("1 R4 IADD3 3 R4 R9 R255 0 0");
        }
        Kind::Mem => {
            for n in 0..4 {
                let from = GLOBAL + at * 4 + n * 128;
                lines.all(&format!("1 R{} LDG.E.SYS 1 R4 4 1 {from:#x} 4 0", 10 + n));
            }
            for n in 0..4 {
                lines.all(&format!("1 R{0} FADD 2 R{1} R{0} 0 0", 14 + n, 10 + n));
            }
            lines.all("1 R4 IADD3 3 R4 R9 R255 0 0");
            let to = out + at;
            lines.all(&format!("0 STG.E.SYS 2 R6 R14 4 1 {to:#x} 4 0"));
        }
        Kind::Div => {
            lines.all("0 BRA 0 0 0");
            let places = (0..16).map(|lane| GLOBAL + at * 8 + lane * 1093 % 257 * 32);
            let places: Vec<u64> = places.collect();
            let mut list = format!("{:#x}", places[0]);
            for pair in places.windows(2) {
                let _ = write!(list, " {}", pair[1] as i64 - pair[0] as i64);
            }
            lines.add(0xffff, &format!("1 R10 LDG.E.SYS 1 R4 4 2 {list} 0"));
            for _ in 0..6 {
                lines.add(0xffff, "1 R14 FFMA 3 R10 R11 R14 0 0");
            }
            lines.add(0xffff, "0 BRA 0 0 0");
            for _ in 0..6 {
                lines.add(0xffff_0000, "1 R15 IMAD 3 R10 R11 R15 0 0");
            }
            lines.all("0 BSYNC 0 0 0");
        }
        Kind::Mix => {
            let from = [GLOBAL + at, far + round * 128];
            lines.all(&format!("1 R10 LDG.E.SYS 1 R4 4 1 {:#x} 4 0", from[0]));
            lines.all(&format!("1 R11 LDG.E.SYS 1 R6 4 1 {:#x} 4 0", from[1]));
            let (own, next) = (SHARED + of_cta * 128, SHARED + (of_cta + 1) % 8 * 128);
            lines.all(&format!("0 STS 2 R2 R10 4 1 {own:#x} 4 0"));
            lines.all("0 BAR.SYNC 0 0 0");
            lines.all(&format!("1 R12 LDS.U 1 R2 4 1 {next:#x} 4 0"));
            lines.all(&format!("1 R13 LDS.U 1 R2 4 1 {own:#x} 4 0"));
            for n in 0..4 {
                lines.all(&format!("1 R{0} FFMA 3 R10 R11 R{0} 0 0", 14 + n));
                lines.all(&format!("1 R{0} FFMA 3 R12 R13 R{0} 0 0", 18 + n));
            }
            for n in 0..4 {
                lines.all(&format!("1 R{0} IMAD 3 R12 R{0} R255 0 0", 22 + n));
            }
            lines.all("1 R26 MUFU.RCP 1 R14 0 0");
            lines.all("1 R27 FADD 2 R26 R18 0 0");
            lines.all("1 R4 IADD3 3 R4 R9 R255 0 0");
            lines.all("1 R6 IADD3 3 R6 R9 R255 0 0");
            lines.all("0 BAR.SYNC 0 0 0");
        }
    }
}

/// A kernel of CTAs with 8 warps.
#[derive(Clone, Copy)]
pub struct Looping {
    /// What its warps do.
    pub kind: Kind,
    /// CTAs.
    pub ctas: u64,
    /// Registers per thread.
    pub registers: u32,
    /// Rounds of the loop.
    pub rounds: u64,
    /// Compute capability, times ten.
    pub binary: u32,
}

impl Looping {
    /// Its trace.
    pub fn trace(&self) -> String {
        let mut text = trace(self.ctas, 8, 0, self.binary, &|_, _| String::new());
        let shmem = match self.kind {
            Kind::Mix => 1024,
            _ => 0,
        };
        let body = text.find("\n#BEGIN_TB").expect("has CTAs");
        text.truncate(body);
        text = (text.replace("-shmem = 4096", &format!("-shmem = {shmem}")))
            .replace("-nregs = 64", &format!("-nregs = {}", self.registers));
        for cta in 0..self.ctas {
            let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
            for of_cta in 0..8 {
                let lines = self.warp(cta * 8 + of_cta, of_cta);
                let _ = write!(
                    text,
                    "\nwarp = {of_cta}\ninsts = {}\n{}",
                    lines.count, lines.text
                );
            }
            text.push_str("\n#END_TB\n");
        }
        text
    }

    fn warp(&self, warp: u64, of_cta: u64) -> Lines {
        let mut lines = Lines {
            text: String::new(),
            count: 0,
            pc: 0,
        };
        for line in [
            "1 R1 IMAD.MOV.U32 2 R255 R255 0 0",
            "1 R0 S2R 0 0 0",
            "1 R3 S2R 0 0 0",
            "1 R0 IMAD 2 R3 R0 0 0",
            "0 ISETP.GE.AND 1 R0 0 0",
            "1 R9 IMAD.MOV.U32 2 R255 R255 0 0",
            "1 R4 IMAD.WIDE 2 R0 R9 0 0",
            "1 R6 IMAD.WIDE 2 R0 R9 0 0",
        ] {
            lines.all(line);
        }
        let first = lines.pc;
        for number in 0..self.rounds {
            lines.pc = first;
            round(self.kind, &mut lines, (warp, of_cta), number, self.rounds);
            lines.all("0 ISETP.GE.AND 1 R0 0 0");
            lines.all(&format!("0 BRA 0 0 {first}"));
        }
        let last = GLOBAL + 0x2800_0000 + warp * 128;
        lines.all(&format!("0 STG.E.SYS 2 R6 R27 4 1 {last:#x} 4 0"));
        lines.all("0 EXIT 0 0 0");
        lines
    }
}
