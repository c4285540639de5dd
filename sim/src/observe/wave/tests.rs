use super::*;
use crate::observe::probe::Radix;
use crate::observe::testing::{Changes, Sink, read_back};
use regshare_hw::clocked::PinDef;

fn signal(scope: &str, name: &str, width_bits: u32, radix: Radix) -> SignalDef {
    SignalDef {
        scope: scope.to_owned(),
        name: name.to_owned(),
        width_bits,
        radix,
    }
}

fn signals() -> Vec<SignalDef> {
    vec![
        signal("sm", "cycle", 64, Radix::Decimal),
        signal("sm.fetch", "valid", 1, Radix::Bit),
        signal("sm.fetch", "warp", 6, Radix::Decimal),
        signal("sm.warps.warp00", "pc", 32, Radix::Decimal),
    ]
}

fn units() -> Vec<UnitPins> {
    let pin = |name, width_bits| PinDef { name, width_bits };
    vec![UnitPins {
        path: "srp_allocator".to_owned(),
        unit: "srp_allocator".to_owned(),
        parameters: Vec::new(),
        inputs: vec![pin("acquire_valid", 1), pin("acquire_warp", 6)],
        outputs: vec![pin("granted", 1)],
    }]
}

fn row(warp: u64, granted: u64, edge: bool) -> UnitRow {
    UnitRow {
        unit: 0,
        inputs: vec![1, warp],
        outputs: vec![granted],
        edge,
    }
}

fn record(options: WaveOptions) -> (Vec<String>, Changes) {
    let sink = Sink::default();
    let mut wave = Wave::new(sink.clone(), options);
    wave.begin(&signals(), &units()).unwrap();
    for cycle in 0..4 {
        if wave.wants(cycle) {
            let rows = match cycle {
                1 => vec![row(7, 1, false), row(9, 0, true)],
                _ => vec![],
            };
            wave.cycle(cycle, &[cycle, cycle % 2, 3, 10 + cycle], &rows)
                .unwrap();
        }
    }
    wave.end(4).unwrap();
    let bytes = sink.bytes();
    read_back(&bytes)
}

fn number(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 2).ok()
}

#[test]
fn scopes_are_those_of_the_pipeline_and_the_instance_paths_of_the_units() {
    let (names, _) = record(WaveOptions::default());
    for name in [
        "sm.cycle",
        "sm.fetch.warp",
        "sm.warps.warp00.pc",
        "sm.manager.srp_allocator.acquire_warp",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} not in {names:?}");
    }
}

#[test]
fn valid_comes_before_its_payload() {
    let (names, _) = record(WaveOptions::default());
    let at = |name: &str| names.iter().position(|n| n == name).unwrap();
    assert!(at("sm.fetch.valid") < at("sm.fetch.warp"));
    let unit = "sm.manager.srp_allocator";
    assert!(at(&format!("{unit}.active")) < at(&format!("{unit}.acquire_valid")));
    assert!(at(&format!("{unit}.acquire_valid")) < at(&format!("{unit}.acquire_warp")));
}

#[test]
fn cycle_counts_up_and_constant_signals_are_written_once() {
    let (_, changes) = record(WaveOptions::default());
    let cycles: Vec<_> = changes["sm.cycle"]
        .iter()
        .filter_map(|(time, value)| Some((*time, number(value)?)))
        .collect();
    assert_eq!(cycles, [(0, 0), (64, 1), (128, 2), (192, 3)]);
    let known = changes["sm.fetch.warp"]
        .iter()
        .filter(|(_, v)| number(v).is_some());
    assert_eq!(known.count(), 1);
}

#[test]
fn evaluations_of_a_unit_in_one_cycle_have_times_of_their_own() {
    let (_, changes) = record(WaveOptions::default());
    let known = |name: &str| -> Vec<_> {
        changes[name]
            .iter()
            .filter_map(|(time, value)| Some((*time, number(value)?)))
            .collect()
    };
    let unit = "sm.manager.srp_allocator";
    assert_eq!(known(&format!("{unit}.acquire_warp")), [(64, 7), (65, 9)]);
    assert_eq!(
        known(&format!("{unit}.active")),
        [(0, 0), (64, 1), (128, 0)]
    );
    assert_eq!(known(&format!("{unit}.edge")), [(64, 0), (65, 1)]);
}

#[test]
fn window_limits_the_cycles() {
    let window = Some("1:3".parse().unwrap());
    let (_, changes) = record(WaveOptions {
        window,
        ..WaveOptions::default()
    });
    let cycles: Vec<_> = changes["sm.cycle"]
        .iter()
        .filter_map(|c| number(&c.1))
        .collect();
    assert_eq!(cycles, [1, 2]);
}

#[test]
fn window_behind_the_end_of_the_run_is_refused_with_both_cycles() {
    let window = Some("7:".parse().unwrap());
    let mut wave = Wave::new(
        Sink::default(),
        WaveOptions {
            window,
            ..WaveOptions::default()
        },
    );
    wave.begin(&signals(), &units()).unwrap();
    let ProbeError(why) = wave.end(4).unwrap_err();
    assert!(why.contains("cycle 7") && why.contains("4 cycles"), "{why}");
}

#[test]
fn scope_pattern_that_matches_nothing_is_refused_with_the_scopes_there_are() {
    let scope = Some(Glob::from("*nothing*"));
    let mut wave = Wave::new(
        Sink::default(),
        WaveOptions {
            scope,
            ..WaveOptions::default()
        },
    );
    let ProbeError(why) = wave.begin(&signals(), &units()).unwrap_err();
    assert!(why.contains("sm.fetch, sm.manager.srp_allocator"), "{why}");
}

#[test]
fn numbers_of_the_pipeline_are_integers_that_no_viewer_takes_for_negative() {
    let (_, changes) = record(WaveOptions::default());
    let warp = &changes["sm.fetch.warp"].last().unwrap().1;
    assert_eq!(warp.len(), 32, "{warp}");
    let layout = Layout::new(&signals(), &units(), None);
    let kinds: Vec<_> = layout
        .variables()
        .map(|v| (v.name.as_str(), v.kind))
        .collect();
    assert!(kinds.contains(&("cycle", vcd::VarType::Integer)));
    assert!(kinds.contains(&("acquire_warp", vcd::VarType::Wire)));
}

#[test]
fn valid_pin_behind_its_payload_is_moved_before_it() {
    let pin = |name, width_bits| PinDef { name, width_bits };
    let mapper = UnitPins {
        inputs: ["widx", "section", "section_valid", "x0", "x0_valid", "x10"]
            .map(|name| pin(name, if name.ends_with("valid") { 1 } else { 6 }))
            .to_vec(),
        outputs: vec![pin("y0", 10), pin("y0_valid", 1)],
        ..units().remove(0)
    };
    let layout = Layout::new(&[], &[mapper], None);
    let names: Vec<_> = layout.variables().map(|v| v.name.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "active edge widx section_valid section x0_valid x0 x10 y0_valid y0"
    );
}

#[test]
fn scope_pattern_limits_the_signals_but_not_the_cycle() {
    let (names, _) = record(WaveOptions {
        scope: Some(Glob::from("sm.manager.*")),
        ..WaveOptions::default()
    });
    assert!(names.iter().any(|name| name == "sm.cycle"));
    assert!(!names.iter().any(|name| name.starts_with("sm.fetch")));
    assert!(
        names
            .iter()
            .any(|name| name.ends_with("srp_allocator.granted"))
    );
}

#[test]
fn window_is_two_cycles_in_order() {
    let window = |text: &str| text.parse::<Window>();
    assert_eq!(window("3:9"), Ok(Window { from: 3, until: 9 }));
    assert_eq!(window(":9").unwrap().from, 0);
    assert_eq!(window("3:").unwrap().until, u64::MAX);
    for wrong in ["9:3", "3", "a:b", "3-9", "5:5", ":0", "-1:4", "1:2:3"] {
        assert!(window(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn gtkwave_gets_integers_by_their_plain_name_and_buses_with_their_range() {
    let layout = Layout::new(&signals(), &units(), None);
    let gtkwave = save::gtkwave(&layout, "run.vcd", 0);
    assert!(gtkwave.contains("[dumpfile] \"run.vcd\""));
    assert!(gtkwave.contains("@24\nsm.cycle\n"));
    assert!(gtkwave.contains("@28\nsm.fetch.valid\n"));
    assert!(gtkwave.contains("@24\nsm.manager.srp_allocator.acquire_warp[5:0]\n"));
}

/// `divider_add` takes one word, so no point may be in it; items are counted from 0: cycle is item 1 behind its divider.
#[test]
fn surfer_commands_are_those_that_it_parses() {
    let layout = Layout::new(&signals()[..1], &units(), None);
    let wanted = "divider_add sm\nvariable_add sm.cycle\n\
         divider_add sm_manager_srp_allocator\n\
         variable_add sm.manager.srp_allocator.active\n\
         variable_add sm.manager.srp_allocator.edge\n\
         variable_add sm.manager.srp_allocator.acquire_valid\n\
         variable_add sm.manager.srp_allocator.acquire_warp\n\
         variable_add sm.manager.srp_allocator.granted\n\
         item_focus g\nitem_set_format Unsigned\nitem_unfocus\nzoom_fit\n";
    assert_eq!(save::surfer(&layout), wanted);
}
