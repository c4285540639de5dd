//! What Yosys counts and what nextpnr places.

use super::common::{has_more_gates, is_gtx480, soak};
use super::{common, one, text};
use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::cost::{CostTable, digest, measure, storage, yosys_version};
use regshare_gen::ice40;
use regshare_gen::tools::Tool;
use std::io::Write;

/// Gates of the largest module whose storage is counted again: beyond are tops, with which Yosys is busy for minutes. Of them the
/// count is committed, for just this Verilog.
const LARGEST_COUNTED: usize = 6000; // assumed

/// The sizes of `gtx480`; the others too when the tools are demanded.
fn counted_entries() -> Vec<Entry> {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    catalog()
        .into_iter()
        .filter(|entry| all || is_gtx480(entry))
        .collect()
}

/// Gates of the largest module whose cells and depth are measured again; of larger ones the storage is counted. The count of
/// storage hardly simplifies: in the renaming table of 16 registers, a smaller one, it would count six flip-flops too many.
const LARGEST_MEASURED: usize = 1500; // assumed: a third of the time

#[test]
fn yosys_counts_the_flip_flops_of_the_formula_and_no_latch() {
    if !common::have(&[Tool::Yosys], "counting flip-flops and cells") {
        return;
    }
    let version = yosys_version().expect("yosys runs");
    let committed = CostTable::committed();
    if !soak() {
        let _ = writeln!(
            std::io::stderr(),
            "left out: counting again what other sizes than that of gtx480, managers and modules of more than {LARGEST_COUNTED} gates hold; their \
             committed counts are of this Verilog (tests/run --soak counts all)"
        );
    }
    counted_entries().par_iter().for_each(|entry| {
        let known = committed.get(&entry.name).expect("a committed cost");
        let memories = entry.memory_bits > 0;
        let flip_flops = entry.state_bits - entry.memory_bits;
        let (name, text) = (&entry.name, text(entry));
        assert_eq!(
            known.verilog_sha256,
            digest(text),
            "{name}: the costs are of other Verilog; bless"
        );
        assert_eq!(
            (known.flip_flops, known.memory_bits),
            (flip_flops, entry.memory_bits),
            "{name}"
        );
        // What follows counts the same Verilog again, with the Yosys that is here.
        // A manager has the storage of the top that it holds as it is, which a test above shows.
        let held = entry.unit == "register_manager";
        if (!is_gtx480(entry) || held || has_more_gates(entry, LARGEST_COUNTED)) && !soak() {
            return;
        }
        let dir = tempfile::tempdir().expect("temporary folder");
        if has_more_gates(entry, LARGEST_MEASURED) && !soak() {
            let counted =
                storage(dir.path(), name, text, memories).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(counted, (flip_flops, entry.memory_bits), "{name}");
            return;
        }
        // `measure` refuses a latch.
        let cost =
            measure(dir.path(), name, text, memories).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cost.memory_bits, entry.memory_bits, "{name}");
        assert_eq!(cost.flip_flops, flip_flops, "{name}");
        if known.yosys == version {
            assert_eq!(&cost, known, "{name}: cells or depth moved; bless");
        }
    });
}

#[test]
fn nextpnr_places_a_clocked_unit_and_a_combinational_one() {
    if !common::have(ice40::TOOLS, "placing and routing") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let mut clocks = Vec::new();
    for name in ["power_gate_l10", "find_first_zero_w48", "flag_decoder"] {
        let entry = one(name);
        let fpga =
            ice40::measure(dir.path(), &entry, text(&entry)).unwrap_or_else(|e| panic!("{e}"));
        // The registers around the unit are not counted.
        assert_eq!(fpga.flip_flops, entry.state_bits, "{name}");
        let table =
            measure(dir.path(), name, text(&entry), false).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            fpga.luts.abs_diff(table.lut4) <= table.lut4 / 2,
            "{name}: {fpga:?} {table:?}"
        );
        clocks.push(fpga.clock_mhz.expect("fits"));
    }
    // A timer of four bits is faster than a search over 48.
    assert!(clocks[0] > clocks[1], "{clocks:?}");
}

#[test]
fn allocator_has_384_flip_flops_and_the_locks_24_and_48() {
    // RegMutex III-B1 and III-C; the figures that Yosys is held to above.
    let bits = |name| one(name).state_bits;
    assert_eq!(
        (
            bits("srp_allocator_w48"),
            bits("paired_lock_w48"),
            bits("safe_paired_lock_w48")
        ),
        (384, 24, 48)
    );
}

/// A find-first-zero as a textbook writes it: `linear` asks bit after bit, otherwise a balanced binary tree.
fn reference_search(warps: usize, linear: bool) -> String {
    let ports = format!(
        "(input wire [{}:0] mask, output wire found, output wire [5:0] index);\n",
        warps - 1
    );
    if linear {
        return format!(
            "module search {ports} reg f; reg [5:0] x; integer i; assign found = f; assign index = x;\n\
             always @(*) begin f = 0; x = 0; for (i = 0; i < {warps}; i = i + 1)\n\
             if (!f && !mask[i]) begin f = 1; x = i[5:0]; end end\nendmodule\n"
        );
    }
    let mut text = format!("module search {ports} wire [127:0] f; wire [5:0] x [127:0];\n");
    for leaf in 0..64 {
        let found = if leaf < warps {
            format!("~mask[{leaf}]")
        } else {
            "1'b0".into()
        };
        text += &format!(
            "assign f[{}] = {found}; assign x[{}] = 6'd{};\n",
            64 + leaf,
            64 + leaf,
            leaf
        );
    }
    for node in 1..64 {
        let (low, high) = (2 * node, 2 * node + 1);
        text += &format!(
            "assign f[{node}] = f[{low}] | f[{high}]; assign x[{node}] = f[{low}] ? x[{low}] : x[{high}];\n"
        );
    }
    text + "assign found = f[1]; assign index = f[1] ? x[1] : 6'd0;\nendmodule\n"
}

#[test]
fn shipped_search_is_no_deeper_than_a_balanced_tree_and_shallower_than_a_linear_one() {
    if !common::have(&[Tool::Yosys], "comparing depths of find-first-zero") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for (name, warps) in [("find_first_zero_w48", 48), ("find_first_zero_w64", 64)] {
        let cost = |module: &str, verilog: &str| {
            measure(dir.path(), module, verilog, false).unwrap_or_else(|e| panic!("{e}"))
        };
        let shipped = cost(name, text(&one(name)));
        let tree = cost("search", &reference_search(warps, false));
        let linear = cost("search", &reference_search(warps, true));
        let depth = |cost: &regshare_gen::cost::Cost| (cost.gate_depth, cost.lut4_depth);
        println!(
            "{name}: shipped {:?}, tree {:?}, linear {:?}",
            depth(&shipped),
            depth(&tree),
            depth(&linear)
        );
        assert!(shipped.gate_depth <= tree.gate_depth && shipped.lut4_depth <= tree.lut4_depth);
        assert!(shipped.gate_depth < linear.gate_depth);
    }
}
