//! What the tests of every unit share.

use crate::clocked::{Clocked, Pins};
#[allow(unused_imports)] // For units whose tests draw pins alone.
pub use crate::strategies::any_pins;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rust_hdl::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs both through the same pins: look-up and edge of every row must agree.
pub fn agree<M, R>(mut model: M, mut rtl: R, rows: &[M::In]) -> Result<(), TestCaseError>
where
    M: Clocked,
    R: Clocked<In = M::In, Out = M::Out>,
{
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

/// Rust-hdl's own checks: connections, clock domains, combinational loops.
pub fn check_block<B: Block>(mut block: B) {
    block.connect_all();
    check_all(&block).expect("rust-hdl accepts the block");
}

/// Ports of the emitted top module, in order, without the clock: name, width, direction.
pub fn ports<B: Block>(mut block: B) -> Vec<(String, u32, bool)> {
    #[derive(Default)]
    struct Ports {
        depth: usize,
        ports: Vec<(String, u32, bool)>,
    }
    impl Probe for Ports {
        fn visit_start_scope(&mut self, _: &str, _: &dyn Block) {
            self.depth += 1;
        }
        fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
            if self.depth == 1 && name != "clock" {
                match atom.kind() {
                    AtomKind::InputParameter => {
                        self.ports.push((name.into(), atom.bits() as u32, true))
                    }
                    AtomKind::OutputParameter => {
                        self.ports.push((name.into(), atom.bits() as u32, false))
                    }
                    _ => {}
                }
            }
        }
        fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
            self.depth -= 1;
        }
    }
    block.connect_all();
    let mut probe = Ports::default();
    block.accept("top", &mut probe);
    probe.ports
}

/// The pins of the interface are the ports of the block: same names, widths and order, inputs first.
pub fn check_ports<C: Clocked, B: Block>(block: B) {
    let pins = |pins: Vec<crate::clocked::PinDef>, input| {
        pins.into_iter()
            .map(move |pin| (pin.name.to_owned(), pin.width_bits, input))
    };
    let expected: Vec<_> = pins(C::In::pins(), true)
        .chain(pins(C::Out::pins(), false))
        .collect();
    assert_eq!(ports(block), expected);
}

/// The Verilog of a block, with a top module of this name.
pub fn verilog<B: Block>(mut block: B, top: &str) -> String {
    block.connect_all();
    let mut modules = ModuleDefines::default();
    block.accept(top, &mut modules);
    modules.defines()
}

/// What Yosys prints about a design after `commands`, or `None` (said so) where it is not installed.
///
/// `commands` start with the design read in; the top module is `top`.
pub fn yosys(verilog: &str, commands: &str) -> Option<String> {
    use std::process::{Command, Stdio};
    if Command::new("yosys")
        .arg("-V")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        eprintln!("skipped: yosys is not installed");
        return None;
    }
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("regshare-hw-{}-{number}.v", std::process::id()));
    std::fs::write(&file, verilog).expect("the temporary directory is writable");
    let script = format!("read_verilog {}; {commands}", file.display());
    let output = Command::new("yosys")
        .args(["-p", &script])
        .output()
        .expect("yosys runs");
    let _ = std::fs::remove_file(&file);
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}{log}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!log.contains("Latch inferred"), "{log}");
    Some(log)
}

/// Flip-flops that Yosys finds in the flattened design; `None` where Yosys is not installed.
pub fn flip_flops<B: Block>(block: B) -> Option<usize> {
    let log = yosys(
        &verilog(block, "top"),
        // The logic is simplified, not mapped: the counts are those of `synth`, ten times as fast for large tops.
        "hierarchy -check -top top; proc; flatten; opt -full; memory; opt -full; check -assert; \
         simplemap t:$dff t:$dffe t:$sdff t:$sdffe t:$sdffce; opt_clean; stat",
    )?;
    let statistics = log.rsplit("Number of cells:").next()?;
    let count = |line: &str| line.split_whitespace().last()?.parse::<usize>().ok();
    Some(
        statistics
            .lines()
            .filter(|line| line.contains("DFF"))
            .filter_map(count)
            .sum(),
    )
}

/// What Yosys makes of a design's state when it may keep memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// Memories inferred.
    pub memories: usize,
    /// Bits in them.
    pub memory_bits: usize,
    /// Flip-flops of one bit beside them.
    pub flip_flops: usize,
}

/// Memories and flip-flops that Yosys finds in the flattened design; `None` where Yosys is not installed.
pub fn storage<B: Block>(block: B) -> Option<Storage> {
    let log = yosys(
        &verilog(block, "top"),
        "synth -flatten -top top -run begin:fine; check -assert; memory_unpack; opt_clean; simplemap; dffunmap; stat",
    )?;
    let statistics = log.rsplit("=== top ===").next()?;
    let count = |line: &str| line.split_whitespace().last()?.parse::<usize>().ok();
    let of = |what: &str| statistics.lines().find(|line| line.contains(what));
    Some(Storage {
        memories: of("Number of memories:").and_then(count)?,
        memory_bits: of("Number of memory bits:").and_then(count)?,
        flip_flops: statistics
            .lines()
            .filter(|line| line.contains("DFF"))
            .filter_map(count)
            .sum(),
    })
}

/// Longest path in two-input gates and multiplexers; `None` where Yosys is not installed.
pub fn depth(verilog: &str) -> Option<usize> {
    let log = yosys(
        verilog,
        "synth -flatten -top top; abc -g AND,OR,XOR,MUX; ltp -noff",
    )?;
    log.rsplit("(length=")
        .next()?
        .split(')')
        .next()?
        .parse()
        .ok()
}

/// The port table of a README lists the pins of the interface: names, directions, widths, order.
pub fn check_readme<C: Clocked>(readme: &str) {
    let rows = readme.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let input = match *cells.get(2)? {
            "in" => true,
            "out" => false,
            _ => return None,
        };
        Some((name.to_owned(), cells.get(3)?.parse::<u32>().ok()?, input))
    });
    let pins = |pins: Vec<crate::clocked::PinDef>, input| {
        pins.into_iter()
            .map(move |pin| (pin.name.to_owned(), pin.width_bits, input))
    };
    let expected: Vec<_> = pins(C::In::pins(), true)
        .chain(pins(C::Out::pins(), false))
        .collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}
