//! Bundled machines with a field or a few changed: which are refused, and what the message says.

mod caches;
mod dram;
mod sm;

use crate::gpu::GpuMachine;
use toml::{Table, Value};

const TEXTS: [(&str, &str); 7] = [
    (
        "qv100",
        include_str!("../../../../machines/replay/qv100.toml"),
    ),
    (
        "rtx3070",
        include_str!("../../../../machines/replay/rtx3070.toml"),
    ),
    (
        "gtx480",
        include_str!("../../../../machines/replay/gtx480.toml"),
    ),
    (
        "gtx480-half",
        include_str!("../../../../machines/replay/gtx480-half.toml"),
    ),
    (
        "fermi14",
        include_str!("../../../../machines/replay/fermi14.toml"),
    ),
    (
        "fermi16",
        include_str!("../../../../machines/replay/fermi16.toml"),
    ),
    (
        "v100",
        include_str!("../../../../machines/replay/v100.toml"),
    ),
];

fn merge(into: &mut Table, changes: Table) {
    for (key, value) in changes {
        let old = into
            .get_mut(&key)
            .unwrap_or_else(|| panic!("no field {key}"));
        match (old, value) {
            (Value::Table(old), Value::Table(new)) => merge(old, new),
            (old, new) => {
                assert_ne!(*old, new, "{key} is so already");
                *old = new;
            }
        }
    }
}

/// What a bundled machine with those fields instead is read as: the machine, or the message.
fn read(name: &str, changes: &str) -> Result<GpuMachine, String> {
    let (_, text) = TEXTS
        .iter()
        .find(|(preset, _)| *preset == name)
        .expect("bundled");
    let mut table: Table = text.parse().expect("TOML");
    merge(&mut table, changes.parse().expect("TOML"));
    let text = toml::to_string(&table).expect("TOML");
    GpuMachine::from_toml(&text, "m.toml").map_err(|error| error.to_string())
}

/// The change is refused, and the message has the field and the words.
fn refused(name: &str, rows: &[(&str, &str, &str)]) {
    for (changes, field, words) in rows {
        let message = read(name, changes).expect_err(changes);
        assert!(
            message.starts_with(&format!("m.toml: {field}: ")),
            "{changes}: {message}"
        );
        assert!(message.contains(words), "{changes}: {message}");
        assert!(message.contains("expected "), "{changes}: {message}");
    }
}

fn accepted(name: &str, rows: &[&str]) {
    for changes in rows {
        if let Err(message) = read(name, changes) {
            panic!("{changes}: {message}");
        }
    }
}

#[test]
fn bundled_machines_are_accepted() {
    let names: Vec<&str> = GpuMachine::preset_names().collect();
    assert_eq!(names, TEXTS.map(|(name, _)| name));
    for name in names {
        let machine = GpuMachine::preset(name).expect(name);
        assert_eq!(machine.problem(), None, "{name}");
    }
}
