//! Recursion that needs more than a thread has: what is known about it, and what would do.

use super::{FlowError, Workload};
use crate::compiler::calls::{MOST_OPEN_CALLS, STACK_BYTES, STACK_POINTER};
use crate::kernel::interp::{self, InterpError, RunPlace};
use crate::kernel::op::{Op, Space};
use crate::kernel::{Inst, Kernel, Line, Operand, Reg};
use crate::sm::{AccessFault, RunError};

/// How errors of the SM that are about it begin, behind their place.
const SAID: &str = "recursion is too deep";

/// What a run under a scheme ended with, if that is it.
pub(super) fn in_run(
    workload: &Workload,
    scheme: &str,
    kernel: &Kernel,
    cause: &RunError,
) -> Option<FlowError> {
    let own = match cause {
        RunError::OnSm { cause, .. } => cause,
        own => own,
    };
    let mut said = cause.to_string();
    let mut perhaps = false;
    match own {
        RunError::Stack { problem, .. } if problem.starts_with(SAID) => {}
        // An argument, a result or a variable of a function lies there, too. In the text form the kernel says how large it is.
        RunError::Memory {
            place,
            fault: AccessFault::Outside { space: "local", .. },
            ..
        } if workload.program.is_some() => {
            let inst = insts(kernel).nth(place.index as usize);
            match inst.is_some_and(is_in_frame) {
                true => {
                    said = format!("{SAID}: the stack of a thread in local memory is full: {said}");
                }
                false if keeps_functions(kernel) => perhaps = true,
                false => return None,
            }
        }
        _ => return None,
    }
    let sure = advice(workload, said.contains("calls are open"));
    Some(FlowError::TooDeep {
        kernel: workload.name.clone(),
        scheme: Some(scheme.to_owned()),
        advice: if perhaps { or_wrong(&sure) } else { sure },
        cause: said,
    })
}

/// What a run without timing ended with, if that is it, when calls had got `depth` deep.
pub(super) fn in_profile(
    workload: &Workload,
    kernel: &Kernel,
    cause: &InterpError,
    depth: u32,
) -> Option<FlowError> {
    let (said, advice) = match cause {
        InterpError::TooManyCalls { .. } => {
            let cause = cause.clone().in_files(&workload.files);
            (cause.to_string(), advice(workload, true))
        }
        InterpError::Memory {
            place,
            lane,
            fault:
                fault @ interp::AccessFault::OutOfBounds {
                    space: Space::Local,
                    size_bytes,
                    ..
                },
        } if workload.program.is_some() && keeps_functions(kernel) => {
            let frame = inst_at(kernel, place).is_some_and(is_in_frame);
            let place = RunPlace {
                line: line_at(kernel, place),
                ..place.clone()
            };
            let place = in_file(workload, place);
            let sure = advice(workload, false);
            match frame {
                true => {
                    let full = "the stack of a thread in local memory is full";
                    let said = format!(
                        "{place}, lane {lane}: {SAID}: {full}, {size_bytes} bytes, with {depth} calls open"
                    );
                    (said, sure)
                }
                false => {
                    let said = format!("{place}, lane {lane}: {fault}, with {depth} calls open");
                    (said, or_wrong(&sure))
                }
            }
        }
        _ => return None,
    };
    Some(FlowError::TooDeep {
        kernel: workload.name.clone(),
        scheme: None,
        advice,
        cause: said,
    })
}

/// What to do; `open`: it is the number of calls, and not what they save.
fn advice(workload: &Workload, open: bool) -> String {
    let argument = "what ends the recursion depends on the launch: look at its arguments";
    if open {
        return format!(
            "no stack is large enough for more than {MOST_OPEN_CALLS} open calls of a warp; {argument}"
        );
    }
    let (has, most) = (workload.stack_bytes, *STACK_BYTES.end());
    match has < most {
        true => format!(
            "give a thread more than {has} bytes: --stack-bytes N, at most {most}; {argument}"
        ),
        false => format!("a thread has {has} bytes, and cannot have more; {argument}"),
    }
}

/// What to do if the address may be that of a variable in a frame that does not fit, or a wrong one.
fn or_wrong(sure: &str) -> String {
    format!(
        "variables of functions lie on the stack; if it is full, {sure}. Else the address is wrong: look at the instruction"
    )
}

/// Whether functions are kept, so that they have frames.
fn keeps_functions(kernel: &Kernel) -> bool {
    insts(kernel).any(|inst| inst.op == Op::Ret)
}

/// Whether it accesses the frame of a function: local memory, relative to the stack pointer.
fn is_in_frame(inst: &Inst) -> bool {
    let is_local = matches!(inst.op, Op::Ld(mem) | Op::St(mem) if mem.space == Space::Local);
    is_local && inst.srcs.first() == Some(&Operand::Reg(Reg::r32(STACK_POINTER)))
}

fn insts(kernel: &Kernel) -> impl Iterator<Item = &Inst> {
    kernel.blocks.iter().flat_map(|block| &block.insts)
}

fn inst_at<'k>(kernel: &'k Kernel, place: &RunPlace) -> Option<&'k Inst> {
    let block = kernel.blocks.iter().find(|b| b.label == place.block)?;
    block.insts.get(place.inst)
}

/// Of what the compiler has made, the line of what comes next.
fn line_at(kernel: &Kernel, place: &RunPlace) -> Line {
    let from = kernel.blocks.iter().skip_while(|b| b.label != place.block);
    let mut lines = from.flat_map(|block| &block.insts).map(|inst| inst.line);
    let later = lines.nth(place.inst).into_iter().chain(lines);
    let mut written = later.filter(|line| line.0 != 0);
    written.next().unwrap_or(place.line)
}

fn in_file(workload: &Workload, mut place: RunPlace) -> RunPlace {
    if let Some((file, line)) = workload.files.place(place.line) {
        (place.file, place.line) = (Some(file.clone()), line);
    }
    place
}
