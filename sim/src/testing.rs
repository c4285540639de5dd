//! Random kernels for tests.
//!
//! [`generate`] makes, from a seed, a kernel with structured control flow whose result does not depend on the order
//! in which lanes, warps or CTAs run: every thread stores only to its own slot of one buffer, and CTAs exchange
//! values through scratchpad only between barriers that all lanes reach together. No register is read before it
//! is written. Loops end after a few iterations. The same seed and options always give the same kernel.

mod arithmetic;
pub(crate) mod emit;
pub mod shrink;
mod statements;

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use crate::kernel::Kernel;
use crate::kernel::interp::{self, InterpError, LaunchDims, Options};
use crate::memory::image::MemoryImage;

/// Bytes of the buffer that belong to one thread.
pub const SLOT_BYTES: u64 = 64 * 8;

/// What the generator may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenOptions {
    /// 32-bit variables that live through the whole kernel, 1..=200.
    pub vars_32: u16,
    /// 64-bit variables that live through the whole kernel, 0..=100.
    pub vars_64: u16,
    /// Predicate variables, 1..=16.
    pub vars_pred: u16,
    /// Statements at the top level.
    pub statements: u16,
    /// Deepest nesting of branches and loops.
    pub max_depth: u16,
    /// Barriers and scratchpad exchange at points that all lanes reach together that have not ended, and shuffles at those that
    /// all reach. Some kernels have guarded exits, and then no shuffles.
    pub barriers: bool,
    /// Loads and stores: of the own slot, of local memory; vectors.
    pub memory: bool,
    /// Guards on single instructions.
    pub guards: bool,
    /// Most iterations of a loop.
    pub max_trips: u32,
}

impl Default for GenOptions {
    fn default() -> Self {
        GenOptions {
            vars_32: 8,
            vars_64: 3,
            vars_pred: 4,
            statements: 12,
            max_depth: 3,
            barriers: true,
            memory: true,
            guards: true,
            max_trips: 3,
        }
    }
}

impl GenOptions {
    /// Options that vary with the seed: from small kernels to ones with over 100 registers live at once.
    pub fn varied(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x9e37_79b9_7f4a_7c15);
        let mut pick = |low: u32, high: u32| (low + rng.next_u32() % (high - low + 1)) as u16;
        let large = pick(0, 9) == 0;
        GenOptions {
            vars_32: if large { pick(20, 150) } else { pick(2, 16) },
            vars_64: if large { pick(5, 60) } else { pick(0, 6) },
            vars_pred: pick(1, 9),
            statements: pick(4, 16),
            max_depth: pick(0, 3),
            barriers: pick(0, 1) == 0,
            memory: pick(0, 3) > 0,
            guards: pick(0, 3) > 0,
            max_trips: 3,
        }
    }
}

/// A generated kernel with its launch.
///
/// The kernel has two parameters: the address (u64) of a buffer of [`Generated::buffer_bytes`] with any contents,
/// and any u32.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The kernel, over virtual registers.
    pub kernel: Kernel,
    /// CTAs on each axis.
    pub grid: [u32; 3],
    /// Threads of a CTA on each axis; one dimension.
    pub block: [u32; 3],
    /// Size of the buffer, [`SLOT_BYTES`] for each thread.
    pub buffer_bytes: u64,
    /// Value for the second parameter.
    pub scalar: u32,
}

/// Warp instructions after which a run of a generated kernel is stopped: far more than any takes.
const STEP_LIMIT: u64 = 200_000;

impl Generated {
    /// The same with this many CTAs, 1 or more.
    #[must_use]
    pub fn with_ctas(mut self, ctas: u32) -> Self {
        self.buffer_bytes = self.buffer_bytes / u64::from(self.grid[0]) * u64::from(ctas);
        self.grid[0] = ctas;
        self
    }

    /// Size of the launch.
    pub fn dims(&self) -> LaunchDims {
        LaunchDims {
            grid: self.grid,
            block: self.block,
            dynamic_scratchpad_bytes: 0,
        }
    }

    /// Memory before the run, one buffer of small numbers, and the parameter space.
    ///
    /// # Panics
    /// If the image refuses the buffer, which the limits of [`GenOptions`] rule out.
    pub fn inputs(&self) -> (MemoryImage, Vec<u8>) {
        let mut memory = MemoryImage::new();
        let base = memory
            .allocate("out", self.buffer_bytes)
            .expect("one small buffer");
        for word in 0..self.buffer_bytes / 4 {
            let value = (word as u32).wrapping_mul(0x9e37_79b9) >> 20;
            memory
                .write_u32(base + 4 * word, value)
                .expect("inside the buffer");
        }
        let mut params = base.to_le_bytes().to_vec();
        params.extend(self.scalar.to_le_bytes());
        (memory, params)
    }

    /// Memory after a run of `kernel`, which is [`Generated::kernel`] or made from it, on the interpreter.
    ///
    /// # Errors
    /// As the interpreter; a run that takes too long is one.
    pub fn run(&self, kernel: &Kernel) -> Result<MemoryImage, InterpError> {
        let (mut memory, params) = self.inputs();
        let options = Options {
            step_limit: STEP_LIMIT,
            ..Options::default()
        };
        interp::run_with(kernel, &self.dims(), &params, &mut memory, &options)?;
        Ok(memory)
    }
}

/// Makes a kernel from a seed.
pub fn generate(seed: u64, options: &GenOptions) -> Generated {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Two warps, or three of two pairs; a warp that is not full only where no lane shuffles.
    let threads = match options.barriers {
        true if seed / 7 % 3 == 1 => 96,
        true => 64,
        false => [32, 40, 64][rng.next_u32() as usize % 3],
    };
    let scalar = rng.next_u32();
    let kernel = statements::kernel(rng, options, seed, threads);
    Generated {
        kernel,
        grid: [2, 1, 1],
        block: [threads, 1, 1],
        buffer_bytes: u64::from(2 * threads) * SLOT_BYTES,
        scalar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::{cfg::Cfg, liveness::Liveness};
    use crate::kernel::Op;

    #[test]
    fn same_seed_gives_the_same_kernel() {
        let options = GenOptions::default();
        assert_eq!(generate(7, &options), generate(7, &options));
        assert_ne!(generate(7, &options).kernel, generate(8, &options).kernel);
    }

    #[test]
    fn no_generated_kernel_reads_a_register_before_it_is_written() {
        for seed in 0..40 {
            let generated = generate(seed, &GenOptions::varied(seed));
            let mut kernel = generated.kernel;
            // Make the entry define everything: then whatever is live there was read before it was written.
            let cfg = Cfg::new(&kernel).unwrap();
            let all = emit::define_everything(&mut kernel);
            let liveness = Liveness::per_thread(&kernel, &cfg);
            assert_eq!(
                liveness
                    .before(crate::kernel::BlockId(0), all)
                    .ones()
                    .next(),
                None,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn generated_kernels_run_and_write_results_that_depend_on_the_seed() {
        let mut digests: Vec<u64> = (0..30)
            .map(|seed| {
                let generated = generate(seed, &GenOptions::varied(seed));
                let after = generated.run(&generated.kernel);
                after
                    .unwrap_or_else(|e| panic!("seed {seed}: {e}"))
                    .digest()
            })
            .collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 30);
    }

    #[test]
    fn some_kernels_end_threads_before_barriers_and_some_have_an_odd_number_of_warps() {
        let mut found = [0; 3];
        for seed in 0..60 {
            let Generated { kernel, block, .. } = generate(seed, &GenOptions::varied(seed));
            let has = |wanted: fn(&Op) -> bool| {
                let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
                insts.any(|inst| wanted(&inst.op) && (inst.guard.is_some() || inst.op != Op::Exit))
            };
            let barriers = has(|op| matches!(op, Op::Bar(_)));
            let exits = has(|op| *op == Op::Exit);
            found[0] += usize::from(barriers && exits);
            found[1] += usize::from(barriers && block[0] == 96);
            found[2] += usize::from(barriers && exits && block[0] == 96);
        }
        assert!(found.iter().all(|&count| count > 0), "{found:?}");
    }

    #[test]
    fn varied_options_reach_over_100_registers_live_at_once() {
        let most = (0..40)
            .map(|seed| {
                let kernel = generate(seed, &GenOptions::varied(seed)).kernel;
                let cfg = Cfg::new(&kernel).unwrap();
                Liveness::per_thread(&kernel, &cfg).max_live_regs()
            })
            .max();
        assert!(most.unwrap() > 100, "{most:?}");
    }
}
