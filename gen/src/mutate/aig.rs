//! And-inverter graphs with structural hashing: the original and its mutants in one graph, where what is equal becomes
//! one node. What is left is written as CNF.

use super::MutateError;
use std::collections::HashMap;

/// A literal: twice the node, plus one if inverted. Node 0 is the constant: literal 0 is false, 1 true.
pub(super) type Literal = usize;

/// A circuit as Yosys writes it (AIGER, ASCII).
pub(super) struct Circuit {
    /// Name and literal of each input.
    inputs: Vec<(String, Literal)>,
    /// Each latch, whose power-on value is 0.
    latches: Vec<Latch>,
    outputs: Vec<Literal>,
    ands: Vec<[Literal; 3]>,
    literals: usize,
}

/// A bit of the state.
struct Latch {
    literal: Literal,
    next: Literal,
    /// Names of the wires that it drives, such as `left$q[3]`, with `$` in place of each dot.
    names: Vec<String>,
}

impl Circuit {
    /// The latch that drives this wire.
    pub fn latch(&self, wire: &str) -> Option<usize> {
        let drives = |latch: &Latch| latch.names.iter().any(|name| name == wire);
        self.latches.iter().position(drives)
    }

    /// Reads AIGER.
    pub fn read(text: &str) -> Result<Circuit, MutateError> {
        let bad = |line: &str| MutateError::Answer {
            what: "yosys",
            line: line.to_owned(),
        };
        let numbers = |line: &str| -> Vec<usize> {
            line.split(' ')
                .filter_map(|word| word.parse().ok())
                .collect()
        };
        let mut lines = text.lines();
        let head = lines.next().unwrap_or("");
        let [last, inputs, latches, outputs, ands] = numbers(head)[..5.min(numbers(head).len())]
        else {
            return Err(bad(head));
        };
        let mut take =
            |count: usize| -> Vec<Vec<usize>> { lines.by_ref().take(count).map(numbers).collect() };
        let (inputs, latches, outputs, ands) =
            (take(inputs), take(latches), take(outputs), take(ands));
        let row =
            |row: &[usize], at: usize| row.get(at).copied().ok_or_else(|| bad(&format!("{row:?}")));
        let mut circuit = Circuit {
            inputs: Vec::new(),
            latches: Vec::new(),
            outputs: Vec::new(),
            ands: Vec::new(),
            literals: 2 * (last + 1),
        };
        for input in &inputs {
            circuit.inputs.push((String::new(), row(input, 0)?));
        }
        for latch in &latches {
            circuit.latches.push(Latch {
                literal: row(latch, 0)?,
                next: row(latch, 1)?,
                names: Vec::new(),
            });
        }
        for output in &outputs {
            circuit.outputs.push(row(output, 0)?);
        }
        for and in &ands {
            circuit
                .ands
                .push([row(and, 0)?, row(and, 1)?, row(and, 2)?]);
        }
        for line in lines.take_while(|line| *line != "c") {
            let name = line.strip_prefix('i').and_then(|line| line.split_once(' '));
            if let Some((number, name)) = name {
                let input = number
                    .parse()
                    .ok()
                    .and_then(|number: usize| circuit.inputs.get_mut(number));
                input.ok_or_else(|| bad(line))?.0 = name.to_owned();
            }
            let names = line.strip_prefix('l').and_then(|line| line.split_once(' '));
            if let Some((number, names)) = names {
                let number = number.parse().ok();
                let latch = number.and_then(|number: usize| circuit.latches.get_mut(number));
                let names = names.split(' ').map(|name| name.replace('.', "$"));
                latch.ok_or_else(|| bad(line))?.names = names.collect();
            }
        }
        Ok(circuit)
    }
}

/// A graph in which no two nodes are the same.
#[derive(Default)]
pub(super) struct Graph {
    ands: Vec<Option<(Literal, Literal)>>,
    known: HashMap<(Literal, Literal), Literal>,
}

impl Graph {
    fn free(&mut self) -> Literal {
        self.ands.push(None);
        2 * self.ands.len()
    }

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (0, _) => 0,
            (1, _) => b,
            _ if a == b => a,
            _ if a ^ 1 == b => 0,
            _ => {
                if let Some(&known) = self.known.get(&(a, b)) {
                    return known;
                }
                let new = self.free();
                if let Some(node) = self.ands.last_mut() {
                    *node = Some((a, b));
                }
                self.known.insert((a, b), new);
                new
            }
        }
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (one, other) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.and(one ^ 1, other ^ 1) ^ 1
    }

    /// True if any output or next state differs.
    pub fn differs(&mut self, one: &[Literal], other: &[Literal]) -> Literal {
        let mut any = 0;
        for (&one, &other) in one.iter().zip(other) {
            let differs = self.xor(one, other);
            any = self.and(any ^ 1, differs ^ 1) ^ 1;
        }
        any
    }

    /// CNF (DIMACS) that is satisfiable exactly if `wanted` can be true.
    pub fn cnf(&self, wanted: Literal) -> String {
        let mut needed = vec![false; self.ands.len() + 1];
        let mut stack = vec![wanted / 2];
        let mut clauses = Vec::new();
        let dimacs = |literal: Literal| {
            if literal % 2 == 1 {
                -((literal / 2) as i64)
            } else {
                (literal / 2) as i64
            }
        };
        while let Some(node) = stack.pop() {
            if node == 0 || std::mem::replace(&mut needed[node], true) {
                continue;
            }
            if let Some((a, b)) = self.ands[node - 1] {
                let y = 2 * node;
                clauses.push(vec![dimacs(y ^ 1), dimacs(a)]);
                clauses.push(vec![dimacs(y ^ 1), dimacs(b)]);
                clauses.push(vec![dimacs(y), dimacs(a ^ 1), dimacs(b ^ 1)]);
                stack.extend([a / 2, b / 2]);
            }
        }
        clauses.push(vec![dimacs(wanted)]);
        let mut text = format!("p cnf {} {}\n", self.ands.len(), clauses.len());
        for clause in clauses {
            for literal in clause {
                text.push_str(&format!("{literal} "));
            }
            text.push_str("0\n");
        }
        text
    }
}

/// The circuit in a graph, with inputs and state shared by all its copies.
pub(super) struct Copies<'a> {
    circuit: &'a Circuit,
    selector: &'a str,
    pub graph: Graph,
    base: Vec<Literal>,
}

impl<'a> Copies<'a> {
    /// `selector` names the input that is a constant in each copy.
    pub fn new(circuit: &'a Circuit, selector: &'a str) -> Self {
        let mut graph = Graph::default();
        let mut base = vec![0; circuit.literals];
        let shared = circuit.inputs.iter().map(|(_, literal)| *literal);
        for literal in shared.chain(circuit.latches.iter().map(|latch| latch.literal)) {
            let free = graph.free();
            base[literal] = free;
            base[literal ^ 1] = free ^ 1;
        }
        base[1] = 1;
        Copies {
            circuit,
            selector,
            graph,
            base,
        }
    }

    /// Outputs and next states with the selector at `number`.
    pub fn copy(&mut self, number: usize) -> Vec<Literal> {
        self.copy_of(number, self.base.clone())
    }

    /// Those of the original in the first cycle, if these latches begin with the other value.
    pub fn first_cycle(&mut self, flipped: &[usize]) -> Vec<Literal> {
        let mut value = self.base.clone();
        for (number, latch) in self.circuit.latches.iter().enumerate() {
            value[latch.literal] = flipped.contains(&number).into();
            value[latch.literal ^ 1] = value[latch.literal] ^ 1;
        }
        self.copy_of(0, value)
    }

    fn copy_of(&mut self, number: usize, mut value: Vec<Literal>) -> Vec<Literal> {
        for (name, literal) in &self.circuit.inputs {
            let bit = name
                .strip_prefix(self.selector)
                .and_then(|rest| rest.strip_prefix('['));
            if let Some(bit) = bit.and_then(|bit| bit.strip_suffix(']')?.parse::<usize>().ok()) {
                value[*literal] = number >> bit & 1;
                value[literal ^ 1] = value[*literal] ^ 1;
            }
        }
        for &[y, a, b] in &self.circuit.ands {
            value[y] = self.graph.and(value[a], value[b]);
            value[y ^ 1] = value[y] ^ 1;
        }
        let next = self.circuit.latches.iter().map(|latch| latch.next);
        self.circuit
            .outputs
            .iter()
            .copied()
            .chain(next)
            .map(|literal| value[literal])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = (a & b) | (selector[0] & (a | b)): `and` while the selector is even, else `or`.
    const TEXT: &str = "aag 8 4 0 1 4\n2\n4\n6\n8\n17\n10 2 4\n12 3 5\n14 6 13\n16 11 15\n\
        i0 a\ni1 b\ni2 mutant_number[0]\ni3 mutant_number[1]\nc\n";

    #[test]
    fn a_copy_that_is_the_same_function_has_the_same_literal() {
        let circuit = Circuit::read(TEXT).expect("reads");
        let mut copies = Copies::new(&circuit, "mutant_number");
        let [zero, one, two] = [0, 1, 2].map(|number| copies.copy(number));
        assert_eq!(zero, two);
        assert_ne!(zero, one);
        let differs = copies.graph.differs(&zero, &one);
        assert!(copies.graph.cnf(differs).starts_with("p cnf"));
        assert_eq!(copies.graph.differs(&zero, &two), 0);
    }

    /// A register that follows `a` and one that stays as it is; the output is `a`.
    const REGISTERS: &str =
        "aag 3 1 2 1 0\n2\n4 2\n6 6\n2\ni0 a\nl0 q[0] part.q[0]\nl1 held.q\nc\n";

    #[test]
    fn a_power_on_value_that_nobody_reads_and_that_goes_at_once_is_of_no_account() {
        let circuit = Circuit::read(REGISTERS).expect("reads");
        let latches = ["part$q[0]", "held$q", "q[1]"].map(|wire| circuit.latch(wire));
        assert_eq!(latches, [Some(0), Some(1), None]);
        let mut copies = Copies::new(&circuit, "mutant_number");
        let [original, gone, held] = [&[][..], &[0], &[1]].map(|bits| copies.first_cycle(bits));
        assert_eq!(original, gone);
        assert_ne!(original, held);
    }
}
