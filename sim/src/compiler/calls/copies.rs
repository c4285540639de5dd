//! Moves that happen at once, one after the other.

/// Orders copies `(to, from)` of 32-bit registers, each `to` once, so that every one reads what was there before all of them.
/// Where they go round in a circle, `spare` holds a value meanwhile.
pub fn in_order(copies: &[(u16, u16)], spare: u16) -> Vec<(u16, u16)> {
    let mut left: Vec<(u16, u16)> = copies
        .iter()
        .copied()
        .filter(|(to, from)| to != from)
        .collect();
    let mut done = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let still_read = |reg: u16| left.iter().any(|&(_, from)| from == reg);
        match left.iter().position(|&(to, _)| !still_read(to)) {
            Some(at) => done.push(left.remove(at)),
            None => {
                let (first, _) = left[0];
                done.push((spare, first));
                for (_, from) in &mut left {
                    if *from == first {
                        *from = spare;
                    }
                }
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_copy_reads_what_was_there_before(from in proptest::collection::vec(0_u16..8, 8)) {
            let copies: Vec<_> = (0..8).zip(from.iter().copied()).collect();
            let mut regs: Vec<u16> = (0..9).collect();
            for (to, from) in in_order(&copies, 8) {
                regs[usize::from(to)] = regs[usize::from(from)];
            }
            prop_assert_eq!(&regs[..8], &from[..]);
        }
    }
}
