use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::cars::cars_top::rtl::{CarsTop16x512, CarsTop48x1024, CarsTop64x2048};
use crate::clocked::{Clocked, Pins};
use crate::owf::owf_top::rtl::{OwfTop16x8x512, OwfTop48x8x1024, OwfTop64x32x2048};
use crate::regmutex::paired_top::rtl::{
    PairedTop16x512, PairedTop48x1024, PairedTop64x2048, SafePairedTop16x512, SafePairedTop48x1024,
    SafePairedTop64x2048,
};
use crate::regmutex::regmutex_top::rtl::{
    RegmutexTop16x512, RegmutexTop48x1024, RegmutexTop64x2048,
};
use crate::rfv::rfv_top::rtl::{RfvTop16x63x512, RfvTop48x63x1024, RfvTop64x63x2048};
use crate::testing::{
    Storage, check_block, check_ports, check_readme, flip_flops, lint, ports, storage, verilog,
};
use proptest::prelude::*;
use rust_hdl::prelude::Block;

mod last;
mod lockstep;
mod program;
mod sentences;

/// Model and RTL of a system side by side.
struct Both<const NW: usize = WARPS, const T: usize = CTAS, const FILE: usize = PACKS> {
    model: Model<NW, T, FILE>,
    rtl: AnyRtl<NW, T, FILE>,
}

impl Both {
    fn new(system: System) -> Self {
        Self {
            model: Model::new(system),
            rtl: system.rtl(),
        }
    }
}

impl Both<16, 8, 512> {
    fn w16(system: System) -> Self {
        Self {
            model: Model::new(system),
            rtl: system.rtl_w16(),
        }
    }
}

impl Both<64, 32, 2048> {
    fn w64(system: System) -> Self {
        Self {
            model: Model::new(system),
            rtl: system.rtl_w64(),
        }
    }
}

impl<const NW: usize, const T: usize, const FILE: usize> Both<NW, T, FILE> {
    fn edge(&mut self, pins: RegisterManagerIn<NW, T, FILE>) -> RegisterManagerOut<NW, T, FILE> {
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
}

/// Calls `$of` with each system in a size, for the type of its block: a block by value is large for the stack.
macro_rules! each {
    (w16 $of:ident) => {{
        $of::<BaselineManager16>(System::Baseline);
        $of::<RegmutexManager16>(System::Regmutex);
        $of::<PairedManager16>(System::Paired);
        $of::<SafePairedManager16>(System::SafePaired);
        $of::<OwfManager16>(System::Owf);
        $of::<RfvManager16>(System::Rfv);
        $of::<CarsManager16>(System::Cars);
    }};
    (w48 $of:ident) => {{
        $of::<BaselineManager48>(System::Baseline);
        $of::<RegmutexManager48>(System::Regmutex);
        $of::<PairedManager48>(System::Paired);
        $of::<SafePairedManager48>(System::SafePaired);
        $of::<OwfManager48>(System::Owf);
        $of::<RfvManager48>(System::Rfv);
        $of::<CarsManager48>(System::Cars);
    }};
    (w64 $of:ident) => {{
        $of::<BaselineManager64>(System::Baseline);
        $of::<RegmutexManager64>(System::Regmutex);
        $of::<PairedManager64>(System::Paired);
        $of::<SafePairedManager64>(System::SafePaired);
        $of::<OwfManager64>(System::Owf);
        $of::<RfvManager64>(System::Rfv);
        $of::<CarsManager64>(System::Cars);
    }};
}

/// Runs a check of blocks, the largest of which are hundreds of kilobytes and are made on the stack.
fn on_a_large_stack(check: fn()) {
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let done = thread.spawn(check).expect("a thread").join();
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn rust_hdl_accepts_every_system() {
    fn of<B: Block + Default>(_: System) {
        check_block(B::default());
    }
    each!(w16 of);
    each!(w48 of);
    each!(w64 of);
}

#[test]
fn all_seven_of_a_size_have_the_same_ports_in_the_same_order() {
    fn w16<B: Block + Default>(_: System) {
        check_ports::<Model<16, 8, 512>, _>(B::default());
    }
    fn w48<B: Block + Default>(_: System) {
        check_ports::<Model, _>(B::default());
    }
    fn w64<B: Block + Default>(_: System) {
        check_ports::<Model<64, 32, 2048>, _>(B::default());
    }
    let checks: [fn(); 3] = [|| each!(w16 w16), || each!(w48 w48), || each!(w64 w64)];
    checks.into_iter().for_each(on_a_large_stack);
    assert_eq!(ports(BaselineManager48::default()).len(), 96 + 85);
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model>(include_str!("README.md"));
}

#[test]
fn readme_lists_the_widths_that_depend_on_the_size() {
    fn of<P: Pins, Q: Pins, R: Pins>() -> Vec<(String, [u32; 3])> {
        let pins = P::pins().into_iter().zip(Q::pins()).zip(R::pins());
        let widths = pins.map(|((p, q), r)| (p.name, [p.width_bits, q.width_bits, r.width_bits]));
        let differ = widths.filter(|(_, [p, q, r])| p != q || q != r);
        differ
            .map(|(name, widths)| (name.to_owned(), widths))
            .collect()
    }
    let mut expected =
        of::<RegisterManagerIn<16, 8, 512>, RegisterManagerIn, RegisterManagerIn<64, 32, 2048>>();
    expected.extend(of::<
        RegisterManagerOut<16, 8, 512>,
        RegisterManagerOut,
        RegisterManagerOut<64, 32, 2048>,
    >());
    let row = |line: &str| {
        let [_, _, w16, w48, w64, ports, _] =
            line.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let widths = [w16.parse().ok()?, w48.parse().ok()?, w64.parse().ok()?];
        let name = |port: &str| (port.trim().trim_matches('`').to_owned(), widths);
        Some(ports.split(',').map(name).collect::<Vec<_>>())
    };
    let rows = include_str!("README.md").lines().filter_map(row);
    let mut found = rows.flatten().collect::<Vec<_>>();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
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
    fn of<B: Block + Default>(system: System) {
        let top = format!("register_manager_{system}");
        lint(&verilog(B::default(), &top), &top);
    }
    each!(w16 of);
    each!(w48 of);
    each!(w64 of);
}

/// The modules in `text`, each from its name on.
fn modules(text: &str) -> Vec<&str> {
    text.split("\nmodule ").skip(1).map(str::trim).collect()
}

/// So flip-flops and memories are those of the top, which its own tests count.
#[test]
fn a_manager_holds_its_top_as_it_is_and_no_state_besides() {
    fn of<B: Block + Default, T: Block + Default>() {
        let (manager, top) = (verilog(B::default(), "m"), verilog(T::default(), "m$top"));
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
    let checks: [fn(); 18] = [
        of::<RegmutexManager16, RegmutexTop16x512>,
        of::<PairedManager16, PairedTop16x512>,
        of::<SafePairedManager16, SafePairedTop16x512>,
        of::<OwfManager16, OwfTop16x8x512>,
        of::<RfvManager16, RfvTop16x63x512>,
        of::<CarsManager16, CarsTop16x512>,
        of::<RegmutexManager48, RegmutexTop48x1024>,
        of::<PairedManager48, PairedTop48x1024>,
        of::<SafePairedManager48, SafePairedTop48x1024>,
        of::<OwfManager48, OwfTop48x8x1024>,
        of::<RfvManager48, RfvTop48x63x1024>,
        of::<CarsManager48, CarsTop48x1024>,
        of::<RegmutexManager64, RegmutexTop64x2048>,
        of::<PairedManager64, PairedTop64x2048>,
        of::<SafePairedManager64, SafePairedTop64x2048>,
        of::<OwfManager64, OwfTop64x32x2048>,
        of::<RfvManager64, RfvTop64x63x2048>,
        of::<CarsManager64, CarsTop64x2048>,
    ];
    checks.into_iter().for_each(on_a_large_stack);
}

#[test]
fn flip_flops_are_those_of_the_tops() {
    for (counted, of_the_top) in [
        (flip_flops(BaselineManager16::default()), 0),
        (flip_flops(RegmutexManager16::default()), 96),
        (flip_flops(PairedManager16::default()), 8),
        (flip_flops(SafePairedManager16::default()), 16),
        (flip_flops(OwfManager16::default()), 254),
        (flip_flops(CarsManager16::default()), 488),
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
    // Tables stay tables here.
    let counted = storage(RfvManager16::default());
    let of_the_top = Storage {
        memories: 6,
        memory_bits: 9_742,
        flip_flops: 752,
    };
    assert!(
        counted.is_none_or(|counted| counted == of_the_top),
        "{counted:?}"
    );
}
