//! Words of the PTX language, by `winnow` combinators.

use winnow::LocatingSlice;
use winnow::combinator::{alt, opt, peek, preceded, repeat};
use winnow::prelude::*;
use winnow::stream::{AsChar, Location};
use winnow::token::{any, literal, one_of, take_until, take_while};

use super::ast::Span;
use super::error::{Problem, Res};

/// A word and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'s> {
    pub kind: Kind<'s>,
    pub span: Span,
}

/// The kinds of words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'s> {
    /// `add`, `%r1`, `$L__BB0_1`, `_`
    Ident(&'s str),
    /// `.s32`, `.L1::no_allocate`, with the dot
    Dot(&'s str),
    /// Integer constant; true with suffix `U`
    Int(u64, bool),
    /// `0f3F800000`: bits of an f32
    F32(u32),
    /// `0d...` or a decimal number: an f64
    F64(f64),
    /// `"..."` without its quotes
    Str(&'s str),
    /// Punctuation and operators
    Sym(&'static str),
    /// End of the file
    End,
}

type Input<'s> = LocatingSlice<&'s str>;

fn follows(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

fn ident<'s>(input: &mut Input<'s>) -> ModalResult<&'s str> {
    alt((
        (
            one_of(|c: char| c.is_ascii_alphabetic()),
            take_while(0.., follows),
        )
            .take(),
        (one_of(['_', '$']), take_while(0.., follows)).take(),
        ('%', take_while(1.., follows)).take(),
    ))
    .parse_next(input)
}

fn dot<'s>(input: &mut Input<'s>) -> ModalResult<&'s str> {
    let part = || take_while(1.., follows);
    (
        '.',
        part(),
        repeat::<_, _, (), _, _>(0.., preceded("::", part())),
    )
        .take()
        .parse_next(input)
}

fn bits<'s>(letters: [char; 2], digits: usize) -> impl FnMut(&mut Input<'s>) -> ModalResult<u64> {
    move |input: &mut Input<'s>| {
        preceded(
            ('0', one_of(letters)),
            take_while(digits..=digits, AsChar::is_hex_digit),
        )
        .verify_map(|text: &str| u64::from_str_radix(text, 16).ok())
        .parse_next(input)
    }
}

fn radix<'s>(letters: [char; 2], radix: u32) -> impl FnMut(&mut Input<'s>) -> ModalResult<u64> {
    move |input: &mut Input<'s>| {
        preceded(
            ('0', one_of(letters)),
            take_while(1.., move |c: char| c.is_digit(radix)),
        )
        .verify_map(|text: &str| u64::from_str_radix(text, radix).ok())
        .parse_next(input)
    }
}

fn decimal_float(input: &mut Input<'_>) -> ModalResult<f64> {
    let exponent = || {
        (
            one_of(['e', 'E']),
            opt(one_of(['+', '-'])),
            take_while(1.., AsChar::is_dec_digit),
        )
    };
    let digits = || take_while(1.., AsChar::is_dec_digit);
    alt((
        (
            digits(),
            '.',
            take_while(0.., AsChar::is_dec_digit),
            opt(exponent()),
        )
            .void(),
        (digits(), exponent()).void(),
    ))
    .take()
    .verify_map(|text: &str| text.parse().ok())
    .parse_next(input)
}

fn integer(input: &mut Input<'_>) -> ModalResult<u64> {
    let octal = preceded('0', take_while(1.., AsChar::is_oct_digit))
        .verify_map(|text: &str| u64::from_str_radix(text, 8).ok());
    let decimal = take_while(1.., AsChar::is_dec_digit)
        .verify(|text: &str| text.len() == 1 || !text.starts_with('0'))
        .verify_map(|text: &str| text.parse().ok());
    alt((radix(['x', 'X'], 16), radix(['b', 'B'], 2), octal, decimal)).parse_next(input)
}

fn number<'s>(input: &mut Input<'s>) -> ModalResult<Kind<'s>> {
    alt((
        bits(['f', 'F'], 8).map(|bits| Kind::F32(bits as u32)),
        bits(['d', 'D'], 16).map(|bits| Kind::F64(f64::from_bits(bits))),
        decimal_float.map(Kind::F64),
        (integer, opt('U')).map(|(value, unsigned)| Kind::Int(value, unsigned.is_some())),
    ))
    .parse_next(input)
}

/// Longest first.
const SYMBOLS: [&str; 34] = [
    "@@", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", ",", ";", ":", "{", "}", "(", ")", "[",
    "]", "<", ">", "+", "-", "*", "/", "%", "!", "~", "|", "&", "^", "?", "=", "@", "#",
];

fn symbol<'s>(input: &mut Input<'s>) -> ModalResult<Kind<'s>> {
    let rest: &str = input.as_ref();
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => literal(*symbol).value(Kind::Sym(symbol)).parse_next(input),
        None => winnow::combinator::fail.parse_next(input),
    }
}

fn string<'s>(input: &mut Input<'s>) -> ModalResult<&'s str> {
    ('"', take_while(0.., |c| c != '"' && c != '\n'), '"')
        .map(|(_, text, _)| text)
        .parse_next(input)
}

fn trivia(input: &mut Input<'_>) -> ModalResult<()> {
    repeat(
        0..,
        alt((
            take_while(1.., |c: char| c.is_ascii_whitespace() || c == '\x0b').void(),
            ("//", take_while(0.., |c| c != '\n')).void(),
            ("/*", take_until(0.., "*/"), "*/").void(),
        )),
    )
    .parse_next(input)
}

fn word<'s>(input: &mut Input<'s>) -> ModalResult<Kind<'s>> {
    match peek(any).parse_next(input)? {
        '.' => dot.map(Kind::Dot).parse_next(input),
        '"' => string.map(Kind::Str).parse_next(input),
        '0'..='9' => number(input),
        'a'..='z' | 'A'..='Z' | '_' | '$' => ident.map(Kind::Ident).parse_next(input),
        _ => alt((ident.map(Kind::Ident), symbol)).parse_next(input),
    }
}

/// Splits a file into words; the last is [`Kind::End`]. Places count from `offset`, where the file begins.
pub fn tokens(source: &str, offset: usize) -> Res<Vec<Token<'_>>> {
    let mut input = LocatingSlice::new(source);
    let mut found = Vec::new();
    loop {
        let _ = trivia(&mut input);
        let start = input.current_token_start();
        if input.is_empty() {
            let at = offset + start;
            let span = Span { start: at, end: at };
            found.push(Token {
                kind: Kind::End,
                span,
            });
            return Ok(found);
        }
        let unclosed = source[start..].starts_with("/*");
        let Some(kind) = (!unclosed).then(|| word(&mut input).ok()).flatten() else {
            return Err(unreadable(&source[start..], offset + start));
        };
        let end = input.previous_token_end();
        let number = matches!(kind, Kind::Int(..) | Kind::F32(_) | Kind::F64(_));
        if number && source[end..].starts_with(|c: char| follows(c)) {
            return Err(unreadable(&source[start..], offset + start));
        }
        found.push(Token {
            kind,
            span: Span {
                start: offset + start,
                end: offset + end,
            },
        });
    }
}

fn unreadable(rest: &str, start: usize) -> Box<Problem> {
    let up_to = |end: usize| Span {
        start,
        end: start + end,
    };
    if rest.starts_with("/*") {
        return Problem::new(up_to(2), "comment without an end", "no `*/` follows");
    }
    if rest.starts_with('"') {
        let line = rest.find('\n').unwrap_or(rest.len());
        return Problem::new(
            up_to(line),
            "string without an end",
            "no `\"` before the end of the line",
        );
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        let end = rest
            .find(|c: char| !follows(c) && c != '.')
            .unwrap_or(rest.len());
        return Problem::new(up_to(end), "malformed number", "expected a PTX constant").help(
            "integers are decimal, 0x.. hexadecimal, 0.. octal or 0b.. binary and fit 64 bits; \
             floats are 0f and 8 or 0d and 16 hexadecimal digits, or decimal with a point",
        );
    }
    let length = any::<_, winnow::error::ContextError>
        .parse_next(&mut &*rest)
        .map_or(0, char::len_utf8);
    Problem::new(
        up_to(length),
        "unexpected character",
        "not part of the PTX language",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Kind<'_>> {
        tokens(source, 0)
            .expect("readable")
            .into_iter()
            .map(|token| token.kind)
            .collect()
    }

    #[test]
    fn every_form_of_number_has_its_value() {
        let words = kinds("10 0x1F 017 0b101 5U 0f3F800000 0d3FF0000000000000 1.5 2e3 0");
        let expected = [
            Kind::Int(10, false),
            Kind::Int(31, false),
            Kind::Int(15, false),
            Kind::Int(5, false),
            Kind::Int(5, true),
            Kind::F32(0x3f80_0000),
            Kind::F64(1.0),
            Kind::F64(1.5),
            Kind::F64(2000.0),
            Kind::Int(0, false),
            Kind::End,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn opcode_modifiers_and_special_registers_are_separate_words() {
        let words = kinds("ld.global.L1::no_allocate.f32 %tid.x /* c */ $L_1 _ // end");
        let expected = [
            Kind::Ident("ld"),
            Kind::Dot(".global"),
            Kind::Dot(".L1::no_allocate"),
            Kind::Dot(".f32"),
            Kind::Ident("%tid"),
            Kind::Dot(".x"),
            Kind::Ident("$L_1"),
            Kind::Ident("_"),
            Kind::End,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn an_octal_number_with_a_nine_is_refused() {
        let problem = tokens("mov 0193", 0).expect_err("malformed");
        assert_eq!(problem.message, "malformed number");
    }

    #[test]
    fn a_number_over_64_bits_is_refused() {
        assert!(tokens("18446744073709551616", 0).is_err());
        assert!(tokens("18446744073709551615", 0).is_ok());
    }
}
