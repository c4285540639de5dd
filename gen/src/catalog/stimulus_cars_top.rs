//! Input sequences for the top of CARS.

use super::stimulus::{Random, Rows};
use super::stimulus_cars_programs::{Allotment, Machine, run_programs};
use regshare_hw::cars::cars_top::model::Model;
use regshare_hw::cars::register_stack::Op;
use regshare_hw::cars::stack_mapper::FIRST_CALLEE_SAVED;
use regshare_hw::clocked::PinDef;

/// Pins of a port besides those of its request.
struct Instruction {
    valid: &'static str,
    base: &'static str,
    /// Registers that it names, each with whether it has it.
    registers: [(&'static str, &'static str); 4],
}

const PORTS: [Instruction; 2] = [
    Instruction {
        valid: "a_valid",
        base: "a_base",
        registers: [
            ("a_x0", "a_x0_valid"),
            ("a_x1", "a_x1_valid"),
            ("a_x2", "a_x2_valid"),
            ("a_x3", "a_x3_valid"),
        ],
    },
    Instruction {
        valid: "b_valid",
        base: "b_base",
        registers: [
            ("b_x0", "b_x0_valid"),
            ("b_x1", "b_x1_valid"),
            ("b_x2", "b_x2_valid"),
            ("b_x3", "b_x3_valid"),
        ],
    },
];

/// For `cars_top`: programs whose instructions name base registers and pushed ones, and a few that do not exist; warps are
/// stalled, mostly those that issue, and woken; at times the next kernel starts.
pub(super) fn cars_issues<const NW: usize, const PACKS: usize, const STACK: usize>(
    pins: &[PinDef],
    count: usize,
) -> Rows {
    let mut random = Random(47);
    let sizes = Model::<NW, PACKS, STACK>::SIZES;
    let beside = |asked: [(u64, Op); 2]| {
        let stall_warp = match random.below(4) {
            0 => random.below(sizes.warps.next_power_of_two()),
            port => asked[port as usize % 2].0,
        };
        let mut values = vec![
            ("stall", u64::from(random.once_in(12))),
            ("stall_warp", stall_warp),
            ("wake", u64::from(random.once_in(8))),
        ];
        if random.once_in(200) {
            values.push(("clear", 1));
        }
        for ((warp, op), pins) in asked.into_iter().zip(PORTS) {
            let allotment = sizes.allotment(warp);
            // What asks for something is there, as a rule; of the others a third is not.
            let missing = random.once_in(if op == Op::Nothing { 3 } else { 20 });
            values.extend([
                (pins.valid, u64::from(!missing)),
                (pins.base, allotment.base),
            ]);
            for (register, named) in pins.registers {
                values.push((register, any_register(&allotment, &mut random)));
                values.push((named, u64::from(!random.once_in(6))));
            }
        }
        values
    };
    run_programs::<Model<NW, PACKS, STACK>>(pins, count, beside)
}

/// A base register, a pushed one, or one at the end of either.
fn any_register(allotment: &Allotment, random: &mut Random) -> u64 {
    let base_regs = allotment.first - allotment.base;
    let saved = u64::from(FIRST_CALLEE_SAVED);
    match random.below(8) {
        0..=2 => random.below(base_regs + 2),
        3..=5 => saved + random.below(4),
        6 => saved - 1 + random.below(allotment.capacity + 2),
        _ => random.below(256),
    }
}
