//! What register stacks add to the run-time seam: calls and returns, packs to be saved and filled, and warps that give their
//! registers up at a barrier (CARS III and IV).

use crate::ids::{Pack, WarpSlot};
use serde::{Deserialize, Serialize};

/// Consecutive packs of a register stack, from the bottom up. Behind the last pack of the stack's window follows its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackPacks {
    /// First pack of the window, and its packs.
    pub window: (u16, u8),
    /// The lowest of these.
    pub from: u16,
    /// How many.
    pub count: u8,
}

impl StackPacks {
    /// The packs, from the bottom up.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Pack> + ExactSizeIterator {
        let (first, capacity) = (self.window.0, u16::from(self.window.1).max(1));
        let start = self.from.wrapping_sub(first) % capacity;
        (0..self.count).map(move |n| Pack(first + (start + u16::from(n)) % capacity))
    }
}

/// What a call writes into the pack of its link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The caller's register frame pointer.
    pub frame: u16,
    /// The caller is the kernel.
    pub kernel: bool,
}

impl Link {
    /// As a register holds it: the frame pointer, and the kernel's bit in bit 16.
    #[must_use]
    pub fn to_word(self) -> u32 {
        u32::from(self.frame) | u32::from(self.kernel) << 16
    }

    /// What [`Link::to_word`] wrote.
    #[must_use]
    pub fn from_word(word: u32) -> Self {
        Link {
            frame: word as u16,
            kernel: word >> 16 & 1 == 1,
        }
    }
}

/// What an instruction that concerns the register stack brings along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackAsk {
    /// Call and push: packs that have been saved for it ([`StackReply::save`]).
    pub evicted: u8,
    /// Return: what is in the pack of its link.
    pub link: Link,
}

/// What the register stack says to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackReply {
    /// Refused for lack of room: these are to be saved, then it asks again.
    pub save: Option<StackPacks>,
    /// Return, granted: these are to be filled before the warp goes on. Those saved last are the uppermost.
    pub fill: Option<StackPacks>,
    /// Call, granted: the link is to be written there.
    pub link: Option<(Pack, Link)>,
}

/// The registers of a warp that gives them up at a barrier, or gets them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The warp.
    pub warp: WarpSlot,
    /// Its base registers: the first, and how many.
    pub base: (u16, u8),
    /// Those of its stack that are in use.
    pub stack: StackPacks,
}

/// What register stacks did in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackCounts {
    /// Warps that found no registers when they started, or came back from a barrier.
    pub stalls: u64,
    /// Warps that gave their registers up at a barrier.
    pub context_switches: u64,
    /// CTAs by the level of their stacks: Low, 2xLow, ... High.
    pub ctas_at_level: [u64; 8],
    /// The level whose CTAs took least, if the choice was left to the hardware and something was measured.
    pub best_level: Option<u8>,
    /// What CTAs of each level took in the average of the choice, cycles, on all SMs together, in earlier launches too; 0: there was none.
    pub cycles_at_level: [u32; 8],
}

impl StackCounts {
    /// Adds what the hardware of another SM did in the same run. The best level stays only if that SM found the same; what CTAs took is
    /// that of all SMs already.
    pub fn add(&mut self, other: &StackCounts) {
        let StackCounts {
            stalls,
            context_switches,
            ctas_at_level,
            best_level,
            cycles_at_level: _,
        } = *other;
        self.stalls += stalls;
        self.context_switches += context_switches;
        for (sum, ctas) in self.ctas_at_level.iter_mut().zip(ctas_at_level) {
            *sum += ctas;
        }
        self.best_level = self.best_level.filter(|_| self.best_level == best_level);
    }
}
