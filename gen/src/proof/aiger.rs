//! Circuits as Yosys writes them (binary AIGER), with some of their inputs held at a value.

use super::ProofError;
use crate::tools::ToolError;

/// `circuit` in which each input of `held`, numbered from 0, has that value for ever. It keeps its inputs, unused.
///
/// # Errors
/// [`ProofError::Tool`] if it is no binary AIGER.
pub(super) fn hold(circuit: &[u8], held: &[(usize, bool)]) -> Result<Vec<u8>, ProofError> {
    rewrite(circuit, held).ok_or_else(|| {
        let source = std::io::Error::from(std::io::ErrorKind::InvalidData);
        ToolError::io("cannot read the circuit that Yosys wrote")(source).into()
    })
}

fn rewrite(circuit: &[u8], held: &[(usize, bool)]) -> Option<Vec<u8>> {
    let mut rest = circuit;
    let head = line(&mut rest)?;
    let sizes: Vec<usize> = (head.strip_prefix("aig ")?.split(' '))
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
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
