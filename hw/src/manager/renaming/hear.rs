//! What the table answers a cycle after it was asked. A register whose pack lies in a sub-array that still wakes is located when that is
//! awake: until then its instruction stays in the operand collector, which may read and write nothing there. // assumed

use super::Renaming;
use super::ports::Starved;
use crate::ids::Pack;
use crate::manager::{Answer, ManagerFault};
use crate::rfv::rename_table::OPERANDS;

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    /// Fills the answers of this cycle.
    pub(super) fn hear(&mut self) -> Result<(), ManagerFault> {
        self.answers.clear();
        let saved = self.spilling.looked_up.take();
        if self.served.is_none() && self.waking.is_empty() && saved.is_none() {
            return Ok(());
        }
        let idle = self.idle();
        let out = self.top.get_mut().look_up(&idle, &mut self.sink)?;
        let awake = |pack: Pack| {
            let (bank, number) = (pack.index() % 4, pack.index() / 4);
            out.awake >> (4 * bank + number / (PACKS / 16)) & 1 == 1
        };
        let answers = &mut self.answers;
        self.waking.retain(|answer| {
            let is_awake = answer.pack.is_none_or(awake);
            if is_awake {
                answers.push(*answer);
            }
            !is_awake
        });
        // What is saved has been written, so that its sub-array is awake.
        answers.extend(saved.map(|save| Answer {
            ticket: save.ticket,
            reg: 0,
            pack: out.packs()[0].map(Pack),
        }));
        let Some(served) = self.served.take() else {
            return Ok(());
        };
        let packs = out.packs();
        let can_be_used = [out.y0_awake, out.y1_awake, out.y2_awake, out.y3_awake];
        for pin in 0..OPERANDS {
            let Some(reg) = served.regs[pin] else {
                continue;
            };
            if pin == 3 && out.starved {
                self.counts.starved += 1;
                self.starved.push_back(Starved {
                    warp: served.warp,
                    arch: served.arch,
                    reg,
                    ticket: served.ticket,
                    partial: served.partial,
                });
                continue;
            }
            self.fruitless = 0;
            if pin == 3 && packs[3].is_some() {
                let renews = HARDWARE_ONLY == 1 && !served.partial;
                self.assigned(served.warp, served.arch, renews);
            }
            let answer = Answer {
                ticket: served.ticket,
                reg,
                pack: packs[pin].map(Pack),
            };
            match answer.pack.is_none() || can_be_used[pin] {
                true => self.answers.push(answer),
                false => self.waking.push(answer),
            }
        }
        Ok(())
    }
}
