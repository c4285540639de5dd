//! The SM's view: each unit's plain model is asked in turn; who is served is told by who he is, not by masks.

mod after;
mod entry;

use super::{Progress, RfvTopIn, RfvTopOut};
use crate::clocked::Clocked;
use crate::rfv::cta_throttle::{CtaThrottleIn, CtaThrottleOut, model::Model as Throttle};
use crate::rfv::free_list::{BANKS, FreeListIn, model::Model as FreeList};
use crate::rfv::power_gate::{PowerGateIn, model::Model as PowerGate};
use crate::rfv::release_flag_cache::model::Model as Cache;
use crate::rfv::rename_table::{OPERANDS, RenameTableIn, model::Model as RenameTable};

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

    /// CTAs that may issue. A pack that is being assigned is not counted yet: then the rule for a second port holds. If packs that
    /// came back have made another CTA the chosen one since, it is not any more once the pack is counted.
    fn may_issue(&self, rule: &CtaThrottleOut<T, PACKS>) -> u64 {
        if HARDWARE_ONLY == 1 {
            u64::MAX >> (64 - T)
        } else if !self.asked.destination {
            rule.a_may_issue
        } else if rule.throttled && rule.chosen != self.asked.cta {
            0
        } else {
            rule.b_may_issue
        }
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
        let may_issue = self.may_issue(&rule);
        let word = self.word(pins);
        let flags = self.flags(pins, &word.out, advance);
        let entry = self.entry(pins, may_issue, word.releases, &flags);

        // The table.
        let now = entry.now;
        let wanted = Self::wanted(pins, &word.out, now);
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
            launch: entry.walk && pins.launch,
            exit: entry.walk && pins.exit,
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
            let more = who == Who::Pbr && word.has_more();
            now.is_some_and(|serving| serving.who == who) && all_served && !more
        };

        let awake = |pack: Option<u16>| {
            pack.is_some_and(|pack| {
                let (bank, number) = (pack % 4, usize::from(pack / 4));
                let sub_array = number / (PACKS / 16);
                power.awake >> (4 * usize::from(bank) + sub_array) & 1 == 1
            })
        };
        let mut out = RfvTopOut {
            walk_grant: entry.walk,
            busy: self.asked.walk,
            pir: word.out.pir,
            pbr: word.out.pbr,
            word_flags: word.out.flags,
            word_done: pins.word_valid && !pins.clear && (!word.releases || finished(Who::Pbr)),
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
        let progress = |who: Who, port: usize| {
            let is_now = now.is_some_and(|serving| serving.who == who);
            Progress {
                hit: entry.hits[port],
                miss: entry.misses[port],
                served: if is_now { mask(served) } else { 0 },
                grant: finished(who),
                answer: self.asked.by == Some(who),
            }
        };
        out.set_a(progress(Who::A, 0));
        out.set_b(progress(Who::B, 1));
        if advance {
            self.settle(pins, list_pins, &list, names.take);
            self.move_on(pins, &entry, &word, cta, &names, (served, all_served));
        }
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
