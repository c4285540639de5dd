//! One program on all seven systems, run by one driver that knows the port list and nothing of the systems. What a kernel is
//! launched with is the plan of its system.

use super::*;
use crate::rfv::free_list::reserved_packs;
use crate::rfv::rfv_top::pack_count;
use std::collections::BTreeMap;

/// The register that the warps write: of sharing systems one that is shared.
const SHARED: u8 = 14;
/// Cycles after which a warp that is refused is taken off the port.
const PATIENCE: usize = 8;

/// Kernels of 20 registers. RegMutex: 12 base and 8 extended ones, one section; OWF: the same, CTAs of 8 warps; RFV: the two
/// lowest are exempt; CARS: see [`Sm::issue`].
fn plan<const NW: usize, const T: usize, const FILE: usize>(
    system: System,
) -> RegisterManagerIn<NW, T, FILE> {
    let reserved = reserved_packs(2, NW);
    let base_regs = if system == System::Baseline { 20 } else { 12 };
    RegisterManagerIn {
        section_count: 1,
        base_regs,
        ext_regs: 8,
        offset: 12 * NW as u16,
        share_regs: true,
        warps_per_cta: 8,
        exempt: 2,
        reserved: reserved as u16,
        pack_count: pack_count(FILE, 0, reserved) as u16,
        need: 8 * 18,
        ..RegisterManagerIn::default()
    }
}

/// The driver.
struct Sm<const NW: usize, const T: usize, const FILE: usize> {
    manager: Both<NW, T, FILE>,
    kernel: RegisterManagerIn<NW, T, FILE>,
    /// Who wrote a pack last.
    file: BTreeMap<u16, u8>,
}

impl<const NW: usize, const T: usize, const FILE: usize> Sm<NW, T, FILE> {
    fn start(manager: Both<NW, T, FILE>, system: System) -> Self {
        let kernel = plan(system);
        let mut sm = Self {
            manager,
            kernel,
            file: BTreeMap::new(),
        };
        sm.edge(RegisterManagerIn {
            clear: true,
            ..kernel
        });
        sm.edge(RegisterManagerIn {
            pair: true,
            exit_cta: 0,
            partner: 1,
            ..kernel
        });
        sm
    }

    fn edge(&mut self, pins: RegisterManagerIn<NW, T, FILE>) -> RegisterManagerOut<NW, T, FILE> {
        self.manager.edge(pins)
    }

    /// Holds `pins` until the start or the end of a warp is taken in, and waits until it is done.
    fn walk(&mut self, pins: RegisterManagerIn<NW, T, FILE>) {
        let taken = (0..PATIENCE).any(|_| self.edge(pins).walk_grant);
        assert!(taken, "{pins:?}");
        let done = (0..32).any(|_| !self.edge(self.kernel).busy);
        assert!(done, "{pins:?}");
    }

    /// Instruction `pins` of `warp` on port a, until it goes on; the packs of its registers, or `None` if it is taken off.
    fn issue(
        &mut self,
        warp: u8,
        pins: RegisterManagerIn<NW, T, FILE>,
    ) -> Option<[Option<u16>; 4]> {
        let first = 30 * u16::from(warp);
        let pins = RegisterManagerIn {
            a_valid: true,
            a_warp: warp,
            a_cta: warp / 8,
            a_base: first,
            a_first: first + 20,
            a_capacity: 10,
            ..pins
        };
        let mut packs = [None; 4];
        let mut keep = |out: &RegisterManagerOut<NW, T, FILE>| {
            if out.a_answer {
                for (pack, answer) in packs.iter_mut().zip(out.a_packs()) {
                    *pack = pack.or(answer);
                }
            }
            out.a_grant
        };
        let granted = (0..PATIENCE).any(|_| keep(&self.manager.edge(pins)));
        // An answer may come a cycle later.
        keep(&self.manager.edge(self.kernel));
        granted.then_some(packs)
    }

    fn launch(&mut self, warp: u8) {
        self.walk(RegisterManagerIn {
            starts: 1 << warp,
            launch: true,
            warp,
            warp_cta: warp / 8,
            ..self.kernel
        });
        let stack = RegisterManagerIn {
            a_op: 1,
            ..self.kernel
        };
        assert!(self.issue(warp, stack).is_some());
    }

    /// The warp asks for what it needs and writes its register. `None`: it has to wait.
    fn write(&mut self, warp: u8) -> Option<u16> {
        let acquire = RegisterManagerIn {
            a_change: true,
            ..self.kernel
        };
        self.issue(warp, acquire)?;
        let mut writes = self.kernel;
        writes.set_a_regs([None, None, None, Some(SHARED)]);
        let pack = self.issue(warp, writes)?[3].expect("who goes on has its register");
        self.file.insert(pack, warp);
        Some(pack)
    }

    fn read(&mut self, warp: u8) {
        let mut reads = self.kernel;
        reads.set_a_regs([Some(SHARED), None, None, None]);
        let packs = self.issue(warp, reads).expect("who has it goes on");
        let pack = packs[0].expect("it is there");
        assert_eq!(self.file.get(&pack), Some(&warp), "what the warp wrote");
    }

    /// The warp gives back all that it has.
    fn end(&mut self, warp: u8) {
        let last = RegisterManagerIn {
            a_change: true,
            a_release: true,
            a_exit: true,
            a_op: 6,
            ..self.kernel
        };
        assert!(self.issue(warp, last).is_some());
        self.walk(RegisterManagerIn {
            exit: true,
            warp,
            warp_cta: warp / 8,
            ..self.kernel
        });
    }
}

/// Warps 2 and 3 share a set if warps are paired; warps 2 and 10 are partners if CTAs share; all share the one section.
fn program<const NW: usize, const T: usize, const FILE: usize>(
    manager: fn(System) -> Both<NW, T, FILE>,
) {
    for (system, waits) in [
        (System::Baseline, [false, false]),
        (System::Regmutex, [true, true]),
        (System::Paired, [true, false]),
        (System::SafePaired, [true, false]),
        (System::Owf, [false, true]),
        (System::Rfv, [false, false]),
        (System::Cars, [false, false]),
    ] {
        let mut sm = Sm::start(manager(system), system);
        for launch_cta in [0, 1] {
            sm.edge(RegisterManagerIn {
                cta_launch: true,
                launch_cta,
                ..sm.kernel
            });
        }
        for warp in [2, 3, 10] {
            sm.launch(warp);
        }
        let free = sm.edge(sm.kernel).free_packs;
        let first = sm.write(2);
        assert!(first.is_some(), "{system}");
        let others = [3, 10].map(|warp| sm.write(warp));
        assert_eq!(others.map(|pack| pack.is_none()), waits, "{system}");
        assert!(!others.contains(&first), "{system}");
        // Each in turn reads what it wrote and ends; who waited has its register then.
        for (warp, has) in [
            (2, true),
            (3, others[0].is_some()),
            (10, others[1].is_some()),
        ] {
            assert!(has || sm.write(warp).is_some(), "{system}: warp {warp}");
            sm.read(warp);
            sm.end(warp);
        }
        for exit_cta in [0, 1] {
            sm.edge(RegisterManagerIn {
                cta_exit: true,
                exit_cta,
                ..sm.kernel
            });
        }
        let out = sm.edge(sm.kernel);
        assert_eq!(out.free_packs, free, "{system}");
        assert!(
            !out.spill && out.none_stalled && !out.a_launched,
            "{system}"
        );
    }
}

#[test]
fn one_program_runs_on_every_system() {
    program(Both::new);
}

#[test]
fn the_same_program_runs_on_every_system_with_64_warps() {
    program(Both::w64);
}

#[test]
fn the_same_program_runs_on_every_system_with_16_warps() {
    program(Both::w16);
}
