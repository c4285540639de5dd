//! From words to the tree of [`super::ast`], by recursive descent with bounded depth.
//!
//! After a syntax error the parser skips to the end of the statement and goes on, so that one run reports several.

mod body;
mod expression;
mod module;
mod prototype;
mod variable;

use super::ast::{File, Name, Span};
use super::error::{MAX_PROBLEMS, Problem, Res};
use super::token::{Kind, Token, tokens};
use crate::kernel::op::Ty;

/// Deepest nesting of braces, brackets and parentheses.
const MAX_DEPTH: usize = 32;

/// Parses a file; places in it count from `offset`.
pub fn file(source: &str, offset: usize) -> Result<File<'_>, Vec<Problem>> {
    let tokens = tokens(source, offset).map_err(|problem| vec![*problem])?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        problems: Vec::new(),
        nodes: 0,
    };
    let file = parser.file();
    match file {
        Ok(file) if parser.problems.is_empty() => Ok(file),
        Ok(_) => Err(parser.problems),
        Err(problem) => {
            parser.problems.push(*problem);
            Err(parser.problems)
        }
    }
}

struct Parser<'t, 's> {
    tokens: &'t [Token<'s>],
    at: usize,
    problems: Vec<Problem>,
    /// Nodes of the expression being read.
    nodes: usize,
}

impl<'s> Parser<'_, 's> {
    fn token(&self) -> Token<'s> {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Token<'s> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + by).min(last)]
    }

    fn kind(&self) -> Kind<'s> {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// Span of the word before this one.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn advance(&mut self) -> Token<'s> {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Sym(found) if found == symbol)
    }

    fn is_dot(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Dot(found) if found == word)
    }

    fn at_end(&self) -> bool {
        self.kind() == Kind::End
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn take_dot(&mut self, word: &str) -> bool {
        let found = self.is_dot(word);
        if found {
            self.advance();
        }
        found
    }

    fn unexpected(&self, expected: &str) -> Box<Problem> {
        let found = match self.kind() {
            Kind::End => "end of file".to_owned(),
            Kind::Ident(text) | Kind::Dot(text) => format!("`{text}`"),
            Kind::Sym(text) => format!("`{text}`"),
            Kind::Str(_) => "string".to_owned(),
            Kind::Int(..) | Kind::F32(_) | Kind::F64(_) => "number".to_owned(),
        };
        Problem::new(
            self.span(),
            format!("unexpected {found}"),
            format!("expected {expected}"),
        )
    }

    fn expect(&mut self, symbol: &str) -> Res<Span> {
        if self.is(symbol) {
            Ok(self.advance().span)
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn name(&mut self, what: &str) -> Res<Name<'s>> {
        match self.kind() {
            Kind::Ident(text) => Ok(Name {
                text,
                span: self.advance().span,
            }),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A plain non-negative integer below 2^32.
    fn small(&mut self, what: &str) -> Res<u32> {
        match self.kind() {
            Kind::Int(value, _) if u32::try_from(value).is_ok() => {
                self.advance();
                Ok(value as u32)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn record(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// The scalar type that a modifier names.
pub fn scalar_type(word: &str) -> Option<Ty> {
    Some(match word {
        ".b8" => Ty::B8,
        ".b16" => Ty::B16,
        ".b32" => Ty::B32,
        ".b64" => Ty::B64,
        ".u8" => Ty::U8,
        ".u16" => Ty::U16,
        ".u32" => Ty::U32,
        ".u64" => Ty::U64,
        ".s8" => Ty::S8,
        ".s16" => Ty::S16,
        ".s32" => Ty::S32,
        ".s64" => Ty::S64,
        ".f16" => Ty::F16,
        ".f16x2" => Ty::F16x2,
        ".bf16" => Ty::Bf16,
        ".bf16x2" => Ty::Bf16x2,
        ".f32" => Ty::F32,
        ".f64" => Ty::F64,
        ".pred" => Ty::Pred,
        _ => return None,
    })
}
