//! An SM around the unit, with contents: a register file, local memory, and a trap handler between them. Every register
//! holds who wrote it, so that one that is lost, or is another's, shows.

use super::*;
use crate::cars::stack_mapper::{FIRST_CALLEE_SAVED, StackMapperIn, model::Model as MapperModel};
use crate::common::lookup::{Answers, Lookups};

/// What a pack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Written by nobody yet.
    Nothing,
    /// The word of a call.
    Link(u16, bool),
    /// What the program wrote into a register: a number of its own.
    Value(u32),
}

/// What a warp's program expects, and its part of local memory.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub first: u16,
    pub capacity: u8,
    /// Values of the registers pushed by each function, the function in control last; the kernel pushes none.
    pub frames: Vec<Vec<u32>>,
    /// Packs that the trap handler has saved, the oldest first.
    pub memory: Vec<Content>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub grant: bool,
    /// Packs saved on the way.
    pub evicted: u8,
    /// Packs filled on the way.
    pub filled: u8,
    pub pack: u16,
}

/// The unit with everything around it.
pub struct Machine {
    pub unit: Both,
    pub packs: Vec<Content>,
    pub programs: Vec<Program>,
    values: u32,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            unit: Both::default(),
            packs: vec![Content::Nothing; 2048],
            programs: vec![Program::default(); 64],
            values: 0,
        }
    }
}

impl Machine {
    /// A warp with an empty stack of `capacity` packs from `first` on.
    pub fn launch(&mut self, warp: u8, first: u16, capacity: u8) -> Ended {
        let before = self.programs[usize::from(warp)].clone();
        self.programs[usize::from(warp)] = Program {
            first,
            capacity,
            frames: vec![Vec::new()],
            ..Program::default()
        };
        let ended = self.request(warp, Op::Launch, 0, 0);
        if !ended.grant {
            self.programs[usize::from(warp)] = before;
        }
        ended
    }
    /// A call of a function with `fru` registers to push; the trap handler saves `more` packs than it must.
    pub fn call(&mut self, warp: u8, fru: u8, more: u8) -> Ended {
        let ended = self.request(warp, Op::Call, fru, more);
        if ended.grant {
            self.programs[usize::from(warp)].frames.push(Vec::new());
        }
        ended
    }
    pub fn push(&mut self, warp: u8) -> Ended {
        let ended = self.request(warp, Op::Push, 0, 0);
        if ended.grant {
            self.values += 1;
            self.packs[usize::from(ended.pack)] = Content::Value(self.values);
            let frame = self.programs[usize::from(warp)].frames.last_mut();
            frame.expect("a function is in control").push(self.values);
        }
        ended
    }
    pub fn pop(&mut self, warp: u8) -> Ended {
        let ended = self.request(warp, Op::Pop, 0, 0);
        if ended.grant {
            let frame = self.programs[usize::from(warp)].frames.last_mut();
            frame.expect("a function is in control").pop();
        }
        ended
    }
    pub fn finish(&mut self, warp: u8) -> Ended {
        self.request(warp, Op::Finish, 0, 0)
    }
    /// A return with what the SM reads from the link's pack.
    pub fn unwind(&mut self, warp: u8) -> Ended {
        let ended = self.request(warp, Op::Return, 0, 0);
        if ended.grant {
            self.programs[usize::from(warp)].frames.pop();
        }
        ended
    }

    /// A function that is called and pushes all its registers.
    pub fn function(&mut self, warp: u8, fru: u8) -> Ended {
        let ended = self.call(warp, fru, 0);
        for _ in 0..fru {
            let push = self.push(warp);
            assert_eq!((push.grant, push.evicted), (true, 0), "the call made room");
        }
        ended
    }

    /// The packs of a warp's window, as the list that goes around begins with `pack`.
    fn around(&self, warp: u8, pack: u16, count: u8) -> Vec<usize> {
        let Program {
            first, capacity, ..
        } = self.programs[usize::from(warp)];
        let place = |number: u8| (pack - first + u16::from(number)) % u16::from(capacity);
        (0..count)
            .map(|number| usize::from(first + place(number)))
            .collect()
    }

    fn request(&mut self, warp: u8, op: Op, fru: u8, more: u8) -> Ended {
        let mapper = self.mapper(warp);
        let program = &self.programs[usize::from(warp)];
        let link = MapperModel::<2048, 63>.outputs(&mapper).link_pack;
        let link = self.packs[usize::from(link)];
        let (a_link, a_link_kernel) = match link {
            Content::Link(rfp, kernel) => (rfp, kernel),
            _ => (0, false),
        };
        let mut pins = In {
            a_op: op.code(),
            a_warp: warp,
            a_first: program.first,
            a_capacity: program.capacity,
            a_fru: fru,
            a_link,
            a_link_kernel,
            ..In::default()
        };
        let mut out = self.unit.edge(pins);
        let mut evicted = 0;
        if out.trap {
            let resident = pins.a_capacity - self.free(warp);
            let own = self.programs[usize::from(warp)]
                .frames
                .last()
                .map_or(0, Vec::len) as u8
                + 1;
            let most = if op == Op::Push {
                resident - own
            } else {
                resident
            };
            evicted = out.count.saturating_add(more).min(most);
            assert!(out.count > 0 && evicted >= out.count);
            for pack in self.around(warp, out.pack, evicted) {
                let content = std::mem::replace(&mut self.packs[pack], Content::Nothing);
                self.programs[usize::from(warp)].memory.push(content);
            }
            pins.a_evicted = evicted;
            out = self.unit.edge(pins);
            assert!(out.grant, "room was made");
        }
        let mut filled = 0;
        if out.grant && op == Op::Call {
            self.packs[usize::from(out.pack)] = Content::Link(out.link, out.link_kernel);
        } else if out.grant && op == Op::Return {
            filled = out.count;
            for pack in self.around(warp, out.pack, filled).into_iter().rev() {
                let content = self.programs[usize::from(warp)].memory.pop();
                self.packs[pack] = content.expect("what is filled was saved");
            }
        }
        Ended {
            grant: out.grant,
            evicted,
            filled,
            pack: out.pack,
        }
    }

    fn mapper(&mut self, warp: u8) -> StackMapperIn<2048, 63> {
        let Program {
            first, capacity, ..
        } = self.programs[usize::from(warp)];
        let row = self.unit.look_up(warp);
        let (rfp, rsp, _) = row.unwrap_or_default();
        StackMapperIn {
            launched: row.is_some(),
            rfp,
            rsp,
            base: first,
            first,
            capacity,
            ..StackMapperIn::default()
        }
    }

    pub fn free(&mut self, warp: u8) -> u8 {
        self.unit.look_up(warp).map_or(0, |(_, _, free)| free)
    }

    /// Every register of the function in control has its value, where `stack_mapper` finds it.
    pub fn check(&mut self, warp: u8) {
        let mut pins = self.mapper(warp);
        let frame = self.programs[usize::from(warp)]
            .frames
            .last()
            .cloned()
            .unwrap_or_default();
        for (number, value) in (0..).zip(&frame) {
            pins.set_lookups([Some(FIRST_CALLEE_SAVED + number), None, None, None]);
            let [pack, ..] = MapperModel::<2048, 63>.outputs(&pins).packs();
            let pack = pack.expect("a pushed register has a pack");
            assert_eq!(
                self.packs[usize::from(pack)],
                Content::Value(*value),
                "R{}",
                16 + number
            );
        }
        pins.set_lookups([
            Some(FIRST_CALLEE_SAVED + frame.len() as u8),
            None,
            None,
            None,
        ]);
        assert_eq!(MapperModel::<2048, 63>.outputs(&pins).packs()[0], None);
    }
}
