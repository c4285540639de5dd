//! The part of Verilog-2005 that the exporter writes, as a tree with places.

use std::collections::HashMap;
use std::ops::Range;

/// An expression and where it is.
#[derive(Debug)]
pub(super) struct Expr {
    pub span: Range<usize>,
    pub node: Node,
}

/// What an expression is.
#[derive(Debug)]
pub(super) enum Node {
    /// A number of this width and value, if that is known.
    Number(Option<(u32, u128)>),
    Name,
    /// Bit, part or word selects of a signal, by the expressions between brackets.
    Select(Vec<Expr>),
    Unary(String, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// In parentheses, braces, or arguments.
    Group(Vec<Expr>),
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement {
    Block(Vec<Statement>),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    Case(Expr, Vec<Statement>),
    For(Box<Statement>),
    /// Target, value, and the place with the semicolon.
    Assign(Expr, Expr, Range<usize>),
    /// A system task, or nothing.
    Other,
}

/// When a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    Edge,
    Start,
}

/// A module.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub name: String,
    /// Before the parenthesis that ends the list of ports.
    pub ports_end: usize,
    /// After the semicolon that ends the heading.
    pub body: usize,
    /// After the parenthesis that begins the connections of each instance.
    pub instances: Vec<usize>,
    /// Bits of each net, or words of each memory.
    pub sizes: HashMap<String, u32>,
    /// Width and value of each named constant.
    pub constants: HashMap<String, (u32, u128)>,
    /// Continuous assignments, also those of declarations: name and value.
    pub wires: Vec<(String, Expr)>,
    pub processes: Vec<(When, Statement)>,
}

/// The value of an expression of numbers.
pub(super) fn constant(expr: &Expr) -> Option<u128> {
    match &expr.node {
        Node::Number(number) => number.map(|(_, value)| value),
        Node::Group(parts) if parts.len() == 1 => constant(&parts[0]),
        Node::Binary(operator, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match operator.as_str() {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}
