//! A kernel with the barriers of its memory accesses, as comments of the text form.

use regshare_sim::compiler::regdem::barriers::{Annotation, BARRIERS, annotate_all};
use regshare_sim::kernel::{Kernel, text};
use regshare_sim::machine::Machine;

/// Column at which a note begins. // assumed: longer instructions are few
const COLUMN: usize = 48;

/// The text form of `kernel`; behind each instruction the barrier that it sets, those that it waits for, and how long.
pub fn text(kernel: &Kernel, machine: &Machine) -> String {
    let notes = annotate_all(kernel, machine).concat();
    let accesses = notes.iter().filter(|note| note.sets.is_some()).count();
    let stalled: u64 = notes.iter().map(|note| note.stall_cycles).sum();
    let numbers = (0..BARRIERS).filter(|&number| {
        (notes.iter()).any(|note| note.sets.is_some_and(|set| usize::from(set) == number))
    });
    let mut out = format!(
        "// {} of {BARRIERS} barriers, set by {accesses} accesses; every block once, one warp alone stalls for {stalled} cycles\n",
        numbers.count()
    );
    let mut notes = notes.iter();
    for line in text::print(kernel).lines() {
        let is_inst = !(line.starts_with('.') || line.ends_with(':'));
        let note = is_inst
            .then(|| notes.next())
            .flatten()
            .map_or_else(String::new, told);
        match note.is_empty() {
            true => out += line,
            false => out += &format!("{line:<COLUMN$} // {note}"),
        }
        out.push('\n');
    }
    out
}

fn told(note: &Annotation) -> String {
    let waits: Vec<_> = (0..BARRIERS)
        .filter(|number| note.waits >> number & 1 == 1)
        .map(|number| number.to_string())
        .collect();
    let mut told = Vec::new();
    if !waits.is_empty() {
        told.push(format!("waits for {}", waits.join(" and ")));
    }
    if note.stall_cycles > 0 {
        told.push(format!("stalls {}", note.stall_cycles));
    }
    if let Some(number) = note.sets {
        told.push(format!("sets {number}"));
    }
    told.join(", ")
}
