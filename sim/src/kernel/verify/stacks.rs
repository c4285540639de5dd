//! Pushes, pops and returns: what each way through a function does to its frame (CARS III-A), without running it.

use std::collections::BTreeSet;

use super::Problem;
use crate::compiler::calls::FIRST_SAVED;
use crate::kernel::{BlockId, Dst, Inst, Kernel, Op, Operand};

/// The first wrong push, pop or return: its block, its place there, and what is wrong.
pub(super) fn check(kernel: &Kernel) -> Result<(), (usize, usize, Problem)> {
    let insts = || kernel.blocks.iter().flat_map(|block| &block.insts);
    if !insts().any(|inst| matches!(inst.op, Op::Push | Op::Pop | Op::Ret)) {
        return Ok(());
    }
    // The kernel's own code has no frame, also if a function begins where it does.
    walk(kernel, 0, None)?;
    let functions: BTreeSet<u32> = insts()
        .filter_map(|inst| match inst.op {
            Op::Call(BlockId(to)) => Some(to),
            _ => None,
        })
        .collect();
    for start in functions {
        walk(kernel, start as usize, Some(0))?;
    }
    Ok(())
}

/// Follows all ways from `start`, where so many registers have been pushed; `None`: outside of a function.
fn walk(kernel: &Kernel, start: usize, pushed: Option<u16>) -> Result<(), (usize, usize, Problem)> {
    let mut before: Vec<Option<Option<u16>>> = vec![None; kernel.blocks.len()];
    let mut next = vec![start];
    if let Some(first) = before.get_mut(start) {
        *first = Some(pushed);
    }
    while let Some(number) = next.pop() {
        let Some(block) = kernel.blocks.get(number) else {
            continue;
        };
        let mut frame = before[number].flatten();
        let mut goes_on = true;
        for (place, inst) in block.insts.iter().enumerate() {
            let at = |problem| (number, place, problem);
            frame = step(frame, inst).map_err(at)?;
            if let Op::Bra(BlockId(to)) = inst.op {
                arrive(&mut before, &mut next, to as usize, frame).map_err(at)?;
            }
            let ends = matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret | Op::Trap);
            if ends && inst.guard.is_none() {
                goes_on = false;
                break;
            }
        }
        if goes_on {
            let last = block.insts.len().saturating_sub(1);
            arrive(&mut before, &mut next, number + 1, frame)
                .map_err(|problem| (number, last, problem))?;
        }
    }
    Ok(())
}

/// What is pushed behind an instruction.
fn step(frame: Option<u16>, inst: &Inst) -> Result<Option<u16>, Problem> {
    match (inst.op, frame) {
        (Op::Push | Op::Pop, None) => Err(Problem::PushOutside),
        (Op::Ret, None) => Err(Problem::ReturnOutside),
        (Op::Push, Some(pushed)) => {
            let next = FIRST_SAVED + pushed;
            match inst.srcs.first() {
                Some(Operand::Reg(reg)) if reg.index == next => Ok(Some(pushed + 1)),
                _ => Err(Problem::PushOrder(next)),
            }
        }
        (Op::Pop, Some(0)) => Err(Problem::NothingPushed),
        (Op::Pop, Some(pushed)) => {
            let last = FIRST_SAVED + pushed - 1;
            match inst.dsts.first() {
                Some(Dst::Reg(reg)) if reg.index == last => Ok(Some(pushed - 1)),
                _ => Err(Problem::PopOrder(last)),
            }
        }
        _ => Ok(frame),
    }
}

/// A way comes to a block.
fn arrive(
    before: &mut [Option<Option<u16>>],
    next: &mut Vec<usize>,
    to: usize,
    frame: Option<u16>,
) -> Result<(), Problem> {
    let Some(known) = before.get_mut(to) else {
        return Ok(());
    };
    match *known {
        None => {
            *known = Some(frame);
            next.push(to);
            Ok(())
        }
        Some(other) if other == frame => Ok(()),
        Some(other) => Err(Problem::UnequalPushes {
            here: frame.unwrap_or(0),
            there: other.unwrap_or(0),
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::text::parse;

    /// The message about a kernel that calls a function with this body, which begins in line 6.
    fn outcome(function: &str) -> Result<(), String> {
        let head = ".kernel k;\n.regs architected 20, 1;\nentry:\ncall f; exit;\nf:\n";
        let result = parse(&format!("{head}{function}"), "k.rsk");
        result.map(|_| ()).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn refused(function: &str, place: &str, words: &str) {
        let message = outcome(function).expect_err("is refused");
        assert!(message.starts_with(place), "{message}");
        assert!(message.contains(words), "{message}");
    }

    #[test]
    fn registers_are_pushed_and_popped_in_order() {
        assert_eq!(
            outcome("push r16; push r17; pop r17; push r17; ret;"),
            Ok(())
        );
        refused(
            "push r17; ret;",
            "k.rsk:6:1:",
            "the next register to be pushed here is r16",
        );
        refused(
            "push r16;\npush r16; ret;",
            "k.rsk:7:1:",
            "pushed here is r17",
        );
        refused(
            "push r16; push r17;\npop r16; ret;",
            "k.rsk:7:1:",
            "pushed last here is r17",
        );
        refused(
            "push r16; pop r16;\npop r16; ret;",
            "k.rsk:7:1:",
            "nothing is pushed here",
        );
    }

    #[test]
    fn ways_that_meet_have_pushed_as_many() {
        let even = "setp.eq.u32 p0, r4, 0;\n@p0 bra b;\na: push r16; pop r16;\nb: ret;";
        assert_eq!(outcome(even), Ok(()));
        let odd = even.replace(" pop r16;", "\nnop;");
        refused(
            &odd,
            "k.rsk:9:1:",
            "1 registers are pushed here, 0 on another way",
        );
        // Going round a loop, too.
        refused(
            "push r16;\nhead: push r17;\n@p0 bra head;\nend: ret;",
            "k.rsk:8:1:",
            "2 registers are pushed here, 1 on another way",
        );
    }

    #[test]
    fn a_return_gives_back_what_is_left_and_ends_of_threads_leave_it() {
        for function in [
            "push r16;\n@p0 bra b;\na: push r17; ret;\nb: ret;",
            "push r16;\n@p0 ret;\nnop; pop r16; ret;",
            "push r16;\n@p0 exit;\npop r16; ret;",
            "push r16; trap;",
        ] {
            assert_eq!(outcome(function), Ok(()), "{function}");
        }
    }

    #[test]
    fn the_kernels_own_code_has_no_frame() {
        let message = |code: &str| {
            let head = ".kernel k;\n.regs architected 20, 1;\nentry:\n";
            parse(&format!("{head}{code}"), "k.rsk")
                .unwrap_err()
                .to_string()
        };
        for (code, place, words) in [
            (
                "push r16; exit;",
                "k.rsk:4:1:",
                "push and pop stand in functions",
            ),
            (
                "pop r16; exit;",
                "k.rsk:4:1:",
                "push and pop stand in functions",
            ),
            ("ret;", "k.rsk:4:1:", "a return stands in functions"),
            (
                "call f;\nf: ret;",
                "k.rsk:5:4:",
                "a return stands in functions",
            ),
        ] {
            let message = message(code);
            assert!(message.starts_with(place), "{message}");
            assert!(message.contains(words), "{message}");
        }
    }
}
