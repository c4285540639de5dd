//! Modules of the catalog inside another one.

use super::verilog;
use crate::catalog::{Entry, catalog};
use crate::export::ExportError;

/// The modules of an exported text, each from its name on, without its `endmodule` and what is between modules.
pub fn modules(text: &str) -> impl Iterator<Item = &str> {
    let modules = text.split("\nmodule ").skip(1);
    modules.map(|module| module.split("\nendmodule").next().unwrap_or(module))
}

/// The Verilog of `entry` as it stands where it is the child `child` of another module: the same, but for its name.
///
/// # Errors
/// As [`verilog`].
pub fn as_child(entry: &Entry, child: &str) -> Result<String, ExportError> {
    Ok(verilog(entry)?.replace(&entry.name, child))
}

/// The children of a module that are modules of the catalog, as they are there and in the same size: for each the
/// field that it is, and the name of the module. Children of children are those of the child.
///
/// # Errors
/// As [`verilog`].
pub fn units_inside(entry: &Entry) -> Result<Vec<(String, String)>, ExportError> {
    let text = verilog(entry)?;
    let all: Vec<_> = modules(&text).collect();
    let others = catalog();
    let mut inside = Vec::new();
    for module in &all {
        let Some((name, ports)) = heading(module) else {
            continue;
        };
        let own = name.strip_prefix(&entry.name);
        let Some(field) = own.and_then(|rest| rest.strip_prefix('$')) else {
            continue;
        };
        // What has the same ports may be another size, or other hardware.
        for other in others.iter().filter(|other| pins(other) == ports) {
            let held = as_child(other, name)?;
            if modules(&held).all(|module| all.contains(&module)) {
                inside.push((field.to_owned(), other.name.clone()));
                break;
            }
        }
    }
    // A unit inside a unit belongs to that one.
    let fields: Vec<_> = inside
        .iter()
        .map(|(field, _)| format!("{field}$"))
        .collect();
    inside.retain(|(field, _)| !fields.iter().any(|of| field.starts_with(of)));
    Ok(inside)
}

/// Name and ports of a module.
fn heading(module: &str) -> Option<(&str, &str)> {
    module.split_once(");")?.0.split_once('(')
}

/// The ports of an exported module, as its heading names them.
fn pins(entry: &Entry) -> String {
    let clock = entry.is_clocked().then_some("clock");
    let pins = entry.inputs.iter().chain(&entry.outputs);
    let names: Vec<_> = clock.into_iter().chain(pins.map(|pin| pin.name)).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_has_its_units_and_what_has_no_unit_inside_none() {
        let inside = |name: &str| {
            let entry = catalog().into_iter().find(|entry| entry.name == name);
            units_inside(&entry.expect("in the catalog")).expect("exported")
        };
        let pair = |field: &str, unit: &str| (field.to_owned(), unit.to_owned());
        // Its register_stack is not offered by itself in that size.
        assert_eq!(
            inside("cars_top_w8_p256_s7"),
            [
                pair("a_mapper", "stack_mapper_p256_s7"),
                pair("b_mapper", "stack_mapper_p256_s7"),
                pair("waiting", "stalled_warps_w8"),
            ]
        );
        // The units of its top are those of the top.
        assert_eq!(
            inside("register_manager_regmutex_w16_p512"),
            [pair("top", "regmutex_top_w16_p512")]
        );
        assert!(inside("find_first_zero_w8").is_empty());
    }
}
