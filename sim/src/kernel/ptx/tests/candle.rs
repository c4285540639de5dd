//! Real kernels: those of candle, compiled by nvcc, if they lie beside the repository.

use std::path::PathBuf;

use super::module;
use crate::kernel::Kernel;
use crate::kernel::interp::{LaunchDims, run};
use crate::kernel::ptx::{looks_like_ptx, read};
use crate::kernel::verify::verify;
use crate::memory::image::MemoryImage;

const NAMES: [&str; 4] = ["softmax_f32", "layernorm_f32", "im2col_f32", "fast_sum_f32"];

fn shared(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/kernels")
        .join(name);
    let found = std::fs::read_to_string(&path).ok();
    if found.is_none() {
        eprintln!("skipped: {} is not there", path.display());
    }
    found
}

fn candle(name: &str) -> Option<Kernel> {
    let source = shared(&format!("{name}.ptx"))?;
    Some(
        module(&source)
            .kernel(name)
            .unwrap_or_else(|error| panic!("{error}"))
            .clone(),
    )
}

/// A launch of one of them: buffers come first in memory, then the parameters point to them.
struct Run {
    memory: MemoryImage,
    params: Vec<u8>,
}

impl Run {
    fn new() -> Self {
        Run {
            memory: MemoryImage::new(),
            params: Vec::new(),
        }
    }

    fn buffer(&mut self, name: &str, bytes: &[u8]) -> u64 {
        let base = self
            .memory
            .allocate(name, bytes.len() as u64)
            .expect("room");
        self.memory
            .slice_mut(base, bytes.len() as u64)
            .expect("just allocated")
            .copy_from_slice(bytes);
        base
    }

    fn floats(&mut self, name: &str, values: &[f32]) -> u64 {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.buffer(name, &bytes)
    }

    fn words(&mut self, name: &str, values: &[u64]) -> u64 {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.buffer(name, &bytes)
    }

    fn param<const N: usize>(&mut self, bytes: [u8; N]) -> &mut Self {
        self.params.resize(self.params.len().next_multiple_of(N), 0);
        self.params.extend_from_slice(&bytes);
        self
    }

    fn launch(&mut self, kernel: &Kernel, grid: u32, block: [u32; 3]) {
        let dims = LaunchDims {
            grid: [grid, 1, 1],
            block,
            dynamic_scratchpad_bytes: 0,
        };
        run(kernel, &dims, &self.params, &mut self.memory)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    fn read(&self, base: u64, count: usize) -> Vec<f32> {
        (0..count as u64)
            .map(|at| f32::from_bits(self.memory.read_u32(base + at * 4).expect("inside")))
            .collect()
    }
}

/// Values in -2 .. 2 that repeat late.
fn wave(count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| ((i * 7919 + 13) % 401) as f32 / 100.0 - 2.0)
        .collect()
}

fn assert_close(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(*found) - expected).abs();
        assert!(
            error <= tolerance * expected.abs().max(1e-3),
            "element {at}: {found} for {expected}"
        );
    }
}

#[test]
fn the_kernels_of_candle_are_read_and_well_formed() {
    for name in NAMES {
        let Some(kernel) = candle(name) else { return };
        assert_eq!(verify(&kernel), Ok(()));
    }
}

#[test]
fn scratchpad_is_what_ptxas_took() {
    for (name, bytes) in NAMES.into_iter().zip([0, 256, 0, 128]) {
        let Some(kernel) = candle(name) else { return };
        assert_eq!(kernel.shared_bytes, bytes, "{name}");
    }
}

#[test]
fn two_reads_give_equal_kernels() {
    for name in NAMES {
        let Some(source) = shared(&format!("{name}.ptx")) else {
            return;
        };
        assert!(looks_like_ptx(&source));
        assert_eq!(module(&source).entries, module(&source).entries);
    }
}

#[test]
fn calls_to_other_files_are_refused_kernel_by_kernel() {
    let Some(source) = shared("calls/main.ptx") else {
        return;
    };
    let module = read(&source, "main.ptx").expect("the syntax is right");
    let error = module
        .kernel("kern")
        .expect_err("calls functions of other files");
    assert_eq!(error.first().text, "big");
    assert!(
        error
            .first()
            .message
            .contains("no given file defines the function `big`"),
        "{error}"
    );
    let error = module.kernel("kind").expect_err("may call another file's");
    let message = &error.first().message;
    assert!(
        message.contains("no given file defines the function `_Z4deepfi`"),
        "{error}"
    );
}

#[test]
fn softmax_agrees_with_the_cpu() {
    let Some(kernel) = candle("softmax_f32") else {
        return;
    };
    let (rows, columns) = (4_usize, 77_usize);
    let input = wave(rows * columns);
    let mut run = Run::new();
    let x = run.floats("x", &input);
    let y = run.floats("y", &vec![0.0; rows * columns]);
    run.param(x.to_le_bytes())
        .param(y.to_le_bytes())
        .param((columns as u32).to_le_bytes());
    run.launch(&kernel, rows as u32, [1, 32, 1]);
    let expected: Vec<f64> = input
        .chunks(columns)
        .flat_map(|row| {
            let largest = row.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
            let powers: Vec<f64> = row.iter().map(|x| f64::from(x - largest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(move |power| power / sum)
        })
        .collect();
    assert_close(&run.read(y, rows * columns), &expected, 1e-5);
}

#[test]
fn layernorm_agrees_with_the_cpu() {
    let Some(kernel) = candle("layernorm_f32") else {
        return;
    };
    for block in [32_u32, 64] {
        let (rows, columns, eps) = (3_usize, 101_usize, 1e-5_f32);
        let input = wave(rows * columns);
        let (scale, shift) = (wave(columns), wave(columns + 7)[7..].to_vec());
        let mut run = Run::new();
        let x = run.floats("x", &input);
        let y = run.floats("y", &vec![0.0; rows * columns]);
        let a = run.floats("a", &scale);
        let b = run.floats("b", &shift);
        for pointer in [x, y, a, b] {
            run.param(pointer.to_le_bytes());
        }
        run.param((columns as u32).to_le_bytes())
            .param(block.to_le_bytes())
            .param(eps.to_le_bytes());
        run.launch(&kernel, rows as u32, [block, 1, 1]);
        let expected: Vec<f64> = input
            .chunks(columns)
            .flat_map(|row| {
                let n = columns as f64;
                let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
                let square = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / n;
                let factor = 1.0 / (square - mean * mean + f64::from(eps)).sqrt();
                let scaled = row.iter().zip(scale.iter().zip(&shift));
                scaled
                    .map(|(x, (a, b))| {
                        (f64::from(*x) - mean) * factor * f64::from(*a) + f64::from(*b)
                    })
                    .collect::<Vec<f64>>()
            })
            .collect();
        assert_close(&run.read(y, rows * columns), &expected, 1e-3);
    }
}

#[test]
fn fast_sum_agrees_with_the_cpu() {
    let Some(kernel) = candle("fast_sum_f32") else {
        return;
    };
    let (rows, columns) = (3_usize, 200_usize);
    let input = wave(rows * columns);
    let mut run = Run::new();
    let x = run.floats("x", &input);
    let y = run.floats("y", &vec![0.0; rows]);
    // Dimensions, then strides; contiguous.
    let info = run.words("info", &[rows as u64, columns as u64, columns as u64, 1]);
    run.param(((rows * columns) as u64).to_le_bytes())
        .param((columns as u64).to_le_bytes())
        .param(2_u64.to_le_bytes())
        .param(info.to_le_bytes())
        .param(x.to_le_bytes())
        .param(y.to_le_bytes());
    run.launch(&kernel, rows as u32, [128, 1, 1]);
    let expected: Vec<f64> = input
        .chunks(columns)
        .map(|row| row.iter().map(|x| f64::from(*x)).sum())
        .collect();
    assert_close(&run.read(y, rows), &expected, 1e-4);
}

#[test]
fn im2col_agrees_with_the_cpu() {
    let Some(kernel) = candle("im2col_f32") else {
        return;
    };
    let (batch, channels, height, width) = (2_usize, 3_usize, 5_usize, 6_usize);
    let (kernel_h, kernel_w, stride, padding) = (3_usize, 3_usize, 1_usize, 1_usize);
    let (out_h, out_w) = (height, width);
    let input = wave(batch * channels * height * width);
    let count = batch * out_h * out_w * channels * kernel_h * kernel_w;
    let mut run = Run::new();
    let dims = [batch, channels, height, width].map(|n| n as u64);
    let strides = [channels * height * width, height * width, width, 1].map(|n| n as u64);
    let info = run.words("info", &[dims, strides].concat());
    let source = run.floats("src", &input);
    let target = run.floats("dst", &vec![f32::NAN; count]);
    for value in [count, out_h, out_w, kernel_h, kernel_w, stride, padding, 1] {
        run.param((value as u64).to_le_bytes());
    }
    for pointer in [info, source, target] {
        run.param(pointer.to_le_bytes());
    }
    run.launch(&kernel, count.div_ceil(64) as u32, [64, 1, 1]);
    let mut expected = Vec::with_capacity(count);
    for n in 0..batch {
        for (y, x) in (0..out_h).flat_map(|y| (0..out_w).map(move |x| (y, x))) {
            for c in 0..channels {
                for (i, j) in (0..kernel_h).flat_map(|i| (0..kernel_w).map(move |j| (i, j))) {
                    let (row, column) = (y * stride + i, x * stride + j);
                    let inside = (padding..height + padding).contains(&row)
                        && (padding..width + padding).contains(&column);
                    expected.push(if inside {
                        let at = ((n * channels + c) * height + row - padding) * width + column
                            - padding;
                        f64::from(input[at])
                    } else {
                        0.0
                    });
                }
            }
        }
    }
    assert_close(&run.read(target, count), &expected, 0.0);
}
