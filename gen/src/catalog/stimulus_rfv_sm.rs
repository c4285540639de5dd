//! An SM that runs kernels on the top of RFV, and keeps to the rules of the unit's page.

use super::stimulus::{Random, Rows};
use regshare_hw::clocked::{Clocked, Pins};
use regshare_hw::rfv::flag_decoder::{PIR_SLOTS, pbr_word, pir_word};
use regshare_hw::rfv::free_list::{BANKS, kept_packs, reserved_packs};
use regshare_hw::rfv::rfv_top::model::Model;
use regshare_hw::rfv::rfv_top::{Issue, Progress, RfvTopIn, RfvTopOut, pack_count};

/// Instructions under one pir.
const COVERED: usize = 6;
/// Cycles in which nothing moves until a warp is spilled.
const PATIENCE: usize = 30;

/// A kernel; all its warps run the same program.
pub(super) struct Kernel {
    pub exempt: u8,
    pub shrink: u8,
    /// Packs of each bank that may be assigned; none: all that the exempt registers leave.
    pub bank_packs: Option<usize>,
    /// Its warps with their CTAs.
    pub warps: Vec<(u8, u8)>,
    /// Registers that it names.
    pub registers: Vec<u8>,
    /// Program counter of its first pir, and of the second from there: at a distance of 10 they share an entry of the cache.
    pub pirs: [u16; 2],
    /// The SM withdraws instructions and pbr at times.
    pub withdraws: bool,
    /// The next kernel starts after so many cycles, whatever still runs.
    pub cycles: usize,
}

/// What becomes of a CTA and of a warp.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Waits,
    Runs,
    Over,
}

#[derive(Clone, Copy)]
struct Warp {
    number: u8,
    cta: u8,
    state: State,
    at: usize,
    /// A destination that got no pack and is to be asked for again.
    starved: Option<u8>,
}

/// A word of the program.
enum Word {
    Instruction([Option<u8>; 4]),
    Pbr(u64),
}

/// An instruction on a port.
#[derive(Clone, Copy)]
struct OnPort {
    warp: usize,
    issue: Issue,
    again: bool,
    begun: bool,
}

pub(super) struct Sm<
    'a,
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
> {
    unit: &'a mut Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>,
    random: &'a mut Random,
    rows: &'a mut Rows,
    kernel: Kernel,
    program: Vec<Word>,
    flags: [u8; PIR_SLOTS],
    /// What stays on the pins while the kernel runs.
    idle: RfvTopIn<NW, T, PACKS>,
    warps: Vec<Warp>,
    /// By slot.
    ctas: [State; T],
    ports: [Option<OnPort>; 2],
    /// A warp that starts or ends.
    walk: Option<(usize, bool)>,
    /// A word in decode: the warp, if it is a pbr, and the pins.
    decode: Option<(Option<usize>, RfvTopIn<NW, T, PACKS>)>,
    /// Whom the next answer is for, and what it would write.
    asked: Option<(usize, Option<u8>)>,
    still: usize,
}

impl<
    'a,
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
> Sm<'a, NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>
{
    pub fn new(
        unit: &'a mut Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>,
        random: &'a mut Random,
        rows: &'a mut Rows,
        kernel: Kernel,
    ) -> Self {
        let kept = kept_packs(PACKS / BANKS)[usize::from(kernel.shrink)];
        let reserved = match kernel.bank_packs {
            Some(packs) => kept - packs,
            None => reserved_packs(kernel.exempt.into(), NW),
        };
        let registers = &kernel.registers;
        let any = |random: &mut Random| registers[random.below(registers.len() as u64) as usize];
        // Three registers of a bank, which take a cycle each.
        let near = registers
            .iter()
            .filter(|x| **x >= kernel.exempt && **x % 4 == 0);
        let near: Vec<u8> = near.copied().take(3).collect();
        let program = (0..4 * COVERED).map(|at| {
            // At last a row of the table is full: four packs come back in one cycle.
            if at >= 4 * COVERED - 4 {
                return Word::Instruction([None, None, None, Some((at % 4 + 4) as u8)]);
            }
            if at % 7 == 6 {
                let ids: Vec<u8> = (0..=random.below(8)).map(|_| any(random)).collect();
                return Word::Pbr(pbr_word(&ids).unwrap_or_default());
            }
            if at % 7 == 0 {
                return Word::Instruction([None, None, None, near.get(1).copied()]);
            }
            if at % 7 < 3 {
                let [a, b, c] = [0, 1, 2].map(|i| near.get(i).copied());
                return Word::Instruction([a, b, c, b]);
            }
            let mut regs = [3, 2, 1, 4].map(|often| {
                let named = !random.once_in(5) && random.below(4) < often;
                named.then(|| any(random))
            });
            if random.once_in(3) {
                regs[3] = regs[random.below(3) as usize];
            }
            Word::Instruction(regs)
        });
        let program = program.collect();
        let warps = kernel.warps.iter().map(|&(number, cta)| Warp {
            number,
            cta,
            state: State::Waits,
            at: 0,
            starved: None,
        });
        let warps = warps.collect();
        let mut ctas = [State::Over; T];
        for &(_, cta) in &kernel.warps {
            ctas[usize::from(cta)] = State::Waits;
        }
        Self {
            flags: std::array::from_fn(|slot| if slot < 6 { 7 } else { random.below(8) as u8 }),
            idle: RfvTopIn {
                exempt: kernel.exempt,
                shrink: kernel.shrink,
                reserved: reserved as u16,
                ..RfvTopIn::default()
            },
            unit,
            random,
            rows,
            kernel,
            program,
            warps,
            ctas,
            ports: [None; 2],
            walk: None,
            decode: None,
            asked: None,
            still: 0,
        }
    }

    fn step(&mut self, pins: RfvTopIn<NW, T, PACKS>) -> RfvTopOut<NW, T, PACKS> {
        let mut values = Vec::new();
        pins.values(&mut values);
        self.rows.push((values, true));
        self.unit.edge(&pins)
    }

    /// The whole kernel.
    pub fn run(mut self) {
        // What is asked while the kernel starts is refused.
        let start = RfvTopIn {
            clear: true,
            pack_count: pack_count(PACKS, self.idle.shrink.into(), self.idle.reserved.into())
                as u16,
            launch: true,
            ..self.idle
        };
        self.step(start.with_b(Issue::default()));
        for _ in 0..self.kernel.cycles {
            self.cycle();
            if self.warps.iter().all(|warp| warp.state == State::Over) {
                break;
            }
        }
        for _ in 0..4 {
            self.step(self.idle);
        }
    }

    fn cycle(&mut self) {
        let busy = self.unit.outputs(&self.idle).busy;
        let mut pins = RfvTopIn {
            favor_b: self.random.once_in(2),
            hold: self.random.once_in(9),
            ..self.idle
        };
        self.manage(&mut pins, busy);
        if let Some((warp, starts)) = self.walk {
            (pins.launch, pins.exit) = (starts, !starts);
            (pins.warp, pins.warp_cta) = (self.warps[warp].number, self.warps[warp].cta);
        }
        for port in 0..2 {
            let drops = self.kernel.withdraws && self.random.once_in(10);
            if let Some(dropped) = self.ports[port].take_if(|_| drops) {
                self.put_back(dropped);
            }
            if self.ports[port].is_none() && !drops {
                self.fetch(port);
            }
        }
        let [a, b] = self.ports;
        pins = a.map_or(pins, |a| pins.with_a(a.issue));
        pins = b.map_or(pins, |b| pins.with_b(b.issue));
        let late = self.kernel.withdraws && self.random.once_in(6);
        match self.decode {
            Some((_, word)) if !late => {
                pins = RfvTopIn {
                    word_valid: true,
                    word: word.word,
                    word_pc: word.word_pc,
                    word_slot: self.random.below(20) as u8,
                    word_warp: word.word_warp,
                    word_cta: word.word_cta,
                    ..pins
                }
            }
            // An instruction that is neither.
            _ => (pins.word_valid, pins.word) = (self.random.once_in(4), self.random.next()),
        }
        let out = self.step(pins);
        self.advance(&out, pins.word_valid);
    }

    /// Starts CTAs and warps, and ends them.
    fn manage(&mut self, pins: &mut RfvTopIn<NW, T, PACKS>, busy: bool) {
        if busy || self.walk.is_some() {
            return;
        }
        let waits = |cta: &usize| self.ctas[*cta] == State::Waits;
        if let Some(cta) = (0..self.ctas.len()).find(waits) {
            self.ctas[cta] = State::Runs;
            (pins.cta_launch, pins.launch_cta) = (true, cta as u8);
            let renamed = |x: &&u8| **x >= self.kernel.exempt && usize::from(**x) < 64.min(RENAMED);
            let warps = self.warps.iter().filter(|warp| warp.cta == cta as u8);
            let need = self.kernel.registers.iter().filter(renamed).count() * warps.count();
            pins.need = need as u16;
            return;
        }
        let over = |cta: &usize| {
            let mut warps = (self.warps.iter()).filter(|warp| usize::from(warp.cta) == *cta);
            self.ctas[*cta] == State::Runs && warps.all(|warp| warp.state == State::Over)
        };
        if let Some(cta) = (0..self.ctas.len()).find(over) {
            self.ctas[cta] = State::Over;
            (pins.cta_exit, pins.exit_cta) = (true, cta as u8);
            return;
        }
        // Some start while others are in the midst of an instruction.
        let starts = self.random.once_in(6);
        let done = |warp: usize| {
            let state = &self.warps[warp];
            state.at >= self.program.len() && state.starved.is_none() && !self.in_use(warp)
        };
        for warp in 0..self.warps.len() {
            match self.warps[warp].state {
                State::Waits if starts => self.walk = Some((warp, true)),
                State::Runs if done(warp) => self.walk = Some((warp, false)),
                _ => continue,
            }
            return;
        }
    }

    fn in_use(&self, warp: usize) -> bool {
        let on_port = self.ports.iter().flatten().any(|port| port.warp == warp);
        let asked = self.asked.is_some_and(|(asked, _)| asked == warp);
        on_port || asked || self.decode.is_some_and(|(of, _)| of == Some(warp))
    }

    /// Puts an instruction on a port, or a pbr into decode.
    fn fetch(&mut self, port: usize) {
        let warp = self.random.below(self.warps.len() as u64) as usize;
        let state = self.warps[warp];
        if state.state != State::Runs || self.in_use(warp) {
            return;
        }
        let urgent = self.kernel.withdraws && self.random.once_in(4);
        let next = |regs, pir| {
            let (warp, cta) = (state.number, state.cta);
            Issue {
                warp,
                cta,
                urgent,
                pir,
                regs,
            }
        };
        if let Some(x) = state.starved {
            self.warps[warp].starved = None;
            self.ports[port] = Some(OnPort {
                warp,
                issue: next([None, None, None, Some(x)], None),
                again: true,
                begun: false,
            });
            return;
        }
        match self.program.get(state.at) {
            Some(Word::Instruction(regs)) => {
                let [first, distance] = self.kernel.pirs;
                let pir = first.wrapping_add((state.at / COVERED) as u16 * distance);
                let slot = 3 * (state.at % COVERED) as u8 + 2 * u8::from(self.kernel.withdraws);
                // Without a cache it brings its flags.
                let slot = match ENTRIES {
                    0 => self.flags[usize::from(slot)],
                    _ => slot,
                };
                // Of the last ones no pir says anything.
                let covered = state.at / COVERED < 3;
                self.ports[port] = Some(OnPort {
                    warp,
                    issue: next(*regs, covered.then_some((pir, slot))),
                    again: false,
                    begun: false,
                });
            }
            Some(&Word::Pbr(word)) if self.decode.is_none() => {
                let pins = RfvTopIn {
                    word,
                    word_warp: state.number,
                    word_cta: state.cta,
                    ..self.idle
                };
                self.decode = Some((Some(warp), pins));
            }
            _ => {}
        }
    }

    /// What leaves a port is fetched again.
    fn put_back(&mut self, port: OnPort) {
        if port.again {
            self.warps[port.warp].starved = port.issue.regs[3];
        }
    }

    /// What the outputs of this cycle mean.
    fn advance(&mut self, out: &RfvTopOut<NW, T, PACKS>, word_valid: bool) {
        if let Some((warp, Some(x))) = self.asked.take().filter(|_| out.starved) {
            self.warps[warp].starved = Some(x);
        }
        let mut moved = out.busy || out.walk_grant;
        if let Some((warp, starts)) = self.walk.take_if(|_| out.walk_grant) {
            self.warps[warp].state = if starts { State::Runs } else { State::Over };
        }
        if out.word_done && word_valid && (out.pir || out.pbr) {
            moved = true;
            if let Some((Some(warp), _)) = self.decode.take() {
                self.warps[warp].at += 1;
            }
        }
        for (port, progress) in [out.a_progress(), out.b_progress()].into_iter().enumerate() {
            moved |= self.proceed(port, progress);
        }
        self.still = if moved { 0 } else { self.still + 1 };
        let spilled = |warp: &Warp| warp.starved.is_some();
        if self.still > PATIENCE {
            self.still = 0;
            if let Some(warp) = self.warps.iter_mut().find(|warp| spilled(warp)) {
                (warp.at, warp.starved) = (self.program.len(), None);
            }
        }
    }

    /// What became of the instruction on a port; whether something did.
    fn proceed(&mut self, port: usize, progress: Progress) -> bool {
        let Some(on) = self.ports[port].as_mut() else {
            return false;
        };
        let (warp, again) = (on.warp, on.again);
        if progress.miss && self.decode.is_none() {
            let (word_pc, _) = on.issue.pir.unwrap_or_default();
            let pins = RfvTopIn {
                word: pir_word(&self.flags),
                word_pc,
                ..self.idle
            };
            self.decode = Some((None, pins));
        }
        let served = progress.served != 0 || progress.grant;
        on.begun |= served;
        if served {
            let destination = on.issue.regs[3].filter(|_| progress.served >> 3 == 1);
            self.asked = Some((warp, destination));
        }
        if progress.grant {
            self.ports[port] = None;
            self.warps[warp].at += usize::from(!again);
        } else if !on.begun && !progress.miss && self.random.once_in(3) {
            // The scheduler chooses again.
            let on = *on;
            self.ports[port] = None;
            self.put_back(on);
        }
        served && !again
    }
}
