//! Of the build script: which statements for single bits become one for a word, and which do not.

use super::cycle::bits::{Widths, as_words};

const HEADER: &str = "
        CData/*3:0*/ q;
        CData/*3:0*/ s;
        CData/*3:0*/ r;
        CData/*3:0*/ v;
        IData/*31:0*/ q32;
        IData/*31:0*/ s32;
        QData/*47:0*/ q48;
        QData/*47:0*/ s48;
        VlWide<4>/*127:0*/ wide;
        VlUnpacked<CData/*3:0*/, 8> rows;
    VL_OUT8(out,3,0);
";

/// What becomes of statements in which `root.` stands for the root object.
fn made(statements: &[String]) -> String {
    let full: Vec<String> = statements
        .iter()
        .map(|statement| statement.replace("root.", "vlSelf->"))
        .collect();
    let lines: Vec<&str> = full.iter().map(String::as_str).collect();
    as_words(&lines, &Widths::of(HEADER))
}

/// The statements of each of these bits.
fn each<const N: usize>(bits: [u32; N], statement: impl Fn(u32) -> String) -> Vec<String> {
    bits.into_iter().map(statement).collect()
}

/// They are left as they are.
fn left(statements: &[String]) {
    let before = statements.concat().replace("root.", "vlSelf->");
    assert_eq!(made(statements), before);
}

/// They become one statement, which has this.
#[track_caller]
fn one(statements: &[String], has: &[&str]) {
    let text = made(statements);
    assert!(!text.contains("if "), "{text}");
    assert_eq!(text.matches("left = ").count(), 1, "{text}");
    for part in has {
        let part = part.replace("root.", "vlSelf->");
        assert!(text.contains(&part), "no {part} in {text}");
    }
}

/// Set wins over reset, as Verilator writes it for four bits.
fn set_reset(k: u32) -> String {
    let (bit, others) = (1u32 << k, 0xf & !(1u32 << k));
    format!(
        "    if (({bit}U & (IData)(root.s))) {{\n        root.q \n            = ({bit:#x}U | (IData)(root.q));\n    }} \
         else if (({bit}U & (IData)(root.r))) {{\n        root.q = ({others:#x}U & (IData)(root.q));\n    }}\n"
    )
}

#[test]
fn bits_that_are_set_and_cleared_become_a_word() {
    let set = "bits = root.s & left; value = (value & ~bits) | bits; left &= ~bits;";
    let cleared = "bits = root.r & left; value = (value & ~bits) | 0; left &= ~bits;";
    one(
        &each([0, 1, 2, 3], set_reset),
        &[
            "left = 0xfULL, value = root.q;",
            set,
            cleared,
            "root.q = value;",
        ],
    );
    // Some of them, too.
    one(&each([3, 1], set_reset), &["left = 0xaULL"]);
}

#[test]
fn bits_that_are_written_become_a_word() {
    let copied = |k: u32| {
        let (bit, others) = (1u32 << k, 0xf & !(1u32 << k));
        format!(
            "    if (({bit}U & ((IData)(root.s) & (~ (IData)(root.r))))) {{\n        root.q = (({others:#x}U & (IData)(root.q)) \
             | ({bit}U & (IData)(root.v)));\n    }}\n"
        )
    };
    one(
        &each([0, 1, 2, 3], copied),
        &[
            "bits = (((IData)root.s) & (~((IData)root.r))) & left;",
            "| (root.v & bits);",
        ],
    );
}

#[test]
fn wide_registers_are_shifted_for_each_bit() {
    let written = |k: u32| {
        let others = ((1u64 << 48) - 1) & !(1u64 << k);
        let (from, to) = match k {
            0 => ("root.s48".to_owned(), String::new()),
            k => (format!("(root.s48 >> {k:#x}U)"), format!(" << {k:#x}U")),
        };
        let new = match k {
            0 => "(IData)((IData)(bit__Vlvbound))".to_owned(),
            _ => format!("((QData)((IData)(bit__Vlvbound)){to})"),
        };
        format!(
            "    if ((1U & (IData)({from}))) {{\n        bit__Vlvbound = (1U & (IData)({from}));\n        \
             root.q48 = (({others:#x}ULL & root.q48) | {new});\n    }}\n"
        )
    };
    one(
        &each([0, 1, 40, 47], written),
        &[
            "left = 0x810000000003ULL",
            "bits = root.s48 & left",
            "(root.s48 & bits)",
        ],
    );
    // The highest bit of 32 is what is left of the word.
    let highest = |k: u32| {
        let (bit, others) = (1u32 << k, !(1u32 << k));
        let asked = match k {
            31 => "(root.s32 >> 0x1fU)".to_owned(),
            _ => format!("({bit:#x}U & root.s32)"),
        };
        format!("    if ({asked}) {{\n        root.q32 = ({others:#x}U & root.q32);\n    }}\n")
    };
    one(&each([30, 31], highest), &["left = 0xc0000000ULL"]);
    let not_the_highest = highest(31).replace("0x1fU", "0x1eU");
    left(&[highest(30), not_the_highest]);
}

#[test]
fn other_statements_are_left() {
    let four = || each([0, 1, 2, 3], set_reset);
    let [zero, one, ..] = &four()[..] else {
        unreachable!()
    };
    // Alone, twice the same, another register, another word.
    left(std::slice::from_ref(zero));
    left(&[zero.clone(), zero.clone()]);
    left(&[zero.clone(), one.replace("root.q", "root.v")]);
    left(&[zero.clone(), one.replace("root.r", "root.v")]);
    // One is first reset, the other first set.
    left(&[
        zero.clone(),
        one.replace("root.s", "root.x")
            .replace("root.r", "root.s")
            .replace("root.x", "root.r"),
    ]);
    for (from, to) in [
        // Another bit is asked, or changes.
        ("(2U & (IData)(root.s))", "(4U & (IData)(root.s))"),
        ("(0x2U | (IData)(root.q))", "(0x6U | (IData)(root.q))"),
        // More bits are cleared.
        ("(0xdU &", "(0x5U &"),
        ("(0xdU &", "(0x1dU &"),
        // More bits are asked for.
        ("(2U & (IData)(root.r))", "(6U & (IData)(root.r))"),
        // Something happens otherwise, or beside it.
        ("    }\n", "    } else {\n        root.v = 0U;\n    }\n"),
        (
            "(IData)(root.q));\n    }\n",
            "(IData)(root.q));\n        root.v = 0U;\n    }\n",
        ),
        // Not from the register's own value.
        ("(0xdU & (IData)(root.q))", "(0xdU & (IData)(root.v))"),
        ("root.s", "root.s[0U]"),
        // A narrower cast.
        ("(IData)(root.s)", "(SData)(root.s)"),
    ] {
        let changed = |statement: &str| statement.replacen(from, to, 1);
        assert_ne!(changed(one), *one, "{from}");
        left(&[zero.clone(), changed(one)]);
        left(&[changed(one), zero.clone()]);
    }
    // Of what has no known width nothing is said.
    for unknown in ["out", "wide", "rows"] {
        let other = |statement: &String| statement.replace("root.q", &format!("root.{unknown}"));
        left(&four().iter().map(other).collect::<Vec<_>>());
    }
}

#[test]
fn a_bit_of_another_place_is_not_copied_as_a_word() {
    let written = |from: u32, k: u32, to: u32| {
        let others = 0xf & !(1u32 << k);
        format!(
            "    if ((1U & ((IData)(root.s) >> {k}U))) {{\n        root.q = (({others:#x}U & (IData)(root.q)) \
             | ((IData)((1U & ((IData)(root.v) >> {from}U))) << {to}U));\n    }}\n"
        )
    };
    one(&[written(1, 1, 1), written(2, 2, 2)], &["(root.v & bits)"]);
    left(&[written(0, 1, 1), written(1, 2, 2)]);
    left(&[written(1, 1, 2), written(2, 2, 3)]);
    // A cast to 32 bits lets no higher one pass.
    let high = |k: u32| {
        let others = ((1u64 << 48) - 1) & !(1u64 << k);
        format!(
            "    if ((1U & ((IData)(root.s48) >> {k}U))) {{\n        root.q48 = ({others:#x}ULL & root.q48);\n    }}\n"
        )
    };
    left(&[high(40), high(41)]);
    one(&[high(4), high(5)], &[]);
}

#[test]
fn what_is_alike_for_all_bits_but_not_of_one_bit_is_left() {
    let statement = |k: u32, asked: &str, change: &str| {
        let names = [
            ("BIT", 1u32 << k),
            ("OTHERS", 0xf & !(1u32 << k)),
            ("NEXT", 2u32 << k),
            ("K", k),
        ];
        let text = format!(
            "    if ((BIT & (IData)(root.s))) {{\n        root.q = (OTHERS & (IData)(root.q));\n    }} \
                            else if ({asked}) {{\n        {change}\n    }}\n"
        );
        names.iter().fold(text, |text, (name, value)| {
            text.replace(name, &format!("{value:#x}U"))
        })
    };
    let cleared = "root.q = (OTHERS & (IData)(root.q));";
    let asked = "(BIT & (IData)(root.r))";
    let both = |asked: &str, change: &str| each([0, 1], |k| statement(k, asked, change));
    one(&both(asked, cleared), &["bits = root.r & left"]);
    // Another register, or another bit of it, in the second case.
    left(&both(asked, "root.v = (OTHERS & (IData)(root.v));"));
    left(&both(
        "(NEXT & (IData)(root.r))",
        "root.q = (NEXT | (IData)(root.q));",
    ));
    // The bit above the one that is shifted down to the lowest place.
    left(&both("(2U & ((IData)(root.r) >> K))", cleared));
    // Two bits at once.
    let twice = "root.q = (((OTHERS & (IData)(root.q)) | (BIT & (IData)(root.v))) | (BIT & (IData)(root.r)));";
    left(&both(asked, twice));
    // A bit that lands beside its place.
    let beside = "root.q = ((OTHERS & (IData)(root.q)) | ((IData)((BIT & (IData)(root.v))) << K));";
    left(&each([1, 2], |k| statement(k, asked, beside)));
    // All bits of a variable from one on.
    let from_on = "(root.s32 >> K)";
    let in_32 = |k| {
        statement(k, from_on, cleared)
            .replace("0xe", "0xfffffffe")
            .replace("0xd", "0xfffffffd")
            .replace("root.q", "root.q32")
    };
    left(&each([0, 1], in_32));
}

#[test]
fn a_register_that_moves_within_itself_is_left() {
    // Bit 1 takes what bit 0 has become: one after the other is not all at once.
    let moved = |k: u32, asked: &str| {
        let (bit, others) = (1u32 << k, 0xf & !(1u32 << k));
        format!(
            "    if (({bit}U & {asked})) {{\n        root.q = ({others:#x}U & (IData)(root.q));\n    }}\n"
        )
    };
    let of_itself = |k| moved(k, "((IData)(root.s) & ((IData)(root.q) << 1U))");
    left(&each([0, 1, 2], of_itself));
    let copied = |k: u32, from: &str| {
        let (bit, others) = (1u32 << k, 0xf & !(1u32 << k));
        format!(
            "    if (({bit}U & (IData)(root.s))) {{\n        root.q = (({others:#x}U & (IData)(root.q)) | ({bit}U & \
             ((IData)({from}) << 1U)));\n    }}\n"
        )
    };
    left(&each([0, 1, 2], |k| copied(k, "root.q")));
    one(
        &each([0, 1, 2], |k| copied(k, "root.v")),
        &["(((IData)root.v) << 0x1ULL) & bits)"],
    );
    let of_another = |k| moved(k, "((IData)(root.s) & ((IData)(root.v) << 1U))");
    one(&each([0, 1, 2], of_another), &["left = 0x7ULL"]);
}
