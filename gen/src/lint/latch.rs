//! Signals that some path through `update` leaves unassigned.

use super::design::Module;
use super::resolve::{Expr, Stmt, StmtKind};
use super::{Findings, Rule};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const LATCH: Rule = Rule {
    id: "latch",
    what: "a path through update leaves the signal unassigned, so it keeps its value: a latch",
    cure: "give the signal a default at the top of update; give every match a `_` arm",
};

struct Targets {
    /// Where each target is first assigned.
    first: BTreeMap<String, usize>,
}

pub(super) fn check(module: &Module, update: &[Stmt], findings: &mut Findings) {
    let mut targets = Targets {
        first: BTreeMap::new(),
    };
    let always = targets.assigned_by(update, &BTreeSet::new());
    for (name, origin) in targets.first {
        if !always.contains(&name) {
            findings.add(&LATCH, &module.path, origin, name);
        }
    }
}

/// Names that every path through `update` assigns.
pub(super) fn always_assigned(update: &[Stmt]) -> BTreeSet<String> {
    let mut targets = Targets {
        first: BTreeMap::new(),
    };
    targets.assigned_by(update, &BTreeSet::new())
}

impl Targets {
    /// Names that are assigned on every path to the end of `block`, given those assigned before it.
    fn assigned_by(&mut self, block: &[Stmt], before: &BTreeSet<String>) -> BTreeSet<String> {
        let mut assigned = before.clone();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Assign { target, .. } => {
                    if let Expr::Net { name, .. } = target {
                        self.first.entry(name.clone()).or_insert(stmt.origin);
                        assigned.insert(name.clone());
                    }
                }
                // A part of a signal; the rest needs a default before it.
                StmtKind::AssignSlice { target, .. } => {
                    if let Expr::Net { name, .. } = target {
                        self.first.entry(name.clone()).or_insert(stmt.origin);
                    }
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    let then = self.assigned_by(then, &assigned);
                    let otherwise = self.assigned_by(otherwise, &assigned);
                    assigned = then.intersection(&otherwise).cloned().collect();
                }
                StmtKind::Match { test, arms } => {
                    let mut all: Option<BTreeSet<String>> = None;
                    for (_, arm) in arms {
                        let arm = self.assigned_by(arm, &assigned);
                        all = Some(match all {
                            Some(all) => all.intersection(&arm).cloned().collect(),
                            None => arm,
                        });
                    }
                    if covers_all(test, arms) {
                        assigned = all.unwrap_or(assigned);
                    }
                }
                StmtKind::Join { .. } => {}
            }
        }
        assigned
    }
}

/// Whether the arms name every value that the bits of `test` can take.
fn covers_all(test: &Expr, arms: &[(String, Vec<Stmt>)]) -> bool {
    let default = arms.iter().any(|(label, _)| label == "default");
    let full = match test {
        Expr::Net { net, .. } => {
            let values = 1usize.checked_shl(net.width_bits as u32);
            net.variants == values && values == Some(arms.len())
        }
        _ => false,
    };
    default || full
}
