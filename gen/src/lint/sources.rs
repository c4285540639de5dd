//! What each net of an `update` is made of, in the order of its statements.

use super::resolve::{Expr, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// What each net is made of, by name.
pub(super) type Sources = BTreeMap<String, BTreeSet<String>>;

/// For every assigned net, the nets that its last value depends on, those that decide whether it is assigned among them. A net that is
/// assigned more than once, as one that two ports use in turn, stands where it is read for what it was then made of; a net that
/// nothing assigns, or that is read first, stands for itself.
pub(super) fn sources(block: &[Stmt]) -> Sources {
    let mut now = Sources::new();
    follow(block, &mut now, &mut Before::new());
    now
}

/// What the nets that a statement reads are made of at this place.
fn read(stmt: &Stmt, now: &Sources) -> BTreeSet<String> {
    let mut made_of = BTreeSet::new();
    for expr in stmt.reads() {
        expr.walk(&mut |expr| {
            if let Expr::Net { name, net } = expr
                && !net.constant
            {
                made_of.extend(known(name, now));
            }
        });
    }
    made_of
}

fn known(name: &str, now: &Sources) -> BTreeSet<String> {
    let itself = || BTreeSet::from([name.to_owned()]);
    now.get(name).cloned().unwrap_or_else(itself)
}

/// What nets were made of before they were assigned; nothing, of those that had not been assigned.
type Before = BTreeMap<String, Option<BTreeSet<String>>>;

/// Goes through the statements and adds to `before` what they assign.
fn follow(block: &[Stmt], now: &mut Sources, before: &mut Before) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => {
                if let Expr::Net { name, .. } = target {
                    assign(name, read(stmt, now), now, before);
                }
            }
            // The other bits stay.
            StmtKind::AssignSlice { target, .. } => {
                if let Expr::Net { name, .. } = target {
                    let mut made_of = known(name, now);
                    made_of.extend(read(stmt, now));
                    assign(name, made_of, now, before);
                }
            }
            StmtKind::If {
                then, otherwise, ..
            } => branches(&read(stmt, now), &[then, otherwise], now, before),
            StmtKind::Match { arms, .. } => {
                let arms: Vec<_> = arms.iter().map(|(_, arm)| arm).collect();
                branches(&read(stmt, now), &arms, now, before);
            }
            StmtKind::Join { .. } => {}
        }
    }
}

fn assign(name: &str, made_of: BTreeSet<String>, now: &mut Sources, before: &mut Before) {
    let old = now.insert(name.to_owned(), made_of);
    before.entry(name.to_owned()).or_insert(old);
}

/// One of `ways` is taken, by what `test` is made of.
fn branches(test: &BTreeSet<String>, ways: &[&Vec<Stmt>], now: &mut Sources, before: &mut Before) {
    let mut ends = Vec::new();
    for way in ways {
        let mut changed = Before::new();
        follow(way, now, &mut changed);
        let mut end = Sources::new();
        for (name, old) in changed {
            let new = match old {
                Some(old) => now.insert(name.clone(), old),
                None => now.remove(&name),
            };
            end.extend(new.map(|new| (name, new)));
        }
        ends.push(end);
    }
    let assigned: BTreeSet<&String> = ends.iter().flat_map(BTreeMap::keys).collect();
    for name in assigned {
        let mut made_of = test.clone();
        for end in &ends {
            made_of.extend(end.get(name).cloned().unwrap_or_else(|| known(name, now)));
        }
        assign(name, made_of, now, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Findings;
    use crate::lint::design::{Code, modules};
    use crate::lint::resolve::resolve;
    use rust_hdl::prelude::*;

    #[derive(LogicBlock, Default)]
    struct InTurn {
        a: Signal<In, bool>,
        b: Signal<In, bool>,
        c: Signal<In, bool>,
        d: Signal<In, bool>,
        x: Signal<Out, bool>,
        y: Signal<Out, bool>,
        z: Signal<Out, bool>,
        before: Signal<Out, bool>,
        shared: Signal<Local, bool>,
        late: Signal<Local, bool>,
    }

    impl Logic for InTurn {
        #[hdl_gen]
        fn update(&mut self) {
            self.before.next = self.late.val();
            self.shared.next = self.a.val();
            self.x.next = self.shared.val();
            self.shared.next = self.b.val();
            self.y.next = self.shared.val();
            self.z.next = self.a.val();
            if self.c.val() {
                self.z.next = !self.a.val();
            }
            self.late.next = self.d.val();
        }
    }

    #[test]
    fn a_net_is_what_it_was_made_of_where_it_is_read() {
        let mut block = InTurn::default();
        block.connect_all();
        let modules = modules(&block, "in_turn");
        let Code::Update(tree) = &modules[0].code else {
            panic!("an update");
        };
        let update = resolve(&modules[0], tree, &mut Findings::default());
        let made_of = sources(&update);
        let of = |name: &str| Vec::from_iter(made_of[name].iter().map(String::as_str));
        assert_eq!([of("x"), of("y")], [["a"], ["b"]]);
        // Also where both values are made of the same.
        assert_eq!(of("z"), ["a", "c"]);
        // Read before it is assigned, it is what it will be.
        assert_eq!([of("before"), of("late")], [["late"], ["d"]]);
    }
}
