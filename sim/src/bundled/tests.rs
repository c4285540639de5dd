//! What holds for every bundled kernel.

use std::sync::OnceLock;

use super::*;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::interp::{self, LaunchDims};
use crate::kernel::{Kernel, ptx};
use crate::launch::Number;

/// A launch, what is expected of it, and memory as a perfect run leaves it.
struct Case {
    bundled: &'static Bundled,
    launch: PreparedLaunch,
    expectations: Vec<Expectation>,
    perfect: MemoryImage,
}

impl Case {
    fn verify(&self, memory: &MemoryImage) -> Result<(), Mismatch> {
        compare::against(&self.expectations, &self.launch, memory)
    }
}

/// All kernels; the references run once for all tests.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        every()
            .map(|bundled| {
                let launch = bundled.prepare().unwrap();
                let expectations = (bundled.reference)(&Inputs::new(&launch)).unwrap();
                let perfect = perfect(&launch, &expectations);
                Case {
                    bundled,
                    launch,
                    expectations,
                    perfect,
                }
            })
            .collect()
    })
}

/// The expected values, rounded to the types of the buffers.
fn perfect(launch: &PreparedLaunch, expectations: &[Expectation]) -> MemoryImage {
    let mut memory = launch.memory.clone();
    for expectation in expectations {
        let buffer = launch.buffer(expectation.buffer).unwrap();
        let size = u64::from(buffer.element.size_bytes());
        let numbers: Vec<Number> = match &expectation.values {
            Values::Exact(values) => values.iter().map(|&v| Number::Int(v.into())).collect(),
            Values::Near(values) => values.iter().map(|&(v, _)| Number::Float(v)).collect(),
            Values::Rounded { values, .. } => values
                .iter()
                .map(|v| Number::Int(v.round() as i128))
                .collect(),
        };
        for (index, number) in numbers.into_iter().enumerate() {
            let bytes = buffer.element.encode(number).unwrap();
            let at = buffer.base + index as u64 * size;
            memory.slice_mut(at, size).unwrap().copy_from_slice(&bytes);
        }
    }
    memory
}

#[test]
fn every_kernel_is_an_entry_of_its_ptx_and_of_its_launch_file() {
    for bundled in every() {
        let launch = bundled.prepare().unwrap();
        assert_eq!(launch.kernel, bundled.name);
        assert!(
            bundled
                .ptx
                .contains(&format!(".visible .entry {}(", bundled.name)),
            "{}",
            bundled.name
        );
        let params = bundled
            .ptx
            .matches(&format!(".param .u64 {}_param_", bundled.name))
            .count()
            + bundled
                .ptx
                .matches(&format!(".param .u32 {}_param_", bundled.name))
                .count()
            + bundled
                .ptx
                .matches(&format!(".param .f32 {}_param_", bundled.name))
                .count();
        assert_eq!(launch.params.len(), params, "{}", bundled.name);
        assert!(find(bundled.name).is_some());
    }
    assert!(find("none such").is_none());
}

#[test]
fn every_launch_gives_one_sm_at_least_two_waves_of_full_ctas() {
    for bundled in all().iter().chain(demanding()) {
        let launch = bundled.prepare().unwrap();
        let ctas: u32 = launch.grid.iter().product();
        let threads: u32 = launch.block.iter().product();
        assert!((12..=48).contains(&ctas), "{}", bundled.name);
        assert!(
            threads.is_multiple_of(32) && threads >= 192,
            "{}",
            bundled.name
        );
    }
}

#[test]
fn every_reference_accepts_itself_and_refuses_any_wrong_element() {
    for case in cases() {
        assert_eq!(case.verify(&case.perfect), Ok(()), "{}", case.bundled.name);
        for expectation in &case.expectations {
            // An element in the middle, which every kernel writes.
            let buffer = case.launch.buffer(expectation.buffer).unwrap();
            let size = u64::from(buffer.element.size_bytes());
            let middle = buffer.length / 2;
            let mut wrong = case.perfect.clone();
            // Bit 3 of the top byte: a factor of 65536 for a float, a great number for an integer.
            let at = buffer.base + middle * size + size - 1;
            wrong.slice_mut(at, 1).unwrap()[0] ^= 8;
            match case.verify(&wrong) {
                Err(Mismatch::Value {
                    buffer: named,
                    index,
                    ..
                }) => {
                    assert_eq!((named, index as u64), (buffer.name.clone(), middle));
                }
                other => panic!("{}: `{}`: {other:?}", case.bundled.name, buffer.name),
            }
        }
    }
}

#[test]
fn every_kernel_must_leave_its_inputs_alone() {
    for case in cases() {
        let first = &case.launch.buffers[0];
        let mut memory = case.perfect.clone();
        memory.slice_mut(first.base, 1).unwrap()[0] ^= 1;
        let expected = Mismatch::InputChanged {
            buffer: first.name.clone(),
            index: 0,
        };
        assert_eq!(case.verify(&memory), Err(expected), "{}", case.bundled.name);
    }
}

#[test]
fn memory_before_the_run_never_passes() {
    for case in cases() {
        assert!(
            case.verify(&case.launch.memory).is_err(),
            "{}",
            case.bundled.name
        );
    }
}

#[test]
fn committed_ptx_is_what_clang_makes_of_the_sources() {
    let version = std::process::Command::new("clang")
        .arg("--version")
        .output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !version.is_ok_and(|version| version.contains("clang version 14.0.6")) {
        eprintln!("skipped: clang 14.0.6, which made the committed PTX, is not installed");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/build");
    let output = std::process::Command::new("sh")
        .args([script, "--check"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn read(bundled: &Bundled) -> Kernel {
    let module = ptx::read(bundled.ptx, bundled.name).unwrap();
    module.kernel(bundled.name).unwrap().clone()
}

#[test]
fn every_kernel_computes_its_reference_in_the_plain_interpreter() {
    let alone = |case: &&Case| case.bundled.calls == Calls::None;
    for case in cases().iter().filter(alone) {
        let kernel = read(case.bundled);
        let launch = &case.launch;
        let dims = LaunchDims {
            grid: launch.grid,
            block: launch.block,
            dynamic_scratchpad_bytes: launch.dynamic_scratchpad_bytes,
        };
        let mut memory = launch.memory.clone();
        let params = launch.param_space(&kernel).unwrap();
        let stats = interp::run(&kernel, &dims, &params, &mut memory).unwrap();
        assert_eq!(case.verify(&memory), Ok(()), "{}", case.bundled.name);
        let size = 80_000..1_100_000;
        assert!(
            size.contains(&stats.warp_insts),
            "{}: {stats:?}",
            case.bundled.name
        );
    }
}

/// On `gtx480` 1024 packs serve 48 warps: 21 registers each. More limit occupancy.
const FREE_REGISTERS: u16 = 1024 / 48;

#[test]
fn most_kernels_are_limited_by_registers_on_gtx480_and_some_are_not() {
    let needs = |bundled: &Bundled| {
        allocate(&read(bundled), &AllocOptions::default())
            .unwrap()
            .report
            .regs
    };
    let (limited, free): (Vec<_>, Vec<_>) = all()
        .iter()
        .partition(|bundled| needs(bundled) > FREE_REGISTERS);
    let names = |kernels: Vec<&Bundled>| kernels.iter().map(|b| b.name).collect::<Vec<_>>();
    assert_eq!(
        names(free),
        ["reduction", "spmv", "montecarlo", "histogram"]
    );
    assert_eq!(limited.len(), 10);
}
