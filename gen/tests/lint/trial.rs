//! Runs a small block in Rust and as emitted Verilog under Icarus.

use regshare_gen::lint::lint;
use regshare_gen::tools::Tool;
use rust_hdl::prelude::*;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A port's type, driven and read as a number.
pub trait Port: Sized {
    fn from_u64(value: u64) -> Self;
    fn to_u64(self) -> u64;
}

impl Port for bool {
    fn from_u64(value: u64) -> Self {
        value != 0
    }
    fn to_u64(self) -> u64 {
        self.into()
    }
}

impl Port for Clock {
    fn from_u64(value: u64) -> Self {
        Clock { clk: value != 0 }
    }
    fn to_u64(self) -> u64 {
        self.clk.into()
    }
}

impl<const N: usize> Port for Bits<N> {
    fn from_u64(value: u64) -> Self {
        value.into()
    }
    fn to_u64(self) -> u64 {
        Bits::to_u64(self)
    }
}

/// How the emitted Verilog compares with the Rust simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same outputs for all inputs.
    Agrees,
    /// Other outputs, or X, for some inputs.
    Differs,
    /// Rust panics on some inputs, and exactly there Verilog reads X.
    PanicsWhereVerilogReadsX,
    /// rust-hdl cannot write it, or Icarus refuses what it wrote.
    Refused,
}

pub struct Trial {
    pub verilog: String,
    findings: Vec<&'static str>,
    inputs: Vec<(&'static str, usize)>,
    outputs: Vec<(&'static str, usize)>,
    rows: Vec<Vec<u64>>,
    /// Outputs in Rust; `None` where it panics.
    rust: Vec<Option<Vec<u64>>>,
}

impl Trial {
    /// `make` builds a block, `step` drives it and reads its outputs.
    pub fn new<B: Block>(
        make: impl Fn() -> B,
        step: impl Fn(&mut B, &[u64]) -> Vec<u64>,
        inputs: &[(&'static str, usize)],
        outputs: &[(&'static str, usize)],
    ) -> Trial {
        let mut block = make();
        block.connect_all();
        let findings = lint(&block, "trial")
            .iter()
            .map(|finding| finding.rule.id)
            .collect();
        let verilog = catch_unwind(AssertUnwindSafe(|| {
            let mut defines = ModuleDefines::default();
            block.accept("trial", &mut defines);
            defines.defines()
        }));
        let rows = all_rows(inputs);
        let rust = rows
            .iter()
            .map(|row| catch_unwind(AssertUnwindSafe(|| step(&mut block, row))).ok())
            .collect();
        Trial {
            verilog: verilog.unwrap_or_default(),
            findings,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            rows,
            rust,
        }
    }

    pub fn rules(&self) -> Vec<&'static str> {
        self.findings.clone()
    }

    pub fn verdict(&self) -> Verdict {
        let Some(verilog) = self.run_in_icarus() else {
            return Verdict::Refused;
        };
        let mut panics = 0;
        for (rust, verilog) in self.rust.iter().zip(verilog) {
            match rust {
                Some(values)
                    if *values
                        == verilog
                            .iter()
                            .map(|v| v.unwrap_or(u64::MAX))
                            .collect::<Vec<_>>() => {}
                None if verilog.iter().all(Option::is_none) => panics += 1,
                _ => return Verdict::Differs,
            }
        }
        if panics > 0 {
            Verdict::PanicsWhereVerilogReadsX
        } else {
            Verdict::Agrees
        }
    }

    pub fn yosys_infers_a_latch(&self) -> bool {
        let dir = tempfile::tempdir().expect("temporary folder");
        std::fs::write(dir.path().join("trial.v"), &self.verilog).expect("file written");
        let script = "read_verilog trial.v; hierarchy -top trial; proc";
        let ran = Tool::Yosys
            .run(dir.path(), ["-p", script], &[0])
            .expect("yosys accepts it");
        ran.log.contains("Latch inferred")
    }

    /// Outputs under Icarus, `None` for a value with X; nothing if Icarus or rust-hdl refuses.
    fn run_in_icarus(&self) -> Option<Vec<Vec<Option<u64>>>> {
        if self.verilog.is_empty() {
            return None;
        }
        let dir = tempfile::tempdir().expect("temporary folder");
        let source = format!("{}\n{}", self.verilog, self.bench());
        std::fs::write(dir.path().join("trial.v"), source).expect("file written");
        Tool::Iverilog
            .run(
                dir.path(),
                ["-g2005", "-s", "bench", "-o", "trial.vvp", "trial.v"],
                &[0],
            )
            .ok()?;
        let ran = Tool::Vvp
            .run(dir.path(), ["-n", "trial.vvp"], &[0])
            .expect("the simulation ends");
        let read = |line: &str| {
            line.split_whitespace()
                .map(|word| u64::from_str_radix(word, 16).ok())
                .collect()
        };
        Some(ran.log.lines().map(read).collect())
    }

    fn bench(&self) -> String {
        let mut text = String::from("module bench;\n");
        for (name, width) in &self.inputs {
            let _ = writeln!(text, "reg [{}:0] {name}_pin;", width - 1);
        }
        for (name, width) in &self.outputs {
            let _ = writeln!(text, "wire [{}:0] {name}_pin;", width - 1);
        }
        let pins: Vec<_> = self
            .inputs
            .iter()
            .chain(&self.outputs)
            .map(|(name, _)| format!(".{name}({name}_pin)"))
            .collect();
        let outputs: Vec<_> = self
            .outputs
            .iter()
            .map(|(name, _)| format!("{name}_pin"))
            .collect();
        let formats = vec!["%h"; outputs.len()].join(" ");
        let _ = writeln!(text, "trial uut({});\ninitial begin", pins.join(", "));
        for row in &self.rows {
            for ((name, width), value) in self.inputs.iter().zip(row) {
                let _ = writeln!(text, "  {name}_pin = {width}'d{value};");
            }
            let _ = writeln!(
                text,
                "  #1 $display(\"{formats}\", {});",
                outputs.join(", ")
            );
        }
        text + "end\nendmodule\n"
    }
}

/// All inputs for up to eight bits in total, 256 spread ones beyond.
fn all_rows(inputs: &[(&'static str, usize)]) -> Vec<Vec<u64>> {
    let total: usize = inputs.iter().map(|(_, width)| width).sum();
    let rows = 1u64 << total.min(8);
    let spread = |row: u64| {
        if total <= 8 {
            row
        } else {
            row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - total)
        }
    };
    (0..rows)
        .map(|row| {
            let mut bits = spread(row);
            let mut take = |width: usize| {
                let value = bits & ((1 << width) - 1);
                bits >>= width;
                value
            };
            inputs.iter().map(|(_, width)| take(*width)).collect()
        })
        .collect()
}

/// Settles combinational logic.
pub fn settle(block: &mut impl Block) {
    for _ in 0..100 {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("the block does not settle");
}

/// `trial!(Block { input: width, .. } => { output: width, .. })`
macro_rules! trial {
    ($block:ty { $($input:ident: $iw:literal),* } => { $($output:ident: $ow:literal),* }) => {
        $crate::trial::Trial::new(
            <$block>::default,
            |block, row: &[u64]| {
                let mut values = row.iter();
                $(block.$input.next = $crate::trial::Port::from_u64(*values.next().expect("a value per input"));)*
                $crate::trial::settle(block);
                vec![$($crate::trial::Port::to_u64(block.$output.val())),*]
            },
            &[$((stringify!($input), $iw)),*],
            &[$((stringify!($output), $ow)),*],
        )
    };
}
pub(crate) use trial;
