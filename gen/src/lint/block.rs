//! Blocks whose `always @(*)` never wakes.

use super::design::Module;
use super::resolve::{Expr, Stmt, StmtKind};
use super::{Findings, Rule};
use std::collections::BTreeSet;

pub(super) const CONSTANT_ONLY: Rule = Rule {
    id: "constant-only-update",
    what: "the update reads nothing but constants, so its `always @(*)` never fires and the outputs stay X",
    cure: "use the Constant where it is needed, or read an input as well",
};

pub(super) fn check(module: &Module, update: &[Stmt], findings: &mut Findings) {
    let mut written = BTreeSet::new();
    let mut read = BTreeSet::new();
    let mut joined = false;
    for stmt in update {
        stmt.walk(&mut |stmt| {
            match &stmt.kind {
                StmtKind::Assign {
                    target: Expr::Net { name, .. },
                    ..
                }
                | StmtKind::AssignSlice {
                    target: Expr::Net { name, .. },
                    ..
                } => {
                    written.insert(name.clone());
                }
                StmtKind::Join { ends } => joined |= !ends.is_empty(),
                _ => {}
            }
            for e in stmt.reads() {
                e.walk(&mut |e| {
                    if let Expr::Net { name, net } = e
                        && !net.constant
                    {
                        read.insert(name.clone());
                    }
                });
            }
        });
    }
    // What the block writes itself does not wake it from its first sleep.
    if !written.is_empty() && read.is_subset(&written) && !joined {
        let names: Vec<_> = written.into_iter().collect();
        findings.add(&CONSTANT_ONLY, &module.path, 0, names.join(", "));
    }
}
