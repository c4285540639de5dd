//! Writes a run of ours as a kernel trace that Accel-Sim reads (tracer version 5, SM80).
//!
//! The plain interpreter runs the kernel, as it was compiled or as a scheme has it; each CTA is written when it has ended, so that one CTA is in memory at a time.
//! Each instruction is one line, at address 16 times its number in the program. As real tracers do, lines name the first
//! register of each operand and no predicates; what these leave open the opcode tells ([`super::operands`]).

mod line;
mod opcode;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::num::NonZeroU64;

use thiserror::Error;

use crate::kernel::address::{SHARED_WINDOW, WINDOW_BYTES};
use crate::kernel::exec::LANES;
use crate::kernel::interp::{self, InterpError, InterpStats, LaunchDims, Options, Recorder};
use crate::kernel::{BlockId, Inst, Kernel, Op, RegSpace};
use crate::memory::image::MemoryImage;
use line::Template;

/// Compute capability of the traces, times ten.
pub const BINARY_VERSION: u16 = 80;

/// Tracer version of the traces.
pub const TRACER_VERSION: u8 = 5;

/// Generic addresses of scratchpad and of local memory start here. Accel-Sim takes what lies between the two for scratchpad.
const SCRATCHPAD_BASE: u64 = SHARED_WINDOW;
const LOCAL_BASE: u64 = SHARED_WINDOW + WINDOW_BYTES;

/// Warp instructions of a CTA after which an export stops if nothing else is said. // assumed: some hundred MiB
pub const CTA_INSTS: NonZeroU64 = NonZeroU64::new(1 << 22).unwrap();

/// Why no trace was written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Traces need architected registers.
    #[error("the kernel has virtual registers, or more than 255 of them; allocate registers first")]
    NotAllocated,
    /// The run failed.
    #[error(transparent)]
    Run(#[from] InterpError),
    /// The trace could not be written.
    #[error("cannot write the trace: {0}")]
    Write(#[from] io::Error),
}

/// What goes into the head besides the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// Number of the launch, from 1.
    pub id: u64,
    /// Each line names the line of the source (`-enable lineinfo`).
    pub lines: bool,
    /// Warp instructions of a CTA, which are in memory until it ends, after which the run is stopped.
    pub cta_insts: NonZeroU64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions {
            id: 1,
            lines: false,
            cta_insts: CTA_INSTS,
        }
    }
}

/// Runs `kernel` on `memory` and writes its trace to `out`; the instructions of the result are its lines.
///
/// # Errors
/// [`ExportError`]; what was written before is then no whole trace.
pub fn export(
    kernel: &Kernel,
    dims: &LaunchDims,
    params: &[u8],
    memory: &mut MemoryImage,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> Result<InterpStats, ExportError> {
    let regs = match kernel.regs {
        RegSpace::Architected { regs, .. } if regs <= 255 => regs.max(1),
        _ => return Err(ExportError::NotAllocated),
    };
    head(kernel, regs, dims, options, out)?;
    let mut recorder = TraceWriter {
        templates: templates(kernel, options),
        cta: [0; 3],
        warps: Vec::new(),
        written: 0,
        out,
        failed: None,
    };
    let stats = interp::run_recorded(
        kernel,
        dims,
        params,
        memory,
        &Options {
            cta_step_limit: options.cta_insts.get(),
            ..Options::default()
        },
        &mut recorder,
    );
    if let Some(error) = recorder.failed {
        return Err(error.into());
    }
    let written = recorder.written;
    Ok(InterpStats {
        warp_insts: written,
        ..stats?
    })
}

fn head(
    kernel: &Kernel,
    regs: u16,
    dims: &LaunchDims,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [gx, gy, gz] = dims.grid;
    let [bx, by, bz] = dims.block;
    let scratchpad = interp::scratchpad_bytes(kernel, dims.dynamic_scratchpad_bytes);
    write!(
        out,
        "-kernel name = {}\n-kernel id = {}\n-grid dim = ({gx},{gy},{gz})\n-block dim = ({bx},{by},{bz})\n\
         -shmem = {scratchpad}\n-nregs = {regs}\n-binary version = {BINARY_VERSION}\n-cuda stream id = 0\n\
         -shmem base_addr = {SCRATCHPAD_BASE:#018x}\n-local mem base_addr = {LOCAL_BASE:#018x}\n\
         -nvbit version = none\n-accelsim tracer version = {TRACER_VERSION}\n-enable lineinfo = {}\n\n\
         #traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width \
         [adrrescompress?] [mem_addresses] immediate\n\n",
        kernel.name,
        options.id,
        u8::from(options.lines),
    )
}

/// The fixed parts of the lines, by block and instruction.
fn templates(kernel: &Kernel, options: &ExportOptions) -> Vec<Vec<Option<Template>>> {
    let mut number = 0;
    let of_block = |block: &crate::kernel::Block| {
        let of_inst = |inst: &Inst| {
            number += 1;
            // Words of release flags are no instructions: no warp executes them.
            let is_word = matches!(inst.op, Op::Pir | Op::Pbr);
            (!is_word).then(|| Template::new(inst, 16 * (number - 1), options.lines))
        };
        block.insts.iter().map(of_inst).collect()
    };
    kernel.blocks.iter().map(of_block).collect()
}

/// Lines of one warp.
#[derive(Default)]
struct WarpText {
    insts: u64,
    text: Vec<u8>,
}

/// Collects a CTA and writes it.
struct TraceWriter<'a> {
    templates: Vec<Vec<Option<Template>>>,
    cta: [u32; 3],
    warps: Vec<WarpText>,
    /// Lines so far.
    written: u64,
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl Recorder for TraceWriter<'_> {
    fn cta_begins(&mut self, cta: [u32; 3], warps: usize) {
        self.cta = cta;
        self.warps.resize_with(warps, WarpText::default);
        for warp in &mut self.warps {
            warp.insts = 0;
            warp.text.clear();
        }
    }

    fn executes(
        &mut self,
        warp: usize,
        block: BlockId,
        inst: usize,
        active: u32,
        addresses: Option<&[u64; LANES]>,
    ) {
        let Some(template) = &self.templates[block.0 as usize][inst] else {
            return;
        };
        self.written += 1;
        let warp = &mut self.warps[warp];
        warp.insts += 1;
        template.write(active, addresses, &mut warp.text);
    }

    fn cta_ends(&mut self) -> bool {
        let written = self.write_cta();
        self.failed = written.err();
        self.failed.is_none()
    }
}

impl TraceWriter<'_> {
    fn write_cta(&mut self) -> io::Result<()> {
        let [x, y, z] = self.cta;
        write!(self.out, "\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n")?;
        for (number, warp) in self.warps.iter().enumerate() {
            write!(self.out, "\nwarp = {number}\ninsts = {}\n", warp.insts)?;
            self.out.write_all(&warp.text)?;
        }
        self.out.write_all(b"\n#END_TB\n")
    }
}
