//! What a unit must have done in the rows that are kept of it.

use regshare_gen::catalog::Entry;
use regshare_gen::recording::{Recording, Row};

/// Pins that are not 0 in one row; those with `!` are 0 in it.
type Event = &'static [&'static str];

/// Of a lock: it is taken and given back.
const LOCK: &[Event] = &[
    &["a_valid", "!a_release", "a_grant"],
    &["a_valid", "a_release", "a_grant", "a_held"],
];

/// Of a top with a lock: the same, and registers of the extended set.
const LOCK_AND_MAPPERS: &[Event] = &[
    &["a_change", "!a_release", "a_grant"],
    &["a_change", "a_release", "a_grant", "a_held"],
    &["a_held", "a_y0_valid"],
];

/// Of a register manager with such a top, whose rows are so wide that there are few.
const ACQUIRE: &[Event] = &[
    &["a_change", "!a_release", "a_grant"],
    &["a_held", "a_y0_valid"],
];

/// Events that must be in the rows of a module.
fn events(entry: &Entry) -> &'static [Event] {
    match entry.unit {
        "srp_allocator" | "paired_lock" | "safe_paired_lock" => LOCK,
        "regmutex_top" | "paired_top" | "safe_paired_top" => LOCK_AND_MAPPERS,
        "find_first_zero" => &[&["found", "index"]],
        "register_mapper" => &[&["section_valid", "y0_valid"]],
        "paired_mapper" => &[&["ext_held", "y0_valid"]],
        "reg_map" => &[&["y0_valid", "y1_valid"]],
        "pair_lock" => &[&["pair_grant"], &["owner"], &["a_held", "a_grant"]],
        "scratchpad_lock" => &[&["pair_grant"], &["owner"], &["a_valid", "a_grant"]],
        "warp_priority" => &[&["launch"], &["owner", "shared", "chosen_valid"]],
        "dynamic_throttle" => &[&["compares"], &["stall"]],
        "owf_top" => &[
            &["pair_grant"],
            &["owner", "chosen_valid"],
            &["a_grant", "a_y0_valid"],
        ],
        "flag_decoder" => &[&["pir"], &["pbr", "x0_valid"]],
        "release_flag_cache" => &[&["fill"], &["a_hit", "a_flags"]],
        "rename_table" => &[&["launch"], &["served", "y0_valid"], &["take"], &["give"]],
        "free_list" => &[&["take"], &["give"]],
        "cta_throttle" => &[&["launch"], &["a_take"], &["b_give"]],
        "power_gate" => &[&["request", "!awake"], &["occupied", "awake"]],
        "rfv_top" if entry.param("hardware_only").is_some() => {
            &[&["launch"], &["a_served"], &["y0_valid"]]
        }
        "rfv_top" => &[
            &["launch"],
            &["pir"],
            &["a_flagged", "a_served"],
            &["y0_valid"],
        ],
        "register_stack" => &[&["trap"], &["grant", "link"]],
        "stack_mapper" => &[&["launched", "y0_valid"]],
        "stalled_warps" => &[&["stall_grant"], &["!empty", "a_warp"]],
        "reservation_fsm" => &[&["launch"], &["done"], &["best_valid"]],
        "cars_top" => &[&["trap"], &["link"], &["a_y0_valid"]],
        "register_manager" => of_manager(&entry.name),
        _ => &[],
    }
}

fn of_manager(name: &str) -> &'static [Event] {
    let system = name.trim_start_matches("register_manager_");
    match system.split("_w").next() {
        Some("regmutex" | "paired" | "safe_paired") => ACQUIRE,
        Some("owf") => &[
            &["pair_grant"],
            &["owner", "chosen_valid"],
            &["a_answer", "a_y0_valid"],
        ],
        Some("rfv") => &[&["launch"], &["a_served"], &["a_answer", "a_y0_valid"]],
        Some("cars") => &[&["link"], &["a_answer", "a_y0_valid"]],
        _ => &[&["a_answer", "a_y0_valid"]],
    }
}

/// Whether each event of the module is in one of the rows.
pub fn did_something(entry: &Entry, rows: &Recording) -> bool {
    let is_there = |event: &Event| rows.rows.iter().any(|row| has(rows, row, event));
    events(entry).iter().all(is_there)
}

fn has(rows: &Recording, row: &Row, event: Event) -> bool {
    let inputs = rows.inputs.iter().zip(&row.inputs);
    let pins = inputs.chain(rows.outputs.iter().zip(&row.outputs));
    event.iter().all(|wanted| {
        let name = wanted.trim_start_matches('!');
        let value = pins.clone().find(|(pin, _)| pin.name == name);
        value.is_some_and(|(_, &value)| (value != 0) != wanted.starts_with('!'))
    })
}
