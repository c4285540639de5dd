//! Traces made for the benches, in the text format of Accel-Sim.

use regshare_sim::trace::{KernelReader, ReadOptions};
use std::fmt::{Arguments, Write};
use std::io::Cursor;
use std::path::Path;

const PRIVATE: u64 = 0x7f00_0000_0000;
const COMMON: u64 = 0x7f00_1000_0000;
const SCRATCHPAD: u64 = 0x7efe_0000_0000;
/// Bytes of a line of the L1 and L2.
const LINE: u64 = 128;

/// Where in a kernel a loop body is written.
#[derive(Clone, Copy)]
pub struct Place {
    cta: u64,
    warp: u64,
    warps: u64,
    trip: u64,
    trips: u64,
}

impl Place {
    /// A line that no other trip, warp or CTA touches.
    fn own_line(self) -> u64 {
        PRIVATE + ((self.cta * self.warps + self.warp) * self.trips + self.trip) * LINE
    }
}

/// Writes one trip through a loop: a call per instruction, with what stands between its mask and its source line.
pub type Body = fn(Place, &mut dyn FnMut(Arguments<'_>));

/// A kernel in text, and its warp instructions.
pub struct Trace {
    text: String,
    /// Warp instructions.
    pub insts: u64,
}

impl Trace {
    /// `ctas` of `warps` that go `trips` times through `body`.
    pub fn new(ctas: u64, warps: u64, trips: u64, body: Body) -> Trace {
        let mut text = format!(
            "-kernel name = bench\n-kernel id = 1\n-grid dim = ({ctas},1,1)\n-block dim = ({},1,1)\n-shmem = {}\n-nregs = 32\n\
             -binary version = 70\n-cuda stream id = 0\n-shmem base_addr = {SCRATCHPAD:#018x}\n-local mem base_addr = \
             0x00007efe02000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n\n",
            warps * 32,
            warps * LINE
        );
        let mut insts = 0;
        for cta in 0..ctas {
            let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
            for warp in 0..warps {
                let mut lines = String::new();
                let mut count = 1;
                for trip in 0..trips {
                    let mut pc = 0;
                    let place = Place {
                        cta,
                        warp,
                        warps,
                        trip,
                        trips,
                    };
                    body(place, &mut |inst| {
                        let _ = writeln!(lines, "{pc:04x} ffffffff {inst} 0 ");
                        pc += 16;
                        count += 1;
                    });
                }
                let _ = write!(
                    text,
                    "\nwarp = {warp}\ninsts = {count}\n{lines}2000 ffffffff 0 EXIT 0 0 0 \n"
                );
                insts += count;
            }
            text.push_str("\n#END_TB\n");
        }
        Trace { text, insts }
    }

    /// Reads it from memory.
    pub fn reader(&self) -> KernelReader {
        let source = Box::new(Cursor::new(self.text.as_bytes().to_vec()));
        KernelReader::new(source, Path::new("bench.traceg"), &ReadOptions::default())
            .expect("a trace")
    }
}

/// Loads, scratchpad between two barriers, and arithmetic, as `mix` of the peer's generator of traces.
pub fn mix(place: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    line(format_args!(
        "1 R10 LDG.E.SYS 1 R4 4 1 {:#x} 4",
        place.own_line()
    ));
    line(format_args!(
        "1 R11 LDG.E.SYS 1 R6 4 1 {:#x} 4",
        COMMON + place.trip * LINE
    ));
    line(format_args!(
        "0 STS 2 R2 R10 4 1 {:#x} 4",
        SCRATCHPAD + place.warp * LINE
    ));
    line(format_args!("0 BAR.SYNC 0 0"));
    let other = SCRATCHPAD + (place.warp + 1) % place.warps * LINE;
    line(format_args!("1 R12 LDS.U 1 R2 4 1 {other:#x} 4"));
    for n in 0..8 {
        line(format_args!("1 R{0} FFMA 3 R10 R12 R{0} 0", 14 + n));
    }
    for n in 0..4 {
        line(format_args!("1 R{0} IMAD 2 R12 R{0} 0", 22 + n));
    }
    line(format_args!("1 R26 MUFU.RCP 1 R14 0"));
    line(format_args!("0 BAR.SYNC 0 0"));
    line(format_args!("0 BRA 0 0"));
}

/// Arithmetic alone: the front end, the scoreboard, the schedulers and the operand collectors.
pub fn arithmetic(_: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    for n in 0..12 {
        line(format_args!("1 R{0} FFMA 3 R10 R12 R{0} 0", 14 + n));
    }
}

/// Stores to and loads from the scratchpad, eight lanes to a bank.
pub fn scratchpad(place: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    let own = SCRATCHPAD + place.warp % 4 * LINE;
    for n in 0..4 {
        line(format_args!("0 STS 2 R2 R{} 4 1 {own:#x} 32", 14 + n));
        line(format_args!("1 R{} LDS.U 1 R2 4 1 {own:#x} 32", 14 + n));
    }
}

/// Loads of four lines, again and again, that the L1 has.
pub fn l1(place: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    for n in 0..4 {
        let address = COMMON + (place.warp + n) % 4 * LINE;
        line(format_args!(
            "1 R{} LDG.E.SYS 1 R4 4 1 {address:#x} 4",
            14 + n
        ));
    }
}

/// Loads of lines that every CTA reads once: the interconnect and the L2, if there are as many SMs as CTAs.
pub fn l2(place: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    for n in 0..4 {
        let address = COMMON + ((place.warp * place.trips + place.trip) * 4 + n) * LINE;
        line(format_args!(
            "1 R{} LDG.E.SYS 1 R4 4 1 {address:#x} 4",
            14 + n
        ));
    }
}

/// A load of a line that nobody else reads, and a store of it: down to the memory.
pub fn dram(place: Place, line: &mut dyn FnMut(Arguments<'_>)) {
    let own = place.own_line();
    line(format_args!("1 R14 LDG.E.SYS 1 R4 4 1 {own:#x} 4"));
    line(format_args!("0 STG.E.SYS 2 R4 R14 4 1 {own:#x} 4"));
}
