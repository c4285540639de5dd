//! The obvious way: lay the window out as a list of packs, take from it the list of packs in use, oldest first, and put
//! packs at its ends or take them away.

use super::{Op, RegisterStackIn, RegisterStackOut};
use crate::clocked::Clocked;
use std::collections::VecDeque;

/// The row of a warp that has a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    rfp: u16,
    rsp: u16,
    free: u8,
}

/// One request, without its port.
#[derive(Clone, Copy)]
struct Request {
    op: u8,
    warp: u8,
    first: u16,
    capacity: u8,
    fru: u8,
    evicted: u8,
    link: u16,
    link_kernel: bool,
}

/// What becomes of it.
#[derive(Clone, Copy, Default)]
struct Answer {
    grant: bool,
    trap: bool,
    pack: u16,
    count: u8,
    link: u16,
    link_kernel: bool,
    /// With a grant: the row after the edge; none after a finish.
    row: Option<Row>,
}

/// Plain model of the register stacks.
#[derive(Clone, Debug)]
pub struct Model<const NW: usize, const PACKS: usize, const STACK: usize> {
    rows: Vec<Option<Row>>,
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Default for Model<NW, PACKS, STACK> {
    fn default() -> Self {
        Self {
            rows: vec![None; NW],
        }
    }
}

/// A stack laid out: its window from the first pack to the last, the packs in use from the oldest to the youngest, and
/// how many of the youngest are registers of the function in control. Below these lies its link.
struct Layout {
    circle: Vec<u16>,
    used: VecDeque<u16>,
    regs: usize,
    rsp: u16,
}

impl Layout {
    /// None if the row does not suit the window.
    fn of<const PACKS: usize>(row: Row, first: u16, capacity: u8) -> Option<Self> {
        let circle: Vec<u16> = (0..usize::from(capacity))
            .map(|place| ((usize::from(first) + place) % PACKS) as u16)
            .collect();
        let resident = usize::from(capacity).checked_sub(row.free.into())?;
        let mut layout = Self {
            used: VecDeque::new(),
            regs: 0,
            rsp: row.rsp,
            circle,
        };
        layout.place(row.rsp)?;
        layout.regs = layout.walk(row.rfp, row.rsp)?.len();
        let mut pack = row.rsp;
        for _ in 0..resident {
            pack = layout.before(pack)?;
            layout.used.push_front(pack);
        }
        let in_function = layout.regs < resident;
        (in_function || (layout.regs == 0 && resident == 0)).then_some(layout)
    }

    fn place(&self, pack: u16) -> Option<usize> {
        self.circle.iter().position(|&other| other == pack)
    }
    fn after(&self, pack: u16) -> Option<u16> {
        let mut around = self.circle.iter().chain(self.circle.first());
        around.find(|&&other| other == pack)?;
        around.next().copied()
    }
    fn before(&self, pack: u16) -> Option<u16> {
        let mut around = self.circle.iter().rev().chain(self.circle.last());
        around.find(|&&other| other == pack)?;
        around.next().copied()
    }
    /// The packs from `from` up to below `to`.
    fn walk(&self, from: u16, to: u16) -> Option<VecDeque<u16>> {
        self.place(to)?;
        let mut packs = VecDeque::new();
        let mut pack = from;
        while pack != to {
            packs.push_back(pack);
            pack = self.after(pack)?;
        }
        self.place(from).map(|_| packs)
    }
    /// Puts the pack at RSP on top.
    fn grow(&mut self) -> Option<u16> {
        let pack = self.rsp;
        self.rsp = self.after(pack)?;
        self.used.push_back(pack);
        Some(pack)
    }
    fn row(&self, rfp: u16) -> Row {
        Row {
            rfp,
            rsp: self.rsp,
            free: (self.circle.len() - self.used.len()) as u8,
        }
    }
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Model<NW, PACKS, STACK> {
    fn row(&self, warp: u8) -> Option<Row> {
        self.rows.get(usize::from(warp)).copied().flatten()
    }

    fn answer(&self, request: Request) -> Option<Answer> {
        let Request {
            op,
            first,
            capacity,
            ..
        } = request;
        let row = self.row(request.warp);
        if op == Op::Launch.code() {
            let exists = usize::from(request.warp) < NW;
            let fits = usize::from(first) + usize::from(capacity) <= PACKS;
            return (exists && row.is_none() && fits).then_some(Answer {
                grant: true,
                row: Some(Row {
                    rfp: first,
                    rsp: first,
                    free: capacity,
                }),
                ..Answer::default()
            });
        }
        let row = row?;
        if op == Op::Finish.code() {
            return Some(Answer {
                grant: true,
                ..Answer::default()
            });
        }
        let layout = Layout::of::<PACKS>(row, first, capacity)?;
        let in_kernel = layout.used.is_empty();
        if op == Op::Call.code() {
            let own = layout.used.len();
            let (mut answer, layout) = open(layout, 1 + usize::from(request.fru), own, request)?;
            if answer.grant {
                answer.link = row.rfp;
                answer.link_kernel = in_kernel;
                answer.row = Some(layout.row(layout.rsp));
            }
            Some(answer)
        } else if op == Op::Push.code() && !in_kernel {
            let spare = layout.used.len() - layout.regs - 1;
            let (mut answer, layout) = open(layout, 1, spare, request)?;
            if answer.grant {
                answer.row = Some(layout.row(row.rfp));
            }
            Some(answer)
        } else if op == Op::Pop.code() && layout.regs > 0 {
            let mut layout = layout;
            let pack = layout.used.pop_back()?;
            layout.rsp = pack;
            Some(Answer {
                grant: true,
                pack,
                row: Some(layout.row(row.rfp)),
                ..Answer::default()
            })
        } else if op == Op::Return.code() && !in_kernel {
            unwind(layout, request)
        } else {
            None
        }
    }

    /// What is seen, the warp that is served and what it is answered.
    fn cycle(
        &self,
        pins: &RegisterStackIn<NW, PACKS, STACK>,
    ) -> (RegisterStackOut<NW, PACKS, STACK>, u8, Answer) {
        let (served_b, request) = served(pins);
        let answer = Some(request).filter(|_| !pins.clear);
        let answer = answer
            .and_then(|request| self.answer(request))
            .unwrap_or_default();
        let [a, b] = [pins.a_warp, pins.b_warp].map(|warp| self.row(warp));
        let [a_row, b_row] = [a, b].map(Option::unwrap_or_default);
        let out = RegisterStackOut {
            served_b,
            grant: answer.grant,
            trap: answer.trap,
            pack: answer.pack,
            count: answer.count,
            link: answer.link,
            link_kernel: answer.link_kernel,
            a_launched: a.is_some(),
            a_rfp: a_row.rfp,
            a_rsp: a_row.rsp,
            a_free: a_row.free,
            b_launched: b.is_some(),
            b_rfp: b_row.rfp,
            b_rsp: b_row.rsp,
            b_free: b_row.free,
        };
        (out, request.warp, answer)
    }
}

/// Puts one pack on top if `need` are free once the trap handler has saved what it says; it may save up to `limit`.
fn open(
    mut layout: Layout,
    need: usize,
    limit: usize,
    request: Request,
) -> Option<(Answer, Layout)> {
    let free = layout.circle.len() - layout.used.len();
    let evicted = usize::from(request.evicted);
    if evicted > limit {
        return None;
    }
    if free + evicted < need {
        let count = need - free;
        let trap = Answer {
            trap: true,
            pack: *layout.used.front()?,
            count: count as u8,
            ..Answer::default()
        };
        return (count <= limit).then_some((trap, layout));
    }
    layout.used.drain(..evicted);
    let grant = Answer {
        grant: true,
        pack: layout.grow()?,
        ..Answer::default()
    };
    Some((grant, layout))
}

/// Drops the frame in control with its link and brings the caller's back, link included.
fn unwind(mut layout: Layout, request: Request) -> Option<Answer> {
    let kept = layout.used.len() - layout.regs;
    layout.used.truncate(kept);
    layout.rsp = layout.used.pop_back()?;
    let mut frame = layout.walk(request.link, layout.rsp)?;
    if request.link_kernel {
        if !frame.is_empty() || !layout.used.is_empty() {
            return None;
        }
    } else {
        frame.push_front(layout.before(request.link)?);
    }
    let missing = frame.len().saturating_sub(layout.used.len());
    let fill: Vec<u16> = frame.iter().copied().take(missing).collect();
    for &pack in fill.iter().rev() {
        layout.used.push_front(pack);
    }
    Some(Answer {
        grant: true,
        pack: fill.first().copied().unwrap_or(0),
        count: missing as u8,
        row: Some(layout.row(request.link)),
        ..Answer::default()
    })
}

/// The port that is served and its request.
fn served<const NW: usize, const PACKS: usize, const STACK: usize>(
    pins: &RegisterStackIn<NW, PACKS, STACK>,
) -> (bool, Request) {
    let a = Request {
        op: pins.a_op,
        warp: pins.a_warp,
        first: pins.a_first,
        capacity: pins.a_capacity,
        fru: pins.a_fru,
        evicted: pins.a_evicted,
        link: pins.a_link,
        link_kernel: pins.a_link_kernel,
    };
    let b = Request {
        op: pins.b_op,
        warp: pins.b_warp,
        first: pins.b_first,
        capacity: pins.b_capacity,
        fru: pins.b_fru,
        evicted: pins.b_evicted,
        link: pins.b_link,
        link_kernel: pins.b_link_kernel,
    };
    let is_b = match (a.op != 0, b.op != 0) {
        (true, true) => pins.favor_b,
        (_, b_asks) => b_asks,
    };
    (is_b, if is_b { b } else { a })
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Clocked for Model<NW, PACKS, STACK> {
    type In = RegisterStackIn<NW, PACKS, STACK>;
    type Out = RegisterStackOut<NW, PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.cycle(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, warp, answer) = self.cycle(pins);
        if pins.clear {
            self.rows.fill(None);
        } else if answer.grant
            && let Some(row) = self.rows.get_mut(usize::from(warp))
        {
            *row = answer.row;
        }
        out
    }
}
