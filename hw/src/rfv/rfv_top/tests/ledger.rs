//! Whole kernels, run by an SM that keeps to the rules: CTAs are launched, their warps run a program with pir and pbr, and
//! end. A ledger of its own knows which register of which warp has which pack.

use super::*;
use crate::rfv::free_list::kept_packs;
use std::collections::{BTreeMap, BTreeSet};

/// A word of the program.
#[derive(Clone, Debug)]
enum Word {
    Instruction([Option<u8>; OPERANDS]),
    Pbr(Vec<u8>),
}

#[derive(Clone, Debug)]
struct Kernel {
    exempt: u8,
    shrink: u8,
    /// Packs of each bank that may be assigned.
    bank_packs: u16,
    warps_per_cta: u8,
    ctas: usize,
    /// Renamed registers of a warp.
    renamed: u8,
    program: Vec<Word>,
    /// Flags of the slots, and how far apart the pirs lie: at a distance of 10 they share an entry of the cache.
    flags: [u8; PIR_SLOTS],
    distance: u16,
}

/// Instructions under one pir.
const COVERED: usize = 4;

fn kernel() -> impl Strategy<Value = Kernel> {
    (0u8..5, 1u8..10, 1u8..=2)
        .prop_flat_map(|(exempt, renamed, warps_per_cta)| {
            let register = 0..exempt + renamed;
            let operands = prop::array::uniform4(prop::option::weighted(0.7, register.clone()));
            let ids = prop::collection::vec(register, 0..9);
            let word = prop_oneof![
                6 => operands.prop_map(Word::Instruction),
                1 => ids.prop_map(Word::Pbr),
            ];
            // Plenty of packs, or about what one CTA needs.
            let enough = u16::from(renamed.div_ceil(4) * warps_per_cta);
            let bank_packs = prop_oneof![2 => enough..enough + 4, 1 => 12u16..28, 1 => 1..=enough];
            (
                Just((exempt, renamed, warps_per_cta)),
                (0u8..4, bank_packs, 1usize..7),
                prop::collection::vec(word, 1..24),
                prop::array::uniform18(0u8..8),
                prop_oneof![Just(10u16), Just(3)],
            )
        })
        .prop_map(
            |(
                (exempt, renamed, warps_per_cta),
                (shrink, bank_packs, ctas),
                program,
                flags,
                distance,
            )| Kernel {
                exempt,
                shrink,
                bank_packs,
                warps_per_cta,
                ctas,
                renamed,
                program,
                flags,
                distance,
            },
        )
}

/// A chance per cycle: which warps the ports would issue, which port is favoured, how long operands wait to be read.
type Luck = (u8, u8, bool, u8);

/// A warp that runs.
#[derive(Clone, Debug)]
struct Warp {
    cta: u8,
    at: usize,
    /// Operands of the present instruction that are still to be looked up; `None` before it is fetched.
    left: Option<[Option<u8>; OPERANDS]>,
    /// Only the destination is asked for again.
    again: bool,
}

/// What the answer of the next cycle belongs to.
struct Asked {
    warp: u8,
    x: [Option<u8>; OPERANDS],
    dead: [bool; 3],
}

struct Sm {
    kernel: Kernel,
    pins: In,
    model: Model<4, 4, 256, 63, 3>,
    rtl: Rtl4x63x256,
    cycle: usize,
    warps: BTreeMap<u8, Warp>,
    /// Warps of each CTA that are still to end; CTAs that are still to start.
    running: BTreeMap<u8, u8>,
    waiting: usize,
    mapped: BTreeMap<(u8, u8), u16>,
    asked: Option<Asked>,
    /// Packs that operand collectors are to read, and the cycle in which they do.
    unread: Vec<(u16, u8, usize)>,
    /// Warps on the ports, which keep their instruction until it goes on.
    ports: [Option<u8>; 2],
    /// A warp that ends.
    walk: Option<u8>,
    /// A warp whose pir or pbr is in decode.
    decode: Option<(u8, In)>,
    starved: BTreeSet<u8>,
    idle_cycles: usize,
    spills: usize,
}

impl Sm {
    fn new(kernel: Kernel) -> Self {
        let kept = kept_packs(64)[usize::from(kernel.shrink)] as u16;
        let reserved = kept - kernel.bank_packs.min(kept - 5);
        let pins = In {
            exempt: kernel.exempt,
            shrink: kernel.shrink,
            reserved,
            ..In::default()
        };
        let waiting = kernel.ctas;
        let mut sm = Self {
            kernel,
            pins,
            model: Model::default(),
            rtl: Rtl4x63x256::default(),
            cycle: 0,
            warps: BTreeMap::new(),
            running: BTreeMap::new(),
            waiting,
            mapped: BTreeMap::new(),
            asked: None,
            unread: Vec::new(),
            ports: [None; 2],
            walk: None,
            decode: None,
            starved: BTreeSet::new(),
            idle_cycles: 0,
            spills: 0,
        };
        sm.step(In {
            clear: true,
            pack_count: sm.all() as u16,
            ..sm.pins
        });
        // Slots are wiped once.
        for warp in 0..4 {
            let launch = In {
                launch: true,
                warp,
                ..sm.pins
            };
            assert!(sm.step(launch).walk_grant);
            while sm.step(sm.pins).busy {}
        }
        sm
    }

    fn all(&self) -> usize {
        pack_count(256, self.pins.shrink.into(), self.pins.reserved.into())
    }

    fn need(&self) -> usize {
        usize::from(self.kernel.renamed) * usize::from(self.kernel.warps_per_cta)
    }

    /// A cycle of both, and what must hold in each.
    fn step(&mut self, pins: In) -> Out {
        let before: Vec<_> = self.model.mapped().map(|(_, _, pack)| pack).collect();
        let (returning, used) = (self.model.returning(), self.model.used_packs());
        let out = self.rtl.edge(&pins);
        assert_eq!(out, self.model.edge(&pins), "{pins:?}");
        self.cycle += 1;
        if self.cycle == 1 {
            return out;
        }
        assert_eq!(
            usize::from(out.free_packs) + before.len() + returning,
            self.all(),
            "free + mapped + on the way back = all"
        );
        assert_eq!(
            used,
            before.len() + returning,
            "the free list knows the same"
        );
        let packs: BTreeSet<_> = before.iter().copied().collect();
        assert_eq!(packs.len(), before.len(), "no pack is mapped twice");
        let kept = kept_packs(64)[usize::from(self.pins.shrink)] as u16;
        let may = |pack: &u16| (self.pins.reserved..kept).contains(&(pack / 4));
        assert!(
            packs.iter().all(may),
            "nor one that is reserved or left out"
        );
        out
    }

    /// Books the answer of this cycle.
    fn book(&mut self, out: &Out, delay: u8) {
        assert_eq!(out.a_answer || out.b_answer, self.asked.is_some());
        let Some(Asked { warp, x, dead }) = self.asked.take() else {
            return;
        };
        let packs = out.packs();
        for i in 0..3 {
            let Some(reg) = x[i] else { continue };
            let expected = if reg < self.pins.exempt {
                Some(u16::from(self.pins.exempt) * u16::from(warp) + u16::from(reg))
            } else {
                self.mapped.get(&(warp, reg)).copied()
            };
            assert_eq!(packs[i], expected, "register {reg} of warp {warp}");
            let read = self.cycle + usize::from(delay);
            self.unread.extend(expected.map(|pack| (pack, warp, read)));
        }
        let dies = |reg| (0..3).any(|i| dead[i] && x[i] == Some(reg));
        for reg in x[..3].iter().flatten().filter(|&&reg| dies(reg)) {
            self.mapped.remove(&(warp, *reg));
        }
        let Some(reg) = x[3].filter(|&reg| reg >= self.pins.exempt) else {
            return;
        };
        let before = self.mapped.get(&(warp, reg)).copied();
        assert_eq!(out.starved, packs[3].is_none());
        let Some(pack) = packs[3] else {
            assert!(before.is_none() && out.dry >> (reg % 4) & 1 == 1);
            self.starved.insert(warp);
            return;
        };
        if before == Some(pack) {
            return;
        }
        assert_eq!(before, None, "a register that lives keeps its pack");
        assert_eq!(pack % 4, u16::from(reg) % 4, "in its own bank");
        let owner = self.mapped.iter().find(|(_, mapped)| **mapped == pack);
        assert_eq!(owner, None, "of nobody else");
        let reader = self
            .unread
            .iter()
            .find(|(p, _, read)| *p == pack && *read >= self.cycle);
        assert_eq!(reader, None, "nobody is still to read it");
        self.mapped.insert((warp, reg), pack);
    }

    /// The pir that covers the instruction at `at`, and its slot.
    fn pir(&self, at: usize) -> (u16, u8) {
        let block = (at / COVERED) as u16;
        (block * self.kernel.distance, (at % COVERED) as u8)
    }

    /// Sources that the instruction releases: what it writes as well lives on.
    fn dead(&self, at: usize, again: bool) -> [bool; 3] {
        let (_, slot) = self.pir(at);
        let flags = self.kernel.flags[usize::from(slot)];
        let Some(Word::Instruction(x)) = self.kernel.program.get(at) else {
            panic!("only an instruction has sources");
        };
        std::array::from_fn(|i| !again && flags >> i & 1 == 1 && (x[i] != x[3]))
    }

    /// Starts CTAs and warps, and ends them.
    fn manage(&mut self, pins: &mut In, busy: bool) {
        if busy || self.walk.is_some() {
            return;
        }
        let size = self.kernel.warps_per_cta;
        if let Some((&cta, _)) = self.running.iter().find(|(_, left)| **left == 0) {
            (pins.cta_exit, pins.exit_cta) = (true, cta);
            self.running.remove(&cta);
            return;
        }
        let ended = self.warps.iter().find(|(warp, state)| {
            let reads = self
                .unread
                .iter()
                .any(|(_, w, read)| w == *warp && *read >= self.cycle);
            let in_use = self.ports.contains(&Some(**warp))
                || self.decode.as_ref().is_some_and(|(w, _)| w == *warp)
                || self
                    .asked
                    .as_ref()
                    .is_some_and(|asked| asked.warp == **warp);
            state.at == self.kernel.program.len() && !reads && !in_use
        });
        if let Some((&warp, _)) = ended {
            self.walk = Some(warp);
            return;
        }
        let free = (0..4 / size).find(|cta| !self.running.contains_key(cta));
        if let Some(cta) = free.filter(|_| self.waiting > 0) {
            self.waiting -= 1;
            self.running.insert(cta, size);
            (pins.cta_launch, pins.launch_cta) = (true, cta);
            pins.need = self.need() as u16;
            for warp in cta * size..(cta + 1) * size {
                let start = Warp {
                    cta,
                    at: 0,
                    left: None,
                    again: false,
                };
                assert!(self.warps.insert(warp, start).is_none());
            }
        }
    }

    /// The instruction that a warp would issue; a pbr goes to decode.
    fn fetch(&mut self, warp: u8, taken: bool, begun: bool) -> Option<Issue> {
        let decoding = self.decode.is_some();
        let state = self.warps.get_mut(&warp)?;
        let word = self.kernel.program.get(state.at)?;
        if taken || self.decode.as_ref().is_some_and(|(w, _)| *w == warp) {
            return None;
        }
        // The answer first, unless it is of an instruction that has begun.
        if !begun && self.asked.as_ref().is_some_and(|asked| asked.warp == warp) {
            return None;
        }
        match word {
            Word::Pbr(ids) => {
                if !decoding && self.walk.is_none() {
                    let word = pbr_word(ids).expect("nine fit");
                    let pins = In {
                        word_cta: state.cta,
                        ..word_pins(self.pins, word, 9999, warp)
                    };
                    self.decode = Some((warp, pins));
                    for &id in ids {
                        self.mapped.remove(&(warp, id));
                    }
                }
                None
            }
            Word::Instruction(x) => {
                let x = *state.left.get_or_insert(*x);
                let pir = (state.at / COVERED) as u16 * self.kernel.distance;
                Some(Issue {
                    warp,
                    cta: state.cta,
                    pir: (!state.again).then_some((pir, (state.at % COVERED) as u8)),
                    regs: x,
                })
            }
        }
    }

    fn cycle(&mut self, (a, b, favor_b, delay): Luck) {
        let early = self.rtl.outputs(&self.pins);
        self.check_spill(&early);
        let mut pins = In {
            favor_b,
            ..self.pins
        };
        self.manage(&mut pins, early.busy);
        if let Some(warp) = self.walk {
            (pins.exit, pins.warp) = (true, warp);
            pins.warp_cta = self.warps[&warp].cta;
        }
        let mut issued = [None; 2];
        for (port, luck) in [a, b].into_iter().enumerate() {
            // Whatever luck says, every warp has its turn.
            let chosen = ((usize::from(luck) + self.cycle) % 4) as u8;
            let begun = self.ports[port].is_some();
            let warp = self.ports[port].unwrap_or(chosen);
            let taken = self.ports[1 - port] == Some(warp) || self.walk == Some(warp);
            issued[port] = self.fetch(warp, taken, begun);
            self.ports[port] = issued[port].map(|_| warp);
        }
        pins = issued[0].map_or(pins, |issue| pins.with_a(issue));
        pins = issued[1].map_or(pins, |issue| pins.with_b(issue));
        if let Some((_, word)) = &self.decode {
            pins = In {
                word_valid: true,
                word: word.word,
                word_pc: word.word_pc,
                word_warp: word.word_warp,
                word_cta: word.word_cta,
                ..pins
            };
        }
        // An operand that was answered by now and is not read by the end of the next cycle.
        self.book(&early, 1 + delay % 4 * u8::from(delay > 200));
        pins.hold = self
            .unread
            .iter()
            .any(|(_, _, read)| *read > self.cycle + 1);
        let out = self.step(pins);
        self.unread.retain(|(_, _, read)| *read >= self.cycle);
        self.advance(&out, issued);
    }

    /// Of the CTAs that run, the one that may need least needs more than is free: then, and only then.
    fn check_spill(&self, out: &Out) {
        if self.running.is_empty() {
            return;
        }
        // What is on its way back is still assigned.
        let size = usize::from(self.kernel.warps_per_cta);
        let mut assigned = BTreeMap::new();
        for (warp, _, _) in self.model.mapped() {
            *assigned.entry((warp / size) as u8).or_insert(0) += 1;
        }
        if let Some(cta) = self.model.giver() {
            *assigned.entry(cta).or_insert(0) += self.model.returning();
        }
        for cta in self.running.keys() {
            let needs = self.need() - assigned.get(cta).copied().unwrap_or(0);
            assert_eq!(
                self.model.balance((*cta).into()),
                Some(needs as i32),
                "of CTA {cta}"
            );
        }
        let may_need = |cta| self.need() - assigned.get(cta).copied().unwrap_or(0);
        let least = self.running.keys().map(may_need).min().unwrap_or(0);
        let free = self.all() - assigned.values().sum::<usize>();
        assert_eq!(out.spill, free < least, "{free} free, {least} needed");
        let fits = self.need() <= self.all();
        assert!(
            !fits || !out.spill,
            "a CTA that fits never runs short: {free} free, {least} needed, {assigned:?} of {:?}, {:?} on their way",
            self.running,
            self.model.giver()
        );
    }

    /// What the outputs of this cycle mean for the warps.
    fn advance(&mut self, out: &Out, issued: [Option<Issue>; 2]) {
        // To decode a pir again and again is no progress.
        let mut moved = out.walk_grant || out.busy || (out.word_done && out.pbr);
        if let Some(warp) = self.walk.filter(|_| out.walk_grant) {
            self.walk = None;
            self.mapped.retain(|(owner, _), _| *owner != warp);
            let state = self.warps.remove(&warp).expect("it ran");
            *self.running.get_mut(&state.cta).expect("it runs") -= 1;
        }
        if out.word_done
            && let Some((warp, _)) = self.decode.take()
            && let Some(state) = self.warps.get_mut(&warp)
            && let Some(Word::Pbr(_)) = self.kernel.program.get(state.at)
            && out.pbr
        {
            state.at += 1;
        }
        for (port, progress) in [out.a_progress(), out.b_progress()].into_iter().enumerate() {
            let Some(issue) = issued[port] else { continue };
            if progress.miss && self.decode.is_none() {
                let (pc, _) = issue.pir.expect("only what a pir covers misses");
                let word = pir_word(&self.kernel.flags);
                self.decode = Some((255, word_pins(self.pins, word, pc, 0)));
            }
            let state = self.warps.get_mut(&issue.warp).expect("it runs");
            if progress.served != 0 || progress.grant {
                let dead = {
                    let (at, again) = (state.at, state.again);
                    self.dead(at, again)
                };
                let state = self.warps.get_mut(&issue.warp).expect("it runs");
                let left = state.left.as_mut().expect("it was fetched");
                let served = |i: usize| progress.served >> i & 1 == 1;
                let x = std::array::from_fn(|i| left[i].filter(|_| served(i)));
                for (i, left) in left.iter_mut().enumerate() {
                    *left = left.filter(|_| !served(i));
                }
                let all = left.iter().all(Option::is_none);
                assert_eq!(progress.grant, all, "{issue:?} {progress:?}");
                self.asked = Some(Asked {
                    warp: issue.warp,
                    x,
                    dead,
                });
                moved |= !state.again;
                if progress.grant {
                    self.ports[port] = None;
                    state.left = None;
                    state.at += 1;
                    state.again = false;
                }
            } else {
                // Refused, it may withdraw, and the scheduler chooses again, unless it has begun or waits for its pir.
                let fresh = self
                    .kernel
                    .program
                    .get(state.at)
                    .is_some_and(|word| match word {
                        Word::Instruction(x) => state.left == Some(*x),
                        Word::Pbr(_) => true,
                    });
                if (fresh || state.again) && !progress.miss {
                    self.ports[port] = None;
                }
            }
        }
        self.ask_again(moved);
    }

    /// Destinations that got no pack ask again, once their instruction has gone on; if nothing moves for long, such a warp is spilled: it ends.
    fn ask_again(&mut self, moved: bool) {
        for warp in std::mem::take(&mut self.starved) {
            let Some(state) = self.warps.get_mut(&warp) else {
                continue;
            };
            // The destination was looked up before the last of its sources: those first.
            if state.left.is_some() {
                self.starved.insert(warp);
                continue;
            }
            let Some(Word::Instruction(x)) = self.kernel.program.get(state.at - 1) else {
                panic!("a pbr has no destination");
            };
            state.at -= 1;
            state.again = true;
            state.left = Some([None, None, None, x[3]]);
        }
        self.idle_cycles = if moved { 0 } else { self.idle_cycles + 1 };
        if self.idle_cycles < 100 {
            return;
        }
        // One whose destination is being asked for again right now is found a cycle later.
        assert!(
            self.idle_cycles < 200,
            "only for want of a pack does nothing move"
        );
        if let Some((&warp, state)) = self.warps.iter_mut().find(|(_, state)| state.again) {
            state.at = self.kernel.program.len();
            (state.again, state.left) = (false, None);
            for port in &mut self.ports {
                *port = port.filter(|on| *on != warp);
            }
            self.spills += 1;
            self.idle_cycles = 0;
        }
    }

    fn is_done(&self) -> bool {
        self.waiting == 0 && self.running.is_empty() && self.warps.is_empty()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_pack_is_lost_doubled_or_taken_from_a_reader_and_all_are_free_at_the_end(
        kernel in kernel(),
        luck in prop::collection::vec(any::<Luck>(), 30..60),
    ) {
        let mut sm = Sm::new(kernel);
        let mut luck = luck.into_iter().cycle();
        while !sm.is_done() {
            sm.cycle(luck.next().expect("it never ends"));
            prop_assert!(sm.cycle < 20_000, "it ends after {} spills", sm.spills);
        }
        for _ in 0..3 {
            sm.step(sm.pins);
        }
        let out = sm.step(sm.pins);
        prop_assert_eq!(usize::from(out.free_packs), sm.all());
        prop_assert_eq!(sm.model.mapped().count(), 0, "nothing is mapped at the kernel's end");
        prop_assert!(sm.mapped.is_empty() && out.may_issue == 0);
    }
}
