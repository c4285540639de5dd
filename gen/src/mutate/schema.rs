//! All mutants of a unit in one Verilog text.

use super::MutateError;
use super::operators::{Operator, Site, Sites, Visitor};
use super::syntax::modules;
use super::tree::Module;
use crate::proof::Fault;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt::Write;
use std::ops::Range;

/// The added input: the number of the change in force, 0 for none.
pub(crate) const SELECTOR: &str = "mutant_number";
/// Its width.
pub(crate) const SELECTOR_BITS: u32 = 16;

/// One change of the Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Its number in the schema, from 1.
    pub number: usize,
    /// Module without the name of the unit; empty for the top.
    pub module: String,
    /// Line of the exported file, from 1.
    pub line: usize,
    /// What kind of change.
    pub operator: Operator,
    /// The line's code.
    pub code: String,
    /// The text that changes.
    pub from: String,
    /// What takes its place.
    pub to: String,
    /// Whether it is a change of a power-on value.
    pub at_start: bool,
}

impl Mutant {
    /// Where and what, the same as long as the code is the same.
    #[must_use]
    pub fn id(&self) -> String {
        format!(
            "{}{}: `{}` becomes `{}`",
            self.module, self.code, self.from, self.to
        )
    }
}

/// Where the added input has to be named, and as what.
type Ports = Vec<(usize, &'static str)>;

/// The modules of `verilog`, what can be changed in them but in the instances `joins` of `top`, and their places for the added
/// input.
fn found(
    top: &str,
    verilog: &str,
    joins: &[&str],
) -> Result<(Vec<Module>, Sites, Ports), MutateError> {
    let modules = modules(verilog)?;
    let mut found = Sites::default();
    let mut ports = Vec::new();
    for module in &modules {
        ports.push((module.ports_end, "port"));
        ports.push((module.body, "input"));
        ports.extend(module.instances.iter().map(|&at| (at, "connection")));
        if !within(top, joins, &module.name) {
            Visitor::new(verilog, module, &mut found).visit();
        }
    }
    Ok((modules, found, ports))
}

/// A unit's Verilog with all its mutants.
pub struct Schema {
    text: String,
    sites: Vec<Site>,
    /// Numbers of the first change of each site, in the order of the sites.
    first: Vec<usize>,
    ports: Ports,
    mutants: Vec<Mutant>,
    possible: usize,
}

impl Schema {
    /// All mutants of `verilog`, whose top module is `top`, or where there are more than `most`, about so many of them,
    /// spread evenly. Of `faults`, those that replace a whole expression or statement become mutants, too; the others are
    /// returned. Instances of `top` that `joins` names are left as they are, with all that is in them.
    ///
    /// # Errors
    /// [`MutateError::Syntax`] if the Verilog is not understood, [`MutateError::Fault`] if a fault has no place.
    pub fn new(
        top: &str,
        verilog: &str,
        joins: &[&str],
        faults: &[Fault],
        most: usize,
    ) -> Result<(Schema, Vec<Fault>), MutateError> {
        let (modules, mut found, ports) = found(top, verilog, joins)?;
        let mut rest = Vec::new();
        for fault in faults {
            fault.apply(top, verilog)?;
            match found.fault(verilog, fault) {
                Some(site) => found.sites.push(site),
                None => rest.push(*fault),
            }
        }
        let mut sites = found.sites;
        let possible = sites.iter().map(|site| site.changes.len()).sum();
        sample(&mut sites, possible, most);
        sites.retain(|site| !site.changes.is_empty());
        sites.sort_by_key(Site::order);
        let schema = Schema::of_sites(top, verilog, &modules, ports, sites, possible);
        Ok((schema, rest))
    }

    /// The Verilog with `faults` alone, and the number of each. A fault that replaces only a part of an expression is one of
    /// the smallest whole expression or statement that it is in; `None` where there is no such.
    ///
    /// # Errors
    /// As [`Schema::new`].
    pub(crate) fn of_faults(
        top: &str,
        verilog: &str,
        faults: &[Fault],
    ) -> Result<(Schema, Vec<Option<usize>>), MutateError> {
        let (modules, found, ports) = found(top, verilog, &[])?;
        let mut sites = Vec::new();
        for (at, fault) in faults.iter().enumerate() {
            let faulty = fault.apply(top, verilog)?;
            let site = match found.fault(verilog, fault) {
                Some(site) => Some(site),
                None => found.widened(verilog, fault, &self::found(top, &faulty, &[])?.1, &faulty),
            };
            sites.extend(site.map(|site| (at, site)));
        }
        sites.sort_by_key(|(_, site)| site.order());
        let mut numbers = vec![None; faults.len()];
        for (number, (at, _)) in (1..).zip(&sites) {
            numbers[*at] = Some(number);
        }
        let (possible, sites) = (sites.len(), sites.into_iter().map(|(_, site)| site));
        let schema = Schema::of_sites(top, verilog, &modules, ports, sites.collect(), possible);
        Ok((schema, numbers))
    }

    /// Numbers the changes of `sites`, which are in their order.
    fn of_sites(
        top: &str,
        verilog: &str,
        modules: &[Module],
        ports: Ports,
        sites: Vec<Site>,
        possible: usize,
    ) -> Schema {
        let (mut mutants, mut first) = (Vec::new(), Vec::new());
        for site in &sites {
            first.push(mutants.len() + 1);
            let module = modules
                .iter()
                .rev()
                .find(|module| module.body <= site.span.start);
            let name = module.map_or("", |module| module.name.as_str());
            let line = verilog[..site.span.start].matches('\n').count();
            for change in &site.changes {
                mutants.push(Mutant {
                    number: mutants.len() + 1,
                    module: name.strip_prefix(top).unwrap_or(name).to_owned(),
                    line: line + 1,
                    operator: change.operator,
                    code: verilog.lines().nth(line).unwrap_or("").trim().to_owned(),
                    from: verilog[site.span.clone()].to_owned(),
                    to: change.to.clone(),
                    at_start: change.at_start,
                });
            }
        }
        Schema {
            text: verilog.to_owned(),
            sites,
            first,
            ports,
            mutants,
            possible,
        }
    }

    /// The Verilog as it is, with the added input and nothing to select.
    ///
    /// # Errors
    /// [`MutateError::Syntax`] if it is not understood.
    pub(super) fn without_mutants(verilog: &str) -> Result<Schema, MutateError> {
        let (mut schema, _) = Schema::new("", verilog, &[], &[], 0)?;
        schema.sites.clear();
        schema.first.clear();
        schema.mutants.clear();
        Ok(schema)
    }

    /// Every mutant, in the order of their numbers.
    #[must_use]
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// How many mutants there would be without a limit.
    #[must_use]
    pub fn possible(&self) -> usize {
        self.possible
    }

    /// The Verilog with the added input. Power-on values change only if `with_start`: synthesis wants them constant.
    #[must_use]
    pub fn verilog(&self, with_start: bool) -> String {
        let mut ports = self.ports.clone();
        ports.sort_unstable();
        let mut writer = Writer {
            schema: self,
            ports,
            next_port: 0,
            next_site: 0,
            with_start,
            out: String::new(),
        };
        writer.span(0..self.text.len());
        writer.out
    }
}

/// Whether `module` is, or is in, one of the instances `joins` of module `top`.
fn within(top: &str, joins: &[&str], module: &str) -> bool {
    let path = module
        .strip_prefix(top)
        .and_then(|path| path.strip_prefix('$'));
    path.is_some_and(|path| {
        let is_in = |rest: &str| rest.is_empty() || rest.starts_with('$');
        (joins.iter()).any(|join| path.strip_prefix(join).is_some_and(is_in))
    })
}

/// Keeps about `most` of the `possible` changes, the same each time, and every fault of a proof.
fn sample(sites: &mut [Site], possible: usize, most: usize) {
    if possible <= most {
        return;
    }
    let mut state = 0u64;
    for change in sites.iter_mut().map(|site| &mut site.changes) {
        change.retain(|change| {
            // Knuth's multiplier; the high bits do not follow the unrolled copies of the code.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            change.operator == Operator::Fault || (state >> 33) % (possible as u64) < most as u64
        });
    }
}

impl Site {
    /// Outer before inner; [`Schema::verilog`] relies on it.
    fn order(&self) -> (usize, Reverse<usize>, bool) {
        (self.span.start, Reverse(self.span.end), !self.statement)
    }

    fn of_fault(span: Range<usize>, before: &str, to: &str) -> Site {
        let change = super::operators::Change {
            operator: Operator::Fault,
            to: to.to_owned(),
            at_start: false,
        };
        Site {
            span,
            statement: before.ends_with(';'),
            changes: vec![change],
        }
    }
}

impl Sites {
    fn fault(&self, verilog: &str, fault: &Fault) -> Option<Site> {
        let start = verilog.find(fault.from)?;
        let span = start..start + fault.from.len();
        (self.wholes.contains(&span)).then(|| Site::of_fault(span, fault.from, fault.to))
    }

    /// The smallest whole that `fault` changes, and that is as whole in `faulty`, where `there` was found.
    fn widened(&self, verilog: &str, fault: &Fault, there: &Sites, faulty: &str) -> Option<Site> {
        let start = verilog.find(fault.from)?;
        let pairs = || fault.from.bytes().zip(fault.to.bytes());
        let same = pairs().take_while(|(from, to)| from == to).count();
        let (from, to) = (fault.from.len() - same, fault.to.len() - same);
        let same_end = (fault.from.bytes().rev().zip(fault.to.bytes().rev()))
            .take(from.min(to))
            .take_while(|(from, to)| from == to)
            .count();
        let changed = start + same..start + fault.from.len() - same_end;
        let end_there = |span: &Range<usize>| span.end + fault.to.len() - fault.from.len();
        let holds = |span: &&Range<usize>| {
            span.start <= changed.start
                && changed.end <= span.end
                && there.wholes.contains(&(span.start..end_there(span)))
        };
        let span =
            (self.wholes.iter().filter(holds)).min_by_key(|span| (span.len(), span.start))?;
        let to = &faulty[span.start..end_there(span)];
        Some(Site::of_fault(span.clone(), &verilog[span.clone()], to))
    }
}

struct Writer<'a> {
    schema: &'a Schema,
    ports: Ports,
    next_port: usize,
    next_site: usize,
    with_start: bool,
    out: String,
}

impl Writer<'_> {
    /// Writes a stretch of the text with the sites that begin in it.
    fn span(&mut self, span: Range<usize>) {
        let mut at = span.start;
        while let Some(site) = self
            .schema
            .sites
            .get(self.next_site)
            .filter(|site| site.span.start < span.end)
        {
            self.copy(at..site.span.start);
            at = site.span.end;
            let first = self.schema.first[self.next_site];
            self.next_site += 1;
            self.site(site, first);
        }
        self.copy(at..span.end);
    }

    fn site(&mut self, site: &Site, first: usize) {
        let (mut close, chosen) = (String::new(), |number: usize| {
            format!("{SELECTOR} == {SELECTOR_BITS}'d{number}")
        });
        for (number, change) in (first..).zip(&site.changes) {
            if change.at_start && !self.with_start {
                continue;
            }
            let number = chosen(number);
            if site.statement {
                let _ = write!(
                    self.out,
                    "if ({number}) begin {} end else begin ",
                    change.to
                );
                close.push_str(" end");
            } else {
                let _ = write!(self.out, "(({number}) ? ({}) : (", change.to);
                close.push_str("))");
            }
        }
        self.span(site.span.clone());
        self.out.push_str(&close);
    }

    /// Copies text without sites, adding the input to headings and instances.
    fn copy(&mut self, span: Range<usize>) {
        let mut at = span.start;
        while let Some(&(place, what)) = self
            .ports
            .get(self.next_port)
            .filter(|(place, _)| *place <= span.end)
        {
            self.out.push_str(&self.schema.text[at..place]);
            let _ = match what {
                "port" => write!(self.out, ",{SELECTOR}"),
                "input" => write!(
                    self.out,
                    "\n    input wire [{}:0] {SELECTOR};",
                    SELECTOR_BITS - 1
                ),
                _ => write!(self.out, ".{SELECTOR}({SELECTOR}),"),
            };
            at = place;
            self.next_port += 1;
        }
        self.out.push_str(&self.schema.text[at..span.end]);
    }
}

#[cfg(test)]
mod tests;
