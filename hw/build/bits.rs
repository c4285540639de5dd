//! Registers that change bit by bit, as words.
//!
//! Of a register of which each bit has its own enable, Verilator writes a statement per bit. Where bits of one register depend
//! in the same way on the same bits of the same words, one statement does for all of them.

use super::expr::{Expr, Operator, after, expression, is_name};
use super::words;
use std::collections::HashMap;

/// Bits of the variables of the root object that are kept in one machine word.
pub struct Widths(HashMap<String, u32>);

impl Widths {
    /// From the declaration of the root object.
    pub fn of(header: &str) -> Self {
        let widths = header.lines().filter_map(|line| {
            let (kind, rest) = line.trim().split_once("/*")?;
            let (range, name) = rest.split_once("*/ ")?;
            let highest = range.strip_suffix(":0")?.parse::<u32>().ok()?;
            let name = name.strip_suffix(';').filter(|name| is_name(name))?;
            let fits = ["CData", "SData", "IData", "QData"].contains(&kind) && highest < 64;
            fits.then(|| (format!("vlSelf->{name}"), highest + 1))
        });
        Self(widths.collect())
    }

    fn of_name(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }
}

/// What becomes of a bit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Clear,
    Set,
    /// It takes the same bit of a word.
    Copy(Expr),
}

/// `if (bit of a word) { the same bit of the register changes } else if ...`, for one bit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    register: String,
    /// The words whose bit decides, each unless one before does, and what it does.
    cases: Vec<(Expr, Change)>,
}

/// The statements, runs of those that do the same to several bits of a register as one statement each.
pub fn as_words(statements: &[&str], widths: &Widths) -> String {
    let steps: Vec<_> = statements
        .iter()
        .map(|statement| step(statement, widths))
        .collect();
    let mut text = String::new();
    let mut at = 0;
    while at < statements.len() {
        let mut bits = 0_u64;
        let mut end = at;
        if let Some((_, first)) = &steps[at] {
            while let Some(Some((bit, other))) = steps.get(end)
                && other == first
                && bits >> bit & 1 == 0
            {
                bits |= 1 << bit;
                end += 1;
            }
        }
        match &steps[at] {
            Some((_, step)) if end - at > 1 => text.push_str(&step.text(bits)),
            _ => {
                end = at + 1;
                text.push_str(statements[at]);
            }
        }
        at = end;
    }
    text
}

impl Step {
    /// Whether a bit may depend on what others of the register have become before it.
    fn reads_itself(&self) -> bool {
        self.cases.iter().any(|(word, change)| {
            word.has(&self.register)
                || matches!(change, Change::Copy(word) if word.has(&self.register))
        })
    }

    /// The statement for these bits.
    fn text(&self, bits: u64) -> String {
        let Self { register, cases } = self;
        let mut text =
            format!("\n    {{\n        uint64_t left = {bits:#x}ULL, value = {register};\n");
        for (word, change) in cases {
            let value = match change {
                Change::Clear => "0".to_owned(),
                Change::Set => "bits".to_owned(),
                Change::Copy(word) => format!("({} & bits)", word.show()),
            };
            text.push_str(&format!(
                "        {{ const uint64_t bits = {} & left; value = (value & ~bits) | {value}; left &= ~bits; }}\n",
                word.show()
            ));
        }
        text.push_str(&format!("        {register} = value;\n    }}"));
        text
    }
}

/// A statement as a step, and of which bit.
fn step(statement: &str, widths: &Widths) -> Option<(u32, Step)> {
    let words = words(statement);
    let mut rest = &words[..];
    let mut step: Option<(u32, Step)> = None;
    loop {
        rest = after(rest, "if")?;
        let (condition, behind) = expression(rest)?;
        let (bit, word) = decides(&condition, widths)?;
        let (register, change, behind) = block(behind, bit, widths)?;
        match &mut step {
            None => {
                let cases = vec![(word, change)];
                step = Some((bit, Step { register, cases }));
            }
            Some((first, step)) if *first == bit && step.register == register => {
                step.cases.push((word, change));
            }
            Some(_) => return None,
        }
        rest = behind;
        if rest.is_empty() {
            return step.filter(|(_, step)| !step.reads_itself());
        }
        rest = after(rest, "else")?;
    }
}

/// `{ register = change of one bit; }`, possibly with the bit's new value in a variable of Verilator's before.
fn block<'a, 'b>(
    words: &'a [&'b str],
    bit: u32,
    widths: &Widths,
) -> Option<(String, Change, &'a [&'b str])> {
    let (mut name, mut value, mut rest) = assignment(after(words, "{")?)?;
    if name.contains("__Vlvbound") {
        let (register, with_variable, behind) = assignment(rest)?;
        value = with_variable.replaced(&name, &value);
        (name, rest) = (register, behind);
    }
    let all = u64::MAX >> (64 - widths.of_name(&name)?);
    let change = change(&value, &name, bit, all)?;
    Some((name, change, after(rest, "}")?))
}

fn assignment<'a, 'b>(words: &'a [&'b str]) -> Option<(String, Expr, &'a [&'b str])> {
    let (name, rest) = words.split_first()?;
    let (value, rest) = expression(after(rest, "=")?)?;
    is_name(name).then_some(())?;
    Some(((*name).to_owned(), value, after(rest, ";")?))
}

/// Without the casts around it, if this bit passes through them.
fn bare(expr: &Expr, bit: u32) -> Option<&Expr> {
    match expr {
        Expr::Cast(kind, _) if kind == "IData" && bit > 31 => None,
        Expr::Cast(_, inner) => bare(inner, bit),
        other => Some(other),
    }
}

/// `one bit & word`, or `1 & (word >> bit)`: the bit of the word, where it is now, and the word.
fn one_bit(expr: &Expr) -> Option<(u32, u32, &Expr)> {
    let Expr::Two(mask, Operator::And, word) = bare(expr, 0)? else {
        return None;
    };
    let Expr::Number(mask) = **mask else {
        return None;
    };
    mask.is_power_of_two().then_some(())?;
    let place = mask.trailing_zeros();
    let word = bare(word, place)?;
    match shifted(word) {
        Some((word, by)) if place == 0 => Some((by, 0, bare(word, by)?)),
        Some(_) => None,
        None => Some((place, place, word)),
    }
}

/// A word that is shifted down, and by how much.
fn shifted(expr: &Expr) -> Option<(&Expr, u32)> {
    match expr {
        Expr::Two(word, Operator::Down, by) => match **by {
            Expr::Number(by) if by < 64 => Some((word, by as u32)),
            _ => None,
        },
        _ => None,
    }
}

/// The bit that a condition asks for, and the word.
fn decides(condition: &Expr, widths: &Widths) -> Option<(u32, Expr)> {
    if let Some((bit, _, word)) = one_bit(condition) {
        return Some((bit, word.clone()));
    }
    // What is left of a variable when it is shifted down as far as can be.
    let (word, by) = shifted(condition)?;
    let Expr::Name(name) = word else {
        return None;
    };
    (widths.of_name(name)? == by + 1).then(|| (by, word.clone()))
}

/// What a new value does to this bit of a register that has `all` bits; nothing to the others.
fn change(value: &Expr, register: &str, bit: u32, all: u64) -> Option<Change> {
    let itself = |expr: &Expr| {
        let expr = bare(expr, all.ilog2());
        matches!(expr, Some(Expr::Name(name)) if name == register)
    };
    let Expr::Two(left, operator, right) = value else {
        return None;
    };
    let mask = match **left {
        Expr::Number(mask) if itself(right) => Some(mask),
        _ => None,
    };
    match (operator, mask) {
        (Operator::And, Some(mask)) => (mask == all & !(1 << bit)).then_some(Change::Clear),
        (Operator::Or, Some(mask)) => (mask == 1 << bit).then_some(Change::Set),
        (Operator::Or, None) => {
            (change(left, register, bit, all)? == Change::Clear).then_some(())?;
            let (from, place, word) = match bare(right, bit)? {
                Expr::Two(low, Operator::Up, by) if **by == Expr::Number(bit.into()) => {
                    let (from, place, word) = one_bit(bare(low, 0)?)?;
                    (from, place + bit, word)
                }
                new => one_bit(new)?,
            };
            (from == bit && place == bit).then(|| Change::Copy(word.clone()))
        }
        _ => None,
    }
}
