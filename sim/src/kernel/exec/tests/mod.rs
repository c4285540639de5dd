//! Values of every operation, computed independently of the code under test.

mod approx;
mod bits;
mod compare;
mod convert;
mod float;
mod integer;
mod rounding;
mod total;
mod warp;

use super::{AluInput, AluOutput, Value, alu, dst_width};
use crate::kernel::op::{Fp, Op, Round};

/// Runs an operation with the same operands in all lanes.
fn run(op: Op, srcs: &[u64], preds: &[u32]) -> AluOutput {
    let values: [Value; 4] = std::array::from_fn(|i| Value::splat(*srcs.get(i).unwrap_or(&0)));
    let input = AluInput {
        srcs: values.each_ref(),
        preds: std::array::from_fn(|i| *preds.get(i).unwrap_or(&0)),
    };
    let mut out = AluOutput::default();
    alu(&op, &input, u32::MAX, &mut out);
    out
}

/// The register result, at its width.
fn value(op: Op, srcs: &[u64]) -> u64 {
    let out = run(op, srcs, &[]);
    let last = out.regs[0].get(31);
    if dst_width(&op, 0) == 2 {
        last
    } else {
        last & 0xFFFF_FFFF
    }
}

/// The predicate result: the same in all lanes.
fn holds(op: Op, srcs: &[u64]) -> bool {
    match run(op, srcs, &[]).preds[0] {
        0 => false,
        u32::MAX => true,
        mixed => panic!("lanes differ: {mixed:#x}"),
    }
}

fn f32_bits(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn rounded(round: Round) -> Fp {
    Fp {
        round,
        ftz: false,
        sat: false,
    }
}
