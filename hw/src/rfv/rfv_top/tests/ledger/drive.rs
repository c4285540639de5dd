//! The SM: which words of the program are asked for, and what their answers mean.

use super::*;

impl Sm {
    /// Starts CTAs and warps, and ends them.
    pub(super) fn manage(&mut self, pins: &mut In, busy: bool) {
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
    pub(super) fn fetch(&mut self, warp: u8, taken: bool, begun: bool) -> Option<Issue> {
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
                    urgent: false,
                    pir: (!state.again).then_some((pir, (state.at % COVERED) as u8)),
                    regs: x,
                })
            }
        }
    }

    pub(super) fn cycle(&mut self, (a, b, favor_b, delay): Luck) {
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

    /// What the outputs of this cycle mean for the warps.
    pub(super) fn advance(&mut self, out: &Out, issued: [Option<Issue>; 2]) {
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
    pub(super) fn ask_again(&mut self, moved: bool) {
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

    pub(super) fn is_done(&self) -> bool {
        self.waiting == 0 && self.running.is_empty() && self.warps.is_empty()
    }
}
