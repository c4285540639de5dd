//! What the cycle leaves behind: packs on their way back and how the throttle counts them, and who goes on.

use super::entry::{Entry, Word};
use super::{Asked, Model, OPERANDS, Returning, Serving, Who};
use crate::clocked::Clocked;
use crate::rfv::cta_throttle::CtaThrottleIn;
use crate::rfv::free_list::{BANKS, FreeListIn, FreeListOut};
use crate::rfv::power_gate::PowerGateIn;
use crate::rfv::rename_table::RenameTableOut;
use crate::rfv::rfv_top::RfvTopIn;

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
    /// What leaves for the free list in this cycle.
    pub(super) fn leaving(&self) -> Option<Returning> {
        self.returning.filter(|back| back.unread || !self.held)
    }

    /// Free list, throttle and gate take what was assigned and what came back.
    pub(super) fn settle(
        &mut self,
        pins: &RfvTopIn<NW, T, PACKS>,
        list_pins: FreeListIn<PACKS>,
        list: &FreeListOut<PACKS>,
        take: u8,
    ) {
        let leaving = self.leaving();
        let packs = leaving.map_or([None; BANKS], |back| back.packs);
        let mut gives = FreeListIn { take, ..list_pins };
        gives.set_given(packs);
        self.free.edge(&gives);
        // Of four packs a port of the throttle counts three, and the other the fourth.
        let count = packs.into_iter().flatten().count() as u8;
        let giver = leaving.map_or(0, |back| back.cta);
        self.throttle.edge(&CtaThrottleIn {
            clear: pins.clear,
            pack_count: pins.pack_count,
            launch: pins.cta_launch,
            launch_cta: pins.launch_cta,
            need: pins.need,
            exit: pins.cta_exit,
            exit_cta: pins.exit_cta,
            favor_b: false,
            a_cta: if count > 3 { giver } else { self.asked.cta },
            a_take: take != 0,
            a_give: count.saturating_sub(3),
            b_cta: giver,
            b_take: false,
            b_give: count.min(3),
        });
        self.gate.edge(&PowerGateIn {
            clear: pins.clear,
            occupied: list.occupied,
            request: list.request,
        });
    }

    /// The state of the next cycle, of what stands between table and free list and of who is served.
    pub(super) fn move_on(
        &mut self,
        pins: &RfvTopIn<NW, T, PACKS>,
        entry: &Entry,
        word: &Word,
        cta: u8,
        names: &RenameTableOut<NW, RENAMED, PACKS>,
        served: ([bool; OPERANDS], bool),
    ) {
        let stays = self.returning.is_some() && self.leaving().is_none();
        self.held = pins.hold;
        if pins.clear {
            self.returning = None;
        } else if !stays {
            let packs = names.given().map(|pack| pack.map(|pack| pack / 4));
            let any = packs.iter().any(Option::is_some);
            self.returning = any.then_some(Returning {
                packs,
                cta: self.asked.cta,
                unread: self.asked.walk,
            });
        }
        let (served, all_served) = served;
        let is_asked = entry.walk || entry.now.is_some();
        self.asked = Asked {
            by: entry.now.map(|serving| serving.who),
            destination: served[3],
            walk: !pins.clear && (entry.walk || names.busy),
            cta: if is_asked { cta } else { self.asked.cta },
        };
        self.serving = match entry.now {
            _ if pins.clear => None,
            _ if !entry.open => self.serving,
            None => None,
            Some(serving) if !all_served => Some(Serving {
                done: std::array::from_fn(|i| serving.done[i] || served[i]),
                ..serving
            }),
            Some(serving) if serving.who == Who::Pbr && word.has_more() => Some(Serving {
                done: [false; OPERANDS],
                turn: word.turn + 1,
                ..serving
            }),
            Some(_) => None,
        };
    }
}
