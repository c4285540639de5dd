//! The SIMT stack of a warp: which lanes run where, and where they meet again.
//!
//! Lanes that end in a function leave all entries. If they are the last of a call, and others of the warp still live, the call
//! has ended without a return. With register stacks the warp then issues the return that is missing, with no lanes, one
//! for each such call, before the others go on: RFP and RSP become the caller's, and packs of the caller that were saved
//! are filled. CARS does not say what an `exit` in a function does. // assumed. Without register stacks there is nothing to
//! give back: what the convention saves is per lane, and those lanes are gone.

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
    /// Its lanes have all ended; it is there until the return of the register stack.
    unwinds: bool,
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
            unwinds: false,
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
                    unwinds: false,
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
            unwinds: false,
        });
    }

    /// `lanes` of the running ones return from the function; the others go on at `next`. With the last lane it ends.
    /// False, and nothing happens, outside of functions.
    pub fn ret(&mut self, lanes: u32, next: u32) -> bool {
        let Some(frame) = self.entries.iter().rposition(|entry| entry.call) else {
            return false;
        };
        if self.unwinds() {
            self.entries.truncate(frame);
            self.settle();
            return true;
        }
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

    /// Whether the function ends when `lanes` return: no others are left in it. Without lanes only if they have all ended.
    pub fn ends_call(&self, lanes: u32) -> bool {
        let call = self.entries.iter().rfind(|entry| entry.call);
        call.is_some_and(|entry| entry.lanes & !lanes == 0)
    }

    /// `lanes` end: they leave every entry. The others of the running lanes go on at `next`. With `returns_at`, calls that have
    /// lost their last lanes stay on the stack of a warp that goes on, for a return at that program counter.
    pub fn exit(&mut self, lanes: u32, next: u32, returns_at: Option<u32>) {
        for entry in &mut self.entries {
            entry.lanes &= !lanes;
        }
        if self.lanes() != 0 {
            self.advance(next);
        } else if self.all_lanes() == 0 {
            self.entries.clear();
        } else {
            if let Some(pc) = returns_at {
                for entry in self.entries.iter_mut().filter(|e| e.call && e.lanes == 0) {
                    (entry.pc, entry.unwinds) = (pc, true);
                }
            }
            self.settle();
        }
    }

    /// Whether what runs next is the return of a call whose lanes have all ended.
    pub fn unwinds(&self) -> bool {
        self.entries.last().is_some_and(|top| top.unwinds)
    }

    /// Whether nothing runs any more.
    pub fn has_ended(&self) -> bool {
        self.entries.is_empty()
    }

    /// Calls that have not ended.
    pub fn calls(&self) -> usize {
        self.entries.iter().filter(|entry| entry.call).count()
    }

    fn settle(&mut self) {
        while self
            .entries
            .last()
            .is_some_and(|top| !top.unwinds && (top.lanes == 0 || top.pc == top.until))
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
        stack.exit(0x03, 11, None);
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
        stack.exit(0x0f, 11, None);
        assert_eq!((stack.pc(), stack.lanes()), (1, 0xf0));
        stack.exit(0xf0, 2, None);
        assert_eq!((stack.pc(), stack.lanes()), (NEVER, 0));
    }

    /// Lanes 0 to 7 of 16 are two calls deep, lanes 0 to 3 of them in a third one.
    fn three_calls() -> SimtStack {
        let mut stack = started(0xffff);
        stack.branch(0x00ff, 10, 1, 20);
        stack.call(0x00ff, 100, 11);
        stack.call(0x00ff, 200, 101);
        stack.branch(0x000f, 210, 201, 220);
        stack.call(0x000f, 300, 211);
        stack
    }

    #[test]
    fn calls_whose_lanes_have_all_ended_return_one_after_the_other_without_lanes() {
        let mut stack = three_calls();
        // The innermost call ends alone: the others of its caller go on where they wait.
        stack.exit(0x000f, 301, Some(999));
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (999, 0, 3));
        assert!(stack.unwinds() && stack.ends_call(0) && !stack.has_ended());
        assert!(stack.ret(0, 1000));
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (201, 0x00f0, 2));
        assert!(!stack.unwinds() && !stack.ends_call(0));
        // Both calls end at once.
        stack.exit(0x00f0, 202, Some(999));
        for calls in [2, 1] {
            assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (999, 0, calls));
            assert!(stack.ret(0, 1000));
        }
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (1, 0xff00, 0));
    }

    #[test]
    fn without_a_return_calls_whose_lanes_have_all_ended_are_gone_at_once() {
        let mut stack = three_calls();
        stack.exit(0x000f, 301, None);
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (201, 0x00f0, 2));
        stack.exit(0x00f0, 202, None);
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (1, 0xff00, 0));
    }

    #[test]
    fn lanes_that_end_in_a_call_leave_it_to_the_others() {
        let mut stack = three_calls();
        stack.exit(0x0003, 301, Some(999));
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (301, 0x000c, 3));
        assert!(stack.ends_call(0x000c));
        assert!(stack.ret(0x000c, 302));
        assert_eq!((stack.pc(), stack.lanes()), (211, 0x000c));
    }

    #[test]
    fn nothing_returns_when_the_whole_warp_has_ended() {
        let mut stack = started(0xff);
        stack.call(0xff, 100, 1);
        stack.call(0xff, 200, 101);
        stack.exit(0xff, 201, Some(999));
        assert!(stack.has_ended() && !stack.unwinds());
        assert_eq!((stack.pc(), stack.lanes(), stack.calls()), (NEVER, 0, 0));
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
