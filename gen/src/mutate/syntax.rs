//! Reads the part of Verilog-2005 that the exporter writes. What is not understood is an error, never left out: it would
//! be code without mutants.

use super::MutateError;
use super::tokens::{Kind, Token, number, tokens};
use super::tree::{Expr, Module, Node, Statement, When, constant};

/// All modules of a file.
pub(super) fn modules(text: &str) -> Result<Vec<Module>, MutateError> {
    let tokens = tokens(text);
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
    };
    let mut modules = Vec::new();
    while parser.at < tokens.len() {
        modules.push(parser.module()?);
    }
    Ok(modules)
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

/// Binary operators and how tightly they bind.
fn binding(operator: &str) -> Option<u8> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" | "<<<" | ">>>" => 8,
        "<" | "<=" | ">" | ">=" => 7,
        "==" | "!=" | "===" | "!==" => 6,
        "&" => 5,
        "^" | "~^" | "^~" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    fn word(&self) -> &'a str {
        self.tokens
            .get(self.at)
            .map_or("", |token| &self.text[token.span.clone()])
    }

    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn start(&self) -> usize {
        self.tokens
            .get(self.at)
            .map_or(self.text.len(), |token| token.span.start)
    }

    /// Where the word before ended.
    fn end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |at| self.tokens[at].span.end)
    }

    fn next(&mut self) -> &'a str {
        let word = self.word();
        self.at += 1;
        word
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &'static str) -> Result<(), MutateError> {
        if self.accept(word) {
            Ok(())
        } else {
            Err(self.unexpected(word))
        }
    }

    fn unexpected(&self, wanted: &'static str) -> MutateError {
        let line = self.text[..self.start().min(self.text.len())]
            .matches('\n')
            .count()
            + 1;
        MutateError::Syntax {
            line,
            found: self.word().to_owned(),
            wanted,
        }
    }

    fn skip_to(&mut self, word: &'static str) -> Result<(), MutateError> {
        while self.word() != word {
            if self.kind().is_none() {
                return Err(self.unexpected(word));
            }
            self.at += 1;
        }
        self.expect(word)
    }

    fn module(&mut self) -> Result<Module, MutateError> {
        self.expect("module")?;
        let mut module = Module {
            name: self.next().to_owned(),
            ..Module::default()
        };
        self.skip_to(")")?;
        module.ports_end = self.end() - 1;
        self.expect(";")?;
        module.body = self.end();
        while !self.accept("endmodule") {
            self.item(&mut module)?;
        }
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Result<(), MutateError> {
        match self.word() {
            "input" | "output" | "wire" | "reg" => self.declaration(module),
            "integer" | "genvar" => self.skip_to(";"),
            "localparam" | "parameter" => {
                self.next();
                self.range()?;
                let name = self.next().to_owned();
                self.expect("=")?;
                if let Node::Number(Some(value)) = self.expr(0)?.node {
                    module.constants.insert(name, value);
                }
                self.expect(";")
            }
            "assign" => {
                self.next();
                let target = self.primary()?;
                self.expect("=")?;
                let value = self.expr(0)?;
                module
                    .wires
                    .push((self.text[target.span].to_owned(), value));
                self.expect(";")
            }
            "always" => {
                self.next();
                self.expect("@")?;
                let first = self.at;
                if !self.accept("*") {
                    self.expect("(")?;
                    self.skip_to(")")?;
                }
                let edge = (first..self.at).any(|at| {
                    matches!(
                        &self.text[self.tokens[at].span.clone()],
                        "posedge" | "negedge"
                    )
                });
                let when = if edge { When::Edge } else { When::Always };
                let body = self.statement()?;
                module.processes.push((when, body));
                Ok(())
            }
            "initial" => {
                self.next();
                let body = self.statement()?;
                module.processes.push((When::Start, body));
                Ok(())
            }
            _ if self.kind() == Some(Kind::Word) => {
                self.at += 2;
                self.expect("(")?;
                module.instances.push(self.end());
                self.skip_to(";")
            }
            _ => Err(self.unexpected("an item of a module")),
        }
    }

    /// `[a:b]` with constants: how many; 1 without.
    fn range(&mut self) -> Result<u32, MutateError> {
        if !self.accept("[") {
            return Ok(1);
        }
        let bounds = [self.expr(0)?, {
            self.expect(":")?;
            self.expr(0)?
        }];
        self.expect("]")?;
        let [a, b] = bounds.map(|bound| constant(&bound));
        match (a, b) {
            (Some(a), Some(b)) => Ok(u32::try_from(a.abs_diff(b) + 1).unwrap_or(u32::MAX)),
            _ => Err(self.unexpected("constant bounds")),
        }
    }

    fn declaration(&mut self, module: &mut Module) -> Result<(), MutateError> {
        while matches!(self.word(), "input" | "output" | "wire" | "reg" | "signed") {
            self.next();
        }
        let bits = self.range()?;
        loop {
            let name = self.next().to_owned();
            let size = if self.word() == "[" {
                self.range()?
            } else {
                bits
            };
            module.sizes.insert(name.clone(), size);
            if self.accept("=") {
                let value = self.expr(0)?;
                module.wires.push((name, value));
            }
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, MutateError> {
        let start = self.start();
        match self.word() {
            "begin" => {
                self.next();
                if self.accept(":") {
                    self.next();
                }
                let mut body = Vec::new();
                while !self.accept("end") {
                    body.push(self.statement()?);
                }
                Ok(Statement::Block(body))
            }
            "if" => {
                self.next();
                self.expect("(")?;
                let condition = self.expr(0)?;
                self.expect(")")?;
                let then = Box::new(self.statement()?);
                let other = if self.accept("else") {
                    Some(Box::new(self.statement()?))
                } else {
                    None
                };
                Ok(Statement::If(condition, then, other))
            }
            "case" | "casez" => {
                self.next();
                self.expect("(")?;
                let subject = self.expr(0)?;
                self.expect(")")?;
                let mut arms = Vec::new();
                while !self.accept("endcase") {
                    if self.accept("default") {
                        self.accept(":");
                    } else {
                        while {
                            self.expr(0)?;
                            self.accept(",")
                        } {}
                        self.expect(":")?;
                    }
                    arms.push(self.statement()?);
                }
                Ok(Statement::Case(subject, arms))
            }
            "for" => {
                self.next();
                self.skip_to(")")?;
                Ok(Statement::For(Box::new(self.statement()?)))
            }
            "reg" | "integer" => {
                self.skip_to(";")?;
                Ok(Statement::Other)
            }
            ";" => {
                self.next();
                Ok(Statement::Other)
            }
            word if word.starts_with('$') => {
                self.skip_to(";")?;
                Ok(Statement::Other)
            }
            _ => {
                let target = self.primary()?;
                if !self.accept("<=") {
                    self.expect("=")?;
                }
                let value = self.expr(0)?;
                self.expect(";")?;
                Ok(Statement::Assign(target, value, start..self.end()))
            }
        }
    }

    fn expr(&mut self, least: u8) -> Result<Expr, MutateError> {
        let start = self.start();
        let mut left = self.unary()?;
        while let Some(bound) = binding(self.word()).filter(|&bound| bound > least) {
            let operator = self.next().to_owned();
            let right = self.expr(bound)?;
            let node = Node::Binary(operator, Box::new(left), Box::new(right));
            left = Expr {
                span: start..self.end(),
                node,
            };
        }
        if least == 0 && self.accept("?") {
            let then = self.expr(0)?;
            self.expect(":")?;
            let other = self.expr(0)?;
            let node = Node::Ternary(Box::new(left), Box::new(then), Box::new(other));
            left = Expr {
                span: start..self.end(),
                node,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, MutateError> {
        let start = self.start();
        if matches!(
            self.word(),
            "~" | "!" | "-" | "+" | "&" | "|" | "^" | "~&" | "~|" | "~^" | "^~"
        ) {
            let operator = self.next().to_owned();
            let argument = Box::new(self.unary()?);
            return Ok(Expr {
                span: start..self.end(),
                node: Node::Unary(operator, argument),
            });
        }
        self.primary()
    }

    fn list(&mut self, close: &'static str) -> Result<Vec<Expr>, MutateError> {
        let mut parts = vec![self.expr(0)?];
        while self.accept(",") || self.word() == "{" {
            parts.push(self.expr(0)?);
        }
        self.expect(close)?;
        Ok(parts)
    }

    fn primary(&mut self) -> Result<Expr, MutateError> {
        let start = self.start();
        let word = self.next();
        let node = match word {
            "(" => Node::Group(self.list(")")?),
            "{" => Node::Group(self.list("}")?),
            _ => match self.tokens.get(self.at - 1).map(|token| token.kind) {
                Some(Kind::Number) => Node::Number(number(word)),
                Some(Kind::Word) if word.starts_with('$') => {
                    self.expect("(")?;
                    Node::Group(self.list(")")?)
                }
                Some(Kind::Word) => {
                    let mut indices = Vec::new();
                    while self.accept("[") {
                        indices.push(self.expr(0)?);
                        if matches!(self.word(), ":" | "+:" | "-:") {
                            self.next();
                            indices.push(self.expr(0)?);
                        }
                        self.expect("]")?;
                    }
                    if indices.is_empty() {
                        Node::Name
                    } else {
                        Node::Select(indices)
                    }
                }
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("an expression"));
                }
            },
        };
        Ok(Expr {
            span: start..self.end(),
            node,
        })
    }
}
