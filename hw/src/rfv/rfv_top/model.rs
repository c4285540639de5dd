//! The SM's view: each unit's plain model is asked in turn; who is served is told by who he is, not by masks.

use super::{Issue, Progress, RfvTopIn, RfvTopOut};
use crate::clocked::Clocked;
use crate::rfv::cta_throttle::{CtaThrottleIn, model::Model as Throttle};
use crate::rfv::flag_decoder::{FlagDecoderIn, FlagDecoderOut, model::Model as Decoder};
use crate::rfv::free_list::{BANKS, FreeListIn, model::Model as FreeList};
use crate::rfv::power_gate::{PowerGateIn, model::Model as PowerGate};
use crate::rfv::release_flag_cache::{
    ReleaseFlagCacheIn, ReleaseFlagCacheOut, model::Model as Cache,
};
use crate::rfv::rename_table::{OPERANDS, RenameTableIn, model::Model as RenameTable};
use arrayvec::ArrayVec;

/// Who uses the table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    Pbr,
    A,
    B,
}

/// The one whose operands are looked up.
#[derive(Clone, Copy, Debug)]
struct Serving {
    who: Who,
    done: [bool; OPERANDS],
    /// Sources that are dead after it.
    dead: [bool; 3],
    /// Which three ids of a pbr.
    turn: u8,
}

/// What the table answers in this cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    by: Option<Who>,
    destination: bool,
    walk: bool,
    cta: u8,
}

/// Packs between the table and the free list.
#[derive(Clone, Copy, Debug)]
struct Returning {
    packs: [Option<u16>; BANKS],
    cta: u8,
    /// Nobody is to read them: their warp has ended.
    unread: bool,
}

/// Plain model of RFV in one SM. With `HARDWARE_ONLY` 1 of renaming without flags and throttle (9.5): bit 0 of a port's slot then
/// says that only some lanes are written. The release flag cache has `ENTRIES` entries; with 0 there is none, and an instruction brings
/// its flags in bits 2:0 of the port's slot.
#[derive(Clone, Debug)]
pub struct Model<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize = 0,
    const ENTRIES: usize = 10,
> {
    cache: Option<Cache<ENTRIES>>,
    names: RenameTable<NW, RENAMED, PACKS, HARDWARE_ONLY>,
    free: FreeList<PACKS>,
    throttle: Throttle<T, PACKS>,
    gate: PowerGate<WAIT>,
    serving: Option<Serving>,
    asked: Asked,
    returning: Option<Returning>,
    held: bool,
}

/// Operands as the table takes them.
type Operands = [Option<(u8, bool)>; OPERANDS];

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

/// A unit's outputs; with `advance`, after a clock cycle of it.
fn step<C: Clocked>(unit: &mut C, advance: bool, pins: &C::In) -> C::Out {
    match advance {
        true => unit.edge(pins),
        false => unit.outputs(pins),
    }
}

/// An empty cache; `None` if it has no entries.
fn cache<const ENTRIES: usize>(entries: usize) -> Option<Cache<ENTRIES>> {
    (entries > 0).then(|| Cache::of_size(entries))
}

fn mask(bits: [bool; OPERANDS]) -> u8 {
    (0..OPERANDS).fold(0, |mask, i| mask | u8::from(bits[i]) << i)
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
> Default for Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>
{
    fn default() -> Self {
        Self {
            cache: cache(ENTRIES),
            names: RenameTable::default(),
            free: FreeList::default(),
            throttle: Throttle::default(),
            gate: PowerGate::default(),
            serving: None,
            asked: Asked::default(),
            returning: None,
            held: false,
        }
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
    /// The same with a cache of release flags of another size, or with none.
    #[must_use]
    pub fn with_flag_entries(self, entries: usize) -> Self {
        Self {
            cache: cache(entries),
            ..self
        }
    }

    /// Packs that are mapped: warp, word, pack.
    pub fn mapped(&self) -> impl Iterator<Item = (usize, usize, u16)> {
        self.names.mapped()
    }

    /// Packs that were given back and are not free yet.
    #[must_use]
    pub fn returning(&self) -> usize {
        let packs = self.returning.into_iter().flat_map(|packs| packs.packs);
        packs.flatten().count()
    }

    /// The CTA that gave them back; `None` if there are none.
    #[must_use]
    pub fn giver(&self) -> Option<u8> {
        self.returning.map(|packs| packs.cta)
    }

    /// What the throttle says that the CTA in `slot` may still need; `None` if none runs there.
    #[must_use]
    pub fn balance(&self, slot: usize) -> Option<i32> {
        self.throttle.balance(slot)
    }

    /// Packs that the free list does not have.
    #[must_use]
    pub fn used_packs(&self) -> usize {
        self.free.used_packs()
    }

    /// The outputs; with `advance`, the state moves on.
    fn respond(&mut self, pins: &RfvTopIn<NW, T, PACKS>, advance: bool) -> RfvTopOut<NW, T, PACKS> {
        let power = self.gate.outputs(&PowerGateIn::default());
        let list_pins = FreeListIn {
            clear: pins.clear,
            shrink: pins.shrink,
            reserved: pins.reserved,
            awake: power.awake,
            ..FreeListIn::default()
        };
        let list = self.free.outputs(&list_pins);
        let rule = self.throttle.outputs(&CtaThrottleIn::default());
        // A pack that is being assigned is not counted yet: then the rule for a second port holds. If packs that came back
        // have made another CTA the chosen one since, it is not any more once the pack is counted.
        let may_issue = if HARDWARE_ONLY == 1 {
            u64::MAX >> (64 - T)
        } else if !self.asked.destination {
            rule.a_may_issue
        } else if rule.throttled && rule.chosen != self.asked.cta {
            0
        } else {
            rule.b_may_issue
        };

        let turn = match self.serving {
            Some(Serving {
                who: Who::Pbr,
                turn,
                ..
            }) => turn,
            _ => 0,
        };
        let word = Decoder.outputs(&FlagDecoderIn {
            word: pins.word,
            slot: pins.word_slot,
            turn,
        });
        let releases = pins.word_valid && word.pbr && word.turns > 0;
        let flags = match &mut self.cache {
            Some(cache) => step(
                cache,
                advance,
                &ReleaseFlagCacheIn {
                    clear: pins.clear,
                    fill: pins.word_valid && word.pir,
                    fill_pc: pins.word_pc,
                    fill_payload: word.payload,
                    a_pc: pins.a_pir,
                    a_slot: pins.a_slot,
                    b_pc: pins.b_pir,
                    b_slot: pins.b_slot,
                },
            ),
            None => ReleaseFlagCacheOut {
                a_flags: pins.a_slot & 7,
                b_flags: pins.b_slot & 7,
                ..ReleaseFlagCacheOut::default()
            },
        };
        let ports = [
            (Who::A, pins.a(), flags.a_hit, flags.a_flags),
            (Who::B, pins.b(), flags.b_hit, flags.b_flags),
        ];

        // Who is taken in.
        let open = !pins.clear && !pins.hold && !self.asked.walk;
        let goes_on = self.serving.filter(|serving| match serving.who {
            Who::Pbr => releases,
            Who::A => pins.a_valid,
            Who::B => pins.b_valid,
        });
        let is_cached = self.cache.is_some();
        let misses = ports.map(|(who, issue, hit, _)| {
            let begun = goes_on.is_some_and(|serving| serving.who == who);
            is_cached && issue.is_some_and(|issue| issue.pir.is_some()) && !hit && !begun
        });
        let fresh = |who, flags: u8| Serving {
            who,
            done: [false; OPERANDS],
            dead: std::array::from_fn(|i| flags >> i & 1 == 1),
            turn: 0,
        };
        let mut waiting: ArrayVec<Serving, 3> = ArrayVec::new();
        if releases {
            waiting.push(fresh(Who::Pbr, 7));
        }
        let mut able: ArrayVec<Serving, 2> = ArrayVec::new();
        for ((who, issue, _, flags), missed) in ports.into_iter().zip(misses) {
            let Some(issue) = issue else { continue };
            if may_issue >> issue.cta & 1 == 1 && !missed {
                let flagged = issue.pir.is_some() && HARDWARE_ONLY == 0;
                able.push(fresh(who, if flagged { flags } else { 0 }));
            }
        }
        if pins.favor_b {
            able.reverse();
        }
        waiting.extend(able);
        let walk = open && goes_on.is_none() && (pins.launch || pins.exit);
        let now = if !open || walk {
            None
        } else {
            goes_on.or_else(|| waiting.first().copied())
        };

        // The table.
        let partial = |slot: u8| HARDWARE_ONLY == 1 && slot & 1 == 1;
        let wanted = now.map_or([None; OPERANDS], |serving| {
            let operands = match serving.who {
                Who::Pbr => ids(&word),
                Who::A => registers(pins.a(), serving.dead, partial(pins.a_slot)),
                Who::B => registers(pins.b(), serving.dead, partial(pins.b_slot)),
            };
            std::array::from_fn(|i| operands[i].filter(|_| !serving.done[i]))
        });
        let (warp, cta) = match now.map(|serving| serving.who) {
            None => (pins.warp, pins.warp_cta),
            Some(Who::Pbr) => (pins.word_warp, pins.word_cta),
            Some(Who::A) => (pins.a_warp, pins.a_cta),
            Some(Who::B) => (pins.b_warp, pins.b_cta),
        };
        let offers = list.offers();
        let names_pins = RenameTableIn {
            clear: pins.clear,
            exempt: pins.exempt,
            warp,
            launch: walk && pins.launch,
            exit: walk && pins.exit,
            ..RenameTableIn::default()
        }
        .with_operands(wanted)
        .with_offers(std::array::from_fn(|bank| {
            offers[bank].map(|pack| (BANKS as u16) * pack + bank as u16)
        }));
        let names = step(&mut self.names, advance, &names_pins);
        let served: [bool; OPERANDS] = std::array::from_fn(|i| names.served >> i & 1 == 1);
        let all_served = (0..OPERANDS).all(|i| wanted[i].is_none() || served[i]);
        let finished = |who| {
            let more = who == Who::Pbr && turn + 1 < word.turns;
            now.is_some_and(|serving| serving.who == who) && all_served && !more
        };

        // What leaves for the free list, and how the throttle counts it.
        let leaving = self.returning.filter(|back| back.unread || !self.held);
        let packs = leaving.map_or([None; BANKS], |back| back.packs);
        let mut gives = FreeListIn {
            take: names.take,
            ..list_pins
        };
        gives.set_given(packs);
        if advance {
            self.free.edge(&gives);
        }
        let count = packs.into_iter().flatten().count() as u8;
        let giver = leaving.map_or(0, |back| back.cta);
        let counts = CtaThrottleIn {
            clear: pins.clear,
            pack_count: pins.pack_count,
            launch: pins.cta_launch,
            launch_cta: pins.launch_cta,
            need: pins.need,
            exit: pins.cta_exit,
            exit_cta: pins.exit_cta,
            favor_b: false,
            a_cta: if count > 3 { giver } else { self.asked.cta },
            a_take: names.take != 0,
            a_give: count.saturating_sub(3),
            b_cta: giver,
            b_take: false,
            b_give: count.min(3),
        };
        if advance {
            self.throttle.edge(&counts);
            self.gate.edge(&PowerGateIn {
                clear: pins.clear,
                occupied: list.occupied,
                request: list.request,
            });
        }

        let awake = |pack: Option<u16>| {
            pack.is_some_and(|pack| {
                let (bank, number) = (pack % 4, usize::from(pack / 4));
                let sub_array = number / (PACKS / 16);
                power.awake >> (4 * usize::from(bank) + sub_array) & 1 == 1
            })
        };
        let mut out = RfvTopOut {
            walk_grant: walk,
            busy: self.asked.walk,
            pir: word.pir,
            pbr: word.pbr,
            word_flags: word.flags,
            word_done: pins.word_valid && !pins.clear && (!releases || finished(Who::Pbr)),
            may_issue,
            chosen: rule.chosen,
            throttled: rule.throttled && HARDWARE_ONLY == 0,
            spill: rule.spill && HARDWARE_ONLY == 0,
            free_packs: rule.free_packs,
            dry: !list.offer_valid & 0xf,
            powered: power.powered,
            awake: power.awake,
            y0: names.y0,
            y0_valid: names.y0_valid,
            y0_awake: awake(names.packs()[0]),
            y1: names.y1,
            y1_valid: names.y1_valid,
            y1_awake: awake(names.packs()[1]),
            y2: names.y2,
            y2_valid: names.y2_valid,
            y2_awake: awake(names.packs()[2]),
            y3: names.y3,
            y3_valid: names.y3_valid,
            y3_awake: awake(names.packs()[3]),
            starved: names.starved,
            ..RfvTopOut::default()
        };
        let progress = |port: usize| {
            let (who, _, hit, _) = ports[port];
            let is_now = now.is_some_and(|serving| serving.who == who);
            Progress {
                hit,
                miss: misses[port],
                served: if is_now { mask(served) } else { 0 },
                grant: finished(who),
                answer: self.asked.by == Some(who),
            }
        };
        out.set_a(progress(0));
        out.set_b(progress(1));

        if !advance {
            return out;
        }
        self.held = pins.hold;
        self.returning = match self.returning {
            _ if pins.clear => None,
            Some(back) if leaving.is_none() => Some(back),
            _ => {
                let packs = names.given().map(|pack| pack.map(|pack| pack / 4));
                let any = packs.iter().any(Option::is_some);
                any.then_some(Returning {
                    packs,
                    cta: self.asked.cta,
                    unread: self.asked.walk,
                })
            }
        };
        let cta_before = self.asked.cta;
        self.asked = Asked {
            by: now.map(|serving| serving.who),
            destination: served[3],
            walk: !pins.clear && (walk || names.busy),
            cta: if walk || now.is_some() {
                cta
            } else {
                cta_before
            },
        };
        self.serving = match now {
            _ if pins.clear => None,
            _ if !open => self.serving,
            None => None,
            Some(serving) if !all_served => Some(Serving {
                done: std::array::from_fn(|i| serving.done[i] || served[i]),
                ..serving
            }),
            Some(serving) if serving.who == Who::Pbr && turn + 1 < word.turns => Some(Serving {
                done: [false; OPERANDS],
                turn: turn + 1,
                ..serving
            }),
            Some(_) => None,
        };
        out
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
> Clocked for Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>
{
    type In = RfvTopIn<NW, T, PACKS>;
    type Out = RfvTopOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins, false)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins, true)
    }
}
