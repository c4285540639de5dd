//! Statements and operands of a function body.

use super::{MAX_DEPTH, Parser};
use crate::kernel::op::Space;
use crate::kernel::ptx::ast::{Inst, Linkage, Name, Operand, OperandKind, Span, Stmt};
use crate::kernel::ptx::constant::Node;
use crate::kernel::ptx::error::{MAX_PROBLEMS, Problem, Res};
use crate::kernel::ptx::token::Kind;

/// Most registers that one range `%r<N>` declares.
const MAX_RANGE: u32 = 1 << 20;

impl<'s> Parser<'_, 's> {
    /// `{ ... }` of a function; nested scopes become [`Stmt::Open`] and [`Stmt::Close`].
    pub(super) fn body(&mut self) -> Res<Vec<Stmt<'s>>> {
        self.expect("{")?;
        let mut stmts = Vec::new();
        let mut depth = 0;
        loop {
            if self.at_end() || self.problems.len() >= MAX_PROBLEMS {
                return Err(self.unexpected("`}`"));
            }
            if self.take("}") {
                if depth == 0 {
                    return Ok(stmts);
                }
                depth -= 1;
                stmts.push(Stmt::Close);
            } else if self.take("{") {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Problem::new(
                        self.last_span(),
                        "scopes nested too deeply",
                        format!("at most {MAX_DEPTH}"),
                    ));
                }
                stmts.push(Stmt::Open);
            } else if let Err(problem) = self.statement(&mut stmts) {
                self.record(*problem);
                self.skip_statement();
            }
        }
    }

    fn skip_statement(&mut self) {
        while !self.at_end() && !self.is("{") && !self.is("}") {
            if self.advance().kind == Kind::Sym(";") {
                return;
            }
        }
        // A brace inside an operand list: leave the vector, so that its end does not close the function.
        if self.is("{") {
            self.advance();
            while !self.at_end() && !self.is(";") && !self.is("{") {
                if self.advance().kind == Kind::Sym("}") {
                    break;
                }
            }
        }
    }

    fn statement(&mut self, stmts: &mut Vec<Stmt<'s>>) -> Res<()> {
        match self.kind() {
            Kind::Dot(".reg") => {
                self.advance();
                self.registers(stmts)
            }
            Kind::Dot(word @ (".shared" | ".local" | ".param" | ".global" | ".const")) => {
                self.advance();
                let space = match word {
                    ".shared" => Space::Shared,
                    ".local" => Space::Local,
                    ".param" => Space::Param,
                    ".global" => Space::Global,
                    _ => Space::Const,
                };
                let found = self.variables(space, Linkage::Local)?;
                stmts.extend(found.into_iter().map(Stmt::Var));
                Ok(())
            }
            Kind::Dot(".loc" | ".pragma" | ".file") => self.ignored(),
            Kind::Dot(_) => Err(self.unexpected("a declaration, a label or an instruction")),
            Kind::Sym(";") => {
                self.advance();
                Ok(())
            }
            Kind::Ident(_) if self.ahead(1).kind == Kind::Sym(":") => {
                let name = self.name("a label")?;
                self.expect(":")?;
                stmts.push(self.labelled(name)?);
                Ok(())
            }
            _ => {
                let inst = self.instruction()?;
                stmts.push(Stmt::Inst(inst));
                Ok(())
            }
        }
    }

    fn labelled(&mut self, name: Name<'s>) -> Res<Stmt<'s>> {
        match self.kind() {
            Kind::Dot(".branchtargets") => {
                let targets = self.targets("a label")?;
                Ok(Stmt::Targets { name, targets })
            }
            Kind::Dot(".calltargets") => {
                let targets = self.targets("a function")?;
                Ok(Stmt::CallTargets { name, targets })
            }
            Kind::Dot(".callprototype") => self.prototype(name),
            _ => Ok(Stmt::Label(name)),
        }
    }

    /// The names behind `.branchtargets` or `.calltargets`.
    fn targets(&mut self, what: &str) -> Res<Vec<Name<'s>>> {
        self.advance();
        let mut targets = vec![self.name(what)?];
        while self.take(",") {
            targets.push(self.name(what)?);
        }
        self.expect(";")?;
        Ok(targets)
    }

    fn registers(&mut self, stmts: &mut Vec<Stmt<'s>>) -> Res<()> {
        let ty = self.declared_type()?;
        loop {
            let name = self.name("a register")?;
            let mut count = None;
            if self.take("<") {
                let span = self.span();
                let number = self.small("a number of registers")?;
                if number > MAX_RANGE {
                    return Err(Problem::new(
                        span,
                        "too many registers in one range",
                        format!("at most {MAX_RANGE}"),
                    ));
                }
                count = Some(number);
                self.expect(">")?;
            }
            stmts.push(Stmt::Reg { name, ty, count });
            if !self.take(",") {
                break;
            }
        }
        self.expect(";").map(drop)
    }

    fn instruction(&mut self) -> Res<Inst<'s>> {
        let start = self.span();
        let guard = if self.take("@") {
            let negated = self.take("!");
            Some((negated, self.name("a predicate register")?))
        } else {
            None
        };
        let opcode = self.name("an instruction")?;
        let mut modifiers = Vec::new();
        while let Kind::Dot(text) = self.kind() {
            modifiers.push(Name {
                text,
                span: self.advance().span,
            });
        }
        let mut operands = Vec::new();
        while !self.is(";") {
            operands.push(self.operand(0)?);
            if !self.take(",") {
                break;
            }
        }
        let end = self.expect(";").map_err(|problem| {
            if operands.is_empty() {
                problem
            } else {
                self.unexpected("`,` or `;`")
            }
        })?;
        let span = Span {
            start: start.start,
            end: end.start,
        };
        Ok(Inst {
            guard,
            opcode,
            modifiers,
            operands,
            span,
        })
    }

    fn operand(&mut self, depth: usize) -> Res<Operand<'s>> {
        let start = self.span();
        if depth > MAX_DEPTH {
            return Err(Problem::new(
                start,
                "operands nested too deeply",
                format!("at most {MAX_DEPTH}"),
            ));
        }
        let kind = match self.kind() {
            Kind::Sym("{") => OperandKind::Vector(self.operands("{", "}", depth)?),
            Kind::Sym("(") if self.is_call_list() => {
                OperandKind::List(self.operands("(", ")", depth)?)
            }
            Kind::Sym("[") => self.address(depth)?,
            Kind::Sym("!") if matches!(self.ahead(1).kind, Kind::Ident(_)) => {
                self.advance();
                OperandKind::Not(self.name("a predicate")?)
            }
            Kind::Ident(text) => match (self.ahead(1).kind, self.ahead(2).kind) {
                (Kind::Dot(field), _) => {
                    self.advance();
                    self.advance();
                    OperandKind::Field(text, field)
                }
                (Kind::Sym("|"), Kind::Ident(_)) => {
                    let first = self.name("a register")?;
                    self.advance();
                    OperandKind::Pair(first, self.name("a predicate")?)
                }
                _ => {
                    let expr = self.expression()?;
                    match expr.node {
                        Node::Symbol(text) => OperandKind::Name(text),
                        _ => OperandKind::Const(expr),
                    }
                }
            },
            _ => OperandKind::Const(self.expression()?),
        };
        Ok(Operand {
            kind,
            span: start.to(self.last_span()),
        })
    }

    /// A parenthesis is a list in a call and a part of an expression elsewhere.
    fn is_call_list(&self) -> bool {
        let before = match self.at.checked_sub(1) {
            Some(at) => self.tokens[at].kind,
            None => return false,
        };
        match (before, self.ahead(1).kind) {
            (Kind::Ident("call") | Kind::Dot(".uni"), _) => true,
            (Kind::Sym(","), Kind::Ident(_) | Kind::Sym(")")) => true,
            (Kind::Sym(","), Kind::Int(..) | Kind::F32(_) | Kind::F64(_)) => {
                self.ahead(2).kind == Kind::Sym(",") || self.ahead(2).kind == Kind::Sym(")")
            }
            _ => false,
        }
    }

    fn operands(&mut self, open: &str, close: &str, depth: usize) -> Res<Vec<Operand<'s>>> {
        self.expect(open)?;
        let mut found = Vec::new();
        while !self.is(close) {
            found.push(self.operand(depth + 1)?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(found)
    }

    fn address(&mut self, depth: usize) -> Res<OperandKind<'s>> {
        self.expect("[")?;
        let expr = self.expression()?;
        let mut coordinates = false;
        while self.take(",") {
            coordinates = true;
            self.operand(depth + 1)?;
        }
        self.expect("]")?;
        Ok(if coordinates {
            OperandKind::Coordinates
        } else {
            OperandKind::Mem(expr)
        })
    }
}
