use super::model::Model;
use super::rtl::{FindFirstZero, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, depth, verilog};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn model_and_tree_agree_on_any_mask(rows in strategy::rows::<48>()) {
        agree(Model::<48>, Rtl::<48, 12, 6>::default(), &rows)?;
    }
    #[test]
    fn a_mask_full_up_to_a_bit_yields_that_bit(first in 0u32..=64, above in any::<u64>()) {
        let below = if first == 64 { u64::MAX } else { (1 << first) - 1 };
        let gap = if first == 64 { 0 } else { 1 << first };
        let mask = (above | below) & !gap;
        let out = Rtl::<64, 16, 6>::default().outputs(&FindFirstZeroIn { mask });
        prop_assert_eq!((out.found, u32::from(out.index)), (first < 64, if first < 64 { first } else { 0 }));
    }
}

#[test]
fn every_mask_of_8_bits_agrees() {
    let rows: Vec<_> = (0..256).map(|mask| FindFirstZeroIn::<8> { mask }).collect();
    agree(Model::<8>, Rtl::<8, 2, 3>::default(), &rows).expect("model and tree agree");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(FindFirstZero::<48, 12, 6>::new());
    check_block(FindFirstZero::<64, 16, 6>::new());
    check_block(FindFirstZero::<8, 2, 3>::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48>, _>(FindFirstZero::<48, 12, 6>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_chain_agree_on_any_mask(rows in strategy::rows::<64>()) {
        agree(Model::<64>, linear::Rtl::<64, 6>::default(), &rows)?;
    }
}

/// A balanced binary tree as a textbook writes it: each node says whether it found one, and the lower half wins.
fn textbook_tree(bits: usize) -> String {
    let leaves = bits.next_power_of_two();
    let width = leaves.ilog2() as usize;
    let mut nodes = String::new();
    for node in (1..2 * leaves).rev() {
        let (found, index) = match node.checked_sub(leaves) {
            Some(leaf) if leaf < bits => (format!("~mask[{leaf}]"), format!("{width}'d{leaf}")),
            Some(_) => ("1'b0".into(), format!("{width}'d0")),
            None => {
                let (low, high) = (2 * node, 2 * node + 1);
                (
                    format!("f{low} | f{high}"),
                    format!("f{low} ? i{low} : i{high}"),
                )
            }
        };
        nodes += &format!(
            "wire f{node} = {found};\nwire [{}:0] i{node} = {index};\n",
            width - 1
        );
    }
    format!(
        "module top(input [{}:0] mask, output found, output [{}:0] index);\n{nodes}assign found = f1;\nassign index = i1;\nendmodule\n",
        bits - 1,
        width - 1
    )
}

#[test]
fn shipped_search_is_at_most_as_deep_as_a_balanced_tree_and_the_chain_is_deeper() {
    let shipped = verilog(FindFirstZero::<48, 12, 6>::new(), "top");
    let chain = verilog(linear::LinearFindFirstZero::<48, 6>::new(), "top");
    let depths = [&shipped, &textbook_tree(48), &chain].map(|design| depth(design));
    let [Some(shipped), Some(balanced), Some(chain)] = depths else {
        return;
    };
    println!(
        "gates on the longest path: shipped {shipped}, balanced tree {balanced}, chain {chain}"
    );
    assert!(
        shipped <= balanced,
        "shipped {shipped}, balanced tree {balanced}"
    );
    assert!(shipped < chain, "shipped {shipped}, chain {chain}");
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48>>(include_str!("README.md"));
}
