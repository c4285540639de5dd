//! The SIMT stack: which lanes run where, and where they meet again.

use crate::kernel::BlockId;

/// Where a group of lanes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub block: BlockId,
    pub inst: usize,
}

impl Place {
    fn start_of(block: BlockId) -> Self {
        Place { block, inst: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    place: Place,
    /// The entry is done when its lanes arrive here; none for lanes that meet others only at the end.
    meets_at: Option<BlockId>,
    lanes: u32,
    /// Entered by a call: gone when all its lanes have returned.
    call: bool,
}

/// The stack of one warp. The lanes of the top entry run; an entry below waits for those above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SimtStack {
    entries: Vec<Entry>,
}

impl SimtStack {
    pub fn new(lanes: u32) -> Self {
        let mut stack = SimtStack {
            entries: vec![Entry {
                place: Place::start_of(BlockId(0)),
                meets_at: None,
                lanes,
                call: false,
            }],
        };
        stack.settle();
        stack
    }

    /// Lanes that run next and where; none when all have ended.
    pub fn top(&self) -> Option<(Place, u32)> {
        self.entries.last().map(|top| (top.place, top.lanes))
    }

    /// Goes to the next instruction of the block.
    pub fn advance(&mut self) {
        if let Some(top) = self.entries.last_mut() {
            top.place.inst += 1;
        }
    }

    /// Goes to the start of a block with all running lanes.
    pub fn jump(&mut self, to: BlockId) {
        if let Some(top) = self.entries.last_mut() {
            top.place = Place::start_of(to);
        }
        self.settle();
    }

    /// Parts the running lanes: `taken` go to `target`, the others to `next`; they meet at `meets_at`. Neither
    /// side is empty. The taken side runs first.
    pub fn part(&mut self, taken: u32, target: BlockId, next: BlockId, meets_at: Option<BlockId>) {
        let Some(mut top) = self.entries.pop() else {
            return;
        };
        // An entry that itself ends at the meeting point would be done on return: leaving it out keeps loops
        // from filling the stack.
        let meets_at = meets_at.or(top.meets_at);
        if let Some(block) = meets_at
            && meets_at != top.meets_at
        {
            self.entries.push(Entry {
                place: Place::start_of(block),
                ..top
            });
        } else if top.call {
            // It waits for the returns of its lanes.
            top.meets_at = None;
            self.entries.push(top);
        }
        for (block, lanes) in [(next, top.lanes & !taken), (target, taken)] {
            // Who is at the meeting point already waits in the entry below.
            if meets_at != Some(block) {
                self.entries.push(Entry {
                    place: Place::start_of(block),
                    meets_at,
                    lanes,
                    call: false,
                });
            }
        }
        self.settle();
    }

    /// Running lanes go into a function that starts at `to`; the caller's go on behind the call later, all together.
    pub fn call(&mut self, to: BlockId, lanes: u32) {
        self.advance();
        self.entries.push(Entry {
            place: Place::start_of(to),
            meets_at: None,
            lanes,
            call: true,
        });
    }

    /// Calls that are open.
    pub fn calls(&self) -> usize {
        self.entries.iter().filter(|entry| entry.call).count()
    }

    /// Lanes leave the function that runs; false if none does. With the last of them it ends. The others of the running
    /// lanes go on.
    pub fn ret(&mut self, lanes: u32) -> bool {
        let Some(frame) = self.entries.iter().rposition(|entry| entry.call) else {
            return false;
        };
        if self.entries.last().is_some_and(|top| top.lanes != lanes) {
            self.advance();
        }
        for entry in &mut self.entries[frame..] {
            entry.lanes &= !lanes;
        }
        self.settle();
        true
    }

    /// Ends lanes, wherever they wait.
    pub fn exit(&mut self, lanes: u32) {
        for entry in &mut self.entries {
            entry.lanes &= !lanes;
        }
        self.settle();
    }

    /// Entries, for tests of the depth.
    #[cfg(test)]
    pub fn depth(&self) -> usize {
        self.entries.len()
    }

    /// Drops entries that are done or have lost their lanes.
    fn settle(&mut self) {
        self.entries.retain(|entry| entry.lanes != 0);
        while let Some(top) = self.entries.last()
            && top.meets_at == Some(top.place.block)
            && top.place.inst == 0
        {
            self.entries.pop();
        }
    }
}
