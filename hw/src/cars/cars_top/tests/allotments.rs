//! Warps that were given packs of their own keep to them, whatever they do.

use super::*;
use std::collections::BTreeMap;

type Pins = CarsTopIn<8, 256, 7>;

/// What a warp does: its number, a request, registers that it names.
type Act = (u8, u8, u8, [Option<u8>; LOOKUPS]);

fn act() -> impl Strategy<Value = Act> {
    let op = prop_oneof![
        3 => Just(Op::Nothing),
        2 => Just(Op::Launch),
        4 => Just(Op::Call),
        6 => Just(Op::Push),
        2 => Just(Op::Pop),
        1 => Just(Op::Finish),
    ];
    let regs = prop::array::uniform4(prop::option::of(0..34u8));
    (0..8u8, op.prop_map(Op::code), 0..6u8, regs)
}

/// Warp w has 32 packs from 32 w on: 32 - `stack` base registers, then its stack.
fn issue(stack: u8, (warp, op, fru, regs): Act) -> Issue {
    let base = 32 * u16::from(warp);
    Issue {
        warp,
        op,
        base,
        first: base + 32 - u16::from(stack),
        capacity: stack,
        fru,
        regs,
        ..Issue::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_pack_is_ever_given_to_two_warps_or_two_registers(
        stack in 1..=7u8,
        cycles in prop::collection::vec((act(), act(), any::<bool>(), prop::option::weighted(0.1, 0..8u8)), 1..150),
    ) {
        let mut sm = Rtl8::default();
        let mut trapped: BTreeMap<u8, (u8, u8, u8)> = BTreeMap::new();
        for (a, b, favor_b, stall) in cycles {
            // A warp whose request trapped asks again, with the packs saved.
            let [a, b] = [a, b].map(|act| match trapped.remove(&act.0) {
                Some((op, fru, evicted)) => Issue { op, fru, evicted, ..issue(stack, act) },
                None => issue(stack, act),
            });
            let pins = Pins {
                favor_b,
                stall: stall.is_some(),
                stall_warp: stall.unwrap_or(0),
                ..Pins::default()
            };
            let out = sm.edge(&pins.with_a(a).with_b(b));
            let served = if out.served_b { b } else { a };
            let own = |warp: u8, pack: u16| pack / 32 == u16::from(warp);
            if out.trap {
                prop_assert!(own(served.warp, out.pack));
                trapped.insert(served.warp, (served.op, served.fru, out.count));
            }
            let mut registers: BTreeMap<u16, u8> = BTreeMap::new();
            for (issue, answer) in [(a, out.a_answer()), (b, out.b_answer())] {
                prop_assert!(!answer.grant || !answer.stalled);
                for (reg, pack) in issue.regs.into_iter().zip(answer.packs) {
                    let (Some(reg), Some(pack)) = (reg, pack) else { continue };
                    prop_assert!(own(issue.warp, pack), "{:?} of {:?}", pack, issue);
                    let named = *registers.entry(pack).or_insert(reg);
                    prop_assert_eq!(named, reg, "pack {} of {:?}", pack, issue);
                }
            }
        }
    }
}
