//! Signals that `update` reads before it assigns them.

use super::design::Module;
use super::resolve::{Expr, Stmt, StmtKind};
use super::{Findings, Rule, latch};
use std::collections::BTreeSet;

pub(super) const READ_TOO_EARLY: Rule = Rule {
    id: "read-before-assignment",
    what: "the signal is assigned further down: Rust runs update again until nothing changes, but an `always @(*)` \
           does not wake for what it assigns itself, so Verilog reads the value of the last time",
    cure: "assign the signal before it is read",
};

/// Signals without a value on some path are latches, which another rule reports.
pub(super) fn check(module: &Module, update: &[Stmt], findings: &mut Findings) {
    let mut order = Order {
        module,
        findings,
        assigned_somewhere: latch::always_assigned(update),
    };
    order.follow(update, BTreeSet::new());
}

struct Order<'a> {
    module: &'a Module,
    findings: &'a mut Findings,
    assigned_somewhere: BTreeSet<String>,
}

impl Order<'_> {
    /// Reports early reads in `block`; returns what is assigned on every path to its end.
    fn follow(&mut self, block: &[Stmt], mut assigned: BTreeSet<String>) -> BTreeSet<String> {
        for stmt in block {
            for read in stmt.reads() {
                read.walk(&mut |expr| {
                    if let Expr::Net { name, .. } = expr
                        && self.assigned_somewhere.contains(name)
                        && !assigned.contains(name)
                    {
                        let place = &self.module.path;
                        self.findings
                            .add(&READ_TOO_EARLY, place, stmt.origin, name.clone());
                    }
                });
            }
            match &stmt.kind {
                StmtKind::Assign {
                    target: Expr::Net { name, .. },
                    ..
                } => {
                    assigned.insert(name.clone());
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    let then = self.follow(then, assigned.clone());
                    let otherwise = self.follow(otherwise, assigned);
                    assigned = then.intersection(&otherwise).cloned().collect();
                }
                StmtKind::Match { arms, .. } => {
                    // Without an arm for every value the signal is a latch, or was assigned before.
                    let ends: Vec<_> = arms
                        .iter()
                        .map(|(_, arm)| self.follow(arm, assigned.clone()))
                        .collect();
                    assigned = ends
                        .into_iter()
                        .reduce(|all, end| all.intersection(&end).cloned().collect())
                        .unwrap_or(assigned);
                }
                StmtKind::Assign { .. } | StmtKind::AssignSlice { .. } | StmtKind::Join { .. } => {}
            }
        }
        assigned
    }
}
