//! Kernels that take as many cycles as Accel-Sim (dev 73f9fac) reports for them, not one more or less, and whose accesses of the
//! first level are refused as often: several warps and CTAs that contend for everything.

use super::{Body, GLOBAL, SHARED, cycles, independent, plain, replay, trace};
use crate::gpu::{GpuMachine, ReplayOptions};
use std::fmt::Write;

/// 128 instructions in each of 4, 8, 16 and 32 warps.
fn of_warps(name: &str, body: &Body) -> [u64; 4] {
    [4, 8, 16, 32].map(|warps| cycles(name, warps, 128, body))
}

fn streamed(warp: u64, n: u64) -> String {
    let at = GLOBAL + (warp * 128 + n) * 128;
    format!("ffffffff 1 R{} LDG.E.SYS 1 R20 4 1 {at:#x} 4 0", 4 + n % 16)
}

fn of_scratchpad(_: u64, n: u64) -> String {
    format!("ffffffff 1 R{} LDS.U 1 R20 4 1 {SHARED:#x} 4 0", 4 + n % 16)
}

fn in_turn(_: u64, n: u64) -> String {
    let opcode = ["FFMA", "IMAD"][n as usize % 2];
    format!("ffffffff 1 R{} {opcode} 3 R20 R21 R22 0 0", 4 + n % 16)
}

#[test]
fn warps_contend_for_units_and_banks_as_on_the_peer() {
    let of = |body: &Body| ["qv100", "rtx3070"].map(|name| of_warps(name, body));
    assert_eq!(
        of(&independent("FFMA", "3 R20 R21 R22")),
        [[296, 553, 1067, 2096], [171, 332, 656, 1306]]
    );
    assert_eq!(
        of(&independent("IMAD", "3 R20 R21 R22")),
        [[297, 556, 1074, 2080]; 2]
    );
    assert_eq!(of(&in_turn), [[140, 271, 533, 1057], [172, 341, 683, 1332]]);
    assert_eq!(
        of(&independent("MUFU.RCP", "1 R20")),
        [[1148, 2152, 4223, 8318], [1155, 2168, 4230, 8320]]
    );
    assert_eq!(
        of(&independent("DFMA", "3 R20 R22 R24")),
        [[580, 1092, 2125, 4174], [8416, 16615, 32940, 65648]]
    );
    assert_eq!(
        of(&independent("FFMA", "3 R20 R36 R52")),
        [[297, 553, 1062, 2096], [235, 460, 912, 1818]]
    );
    assert_eq!(
        of(&plain("FFMA", "3 R4 R5 R6")),
        [[901, 904, 1037, 2700], [901, 903, 1037, 1556]]
    );
}

#[test]
fn warps_contend_for_memory_as_on_the_peer() {
    let of = |body: &Body| ["qv100", "rtx3070"].map(|name| of_warps(name, body));
    assert_eq!(
        of(&of_scratchpad),
        [[621, 1155, 2159, 4210], [643, 1195, 2232, 4286]]
    );
    // More sectors on their way than there are miss registers, from 16 and 8 warps on.
    assert_eq!(
        of(&streamed),
        [[3446, 4867, 9649, 24358], [5185, 6315, 13296, 24631]]
    );
    assert_eq!(
        of(&super::load("LDG.E.SYS", 0)),
        [[3398, 3415, 3416, 7053], [5992, 6009, 6043, 6110]]
    );
}

#[test]
fn schedulers_and_collectors_without_sub_cores_are_as_on_the_peer() {
    let of = |body: &Body| [4, 8, 16].map(|warps| cycles("gtx480", warps, 128, body));
    assert_eq!(of(&independent("FFMA", "3 R20 R21 R22")), [559, 1069, 2098]);
    assert_eq!(of(&plain("FFMA", "3 R4 R5 R6")), [1159, 1170, 2585]);
    assert_eq!(of(&independent("FFMA", "3 R20 R36 R52")), [789, 1562, 3052]);
}

/// What a warp of a kernel does in each of 20 rounds of a loop.
#[derive(Clone, Copy)]
enum Kind {
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

fn round(kind: Kind, lines: &mut Lines, warp: u64, of_cta: u64, round: u64) {
    let at = (warp * 20 + round) * 128;
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

/// A kernel of CTAs with 8 warps, each in 20 rounds of its loop.
fn looping(kind: Kind, ctas: u64, registers: u32) -> String {
    let mut text = trace(ctas, 8, 0, 70, &|_, _| String::new());
    let shmem = if matches!(kind, Kind::Mix) { 1024 } else { 0 };
    let body = text.find("\n#BEGIN_TB").expect("has CTAs");
    text.truncate(body);
    text = (text.replace("-shmem = 4096", &format!("-shmem = {shmem}")))
        .replace("-nregs = 64", &format!("-nregs = {registers}"));
    for cta in 0..ctas {
        let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
        for of_cta in 0..8 {
            let warp = cta * 8 + of_cta;
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
            for number in 0..20 {
                lines.pc = first;
                round(kind, &mut lines, warp, of_cta, number);
                lines.all("0 ISETP.GE.AND 1 R0 0 0");
                lines.all(&format!("0 BRA 0 0 {first}"));
            }
            let last = GLOBAL + 0x2800_0000 + warp * 128;
            lines.all(&format!("0 STG.E.SYS 2 R6 R27 4 1 {last:#x} 4 0"));
            lines.all("0 EXIT 0 0 0");
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

/// Cycles and refusals on one SM of the QV100.
fn on_one_sm(kind: Kind, ctas: u64, registers: u32) -> (u64, u64) {
    let machine = GpuMachine::preset("qv100").expect("bundled").cut(1, 2);
    let text = looping(kind, ctas, registers);
    let result = replay(&machine, &text, &ReplayOptions::default()).expect("it runs");
    (result.cycles, result.l1.refusals)
}

#[test]
fn ctas_contend_for_everything_as_on_the_peer() {
    let found = [1, 2, 4, 8].map(|ctas| on_one_sm(Kind::Ffma, ctas, 32));
    assert_eq!(found, [(1868, 0), (3480, 24), (6775, 24), (13869, 0)]);
    let found = [1, 2, 4, 8].map(|ctas| on_one_sm(Kind::Mix, ctas, 32).0);
    assert_eq!(found, [11086, 11404, 11900, 17352]);
    let found = [1, 2].map(|ctas| on_one_sm(Kind::Mem, ctas, 32));
    assert_eq!(found, [(8187, 1665), (8926, 4961)]);
    let found = [1, 2, 4, 8].map(|ctas| on_one_sm(Kind::Div, ctas, 32));
    assert_eq!(
        found,
        [(9493, 358), (9983, 1087), (13026, 7835), (28346, 47486)]
    );
}

#[test]
fn ctas_that_follow_each_other_take_as_long_as_on_the_peer() {
    // One CTA at a time: all 16 share the turns of the SM.
    assert_eq!(on_one_sm(Kind::Mix, 16, 255), (157_088, 4759));
}
