//! Labels of `match`.

use super::design::Module;
use super::resolve::{Stmt, StmtKind};
use super::{Findings, Rule};

pub(super) const LABEL: Rule = Rule {
    id: "match-label",
    what: "a pattern that is neither a variant of a LogicState enum nor `_` is copied into the case label",
    cure: "match on a LogicState enum, or write if / else if",
};

pub(super) fn check(module: &Module, stmt: &Stmt, findings: &mut Findings) {
    let StmtKind::Match { arms, .. } = &stmt.kind else {
        return;
    };
    for (label, _) in arms {
        let known = label == "default" || module.discriminants.contains(&label.replace("::", "$"));
        if !known {
            findings.add(&LABEL, &module.path, stmt.origin, label.clone());
        }
    }
}
