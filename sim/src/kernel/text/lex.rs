//! From text to tokens.

use std::ops::Range;

use winnow::combinator::{alt, delimited, repeat};
use winnow::error::ContextError;
use winnow::prelude::*;
use winnow::token::{any, none_of, one_of, take_till, take_while};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name, register, number, mnemonic or directive.
    Word(&'a str),
    /// Text in quotes, unescaped.
    Quoted(String),
    /// One of `, ; : { } [ ] + - | ! @ #`.
    Mark(char),
    /// Anything else.
    Stray(char),
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '%')
}

/// Whether the text is one word.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

type Lexed<T> = winnow::Result<T, ContextError>;

fn blank(input: &mut &str) -> Lexed<()> {
    let comment = ("//", take_till(0.., '\n')).void();
    let space = take_while(1.., char::is_whitespace).void();
    repeat(0.., alt((space, comment))).parse_next(input)
}

fn quoted(input: &mut &str) -> Lexed<String> {
    let escape = ('\\', any).map(|(_, c)| if c == 'n' { '\n' } else { c });
    let inside = repeat(0.., alt((escape, none_of(['"', '\\', '\n']))));
    delimited('"', inside, '"').parse_next(input)
}

fn token<'a>(input: &mut &'a str) -> Lexed<Token<'a>> {
    alt((
        take_while(1.., is_word_char).map(Token::Word),
        quoted.map(Token::Quoted),
        one_of([
            ',', ';', ':', '{', '}', '[', ']', '+', '-', '|', '!', '@', '#',
        ])
        .map(Token::Mark),
        any.map(Token::Stray),
    ))
    .parse_next(input)
}

/// All tokens with their places in bytes. There is no text that has none: what is no token is a stray.
pub(super) fn lex(text: &str) -> Vec<(Token<'_>, Range<usize>)> {
    let mut rest = text;
    let mut tokens = Vec::new();
    loop {
        // Blank text is never wrong, and something is always a token: the errors cannot happen.
        let _ = blank(&mut rest);
        let start = text.len() - rest.len();
        let Ok(token) = token(&mut rest) else {
            return tokens;
        };
        tokens.push((token, start..text.len() - rest.len()));
    }
}
