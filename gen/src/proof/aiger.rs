//! Circuits as Yosys writes them (binary AIGER), with some of their inputs held at a value.

use super::ProofError;
use crate::tools::ToolError;
use std::collections::HashSet;

/// `circuit` in which each input of `held`, numbered from 0, has that value for ever. It keeps its inputs, unused.
///
/// # Errors
/// [`ProofError::Tool`] if it is no binary AIGER.
pub(super) fn hold(circuit: &[u8], held: &[(usize, bool)]) -> Result<Vec<u8>, ProofError> {
    rewrite(circuit, held).ok_or_else(unreadable)
}

/// Of `whole` the assertions that never fail in `held`, the same circuit without them, and how many they are.
///
/// # Errors
/// [`ProofError::Tool`] if either is no binary AIGER as Yosys writes it.
pub(super) fn apart(whole: &[u8], held: &[u8]) -> Result<(Vec<u8>, usize), ProofError> {
    let (Some(whole), Some(held)) = (parts(whole), parts(held)) else {
        return Err(unreadable());
    };
    if whole.asserted.len() != held.asserted.len() {
        return Err(unreadable());
    }
    let both = whole.asserted.iter().zip(&held.asserted);
    let found: Vec<_> = both
        .filter(|&(before, after)| !whole.never.contains(before) && held.never.contains(after))
        .map(|(literal, _)| format!("{literal}\n"))
        .collect();
    let Parts {
        sizes: [variables, inputs, latches, outputs, ands, _, assumed],
        before,
        after,
        ..
    } = whole;
    let count = found.len();
    let head = format!("aig {variables} {inputs} {latches} {outputs} {ands} {count} {assumed}\n");
    let found = found.concat();
    let circuit = [head.as_bytes(), before, found.as_bytes(), after].concat();
    Ok((circuit, count))
}

/// A circuit around its assertions.
struct Parts<'a> {
    sizes: [usize; 7],
    before: &'a [u8],
    asserted: Vec<usize>,
    /// Literals that are false: the constant, and gates of which an input is.
    never: HashSet<usize>,
    after: &'a [u8],
}

fn parts(circuit: &[u8]) -> Option<Parts<'_>> {
    let mut rest = circuit;
    let sizes = sizes(line(&mut rest)?)?;
    // After the sizes of every circuit: assertions, assumptions, liveness, fairness.
    let (sizes, &[0, 0]) = sizes.split_first_chunk::<7>()? else {
        return None;
    };
    let [_, inputs, latches, outputs, ands, asserted, assumed] = *sizes;
    let start = rest;
    for _ in 0..latches + outputs {
        line(&mut rest)?;
    }
    let before = &start[..start.len() - rest.len()];
    let asserted = (0..asserted)
        .map(|_| line(&mut rest)?.parse().ok())
        .collect::<Option<_>>()?;
    let after = rest;
    for _ in 0..assumed {
        line(&mut rest)?;
    }
    let mut never = HashSet::from([0]);
    for number in 0..ands {
        let node = 2 * (inputs + latches + number + 1);
        let first = node.checked_sub(delta(&mut rest)?)?;
        let second = first.checked_sub(delta(&mut rest)?)?;
        if first == 0 || second == 0 {
            never.insert(node);
        }
    }
    Some(Parts {
        sizes: *sizes,
        before,
        asserted,
        never,
        after,
    })
}

fn unreadable() -> ProofError {
    let source = std::io::Error::from(std::io::ErrorKind::InvalidData);
    ToolError::io("cannot read the circuit that Yosys wrote")(source).into()
}

/// The numbers of a first line.
fn sizes(head: &str) -> Option<Vec<usize>> {
    let words = head.strip_prefix("aig ")?.split(' ');
    words.map(|word| word.parse().ok()).collect()
}

fn rewrite(circuit: &[u8], held: &[(usize, bool)]) -> Option<Vec<u8>> {
    let mut rest = circuit;
    let head = line(&mut rest)?;
    let sizes = sizes(head)?;
    let &[_, inputs, latches, outputs, ands, ref more @ ..] = &sizes[..] else {
        return None;
    };
    // Literals: twice the variable, plus one if inverted; 0 is false. Input `n` is variable `n` + 1.
    let put = |literal: usize| {
        let input = (literal / 2).checked_sub(1);
        let value = held.iter().find(|&&(held, _)| Some(held) == input);
        value.map_or(literal, |&(_, value)| usize::from(value) ^ (literal & 1))
    };
    let mut out = format!("{head}\n").into_bytes();
    for _ in 0..latches + outputs + more.iter().sum::<usize>() {
        let text = line(&mut rest)?;
        let (literal, init) = text.split_once(' ').map_or((text, ""), |(a, b)| (a, b));
        let literal = put(literal.parse().ok()?);
        let text = if init.is_empty() {
            format!("{literal}\n")
        } else {
            format!("{literal} {init}\n")
        };
        out.extend(text.into_bytes());
    }
    for number in 0..ands {
        let node = 2 * (inputs + latches + number + 1);
        let first = node.checked_sub(delta(&mut rest)?)?;
        let second = first.checked_sub(delta(&mut rest)?)?;
        let (first, second) = (put(first), put(second));
        let (first, second) = (first.max(second), first.min(second));
        write_delta(&mut out, node - first);
        write_delta(&mut out, first - second);
    }
    out.extend(rest);
    Some(out)
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    Some(line)
}

/// Seven bits per byte, the least significant first; all but the last byte have the top bit set.
fn delta(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..usize::BITS).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn write_delta(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two inputs, a latch that holds their conjunction, an output that says that input 1 is low or the latch is high.
    fn circuit(first: [u8; 2], second: [u8; 2], next: &str, output: &str) -> Vec<u8> {
        let text = format!("aig 5 2 1 1 2\n{next}\n{output}\n");
        [text.as_bytes(), &first, &second, b"i0 a\nc\nby hand\n"].concat()
    }

    #[test]
    fn an_input_that_is_held_is_a_constant_wherever_it_is_read() {
        // 8 = 4 & 2; 10 = 7 & 4 (7: the latch is low).
        let free = circuit([4, 2], [3, 3], "8", "11");
        assert_eq!(hold(&free, &[]).expect("read"), free);
        // Input 1 is high: 8 = 2 & true, 10 = 7 & true.
        let high = circuit([6, 1], [3, 6], "8", "11");
        assert_eq!(hold(&free, &[(1, true)]).expect("read"), high);
        let low = circuit([6, 2], [3, 7], "8", "11");
        assert_eq!(hold(&free, &[(1, false)]).expect("read"), low);
        // Directly at the latch and at the output, inverted there.
        let wired = circuit([4, 2], [3, 3], "2", "3");
        let held = circuit([8, 0], [3, 3], "0", "1");
        assert_eq!(hold(&wired, &[(0, false)]).expect("read")[..18], held[..18]);
    }

    #[test]
    fn assertions_that_are_held_go_to_another_circuit() {
        let circuit = |properties: &str, lines: &str| {
            let text = format!("aig 3 2 0 1 1 {properties}\n6\n{lines}");
            [text.as_bytes(), &[2, 2], b"c\nby hand\n"].concat()
        };
        // A claim, one that cannot fail, two events, and an assumption.
        let whole = circuit("4 1 0 0", "7\n0\n4\n2\n3\n");
        let held = circuit("4 1 0 0", "5\n0\n0\n0\n3\n");
        let (found, count) = apart(&whole, &held).expect("read");
        assert_eq!((found, count), (circuit("2 1", "4\n2\n3\n"), 2));
        let fewer = circuit("3 1 0 0", "5\n0\n0\n3\n");
        assert!(apart(&whole, &fewer).is_err());
        assert!(apart(&circuit("0 0 0 1", "2\n"), &held).is_err());
    }

    #[test]
    fn numbers_of_several_bytes_are_kept() {
        for value in [0, 1, 127, 128, 300, 1 << 20, usize::MAX] {
            let mut bytes = Vec::new();
            write_delta(&mut bytes, value);
            assert_eq!(delta(&mut &bytes[..]), Some(value));
        }
    }

    #[test]
    fn what_is_no_circuit_is_refused() {
        for text in ["", "aag 1 1 0 0 0\n", "aig 1 x\n", "aig 3 2 0 0 1\n"] {
            assert!(hold(text.as_bytes(), &[]).is_err(), "{text}");
        }
    }
}
