//! Who is taken in, and which operands of it are wanted: an instruction or a pbr, one at a time.

use super::{Model, OPERANDS, Operands, Serving, Who, step};
use crate::clocked::Clocked;
use crate::rfv::flag_decoder::{FlagDecoderIn, FlagDecoderOut, model::Model as Decoder};
use crate::rfv::release_flag_cache::{ReleaseFlagCacheIn, ReleaseFlagCacheOut};
use crate::rfv::rfv_top::{Issue, RfvTopIn};
use arrayvec::ArrayVec;

/// The word at decode.
pub(super) struct Word {
    pub(super) out: FlagDecoderOut,
    /// Which three ids of a pbr.
    pub(super) turn: u8,
    /// It is a pbr with ids to release.
    pub(super) releases: bool,
}

impl Word {
    /// More ids of the pbr follow.
    pub(super) fn has_more(&self) -> bool {
        self.turn + 1 < self.out.turns
    }
}

/// An issue port.
struct Port {
    who: Who,
    issue: Option<Issue>,
    hit: bool,
    flags: u8,
}

/// What a cycle begins.
pub(super) struct Entry {
    /// Something may be taken in.
    pub(super) open: bool,
    /// A warp's start or end is.
    pub(super) walk: bool,
    /// Who is.
    pub(super) now: Option<Serving>,
    /// The ports find their pir.
    pub(super) hits: [bool; 2],
    /// They wait for it.
    pub(super) misses: [bool; 2],
}

/// Up to three ids of a pbr, all of which are released.
fn ids(word: &FlagDecoderOut) -> Operands {
    let id = |valid: bool, x: u8| valid.then_some((x, true));
    [
        id(word.x0_valid, word.x0),
        id(word.x1_valid, word.x1),
        id(word.x2_valid, word.x2),
        None,
    ]
}

/// Registers of an instruction; of its dead sources, the one that it writes lives on. `partial` goes with that.
fn registers(issue: Option<Issue>, dead: [bool; 3], partial: bool) -> Operands {
    let regs = issue.map_or([None; OPERANDS], |issue| issue.regs);
    let written = regs[3];
    std::array::from_fn(|i| {
        let dies = dead.get(i).is_some_and(|dies| *dies) && regs[i] != written;
        Some((regs[i]?, if i < 3 { dies } else { partial }))
    })
}

/// One of whom nothing was served yet.
fn fresh(who: Who, flags: u8) -> Serving {
    Serving {
        who,
        done: [false; OPERANDS],
        dead: std::array::from_fn(|i| flags >> i & 1 == 1),
        turn: 0,
    }
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
> Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>
{
    /// The word on the pins, as decode sees it.
    pub(super) fn word(&self, pins: &RfvTopIn<NW, T, PACKS>) -> Word {
        let turn = match self.serving {
            Some(serving) if serving.who == Who::Pbr => serving.turn,
            _ => 0,
        };
        let out = Decoder.outputs(&FlagDecoderIn {
            word: pins.word,
            slot: pins.word_slot,
            turn,
        });
        let releases = pins.word_valid && out.pbr && out.turns > 0;
        Word {
            out,
            turn,
            releases,
        }
    }

    /// The flags of the ports' instructions.
    pub(super) fn flags(
        &mut self,
        pins: &RfvTopIn<NW, T, PACKS>,
        word: &FlagDecoderOut,
        advance: bool,
    ) -> ReleaseFlagCacheOut {
        let Some(cache) = &mut self.cache else {
            return ReleaseFlagCacheOut {
                a_flags: pins.a_slot & 7,
                b_flags: pins.b_slot & 7,
                ..ReleaseFlagCacheOut::default()
            };
        };
        let cache_pins = ReleaseFlagCacheIn {
            clear: pins.clear,
            fill: pins.word_valid && word.pir,
            fill_pc: pins.word_pc,
            fill_payload: word.payload,
            a_pc: pins.a_pir,
            a_slot: pins.a_slot,
            b_pc: pins.b_pir,
            b_slot: pins.b_slot,
        };
        step(cache, advance, &cache_pins)
    }

    /// Who is taken in: what has begun, then a warp's start or end, then a pbr, then a port whose CTA may issue, or that is urgent.
    pub(super) fn entry(
        &self,
        pins: &RfvTopIn<NW, T, PACKS>,
        may_issue: u64,
        releases: bool,
        flags: &ReleaseFlagCacheOut,
    ) -> Entry {
        let port = |who, issue, hit, flags| Port {
            who,
            issue,
            hit,
            flags,
        };
        let ports = [
            port(Who::A, pins.a(), flags.a_hit, flags.a_flags),
            port(Who::B, pins.b(), flags.b_hit, flags.b_flags),
        ];
        let open = !pins.clear && !pins.hold && !self.asked.walk;
        let goes_on = self.serving.filter(|serving| match serving.who {
            Who::Pbr => releases,
            Who::A => pins.a_valid,
            Who::B => pins.b_valid,
        });
        let is_cached = self.cache.is_some();
        let misses = ports.each_ref().map(|port| {
            let begun = goes_on.is_some_and(|serving| serving.who == port.who);
            let is_flagged = port.issue.is_some_and(|issue| issue.pir.is_some());
            is_cached && is_flagged && !port.hit && !begun
        });
        let mut able: ArrayVec<Serving, 2> = ArrayVec::new();
        for (port, missed) in ports.iter().zip(misses) {
            let Some(issue) = port.issue else { continue };
            if (issue.urgent || may_issue >> issue.cta & 1 == 1) && !missed {
                let flagged = issue.pir.is_some() && HARDWARE_ONLY == 0;
                able.push(fresh(port.who, if flagged { port.flags } else { 0 }));
            }
        }
        if pins.favor_b {
            able.reverse();
        }
        let mut waiting: ArrayVec<Serving, 3> = ArrayVec::new();
        if releases {
            waiting.push(fresh(Who::Pbr, 7));
        }
        waiting.extend(able);
        let walk = open && goes_on.is_none() && (pins.launch || pins.exit);
        let now = match !open || walk {
            true => None,
            false => goes_on.or_else(|| waiting.first().copied()),
        };
        Entry {
            open,
            walk,
            now,
            hits: ports.map(|port| port.hit),
            misses,
        }
    }

    /// The operands that the one who is taken in wants now.
    pub(super) fn wanted(
        pins: &RfvTopIn<NW, T, PACKS>,
        word: &FlagDecoderOut,
        now: Option<Serving>,
    ) -> Operands {
        let partial = |slot: u8| HARDWARE_ONLY == 1 && slot & 1 == 1;
        now.map_or([None; OPERANDS], |serving| {
            let operands = match serving.who {
                Who::Pbr => ids(word),
                Who::A => registers(pins.a(), serving.dead, partial(pins.a_slot)),
                Who::B => registers(pins.b(), serving.dead, partial(pins.b_slot)),
            };
            std::array::from_fn(|i| operands[i].filter(|_| !serving.done[i]))
        })
    }
}
