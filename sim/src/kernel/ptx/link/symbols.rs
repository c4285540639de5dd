//! The names of module level, and which definition of each is meant.

use std::collections::HashMap;

use crate::kernel::op::Space;
use crate::kernel::ptx::ast::{File, Formal, Function, Linkage, Name, Variable};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::lower::size_and_align;
use crate::kernel::ptx::sources::Sources;

/// A declaration of a file, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Function(usize),
    Variable(usize),
}

/// What a file says of a name.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'s> {
    pub file: usize,
    name: Name<'s>,
    is_entry: bool,
    linkage: Linkage,
    /// Whether the file has a definition.
    pub is_defined: bool,
    /// Its first definition, else its first declaration.
    pub item: Item,
}

impl Symbol<'_> {
    /// Whether no other file sees it. A kernel is seen by whoever launches it.
    pub fn is_own(&self) -> bool {
        self.is_defined && self.linkage == Linkage::Local && !self.is_entry
    }

    /// Whether there may be others of that name, of which one is as good as the other.
    fn is_one_of_many(&self) -> bool {
        matches!(self.linkage, Linkage::Weak | Linkage::Common)
    }

    /// Takes what the same file says of the name later on.
    fn meet(&mut self, later: Self) {
        let weaker = matches!(self.linkage, Linkage::Local | Linkage::Extern);
        let linkage = match weaker && later.linkage != Linkage::Local {
            true => later.linkage,
            false => self.linkage,
        };
        if later.is_defined && !self.is_defined {
            *self = later;
        }
        self.linkage = linkage;
    }
}

/// All names.
pub struct Symbols<'s> {
    /// In the order in which they are met.
    order: Vec<&'s str>,
    by_name: HashMap<&'s str, Vec<Symbol<'s>>>,
}

impl<'s> Symbols<'s> {
    pub fn of(files: &[File<'s>]) -> Self {
        let mut symbols = Symbols {
            order: Vec::new(),
            by_name: HashMap::new(),
        };
        for (number, file) in files.iter().enumerate() {
            for symbol in said(number, file) {
                symbols.add(symbol);
            }
        }
        symbols
    }

    fn add(&mut self, symbol: Symbol<'s>) {
        let name = symbol.name.text;
        let found = self.by_name.entry(name).or_insert_with(|| {
            self.order.push(name);
            Vec::new()
        });
        match found.last_mut() {
            Some(earlier) if earlier.file == symbol.file => earlier.meet(symbol),
            _ => found.push(symbol),
        }
    }

    /// Names that several files have, with one symbol per file.
    pub fn shared(&self) -> impl Iterator<Item = (&'s str, &[Symbol<'s>])> {
        let all = self
            .order
            .iter()
            .map(|name| (*name, &self.by_name[name][..]));
        all.filter(|(_, found)| found.len() > 1)
    }
}

/// All that a file says of names, functions first.
fn said<'f, 's>(
    number: usize,
    file: &'f File<'s>,
) -> impl Iterator<Item = Symbol<'s>> + use<'f, 's> {
    let functions = file.functions.iter().enumerate();
    let functions = functions.map(move |(index, function)| Symbol {
        file: number,
        name: function.name,
        is_entry: function.is_entry,
        linkage: function.linkage,
        is_defined: function.body.is_some(),
        item: Item::Function(index),
    });
    let variables = file.variables.iter().enumerate();
    let variables = variables.map(move |(index, variable)| Symbol {
        file: number,
        name: variable.name,
        is_entry: false,
        linkage: variable.linkage,
        is_defined: !variable.is_extern(),
        item: Item::Variable(index),
    });
    functions.chain(variables)
}

/// What one file says of a name in two ways: a declaration that is not that of the definition, or of the first declaration where
/// nothing is defined, a function and a variable of one name.
/// Two definitions, and variables among themselves, are looked at where the file is lowered.
pub fn contradictions(files: &[File<'_>], sources: &Sources) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let mut all: Vec<Symbol<'_>> = said(number, file).collect();
        all.sort_by_key(|symbol| symbol.name.span.start);
        let mut meant: HashMap<&str, &Symbol<'_>> = HashMap::new();
        for symbol in &all {
            let first = meant.entry(symbol.name.text).or_insert(symbol);
            if symbol.is_defined && !first.is_defined {
                *first = symbol;
            }
        }
        for other in &all {
            let kept = meant[other.name.text];
            let is_compared = match (other.item, kept.item) {
                (Item::Function(_), Item::Function(_)) => !other.is_defined,
                (Item::Variable(_), Item::Variable(_)) => false,
                _ => true,
            };
            if is_compared && let Err(problem) = fits(other, kept, files, sources) {
                problems.push(*problem);
            }
        }
    }
    problems
}

/// The definition that all files mean which do not have their own; `None` if there is none.
pub fn chosen<'a, 's>(
    symbols: &[&'a Symbol<'s>],
    files: &[File<'s>],
    sources: &Sources,
) -> Res<Option<&'a Symbol<'s>>> {
    let defined = symbols.iter().copied().filter(|symbol| symbol.is_defined);
    let (many, single): (Vec<_>, Vec<_>) = defined.partition(|symbol| symbol.is_one_of_many());
    if let [first, second, ..] = single[..] {
        return Err(twice(first, second, sources));
    }
    let bytes = |symbol: &Symbol<'_>| match (symbol.item, symbol.linkage) {
        (Item::Variable(index), Linkage::Common) => size(&files[symbol.file].variables[index]),
        _ => None,
    };
    let mut kept = single.first().copied();
    for symbol in many {
        // The first, unless a later one is larger.
        let larger =
            |kept: &Symbol<'_>| kept.linkage == Linkage::Common && bytes(symbol) > bytes(kept);
        if kept.is_none_or(larger) {
            kept = Some(symbol);
        }
    }
    Ok(kept)
}

/// Functions that no file defines, and files declare in different ways.
pub fn declared_in_two_ways(
    symbols: &[&Symbol<'_>],
    files: &[File<'_>],
    sources: &Sources,
) -> Vec<Problem> {
    let functions = |symbol: &&&Symbol<'_>| matches!(symbol.item, Item::Function(_));
    let mut declared = symbols.iter().filter(functions);
    let Some(first) = declared.next() else {
        return Vec::new();
    };
    let differing = declared.filter_map(|other| fits(other, first, files, sources).err());
    differing.map(|problem| *problem).collect()
}

fn twice(first: &Symbol<'_>, second: &Symbol<'_>, sources: &Sources) -> Box<Problem> {
    let what = match (second.item, second.is_entry) {
        (_, true) => "kernel",
        (Item::Function(_), _) => "function",
        (Item::Variable(_), _) => "variable",
    };
    let help = match second.is_entry {
        true => "give one of them another name",
        false => "give one of them another name, or make it file-local: leave out `.visible`",
    };
    Problem::new(
        second.name.span,
        format!("{what} `{}` is defined twice", second.name.text),
        format!("the first is at {}", sources.place(first.name.span)),
    )
    .help(help)
}

/// Refuses a declaration, or another definition, of what `kept` defines, if it is not the same.
pub fn fits(
    other: &Symbol<'_>,
    kept: &Symbol<'_>,
    files: &[File<'_>],
    sources: &Sources,
) -> Res<()> {
    let difference = match (other.item, kept.item) {
        (Item::Function(a), Item::Function(b)) => functions_differ(
            &files[other.file].functions[a],
            &files[kept.file].functions[b],
        ),
        (Item::Variable(a), Item::Variable(b)) => variables_differ(
            &files[other.file].variables[a],
            &files[kept.file].variables[b],
        ),
        (Item::Function(_), Item::Variable(_)) => Some("a function here, there a variable".into()),
        (Item::Variable(_), Item::Function(_)) => Some("a variable here, there a function".into()),
    };
    let Some(difference) = difference else {
        return Ok(());
    };
    let place = sources.place(kept.name.span);
    let says = match kept.is_defined {
        true => "defines",
        false => "declares",
    };
    Err(Problem::new(
        other.name.span,
        format!("`{}` is not what {place} {says}", other.name.text),
        difference,
    )
    .help("make both the same, or give one of them another name"))
}

fn functions_differ(here: &Function<'_>, there: &Function<'_>) -> Option<String> {
    if here.is_entry != there.is_entry {
        let kind = |is_entry| if is_entry { "kernel" } else { "function" };
        let (here, there) = (kind(here.is_entry), kind(there.is_entry));
        return Some(format!("a {here} here, there a {there}"));
    }
    formals_differ("argument", &here.params, &there.params)
        .or_else(|| formals_differ("result", &here.results, &there.results))
}

fn formals_differ(what: &str, here: &[Formal<'_>], there: &[Formal<'_>]) -> Option<String> {
    if here.len() != there.len() {
        let (here, there) = (here.len(), there.len());
        let plural = if here == 1 { "" } else { "s" };
        return Some(format!("{here} {what}{plural} here, there {there}"));
    }
    let mut pairs = here.iter().zip(there).enumerate();
    pairs.find_map(|(index, (here, there))| {
        let (here, there) = (size(&here.var)?, size(&there.var)?);
        (here != there).then(|| {
            let number = index + 1;
            format!("{what} {number} has {here} bytes here, there {there}")
        })
    })
}

fn variables_differ(here: &Variable<'_>, there: &Variable<'_>) -> Option<String> {
    if here.space != there.space {
        let (here, there) = (space(here.space), space(there.space));
        return Some(format!("in {here} memory here, there in {there}"));
    }
    if here.linkage == Linkage::Common && there.linkage == Linkage::Common {
        return None;
    }
    let (here, there) = (size(here)?, size(there)?);
    (here != there).then(|| format!("{here} bytes here, there {there}"))
}

/// Bytes of a variable; `None` if that is left open.
fn size(variable: &Variable<'_>) -> Option<u64> {
    size_and_align(variable).ok().map(|(bytes, _)| bytes)
}

fn space(space: Space) -> &'static str {
    match space {
        Space::Shared => "shared",
        Space::Const => "constant",
        _ => "global",
    }
}
