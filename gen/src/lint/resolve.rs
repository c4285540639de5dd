//! rust-hdl's tree with loops unrolled and names resolved, as the rules read it.

use super::design::{Module, Net};
use super::{Findings, Rule};
use crate::unroll::{Loops, index_value};
use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogExpression, VerilogLink, VerilogOp,
    VerilogOpUnary, VerilogStatement,
};
use std::fmt;

pub(super) const UNKNOWN_NAME: Rule = Rule {
    id: "unknown-name",
    what: "a name that is no signal of this block (a bare const or const generic, a field of a nested struct, a \
           simulation-only field) is written to Verilog as it stands and is undeclared there",
    cure: "use a Constant field for a const; give a struct's field a signal of its own",
};

pub(super) const TWO_DIMENSIONS: Rule = Rule {
    id: "two-dimensional-index",
    what: "only the first index of `a[i][j]` is resolved; the second stays in the name",
    cure: "flatten the array to one dimension",
};

pub(super) const DYNAMIC_ARRAY_INDEX: Rule = Rule {
    id: "dynamic-array-index",
    what: "an array of signals or blocks can only be indexed by loop variables and numbers",
    cure: "write a loop over all entries that selects one",
};

/// An expression whose names and widths are known.
pub(super) enum Expr {
    /// A declared signal or constant.
    Net {
        name: String,
        net: Net,
    },
    /// A literal or the value of a loop variable; `bits` is the width Verilog gives it.
    Number {
        value: Option<u64>,
        bits: usize,
        boolean: bool,
    },
    /// A name that nothing declares; reported when it was resolved.
    Unknown(String),
    Paren(Box<Expr>),
    Binary(Box<Expr>, VerilogOp, Box<Expr>),
    Unary(VerilogOpUnary, Box<Expr>),
    Cast(Box<Expr>, usize),
    Sign(Box<Expr>),
    Bit(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, usize, Box<Expr>),
    ReplaceBit(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// A statement; `origin` is the same for all copies that a loop makes of it, and never 0.
pub(super) struct Stmt {
    pub origin: usize,
    pub kind: StmtKind,
}

pub(super) enum StmtKind {
    Assign {
        target: Expr,
        value: Expr,
    },
    AssignSlice {
        target: Expr,
        offset: Expr,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Match {
        test: Expr,
        arms: Vec<(String, Vec<Stmt>)>,
    },
    /// Interfaces joined: both ends, and all that belongs to them, are driven.
    Join {
        ends: Vec<String>,
    },
}

impl Stmt {
    /// Visits this statement and all inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Stmt)) {
        visit(self);
        let blocks: Vec<&Vec<Stmt>> = match &self.kind {
            StmtKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            StmtKind::Match { arms, .. } => arms.iter().map(|arm| &arm.1).collect(),
            StmtKind::Assign { .. } | StmtKind::AssignSlice { .. } | StmtKind::Join { .. } => {
                vec![]
            }
        };
        blocks
            .into_iter()
            .flatten()
            .for_each(|stmt| stmt.walk(visit));
    }

    /// The expressions that this statement itself reads: right sides, tests, offsets.
    pub fn reads(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { value, .. } => vec![value],
            StmtKind::AssignSlice { offset, value, .. } => vec![offset, value],
            StmtKind::If { test, .. } | StmtKind::Match { test, .. } => vec![test],
            StmtKind::Join { .. } => vec![],
        }
    }
}

impl Expr {
    /// Visits this expression and all inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Net { .. } | Expr::Number { .. } | Expr::Unknown(_) => {}
            Expr::Paren(x) | Expr::Unary(_, x) | Expr::Cast(x, _) | Expr::Sign(x) => x.walk(visit),
            Expr::Binary(l, _, r) | Expr::Bit(l, r) | Expr::Slice(l, _, r) => {
                l.walk(visit);
                r.walk(visit);
            }
            Expr::ReplaceBit(base, index, value) => {
                [base, index, value].iter().for_each(|x| x.walk(visit))
            }
        }
    }
}

/// Resolves one `update`, reporting what has no meaning in Verilog.
pub(super) fn resolve(module: &Module, block: &VerilogBlock, findings: &mut Findings) -> Vec<Stmt> {
    let mut resolver = Resolver {
        module,
        findings,
        loops: Loops::new(),
        origin: 0,
    };
    let mut out = Vec::new();
    resolver.block(block, &mut out);
    out
}

struct Resolver<'a> {
    module: &'a Module,
    findings: &'a mut Findings,
    loops: Loops,
    origin: usize,
}

impl Resolver<'_> {
    fn nested(&mut self, block: &VerilogBlock) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.block(block, &mut out);
        out
    }

    fn block(&mut self, block: &VerilogBlock, out: &mut Vec<Stmt>) {
        block.iter().for_each(|stmt| self.stmt(stmt, out));
    }

    fn stmt(&mut self, stmt: &VerilogStatement, out: &mut Vec<Stmt>) {
        // The tree outlives the analysis, so a statement's address names it.
        let origin = std::ptr::from_ref(stmt).addr();
        self.origin = origin;
        let kind = match stmt {
            VerilogStatement::Assignment(target, value) => StmtKind::Assign {
                target: self.expr(target),
                value: self.expr(value),
            },
            VerilogStatement::SliceAssignment {
                base,
                offset,
                replacement,
                ..
            } => StmtKind::AssignSlice {
                target: self.expr(base),
                offset: self.expr(offset),
                value: self.expr(replacement),
            },
            VerilogStatement::If(conditional) => {
                let test = self.expr(&conditional.test);
                let then = self.nested(&conditional.then);
                let mut otherwise = Vec::new();
                match &conditional.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.block(block, &mut otherwise),
                    VerilogBlockOrConditional::Conditional(stmt) => self.stmt(stmt, &mut otherwise),
                    VerilogBlockOrConditional::None => {}
                }
                StmtKind::If {
                    test,
                    then,
                    otherwise,
                }
            }
            VerilogStatement::Match(selection) => {
                let test = self.expr(&selection.test);
                let arms = selection
                    .cases
                    .iter()
                    .map(|case| (case.condition.clone(), self.nested(&case.block)));
                StmtKind::Match {
                    test,
                    arms: arms.collect(),
                }
            }
            VerilogStatement::Loop(repeat) => {
                for value in repeat.from.as_usize()..repeat.to.as_usize() {
                    self.loops.push((repeat.index.clone(), value));
                    self.block(&repeat.block, out);
                    self.loops.pop();
                }
                return;
            }
            VerilogStatement::Macro(block) => return self.block(block, out),
            VerilogStatement::Comment(_) => return,
            VerilogStatement::Link(links) => StmtKind::Join {
                ends: links.iter().flat_map(link_ends).collect(),
            },
        };
        out.push(Stmt { origin, kind });
    }

    fn expr(&mut self, e: &VerilogExpression) -> Expr {
        use VerilogExpression as V;
        match e {
            V::Signal(name) => self.name(name),
            V::Literal(literal) => {
                let text = format!("{literal:x}");
                let (bits, digits) = text.split_once("'h").unwrap_or(("32", "0"));
                let bits = bits.parse().unwrap_or(32);
                let value = u64::from_str_radix(digits, 16).ok();
                Expr::Number {
                    value,
                    bits,
                    boolean: bits == 1,
                }
            }
            V::Cast(x, bits) => Expr::Cast(self.boxed(x), *bits),
            V::Signed(x) | V::Unsigned(x) => Expr::Sign(self.boxed(x)),
            V::Paren(x) => Expr::Paren(self.boxed(x)),
            V::Binary(l, op, r) => Expr::Binary(self.boxed(l), op.clone(), self.boxed(r)),
            V::Unary(op, x) => Expr::Unary(op.clone(), self.boxed(x)),
            V::Index(base, index) => Expr::Bit(self.boxed(base), self.boxed(index)),
            V::Slice(base, width, offset) => {
                Expr::Slice(self.boxed(base), *width, self.boxed(offset))
            }
            V::IndexReplace(base, index, value) => {
                Expr::ReplaceBit(self.boxed(base), self.boxed(index), self.boxed(value))
            }
        }
    }

    fn boxed(&mut self, e: &VerilogExpression) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    /// Follows rust-hdl's own rewriting of names, and reports where that goes wrong.
    fn name(&mut self, raw: &str) -> Expr {
        if let Some((_, value)) = self.loops.iter().rev().find(|(index, _)| index == raw) {
            return Expr::Number {
                value: Some(*value as u64),
                bits: 32,
                boolean: false,
            };
        }
        let mut name = raw
            .trim_start_matches('.')
            .replace('.', "$")
            .replace("::", "$");
        name = name.trim_end_matches("$next").to_owned();
        if name.matches('[').count() > 1 && name.contains("][") {
            self.findings.add(
                &TWO_DIMENSIONS,
                &self.module.path,
                self.origin,
                name.clone(),
            );
            return Expr::Unknown(name);
        }
        while let Some((open, close)) = name.find('[').zip(name.find(']')) {
            let Some(index) = index_value(&name[open + 1..close], &self.loops) else {
                self.findings.add(
                    &DYNAMIC_ARRAY_INDEX,
                    &self.module.path,
                    self.origin,
                    name.clone(),
                );
                return Expr::Unknown(name);
            };
            name = format!("{}${index}{}", &name[..open], &name[close + 1..]);
        }
        match self.module.nets.get(&name) {
            Some(net) => Expr::Net {
                name,
                net: net.clone(),
            },
            None if self.module.discriminants.contains(&name) => Expr::Number {
                value: None,
                bits: 32,
                boolean: false,
            },
            None => {
                self.findings
                    .add(&UNKNOWN_NAME, &self.module.path, self.origin, name.clone());
                Expr::Unknown(name)
            }
        }
    }
}

fn link_ends(link: &VerilogLink) -> Vec<String> {
    let (VerilogLink::Forward(ends)
    | VerilogLink::Backward(ends)
    | VerilogLink::Bidirectional(ends)) = link;
    vec![ends.owner_name.clone(), ends.other_name.clone()]
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Net { name, .. } | Expr::Unknown(name) => f.write_str(name),
            Expr::Number {
                value: Some(value), ..
            } => write!(f, "{value}"),
            Expr::Number { .. } => f.write_str("(number)"),
            Expr::Paren(x) => write!(f, "({x})"),
            Expr::Binary(l, op, r) => write!(f, "{l} {} {r}", symbol(op)),
            Expr::Unary(op, x) => write!(f, "{}{x}", unary_symbol(op)),
            Expr::Cast(x, bits) => write!(f, "bit_cast::<{bits}, _>({x})"),
            Expr::Sign(x) => write!(f, "cast({x})"),
            Expr::Bit(base, index) => write!(f, "{base}[{index}]"),
            Expr::Slice(base, width, offset) => write!(f, "{base}[({offset})+:{width}]"),
            Expr::ReplaceBit(base, index, value) => {
                write!(f, "{base}.replace_bit({index}, {value})")
            }
        }
    }
}

fn symbol(op: &VerilogOp) -> &'static str {
    match op {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}

fn unary_symbol(op: &VerilogOpUnary) -> &'static str {
    match op {
        VerilogOpUnary::Not => "~",
        VerilogOpUnary::Neg => "-",
        VerilogOpUnary::All => "&",
        VerilogOpUnary::Any => "|",
        VerilogOpUnary::Xor => "^",
    }
}
