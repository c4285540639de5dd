//! One cycle of a verilated module without what nobody reads.
//!
//! Verilator's `eval` computes at each call what the inputs feed, and at a rising edge the registers and then all that they feed.
//! Who sets the inputs, reads the outputs and then clocks sets the inputs anew before reading again: what the registers feed
//! was computed in vain. Here the low half of a cycle is what Verilator settles all combinational logic with before the first
//! cycle, and of the edge is left what that does not compute anew. Where Verilator's text reads otherwise than here, its `eval`
//! does the work, which is slower and no less right.

#[path = "bits.rs"]
pub mod bits;
#[path = "expr.rs"]
mod expr;

use bits::Widths;
use std::collections::HashSet;
use std::ops::Range;

/// Functions that make a cycle, all of the root object.
#[derive(Debug, PartialEq, Eq)]
pub struct Cycle {
    /// All combinational logic, from inputs and registers.
    pub settle: Vec<String>,
    /// The registers at a rising edge.
    pub edge: Vec<String>,
}

/// How to compute a cycle of what Verilator wrote, where the names of functions begin with `prefix`; `parts` lose what is not used
/// for it.
///
/// # Errors
/// Why `eval` has to do it; then `parts` are as they were.
pub fn direct(prefix: &str, header: &str, parts: &mut [String]) -> Result<Cycle, String> {
    // One trigger each: logic settles in one pass, and there is one edge of one clock.
    if header.contains("__VstlTriggered") && !header.contains("VlTriggerVec<1> __VstlTriggered") {
        return Err("logic that settles in more than one pass".into());
    }
    if ["ico", "act", "nba"]
        .iter()
        .any(|region| more_than_one_trigger(header, region))
    {
        return Err("more than one clock".into());
    }
    let settle = calls(parts, prefix, "eval_stl")?;
    let clocked = calls(parts, prefix, "eval_nba")?;
    if !calls(parts, prefix, "eval_act")?.is_empty() {
        return Err("logic before the edge".into());
    }
    let mut settled = HashSet::new();
    for function in &settle {
        let (part, body) = find(parts, prefix, function)?;
        for statement in statements(&parts[part][body]) {
            settled.extend(targets(statement).unwrap_or_default());
        }
    }
    let widths = Widths::of(header);
    let mut changes: Vec<(usize, Range<usize>, String)> = Vec::new();
    let mut edge = Vec::new();
    for function in clocked.iter().filter(|name| !settle.contains(name)) {
        let (part, body) = find(parts, prefix, function)?;
        let left = of_registers(&parts[part][body.clone()], &settled);
        let left = bits::as_words(&left, &widths);
        changes.push((part, body, left));
        edge.push(function.clone());
    }
    for function in calls(parts, prefix, "eval_ico")? {
        if !settle.contains(&function) {
            let (part, body) = find(parts, prefix, &function)?;
            changes.push((part, body, UNUSED.into()));
        }
    }
    changes.sort_by_key(|(_, body, _)| std::cmp::Reverse(body.start));
    for (part, body, text) in changes {
        parts[part].replace_range(body, &text);
    }
    // What is called once is compiled for size.
    for part in parts.iter_mut() {
        *part = part.replace("VL_ATTR_COLD ", "");
    }
    Ok(Cycle { settle, edge })
}

/// Body of a function that is never called.
const UNUSED: &str = "    std::abort();";

fn more_than_one_trigger(header: &str, region: &str) -> bool {
    let triggered = format!("> __V{region}Triggered;");
    let count = header
        .split_once(&triggered)
        .and_then(|(before, _)| before.rsplit_once("VlTriggerVec<"));
    count.is_some_and(|(_, count)| !["0", "1"].contains(&count))
}

/// The part in which a function is, and its body there.
fn find(parts: &[String], prefix: &str, function: &str) -> Result<(usize, Range<usize>), String> {
    let head = format!("void {prefix}{function}(");
    for (at, part) in parts.iter().enumerate() {
        for (start, _) in part.match_indices(&head) {
            let line = part[start..].split('\n').next().unwrap_or("");
            if !line.ends_with('{') {
                continue;
            }
            let start = start + line.len() + 1;
            let length = part[start..].find("\n}\n");
            let length = length.ok_or_else(|| format!("`{function}` does not end"))?;
            return Ok((at, start..start + length));
        }
    }
    Err(format!("no function `{function}`"))
}

/// What a function calls, under at most one condition.
fn calls(parts: &[String], prefix: &str, function: &str) -> Result<Vec<String>, String> {
    let (part, body) = find(parts, prefix, function)?;
    let body = &parts[part][body];
    if body.matches("Triggered").count() > 1 {
        return Err(format!("`{function}` asks more than once"));
    }
    let lines = body.lines().map(str::trim);
    let called = lines.filter(|line| line.contains(prefix) && !line.starts_with("VL_DEBUG_IF"));
    let names = called.map(|line| {
        let name = line.strip_prefix(prefix);
        let name = name.and_then(|name| name.strip_suffix("(vlSelf);"));
        name.map(str::to_owned)
            .ok_or_else(|| format!("`{function}` has `{line}`"))
    });
    names.collect()
}

/// The statements of a function body, blocks with their conditions as one.
fn statements(body: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, letter) in body.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        let rest = &body[at + letter.len_utf8()..];
        let ends = match letter {
            ';' => depth == 0,
            '}' => depth == 0 && !rest.trim_start().starts_with("else"),
            _ => false,
        };
        if ends {
            let end = at + letter.len_utf8();
            found.push(&body[start..end]);
            start = end;
        }
    }
    if !body[start..].trim().is_empty() {
        found.push(&body[start..]);
    }
    found
}

/// A statement in words: names, those of the root object as `vlSelf->name`, and single other letters; no comments.
fn words(statement: &str) -> Vec<&str> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (mut found, mut rest) = (Vec::new(), statement);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            rest = &rest[end..];
            continue;
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if is_name(first) {
            let own = if rest.starts_with("vlSelf->") { 8 } else { 0 };
            let name = rest[own..].find(|letter| !is_name(letter));
            own + name.unwrap_or(rest.len() - own)
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            found.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    found
}

/// What a statement assigns, if it does nothing else.
fn targets(statement: &str) -> Option<Vec<String>> {
    let words = words(statement);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        at = match words[at] {
            "{" | "}" | "else" => at + 1,
            "if" => closed(&words, at + 1)?,
            name => {
                let mut next = at + 1;
                while words.get(next) == Some(&"[") {
                    next = closed(&words, next)?;
                }
                if words.get(next) != Some(&"=") || words.get(next + 1) == Some(&"=") {
                    return None;
                }
                found.push(name.to_owned());
                next + words[next..].iter().position(|&word| word == ";")? + 1
            }
        };
    }
    Some(found)
}

/// The place behind the bracket that closes the one at `at`.
fn closed(words: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (place, word) in words.iter().enumerate().skip(at) {
        match *word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(place + 1);
        }
    }
    None
}

/// Of a function at the edge, what is needed for the registers: all that assigns what is not in `settled`, or may, and what
/// that reads.
fn of_registers<'a>(body: &'a str, settled: &HashSet<String>) -> Vec<&'a str> {
    let is_register = |name: &String| name.starts_with("vlSelf->") && !settled.contains(name);
    let mut wanted: HashSet<&str> = HashSet::new();
    let mut left = Vec::new();
    for statement in statements(body).into_iter().rev() {
        let assigned = targets(statement);
        let needed = assigned.as_ref().is_none_or(|names| {
            let mut names = names.iter();
            names.len() == 0 || names.any(|name| is_register(name) || wanted.contains(&**name))
        });
        if needed {
            if !is_declaration(statement) {
                wanted.extend(words(statement));
            }
            left.push(statement);
        }
    }
    left.reverse();
    left
}

/// Whether a statement only names a type and a variable.
fn is_declaration(statement: &str) -> bool {
    let words = words(statement);
    let name =
        |word: &str| word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    matches!(words[..], [kind, variable, ";"] if name(kind) && name(variable))
        || words.first() == Some(&"VlWide") && !words.contains(&"=")
}
