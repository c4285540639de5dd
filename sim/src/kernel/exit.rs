//! The marks of an `exit`: its constant, 0 if it has none.

use super::{Inst, Op, Operand};

/// The thread ends in a function that has been inlined: the others meet where they would if it were called.
pub const IN_FUNCTION: u64 = 1;
/// Behind it the warp has no register mapped (RFV): its end needs no walk of the renaming table.
pub const MAPS_NOTHING: u64 = 2;

impl Inst {
    /// The marks, if it is an exit.
    #[must_use]
    pub fn exit_marks(&self) -> Option<u64> {
        match (self.op, self.srcs.first()) {
            (Op::Exit, None) => Some(0),
            (Op::Exit, Some(&Operand::Imm(marks))) => Some(marks),
            _ => None,
        }
    }

    /// Gives an exit these marks; other instructions stay as they are.
    pub fn mark_exit(&mut self, marks: u64) {
        if self.op == Op::Exit {
            self.srcs.clear();
            self.srcs
                .extend((marks != 0).then_some(Operand::Imm(marks)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Line;

    #[test]
    fn marks_come_and_go() {
        let mut exit = Inst {
            guard: None,
            op: Op::Exit,
            dsts: Default::default(),
            srcs: Default::default(),
            line: Line(1),
        };
        assert_eq!(exit.exit_marks(), Some(0));
        exit.mark_exit(IN_FUNCTION | MAPS_NOTHING);
        assert_eq!(exit.exit_marks(), Some(3));
        exit.mark_exit(0);
        assert!(exit.srcs.is_empty());
        let mut other = Inst {
            op: Op::Nop,
            ..exit
        };
        other.mark_exit(1);
        assert_eq!(other.exit_marks(), None);
        assert!(other.srcs.is_empty());
    }
}
