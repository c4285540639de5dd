//! Words of Verilog-2005 with their places, as far as the exporter's output needs them.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Identifier, keyword or system task.
    Word,
    /// Number, with its base if it has one.
    Number,
    /// Operator or punctuation.
    Symbol,
    /// Text in quotes.
    Text,
}

/// A word and where it is, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Operators of more than one character, longest first.
const LONG: [&str; 18] = [
    "<<<", ">>>", "===", "!==", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "~&", "~|", "~^",
    "^~", "+:", "-:",
];

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

/// The words of `text`, without blanks, comments, compiler directives and what stands under `ifdef.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let run = |from: usize, accept: &dyn Fn(u8) -> bool| {
        from + bytes[from..].iter().take_while(|&&c| accept(c)).count()
    };
    while at < bytes.len() {
        let rest = &text[at..];
        let c = bytes[at];
        let (kind, end) = if c.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if rest.starts_with("`ifdef") {
            // Only proofs see what stands there.
            at += rest.find("`endif").map_or(rest.len(), |end| end + 6);
            continue;
        } else if rest.starts_with("//") || c == b'`' {
            at = run(at, &|c| c != b'\n');
            continue;
        } else if rest.starts_with("/*") || rest.starts_with("(*") && !rest.starts_with("(*)") {
            let close = if c == b'/' { "*/" } else { "*)" };
            at += rest[2..].find(close).map_or(rest.len(), |end| end + 4);
            continue;
        } else if c == b'"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            (Kind::Text, at + end)
        } else if c.is_ascii_digit() || c == b'\'' {
            let mut end = run(at, &|c| c.is_ascii_digit() || c == b'_');
            if bytes.get(end) == Some(&b'\'') {
                end = run(end + 1, &is_word);
            }
            (Kind::Number, end)
        } else if is_word(c) {
            (Kind::Word, run(at, &is_word))
        } else {
            let long = LONG.iter().find(|operator| rest.starts_with(**operator));
            let length = long.map_or_else(
                || rest.chars().next().map_or(1, char::len_utf8),
                |o| o.len(),
            );
            (Kind::Symbol, at + length)
        };
        found.push(Token {
            kind,
            span: at..end,
        });
        at = end;
    }
    found
}

/// A number's width (32 if it names none) and value; `None` for a value of more than 128 bits, or with x or z.
pub(super) fn number(text: &str) -> Option<(u32, u128)> {
    let digits = |text: &str, radix| u128::from_str_radix(&text.replace('_', ""), radix).ok();
    let Some((width, rest)) = text.split_once('\'') else {
        return Some((32, digits(text, 10)?));
    };
    let rest = rest.trim_start_matches(['s', 'S']);
    let radix = match rest.chars().next()?.to_ascii_lowercase() {
        'h' => 16,
        'd' => 10,
        'o' => 8,
        'b' => 2,
        _ => return None,
    };
    let width = if width.is_empty() {
        32
    } else {
        width.parse().ok()?
    };
    Some((width, digits(&rest[1..], radix)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_directives_are_no_words() {
        let text = "`default_nettype none\na <= /* b */ 6'h2f; // c\nalways @(*) x$q = ~y;";
        let words: Vec<_> = tokens(text)
            .into_iter()
            .map(|token| &text[token.span])
            .collect();
        assert_eq!(
            words,
            [
                "a", "<=", "6'h2f", ";", "always", "@", "(", "*", ")", "x$q", "=", "~", "y", ";"
            ]
        );
    }

    #[test]
    fn numbers_have_width_and_value() {
        assert_eq!(
            ["6'b101", "48'hff", "7", "2'd3", "4'bx1"].map(number),
            [
                Some((6, 5)),
                Some((48, 255)),
                Some((32, 7)),
                Some((2, 3)),
                None
            ]
        );
    }
}
