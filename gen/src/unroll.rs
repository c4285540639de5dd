//! Loops unrolled before rust-hdl writes them.
//!
//! rust-hdl's own way is to go through a loop's body for each value of its variable, and there to compile a regular expression and to
//! interpret an index for each name with brackets, which was three quarters of the time of an export. What is written is the same to
//! the byte: rust-hdl is given the statements that it would have made. Only a name with two indices differs, of which rust-hdl leaves the
//! second, and a loop variable that hides another of its name, for which rust-hdl writes the outer one.

use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression,
    VerilogLink, VerilogLinkDetails, VerilogMatch, VerilogStatement,
};
use rust_hdl::prelude::{Atom, Block, Logic, ModuleDefines, Probe, Verilog};

/// Loop variables and their values, the innermost last.
pub(crate) type Loops = Vec<(String, usize)>;

/// [`ModuleDefines`] that is shown blocks with their loops unrolled. The lint has seen that each index has a value.
#[derive(Default)]
pub(crate) struct Unrolled(pub ModuleDefines);

impl Probe for Unrolled {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let verilog = match node.hdl() {
            Verilog::Combinatorial(block) => Verilog::Combinatorial(unrolled(&block)),
            other => other,
        };
        self.0.visit_start_scope(name, &Text(verilog));
    }

    fn visit_start_namespace(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_start_namespace(name, node);
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        self.0.visit_atom(name, signal);
    }

    fn visit_end_namespace(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_end_namespace(name, node);
    }

    fn visit_end_scope(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_end_scope(name, node);
    }
}

/// A block of which only its text is asked.
struct Text(Verilog);

impl Logic for Text {
    fn update(&mut self) {}

    fn connect(&mut self) {}

    fn hdl(&self) -> Verilog {
        self.0.clone()
    }
}

impl Block for Text {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _: &str, _: &mut dyn Probe) {}
}

fn unrolled(block: &VerilogBlock) -> VerilogBlock {
    let mut loops = Loops::new();
    copy_block(block, &mut loops)
}

fn copy_block(block: &VerilogBlock, loops: &mut Loops) -> VerilogBlock {
    let mut out = VerilogBlock::new();
    for stmt in block {
        copy_stmt(stmt, loops, &mut out);
    }
    out
}

fn copy_stmt(stmt: &VerilogStatement, loops: &mut Loops, out: &mut VerilogBlock) {
    use VerilogStatement as S;
    let copy = match stmt {
        S::Loop(repeat) => {
            for value in repeat.from.as_usize()..repeat.to.as_usize() {
                loops.push((repeat.index.clone(), value));
                for stmt in &repeat.block {
                    copy_stmt(stmt, loops, out);
                }
                loops.pop();
            }
            return;
        }
        S::Macro(block) => S::Macro(copy_block(block, loops)),
        S::Comment(text) => S::Comment(text.clone()),
        S::Assignment(to, value) => S::Assignment(copy(to, loops), copy(value, loops)),
        S::SliceAssignment {
            base,
            width,
            offset,
            replacement,
        } => S::SliceAssignment {
            base: copy(base, loops),
            width: *width,
            offset: copy(offset, loops),
            replacement: copy(replacement, loops),
        },
        S::If(choice) => {
            use VerilogBlockOrConditional as O;
            S::If(VerilogConditional {
                test: copy(&choice.test, loops),
                then: copy_block(&choice.then, loops),
                otherwise: match &choice.otherwise {
                    O::Block(block) => O::Block(copy_block(block, loops)),
                    O::Conditional(stmt) => {
                        let mut next = VerilogBlock::new();
                        copy_stmt(stmt, loops, &mut next);
                        // Only an `if` stands behind `else`, and it stays one statement.
                        next.pop()
                            .map_or(O::None, |stmt| O::Conditional(Box::new(stmt)))
                    }
                    O::None => O::None,
                },
            })
        }
        S::Match(choice) => {
            let case = |case: &VerilogCase| VerilogCase {
                condition: fixed(&case.condition, loops),
                block: copy_block(&case.block, &mut loops.clone()),
            };
            S::Match(VerilogMatch {
                test: copy(&choice.test, loops),
                cases: choice.cases.iter().map(case).collect(),
            })
        }
        S::Link(links) => {
            let details = |of: &VerilogLinkDetails| VerilogLinkDetails {
                my_name: fixed(&of.my_name, loops),
                owner_name: fixed(&of.owner_name, loops),
                other_name: fixed(&of.other_name, loops),
            };
            let link = |link: &VerilogLink| match link {
                VerilogLink::Forward(of) => VerilogLink::Forward(details(of)),
                VerilogLink::Backward(of) => VerilogLink::Backward(details(of)),
                VerilogLink::Bidirectional(of) => VerilogLink::Bidirectional(details(of)),
            };
            S::Link(links.iter().map(link).collect())
        }
    };
    out.push(copy);
}

fn copy(e: &VerilogExpression, loops: &Loops) -> VerilogExpression {
    use VerilogExpression as V;
    let boxed = |e: &VerilogExpression| Box::new(copy(e, loops));
    match e {
        V::Signal(name) => V::Signal(fixed(name, loops)),
        V::Literal(number) => V::Literal(number.clone()),
        V::Cast(x, bits) => V::Cast(boxed(x), *bits),
        V::Signed(x) => V::Signed(boxed(x)),
        V::Unsigned(x) => V::Unsigned(boxed(x)),
        V::Paren(x) => V::Paren(boxed(x)),
        V::Binary(l, op, r) => V::Binary(boxed(l), op.clone(), boxed(r)),
        V::Unary(op, x) => V::Unary(op.clone(), boxed(x)),
        V::Index(base, index) => V::Index(boxed(base), boxed(index)),
        V::Slice(base, width, offset) => V::Slice(boxed(base), *width, boxed(offset)),
        V::IndexReplace(base, index, value) => {
            V::IndexReplace(boxed(base), boxed(index), boxed(value))
        }
    }
}

/// A name of which each loop variable is a number and each `[index]` is `$value`; rust-hdl does the rest.
fn fixed(name: &str, loops: &Loops) -> String {
    if let Some((_, value)) = loops.iter().rev().find(|(index, _)| index == name) {
        return value.to_string();
    }
    let mut fixed = name.to_owned();
    while let Some((open, close)) = fixed.find('[').zip(fixed.find(']')) {
        let Some(value) = index_value(&fixed[open + 1..close], loops) else {
            break;
        };
        fixed.replace_range(open..=close, &format!("${value}"));
    }
    fixed
}

/// Value of an array index made of loop variables, numbers, `+ - *` and parentheses.
pub(crate) fn index_value(text: &str, loops: &Loops) -> Option<usize> {
    let text = text.trim();
    let mut depth = 0i32;
    let mut split = None;
    for (at, symbol) in text.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 && at > 0 => split = Some((at, symbol)),
            '*' if depth == 0 && split.is_none_or(|(_, found)| found == '*') => {
                split = Some((at, symbol))
            }
            _ => {}
        }
    }
    if let Some((at, symbol)) = split {
        let (left, right) = (
            index_value(&text[..at], loops)?,
            index_value(&text[at + 1..], loops)?,
        );
        return match symbol {
            '+' => left.checked_add(right),
            '-' => left.checked_sub(right),
            _ => left.checked_mul(right),
        };
    }
    if let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return index_value(inner, loops);
    }
    match loops.iter().rev().find(|(index, _)| index == text) {
        Some((_, value)) => Some(*value),
        None => text
            .trim_end_matches("usize")
            .trim_end_matches('_')
            .parse()
            .ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdl::prelude::*;

    #[derive(LogicBlock, Default)]
    struct Pin {
        a: Signal<In, Bits<4>>,
        b: [Signal<Out, Bits<4>>; 2],
    }

    impl Logic for Pin {
        #[hdl_gen]
        fn update(&mut self) {
            for k in 0..2 {
                self.b[k].next = self.a.val();
            }
        }
    }

    #[derive(Copy, Clone, PartialEq, Debug, LogicState)]
    enum Way {
        Up,
        Down,
    }

    #[derive(LogicBlock, Default)]
    struct Everything {
        clock: Signal<In, Clock>,
        bits: Signal<In, Bits<8>>,
        way: Signal<Local, Way>,
        sums: [Signal<Local, Bits<4>>; 8],
        out: Signal<Out, Bits<8>>,
        pins: [Pin; 2],
        store: [DFF<Bits<4>>; 2],
    }

    impl Logic for Everything {
        #[hdl_gen]
        fn update(&mut self) {
            self.out.next = self.bits.val();
            self.way.next = Way::Down;
            for i in 0..2 {
                self.store[i].clock.next = self.clock.val();
                self.store[i].d.next = self.store[i].q.val();
                self.pins[i].a.next = self.store[i].q.val();
                for j in 0..4 {
                    // Indices of both variables, and the variables themselves.
                    self.sums[(i * 4) + j].next = bit_cast::<4, 8>(self.bits.val());
                    if self.bits.val().get_bit(j) {
                        self.store[i].d.next = self.sums[j].val();
                    } else if self.bits.val().get_bit(j + 4) {
                        self.store[i].d.next = self.sums[(j + 7) - j].val();
                    } else {
                        self.out.next = self.out.val().replace_bit(j, true);
                    }
                }
                match self.way.val() {
                    Way::Up => self.store[i].d.next = self.sums[i].val(),
                    Way::Down => {
                        self.store[i].d.next = self.sums[i + 1].val();
                    }
                }
            }
        }
    }

    fn text(block: &dyn Block) -> (String, String) {
        let mut theirs = ModuleDefines::default();
        block.accept("top", &mut theirs);
        let mut ours = Unrolled::default();
        block.accept("top", &mut ours);
        (theirs.defines(), ours.0.defines())
    }

    #[test]
    fn a_block_reads_as_rust_hdl_writes_it() {
        let mut block = Everything::default();
        block.connect_all();
        let (theirs, ours) = text(&block);
        assert_eq!(theirs, ours);
        assert!(ours.contains("sums$7") && ours.contains("pins$1"), "{ours}");
    }

    #[derive(LogicBlock, Default)]
    struct PinsOfMany {
        a: Signal<In, Bits<4>>,
        out: [Signal<Out, Bits<4>>; 4],
        pins: [Pin; 2],
    }

    impl Logic for PinsOfMany {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                self.pins[i].a.next = self.a.val();
                for j in 0..2 {
                    self.out[(2 * i) + j].next = self.pins[i].b[j].val();
                }
            }
        }
    }

    /// rust-hdl leaves the second index of a name in it, which is no Verilog.
    #[test]
    fn each_index_of_a_name_is_resolved() {
        let mut block = PinsOfMany::default();
        block.connect_all();
        let (theirs, ours) = text(&block);
        assert!(theirs.contains("pins$1$b[j]"), "{theirs}");
        assert!(ours.contains("out$3 = pins$1$b$1;"), "{ours}");
        assert!(!ours.contains("b["), "{ours}");
    }

    /// Of two loop variables of one name Rust means the inner one; rust-hdl writes the outer one where it stands alone.
    #[test]
    fn the_inner_variable_hides_the_outer_one() {
        let loops = vec![
            ("i".to_owned(), 3),
            ("j".to_owned(), 5),
            ("i".to_owned(), 2),
        ];
        assert_eq!(fixed("i", &loops), "2");
        assert_eq!(fixed("a[i].b[j].next", &loops), "a$2.b$5.next");
    }

    #[test]
    fn an_index_is_what_arithmetic_makes_of_it() {
        let loops = vec![
            ("i".to_owned(), 3),
            ("j".to_owned(), 5),
            ("i".to_owned(), 2),
        ];
        for (text, value) in [
            ("i", Some(2)),
            ("((i + 4) - 1)", Some(5)),
            ("2 * i + j * 3", Some(19)),
            ("(i + 1) * (j - 3)", Some(6)),
            ("7usize", Some(7)),
            ("i - j", None),
            ("k", None),
        ] {
            assert_eq!(index_value(text, &loops), value, "{text}");
        }
    }
}
