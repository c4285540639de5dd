//! The SM's view: who is stalled is left out, one of the others' requests goes to the stacks, and the frame in control is looked
//! up for what goes on.

use super::{Answer, CarsTopIn, CarsTopOut, Issue, LOOKUPS};
use crate::cars::register_stack::{Op, RegisterStackIn, RegisterStackOut, model::Model as Stacks};
use crate::cars::stack_mapper::{StackMapperIn, model::Model as Mapper};
use crate::cars::stalled_warps::{StalledWarpsIn, model::Model as Stalled};
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};

/// Plain model of CARS in one SM.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const PACKS: usize, const STACK: usize> {
    stacks: Stacks<NW, PACKS, STACK>,
    stalled: Stalled<NW>,
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Model<NW, PACKS, STACK> {
    /// The pins of the stacks. A port without a request looks its warp up.
    fn stack_pins(
        pins: &CarsTopIn<NW, PACKS, STACK>,
        [a, b]: [Option<Issue>; 2],
    ) -> RegisterStackIn<NW, PACKS, STACK> {
        RegisterStackIn {
            clear: pins.clear,
            favor_b: pins.favor_b,
            a_op: a.map_or(0, |issue| issue.op),
            a_warp: pins.a_warp,
            a_first: pins.a_first,
            a_capacity: pins.a_capacity,
            a_fru: pins.a_fru,
            a_evicted: pins.a_evicted,
            a_link: pins.a_link,
            a_link_kernel: pins.a_link_kernel,
            b_op: b.map_or(0, |issue| issue.op),
            b_warp: pins.b_warp,
            b_first: pins.b_first,
            b_capacity: pins.b_capacity,
            b_fru: pins.b_fru,
            b_evicted: pins.b_evicted,
            b_link: pins.b_link,
            b_link_kernel: pins.b_link_kernel,
        }
    }

    /// The link's pack, and the packs of `regs`, in a frame from `rfp` up to below `rsp`.
    fn frame(
        (base, first, capacity): (u16, u16, u8),
        stack: Option<(u16, u16, u8)>,
        regs: [Option<u8>; LOOKUPS],
    ) -> (u16, [Option<u16>; LOOKUPS]) {
        let (rfp, rsp, _) = stack.unwrap_or_default();
        let mut look_up = StackMapperIn::<PACKS, STACK> {
            launched: stack.is_some(),
            rfp,
            rsp,
            base,
            first,
            capacity,
            ..StackMapperIn::default()
        };
        look_up.set_lookups(regs);
        let out = Mapper.outputs(&look_up);
        (out.link_pack, out.packs())
    }

    fn respond(&self, pins: &CarsTopIn<NW, PACKS, STACK>) -> (CarsTopOut<NW, PACKS, STACK>, Self) {
        let mut after = self.clone();
        let is_stalled = |warp| self.stalled.stalled().any(|stalled| stalled == warp);
        let may_issue = |issue: &Issue| !pins.clear && !is_stalled(issue.warp);
        let ready = [pins.a(), pins.b()].map(|issue| issue.filter(may_issue));
        let RegisterStackOut {
            served_b,
            grant,
            trap,
            pack,
            count,
            link,
            link_kernel,
            a_launched,
            a_rfp,
            a_rsp,
            a_free,
            b_launched,
            b_rfp,
            b_rsp,
            b_free,
        } = after.stacks.edge(&Self::stack_pins(pins, ready));
        let done = ready[usize::from(served_b)].filter(|_| grant);
        let finished = done.is_some_and(|issue| issue.op == Op::Finish.code());
        let stalled = after.stalled.edge(&StalledWarpsIn {
            clear: pins.clear,
            stall: pins.stall,
            stall_warp: pins.stall_warp,
            wake: pins.wake || finished,
            a_warp: pins.a_warp,
            b_warp: pins.b_warp,
        });

        let stacks = [
            a_launched.then_some((a_rfp, a_rsp, a_free)),
            b_launched.then_some((b_rfp, b_rsp, b_free)),
        ];
        let answer = |port: usize, warp: u8, allotment: (u16, u16, u8)| {
            let goes = |issue: &Issue| {
                let asks = issue.op != Op::Nothing.code();
                !asks || grant && served_b == (port == 1)
            };
            let issue = ready[port].filter(goes);
            let regs = issue.map_or([None; LOOKUPS], |issue| issue.regs);
            let (link_pack, packs) = Self::frame(allotment, stacks[port], regs);
            Answer {
                grant: issue.is_some(),
                stalled: is_stalled(warp),
                stack: stacks[port],
                link_pack,
                packs,
            }
        };
        let mut out = CarsTopOut {
            stall_grant: stalled.stall_grant,
            woken_valid: stalled.woken_valid,
            woken: stalled.woken,
            empty: stalled.empty,
            served_b,
            trap,
            pack,
            count,
            link,
            link_kernel,
            ..CarsTopOut::default()
        };
        out.set_a(answer(
            0,
            pins.a_warp,
            (pins.a_base, pins.a_first, pins.a_capacity),
        ));
        out.set_b(answer(
            1,
            pins.b_warp,
            (pins.b_base, pins.b_first, pins.b_capacity),
        ));
        (out, after)
    }
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Clocked for Model<NW, PACKS, STACK> {
    type In = CarsTopIn<NW, PACKS, STACK>;
    type Out = CarsTopOut<NW, PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, after) = self.respond(pins);
        *self = after;
        out
    }
}
