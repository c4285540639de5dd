//! Input sequences for the register manager: what is recorded of a system's top, on the ports that all systems have.

use super::stimulus::{Random, Rows, any_values, row};
use crate::recording::{Recording, Row};
use regshare_hw::clocked::PinDef;
use regshare_hw::register_manager::System;
use regshare_hw::register_manager::strategy::put;

/// The rows of the top of `system`, and any values on the pins that it does not read; in the first quarter these are low.
pub(super) fn on_ports(pins: &[PinDef], system: System, top: &Recording) -> Rows {
    let mut random = Random(59);
    let quiet = top.rows.len() / 4;
    let spread = |(at, own): (usize, &Row)| {
        let value = |pin| if at < quiet { 0 } else { any(pin, &mut random) };
        let mut values: Vec<u64> = pins.iter().map(value).collect();
        put(system, pins, &mut values, &top.inputs, &own.inputs, false);
        (values, own.edge)
    };
    top.rows.iter().enumerate().map(spread).collect()
}

/// For the baseline: each look-up of a `reg_map` on port a while an earlier one is on port b; then any values.
pub(super) fn baseline_issues(pins: &[PinDef], map: &Recording) -> Rows {
    const OF_MAP: [&str; 10] = [
        "widx", "coeff", "x0", "x0_valid", "x1", "x1_valid", "x2", "x2_valid", "x3", "x3_valid",
    ];
    const PORTS: [[&str; 10]; 2] = [
        [
            "a_warp",
            "base_regs",
            "a_x0",
            "a_x0_valid",
            "a_x1",
            "a_x1_valid",
            "a_x2",
            "a_x2_valid",
            "a_x3",
            "a_x3_valid",
        ],
        [
            "b_warp",
            "",
            "b_x0",
            "b_x0_valid",
            "b_x1",
            "b_x1_valid",
            "b_x2",
            "b_x2_valid",
            "b_x3",
            "b_x3_valid",
        ],
    ];
    let mut random = Random(61);
    let value = |row: &Row, name: &str| {
        let at = map.inputs.iter().position(|pin| pin.name == name);
        row.inputs[at.unwrap_or_else(|| panic!("{name} is a pin of reg_map"))]
    };
    let mut rows: Rows = vec![row(pins, &[("clear", 1), ("a_valid", 1), ("b_valid", 1)])];
    for (at, own) in map.rows.iter().enumerate() {
        let asked = [own, &map.rows[at.saturating_sub(7)]];
        let mut values = Vec::new();
        for (names, look_up) in PORTS.iter().zip(asked) {
            values.extend(
                names
                    .iter()
                    .zip(OF_MAP)
                    .map(|(to, from)| (*to, value(look_up, from))),
            );
        }
        values.push(("a_valid", u64::from(!random.once_in(8))));
        values.push(("b_valid", u64::from(!random.once_in(8))));
        values.push(("clear", u64::from(random.once_in(40))));
        rows.push(row(pins, &values));
    }
    rows.extend(any_values(pins, 200));
    rows
}

fn any(pin: &PinDef, random: &mut Random) -> u64 {
    random.next() & (u64::MAX >> (64 - pin.width_bits))
}
