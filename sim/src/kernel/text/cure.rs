//! What to do about a text that is no kernel.

use super::names::Named;
use crate::kernel::op::{Space, Ty};

/// Where the cure depends on what was expected, the beginnings of it.
const CURES: [(&str, &str); 16] = [
    (
        "`.kernel`",
        "begin with `.kernel NAME;` and `.regs architected 8, 1;`",
    ),
    (
        "`.regs`",
        "write `.regs virtual N, M;` or `.regs architected N, M;` behind `.kernel NAME;`: N registers, M predicates",
    ),
    (
        "the name of an operation",
        "operations have the names and modifiers of PTX; `regshare compile matmul --scheme baseline --emit kernel` prints a kernel \
         in this form",
    ),
    (
        "no further modifier",
        "take the modifiers off that the operation does not have",
    ),
    (
        "a register, a predicate, a constant",
        "write `r4`, `p0`, `12`, `0x1f`, `0f3f800000` or `%tid.x`; 64-bit values are `r4:5`, or `rd4` where registers are virtual",
    ),
    (
        "a register or a predicate",
        "write `r4` or `p0`; 64-bit values are `r4:5`, or `rd4` where registers are virtual",
    ),
    ("a predicate", "write `p0`, or `!p0` where it is negated"),
    (
        "the label of a block",
        "write a line `LABEL:` in front of where it is to go, or correct the name",
    ),
    (
        "a label before the first instruction",
        "write a line such as `entry:` in front of it",
    ),
    (
        "an instruction or a label",
        "write an instruction that ends in `;`, or a label that ends in `:`",
    ),
    (
        "bytes as pairs",
        "write two digits for each byte, such as `init \"01ff\"`",
    ),
    (
        "no more bytes than",
        "raise the variable's `size`, or take bytes out of its `init`",
    ),
    (
        "an operation that exists",
        "choose another type, state space or modifier, or several instructions",
    ),
    ("at most 4 destinations", "take the others out"),
    ("at most 6 sources", "take the others out"),
    (
        "at most 16777216 bytes",
        "take comments out, or make several kernels of it",
    ),
];

fn words<T: Named>() -> String {
    let words: Vec<&str> = T::NAMES.iter().map(|(_, word)| *word).collect();
    words.join(", ")
}

/// What to do where `expected` was expected; `at_end`: the text ends there.
pub(super) fn cure(expected: &str, at_end: bool) -> String {
    if at_end {
        return format!("the text is cut off, or lacks something: go on with {expected}");
    }
    if expected == "a type" || expected.starts_with("a type in") {
        return format!("types are {}", words::<Ty>());
    }
    if expected.starts_with("a state space") {
        return format!("state spaces are {}", words::<Space>());
    }
    let known = CURES.iter().find(|(start, _)| expected.starts_with(start));
    known.map_or_else(
        || {
            let (what, _) = expected.split_once(" in `").unwrap_or((expected, ""));
            format!("write {what} here, or correct what stands before it")
        },
        |(_, cure)| (*cure).to_owned(),
    )
}
