//! Lifting, and following what was lifted.

mod operands;
mod program;
mod random;
mod respilled;
mod round_trip;
mod schemes;
mod several_sms;

use super::*;
use crate::machine::Machine;
use crate::scheme::{CtaShape, Plan, PlanInput, Refusal, Scheme, SchemeOptions, by_name};
use crate::sm::{RunError, RunOptions, RunResult, run_traced};
use crate::trace::ReadOptions;
use std::io::Cursor;

/// A trace with what was lifted from it.
struct Trace {
    text: String,
    lifted: Lifted,
}

fn reader(text: &str) -> KernelReader {
    let source = Cursor::new(text.as_bytes().to_vec());
    KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default()).expect("has a head")
}

impl Trace {
    fn new(text: String) -> Trace {
        let mut source = reader(&text);
        let header = source.header().clone();
        let lifted = lift(&mut source, &header, Path::new("k.traceg")).expect("lifts");
        crate::kernel::verify::verify(&lifted.kernel).expect("is well formed");
        Trace { text, lifted }
    }

    /// A trace of one CTA with one warp.
    fn of_warp(lines: &[&str]) -> Trace {
        Trace::new(head([1, 1, 1], 32, 16) + &cta("0,0,0", &[lines]))
    }

    fn plan(&self, scheme: &dyn Scheme, machine: &Machine) -> Result<Plan, Refusal> {
        let machine = &scheme.machine(machine);
        scheme.plan(&PlanInput {
            kernel: &self.lifted.kernel,
            machine,
            cta: CtaShape {
                threads: self.lifted.header.threads_per_cta(),
                scratchpad_bytes: self.lifted.header.scratchpad_bytes,
            },
            shares_sm: false,
        })
    }

    fn follow(
        &self,
        plan: &Plan,
        machine: &Machine,
        options: &RunOptions,
    ) -> Result<RunResult, RunError> {
        let source = Box::new(reader(&self.text));
        run_traced(plan, &self.lifted, source, machine, options)
    }

    /// Follows it under a scheme, and sees that all was as it should be.
    fn run(&self, scheme: &str, options: &RunOptions) -> RunResult {
        let machine = gtx480();
        let scheme = by_name(scheme, SchemeOptions::default()).expect("exists");
        let plan = self.plan(scheme.as_ref(), &machine).expect("is planned");
        let result = self.follow(&plan, &scheme.machine(&machine), options);
        let result = result.unwrap_or_else(|error| panic!("{}: {error}", scheme.name()));
        assert_eq!(
            result.followed,
            Some(self.lifted.expected),
            "{}",
            scheme.name()
        );
        result
    }
}

fn gtx480() -> Machine {
    Machine::preset("gtx480").expect("exists")
}

fn head(grid: [u32; 3], threads: u32, regs: u16) -> String {
    let [x, y, z] = grid;
    format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = ({x},{y},{z})\n-block dim = ({threads},1,1)\n-shmem = 1024\n\
         -nregs = {regs}\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x7f0000000000\n\
         -local mem base_addr = 0x7f0001000000\n-nvbit version = 1.7\n-accelsim tracer version = 5\n\
         -enable lineinfo = 0\n\n#traces format = ..\n\n"
    )
}

fn cta<L: AsRef<str>>(index: &str, warps: &[impl AsRef<[L]>]) -> String {
    let warp = |(number, lines): (usize, &[L])| {
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        let (count, text) = (lines.len(), lines.join("\n"));
        format!("\nwarp = {number}\ninsts = {count}\n{text}\n")
    };
    let warps = warps.iter().map(AsRef::as_ref).enumerate();
    let text: String = warps.map(warp).collect();
    format!("#BEGIN_TB\n\nthread block = {index}\n{text}\n#END_TB\n\n")
}
