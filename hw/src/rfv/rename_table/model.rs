//! The obvious way: a pack or none for each warp and register. Operands are dealt with one after the other, sources
//! first.

use super::{BANKS, OPERANDS, REGISTERS, RenameTableIn, RenameTableOut};
use crate::clocked::Clocked;

/// What was asked in the cycle before.
#[derive(Clone, Debug, Default, PartialEq)]
enum Work {
    #[default]
    Nothing,
    /// The operands that were served.
    Operands([Option<Asked>; OPERANDS]),
    /// A walk is at the registers 4n .. 4n + 4 of the table.
    Walk { at: usize, gives: bool },
}

/// An operand that exists.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// An exempt register.
    Direct(u8),
    /// A renamed register, with its flag.
    Renamed(u8, bool),
}

/// Plain model of the table. `HARDWARE_ONLY` 1: a definition of all lanes releases.
#[derive(Clone, Debug)]
pub struct Model<
    const WARPS: usize,
    const RENAMED: usize,
    const PACKS: usize,
    const HARDWARE_ONLY: usize,
> {
    /// Pack of each warp and word. The words are used round and round: any `RENAMED` registers in a row have their own.
    words: Vec<[Option<u16>; RENAMED]>,
    warp: usize,
    work: Work,
}

impl<const WARPS: usize, const RENAMED: usize, const PACKS: usize, const HARDWARE_ONLY: usize>
    Default for Model<WARPS, RENAMED, PACKS, HARDWARE_ONLY>
{
    fn default() -> Self {
        Self {
            words: vec![[None; RENAMED]; WARPS],
            warp: 0,
            work: Work::Nothing,
        }
    }
}

/// The outputs that belong to the cycle before, and the words of its warp afterwards.
struct Done<const RENAMED: usize> {
    words: [Option<u16>; RENAMED],
    packs: [Option<u16>; OPERANDS],
    given: [Option<u16>; BANKS],
    taken: [bool; BANKS],
    starved: bool,
}

impl<const WARPS: usize, const RENAMED: usize, const PACKS: usize, const HARDWARE_ONLY: usize>
    Model<WARPS, RENAMED, PACKS, HARDWARE_ONLY>
{
    /// Packs that are mapped, with warp and word.
    pub fn mapped(&self) -> impl Iterator<Item = (usize, usize, u16)> {
        self.words.iter().enumerate().flat_map(|(warp, words)| {
            let mapped = words.iter().enumerate();
            mapped.filter_map(move |(word, pack)| Some((warp, word, (*pack)?)))
        })
    }

    /// Whether register `x` of a kernel with `exempt` exempt ones has a word, and which.
    fn word(x: u8, exempt: u8) -> Option<usize> {
        let renamed = usize::from(exempt)..(usize::from(exempt) + RENAMED).min(REGISTERS);
        let x = usize::from(x);
        renamed.contains(&x).then_some(x % RENAMED)
    }

    fn operands(
        &self,
        pins: &RenameTableIn<WARPS, RENAMED, PACKS>,
        asked: &[Option<Asked>; OPERANDS],
        done: &mut Done<RENAMED>,
    ) {
        let before = done.words;
        // A bit per word.
        const { assert!(RENAMED <= 64) };
        let mut released = 0_u64;
        for (operand, asked) in asked.iter().enumerate() {
            let (x, flag) = match *asked {
                None => continue,
                Some(Asked::Direct(x)) => {
                    let pack = usize::from(pins.exempt) * self.warp + usize::from(x);
                    done.packs[operand] = (pack < PACKS).then_some(pack as u16);
                    continue;
                }
                Some(Asked::Renamed(x, flag)) => (usize::from(x), flag),
            };
            let (word, bank) = (x % RENAMED, x % BANKS);
            if operand < 3 {
                done.packs[operand] = before[word];
                released |= u64::from(flag) << word;
                continue;
            }
            let dead = released >> word & 1 == 1 || (HARDWARE_ONLY == 1 && !flag);
            let offer = pins.offers()[bank];
            if offer.is_some() && (dead || before[word].is_none()) {
                done.taken[bank] = true;
                done.given[bank] = before[word];
                done.words[word] = offer;
            }
            // What is written anew is not released.
            released &= !(1 << word);
            done.packs[3] = done.words[word];
            done.starved = done.words[word].is_none();
        }
        while released != 0 {
            let word = released.trailing_zeros() as usize;
            released &= released - 1;
            if let Some(pack) = done.words[word].take() {
                done.given[usize::from(pack) % BANKS] = Some(pack);
            }
        }
    }

    /// What comes of the request of the cycle before.
    fn done(&self, pins: &RenameTableIn<WARPS, RENAMED, PACKS>) -> Done<RENAMED> {
        let mut done = Done {
            words: self
                .words
                .get(self.warp)
                .copied()
                .unwrap_or([None; RENAMED]),
            packs: [None; OPERANDS],
            given: [None; BANKS],
            taken: [false; BANKS],
            starved: false,
        };
        match &self.work {
            Work::Nothing => {}
            Work::Operands(asked) => self.operands(pins, asked, &mut done),
            Work::Walk { at, gives } => {
                for word in done.words.iter_mut().skip(4 * at).take(4) {
                    let pack = word.take();
                    if let Some(pack) = pack.filter(|_| *gives) {
                        done.given[usize::from(pack) % BANKS] = Some(pack);
                    }
                }
            }
        }
        done
    }

    fn busy(&self) -> bool {
        matches!(self.work, Work::Walk { at, .. } if at + 1 < RENAMED.div_ceil(4))
    }

    /// Operands that are served: one register per bank, the first that is named.
    fn served(&self, pins: &RenameTableIn<WARPS, RENAMED, PACKS>) -> [bool; OPERANDS] {
        if pins.clear || pins.launch || pins.exit || self.busy() {
            return [false; OPERANDS];
        }
        let exists = usize::from(pins.warp) < WARPS;
        let mut reads = [None; BANKS];
        pins.operands().map(|x| {
            let Some((x, _)) = x else { return false };
            if !exists || Self::word(x, pins.exempt).is_none() {
                return true;
            }
            *reads[usize::from(x) % BANKS].get_or_insert(x) == x
        })
    }

    /// The low half of a cycle: what is seen, what comes of the cycle before, and the operands that are served.
    fn cycle(
        &self,
        pins: &RenameTableIn<WARPS, RENAMED, PACKS>,
    ) -> (
        RenameTableOut<WARPS, RENAMED, PACKS>,
        Done<RENAMED>,
        [bool; OPERANDS],
    ) {
        let done = self.done(pins);
        let mask = |bits: &[bool]| (0..4).fold(0, |mask, i| mask | u8::from(bits[i]) << i);
        let [y0, y1, y2, y3] = done.packs.map(|pack| pack.unwrap_or(0));
        let [y0_valid, y1_valid, y2_valid, y3_valid] = done.packs.map(|pack| pack.is_some());
        let [give0, give1, give2, give3] = done.given.map(|pack| pack.unwrap_or(0) / BANKS as u16);
        let served = self.served(pins);
        let out = RenameTableOut {
            busy: self.busy(),
            served: mask(&served),
            y0,
            y0_valid,
            y1,
            y1_valid,
            y2,
            y2_valid,
            y3,
            y3_valid,
            starved: done.starved,
            take: mask(&done.taken),
            give: mask(&done.given.map(|pack| pack.is_some())),
            give0,
            give1,
            give2,
            give3,
        };
        (out, done, served)
    }
}

impl<const WARPS: usize, const RENAMED: usize, const PACKS: usize, const HARDWARE_ONLY: usize>
    Clocked for Model<WARPS, RENAMED, PACKS, HARDWARE_ONLY>
{
    type In = RenameTableIn<WARPS, RENAMED, PACKS>;
    type Out = RenameTableOut<WARPS, RENAMED, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.cycle(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, done, served) = self.cycle(pins);
        let busy = self.busy();
        if let Some(words) = self.words.get_mut(self.warp) {
            *words = done.words;
        }
        let exists = usize::from(pins.warp) < WARPS;
        self.work = match self.work {
            _ if pins.clear => Work::Nothing,
            Work::Walk { at, gives } if busy => Work::Walk { at: at + 1, gives },
            _ if (pins.launch || pins.exit) && exists => Work::Walk {
                at: 0,
                gives: !pins.launch,
            },
            _ => {
                let mut asked = [None; OPERANDS];
                for (i, x) in pins.operands().into_iter().enumerate() {
                    asked[i] = x.filter(|_| served[i] && exists).and_then(|(x, flag)| {
                        if x < pins.exempt {
                            Some(Asked::Direct(x))
                        } else {
                            Self::word(x, pins.exempt).map(|_| Asked::Renamed(x, flag))
                        }
                    });
                }
                Work::Operands(asked)
            }
        };
        if !busy {
            self.warp = pins.warp.into();
        }
        out
    }
}
