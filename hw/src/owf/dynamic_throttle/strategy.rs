//! What the property tests of the throttle draw from.

use super::{DynamicThrottleIn, STEPS};
use proptest::prelude::*;

/// Some cycles with the same behaviour.
#[derive(Clone, Debug)]
struct Stretch {
    cycles: usize,
    /// Begins with `clear`.
    clear: bool,
    sm_zero: bool,
    /// Which cycles are stall cycles, round and round.
    stalls: u64,
    /// SM 0's stalls minus one's own at the end of a period; any number if none.
    ahead: Option<i32>,
    /// Where pins are not read, and any number.
    noise: u64,
}

fn stalls() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
    ]
}

/// `cycles` cycles at the end of whose periods SM 0 has `ahead` stalls more.
fn stretch(
    cycles: impl Strategy<Value = usize>,
    ahead: impl Strategy<Value = Option<i32>>,
) -> impl Strategy<Value = Stretch> {
    (
        cycles,
        ahead,
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.15),
        stalls(),
        any::<u64>(),
    )
        .prop_map(|(cycles, ahead, clear, sm_zero, stalls, noise)| Stretch {
            cycles,
            clear,
            sm_zero,
            stalls,
            ahead,
            noise,
        })
}

/// Down to some probability, and then up, or stay for as long as the generator takes to come back.
fn swing<const PERIOD: usize>(stays: bool) -> impl Strategy<Value = Vec<Stretch>> {
    let periods = |periods: usize| periods * PERIOD;
    // The first period has nothing to compare.
    let steps = 0..=usize::from(STEPS) + 4;
    let down = stretch(steps.clone().prop_map(periods), Just(Some(-1)));
    let then = if stays {
        stretch(Just(66_000), Just(Some(0))).boxed()
    } else {
        stretch(steps.prop_map(periods), Just(Some(1))).boxed()
    };
    (down, then).prop_map(move |(down, then)| {
        let down = Stretch {
            sm_zero: false,
            stalls: down.stalls | 1,
            ..down
        };
        let then = Stretch {
            clear: false,
            sm_zero: false,
            ..then
        };
        vec![down, then]
    })
}

/// The pins of these stretches; it counts along to know when SM 0's stalls are read, and what they are compared with.
fn rows_of<const PERIOD: usize>(stretches: &[Stretch]) -> Vec<DynamicThrottleIn<PERIOD>> {
    let most = crate::pins::bits_for(PERIOD + 1);
    let most = (1i32 << most) - 1;
    let mut rows = Vec::new();
    let (mut cycle, mut count) = (0, 0);
    for stretch in stretches {
        for at in 0..stretch.cycles {
            let any = (stretch.noise.rotate_left(at as u32) & most as u64) as i32;
            let ahead = stretch.ahead.filter(|_| cycle == 0);
            let clear = at == 0 && stretch.clear;
            let stall = stretch.stalls >> (at % 64) & 1 == 1;
            rows.push(DynamicThrottleIn {
                clear,
                sm_zero: stretch.sm_zero,
                stall,
                zero_stalls: ahead.map_or(any, |ahead| (count + ahead).clamp(0, most)) as u16,
            });
            count = if cycle == 0 { 0 } else { count } + i32::from(stall);
            cycle = (cycle + 1) % PERIOD;
            if clear {
                (cycle, count) = (0, 0);
            }
        }
    }
    rows
}

/// Stretches of up to a few periods; now and then all probabilities; seldom all draws at one probability.
pub fn rows<const PERIOD: usize>() -> impl Strategy<Value = Vec<DynamicThrottleIn<PERIOD>>> {
    let ahead = prop_oneof![(-1..=1).prop_map(Some), Just(None),];
    prop_oneof![
        16 => prop::collection::vec(stretch(1..PERIOD * 3 / 2, ahead), 1..5),
        3 => swing::<PERIOD>(false),
        1 => swing::<PERIOD>(true),
    ]
    .prop_map(|stretches| rows_of(&stretches))
}
