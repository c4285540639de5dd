//! What instructions cost, alone in the pipeline.

use super::support::*;
use crate::kernel::op::Space;

#[test]
fn dependent_additions_are_eight_cycles_apart() {
    // GPGPU-Sim's GTX 480 shows 8.00 for dependent arithmetic.
    let each = cycles_each(&[mov(6, imm(1))], &[add(6, r(6), r(3))], 16, 64);
    assert_eq!(each, 8.0);
}

#[test]
fn independent_additions_are_fetched_two_in_three_cycles() {
    // GPGPU-Sim's GTX 480 shows 1.50 for one warp.
    let body: Vec<_> = (6..22).map(|to| add(to, r(2), r(3))).collect();
    assert_eq!(cycles_each(&[], &body, 4, 8), 16.0 * 1.5);
}

#[test]
fn operands_in_one_bank_cost_a_cycle_more_than_in_three() {
    // Registers 2 and 18 share bank (pack mod 16), registers 2 and 3 do not.
    let chain = |other| [fma(6, 2, other, 6)];
    let before = [mov(6, imm(0)), mov(18, imm(0))];
    let apart = cycles_each(&before, &chain(3), 16, 64);
    let together = cycles_each(&before, &chain(18), 16, 64);
    assert_eq!(together, apart + 1.0);
}

#[test]
fn bank_conflicts_are_counted() {
    let mut insts = prologue();
    insts.extend([mov(18, imm(0)), fma(6, 2, 18, 2), exit()]);
    let result = run_ok(&kernel(vec![insts]), 1, 32);
    // Three reads of one bank: two wait a cycle, then one.
    assert!(result.counters.registers.bank_conflict_cycles >= 3);
}

#[test]
fn dependent_scratchpad_loads_are_a_latency_and_the_pipeline_apart() {
    let each = cycles_each(&[mov(6, imm(0))], &[load(Space::Shared, 6, r(6))], 16, 48);
    assert_eq!(each, 26.0 + 4.0);
}

#[test]
fn scratchpad_stride_of_two_to_the_k_words_costs_two_to_the_k_minus_one_cycles() {
    use crate::kernel::{Op, Special, op::Ty};
    for k in 0..5 {
        let lane = crate::kernel::Operand::Special(Special::LaneId);
        let shift = inst(Op::Shl(Ty::B32), &[d(6)], &[r(6), imm(2 + k)]);
        let before = [mov(6, lane), shift];
        let access = [load(Space::Shared, 7, r(6)), add(7, r(7), r(7))];
        let each = cycles_each(&before, &access, 8, 24);
        let flat = cycles_each(&[mov(6, imm(0))], &access, 8, 24);
        assert_eq!(each - flat, f64::from((1 << k) - 1), "stride {}", 1 << k);
    }
}

#[test]
fn dependent_load_that_hits_the_cache_takes_the_hit_latency_and_the_pipeline() {
    let mut before = vec![load(Space::Global, 6, rr(0))];
    before.push(inst_add64(6));
    let body = [load(Space::Global, 6, rr(8)), inst_add64(6)];
    let add_cost = cycles_each(&[mov(6, imm(0))], &[inst_add64(6), inst_sub32(6)], 8, 24);
    let each = cycles_each(&before, &body, 8, 24);
    // The address is computed by one dependent 64-bit addition.
    assert!((39.0..=39.0 + add_cost).contains(&each), "{each}");
}

fn inst_add64(from: u16) -> crate::kernel::Inst {
    use crate::kernel::{Op, op::Part, op::Ty};
    let op = Op::Mad {
        ty: Ty::U32,
        part: Part::Wide,
        sat: false,
    };
    inst(op, &[dd(8)], &[r(from), imm(4), rr(0)])
}

fn inst_sub32(to: u16) -> crate::kernel::Inst {
    mov(to, r(8))
}

#[test]
fn lone_miss_takes_the_miss_latency_longer_than_nothing() {
    let use_it = |address: Vec<crate::kernel::Inst>| {
        let mut insts = prologue();
        insts.extend(address);
        insts.push(add(7, r(6), r(6)));
        insts.push(exit());
        run_ok(&kernel(vec![insts]), 1, 32).cycles
    };
    let with = use_it(vec![load(Space::Global, 6, rr(0))]);
    let without = use_it(vec![mov(6, imm(0))]);
    // The load's latency takes the place of the move's 4 cycles; the move has no operand to collect.
    assert_eq!(with - without, 290 - 4 + 1);
}

#[test]
fn sixty_four_bit_load_of_a_warp_makes_two_accesses_and_a_strided_one_thirty_two() {
    let accesses = |shift: u64| {
        use crate::kernel::{Op, op::Part, op::Ty};
        let mut insts = prologue();
        let op = Op::Mad {
            ty: Ty::U32,
            part: Part::Wide,
            sat: false,
        };
        insts.push(inst(op, &[dd(8)], &[r(2), imm(1 << shift), rr(0)]));
        insts.push(load(Space::Global, 6, rr(8)));
        insts.push(exit());
        run_ok(&kernel(vec![insts]), 1, 32).counters.memory.l1_loads
    };
    assert_eq!(accesses(2), 1);
    assert_eq!(accesses(3), 2);
    assert_eq!(accesses(7), 32);
}

#[test]
fn local_memory_at_one_offset_is_one_line_for_the_warp() {
    let mut insts = prologue();
    insts.push(store(Space::Local, imm(8), r(2)));
    insts.push(load(Space::Local, 6, imm(8)));
    insts.extend([put(6), exit()]);
    let result = run_ok(&kernel(vec![insts]), 1, 32);
    assert_eq!(result.counters.memory.l1_loads, 1);
    assert_eq!(words(&result, 32), (0..32).collect::<Vec<_>>());
}
