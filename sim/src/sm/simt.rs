//! The SIMT stack of a warp: which lanes run where, and where they meet again.

/// No program counter: lanes that meet only at the end of the kernel.
pub const NEVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    pc: u32,
    /// The entry ends when its lanes get here.
    until: u32,
    lanes: u32,
    /// Entered by a call: gone when all its lanes have returned (CARS III-C: one bit per entry).
    call: bool,
}

/// The stack. The top entry runs; those below wait at their program counters.
#[derive(Clone, Debug, Default)]
pub struct SimtStack {
    entries: Vec<Entry>,
}

impl SimtStack {
    /// A warp starts at the first instruction with these lanes.
    pub fn start(&mut self, lanes: u32) {
        self.entries.clear();
        self.entries.push(Entry {
            pc: 0,
            until: NEVER,
            lanes,
            call: false,
        });
    }

    /// Program counter of the running lanes; [`NEVER`] when all lanes have ended.
    pub fn pc(&self) -> u32 {
        self.entries.last().map_or(NEVER, |top| top.pc)
    }

    /// The running lanes.
    pub fn lanes(&self) -> u32 {
        self.entries.last().map_or(0, |top| top.lanes)
    }

    /// The lanes that have not ended.
    pub fn all_lanes(&self) -> u32 {
        self.entries.iter().fold(0, |all, entry| all | entry.lanes)
    }

    /// Entries: 1 when the warp runs together.
    #[cfg(test)]
    pub fn depth(&self) -> usize {
        self.entries.len()
    }

    /// The running lanes go on at `pc`; there they may meet others.
    pub fn advance(&mut self, pc: u32) {
        if let Some(top) = self.entries.last_mut() {
            top.pc = pc;
        }
        self.settle();
    }

    /// `taken` of the running lanes jump to `target`, the others go on at `next`; they meet at `meet`.
    pub fn branch(&mut self, taken: u32, target: u32, next: u32, meet: u32) {
        let Some(top) = self.entries.last_mut() else {
            return;
        };
        let stay = top.lanes & !taken;
        if taken == 0 || stay == 0 {
            self.advance(if taken == 0 { next } else { target });
            return;
        }
        let meet = if meet == NEVER { top.until } else { meet };
        // The entry below an entry that ends at `meet` waits there already (or runs to it): no second one.
        if meet == top.until && !top.call {
            self.entries.pop();
        } else {
            top.pc = meet;
        }
        for (pc, lanes) in [(next, stay), (target, taken)] {
            if pc != meet {
                self.entries.push(Entry {
                    pc,
                    until: meet,
                    lanes,
                    call: false,
                });
            }
        }
        self.settle();
    }

    /// `lanes` of the running ones go into a function at `target`; then all that run here go on at `next`.
    pub fn call(&mut self, lanes: u32, target: u32, next: u32) {
        if let Some(top) = self.entries.last_mut() {
            top.pc = next;
        }
        self.entries.push(Entry {
            pc: target,
            until: NEVER,
            lanes,
            call: true,
        });
    }

    /// `lanes` of the running ones return from the function; the others go on at `next`. With the last lane it ends.
    /// False, and nothing happens, outside of functions.
    pub fn ret(&mut self, lanes: u32, next: u32) -> bool {
        let Some(frame) = self.entries.iter().rposition(|entry| entry.call) else {
            return false;
        };
        let stay = self.lanes() & !lanes;
        for entry in &mut self.entries[frame..] {
            entry.lanes &= !lanes;
        }
        if stay != 0 {
            self.advance(next);
        }
        self.settle();
        true
    }

    /// Whether the function ends when `lanes` return: no others are left in it.
    pub fn ends_call(&self, lanes: u32) -> bool {
        let call = self.entries.iter().rfind(|entry| entry.call);
        call.is_some_and(|entry| entry.lanes & !lanes == 0)
    }

    /// `lanes` end: they leave every entry. The others of the running lanes go on at `next`.
    pub fn exit(&mut self, lanes: u32, next: u32) {
        for entry in &mut self.entries {
            entry.lanes &= !lanes;
        }
        if self.lanes() != 0 {
            self.advance(next);
        }
        self.settle();
    }

    fn settle(&mut self) {
        while self
            .entries
            .last()
            .is_some_and(|top| top.lanes == 0 || top.pc == top.until)
        {
            self.entries.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(lanes: u32) -> SimtStack {
        let mut stack = SimtStack::default();
        stack.start(lanes);
        stack
    }

    #[test]
    fn parted_lanes_meet_at_the_reconvergence_point() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 10, 1, 20);
        assert_eq!((stack.pc(), stack.lanes()), (10, 0x0f));
        stack.advance(20);
        assert_eq!((stack.pc(), stack.lanes()), (1, 0xf0));
        stack.advance(20);
        assert_eq!((stack.pc(), stack.lanes()), (20, 0xff));
        assert_eq!(stack.depth(), 1);
    }

    #[test]
    fn side_without_instructions_waits_at_the_reconvergence_point() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 20, 1, 20);
        assert_eq!((stack.pc(), stack.lanes()), (1, 0xf0));
        stack.advance(20);
        assert_eq!((stack.pc(), stack.lanes()), (20, 0xff));
    }

    #[test]
    fn loop_that_lanes_leave_one_by_one_does_not_grow_the_stack() {
        let mut stack = started(!0);
        for lane in 0..31 {
            stack.branch(!0 << (lane + 1), 0, 5, 5);
            assert!(stack.depth() <= 2, "depth {}", stack.depth());
            assert_eq!((stack.pc(), stack.lanes()), (0, !0 << (lane + 1)));
        }
        stack.advance(5);
        assert_eq!((stack.pc(), stack.lanes()), (5, !0));
    }

    #[test]
    fn guarded_exit_removes_lanes_everywhere() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 10, 1, 20);
        stack.exit(0x03, 11);
        assert_eq!((stack.pc(), stack.lanes()), (11, 0x0c));
        stack.advance(20);
        stack.advance(20);
        assert_eq!((stack.pc(), stack.lanes()), (20, 0xfc));
    }

    #[test]
    fn caller_goes_on_when_all_lanes_have_returned() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 10, 1, 20);
        stack.call(0x0f, 100, 11);
        // The two sides in the function never meet: one returns before the other.
        stack.branch(0x03, 110, 101, NEVER);
        assert_eq!((stack.pc(), stack.lanes()), (110, 0x03));
        assert!(stack.ret(0x03, 111));
        assert_eq!((stack.pc(), stack.lanes()), (101, 0x0c));
        assert!(stack.ret(0x04, 102));
        assert_eq!((stack.pc(), stack.lanes()), (102, 0x08));
        assert!(stack.ret(0x08, 103));
        assert_eq!((stack.pc(), stack.lanes()), (11, 0x0f));
        stack.advance(20);
        stack.advance(20);
        assert_eq!((stack.pc(), stack.lanes()), (20, 0xff));
        assert!(!stack.ret(0xff, 21));
    }

    #[test]
    fn side_that_ends_altogether_leaves_the_other_running() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 10, 1, NEVER);
        stack.exit(0x0f, 11);
        assert_eq!((stack.pc(), stack.lanes()), (1, 0xf0));
        stack.exit(0xf0, 2);
        assert_eq!((stack.pc(), stack.lanes()), (NEVER, 0));
    }

    #[test]
    fn nested_branch_that_meets_where_the_outer_does_needs_no_entry_of_its_own() {
        let mut stack = started(0xff);
        stack.branch(0x0f, 10, 1, 20);
        stack.branch(0x03, 12, 11, 20);
        assert_eq!(stack.depth(), 4);
        for lanes in [0x03, 0x0c, 0xf0] {
            assert_eq!(stack.lanes(), lanes);
            stack.advance(20);
        }
        assert_eq!((stack.pc(), stack.lanes()), (20, 0xff));
    }
}
