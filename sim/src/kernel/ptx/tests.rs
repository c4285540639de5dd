//! Whole files: what is read, what is refused, what it computes.

mod calls;
mod candle;
mod constructs;
mod declarations;
mod end_to_end;
mod exits;
mod indirect;
mod refusals;
mod robustness;

use super::{Module, read};
use crate::kernel::interp::{LaunchDims, run};
use crate::kernel::verify::verify;
use crate::kernel::{Inst, Kernel};
use crate::memory::image::MemoryImage;

const HEADER: &str = ".version 7.8\n.target sm_70\n.address_size 64\n";

/// A kernel `k` with one pointer parameter `out` and this body, with module-level declarations before it.
fn file(declarations: &str, body: &str) -> String {
    format!("{HEADER}{declarations}\n.visible .entry k(.param .u64 out)\n{{\n{body}\n}}\n")
}

fn module(source: &str) -> Module {
    match read(source, "test.ptx") {
        Ok(module) => module,
        Err(error) => panic!("{error}: {:?}\n{source}", error.problems()),
    }
}

/// The kernel `k`, verified.
fn kernel(source: &str) -> Kernel {
    let module = module(source);
    let kernel = match module.kernel("k") {
        Ok(kernel) => kernel.clone(),
        Err(error) => panic!("{error}: {:?}\n{source}", error.problems()),
    };
    verify(&kernel).unwrap_or_else(|error| panic!("{error}\n{source}"));
    kernel
}

/// The instructions of a kernel with this body.
fn insts(body: &str) -> Vec<Inst> {
    kernel(&file("", body))
        .blocks
        .into_iter()
        .flat_map(|block| block.insts)
        .collect()
}

/// What the kernel `k` of `source` leaves in a buffer of `words` 32-bit words, run by one CTA of `threads`.
fn run_words(source: &str, threads: u32, words: u64) -> Vec<u32> {
    let kernel = kernel(source);
    let mut memory = MemoryImage::new();
    let base = memory.allocate("out", words * 4).expect("room");
    let dims = LaunchDims {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_scratchpad_bytes: 0,
    };
    run(&kernel, &dims, &base.to_le_bytes(), &mut memory)
        .unwrap_or_else(|e| panic!("{e}\n{source}"));
    (0..words)
        .map(|word| memory.read_u32(base + word * 4).expect("inside"))
        .collect()
}
