//! Refuses blocks that rust-hdl 0.46 would translate wrongly, without an error, or into illegal Verilog.
//!
//! rust-hdl turns the body of `update` into an abstract syntax tree by syntax alone: it knows no widths, writes no
//! parentheses, and unrolls loops itself. The rules here first give that tree what it lacks (every name resolved to
//! a net with its width, every loop unrolled: [`design`]) and then ask, of each expression, whether Verilog computes
//! what Rust computes. Every rule has a test that shows its mistranslation on a tiny block, Rust against Icarus.

mod block;
mod case;
pub mod dataflow;
pub mod design;
mod index;
mod latch;
mod memory;
mod names;
mod order;
mod precedence;
mod resolve;
pub mod same_cycle;
mod source;
mod sources;
mod width;

use rust_hdl::prelude::Block;
use std::collections::BTreeSet;
use std::fmt;

pub use source::lint_source;

/// One known mistranslation, or one way to get illegal Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable name, as printed.
    pub id: &'static str,
    /// What goes wrong.
    pub what: &'static str,
    /// How to write it instead.
    pub cure: &'static str,
}

/// Every rule, in the order of this page.
pub const RULES: &[&Rule] = &[
    &precedence::PRECEDENCE,
    &width::COMPARISON,
    &width::CAST,
    &width::SHIFT_RIGHT,
    &width::REPLACE_BIT,
    &width::SELF_DETERMINED,
    &index::OUT_OF_RANGE,
    &index::SELECT_OF_EXPRESSION,
    &index::SELECT_OF_SCALAR,
    &case::LABEL,
    &resolve::UNKNOWN_NAME,
    &resolve::TWO_DIMENSIONS,
    &resolve::DYNAMIC_ARRAY_INDEX,
    &names::KEYWORD,
    &names::IDENTIFIER,
    &latch::LATCH,
    &order::READ_TOO_EARLY,
    &block::CONSTANT_ONLY,
    &memory::UNINITIALISED,
    &source::INCLUSIVE_RANGE,
];

/// A place where a rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Instance path in the exported Verilog, or `file:line` for a rule on source text.
    pub place: String,
    /// The offending text, as Verilog.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { rule, place, text } = self;
        write!(
            f,
            "{place}: {}: {text}: {}; cure: {}",
            rule.id, rule.what, rule.cure
        )
    }
}

/// Collects findings; one per rule and source statement, however often a loop repeats it.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<Finding>,
    seen: BTreeSet<(&'static str, String, usize)>,
}

impl Findings {
    /// `origin` tells statements of one module apart; 0 is the module as a whole.
    fn add(&mut self, rule: &'static Rule, place: &str, origin: usize, text: impl Into<String>) {
        let text = text.into();
        let key = if origin == 0 {
            text.clone()
        } else {
            String::new()
        };
        if self
            .seen
            .insert((rule.id, format!("{place}\0{key}"), origin))
        {
            self.found.push(Finding {
                rule,
                place: place.into(),
                text,
            });
        }
    }
}

/// All findings of the block under the top-level name `top`, outermost module first.
pub fn lint(block: &dyn Block, top: &str) -> Vec<Finding> {
    let mut findings = Findings::default();
    let modules = design::modules(block, top);
    names::module_name(top, &mut findings);
    for module in &modules {
        names::check(module, &mut findings);
        match &module.code {
            design::Code::Update(ast) => {
                let update = resolve::resolve(module, ast, &mut findings);
                check_update(module, &update, &mut findings);
            }
            design::Code::Custom(text) => memory::check(module, text, &mut findings),
            design::Code::External => {}
        }
    }
    findings.found
}

fn check_update(module: &design::Module, update: &[resolve::Stmt], findings: &mut Findings) {
    for stmt in update {
        stmt.walk(&mut |stmt| {
            precedence::check(module, stmt, findings);
            width::check(module, stmt, findings);
            index::check(module, stmt, findings);
            case::check(module, stmt, findings);
        });
    }
    latch::check(module, update, findings);
    order::check(module, update, findings);
    block::check(module, update, findings);
}
