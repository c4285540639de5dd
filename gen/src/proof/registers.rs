//! Registers that a property file names by the dozen, as many as the size of the unit has.
//!
//! A line `` `NUMBERED(name, width, count, \path$#$q ) `` of a property file stands for the registers that `#` numbers from 0
//! to `count - 1`, each `width` bits wide, and for one vector `name` of them all, the first in its lowest bits. `count` is a
//! number or a size, or one divided by the next and rounded up, such as `PACKS / 128`; of several with `max` between them it
//! is the largest. Several counts before the path number as many `#` in it, the last one fastest.

use std::fmt::Write;

/// How such a line begins.
const DIRECTIVE: &str = "`NUMBERED(";

/// Property file `text` with every such line written out, for these sizes.
///
/// # Panics
/// If a line cannot be read: the files are ours.
pub(super) fn expanded(text: &str, sizes: &[(String, u64)]) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match line.trim_start().strip_prefix(DIRECTIVE) {
            Some(rest) => declare(&mut out, rest, sizes)
                .unwrap_or_else(|| panic!("no list of registers: {line}")),
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}

/// Declares what follows [`DIRECTIVE`].
fn declare(out: &mut String, rest: &str, sizes: &[(String, u64)]) -> Option<()> {
    let fields: Vec<_> = rest.strip_suffix(')')?.split(',').map(str::trim).collect();
    let [name, width, counts @ .., path] = fields.as_slice() else {
        return None;
    };
    if counts.is_empty() || path.matches('#').count() != counts.len() {
        return None;
    }
    let mut registers = vec![format!("{path} ")];
    for count in counts {
        let count = largest(count, sizes)?;
        let numbered = |path: &String| -> Vec<_> {
            (0..count)
                .map(|at| path.replacen('#', &at.to_string(), 1))
                .collect()
        };
        registers = registers.iter().flat_map(numbered).collect();
    }
    for register in &registers {
        let _ = writeln!(out, "    (* hierconn *) wire [({width})-1:0] {register};");
    }
    let count = registers.len();
    registers.reverse();
    let _ = writeln!(
        out,
        "    wire [{count}*({width})-1:0] {name} = {{\n        {}}};",
        registers.join(",\n        ")
    );
    Some(())
}

/// What `count` says.
fn largest(count: &str, sizes: &[(String, u64)]) -> Option<u64> {
    let mut quotients = count.split(" max ").map(|words| quotient(words, sizes));
    let first = quotients.next()??;
    quotients.try_fold(first, |left, right| Some(left.max(right?)))
}

/// What one of its quotients says.
fn quotient(count: &str, sizes: &[(String, u64)]) -> Option<u64> {
    let value = |word: &str| {
        let size = sizes.iter().find(|(name, _)| name == word);
        size.map_or_else(|| word.parse().ok(), |&(_, size)| Some(size))
    };
    let mut words = count.split('/').map(|word| value(word.trim()));
    let first = words.next()??;
    words.try_fold(first, |left, right| Some(left.div_ceil(right?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_as_many_registers_as_the_size_says() {
        let sizes = [("PACKS".to_owned(), 192)];
        let text = "a\n    `NUMBERED(used, `BITS + 1, PACKS / 4 / 32, \\uut.taken$#$q )\nb\n";
        let expected = "a
    (* hierconn *) wire [(`BITS + 1)-1:0] \\uut.taken$0$q ;
    (* hierconn *) wire [(`BITS + 1)-1:0] \\uut.taken$1$q ;
    wire [2*(`BITS + 1)-1:0] used = {
        \\uut.taken$1$q ,
        \\uut.taken$0$q };
b
";
        assert_eq!(expanded(text, &sizes), expected);
        let text = "`NUMBERED(rows, 3, 2, PACKS / 96, \\uut.part$#.row$#$q )\n";
        let order = "\\uut.part$1.row$1$q ,
        \\uut.part$1.row$0$q ,
        \\uut.part$0.row$1$q ,
        \\uut.part$0.row$0$q };";
        let both = expanded(text, &sizes);
        assert!(
            both.contains("wire [4*(3)-1:0] rows = {") && both.contains(order),
            "{both}"
        );
        assert_eq!(quotient("PACKS / 128", &sizes), Some(2));
        assert_eq!(quotient("7", &sizes), Some(7));
        assert_eq!(quotient("WARPS", &sizes), None);
        assert_eq!(largest("1 max PACKS / 128", &sizes), Some(2));
        assert_eq!(largest("4 max PACKS / 128", &sizes), Some(4));
        assert_eq!(largest("4 max WARPS", &sizes), None);
    }
}
