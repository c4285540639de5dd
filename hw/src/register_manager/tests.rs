use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::cars::cars_top::rtl::CarsTop48x1024;
use crate::clocked::Clocked;
use crate::owf::owf_top::rtl::OwfTop48x8x1024;
use crate::regmutex::paired_top::rtl::{PairedTop48x1024, SafePairedTop48x1024};
use crate::regmutex::regmutex_top::rtl::RegmutexTop48x1024;
use crate::rfv::rfv_top::rtl::RfvTop48x63x1024;
use crate::testing::{check_block, check_ports, check_readme, flip_flops, lint, ports, verilog};
use proptest::prelude::*;
use rust_hdl::prelude::Block;

mod program;
mod sentences;

/// Model and RTL of a system side by side.
struct Both {
    model: Model,
    rtl: AnyRtl,
}

impl Both {
    fn new(system: System) -> Self {
        Self {
            model: Model::new(system),
            rtl: system.rtl(),
        }
    }

    fn edge(&mut self, pins: RegisterManagerIn) -> RegisterManagerOut {
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
}

/// Calls `$of` with each system and a block of it.
macro_rules! each {
    ($of:expr) => {
        $of(System::Baseline, BaselineManager48::default());
        $of(System::Regmutex, RegmutexManager48::default());
        $of(System::Paired, PairedManager48::default());
        $of(System::SafePaired, SafePairedManager48::default());
        $of(System::Owf, OwfManager48::default());
        $of(System::Rfv, RfvManager48::default());
        $of(System::Cars, CarsManager48::default());
    };
}

#[test]
fn rust_hdl_accepts_every_system() {
    fn of<B: Block>(_: System, block: B) {
        check_block(block);
    }
    each!(of);
}

#[test]
fn all_seven_have_the_same_ports_in_the_same_order() {
    fn of<B: Block>(system: System, block: B) {
        let of_the_first = ports(BaselineManager48::default());
        assert_eq!(of_the_first.len(), 96 + 85);
        assert_eq!(ports(block), of_the_first, "{system}");
    }
    each!(of);
    check_ports::<Model, _>(BaselineManager48::default());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model>(include_str!("README.md"));
}

#[test]
fn systems_are_found_by_their_names() {
    for system in System::ALL {
        assert_eq!(system.to_string().parse(), Ok(system));
    }
    let unknown = "regfile".parse::<System>();
    assert_eq!(unknown, Err(UnknownSystem("regfile".into())));
}

#[test]
fn verilator_and_icarus_have_nothing_to_say() {
    fn of<B: Block>(system: System, block: B) {
        let top = format!("register_manager_{system}");
        lint(&verilog(block, &top), &top);
    }
    each!(of);
}

/// The modules in `text`, each from its name on.
fn modules(text: &str) -> Vec<&str> {
    text.split("\nmodule ").skip(1).map(str::trim).collect()
}

/// So flip-flops and memories are those of the top, which its own tests count.
#[test]
fn a_manager_holds_its_top_as_it_is_and_no_state_besides() {
    fn of<B: Block, T: Block>(manager: B, top: T) {
        let (manager, top) = (verilog(manager, "m"), verilog(top, "m$top"));
        let inside = modules(&top);
        assert!(inside[0].starts_with("m$top("));
        let modules = modules(&manager);
        assert!(inside.iter().all(|module| modules.contains(module)));
        let others = modules.iter().filter(|module| !inside.contains(module));
        for module in others {
            let remembers = ["posedge", "negedge", "latch"].map(|word| module.contains(word));
            assert_eq!(remembers, [false; 3], "{module}");
        }
    }
    of(RegmutexManager48::default(), RegmutexTop48x1024::default());
    of(PairedManager48::default(), PairedTop48x1024::default());
    of(
        SafePairedManager48::default(),
        SafePairedTop48x1024::default(),
    );
    of(OwfManager48::default(), OwfTop48x8x1024::default());
    of(RfvManager48::default(), RfvTop48x63x1024::default());
    of(CarsManager48::default(), CarsTop48x1024::default());
}

#[test]
fn flip_flops_of_the_small_ones_are_those_of_their_tops() {
    for (counted, of_the_top) in [
        (flip_flops(BaselineManager48::default()), 0),
        (flip_flops(RegmutexManager48::default()), 384),
        (flip_flops(PairedManager48::default()), 24),
        (flip_flops(SafePairedManager48::default()), 48),
    ] {
        assert!(
            counted.is_none_or(|counted| counted == of_the_top),
            "{of_the_top}: {counted:?}"
        );
    }
}

/// Model and RTL agree on `rows`.
fn agree(system: System, rows: &[RegisterManagerIn]) -> Result<(), TestCaseError> {
    let (mut model, mut rtl) = (Model::new(system), system.rtl());
    for pins in rows {
        prop_assert_eq!(
            model.outputs(pins),
            rtl.outputs(pins),
            "look-up with {:?}",
            pins
        );
        prop_assert_eq!(model.edge(pins), rtl.edge(pins), "edge with {:?}", pins);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn model_and_rtl_agree_at_the_baseline(rows in rows(System::Baseline)) {
        agree(System::Baseline, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_regmutex(rows in rows(System::Regmutex)) {
        agree(System::Regmutex, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_paired_warps(rows in rows(System::Paired)) {
        agree(System::Paired, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_safely_paired_warps(rows in rows(System::SafePaired)) {
        agree(System::SafePaired, &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn model_and_rtl_agree_with_resource_sharing(rows in rows(System::Owf)) {
        agree(System::Owf, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_renaming(rows in rows(System::Rfv)) {
        agree(System::Rfv, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_stacks(rows in rows(System::Cars)) {
        agree(System::Cars, &rows)?;
    }
}
