//! Modules that are made while the program runs.

use super::on_demand::{Source, make_from};
use super::{Module, Verilated, VerilogError};
use crate::clocked::Pins;
use crate::common::find_first_zero;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};
use crate::testing::agree;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// The committed Verilog of a module.
fn committed(module: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verilog-out");
    let file = folder.join(module).join(format!("{module}.v"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Bits without a pattern, the same each time (SplitMix64).
fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[test]
fn a_module_that_is_made_now_answers_as_the_same_module_linked_in() {
    const NAME: &str = "rfv_top_w16_r63_p512";
    let inputs = RfvTopIn::<16, 8, 512>::pins();
    let outputs = RfvTopOut::<16, 8, 512>::pins();
    let made = Module::of_verilog(NAME, &committed(NAME), &inputs, &outputs);
    let mut made = made.unwrap_or_else(|error| panic!("{error}"));
    let linked = Module::new(NAME, &inputs, &outputs);
    let mut linked = linked.unwrap_or_else(|error| panic!("{error}"));
    let clear = inputs.iter().position(|pin| pin.name == "clear");
    let clear = clear.expect("every unit has it");
    let (mut answer, mut expected) = (vec![0; outputs.len()], vec![0; outputs.len()]);
    let (mut state, mut changes) = (1, 0);
    for cycle in 0..5000 {
        let mut values: Vec<u64> = inputs.iter().map(|_| bits(&mut state)).collect();
        // Or little would ever be remembered.
        values[clear] = u64::from(cycle % 1000 == 999);
        let before = expected.clone();
        let edge = bits(&mut state) & 7 != 0;
        made.step(&values, &mut answer, edge);
        linked.step(&values, &mut expected, edge);
        assert_eq!(answer, expected, "cycle {cycle}");
        changes += u32::from(before != expected);
    }
    assert!(changes > 1000, "{changes}");
}

#[test]
fn verilog_with_other_ports_or_none_is_refused() {
    let (inputs, outputs) = (
        find_first_zero::FindFirstZeroIn::<48>::pins(),
        find_first_zero::FindFirstZeroOut::<48>::pins(),
    );
    let name = "find_first_zero_w64";
    let other = Module::of_verilog(name, &committed(name), &inputs, &outputs);
    assert_eq!(other.err(), Some(VerilogError::Ports(name.into())));
    let none = Module::of_verilog("nothing", "module other(); endmodule\n", &[], &[]).err();
    let text = none.map_or(String::new(), |error| error.to_string());
    assert!(text.contains("no module nothing"), "{text}");
    let broken = "module broken(a);\n    input wire a;\n    assign\nendmodule\n";
    let broken = Module::of_verilog("broken", broken, &[], &[]).err();
    let Some(VerilogError::NotMade { module, reason, .. }) = broken else {
        panic!("{broken:?}");
    };
    assert_eq!(module, "broken");
    assert!(
        reason.contains("verilator") && reason.contains("syntax error"),
        "{reason}"
    );
}

/// Of all that it is asked for, it has a search that has another name in `verilog-out`, and one that cannot be exported.
struct Searches {
    asked: Mutex<Vec<String>>,
    folders: Mutex<Vec<PathBuf>>,
}

static SEARCHES: Searches = Searches {
    asked: Mutex::new(Vec::new()),
    folders: Mutex::new(Vec::new()),
};

impl Source for Searches {
    fn verilog(&self, module: &str) -> Option<Result<String, String>> {
        self.asked.lock().expect("no panic").push(module.to_owned());
        match module {
            "search_made_now" => {
                let verilog = committed("find_first_zero_w64");
                Some(Ok(verilog.replace("find_first_zero_w64", module)))
            }
            "search_refused" => Some(Err("its lint objects".to_owned())),
            _ => None,
        }
    }

    fn folder(&self) -> io::Result<TempDir> {
        let folder = tempfile::tempdir()?;
        let mut folders = self.folders.lock().expect("no panic");
        folders.push(folder.path().to_owned());
        Ok(folder)
    }
}

#[test]
fn whoever_asks_for_a_module_that_is_not_linked_in_gets_one_that_is_made_once() {
    type Model = find_first_zero::model::Model<64>;
    type Search =
        Verilated<find_first_zero::FindFirstZeroIn<64>, find_first_zero::FindFirstZeroOut<64>>;
    make_from(&SEARCHES);
    let rows: Vec<_> = (0..64)
        .map(|ones| find_first_zero::FindFirstZeroIn::<64> {
            mask: (1 << ones) - 1,
        })
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let search = Search::new("search_made_now");
                let search = search.unwrap_or_else(|error| panic!("{error}"));
                agree(Model::default(), search, &rows).expect("as the model");
            });
        }
    });
    let refused = Search::new("search_refused").err();
    let refused = refused.map_or(String::new(), |error| error.to_string());
    assert!(refused.contains("`search_refused`"), "{refused}");
    assert!(refused.contains("its lint objects"), "{refused}");
    let unknown = Search::new("search_unknown").err();
    assert_eq!(
        unknown,
        Some(VerilogError::NoModule("search_unknown".into()))
    );
    let asked = SEARCHES.asked.lock().expect("no panic");
    let times = asked.iter().filter(|name| *name == "search_made_now");
    assert_eq!(times.count(), 1);
    let folders = SEARCHES.folders.lock().expect("no panic");
    assert_eq!(folders.len(), 1);
    assert!(folders.iter().all(|folder| !folder.exists()));
}
