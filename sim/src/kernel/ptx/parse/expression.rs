//! Constant expressions, by precedence climbing.

use super::{MAX_DEPTH, Parser};
use crate::kernel::ptx::constant::{Binary, Expr, Node, Unary, Value};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::token::Kind;

/// Most values and operators in one expression.
const MAX_NODES: usize = 256;

/// Lanes of a warp; the predefined name `WARP_SZ`.
const WARP_SIZE: i64 = 32;

fn operator(symbol: &str) -> Option<(Binary, u8)> {
    Some(match symbol {
        "*" => (Binary::Mul, 10),
        "/" => (Binary::Div, 10),
        "%" => (Binary::Rem, 10),
        "+" => (Binary::Add, 9),
        "-" => (Binary::Sub, 9),
        "<<" => (Binary::Shl, 8),
        ">>" => (Binary::Shr, 8),
        "<" => (Binary::Lt, 7),
        ">" => (Binary::Gt, 7),
        "<=" => (Binary::Le, 7),
        ">=" => (Binary::Ge, 7),
        "==" => (Binary::Eq, 6),
        "!=" => (Binary::Ne, 6),
        "&" => (Binary::And, 5),
        "^" => (Binary::Xor, 4),
        "|" => (Binary::Or, 3),
        "&&" => (Binary::AndAlso, 2),
        "||" => (Binary::OrElse, 1),
        _ => return None,
    })
}

impl<'s> Parser<'_, 's> {
    /// A constant expression, perhaps with symbols.
    pub(super) fn expression(&mut self) -> Res<Expr<'s>> {
        self.nodes = 0;
        self.choice(0)
    }

    fn node(&mut self, depth: usize) -> Res<()> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(Problem::new(
                self.span(),
                "constant expression too large",
                format!("at most {MAX_NODES} operators, {MAX_DEPTH} deep"),
            ));
        }
        Ok(())
    }

    fn choice(&mut self, depth: usize) -> Res<Expr<'s>> {
        let condition = self.operators(0, depth)?;
        if !self.take("?") {
            return Ok(condition);
        }
        self.node(depth)?;
        let yes = self.choice(depth + 1)?;
        self.expect(":")?;
        let no = self.choice(depth + 1)?;
        let span = condition.span.to(no.span);
        Ok(Expr {
            node: Node::Choose(Box::new(condition), Box::new(yes), Box::new(no)),
            span,
        })
    }

    fn operators(&mut self, least: u8, depth: usize) -> Res<Expr<'s>> {
        let mut left = self.prefix(depth)?;
        while let Kind::Sym(symbol) = self.kind() {
            let Some((op, strength)) = operator(symbol).filter(|(_, strength)| *strength > least)
            else {
                break;
            };
            self.advance();
            self.node(depth)?;
            let right = self.operators(strength, depth + 1)?;
            let span = left.span.to(right.span);
            left = Expr {
                node: Node::Binary(op, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    fn prefix(&mut self, depth: usize) -> Res<Expr<'s>> {
        self.node(depth)?;
        let start = self.span();
        let op = match self.kind() {
            Kind::Sym("+") => Unary::Plus,
            Kind::Sym("-") => Unary::Minus,
            Kind::Sym("!") => Unary::Not,
            Kind::Sym("~") => Unary::Complement,
            Kind::Sym("(") => return self.parenthesis(depth),
            _ => return self.leaf(),
        };
        self.advance();
        let a = self.prefix(depth + 1)?;
        let span = start.to(a.span);
        Ok(Expr {
            node: Node::Unary(op, Box::new(a)),
            span,
        })
    }

    fn parenthesis(&mut self, depth: usize) -> Res<Expr<'s>> {
        let start = self.expect("(")?;
        let cast = match self.kind() {
            Kind::Dot(".s64") => Some(Unary::ToS64),
            Kind::Dot(".u64") => Some(Unary::ToU64),
            _ => None,
        };
        if let Some(op) = cast {
            self.advance();
            self.expect(")")?;
            let a = self.prefix(depth + 1)?;
            let span = start.to(a.span);
            return Ok(Expr {
                node: Node::Unary(op, Box::new(a)),
                span,
            });
        }
        let inner = self.choice(depth + 1)?;
        let span = start.to(self.expect(")")?);
        Ok(Expr { span, ..inner })
    }

    fn leaf(&mut self) -> Res<Expr<'s>> {
        let token = self.token();
        let value = match token.kind {
            Kind::Int(value, unsigned) => match i64::try_from(value) {
                Ok(value) if !unsigned => Value::Signed(value),
                _ => Value::Unsigned(value),
            },
            Kind::F32(bits) => Value::F32(bits),
            Kind::F64(value) => Value::F64(value),
            Kind::Ident("WARP_SZ") => Value::Signed(WARP_SIZE),
            Kind::Ident("generic") if self.ahead(1).kind == Kind::Sym("(") => {
                self.advance();
                self.advance();
                let name = self.name("a variable")?;
                let span = token.span.to(self.expect(")")?);
                return Ok(Expr {
                    node: Node::Generic(name),
                    span,
                });
            }
            Kind::Ident(text) => {
                self.advance();
                return Ok(Expr {
                    node: Node::Symbol(text),
                    span: token.span,
                });
            }
            _ => return Err(self.unexpected("a constant or a name")),
        };
        self.advance();
        Ok(Expr {
            node: Node::Value(value),
            span: token.span,
        })
    }
}
