//! Input sequences for the units of CARS.

use super::stimulus::{Random, Rows, any_values, row};
use regshare_hw::cars::register_stack::{Op, RegisterStackIn, model::Model};
use regshare_hw::clocked::{Clocked, PinDef, Pins};

/// For `stack_mapper`: frames of all sizes at all places, registers around their ends; then any values.
pub(super) fn stack_look_ups(pins: &[PinDef], packs: u64, stack: u64, count: usize) -> Rows {
    let mut random = Random(6);
    let mut rows = any_values(pins, count / 4);
    for _ in 0..count {
        let capacity = 1 + random.below(stack);
        let base_regs = 16 + random.below(20);
        let base = random.below(packs - base_regs - capacity);
        let first = base + base_regs;
        let (rfp, frame) = (random.below(capacity), random.below(capacity));
        let mut values = vec![
            ("launched", u64::from(!random.once_in(10))),
            ("rfp", first + rfp),
            ("rsp", first + (rfp + frame) % capacity),
            ("base", base),
            ("first", first),
            ("capacity", capacity),
        ];
        for (register, valid) in [
            ("x0", "x0_valid"),
            ("x1", "x1_valid"),
            ("x2", "x2_valid"),
            ("x3", "x3_valid"),
        ] {
            let x = match random.below(3) {
                0 => random.below(base_regs + 2),
                1 => 16 + random.below(frame + 2),
                _ => 14 + frame + random.below(4),
            };
            values.push((register, x));
            values.push((valid, u64::from(!random.once_in(6))));
        }
        rows.push(row(pins, &values));
    }
    rows
}

/// For `stalled_warps`: all warps in and out in several orders, so that the list begins everywhere; then any requests
/// with rare clears.
pub(super) fn stalls(pins: &[PinDef], warps: u64, count: usize) -> Rows {
    let mut rows = Vec::new();
    for (step, kept) in [(1, 0), (5, warps / 2), (warps - 1, 1)] {
        for number in 0..warps {
            let warp = number * step % warps;
            rows.push(row(
                pins,
                &[("stall", 1), ("stall_warp", warp), ("a_warp", warp)],
            ));
        }
        for number in 0..warps - kept {
            rows.push(row(pins, &[("wake", 1), ("b_warp", number)]));
        }
    }
    rows.push(row(pins, &[("clear", 1), ("wake", 1), ("stall", 1)]));
    let mut random = Random(7);
    for number in 0..count as u64 {
        // Few warps meet often; others use all, and warps that do not exist.
        let crowd = if number / 64 % 2 == 0 { 4 } else { 64 };
        let wakes = [2, 3, 6][(number / 100 % 3) as usize];
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(150))),
                ("stall", u64::from(!random.once_in(3))),
                (
                    "stall_warp",
                    random.below(crowd) % (warps.next_power_of_two()),
                ),
                ("wake", u64::from(random.once_in(wakes))),
                ("a_warp", random.below(crowd) % (warps.next_power_of_two())),
                ("b_warp", random.below(crowd) % (warps.next_power_of_two())),
            ],
        );
        values.1 = !random.once_in(6);
        rows.push(values);
    }
    rows
}

/// Kernels of all heights whose best level is anywhere, each with CTAs that finish and CTAs that are launched; one of
/// them starts again. Then any of it.
pub(super) fn finished_ctas(pins: &[PinDef], levels: u64, count: usize) -> Rows {
    let mut random = Random(23);
    let mut rows = Rows::new();
    let kernels = levels * 3;
    for kernel in 0..kernels {
        let (top, best) = (levels - 1 - kernel % levels, random.below(levels));
        let known = u64::from(kernel % 3 == 2);
        rows.push(row(
            pins,
            &[
                ("clear", 1),
                ("top", top),
                ("known", known),
                ("known_level", random.below(levels)),
            ],
        ));
        // Of four kernels one takes as long in all levels, and one in those as far from its best.
        let (step, noise) = match kernel % 4 {
            0 => (0, 1),
            2 => (1 << random.below(28), 1),
            _ => (1 << random.below(28), 16),
        };
        for number in 0..count as u64 / kernels {
            let done_level = random.below(levels);
            let far = done_level.abs_diff(best);
            let mut values = row(
                pins,
                &[
                    ("top", random.below(levels)),
                    ("known_level", random.below(levels)),
                    ("again", u64::from(random.once_in(23))),
                    ("done", u64::from(random.below(3) < 2)),
                    ("done_level", done_level),
                    ("done_cycles", 100 + far * step + random.below(noise)),
                    ("launch", random.below(2)),
                    ("launch_high", number % 2),
                ],
            );
            values.1 = !random.once_in(9);
            rows.push(values);
        }
    }
    rows.extend(any_values(pins, count / 4));
    rows
}

/// For `register_stack`: every warp runs programs in a window of its own, on both ports, with a trap handler that saves
/// what it is asked to; then any values.
pub(super) fn stack_programs<const NW: usize, const PACKS: usize, const STACK: usize>(
    pins: &[PinDef],
    count: usize,
) -> Rows {
    let warps = NW as u64;
    let mut random = Random(8);
    let mut model = Model::<NW, PACKS, STACK>::default();
    let mut links = vec![Vec::new(); NW];
    let mut trapped = vec![None; NW];
    let mut rows = Rows::new();
    for number in 0..count as u64 {
        let mut values = vec![
            ("clear", u64::from(number + 1 == count as u64)),
            ("favor_b", random.below(2)),
        ];
        // A few warps go deep; the others have a row each.
        let crowd = if number / 64 % 4 == 3 { warps } else { 3 };
        let mut asked = [(0, Op::Nothing, 0); 2];
        for (port, names) in [
            [
                "a_op",
                "a_warp",
                "a_first",
                "a_capacity",
                "a_fru",
                "a_evicted",
                "a_link",
                "a_link_kernel",
            ],
            [
                "b_op",
                "b_warp",
                "b_first",
                "b_capacity",
                "b_fru",
                "b_evicted",
                "b_link",
                "b_link_kernel",
            ],
        ]
        .into_iter()
        .enumerate()
        {
            let warp = (warps - 1 - random.below(crowd)) as usize;
            let look_up = RegisterStackIn {
                a_warp: warp as u8,
                ..RegisterStackIn::default()
            };
            let running = model.outputs(&look_up).a_launched;
            let size = PACKS as u64 / warps;
            let capacity = 1 + (warp as u64 * 3) % size.min(STACK as u64);
            let mut op = match random.below(16) {
                0..=4 => Op::Call,
                5..=9 => Op::Push,
                10 => Op::Pop,
                11..=13 => Op::Return,
                14 => Op::Nothing,
                _ if random.once_in(6) => Op::Finish,
                _ => Op::Launch,
            };
            let (mut fru, mut evicted) = (random.below(capacity + 1), 0);
            if !running {
                op = Op::Launch;
            } else if let Some((again, registers, saved)) = trapped[warp].take() {
                (op, fru, evicted) = (again, registers, saved);
            }
            let (link, mark) = links[warp].last().copied().unwrap_or_default();
            let first = warp as u64 * size + size - capacity;
            asked[port] = (warp, op, fru);
            values.extend(names.into_iter().zip([
                op.code().into(),
                warp as u64,
                first,
                capacity,
                fru,
                evicted,
                link,
                mark,
            ]));
        }
        let row = row(pins, &values);
        let out = model.edge(&Pins::from_values(&row.0));
        let (warp, op, fru) = asked[usize::from(out.served_b)];
        match op {
            Op::Launch if out.grant => links[warp].clear(),
            Op::Call if out.grant => links[warp].push((out.link.into(), out.link_kernel.into())),
            Op::Return if out.grant => {
                links[warp].pop();
            }
            _ if out.trap => trapped[warp] = Some((op, fru, out.count.into())),
            _ => {}
        }
        rows.push(row);
    }
    rows.extend(any_values(pins, count / 4));
    rows
}
