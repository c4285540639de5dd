use super::*;

#[test]
fn every_preset_reads_and_names_itself() {
    for name in Machine::preset_names() {
        assert_eq!(Machine::preset(name).unwrap().name, name);
    }
}

#[test]
fn half_machine_differs_from_gtx480_in_packs_only() {
    let full = Machine::preset("gtx480").unwrap();
    let mut half = Machine::preset("gtx480-half").unwrap();
    assert_eq!(half.limits.packs_per_sm, 512);
    half.limits.packs_per_sm = 1024;
    half.name = full.name.clone();
    assert_eq!(half, full);
}

#[test]
fn every_field_of_a_preset_is_explained_with_a_source() {
    for name in Machine::preset_names() {
        let text = Machine::preset_text(name).unwrap();
        for line in text.lines().filter(|line| line.contains('=')) {
            let (_, comment) = line.split_once('#').unwrap_or((line, ""));
            assert!(comment.trim().len() > 8, "{name}: no comment: {line}");
        }
    }
}

#[test]
fn a_file_without_one_of_its_fields_is_refused() {
    for name in Machine::preset_names() {
        let text = Machine::preset_text(name).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let Some((key, _)) = line.split_once(" = ") else {
                continue;
            };
            if ["scratchpad_bytes_per_cta", "register_sub_cores"].contains(&key.trim()) {
                continue;
            }
            let others = [&lines[..number], &lines[number + 1..]].concat().join("\n");
            let outcome = Machine::from_toml(&others, "mine.toml");
            assert!(outcome.is_err(), "{name} without {key}");
        }
    }
}

#[test]
fn unknown_preset_lists_the_known_ones() {
    use miette::Diagnostic;
    let error = Machine::preset("gtx9000").unwrap_err();
    assert!(error.help().unwrap().to_string().contains("gtx480-half"));
}

#[test]
fn unknown_field_is_refused_at_its_place() {
    let text = Machine::preset_text("gtx480").unwrap();
    let text = text.replace("[limits]", "[limits]\nwarp_per_sm = 3");
    let error = Machine::from_toml(&text, "mine.toml").unwrap_err();
    let MachineError::Syntax { problem, at, .. } = error else {
        panic!("wrong error {error}");
    };
    assert!(problem.contains("warp_per_sm"), "{problem}");
    assert!(text[at.offset()..].starts_with("warp_per_sm"));
}

#[test]
fn value_out_of_range_is_refused_at_its_line() {
    let text = Machine::preset_text("gtx480").unwrap();
    let text = text.replace("packs_per_sm = 1024", "packs_per_sm = 5000");
    let error = Machine::from_toml(&text, "mine.toml").unwrap_err();
    let MachineError::Range { key, at, .. } = error else {
        panic!("wrong error {error}");
    };
    assert_eq!(key, "limits.packs_per_sm");
    assert!(text[at.offset()..].starts_with("packs_per_sm = 5000"));
}

#[test]
fn more_threads_than_lanes_are_refused() {
    let text = Machine::preset_text("gtx480").unwrap();
    let text = text.replace("warps_per_sm = 48", "warps_per_sm = 32");
    let error = Machine::from_toml(&text, "mine.toml").unwrap_err();
    assert!(
        error.to_string().contains("expected at most 1024"),
        "{error}"
    );
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let refused = |from: &str, to: &str, key: &str, expected: &str| {
        let text = Machine::preset_text("gtx480").unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(text, changed, "{from}");
        let error = Machine::from_toml(&changed, "mine.toml").unwrap_err();
        let MachineError::Range {
            key: at, problem, ..
        } = error
        else {
            panic!("wrong error {error}");
        };
        assert_eq!(at, key);
        assert!(problem.ends_with(expected), "{problem}");
    };
    refused(
        "threads_per_sm = 1536",
        "threads_per_sm = 1000",
        "limits.threads_per_sm",
        "expected 992",
    );
    refused(
        "[pipeline]",
        "[pipeline]\nregister_sub_cores = 4",
        "pipeline.register_sub_cores",
        "expected 1 to 2",
    );
    refused(
        "name = \"gtx480\"",
        "name = \" \"",
        "name",
        "expected what reports shall call the machine",
    );
}
