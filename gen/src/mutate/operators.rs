//! Which changes are made, and where.

use super::tree::{Expr, Module, Node, Statement, When, constant};
use std::collections::HashSet;
use std::ops::Range;

/// A kind of change.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Operator {
    /// Another binary operator of the same width.
    Binary,
    /// An inversion left out, or another reduction.
    Unary,
    /// Another constant: plus one, zero, the highest bit inverted.
    Constant,
    /// The neighbouring bit of a signal.
    Select,
    /// A condition that is always true, never, or inverted.
    Condition,
    /// The right side of an assignment is zero.
    Zero,
    /// An assignment left out: an earlier one stays, or the state.
    Drop,
    /// A fault that a proof must find.
    Fault,
}

/// One change of one place.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub operator: Operator,
    pub to: String,
    /// Whether it changes a power-on value.
    pub at_start: bool,
}

/// A place and its changes.
#[derive(Debug)]
pub(super) struct Site {
    pub span: Range<usize>,
    /// Whether it is a whole statement, not an expression.
    pub statement: bool,
    pub changes: Vec<Change>,
}

/// What is found in a file.
#[derive(Debug, Default)]
pub(super) struct Sites {
    pub sites: Vec<Site>,
    /// Places of whole expressions and statements.
    pub wholes: HashSet<Range<usize>>,
}

/// Collects the places of one module.
pub(super) struct Visitor<'a> {
    pub text: &'a str,
    pub module: &'a Module,
    pub found: &'a mut Sites,
    at_start: bool,
}

/// What takes the place of a binary operator.
fn others(operator: &str) -> &'static [&'static str] {
    match operator {
        "&" => &["|", "^"],
        "|" => &["&", "^"],
        "^" => &["&", "|"],
        "&&" => &["||"],
        "||" => &["&&"],
        "+" => &["-"],
        "-" | "*" => &["+"],
        "<<" => &[">>"],
        ">>" => &["<<"],
        "==" => &["!="],
        "!=" => &["=="],
        "<" => &["<=", ">", ">="],
        "<=" => &["<", ">", ">="],
        ">" => &[">=", "<", "<="],
        ">=" => &[">", "<", "<="],
        _ => &[],
    }
}

impl<'a> Visitor<'a> {
    pub fn new(text: &'a str, module: &'a Module, found: &'a mut Sites) -> Self {
        Visitor {
            text,
            module,
            found,
            at_start: false,
        }
    }

    pub fn visit(&mut self) {
        for (_, value) in &self.module.wires {
            self.value(value, None);
        }
        for (when, body) in &self.module.processes {
            self.at_start = *when == When::Start;
            self.statement(body, *when, &mut HashSet::new());
        }
    }

    fn source(&self, expr: &Expr) -> &'a str {
        &self.text[expr.span.clone()]
    }

    fn site(
        &mut self,
        span: &Range<usize>,
        operator: Operator,
        to: impl IntoIterator<Item = String>,
    ) {
        let before = &self.text[span.clone()];
        let at_start = self.at_start;
        let changes = to
            .into_iter()
            .filter(|to| to != before)
            .map(|to| Change {
                operator,
                to,
                at_start,
            })
            .collect();
        self.found.sites.push(Site {
            span: span.clone(),
            statement: false,
            changes,
        });
    }

    /// `set` holds the names that have a value before the statement on every path.
    fn statement(&mut self, statement: &Statement, when: When, set: &mut HashSet<&'a str>) {
        match statement {
            Statement::Block(body) => body
                .iter()
                .for_each(|statement| self.statement(statement, when, set)),
            Statement::If(condition, then, other) => {
                self.condition(condition);
                let mut other_set = set.clone();
                self.statement(then, when, set);
                if let Some(other) = other {
                    self.statement(other, when, &mut other_set);
                }
                set.retain(|name| other_set.contains(name));
            }
            Statement::Case(subject, arms) => {
                self.expr(subject);
                for arm in arms {
                    self.statement(arm, when, &mut set.clone());
                }
            }
            Statement::For(body) => self.statement(body, when, set),
            Statement::Assign(target, value, span) => {
                self.found.wholes.insert(span.clone());
                let name = self.source(target);
                if name.starts_with("unused_") {
                    // Nobody reads it, by its name.
                    set.insert(name);
                    return;
                }
                let held = name.strip_suffix("$d").map(|stem| format!("{stem}$q"));
                let old = match when {
                    When::Edge => Some(name.to_owned()),
                    When::Always
                        if held
                            .as_ref()
                            .is_some_and(|held| self.module.sizes.contains_key(held)) =>
                    {
                        held
                    }
                    When::Always if set.contains(name) => Some(name.to_owned()),
                    _ => None,
                };
                if let Node::Select(indices) = &target.node {
                    indices
                        .iter()
                        .filter(|index| constant(index).is_none())
                        .for_each(|index| self.expr(index));
                }
                self.value(value, old);
                set.insert(name);
            }
            Statement::Other => {}
        }
    }

    /// The right side of an assignment; `old` is what the target keeps without it.
    fn value(&mut self, value: &Expr, old: Option<String>) {
        let zero = (!self.is_zero(value)).then(|| "1'b0".to_owned());
        self.site(&value.span, Operator::Zero, zero);
        self.site(&value.span, Operator::Drop, old);
        self.expr(value);
    }

    fn is_zero(&self, value: &Expr) -> bool {
        let named = self.module.constants.get(self.source(value));
        constant(value).or(named.map(|(_, value)| *value)) == Some(0)
    }

    fn condition(&mut self, condition: &Expr) {
        let not = format!("!({})", self.source(condition));
        self.site(
            &condition.span,
            Operator::Condition,
            ["1'b1".into(), "1'b0".into(), not],
        );
        self.expr(condition);
    }

    fn constant(&mut self, span: &Range<usize>, width: u32, value: u128) {
        self.constant_in(span, width, value, |other| other);
    }

    /// A constant in an expression, which `with` writes with another in its place.
    fn constant_in(
        &mut self,
        span: &Range<usize>,
        width: u32,
        value: u128,
        with: impl Fn(String) -> String,
    ) {
        let ones = u128::MAX >> (128 - width.clamp(1, 128));
        let mut values = vec![
            (value.wrapping_add(1)) & ones,
            0,
            value ^ (1 << (width.clamp(1, 128) - 1)),
        ];
        values.dedup();
        let mut seen = HashSet::from([value]);
        values.retain(|value| seen.insert(*value));
        self.site(
            span,
            Operator::Constant,
            values
                .into_iter()
                .map(|value| with(format!("{width}'h{value:x}"))),
        );
    }

    fn expr(&mut self, expr: &Expr) {
        self.found.wholes.insert(expr.span.clone());
        match &expr.node {
            Node::Number(Some((width, value))) => self.constant(&expr.span, *width, *value),
            Node::Number(None) => {}
            Node::Name => {
                if let Some(&(width, value)) = self.module.constants.get(self.source(expr)) {
                    self.constant(&expr.span, width, value);
                }
            }
            Node::Select(indices) => self.select(expr, indices),
            Node::Unary(operator, argument) => {
                let inner = format!("({})", self.source(argument));
                let to = match operator.as_str() {
                    "&" => format!("|{inner}"),
                    "|" | "^" => format!("&{inner}"),
                    _ => inner,
                };
                self.site(&expr.span, Operator::Unary, [to]);
                self.expr(argument);
            }
            Node::Binary(operator, left, right) => {
                let (l, r) = (self.source(left), self.source(right));
                let changed = others(operator)
                    .iter()
                    .map(|other| format!("({l}) {other} ({r})"));
                self.site(&expr.span, Operator::Binary, changed.collect::<Vec<_>>());
                self.expr(left);
                // Between two quotients by constants Yosys chooses; a chosen divisor would need a divider, of thousands of gates.
                match (operator.as_str(), &right.node) {
                    ("/", Node::Number(Some((width, value)))) => {
                        let dividend = l.to_owned();
                        let with = |other| format!("({dividend}) / {other}");
                        self.constant_in(&expr.span, *width, *value, with);
                    }
                    _ => self.expr(right),
                }
            }
            Node::Ternary(condition, then, other) => {
                self.condition(condition);
                self.expr(then);
                self.expr(other);
            }
            Node::Group(parts) => {
                // The first of a replication `{n{x}}` is a count and must stay constant.
                let replicated = parts.len() == 2 && self.source(&parts[1]).starts_with('{');
                parts
                    .iter()
                    .skip(usize::from(replicated))
                    .for_each(|part| self.expr(part));
            }
        }
    }

    /// A constant bit becomes its neighbour; what is inside a computed index is changed as any expression.
    fn select(&mut self, expr: &Expr, indices: &[Expr]) {
        if let [index] = indices {
            let source = self.source(expr);
            let name = source.split('[').next().unwrap_or(source).trim();
            let size = u128::from(self.module.sizes.get(name).copied().unwrap_or(0));
            if let Some(at) = constant(index) {
                let neighbour = if at + 1 < size {
                    Some(at + 1)
                } else {
                    at.checked_sub(1)
                };
                self.site(
                    &expr.span,
                    Operator::Select,
                    neighbour.map(|at| format!("{name}[{at}]")),
                );
                return;
            }
        }
        indices
            .iter()
            .filter(|index| constant(index).is_none())
            .for_each(|index| self.expr(index));
    }
}
