//! What the property tests of resource sharing in one SM draw from.

use super::{Issue, OwfTopIn, PERIOD, SCHEDULERS};
use crate::owf::scratchpad_lock::ADDRESS_BITS;
use crate::owf::sharing::kernel::{PortStep, Step, steps};
use crate::owf::warp_priority;
use crate::strategies::{LookupDraw, any_rows, lookup_draws, lookups_at};
use proptest::prelude::*;

/// What a cycle has besides the requests for locks.
#[derive(Clone, Debug)]
struct Beside {
    regs: [[LookupDraw; 4]; 2],
    memory: [bool; 2],
    scratch: [bool; 2],
    launch: u64,
    ready: u64,
    stall: bool,
    zero_stalls: u16,
}

fn beside<const NW: usize>() -> impl Strategy<Value = Beside> {
    let chance = prop::bool::weighted;
    (
        [lookup_draws(), lookup_draws()],
        [chance(0.4), chance(0.4)],
        [chance(0.5), chance(0.5)],
        warp_priority::strategy::row::<NW, SCHEDULERS>(),
        any::<bool>(),
        any::<u16>(),
    )
        .prop_map(
            |(regs, memory, scratch, order, stall, zero_stalls)| Beside {
                regs,
                memory,
                scratch,
                launch: order.launch,
                ready: order.ready,
                stall,
                zero_stalls: zero_stalls & 0x3ff,
            },
        )
}

/// The same for all cycles of a kernel: private and shared registers, where upper warps have theirs, and what is shared; made
/// of the one number that the kernels of both locks have.
fn kernel<const NW: usize, const T: usize, const PACKS: usize>(
    step: &Step,
) -> OwfTopIn<NW, T, PACKS> {
    let number = usize::from(step.private);
    // Kernels that just fill the file, that go beyond it, and of few warps with many registers.
    let (base, ext) = match number % 4 {
        0 => (number / 4 % 16, 1 + number / 64 % 8),
        1 => (number / 4 % 24, number / 96 % 40),
        2 => (number / 256, number / 4 % 8),
        _ => (number / 4 % 8, number / 256),
    };
    OwfTopIn {
        clear: step.clear,
        share_regs: step.share && !number.is_multiple_of(3),
        share_scratchpad: step.share && number % 3 != 1,
        warps_per_cta: step.warps_per_cta,
        base_regs: base as u8,
        ext_regs: ext as u8,
        upper_offset: ((NW / 2 + number % NW) * ext % PACKS) as u16,
        private_bytes: u32::from(step.private) << 1,
        pair: step.pair,
        exit: step.exit,
        cta: step.cta,
        partner: step.partner,
        favor_b: step.favor_b,
        ..OwfTopIn::default()
    }
}

/// The instruction of a port.
fn issue<const NW: usize, const T: usize, const PACKS: usize>(
    pins: &OwfTopIn<NW, T, PACKS>,
    step: PortStep,
    (regs, memory, scratch): ([LookupDraw; 4], bool, bool),
) -> Issue {
    let [base, ext, warp] = [pins.base_regs, pins.ext_regs, step.warp].map(i32::from);
    let end_of_file = PACKS as i32 - warp * (base + ext);
    let last = (1i32 << ADDRESS_BITS) - 1;
    let address = (pins.private_bytes as i32 + step.beside).clamp(0, last) as u32;
    Issue {
        warp: step.warp,
        exit: step.leaves,
        memory,
        address: scratch.then_some(address),
        regs: lookups_at(regs, &[base, base + ext, base - 1, end_of_file]),
    }
}

fn row<const NW: usize, const T: usize, const PACKS: usize>(
    step: &Step,
    beside: &Beside,
    sm_zero: bool,
) -> OwfTopIn<NW, T, PACKS> {
    let pins = OwfTopIn {
        launch: beside.launch,
        ready: beside.ready,
        sm_zero,
        stall: beside.stall,
        zero_stalls: beside.zero_stalls,
        ..kernel(step)
    };
    let of = |port: usize| (beside.regs[port], beside.memory[port], beside.scratch[port]);
    let [a, b] = [0, 1].map(|port| issue(&pins, step.ports[port], of(port)));
    // What is not valid stays on the pins all the same.
    let pins = pins.with_a(a).with_b(b);
    OwfTopIn {
        a_valid: step.ports[0].valid,
        b_valid: step.ports[1].valid,
        ..pins
    }
}

/// Kernels one after the other.
fn runs<const NW: usize, const T: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<OwfTopIn<NW, T, PACKS>>> {
    let besides = prop::collection::vec(beside::<NW>(), 20..60);
    (steps::<NW, T>(), besides, prop::bool::weighted(0.3)).prop_map(|(steps, besides, sm_zero)| {
        let rows = steps.iter().zip(besides.iter().cycle());
        rows.map(|(step, beside)| row(step, beside, sm_zero))
            .collect()
    })
}

/// A period or two in which SM 0 stalls more or less than this one; then a non-owner goes to memory again and again.
fn periods<const NW: usize, const T: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<OwfTopIn<NW, T, PACKS>>> {
    (1..3usize, any::<u64>(), 0..1024u16, any::<bool>()).prop_map(
        |(periods, stalls, zero_stalls, on_b)| {
            let kernel = OwfTopIn {
                warps_per_cta: 2,
                base_regs: 4,
                ext_regs: 4,
                upper_offset: 128,
                zero_stalls,
                ..OwfTopIn::default()
            };
            let start = OwfTopIn {
                clear: true,
                share_regs: true,
                ..kernel
            };
            let pair = OwfTopIn {
                pair: true,
                partner: 1,
                ..kernel
            };
            let waits = (0..periods * PERIOD).map(|cycle| OwfTopIn {
                stall: stalls >> (cycle % 64) & 1 == 1,
                ..kernel
            });
            let loads = Issue {
                warp: 2,
                memory: true,
                regs: [Some(1), None, None, Some(3)],
                ..Issue::default()
            };
            let loads = if on_b {
                kernel.with_b(loads)
            } else {
                kernel.with_a(loads)
            };
            [start, pair]
                .into_iter()
                .chain(waits)
                .chain([loads; 30])
                .collect()
        },
    )
}

/// Kernels, long waits now and then, or any pins.
pub fn rows<const NW: usize, const T: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<OwfTopIn<NW, T, PACKS>>> {
    prop_oneof![
        24 => runs(),
        1 => periods(),
        // Any pins keep the warps of a CTA: a change without `clear` has no meaning.
        3 => any_rows(60).prop_map(|rows| {
            let mut size = 0;
            let keep = |row: OwfTopIn<NW, T, PACKS>| {
                if row.clear {
                    size = row.warps_per_cta;
                }
                OwfTopIn { warps_per_cta: size, ..row }
            };
            rows.into_iter().map(keep).collect()
        }),
    ]
}
