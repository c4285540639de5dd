//! What the property tests of CARS in one SM draw from: the programs of [`register_stack`](crate::cars::register_stack), whose
//! instructions name registers, and warps that are stalled and woken meanwhile.

use super::{CarsTopIn, Issue, LOOKUPS};
use crate::cars::register_stack::{Op, RegisterStackIn, strategy as programs};
use crate::cars::stack_mapper::FIRST_CALLEE_SAVED;
use crate::strategies::{LookupDraw, any_rows, lookup_draws, lookups_at};
use proptest::prelude::*;

/// What a cycle has besides the requests.
#[derive(Clone, Debug)]
struct Beside {
    regs: [[LookupDraw; LOOKUPS]; 2],
    /// Registers of the kernel.
    base_regs: u16,
    /// An instruction that asks for nothing is there all the same.
    valid: [bool; 2],
    /// A warp is stalled: that of port a, that of port b, or this one.
    stall: Option<(u8, u8)>,
    wake: bool,
    /// The same, if a warp may finish in this cycle.
    wake_too: bool,
}

fn beside<const NW: usize>() -> impl Strategy<Value = Beside> {
    let chance = prop::bool::weighted;
    let stall = prop::option::weighted(0.1, (0..5u8, 0..NW.next_power_of_two() as u8));
    (
        [lookup_draws(), lookup_draws()],
        prop_oneof![3 => 16..40u16, 1 => 0..80u16],
        [chance(0.9), chance(0.9)],
        stall,
        [chance(0.05), chance(0.5)],
    )
        .prop_map(|(regs, base_regs, valid, stall, [wake, wake_too])| Beside {
            regs,
            base_regs,
            valid,
            stall,
            wake,
            wake_too,
        })
}

fn row<const NW: usize, const PACKS: usize, const STACK: usize>(
    step: &RegisterStackIn<NW, PACKS, STACK>,
    beside: &Beside,
) -> CarsTopIn<NW, PACKS, STACK> {
    let a = Issue {
        warp: step.a_warp,
        op: step.a_op,
        first: step.a_first,
        capacity: step.a_capacity,
        fru: step.a_fru,
        evicted: step.a_evicted,
        link: step.a_link,
        link_kernel: step.a_link_kernel,
        ..Issue::default()
    };
    let b = Issue {
        warp: step.b_warp,
        op: step.b_op,
        first: step.b_first,
        capacity: step.b_capacity,
        fru: step.b_fru,
        evicted: step.b_evicted,
        link: step.b_link,
        link_kernel: step.b_link_kernel,
        ..Issue::default()
    };
    let saved = i32::from(FIRST_CALLEE_SAVED);
    let [a, b] = [(a, beside.regs[0]), (b, beside.regs[1])].map(|(issue, regs)| {
        let base = issue.first.saturating_sub(beside.base_regs);
        let own = i32::from(issue.first - base);
        let points = [saved, own, saved + 2, saved + i32::from(issue.capacity)];
        Issue {
            base,
            regs: lookups_at(regs, &points),
            ..issue
        }
    });
    let (stall, stall_warp) = match beside.stall {
        Some((0 | 1, _)) => (true, a.warp),
        Some((2 | 3, _)) => (true, b.warp),
        Some((_, warp)) => (true, warp),
        None => (false, 0),
    };
    let [a_valid, b_valid] =
        [(a, 0), (b, 1)].map(|(issue, port)| issue.op != 0 || beside.valid[port]);
    let finishes = [a.op, b.op].contains(&Op::Finish.code());
    let pins = CarsTopIn {
        clear: step.clear,
        favor_b: step.favor_b,
        stall,
        stall_warp,
        wake: beside.wake || (finishes && beside.wake_too),
        ..CarsTopIn::default()
    };
    // What is not valid stays on the pins all the same.
    CarsTopIn {
        a_valid,
        b_valid,
        ..pins.with_a(a).with_b(b)
    }
}

/// Programs, or any pins.
pub fn rows<const NW: usize, const PACKS: usize, const STACK: usize>()
-> impl Strategy<Value = Vec<CarsTopIn<NW, PACKS, STACK>>> {
    let besides = prop::collection::vec(beside::<NW>(), 20..60);
    let programs = (programs::rows(), besides).prop_map(
        |(steps, besides): (Vec<RegisterStackIn<NW, PACKS, STACK>>, _)| {
            let rows = steps.iter().zip(besides.iter().cycle());
            rows.map(|(step, beside)| row(step, beside)).collect()
        },
    );
    prop_oneof![9 => programs, 1 => any_rows(60)]
}
