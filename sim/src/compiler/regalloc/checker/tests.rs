use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use super::*;
use crate::compiler::regalloc::{AllocOptions, Allocation, allocate};
use crate::kernel::op::Space;
use crate::kernel::{Dst, Inst, Op, Operand, Pred, Reg, RegSpace, Width};
use crate::testing::{GenOptions, Generated, generate};

fn sample(seed: u64, max_regs: u16) -> (Generated, Allocation) {
    let generated = generate(seed, &GenOptions::varied(seed));
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    let allocation = allocate(&generated.kernel, &options).unwrap();
    (generated, allocation)
}

fn verdict(generated: &Generated, allocation: &Allocation) -> Result<(), Fault> {
    check(&generated.kernel, &allocation.kernel, &allocation.origins).map_err(|e| e.fault)
}

fn bounds(allocation: &Allocation) -> (u16, u16) {
    match allocation.kernel.regs {
        RegSpace::Architected { regs, preds } | RegSpace::Virtual { regs, preds } => (regs, preds),
    }
}

/// Another register of the same width.
fn other_reg(reg: Reg, regs: u16, rng: &mut ChaCha8Rng) -> Reg {
    let step = if reg.width == Width::W64 { 2 } else { 1 };
    let places = u32::from(regs / step);
    Reg {
        index: (rng.next_u32() % places.max(1)) as u16 * step,
        ..reg
    }
}

/// Changes one thing in one instruction, or takes an inserted instruction away. False when the kind of change does
/// not apply there.
fn corrupt(allocation: &mut Allocation, rng: &mut ChaCha8Rng) -> bool {
    let (regs, preds) = bounds(allocation);
    let b = rng.next_u32() as usize % allocation.kernel.blocks.len();
    let insts = &mut allocation.kernel.blocks[b].insts;
    if insts.is_empty() {
        return false;
    }
    let i = rng.next_u32() as usize % insts.len();
    let inserted = allocation.origins[b][i] == Origin::Inserted;
    let kind = rng.next_u32() % 6;
    if kind == 0 {
        if inserted {
            insts.remove(i);
            allocation.origins[b].remove(i);
        }
        return inserted;
    }
    let inst = &mut insts[i];
    let before = inst.clone();
    match kind {
        1 => {
            for src in &mut inst.srcs {
                match src {
                    Operand::Reg(r) => *r = other_reg(*r, regs, rng),
                    Operand::Pred { pred, .. } => pred.0 = rng.next_u32() as u16 % preds,
                    _ => {}
                }
            }
        }
        2 => {
            for dst in &mut inst.dsts {
                match dst {
                    Dst::Reg(r) => *r = other_reg(*r, regs, rng),
                    Dst::Pred(p) => p.0 = rng.next_u32() as u16 % preds,
                }
            }
        }
        3 => swap_everywhere(inst, rng, regs),
        4 => {
            if let Some(guard) = &mut inst.guard {
                guard.pred = Pred(rng.next_u32() as u16 % preds);
            }
        }
        _ => {
            if let (Op::Ld(m) | Op::St(m), true) = (&mut inst.op, inserted)
                && m.space == Space::Local
            {
                m.offset ^= 8;
            }
        }
    }
    *inst != before
}

/// Exchanges two registers in one instruction.
fn swap_everywhere(inst: &mut Inst, rng: &mut ChaCha8Rng, regs: u16) {
    let a = rng.next_u32() as u16 % regs;
    let b = rng.next_u32() as u16 % regs;
    let swapped = |r: &mut Reg| {
        if r.width == Width::W32 && r.index == a {
            r.index = b;
        } else if r.width == Width::W32 && r.index == b {
            r.index = a;
        }
    };
    for src in &mut inst.srcs {
        if let Operand::Reg(r) = src {
            swapped(r);
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Reg(r) = dst {
            swapped(r);
        }
    }
}

#[test]
fn corruptions_that_change_the_results_are_caught() {
    let (mut wrong, mut caught, mut benign_refused) = (0, 0, 0);
    for seed in 0..60 {
        let (generated, allocation) = sample(seed, if seed % 2 == 0 { 14 } else { 255 });
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let right = generated.run(&generated.kernel).unwrap();
        let mut tries = 0;
        while tries < 8 {
            let mut broken = allocation.clone();
            if !corrupt(&mut broken, &mut rng) {
                continue;
            }
            tries += 1;
            let refused = verdict(&generated, &broken).is_err();
            let changed = match generated.run(&broken.kernel) {
                Ok(memory) => memory.first_difference(&right).is_some(),
                Err(_) => true,
            };
            wrong += u32::from(changed);
            caught += u32::from(changed && refused);
            benign_refused += u32::from(!changed && refused);
        }
    }
    assert!(wrong > 150, "only {wrong} corruptions changed results");
    assert!(
        caught * 100 >= wrong * 95,
        "{caught} of {wrong}, {benign_refused} others refused"
    );
}

fn first_pair(allocation: &mut Allocation) -> &mut Reg {
    let dsts = allocation
        .kernel
        .blocks
        .iter_mut()
        .flat_map(|b| &mut b.insts);
    dsts.flat_map(|i| &mut i.dsts)
        .find_map(|d| match d {
            Dst::Reg(r) if r.width == Width::W64 => Some(r),
            _ => None,
        })
        .unwrap()
}

#[test]
fn misaligned_pair_is_named() {
    let (generated, mut allocation) = sample(1, 255);
    let pair = first_pair(&mut allocation);
    pair.index += 1;
    let index = pair.index;
    assert_eq!(
        verdict(&generated, &allocation),
        Err(Fault::Misaligned(index))
    );
}

#[test]
fn register_beyond_the_declared_count_is_named() {
    let (generated, mut allocation) = sample(1, 255);
    let (regs, _) = bounds(&allocation);
    let past = regs.next_multiple_of(2);
    first_pair(&mut allocation).index = past;
    assert_eq!(verdict(&generated, &allocation), Err(Fault::RegBound(past)));
}

#[test]
fn missing_spill_store_and_missing_spill_load_are_refused() {
    for is_load in [true, false] {
        let (generated, mut allocation) = sample(2, 12);
        let lost = allocation
            .origins
            .iter()
            .enumerate()
            .find_map(|(b, origins)| {
                let insts = &allocation.kernel.blocks[b].insts;
                let wanted = |i: &usize| match insts[*i].op {
                    Op::Ld(_) => is_load,
                    Op::St(_) => !is_load,
                    _ => false,
                };
                (0..origins.len())
                    .filter(|&i| origins[i] == Origin::Inserted)
                    .find(wanted)
                    .map(|i| (b, i))
            });
        let (b, i) = lost.expect("twelve registers are too few");
        allocation.kernel.blocks[b].insts.remove(i);
        allocation.origins[b].remove(i);
        assert!(verdict(&generated, &allocation).is_err());
    }
}

#[test]
fn missing_instruction_that_is_no_copy_is_named() {
    let (generated, mut allocation) = sample(1, 255);
    allocation.kernel.blocks[0].insts.remove(0);
    allocation.origins[0].remove(0);
    assert_eq!(verdict(&generated, &allocation), Err(Fault::Missing(0)));
}

#[test]
fn right_allocation_is_accepted() {
    let (generated, allocation) = sample(1, 14);
    assert_eq!(verdict(&generated, &allocation), Ok(()));
}
