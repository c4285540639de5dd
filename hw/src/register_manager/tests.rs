use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::clocked::{Clocked, Pins};
use crate::testing::{check_block, check_ports, check_readme, ports};
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
    assert_eq!(ports(BaselineManager48::default()).len(), 98 + 85);
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
