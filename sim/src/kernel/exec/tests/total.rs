//! What holds for every operation.

use proptest::prelude::*;

use crate::kernel::exec::{AluInput, AluOutput, Kind, LANES, Value, alu, is_alu, signature};
use crate::kernel::op::Op;
use crate::kernel::testing::all_ops;

/// Bits that are often special: zeros, ones, infinities, subnormals, or anything.
fn operand() -> impl Strategy<Value = u64> {
    let special = prop::sample::select(vec![
        0,
        1,
        u64::MAX,
        1 << 31,
        1 << 63,
        0x7F80_0000,
        0x7FF0 << 48,
        0x7C00_7C00,
        0x3F80_0000,
        0x0080_0000,
        0x8000_8001,
    ]);
    prop_oneof![any::<u64>(), special]
}

fn run(op: &Op, values: &[Value; 4], preds: [u32; 2], active: u32) -> AluOutput {
    let input = AluInput {
        srcs: values.each_ref(),
        preds,
    };
    let mut out = AluOutput::default();
    alu(op, &input, active, &mut out);
    out
}

/// Both results of one lane, as far as the operation has them.
fn lane(op: &Op, out: &AluOutput, lane: usize) -> Vec<u64> {
    let dsts = signature(op).unwrap_or_default().dsts;
    let (mut regs, mut preds) = (out.regs.iter(), out.preds.iter());
    dsts.iter()
        .map(|slot| match slot.kind {
            Kind::Pred => u64::from(preds.next().map_or(0, |bits| bits >> lane & 1)),
            kind => {
                let value = regs.next().map_or(0, |value| value.get(lane));
                if kind.regs() == 2 {
                    value
                } else {
                    value & 0xFFFF_FFFF
                }
            }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn every_lane_computes_on_its_own_and_whatever_the_others_are(
        bits in proptest::collection::vec(operand(), 4 * LANES),
        preds in any::<[u32; 2]>(),
        active in any::<u32>(),
    ) {
        let values: [Value; 4] = std::array::from_fn(|source| {
            let mut value = Value::ZERO;
            for lane in 0..LANES {
                value.set(lane, bits[source * LANES + lane]);
            }
            value
        });
        for op in all_ops().iter().filter(|op| is_alu(op)) {
            let all = run(op, &values, preds, u32::MAX);
            let some = run(op, &values, preds, active);
            for at in [0, 7, 31] {
                let alone_values = values.map(|value| Value::splat(value.get(at)));
                let alone_preds = preds.map(|p| if p >> at & 1 == 1 { u32::MAX } else { 0 });
                let alone = run(op, &alone_values, alone_preds, 1 << 3);
                prop_assert_eq!(lane(op, &all, at), lane(op, &alone, 3), "{:?} lane {}", op, at);
                if active >> at & 1 == 1 {
                    prop_assert_eq!(lane(op, &all, at), lane(op, &some, at), "{:?}", op);
                }
            }
        }
    }
}

#[test]
fn there_are_thousands_of_operations_and_each_has_a_signature() {
    let ops = all_ops();
    assert!(ops.len() > 3000, "{}", ops.len());
    let unique: std::collections::HashSet<_> = ops.iter().collect();
    assert_eq!(unique.len(), ops.len());
}
