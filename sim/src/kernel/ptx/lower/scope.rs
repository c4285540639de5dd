//! Names in scope: registers, ranges of registers, variables.

use std::collections::HashMap;

use super::build::Builder;
use super::types::{name_of, width};
use crate::kernel::op::{Space, Ty};
use crate::kernel::ptx::ast::Name;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Pred, Reg};

/// Most digits after the prefix of a register in a range.
const MAX_RANGE_DIGITS: usize = 7;

/// What a register name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    General(Reg),
    Predicate(Pred),
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    /// The place is chosen on first use.
    Register { ty: Ty, place: Option<Place> },
    Variable {
        space: Space,
        address: u64,
        size_bytes: u64,
        storage: Option<usize>,
    },
}

impl Symbol {
    pub fn variable(space: Space, address: u64, size_bytes: u64) -> Self {
        Symbol::Variable {
            space,
            address,
            size_bytes,
            storage: None,
        }
    }
}

#[derive(Default)]
struct Scope<'s> {
    names: HashMap<&'s str, Symbol>,
    ranges: HashMap<&'s str, (u32, Ty)>,
}

/// Numbers of scopes in the order of their opening.
#[derive(Clone, Default)]
pub struct ScopeIds {
    stack: Vec<usize>,
    next: usize,
}

impl ScopeIds {
    pub fn open(&mut self) {
        self.stack.push(self.next);
        self.next += 1;
    }

    pub fn close(&mut self) {
        self.stack.pop();
    }

    pub fn id(&self) -> usize {
        self.stack.last().copied().unwrap_or(0)
    }
}

/// The scopes of one function, innermost last.
#[derive(Default)]
pub struct Scopes<'s> {
    scopes: Vec<Scope<'s>>,
    ids: ScopeIds,
}

impl<'s> Scopes<'s> {
    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
        self.ids.open();
    }

    pub fn close(&mut self) {
        self.scopes.pop();
        self.ids.close();
    }

    pub fn id(&self) -> usize {
        self.ids.id()
    }

    /// The ids from the next scope on, that scope opened.
    pub fn future_ids(&self) -> ScopeIds {
        let mut ids = self.ids.clone();
        ids.open();
        ids
    }

    /// Ids of the open scopes, innermost first.
    pub fn open_ids(&self) -> impl Iterator<Item = usize> {
        self.ids.stack.iter().rev().copied()
    }

    pub fn declare(&mut self, name: Name<'s>, symbol: Symbol) -> Res<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        if in_range(&scope.ranges, name.text).is_some() || scope.names.contains_key(name.text) {
            return Err(twice(name));
        }
        scope.names.insert(name.text, symbol);
        Ok(())
    }

    pub fn declare_registers(&mut self, name: Name<'s>, ty: Ty, count: Option<u32>) -> Res<()> {
        let Some(count) = count else {
            return self.declare(name, Symbol::Register { ty, place: None });
        };
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        match scope.ranges.insert(name.text, (count, ty)) {
            Some(_) => Err(twice(name)),
            None => Ok(()),
        }
    }

    /// What a name stands for, innermost scope first.
    pub fn find(&mut self, text: &'s str) -> Option<Symbol> {
        for scope in self.scopes.iter().rev() {
            if let Some(symbol) = scope.names.get(text) {
                return Some(*symbol);
            }
            if let Some(ty) = in_range(&scope.ranges, text) {
                return Some(Symbol::Register { ty, place: None });
            }
        }
        None
    }

    /// The register of that name and its declared type.
    pub fn register(&mut self, text: &'s str, build: &mut Builder) -> Option<(Ty, Place)> {
        for scope in self.scopes.iter_mut().rev() {
            let ty = match scope.names.get(text) {
                Some(Symbol::Register {
                    ty,
                    place: Some(place),
                }) => return Some((*ty, *place)),
                Some(Symbol::Register { ty, place: None }) => *ty,
                Some(Symbol::Variable { .. }) => return None,
                None => match in_range(&scope.ranges, text) {
                    Some(ty) => ty,
                    None => continue,
                },
            };
            let place = match ty {
                Ty::Pred => Place::Predicate(build.pred()),
                ty => Place::General(build.reg(width(ty))),
            };
            scope.names.insert(
                text,
                Symbol::Register {
                    ty,
                    place: Some(place),
                },
            );
            return Some((ty, place));
        }
        None
    }
}

fn in_range(ranges: &HashMap<&str, (u32, Ty)>, text: &str) -> Option<Ty> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..=digits.min(MAX_RANGE_DIGITS)).find_map(|length| {
        let (prefix, number) = text.split_at(text.len() - length);
        let canonical = number == "0" || !number.starts_with('0');
        let number: u32 = number.parse().ok()?;
        let (count, ty) = ranges.get(prefix)?;
        (canonical && number < *count).then_some(*ty)
    })
}

fn twice(name: Name<'_>) -> Box<Problem> {
    Problem::new(
        name.span,
        format!("`{}` is declared twice", name.text),
        "second declaration in this scope",
    )
}

/// Says that a register has the wrong type.
pub fn mismatch(name: Name<'_>, has: Ty, wants: &str) -> Box<Problem> {
    Problem::new(
        name.span,
        format!("register `{}` is declared {}", name.text, name_of(has)),
        format!("expected {wants}"),
    )
}
