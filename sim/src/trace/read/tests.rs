//! What is read, and what is refused with which place and cause.

mod accepted;
mod ahead;
mod mutated;
mod packed;
mod refused;

use super::*;
use std::io::Cursor;

/// A head of one CTA with one warp, sixteen registers, SM80.
fn head(version: u8) -> String {
    format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n\
         -binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x10\n-local mem base_addr = 0x20\n\
         -nvbit version = 1.7\n-accelsim tracer version = {version}\n-enable lineinfo = 0\n\n#traces format = ..\n\n"
    )
}

fn warp(number: u32, lines: &[&str]) -> String {
    format!(
        "\nwarp = {number}\ninsts = {}\n{}\n",
        lines.len(),
        lines.join("\n")
    )
}

fn cta(index: &str, warps: &str) -> String {
    format!("#BEGIN_TB\n\nthread block = {index}\n{warps}\n#END_TB\n\n")
}

/// A whole trace of tracer version 5 with these lines.
fn trace(lines: &[&str]) -> String {
    head(5) + &cta("0,0,0", &warp(0, lines))
}

const EXIT: &str = "00f0 ffffffff 0 EXIT 0 0 0 ";

fn read_bytes(
    bytes: Vec<u8>,
    options: &ReadOptions,
) -> Result<(KernelReader, Vec<CtaTrace>), TraceError> {
    let mut reader = KernelReader::new(Cursor::new(bytes), Path::new("k.traceg"), options)?;
    let mut ctas = Vec::new();
    while let Some(cta) = reader.next_cta()? {
        ctas.push(cta);
    }
    Ok((reader, ctas))
}

fn read(text: &str) -> Result<(KernelReader, Vec<CtaTrace>), TraceError> {
    read_bytes(text.as_bytes().to_vec(), &ReadOptions::default())
}
