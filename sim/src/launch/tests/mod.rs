//! Launch files, good and bad; data in and out.

use std::path::Path;

use super::*;

mod arbitrary;
mod data;
mod reading;

const GOOD: &str = r#"
kernel = "k"
grid = [2, 3]
block = 64

[[arg]]
type = "s16"
value = -2

[[arg]]
buffer = "data"
type = "f32"
length = 4
contents = { constant = 1.5 }

[[arg]]
buffer = "sums"
type = "u32"
length = 5
contents = { running_sum = { seed = 3, min = 1, max = 9 } }
"#;

fn prepared(text: &str) -> PreparedLaunch {
    LaunchSpec::parse(text, "launch.toml")
        .unwrap()
        .prepare(Path::new("."))
        .unwrap()
}

fn error_of(text: &str) -> LaunchError {
    LaunchSpec::parse(text, "launch.toml").expect_err("the launch file should be refused")
}

/// The good file with one line replaced.
fn with(line: &str, other: &str) -> String {
    assert!(GOOD.contains(line), "`{line}` is not in the good file");
    GOOD.replacen(line, other, 1)
}

fn floats(launch: &PreparedLaunch, name: &str) -> Vec<f64> {
    let elements = launch.elements(&launch.memory, name).unwrap();
    elements.into_iter().map(Number::to_f64).collect()
}

fn one_buffer(element: &str, length: u64, contents: &str) -> PreparedLaunch {
    prepared(&format!(
        "kernel='k'\ngrid=1\nblock=1\n[[arg]]\nbuffer='x'\ntype='{element}'\nlength={length}\ncontents={contents}"
    ))
}
