//! What holds for every bundled kernel.

use super::*;

/// Memory as a perfect run leaves it, rounded to the types of the buffers.
fn perfect(bundled: &Bundled, launch: &PreparedLaunch) -> MemoryImage {
    let mut memory = launch.memory.clone();
    for expectation in (bundled.reference)(&Inputs::new(launch)).unwrap() {
        let buffer = launch.buffer(expectation.buffer).unwrap();
        let size = u64::from(buffer.element.size_bytes());
        let numbers: Vec<crate::launch::Number> = match expectation.values {
            Values::Exact(values) => values
                .into_iter()
                .map(|v| crate::launch::Number::Int(v.into()))
                .collect(),
            Values::Near(values) => values
                .into_iter()
                .map(|(v, _)| crate::launch::Number::Float(v))
                .collect(),
            Values::Rounded { values, .. } => values
                .into_iter()
                .map(|v| crate::launch::Number::Int(v.round() as i128))
                .collect(),
        };
        for (index, number) in numbers.into_iter().enumerate() {
            let bytes = buffer.element.encode(number).unwrap();
            let at = buffer.base + index as u64 * size;
            memory.slice_mut(at, size).unwrap().copy_from_slice(&bytes);
        }
    }
    memory
}

#[test]
fn every_kernel_is_an_entry_of_its_ptx_and_of_its_launch_file() {
    for bundled in all() {
        let launch = bundled.prepare().unwrap();
        assert_eq!(launch.kernel, bundled.name);
        assert!(
            bundled
                .ptx
                .contains(&format!(".visible .entry {}(", bundled.name)),
            "{}",
            bundled.name
        );
        let params = bundled
            .ptx
            .matches(&format!(".param .u64 {}_param_", bundled.name))
            .count()
            + bundled
                .ptx
                .matches(&format!(".param .u32 {}_param_", bundled.name))
                .count()
            + bundled
                .ptx
                .matches(&format!(".param .f32 {}_param_", bundled.name))
                .count();
        assert_eq!(launch.params.len(), params, "{}", bundled.name);
        assert!(find(bundled.name).is_some());
    }
    assert!(find("none such").is_none());
}

#[test]
fn every_launch_gives_one_sm_at_least_two_waves_of_full_ctas() {
    for bundled in all() {
        let launch = bundled.prepare().unwrap();
        let ctas: u32 = launch.grid.iter().product();
        let threads: u32 = launch.block.iter().product();
        assert!((16..=48).contains(&ctas), "{}", bundled.name);
        assert!(
            threads.is_multiple_of(32) && threads >= 192,
            "{}",
            bundled.name
        );
    }
}

#[test]
fn every_reference_accepts_itself_and_refuses_any_wrong_element() {
    for bundled in all() {
        let launch = bundled.prepare().unwrap();
        let memory = perfect(bundled, &launch);
        assert_eq!(bundled.verify(&launch, &memory), Ok(()), "{}", bundled.name);
        for expectation in (bundled.reference)(&Inputs::new(&launch)).unwrap() {
            let buffer = launch.buffer(expectation.buffer).unwrap();
            // A corner that every kernel writes: some interior element.
            let size = u64::from(buffer.element.size_bytes());
            let at = buffer.base + buffer.length / 2 * size;
            let mut wrong = memory.clone();
            // Bit 3 of the top byte: a factor of 65536 for a float, a great number for an integer.
            wrong.slice_mut(at + size - 1, 1).unwrap()[0] ^= 8;
            match bundled.verify(&launch, &wrong) {
                Err(Mismatch::Value {
                    buffer: named,
                    index,
                    ..
                }) => {
                    assert_eq!(
                        (named.as_str(), index as u64),
                        (buffer.name.as_str(), buffer.length / 2)
                    );
                }
                other => panic!("{}: `{}`: {other:?}", bundled.name, buffer.name),
            }
        }
    }
}

#[test]
fn every_kernel_must_leave_its_inputs_alone() {
    for bundled in all() {
        let launch = bundled.prepare().unwrap();
        let mut memory = perfect(bundled, &launch);
        let first = &launch.buffers[0];
        memory.slice_mut(first.base, 1).unwrap()[0] ^= 1;
        let refused = bundled.verify(&launch, &memory);
        let expected = Mismatch::InputChanged {
            buffer: first.name.clone(),
            index: 0,
        };
        assert_eq!(refused, Err(expected), "{}", bundled.name);
    }
}

#[test]
fn memory_before_the_run_never_passes() {
    for bundled in all() {
        let launch = bundled.prepare().unwrap();
        assert!(
            bundled.verify(&launch, &launch.memory).is_err(),
            "{}",
            bundled.name
        );
    }
}

#[test]
fn committed_ptx_is_what_clang_makes_of_the_sources() {
    let version = std::process::Command::new("clang")
        .arg("--version")
        .output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !version.is_ok_and(|version| version.contains("clang version 14.0.6")) {
        eprintln!("skipped: clang 14.0.6, which made the committed PTX, is not installed");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/build");
    let output = std::process::Command::new("sh")
        .args([script, "--check"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
